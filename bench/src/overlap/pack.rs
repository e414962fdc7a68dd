//! Benchmark of sphere packing: filling and time.

use super::bodies::Body;
use crate::Options;
use crate::timing::cpu_seconds;
use std::time::Instant;
use tangere::overlap::pack::{PackSettings, pack_mesh};
use tangere::shape::Packing;

/// The numbers of spheres, each with its target in seconds on two threads, if there is one.
const COUNTS: [(usize, Option<f64>); 3] = [(4000, Some(1.5)), (20_000, None), (60_000, Some(12.0))];

/// Packs a body with each number of spheres, on all threads; prints filling and time, and returns
/// the packings.
pub fn run(options: &Options, body: &Body) -> Result<Vec<Packing>, Box<dyn std::error::Error>> {
    let pool = rayon::ThreadPoolBuilder::new().build()?;
    println!(
        "\npacking of {}, {} threads",
        body.name,
        pool.current_num_threads()
    );
    let mut packings = Vec::new();
    for (count, seconds) in COUNTS {
        if options.quick && count > 20_000 {
            continue;
        }
        let (start, cpu) = (Instant::now(), cpu_seconds());
        let packing = pool.install(|| pack_mesh(&body.mesh, &PackSettings::spheres(count)))?;
        let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu);
        let filling = 100.0 * packing.filling();
        print!("  {count:>6} spheres {filling:>6.2}% in {wall:.2} s, {cpu:.2} s of CPU");
        print_target(body, count, seconds);
        packings.push(packing);
    }
    Ok(packings)
}

fn print_target(body: &Body, count: usize, seconds: Option<f64>) {
    let filling = body.target.and_then(|[few, many]| match count {
        4000 => Some(few),
        60_000 => Some(many),
        _ => None,
    });
    match (filling, seconds) {
        (Some(filling), Some(seconds)) => {
            println!("; target {:.0}% in {seconds} s", 100.0 * filling);
        }
        (None, Some(seconds)) => println!("; target in {seconds} s"),
        _ => println!(),
    }
}
