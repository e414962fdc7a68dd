//! Folds of finite element faces agree with dense samples of the Jacobian.

use super::bent_nodes;
use tangere::generate::{face_circle, face_sphere};
use tangere::shape::face::Face;
use tangere::shape::{FaceKind, FaceMesh};
use test_support::Random;

/// `J` at a place, by the definition.
fn jacobian(face: &Face, mean: [f64; 3], xi: [f64; 2]) -> f64 {
    let n = face.area_normal(xi);
    (0..3).map(|k| n[k] * mean[k]).sum()
}

/// The mean cross product of tangents, by dense sampling.
fn mean(face: &Face) -> [f64; 3] {
    const N: usize = 32;
    let mut sum = [0.0; 3];
    let kind = face.kind();
    for i in 0..N {
        for j in 0..N {
            let [x, y] = [i, j].map(|i| (2 * i + 1) as f64 / N as f64 - 1.0);
            let (xi, weight) = match kind.corners() {
                2 => ([x, 0.0], 1.0),
                3 => {
                    let (u, v) = (0.5 * (1.0 + x), 0.5 * (1.0 + y));
                    ([u, (1.0 - u) * v], 1.0 - u)
                }
                _ => ([x, y], 1.0),
            };
            let n = face.area_normal(xi);
            for k in 0..3 {
                sum[k] += weight * n[k];
            }
        }
    }
    let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt();
    sum.map(|x| x / length)
}

#[test]
fn folds_agree_with_dense_sampling() {
    let mut numbers = Random::new(3);
    for kind in FaceKind::ALL {
        let (mut folded, mut proper) = (0, 0);
        for round in 0..150 {
            let bend = [0.1, 0.3, 1.3][round % 3];
            let face = Face::new(kind, &bent_nodes(&mut numbers, kind, bend)).unwrap();
            let mean = mean(&face);
            let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
            for i in 0..=40 {
                for j in 0..=40 {
                    let [x, y] = [i, j].map(|i| f64::from(i) / 20.0 - 1.0);
                    let xi = match kind.corners() {
                        2 => [x, 0.0],
                        3 => [0.5 * (1.0 + x), 0.25 * (1.0 - x) * (1.0 + y)],
                        _ => [x, y],
                    };
                    let here = jacobian(&face, mean, xi);
                    (least, most) = (least.min(here), most.max(here.abs()));
                }
            }
            match face.fold() {
                Some(fold) => {
                    folded += 1;
                    assert!(kind.contains(fold.xi), "{kind} {fold:?}");
                    assert!(
                        jacobian(&face, mean, fold.xi) < 0.02 * most,
                        "{kind} {fold:?}"
                    );
                }
                None => {
                    proper += 1;
                    assert!(least > -0.02 * most, "{kind} {least}");
                }
            }
        }
        assert!(proper > 30, "{kind}: {proper}");
        assert_eq!(
            folded > 3,
            !matches!(kind, FaceKind::Seg2 | FaceKind::Tri3),
            "{kind}"
        );
    }
}

#[test]
fn faces_of_spheres_are_in_order_and_named_when_they_are_not() {
    for kind in [
        FaceKind::Tri3,
        FaceKind::Tri6,
        FaceKind::Quad4,
        FaceKind::Quad8,
        FaceKind::Quad9,
    ] {
        let mesh = face_sphere(kind, 1).unwrap();
        assert!(mesh.folded().is_empty(), "{kind}");
        assert_eq!(mesh.check_folds(), Ok(()));
        // Two corners swapped make a quadrilateral cross itself; a node on an edge
        // that is pushed beyond the corner folds what has one.
        if kind == FaceKind::Tri3 {
            continue;
        }
        let (mut nodes, kinds, mut indices) = mesh.into_parts();
        let at = 5 * kind.nodes();
        if kind.degree() == 1 {
            indices.swap(at, at + 1);
        } else {
            let [corner, next, between] = [0, 1, kind.corners()].map(|k| indices[at + k] as usize);
            let (a, b) = (nodes[corner], nodes[next]);
            nodes[between] = std::array::from_fn(|k| a[k] - 0.2 * (b[k] - a[k]));
        }
        let mesh = FaceMesh::new(nodes, kinds, indices).unwrap();
        assert!(mesh.folded().contains(&5), "{kind}");
        let error = mesh.check_folds().unwrap_err().to_string();
        assert!(
            error.starts_with("face ") && error.contains("a folded"),
            "{error}"
        );
    }
    assert!(face_circle(FaceKind::Seg3, 5).unwrap().folded().is_empty());
}

