//! Broad phase benchmark with temporal coherence: slowly moving boxes.
//!
//! Cubes as large as the spheres of test A, two contacts each, move on straight lines
//! with a speed proportional to their size and are reflected at the walls. The first
//! step is not timed; the result is the mean of the steps after it.

use super::cases::{Target, count_name};
use super::report::Line;
use super::{METHODS, digest, find, forget};
use crate::Options;
use crate::timing::{Contestant, Turn, agreement, standings, timed};
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use tangere::generate::{ParticleBox, particles};
use tangere::pairs::{BroadPhase, Candidates, Items, Method, PairFinder, PairSettings};

/// The lower and upper corners of all boxes at one step.
struct StepBoxes {
    lower: Vec<[f64; 3]>,
    upper: Vec<[f64; 3]>,
}

impl StepBoxes {
    fn items(&self) -> Items<'_, 3> {
        Items::Boxes {
            lower: &self.lower,
            upper: &self.upper,
        }
    }

    fn parry_boxes(&self) -> impl Iterator<Item = Aabb> {
        let corners = self.lower.iter().zip(&self.upper);
        corners.map(|(&lower, &upper)| Aabb::new(lower.into(), upper.into()))
    }

    fn overlap(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        (0..3).all(|k| self.lower[a][k] <= self.upper[b][k] && self.lower[b][k] <= self.upper[a][k])
    }
}

/// Returns boxes that move by `share` of their size in each step, at all steps.
fn frames(count: usize, share: f64, steps: usize) -> tangere::Result<Vec<StepBoxes>> {
    // A cube has 6/pi times the volume of its inscribed ball, and as many times the contacts.
    let contacts = 2.0 * std::f64::consts::PI / 6.0;
    let settings = ParticleBox::test_a(3, count, 0).with_contacts(3, contacts)?;
    let edge = settings.edge(3);
    let (mut centers, radii) = particles::<3>(&settings)?.into_parts();
    // Random positions in the unit box serve as directions.
    let (mut velocities, _) = particles::<3>(&ParticleBox {
        density: count as f64,
        ..ParticleBox::test_a(3, count, 1)
    })?
    .into_parts();
    for (velocity, radius) in velocities.iter_mut().zip(&radii) {
        let direction = velocity.map(|x| x - 0.5);
        let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        *velocity = direction.map(|x| x / length * share * 2.0 * radius);
    }
    let mut frames = Vec::with_capacity(steps + 1);
    for step in 0..=steps {
        if step > 0 {
            for (center, velocity) in centers.iter_mut().zip(&mut velocities) {
                for k in 0..3 {
                    center[k] += velocity[k];
                    if !(0.0..=edge).contains(&center[k]) {
                        velocity[k] = -velocity[k];
                        center[k] += 2.0 * velocity[k];
                    }
                }
            }
        }
        let corners = |sign: f64| {
            let corner = |(c, r): (&[f64; 3], &f64)| c.map(|x| x + sign * r);
            centers.iter().zip(&radii).map(corner).collect()
        };
        frames.push(StepBoxes {
            lower: corners(-1.0),
            upper: corners(1.0),
        });
    }
    Ok(frames)
}

/// Runs one turn of a contestant through all steps of the moving boxes; the first step is not
/// timed. `step` finds the pairs of a step and returns the method that it picked, if it had a
/// choice.
fn turn(
    frames: &[StepBoxes],
    out: &mut Vec<[u32; 2]>,
    mut step: impl FnMut(&StepBoxes, &mut Vec<[u32; 2]>) -> Option<&'static str>,
) -> Turn {
    let mut turn = Turn {
        seconds: 0.0,
        answers: 0,
        digest: 0,
        by: None,
    };
    for (i, frame) in frames.iter().enumerate() {
        let mut by = None;
        let seconds = timed(|| {
            out.clear();
            by = step(frame, out);
        });
        if i > 0 {
            turn.seconds += seconds / (frames.len() - 1) as f64;
            turn.answers += out.len();
            // The digest depends on the order of steps.
            turn.digest = turn.digest.wrapping_mul(31).wrapping_add(digest(out));
            turn.by = by;
        }
    }
    turn.answers /= (frames.len() - 1).max(1);
    turn
}

