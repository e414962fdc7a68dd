//! Broad phase: all pairs of spheres or boxes that touch.

use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tangere::pairs::Method;
use tangere_front::finder::{Finder, Settings};
use tangere_front::inputs::{Frame, PairFilters, Shapes};

use crate::arguments::{self, by_name, flag, number};
use crate::arrays::{Points, from_points, numbers_for, points_2_or_3, small, unsigned};
use crate::errors::{What, of_arrays, of_limited, refused};
use crate::options::Options;
use crate::periodic;
use crate::run::run_on;

/// Keyword arguments of a call.
pub type Keywords<'a, 'py> = &'a Bound<'py, PyDict>;

/// Reads the settings of a search from keyword arguments.
pub fn settings(options: Options<'_, '_>) -> PyResult<Settings> {
    let method = options.read("method", |method, name| by_name(method, name, &Method::ALL))?;
    let most = options.read("max_pairs", arguments::most)?;
    let skin = options.read("skin", number)?;
    Ok(Settings {
        method: method.unwrap_or(Method::Auto),
        margin: options.read("margin", number)?.unwrap_or(0.0),
        skin: skin.filter(|skin| *skin != 0.0),
        cell: options.read("periodic", |cell, _| periodic::cell(cell))?,
        every_image: options.read("every_image", flag)?.unwrap_or(false),
        most: most.unwrap_or(usize::MAX),
        occupancy: options.read("occupancy", number)?,
        origin: options.read("origin", |origin, name| small(origin, name, &[&[2], &[3]]))?,
    })
}

/// Names for error messages: for each item of the library the Python argument that contains it.
const NAMES: [(What, &str); 8] = [
    (What::Centre, "centers"),
    (What::Radius, "radii"),
    (What::LowerCorner, "lower"),
    (What::BoxMiddle, "lower"),
    (What::UpperCorner, "upper"),
    (What::Box, "upper"),
    (What::PeriodicImages, "periodic"),
    (What::PeriodicLengths, "periodic"),
];

/// Converts an error of the library; it names the argument of Python.
pub fn named(error: tangere::Error) -> PyErr {
    match error {
        tangere::Error::Argument {
            what: What::PeriodicCell,
            found,
            expected,
        } => refused("periodic", found, format_args!("{expected} (every_image)")),
        other => of_limited(other, &NAMES),
    }
}

/// Reads the pair filters of `count` items from the arguments `groups` and `masks`.
pub fn filters(options: Options<'_, '_>, count: usize) -> PyResult<PairFilters> {
    let groups = options.read("groups", |groups, name| unsigned(groups, name, count))?;
    let masks = options.read("masks", |masks, name| unsigned(masks, name, count))?;
    Ok(PairFilters::new(
        groups.unwrap_or_default(),
        masks.unwrap_or_default(),
    ))
}

/// Reads spheres from the arguments `centers` and `radii`.
pub fn spheres(centers: &Bound<'_, PyAny>, radii: &Bound<'_, PyAny>) -> PyResult<Frame> {
    named_spheres(centers, radii, ["centers", "radii"])
}

fn named_spheres(
    centers: &Bound<'_, PyAny>,
    radii: &Bound<'_, PyAny>,
    names: [&str; 2],
) -> PyResult<Frame> {
    let centers = points_2_or_3(centers, names[0])?;
    let [count, _] = shape(&centers);
    let radii = numbers_for(radii, names[1], count)?;
    if radii.len() != count {
        return Err(refused(
            names[1],
            format_args!("shape ({},)", radii.len()),
            format_args!("({count},), one for each of {}", names[0]),
        ));
    }
    Ok(match centers {
        Points::Plane(centers) => Frame::Plane(Shapes::Spheres { centers, radii }),
        Points::Space(centers) => Frame::Space(Shapes::Spheres { centers, radii }),
    })
}

/// Reads boxes from the arguments `lower` and `upper`.
pub fn boxes(lower: &Bound<'_, PyAny>, upper: &Bound<'_, PyAny>) -> PyResult<Frame> {
    named_boxes(lower, upper, ["lower", "upper"])
}

fn named_boxes(
    lower: &Bound<'_, PyAny>,
    upper: &Bound<'_, PyAny>,
    names: [&str; 2],
) -> PyResult<Frame> {
    let lower = points_2_or_3(lower, names[0])?;
    let upper = points_2_or_3(upper, names[1])?;
    let (expected, found) = (shape(&lower), shape(&upper));
    match (lower, upper) {
        (Points::Plane(lower), Points::Plane(upper)) if expected == found => {
            Ok(Frame::Plane(Shapes::Boxes { lower, upper }))
        }
        (Points::Space(lower), Points::Space(upper)) if expected == found => {
            Ok(Frame::Space(Shapes::Boxes { lower, upper }))
        }
        _ => Err(refused(
            names[1],
            format_args!("shape ({}, {})", found[0], found[1]),
            format_args!("({}, {}), that of {}", expected[0], expected[1], names[0]),
        )),
    }
}

