//! Broad-phase methods by name.

use super::verlet_list::Source;
use super::{Auto, Brute, Cells, GridPairs, PairFinder, PairSettings, Shells, Sweep, TreePairs};
use crate::error::{Argument, Error, Result};
use crate::names::names;
use std::any::Any;

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

/// A finder by the name of its method.
///
/// # Errors
/// When the margin is negative or not finite.
pub fn finder<const D: usize>(
    method: Method,
    settings: PairSettings<D>,
) -> Result<Box<dyn PairFinder<D>>> {
    Ok(source(method, settings)?)
}

/// A finder by the name of its method, also for [`super::Candidates`].
///
/// All methods are compiled here, once for the plane and once for space, instead of in every
/// crate that uses one, which would take minutes.
pub(super) fn source<const D: usize>(
    method: Method,
    settings: PairSettings<D>,
) -> Result<Box<dyn Source<D>>> {
    let settings: &dyn Any = &settings;
    let made: Box<dyn Any> = if let Some(settings) = settings.downcast_ref() {
        Box::new(in_the_plane(method, *settings))
    } else if let Some(settings) = settings.downcast_ref() {
        Box::new(in_space(method, *settings))
    } else {
        let expected = "two or three dimensions";
        return Err(Error::argument(
            Argument::Space,
            format!("{D} dimensions"),
            expected,
        ));
    };
    match made.downcast::<Result<Box<dyn Source<D>>>>() {
        Ok(finder) => *finder,
        Err(_) => unreachable!("dimensions are the same in and out"),
    }
}

fn in_the_plane(method: Method, settings: PairSettings<2>) -> Result<Box<dyn Source<2>>> {
    compiled(method, settings)
}

fn in_space(method: Method, settings: PairSettings<3>) -> Result<Box<dyn Source<3>>> {
    compiled(method, settings)
}

fn compiled<const D: usize>(
    method: Method,
    settings: PairSettings<D>,
) -> Result<Box<dyn Source<D>>> {
    Ok(match method {
        Method::Brute => Box::new(Brute::new(settings)?),
        Method::Shells => Box::new(Shells::new(settings)?),
        Method::Cells => Box::new(Cells::new(settings)?),
        Method::Sweep => Box::new(Sweep::new(settings)?),
        Method::Grid => Box::new(GridPairs::new(settings)?),
        Method::Tree => Box::new(TreePairs::new(settings)?),
        Method::Auto => Box::new(Auto::new(settings)?),
    })
}
