//! Sums over overlapping pairs of a sphere of packing `a` and a sphere of packing `b`: volume,
//! moment, force and torque.
//!
//! Pairs are collected in batches of eight lanes; the intersection volumes of a batch are computed
//! at once. Lanes are added in a fixed order, so a sum depends only on the order of the pairs.

use super::sphere_intersection::lenses;
use crate::simd::{LANES, RealKernel, Reals, load_all, run_reals};

/// A sphere relative to the middle of a packing's box. Both spheres of a pair are in the frame of
/// `b`, relative to the middle of `b`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) center: [f64; 3],
    pub(super) radius: f64,
    /// The volume of the body that a unit of the sphere's volume represents.
    pub(super) weight: f64,
}

impl Placed {
    /// Returns whether two placed spheres overlap, so that their pair enters the sums: this test
    /// decides every pair.
    #[inline(always)]
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let [x, y, z] = std::array::from_fn(|k| other.center[k] - self.center[k]);
        let reach = self.radius + other.radius;
        x * x + y * y + z * z < reach * reach
    }
}

/// The number of sums: two volumes, and three components each of moment, force and torque.
pub(super) const SUMS: usize = 11;

/// Sums over overlapping pairs of spheres, in the frame of `b`, about the middle of `b`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sums {
    /// The shared volume, the weighted shared volume, the moment, the force and the torque.
    values: [f64; SUMS],
    pub(super) pairs: usize,
}

impl Sums {
    /// Returns sums over pairs from rows of lanes, one row for each sum, added in a fixed order.
    pub(super) fn of_lanes(lanes: &[[f64; LANES]; SUMS], pairs: usize) -> Self {
        Self {
            values: lanes
                .map(|v| ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]))),
            pairs,
        }
    }

    /// Returns the volume that the spheres share, summed over pairs: the lower bound of the
    /// penetration volume.
    pub(super) fn lower(&self) -> f64 {
        self.values[0]
    }

    /// Returns the shared volume weighted by both spheres, summed over pairs: the estimate of the
    /// penetration volume.
    pub(super) fn weighted(&self) -> f64 {
        self.values[1]
    }

    /// Returns the first moment of the shared volume, summed over pairs, about the middle of `b`.
    pub(super) fn moment(&self) -> [f64; 3] {
        [self.values[2], self.values[3], self.values[4]]
    }

    /// Returns the force on `b`, summed over pairs.
    pub(super) fn force(&self) -> [f64; 3] {
        [self.values[5], self.values[6], self.values[7]]
    }

    /// Returns the torque on `b` about its middle, summed over pairs.
    pub(super) fn torque(&self) -> [f64; 3] {
        [self.values[8], self.values[9], self.values[10]]
    }

    /// Adds the sums over other pairs of spheres to these pair sums.
    pub(super) fn add(&mut self, other: &Self) {
        for (sum, value) in self.values.iter_mut().zip(other.values) {
            *sum += value;
        }
        self.pairs += other.pairs;
    }
}

/// Adds up pairs of spheres: holds the sums so far and a batch that is filled.
#[derive(Clone, Debug)]
pub(super) struct Adder {
    /// The centres, radii and weights of the spheres of `a` and `b`, lane by lane.
    lanes: [[f64; LANES]; 10],
    waiting: usize,
    /// One row of lanes for each sum.
    sums: [[f64; LANES]; SUMS],
    pairs: usize,
}

impl Adder {
    /// Returns an adder of pairs without pairs so far.
    pub(super) fn new() -> Self {
        Self {
            lanes: [[0.0; LANES]; 10],
            waiting: 0,
            sums: [[0.0; LANES]; SUMS],
            pairs: 0,
        }
    }

    /// Adds an overlapping pair of spheres to the pair sums.
    #[inline(always)]
    pub(super) fn push(&mut self, a: &Placed, b: &Placed) {
        let i = self.waiting;
        for (first, sphere) in [(0, a), (5, b)] {
            for k in 0..3 {
                self.lanes[first + k][i] = sphere.center[k];
            }
            self.lanes[first + 3][i] = sphere.radius;
            self.lanes[first + 4][i] = sphere.weight;
        }
        self.waiting = i + 1;
        if self.waiting == LANES {
            self.flush();
        }
    }

    /// Adds the terms of the waiting batch of pairs to the pair sums.
    fn flush(&mut self) {
        // Unused lanes hold spheres that are far apart, which add 0.
        for i in self.waiting..LANES {
            for row in &mut self.lanes {
                row[i] = 0.0;
            }
            self.lanes[0][i] = 4.0;
            self.lanes[3][i] = 1.0;
            self.lanes[8][i] = 1.0;
        }
        self.pairs += self.waiting;
        self.waiting = 0;
        run_reals(Eight {
            lanes: &self.lanes,
            sums: &mut self.sums,
        });
    }

    /// Returns the pair sums over all pairs of spheres that were added.
    pub(super) fn sums(mut self) -> Sums {
        if self.waiting > 0 {
            self.flush();
        }
        Sums::of_lanes(&self.sums, self.pairs)
    }
}

/// The kernel that adds a batch of eight pairs to the sums.
struct Eight<'a> {
    lanes: &'a [[f64; LANES]; 10],
    sums: &'a mut [[f64; LANES]; SUMS],
}

impl RealKernel for Eight<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let [ax, ay, az, r, v, bx, by, bz, s, w] = load_all::<V, 10>(self.lanes);
        let (_, values) = terms([ax, ay, az, r, v], [bx, by, bz, s, w]);
        for (sum, value) in self.sums.iter_mut().zip(values) {
            (V::load(sum) + value).store(sum);
        }
    }
}

/// Returns the squared distances of eight pairs of spheres, which are given by centres, radii and
/// weights, and the terms of these pairs in each sum.
#[inline(always)]
pub(super) fn terms<V: Reals>(a: [V; 5], b: [V; 5]) -> (V, [V; SUMS]) {
    let ([ax, ay, az, r, v], [bx, by, bz, s, w]) = (a, b);
    let [x, y, z] = [bx - ax, by - ay, bz - az];
    let squared = x * x + y * y + z * z;
    let [of_a, of_b, push] = lenses(squared, r, s);
    let volume = of_a + of_b;
    let force = [push * x, push * y, push * z];
    let values = [
        volume,
        volume * (v * w),
        of_a * ax + of_b * bx,
        of_a * ay + of_b * by,
        of_a * az + of_b * bz,
        force[0],
        force[1],
        force[2],
        // The lever arm may end anywhere on the line of centres.
        by * force[2] - bz * force[1],
        bz * force[0] - bx * force[2],
        bx * force[1] - by * force[0],
    ];
    (squared, values)
}
