//! Exact penetration volume of meshes against closed forms, and against the bounds of packings.

use tangere::geometry::{Pose, Similarity};
use tangere::overlap::pack::{PackSettings, pack_mesh};
use tangere::overlap::{OverlapQuery, OverlapSettings};
use tangere::shape::{Solid, TriMesh};
use tangere::{Error, generate, overlap};
use test_support::Random;

fn moved(by: [f64; 3]) -> Pose {
    Pose::from_translation(by).expect("a translation")
}

/// A random pose with translations up to `reach`.
fn pose(random: &mut Random, reach: f64) -> Pose {
    let at = random.vector(reach);
    random.pose(at)
}

fn exact_volume(a: &TriMesh, pose_a: &Pose, b: &TriMesh, pose_b: &Pose) -> f64 {
    let [a, b] = [a, b].map(|mesh| Solid::new(mesh).expect("a solid"));
    overlap::exact_volume(&a, pose_a, &b, pose_b).expect("a volume")
}

#[test]
fn cubes_share_a_box() {
    let cube = generate::sponge(0).unwrap();
    let mut random = Random::new(1);
    for _ in 0..50 {
        let t = random.vector(1.2);
        let expected: f64 = t.iter().map(|x: &f64| (1.0 - x.abs()).max(0.0)).product();
        let found = exact_volume(&cube, &Pose::identity(), &cube, &moved(t));
        assert!(
            (found - expected).abs() < 1e-14,
            "{t:?}: {found} {expected}"
        );
        // Turned and moved together, they share as much.
        let world = pose(&mut random, 3.0);
        let found = exact_volume(&cube, &world, &cube, &world.compose(&moved(t)));
        assert!(
            (found - expected).abs() < 1e-13,
            "{t:?}: {found} {expected}"
        );
    }
}

#[test]
fn coincident_nested_and_touching_bodies() {
    let cube = generate::sponge(0).unwrap();
    let ninth = Similarity::new(1.0 / 9.0, Pose::identity()).unwrap();
    let sponge = generate::sponge(2).unwrap().transformed(&ninth).unwrap();
    let here = Pose::identity();
    let volume = |a: &TriMesh, b: &TriMesh, at: [f64; 3]| exact_volume(a, &here, b, &moved(at));
    let own = sponge.report().volume.unwrap();
    assert!((volume(&sponge, &sponge, [0.0; 3]) - own).abs() < 1e-14);
    let nested = volume(&sponge, &cube, [0.0; 3]);
    assert!((nested - own).abs() < 1e-14, "{nested} {own}");
    let shifted = volume(&sponge, &cube, [0.5, 0.0, 0.0]);
    assert!((shifted - own / 2.0).abs() < 1e-14);
    assert!(volume(&cube, &cube, [1.0, 0.0, 0.0]) < 1e-15);
    assert_eq!(volume(&cube, &cube, [1.5, 0.0, 0.0]), 0.0);
    assert_eq!(volume(&cube, &cube, [1e9, 0.0, 0.0]), 0.0);
}

/// A box from `low` to `high`.
fn cuboid(low: [f64; 3], high: [f64; 3]) -> TriMesh {
    let cube = generate::sponge(0).expect("a cube");
    let corner = |v: &[f64; 3]| std::array::from_fn(|k| if v[k] > 0.5 { high[k] } else { low[k] });
    let corners = cube.vertices().iter().map(corner).collect();
    TriMesh::new(corners, cube.faces().to_vec()).expect("a box")
}

