//! Files for Tangere.
mod error;
mod polygons;
pub mod vtk;

pub use error::{Error, Fault, Place, Result};
pub use polygons::Polygons;
