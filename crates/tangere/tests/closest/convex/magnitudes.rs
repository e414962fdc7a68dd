//! Convex bodies of any magnitude, and pairs of very different magnitudes.

use tangere::closest::{ConvexPairs, Patch, PatchPoint, Tracker, certificate};
use tangere::contact::{Contact, ContactStatus};
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;
use test_support::Random;

use super::checks::{Faults, Pair, bits};
use super::scenes::{self, Placing, cuboid, hull};

/// `x` times a power of two that may itself be out of range.
fn scaled(x: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    x * 2f64.powi(half) * 2f64.powi(exponent - half)
}

/// A body scaled by a power of two.
fn scaled_shape(shape: &ConvexPolyhedron, exponent: i32) -> ConvexPolyhedron {
    let points: Vec<[f64; 3]> = shape
        .vertices()
        .iter()
        .map(|v| v.map(|x| scaled(x, exponent)))
        .collect();
    hull(&points)
}

/// A pose with its translation scaled by a power of two.
fn scaled_pose(pose: &Pose, exponent: i32) -> Pose {
    let [x, y, z, qw, qx, qy, qz] = pose.to_numbers();
    scenes::pose([x, y, z].map(|x| scaled(x, exponent)), [qw, qx, qy, qz])
}

/// A contact with its lengths scaled by a power of two.
fn scaled_contact(contact: &Contact, exponent: i32) -> Contact {
    let point = |p: [f64; 3]| p.map(|x| scaled(x, exponent));
    Contact {
        gap: scaled(contact.gap, exponent),
        lower: scaled(contact.lower, exponent),
        upper: scaled(contact.upper, exponent),
        point_a: point(contact.point_a),
        point_b: point(contact.point_b),
        ..*contact
    }
}

/// A corner of a patch with its lengths scaled by a power of two.
fn scaled_corner(corner: &PatchPoint, exponent: i32) -> PatchPoint {
    let point = |p: [f64; 3]| p.map(|x| scaled(x, exponent));
    PatchPoint {
        point_a: point(corner.point_a),
        point_b: point(corner.point_b),
        gap: scaled(corner.gap, exponent),
        ..*corner
    }
}

/// The largest difference of coordinates of two pairs of points.
fn farthest(a: [[f64; 3]; 2], b: [[f64; 3]; 2]) -> f64 {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    pairs.fold(0.0, |most, (x, y)| (x - y).abs().max(most))
}

#[test]
fn answers_scale_with_the_bodies() {
    let mut random = Random::new(41);
    let bodies = scenes::bodies();
    for (name_a, a) in &bodies {
        for (name_b, b) in &bodies {
            let placing = [Placing::Anyhow(1.2), Placing::Lattice][random.below(2)];
            let [pose_a, pose_b] = scenes::poses(&mut random, placing, 1.0, [0.0; 3]);
            let contact = Tracker::new().contact(a, &pose_a, b, &pose_b);
            let mut patch = Patch::new();
            patch.update(a, &pose_a, b, &pose_b, &contact);
            let corners = patch.points().to_vec();
            for exponent in [-800, -200, 190] {
                let [large_a, large_b] = [a, b].map(|shape| scaled_shape(shape, exponent));
                let [there_a, there_b] = [&pose_a, &pose_b].map(|pose| scaled_pose(pose, exponent));
                let found = Tracker::new().contact(&large_a, &there_a, &large_b, &there_b);
                let what = || format!("{name_a}, {name_b}, {placing:?}, 2^{exponent}");
                let expected = scaled_contact(&contact, exponent);
                // Points are rounded in world coordinates.
                let apart = farthest(
                    [expected.point_a, expected.point_b],
                    [found.point_a, found.point_b],
                );
                assert!(scaled(apart, -exponent) < 1e-15, "{}", what());
                let rest = Contact {
                    point_a: expected.point_a,
                    point_b: expected.point_b,
                    ..found
                };
                assert_eq!(bits(&rest), bits(&expected), "{}", what());
                let proven = certificate(&large_a, &there_a, &large_b, &there_b, &found);
                assert_eq!(proven, Ok(()), "{}", what());
                patch.update(&large_a, &there_a, &large_b, &there_b, &found);
                let expected: Vec<_> = corners.iter().map(|c| scaled_corner(c, exponent)).collect();
                assert_eq!(patch.points().len(), expected.len(), "{}", what());
                for (found, expected) in patch.points().iter().zip(&expected) {
                    let apart = farthest(
                        [expected.point_a, expected.point_b],
                        [found.point_a, found.point_b],
                    );
                    assert!(scaled(apart, -exponent) < 1e-15, "{}", what());
                    let rest = PatchPoint {
                        point_a: expected.point_a,
                        point_b: expected.point_b,
                        ..*found
                    };
                    assert_eq!(rest, *expected, "{}", what());
                }
            }
        }
    }
}

