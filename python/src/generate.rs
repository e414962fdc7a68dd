//! Generators of meshes and particles.

use pyo3::conversion::FromPyObjectOwned;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tangere::generate::{self, ParticleBox};
use tangere::shape::{Spheres, TriMesh};

use crate::arguments::{self, Argument, Given, SizeArgument, integer, number, word};
use crate::arrays::{unsigned, vector};
use crate::errors::{What, named, refused, value_error};
use crate::mesh::Mesh;
use crate::options::Options;
use crate::particles::{Arrays, arrays};
use crate::run::{run, run_on, threads_of};

/// Generates a mesh from an integer argument, its name and the largest value of the type `T`. An
/// integer that does not fit `T` becomes that value, which `make` refuses.
fn generated<'py, T: Send + FromPyObjectOwned<'py> + 'static>(
    size: (&Bound<'py, PyAny>, &'static str, T),
    threads: Argument<'_, 'py>,
    make: impl FnOnce(T) -> tangere::Result<TriMesh> + Send + 'static,
) -> PyResult<Mesh> {
    let (size, name, largest) = size;
    let SizeArgument { value, found, .. } = SizeArgument::new(size, name, largest)?;
    let mesh = run(size.py(), threads, move || make(value))?;
    Ok(Mesh::from_parts(
        mesh.map_err(|e| out_of_range(e, name, &found))?,
        None,
    ))
}

/// Generates discs in 2 dimensions or spheres in 3.
fn generated_particles<'py>(
    py: Python<'py>,
    threads: usize,
    (count, dimension): (SizeArgument<usize>, usize),
    discs: impl FnOnce() -> tangere::Result<Spheres<2>> + Send + 'static,
    spheres: impl FnOnce() -> tangere::Result<Spheres<3>> + Send + 'static,
) -> PyResult<Arrays<'py>> {
    let refusal = |error| match error {
        tangere::Error::Argument {
            what: What::Count, ..
        } => out_of_range(error, count.name, &count.found),
        other => value_error(other),
    };
    match dimension {
        2 => arrays(py, run_on(py, threads, discs)?.map_err(refusal)?),
        _ => arrays(py, run_on(py, threads, spheres)?.map_err(refusal)?),
    }
}

/// Returns the library's error about a size, with its name and value in Python.
fn out_of_range(error: tangere::Error, name: &str, found: &str) -> PyErr {
    match error {
        tangere::Error::Argument { expected, .. } => refused(name, found, expected),
        other => value_error(other),
    }
}

/// The unit sphere at the origin: an octahedron refined `level` times.
///
/// Parameters
/// ----------
/// level : int
///     The number of subdivisions, from 0 (the octahedron) to 12: ``8 * 4**level``
///     triangles.
#[doc = include_str!("threads.txt")]
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
pub fn sphere(level: &Bound<'_, PyAny>, threads: Argument<'_, '_>) -> PyResult<Mesh> {
    generated((level, "level", u32::MAX), threads, generate::sphere)
}

/// Random particles, uniformly distributed in a box with its lower corner at the origin.
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
///     Number density: particles per unit of volume (of area in the plane). The edge of the box is
///     ``(count / density)**(1 / dim)``. 1000 in space and 100 in the plane if None.
/// contacts : float, optional
///     In place of a density: the mean number of particles that a particle touches.
/// seed : int, optional
///     The seed of the random numbers, from 0 to ``2**64 - 1``.
/// sizes : {"uniform", "log", "volume"}, optional
///     The size distribution between the smallest and the largest diameter: uniform, with
///     uniform logarithm, or with the same total volume in each octave.
/// huge : float, optional
///     The diameter of the last particle, which is then at the centre of the box.
#[doc = include_str!("threads.txt")]
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
/// >>> centers, radii = generate.particles(20_000, contacts=2)
/// >>> import tangere
/// >>> 1.8 < 2 * len(tangere.pairs(centers, radii)) / 20_000 < 2.2
/// True
#[pyfunction]
#[pyo3(signature = (count, **options))]
#[pyo3(
    text_signature = "(count, *, dim=3, diameters=(0.05, 0.1), density=None, seed=0, sizes='uniform', huge=None, contacts=None, threads=None)"
)]
pub fn particles<'py>(
    count: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Arrays<'py>> {
    let py = count.py();
    let names = "dim diameters density seed sizes huge contacts threads";
    let options = Options::new("particles", options, names)?;
    let count = SizeArgument::new(count, "count", usize::MAX)?;
    let dimension = options.or(3, "dim", arguments::dimension)?;
    let seed = options.or(0, "seed", arguments::seed)?;
    // Defaults are the diameters and density of the paper's test A.
    let mut settings = ParticleBox::test_a(dimension, count.value, seed);
    settings.diameters = options.or(settings.diameters, "diameters", vector)?;
    let density = options.read("density", number)?;
    settings.density = density.unwrap_or(settings.density);
    settings.sizes = options.or(settings.sizes, "sizes", |sizes, name| {
        let sizes = word(sizes, name)?;
        sizes.parse().map_err(|_| {
            let expected = "'uniform', 'log' or 'volume'";
            refused(name, format_args!("'{sizes}'"), expected)
        })
    })?;
    settings.huge = options.read("huge", number)?;
    let contacts = options.read("contacts", |contacts, name| match density {
        None => number(contacts, name),
        Some(_) => {
            let expected = "None beside density, which it takes the place of";
            Err(refused(name, contacts.repr()?, expected))
        }
    })?;
    if let Some(contacts) = contacts {
        let found = settings.with_contacts(dimension, contacts);
        settings = found.map_err(value_error)?;
    }
    let same = settings.clone();
    let discs = move || generate::particles(&same);
    let spheres = move || generate::particles(&settings);
    generated_particles(py, options.threads()?, (count, dimension), discs, spheres)
}

