//! Mesh files: `load` and `save`.

use pyo3::prelude::*;
use tangere_front::answers::report::{SOURCE, Source};
use tangere_io::{LoadedMesh, read_mesh, write_faces, write_mesh};

use crate::arguments::{self, Argument};
use crate::errors::file_error;
use crate::faces::FaceMesh;
use crate::mesh::Mesh;
use crate::record::record_with;
use crate::run::{complete, run};

/// Reads a triangle mesh from a file.
///
/// Polygons are triangulated, and vertices at exactly the same position are welded, because in an
/// STL file every triangle has vertices of its own. Nothing else is changed; `Mesh.source` reports
/// these changes.
///
/// Parameters
/// ----------
/// path : str or os.PathLike
///     The file. Its extension selects the format: stl, obj, ply, off,
///     vtk, vtp, vtu, msh (Gmsh), mesh (MEDIT) or inp (Abaqus). Volume elements
///     become their boundary; curved faces are triangulated at their nodes, `load_faces` keeps
///     them curved.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// Mesh
///
/// Raises
/// ------
/// OSError
///     If the file cannot be read, such as FileNotFoundError; ``errno``,
///     ``strerror`` and ``filename`` are set as by `open`.
/// ValueError
///     If its content is not a mesh; the message names the line or byte, what was
///     found there and what was expected.
///
/// Examples
/// --------
/// >>> import os, tempfile, tangere
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     path = os.path.join(folder, "square.off")
/// ...     with open(path, "w") as file:
/// ...         _ = file.write("OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n")
/// ...     tangere.load(path)
/// <tangere.Mesh of 2 triangles on 4 vertices>
#[pyfunction]
#[pyo3(signature = (path, *, threads=None))]
pub fn load(path: &Bound<'_, PyAny>, threads: Argument<'_, '_>) -> PyResult<Mesh> {
    let py = path.py();
    let path = arguments::path(path)?;
    let file = path.clone();
    let LoadedMesh {
        mesh,
        format,
        polygons,
        welded,
        ..
    } = run(py, threads, move || read_mesh(file))?.map_err(|e| file_error(py, e))?;
    let source = Source {
        format: format.name(),
        polygons,
        welded,
    };
    let path = path.into_pyobject(py)?;
    let source = record_with(py, "Source", SOURCE, &source, &[("path", path)])?;
    Ok(Mesh::from_parts(mesh, Some(source.unbind())))
}

/// Writes a mesh to a file.
///
/// The file appears under its name when it is complete, and replaces an existing one; Ctrl-C takes
/// effect after that. Coordinates are kept bit for bit, except that STL rounds them to float32.
///
/// Parameters
/// ----------
/// mesh : Mesh or FaceMesh
///     The mesh.
/// path : str or os.PathLike
///     The file. Its extension selects the format: stl, ply, obj, off,
///     vtp or vtu; of a FaceMesh vtu.
#[doc = include_str!("threads.txt")]
/// Raises
/// ------
/// OSError
///     If the file cannot be written; ``errno``, ``strerror`` and ``filename``
///     are set as by `open`.
/// ValueError
///     If the format is unknown, or cannot hold the mesh.
///
/// Examples
/// --------
/// >>> import os, tempfile, tangere
/// >>> knot = tangere.generate.knot(1000)
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     path = os.path.join(folder, "knot.ply")
/// ...     tangere.save(knot, path)
/// ...     tangere.load(path) == knot
/// True
#[pyfunction]
#[pyo3(signature = (mesh, path, *, threads=None))]
pub fn save(
    mesh: &Bound<'_, PyAny>,
    path: &Bound<'_, PyAny>,
    threads: Argument<'_, '_>,
) -> PyResult<()> {
    let py = mesh.py();
    let written = if let Ok(faces) = mesh.cast::<FaceMesh>() {
        let (faces, path) = (faces.get().shared(), arguments::path(path)?);
        complete(py, threads, move || write_faces(path, &faces))?
    } else {
        // Arguments are read in this order, so that an error about swapped arguments names the
        // first.
        let (mesh, path) = (Mesh::argument(mesh, "mesh")?, arguments::path(path)?);
        complete(py, threads, move || write_mesh(path, &mesh))?
    };
    written.map_err(|e| file_error(py, e))
}
