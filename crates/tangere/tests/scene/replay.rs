//! The query of one pair as bytes, answered by every method; batches of candidates.

use tangere::generate;
use tangere::geometry::Pose;
use tangere::scene::{Body, PairKind, PairMethod, Scene, SceneSettings, Shape};
use tangere::shape::ConvexPolyhedron;
use test_support::Random;

fn random_scene(seed: u64) -> Scene {
    let mut random = Random::new(seed);
    let hull = ConvexPolyhedron::hull(generate::hull(20, seed).unwrap().vertices()).unwrap();
    let shapes = [
        Shape::sphere(0.6).unwrap(),
        Shape::cuboid([1.0, 0.8, 0.6]).unwrap(),
        Shape::capsule(0.3, 1.0).unwrap(),
        Shape::convex(hull),
        Shape::solid(&generate::sphere(2).unwrap()).unwrap(),
    ];
    let mut scene = Scene::new(SceneSettings::default().with_margin(0.1)).unwrap();
    for i in 0..30 {
        let place = random.point().map(|x| 4.0 * x);
        let body = Body::new(shapes[i % 5].clone()).at(random.pose(place));
        // Two meshes have no contacts.
        let body = if i % 5 == 4 { body.fixed() } else { body };
        scene.add(body).unwrap();
    }
    scene.update().unwrap();
    scene
}

#[test]
fn every_method_agrees_after_a_replay() {
    let scene = random_scene(3);
    let mut methods = std::collections::BTreeSet::new();
    for contact in scene.contacts() {
        let bytes = scene.replay([contact.b, contact.a]).unwrap();
        let alone = Scene::restore(&bytes).unwrap();
        assert_eq!(alone.ids(), [contact.a, contact.b]);
        let answers = alone.pair_answers([contact.a, contact.b]).unwrap();
        for answer in &answers {
            methods.insert(answer.method.name());
            assert!(answer.agrees, "{contact:?}: {answer:?}");
        }
        let own = answers.iter().filter(|a| a.method == PairMethod::Scene);
        let same = own.filter(|answer| answer.contact == contact.contact);
        assert_eq!(same.count(), 1, "{contact:?}");
    }
    assert_eq!(methods.len(), PairMethod::ALL.len(), "{methods:?}");
}

#[test]
fn pairs_that_are_no_pairs_are_refused() {
    let scene = random_scene(4);
    assert!(scene.replay([0, 0]).is_err());
    assert!(scene.replay([0, 99]).is_err());
    assert!(scene.pair_answers([99, 0]).is_err());
    // Far apart: exhaustive answers give the distance, and nothing differs.
    let mut two = Scene::new(SceneSettings::default()).unwrap();
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    two.add(Body::new(cube.clone())).unwrap();
    let far = Pose::from_translation([9.0, 0.0, 0.0]).unwrap();
    two.add(Body::new(cube).at(far)).unwrap();
    let answers = two.pair_answers([0, 1]).unwrap();
    assert!(
        answers
            .iter()
            .all(|answer| answer.agrees && answer.contact.gap == 8.0)
    );
    assert!(
        answers
            .iter()
            .any(|answer| answer.method == PairMethod::Exhaustive)
    );
}

/// Candidates by kind contain every pair in contact, and closed forms over them are the contacts.
#[test]
fn batches_hold_all_contacts() {
    let mut scene = random_scene(5);
    for step in 0..3 {
        let columns = scene.columns();
        let mut spheres = 0;
        for batch in scene.batches() {
            for pair in batch.pairs {
                assert!(pair.slots[0] < pair.slots[1]);
                if batch.kind == PairKind::SphereSphere {
                    let [a, b] = pair.slots.map(|slot| columns.balls[slot as usize]);
                    let squared: f64 = (0..3).map(|k| (b[k] - a[k]) * (b[k] - a[k])).sum();
                    spheres += usize::from(squared.sqrt() - (a[3] + b[3]) <= 0.1);
                }
            }
        }
        let is_sphere = |id: u64| id.is_multiple_of(5);
        let contacts = scene.contacts().iter();
        let expected = contacts
            .filter(|c| is_sphere(c.a) && is_sphere(c.b))
            .count();
        assert_eq!(spheres, expected);
        for contact in scene.contacts() {
            let has = |pair: &tangere::scene::CandidatePair| {
                pair.slots.map(|slot| columns.ids[slot as usize]) == [contact.a, contact.b]
            };
            assert!(scene.batches().any(|batch| batch.pairs.iter().any(has)));
        }
        let moved = Pose::from_translation([0.2 * f64::from(step), 0.0, 0.0]).unwrap();
        scene.set_poses(&[0], &[moved]).unwrap();
        scene.update().unwrap();
    }
}
