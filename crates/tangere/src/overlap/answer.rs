//! What is asked for and what is told.

use crate::names::names;
use std::time::Duration;

/// A method of finding the spheres of two packings that meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// The fastest for the two packings: trees over spheres that keep their places, which are made when first asked
    /// for; levels of cells where spheres of a packing have been moved, and within a budget.
    #[default]
    Auto,
    /// Levels of cells.
    Grid,
    /// The hash grid of weller2014, for the record.
    Djb2,
    /// Every sphere against every other.
    Brute,
    /// Balls around spheres, level by level, of both packings against each other.
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

/// What two bodies have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// The volume, estimated from the spheres and what they leave unfilled; from `lower` to `upper`.
    pub volume: f64,
    /// The volume that the spheres share: the bodies share at least as much.
    pub lower: f64,
    /// What the bodies share at most.
    pub upper: f64,
    /// The force on b: normals of the pairs from a to b, weighted by the volumes they share.
    pub force: [f64; 3],
    /// The torque of that force about the origin of b's frame or the point that was given.
    pub torque: [f64; 3],
    /// The centre of the volume that the spheres share; NaN where there is none.
    pub centroid: [f64; 3],
    /// The direction of the force, from a to b, of unit length; NaN where there is none.
    pub normal: [f64; 3],
    /// The number of pairs of spheres that overlap.
    pub pairs: usize,
    /// The method that found them.
    pub method: Method,
    /// Whether these are all, or a budget was used up or the work asked to end before.
    pub complete: bool,
    /// How many of the largest spheres of a and b have been joined: pairs of these are all
    /// among those found.
    pub spheres: [usize; 2],
    /// What it took, in units of [`Budget::Work`]; 0 for methods without a budget.
    pub work: u64,
}

/// How much a question may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Work: rows of cells looked at, tests of eight spheres and pairs. Its answer is the same every time.
    Work(u64),
    /// Time, of all there is to do; the clock is looked at every few microseconds. Below 250 µs the query stays
    /// on its thread, for others may be late.
    Time(Duration),
}
