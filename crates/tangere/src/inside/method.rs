//! Methods of point containment by name.

use super::{Auto, Cells, InsideSettings, InsideTest, Layer, Multipole, RayTree};
use crate::error::{Argument, Error, Result, named};
use std::fmt;
use std::str::FromStr;

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

impl Method {
    /// All methods, in the order in which help lists them.
    pub const ALL: [Method; 5] = [
        Method::Auto,
        Method::Ray,
        Method::Layer,
        Method::Multipole,
        Method::Cells,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Ray => "ray",
            Method::Layer => "layer",
            Method::Multipole => "multipole",
            Method::Cells => "cells",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        named(Argument::Method, text, &Method::ALL, Method::name)
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
