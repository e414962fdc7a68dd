//! Regressions: poses of convex bodies that once had wrong contacts.

use tangere::closest::Tracker;
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;

use super::checks::{Faults, Pair, bits};
use super::scenes;

/// Two bodies by their names among [`scenes::bodies`], their size, and their poses.
const CASES: [(&str, &str, f64, &str, &str); 18] = [
    // Edges that are parallel up to 1e-9.
    (
        "cube",
        "cube",
        1.0,
        "0,0,0,0.5,0.5,-0.5,0.5",
        "-1.2500000003001497,0.9999999990639374,-1.2500000001835674,0.49999999959281355,0.5000000000040186,-0.5000000001634336,0.5000000002397343",
    ),
    // A face that is searched from either body.
    (
        "square",
        "square",
        1e-9,
        "0,0,0,0.32805944657223574,0.760413697269633,0.3336745894508338,0.4503435098613757",
        "1.8158790118733559e-10,-1.108820435697465e-9,-3.3000304525205534e-10,-0.23149608974617142,-0.5645308297843543,0.4665375689074949,-0.6403570874544181",
    ),
    // Centers at one point: both directions are equally good.
    (
        "cube",
        "cube",
        1.0,
        "0,0,0,0.5901132183329298,-0.25254725942419126,0.45928619911074303,0.6140378315808309",
        "0,0,0,-0.03414592920146654,0.5831779297967695,0.7456653486320076,0.3205007731136215",
    ),
    (
        "brick",
        "brick",
        1.0,
        "0,0,0,-0.6405846106269841,0.5499133117961348,-0.4664175452310637,0.2640101885115624",
        "0,0,0,0.5365370277504602,-0.621761674890522,-0.5542368220715723,0.13550639302276174",
    ),
    // Segments that cross in their middles.
    (
        "axis",
        "axis",
        1.0,
        "0,0,0,-0.6321935117609454,-0.10383078070742796,0.45311994944984135,0.6198651821772398",
        "0,0,0,-0.6677474768434918,0.26760485512225474,0.6345146793790516,0.2826518535878491",
    ),
    // Tilted by less than the thickness of a needle.
    (
        "tetrahedron",
        "needle",
        1.0,
        "0,0,0,0.5,-0.5,0.5,0.5",
        "-2.9341544744001656e-7,-1.2500005323598842,-0.7500007940405083,0.49999965956328174,-0.49999994949005244,0.5000000294430359,0.50000036150338",
    ),
    // Four vertices over a face, one nearest by 1e-10.
    (
        "brick",
        "prism 6",
        1.0,
        "0,0,0,0.5,-0.5,0.5,0.5",
        "0.7500000006622266,-4.556255962703295e-10,-0.2500000005948624,0.49999999957032165,-0.5000000000996251,0.500000000142848,0.5000000001872053",
    ),
    // Penetration of a flat body: bounds from two formulas.
    (
        "square",
        "round 100",
        1.0,
        "0,0,0,-0.8611423229049228,0.11283177242358307,-0.29540720896982375,-0.39804204768130375",
        "-0.12087716333971914,-0.0305565532570865,-0.17847790219515502,0.07444918515081403,0.8592869806546923,-0.2853686090803072,-0.41790903395271695",
    ),
    // A point inside a body that is thinner than a millionth.
    (
        "sliver",
        "point",
        1.0,
        "1000000000.0,-2000000000.0,3000000000.0,-0.19127153037375463,0.7698064582725851,0.5030973732595214,-0.34308344683133635",
        "999999999.8145617,-1999999999.7030506,2999999999.7759724,-0.055535279626404234,-0.5474860304333928,0.056773988165151036,-0.8330375702601449",
    ),
    (
        "sliver",
        "point",
        1e9,
        "0.0,0.0,0.0,0.1163868027880147,-0.5257483472722838,-0.7957977929018077,-0.277035485614853",
        "-882717265.3711073,-1626001377.0757034,1594605430.7431211,0.6707928449141696,-0.4343157024287501,-0.46717146559535566,0.3783617998282376",
    ),
    // Flat bodies: both normals are candidates, but the bodies are separated along one only.
    (
        "square",
        "axis",
        1.0,
        "0.0,0.0,0.0,0.5,-0.5,-0.5,-0.5",
        "0.5,-0.25,0.0,0.5,-0.5,0.5,0.5",
    ),
    (
        "axis",
        "axis",
        1e-9,
        "0.0,0.0,0.0,0.0,1.0,0.0,0.0",
        "-2.5e-10,2.9039053734161232e-11,4.990083816602783e-10,0.482086882672679,-0.5288967532970745,-0.4997153852536409,-0.48800102012962765",
    ),
    (
        "disc 30",
        "disc 30",
        1.0,
        "0,0,0,0.7071067811865476,0,0,0.7071067811865476",
        "-0.5000000003853776,-0.25000000058965643,-0.24999999929021882,0.7071067815297721,1.1560599567640073e-10,3.207872328401182e-11,0.707106780843323",
    ),
    // Edges that cross at an angle of a millionth or less, a tiny distance apart.
    (
        "prism 6",
        "prism 3",
        1.0,
        "0.0,0.0,0.0,-0.5,-0.5,-0.5,0.5",
        "0.866025464691994,-0.24999999999994027,-0.5000000793114852,-0.5000002862644596,-0.49999960828521633,-0.49999998544697016,0.5000001200031038",
    ),
    (
        "triangle",
        "axis",
        1.0,
        "0.0,0.0,0.0,0.0,1.0,0.0,0.0",
        "-5.551115123125783e-17,-0.75,0.0,-4.2025376188457047e-10,0.7071067812012513,0.7071067811718439,2.7010068254647315e-10",
    ),
    (
        "square",
        "tetrahedron",
        1.0,
        "0.0,0.0,0.0,0.0,1.0,0.0,0.0",
        "-1.0000000000004743,0.49999999999943645,6.117961557079635e-13,-3.181406906853324e-7,0.999999999999875,3.8001185190364266e-7,6.616526812130098e-8",
    ),
    // GJK ends with a direction that is off by more than the thickness of a needle.
    (
        "needle",
        "brick",
        1e-9,
        "0.0,0.0,0.0,-0.645097962105362,-0.6737928239314727,0.2833350378095072,0.22265018763846928",
        "5.950530825358707e-10,-4.5687075263459975e-10,-1.4918592731704461e-10,-0.23063111968066652,0.30643635527580404,-0.3879127668,0.8381108113809845",
    ),
    // An edge that ends where another, at a narrow angle to it, does not.
    (
        "cube",
        "plate",
        1e-9,
        "0,0,0,0,0,0,1",
        "1.2499999999996543e-9,1.0000000000008957e-9,2.7959578019518894e-22,0.0007156885824298762,-1.0602621080481913e-5,-0.0006983388182170283,0.9999995000000412",
    ),
];

