//! Where a mesh comes from: a file, or another mesh that was mended.

use std::path::PathBuf;

use pyo3::prelude::*;

/// Where a mesh was read from; see `Mesh.source`.
///
/// Examples
/// --------
/// >>> import os, tempfile, tangere
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     path = os.path.join(folder, "sphere.stl")
/// ...     tangere.save(tangere.generate.sphere(0), path)
/// ...     source = tangere.load(path).source
/// >>> source.format, source.polygons, source.welded
/// ('stl', 8, 18)
#[pyclass(frozen, eq, get_all, module = "tangere")]
#[derive(Clone, PartialEq)]
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// Its format.
    pub format: String,
    /// How many polygons it has. Those of more than three corners were cut
    /// into triangles.
    pub polygons: usize,
    /// How many vertices were merged into others at exactly the same place.
    pub welded: usize,
}

#[pymethods]
impl Source {
    #[new]
    #[pyo3(signature = (path, format, polygons, welded))]
    fn new(path: PathBuf, format: String, polygons: usize, welded: usize) -> Self {
        Self {
            path,
            format,
            polygons,
            welded,
        }
    }

    fn __repr__(&self) -> String {
        let Self {
            path,
            format,
            polygons,
            welded,
        } = self;
        format!("Source(path={path:?}, format={format:?}, polygons={polygons}, welded={welded})")
    }

    fn __getnewargs__(&self) -> (PathBuf, String, usize, usize) {
        let Self {
            path,
            format,
            polygons,
            welded,
        } = self.clone();
        (path, format, polygons, welded)
    }
}

/// What was changed to make a mesh from another; see `Mesh.repair`.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> sphere = tangere.generate.sphere(1)
/// >>> inverted = tangere.Mesh(sphere.vertices, sphere.faces[:, ::-1])
/// >>> inverted.reoriented().repair
/// Repair(merged=0, collapsed=0, flipped=32)
#[pyclass(frozen, eq, get_all, module = "tangere")]
#[derive(Clone, Copy, PartialEq)]
pub struct Repair {
    /// How many vertices `Mesh.welded` merged into others.
    pub merged: usize,
    /// How many triangles it dropped because corners of theirs became one.
    pub collapsed: usize,
    /// How many triangles `Mesh.reoriented` turned.
    pub flipped: usize,
}

#[pymethods]
impl Repair {
    #[new]
    #[pyo3(signature = (merged, collapsed, flipped))]
    pub fn new(merged: usize, collapsed: usize, flipped: usize) -> Self {
        Self {
            merged,
            collapsed,
            flipped,
        }
    }

    fn __repr__(&self) -> String {
        let Self {
            merged,
            collapsed,
            flipped,
        } = self;
        format!("Repair(merged={merged}, collapsed={collapsed}, flipped={flipped})")
    }

    fn __getnewargs__(&self) -> (usize, usize, usize) {
        (self.merged, self.collapsed, self.flipped)
    }
}
