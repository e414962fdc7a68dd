//! Benchmark of penetration volume: median and worst time of queries at many poses by every method;
//! time of updates; queries with a time budget.

use super::bodies::Body;
use crate::{Options, Outcome};
use std::hint::black_box;
use std::time::{Duration, Instant};
use tangere::geometry::Pose;
use tangere::overlap::{Budget, Method, OverlapQuery, OverlapSettings, exact_volume};
use tangere::shape::{Packing, Solid, TriMesh};
use tangere_reproduce::rotating_copy;

/// The numbers of spheres, each with its target in milliseconds for the worst query on two threads.
const TARGETS: [(usize, f64); 3] = [(4000, 0.12), (20_000, 0.5), (60_000, 1.3)];

/// The number of repetitions at each pose; the minimum time counts.
const TURNS: usize = 7;

/// The paper's hash table, which is slow, runs at one pose in this many.
const SELDOM: usize = 50;

/// The number of repetitions of each budget at each pose, enough for a 99.9% quantile.
const ROUNDS: usize = 10;

/// The time budgets of queries, in microseconds.
const BUDGETS: [u64; 4] = [50, 100, 200, 500];

pub fn run(options: &Options, body: &Body, packings: &[Packing]) -> Outcome {
    let poses = if options.quick { 100 } else { 1000 };
    for packing in packings {
        let title = format!(
            "{} with {} spheres, {poses} poses",
            body.name,
            packing.len()
        );
        if !options.selects(&title) {
            continue;
        }
        println!("\n{title}");
        if let Some((_, ms)) = TARGETS.iter().find(|target| target.0 == packing.len()) {
            println!("  target {ms} ms for the worst on two threads, 1 ms to build 60 000");
        }
        let poses = rotating_copy(packing, poses)?;
        exact(&body.mesh, &poses)?;
        for threads in [0, 1] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()?;
            pool.install(|| queries(packing, &poses))?;
            pool.install(|| building(packing))?;
        }
        rayon::ThreadPoolBuilder::new()
            .build()?
            .install(|| budgets(packing, &poses))?;
    }
    Ok(())
}

/// Times the exact volume of meshes at some of the poses, on all threads, and prints the median.
fn exact(mesh: &TriMesh, poses: &[Pose]) -> Result<(), tangere::Error> {
    let (solid, here) = (Solid::new(mesh)?, Pose::identity());
    let mut times = Vec::new();
    for pose in poses.iter().step_by(poses.len().div_ceil(10)) {
        let start = Instant::now();
        black_box(exact_volume(&solid, &here, &solid, pose)?);
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let triangles = mesh.faces().len();
    let median = 1e3 * times[times.len() / 2];
    println!("  exact volume of {triangles} triangles: {median:.1} ms by the clock");
    Ok(())
}

/// Times queries of penetration volume at all poses by every method, and prints the median and the
/// worst of each. Methods alternate at every pose.
fn queries(packing: &Packing, poses: &[Pose]) -> Result<(), tangere::Error> {
    let methods: Vec<Method> = Method::ALL
        .into_iter()
        .filter(|&method| method != Method::Brute)
        .collect();
    let mut queries: Vec<OverlapQuery> = methods
        .iter()
        .map(|&method| {
            OverlapQuery::new(OverlapSettings {
                method,
                about: None,
            })
        })
        .collect::<Result<_, _>>()?;
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); methods.len()];
    let mut pairs = 0;
    for (i, pose) in poses.iter().enumerate() {
        let mut least = vec![f64::INFINITY; methods.len()];
        for _ in 0..TURNS {
            for ((query, least), method) in queries.iter_mut().zip(&mut least).zip(&methods) {
                if *method == Method::Djb2 && i % SELDOM != 0 {
                    continue;
                }
                let start = Instant::now();
                let found = query.overlap(packing, &Pose::identity(), packing, pose);
                *least = least.min(start.elapsed().as_secs_f64());
                pairs = pairs.max(found.pairs);
            }
        }
        for (times, least) in times.iter_mut().zip(least) {
            if least.is_finite() {
                times.push(least);
            }
        }
    }
    let threads = rayon::current_num_threads();
    for (method, mut times) in methods.into_iter().zip(times) {
        times.sort_by(f64::total_cmp);
        let [median, worst] = [times[times.len() / 2], times[times.len() - 1]];
        println!(
            "  {:<8} {threads} threads  median {:>7.3} ms  worst {:>7.3} ms  {:>6.1} ns per sphere, up to {pairs} pairs",
            method.name(),
            median * 1e3,
            worst * 1e3,
            worst * 1e9 / (2 * packing.len()) as f64,
        );
    }
    Ok(())
}

/// Times the update of a packing with moved spheres: validation and rebuild of the grid.
fn building(packing: &Packing) -> tangere::Result<()> {
    let mut again = packing.clone();
    let mut least = f64::INFINITY;
    for _ in 0..4 * TURNS {
        let start = Instant::now();
        again.update(packing.centers(), packing.radii())?;
        least = least.min(start.elapsed().as_secs_f64());
    }
    let threads = rayon::current_num_threads();
    println!(
        "  update   {threads} threads  {:.3} ms, checks of the spheres included",
        least * 1e3
    );
    Ok(())
}

/// Prints the times of queries with a time budget, and how far their lower and upper bounds of the
/// volume are apart.
fn budgets(packing: &Packing, poses: &[Pose]) -> Result<(), tangere::Error> {
    let mut query = OverlapQuery::new(OverlapSettings::default())?;
    for micros in BUDGETS {
        let budget = Budget::Time(Duration::from_micros(micros));
        let mut times = Vec::new();
        let (mut between, mut complete) = (0.0, 0);
        for pose in poses.iter().cycle().take(ROUNDS * poses.len()) {
            let start = Instant::now();
            let found = query.overlap_within(packing, &Pose::identity(), packing, pose, budget);
            times.push(start.elapsed().as_secs_f64());
            between += (found.upper - found.lower) / packing.body_volume();
            complete += usize::from(found.complete);
        }
        let queries = times.len() as f64;
        let [median, most] = shares(&mut times);
        // Reference: the jitter of an empty loop of the same length.
        let mut idle: Vec<f64> = (0..times.len())
            .map(|_| {
                let start = Instant::now();
                while start.elapsed().as_secs_f64() < median {
                    std::hint::spin_loop();
                }
                start.elapsed().as_secs_f64()
            })
            .collect();
        let [_, idle] = shares(&mut idle);
        println!(
            "  budget {micros:>4} us  median {:>6.1} us  99.9% {:>6.1} us (empty loop {:.1})  \
             bounds {:.1}% of the body apart, {:.0}% complete",
            1e6 * median,
            1e6 * most,
            1e6 * idle,
            100.0 * between / queries,
            100.0 * complete as f64 / queries,
        );
    }
    Ok(())
}

/// Returns the median and the 99.9% quantile of times.
fn shares(times: &mut [f64]) -> [f64; 2] {
    times.sort_by(f64::total_cmp);
    [0.5, 0.999].map(|share| times[((times.len() - 1) as f64 * share) as usize])
}
