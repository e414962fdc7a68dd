//! Every pair of kinds in a place where the gap is known.

use super::{assert_close, at, only, two};
use tangere::generate;
use tangere::geometry::Pose;
use tangere::scene::Shape;
use tangere::shape::ConvexPolyhedron;

fn convex_cube(edge: f64) -> ConvexPolyhedron {
    let corners: Vec<[f64; 3]> = (0..8)
        .map(|i| [0, 1, 2].map(|k| edge * (f64::from(i >> k & 1) - 0.5)))
        .collect();
    ConvexPolyhedron::hull(&corners).unwrap()
}

/// All bounded shapes, with the height at which their surface meets the z axis. No two have the same
/// width: sides of a wall in the plane of a side of a box would touch it.
fn shapes() -> Vec<(&'static str, Shape, f64)> {
    let cube = generate::box_mesh([1.0; 3], [1; 3]).unwrap();
    vec![
        ("sphere", Shape::sphere(0.5).unwrap(), 0.5),
        ("box", Shape::cuboid([1.25, 2.0, 3.0]).unwrap(), 1.5),
        ("capsule", Shape::capsule(0.25, 1.5).unwrap(), 1.0),
        ("convex", Shape::convex(convex_cube(1.75)), 0.875),
        ("solid", Shape::solid(&cube).unwrap(), 0.5),
        ("wall", Shape::wall(&cube), 0.5),
        (
            "compound",
            Shape::compound(&[
                (Shape::sphere(0.5).unwrap(), at(0.0, 0.0, 1.0)),
                (Shape::cuboid([0.5; 3]).unwrap(), Pose::identity()),
            ])
            .unwrap(),
            1.5,
        ),
    ]
}

#[test]
fn shapes_one_above_the_other() {
    for (lower_name, lower, top) in shapes() {
        for (upper_name, upper, height) in shapes() {
            let is_mesh = |name| matches!(name, "solid" | "wall");
            // The lowest point of a compound is the bottom of its box.
            let height = if upper_name == "compound" {
                0.25
            } else {
                height
            };
            if is_mesh(lower_name) && is_mesh(upper_name) {
                continue;
            }
            for gap in [0.125, 0.0, -0.0625] {
                let pose = at(0.0, 0.0, top + height + gap);
                let scene = two(
                    0.2,
                    (lower.clone(), Pose::identity()),
                    (upper.clone(), pose),
                );
                let contact = only(&scene);
                let what = format!("{upper_name} on {lower_name}, gap {gap}");
                assert_close(contact.contact.gap, gap, 1e-14);
                assert!(
                    contact.contact.lower <= gap && gap <= contact.contact.upper,
                    "{what}"
                );
                assert_close(contact.contact.normal[2], 1.0, 1e-14);
                assert_close(contact.contact.point_a[2], top, 1e-14);
                assert_close(contact.contact.point_b[2], top + gap, 1e-14);
            }
        }
    }
}

#[test]
fn shapes_over_a_half_space() {
    let plane = || Shape::half_space([0.0, 0.0, 2.0]).unwrap();
    for (name, shape, height) in shapes() {
        if matches!(name, "solid" | "wall") {
            continue;
        }
        let height = if name == "compound" { 0.25 } else { height };
        let pose = at(7.0, -5.0, 3.0 + height - 0.125);
        let contact = only(&two(0.0, (plane(), at(1e3, 0.0, 3.0)), (shape, pose))).contact;
        assert_close(contact.gap, -0.125, 1e-12);
        assert_eq!(contact.normal, [0.0, 0.0, 1.0], "{name}");
        assert_close(contact.point_a[2], 3.0, 1e-12);
    }
}

#[test]
fn spheres_at_edges_and_corners_of_boxes() {
    let cube = generate::box_mesh([1.0; 3], [3; 3]).unwrap();
    let boxes = [
        Shape::cuboid([1.0; 3]).unwrap(),
        Shape::convex(convex_cube(1.0)),
        Shape::solid(&cube).unwrap(),
        Shape::wall(&cube),
    ];
    let half = 0.5f64;
    for shape in boxes {
        // 0.25 away from a face, an edge and a corner, along the diagonal.
        for dimensions in 1..=3 {
            let step = 0.25 / f64::from(dimensions).sqrt();
            let at = |k: i32| if k < dimensions { half + step } else { 0.1 };
            let pose = super::at(at(0), at(1), at(2));
            let scene = two(
                0.1,
                (shape.clone(), Pose::identity()),
                (Shape::sphere(0.2).unwrap(), pose),
            );
            assert_close(only(&scene).contact.gap, 0.05, 1e-14);
        }
    }
}

