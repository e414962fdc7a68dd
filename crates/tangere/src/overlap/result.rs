//! Methods, budgets and results of an overlap query.

use crate::names::names;
use std::time::Duration;

/// How a query finds the overlapping spheres of two packings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Chooses the fastest method for the two packings: inner sphere trees for rigid packings,
    /// built at the first query; the hierarchical grid where spheres of a packing have been moved,
    /// and within a budget.
    #[default]
    Auto,
    /// Hierarchical grid: one uniform grid for each class of radii.
    Grid,
    /// The spatial hash published in weller2014, for comparison.
    Djb2,
    /// Brute force: tests every sphere of `a` against every sphere of `b`.
    Brute,
    /// Simultaneous traversal of two inner sphere trees.
    Tree,
}

names! {
    Method, Method {
        Auto = "auto",
        Grid = "grid",
        Tree = "tree",
        Djb2 = "djb2",
        Brute = "brute",
    }
}

/// The penetration of two bodies: volume with bounds, force, torque, centroid and normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// The penetration volume, estimated from the spheres and what they leave unfilled; between
    /// `lower` and `upper`.
    pub volume: f64,
    /// Lower bound of the penetration volume: the volume that the spheres share.
    pub lower: f64,
    /// Upper bound of the penetration volume.
    pub upper: f64,
    /// The force on `b`: the sum over pairs of spheres of normal (from `a` to `b`) times shared
    /// volume.
    pub force: [f64; 3],
    /// The torque of [`Overlap::force`] about the origin of the frame of `b`, or about the given
    /// point.
    pub torque: [f64; 3],
    /// The centroid of the volume that the spheres share; NaN without overlap.
    pub centroid: [f64; 3],
    /// The contact normal: unit vector along the force, from `a` to `b`; NaN without overlap.
    pub normal: [f64; 3],
    /// The number of overlapping pairs of spheres.
    pub pairs: usize,
    /// The method that found the pairs of spheres.
    pub method: Method,
    /// Whether all pairs were found: false if a budget ran out or the query was stopped.
    pub complete: bool,
    /// How many of the largest spheres of `a` and of `b` were searched: all pairs among these
    /// spheres were found.
    pub spheres: [usize; 2],
    /// The work done, in units of [`Budget::Work`]; 0 for methods without a budget.
    pub work: u64,
}

/// The limit of the cost of an overlap query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// A limit of work: rows of cells visited, tests of eight spheres, and pairs. The result is
    /// deterministic.
    Work(u64),
    /// A limit of the wall-clock time of the query, checked every few microseconds. Below 250 µs
    /// the query stays on its thread, because other threads may wake too late.
    Time(Duration),
}
