//! Generators of meshes and particles.

use pyo3::prelude::*;
use tangere::generate::{self, ParticleBox, Sizes};
use tangere::shape::TriMesh;

use crate::arguments::{integer, number, word};
use crate::arrays::small;
use crate::errors::{refused, value_error};
use crate::mesh::Mesh;
use crate::particles::{Arrays, arrays};
use crate::run::run;

/// A generated mesh.
fn generated(
    py: Python<'_>,
    threads: Option<&Bound<'_, PyAny>>,
    make: impl FnOnce() -> tangere::Result<TriMesh> + Send + 'static,
) -> PyResult<Mesh> {
    let mesh = run(py, threads, make)?.map_err(value_error)?;
    Ok(Mesh::from_parts(mesh, None))
}

/// A level or size; the library knows its own limit.
fn small_count(value: &Bound<'_, PyAny>, name: &str) -> PyResult<u32> {
    integer(value, name, 0..=u64::from(u32::MAX)).map(|n| n as u32)
}

/// A number of items.
fn count_of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<usize> {
    integer(value, name, 0..=usize::MAX as u64).map(|n| n as usize)
}

fn seed_of(value: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    value.map_or(Ok(0), |seed| integer(seed, "seed", 0..=u64::MAX))
}

/// The unit sphere at the origin: an octahedron refined `level` times.
///
/// Parameters
/// ----------
/// level : int
///     How often edges are halved: 0 is the octahedron, ``8 * 4**level``
///     triangles.
/// threads : int, optional
///     How many threads work; as many as there are cores if None.
///
/// Returns
/// -------
/// Mesh
///     A closed surface with its vertices on the sphere, rounded to float32.
///
/// Examples
/// --------
/// >>> from tangere import generate
/// >>> generate.sphere(3)
/// <tangere.Mesh of 512 triangles on 258 vertices>
#[pyfunction]
#[pyo3(signature = (level, *, threads=None))]
pub fn sphere(level: &Bound<'_, PyAny>, threads: Option<&Bound<'_, PyAny>>) -> PyResult<Mesh> {
    let py = level.py();
    let level = small_count(level, "level")?;
    generated(py, threads, move || generate::sphere(level))
}

/// Particles at random places in a box with the origin at its corner.
///
/// Parameters
/// ----------
/// count : int
///     The number of particles.
/// dim : {3, 2}, optional
///     Spheres in space or discs in the plane.
/// diameters : (float, float), optional
///     The smallest and the largest diameter.
/// density : float, optional
///     The number of particles in a unit of volume (of area in the plane),
///     which decides the edge of the box, ``(count / density)**(1 / dim)``.
///     1000 in space and 100 in the plane if None.
/// seed : int, optional
///     The seed of the random numbers, from 0 to ``2**64 - 1``.
/// sizes : {"uniform", "log", "volume"}, optional
///     How diameters are distributed between the smallest and the largest:
///     uniformly, with uniform logarithm, or with the same total volume in
///     each octave.
/// huge : float, optional
///     A diameter for the last particle, which then sits in the middle of the
///     box.
///
/// Returns
/// -------
/// centers : numpy.ndarray, float64, shape (count, dim)
/// radii : numpy.ndarray, float64, shape (count,)
///
/// Examples
/// --------
/// >>> from tangere import generate
/// >>> centers, radii = generate.particles(1000, seed=42)
/// >>> centers.shape, bool(radii.max() <= 0.05)
/// ((1000, 3), True)
#[pyfunction]
#[pyo3(signature = (count, *, dim=None, diameters=None, density=None, seed=None, sizes=None, huge=None))]
#[pyo3(
    text_signature = "(count, *, dim=3, diameters=(0.05, 0.1), density=None, seed=0, sizes='uniform', huge=None)"
)]
#[expect(clippy::too_many_arguments, reason = "keyword-only in Python")]
pub fn particles<'py>(
    py: Python<'py>,
    count: &Bound<'py, PyAny>,
    dim: Option<&Bound<'py, PyAny>>,
    diameters: Option<&Bound<'py, PyAny>>,
    density: Option<&Bound<'py, PyAny>>,
    seed: Option<&Bound<'py, PyAny>>,
    sizes: Option<&Bound<'py, PyAny>>,
    huge: Option<&Bound<'py, PyAny>>,
) -> PyResult<Arrays<'py>> {
    let count = count_of(count, "count")?;
    let dimension = dim.map_or(Ok(3), |dim| integer(dim, "dim", 2..=3))? as usize;
    // The paper's test A gives diameters and density where none are asked for.
    let mut settings = ParticleBox::test_a(dimension, count, seed_of(seed)?);
    if let Some(diameters) = diameters {
        let interval = small(diameters, "diameters", &[&[2]])?;
        settings.diameters = [interval[0], interval[1]];
    }
    if let Some(density) = density {
        settings.density = number(density, "density")?;
    }
    if let Some(sizes) = sizes {
        let sizes = word(sizes, "sizes")?;
        settings.sizes = sizes.parse::<Sizes>().map_err(|_| {
            let expected = "'uniform', 'log' or 'volume'";
            refused("sizes", format_args!("'{sizes}'"), expected)
        })?;
    }
    settings.huge = huge.map(|huge| number(huge, "huge")).transpose()?;
    if dimension == 2 {
        let discs = run(py, None, move || generate::particles::<2>(&settings))?;
        arrays(py, discs.map_err(value_error)?)
    } else {
        let spheres = run(py, None, move || generate::particles::<3>(&settings))?;
        arrays(py, spheres.map_err(value_error)?)
    }
}

