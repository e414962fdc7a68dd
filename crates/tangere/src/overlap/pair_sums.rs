//! Sums over overlapping pairs of a sphere of packing `a` and a sphere of packing `b`: volume,
//! moment, force and torque.
//!
//! Pairs are collected in batches of eight lanes; the intersection volumes of a batch are computed
//! at once. Lanes are added in a fixed order, so a sum depends only on the order of the pairs.

use super::sphere_intersection::lenses;
use crate::simd::{LANES, RealKernel, Reals, load_all, run_reals};

/// A sphere with its centre relative to the middle of a packing's box. In a pair, both spheres are
/// in the frame of `b`, relative to the middle of the box of `b`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) center: [f64; 3],
    pub(super) radius: f64,
    /// The weight of the sphere: the volume of the body that a unit of the sphere's volume
    /// represents. A sphere also represents unfilled volume around it.
    pub(super) weight: f64,
}

impl Placed {
    /// Returns whether two placed spheres overlap, so that their pair enters the sums. All methods
    /// decide every pair by this test.
    #[inline(always)]
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let [x, y, z] = std::array::from_fn(|k| other.center[k] - self.center[k]);
        let reach = self.radius + other.radius;
        x * x + y * y + z * z < reach * reach
    }
}

/// The number of sums over pairs: two volumes, and three components each of moment, force and
/// torque.
pub(super) const SUMS: usize = 11;

/// Sums over overlapping pairs of spheres, in the frame of `b`. Moment and torque are about the
/// middle of the box of `b`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sums {
    /// In this order: the shared volume, the shared volume times the weights of both spheres, and
    /// three components each of the moment, the force and the torque.
    values: [f64; SUMS],
    pub(super) pairs: usize,
}

impl Sums {
    /// Returns sums over pairs from `lanes`, which has a row of eight partial sums for each sum.
    /// These are added in a fixed order.
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

    /// Returns the sum over pairs of the shared volume times the weights of both spheres: the
    /// estimate of the penetration volume.
    pub(super) fn weighted(&self) -> f64 {
        self.values[1]
    }

    /// Returns the first moment of the shared volume about the middle of the box of `b`, summed
    /// over pairs.
    pub(super) fn moment(&self) -> [f64; 3] {
        [self.values[2], self.values[3], self.values[4]]
    }

    /// Returns the force on `b`, in its frame, summed over pairs.
    pub(super) fn force(&self) -> [f64; 3] {
        [self.values[5], self.values[6], self.values[7]]
    }

    /// Returns the torque on `b` about the middle of its box, summed over pairs.
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

/// Adds up pairs of spheres: holds the sums so far, and a batch of up to eight pairs that wait to
/// be added.
#[derive(Clone, Debug)]
pub(super) struct Adder {
    /// The waiting pairs, one in each lane: centre, radius and weight of the sphere of `a`, then
    /// those of the sphere of `b`.
    lanes: [[f64; LANES]; 10],
    waiting: usize,
    /// For each sum a row of eight partial sums, one for each lane.
    sums: [[f64; LANES]; SUMS],
    pairs: usize,
}

impl Adder {
    /// Returns an adder of pairs to which no pair has been added yet.
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

    /// Adds the terms of the batch of waiting pairs to the pair sums.
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

/// The kernel that adds the terms of a batch of eight pairs to the sums.
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

/// Returns, for eight pairs of spheres, the squared distances of their centres and the terms that
/// the pairs add to each sum. A sphere is given by its centre, radius and weight.
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
