//! Bad input is an error, and the scene stays as it was.

use super::at;
use tangere::generate;
use tangere::pairs::{Mask, Periodic};
use tangere::scene::{Body, Scene, SceneSettings, Shape};
use tangere::shape::TriMesh;

#[test]
fn invalid_shapes_are_refused() {
    for x in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300] {
        assert!(Shape::sphere(x).is_err(), "{x}");
        assert!(Shape::cuboid([1.0, x, 1.0]).is_err(), "{x}");
        assert!(Shape::capsule(1.0, x).is_err(), "{x}");
        assert!(Shape::capsule(x, 1.0).is_err(), "{x}");
    }
    assert!(Shape::half_space([0.0; 3]).is_err());
    assert!(Shape::half_space([f64::NAN, 0.0, 1.0]).is_err());
    assert!(Shape::compound(&[]).is_err());
    let open = TriMesh::new(
        vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        vec![[0, 1, 2]],
    );
    let error = Shape::solid(&open.unwrap()).unwrap_err().to_string();
    assert!(error.contains("not closed"), "{error}");
}

#[test]
fn unknown_and_used_ids_are_refused() {
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    let ball = || Body::new(Shape::sphere(0.5).unwrap());
    assert_eq!(scene.add(ball().with_id(7)).unwrap(), 7);
    assert_eq!(scene.add(ball().at(at(0.5, 0.0, 0.0))).unwrap(), 8);
    for id in [7, u64::MAX] {
        assert!(scene.add(ball().with_id(id)).is_err());
    }
    scene.remove(8).unwrap();
    for error in [
        scene.add(ball().with_id(8)).unwrap_err(),
        scene.remove(8).unwrap_err(),
        scene.pose(9).unwrap_err(),
        scene
            .set_poses(&[7, 9], &[at(1.0, 0.0, 0.0); 2])
            .unwrap_err(),
        scene.set_poses(&[7], &[]).unwrap_err(),
    ] {
        assert!(error.to_string().contains("expected"), "{error}");
    }
    assert_eq!(scene.pose(7).unwrap(), at(0.0, 0.0, 0.0));
    assert_eq!((scene.ids(), scene.add(ball()).unwrap()), (vec![7], 9));
}

#[test]
fn ids_that_run_out_are_refused() {
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    let ball = || Body::new(Shape::sphere(1.0).unwrap());
    let last = u64::MAX - 1;
    // All or none: the second of two has no id left.
    let bodies = vec![ball().with_id(last), ball()];
    let error = scene.add_all(bodies).unwrap_err().to_string();
    assert!(error.starts_with("id 1: found no id left"), "{error}");
    assert!(scene.is_empty());
    assert_eq!(scene.add(ball()).unwrap(), 0);
    assert_eq!(scene.add(ball().with_id(last)).unwrap(), last);
    let before = scene.snapshot();
    let mut copy = Scene::restore(&before).unwrap();
    for scene in [&mut scene, &mut copy] {
        let error = scene.add(ball()).unwrap_err().to_string();
        assert!(error.starts_with("id: found no id left"), "{error}");
        assert!(scene.add_all(vec![ball(); 2]).is_err());
        assert_eq!(scene.snapshot(), before);
        assert_eq!(scene.add(ball().with_id(5)).unwrap(), 5);
        scene.remove(last).unwrap();
        assert!(scene.add(ball()).is_err());
    }
}

#[test]
fn ids_twice_in_a_list_are_refused() {
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    let ball = Shape::sphere(0.5).unwrap();
    for x in [0.0, 2.0, 4.0] {
        scene
            .add(Body::new(ball.clone()).at(at(x, 0.0, 0.0)))
            .unwrap();
    }
    let before = scene.snapshot();
    for ids in [&[1, 1][..], &[2, 0, 2], &[0, 1, 2, 0]] {
        let n = ids.len();
        for error in [
            scene.set_poses(ids, &vec![at(0.0, 1.0, 0.0); n]),
            scene.set_positions(ids, &vec![[0.0, 1.0, 0.0]; n]),
            scene.set_velocities(ids, &vec![[1.0; 3]; n], &vec![[1.0; 3]; n]),
        ] {
            let id = ids[n - 1];
            let expected = format!("body: found {id} twice, expected each id once");
            assert_eq!(error.unwrap_err().to_string(), expected);
        }
        assert_eq!(scene.snapshot(), before);
    }
    // What was refused leaves no trace.
    scene
        .set_positions(&[2, 0], &[[4.0, 1.0, 0.0], [0.0; 3]])
        .unwrap();
    assert_eq!(scene.pose(2).unwrap(), at(4.0, 1.0, 0.0));
}

#[test]
fn differences_name_fields() {
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    let ball = Shape::sphere(0.5).unwrap();
    for x in [0.0, 0.75] {
        scene
            .add(Body::new(ball.clone()).at(at(x, 0.0, 0.0)))
            .unwrap();
    }
    scene.update().unwrap();
    scene.set_poses(&[1], &[at(0.5, 0.0, 0.0)]).unwrap();
    let differences = scene.verify().unwrap();
    let text = differences[0].to_string();
    assert!(
        text.starts_with("bodies 0 and 1: gap -0.25, expected -0.5; lower -0.25"),
        "{text}"
    );
    assert!(
        text.ends_with("point_b (0.25, 0, 0), expected (0, 0, 0)"),
        "{text}"
    );
}

