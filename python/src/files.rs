//! Mesh files: `load` and `save`.

use std::path::{Path, PathBuf};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tangere_front::answers::report::{SOURCE, Source};
use tangere_io::vtk::{write_vti, write_vtp, write_vtu};
use tangere_io::{
    LoadedMesh, read_mesh, write_columns, write_faces_with, write_field_npy, write_mesh_with,
};

use crate::arguments::{self, Argument};
use crate::errors::{file_error, refused};
use crate::faces::FaceMesh;
use crate::fields::{Cloud, Fields, columns, is_rows};
use crate::grid_field::image;
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

/// Writes a mesh, a field on a grid or the rows of an answer to a file.
///
/// The file appears under its name when it is complete, and replaces an existing one; Ctrl-C takes
/// effect after that. Coordinates are kept bit for bit, except that STL rounds them to float32.
///
/// Parameters
/// ----------
/// mesh : Mesh, FaceMesh, GridField or structured ndarray
///     The mesh; a field of `Mesh.distance_grid` or `Inside.classify_grid`; or rows of
///     `Mesh.closest`, `FaceMesh.closest` or `FaceMesh.project`, which become points with all
///     columns as data; in texts rows of any answer, such as those of a motion (many poses in `pose_b`).
/// path : str or os.PathLike
///     The file. Its extension selects the format: stl, ply, obj, off, vtp or vtu; of a FaceMesh
///     vtu, of a GridField vti, or npy for its values as an array of axes z, y, x; of rows vtp,
///     vtu, or csv, tsv, txt and dat with a column for each number. `ContactStatus` and its like
///     have the words of numbers in columns such as ``status``.
/// point_data, cell_data : dict of str and array_like, optional
///     Named data of vertices and of faces (of a GridField of the corners and of the cells), for
///     vtp, vtu and vti: arrays of shape (N,), for vectors (N, K) or for tensors (N, 3, 3), of
///     numbers of any dtype.
/// points : array_like, shape (N, 3), optional
///     Of rows: the points to which they belong, such as the query points. If None, the nearest
///     points, in the column ``point``. In texts they come first, as columns x, y and z.
#[doc = include_str!("threads.txt")]
/// Raises
/// ------
/// OSError
///     If the file cannot be written; ``errno``, ``strerror`` and ``filename``
///     are set as by `open`.
/// ValueError
///     If the format is unknown, or cannot hold the mesh or data, or data has another length than
///     the mesh.
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
///
/// Data of vertices and triangles, a field, and nearest points:
///
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     os.chdir(folder)
/// ...     tangere.save(knot, "knot.vtu", point_data={"height": knot.vertices[:, 2]})
/// ...     tangere.save(knot.distance_grid(16), "field.vti")
/// ...     query = [[0, 0, 0], [3, 0, 0]]
/// ...     tangere.save(knot.closest(query), "nearest.vtu", points=query)
/// ...     found = sorted(os.listdir()), tangere.load("knot.vtu") == knot
/// ...     os.chdir(os.path.dirname(folder))
/// >>> found
/// (['field.vti', 'knot.vtu', 'nearest.vtu'], True)
#[pyfunction]
#[pyo3(signature = (mesh, path, *, point_data=None, cell_data=None, points=None, threads=None))]
pub fn save(
    mesh: &Bound<'_, PyAny>,
    path: &Bound<'_, PyAny>,
    point_data: Argument<'_, '_>,
    cell_data: Argument<'_, '_>,
    points: Argument<'_, '_>,
    threads: Argument<'_, '_>,
) -> PyResult<()> {
    let py = mesh.py();
    let fields = Fields {
        point_data,
        cell_data,
    };
    if let Some(image) = image(mesh, &fields)? {
        let path = of_format(path, &["vti", "npy"])?;
        unused(points)?;
        if extension(&path) == "npy" {
            let [x, y, z] = image.cells;
            let mut data = image.point_data.into_iter().chain(image.cell_data);
            let (Some(values), None) = (data.next(), data.next()) else {
                let found = "point_data or cell_data";
                return Err(refused("path", found, "vti, as npy holds the field alone"));
            };
            let write = move || write_field_npy(path, &[z, y, x], &values);
            return complete(py, threads, write)?.map_err(|e| file_error(py, e));
        }
        let written = complete(py, threads, move || write_vti(path, &image))?;
        return written.map_err(|e| file_error(py, e));
    }
    if is_rows(mesh)? && TEXTS.contains(&extension(&arguments::path(path)?).as_str()) {
        let (path, columns) = (arguments::path(path)?, columns(mesh, points, &fields)?);
        let written = complete(py, threads, move || write_columns(path, &columns))?;
        return written.map_err(|e| file_error(py, e));
    }
    if let Some(cloud) = Cloud::of(mesh, points, &fields)? {
        let path = of_format(path, &["vtu", "vtp", "csv", "tsv", "txt", "dat"])?;
        let written = complete(py, threads, move || match extension(&path) == "vtu" {
            true => write_vtu(path, &cloud.grid()),
            false => write_vtp(path, &cloud.poly()),
        })?;
        return written.map_err(|e| file_error(py, e));
    }
    let written = if let Ok(faces) = mesh.cast::<FaceMesh>() {
        let (faces, path) = (faces.get().shared(), arguments::path(path)?);
        unused(points)?;
        let fields = fields.fitting(faces.nodes().len(), faces.len())?;
        complete(py, threads, move || write_faces_with(path, &faces, fields))?
    } else {
        // Arguments are read in this order, so that an error about swapped arguments names the
        // first.
        let (mesh, path) = (Mesh::argument(mesh, "mesh")?, arguments::path(path)?);
        unused(points)?;
        let fields = fields.fitting(mesh.vertices().len(), mesh.faces().len())?;
        complete(py, threads, move || write_mesh_with(path, &mesh, fields))?
    };
    written.map_err(|e| file_error(py, e))
}

/// The extensions of text files.
const TEXTS: [&str; 4] = ["csv", "tsv", "txt", "dat"];

/// Refuses the argument `points` for what has points of its own.
fn unused(points: Argument<'_, '_>) -> PyResult<()> {
    match points {
        None => Ok(()),
        Some(_) => Err(refused("points", "points", "None unless rows are saved")),
    }
}

/// Returns the extension of a file name in lower case.
fn extension(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default();
    ending.to_string_lossy().to_ascii_lowercase()
}

/// Reads the path of a file whose extension must be one of `accepted`.
fn of_format(path: &Bound<'_, PyAny>, accepted: &[&str]) -> PyResult<PathBuf> {
    let path = arguments::path(path)?;
    let found = extension(&path);
    match accepted.contains(&found.as_str()) {
        true => Ok(path),
        false => {
            let expected = accepted.join(" or ");
            let error = tangere_io::Error::Format {
                path,
                found,
                expected,
            };
            Err(PyValueError::new_err(error.to_string()))
        }
    }
}
