//! The same bits for any order of insertion, with removed bodies in between, and number of threads.

use super::random_scenes::random_scene;
use tangere::scene::{Body, Scene};
use test_support::Random;

/// A copy of a scene whose bodies were added in another order, with others that were removed.
fn shuffled(scene: &Scene, random: &mut Random) -> Scene {
    let mut copy = Scene::new(*scene.settings()).unwrap();
    let mut ids = scene.ids();
    random.shuffle(&mut ids);
    for (i, id) in ids.into_iter().enumerate() {
        let body = Body {
            motion: scene.motion(id).unwrap(),
            ..Body::new(scene.shape(id).unwrap().clone())
        };
        let body = body.at(scene.pose(id).unwrap()).with_id(id);
        copy.add(body.clone()).unwrap();
        if i % 3 == 0 && !body.shape.is_unbounded() && body.shape.name() != "mesh" {
            let extra = copy.add(body.with_id(1000 + i as u64)).unwrap();
            copy.remove(extra).unwrap();
        }
    }
    copy
}

#[test]
fn order_and_threads_change_no_bit() {
    let mut random = Random::new(5);
    for _ in 0..5 {
        let first = random_scene(&mut random, 60, 2.0);
        // Groups are not copied: compare copies only.
        let mut scenes: Vec<Scene> = (0..5).map(|_| shuffled(&first, &mut random)).collect();
        let mut hashes = Vec::new();
        for (scene, threads) in scenes.iter_mut().zip([1, 2, 3, 8, 16]) {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            pool.install(|| scene.update()).unwrap();
            hashes.push((scene.state_hash(), format!("{:?}", scene.contacts())));
        }
        assert!(!scenes[0].contacts().is_empty());
        assert!(hashes.iter().all(|hash| *hash == hashes[0]));
    }
}