fn shape(points: &Points) -> [usize; 2] {
    match points {
        Points::Plane(points) => [points.len(), 2],
        Points::Space(points) => [points.len(), 3],
    }
}

/// The names of the keyword arguments of a search.
const KEYWORDS: &str =
    "method periodic margin groups masks every_image max_pairs occupancy origin threads";

/// Finds all pairs of items that touch; with `others`, all pairs of an item and one of `others`.
fn find_pairs<'py>(
    py: Python<'py>,
    items: Frame,
    others: Option<Frame>,
    options: Options<'_, 'py>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let filters = filters(options, items.len())?;
    let mut finder = Finder::new(settings(options)?).map_err(named)?;
    let pairs = run_on(py, options.threads()?, move || {
        let mut pairs = Vec::new();
        finder.leave_out(filters);
        finder.update(&items).map_err(named)?;
        match others {
            None => finder.pairs(&mut pairs).map_err(named)?,
            Some(others) => {
                let found = finder.query(&others, &mut pairs);
                found.map_err(|error| of_others(error, &others))?;
            }
        }
        Ok::<_, PyErr>(pairs)
    })??;
    from_points(py, pairs)
}

/// Converts an error about the second set of items: it names the array of that set, such as
/// `other_radii`.
fn of_others(error: tangere::Error, others: &Frame) -> PyErr {
    let tangere::Error::Item { what, .. } = &error else {
        return named(error);
    };
    let array = match (what, others.radii()) {
        (What::Radius, _) => "other_radii",
        (_, Some(_)) => "other_centers",
        (What::LowerCorner | What::Centre | What::BoxMiddle, _) => "other_lower",
        _ => "other_upper",
    };
    let names = [(*what, array)];
    of_arrays(error, &names)
}

/// Broad phase: all pairs of spheres (discs in the plane) that touch.
///
/// Two touch when ``dx*dx + dy*dy + dz*dz <= (ri + rj)*(ri + rj)`` in float64. The result is exact,
/// and the same for every method and number of threads.
///
/// Parameters
/// ----------
/// centers : array_like, shape (N, 2) or (N, 3)
///     The centres, finite. N may be 0.
/// radii : array_like, shape (N,), or float
///     The radii, finite and not negative.
#[doc = include_str!("pairs_options.txt")]
/// Returns
/// -------
/// ndarray of uint32, shape (M, 2)
///     Rows (a, b) with a < b, sorted.
#[doc = include_str!("pairs_raises.txt")]
/// Examples
/// --------
/// >>> import tangere
/// >>> centers = [[0, 0], [1, 0], [9.5, 0]]
/// >>> tangere.pairs(centers, [0.5, 0.5, 0.25])
/// array([[0, 1]], dtype=uint32)
/// >>> tangere.pairs(centers, [0.5, 0.5, 0.25], periodic=[10, 0])
/// array([[0, 1],
///        [0, 2]], dtype=uint32)
/// >>> tangere.pairs(centers, [0.5, 0.5, 0.25], periodic=[10, 0], groups=[7, 7, 3])
/// array([[0, 2]], dtype=uint32)
#[pyfunction]
#[pyo3(signature = (centers, radii, **options))]
#[pyo3(
    text_signature = "(centers, radii, *, method='auto', periodic=None, margin=0.0, groups=None, masks=None, every_image=False, max_pairs=None, occupancy=None, origin=None, threads=None)"
)]
pub fn pairs<'py>(
    centers: &Bound<'py, PyAny>,
    radii: &Bound<'py, PyAny>,
    options: Option<Keywords<'_, 'py>>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let options = Options::new("pairs", options, KEYWORDS)?;
    find_pairs(centers.py(), spheres(centers, radii)?, None, options)
}

/// Broad phase: all pairs of axis-aligned boxes (AABB) that touch.
///
/// Boxes are closed: those that share only a face, an edge or a corner touch.
///
/// Parameters
/// ----------
/// lower : array_like, shape (N, 2) or (N, 3)
///     The lower corners of the boxes, finite. N may be 0.
/// upper : array_like, of the same shape
///     Their upper corners, nowhere below the lower ones.
#[doc = include_str!("pairs_options.txt")]
/// Returns
/// -------
/// ndarray of uint32, shape (M, 2)
///     Rows (a, b) with a < b, sorted.
#[doc = include_str!("pairs_raises.txt")]
/// Examples
/// --------
/// >>> import numpy as np, tangere
/// >>> lower = np.array([[0, 0], [1, 0], [5, 5]])
/// >>> tangere.box_pairs(lower, lower + 1)
/// array([[0, 1]], dtype=uint32)
/// >>> len(tangere.box_pairs(lower, lower + 1, margin=5))
/// 3
/// >>> grain, wall = (1, 3), (2, 1)  # grains meet both, walls only grains
/// >>> len(tangere.box_pairs(lower, lower + 1, margin=5, masks=[wall, wall, grain]))
/// 2
#[pyfunction]
#[pyo3(signature = (lower, upper, **options))]
#[pyo3(
    text_signature = "(lower, upper, *, method='auto', periodic=None, margin=0.0, groups=None, masks=None, every_image=False, max_pairs=None, occupancy=None, origin=None, threads=None)"
)]
pub fn box_pairs<'py>(
    lower: &Bound<'py, PyAny>,
    upper: &Bound<'py, PyAny>,
    options: Option<Keywords<'_, 'py>>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let options = Options::new("box_pairs", options, KEYWORDS)?;
    find_pairs(lower.py(), boxes(lower, upper)?, None, options)
}