/// An open-cell foam: struts around bubbles, one closed surface of high genus.
///
/// Parameters
/// ----------
/// triangles : int
///     About how many triangles there shall be; the number is met within 10%.
/// seed : int, optional
///     The seed of the random bubbles, from 0 to ``2**64 - 1``.
/// threads : int, optional
///     How many threads work; as many as there are cores if None. The foam
///     does not depend on it.
///
/// Returns
/// -------
/// Mesh
///
/// Examples
/// --------
/// >>> from tangere import generate
/// >>> foam = generate.foam(30_000, seed=1)
/// >>> abs(len(foam) - 30_000) < 3000, foam.report.genus > 10
/// (True, True)
#[pyfunction]
#[pyo3(signature = (triangles, *, seed=None, threads=None))]
#[pyo3(text_signature = "(triangles, *, seed=0, threads=None)")]
pub fn foam(
    triangles: &Bound<'_, PyAny>,
    seed: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Mesh> {
    let py = triangles.py();
    let triangles = count_of(triangles, "triangles")?;
    let seed = seed_of(seed)?;
    generated(py, threads, move || generate::foam(triangles, seed))
}

/// The Menger sponge in the cube from the origin to ``3**level``.
///
/// Parameters
/// ----------
/// level : int
///     How often the cubes are pierced: 0 is a cube,
///     ``4 * 20**level + 8 * 8**level`` triangles.
///
/// Returns
/// -------
/// Mesh
///
/// Examples
/// --------
/// >>> from tangere import generate
/// >>> generate.sponge(1).report.genus
/// 5
#[pyfunction]
#[pyo3(signature = (level))]
pub fn sponge(level: &Bound<'_, PyAny>) -> PyResult<Mesh> {
    let py = level.py();
    let level = small_count(level, "level")?;
    generated(py, None, move || generate::sponge(level))
}

/// Chazelle's polyhedron: a box with notches from above and below that nearly
/// meet in a saddle, the worst case of decompositions into convex parts.
///
/// Parameters
/// ----------
/// size : int
///     How many notches there are on each side: ``24 * size + 12`` triangles.
///
/// Returns
/// -------
/// Mesh
///
/// Examples
/// --------
/// >>> from tangere import generate
/// >>> generate.chazelle(10)
/// <tangere.Mesh of 252 triangles on 128 vertices>
#[pyfunction]
#[pyo3(signature = (size))]
pub fn chazelle(size: &Bound<'_, PyAny>) -> PyResult<Mesh> {
    let py = size.py();
    let size = small_count(size, "size")?;
    generated(py, None, move || generate::chazelle(size))
}

/// A tube along a trefoil knot.
///
/// Parameters
/// ----------
/// triangles : int
///     Exactly how many triangles there shall be: an even number from 100.
///
/// Returns
/// -------
/// Mesh
///
/// Examples
/// --------
/// >>> from tangere import generate
/// >>> knot = generate.knot(1234)
/// >>> len(knot), knot.report.genus
/// (1234, 1)
#[pyfunction]
#[pyo3(signature = (triangles))]
pub fn knot(triangles: &Bound<'_, PyAny>) -> PyResult<Mesh> {
    let py = triangles.py();
    let triangles = count_of(triangles, "triangles")?;
    generated(py, None, move || generate::knot(triangles))
}