#[test]
fn wrong_answers_of_the_past() {
    let bodies = scenes::bodies();
    let body = |name: &str, scale: f64| -> ConvexPolyhedron {
        let found = bodies.iter().find(|(other, _)| other == name);
        scenes::resized(&found.expect("a body").1, scale, [0.0; 3])
    };
    let mut faults = Faults::default();
    for (name_a, name_b, scale, pose_a, pose_b) in CASES {
        let (a, b) = (body(name_a, scale), body(name_b, scale));
        let [pose_a, pose_b]: [Pose; 2] = [pose_a, pose_b].map(|p| p.parse().expect("a pose"));
        let pair = Pair {
            a: &a,
            pose_a: &pose_a,
            b: &b,
            pose_b: &pose_b,
        };
        // Alone, and again by a tracker that has the answer.
        let mut tracker = Tracker::new();
        for _ in 0..2 {
            let fault = pair.fault(&mut tracker, true);
            faults.add(
                || format!("{name_a}, {name_b}, {pose_a} and {pose_b}"),
                fault,
            );
        }
    }
    faults.expect_none();
}

/// The nearest point of a disc to a point that is not above its centre.
#[test]
fn a_point_beside_the_middle_of_a_disc() {
    let bodies = scenes::bodies();
    let (_, disc) = (bodies.iter().find(|(name, _)| *name == "disc 30")).expect("a disc");
    let point = scenes::hull(&[[0.0; 3]]);
    let pair = Pair {
        a: disc,
        pose_a: &"0,0,0,0.7071067811865476,0,0.7071067811865476,0".parse().expect("a pose"),
        b: &point,
        pose_b: &"-9.999999999940612e-8,1.524166309293103e-15,-0.3,0.7066941339003918,0.015328835319620596,0.7073530738785484,-0.00023831300168519797".parse().expect("a pose"),
    };
    assert_eq!(pair.fault(&mut Tracker::new(), true), None);
}