#[test]
fn bodies_may_be_larger_than_poses_allow() {
    let corners = [
        [0.0; 3],
        [1e100, 0.0, 0.0],
        [0.0, 1e100, 0.0],
        [0.0, 0.0, 1e100],
    ];
    let huge = hull(&corners);
    let (here, there) = (Pose::identity(), "1e59,0,0".parse().unwrap());
    let pair = Pair {
        a: &huge,
        pose_a: &here,
        b: &huge,
        pose_b: &there,
    };
    assert_eq!(pair.fault(&mut Tracker::new(), true), None);
    let contact = Tracker::new().contact(&huge, &here, &huge, &there);
    assert_eq!(contact.status, ContactStatus::Penetrating);
    assert!((contact.gap / -1e100 - 3f64.sqrt().recip()).abs() < 1e-12);
}

#[test]
fn coordinates_that_would_overflow_are_refused() {
    let error = ConvexPolyhedron::hull(&[[0.0; 3], [0.0, -1e302, 1.0]]).unwrap_err();
    let message = error.to_string();
    assert!(
        message.starts_with("point 1: found [0.0, -1e302, 1.0], expected "),
        "{message}"
    );
    assert!(message.contains("magnitudes up to 1."), "{message}");
}

#[test]
fn a_speck_is_like_a_point() {
    let mut random = Random::new(43);
    let mut faults = Faults::default();
    let point = hull(&[[0.0; 3]]);
    for (name, body) in scenes::bodies() {
        for speck in [scenes::round(20, 3), cuboid([1.0; 3])] {
            for exponent in [-1000, -300, -150] {
                let speck = scaled_shape(&speck, exponent);
                let [pose_a, pose_b] =
                    scenes::poses(&mut random, Placing::Anyhow(1.0), 1.0, [0.0; 3]);
                let pair = Pair {
                    a: &body,
                    pose_a: &pose_a,
                    b: &speck,
                    pose_b: &pose_b,
                };
                let mut fault = pair.fault(&mut Tracker::new(), false);
                let gap = Tracker::new().contact(&body, &pose_a, &speck, &pose_b).gap;
                let of_point = Tracker::new().contact(&body, &pose_a, &point, &pose_b).gap;
                if (gap - of_point).abs() > 1e-14 {
                    fault = fault.or(Some(format!("gap {gap} is not {of_point}")));
                }
                faults.add(
                    || format!("{name}, 2^{exponent}, {pose_a} and {pose_b}"),
                    fault,
                );
            }
        }
    }
    faults.expect_none();
}

#[test]
fn small_bodies_far_apart_and_beside_large_ones() {
    let mut random = Random::new(44);
    let mut faults = Faults::default();
    let bodies = [
        scenes::round(8, 1),
        scenes::round(60, 2),
        cuboid([1.0, 0.5, 0.25]),
    ];
    for (size_a, size_b, distance) in [
        (1e-12, 1e-12, 1.0),
        (1.0, 1e12, 1e12),
        (1e12, 1.0, 1.0),
        (1.0, 1e6, 1e6),
    ] {
        for a in &bodies {
            for b in &bodies {
                let a = scenes::resized(a, size_a, [0.0; 3]);
                let b = scenes::resized(b, size_b, [0.0; 3]);
                for placing in [Placing::Anyhow(1.2), Placing::Lattice] {
                    let [pose_a, pose_b] = scenes::poses(&mut random, placing, distance, [0.0; 3]);
                    let pair = Pair {
                        a: &a,
                        pose_a: &pose_a,
                        b: &b,
                        pose_b: &pose_b,
                    };
                    let fault = pair.fault(&mut Tracker::new(), false);
                    faults.add(
                        || format!("{size_a:e} {size_b:e} {placing:?}, {pose_a} and {pose_b}"),
                        fault,
                    );
                }
            }
        }
    }
    faults.expect_none();
}

#[test]
fn failed_certificates_of_a_batch_name_the_pair() {
    let cube = std::sync::Arc::new(cuboid([1.0; 3]));
    let mut pairs = ConvexPairs::new(vec![cube; 3]);
    let poses: Vec<Pose> = ["0,0,0", "1.5,0.125,0", "0,0.75,0.25"]
        .iter()
        .map(|pose| pose.parse().unwrap())
        .collect();
    let list = [[0, 1], [2, 0], [1, 2]];
    let mut contacts = Vec::new();
    pairs.contacts(&poses, &list, &mut contacts).unwrap();
    assert_eq!(pairs.certificates(&poses, &list, &contacts), Ok(()));
    contacts[1].gap -= 1e-6;
    contacts[2].normal = [0.0; 3];
    let (pair, violation) = pairs.certificates(&poses, &list, &contacts).unwrap_err();
    assert_eq!(pair, 1);
    assert!(
        violation.to_string().contains("lower <= gap"),
        "{violation}"
    );
}
