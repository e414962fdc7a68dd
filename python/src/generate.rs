//! Generators of meshes and particles.

use pyo3::prelude::*;
use tangere::generate::{self, ParticleBox, Sizes};
use tangere::shape::TriMesh;

use crate::arguments::{Given, Judged, integer, number, word};
use crate::arrays::{small, unsigned};
use crate::errors::{What, refused, value_error};
use crate::mesh::Mesh;
use crate::particles::{Arrays, arrays};
use crate::run::run;

/// A mesh generated from a size.
fn generated<T: Send + 'static>(
    py: Python<'_>,
    threads: Option<&Bound<'_, PyAny>>,
    size: Judged<T>,
    make: impl FnOnce(T) -> tangere::Result<TriMesh> + Send + 'static,
) -> PyResult<Mesh> {
    let Judged { value, name, found } = size;
    let mesh = run(py, threads, move || make(value))?.map_err(|e| judgement(e, name, &found))?;
    Ok(Mesh::from_parts(mesh, None))
}

/// What the library says of an integer, under its name and as it was written.
fn judgement(error: tangere::Error, name: &str, found: &str) -> PyErr {
    match error {
        tangere::Error::Argument { expected, .. } => refused(name, found, expected),
        other => value_error(other),
    }
}

fn seed_of(seed: Given<'_>) -> PyResult<u64> {
    let seed = seed.0.as_ref();
    seed.map_or(Ok(0), |seed| integer(seed, "seed", 0..=u64::MAX))
}

/// The unit sphere at the origin: an octahedron refined `level` times.
///
/// Parameters
/// ----------
/// level : int
///     How often edges are halved, from 0 (the octahedron) to 12:
///     ``8 * 4**level`` triangles.
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
    let level = Judged::new(level, "level", u32::MAX)?;
    generated(py, threads, level, generate::sphere)
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
/// contacts : float, optional
///     Instead of a density, how many others a particle touches on average.
/// seed : int, optional
///     The seed of the random numbers, from 0 to ``2**64 - 1``.
/// sizes : {"uniform", "log", "volume"}, optional
///     How diameters are distributed between the smallest and the largest:
///     uniformly, with uniform logarithm, or with the same total volume in
///     each octave.
/// huge : float, optional
///     A diameter for the last particle, which then sits in the middle of the
///     box.
/// threads : int, optional
///     How many threads work; as many as there are cores if None.
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
/// >>> centers, radii = generate.particles(20_000, contacts=2)
/// >>> import tangere
/// >>> 1.8 < 2 * len(tangere.pairs(centers, radii)) / 20_000 < 2.2
/// True
#[pyfunction]
#[pyo3(signature = (
    count, *, dim=Given(None), diameters=Given(None), density=None, seed=Given(None),
    sizes=Given(None), huge=None, contacts=None, threads=None
))]
#[pyo3(
    text_signature = "(count, *, dim=3, diameters=(0.05, 0.1), density=None, seed=0, sizes='uniform', huge=None, contacts=None, threads=None)"
)]
#[expect(clippy::too_many_arguments, reason = "keyword-only in Python")]
pub fn particles<'py>(
    py: Python<'py>,
    count: &Bound<'py, PyAny>,
    dim: Given<'py>,
    diameters: Given<'py>,
    density: Option<&Bound<'py, PyAny>>,
    seed: Given<'py>,
    sizes: Given<'py>,
    huge: Option<&Bound<'py, PyAny>>,
    contacts: Option<&Bound<'py, PyAny>>,
    threads: Option<&Bound<'py, PyAny>>,
) -> PyResult<Arrays<'py>> {
    let count = Judged::new(count, "count", usize::MAX)?;
    let dim = dim.0.as_ref();
    let dimension = dim.map_or(Ok(3), |dim| integer(dim, "dim", 2..=3))? as usize;
    // The paper's test A gives diameters and density where none are asked for.
    let mut settings = ParticleBox::test_a(dimension, count.value, seed_of(seed)?);
    if let Some(diameters) = diameters.0 {
        let interval = small(&diameters, "diameters", &[&[2]])?;
        settings.diameters = [interval[0], interval[1]];
    }
    if let Some(density) = density {
        settings.density = number(density, "density")?;
    }
    if let Some(sizes) = sizes.0 {
        let sizes = word(&sizes, "sizes")?;
        settings.sizes = sizes.parse::<Sizes>().map_err(|_| {
            let expected = "'uniform', 'log' or 'volume'";
            refused("sizes", format_args!("'{sizes}'"), expected)
        })?;
    }
    settings.huge = huge.map(|huge| number(huge, "huge")).transpose()?;
    if let Some(contacts) = contacts {
        if density.is_some() {
            let expected = "None beside density, which it takes the place of";
            return Err(refused("contacts", contacts.repr()?, expected));
        }
        let contacts = number(contacts, "contacts")?;
        let found = settings.with_contacts(dimension, contacts);
        settings = found.map_err(value_error)?;
    }
    let refusal = |error| match error {
        tangere::Error::Argument {
            what: What::Count, ..
        } => judgement(error, count.name, &count.found),
        other => value_error(other),
    };
    if dimension == 2 {
        let discs = run(py, threads, move || generate::particles::<2>(&settings))?;
        arrays(py, discs.map_err(refusal)?)
    } else {
        let spheres = run(py, threads, move || generate::particles::<3>(&settings))?;
        arrays(py, spheres.map_err(refusal)?)
    }
}