#[test]
fn sizes_may_differ_by_any_factor() {
    let here = Pose::identity();
    let mut random = Random::new(4);
    for size in [1e2, 1e4, 1e6, 1e9] {
        let large = cuboid([-size; 3], [size; 3]);
        for edge in [1e-3, 1.0] {
            let small = cuboid([0.0; 3], [edge; 3]);
            let expected = edge * edge * edge;
            for found in [
                exact_volume(&large, &here, &small, &here),
                exact_volume(&small, &here, &large, &here),
            ] {
                assert!(
                    (found / expected - 1.0).abs() < 1e-12,
                    "{size} {edge}: {found}"
                );
            }
        }
        // The unit cube about the origin, half of it below the top of a slab.
        let slab = cuboid([-size; 3], [size, size, 0.0]);
        let cube = cuboid([-0.5; 3], [0.5; 3]);
        for _ in 0..20 {
            let turned = random.pose([0.0; 3]);
            let found = exact_volume(&slab, &here, &cube, &turned);
            assert!(
                (found - 0.5).abs() < 1e-14 * size + 1e-12,
                "{size}: {found}"
            );
            let above = random.pose([0.0, 0.0, 2.0]);
            let found = exact_volume(&slab, &here, &cube, &above);
            assert!(found < 1e-14 * size, "{size}: {found}");
        }
    }
    for h in [1e-6, 1e-10, 1e-14] {
        let (flat, upright) = (
            cuboid([0.0; 3], [1.0, 1.0, h]),
            cuboid([0.0; 3], [1.0, h, 1.0]),
        );
        let found = exact_volume(&flat, &here, &upright, &here);
        assert!((found / (h * h) - 1.0).abs() < 1e-12, "{h}: {found}");
    }
}

#[test]
fn order_and_frame_do_not_matter() {
    let (knot, foam) = (
        generate::knot(1200).unwrap(),
        generate::foam(600, 5).unwrap(),
    );
    let mut random = Random::new(2);
    for _ in 0..5 {
        let (pose_a, pose_b) = (pose(&mut random, 0.5), pose(&mut random, 0.5));
        let found = exact_volume(&knot, &pose_a, &foam, &pose_b);
        let swapped = exact_volume(&foam, &pose_b, &knot, &pose_a);
        assert!(
            found > 0.0 && (found - swapped).abs() < 1e-12 * found,
            "{found} {swapped}"
        );
    }
}

#[test]
fn bounds_of_packings_contain_it() {
    let knot = generate::knot(1200).unwrap();
    let packing = pack_mesh(&knot, &PackSettings::spheres(300)).unwrap();
    let mut query = OverlapQuery::new(OverlapSettings::default()).unwrap();
    let (mut random, here) = (Random::new(3), Pose::identity());
    for _ in 0..20 {
        let there = pose(&mut random, 1.5);
        let found = query.overlap(&packing, &here, &packing, &there);
        let exact = exact_volume(&knot, &here, &knot, &there);
        let allowed = 1e-9 * packing.body_volume();
        assert!(
            found.lower <= exact + allowed && exact <= found.upper + allowed,
            "{found:?} {exact}"
        );
    }
}

#[test]
fn open_meshes_are_refused() {
    let plate = generate::plate([1.0, 1.0], [2, 2]).unwrap();
    assert!(matches!(Solid::new(&plate), Err(Error::Surface { .. })));
}

#[test]
fn faces_in_one_plane_count_once() {
    // Boxes on a coarse grid, many of whose faces lie in common planes, in frames in which these
    // planes are rounded: as given, and both turned alike.
    let mut random = Random::new(17);
    for round in 0..400 {
        let grid = if round % 2 == 0 { 0.1 } else { 0.25 };
        let mut sides = || {
            let low = [0; 3].map(|_| grid * random.integer(-8..8) as f64);
            let size = [0; 3].map(|_| grid * random.integer(1..9) as f64);
            (low, [0, 1, 2].map(|k| low[k] + size[k]))
        };
        let (a, b) = (sides(), sides());
        let shared: f64 = (0..3)
            .map(|k| (a.1[k].min(b.1[k]) - a.0[k].max(b.0[k])).max(0.0))
            .product();
        let frame = match round % 4 {
            0 | 1 => Pose::identity(),
            _ => pose(&mut random, 1.0),
        };
        let found = exact_volume(&cuboid(a.0, a.1), &frame, &cuboid(b.0, b.1), &frame);
        assert!(
            (found - shared).abs() < 1e-12,
            "{a:?} {b:?}: {found}, not {shared}"
        );
    }
    let slab = cuboid([-0.5, -0.5, -0.15], [0.5, 0.5, 0.15]);
    let found = exact_volume(&slab, &Pose::identity(), &slab, &moved([0.3, 0.2, 0.0]));
    assert!((found - 0.168).abs() < 1e-15, "{found}");
}