/// Crystal: equal discs or spheres on the sites of a lattice in the periodic unit box.
///
/// Parameters
/// ----------
/// count : int
///     The number of particles.
/// filled : float, optional
///     The volume fraction.
/// dim : {3, 2}, optional
///     Spheres in space or discs in the plane.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// centers : numpy.ndarray, float64, shape (count, dim)
/// radii : numpy.ndarray, float64, shape (count,)
///
/// Examples
/// --------
/// >>> import tangere
/// >>> centers, radii = tangere.generate.crystal(500, 0.5)
/// >>> centers.shape, len(tangere.pairs(centers, radii, periodic=[1, 1, 1]))
/// ((500, 3), 0)
#[pyfunction]
#[pyo3(signature = (count, filled=Given(None), *, dim=Given(None), threads=None),
       text_signature = "(count, filled=0.3, *, dim=3, threads=None)")]
pub fn crystal<'py>(
    py: Python<'py>,
    count: &Bound<'py, PyAny>,
    filled: Given<'py>,
    dim: Given<'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Arrays<'py>> {
    let count = SizeArgument::new(count, "count", usize::MAX)?;
    let filled = filled.or(0.3, "filled", number)?;
    let dimension = dim.or(3, "dim", arguments::dimension)?;
    let value = count.value;
    let discs = move || generate::crystal(value, filled);
    let spheres = move || generate::crystal(value, filled);
    generated_particles(py, threads_of(threads)?, (count, dimension), discs, spheres)
}

/// An open-cell foam: struts around bubbles, one closed surface of high genus.
///
/// Parameters
/// ----------
/// triangles : int
///     The target number of triangles, met within 10%.
/// seed : int, optional
///     The seed of the random bubbles, from 0 to ``2**64 - 1``.
#[doc = include_str!("threads.txt")]
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
#[pyo3(signature = (triangles, *, seed=Given(None), threads=None))]
#[pyo3(text_signature = "(triangles, *, seed=0, threads=None)")]
pub fn foam(
    triangles: &Bound<'_, PyAny>,
    seed: Given<'_>,
    threads: Argument<'_, '_>,
) -> PyResult<Mesh> {
    let seed = seed.or(0, "seed", arguments::seed)?;
    let size = (triangles, "triangles", usize::MAX);
    generated(size, threads, move |n| generate::foam(n, seed))
}

/// The Menger sponge in the cube from the origin to ``3**level``.
///
/// Parameters
/// ----------
/// level : int
///     The level of recursion, from 0 (a cube) to 5:
///     ``4 * 20**level + 8 * 8**level`` triangles.
#[doc = include_str!("threads.txt")]
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
#[pyo3(signature = (level, *, threads=None))]
pub fn sponge(level: &Bound<'_, PyAny>, threads: Argument<'_, '_>) -> PyResult<Mesh> {
    generated((level, "level", u32::MAX), threads, generate::sponge)
}

/// Chazelle's polyhedron: a box with notches from above and below that nearly meet in a saddle,
/// the worst case of convex decomposition.
///
/// Parameters
/// ----------
/// size : int
///     The number of notches on each side: ``24 * size + 12`` triangles.
#[doc = include_str!("threads.txt")]
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
#[pyo3(signature = (size, *, threads=None))]
pub fn chazelle(size: &Bound<'_, PyAny>, threads: Argument<'_, '_>) -> PyResult<Mesh> {
    generated((size, "size", u32::MAX), threads, generate::chazelle)
}

