//! Methods, budgets and results of an overlap query.

use crate::names::names;
use std::time::Duration;

/// The method by which a query finds the overlapping spheres of two packings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Chooses the fastest method for the two packings. For rigid packings that is the traversal of
    /// inner sphere trees, which are built at the first query. If spheres of a packing have been
    /// moved, or if there is a budget, that is the hierarchical grid.
    #[default]
    Auto,
    /// Hierarchical grid: one uniform grid for each class of radii.
    Grid,
    /// The spatial hash published in weller2014; one of [`Method::PUBLISHED`].
    Djb2,
    /// A perfect hash of the cells, for rigid bodies (weller2014, section 4.3); one of
    /// [`Method::PUBLISHED`].
    PerfectHash,
    /// Morton order of the cells with closed hashing (weller2014, section 5.1); one of
    /// [`Method::PUBLISHED`].
    Morton,
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
        PerfectHash = "perfect-hash",
        Morton = "morton",
        Brute = "brute",
    }
}

impl Method {
    /// The methods of the papers as published: the same pairs as all others, to check a paper or to
    /// teach. [`Method::Auto`] never picks them.
    pub const PUBLISHED: [Method; 3] = [Method::Djb2, Method::PerfectHash, Method::Morton];
}

/// The penetration of two bodies: volume with bounds, force, torque, centroid and normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// The penetration volume, estimated from the volume that the spheres share and from the
    /// unfilled volume around them; between `lower` and `upper`.
    pub volume: f64,
    /// Lower bound of the penetration volume: the volume that the spheres share.
    pub lower: f64,
    /// Upper bound of the penetration volume, from the volume that the spheres share and the
    /// unfilled volume that may lie in the other body.
    pub upper: f64,
    /// The force on `b`: the sum over overlapping pairs of spheres of the shared volume times the
    /// unit vector from the centre of the sphere of `a` to that of `b`, in the world frame.
    pub force: [f64; 3],
    /// The torque of [`Overlap::force`] about the reference point of the settings, in the world
    /// frame; by default the origin of the frame of `b`.
    pub torque: [f64; 3],
    /// The centroid of the volume that the spheres share, in the world frame; NaN without overlap.
    pub centroid: [f64; 3],
    /// The contact normal: the unit vector along the force, from `a` to `b`, in the world frame;
    /// NaN without overlap.
    pub normal: [f64; 3],
    /// The number of overlapping pairs of spheres.
    pub pairs: usize,
    /// The method that found the pairs of spheres.
    pub method: Method,
    /// Whether all overlapping pairs were found: `false` if a budget ran out or the query was
    /// stopped.
    pub complete: bool,
    /// How many spheres of `a` and of `b`, counted from the largest, the query has compared
    /// completely: all overlapping pairs between these were found. The numbers of all spheres if
    /// the query is complete.
    pub spheres: [usize; 2],
    /// The work that the query did, in units of [`Budget::Work`]; 0 for methods without a budget.
    pub work: u64,
}

/// The limit of the cost of an overlap query, as work or as time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// A limit of work, the number of rows of cells visited, tests of eight spheres at a time, and
    /// overlapping pairs, all added up. The result is deterministic.
    Work(u64),
    /// A limit of the wall-clock time of the query, checked every few microseconds. Below 250 µs
    /// the query stays on its thread, because other threads may wake too late.
    Time(Duration),
}
