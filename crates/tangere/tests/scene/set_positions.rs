//! Positions without rotations.

use super::at;
use tangere::scene::{Body, Scene, SceneSettings, Shape};
use test_support::Random;

/// A scene that is moved by positions has the same bits as one that is moved by poses.
#[test]
fn positions_keep_rotations() {
    let mut random = Random::new(7);
    let mut scenes = [(); 2].map(|()| Scene::new(SceneSettings::default()).unwrap());
    for i in 0..40 {
        let shape = match i % 3 {
            0 => Shape::sphere(0.3).unwrap(),
            1 => Shape::cuboid([0.3, 0.4, 0.5]).unwrap(),
            _ => Shape::capsule(0.1, 0.4).unwrap(),
        };
        let place = random.point().map(|x| 1.5 * x);
        let pose = random.pose(place);
        for scene in &mut scenes {
            scene.add(Body::new(shape.clone()).at(pose)).unwrap();
        }
    }
    let ids = scenes[0].ids();
    for step in 0..30 {
        let mut positions = Vec::new();
        let mut poses = Vec::new();
        for &id in &ids {
            let pose = scenes[0].pose(id).unwrap();
            let mut numbers = pose.to_numbers();
            for x in &mut numbers[..3] {
                *x += 0.02 * random.signed();
            }
            positions.push([numbers[0], numbers[1], numbers[2]]);
            poses.push(tangere::geometry::Pose::from_numbers(&numbers).unwrap());
        }
        // All bodies at once, and bodies one by one.
        match step % 2 {
            0 => scenes[0].set_positions(&ids, &positions).unwrap(),
            _ => {
                for (id, position) in ids.iter().zip(&positions).rev() {
                    scenes[0].set_positions(&[*id], &[*position]).unwrap();
                }
            }
        }
        scenes[1].set_poses(&ids, &poses).unwrap();
        for scene in &mut scenes {
            scene.update().unwrap();
        }
        assert_eq!(scenes[0].state_hash(), scenes[1].state_hash());
        assert_eq!(scenes[0].verify().unwrap(), []);
    }
}

#[test]
fn invalid_positions_move_nothing() {
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    let ball = Shape::sphere(0.5).unwrap();
    for x in [0.0, 2.0] {
        scene
            .add(Body::new(ball.clone()).at(at(x, 0.0, 0.0)))
            .unwrap();
    }
    let before = scene.state_hash();
    for (ids, positions, words) in [
        (vec![0, 1], vec![[0.0; 3]], "positions: found 1 positions"),
        (vec![0, 7], vec![[0.5; 3]; 2], "body: found 7"),
        (
            vec![0, 1],
            vec![[0.5; 3], [0.0, f64::NAN, 0.0]],
            "position 1: found",
        ),
        (vec![0], vec![[1e61, 0.0, 0.0]], "position 0: found"),
    ] {
        let error = scene.set_positions(&ids, &positions).unwrap_err();
        assert!(error.to_string().starts_with(words), "{error}");
        assert_eq!(scene.state_hash(), before);
    }
    scene.set_positions(&[], &[]).unwrap();
}
