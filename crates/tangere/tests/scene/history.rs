//! Histories of contacts: kept, turned with the normal, shared and added.

use super::{assert_close, at};
use tangere::geometry::Pose;
use tangere::scene::{Body, Scene, SceneSettings, Shape};

fn scene() -> Scene {
    Scene::new(SceneSettings::default().with_history(1)).unwrap()
}

#[test]
fn a_history_turns_with_the_normal() {
    let mut scene = scene();
    let ball = Shape::sphere(0.5).unwrap();
    scene.add(Body::new(ball.clone()).fixed()).unwrap();
    let moving = scene.add(Body::new(ball)).unwrap();
    for step in 0..=90 {
        let angle = f64::from(step).to_radians();
        let place = at(0.99 * angle.cos(), 0.99 * angle.sin(), 0.0);
        scene.set_poses(&[moving], &[place]).unwrap();
        scene.update().unwrap();
        if step == 0 {
            assert_eq!(scene.history(), [[0.0; 3]]);
            scene.history_mut()[0] = [0.0, 0.3, 0.4];
        }
    }
    let [x, y, z] = scene.history()[0];
    assert_close(x, -0.3, 1e-14);
    assert_close(y, 0.0, 1e-14);
    assert_close(z, 0.4, 1e-14);
    scene.set_poses(&[moving], &[at(3.0, 0.0, 0.0)]).unwrap();
    scene.update().unwrap();
    assert!(scene.history().is_empty());
    scene.set_poses(&[moving], &[at(0.9, 0.0, 0.0)]).unwrap();
    scene.update().unwrap();
    assert_eq!(scene.history(), [[0.0; 3]]);
}

#[test]
fn histories_follow_their_contacts_in_order() {
    // A row of spheres: each contact has its own number, whatever ends and begins around it.
    let mut scene = scene();
    let ball = Shape::sphere(0.5).unwrap();
    for i in 0..8 {
        let x = 0.99 * f64::from(i);
        scene
            .add(Body::new(ball.clone()).at(at(x, 0.0, 0.0)))
            .unwrap();
    }
    scene.update().unwrap();
    for (i, history) in scene.history_mut().iter_mut().enumerate() {
        *history = [0.0, 0.0, 1.0 + i as f64];
    }
    scene.set_poses(&[3], &[at(2.97, 5.0, 0.0)]).unwrap();
    scene.update().unwrap();
    let kept: Vec<f64> = scene.history().iter().map(|h| h[2]).collect();
    assert_eq!(kept, [1.0, 2.0, 5.0, 6.0, 7.0]);
    scene.set_poses(&[3], &[at(2.97, 0.0, 0.0)]).unwrap();
    scene.update().unwrap();
    let kept: Vec<f64> = scene.history().iter().map(|h| h[2]).collect();
    assert_eq!(kept, [1.0, 2.0, 0.0, 0.0, 5.0, 6.0, 7.0]);
}

#[test]
fn contacts_that_merge_add_and_those_that_split_share() {
    // A sphere in a groove touches two faces near each other; lifted over a flat face it touches one.
    let mut scene = scene();
    let groove = [
        (Shape::sphere(1.0).unwrap(), at(-0.05, 0.0, -1.0)),
        (Shape::sphere(1.0).unwrap(), at(0.05, 0.0, -1.0)),
    ];
    scene
        .add(Body::new(Shape::compound(&groove).unwrap()).fixed())
        .unwrap();
    let ball = scene.add(Body::new(Shape::sphere(0.5).unwrap())).unwrap();
    scene.set_poses(&[ball], &[at(0.0, 0.0, 0.49)]).unwrap();
    scene.update().unwrap();
    assert_eq!(scene.contacts().len(), 2);
    scene.history_mut()[0] = [0.0, 1.0, 0.0];
    scene.history_mut()[1] = [0.0, 2.0, 0.0];
    scene.update().unwrap();
    // Other parts of a compound never merge.
    let kept: Vec<f64> = scene.history().iter().map(|h| h[1]).collect();
    assert_eq!(kept, [1.0, 2.0]);

    let mut scene = self::scene();
    let ridge = tangere::generate::box_mesh([4.0, 4.0, 1.0], [1, 1, 1]).unwrap();
    scene
        .add(Body::new(Shape::solid(&ridge).unwrap()).fixed())
        .unwrap();
    let plank = Shape::cuboid([1.0, 1.0, 0.2]).unwrap();
    let plank = scene.add(Body::new(plank)).unwrap();
    scene.set_poses(&[plank], &[at(0.0, 0.0, 0.599)]).unwrap();
    scene.update().unwrap();
    let count = scene.contacts().len();
    for history in scene.history_mut() {
        *history = [1.0, 0.0, 0.0];
    }
    // It rocks onto an edge: the same contact, of the same facet.
    let (sin, cos) = (0.02f64.sin(), 0.02f64.cos());
    let turned = Pose::from_numbers(&[0.0, 0.0, 0.61, cos, 0.0, sin, 0.0]);
    scene.set_poses(&[plank], &[turned.unwrap()]).unwrap();
    scene.update().unwrap();
    let sum: f64 = scene.history().iter().map(|h| h[0]).sum();
    assert_eq!(count, 1);
    assert_close(sum, 1.0, 1e-12);
}
