//! Pairs of particles or boxes that touch.

use numpy::PyArray2;
use pyo3::prelude::*;
use tangere::pairs::{Candidates, Items, Mask, Method, PairSettings, Periodic, finder};

use crate::arguments::{flag, number, word};
use crate::arrays::{Points, from_points, numbers, points_2_or_3, small, unsigned};
use crate::errors::{refused, value_error};
use crate::run::run;

/// An argument that may be missing.
pub type Argument<'a, 'py> = Option<&'a Bound<'py, PyAny>>;
/// A finder of some method.
pub type Finder<const D: usize> = Box<dyn tangere::pairs::PairFinder<D>>;

/// How pairs are to be found.
#[derive(Clone)]
pub struct Settings {
    pub method: Method,
    margin: f64,
    /// How much farther apart candidates are that are kept; none if 0.
    skin: f64,
    /// The lengths of the periodic cell, 2 or 3.
    periodic: Option<Vec<f64>>,
    every_image: bool,
}

impl Settings {
    /// From arguments. What needs the number of dimensions is judged later.
    pub fn new(
        method: Argument<'_, '_>,
        periodic: Argument<'_, '_>,
        margin: Argument<'_, '_>,
        skin: Argument<'_, '_>,
        every_image: Argument<'_, '_>,
    ) -> PyResult<Self> {
        let method = method.map_or(Ok(Method::Auto), |method| {
            let name = word(method, "method")?;
            name.parse().map_err(|_| {
                let names = Method::ALL.map(|method| format!("'{method}'"));
                refused("method", format_args!("'{name}'"), names.join(", "))
            })
        })?;
        let settings = Self {
            method,
            margin: margin.map_or(Ok(0.0), |margin| number(margin, "margin"))?,
            skin: skin.map_or(Ok(0.0), |skin| number(skin, "skin"))?,
            periodic: periodic
                .map(|lengths| small(lengths, "periodic", &[&[2], &[3]]))
                .transpose()?,
            every_image: every_image.map_or(Ok(false), |every| flag(every, "every_image"))?,
        };
        // A wrong margin or length is an error of the call that has it.
        match settings.periodic.as_ref().map(Vec::len) {
            Some(2) => drop(settings.finder::<2>()?),
            _ => drop(settings.finder::<3>()?),
        }
        Ok(settings)
    }

    pub fn finder<const D: usize>(&self) -> PyResult<Finder<D>> {
        let periodic = match &self.periodic {
            None => None,
            Some(lengths) => {
                let lengths: [f64; D] = lengths.as_slice().try_into().map_err(|_| {
                    refused(
                        "periodic",
                        format_args!("{} lengths", lengths.len()),
                        format_args!("{D}, one for each dimension of the items"),
                    )
                })?;
                Some(Periodic::new(lengths).map_err(named)?)
            }
        };
        let settings = PairSettings {
            margin: self.margin,
            periodic,
            every_image: self.every_image,
            ..PairSettings::default()
        };
        if self.skin == 0.0 {
            return finder(self.method, settings).map_err(named);
        }
        let candidates = Candidates::with_method(self.method, settings, self.skin);
        Ok(Box::new(candidates.map_err(named)?))
    }
}

/// An error of the library with the names that arguments have here.
pub fn named(error: tangere::Error) -> PyErr {
    match error {
        tangere::Error::Item {
            what,
            index,
            found,
            expected,
        } => {
            let array = match what {
                "centre" => "centers",
                "radius" => "radii",
                "lower corner" => "lower",
                "upper corner" | "box" => "upper",
                "periodic length" => "periodic",
                other => other,
            };
            refused(&format!("{array}[{index}]"), found, expected)
        }
        tangere::Error::Argument {
            what: "periodic cell" | "periodic lengths" | "periodic images",
            found,
            expected,
        } => refused("periodic", found, expected),
        tangere::Error::Argument {
            what: "candidates",
            found,
            expected,
        } => refused("skin", found, expected),
        other => value_error(other),
    }
}

/// Items in some space, copied from arrays.
pub enum Copied<const D: usize> {
    Spheres(Vec<[f64; D]>, Vec<f64>),
    Boxes(Vec<[f64; D]>, Vec<[f64; D]>),
}

impl<const D: usize> Copied<D> {
    pub fn items(&self) -> Items<'_, D> {
        match self {
            Copied::Spheres(centers, radii) => Items::Spheres { centers, radii },
            Copied::Boxes(lower, upper) => Items::Boxes { lower, upper },
        }
    }
}

/// Items in the plane or in space.
pub enum Scene {
    Plane(Copied<2>),
    Space(Copied<3>),
}

