//! Bodies that move a little from update to update: kept candidates and tracked features change no bit.

use super::at;
use super::random_scenes::random_scene;
use tangere::geometry::Pose;
use tangere::scene::{Body, Motion, Scene, SceneSettings, Shape};
use tangere::shape::ConvexPolyhedron;
use test_support::Random;

/// Moves every body that may move by up to `step`, and turns it by about as much.
pub(super) fn nudge(scene: &mut Scene, random: &mut Random, step: f64) {
    for id in scene.ids() {
        if scene.motion(id).unwrap() == Motion::Fixed {
            continue;
        }
        let [x, y, z, w, i, j, k] = scene.pose(id).unwrap().to_numbers();
        let [dx, dy, dz] = random.vector(step);
        let [di, dj, dk] = random.vector(step);
        let q = [w, i + di, j + dj, k + dk];
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let [w, i, j, k] = q.map(|x| x / length);
        let pose = Pose::from_numbers(&[x + dx, y + dy, z + dz, w, i, j, k]).unwrap();
        scene.set_poses(&[id], &[pose]).unwrap();
    }
}

#[test]
fn kept_candidates_miss_nothing() {
    let mut random = Random::new(11);
    for scene in 0..6 {
        let mut scene = random_scene(&mut random, 14 + scene, 1.6);
        for update in 0..25 {
            scene.update().unwrap();
            assert_eq!(scene.verify().unwrap(), [], "update {update}");
            // Slow, then fast: the list is kept for many updates, then made anew in each.
            let step = if update < 15 { 0.002 } else { 0.2 };
            nudge(&mut scene, &mut random, step);
            if update == 8 {
                let ids = scene.ids();
                scene.remove(ids[ids.len() / 2]).unwrap();
                let new = Body::new(Shape::cuboid([0.3; 3]).unwrap());
                scene.add(new.at(random.pose([0.7; 3]))).unwrap();
            }
        }
    }
}

#[test]
fn a_plane_that_moves_finds_its_bodies() {
    let mut scene = Scene::new(Default::default()).unwrap();
    let piston = Body::new(Shape::half_space([0.0, 0.0, 1.0]).unwrap());
    let motion = Motion::Prescribed;
    let piston = scene.add(Body { motion, ..piston }).unwrap();
    for i in 0..20 {
        let ball = Body::new(Shape::sphere(0.1).unwrap());
        let x = f64::from(i);
        scene
            .add(ball.at(super::at(x, 0.0, 0.11 + 0.05 * x)))
            .unwrap();
    }
    for step in 0..200 {
        let height = 0.005 * f64::from(step);
        scene
            .set_poses(&[piston], &[super::at(0.0, 0.0, height)])
            .unwrap();
        scene.update().unwrap();
        let below = (0..20).filter(|i| 0.01 + 0.05 * f64::from(*i) - height <= 0.0);
        assert!(scene.contacts().len().abs_diff(below.count()) <= 1);
        assert_eq!(scene.verify().unwrap(), []);
    }
}

/// A single body and a compound with the same core share a tracker: the pair of the single body keeps a
/// polytope, and the other once continued with that of a third pair.
#[test]
fn pairs_of_one_core_in_a_body_and_in_a_compound() {
    let hull = ConvexPolyhedron::hull(&[
        [-1.0, 1.0, -1.0],
        [1.0, 0.5, -0.5],
        [-0.5, -0.5, 0.5],
        [0.0, -0.5, -0.5],
        [0.0, -0.5, -1.0],
    ])
    .unwrap();
    let capsule = Shape::capsule(0.5, 3.0).unwrap();
    let shapes = [
        Shape::convex(hull),
        Shape::cuboid([3.0, 1.0, 2.0]).unwrap(),
        capsule.clone(),
        Shape::compound(&[(capsule, at(0.1, 0.0, 0.0))]).unwrap(),
    ];
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    let ids = shapes.map(|shape| scene.add(Body::new(shape)).unwrap());
    let mut random = Random::new(41);
    let first = [
        [
            [0.2, -0.2, -0.3],
            [0.1, 0.5, 0.2],
            [-0.1, -0.7, -0.4],
            [-0.3, 0.6, -1.1],
        ],
        [
            [0.3, -0.2, 0.2],
            [-1.0, -0.1, 0.3],
            [0.0, 0.5, 0.2],
            [0.1, -0.6, -0.2],
        ],
    ];
    let others = std::iter::repeat_with(|| [(); 4].map(|()| random.point()));
    for positions in first.into_iter().chain(others.take(100)) {
        scene.set_positions(&ids, &positions).unwrap();
        scene.update().unwrap();
        assert_eq!(scene.verify().unwrap(), []);
    }
}
