//! An integrator of one's own over a scene: spheres fall into a pit, with a linear spring and dashpot
//! normal to each contact and a tangential spring with Coulomb friction, whose stretch is the
//! history of the contact.
//!
//! `cargo run --release -p tangere --example own_integrator`

use tangere::geometry::Pose;
use tangere::scene::{Body, BodyId, Scene, SceneSettings, Shape};

const RADIUS: f64 = 0.5;
const STEP: f64 = 1e-3;
const STIFFNESS: f64 = 1e4;
const DAMPING: f64 = 10.0;
const FRICTION: f64 = 0.5;

fn main() -> tangere::Result<()> {
    let mut scene = Scene::new(SceneSettings::default().with_history(1))?;
    let mut ids: Vec<BodyId> = Vec::new();
    let mut poses: Vec<Pose> = Vec::new();
    for i in 0..64 {
        let [x, y, z] = [i % 4, i / 4 % 4, i / 16].map(f64::from);
        let pose = Pose::from_translation([x + 0.1 * z, y - 0.05 * z, 1.0 + 1.1 * z])?;
        ids.push(scene.add(Body::new(Shape::sphere(RADIUS)?).at(pose))?);
        poses.push(pose);
    }
    let planes = [
        ([0.0, 0.0, 1.0], [0.0; 3]),
        ([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]),
        ([-1.0, 0.0, 0.0], [4.5, 0.0, 0.0]),
        ([0.0, 1.0, 0.0], [0.0, -1.0, 0.0]),
        ([0.0, -1.0, 0.0], [0.0, 4.0, 0.0]),
    ];
    for (normal, place) in planes {
        let plane = Body::new(Shape::half_space(normal)?).fixed();
        scene.add(plane.at(Pose::from_translation(place)?))?;
    }

    let mut velocities = vec![[0.0; 3]; ids.len() + planes.len()];
    let mut energy = f64::INFINITY;
    for _ in 0..2000 {
        scene.update()?;
        let mut forces = vec![[0.0, 0.0, -9.81]; velocities.len()];
        let contacts = scene.contacts().to_vec();
        for (contact, stretch) in contacts.iter().zip(scene.history_mut()) {
            let (a, b) = (contact.a as usize, contact.b as usize);
            let normal = contact.contact.normal;
            let slip: [f64; 3] = std::array::from_fn(|k| velocities[b][k] - velocities[a][k]);
            let along: f64 = (0..3).map(|k| slip[k] * normal[k]).sum();
            let push = (-STIFFNESS * contact.contact.gap - DAMPING * along).max(0.0);
            for k in 0..3 {
                stretch[k] += STEP * (slip[k] - along * normal[k]);
            }
            let length = stretch.iter().map(|x| x * x).sum::<f64>().sqrt();
            let most = FRICTION * push / STIFFNESS;
            if length > most {
                *stretch = stretch.map(|x| x * most / length);
            }
            for k in 0..3 {
                let force = push * normal[k] - STIFFNESS * stretch[k];
                forces[b][k] += force;
                forces[a][k] -= force;
            }
        }
        energy = 0.0;
        for (i, pose) in poses.iter_mut().enumerate() {
            let mut place = pose.translation();
            for k in 0..3 {
                velocities[i][k] += STEP * forces[i][k];
                place[k] += STEP * velocities[i][k];
                energy += 0.5 * velocities[i][k] * velocities[i][k];
            }
            *pose = Pose::from_translation(place)?;
        }
        scene.set_poses(&ids, &poses)?;
    }
    println!(
        "{} contacts, kinetic energy {energy:.4}, state {:016x}",
        scene.contacts().len(),
        scene.state_hash()
    );
    assert!(energy < 5.0);
    scene.update()?;
    assert!(scene.verify()?.is_empty());
    Ok(())
}
