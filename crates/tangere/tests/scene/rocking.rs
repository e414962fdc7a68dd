//! A compound at rest keeps its contacts and their histories, though their deepest points jump.

use super::at;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::scene::{Body, Event, Patches, Scene, SceneSettings, Shape};
use test_support::Random;

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    let k = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
    [k(1, 2), k(2, 0), k(0, 1)]
}

/// A brick of two boxes, 1 by 0.8 by 0.6.
fn brick() -> Shape {
    let half = Shape::cuboid([0.5, 0.8, 0.6]).unwrap();
    let parts = [
        (half.clone(), at(-0.25, 0.0, 0.0)),
        (half, at(0.25, 0.0, 0.0)),
    ];
    Shape::compound(&parts).unwrap()
}

/// Floors of every kind with their top at height 0.
fn floors() -> Vec<(&'static str, Shape)> {
    let slab = Shape::cuboid([4.0, 4.0, 1.0]).unwrap();
    let slabs = [
        (slab.clone(), at(-1.9, 0.0, -0.5)),
        (slab.clone(), at(2.1, 0.0, -0.5)),
    ];
    let below = |shape: Shape| Shape::compound(&[(shape, at(0.0, 0.0, -0.5))]).unwrap();
    let half_space = Shape::half_space([0.0, 0.0, 1.0]).unwrap();
    let block = |cells| {
        let mesh = generate::box_mesh([4.0, 4.0, 1.0], [cells, cells, 1]).unwrap();
        below(Shape::solid(&mesh).unwrap())
    };
    // Smaller than the brick, which lies on its rim.
    let table = generate::box_mesh([0.9, 0.7, 1.0], [2, 2, 1]).unwrap();
    let plate = generate::plate([4.0, 4.0], [9, 9]).unwrap();
    vec![
        ("half-space", half_space.clone()),
        (
            "compound of a half-space",
            Shape::compound(&[(half_space, at(0.0, 0.0, 0.0))]).unwrap(),
        ),
        ("box", below(slab)),
        ("two boxes", Shape::compound(&slabs).unwrap()),
        ("mesh", block(1)),
        ("fine mesh", block(16)),
        ("table", below(Shape::solid(&table).unwrap())),
        ("wall", Shape::wall(&plate)),
    ]
}

/// A scene of a floor and a body on it, with a history.
fn on_floor(floor: &Shape, body: &Shape, turn: Pose, height: f64) -> Scene {
    let settings = SceneSettings::default().with_margin(0.01).with_history(1);
    let mut scene = Scene::new(settings).unwrap();
    scene
        .add(Body::new(floor.clone()).at(turn).fixed())
        .unwrap();
    let place = turn.compose(&at(0.0, 0.0, height));
    scene.add(Body::new(body.clone()).at(place)).unwrap();
    scene
}

/// A rotation by small angles about x, y and z, at a height.
fn tilted([x, y, z]: [f64; 3], height: f64) -> Pose {
    let q = [1.0, 0.5 * x, 0.5 * y, 0.5 * z];
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [w, x, y, z] = q.map(|x| x / length);
    Pose::from_numbers(&[0.0, 0.0, height, w, x, y, z]).unwrap()
}

#[test]
fn a_rocking_body_keeps_its_contacts() {
    for (name, floor) in floors() {
        for body in [brick(), Shape::cuboid([1.0, 0.8, 0.6]).unwrap()] {
            let mut scene = on_floor(&floor, &body, Pose::identity(), 0.299);
            scene.update().unwrap();
            assert!(!scene.contacts().is_empty());
            for (history, i) in scene.history_mut().iter_mut().zip(1u32..) {
                *history = [0.0, 0.0, f64::from(i)];
            }
            let total: f64 = scene.history().iter().map(|h| h[2]).sum();
            let before: Vec<u64> = scene.contacts().iter().map(|c| c.id()).collect();
            let mut random = Random::new(3);
            for step in 0..600 {
                let mut angles = [(); 3].map(|()| 2e-6 * random.signed());
                if step < 4 {
                    // About x alone: the deepest vertex goes from one side to the other.
                    angles = [[1e-6, -1e-6][step % 2], 0.0, 0.0];
                }
                scene.set_poses(&[1], &[tilted(angles, 0.299)]).unwrap();
                scene.update().unwrap();
                if step % 100 == 0 {
                    assert_eq!(scene.verify().unwrap(), []);
                    scene = Scene::restore(&scene.snapshot()).unwrap();
                }
                let persisting = scene
                    .contacts()
                    .iter()
                    .filter(|c| c.event == Event::Persists);
                let ids: Vec<u64> = persisting.map(|c| c.id()).collect();
                let sum: f64 = scene.history().iter().map(|h| h[2]).sum();
                assert!((sum - total).abs() < 1e-6, "{name}, step {step}: {sum}");
                if name == "table" {
                    // Its rim, of several edges, may be parallel to the body: contacts split and merge.
                    assert!(!ids.is_empty(), "step {step}");
                    continue;
                }
                assert_eq!(ids, before, "{name}, step {step}");
                assert_eq!(scene.contacts().len(), ids.len(), "{name}, step {step}");
                assert_eq!(scene.ended(), [], "{name}, step {step}");
                for (contact, history) in scene.contacts().iter().zip(scene.history()) {
                    let number = f64::from(contact.slot + 1);
                    assert!((history[2] - number).abs() < 1e-6, "{name}: {history:?}");
                }
            }
        }
    }
}