#[test]
fn a_sphere_in_a_corner_touches_three_faces() {
    // The inside of an open box: a wall of three plates.
    let vertices = vec![[0.0; 3], [9.0, 0.0, 0.0], [0.0, 9.0, 0.0], [0.0, 0.0, 9.0]];
    let faces = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1]];
    let mesh = tangere::shape::TriMesh::new(vertices, faces).unwrap();
    let scene = two(
        0.0,
        (Shape::wall(&mesh), Pose::identity()),
        (Shape::sphere(1.0).unwrap(), at(0.9, 0.9, 0.9)),
    );
    let gaps: Vec<f64> = scene.contacts().iter().map(|c| c.contact.gap).collect();
    assert_eq!(gaps.len(), 3);
    gaps.iter().for_each(|&gap| assert_close(gap, -0.1, 1e-14));
}

#[test]
fn depth_inside_a_solid() {
    let solid = Shape::solid(&generate::box_mesh([4.0, 4.0, 2.0], [2; 3]).unwrap()).unwrap();
    for (shape, gap) in [
        (Shape::sphere(0.25).unwrap(), -0.75),
        (Shape::cuboid([0.5; 3]).unwrap(), -0.75),
        (Shape::capsule(0.1, 0.3).unwrap(), -0.75),
    ] {
        let scene = two(
            0.0,
            (solid.clone(), Pose::identity()),
            (shape, at(0.1, 0.2, 0.5)),
        );
        let contact = only(&scene).contact;
        assert_close(contact.gap, gap, 1e-14);
        assert_close(contact.normal[2], 1.0, 1e-14);
    }
}

#[test]
fn contacts_across_a_periodic_border() {
    use tangere::pairs::Periodic;
    use tangere::scene::{Body, Scene, SceneSettings};
    let cell = Periodic::new([10.0, 10.0, 0.0]).unwrap();
    let mut scene = Scene::new(SceneSettings::default().with_periodic(cell)).unwrap();
    let floor = Shape::half_space([0.0, 0.0, 1.0]).unwrap();
    scene.add(Body::new(floor).fixed()).unwrap();
    let ball = || Body::new(Shape::sphere(0.5).unwrap());
    scene.add(ball().at(at(0.25, 5.0, 0.4))).unwrap();
    scene.add(ball().at(at(9.5, 5.0, 0.4))).unwrap();
    scene.update().unwrap();
    assert_eq!(scene.verify().unwrap(), []);
    let across = scene.contacts().iter().find(|c| c.a == 1).unwrap();
    assert_eq!((across.b, across.image), (2, [-1, 0, 0]));
    assert_close(across.contact.gap, -0.25, 1e-14);
    assert_eq!(scene.contacts().len(), 3);
    let tilted = Shape::half_space([0.1, 0.0, 1.0]).unwrap();
    scene.add(Body::new(tilted).fixed()).unwrap();
    assert!(scene.update().is_err());
    assert_eq!(scene.contacts().len(), 3);
}

/// The normal of a sphere in a concave solid is a unit vector, however little is left of the difference of
/// its centre and the nearest point.
#[test]
fn tiny_spheres_in_a_mesh_have_unit_normals() {
    let sponge = Shape::solid(&tangere::generate::sponge(1).unwrap()).unwrap();
    let corner = [4.643_408_608_990_29e-13, 3.087_071_877_547_754_6e-13];
    for height in [1.826_355_891_416_653e-15, 1e-13, 1e-9, 0.1] {
        for radius in [1e-18, 1e-15, 1e-12, 0.5] {
            let place = at(corner[0], corner[1], height);
            let ball = (Shape::sphere(radius).unwrap(), place);
            let scene = two(0.0, (sponge.clone(), at(0.0, 0.0, 0.0)), ball);
            for found in scene.contacts() {
                let normal = found.contact.normal;
                let squared: f64 = normal.iter().map(|x| x * x).sum();
                assert!((squared - 1.0).abs() < 1e-12, "{radius}: {normal:?}");
            }
            assert!(!scene.contacts().is_empty());
        }
    }
}
