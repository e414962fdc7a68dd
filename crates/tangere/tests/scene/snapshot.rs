//! Snapshots: a restored scene goes on with the same bits; damaged bytes are errors.

use super::coherent_motion::nudge;
use super::random_scenes::random_scene;
use tangere::scene::{Scene, SceneSettings};
use test_support::Random;

#[test]
fn a_restored_scene_goes_on_with_the_same_bits() {
    let mut random = Random::new(21);
    for count in [0, 5, 20, 30] {
        let mut scene = random_scene(&mut random, count, 1.5);
        for step in 0..6 {
            let mut copy = Scene::restore(&scene.snapshot()).unwrap();
            assert_eq!(copy.state_hash(), scene.state_hash());
            assert_eq!(copy.contacts(), scene.contacts());
            assert_eq!(copy.ended(), scene.ended());
            scene.update().unwrap();
            copy.update().unwrap();
            assert_eq!(copy.contacts(), scene.contacts(), "step {step}");
            assert_eq!(copy.ended(), scene.ended());
            assert_eq!(copy.snapshot(), scene.snapshot());
            nudge(&mut scene, &mut random, 0.01);
            if step == 3 && count > 0 {
                let id = scene.ids()[0];
                scene.remove(id).unwrap();
            }
        }
    }
}

#[test]
fn histories_are_in_snapshots() {
    let mut random = Random::new(22);
    let like = random_scene(&mut random, 10, 1.0);
    let mut scene = Scene::new(SceneSettings {
        history: 2,
        ..*like.settings()
    })
    .unwrap();
    for id in like.ids() {
        let body = tangere::scene::Body::new(like.shape(id).unwrap().clone());
        scene.add(body.at(like.pose(id).unwrap())).ok();
    }
    scene.update().unwrap();
    for (i, h) in scene.history_mut().iter_mut().enumerate() {
        *h = [i as f64, 0.5, -1.0];
    }
    let mut copy = Scene::restore(&scene.snapshot()).unwrap();
    assert!(!scene.history().is_empty());
    assert_eq!(copy.history(), scene.history());
    nudge(&mut scene, &mut Random::new(5), 0.01);
    nudge(&mut copy, &mut Random::new(5), 0.01);
    scene.update().unwrap();
    copy.update().unwrap();
    assert_eq!(copy.history(), scene.history());
    assert_eq!(copy.state_hash(), scene.state_hash());
}

#[test]
fn damaged_bytes_are_errors() {
    let mut random = Random::new(23);
    let mut scene = random_scene(&mut random, 6, 1.0);
    scene.update().unwrap();
    let bytes = scene.snapshot();
    for length in [0, 7, 8, 16, 100, bytes.len() - 8, bytes.len() - 1] {
        assert!(Scene::restore(&bytes[..length]).is_err());
    }
    for _ in 0..200 {
        let mut damaged = bytes.clone();
        let at = random.below(damaged.len());
        damaged[at] ^= 1 << random.below(8);
        let error = Scene::restore(&damaged).unwrap_err().to_string();
        assert!(error.contains("snapshot"), "{error}");
    }
    let mut longer = bytes.clone();
    longer.extend([0; 8]);
    assert!(Scene::restore(&longer).is_err());
    assert!(Scene::restore(b"PK\x03\x04 something else entirely, of some length").is_err());
}
