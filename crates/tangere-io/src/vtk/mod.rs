//! VTK files: legacy (`.vtk`), XML (`.vtp`, `.vtu`, `.vti`) and time series (`.pvd`).
//!
//! [`read_mesh`](crate::read_mesh) reads a surface, [`read_points`] particles. Memory is
//! bounded by the size of a file, not by the counts that it claims. [`PolyData`],
//! [`UnstructuredGrid`] and [`ImageData`] are written as XML with raw appended data,
//! little-endian.
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
mod dataset;
mod field;
mod files;
mod image;
pub mod legacy;
pub mod pvd;
mod text;
pub mod xml;

pub use cell::CellKind;
pub(crate) use cell::Grid;
pub use dataset::{Cells, PointCloud, PolyData, UnstructuredGrid};
pub use field::{Field, FieldValues};
pub use files::{read_points, write_pvd, write_vti, write_vtp, write_vtu};
pub use image::ImageData;
pub(crate) use text::line_of;
