//! Sphere packings as Python objects.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tangere::shape;
use tangere_io::{read_packing, write_packing};

use crate::arguments::{self, Argument, optional, type_error};
use crate::arrays::{borrowed, from_numbers, numbers, numbers_for, points};
use crate::errors::{What, file_error, of_arrays, refused};
use crate::mesh::Mesh;
use crate::pickling::native;
use crate::report::{bounds_array, counted};
use crate::run::{complete, run};

/// Sphere packing: spheres that do not overlap, and data of the body that they fill.
///
/// Spheres may touch. A packing is immutable. `pack` makes one from a body.
///
/// Parameters
/// ----------
/// centers : array_like, shape (N, 3)
///     Real numbers of any dtype and layout, N at least 1.
/// radii : array_like, shape (N,), or float
///     All more than 0.
#[doc = include_str!("threads.txt")]
/// Raises
/// ------
/// ValueError
///     If a shape is wrong, there is no sphere, a number is not finite, a radius is not
///     more than 0, or two spheres overlap; the message names both.
///
/// Notes
/// -----
/// Packings are equal if their spheres and the data of their bodies are. They can be pickled and
/// copied.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> two = tangere.Packing([[0, 0, 0], [3, 0, 0]], [1, 2])
/// >>> two
/// <tangere.Packing of 2 spheres>
/// >>> len(two), two.filling
/// (2, 1.0)
/// >>> tangere.Packing([[0, 0, 0], [2, 0, 0]], [1, 2])
/// Traceback (most recent call last):
/// ...
/// ValueError: centers[1]: found a centre 2 from that of sphere 0, their radii add up to 3, expected spheres that do not overlap
/// >>> two.centers.tolist(), two.radii.tolist(), round(two.volume, 3)
/// ([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0]], [1.0, 2.0], 37.699)
/// >>> two.bounds.round(12).tolist()
/// [[-1.0, -2.0, -2.0], [5.0, 2.0, 2.0]]
#[pyclass(frozen, weakref, module = "tangere")]
pub struct Packing {
    pub shape: Arc<shape::Packing>,
}

/// Names for error messages: for each item of the library the Python argument that contains it.
const NAMES: [(What, &str); 4] = [
    (What::Centre, "centers"),
    (What::Sphere, "centers"),
    (What::Spheres, "centers"),
    (What::Radius, "radii"),
];

impl Packing {
    /// Reads a packing from an argument. A mesh is packed at first use, and stores its packing.
    pub fn argument(
        value: &Bound<'_, PyAny>,
        name: &str,
        threads: Argument<'_, '_>,
    ) -> PyResult<Arc<shape::Packing>> {
        if let Ok(packing) = value.cast::<Self>() {
            return Ok(packing.get().shape.clone());
        }
        match value.cast::<Mesh>() {
            Ok(mesh) => mesh.get().packing(value.py(), name, threads),
            Err(_) => Err(type_error(
                value,
                name,
                "a Packing, which pack makes of any body, or a Mesh",
            )),
        }
    }

    /// Reads the arguments `centers` and `radii`, and calls `make` with them, without the GIL.
    fn made(
        centers: &Bound<'_, PyAny>,
        radii: &Bound<'_, PyAny>,
        threads: Argument<'_, '_>,
        make: impl FnOnce(Vec<[f64; 3]>, Vec<f64>) -> tangere::Result<shape::Packing> + Send + 'static,
    ) -> PyResult<Self> {
        let py = centers.py();
        let centers = points::<3>(centers, "centers")?;
        let radii = numbers_for(radii, "radii", centers.len())?;
        let made = run(py, threads, move || make(centers, radii))?;
        Self::of(made.map_err(|e| of_arrays(e, &NAMES)))
    }

    fn of(made: PyResult<shape::Packing>) -> PyResult<Self> {
        let shape = Arc::new(made?);
        Ok(Self { shape })
    }
}

#[pymethods]
impl Packing {
    #[new]
    #[pyo3(signature = (centers, radii, *, threads=None))]
    fn new(
        centers: &Bound<'_, PyAny>,
        radii: &Bound<'_, PyAny>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Self> {
        Self::made(centers, radii, threads, shape::Packing::new)
    }

