//! Benchmark of batches of many pairs of convex bodies.

use super::motion::{Spin, TURN};
use super::{TURNS, digest};
use crate::timing::cpu_seconds;
use crate::{Options, Outcome};
use std::sync::Arc;
use std::time::Instant;
use tangere::closest::ConvexPairs;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;
use test_support::Random;

/// The number of steps of the batch that are timed together.
const BATCH_STEPS: usize = 16;

/// A lattice of rotating bodies, each paired with its neighbours along the axes.
struct Lattice {
    shapes: Vec<Arc<ConvexPolyhedron>>,
    pairs: Vec<[u32; 2]>,
    steps: Vec<Vec<Pose>>,
}

impl Lattice {
    /// Returns a lattice of `edge^3` bodies of `faces` faces each, of eight different shapes.
    fn new(edge: usize, faces: usize) -> tangere::Result<Self> {
        // Relative to the diameters, which are from 1 to 2: some bodies touch, most do not.
        const SPACING: f64 = 1.5;
        let body = |seed| ConvexPolyhedron::from_mesh(&generate::hull(faces, seed)?).map(Arc::new);
        let kinds = (1..=8).map(body).collect::<tangere::Result<Vec<_>>>()?;
        let mut random = Random::new(1);
        let mut lattice = Lattice {
            shapes: Vec::new(),
            pairs: Vec::new(),
            steps: vec![Vec::new(); BATCH_STEPS],
        };
        for i in 0..edge * edge * edge {
            let cell = [i % edge, i / edge % edge, i / (edge * edge)];
            let place = cell.map(|x| SPACING * x as f64);
            lattice.shapes.push(kinds[i % kinds.len()].clone());
            let spin = Spin::new(&mut random)?;
            for (step, poses) in lattice.steps.iter_mut().enumerate() {
                poses.push(spin.pose(step, place)?);
            }
            for (k, stride) in [1, edge, edge * edge].into_iter().enumerate() {
                if cell[k] + 1 < edge {
                    lattice.pairs.push([i as u32, (i + stride) as u32]);
                }
            }
        }
        Ok(lattice)
    }
}

pub fn run(options: &Options) -> Outcome {
    let title = "batch: ns per pair, wall time (and CPU time of all threads)";
    if !options.selects(title) {
        return Ok(());
    }
    println!("\n{title}, {BATCH_STEPS} steps of {TURN} rad");
    for faces in [20, 100, 920] {
        let lattice = Lattice::new(if options.quick { 8 } else { 16 }, faces)?;
        let calls = (lattice.pairs.len() * BATCH_STEPS) as f64;
        let pools = [1, 2].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.map(|pool| (pool, ConvexPairs::new(lattice.shapes.clone())))
        });
        let [one, two] = pools;
        let mut least = [[f64::INFINITY; 2]; 2];
        let mut digests = [0; 2];
        let mut deep = 0;
        let mut contestants = [one?, two?];
        for _ in 0..TURNS {
            for (i, (pool, pairs)) in contestants.iter_mut().enumerate() {
                let mut contacts = Vec::new();
                // Back from the last step of the previous turn.
                pool.install(|| pairs.contacts(&lattice.steps[0], &lattice.pairs, &mut contacts))?;
                let (clock, cpu) = (Instant::now(), cpu_seconds());
                pool.install(|| {
                    lattice
                        .steps
                        .iter()
                        .try_for_each(|poses| pairs.contacts(poses, &lattice.pairs, &mut contacts))
                })?;
                let times = [clock.elapsed().as_secs_f64(), cpu_seconds() - cpu];
                for (least, time) in least[i].iter_mut().zip(times) {
                    *least = least.min(time / calls * 1e9);
                }
                digests[i] = digest(contacts.iter().map(|contact| contact.gap));
                deep = contacts.iter().filter(|contact| contact.gap < 0.0).count();
            }
        }
        if digests[0] != digests[1] {
            return Err(format!("{faces} faces: two threads change the answer").into());
        }
        let [[one, one_cpu], [two, two_cpu]] = least;
        println!(
            "  {faces:>6} faces, {} pairs, {:.0}% of them penetrating: one thread {one:.0} ({one_cpu:.0}), two {two:.0} ({two_cpu:.0})",
            lattice.pairs.len(),
            deep as f64 / lattice.pairs.len() as f64 * 100.0
        );
    }
    Ok(())
}