fn method(method: Method, frames: &[StepBoxes]) -> tangere::Result<Contestant<'_>> {
    let mut finder = BroadPhase::<3>::new(PairSettings::default().with_method(method))?;
    let mut out = Vec::new();
    Ok(Contestant::own(method.name(), move || {
        forget(method, &mut finder, frames[0].items());
        turn(frames, &mut out, |frame, out| {
            find(&mut finder, frame.items(), out);
            (method == Method::Auto).then(|| finder.method())
        })
    }))
}

/// Returns a Verlet list as contestant, with a skin of a tenth of the largest box. Boxes that move
/// by 1% reuse the list for some steps, those that move by 10% never.
fn candidates(frames: &[StepBoxes]) -> tangere::Result<Contestant<'_>> {
    let first = &frames[0];
    let corners = first.lower.iter().zip(&first.upper);
    let largest = corners.fold(0.0, |m: f64, (lower, upper)| m.max(upper[0] - lower[0]));
    let mut finder = Candidates::<3>::new(PairSettings::default().with_skin(0.1 * largest))?;
    let mut out = Vec::new();
    Ok(Contestant::own("candidates, skin of 10%", move || {
        forget(Method::Auto, &mut finder, first.items());
        turn(frames, &mut out, |frame, out| {
            find(&mut finder, frame.items(), out);
            None
        })
    }))
}

/// How parry's tree follows the moving boxes from step to step.
#[derive(Clone, Copy, PartialEq)]
enum Follow {
    Rebuild,
    Refit,
    /// The tree is refitted, and a part of it optimized in each step, as parry's documentation
    /// suggests.
    Optimize,
}

fn parry<'a>(name: &'static str, follow: Follow, frames: &'a [StepBoxes]) -> Contestant<'a> {
    let mut workspace = BvhWorkspace::default();
    let mut out = Vec::new();
    Contestant::peer(name, move || {
        let mut tree = Bvh::new();
        turn(frames, &mut out, |frame, out| {
            let boxes = frame.parry_boxes().enumerate();
            if follow == Follow::Rebuild || tree.is_empty() {
                tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes);
            } else {
                for (i, bounds) in boxes {
                    tree.insert_or_update_partially(bounds, i as u32, 0.0);
                }
                tree.refit(&mut workspace);
                if follow == Follow::Optimize {
                    tree.optimize_incremental(&mut workspace);
                }
            }
            tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |a, b| {
                if frame.overlap(a, b) {
                    out.push([a.min(b), a.max(b)]);
                }
            });
            None
        })
    })
}

/// Runs the cases of moving boxes, and prints and returns their results.
pub fn lines(options: &Options) -> Result<Vec<Line>, Box<dyn std::error::Error>> {
    let count = 100_000;
    let steps = if options.quick { 10 } else { 20 };
    let mut lines = Vec::new();
    for (percent, target) in [(1, 4.0), (10, 5.0)] {
        let title = format!(
            "moving boxes, {percent}% a step, {}, per step",
            count_name(count)
        );
        if !options.selects(&title) {
            continue;
        }
        let frames = frames(count, f64::from(percent) * 0.01, steps)?;
        let mut contestants = Vec::new();
        for one in METHODS {
            contestants.push(method(one, &frames)?);
        }
        contestants.push(candidates(&frames)?);
        if options.peers {
            contestants.push(parry("parry, refit, optimized", Follow::Optimize, &frames));
            contestants.push(parry("parry, refit alone", Follow::Refit, &frames));
            contestants.push(parry("parry, tree built anew", Follow::Rebuild, &frames));
        }
        let line = Line {
            title,
            items: count,
            target: Target::Milliseconds(target),
            standings: standings(if options.quick { 1 } else { 3 }, &mut contestants),
        };
        line.print(&[]);
        agreement(&line.standings).map_err(|error| format!("{}: {error}", line.title))?;
        lines.push(line);
    }
    Ok(lines)
}
