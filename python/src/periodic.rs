//! Periodic cells, orthogonal or triclinic.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tangere_front::inputs::Cell;

use crate::arguments::Argument;
use crate::arrays::small;
use crate::errors::{What, of_arrays};
use crate::options::Arguments;
use crate::pickling::reduced;

/// Periodic cell, which may be tilted (triclinic).
///
/// Wherever ``periodic`` is an argument, lengths alone mean an orthogonal cell at the origin.
///
/// Parameters
/// ----------
/// lengths : array_like, shape (2,) or (3,)
///     The edge lengths along each axis, 0 along open axes.
/// tilt : array_like, shape (1,) or (3,), optional
///     The tilt factors, as in LAMMPS: xy in the plane, xy, xz and yz in space. The second edge
///     is ``(xy, ly, 0)``, the third ``(xz, yz, lz)``.
/// origin : array_like, shape (2,) or (3,), optional
///     The lower corner; the origin of coordinates if None.
///
/// Raises
/// ------
/// ValueError
///     If a shape or a number is invalid, all lengths are 0, or an open edge is tilted.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> cell = tangere.Periodic([10, 4], tilt=[1])
/// >>> cell
/// tangere.Periodic([10.0, 4.0], tilt=[1.0], origin=[0.0, 0.0])
/// >>> tangere.pairs([[5, 0.5], [6, 3.5]], [0.5, 0.5], periodic=cell)
/// array([[0, 1]], dtype=uint32)
#[pyclass(frozen, eq, module = "tangere", from_py_object)]
#[derive(Clone, PartialEq)]
pub struct Periodic(Cell);

impl Periodic {
    /// Wraps a cell.
    pub fn of_cell(cell: Cell) -> Self {
        Self(cell)
    }
}

/// Reads a cell from the argument `periodic`: a cell, or lengths.
pub fn cell(value: &Bound<'_, PyAny>) -> PyResult<Cell> {
    match value.cast::<Periodic>() {
        Ok(cell) => Ok(cell.get().0),
        Err(_) => of_numbers(value, "periodic", None, None),
    }
}

/// Returns a cell from numbers; errors call its lengths `name`.
fn of_numbers(
    lengths: &Bound<'_, PyAny>,
    name: &str,
    tilt: Argument<'_, '_>,
    origin: Argument<'_, '_>,
) -> PyResult<Cell> {
    let lengths = small(lengths, name, &[&[2], &[3]])?;
    let dimension = lengths.len();
    let tilts = dimension * (dimension - 1) / 2;
    let tilt = tilt.map(|tilt| small(tilt, "tilt", &[&[tilts]]));
    let origin = origin.map(|origin| small(origin, "origin", &[&[dimension]]));
    let (tilt, origin) = (tilt.transpose()?, origin.transpose()?);
    let cell = Cell::new(
        &lengths,
        &tilt.unwrap_or_default(),
        &origin.unwrap_or_default(),
    );
    cell.map_err(|error| {
        let names = [
            (What::PeriodicLength, name),
            (What::PeriodicLengths, name),
            (What::Tilt, "tilt"),
        ];
        of_arrays(error, &names)
    })
}

#[pymethods]
impl Periodic {
    #[new]
    #[pyo3(signature = (lengths, *, tilt=None, origin=None))]
    fn new(
        lengths: &Bound<'_, PyAny>,
        tilt: Argument<'_, '_>,
        origin: Argument<'_, '_>,
    ) -> PyResult<Self> {
        of_numbers(lengths, "lengths", tilt, origin).map(Self)
    }

    fn __repr__(&self) -> String {
        let [lengths, tilt, origin] = self.0.numbers();
        format!("tangere.Periodic({lengths:?}, tilt={tilt:?}, origin={origin:?})")
    }

    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, protocol: i32) -> PyResult<Bound<'py, PyAny>> {
        reduced(slf.as_any(), protocol)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Arguments<'py, Vec<f64>>> {
        let [lengths, tilt, origin] = self.0.numbers();
        let keywords = PyDict::new(py);
        keywords.set_item("tilt", tilt)?;
        keywords.set_item("origin", origin)?;
        Ok(((lengths,), keywords))
    }
}