    /// Packing from the surface of a body and spheres inside it, such as those of another program.
    ///
    /// With the surface, the bounds of `overlap` are those of the bodies, not of the spheres
    /// alone.
    ///
    /// Parameters
    /// ----------
    /// mesh : Mesh
    ///     The surface of the body, closed and oriented outward.
    /// centers : array_like, shape (N, 3)
    /// radii : array_like, shape (N,), or float
    #[doc = include_str!("threads.txt")]
    /// Raises
    /// ------
    /// ValueError
    ///     If the spheres are not a packing, the surface bounds no volume (see `Mesh.report`), or a
    ///     sphere is not inside it.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> cube = tangere.generate.sponge(0)
    /// >>> packing = tangere.Packing.in_mesh(cube, [[0.5, 0.5, 0.5]], [0.5])
    /// >>> packing.volume, round(packing.filling, 4)
    /// (1.0, 0.5236)
    #[staticmethod]
    #[pyo3(signature = (mesh, centers, radii, *, threads=None))]
    fn in_mesh(
        mesh: &Bound<'_, PyAny>,
        centers: &Bound<'_, PyAny>,
        radii: &Bound<'_, PyAny>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Self> {
        let mesh = Mesh::argument(mesh, "mesh")?;
        Self::made(centers, radii, threads, move |centers, radii| {
            shape::Packing::in_mesh(&mesh, centers, radii)
        })
    }

    /// Reads a packing from a file.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    ///     The file. Its extension selects the format: npy (an array of rows x, y, z, radius, which
    ///     may be followed by one with the data of the body), vtp, vtu, or a table with the columns
    ///     x, y, z and r (csv, tsv, txt, dat).
    #[doc = include_str!("threads.txt")]
    /// Raises
    /// ------
    /// OSError
    ///     If the file cannot be read; ``errno``, ``strerror`` and ``filename`` are set as by
    ///     `open`.
    /// ValueError
    ///     If its content is not a packing; the message names the line, byte or row, or the two
    ///     spheres that overlap.
    ///
    /// Examples
    /// --------
    /// >>> import os, tempfile, tangere
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     path = os.path.join(folder, "two.csv")
    /// ...     with open(path, "w") as file:
    /// ...         _ = file.write("x,y,z,r\n0,0,0,1\n3,0,0,2\n")
    /// ...     tangere.Packing.load(path).radii
    /// array([1., 2.])
    #[staticmethod]
    #[pyo3(signature = (path, *, threads=None))]
    fn load(path: &Bound<'_, PyAny>, threads: Argument<'_, '_>) -> PyResult<Self> {
        let py = path.py();
        let path = arguments::path(path)?;
        let read = run(py, threads, move || read_packing(path))?;
        Self::of(read.map_err(|e| file_error(py, e)))
    }

    /// The packing with its spheres moved and resized, for a body that deforms.
    ///
    /// The data of the body no longer hold: the new packing stands for its spheres alone. Spheres
    /// that the deformation makes overlap are accepted, and their common volume counts for each of
    /// them; `save` refuses them.
    ///
    /// Parameters
    /// ----------
    /// centers : array_like, shape (N, 3)
    ///     One for each sphere, in the same order.
    /// radii : array_like, shape (N,), optional
    ///     As before if None.
    #[doc = include_str!("threads.txt")]
    /// Raises
    /// ------
    /// ValueError
    ///     If their number differs, a number is not finite, or a radius is not more than 0.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> two = tangere.Packing([[0, 0, 0], [3, 0, 0]], [1, 2])
    /// >>> two.updated([[0, 0, 0], [3.5, 0, 0]], [2, 2]).radii
    /// array([2., 2.])
    #[pyo3(signature = (centers, radii=None, *, threads=None))]
    fn updated(
        &self,
        centers: &Bound<'_, PyAny>,
        radii: Argument<'_, '_>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Self> {
        let py = centers.py();
        let centers = points::<3>(centers, "centers")?;
        let radii = optional(radii, "radii", numbers)?;
        for (name, found) in [
            ("centers", centers.len()),
            ("radii", radii.as_ref().map_or(self.shape.len(), Vec::len)),
        ] {
            if found != self.shape.len() {
                let expected = format!("{}, one for each sphere", self.shape.len());
                return Err(refused(name, format_args!("{found} rows"), expected));
            }
        }
        let before = self.shape.clone();
        let made = run(py, threads, move || {
            let mut packing = (*before).clone();
            let radii = radii.as_deref().unwrap_or(before.radii());
            packing.update(&centers, radii).map(|()| packing)
        })?;
        Self::of(made.map_err(|e| of_arrays(e, &NAMES)))
    }

    /// Writes the packing with the data of its body.
    ///
    /// The file appears under its name when it is complete, and replaces an existing one; Ctrl-C
    /// takes effect after that. `numpy.load` reads the spheres of an npy file.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    ///     The file. Its extension selects the format: npy or vtp.
    ///
    /// Raises
    /// ------
    /// OSError
    ///     If the file cannot be written; ``errno``, ``strerror`` and ``filename`` are set as
    ///     by `open`.
    /// ValueError
    ///     If the format is unknown.
    ///
    /// Examples
    /// --------
    /// >>> import os, tempfile, numpy, tangere
    /// >>> packing = tangere.Packing([[0, 0, 0], [3, 0, 0]], [1, 2])
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     path = os.path.join(folder, "two.npy")
    /// ...     packing.save(path)
    /// ...     tangere.Packing.load(path) == packing, numpy.load(path).shape
    /// (True, (2, 4))
    fn save(&self, path: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = path.py();
        let path = arguments::path(path)?;
        complete(py, None, || write_packing(path, &self.shape))?.map_err(|e| file_error(py, e))
    }

    /// The centres: a read-only view of the packing's memory, float64 of shape (N, 3). It
    /// keeps the packing alive.
    #[getter]
    fn centers<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        // SAFETY: the class is frozen and its shape is never replaced or changed.
        unsafe { borrowed(slf.get().shape.centers(), slf.clone().into_any()) }
    }