/// A tube around a trefoil knot.
///
/// Parameters
/// ----------
/// triangles : int
///     The exact number of triangles, even and at least 100.
#[doc = include_str!("threads.txt")]
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
#[pyo3(signature = (triangles, *, threads=None))]
pub fn knot(triangles: &Bound<'_, PyAny>, threads: Argument<'_, '_>) -> PyResult<Mesh> {
    generated(
        (triangles, "triangles", usize::MAX),
        threads,
        generate::knot,
    )
}

/// Convex hull of random points on the ellipsoid around the origin with semi-axes 1, 3/4 and
/// 1/2.
///
/// Parameters
/// ----------
/// faces : int
///     The exact number of triangles, even and at least 4. No two of them are coplanar.
/// seed : int, optional
///     The seed of the random points, from 0 to ``2**64 - 1``.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// Mesh
///
/// Examples
/// --------
/// >>> from tangere import generate
/// >>> generate.hull(920, seed=1)
/// <tangere.Mesh of 920 triangles on 462 vertices>
#[pyfunction]
#[pyo3(signature = (faces, *, seed=Given(None), threads=None))]
#[pyo3(text_signature = "(faces, *, seed=0, threads=None)")]
pub fn hull(
    faces: &Bound<'_, PyAny>,
    seed: Given<'_>,
    threads: Argument<'_, '_>,
) -> PyResult<Mesh> {
    let seed = seed.or(0, "seed", arguments::seed)?;
    let size = (faces, "faces", usize::MAX);
    generated(size, threads, move |n| generate::hull(n, seed))
}

/// Generates a mesh from the edge lengths `size` and the numbers of `divisions`: one integer for
/// all edges, or one for each.
fn generated_box<const N: usize>(
    size: &Bound<'_, PyAny>,
    divisions: Given<'_>,
    threads: Argument<'_, '_>,
    make: fn([f64; N], [u32; N]) -> tangere::Result<TriMesh>,
) -> PyResult<Mesh> {
    let lengths = vector(size, "size")?;
    let divisions = divisions.or([1; N], "divisions", |divisions, name| {
        if divisions.len().is_err() {
            return Ok([integer(divisions, name, 1..=u64::from(u32::MAX))? as u32; N]);
        }
        let each = unsigned::<1>(divisions, name, N)?;
        Ok(std::array::from_fn(|k| each[k][0]))
    })?;
    let mesh = run(size.py(), threads, move || make(lengths, divisions))?;
    let name = |what, _| match what {
        What::PlateSize | What::BoxSize => "size".to_owned(),
        _ => "divisions".to_owned(),
    };
    Ok(Mesh::from_parts(mesh.map_err(|e| named(e, name))?, None))
}

/// Box centred at the origin.
///
/// Parameters
/// ----------
/// size : array_like of 3 floats
///     The edge lengths along x, y and z; corners are at exactly half of them.
/// divisions : int or array_like of 3 ints, optional
///     The number of divisions of edges: ``4 * (a*b + b*c + c*a)`` triangles, 12 with one
///     division.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// Mesh
///
/// Examples
/// --------
/// >>> from tangere import generate
/// >>> generate.box((4, 2, 1)).report.volume
/// 8.0
/// >>> generate.box((4, 2, 1), divisions=(4, 2, 1))
/// <tangere.Mesh of 56 triangles on 30 vertices>
#[pyfunction(name = "box")]
#[pyo3(signature = (size, *, divisions=Given(None), threads=None))]
#[pyo3(text_signature = "(size, *, divisions=1, threads=None)")]
pub fn box_mesh(
    size: &Bound<'_, PyAny>,
    divisions: Given<'_>,
    threads: Argument<'_, '_>,
) -> PyResult<Mesh> {
    generated_box(size, divisions, threads, generate::box_mesh)
}

/// Rectangle centred at the origin in the plane z = 0, with its normal along z: an open surface,
/// for walls and floors.
///
/// Parameters
/// ----------
/// size : array_like of 2 floats
///     The edge lengths along x and y; corners are at exactly half of them.
/// divisions : int or array_like of 2 ints, optional
///     The number of divisions of edges: ``2 * a * b`` triangles.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// Mesh
///
/// Examples
/// --------
/// >>> from tangere import generate
/// >>> wall = generate.plate((12, 6), divisions=(12, 6))
/// >>> len(wall), wall.report.closed
/// (144, False)
#[pyfunction]
#[pyo3(signature = (size, *, divisions=Given(None), threads=None))]
#[pyo3(text_signature = "(size, *, divisions=1, threads=None)")]
pub fn plate(
    size: &Bound<'_, PyAny>,
    divisions: Given<'_>,
    threads: Argument<'_, '_>,
) -> PyResult<Mesh> {
    generated_box(size, divisions, threads, generate::plate)
}
