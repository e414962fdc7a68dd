//! A flat mesh acts as a plane, however it is cut into triangles.

use super::{assert_close, at, only, two};
use tangere::generate;
use tangere::geometry::{Pose, Similarity};
use tangere::scene::Shape;
use tangere::shape::{ConvexPolyhedron, TriMesh};
use test_support::Random;

/// The bound that docs/scenes.md states for the normal of a flat mesh, relative to that of its plane.
const NORMAL: f64 = 1e-8;

/// A square from -1 to 1 as a fan of slivers from its corner, with duplicated triangles and points.
fn slivers(count: usize) -> TriMesh {
    let mut vertices = Vec::new();
    let mut faces = Vec::new();
    for i in 0..count {
        let x = |i: usize| -1.0 + 2.0 * i as f64 / count as f64;
        let first = vertices.len() as u32;
        vertices.extend([[x(i), -1.0, 0.0], [x(i + 1), -1.0, 0.0], [-1.0, 1.0, 0.0]]);
        vertices.extend([[1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]]);
        faces.push([first, first + 1, first + 2]);
        faces.push([first + 3, first + 4, first + 5]);
    }
    TriMesh::new(vertices, faces).unwrap()
}

#[test]
fn spheres_roll_over_slivers_as_over_a_plane() {
    let mut random = Random::new(1);
    let mesh = slivers(100);
    for turn in [Pose::identity(), random.pose([3.0, -2.0, 5.0])] {
        let moved = mesh.transformed(&Similarity::from(turn)).unwrap();
        let up = turn.rotate([0.0, 0.0, 1.0]);
        for shape in [Shape::wall(&moved), Shape::wall(&mesh)] {
            let is_moved =
                shape.bounds(&Pose::identity()) == Shape::wall(&moved).bounds(&Pose::identity());
            let pose = if is_moved { Pose::identity() } else { turn };
            for step in 0..300 {
                let x = -0.9 + 1.8 * f64::from(step) / 300.0;
                let center = turn.apply([x, 0.3 * x, 0.45]);
                let ball = (
                    Shape::sphere(0.5).unwrap(),
                    Pose::from_translation(center).unwrap(),
                );
                let contact = only(&two(0.0, (shape.clone(), pose), ball)).contact;
                assert_close(contact.gap, -0.05, 1e-9);
                for k in 0..3 {
                    assert_close(contact.normal[k], up[k], NORMAL);
                }
            }
        }
    }
}

#[test]
fn boxes_and_capsules_lie_on_slivers() {
    let wall = Shape::wall(&slivers(40));
    for (shape, height) in [
        (Shape::cuboid([0.5, 0.5, 0.5]).unwrap(), 0.25),
        (Shape::capsule(0.2, 0.0625).unwrap(), 0.23125),
    ] {
        for gap in [0.01, -0.01] {
            let pose = at(0.1, 0.2, height + gap);
            let scene = two(
                0.02,
                (wall.clone(), Pose::identity()),
                (shape.clone(), pose),
            );
            assert_close(only(&scene).contact.gap, gap, 1e-12);
        }
    }
}

/// A box that overhangs the rim of a solid by more than it penetrates touches the top alone.
#[test]
fn an_overhanging_box_has_one_contact() {
    for divisions in [1, 4, 9] {
        let block = generate::box_mesh([4.0, 4.0, 2.0], [divisions; 3]).unwrap();
        let solid = Shape::solid(&block).unwrap();
        for overhang in [0.1, 0.3, 0.45] {
            let cuboid = Shape::cuboid([1.0; 3]).unwrap();
            let place = at(1.5 + overhang, 0.13, 1.49);
            let scene = two(0.0, (solid.clone(), at(0.0, 0.0, 0.0)), (cuboid, place));
            let contact = only(&scene).contact;
            assert!((contact.gap + 0.01).abs() < 1e-12, "{contact:?}");
            assert_eq!(contact.normal, [0.0, 0.0, 1.0]);
        }
    }
}

