//! Flat finite element faces with straight sides against triangles: both touch at the same time.

use super::shapes::{KINDS, at_rest, body, first, moving, nodes, sheet, single, triangulated};
use tangere::contact::FeatureKind;
use tangere::impact::{Body, BodyShape, Certificate, RigidMotion};
use tangere::shape::{FaceKind, FaceMesh, TriMesh};
use test_support::Random;

/// The corners of a face as one or two triangles.
fn triangles(mesh: &FaceMesh) -> TriMesh {
    triangulated(mesh, 1)
}

#[test]
fn flat_faces_equal_triangles() {
    let mut random = Random::new(21);
    let mut touched = [0; 3];
    for round in 0..400 {
        let kinds = [0, 1].map(|_| KINDS[random.below(5)]);
        let meshes = kinds.map(|kind| {
            // Any affine image, and nodes between corners anywhere near the middle.
            let (o, u, v) = (random.vector(0.2), random.vector(1.0), random.vector(1.0));
            single(
                kind,
                nodes(kind, |[x, y]| {
                    std::array::from_fn(|k| o[k] + x * u[k] + y * v[k])
                }),
            )
        });
        let turns = round % 2 == 0;
        let falls = round % 3 == 0;
        let motions = [0, 1].map(|i| {
            let far = if i == 0 { -2.5 } else { 2.5 };
            let off = random.vector(0.5);
            let drift = random.vector(0.3);
            let velocity = [drift[0], drift[1], -0.8 * far];
            let spin = if turns { random.vector(1.5) } else { [0.0; 3] };
            let pull = if falls { random.vector(0.4) } else { [0.0; 3] };
            let pose = random.pose([off[0], off[1], far]);
            RigidMotion::new(pose, velocity, spin, pull).unwrap()
        });
        let curved = first((0..2).map(|i| body(&meshes[i], motions[i])).collect(), 4.0);
        let plain = (0..2).map(|i| {
            let shape = BodyShape::of_mesh(triangles(&meshes[i])).unwrap();
            Body::new(shape, motions[i])
        });
        let plain = first(plain.collect(), 4.0);
        let what = format!("{round}: {} {}", kinds[0], kinds[1]);
        match (&curved, &plain) {
            (None, None) => touched[0] += 1,
            (Some(c), Some(p)) => {
                // The slower the gap closes, the earlier is the lower bound.
                let room = (c.late - c.early).max(p.late - p.early).max(1e-12);
                assert!((c.early - p.early).abs() < room, "{what} {c:?} {p:?}");
                assert_eq!(c.certificate, Certificate::Bracket, "{what} {c:?}");
                let (c, p) = (c.contacts[0], p.contacts[0]);
                let cos: f64 = (0..3).map(|k| c.normal[k] * p.normal[k]).sum();
                assert!(cos > 1.0 - 1e-9, "{what} {c:?} {p:?}");
                for k in 0..3 {
                    assert!(
                        (c.point_a[k] - p.point_a[k]).abs() < 1e-9,
                        "{what} {c:?} {p:?}"
                    );
                }
                // The diagonal of a quadrilateral is no edge.
                let is_whole = kinds.iter().all(|k| k.corners() == 3);
                if is_whole {
                    assert_eq!(c.feature_a.kind, p.feature_a.kind, "{what} {c:?} {p:?}");
                    assert_eq!(c.feature_b.kind, p.feature_b.kind, "{what}");
                }
                let edges = [c.feature_a, c.feature_b]
                    .iter()
                    .all(|f| f.kind == FeatureKind::Edge);
                touched[1 + usize::from(edges)] += 1;
            }
            _ => panic!("{what} {curved:?} {plain:?}"),
        }
    }
    assert!(touched.iter().all(|&n| n > 20), "{touched:?}");
}

/// Plates that fall flat on each other touch with all their faces at once.
#[test]
fn plates_on_plates() {
    for kind in KINDS {
        for tilt in [0.0, 0.3] {
            let turn = |[x, y, z]: [f64; 3]| {
                let (s, c) = f64::sin_cos(tilt);
                [c * x - s * z, y, s * x + c * z]
            };
            let below = sheet(kind, 4, |[x, y]| turn([2.0 * x, 2.0 * y, 0.0]));
            let above = sheet(kind, 3, |[x, y]| turn([x + 0.1, y - 0.05, 0.0]));
            let up = turn([0.0, 0.0, 1.0]);
            let start = moving(up.map(|x| 2.0 * x), up.map(|x| -x), [0.0; 3]);
            let impact = first(vec![body(&below, at_rest()), body(&above, start)], 5.0).unwrap();
            assert!(
                impact.early <= 2.0 && impact.early > 2.0 - 1e-12,
                "{kind} {impact:?}"
            );
            let cos: f64 = (0..3).map(|k| impact.contacts[0].normal[k] * up[k]).sum();
            assert!(cos > 1.0 - 1e-9, "{kind} {impact:?}");
        }
    }
}

/// The feature of a contact is that of the mesh: a vertex, an edge or the face.
#[test]
fn features_are_those_of_the_mesh() {
    let mesh = sheet(FaceKind::Quad8, 2, |[x, y]| [x, y, 0.0]);
    let topology = mesh.topology();
    for (at, kind) in [
        ([0.0, 0.0], FeatureKind::Vertex),
        ([0.0, 0.4], FeatureKind::Edge),
        ([0.3, 0.4], FeatureKind::Face),
        ([1.0, 1.0], FeatureKind::Vertex),
    ] {
        let falling = moving([at[0], at[1], 2.0], [0.0, 0.0, -1.0], [0.0; 3]);
        let ball = Body::ball(0.25, falling).unwrap();
        let impact = first(vec![body(&mesh, at_rest()), ball], 5.0).unwrap();
        assert!((impact.early - 1.75).abs() < 1e-12, "{impact:?}");
        let contact = impact.contacts[0];
        assert_eq!(contact.feature_a.kind, kind, "{impact:?}");
        let index = contact.feature_a.index as usize;
        let p = |node: u32| mesh.nodes()[node as usize];
        match kind {
            FeatureKind::Vertex => assert_eq!(p(index as u32), [at[0], at[1], 0.0]),
            FeatureKind::Edge => {
                let ends = topology.edge(index).corners.map(p);
                assert!(ends.iter().all(|e| e[0] == at[0]), "{impact:?}");
            }
            FeatureKind::Face => {
                let on = mesh.face(index).point(contact.xi_a);
                assert!((on[0] - at[0]).abs() < 1e-9 && (on[1] - at[1]).abs() < 1e-9);
            }
        }
    }
}