/// Equal discs or spheres in the unit box that do not overlap, on the places of a crystal that
/// repeats with the box.
///
/// Parameters
/// ----------
/// count : int
///     The number of particles.
/// filled : float, optional
///     The share of the box that they fill.
/// dim : {3, 2}, optional
///     Spheres in space or discs in the plane.
/// threads : int, optional
///     How many threads work; as many as there are cores if None.
///
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
    threads: Option<&Bound<'py, PyAny>>,
) -> PyResult<Arrays<'py>> {
    let count = Judged::new(count, "count", usize::MAX)?;
    let filled = filled.0.as_ref().map_or(Ok(0.3), |x| number(x, "filled"))?;
    let dimension = dim
        .0
        .as_ref()
        .map_or(Ok(3), |dim| integer(dim, "dim", 2..=3))?;
    let value = count.value;
    let refusal = |error| match error {
        tangere::Error::Argument {
            what: What::Count, ..
        } => judgement(error, count.name, &count.found),
        other => value_error(other),
    };
    if dimension == 2 {
        let discs = run(py, threads, move || generate::crystal::<2>(value, filled))?;
        arrays(py, discs.map_err(refusal)?)
    } else {
        let spheres = run(py, threads, move || generate::crystal::<3>(value, filled))?;
        arrays(py, spheres.map_err(refusal)?)
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
///     How many threads work; as many as there are cores if None.
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
#[pyo3(signature = (triangles, *, seed=Given(None), threads=None))]
#[pyo3(text_signature = "(triangles, *, seed=0, threads=None)")]
pub fn foam(
    triangles: &Bound<'_, PyAny>,
    seed: Given<'_>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Mesh> {
    let py = triangles.py();
    let triangles = Judged::new(triangles, "triangles", usize::MAX)?;
    let seed = seed_of(seed)?;
    generated(py, threads, triangles, move |n| generate::foam(n, seed))
}

/// The Menger sponge in the cube from the origin to ``3**level``.
///
/// Parameters
/// ----------
/// level : int
///     How often the cubes are pierced, from 0 (a cube) to 5:
///     ``4 * 20**level + 8 * 8**level`` triangles.
/// threads : int, optional
///     How many threads work; as many as there are cores if None.
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
#[pyo3(signature = (level, *, threads=None))]
pub fn sponge(level: &Bound<'_, PyAny>, threads: Option<&Bound<'_, PyAny>>) -> PyResult<Mesh> {
    let py = level.py();
    let level = Judged::new(level, "level", u32::MAX)?;
    generated(py, threads, level, generate::sponge)
}

/// Chazelle's polyhedron: a box with notches from above and below that nearly
/// meet in a saddle, the worst case of decompositions into convex parts.
///
/// Parameters
/// ----------
/// size : int
///     How many notches there are on each side: ``24 * size + 12`` triangles.
/// threads : int, optional
///     How many threads work; as many as there are cores if None.
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
#[pyo3(signature = (size, *, threads=None))]
pub fn chazelle(size: &Bound<'_, PyAny>, threads: Option<&Bound<'_, PyAny>>) -> PyResult<Mesh> {
    let py = size.py();
    let size = Judged::new(size, "size", u32::MAX)?;
    generated(py, threads, size, generate::chazelle)
}

/// A tube along a trefoil knot.
///
/// Parameters
/// ----------
/// triangles : int
///     Exactly how many triangles there shall be: an even number from 100.
/// threads : int, optional
///     How many threads work; as many as there are cores if None.
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
#[pyo3(signature = (triangles, *, threads=None))]
pub fn knot(triangles: &Bound<'_, PyAny>, threads: Option<&Bound<'_, PyAny>>) -> PyResult<Mesh> {
    let py = triangles.py();
    let triangles = Judged::new(triangles, "triangles", usize::MAX)?;
    generated(py, threads, triangles, generate::knot)
}

/// A convex body: the hull of random points on the ellipsoid around the origin
/// with semi-axes 1, 3/4 and 1/2.
///
/// Parameters
/// ----------
/// faces : int
///     Exactly how many triangles there shall be: an even number from 4. No two of
///     them lie in one plane.
/// seed : int, optional
///     The seed of the random points, from 0 to ``2**64 - 1``.
/// threads : int, optional
///     How many threads work; as many as there are cores if None.
///
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
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Mesh> {
    let py = faces.py();
    let faces = Judged::new(faces, "faces", usize::MAX)?;
    let seed = seed_of(seed)?;
    generated(py, threads, faces, move |n| generate::hull(n, seed))
}

/// How often edges are divided: an integer for all of them, or one for each.
fn divisions_of<const N: usize>(divisions: Given<'_>) -> PyResult<[u32; N]> {
    let Some(divisions) = divisions.0 else {
        return Ok([1; N]);
    };
    if divisions.len().is_err() {
        let all = integer(&divisions, "divisions", 1..=u64::from(u32::MAX))?;
        return Ok([all as u32; N]);
    }
    let each = unsigned::<1>(&divisions, "divisions", N)?;
    Ok(std::array::from_fn(|k| each[k][0]))
}

/// What the library says of sizes and divisions, under their names here.
fn judgement_of_box(error: tangere::Error) -> PyErr {
    match error {
        tangere::Error::Argument {
            what,
            found,
            expected,
        } => {
            let name = match what {
                What::PlateSize | What::BoxSize => "size",
                _ => "divisions",
            };
            refused(name, found, expected)
        }
        other => value_error(other),
    }
}

/// A box around the origin.
///
/// Parameters
/// ----------
/// size : array_like of 3 floats
///     The lengths of its edges along x, y and z; corners are at half of them, exactly.
/// divisions : int or array_like of 3 ints, optional
///     How often edges are divided: ``4 * (a*b + b*c + c*a)`` triangles, 12 with one
///     division.
/// threads : int, optional
///     How many threads work; as many as there are cores if None.
///
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
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Mesh> {
    let numbers = small(size, "size", &[&[3]])?;
    let lengths = [numbers[0], numbers[1], numbers[2]];
    let divisions = divisions_of(divisions)?;
    let mesh = run(size.py(), threads, move || {
        generate::box_mesh(lengths, divisions)
    })?;
    Ok(Mesh::from_parts(mesh.map_err(judgement_of_box)?, None))
}

/// A flat rectangle around the origin in the plane z = 0, its normal along z: an
/// open surface, for walls and floors.
///
/// Parameters
/// ----------
/// size : array_like of 2 floats
///     The lengths of its edges along x and y; corners are at half of them, exactly.
/// divisions : int or array_like of 2 ints, optional
///     How often edges are divided: ``2 * a * b`` triangles.
/// threads : int, optional
///     How many threads work; as many as there are cores if None.
///
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
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Mesh> {
    let numbers = small(size, "size", &[&[2]])?;
    let lengths = [numbers[0], numbers[1]];
    let divisions = divisions_of(divisions)?;
    let mesh = run(size.py(), threads, move || {
        generate::plate(lengths, divisions)
    })?;
    Ok(Mesh::from_parts(mesh.map_err(judgement_of_box)?, None))
}
