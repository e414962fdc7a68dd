//! Parallel speed-up and memory of the broad phase methods.

use super::{METHODS, find, forget};
use std::hint::black_box;
use std::time::Instant;
use tangere::generate::{ParticleBox, particles};
use tangere::pairs::{BroadPhase, Dimension, Method, PairFinder, PairSettings, Space};
use tangere::shape::Spheres;
use test_support::allocations::peak_of;

/// The target of the speed-up by a second thread.
const GAIN: f64 = 1.7;

/// The target of the memory: bytes per particle beyond input and output.
const BYTES: f64 = 100.0;

/// Pure arithmetic in two equal parts. Its speed-up by a second thread is the largest that the
/// machine gives under its current load.
fn arithmetic() {
    let part = |seed: u64| {
        let step = |x: u64, _| x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        black_box((0..black_box(20_000_000)).fold(seed, step));
    };
    rayon::join(|| part(1), || part(2));
}

/// Prints the wall time of the broad phase on one and two threads, for `auto` and for the fastest
/// method `best`.
pub fn threads<const D: usize>(
    spheres: &Spheres<D>,
    best: &str,
    turns: usize,
) -> Result<(), Box<dyn std::error::Error>>
where
    Space: Dimension<D>,
{
    let pools = [1, 2].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build());
    let [one, two] = pools;
    let pools = [one?, two?];
    for method in [Method::Auto, best.parse()?] {
        let mut least = [f64::INFINITY; 2];
        let mut machine = [f64::INFINITY; 2];
        let mut finder = BroadPhase::<D>::new(PairSettings::default().with_method(method))?;
        let mut out = Vec::new();
        for _ in 0..turns {
            for (k, pool) in pools.iter().enumerate() {
                let start = Instant::now();
                pool.install(arithmetic);
                machine[k] = machine[k].min(start.elapsed().as_secs_f64());
                forget(method, &mut finder, spheres.into());
                let start = Instant::now();
                pool.install(|| find(&mut finder, spheres.into(), &mut out));
                least[k] = least[k].min(start.elapsed().as_secs_f64());
            }
        }
        let [one, two] = least.map(|seconds| seconds * 1e3);
        println!(
            "  wall time of {:<8} 1 thread {one:.2} ms, 2 threads {two:.2} ms: {:.2}x, \
             target {GAIN}x (the machine gives {:.2}x now)",
            method.name(),
            one / two,
            machine[0] / machine[1]
        );
        if finder.method() == best {
            break;
        }
    }
    Ok(())
}

/// Prints the memory of each broad phase method: bytes per particle beyond input and output.
pub fn memory(count: usize) -> tangere::Result<()> {
    let spheres = particles::<3>(&ParticleBox::test_a(3, count, 0))?;
    println!(
        "\nMemory, 3D A, {}: bytes per particle beyond input and output, target {BYTES}",
        super::cases::count_name(count)
    );
    println!(
        "  {:<10} {:>14} {:>12} {:>8}",
        "", "most, cold", "most, warm", "kept"
    );
    for method in METHODS {
        let mut finder = BroadPhase::<3>::new(PairSettings::default().with_method(method))?;
        // The output is allocated before counting.
        let mut out = Vec::new();
        find(&mut finder, (&spheres).into(), &mut out);
        out.shrink_to_fit();
        drop(finder);
        let mut finder = BroadPhase::<3>::new(PairSettings::default().with_method(method))?;
        let each = |bytes: usize| bytes as f64 / count as f64;
        let [cold, kept] = peak_of(|| find(&mut finder, (&spheres).into(), &mut out));
        let [more, _] = peak_of(|| find(&mut finder, (&spheres).into(), &mut out));
        println!(
            "  {:<10} {:>14.1} {:>12.1} {:>8.1}",
            method.name(),
            each(cold),
            each(kept + more),
            each(kept)
        );
    }
    Ok(())
}
