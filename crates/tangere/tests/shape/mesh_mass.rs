//! Mass properties of triangle meshes against closed forms.

use tangere::generate;
use tangere::geometry::{Pose, Similarity};
use tangere::shape::{ConvexPolyhedron, TriMesh};
use test_support::surfaces::{cube, inverted, together};

fn moved(mesh: &TriMesh, scale: f64, by: [f64; 3]) -> TriMesh {
    let pose = Pose::from_translation(by).expect("a pose");
    let motion = Similarity::new(scale, pose).expect("a motion");
    mesh.transformed(&motion).expect("a moved surface")
}

fn assert_near(found: f64, expected: f64, error: f64) {
    assert!(
        (found - expected).abs() <= error,
        "{found}, expected {expected}"
    );
}

#[test]
fn boxes_have_their_closed_form_wherever_they_are() {
    let [x, y, z] = [1.0, 2.0, 3.0];
    for (by, error) in [(0.0, 1e-14), (1e6, 1e-9)] {
        let block = moved(
            &generate::box_mesh([x, y, z], [3, 2, 4]).unwrap(),
            1.0,
            [by; 3],
        );
        let middle = block.bounds().center();
        for mesh in [inverted(&block), block] {
            let mass = mesh.mass_properties().unwrap();
            assert_near(mass.volume, 6.0, 6.0 * error);
            for (k, at) in middle.into_iter().enumerate() {
                assert_near(mass.centroid[k], at, 2.0 * f64::EPSILON * at.abs().max(1.0));
            }
            let squares = [y * y + z * z, x * x + z * z, x * x + y * y];
            for i in 0..3 {
                for j in 0..3 {
                    let expected = if i == j { 6.0 * squares[i] / 12.0 } else { 0.0 };
                    assert_near(mass.inertia[i][j], expected, 10.0 * error);
                }
            }
        }
    }
}

#[test]
fn spheres_have_the_limit_of_a_ball() {
    use std::f64::consts::PI;
    let mut errors = Vec::new();
    for level in [3, 4, 5] {
        let mass = generate::sphere(level).unwrap().mass_properties().unwrap();
        let expected = 8.0 * PI / 15.0;
        errors.push(1.0 - mass.inertia[0][0] / expected);
        assert!(mass.centroid.iter().all(|x| x.abs() < 1e-14));
    }
    // The error of an inscribed polyhedron is of second order in the size of its triangles.
    assert!(errors[2] > 0.0 && errors[2] < 0.01, "{errors:?}");
    assert_near(errors[0] / errors[1], 4.0, 0.2);
    assert_near(errors[1] / errors[2], 4.0, 0.1);
}

#[test]
fn convex_meshes_agree_with_convex_polyhedra() {
    let mesh = moved(&generate::hull(200, 3).unwrap(), 2.0, [3.0, -1.0, 0.5]);
    let found = mesh.mass_properties().unwrap();
    let expected = ConvexPolyhedron::from_mesh(&mesh)
        .unwrap()
        .mass_properties();
    assert_near(found.volume, expected.volume, 1e-13 * expected.volume);
    for i in 0..3 {
        assert_near(found.centroid[i], expected.centroid[i], 1e-13);
        for j in 0..3 {
            assert_near(found.inertia[i][j], expected.inertia[i][j], 1e-11);
        }
    }
}

#[test]
fn cavities_do_not_count_and_overlaps_count_twice() {
    let hollow = together([cube([0.0; 3], 3.0), inverted(&cube([0.0; 3], 1.0))]);
    let mass = hollow.mass_properties().unwrap();
    assert_near(mass.volume, 26.0, 1e-13);
    assert_near(mass.inertia[1][1], (243.0 - 1.0) / 6.0, 1e-12);
    let twice = together([cube([0.0; 3], 1.0), cube([0.0; 3], 1.0)]);
    assert_near(twice.mass_properties().unwrap().volume, 2.0, 1e-14);
}

#[test]
fn without_a_volume_there_is_nothing() {
    let (vertices, faces) = generate::sphere(1).unwrap().into_parts();
    let open = TriMesh::new(vertices, faces[1..].to_vec()).unwrap();
    assert_eq!(open.mass_properties(), None);
    let unit = cube([0.0; 3], 1.0);
    assert_eq!(together([&unit, &inverted(&unit)]).mass_properties(), None);
}

#[test]
fn sizes_do_not_matter() {
    for scale in [1e-80, 1e50] {
        let mass = moved(&cube([0.0; 3], 1.0), scale, [0.0; 3])
            .mass_properties()
            .unwrap();
        assert!(mass.centroid.iter().all(|x| x.abs() < 1e-15 * scale));
        assert_near(mass.volume / scale / scale / scale, 1.0, 1e-14);
    }
}
