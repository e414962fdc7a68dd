//! Contact patches of convex bodies: known patches, and invariants of all.

use tangere::closest::{Patch, PatchPoint, Tracker, certificate, patch};
use tangere::contact::{Contact, ContactStatus, FeatureKind};
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;
use test_support::Random;
use test_support::vectors::{cross, dot, minus};

use super::checks::Faults;
use super::scenes::{self, Placing, cuboid, hull, pose};

/// The contact patch of two bodies.
fn found(
    a: &ConvexPolyhedron,
    pose_a: &Pose,
    b: &ConvexPolyhedron,
    pose_b: &Pose,
) -> (Contact, Vec<PatchPoint>) {
    let contact = Tracker::new().contact(a, pose_a, b, pose_b);
    let mut points = Vec::new();
    patch(a, pose_a, b, pose_b, &contact, &mut points);
    (contact, points)
}

/// A pose from its text.
fn at(text: &str) -> Pose {
    text.parse().expect("a pose")
}

/// The x and y of the corners of a patch in sixty-fourths, starting with the least.
fn rounded(points: &[PatchPoint]) -> Vec<[i64; 2]> {
    let mut places: Vec<_> = points
        .iter()
        .map(|p| [0, 1].map(|k| (64.0 * p.point_a[k]).round() as i64))
        .collect();
    let least = (0..places.len()).min_by_key(|&k| places[k]);
    places.rotate_left(least.unwrap_or(0));
    places
}

#[test]
fn a_face_on_a_face() {
    let cube = cuboid([1.0; 3]);
    for gap in [-0.125, 0.0, 0.25] {
        let above = at(&format!("0.25,0.5,{}", 1.0 + gap));
        let (contact, points) = found(&cube, &Pose::identity(), &cube, &above);
        assert_eq!(contact.normal, [0.0, 0.0, 1.0]);
        // Counterclockwise: a vertex of the upper cube, edges, a vertex of the lower, edges.
        assert_eq!(rounded(&points), [[-16, 0], [32, 0], [32, 32], [-16, 32]]);
        assert!(points.iter().all(|p| p.gap == gap));
        let kinds = |kind_a, kind_b| {
            let is_so = |p: &&PatchPoint| (p.feature_a.kind, p.feature_b.kind) == (kind_a, kind_b);
            points.iter().filter(is_so).count()
        };
        assert_eq!(kinds(FeatureKind::Vertex, FeatureKind::Face), 1);
        assert_eq!(kinds(FeatureKind::Face, FeatureKind::Vertex), 1);
        assert_eq!(kinds(FeatureKind::Edge, FeatureKind::Edge), 2);
    }
}

#[test]
fn a_face_within_a_face() {
    let (plate, cube) = (cuboid([4.0, 4.0, 1.0]), cuboid([1.0; 3]));
    for (a, b, z) in [
        (&plate, &cube, "1"),
        (&cube, &plate, "1"),
        (&cube, &cube, "1"),
    ] {
        let (_, points) = found(a, &Pose::identity(), b, &at(&format!("0,0,{z}")));
        assert_eq!(
            rounded(&points),
            [[-32, -32], [32, -32], [32, 32], [-32, 32]]
        );
    }
}

#[test]
fn slightly_tilted_faces_still_touch_as_faces() {
    let cube = cuboid([1.0; 3]);
    let mut random = Random::new(8);
    for tilt in [1e-6, 1e-8, 1e-10, 1e-12, 1e-14] {
        for _ in 0..20 {
            let tilted = pose([0.25, 0.5, 1.0], scenes::nudge(&mut random, tilt));
            let (contact, points) = found(&cube, &Pose::identity(), &cube, &tilted);
            assert_eq!(
                rounded(&points),
                [[-16, 0], [32, 0], [32, 32], [-16, 32]],
                "{contact:?}"
            );
        }
    }
}

#[test]
fn an_edge_on_a_face() {
    let cube = cuboid([1.0; 3]);
    // Standing on an edge along x that sticks out of the cube on one side.
    let roof = hull(&[[0.0; 3], [2.0, 0.0, 0.0], [0.0, -1.0, 1.0], [0.0, 1.0, 1.0]]);
    let (_, points) = found(&cube, &Pose::identity(), &roof, &at("0.25,0,0.5"));
    assert_eq!(rounded(&points), [[16, 0], [32, 0]]);
    let (_, points) = found(&roof, &at("0.25,0,0.5"), &cube, &Pose::identity());
    assert_eq!(rounded(&points), [[16, 0], [32, 0]]);
}

#[test]
fn parallel_edges_touch_along_a_segment() {
    let half = 0.5_f64.sqrt();
    let cube = cuboid([1.0; 3]);
    // Both cubes stand on edges that are along x.
    let eighth = [
        (std::f64::consts::FRAC_PI_8).cos(),
        (std::f64::consts::FRAC_PI_8).sin(),
        0.0,
        0.0,
    ];
    let (lower, upper) = (pose([0.0; 3], eighth), pose([0.5, 0.0, 2.0 * half], eighth));
    let (contact, points) = found(&cube, &lower, &cube, &upper);
    assert!(contact.gap.abs() < 1e-14);
    assert_eq!(rounded(&points), [[0, 0], [32, 0]]);
    // Crossed, they touch in a point.
    let turned = pose([0.5, 0.0, 2.0 * half], [half, 0.0, 0.0, half]).compose(&lower);
    let (_, points) = found(&cube, &lower, &cube, &turned);
    assert_eq!(points.len(), 1);
}

