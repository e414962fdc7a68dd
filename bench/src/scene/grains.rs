//! Convex grains in motion: time a step and body against the number of bodies and of faces.

use super::{advance, motion};
use crate::timing::timed;
use crate::{Options, Outcome};
use std::hint::black_box;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::scene::{Body, Scene, SceneSettings, Shape};
use tangere::shape::ConvexPolyhedron;
use test_support::Random;

/// The largest change of a number of a pose in a step.
const STEP: f64 = 5e-4;
const STEPS: usize = 16;

pub fn run(options: &Options) -> Outcome {
    let title = "grains: ns a step and body";
    if !options.selects(title) {
        return Ok(());
    }
    println!("\n{title}, of the same size and density, coherent steps");
    let most = if options.quick { 100_000 } else { 1_000_000 };
    for (count, faces) in [
        (1_000, 20),
        (10_000, 20),
        (100_000, 20),
        (1_000_000, 20),
        (10_000, 4),
        (10_000, 100),
        (10_000, 920),
    ] {
        if count > most {
            continue;
        }
        let (seconds, contacts) = measured(count, faces)?;
        println!(
            "{count:>10} bodies of {faces:>4} faces {:8.0}   {contacts} contacts",
            1e9 * seconds / count as f64
        );
    }
    Ok(())
}

/// The seconds of a step of `count` grains of `faces` faces, and their contacts.
fn measured(count: usize, faces: usize) -> Result<(f64, usize), Box<dyn std::error::Error>> {
    let mut random = Random::new(5);
    let mesh = generate::hull(faces, 1)?;
    // The same mean width for all numbers of faces, so that as many grains touch.
    let hull = ConvexPolyhedron::hull(mesh.vertices())?;
    let width = 2.0 * hull.mass_properties().volume.cbrt();
    let points: Vec<[f64; 3]> = (mesh.vertices().iter())
        .map(|v| v.map(|x| x / width))
        .collect();
    let shape = Shape::convex(ConvexPolyhedron::hull(&points)?);
    let side = (count as f64).cbrt().ceil() as usize;
    let mut start = Vec::with_capacity(count);
    for i in 0..count {
        let cell = [i % side, i / side % side, i / (side * side)];
        let place = cell.map(|x| 0.66 * x as f64 + 0.05 * random.signed());
        start.push(random.pose(place).to_numbers());
    }
    let mut scene = Scene::new(SceneSettings::default())?;
    for numbers in &start {
        let pose = Pose::from_numbers(numbers)?;
        scene.add(Body::new(shape.clone()).at(pose))?;
    }
    let ids = scene.ids();
    let steps = motion(&start, STEPS, STEP, &mut random)?;
    let mut sum = 0.0;
    let mut contacts = 0;
    for (step, poses) in steps.iter().enumerate() {
        let mut outcome = Ok(0);
        let seconds = timed(|| outcome = black_box(advance(&mut scene, &ids, poses)));
        contacts = outcome?;
        if step >= 4 {
            sum += seconds / (STEPS - 4) as f64;
        }
    }
    Ok((sum, contacts))
}
