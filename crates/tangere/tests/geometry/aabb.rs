//! AABB: the box contains its points after every operation.
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

use super::ball::coordinate;
use proptest::prelude::*;
use tangere::geometry::{Aabb, Ball, Pose, rotation_about};
use test_support::exact::scaled;

#[test]
fn corners_are_checked() {
    assert!(Aabb::new([0.0, 0.0], [0.0, 1.0]).is_ok());
    let error = Aabb::new([0.0, 2.0], [1.0, 1.0]).unwrap_err().to_string();
    assert!(
        error.contains("min 2.0 above max 1.0 in coordinate 1"),
        "{error}"
    );
    for bad in [f64::NAN, f64::INFINITY, 1e61] {
        assert!(Aabb::new([bad, 0.0], [1.0, 1.0]).is_err());
        assert!(Aabb::new([0.0, 0.0], [1.0, bad]).is_err());
    }
}

#[test]
fn empty_boxes_stay_empty() {
    let empty = Aabb::<3>::EMPTY;
    let pose: Pose = "1,2,3".parse().unwrap();
    assert!(empty.is_empty());
    assert_eq!(empty.expanded(1.0), empty);
    assert_eq!(empty.transformed(&pose), empty);
    let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    assert_eq!(unit.intersection(&empty), empty);
    assert_eq!(unit.union(&empty), unit);
    assert_eq!(unit.transformed(&Pose::identity()), unit);
    let beside = Aabb::new([1.0, 0.0, 0.0], [2.0, 1.0, 1.0]).unwrap();
    assert_eq!(unit.intersection(&beside).extent(), [0.0, 1.0, 1.0]);
    assert!(!unit.intersection(&beside).is_empty());
    let away = Aabb::new([1.5, 0.0, 0.0], [2.0, 1.0, 1.0]).unwrap();
    assert_eq!(unit.intersection(&away), empty);
}

#[test]
fn nothing_is_hidden_by_nan() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    let everything = [f64::NEG_INFINITY; 3];
    assert_eq!(unit.expanded(f64::NAN).min, everything);
    assert_eq!(unit.expanded(f64::INFINITY).min, everything);
    assert_eq!(unit.expanded(-1.0), unit);
    let pose = Pose::new(rotation_about([1.0, 2.0, 3.0], 40.0).unwrap(), [0.0; 3]).unwrap();
    let endless = Aabb {
        min: everything,
        max: [f64::INFINITY; 3],
    };
    assert_eq!(endless.transformed(&pose), endless);
}

fn bounds() -> impl Strategy<Value = Aabb<3>> {
    prop::array::uniform2(prop::array::uniform3(coordinate())).prop_map(Aabb::of_points)
}

/// Points of the box: its corners and points between.
fn samples(bounds: &Aabb<3>, weights: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let corner = |i: u8| {
        std::array::from_fn(|k| {
            if i >> k & 1 == 1 {
                bounds.max[k]
            } else {
                bounds.min[k]
            }
        })
    };
    let between = weights.iter().map(|w| {
        std::array::from_fn(|k| {
            (bounds.min[k] + w[k] * (bounds.max[k] - bounds.min[k]))
                .clamp(bounds.min[k], bounds.max[k])
        })
    });
    (0..8).map(corner).chain(between).collect()
}

proptest! {
    #[test]
    fn expanded_boxes_contain_the_margin(b in bounds(), margin in prop_oneof![0.0..1.0f64, 1e-30..1e-20f64, Just(0.1)]) {
        let larger = b.expanded(margin);
        for k in 0..3 {
            prop_assert!(scaled(larger.min[k]) <= scaled(b.min[k]) - scaled(margin));
            prop_assert!(scaled(larger.max[k]) >= scaled(b.max[k]) + scaled(margin));
        }
        let ball = Ball::new(b.min, margin).unwrap();
        let around = Aabb::of_ball(&ball);
        for k in 0..3 {
            prop_assert!(scaled(around.min[k]) <= scaled(b.min[k]) - scaled(margin));
        }
    }

    #[test]
    fn moved_boxes_contain_moved_points(
        b in bounds(),
        axis in prop::array::uniform3((-2..3i32).prop_map(f64::from)),
        degrees in prop_oneof![-360.0..360.0f64, (-8..9i32).prop_map(|k| f64::from(k) * 45.0)],
        t in prop::array::uniform3(coordinate()),
        weights in prop::collection::vec(prop::array::uniform3(0.0..1.0f64), 8),
    ) {
        prop_assume!(axis != [0.0; 3]);
        let pose = Pose::new(rotation_about(axis, degrees).unwrap(), t).unwrap();
        let moved = b.transformed(&pose);
        let m = pose.rotation_matrix();
        for p in samples(&b, &weights) {
            prop_assert!(moved.contains(pose.apply(p)), "{moved:?} {p:?}");
            for (i, row) in m.iter().enumerate() {
                // Products of two scaled numbers carry 2^-1000.
                let place = (0..3).map(|k| scaled(row[k]) * scaled(p[k])).sum::<num_bigint::BigInt>()
                    + (scaled(pose.translation()[i]) << 500);
                prop_assert!(scaled(moved.min[i]) << 500 <= place);
                prop_assert!(place <= scaled(moved.max[i]) << 500);
            }
        }
        // Conservative, but not by more than rounding: the tightest box of the corners.
        let tight = Aabb::of_points(samples(&b, &[]).into_iter().map(|p| pose.apply(p)));
        let size = b.min.iter().chain(&b.max).chain(&t).fold(0.0, |m: f64, x| m.max(x.abs()));
        for k in 0..3 {
            prop_assert!(tight.min[k] - moved.min[k] <= 1e-14 * size + 1e-80);
            prop_assert!(moved.max[k] - tight.max[k] <= 1e-14 * size + 1e-80);
        }
    }

    #[test]
    fn the_distance_of_a_box_bounds_that_of_its_points(
        b in bounds(), p in prop::array::uniform3(coordinate()),
        weights in prop::collection::vec(prop::array::uniform3(0.0..1.0f64), 8),
    ) {
        let bound = b.distance_squared(p);
        prop_assert_eq!(bound == 0.0, b.contains(p));
        for q in samples(&b, &weights) {
            let d: [f64; 3] = std::array::from_fn(|k| p[k] - q[k]);
            prop_assert!(bound <= d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        }
        let nearest: [f64; 3] = std::array::from_fn(|k| p[k].clamp(b.min[k], b.max[k]));
        let d: [f64; 3] = std::array::from_fn(|k| p[k] - nearest[k]);
        prop_assert_eq!(bound, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
}
