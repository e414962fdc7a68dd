//! VTK's files: legacy (`.vtk`), XML (`.vtp`, `.vtu`) and series (`.pvd`).
//!
//! Readers take the bytes of a file. For a surface they give [`Polygons`]
//! (`xml::polygons`, `legacy::polygons`), for particles points with their fields
//! (`xml::points`). All memory they ask for is bounded by what the file holds,
//! not by what it claims. Writers take [`PolyData`] or [`UnstructuredGrid`] and
//! write XML with the numbers appended as they are, little end first.
//!
//! [`Polygons`]: crate::Polygons

mod cell;
mod data;
mod field;
pub mod legacy;
pub mod pvd;
mod text;
pub mod xml;

pub use cell::CellKind;
pub use data::{Cells, PointCloud, PolyData, UnstructuredGrid};
pub use field::{Field, FieldValues};
