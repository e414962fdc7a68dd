//! Sphere packing of bodies, for `overlap`.

use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tangere::geometry::Aabb;
use tangere::overlap::pack::{FunctionContainer, PackSettings, pack as pack_container, pack_mesh};
use tangere::shape::{self, TriMesh};
use tangere_front::inputs::overlap::with_default_limit;

use crate::arguments::{Argument, integer, number, type_error};
use crate::arrays::small;
use crate::callable_container::CallableContainer;
use crate::convex::ConvexPolyhedron;
use crate::errors::{What, named, of_arrays, refused};
use crate::mesh::Mesh;
use crate::options::Options;
use crate::packing::Packing;
use crate::run::run;

/// Packs a mesh with spheres; with the default number of spheres if no limit is set.
pub fn packed(
    py: Python<'_>,
    mesh: Arc<TriMesh>,
    settings: PackSettings,
    name: &str,
    threads: Argument<'_, '_>,
) -> PyResult<Arc<shape::Packing>> {
    let settings = with_default_limit(settings);
    let packing = run(py, threads, move || pack_mesh(&mesh, &settings))?;
    let names = [(What::Mesh, name), (What::Body, name)];
    Ok(Arc::new(packing.map_err(|e| of_arrays(e, &names))?))
}

/// Sphere packing of a body: fills it greedily with the largest sphere that fits; the first spheres
/// are then moved and resized together so that they fill more.
///
/// The first limit that is reached ends the packing; 4000 spheres if no limit is given.
///
/// Parameters
/// ----------
/// mesh : Mesh, ConvexPolyhedron or callable
///     The surface of the body, closed and oriented outward. Or a signed distance function: it
///     takes points, an array of shape (N, 3), and returns the distance of each from the surface,
///     or a lower bound; negative outside.
/// spheres : int, optional
///     The largest number of spheres.
/// filling : float, optional
///     The volume fraction to reach, above 0 and below 1. The unfilled volume falls slowly: half
///     of it takes about thirty times as many spheres.
/// smallest : float, optional
///     The smallest radius of spheres.
/// bounds : array_like, shape (2, 3), optional
///     For a function: the lower and the upper corner of a box around the body.
/// volume : float, optional
///     For a function: the volume of the body.
/// threads : int, optional
///     The number of threads; all cores if None. Packings do not depend on it, bit for bit.
///
/// Returns
/// -------
/// Packing
///     Spheres inside the body that do not overlap, largest first.
///
/// Raises
/// ------
/// ValueError
///     If the surface is not closed and oriented (see `Mesh.report`), or is thinner
///     than the smallest sphere, or an argument is out of its range.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> knot = tangere.pack(tangere.generate.knot(2000), spheres=200)
/// >>> len(knot), knot.filling > 0.65
/// (200, True)
/// >>> import math, numpy
/// >>> def torus(p):
/// ...     return 1 - numpy.hypot(numpy.hypot(p[:, 0], p[:, 1]) - 2, p[:, 2])
/// >>> ring = tangere.pack(torus, bounds=[[-3, -3, -1], [3, 3, 1]], volume=4 * math.pi**2,
/// ...                     spheres=100)
/// >>> ring.filling > 0.6
/// True
#[pyfunction]
#[pyo3(signature = (mesh, **options))]
#[pyo3(
    text_signature = "(mesh, *, spheres=None, filling=None, smallest=None, bounds=None, volume=None, threads=None)"
)]
pub fn pack(mesh: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Packing> {
    let py = mesh.py();
    let names = "spheres filling smallest bounds volume threads";
    let options = Options::new("pack", options, names)?;
    let spheres = options.read("spheres", |n, name| integer(n, name, 1..=1 << 31))?;
    let settings = PackSettings {
        spheres: spheres.map(|n| n as usize),
        filling: options.read("filling", number)?,
        smallest: options.read("smallest", number)?,
    };
    let threads = options.given("threads")?;
    let surface = if let Ok(body) = mesh.cast::<ConvexPolyhedron>() {
        let surface = body.get().shared().to_mesh();
        Arc::new(surface.map_err(|e| of_arrays(e, &[(What::Vertex, "mesh")]))?)
    } else if let Ok(mesh) = mesh.cast::<Mesh>() {
        mesh.get().shared()
    } else if mesh.is_callable() {
        let container = container(mesh, options)?;
        return packed_container(py, container, settings, threads.as_ref());
    } else {
        let expected = "a Mesh, a ConvexPolyhedron or a function of points";
        return Err(type_error(mesh, "mesh", expected));
    };
    for name in ["bounds", "volume"] {
        if options.given(name)?.is_some() {
            return Err(refused(name, "one for a surface", "a function as mesh"));
        }
    }
    let shape = packed(py, surface, settings, "mesh", threads.as_ref())?;
    Ok(Packing { shape })
}

/// Returns the container that a distance function defines.
fn container(distance: &Bound<'_, PyAny>, options: Options<'_, '_>) -> PyResult<CallableContainer> {
    let bounds = options.read("bounds", |value, name| {
        let corners = small(value, name, &[&[2, 3]])?;
        let corner = |k: usize| std::array::from_fn(|i| corners[3 * k + i]);
        Aabb::new(corner(0), corner(1)).map_err(|e| named(e, |_, _| name.into()))
    })?;
    let (Some(bounds), Some(volume)) = (bounds, options.read("volume", number)?) else {
        let found = "a function without bounds and volume";
        return Err(refused("mesh", found, "both of them"));
    };
    // The library checks bounds and volume as for its own functions.
    FunctionContainer::new(bounds, volume, |_| 0.0)
        .map_err(|e| of_arrays(e, &[(What::Box, "bounds")]))?;
    Ok(CallableContainer {
        bounds,
        volume,
        distance: distance.clone().unbind(),
        raised: Mutex::new(None),
    })
}

/// Packs a container with spheres; with the default number of spheres if no limit is set.
fn packed_container(
    py: Python<'_>,
    mut container: CallableContainer,
    settings: PackSettings,
    threads: Argument<'_, '_>,
) -> PyResult<Packing> {
    let settings = with_default_limit(settings);
    let (made, raised) = run(py, threads, move || {
        let made = pack_container(&mut container, &settings);
        (made, container.raised.into_inner())
    })?;
    if let Ok(Some(raised)) = raised {
        return Err(raised);
    }
    let shape = made.map_err(|e| of_arrays(e, &[(What::Body, "mesh"), (What::Box, "bounds")]))?;
    Ok(Packing {
        shape: Arc::new(shape),
    })
}
