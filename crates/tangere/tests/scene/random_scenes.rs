//! Random scenes of all kinds of pairs against brute force.

use super::at;
use tangere::generate;
use tangere::pairs::Periodic;
use tangere::scene::{Body, Motion, Scene, SceneSettings, Shape};
use tangere::shape::ConvexPolyhedron;
use test_support::Random;

/// A random bounded shape of a size up to about 1.
pub(super) fn random_shape(random: &mut Random) -> Shape {
    match random.below(5) {
        0 => Shape::sphere(random.between(0.05, 0.5)).unwrap(),
        1 => Shape::capsule(random.between(0.05, 0.3), random.between(0.05, 0.6)).unwrap(),
        2 => Shape::cuboid([0; 3].map(|_| random.between(0.1, 0.9))).unwrap(),
        3 => {
            let faces = 4 + 2 * random.below(20);
            let mesh = generate::hull(faces, random.bits() >> 32).unwrap();
            let points: Vec<[f64; 3]> =
                mesh.vertices().iter().map(|v| v.map(|x| 0.4 * x)).collect();
            Shape::convex(ConvexPolyhedron::hull(&points).unwrap())
        }
        _ => {
            let parts: Vec<_> = (0..1 + random.below(3))
                .map(|_| {
                    let place = random.vector(0.3);
                    (
                        Shape::sphere(random.between(0.1, 0.2)).unwrap(),
                        random.pose(place),
                    )
                })
                .collect();
            Shape::compound(&parts).unwrap()
        }
    }
}

/// A scene of bodies in a box of `edge`, a floor and a mesh.
pub(super) fn random_scene(random: &mut Random, count: usize, edge: f64) -> Scene {
    let mut settings = SceneSettings::default().with_margin(random.pick(&[0.0, 0.05]));
    if random.chance(1, 3) {
        let cell = Periodic::tilted([4.0f64.max(edge); 3], &[0.3, 0.0, 0.2]).unwrap();
        settings = settings.with_periodic(cell);
    }
    let mut scene = Scene::new(settings).unwrap();
    if settings.periodic.is_none() {
        scene
            .add(Body::new(Shape::half_space([0.1, 0.2, 1.0]).unwrap()).fixed())
            .unwrap();
    }
    let mesh = match random.below(3) {
        0 => Shape::wall(&generate::plate([edge, edge], [3, 5]).unwrap()),
        1 => Shape::solid(&generate::sphere(2).unwrap()).unwrap(),
        _ => Shape::solid(&generate::box_mesh([0.8; 3], [2; 3]).unwrap()).unwrap(),
    };
    if settings.periodic.is_none() {
        scene
            .add(Body::new(mesh).at(random.pose([0.5 * edge; 3])).fixed())
            .unwrap();
    }
    for _ in 0..count {
        let shape = random_shape(random);
        let place = random.point().map(|x| edge * x);
        let motion = random.pick(&[Motion::Free, Motion::Free, Motion::Prescribed]);
        let group = random.below(3) as u32;
        let body = Body::new(shape).at(random.pose(place));
        scene
            .add(Body {
                motion,
                group,
                ..body
            })
            .unwrap();
    }
    scene
}

fn campaign(scenes: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut contacts = 0;
    for _ in 0..scenes {
        let mut scene = random_scene(&mut random, 12, 1.5);
        for _ in 0..2 {
            scene.update().unwrap();
            assert_eq!(scene.verify().unwrap(), []);
            contacts += scene.contacts().len();
            for id in scene.ids() {
                let pose = scene.pose(id).unwrap();
                let t = pose.translation();
                let place = [0, 1, 2].map(|k| t[k] + 0.02 * random.signed());
                let turned = random.pose(place);
                if scene.motion(id).unwrap() != Motion::Fixed {
                    scene.set_poses(&[id], &[turned]).unwrap();
                }
            }
        }
    }
    assert!(contacts > 10 * scenes);
}

#[test]
fn contacts_are_those_of_brute_force() {
    campaign(200, 1);
}

#[test]
#[ignore = "some minutes: cargo xtask test --long"]
fn contacts_of_many_scenes_are_those_of_brute_force() {
    campaign(10_000, 2);
}

#[test]
fn far_from_the_origin_contacts_are_the_same() {
    let mut random = Random::new(3);
    let scene = random_scene(&mut random, 10, 1.0);
    let ids = scene.ids();
    let mut near = Scene::new(SceneSettings::default()).unwrap();
    let mut far = Scene::new(SceneSettings::default()).unwrap();
    let offset = (1u64 << 30) as f64;
    for id in ids {
        let body = |x: f64| {
            let t = scene.pose(id).unwrap().translation();
            // Sums with the offset must be exact.
            let t = t.map(|x| (x * 65536.0).round() / 65536.0);
            Body::new(scene.shape(id).unwrap().clone()).at(at(t[0] + x, t[1], t[2] - x))
        };
        if !scene.shape(id).unwrap().is_unbounded() && scene.motion(id).unwrap() != Motion::Fixed {
            near.add(body(0.0)).unwrap();
            far.add(body(offset)).unwrap();
        }
    }
    near.update().unwrap();
    far.update().unwrap();
    assert!(!near.contacts().is_empty());
    let parts = |scene: &Scene| {
        let contacts = scene.contacts().iter();
        let parts = contacts.map(|c| {
            (
                c.id(),
                c.contact.gap.to_bits(),
                c.contact.normal.map(f64::to_bits),
            )
        });
        parts.collect::<Vec<_>>()
    };
    assert_eq!(parts(&near), parts(&far));
}
