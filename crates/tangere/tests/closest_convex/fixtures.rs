//! Poses that were answered wrongly once.

use tangere::closest::Tracker;
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;

use crate::scenes;
use crate::verdict::{Faults, Pair};

/// Two bodies by their names among [`scenes::bodies`], their size, and where they are.
const CASES: [(&str, &str, f64, &str, &str); 8] = [
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
    // Tilted by less than a needle is thick.
    (
        "tetrahedron",
        "needle",
        1.0,
        "0,0,0,0.5,-0.5,0.5,0.5",
        "-2.9341544744001656e-7,-1.2500005323598842,-0.7500007940405083,0.49999965956328174,-0.49999994949005244,0.5000000294430359,0.50000036150338",
    ),
    // Of four vertices over a face the nearest, by 1e-10.
    (
        "brick",
        "prism 6",
        1.0,
        "0,0,0,0.5,-0.5,0.5,0.5",
        "0.7500000006622266,-4.556255962703295e-10,-0.2500000005948624,0.49999999957032165,-0.5000000000996251,0.500000000142848,0.5000000001872053",
    ),
    // Deep, with a flat body: bounds of two formulas.
    (
        "square",
        "round 100",
        1.0,
        "0,0,0,-0.8611423229049228,0.11283177242358307,-0.29540720896982375,-0.39804204768130375",
        "-0.12087716333971914,-0.0305565532570865,-0.17847790219515502,0.07444918515081403,0.8592869806546923,-0.2853686090803072,-0.41790903395271695",
    ),
];

#[test]
fn answers_that_were_wrong_once() {
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
        // Alone, and again by a tracker that knows the answer.
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