#[test]
fn kinds_without_narrow_phase_are_named() {
    let knot = generate::knot(500).unwrap();
    let solid = || Shape::solid(&knot).unwrap();
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    scene.add(Body::new(solid()).fixed()).unwrap();
    // Two fixed meshes never touch.
    scene.add(Body::new(solid()).fixed()).unwrap();
    let error = scene.add(Body::new(solid())).unwrap_err().to_string();
    assert_eq!(
        error,
        "shape: found a mesh that can touch the mesh of body 0, expected two fixed bodies, or groups or masks \
         that keep them apart: contacts of these kinds are not supported yet"
    );
    let apart = Mask {
        member: 2,
        meets: 0,
    };
    scene
        .add(Body {
            mask: apart,
            ..Body::new(solid())
        })
        .unwrap();
    assert_eq!(scene.len(), 3);
    scene.update().unwrap();
    assert!(scene.contacts().is_empty());
}

#[test]
fn a_cell_that_is_too_small_changes_nothing() {
    let cell = Periodic::new([3.0; 3]).unwrap();
    let mut scene = Scene::new(SceneSettings::default().with_periodic(cell)).unwrap();
    scene.add(Body::new(Shape::sphere(0.5).unwrap())).unwrap();
    scene
        .add(Body::new(Shape::sphere(0.5).unwrap()).at(at(0.9, 0.0, 0.0)))
        .unwrap();
    scene.update().unwrap();
    let hash = scene.state_hash();
    let large = scene.add(Body::new(Shape::sphere(2.0).unwrap())).unwrap();
    let error = scene.update().unwrap_err().to_string();
    // Boxes are rounded outward.
    let named = format!("a width of 3 and a body {large} whose box is 4.000000");
    assert!(error.contains(&named), "{error}");
    assert!(error.contains("expected at least 5.000000"), "{error}");
    assert_eq!(scene.contacts().len(), 1);
    scene.remove(large).unwrap();
    assert_eq!(scene.state_hash(), hash);
}

/// After an update that is refused contacts, candidates and slots are those of the last one.
#[test]
fn candidates_outlast_a_refused_update() {
    let pairs = |scene: &Scene| -> Vec<[u64; 2]> {
        let ids = scene.columns().ids;
        let batches = scene.batches().flat_map(|batch| batch.pairs);
        batches
            .map(|pair| pair.slots.map(|slot| ids[slot as usize]))
            .collect()
    };
    for removed in [&[][..], &[0], &[0, 1, 2]] {
        for was_asked in [false, true] {
            let cell = Periodic::new([10.0; 3]).unwrap();
            let mut scene = Scene::new(SceneSettings::default().with_periodic(cell)).unwrap();
            let ball = Body::new(Shape::sphere(1.0).unwrap());
            for i in 0..5 {
                let place = at(f64::from(i), 0.0, 0.0);
                scene
                    .add(ball.clone().at(place).with_id(10 + i as u64))
                    .unwrap();
            }
            scene.update().unwrap();
            let mut same = Scene::restore(&scene.snapshot()).unwrap();
            same.update().unwrap();
            let expected = pairs(&same);
            if was_asked {
                // Batches are made when they are first asked for.
                assert_eq!(pairs(&scene), expected);
            }
            let contacts = scene.contacts().to_vec();
            for id in removed {
                scene.remove(10 + id).unwrap();
            }
            let large = Body::new(Shape::sphere(4.9).unwrap()).at(at(5.0, 5.0, 5.0));
            // Before the others, so that all slots would change.
            scene.add(large.with_id(3)).unwrap();
            for _ in 0..2 {
                assert!(scene.update().is_err());
                assert_eq!(pairs(&scene), expected);
                assert_eq!(scene.contacts(), contacts);
            }
            let bytes = scene.snapshot();
            scene.remove(3).unwrap();
            scene.update().unwrap();
            assert_eq!(scene.verify().unwrap(), []);
            for contact in scene.contacts() {
                assert!(pairs(&scene).contains(&[contact.a, contact.b]));
            }
            let mut copy = Scene::restore(&bytes).unwrap();
            copy.remove(3).unwrap();
            copy.update().unwrap();
            assert_eq!(copy.contacts(), scene.contacts());
            assert_eq!(copy.ended(), scene.ended());
            // Ids of removed bodies are not given again.
            for id in removed {
                assert!(scene.add(ball.clone().with_id(10 + id)).is_err());
            }
        }
    }
}

#[test]
fn coincident_and_huge_bodies() {
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    for shape in [
        Shape::sphere(1.0).unwrap(),
        Shape::sphere(1e-9).unwrap(),
        Shape::capsule(1e9, 1e9).unwrap(),
        Shape::cuboid([1e-3; 3]).unwrap(),
        Shape::cuboid([1e6, 1e-6, 1.0]).unwrap(),
    ] {
        for offset in [0.0, 0.0, 1e9] {
            scene
                .add(Body::new(shape.clone()).at(at(offset, 0.0, 0.0)))
                .unwrap();
        }
    }
    scene.update().unwrap();
    for contact in scene.contacts() {
        let numbers = [
            contact.contact.gap,
            contact.contact.lower,
            contact.contact.upper,
        ];
        assert!(numbers.iter().all(|x| x.is_finite()), "{contact:?}");
        assert!(contact.contact.normal != [0.0; 3], "{contact:?}");
    }
    assert_eq!(scene.verify().unwrap(), []);
}

#[test]
fn an_empty_scene_has_no_contacts() {
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    scene.update().unwrap();
    assert!(scene.contacts().is_empty() && scene.is_empty());
    assert!(Scene::new(SceneSettings::default().with_margin(-1.0)).is_err());
}
