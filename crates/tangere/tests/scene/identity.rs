//! Contacts keep their identity while features slide, and begin and end once.

use super::{at, only};
use tangere::geometry::Pose;
use tangere::scene::{Body, Event, Scene, SceneSettings, Shape};

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