impl Scene {
    /// The number of items.
    pub fn len(&self) -> usize {
        match self {
            Scene::Plane(items) => items.items().len(),
            Scene::Space(items) => items.items().len(),
        }
    }
}

/// Which pairs are left out.
#[derive(Default, PartialEq)]
pub struct Rules {
    groups: Vec<u32>,
    masks: Vec<Mask>,
}

impl Rules {
    /// From the arguments `groups` and `masks`, for so many items.
    pub fn new(groups: Argument<'_, '_>, masks: Argument<'_, '_>, count: usize) -> PyResult<Self> {
        let groups = groups.map_or_else(|| Ok(Vec::new()), |v| unsigned(v, "groups", count))?;
        let masks = masks.map_or_else(|| Ok(Vec::new()), |v| unsigned(v, "masks", count))?;
        let mask = |[member, meets]: [u32; 2]| Mask { member, meets };
        Ok(Self {
            groups: groups.into_iter().map(|[group]| group).collect(),
            masks: masks.into_iter().map(mask).collect(),
        })
    }

    /// Sets the rules of a finder from its next update on.
    pub fn hand_to<const D: usize>(&self, finder: &mut dyn tangere::pairs::PairFinder<D>) {
        finder.leave_out(&self.groups, &self.masks);
    }
}

/// Spheres from the arguments `centers` and `radii`.
pub fn spheres(centers: &Bound<'_, PyAny>, radii: &Bound<'_, PyAny>) -> PyResult<Scene> {
    let centers = points_2_or_3(centers, "centers")?;
    let radii = numbers(radii, "radii")?;
    let count = match &centers {
        Points::Plane(points) => points.len(),
        Points::Space(points) => points.len(),
    };
    if radii.len() != count {
        return Err(refused(
            "radii",
            format_args!("shape ({},)", radii.len()),
            format_args!("({count},), one for each of centers"),
        ));
    }
    Ok(match centers {
        Points::Plane(centers) => Scene::Plane(Copied::Spheres(centers, radii)),
        Points::Space(centers) => Scene::Space(Copied::Spheres(centers, radii)),
    })
}

/// Boxes from the arguments `lower` and `upper`.
fn boxes(lower: &Bound<'_, PyAny>, upper: &Bound<'_, PyAny>) -> PyResult<Scene> {
    let shapes = |lower: [usize; 2], upper: [usize; 2]| {
        refused(
            "upper",
            format_args!("shape ({}, {})", upper[0], upper[1]),
            format_args!("({}, {}), that of lower", lower[0], lower[1]),
        )
    };
    match (
        points_2_or_3(lower, "lower")?,
        points_2_or_3(upper, "upper")?,
    ) {
        (Points::Plane(a), Points::Plane(b)) if a.len() == b.len() => {
            Ok(Scene::Plane(Copied::Boxes(a, b)))
        }
        (Points::Space(a), Points::Space(b)) if a.len() == b.len() => {
            Ok(Scene::Space(Copied::Boxes(a, b)))
        }
        (a, b) => {
            let shape = |points: &Points| match points {
                Points::Plane(points) => [points.len(), 2],
                Points::Space(points) => [points.len(), 3],
            };
            Err(shapes(shape(&a), shape(&b)))
        }
    }
}

/// The pairs of a scene.
fn found<'py>(
    py: Python<'py>,
    scene: Scene,
    rules: Rules,
    settings: &Settings,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    fn work<const D: usize>(
        mut finder: Finder<D>,
        items: Copied<D>,
        rules: Rules,
    ) -> tangere::Result<Vec<[u32; 2]>> {
        let mut pairs = Vec::new();
        rules.hand_to(finder.as_mut());
        finder.update(items.items())?;
        finder.pairs(&mut pairs)?;
        Ok(pairs)
    }
    let pairs = match scene {
        Scene::Plane(items) => {
            let finder = settings.finder()?;
            run(py, threads, move || work(finder, items, rules))?
        }
        Scene::Space(items) => {
            let finder = settings.finder()?;
            run(py, threads, move || work(finder, items, rules))?
        }
    };
    from_points(py, pairs.map_err(named)?)
}

