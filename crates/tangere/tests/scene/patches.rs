//! Patches of contacts: corners of contact areas.

use super::{assert_close, at, two};
use tangere::geometry::Pose;
use tangere::scene::{Patches, Shape};

/// The corners of the only contact as coordinates of `a`, sorted, and their gaps.
fn corners(first: (Shape, Pose), second: (Shape, Pose)) -> Vec<([f64; 3], f64)> {
    let scene = two(0.0, first, second);
    let mut patches = Patches::default();
    scene.patches(&mut patches);
    assert_eq!(patches.offsets(), [0, patches.points().len()]);
    let points = patches.of(0).iter();
    let mut corners: Vec<_> = points.map(|p| (p.point_a, p.gap)).collect();
    // Rounding must not decide the order.
    corners.sort_by_key(|(p, _)| p.map(|x| (1e6 * x).round() as i64));
    corners
}

fn assert_corners(found: &[([f64; 3], f64)], expected: &[[f64; 3]], gap: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((point, own), right) in found.iter().zip(expected) {
        assert!(
            (0..3).all(|k| (point[k] - right[k]).abs() < 1e-12),
            "{found:?}"
        );
        assert_close(*own, gap, 1e-12);
    }
}

#[test]
fn boxes_on_planes_and_boxes_have_four_corners() {
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    let floor = Shape::half_space([0.0, 0.0, 1.0]).unwrap();
    let square = [
        [-0.5, -0.5, 0.0],
        [-0.5, 0.5, 0.0],
        [0.5, -0.5, 0.0],
        [0.5, 0.5, 0.0],
    ];
    let found = corners(
        (floor, Pose::identity()),
        (cube.clone(), at(0.0, 0.0, 0.49)),
    );
    assert_corners(&found, &square, -0.01);
    // Far from the origin of the world, one on the other, shifted by half.
    let far = 1048576.0;
    let found = corners(
        (cube.clone(), at(far, 0.0, 0.0)),
        (cube, at(far + 0.5, 0.0, 0.75)),
    );
    let top = [
        [0.0, -0.5, 0.5],
        [0.0, 0.5, 0.5],
        [0.5, -0.5, 0.5],
        [0.5, 0.5, 0.5],
    ];
    let top = top.map(|[x, y, z]| [x + far, y, z]);
    assert_corners(&found, &top, -0.25);
}

#[test]
fn capsules_lie_on_two_points_and_spheres_on_one() {
    let lying =
        Pose::from_numbers(&[0.0, 0.0, 0.2, 0.5f64.sqrt(), 0.0, 0.5f64.sqrt(), 0.0]).unwrap();
    let floor = Shape::half_space([0.0, 0.0, 1.0]).unwrap();
    let capsule = Shape::capsule(0.25, 2.0).unwrap();
    let found = corners((floor.clone(), Pose::identity()), (capsule.clone(), lying));
    assert_corners(&found, &[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], -0.05);
    let slab = Shape::cuboid([10.0, 10.0, 2.0]).unwrap();
    let found = corners((slab, at(0.0, 0.0, -1.0)), (capsule, lying));
    assert_corners(&found, &[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], -0.05);
    let ball = Shape::sphere(0.5).unwrap();
    let found = corners((floor, Pose::identity()), (ball, at(0.0, 0.0, 0.25)));
    assert_corners(&found, &[[0.0, 0.0, 0.0]], -0.25);
}

#[test]
fn boxes_on_meshes_have_corners_whatever_the_triangles() {
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    for cells in [1, 3, 8] {
        // The top of the block is at height 0.5.
        let block = tangere::generate::box_mesh([4.0, 4.0, 1.0], [cells, cells, 1]).unwrap();
        for mesh in [Shape::solid(&block).unwrap(), Shape::wall(&block)] {
            let found = corners(
                (mesh.clone(), Pose::identity()),
                (cube.clone(), at(0.1, 0.2, 0.99)),
            );
            let square = [
                [-0.4, -0.3, 0.5],
                [-0.4, 0.7, 0.5],
                [0.6, -0.3, 0.5],
                [0.6, 0.7, 0.5],
            ];
            assert_corners(&found, &square, -0.01);
        }
        // Over the rim of a plate by half.
        let plate = tangere::generate::plate([4.0, 4.0], [cells, cells]).unwrap();
        let plate = (Shape::wall(&plate), Pose::identity());
        let found = corners(plate, (cube.clone(), at(2.0, 0.0, 0.5)));
        let half = [
            [1.5, -0.5, 0.0],
            [1.5, 0.5, 0.0],
            [2.0, -0.5, 0.0],
            [2.0, 0.5, 0.0],
        ];
        assert_corners(&found, &half, 0.0);
    }
}
