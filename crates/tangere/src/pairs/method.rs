//! Broad-phase methods by name.

use crate::names::names;

/// A broad-phase method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// The method predicted to be fastest for the items, by their number and sizes.
    #[default]
    Auto,
    /// Brute force: every pair is tested.
    Brute,
    /// Items sorted by distance from reference points.
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