/// Bodies without volume have a common point.
#[test]
fn flat_bodies_touch_in_a_point_of_both() {
    let axis = scenes::hull(&[[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]]);
    let point = scenes::hull(&[[0.0; 3]]);
    let square = scenes::hull(&[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
    let cases: [(&ConvexPolyhedron, &ConvexPolyhedron, &str, [f64; 3]); 12] = [
        (&point, &point, "0,0,0", [0.0; 3]),
        (&axis, &point, "0.25,0,0", [0.25, 0.0, 0.0]),
        (&axis, &point, "0.5,0,0", [0.5, 0.0, 0.0]),
        (&axis, &axis, "0.25,0,0", [0.125, 0.0, 0.0]),
        (&axis, &axis, "0,0,0", [0.0; 3]),
        (&axis, &axis, "1,0,0", [0.5, 0.0, 0.0]),
        (&axis, &axis, "0.5,0.5,0,0.5,0.5,0.5,0.5", [0.5, 0.0, 0.0]),
        (&square, &point, "0.25,0.5,0", [0.25, 0.5, 0.0]),
        (&square, &point, "1,1,0", [1.0, 1.0, 0.0]),
        (&square, &axis, "0.5,0.25,0", [0.5, 0.25, 0.0]),
        (&square, &axis, "1.5,0.25,0", [1.0, 0.25, 0.0]),
        (&square, &square, "1,1,0", [1.0, 1.0, 0.0]),
    ];
    let mut faults = Faults::default();
    for (a, b, pose_b, at) in cases {
        let pose_a = Pose::identity();
        let pose_b: Pose = pose_b.parse().unwrap();
        let pair = Pair {
            a,
            pose_a: &pose_a,
            b,
            pose_b: &pose_b,
        };
        let contact = Tracker::new().contact(a, &pose_a, b, &pose_b);
        assert_eq!(contact.gap, 0.0, "{pose_b}: {contact:?}");
        for point in [contact.point_a, contact.point_b] {
            let off = (0..3).map(|k| (point[k] - at[k]).abs()).fold(0.0, f64::max);
            assert!(off < 1e-14, "{pose_b}: {contact:?}");
        }
        let fault = pair.fault(&mut Tracker::new(), true);
        faults.add(|| pose_b.to_string(), fault);
    }
    faults.expect_none();
}

/// A point approaches a flat body from either side, and lies in its plane.
#[test]
fn a_point_in_a_flat_face_is_on_neither_side() {
    let disc = scenes::polygon(30, &[0.0]);
    let point = scenes::hull(&[[0.0; 3]]);
    let here = Pose::identity();
    let fresh = Tracker::new().contact(&disc, &here, &point, &here);
    for side in ["0,0,0.25", "0,0,-0.25"] {
        let mut tracker = Tracker::new();
        tracker.contact(&disc, &here, &point, &side.parse().unwrap());
        let contact = tracker.contact(&disc, &here, &point, &here);
        assert_eq!(bits(&contact), bits(&fresh), "from {side}: {contact:?}");
    }
}

/// Two edges are a billionth apart: the vector between them is too short to be orthogonal to the
/// longer one.
#[test]
fn a_short_normal_is_orthogonal_to_a_long_edge() {
    let corners = [
        [2.0, 2.0, 1.0],
        [2.0, 2.0, 0.0],
        [2.0, 0.0, 2.0],
        [-1.0, -1.0, 2.0],
        [0.0, 2.0, 2.0],
        [-1.0, 2.0, -1.0],
    ];
    let (a, b) = (scenes::hull(&corners), scenes::cuboid([1.0; 3]));
    let pose_a: Pose = "0,0,0,0,1,0,0".parse().unwrap();
    let pose_b: Pose = "-0.49999999978325627,0.5000000009715024,-0.5000000000959441,2.650264205548356e-10,1.0,-3.8036026614584244e-10,1.8731541406236532e-10".parse().unwrap();
    let pair = Pair {
        a: &a,
        pose_a: &pose_a,
        b: &b,
        pose_b: &pose_b,
    };
    assert_eq!(pair.fault(&mut Tracker::new(), true), None);
}
