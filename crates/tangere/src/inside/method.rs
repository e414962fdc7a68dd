//! Methods of point containment by name.

use super::{Auto, Cells, InsideSettings, InsideTest, Layer, Multipole, RayTree};
use crate::error::Result;
use crate::names::names;

/// A method of point containment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// The fastest for the surface and the points.
    #[default]
    Auto,
    /// Ray crossings, found with the BVH.
    Ray,
    /// The double layer potential, summed over all triangles.
    Layer,
    /// The double layer potential by the fast multipole method.
    Multipole,
    /// Labelled cells: inside or outside as a whole.
    Cells,
}

names! {
    Method, Method {
        Auto = "auto",
        Ray = "ray",
        Layer = "layer",
        Multipole = "multipole",
        Cells = "cells",
    }
}

/// A method by its name.
///
/// # Errors
/// When the accuracy is not between 0 and 1.
pub fn inside_test(method: Method, settings: InsideSettings) -> Result<Box<dyn InsideTest>> {
    Ok(match method {
        Method::Layer => Box::new(Layer::new(settings)?),
        Method::Multipole => Box::new(Multipole::new(settings)?),
        Method::Auto => Box::new(Auto::new(settings)?),
        Method::Cells => Box::new(Cells::new(settings)?),
        Method::Ray => Box::new(RayTree::new(settings)?),
    })
}
