//! SQP with BFGS updates as published, against the proven nearest point.

use super::faces::{bent, point_about};
use tangere::closest::{BfgsSqp, FaceStatus, FaceSurface, Method, PreparedFace, ProjectionStatus};
use tangere::generate;
use tangere::shape::{Face, FaceKind};
use test_support::Random;

const CLOSE: f64 = 1e-9;

/// On flat faces the only minimum is found; on bent ones a local minimum, as a rule the nearest.
#[test]
fn distances_are_those_of_the_oracle() {
    let mut random = Random::new(8);
    let sqp = BfgsSqp::default();
    for kind in FaceKind::ALL {
        for bend in [0.0, 0.2] {
            let (mut local, count) = (0, 400);
            for _ in 0..count {
                let face = bent(kind, bend, &mut random);
                let y = point_about(&face, 2.0, &mut random);
                let oracle = PreparedFace::new(&face).nearest(y).unwrap();
                let found = sqp.nearest(&face, y).unwrap();
                assert!(
                    kind.contains(found.xi) && found.iterations < 60,
                    "{found:?}"
                );
                assert_eq!(found.status, FaceStatus::Bracketed);
                assert!(found.distance >= oracle.lower - CLOSE, "{kind} {y:?}");
                // A local minimum: the KKT conditions hold.
                assert!(found.residual < 1e-6, "{kind} {found:?}");
                local += usize::from(found.distance > oracle.distance + CLOSE);
            }
            let most = if bend == 0.0 || kind == FaceKind::Tri3 {
                0
            } else {
                count / 10
            };
            assert!(local <= most, "{kind} {bend}: {local}");
        }
    }
}

/// Faces and points of any size give the same reference coordinates and iterations.
#[test]
fn the_unit_of_length_does_not_matter() {
    let mut random = Random::new(9);
    let sqp = BfgsSqp::default();
    for kind in FaceKind::ALL {
        let face = bent(kind, 0.1, &mut random);
        let y = point_about(&face, 1.0, &mut random);
        let found = sqp.nearest(&face, y).unwrap();
        for scale in [2f64.powi(-40), 2f64.powi(60)] {
            let nodes: Vec<[f64; 3]> = face.nodes().iter().map(|p| p.map(|x| x * scale)).collect();
            let other = Face::new(kind, &nodes).unwrap();
            let scaled = sqp.nearest(&other, y.map(|x| x * scale)).unwrap();
            assert_eq!((scaled.xi, scaled.iterations), (found.xi, found.iterations));
            assert_eq!(scaled.distance, found.distance * scale);
        }
    }
}

#[test]
fn a_point_face_and_bad_accuracies() {
    let face = Face::new(FaceKind::Tri3, &[[1.0; 3]; 3]).unwrap();
    let found = BfgsSqp::default().nearest(&face, [1.0, 1.0, 3.0]).unwrap();
    assert_eq!((found.distance, found.iterations), (2.0, 1));
    assert!(BfgsSqp::default().nearest(&face, [f64::NAN; 3]).is_err());
    for bad in [0.0, -1.0, 0.2, f64::NAN] {
        let message = BfgsSqp::new(bad).unwrap_err().to_string();
        assert!(message.starts_with("accuracy: found"), "{message}");
    }
    assert_eq!(Method::FACES.map(Method::name), ["auto", "bfgs-sqp"]);
}

/// Of a whole surface the nearest local minimum of all faces is that of the tree search.
#[test]
fn surfaces() {
    let mut random = Random::new(10);
    for kind in [FaceKind::Tri3, FaceKind::Quad4, FaceKind::Tri6] {
        let surface = FaceSurface::new(&generate::face_sphere(kind, 2).unwrap());
        let points: Vec<[f64; 3]> = (0..60)
            .map(|_| [0; 3].map(|_| 2.0 * random.signed()))
            .collect();
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        let sqp = BfgsSqp::default();
        surface
            .project_published(&points, &sqp, &mut found)
            .unwrap();
        surface.project_all(&points, &mut expected).unwrap();
        for (found, expected) in found.iter().zip(&expected) {
            let close = CLOSE * (1.0 + expected.distance);
            assert!(
                (found.distance - expected.distance).abs() <= close,
                "{kind}"
            );
            assert!(found.lower <= expected.distance + close);
            assert!((found.gap - expected.gap).abs() <= close);
            assert_eq!(found.status, ProjectionStatus::Bracketed);
        }
    }
}
