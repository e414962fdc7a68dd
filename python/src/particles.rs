//! Particle files: `load_particles` and `save_particles`.

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use tangere::shape::Spheres;
use tangere_io::{Particles, read_particles, write_particles_with};

use crate::arguments::{self, Argument};
use crate::arrays::{Points, from_numbers, from_points, numbers_for, points_2_or_3};
use crate::errors::{What, file_error, of_arrays};
use crate::fields::fitting;
use crate::run::{complete, run};

/// Arrays of centres and radii.
pub type Arrays<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>);

/// Returns discs or spheres as arrays; nothing is copied.
pub fn arrays<const D: usize>(py: Python<'_>, spheres: Spheres<D>) -> PyResult<Arrays<'_>> {
    let (centers, radii) = spheres.into_parts();
    Ok((from_points(py, centers)?, from_numbers(py, radii)))
}

/// Reads particles (spheres or discs) from a file.
///
/// Parameters
/// ----------
/// path : str or os.PathLike
///     The file. Its extension selects the format: csv, tsv, txt, dat or npy for a table with
///     a row for each particle, its centre and then its radius (columns with names may stand in
///     any order: ``x``, ``y``, ``z``, ``radius``); vtp or vtu for points with the field
///     ``radius``.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// centers : numpy.ndarray, float64, shape (N, 2) or (N, 3)
///     Discs if the table has 3 columns or none with the name ``z``.
/// radii : numpy.ndarray, float64, shape (N,)
///
/// Raises
/// ------
/// OSError
///     If the file cannot be read.
/// ValueError
///     If its content is not a table of particles.
///
/// Examples
/// --------
/// >>> import os, tempfile, tangere
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     path = os.path.join(folder, "discs.csv")
/// ...     with open(path, "w") as file:
/// ...         _ = file.write("x,y,radius\n1,2,0.5\n")
/// ...     tangere.load_particles(path)
/// (array([[1., 2.]]), array([0.5]))
#[pyfunction]
#[pyo3(signature = (path, *, threads=None))]
pub fn load_particles<'py>(
    path: &Bound<'py, PyAny>,
    threads: Argument<'_, 'py>,
) -> PyResult<Arrays<'py>> {
    let py = path.py();
    let path = arguments::path(path)?;
    match run(py, threads, move || read_particles(path))?.map_err(|e| file_error(py, e))? {
        Particles::Discs(discs) => arrays(py, discs),
        Particles::Spheres(spheres) => arrays(py, spheres),
    }
}

/// Writes particles (spheres or discs) to a file.
///
/// Parameters
/// ----------
/// centers : array_like, shape (N, 2) or (N, 3)
///     The centres of discs or spheres.
/// radii : array_like, shape (N,), or float
///     The radii, not negative.
/// path : str or os.PathLike
///     The file. Its extension selects the format: csv, tsv, txt, dat, npy, vtp or vtu. In the
///     last two, discs lie in the plane z = 0 and are read back as discs.
/// data : dict of str and array_like, optional
///     More numbers of each particle: arrays of shape (N,) or (N, K), as fields of vtp and vtu
///     files and columns of texts (of (N, 3) arrays ``name_x``, ``name_y``, ``name_z``). npy files
///     hold none.
///
/// Raises
/// ------
/// OSError
///     If the file cannot be written.
/// ValueError
///     If the format is unknown, or a particle is not finite or its radius is
///     negative; if data has no row for each particle, a name that is taken, or numbers that a
///     text cannot hold.
///
/// Examples
/// --------
/// >>> import os, tempfile, tangere
/// >>> centers, radii = tangere.generate.particles(10)
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     path = os.path.join(folder, "spheres.vtp")
/// ...     tangere.save_particles(centers, radii, path, data={"id": range(10)})
/// ...     again, _ = tangere.load_particles(path)
/// >>> bool((again == centers).all())
/// True
#[pyfunction]
#[pyo3(signature = (centers, radii, path, *, data=None))]
pub fn save_particles(
    centers: &Bound<'_, PyAny>,
    radii: &Bound<'_, PyAny>,
    path: &Bound<'_, PyAny>,
    data: Argument<'_, '_>,
) -> PyResult<()> {
    let py = path.py();
    let particles = spheres(centers, radii)?;
    let path = arguments::path(path)?;
    let count = match &particles {
        Particles::Discs(discs) => discs.len(),
        Particles::Spheres(spheres) => spheres.len(),
    };
    let fields = fitting(data, "data", count, "particles")?;
    complete(py, None, move || match particles {
        Particles::Discs(discs) => write_particles_with(path, &discs, &fields),
        Particles::Spheres(spheres) => write_particles_with(path, &spheres, &fields),
    })?
    .map_err(|e| file_error(py, e))
}

/// Reads discs or spheres from the arguments `centers` and `radii`; copied once.
pub fn spheres(centers: &Bound<'_, PyAny>, radii: &Bound<'_, PyAny>) -> PyResult<Particles> {
    let centers = points_2_or_3(centers, "centers")?;
    let count = match &centers {
        Points::Plane(centers) => centers.len(),
        Points::Space(centers) => centers.len(),
    };
    let radii = numbers_for(radii, "radii", count)?;
    match centers {
        Points::Plane(centers) => Spheres::new(centers, radii).map(Particles::Discs),
        Points::Space(centers) => Spheres::new(centers, radii).map(Particles::Spheres),
    }
    .map_err(|e| of_arrays(e, &[(What::Centre, "centers"), (What::Radius, "radii")]))
}