    /// The radii: a read-only view of the packing's memory, float64 of shape (N,).
    #[getter]
    fn radii<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (rows, _) = slf.get().shape.radii().as_chunks::<1>();
        // SAFETY: the class is frozen and its shape is never replaced or changed.
        let column = unsafe { borrowed(rows, slf.clone().into_any()) }?;
        column.call_method1("reshape", (-1,))
    }

    /// The volume fraction of the body that the spheres fill; 1 if the body is not known.
    #[getter]
    fn filling(&self) -> f64 {
        self.shape.filling()
    }

    /// The volume of the body; that of the spheres if the body is not known.
    #[getter]
    fn volume(&self) -> f64 {
        self.shape.body_volume()
    }

    /// The axis-aligned bounding box of all spheres: its lower and its upper corner as the rows of
    /// a new array of shape (2, 3).
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        bounds_array(py, &self.shape.bounds())
    }

    fn __len__(&self) -> usize {
        self.shape.len()
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> bool {
        let (a, b) = (&self.shape, &other.shape);
        py.detach(|| {
            a.centers() == b.centers() && a.radii() == b.radii() && a.record() == b.record()
        })
    }

    fn __repr__(&self) -> String {
        let spheres = counted(self.shape.len(), "sphere", "spheres");
        match self.shape.record()[..] {
            [] => format!("<tangere.Packing of {spheres}>"),
            _ => format!(
                "<tangere.Packing of {spheres}, {:.1}% of the body>",
                100.0 * self.shape.filling()
            ),
        }
    }

    /// A packing is immutable, so it is its own copy.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// A packing is immutable, so it is its own copy.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyDict>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let restore = native(py, "_restored_packing")?;
        let record: Bound<'py, PyArray1<f64>> = from_numbers(py, slf.get().shape.record());
        let parts = (Self::centers(slf)?, Self::radii(slf)?, record);
        (restore, parts).into_pyobject(py)
    }
}

/// Restores a pickled packing.
#[pyfunction(name = "_restored_packing")]
#[pyo3(signature = (centers, radii, record))]
pub fn restored_packing(
    centers: &Bound<'_, PyAny>,
    radii: &Bound<'_, PyAny>,
    record: &Bound<'_, PyAny>,
) -> PyResult<Packing> {
    let record = numbers(record, "record")?;
    let is_bare = record.is_empty();
    let made = Packing::made(centers, radii, None, move |centers, radii| {
        shape::Packing::from_record(centers, radii, &record)
    });
    if made.is_ok() || !is_bare {
        return made;
    }
    // Spheres of an updated packing may overlap.
    let one = shape::Packing::new(vec![[0.0; 3]], vec![1.0]);
    let mut shape = one.map_err(|e| of_arrays(e, &NAMES))?;
    let updated = shape.update(&points::<3>(centers, "centers")?, &numbers(radii, "radii")?);
    Packing::of(updated.map(|()| shape).map_err(|e| of_arrays(e, &NAMES)))
}
