//! Snapshots: a restored scene goes on with the same bits; damaged bytes are errors.

use super::at;
use super::coherent_motion::nudge;
use super::random_scenes::random_scene;
use tangere::generate;
use tangere::pairs::Periodic;
use tangere::scene::{Body, Patches, Scene, SceneSettings, Shape};
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

/// The number of words of a contact and of a place in a snapshot.
const CONTACT: usize = 25;
pub const PLACE: usize = 9;

/// The words of a snapshot.
pub fn words_of(bytes: &[u8]) -> Vec<u64> {
    let words = bytes.as_chunks::<8>().0;
    words.iter().map(|word| u64::from_le_bytes(*word)).collect()
}

/// The bytes of words of which the last is replaced by the hash of the others.
pub fn sealed(words: &[u64]) -> Vec<u8> {
    let (_, body) = words.split_last().unwrap();
    let hash = body.iter().fold(0x7461_6e67_6572_6521u64, |hash, word| {
        let x = (hash ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    });
    let words = body.iter().chain([&hash]);
    words.flat_map(|word| word.to_le_bytes()).collect()
}

/// Bytes with a right hash that no scene has: what would be out of range later is refused here.
#[test]
fn edited_snapshots_are_refused() {
    let mesh = generate::box_mesh([4.0, 4.0, 1.0], [2, 2, 1]).unwrap();
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    scene
        .add(Body::new(Shape::solid(&mesh).unwrap()).fixed())
        .unwrap();
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    scene
        .add(Body::new(cube.clone()).at(at(0.3, 0.2, 0.99)))
        .unwrap();
    scene.add(Body::new(cube).at(at(1.2, 0.2, 0.99))).unwrap();
    scene.update().unwrap();
    let words = words_of(&scene.snapshot());
    assert_eq!(sealed(&words), scene.snapshot());
    // The pairs of the mesh are first, that of both boxes is last and has no place.
    let contacts = scene.contacts();
    let places = contacts.iter().filter(|c| c.a == 0).count();
    assert!(places >= 2 && places + 1 == contacts.len());
    let place = words.len() - 2 - PLACE * places;
    let contact = place - 2 - CONTACT * contacts.len();
    let (next, removed) = (contact - 2, contact - 3);
    let last = contact + CONTACT * places;
    let vertices = mesh.vertices().len() as u64;
    let faces = mesh.faces().len() as u64;
    let (edge, face) = (1u64 << 32, 2u64 << 32);
    for (at, word, expected) in [
        (contact + 21, vertices, "which body 0 does not have"),
        (
            contact + 21,
            edge | (3 * faces),
            "which body 0 does not have",
        ),
        (contact + 21, face | faces, "which body 0 does not have"),
        (contact + 22, 8, "which body 1 does not have"),
        (last + 21, edge | 12, "which body 1 does not have"),
        (last + 22, face | 6, "which body 2 does not have"),
        (contact + 6, 1, "part 1, which body 0 does not have"),
        (last + 1, 1, "in this order"),
        (last + 1, 7, "of which body 7 is not in it"),
        (contact + 12, f64::NAN.to_bits(), "not finite"),
        (last - CONTACT + 5, 9, "places that do not belong"),
        (place, 9, "places that do not belong"),
        (next, 2, "removed ids and a next id"),
        (next, u64::MAX, "removed ids and a next id"),
    ] {
        let mut edited = words.clone();
        assert_ne!(edited[at], word);
        edited[at] = word;
        let error = Scene::restore(&sealed(&edited)).err();
        let error = error.unwrap_or_else(|| panic!("{expected}")).to_string();
        let is_named = error.starts_with("snapshot: found ") && error.contains(expected);
        assert!(is_named, "{error}\n  expected {expected}");
    }
    let refused = |words: &[u64]| Scene::restore(&sealed(words)).unwrap_err().to_string();
    // One place less than contacts, and one more.
    let mut fewer = words.clone();
    fewer.drain(place..place + PLACE);
    fewer[place - 1] -= 1;
    assert!(refused(&fewer).contains("places that do not belong"));
    let mut more = words.clone();
    let copy = words[place..place + PLACE].to_vec();
    more.splice(place..place, copy);
    more[place - 1] += 1;
    assert!(refused(&more).contains("places that do not belong"));
    // A contact twice.
    let mut twice = words.clone();
    let copy = words[last..last + CONTACT].to_vec();
    twice.splice(last..last, copy);
    twice[contact - 1] += 1;
    assert!(refused(&twice).contains("contacts out of order"));
    // A body with the id of a removed one.
    let mut again = words.clone();
    again.insert(removed + 1, 2);
    again[removed] = 1;
    assert!(refused(&again).contains("removed ids and a next id"));
}

/// A cell far narrower than its bodies: an update refuses it, and nothing that asks for images panics.
#[test]
fn images_beyond_all_numbers_are_no_panic() {
    let cell = Periodic::new([10.0; 3]).unwrap();
    let mut scene = Scene::new(SceneSettings::default().with_periodic(cell)).unwrap();
    for (i, shape) in [
        Shape::sphere(1.0).unwrap(),
        Shape::cuboid([1.0; 3]).unwrap(),
        Shape::capsule(0.5, 1.0).unwrap(),
    ]
    .into_iter()
    .enumerate()
    {
        let place = at(0.9 * i as f64, 0.1 + 3.0 * i as f64, 0.2);
        scene.add(Body::new(shape).at(place)).unwrap();
    }
    scene.update().unwrap();
    let mut words = words_of(&scene.snapshot());
    // After magic number, version, margin, history, the flag of the cell and its lengths.
    words[8] = 1e60f64.to_bits();
    let mut tilted = Scene::restore(&sealed(&words)).unwrap();
    tilted.verify().unwrap();
    let queries = tilted.queries().unwrap();
    queries.nearest(&[[1.0, 2.0, 3.0]]).unwrap();
    tilted.patches(&mut Patches::default());
    assert!(tilted.pair_answers([0, 1]).is_err());
    let error = tilted.update().unwrap_err().to_string();
    assert!(error.contains("periodic cell"), "{error}");
    for far in [1e11, -1e11, 1e20, -1e20] {
        scene.set_poses(&[1], &[at(far, 0.0, 0.0)]).unwrap();
        scene.verify().unwrap();
    }
}