/// Broad phase of two sets: all pairs of a sphere of one and a sphere of the other that touch.
///
/// Pairs within a set are not searched. Spheres touch as for `pairs`.
///
/// Parameters
/// ----------
/// centers : array_like, shape (N, 2) or (N, 3)
///     The centres, finite. N may be 0.
/// radii : array_like, shape (N,), or float
///     The radii, finite and not negative.
/// other_centers : array_like, shape (K, 2) or (K, 3)
///     The centres of the second set.
/// other_radii : array_like, shape (K,), or float
///     Their radii. The second set has no groups and passes every mask.
#[doc = include_str!("pairs_options.txt")]
/// Returns
/// -------
/// ndarray of uint32, shape (M, 2)
///     Rows (a, b), sorted: a of the first set touches b of the second.
#[doc = include_str!("pairs_raises.txt")]
/// Examples
/// --------
/// >>> import tangere
/// >>> grains = [[0, 0], [1, 0], [5, 0]]
/// >>> tangere.pairs_between(grains, [0.5, 0.5, 0.5], [[0.5, 0], [6, 0]], [0.1, 0.5])
/// array([[0, 0],
///        [1, 0],
///        [2, 1]], dtype=uint32)
#[pyfunction]
#[pyo3(signature = (centers, radii, other_centers, other_radii, **options))]
#[pyo3(
    text_signature = "(centers, radii, other_centers, other_radii, *, method='auto', periodic=None, margin=0.0, groups=None, masks=None, every_image=False, max_pairs=None, occupancy=None, origin=None, threads=None)"
)]
pub fn pairs_between<'py>(
    centers: &Bound<'py, PyAny>,
    radii: &Bound<'py, PyAny>,
    other_centers: &Bound<'py, PyAny>,
    other_radii: &Bound<'py, PyAny>,
    options: Option<Keywords<'_, 'py>>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let options = Options::new("pairs_between", options, KEYWORDS)?;
    let others = named_spheres(other_centers, other_radii, ["other_centers", "other_radii"])?;
    find_pairs(
        centers.py(),
        spheres(centers, radii)?,
        Some(others),
        options,
    )
}

/// Broad phase of two sets: all pairs of a box of one and a box of the other that touch.
///
/// Pairs within a set are not searched. Boxes touch as for `box_pairs`.
///
/// Parameters
/// ----------
/// lower : array_like, shape (N, 2) or (N, 3)
///     The lower corners of the boxes, finite. N may be 0.
/// upper : array_like, of the same shape
///     Their upper corners, nowhere below the lower ones.
/// other_lower : array_like, shape (K, 2) or (K, 3)
///     The lower corners of the second set.
/// other_upper : array_like, of the same shape
///     Their upper corners. The second set has no groups and passes every mask.
#[doc = include_str!("pairs_options.txt")]
/// Returns
/// -------
/// ndarray of uint32, shape (M, 2)
///     Rows (a, b), sorted: a of the first set touches b of the second.
#[doc = include_str!("pairs_raises.txt")]
/// Examples
/// --------
/// >>> import numpy as np, tangere
/// >>> lower = np.array([[0, 0], [1, 0], [5, 5]])
/// >>> tangere.box_pairs_between(lower, lower + 1, [[5.5, 0]], [[6, 9]])
/// array([[2, 0]], dtype=uint32)
#[pyfunction]
#[pyo3(signature = (lower, upper, other_lower, other_upper, **options))]
#[pyo3(
    text_signature = "(lower, upper, other_lower, other_upper, *, method='auto', periodic=None, margin=0.0, groups=None, masks=None, every_image=False, max_pairs=None, occupancy=None, origin=None, threads=None)"
)]
pub fn box_pairs_between<'py>(
    lower: &Bound<'py, PyAny>,
    upper: &Bound<'py, PyAny>,
    other_lower: &Bound<'py, PyAny>,
    other_upper: &Bound<'py, PyAny>,
    options: Option<Keywords<'_, 'py>>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let options = Options::new("box_pairs_between", options, KEYWORDS)?;
    let others = named_boxes(other_lower, other_upper, ["other_lower", "other_upper"])?;
    find_pairs(lower.py(), boxes(lower, upper)?, Some(others), options)
}
