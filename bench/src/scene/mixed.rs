//! A mixed scene: spheres, grains of 20 to 920 faces, fixed meshes of 10^4 faces and walls, pushed apart
//! until they hardly penetrate, as bodies in a simulation do.

use super::{advance, motion};
use crate::{Options, Outcome};
use std::time::Instant;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::scene::{Body, Scene, SceneSettings, Shape};
use tangere::shape::{ConvexPolyhedron, TriMesh};
use test_support::{Random, allocations};

/// The largest change of a number of a pose in a step.
const STEP: f64 = 5e-4;

pub fn run(options: &Options) -> Outcome {
    let title = "mixed: ms a step by the clock";
    if !options.selects(title) {
        return Ok(());
    }
    let scale = if options.quick { 10 } else { 1 };
    let (spheres, grains, meshes) = (100_000 / scale, 10_000 / scale, 20 / scale.min(5));
    let steps = if options.quick { 30 } else { 100 };
    println!(
        "\n{title}: {spheres} spheres, {grains} grains of 20 to 920 faces, {meshes} meshes of 10^4 faces"
    );
    let (_, ids, start) = relaxed(spheres, grains, meshes)?;
    // Warm: with the memory of a list that was made anew.
    let warm = steps;
    let poses = motion(&start, warm + steps, STEP, &mut Random::new(7))?;
    let mut least = f64::INFINITY;
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        let (mut scene, ..) = scene(spheres, grains, meshes)?;
        scene.set_poses(&ids, &poses[0])?;
        let measured = pool.install(|| -> tangere::Result<(f64, usize, usize)> {
            for poses in &poses[..warm] {
                advance(&mut scene, &ids, poses)?;
            }
            let start = Instant::now();
            let (mut contacts, mut allocating) = (0, 0);
            for poses in &poses[warm..] {
                let mut outcome = Ok(0);
                let allocated = allocations::of_process(|| {
                    outcome = advance(&mut scene, &ids, poses);
                });
                contacts = outcome?;
                allocating += usize::from(allocated > 0);
            }
            let seconds = start.elapsed().as_secs_f64() / steps as f64;
            Ok((seconds, contacts, allocating))
        });
        let (seconds, contacts, allocating) = measured?;
        let speedup = if threads == 1 { 1.0 } else { least / seconds };
        least = least.min(seconds);
        println!(
            "{:>20} threads {:8.2}   {contacts} contacts, {speedup:.2} times one thread, {allocating} of {} steps allocate",
            threads,
            1e3 * seconds,
            steps
        );
    }
    Ok(())
}

type Prepared = (Scene, Vec<u64>, Vec<[f64; 7]>);

/// The number of rounds in which bodies are pushed apart.
const ROUNDS: usize = 60;

/// The scene after its bodies were pushed apart: each contact moves both bodies by half its depth.
fn relaxed(
    spheres: usize,
    grains: usize,
    meshes: usize,
) -> Result<Prepared, Box<dyn std::error::Error>> {
    let (mut scene, ids, mut start) = scene(spheres, grains, meshes)?;
    let first = ids[0];
    for _ in 0..ROUNDS {
        scene.update()?;
        for found in scene.contacts() {
            let depth = (0.0 - found.contact.gap).clamp(0.0, 0.2);
            for (id, sign) in [(found.a, -0.5), (found.b, 0.5)] {
                if let Some(numbers) = id.checked_sub(first).map(|i| &mut start[i as usize]) {
                    for k in 0..3 {
                        numbers[k] += sign * depth * found.contact.normal[k];
                    }
                }
            }
        }
        let poses = start.iter().map(|numbers| Pose::from_numbers(numbers));
        scene.set_poses(&ids, &poses.collect::<tangere::Result<Vec<Pose>>>()?)?;
    }
    Ok((scene, ids, start))
}

/// The scene with bodies at random, the ids of those that move, and their poses.
fn scene(
    spheres: usize,
    grains: usize,
    meshes: usize,
) -> Result<Prepared, Box<dyn std::error::Error>> {
    let mut random = Random::new(6);
    let mut scene = Scene::new(SceneSettings::default())?;
    let edge = ((spheres + 8 * grains) as f64 * 0.9).cbrt();
    for (normal, place) in [
        ([0.0, 0.0, 1.0], [0.0; 3]),
        ([1.0, 0.0, 0.0], [0.0; 3]),
        ([-1.0, 0.0, 0.0], [edge, 0.0, 0.0]),
        ([0.0, 1.0, 0.0], [0.0; 3]),
        ([0.0, -1.0, 0.0], [0.0, edge, 0.0]),
    ] {
        let wall = Body::new(Shape::half_space(normal)?).fixed();
        scene.add(wall.at(Pose::from_translation(place)?))?;
    }
    let knot = generate::knot(10_000)?;
    let size = 0.12 * edge;
    let vertices: Vec<[f64; 3]> = (knot.vertices().iter())
        .map(|v| v.map(|x| 0.3 * size * x))
        .collect();
    let knot = Shape::solid(&TriMesh::new(vertices, knot.faces().to_vec())?)?;
    for _ in 0..meshes {
        let place = random.point().map(|x| edge * x);
        scene.add(Body::new(knot.clone()).at(random.pose(place)).fixed())?;
    }
    let mut ids = Vec::new();
    let mut start = Vec::new();
    for _ in 0..spheres {
        let [x, y, z] = random.point().map(|x| edge * x);
        let numbers = [x, y, z, 1.0, 0.0, 0.0, 0.0];
        let shape = Shape::sphere(random.between(0.25, 0.5))?;
        ids.push(scene.add(Body::new(shape).at(Pose::from_numbers(&numbers)?))?);
        start.push(numbers);
    }
    let kinds: Vec<Shape> = [20, 60, 200, 920]
        .into_iter()
        .map(|faces| {
            let mesh = generate::hull(faces, 1)?;
            Ok(Shape::convex(ConvexPolyhedron::hull(mesh.vertices())?))
        })
        .collect::<tangere::Result<_>>()?;
    for i in 0..grains {
        let numbers = random
            .pose(random_place(&mut Random::new(i as u64), edge))
            .to_numbers();
        let shape = kinds[i % kinds.len()].clone();
        ids.push(scene.add(Body::new(shape).at(Pose::from_numbers(&numbers)?))?);
        start.push(numbers);
    }
    Ok((scene, ids, start))
}

fn random_place(random: &mut Random, edge: f64) -> [f64; 3] {
    random.point().map(|x| edge * x)
}
