//! 10^5 spheres through a scene, beside the broad phase and the closed form called by hand.

use super::motion;
use crate::timing::timed;
use crate::{Options, Outcome};
use std::hint::black_box;
use tangere::contact::{Contact, ContactStatus, Feature};
use tangere::pairs::{BroadPhase, PairFinder, PairSettings};
use tangere::scene::{Body, Scene, SceneSettings, Shape};
use test_support::Random;

/// The largest motion of a coordinate in a step, relative to the mean diameter.
const STEP: f64 = 0.002;
/// Steps before the first that is measured, of a turn, and turns, of which the fastest counts.
const WARM: usize = 4;
const STEPS: usize = 20;
const TURNS: usize = 4;

pub fn run(options: &Options) -> Outcome {
    let title = "spheres: ms a step, contacts of a scene and by hand";
    if !options.selects(title) {
        return Ok(());
    }
    let count = if options.quick { 20_000 } else { 100_000 };
    let mut random = Random::new(3);
    // About one contact a sphere.
    let edge = (0.87 * count as f64).cbrt();
    let radii: Vec<f64> = (0..count).map(|_| random.between(0.25, 0.5)).collect();
    let start: Vec<[f64; 7]> = (0..count)
        .map(|_| {
            let [x, y, z] = random.point().map(|x| edge * x);
            [x, y, z, 1.0, 0.0, 0.0, 0.0]
        })
        .collect();
    let steps = motion(&start, WARM + TURNS * STEPS, STEP, &mut random)?;
    let mut scene = Scene::new(SceneSettings::default())?;
    for (numbers, &radius) in start.iter().zip(&radii) {
        let pose = tangere::geometry::Pose::from_numbers(&numbers[..3])?;
        scene.add(Body::new(Shape::sphere(radius)?).at(pose))?;
    }
    let ids = scene.ids();
    let mut by_hand: Vec<(&str, BroadPhase<3>)> = vec![
        (
            "by hand, without skin",
            BroadPhase::new(PairSettings::default())?,
        ),
        (
            "by hand, skin 0.05",
            BroadPhase::new(PairSettings::default().with_skin(0.05))?,
        ),
    ];
    let mut pairs = Vec::new();
    let mut out: Vec<Contact> = Vec::new();
    let mut least = [f64::INFINITY; 3];
    let mut sums = [0.0; 3];
    let mut contacts = 0;
    for (step, poses) in steps.iter().enumerate() {
        let centers: Vec<[f64; 3]> = poses.iter().map(|pose| pose.translation()).collect();
        // The first steps make lists and fill memory.
        let done = step.saturating_sub(WARM);
        if done.is_multiple_of(STEPS) {
            sums = [0.0; 3];
        }
        let mut outcome = Ok(0);
        let seconds = timed(|| {
            outcome = scene
                .set_positions(&ids, &centers)
                .and_then(|()| scene.update())
                .map(|()| black_box(scene.contacts()).len());
        });
        contacts = outcome?;
        sums[0] += seconds / STEPS as f64;
        for (k, (_, finder)) in by_hand.iter_mut().enumerate() {
            let mut outcome = Ok(());
            let seconds = timed(|| {
                outcome = finder.update((&centers[..], &radii[..]).into());
                outcome = outcome.clone().and_then(|()| finder.pairs(&mut pairs));
                out.clear();
                out.extend(pairs.iter().map(|&[a, b]| {
                    let [a, b] = [a, b].map(|i| (centers[i as usize], radii[i as usize]));
                    closed_form(a, b)
                }));
                black_box(&out);
            });
            outcome?;
            sums[k + 1] += seconds / STEPS as f64;
        }
        if step >= WARM && (done + 1).is_multiple_of(STEPS) {
            for (least, sum) in least.iter_mut().zip(sums) {
                *least = least.min(sum);
            }
        }
    }
    println!("\n{title}: {count} spheres, {contacts} contacts, best of {TURNS} turns");
    println!("{:>28} {:8.2}", "scene", 1e3 * least[0]);
    for ((name, _), seconds) in by_hand.iter().zip(&least[1..]) {
        let ratio = least[0] / seconds;
        println!(
            "{name:>28} {:8.2}   scene / by hand {ratio:.2}",
            1e3 * seconds
        );
    }
    Ok(())
}

/// The contact of two spheres.
fn closed_form((p, r): ([f64; 3], f64), (q, s): ([f64; 3], f64)) -> Contact {
    let way: [f64; 3] = std::array::from_fn(|k| q[k] - p[k]);
    let distance = (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]).sqrt();
    let normal = way.map(|x| x / distance);
    let gap = distance - (r + s);
    Contact {
        gap,
        lower: gap,
        upper: gap,
        point_a: std::array::from_fn(|k| p[k] + r * normal[k]),
        point_b: std::array::from_fn(|k| q[k] - s * normal[k]),
        normal,
        feature_a: Feature::vertex(0),
        feature_b: Feature::vertex(0),
        status: ContactStatus::Touching,
        steps: 0,
    }
}