#[test]
fn vanishing_jacobians_are_folds() {
    // The node in the middle at a quarter: the derivative vanishes at the end.
    let quarter = [[0.0; 3], [1.0, 0.0, 0.0], [0.25, 0.0, 0.0]];
    assert!(
        Face::new(FaceKind::Seg3, &quarter)
            .unwrap()
            .fold()
            .is_some()
    );
    let flat = [[0.0; 3], [1.0, 1.0, 1.0], [3.0, 3.0, 3.0]];
    assert!(Face::new(FaceKind::Tri3, &flat).unwrap().fold().is_some());
    // A quadrilateral whose corner lies on the line between its neighbours.
    let triangle = [[0.0; 3], [2.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 2.0, 0.0]];
    let fold = Face::new(FaceKind::Quad4, &triangle).unwrap().fold();
    assert_eq!(fold.map(|fold| fold.xi), Some([1.0, 1.0]));
    // A needle is thin, not folded, at any size.
    for size in [1e-80, 1.0, 1e50] {
        let needle = [[0.0; 3], [size, 0.0, 0.0], [0.5 * size, 1e-9 * size, 0.0]];
        assert_eq!(Face::new(FaceKind::Tri3, &needle).unwrap().fold(), None);
        let square = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
        ];
        let square = square.map(|p: [f64; 3]| p.map(|x| x * size));
        assert_eq!(Face::new(FaceKind::Quad4, &square).unwrap().fold(), None);
    }
    let bow = [[0.0; 3], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    assert!(Face::new(FaceKind::Quad4, &bow).unwrap().fold().is_some());
}

/// Nodes on an oblique line are rounded, so cross products of tangents are arbitrary; for any order
/// of the nodes, such a face is folded and has no area. A face just thick enough to be resolved is
/// neither.
#[test]
fn faces_on_a_line_are_folded() {
    let (mut on_a_line, mut thin) = (0, 0);
    for kind in FaceKind::ALL
        .into_iter()
        .filter(|kind| kind.dimension() == 2)
    {
        for i in 0..400 {
            let t = f64::from(i);
            let along = [0.7, 1.1, 1.3].map(|f: f64| (f * t + f).sin());
            let across = [2.3, 0.9, 1.7].map(|f: f64| (f * t + 2.0).cos());
            for width in [0.0, 1e-9] {
                let node = |xi: &[f64; 2]| -> [f64; 3] {
                    let place = (xi[0] + 0.3 * xi[1]) / 3.0;
                    std::array::from_fn(|k| place * along[k] + width * xi[1] * across[k])
                };
                let nodes: Vec<[f64; 3]> = kind.node_coordinates().iter().map(node).collect();
                let face = Face::new(kind, &nodes).unwrap();
                if width == 0.0 {
                    assert!(face.fold().is_some() && !face.has_area(), "{kind} {i}");
                    on_a_line += 1;
                } else {
                    assert!(face.fold().is_none() && face.has_area(), "{kind} {i}");
                    thin += 1;
                }
            }
        }
    }
    assert_eq!((on_a_line, thin), (2000, 2000));
    // Along an axis nothing is rounded, so the thinnest face is whole.
    let thin = [[0.0; 3], [1.0, 0.0, 0.0], [0.5, 1e-60, 0.0]];
    let face = Face::new(FaceKind::Tri3, &thin).unwrap();
    assert!(face.fold().is_none() && face.has_area());
}
