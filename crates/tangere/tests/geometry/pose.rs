//! Poses and similarities, and the rotations that they are made of.
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

use proptest::prelude::*;
use tangere::geometry::{
    COORDINATE_MIN, Pose, Similarity, is_valid_coordinate, rotation_about, rotation_from_str,
};
use test_support::vectors::distance;

fn pose(text: &str) -> Pose {
    text.parse().unwrap()
}

fn rotation(text: &str) -> Pose {
    Pose::new(rotation_from_str(text).unwrap(), [0.0; 3]).unwrap()
}

/// The rotation matrix by Rodrigues' formula in nalgebra: a second route.
fn nalgebra_rotation(axis: [f64; 3], degrees: f64) -> nalgebra::Rotation3<f64> {
    let axis = nalgebra::Unit::new_normalize(nalgebra::Vector3::from(axis));
    nalgebra::Rotation3::from_axis_angle(&axis, degrees.to_radians())
}

#[test]
fn quarter_turns_are_exact() {
    let cases = [
        ("x:90", [[1, 0, 0], [0, 0, -1], [0, 1, 0]]),
        ("y:90", [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]),
        ("z:90", [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
        ("z:-90", [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]),
        ("z:270", [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]),
        ("x:180", [[1, 0, 0], [0, -1, 0], [0, 0, -1]]),
        ("y:-180", [[-1, 0, 0], [0, 1, 0], [0, 0, -1]]),
        ("z:360", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ("z:36000090", [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
        ("z:0", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        (" X : 450 ", [[1, 0, 0], [0, 0, -1], [0, 1, 0]]),
        ("0,0,7:90", [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
        ("0,0,-1e-200:90", [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]),
        ("1,0,0,0", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ("0.5,0.5,0.5,0.5", [[0, 0, 1], [1, 0, 0], [0, 1, 0]]),
        // Seven digits are enough to be recognised, and then it is exact.
        (
            "0.7071068,0.7071068,0,0",
            [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
        ),
    ];
    for (text, expected) in cases {
        let matrix = rotation(text).rotation_matrix();
        assert_eq!(matrix, expected.map(|r| r.map(f64::from)), "{text}");
    }
}

#[test]
fn the_group_of_quarter_turns_stays_exact() {
    let mut group = vec![Pose::identity()];
    let turns = [rotation("x:90"), rotation("y:90"), rotation("z:-90")];
    let mut next = 0;
    while next < group.len() {
        for turn in &turns {
            let product = turn.compose(&group[next]);
            let matrix = product.rotation_matrix();
            for row in matrix {
                assert_eq!(row.iter().filter(|x| x.abs() == 1.0).count(), 1);
                assert_eq!(row.iter().filter(|x| **x == 0.0).count(), 2);
            }
            assert!(
                distance(
                    product.inverse().apply(product.apply([1.0, 2.0, 4.0])),
                    [1.0, 2.0, 4.0]
                ) == 0.0
            );
            if !group.iter().any(|g| g.rotation_matrix() == matrix) {
                group.push(product);
            }
            // The matrix leads back to the same rotation.
            let rows = std::array::from_fn(|i| match i {
                3 => [0.0, 0.0, 0.0, 1.0],
                _ => [matrix[i][0], matrix[i][1], matrix[i][2], 0.0],
            });
            assert_eq!(Pose::from_matrix(&rows).unwrap().rotation_matrix(), matrix);
        }
        next += 1;
    }
    assert_eq!(group.len(), 24);
}

#[test]
fn a_translation_adds_once() {
    let p = pose("0.1,-2,3e9");
    assert!(p.is_translation());
    for x in [[0.3, 1e-40, 7.0], [1e30, -0.1, -3e9], [0.0, 2.0, 0.7]] {
        assert_eq!(p.apply(x), [x[0] + 0.1, x[1] - 2.0, x[2] + 3e9]);
    }
    let x = [0.1, -7e59, COORDINATE_MIN];
    assert_eq!(Pose::identity().apply(x), x);
    assert_eq!(Pose::default(), pose("0,0,0"));
}

#[test]
fn moved_points_have_valid_coordinates() {
    // 1 - (1 - 2^-53) would be fine, but cancellation at the lower end is not.
    let tiny = COORDINATE_MIN * (1.0 + f64::EPSILON);
    let p = Pose::from_numbers(&[-COORDINATE_MIN, 0.0, 0.0]).unwrap();
    assert!(!is_valid_coordinate(tiny - COORDINATE_MIN));
    assert_eq!(p.apply([tiny, 0.0, 0.0]), [0.0; 3]);
    assert_eq!(
        rotation("z:89.9999").apply([COORDINATE_MIN, 0.0, 0.0])[0],
        0.0
    );
}

#[test]
fn bad_poses_are_refused_by_name() {
    let message = |text: &str| text.parse::<Pose>().unwrap_err().to_string();
    for (text, parts) in [
        ("", vec!["pose", "``", "finite number"]),
        ("1,2", vec!["2 numbers", "3 (tx,ty,tz)"]),
        ("1,2,3,4", vec!["4 numbers"]),
        ("1,2,three", vec!["`three`"]),
        ("1,2,nan", vec!["`nan`"]),
        ("1,2,3,1,0,0,0,0", vec!["8 numbers"]),
        ("1,2,1e61", vec!["pose tz", "1e61", "1.6e60"]),
        ("0,0,0,0,0,0,0", vec!["quaternion", "length 0", "1e-6"]),
        ("0,0,0,1,0,0,0.01", vec!["length 1.00004999", "length 1"]),
        ("0,0,0,1e200,1e200,0,0", vec!["length inf"]),
    ] {
        let message = message(text);
        for part in parts {
            assert!(message.contains(part), "{text:?}: {message}");
        }
    }
    let error = Pose::from_numbers(&[0.0, f64::NAN, 0.0]).unwrap_err();
    assert!(error.to_string().contains("pose ty: found NaN"), "{error}");
    let error = Pose::from_numbers(&[0.0, 0.0, 0.0, 1.0, 0.0, f64::INFINITY, 0.0]).unwrap_err();
    assert!(error.to_string().contains("pose qy: found inf"), "{error}");
    // The tolerance itself, from both sides.
    assert!("0,0,0,1.0000009,0,0,0".parse::<Pose>().is_ok());
    assert!("0,0,0,1.0000011,0,0,0".parse::<Pose>().is_err());
}

#[test]
fn bad_rotations_are_refused() {
    for text in [
        "",
        "x",
        "90",
        "x:",
        ":90",
        "w:90",
        "x:nan",
        "x:inf",
        "0,0,0:90",
        "1,1:90",
        "1,2,3",
        "1,1,1,1",
        "1,0,nan:90",
        "x:90:90",
        "1,0,0,0,0",
        "x:90deg",
    ] {
        let error = rotation_from_str(text).unwrap_err().to_string();
        assert!(error.contains("rotation"), "{text:?}: {error}");
    }
    assert!(rotation_about([f64::NAN, 0.0, 1.0], 1.0).is_err());
    assert!(rotation_about([0.0; 3], 1.0).is_err());
    assert!(rotation_about([1.0, 0.0, 0.0], f64::NAN).is_err());
}

#[test]
fn bad_matrices_are_refused() {
    let identity: [[f64; 4]; 4] =
        std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    assert_eq!(Pose::from_matrix(&identity).unwrap(), Pose::identity());
    let changed = |i: usize, j: usize, x: f64| {
        let mut m = identity;
        m[i][j] = x;
        Pose::from_matrix(&m)
    };
    assert_eq!(changed(1, 3, 5.0).unwrap().translation(), [0.0, 5.0, 0.0]);
    for (i, j, x, part) in [
        (0, 0, f64::NAN, "matrix row 0"),
        (1, 1, -1.0, "reflection"),
        (0, 1, 0.1, "row 0 times row 0"),
        (2, 2, 2.0, "row 2 times row 2 = 4"),
        (2, 2, 1e200, "row 2 times row 2 = inf"),
        (3, 0, 1.0, "matrix row 3"),
        (3, 3, 0.0, "matrix row 3"),
        (2, 3, 1e61, "pose tz"),
    ] {
        let error = changed(i, j, x).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn similarities_scale_first() {
    let s = Similarity::new(-2.0, pose("1,0,0").compose(&rotation("z:90"))).unwrap();
    assert!(s.mirrors());
    assert_eq!(s.apply([1.0, 0.0, 3.0]), [1.0, -2.0, -6.0]);
    assert!(!Similarity::default().mirrors());
    assert_eq!(
        Similarity::default().apply([0.1, 0.2, 0.3]),
        [0.1, 0.2, 0.3]
    );
    for scale in [0.0, -0.0, f64::NAN, f64::INFINITY, 1e61, 1e-100] {
        let error = Similarity::new(scale, Pose::identity()).unwrap_err();
        assert!(error.to_string().starts_with("scale: found"), "{error}");
    }
}

fn axis() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(-1.0..1.0f64).prop_filter("zero", |a| a.iter().any(|x| x.abs() > 1e-3))
}

fn any_pose() -> impl Strategy<Value = Pose> {
    (
        axis(),
        -720.0..720.0f64,
        prop::array::uniform3(-1e3..1e3f64),
    )
        .prop_map(|(a, d, t)| Pose::new(rotation_about(a, d).unwrap(), t).unwrap())
}

proptest! {
    #[test]
    fn agrees_with_nalgebra(a in axis(), degrees in -720.0..720.0f64, p in prop::array::uniform3(-1.0..1.0f64)) {
        let moved = Pose::new(rotation_about(a, degrees).unwrap(), [0.0; 3]).unwrap().apply(p);
        let expected = nalgebra_rotation(a, degrees) * nalgebra::Vector3::from(p);
        prop_assert!(distance(moved, expected.into()) < 1e-14);
    }

    #[test]
    fn matrices_are_orthonormal_to_rounding(p in any_pose()) {
        let m = p.rotation_matrix();
        for i in 0..3 {
            for j in 0..3 {
                let product: f64 = (0..3).map(|k| m[i][k] * m[j][k]).sum();
                prop_assert!((product - f64::from(u8::from(i == j))).abs() < 8.0 * f64::EPSILON);
            }
        }
        let transposed: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]));
        prop_assert_eq!(p.inverse().rotation_matrix(), transposed);
    }

    #[test]
    fn text_numbers_and_matrix_lead_back(p in any_pose(), q in any_pose()) {
        let r = p.compose(&q);
        for pose in [p, r, p.inverse()] {
            prop_assert_eq!(Pose::from_numbers(&pose.to_numbers()).unwrap(), pose);
            prop_assert_eq!(pose.to_string().parse::<Pose>().unwrap(), pose);
            let (m, t) = (pose.rotation_matrix(), pose.translation());
            let rows = std::array::from_fn(|i| match i {
                3 => [0.0, 0.0, 0.0, 1.0],
                _ => [m[i][0], m[i][1], m[i][2], t[i]],
            });
            let again = Pose::from_matrix(&rows).unwrap();
            for (x, y) in again.rotation_matrix().iter().flatten().zip(m.iter().flatten()) {
                prop_assert!((x - y).abs() < 8.0 * f64::EPSILON);
            }
        }
    }

    #[test]
    fn composition_and_inverse_act_as_such(p in any_pose(), q in any_pose(), x in prop::array::uniform3(-1e3..1e3f64)) {
        prop_assert!(distance(p.compose(&q).apply(x), p.apply(q.apply(x))) < 1e-11);
        prop_assert!(distance(p.inverse().apply(p.apply(x)), x) < 1e-11);
    }
}
