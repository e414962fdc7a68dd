//! Packings for the tests of overlapping spheres: realistic and adversarial ones.

use tangere::geometry::Pose;
use tangere::shape::Packing;
use test_support::Random;

pub type Spheres = (Vec<[f64; 3]>, Vec<f64>);

pub fn packing((centers, radii): Spheres) -> Packing {
    Packing::new(centers, radii).expect("a packing")
}

/// Random spheres in a box, with radii decreasing as in an Apollonian packing.
pub fn fallen(count: usize, seed: u64) -> Spheres {
    let mut random = Random::new(seed);
    let (mut centers, mut radii): Spheres = (Vec::new(), Vec::new());
    let mut radius = 0.5;
    while centers.len() < count {
        let wanted = 0.5 * (centers.len() as f64 + 1.0).powf(-1.0 / 2.47);
        radius = f64::min(radius, wanted * (0.8 + 0.4 * random.unit()));
        let point = random.vector(1.0);
        let gap = |i: usize| -> f64 {
            let square = |k: usize| (centers[i][k] - point[k]) * (centers[i][k] - point[k]);
            (square(0) + square(1) + square(2)).sqrt() - radii[i]
        };
        if (0..centers.len()).all(|i| gap(i) > radius) {
            centers.push(point);
            radii.push(radius);
        } else {
            radius *= 0.999;
        }
    }
    (centers, radii)
}

/// Random spheres with log-uniform radii, the largest `ratio` times the smallest.
pub fn spread(count: usize, ratio: f64, seed: u64) -> Spheres {
    let mut random = Random::new(seed);
    let (mut centers, mut radii): Spheres = (Vec::new(), Vec::new());
    // Spheres of equal size need space for each other.
    let largest = f64::min(0.6, 0.5 * (count as f64).powf(-1.0 / 3.0) * ratio);
    while centers.len() < count {
        let point = random.vector(1.0);
        let wanted = largest * ratio.powf(-random.unit());
        let free = (0..centers.len()).fold(wanted, |free: f64, i| {
            let square = |k: usize| (centers[i][k] - point[k]) * (centers[i][k] - point[k]);
            free.min(0.999 * ((square(0) + square(1) + square(2)).sqrt() - radii[i]))
        });
        if free >= 0.999 * largest / ratio {
            centers.push(point);
            radii.push(free);
        }
    }
    (centers, radii)
}

/// Equal spheres that touch, on a lattice of `side` to the third, with powers of two for radii.
pub fn lattice(side: usize, radius: f64, corner: [f64; 3]) -> Spheres {
    let centers = (0..side * side * side).map(|i| {
        let cell = [i % side, i / side % side, i / side / side];
        std::array::from_fn(|k| corner[k] + 2.0 * radius * cell[k] as f64)
    });
    (centers.collect(), vec![radius; side * side * side])
}

/// A huge sphere with tiny ones around it.
pub fn crown(count: usize) -> Spheres {
    let (mut centers, mut radii) = (vec![[0.0; 3]], vec![1.0]);
    let radius = 0.8 / (count as f64).sqrt();
    for i in 0..count {
        let z = 1.0 - 2.0 * (i as f64 + 0.5) / count as f64;
        let (sine, cosine) = (2.399_963_229_728_653 * i as f64).sin_cos();
        let flat = (1.0 - z * z).sqrt();
        centers.push([flat * cosine, flat * sine, z].map(|x| x * (1.0 + 1.001 * radius)));
        radii.push(radius);
    }
    (centers, radii)
}

/// Spheres in a row, each half as large as the one before, down to a millionth, and a lattice at
/// the tip.
pub fn tapered() -> Spheres {
    let (mut centers, mut radii): Spheres = (Vec::new(), Vec::new());
    let (mut x, mut radius) = (0.0, 1.0);
    for _ in 0..21 {
        centers.push([x + radius, 0.0, 0.0]);
        radii.push(radius);
        x += 2.0 * radius;
        radius *= 0.5;
    }
    let tip = lattice(5, radius, [x + radius, 0.0, 0.0]);
    centers.extend(tip.0);
    radii.extend(tip.1);
    (centers, radii)
}

/// A cluster of spheres, and one sphere far away.
pub fn stray(side: usize, far: f64) -> Spheres {
    let (mut centers, mut radii) = lattice(side, 1.0 / 1024.0, [0.0; 3]);
    centers.push([far, 0.5 * far, 0.25 * far]);
    radii.push(1.0 / 1024.0);
    (centers, radii)
}

/// Small lattices far apart: most cells are empty.
pub fn scattered(count: usize) -> Spheres {
    let mut random = Random::new(77);
    let (mut centers, mut radii): Spheres = (Vec::new(), Vec::new());
    for i in 0..count {
        let corner = random
            .vector(1.0)
            .map(|x| (64.0 * x).round() + 8.0 * i as f64);
        let few = lattice(3, 1.0 / 64.0, corner);
        centers.extend(few.0);
        radii.extend(few.1);
    }
    (centers, radii)
}

/// The packing translated.
pub fn moved((mut centers, radii): Spheres, by: [f64; 3]) -> Spheres {
    for center in &mut centers {
        *center = std::array::from_fn(|k| center[k] + by[k]);
    }
    (centers, radii)
}

/// A pose.
pub fn pose(translation: [f64; 3], angle: f64) -> Pose {
    let (sine, cosine) = (0.5 * angle).sin_cos();
    let [x, y, z] = translation;
    let numbers = [x, y, z, cosine, 0.48 * sine, 0.6 * sine, 0.64 * sine];
    Pose::from_numbers(&numbers).expect("a pose")
}

/// All packings that are small enough for brute force, by name.
pub fn all() -> Vec<(&'static str, Packing)> {
    vec![
        ("one", packing((vec![[0.25, 0.5, -1.0]], vec![0.75]))),
        ("fallen", packing(fallen(900, 1))),
        ("fewer", packing(fallen(200, 2))),
        ("lattice", packing(lattice(7, 0.125, [-0.75; 3]))),
        ("finer lattice", packing(lattice(9, 0.0625, [-0.5; 3]))),
        ("crown", packing(crown(700))),
        ("tapered", packing(tapered())),
        ("stray", packing(stray(6, 100.0))),
        ("far stray", packing(stray(6, 1e5))),
        ("scattered", packing(scattered(12))),
    ]
}