/// A tetrahedron whose tip is in the floor and the wall of a concave corner touches both.
#[test]
fn a_tip_in_a_concave_corner_has_two_contacts() {
    let outline = [
        [-1.0, -1.0],
        [3.0, -1.0],
        [3.0, 0.0],
        [0.0, 0.0],
        [0.0, 3.0],
        [-1.0, 3.0],
    ];
    let mut vertices: Vec<[f64; 3]> = Vec::new();
    for y in [-2.0, 2.0] {
        vertices.extend(outline.iter().map(|[x, z]| [*x, y, *z]));
    }
    let mut faces: Vec<[u32; 3]> = Vec::new();
    for k in 0..6u32 {
        let next = (k + 1) % 6;
        faces.extend([[k, k + 6, next], [next, k + 6, next + 6]]);
    }
    // Both caps as fans from the inner corner, number 3, which sees all others.
    for [p, q] in [[4, 5], [5, 0], [0, 1], [1, 2]] {
        faces.push([3, p, q]);
        faces.push([9, q + 6, p + 6]);
    }
    let mesh = TriMesh::new(vertices, faces).unwrap();
    let solid = Shape::solid(&mesh).or_else(|_| {
        let turned = mesh.faces().iter().map(|&[a, b, c]| [a, c, b]).collect();
        Shape::solid(&TriMesh::new(mesh.vertices().to_vec(), turned).unwrap())
    });
    let solid = solid.unwrap();
    let tip = [
        [-0.5, 0.0, -0.5],
        [0.5, 0.5, 0.2],
        [0.5, -0.5, 0.2],
        [0.2, 0.0, 0.5],
    ];
    for depth in [0.01, 0.2] {
        let tetrahedron = Shape::convex(ConvexPolyhedron::hull(&tip).unwrap());
        let place = at(0.5 - depth, 0.1, 0.5 - depth);
        let scene = two(
            0.05,
            (solid.clone(), at(0.0, 0.0, 0.0)),
            (tetrahedron, place),
        );
        let normals: Vec<[f64; 3]> = scene.contacts().iter().map(|c| c.contact.normal).collect();
        for normal in [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]] {
            let found = scene.contacts().iter().find(|c| c.contact.normal == normal);
            let gap = found
                .unwrap_or_else(|| panic!("{depth}: {normals:?}"))
                .contact
                .gap;
            assert_close(gap, -depth, 1e-12);
        }
    }
}

/// Boxes that penetrate the edges and corners of a cube have contacts however it is cut, and the
/// shallowest translation is at least the penetration depth of the exact cube.
#[test]
fn boxes_over_edges_of_a_mesh_have_contacts() {
    let mut random = Random::new(12);
    let cube = Shape::cuboid([2.0; 3]).unwrap();
    for divisions in [1, 2, 4, 8] {
        let mesh = generate::box_mesh([2.0; 3], [divisions; 3]).unwrap();
        let solid = Shape::solid(&mesh).unwrap();
        let mut tried = 0;
        while tried < 60 {
            let place = random.point().map(|x| 3.2 * (x - 0.5));
            let pose = random.pose(place);
            let body = Shape::cuboid([0.8, 0.6, 0.5]).unwrap();
            let exact = two(0.0, (cube.clone(), at(0.0, 0.0, 0.0)), (body.clone(), pose));
            let Some(depth) = exact.contacts().first().map(|c| 0.0 - c.contact.gap) else {
                continue;
            };
            if !(1e-3..0.2).contains(&depth) {
                continue;
            }
            tried += 1;
            let scene = two(0.0, (solid.clone(), at(0.0, 0.0, 0.0)), (body, pose));
            let gaps = scene.contacts().iter().map(|c| c.contact.gap);
            let shallowest = gaps.fold(f64::NEG_INFINITY, f64::max);
            assert!(
                shallowest.is_finite() && 0.0 - shallowest <= 3.0 * depth,
                "{divisions}: {pose:?}, {depth}, {shallowest}"
            );
        }
    }
}
