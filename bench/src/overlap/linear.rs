//! Benchmark: overlapping pairs and time are linear in the number of spheres, also for worst-case
//! packings (weller2014, theorem 3.2).

use crate::{Options, Outcome};
use std::time::Instant;
use tangere::geometry::Pose;
use tangere::overlap::{Method, OverlapQuery, OverlapSettings};
use tangere::shape::Packing;

/// The approximate numbers of spheres of the packings.
const COUNTS: [usize; 5] = [10_000, 30_000, 100_000, 300_000, 1_000_000];

/// The number of repetitions at each pose; the minimum time counts.
const TURNS: usize = 3;

type Spheres = (Vec<[f64; 3]>, Vec<f64>);

/// A function that generates a packing of about this many spheres.
type Maker = fn(usize) -> Spheres;

pub fn run(options: &Options) -> Outcome {
    let packings: [(&str, Maker); 3] = [
        ("lattice, all spheres touch six others", lattice),
        ("crown, tiny spheres all around a huge one", crown),
        ("lattices of three sizes in each other", nested),
    ];
    for (name, spheres) in packings {
        if !options.selects(name) {
            continue;
        }
        println!("\n{name}: the worst of several poses");
        for count in COUNTS {
            if options.quick && count > 100_000 {
                break;
            }
            let (centers, radii) = spheres(count);
            let packing = Packing::new(centers, radii)?;
            print!("  {:>8} spheres", packing.len());
            for method in [Method::Grid, Method::Tree] {
                let (pairs, seconds) = worst(&packing, method)?;
                let each = 1.0 / packing.len() as f64;
                print!(
                    "  {method}: {:>5.2} pairs and {:>6.1} ns per sphere",
                    pairs as f64 * each,
                    seconds * 1e9 * each
                );
            }
            println!();
        }
    }
    Ok(())
}

/// Returns the largest number of overlapping pairs and the longest time in seconds over several
/// poses of a copy of the packing.
fn worst(packing: &Packing, method: Method) -> tangere::Result<(usize, f64)> {
    let mut query = OverlapQuery::new(OverlapSettings {
        method,
        about: None,
    })?;
    let extent = packing.bounds().max[0] - packing.bounds().min[0];
    let (mut pairs, mut seconds) = (0, 0.0);
    for (share, angle) in [(0.0, 0.0), (1e-3, 0.0), (0.0, 0.5), (0.01, 1.0), (0.3, 2.0)] {
        let (sin, cos) = (0.5_f64 * angle).sin_cos();
        let numbers = [
            share * extent,
            0.0,
            0.0,
            cos,
            0.48 * sin,
            0.6 * sin,
            0.64 * sin,
        ];
        let pose = Pose::from_numbers(&numbers)?;
        let mut least = f64::INFINITY;
        for _ in 0..TURNS {
            let start = Instant::now();
            let found = query.overlap(packing, &Pose::identity(), packing, &pose);
            least = least.min(start.elapsed().as_secs_f64());
            pairs = pairs.max(found.pairs);
        }
        seconds = f64::max(seconds, least);
    }
    Ok((pairs, seconds))
}

/// Returns a cubic lattice of equal spheres that touch their neighbours.
fn lattice(count: usize) -> Spheres {
    let side = (count as f64).cbrt().round() as usize;
    let centers = (0..side.pow(3)).map(|i| {
        let cell = [i % side, i / side % side, i / side / side];
        cell.map(|x| x as f64 - 0.5 * side as f64)
    });
    (centers.collect(), vec![0.5; side.pow(3)])
}

/// Returns a huge sphere with tiny spheres all over its surface.
fn crown(count: usize) -> Spheres {
    let (mut centers, mut radii) = (vec![[0.0; 3]], vec![1.0]);
    let radius = 0.8 / (count as f64).sqrt();
    for i in 1..count {
        let z = 1.0 - 2.0 * (i as f64 - 0.5) / count as f64;
        let (sin, cos) = (2.399_963_229_728_653 * i as f64).sin_cos();
        let flat = (1.0 - z * z).sqrt();
        centers.push([flat * cos, flat * sin, z].map(|x| x * (1.0 + 1.001 * radius)));
        radii.push(radius);
    }
    (centers, radii)
}

/// Returns spheres of three sizes, each size on a lattice in the gaps of the larger ones.
fn nested(count: usize) -> Spheres {
    let side = (count as f64 / 3.0).cbrt().round() as usize;
    let (mut centers, mut radii) = (Vec::new(), Vec::new());
    for i in 0..side.pow(3) {
        let cell = [i % side, i / side % side, i / side / side].map(|x| x as f64);
        centers.push(cell);
        radii.push(0.5);
        centers.push(cell.map(|x| x + 0.5));
        radii.push(0.25);
        centers.push([cell[0] + 0.5, cell[1] + 0.5, cell[2]]);
        radii.push(0.125);
    }
    (centers, radii)
}
