//! A pile of convex grains, settled by rapier: collision detection of both on the same poses.

use super::advance;
use crate::timing::timed;
use crate::{Options, Outcome};
use rapier3d_f64::prelude::{
    ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, Vector,
};
use std::hint::black_box;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::scene::{Body, Patches, Scene, SceneSettings, Shape};
use tangere::shape::ConvexPolyhedron;
use test_support::Random;

const STEPS: usize = 24;

pub fn run(options: &Options) -> Outcome {
    let title = "pile: ms a step of collision detection with patches, grains of 20 faces";
    if !options.selects(title) {
        return Ok(());
    }
    let side = if options.quick { 10 } else { 20 };
    let layers = if options.quick { 10 } else { 25 };
    let settle = if options.quick { 150 } else { 400 };
    let mesh = generate::hull(20, 1)?;
    let points: Vec<[f64; 3]> = (mesh.vertices().iter())
        .map(|v| v.map(|x| 0.5 * x))
        .collect();
    let hull = ConvexPolyhedron::hull(&points)?;
    let vectors: Vec<Vector> = hull.vertices().iter().map(|&v| v.into()).collect();
    let collider = || ColliderBuilder::convex_hull(&vectors).ok_or("rapier finds no hull");
    let mut world = PhysicsWorld {
        gravity: Vector::new(0.0, 0.0, -9.81),
        ..PhysicsWorld::default()
    };
    let width = side as f64 * 1.1;
    for (normal, place) in [
        ([0.0, 0.0, 1.0], [0.0; 3]),
        ([1.0, 0.0, 0.0], [0.0; 3]),
        ([-1.0, 0.0, 0.0], [width, 0.0, 0.0]),
        ([0.0, 1.0, 0.0], [0.0; 3]),
        ([0.0, -1.0, 0.0], [0.0, width, 0.0]),
    ] {
        world.insert(
            RigidBodyBuilder::fixed().translation(Vector::from(place)),
            ColliderBuilder::halfspace(rapier3d_f64::na::Unit::new_unchecked(Vector::from(normal))),
        );
    }
    let mut random = Random::new(4);
    let mut handles: Vec<RigidBodyHandle> = Vec::new();
    for i in 0..side * side * layers {
        let cell = [i % side, i / side % side, i / (side * side)];
        let place = cell.map(|x| 1.1 * (x as f64 + 0.5) + 0.02 * random.signed());
        let (body, _) = world.insert(
            RigidBodyBuilder::dynamic().translation(Vector::from(place)),
            collider()?,
        );
        handles.push(body);
    }
    for _ in 0..settle {
        world.step();
    }
    // Poses of steps to come, which both replay.
    let mut steps: Vec<Vec<Pose>> = Vec::new();
    for _ in 0..STEPS {
        world.step();
        let poses = handles.iter().map(|&handle| {
            let pose = world.bodies[handle].position();
            let (t, q) = (pose.translation, pose.rotation);
            Pose::from_numbers(&[t.x, t.y, t.z, q.w, q.x, q.y, q.z])
        });
        steps.push(poses.collect::<tangere::Result<Vec<Pose>>>()?);
    }
    // rapier reports contacts within its prediction distance; the scene gets it as its margin.
    let margin = world.integration_parameters.prediction_distance();
    let mut scene = Scene::new(SceneSettings::default().with_margin(margin))?;
    for (normal, place) in [
        ([0.0, 0.0, 1.0], [0.0; 3]),
        ([1.0, 0.0, 0.0], [0.0; 3]),
        ([-1.0, 0.0, 0.0], [width, 0.0, 0.0]),
        ([0.0, 1.0, 0.0], [0.0; 3]),
        ([0.0, -1.0, 0.0], [0.0, width, 0.0]),
    ] {
        let wall = Body::new(Shape::half_space(normal)?).fixed();
        scene.add(wall.at(Pose::from_translation(place)?))?;
    }
    let shape = Shape::convex(hull);
    let mut ids = Vec::new();
    for pose in &steps[0] {
        ids.push(scene.add(Body::new(shape.clone()).at(*pose))?);
    }
    let mut patches = Patches::default();
    let mut sums = [0.0; 3];
    let mut counts = [0; 2];
    for (step, poses) in steps.iter().enumerate() {
        let weight = f64::from(u8::from(step >= 4)) / (STEPS - 4) as f64;
        let mut outcome = Ok(0);
        sums[0] += weight * timed(|| outcome = black_box(advance(&mut scene, &ids, poses)));
        counts[0] = outcome?;
        sums[1] += weight
            * timed(|| {
                scene.patches(&mut patches);
                black_box(&patches);
            });
        if options.peers {
            let seconds = timed(|| {
                for (&handle, pose) in handles.iter().zip(poses) {
                    let [x, y, z, w, i, j, k] = pose.to_numbers();
                    let at = rapier3d_f64::math::Pose::from_parts(
                        Vector::new(x, y, z),
                        rapier3d_f64::math::Rotation::from_xyzw(i, j, k, w),
                    );
                    world.bodies[handle].set_position(at, true);
                }
                world.detect_collisions(&(), &());
            });
            sums[2] += weight * seconds;
            let touching = world.narrow_phase.contact_pairs();
            counts[1] = touching
                .filter(|pair| pair.has_any_active_contact())
                .count();
        }
    }
    println!(
        "\n{title}: {} grains, {} contacts with {} corners",
        handles.len(),
        counts[0],
        patches.points().len()
    );
    let own = sums[0] + sums[1];
    println!(
        "{:>28} {:8.2}   (contacts {:.2}, patches {:.2})",
        "scene",
        1e3 * own,
        1e3 * sums[0],
        1e3 * sums[1]
    );
    if options.peers {
        println!(
            "{:>28} {:8.2}   {} pairs, rapier / scene {:.2}",
            "rapier",
            1e3 * sums[2],
            counts[1],
            sums[2] / own
        );
    }
    Ok(())
}
