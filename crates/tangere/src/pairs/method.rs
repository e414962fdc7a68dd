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
    /// Linked cells as published, with header and list arrays; one of [`Method::PUBLISHED`].
    Linked,
    /// Sorted distances as published, from one reference point; one of [`Method::PUBLISHED`].
    ShellsPublished,
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
        Linked = "linked",
        ShellsPublished = "shells-published",
    }
}

impl Method {
    /// The methods of the papers as published: the same pairs as all others, to check a paper or to
    /// teach. [`Method::Auto`] never picks them.
    pub const PUBLISHED: [Method; 2] = [Method::Linked, Method::ShellsPublished];
}
