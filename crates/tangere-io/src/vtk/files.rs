//! Reading and writing VTK files by path.

use super::{ImageData, PointCloud, PolyData, UnstructuredGrid, pvd, xml};
use crate::atomic::write_atomically;
use crate::error::{Error, Result};
use crate::read_bytes::read_bytes;
use std::path::Path;

/// Reads the points of a VTP or VTU file, with the fields on them.
pub fn read_points(path: impl AsRef<Path>) -> Result<PointCloud> {
    let path = path.as_ref();
    let bytes = read_bytes(path)?;
    xml::points(&bytes).map_err(|fault| Error::content(path, fault))
}

/// Writes a VTP file, completely or not at all.
pub fn write_vtp(path: impl AsRef<Path>, data: &PolyData) -> Result<()> {
    let path = path.as_ref();
    data.check().map_err(|source| Error::shape(path, source))?;
    write_atomically(path, |out| xml::write_vtp(data, out))
}

/// Writes a VTU file, completely or not at all.
pub fn write_vtu(path: impl AsRef<Path>, data: &UnstructuredGrid) -> Result<()> {
    let path = path.as_ref();
    data.check().map_err(|source| Error::shape(path, source))?;
    write_atomically(path, |out| xml::write_vtu(data, out))
}

/// Writes a VTI file, completely or not at all.
pub fn write_vti(path: impl AsRef<Path>, data: &ImageData) -> Result<()> {
    let path = path.as_ref();
    data.check().map_err(|source| Error::shape(path, source))?;
    write_atomically(path, |out| xml::write_vti(data, out))
}

/// Writes a time series (PVD), completely or not at all. A step is a time and the path of a file,
/// relative to the folder of the series and with `/` between folders.
pub fn write_pvd<S: AsRef<str>>(path: impl AsRef<Path>, steps: &[(f64, S)]) -> Result<()> {
    let path = path.as_ref();
    pvd::check(steps).map_err(|source| Error::shape(path, source))?;
    write_atomically(path, |out| pvd::write(steps, out))
}