/// The pairs of discs or spheres that touch.
///
/// Two touch when ``dx*dx + dy*dy + dz*dz <= (ri + rj)*(ri + rj)`` in float64.
/// The answer is exact and the same for every method and number of threads.
///
/// Parameters
/// ----------
/// centers : array_like, shape (N, 2) or (N, 3)
///     The centres, finite. N may be 0.
/// radii : array_like, shape (N,)
///     The radii, finite and not negative.
/// method : {'auto', 'brute', 'cells', 'tree', ...}, optional
///     How pairs are found; 'auto' chooses.
/// periodic : array_like, shape (2,) or (3,), optional
///     The lengths of a periodic cell, 0 along axes that are open. Centres may
///     lie outside of it.
/// margin : float, optional
///     How far apart two may be and still count: up to ``ri + rj + margin``.
/// groups : array_like of int, shape (N,), optional
///     Two of the same group (a clump, a body, a molecule) are no pair.
/// masks : array_like of int, shape (N, 2), optional
///     Bits of the kinds that each is of, and of the kinds that it meets: two are
///     a pair if each meets a kind of the other.
/// every_image : bool, optional
///     Whether all images of the periodic cell count. Items may then be of any
///     size; a pair that touches in several images is still one.
/// threads : int, optional
///     How many threads work; as many as there are cores if None.
///
/// Returns
/// -------
/// ndarray of uint32, shape (M, 2)
///     Rows (a, b) with a < b, sorted.
///
/// Raises
/// ------
/// TypeError
///     If an argument has no real numbers.
/// ValueError
///     If a shape, a value or the method is wrong, or the periodic cell is so
///     narrow that two might touch twice and not every image is asked for.
///
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
#[pyo3(signature = (centers, radii, *, method=None, periodic=None, margin=None, groups=None, masks=None, every_image=None, threads=None))]
#[pyo3(
    text_signature = "(centers, radii, *, method='auto', periodic=None, margin=0.0, groups=None, masks=None, every_image=False, threads=None)"
)]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn pairs<'py>(
    centers: &Bound<'py, PyAny>,
    radii: &Bound<'py, PyAny>,
    method: Argument<'_, 'py>,
    periodic: Argument<'_, 'py>,
    margin: Argument<'_, 'py>,
    groups: Argument<'_, 'py>,
    masks: Argument<'_, 'py>,
    every_image: Argument<'_, 'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let scene = spheres(centers, radii)?;
    let rules = Rules::new(groups, masks, scene.len())?;
    let settings = Settings::new(method, periodic, margin, None, every_image)?;
    found(centers.py(), scene, rules, &settings, threads)
}

/// The pairs of axis-aligned boxes that meet.
///
/// Boxes are closed: those that share only a face, an edge or a corner meet.
///
/// Parameters
/// ----------
/// lower : array_like, shape (N, 2) or (N, 3)
///     The lower corners of the boxes, finite. N may be 0.
/// upper : array_like, of the same shape
///     Their upper corners, nowhere below the lower ones.
/// method : {'auto', 'brute', 'cells', 'tree', ...}, optional
///     How pairs are found; 'auto' chooses.
/// periodic : array_like, shape (2,) or (3,), optional
///     The lengths of a periodic cell, 0 along axes that are open. Boxes may
///     lie outside of it.
/// margin : float, optional
///     How far apart two may be along each axis and still count.
/// groups : array_like of int, shape (N,), optional
///     Two of the same group (a clump, a body, a molecule) are no pair.
/// masks : array_like of int, shape (N, 2), optional
///     Bits of the kinds that each is of, and of the kinds that it meets: two are
///     a pair if each meets a kind of the other.
/// every_image : bool, optional
///     Whether all images of the periodic cell count. Items may then be of any
///     size; a pair that touches in several images is still one.
/// threads : int, optional
///     How many threads work; as many as there are cores if None.
///
/// Returns
/// -------
/// ndarray of uint32, shape (M, 2)
///     Rows (a, b) with a < b, sorted.
///
/// Raises
/// ------
/// TypeError
///     If an argument has no real numbers.
/// ValueError
///     If a shape, a value or the method is wrong, or the periodic cell is so
///     narrow that two might meet twice and not every image is asked for.
///
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
#[pyo3(signature = (lower, upper, *, method=None, periodic=None, margin=None, groups=None, masks=None, every_image=None, threads=None))]
#[pyo3(
    text_signature = "(lower, upper, *, method='auto', periodic=None, margin=0.0, groups=None, masks=None, every_image=False, threads=None)"
)]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn box_pairs<'py>(
    lower: &Bound<'py, PyAny>,
    upper: &Bound<'py, PyAny>,
    method: Argument<'_, 'py>,
    periodic: Argument<'_, 'py>,
    margin: Argument<'_, 'py>,
    groups: Argument<'_, 'py>,
    masks: Argument<'_, 'py>,
    every_image: Argument<'_, 'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let scene = boxes(lower, upper)?;
    let rules = Rules::new(groups, masks, scene.len())?;
    let settings = Settings::new(method, periodic, margin, None, every_image)?;
    found(lower.py(), scene, rules, &settings, threads)
}
