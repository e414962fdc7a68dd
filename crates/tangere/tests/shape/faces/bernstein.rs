//! Bernstein form of finite element faces: control points, and bounds that contain the face.

use super::{bent_nodes, place};
use tangere::shape::FaceKind;
use tangere::shape::face::Face;
use test_support::Random;

/// The Bernstein polynomials of a kind in the order of nodes.
fn polynomials(kind: FaceKind, [x, y]: [f64; 2]) -> Vec<f64> {
    let line = |x: f64| {
        let (a, b) = (0.5 * (1.0 - x), 0.5 * (1.0 + x));
        if kind.degree() == 1 {
            [a, b, 0.0]
        } else {
            [a * a, b * b, 2.0 * a * b]
        }
    };
    match (kind.corners(), kind.degree()) {
        (2, _) => line(x)[..kind.nodes()].to_vec(),
        (3, 1) => vec![1.0 - x - y, x, y],
        (3, _) => {
            let t = 1.0 - x - y;
            vec![t * t, x * x, y * y, 2.0 * t * x, 2.0 * x * y, 2.0 * y * t]
        }
        _ => {
            let order = [
                (0, 0),
                (1, 0),
                (1, 1),
                (0, 1),
                (2, 0),
                (1, 2),
                (2, 1),
                (0, 2),
                (2, 2),
            ];
            let (u, v) = (line(x), line(y));
            let count = if kind.degree() == 1 { 4 } else { 9 };
            order[..count].iter().map(|&(i, j)| u[i] * v[j]).collect()
        }
    }
}

#[test]
fn control_points_make_the_same_face() {
    let mut numbers = Random::new(1);
    for kind in FaceKind::ALL {
        for _ in 0..50 {
            let face = Face::new(kind, &bent_nodes(&mut numbers, kind, 0.7)).unwrap();
            let control = face.control_points();
            for _ in 0..20 {
                let xi = place(&mut numbers, kind);
                let weights = polynomials(kind, xi);
                assert_eq!(weights.len(), control.as_slice().len());
                let point = face.point(xi);
                for k in 0..3 {
                    let terms = weights.iter().zip(control.as_slice());
                    let sum: f64 = terms.map(|(w, p)| w * p[k]).sum();
                    assert!((sum - point[k]).abs() < 1e-14, "{kind} {xi:?}");
                }
            }
        }
    }
}

#[test]
fn bounds_contain_what_nodes_do_not() {
    let mut numbers = Random::new(2);
    let mut beyond_nodes = [0; 7];
    for (which, kind) in FaceKind::ALL.into_iter().enumerate() {
        for round in 0..200 {
            let offset = if round % 2 == 0 { 0.0 } else { 1e9 };
            let mut nodes = bent_nodes(&mut numbers, kind, 0.5);
            for node in &mut nodes {
                node[0] += offset;
            }
            let face = Face::new(kind, &nodes).unwrap();
            let (bounds, ball) = (face.bounds(), face.ball());
            let plain = tangere::geometry::Aabb::of_points(nodes.iter().copied());
            for _ in 0..100 {
                let point = face.point(place(&mut numbers, kind));
                // Points are computed, so those of a flat side may be off by rounding.
                let slack = 1e-15 * (1.0 + offset) * 4.0;
                assert!(bounds.expanded(slack).contains(point), "{kind}");
                let mut wider = ball;
                wider.radius += 2.0 * slack;
                assert!(wider.contains_point(point), "{kind}");
                beyond_nodes[which] += usize::from(!plain.expanded(slack).contains(point));
            }
            if kind.degree() == 1 {
                assert_eq!(bounds, plain);
            }
        }
    }
    // Else the test would say nothing about control points.
    for (which, kind) in FaceKind::ALL.into_iter().enumerate() {
        assert_eq!(beyond_nodes[which] > 0, kind.degree() == 2, "{kind}");
    }
}

#[test]
fn a_parabola_has_its_top_within_its_bounds() {
    // y = 1.125 at xi = 0.5, above all nodes.
    let nodes = [[-1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let face = Face::new(FaceKind::Seg3, &nodes).unwrap();
    assert_eq!(face.point([0.5, 0.0]), [0.5, 1.125, 0.0]);
    assert_eq!(face.control_points().as_slice()[2], [0.0, 1.5, 0.0]);
    assert!(face.bounds().contains([0.5, 1.125, 0.0]));
}

#[test]
fn faces_refuse_what_they_cannot_use() {
    let error = Face::new(FaceKind::Tri6, &[[0.0; 3]; 5]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "face: found a tri6 with 5 nodes, expected 6 nodes"
    );
    let error = Face::new(FaceKind::Seg2, &[[0.0; 3], [f64::NAN; 3]]).unwrap_err();
    assert!(error.to_string().starts_with("node 1: found [NaN"));
}