/// A brick on a slope of 15 degrees with a coefficient of friction of 0.6, held by springs whose
/// elongations are the histories of its contacts. Without histories it creeps down.
#[test]
fn friction_holds_a_brick_on_a_slope() {
    const STEP: f64 = 1e-3;
    const FRICTION: f64 = 0.6;
    let (stiffness, damping) = (1e4, 50.0);
    let inertia = [
        (0.64 + 0.36) / 12.0,
        (1.0 + 0.36) / 12.0,
        (1.0 + 0.64) / 12.0,
    ];
    let half = 7.5f64.to_radians();
    let slope = Pose::from_numbers(&[0.0, 0.0, 0.0, half.cos(), 0.0, half.sin(), 0.0]).unwrap();
    for (name, floor) in floors() {
        let mut scene = on_floor(&floor, &brick(), slope, 0.2999);
        let start = scene.pose(1).unwrap().translation();
        let (mut velocity, mut spin) = ([0.0f64; 3], [0.0f64; 3]);
        let mut patches = Patches::default();
        let mut ends = 0;
        for step in 0..2000 {
            scene.update().unwrap();
            ends += usize::from(step > 200 && !scene.ended().is_empty());
            scene.patches(&mut patches);
            let pose = scene.pose(1).unwrap();
            let center = pose.translation();
            let (mut force, mut torque) = ([0.0, 0.0, -9.81], [0.0; 3]);
            for i in 0..scene.contacts().len() {
                let normal = scene.contacts()[i].contact.normal;
                let corners = patches.of(i);
                let share = 1.0 / corners.len() as f64;
                let velocity_at = |arm: [f64; 3]| -> [f64; 3] {
                    let turn = cross(spin, arm);
                    std::array::from_fn(|k| velocity[k] + turn[k])
                };
                let mut push = |arm: [f64; 3], f: [f64; 3]| {
                    let moment = cross(arm, f);
                    for k in 0..3 {
                        force[k] += f[k];
                        torque[k] += moment[k];
                    }
                };
                let (mut middle, mut load) = ([0.0; 3], 0.0);
                for corner in corners {
                    let arm: [f64; 3] = std::array::from_fn(|k| corner.point_b[k] - center[k]);
                    let speed = dot(velocity_at(arm), normal);
                    let press = share * (-stiffness * corner.gap - damping * speed).max(0.0);
                    push(arm, normal.map(|x| press * x));
                    load += press;
                    for k in 0..3 {
                        middle[k] += share * arm[k];
                    }
                }
                let slip = velocity_at(middle);
                let along = dot(slip, normal);
                let slip: [f64; 3] = std::array::from_fn(|k| slip[k] - along * normal[k]);
                let spring = &mut scene.history_mut()[i];
                for k in 0..3 {
                    spring[k] += STEP * slip[k];
                }
                let pull: [f64; 3] =
                    std::array::from_fn(|k| -stiffness * spring[k] - damping * slip[k]);
                let size = dot(pull, pull).sqrt();
                let factor = (FRICTION * load / size.max(1e-300)).min(1.0);
                if factor < 1.0 {
                    *spring = spring.map(|x| factor * x);
                }
                push(middle, pull.map(|x| factor * x));
            }
            let local = pose.inverse().rotate(torque);
            let turned = pose.rotate([0, 1, 2].map(|k| local[k] / inertia[k]));
            for k in 0..3 {
                velocity[k] += STEP * force[k];
                spin[k] += STEP * turned[k];
            }
            let [x, y, z, w, i, j, l] = pose.to_numbers();
            let [p, q, r] = spin.map(|x| 0.5 * STEP * x);
            let moved = [
                w - p * i - q * j - r * l,
                i + p * w + q * l - r * j,
                j + q * w + r * i - p * l,
                l + r * w + p * j - q * i,
            ];
            let length = moved.iter().map(|x| x * x).sum::<f64>().sqrt();
            let [w, i, j, l] = moved.map(|x| x / length);
            let place = [0, 1, 2].map(|k| [x, y, z][k] + STEP * velocity[k]);
            let next = [place[0], place[1], place[2], w, i, j, l];
            let next = Pose::from_numbers(&next).unwrap();
            scene.set_poses(&[1], &[next]).unwrap();
        }
        assert_eq!(ends, 0, "{name}: updates in which contacts ended");
        let end = scene.pose(1).unwrap().translation();
        let way: f64 = (0..3).map(|k| (end[k] - start[k]).powi(2)).sum::<f64>();
        assert!(way.sqrt() < 2e-3, "{name}: slid by {}", way.sqrt());
    }
}
