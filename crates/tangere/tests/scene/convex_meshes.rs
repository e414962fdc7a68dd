//! Penetrations of meshes at any depth: a convex mesh acts as the convex body that it bounds.

use super::{assert_close, at, only, two};
use tangere::generate;
use tangere::geometry::{Pose, Similarity};
use tangere::scene::Shape;
use tangere::shape::{ConvexPolyhedron, TriMesh};
use test_support::{Random, surfaces};

/// A capsule beside the side of a box at x = 2, tilted so that its core crosses the rim of the top
/// without a normal in the normal cone there.
fn tilted(x: f64) -> (Shape, Pose) {
    let half: f64 = 0.01;
    let turned = [x, 0.0, 0.3, half.cos(), 0.0, half.sin(), 0.0];
    (
        Shape::capsule(0.2, 0.7).unwrap(),
        Pose::from_numbers(&turned).unwrap(),
    )
}

#[test]
fn a_capsule_goes_through_the_rim_of_a_box_without_a_jump() {
    let mesh = generate::box_mesh([4.0, 4.0, 1.0], [1; 3]).unwrap();
    let here = Pose::identity;
    let exact = Shape::cuboid([4.0, 4.0, 1.0]).unwrap();
    // A second box far away: the mesh is not convex, and facets decide.
    let far = surfaces::cube([50.0, 0.0, 0.0], 1.0);
    let solids = [
        Shape::solid(&mesh).unwrap(),
        Shape::solid(&surfaces::together([&mesh, &far])).unwrap(),
    ];
    for solid in solids {
        for step in 0..=40 {
            let x = 2.02 - 0.002 * f64::from(step);
            let expected = only(&two(0.0, (exact.clone(), here()), tilted(x))).contact;
            let found = only(&two(0.0, (solid.clone(), here()), tilted(x))).contact;
            assert_close(found.gap, expected.gap, 1e-12);
            assert_close(found.normal[0], 1.0, 1e-3);
        }
    }
}

/// Convex meshes with the same bodies as convex polyhedra.
fn convex_meshes(random: &mut Random) -> Vec<(TriMesh, Shape)> {
    let turn = Similarity::from(random.pose([0.3, -0.2, 0.1]));
    let flat = generate::box_mesh([4.0, 4.0, 1.0], [1; 3]).unwrap();
    let cut = generate::box_mesh([4.0, 4.0, 1.0], [7, 5, 2]).unwrap();
    let meshes = vec![
        cut.transformed(&turn).unwrap(),
        flat,
        cut,
        generate::sphere(0).unwrap(),
        generate::sphere(3).unwrap(),
        generate::hull(40, 3).unwrap(),
    ];
    let with_body = |mesh: TriMesh| {
        let hull = ConvexPolyhedron::hull(mesh.vertices()).unwrap();
        (mesh, Shape::convex(hull))
    };
    meshes.into_iter().map(with_body).collect()
}

fn campaign(cases: usize, seed: u64) {
    let mut random = Random::new(seed);
    let points = generate::hull(30, 5).unwrap();
    let points: Vec<[f64; 3]> = points
        .vertices()
        .iter()
        .map(|v| v.map(|x| 0.4 * x))
        .collect();
    let bodies = [
        Shape::sphere(0.3).unwrap(),
        Shape::capsule(0.2, 0.7).unwrap(),
        Shape::cuboid([0.8, 0.6, 0.5]).unwrap(),
        Shape::convex(ConvexPolyhedron::hull(&points).unwrap()),
    ];
    let meshes = convex_meshes(&mut random);
    let (mut penetrating, mut deep) = (0, 0);
    for (mesh, exact) in &meshes {
        let solid = Shape::solid(mesh).unwrap();
        let bounds = exact.bounds(&Pose::identity());
        for case in 0..cases {
            let body = &bodies[case % bodies.len()];
            let place =
                std::array::from_fn(|k| random.between(bounds.min[k] - 0.3, bounds.max[k] + 0.3));
            let pose = random.pose(place);
            let here = Pose::identity();
            let expected = two(0.0, (exact.clone(), here), (body.clone(), pose));
            let found = two(0.0, (solid.clone(), here), (body.clone(), pose));
            let Some(contact) = expected.contacts().first().map(|c| c.contact) else {
                assert_eq!(found.contacts(), []);
                continue;
            };
            penetrating += 1;
            deep += usize::from(contact.gap < -0.34);
            let gaps = found.contacts().iter().map(|c| c.contact.gap);
            let deepest = gaps.fold(f64::INFINITY, f64::min);
            assert!(
                (deepest - contact.gap).abs() < 1e-9,
                "case {case}: {contact:#?}, expected by {:#?}",
                found.contacts()
            );
            let core_radius = [0.3, 0.2, 0.0, 0.0][case % bodies.len()];
            if contact.gap + core_radius < -1e-9 {
                only(&found);
            }
        }
    }
    assert!(penetrating > meshes.len() * cases / 4 && deep > cases / 4);
}

#[test]
fn convex_meshes_are_penetrated_as_convex_bodies() {
    campaign(160, 1);
}

#[test]
#[ignore = "some minutes: cargo xtask test --long"]
fn convex_meshes_in_many_cases() {
    campaign(10_000, 2);
}

/// The centre of a box deep in a plate that is cut finely leaves it by the nearer side.
#[test]
fn a_box_wholly_inside_leaves_by_its_shortest_way() {
    let mesh = generate::box_mesh([4.0, 4.0, 2.0], [8; 3]).unwrap();
    // Long along z: the top is farther than the side, though nearer to the centre.
    let body = Shape::cuboid([0.2, 0.2, 1.6]).unwrap();
    let scene = two(
        0.0,
        (Shape::solid(&mesh).unwrap(), Pose::identity()),
        (body, at(1.0, 0.0, 0.1)),
    );
    let contact = only(&scene).contact;
    assert_close(contact.gap, -1.1, 1e-12);
    assert_close(contact.normal[0], 1.0, 1e-12);
}
