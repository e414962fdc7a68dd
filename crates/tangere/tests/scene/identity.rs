//! Contacts keep their identity while features slide, and begin and end once.

use super::snapshot::{PLACE, sealed, words_of};
use super::{at, only};
use tangere::geometry::Pose;
use tangere::scene::{Body, Event, Scene, SceneContact, SceneSettings, Shape};
use tangere::shape::TriMesh;

#[test]
fn contacts_begin_persist_and_end() {
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    let floor = Shape::half_space([0.0, 0.0, 1.0]).unwrap();
    scene.add(Body::new(floor).fixed()).unwrap();
    let die = scene
        .add(Body::new(Shape::cuboid([1.0; 3]).unwrap()))
        .unwrap();
    let mut events = Vec::new();
    let mut id = None;
    for height in [0.6, 0.5, 0.49, 0.6, 0.5] {
        scene.set_poses(&[die], &[at(0.0, 0.0, height)]).unwrap();
        scene.update().unwrap();
        events.extend(scene.contacts().iter().map(|c| c.event));
        events.extend(scene.ended().iter().map(|c| c.event));
        for contact in scene.contacts().iter().chain(scene.ended()) {
            assert_eq!(*id.get_or_insert(contact.id()), contact.id());
        }
    }
    assert_eq!(
        events,
        [Event::Began, Event::Persists, Event::Ended, Event::Began]
    );
}

#[test]
fn a_rolling_sphere_keeps_its_contact_over_edges() {
    let mesh = tangere::generate::box_mesh([4.0, 4.0, 1.0], [8, 8, 1]).unwrap();
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    scene
        .add(Body::new(Shape::solid(&mesh).unwrap()).fixed())
        .unwrap();
    let ball = scene.add(Body::new(Shape::sphere(0.5).unwrap())).unwrap();
    for step in 0..200 {
        let pose = at(-1.8 + 0.018 * f64::from(step), 0.3, 0.99);
        scene.set_poses(&[ball], &[pose]).unwrap();
        scene.update().unwrap();
        let contact = only(&scene);
        assert_eq!(contact.slot, 0);
        assert_eq!(contact.event == Event::Began, step == 0);
    }
}

#[test]
fn a_slot_is_free_again_after_its_contact() {
    // A dumbbell that rocks on a plane: one end, both, the other end.
    let ball = Shape::sphere(0.5).unwrap();
    let ends = [
        (ball.clone(), at(-1.0, 0.0, 0.0)),
        (ball, at(1.0, 0.0, 0.0)),
    ];
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    let floor = Shape::half_space([0.0, 0.0, 1.0]).unwrap();
    scene.add(Body::new(floor).fixed()).unwrap();
    let bell = scene
        .add(Body::new(Shape::compound(&ends).unwrap()))
        .unwrap();
    let mut slots = Vec::new();
    for tilt in [-0.1f64, 0.0, 0.1, 0.0] {
        let (sin, cos) = ((0.5 * tilt).sin(), (0.5 * tilt).cos());
        let pose = Pose::from_numbers(&[0.0, 0.0, 0.5 - 0.01, cos, 0.0, sin, 0.0]).unwrap();
        scene.set_poses(&[bell], &[pose]).unwrap();
        scene.update().unwrap();
        assert_eq!(scene.verify().unwrap(), []);
        slots.push(
            scene
                .contacts()
                .iter()
                .map(|c| (c.slot, c.parts[1]))
                .collect::<Vec<_>>(),
        );
    }
    assert_eq!(slots[0].len(), 1);
    assert_eq!(slots[1].len(), 2);
    assert_eq!(slots[2], [(1, 1 - slots[0][0].1)]);
    assert_eq!(slots[3], [(0, slots[0][0].1), (1, 1 - slots[0][0].1)]);
}

/// A capsule along an edge of a cube touches both facets at one vertex: two contacts of equal features,
/// which keep their slots and which `verify` finds in any order.
#[test]
fn contacts_of_two_facets_at_one_vertex_are_verified() {
    let bit = |v: usize, k: usize| (v >> k & 1) as f64;
    let corner = |v| [bit(v, 2), bit(v, 1), bit(v, 0)];
    let mut corners: Vec<[f64; 3]> = (0..8).map(corner).collect();
    let mut faces = vec![
        [0, 1, 3],
        [0, 3, 2],
        [4, 6, 7],
        [4, 7, 5],
        [0, 4, 5],
        [0, 5, 1],
        [2, 3, 7],
        [2, 7, 6],
        [0, 2, 6],
        [0, 6, 4],
        [1, 5, 7],
        [1, 7, 3],
    ];
    // With another one far away: a convex mesh would have one contact.
    corners.extend_from_within(..);
    faces.extend_from_within(..);
    corners[8..].iter_mut().for_each(|corner| corner[0] += 50.0);
    faces[12..]
        .iter_mut()
        .flatten()
        .for_each(|corner| *corner += 8);
    let cubes = TriMesh::new(corners, faces).unwrap();
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    scene
        .add(Body::new(Shape::solid(&cubes).unwrap()).fixed())
        .unwrap();
    let capsule = Shape::capsule(0.5, 3.0).unwrap();
    let capsule = scene.add(Body::new(capsule)).unwrap();
    let half = 0.5f64.sqrt();
    let mut most = 0;
    for pose in [
        [0.5, 0.0, 0.0, half, 0.0, half, 0.0],
        [1.0, 0.0, -0.5, 0.0, 1.0, 0.0, 0.0],
    ] {
        let pose = Pose::from_numbers(&pose).unwrap();
        scene.set_poses(&[capsule], &[pose]).unwrap();
        scene.update().unwrap();
        assert_eq!(scene.verify().unwrap(), []);
        let before = scene.contacts().to_vec();
        // From a snapshot without facets, too, as one of version 2: the normals decide.
        let mut copy = without_facets(&scene);
        for scene in [&mut scene, &mut copy] {
            scene.update().unwrap();
            assert_eq!(scene.verify().unwrap(), []);
            assert_eq!(scene.contacts().len(), before.len());
            for (old, new) in before.iter().zip(scene.contacts()) {
                assert_eq!((old.slot, old.contact), (new.slot, new.contact));
                assert_eq!(new.event, Event::Persists);
            }
        }
        let same = |c: &&SceneContact| c.contact.feature_a == before[0].contact.feature_a;
        most = most.max(before.iter().filter(same).count());
    }
    assert!(most > 1, "contacts of equal features are what this tests");
}

/// A copy of a scene of one pair in which the facets of contacts are unknown.
fn without_facets(scene: &Scene) -> Scene {
    let mut words = words_of(&scene.snapshot());
    let count = scene.contacts().len();
    // Places are last, before the empty history and the hash.
    let first = words.len() - 2 - PLACE * count;
    for place in 0..count {
        words[first + PLACE * place] &= u64::from(u32::MAX);
    }
    Scene::restore(&sealed(&words)).unwrap()
}
