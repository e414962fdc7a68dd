//! Periodic cells.

use pyo3::prelude::*;
use tangere::pairs;

use crate::arrays::small;
use crate::errors::{What, of_arrays, refused};

/// A periodic cell: a box that repeats along its edges, which may be tilted.
///
/// Wherever ``periodic`` is an argument, lengths alone stand for a cell with right
/// angles at the origin.
///
/// Parameters
/// ----------
/// lengths : array_like, shape (2,) or (3,)
///     The lengths of the edges along each axis, 0 along axes that are open.
/// tilt : array_like, shape (1,) or (3,), optional
///     How the edges are tilted, as in LAMMPS: xy in the plane, xy, xz and yz in
///     space. The second edge is ``(xy, ly, 0)``, the third ``(xz, yz, lz)``.
/// origin : array_like, shape (2,) or (3,), optional
///     The lower corner, that of all coordinates if None.
///
/// Raises
/// ------
/// TypeError
///     If an argument has no real numbers.
/// ValueError
///     If a shape or a number is wrong, all lengths are 0, or an open edge is tilted.
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

/// A cell of the plane or of space.
#[derive(Clone, Copy, PartialEq)]
pub enum Cell {
    Plane(Edges<2, 1>, pairs::Periodic<2>),
    Space(Edges<3, 3>, pairs::Periodic<3>),
}

/// The numbers of a cell.
#[derive(Clone, Copy, PartialEq)]
pub struct Edges<const D: usize, const T: usize> {
    lengths: [f64; D],
    tilt: [f64; T],
    origin: [f64; D],
}

/// A cell in a space of `D` dimensions.
pub trait Of<const D: usize> {
    fn of(&self) -> Option<pairs::Periodic<D>>;
}

impl Of<2> for Cell {
    fn of(&self) -> Option<pairs::Periodic<2>> {
        match self {
            Cell::Plane(_, cell) => Some(*cell),
            Cell::Space(..) => None,
        }
    }
}

impl Of<3> for Cell {
    fn of(&self) -> Option<pairs::Periodic<3>> {
        match self {
            Cell::Space(_, cell) => Some(*cell),
            Cell::Plane(..) => None,
        }
    }
}

impl Cell {
    /// From the argument `periodic`: a cell, or lengths.
    pub fn from_argument(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        match value.cast::<Periodic>() {
            Ok(cell) => Ok(cell.get().0),
            Err(_) => Self::new(value, "periodic", None, None),
        }
    }

    fn new(
        lengths: &Bound<'_, PyAny>,
        name: &str,
        tilt: Option<&Bound<'_, PyAny>>,
        origin: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let lengths = small(lengths, name, &[&[2], &[3]])?;
        match lengths[..] {
            [x, y] => {
                let edges = Edges::new([x, y], tilt, origin)?;
                Ok(Cell::Plane(edges, edges.cell(name)?))
            }
            _ => {
                let edges = Edges::new([lengths[0], lengths[1], lengths[2]], tilt, origin)?;
                Ok(Cell::Space(edges, edges.cell(name)?))
            }
        }
    }

    /// The cell in the space of so many dimensions that items have.
    pub fn periodic<const D: usize>(&self) -> PyResult<pairs::Periodic<D>>
    where
        Self: Of<D>,
    {
        self.of().ok_or_else(|| {
            refused(
                "periodic",
                format_args!("{} lengths", 5 - D),
                format_args!("{D}, one for each dimension of the items"),
            )
        })
    }
}

impl<const D: usize, const T: usize> Edges<D, T> {
    fn new(
        lengths: [f64; D],
        tilt: Option<&Bound<'_, PyAny>>,
        origin: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut edges = Edges {
            lengths,
            tilt: [0.0; T],
            origin: [0.0; D],
        };
        if let Some(tilt) = tilt {
            edges.tilt.copy_from_slice(&small(tilt, "tilt", &[&[T]])?);
        }
        if let Some(origin) = origin {
            let origin = small(origin, "origin", &[&[D]])?;
            edges.origin.copy_from_slice(&origin);
        }
        Ok(edges)
    }

    /// The cell, whose lengths have a name in errors.
    fn cell(&self, name: &str) -> PyResult<pairs::Periodic<D>> {
        pairs::Periodic::tilted(self.lengths, &self.tilt)
            .and_then(|cell| cell.at(self.origin))
            .map_err(|error| {
                let names = [(What::PeriodicLength, name), (What::PeriodicLengths, name)];
                of_arrays(error, &[&names[..], &[(What::Tilt, "tilt")]].concat())
            })
    }

    fn written(&self) -> String {
        format!(
            "tangere.Periodic({:?}, tilt={:?}, origin={:?})",
            self.lengths, self.tilt, self.origin
        )
    }
}

#[pymethods]
impl Periodic {
    #[new]
    #[pyo3(signature = (lengths, *, tilt=None, origin=None))]
    fn new(
        lengths: &Bound<'_, PyAny>,
        tilt: Option<&Bound<'_, PyAny>>,
        origin: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Cell::new(lengths, "lengths", tilt, origin).map(Self)
    }

    fn __repr__(&self) -> String {
        match &self.0 {
            Cell::Plane(edges, _) => edges.written(),
            Cell::Space(edges, _) => edges.written(),
        }
    }
}
