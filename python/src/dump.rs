//! Frames of LAMMPS dumps: `read_dump`.

use std::sync::Arc;

use numpy::PyArray2;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tangere_io::{DumpBox, DumpColumn, DumpFrame};

use crate::arguments;
use crate::arrays::{from_numbers, from_points};
use crate::errors::file_error;
use crate::pickling::unpicklable;
use crate::shared_state::SharedState;

/// Iterator over the frames of a LAMMPS dump; see `read_dump`.
///
/// One frame is in memory at a time.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> issubclass(tangere.DumpFrames, object)
/// True
#[pyclass(frozen, module = "tangere")]
pub struct DumpFrames {
    shared: Arc<SharedState<tangere_io::DumpFrames>>,
}

#[pymethods]
impl DumpFrames {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.shared.work(py, 0, Iterator::next)? {
            None => Ok(None),
            Some(frame) => made(py, frame.map_err(|e| file_error(py, e))?).map(Some),
        }
    }

    fn __reduce__(&self) -> PyResult<()> {
        unpicklable("DumpFrames", "it reads an open file; pickle its frames")
    }
}

/// Reads a LAMMPS text dump frame by frame, whatever its name.
///
/// One frame is in memory at a time, so that dumps may be larger than memory. Atoms are in
/// ascending order of their ids: LAMMPS writes them in any order.
///
/// Parameters
/// ----------
/// path : str or os.PathLike
///     The file: a text dump of style atom or custom.
///
/// Returns
/// -------
/// iterator of DumpFrame
///     Each has ``step``, ``time``, ``box``, ``cell`` (the box as `periodic` of `pairs`), ``ids``,
///     ``columns``, ``centers`` and ``radii``.
///
/// Raises
/// ------
/// OSError
///     If the file cannot be read.
/// ValueError
///     If its content is not a dump, or two atoms of a frame have the same id; raised by the
///     iterator when it gets there.
///
/// Examples
/// --------
/// >>> import os, tempfile, tangere
/// >>> head = "ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     path = os.path.join(folder, "run.dump")
/// ...     with open(path, "w") as file:
/// ...         for step in (0, 100):
/// ...             _ = file.write(head.format(step) + f"ITEM: ATOMS id x y z radius\n1 {step} 0 0 1\n")
/// ...     finder = tangere.PairFinder(skin=0.1)
/// ...     for frame in tangere.read_dump(path):
/// ...         finder.update(frame.centers, frame.radii, periodic=frame.cell)
/// ...         print(frame.step, len(finder.pairs()), frame.box.periodic)
/// 0 0 (True, True, True)
/// 100 0 (True, True, True)
#[pyfunction]
#[pyo3(signature = (path))]
pub fn read_dump(path: &Bound<'_, PyAny>) -> PyResult<DumpFrames> {
    let py = path.py();
    let path = arguments::path(path)?;
    let frames = tangere_io::read_dump(path).map_err(|e| file_error(py, e))?;
    Ok(DumpFrames {
        shared: SharedState::new(frames),
    })
}

/// Returns a frame as a `DumpFrame` of Python.
fn made(py: Python<'_>, frame: DumpFrame) -> PyResult<Bound<'_, PyAny>> {
    // What is missing is an error only where it is asked for.
    let centers = match frame.centers() {
        Ok(centers) if frame.dimension() == Some(2) => {
            let planar: Vec<[f64; 2]> = centers.iter().map(|&[x, y, _]| [x, y]).collect();
            from_points(py, planar)?.into_any()
        }
        Ok(centers) => from_points(py, centers)?.into_any(),
        Err(fault) => fault.to_string().into_bound_py_any(py)?,
    };
    let radii = match frame.radii() {
        Ok(radii) => from_numbers(py, radii).into_any(),
        Err(fault) => {
            let hint = "; pairs and save_particles take one radius for all in place of an array";
            format!("{fault}{hint}").into_bound_py_any(py)?
        }
    };
    let dump = py.import("tangere._dump")?;
    let cell = match &frame.cell {
        None => None,
        Some(cell) => Some(dump.getattr("DumpBox")?.call1(box_parts(py, cell)?)?),
    };
    let (step, time) = (frame.step, frame.time);
    let columns = PyDict::new(py);
    for (name, column) in frame.names.into_iter().zip(frame.columns) {
        // Of two columns with the same name the first counts, as in the library.
        if columns.contains(&name)? {
            continue;
        }
        let values = match column {
            DumpColumn::Integers(values) => from_numbers(py, values).into_any(),
            DumpColumn::Numbers(values) => from_numbers(py, values).into_any(),
            DumpColumn::Words(words) => py.import("numpy")?.call_method1("array", (words,))?,
        };
        columns.set_item(name, values)?;
    }
    let parts = (step, time, cell, columns, centers, radii);
    dump.getattr("DumpFrame")?.call1(parts)
}

/// Returns the attributes of a `DumpBox` of Python.
fn box_parts<'py>(py: Python<'py>, cell: &DumpBox) -> PyResult<Bound<'py, PyTuple>> {
    let vectors: Bound<'py, PyArray2<f64>> = from_points(py, cell.vectors.to_vec())?;
    let bounds: Bound<'py, PyArray2<f64>> = from_points(py, cell.bounds.to_vec())?;
    let origin = from_numbers(py, cell.origin.to_vec());
    let [x, y, z] = cell.periodic;
    (origin, vectors, bounds, (x, y, z)).into_pyobject(py)
}
