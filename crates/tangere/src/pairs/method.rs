//! Names of the broad-phase methods.

use crate::names::names;

/// A broad-phase method, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// The automatic choice of the method predicted to be fastest for the items.
    #[default]
    Auto,
    /// Brute force: every pair is tested.
    Brute,
    /// Sorted distances: items sorted by distance from reference points.
    Shells,
    /// Uniform grid: cells as large as the largest item.
    Cells,
    /// Sweep and prune: interval endpoints kept sorted along every axis.
    Sweep,
    /// Hierarchical grid: items stored at the level of their size.
    Grid,
    /// Bounding volume hierarchy traversed against itself.
    Tree,
}

names! {
    Method, Method {
        Auto = "auto",
        Brute = "brute",
        Shells = "shells",
        Cells = "cells",
        Sweep = "sweep",
        Grid = "grid",
        Tree = "tree",
    }
}
