//! VTK's files: legacy (`.vtk`), XML (`.vtp`, `.vtu`, `.vti`) and series (`.pvd`).
//!
//! A surface is read by [`read_mesh`](crate::read_mesh), particles by
//! [`read_points`]. All memory asked for is bounded by what a file holds, not by
//! what it claims. Written are [`PolyData`], [`UnstructuredGrid`] and [`ImageData`] as
//! XML with the numbers appended as they are, little end first.
//!
//! ```
//! use tangere_io::vtk::{Field, PolyData, read_points, write_vtp};
//!
//! let contacts = PolyData::from_points(vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.5]])
//!     .with_point_data(Field::scalar("gap", vec![-0.01, 0.02]))
//!     .with_point_data(Field::vector("normal", vec![[0.0, 0.0, 1.0]; 2]));
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("contacts.vtp");
//! write_vtp(&path, &contacts)?;
//!
//! let cloud = read_points(&path)?;
//! assert_eq!(cloud.points, contacts.points);
//! assert_eq!(cloud.scalars("gap")?, [-0.01, 0.02]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cell;
mod data;
mod field;
mod files;
mod image;
pub mod legacy;
pub mod pvd;
mod text;
pub mod xml;

pub use cell::CellKind;
pub(crate) use cell::Grid;
pub use data::{Cells, PointCloud, PolyData, UnstructuredGrid};
pub use field::{Field, FieldValues};
pub use files::{read_points, write_pvd, write_vti, write_vtp, write_vtu};
pub use image::ImageData;
pub(crate) use text::line_of;
