//! Lists of bodies are added whole or not at all.

use tangere::Error;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::scene::{Body, Scene, SceneSettings, Shape};

#[test]
fn an_error_leaves_the_scene_as_it_was() {
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    let ball = || Body::new(Shape::sphere(1.0).unwrap());
    let floor = Shape::half_space([0.0, 0.0, 1.0]).unwrap();
    let ids = scene.add_all(vec![Body::new(floor).fixed(), ball()]);
    assert_eq!(ids.unwrap(), [0, 1]);
    scene.update().unwrap();
    let before = scene.state_hash();
    let mesh = Shape::solid(&generate::sphere(1).unwrap()).unwrap();
    let bodies = vec![ball(), ball().with_id(90), Body::new(mesh), ball()];
    let Err(Error::Item { index, .. }) = scene.add_all(bodies) else {
        panic!("a mesh over a half-space")
    };
    assert_eq!((index, scene.len(), scene.ids()), (2, 2, vec![0, 1]));
    assert_eq!(scene.state_hash(), before);
    let twice = vec![ball().with_id(7), ball().with_id(7)];
    assert!(matches!(
        scene.add_all(twice),
        Err(Error::Item { index: 1, .. })
    ));
    scene.update().unwrap();
    assert!(scene.contacts().len() == 1 && scene.verify().unwrap().is_empty());
    // Ids that an error gave back are free, and count on from where they were.
    let far = Pose::from_translation([9.0, 0.0, 9.0]).unwrap();
    assert_eq!(
        scene
            .add_all(vec![ball().at(far), ball().with_id(90)])
            .unwrap(),
        [2, 90]
    );
}