#[test]
fn faces_with_many_corners() {
    let prism = scenes::polygon(1000, &[-0.5, 0.5]);
    let angle = std::f64::consts::PI / 2000.0;
    let turned = pose([0.0, 0.0, 1.0], [angle.cos(), 0.0, 0.0, angle.sin()]);
    let (contact, points) = found(&prism, &Pose::identity(), &prism, &turned);
    assert!(contact.gap.abs() < 1e-15);
    assert_eq!(points.len(), 2000);
    let is_crossing = |p: &PatchPoint| {
        (p.feature_a.kind, p.feature_b.kind) == (FeatureKind::Edge, FeatureKind::Edge)
    };
    assert!(points.iter().all(is_crossing));
    let area: f64 = (0..2000)
        .map(|k| {
            let (p, q) = (points[k].point_a, points[(k + 1) % 2000].point_a);
            0.5 * (p[0] * q[1] - p[1] * q[0])
        })
        .sum();
    // A regular polygon of 2000 corners around the inner circle of the prism's.
    let inner = 0.5 * (std::f64::consts::PI / 1000.0).cos();
    let expected = 2000.0 * inner * inner * (std::f64::consts::PI / 2000.0).tan();
    assert!((area - expected).abs() < 1e-12, "{area} {expected}");
}

/// The error of a patch, in words; `None` if all invariants hold.
fn fault(
    a: &ConvexPolyhedron,
    pose_a: &Pose,
    b: &ConvexPolyhedron,
    pose_b: &Pose,
    patch: &mut Patch,
) -> Option<String> {
    let contact = Tracker::new().contact(a, pose_a, b, pose_b);
    // Wrong contacts are found by other tests.
    if certificate(a, pose_a, b, pose_b, &contact).is_err()
        || contact.status == ContactStatus::Bracketed
    {
        return None;
    }
    patch.update(a, pose_a, b, pose_b, &contact);
    let (points, center) = (patch.points().to_vec(), patch.center());
    let size = a.radius() + b.radius() + contact.gap.abs();
    let is_in = |shape: &ConvexPolyhedron, pose: &Pose, p: [f64; 3]| {
        let own = pose.inverse().apply(p);
        let planes = shape.planes().iter();
        planes.fold(0.0, |m: f64, plane| {
            m.max(dot(plane.normal, own) - plane.offset)
        }) < 1e-11 * size
    };
    for p in points.iter().chain(&center) {
        let missed = minus(
            minus(p.point_b, p.point_a),
            contact.normal.map(|x| p.gap * x),
        );
        // Nearly parallel edges do not intersect; their points are offset by the tilt.
        let kinds = [p.feature_a.kind, p.feature_b.kind];
        let is_beside = points.len() == 2 && !kinds.contains(&FeatureKind::Face);
        let allowed = if is_beside { 1e-6 } else { 1e-11 };
        if dot(missed, missed).sqrt() > allowed * size {
            return Some(format!("not along the normal: {p:?} of {contact:?}"));
        }
        if !is_in(a, pose_a, p.point_a) || !is_in(b, pose_b, p.point_b) {
            return Some(format!("not in the bodies: {p:?} of {contact:?}"));
        }
        if !(-1e-12 * size..=2e-5 * size).contains(&(p.gap - contact.gap)) {
            return Some(format!("not as far: {p:?} of {contact:?}"));
        }
    }
    let n = points.len();
    for k in 0..n {
        let [p, q, r] = [k, k + 1, k + 2].map(|k| points[k % n].point_a);
        let (u, v) = (minus(q, p), minus(r, q));
        if n > 2 && dot(contact.normal, cross(u, v)) < -1e-11 * size * size {
            return Some(format!("not counterclockwise: {points:?} of {contact:?}"));
        }
        let twin = |other: &PatchPoint| {
            (other.feature_a, other.feature_b) == (points[k].feature_a, points[k].feature_b)
        };
        if points[..k].iter().any(twin) {
            return Some(format!("one name twice: {points:?} of {contact:?}"));
        }
    }
    if (a, pose_a) != (b, pose_b) {
        patch.update(b, pose_b, a, pose_a, &contact.mirrored());
        let mut mirrored: Vec<_> = patch.points().iter().map(PatchPoint::mirrored).collect();
        mirrored[1..].reverse();
        if mirrored != points || patch.center().map(|p| p.mirrored()) != center {
            return Some(format!("mirrored {mirrored:?} is not {points:?}"));
        }
    }
    None
}

#[test]
fn patches_of_all_bodies() {
    let (mut random, mut faults, mut patch) = (Random::new(9), Faults::default(), Patch::new());
    let mut most = [0; 9];
    let bodies = scenes::bodies();
    let placings = [
        Placing::Lattice,
        Placing::Nearly(1e-7),
        Placing::Nearly(1e-10),
        Placing::Anyhow(1.0),
    ];
    for (name_a, a) in &bodies {
        for (name_b, b) in &bodies {
            for placing in placings {
                let [pose_a, pose_b] = scenes::poses(&mut random, placing, 1.0, [0.0; 3]);
                let fault = fault(a, &pose_a, b, &pose_b, &mut patch);
                most[patch.points().len().min(8)] += 1;
                faults.add(
                    || format!("{name_a}, {name_b}, {placing:?}, {pose_a} and {pose_b}"),
                    fault,
                );
            }
        }
    }
    faults.expect_none();
    assert!(most[1] > 100 && most[2] > 20 && most[4] > 20, "{most:?}");
}
