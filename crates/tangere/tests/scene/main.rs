//! Scenes: contacts of every pair of kinds against closed forms and brute force, identities, the same
//! bits for any order and number of threads.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod add_all;
mod closed_forms;
mod coherent_motion;
mod convex_meshes;
mod determinism;
mod flat_meshes;
mod history;
mod hostile;
mod identity;
mod mesh_oracle;
mod patches;
mod plates_and_needles;
mod queries;
mod random_scenes;
mod replay;
mod rocking;
mod set_positions;
mod sleep;
mod snapshot;

use tangere::geometry::Pose;
use tangere::scene::{Body, Scene, SceneContact, SceneSettings, Shape};

/// The pose of a translation.
fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation([x, y, z]).unwrap()
}

/// A scene of two bodies, of which the first is fixed, after one update.
fn two(margin: f64, first: (Shape, Pose), second: (Shape, Pose)) -> Scene {
    let mut scene = Scene::new(SceneSettings::default().with_margin(margin)).unwrap();
    scene.add(Body::new(first.0).at(first.1).fixed()).unwrap();
    scene.add(Body::new(second.0).at(second.1)).unwrap();
    scene.update().unwrap();
    assert_eq!(scene.verify().unwrap(), []);
    scene
}

/// The only contact of a scene.
#[track_caller]
fn only(scene: &Scene) -> SceneContact {
    let contacts = scene.contacts();
    assert_eq!(contacts.len(), 1, "{contacts:#?}");
    contacts[0]
}

#[track_caller]
fn assert_close(found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs();
    assert!(error <= tolerance, "found {found:?}, expected {expected:?}");
}
