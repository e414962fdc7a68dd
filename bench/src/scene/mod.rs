//! Benchmarks of scenes: spheres alone, a pile of grains beside rapier, faces of grains, growth with the
//! number of bodies, and a mixed scene.

mod grains;
mod mixed;
mod pile;
mod spheres;

use crate::{Options, Outcome};
use tangere::geometry::Pose;
use tangere::scene::Scene;
use test_support::Random;

/// Runs all benchmarks of scenes.
pub fn run(options: &Options) -> Outcome {
    println!("\n# scene: contacts of bodies in motion, one thread unless a row says otherwise");
    spheres::run(options)?;
    grains::run(options)?;
    pile::run(options)?;
    mixed::run(options)
}

/// The numbers of a pose after a small random motion.
fn nudged(numbers: &[f64; 7], random: &mut Random, step: f64) -> [f64; 7] {
    let mut next = numbers.map(|x| x + step * random.signed());
    let length = next[3..].iter().map(|x| x * x).sum::<f64>().sqrt();
    next[3..].iter_mut().for_each(|x| *x /= length);
    next
}

/// The poses of all bodies at several steps of a small random motion.
fn motion(
    start: &[[f64; 7]],
    steps: usize,
    step: f64,
    random: &mut Random,
) -> tangere::Result<Vec<Vec<Pose>>> {
    let mut state = start.to_vec();
    let mut all = Vec::with_capacity(steps);
    for _ in 0..steps {
        for numbers in &mut state {
            *numbers = nudged(numbers, random, step);
        }
        let poses = state.iter().map(|numbers| Pose::from_numbers(numbers));
        all.push(poses.collect::<tangere::Result<Vec<Pose>>>()?);
    }
    Ok(all)
}

/// Moves the bodies of a scene and finds their contacts.
fn advance(scene: &mut Scene, ids: &[u64], poses: &[Pose]) -> tangere::Result<usize> {
    scene.set_poses(ids, poses)?;
    scene.update()?;
    Ok(scene.contacts().len())
}
