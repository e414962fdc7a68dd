//! Pairs of particles or boxes that touch.
#![expect(
    clippy::doc_lazy_continuation,
    reason = "docstrings of Python are no Markdown"
)]

use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tangere::pairs::{Candidates, Items, Mask, Method, PairSettings, finder};

use crate::arguments::{flag, integer, number, word};
use crate::arrays::{Points, from_points, numbers, points_2_or_3, unsigned};
use crate::errors::{What, of_limited, refused};
use crate::options::Options;
use crate::periodic::{Cell, Of};
use crate::run::run;

/// Keyword arguments.
pub type Keywords<'a, 'py> = &'a Bound<'py, PyDict>;
/// A finder of some method.
pub type Finder<const D: usize> = Box<dyn tangere::pairs::PairFinder<D>>;

/// How pairs are to be found.
#[derive(Clone)]
pub struct Settings {
    pub method: Method,
    margin: f64,
    /// How much farther apart candidates are that are kept; none if 0.
    skin: f64,
    periodic: Option<Cell>,
    every_image: bool,
    most: usize,
}

impl Settings {
    /// From keyword arguments. What needs the number of dimensions is judged later.
    pub fn new(options: Options<'_, '_>) -> PyResult<Self> {
        let method = options.read("method", |method, name| {
            let method = word(method, name)?;
            method.parse().map_err(|_| {
                let names = Method::ALL.map(|method| format!("'{method}'"));
                refused("method", format_args!("'{method}'"), names.join(", "))
            })
        })?;
        let most = options.read("max_pairs", |most, name| integer(most, name, 0..=u64::MAX))?;
        let settings = Self {
            method: method.unwrap_or(Method::Auto),
            margin: options.read("margin", number)?.unwrap_or(0.0),
            skin: options.read("skin", number)?.unwrap_or(0.0),
            periodic: options.read("periodic", |cell, _| Cell::from_argument(cell))?,
            every_image: options.read("every_image", flag)?.unwrap_or(false),
            most: most.map_or(usize::MAX, |most| {
                usize::try_from(most).unwrap_or(usize::MAX)
            }),
        };
        // A wrong margin is an error of the call that has it.
        match settings.periodic {
            Some(Cell::Plane(..)) => drop(settings.finder::<2>()?),
            _ => drop(settings.finder::<3>()?),
        }
        Ok(settings)
    }

    /// A finder for items of so many dimensions.
    pub fn finder<const D: usize>(&self) -> PyResult<Finder<D>>
    where
        Cell: Of<D>,
    {
        let settings = PairSettings {
            margin: self.margin,
            periodic: self.cell()?,
            every_image: self.every_image,
            most: self.most,
        };
        if self.skin == 0.0 {
            return finder(self.method, settings).map_err(named);
        }
        let candidates = Candidates::with_method(self.method, settings, self.skin);
        Ok(Box::new(candidates.map_err(named)?))
    }

    /// The same in another periodic cell, if one is given.
    pub fn in_cell(&self, cell: Option<Cell>) -> Self {
        let periodic = cell.or(self.periodic);
        Self {
            periodic,
            ..self.clone()
        }
    }

    /// The periodic cell of items of so many dimensions.
    pub fn cell<const D: usize>(&self) -> PyResult<Option<tangere::pairs::Periodic<D>>>
    where
        Cell: Of<D>,
    {
        self.periodic.map(|cell| cell.periodic()).transpose()
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
                What::Centre => "centers",
                What::Radius => "radii",
                What::LowerCorner | What::BoxMiddle => "lower",
                What::UpperCorner | What::Box => "upper",
                other => other.name(),
            };
            refused(&format!("{array}[{index}]"), found, expected)
        }
        tangere::Error::Argument {
            what: What::PeriodicCell,
            found,
            expected,
        } => refused("periodic", found, format_args!("{expected} (every_image)")),
        tangere::Error::Argument {
            what: What::PeriodicImages,
            found,
            expected,
        } => refused("periodic", found, expected),
        other => of_limited(other, &[]),
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

    /// These as others of items in the plane.
    pub fn in_the_plane(self) -> PyResult<Copied<2>> {
        match self {
            Scene::Plane(items) => Ok(items),
            Scene::Space(_) => Err(of_other_dimensions(3)),
        }
    }

    /// These as others of items in space.
    pub fn in_space(self) -> PyResult<Copied<3>> {
        match self {
            Scene::Space(items) => Ok(items),
            Scene::Plane(_) => Err(of_other_dimensions(2)),
        }
    }
}

fn of_other_dimensions(found: usize) -> PyErr {
    refused(
        "others",
        format_args!("{found} dimensions"),
        format_args!("{}, as the items have", 5 - found),
    )
}

/// Which pairs are left out.
pub struct Rules {
    groups: Vec<u32>,
    masks: Vec<Mask>,
}

impl Rules {
    /// From the arguments `groups` and `masks`, for so many items.
    pub fn new(options: Options<'_, '_>, count: usize) -> PyResult<Self> {
        let groups = options.read("groups", |groups, name| unsigned(groups, name, count))?;
        let masks = options.read("masks", |masks, name| unsigned(masks, name, count))?;
        let (groups, masks) = (groups.unwrap_or_default(), masks.unwrap_or_default());
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
    named_spheres(centers, radii, ["centers", "radii"])
}

fn named_spheres(
    centers: &Bound<'_, PyAny>,
    radii: &Bound<'_, PyAny>,
    names: [&str; 2],
) -> PyResult<Scene> {
    let centers = points_2_or_3(centers, names[0])?;
    let radii = numbers(radii, names[1])?;
    let [count, _] = shape(&centers);
    if radii.len() != count {
        return Err(refused(
            names[1],
            format_args!("shape ({},)", radii.len()),
            format_args!("({count},), one for each of {}", names[0]),
        ));
    }
    Ok(match centers {
        Points::Plane(centers) => Scene::Plane(Copied::Spheres(centers, radii)),
        Points::Space(centers) => Scene::Space(Copied::Spheres(centers, radii)),
    })
}

/// Boxes from the arguments `lower` and `upper`.
pub fn boxes(lower: &Bound<'_, PyAny>, upper: &Bound<'_, PyAny>) -> PyResult<Scene> {
    named_boxes(lower, upper, ["lower", "upper"])
}

fn named_boxes(
    lower: &Bound<'_, PyAny>,
    upper: &Bound<'_, PyAny>,
    names: [&str; 2],
) -> PyResult<Scene> {
    let lower = points_2_or_3(lower, names[0])?;
    let upper = points_2_or_3(upper, names[1])?;
    let (expected, found) = (shape(&lower), shape(&upper));
    match (lower, upper) {
        (Points::Plane(a), Points::Plane(b)) if expected == found => {
            Ok(Scene::Plane(Copied::Boxes(a, b)))
        }
        (Points::Space(a), Points::Space(b)) if expected == found => {
            Ok(Scene::Space(Copied::Boxes(a, b)))
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

/// The arguments that are not arrays.
const KEYWORDS: [&str; 8] = [
    "method",
    "periodic",
    "margin",
    "groups",
    "masks",
    "every_image",
    "max_pairs",
    "threads",
];

/// The pairs of a scene, or those of its items with others.
fn found<'py>(
    py: Python<'py>,
    scene: Scene,
    others: Option<Scene>,
    options: Options<'_, 'py>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    fn work<const D: usize>(
        mut finder: Finder<D>,
        items: Copied<D>,
        others: Option<Copied<D>>,
        rules: Rules,
    ) -> PyResult<Vec<[u32; 2]>> {
        let mut pairs = Vec::new();
        rules.hand_to(finder.as_mut());
        finder.update(items.items()).map_err(named)?;
        match others {
            None => finder.pairs(&mut pairs).map_err(named)?,
            Some(others) => {
                let asked = finder.query(others.items(), &mut pairs);
                asked.map_err(|error| of_others(error, &others))?;
            }
        }
        Ok(pairs)
    }
    let rules = Rules::new(options, scene.len())?;
    let settings = Settings::new(options)?;
    let threads = options.given("threads")?;
    let pairs = match scene {
        Scene::Plane(items) => {
            let others = others.map(Scene::in_the_plane).transpose()?;
            let finder = settings.finder()?;
            run(py, threads.as_ref(), move || {
                work(finder, items, others, rules)
            })??
        }
        Scene::Space(items) => {
            let others = others.map(Scene::in_space).transpose()?;
            let finder = settings.finder()?;
            run(py, threads.as_ref(), move || {
                work(finder, items, others, rules)
            })??
        }
    };
    from_points(py, pairs)
}

/// An error about others, with the names that they have here.
fn of_others<const D: usize>(error: tangere::Error, others: &Copied<D>) -> PyErr {
    let array = match (&error, others) {
        (
            tangere::Error::Item {
                what: What::Radius, ..
            },
            _,
        ) => "other_radii",
        (tangere::Error::Item { .. }, Copied::Spheres(..)) => "other_centers",
        (
            tangere::Error::Item {
                what: What::LowerCorner | What::Centre | What::BoxMiddle,
                ..
            },
            _,
        ) => "other_lower",
        (tangere::Error::Item { .. }, _) => "other_upper",
        _ => return named(error),
    };
    crate::errors::named(error, |_, index| {
        index.map_or(array.to_owned(), |index| format!("{array}[{index}]"))
    })
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
    text_signature = "(centers, radii, *, method='auto', periodic=None, margin=0.0, groups=None, masks=None, every_image=False, max_pairs=None, threads=None)"
)]
pub fn pairs<'py>(
    centers: &Bound<'py, PyAny>,
    radii: &Bound<'py, PyAny>,
    options: Option<Keywords<'_, 'py>>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let options = Options::new("pairs", options, &KEYWORDS)?;
    found(centers.py(), spheres(centers, radii)?, None, options)
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
    text_signature = "(lower, upper, *, method='auto', periodic=None, margin=0.0, groups=None, masks=None, every_image=False, max_pairs=None, threads=None)"
)]
pub fn box_pairs<'py>(
    lower: &Bound<'py, PyAny>,
    upper: &Bound<'py, PyAny>,
    options: Option<Keywords<'_, 'py>>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let options = Options::new("box_pairs", options, &KEYWORDS)?;
    found(lower.py(), boxes(lower, upper)?, None, options)
}

/// The pairs of a disc or sphere of one set and one of another that touch.
///
/// Pairs within a set are not looked for. They are found as `pairs` does.
///
/// Parameters
/// ----------
/// centers : array_like, shape (N, 2) or (N, 3)
///     The centres, finite. N may be 0.
/// radii : array_like, shape (N,)
///     The radii, finite and not negative.
/// other_centers : array_like, shape (K, 2) or (K, 3)
///     The centres of the others.
/// other_radii : array_like, shape (K,)
///     Their radii. Others have no group, are of every kind and meet every kind.
#[doc = include_str!("pairs_options.txt")]
/// Returns
/// -------
/// ndarray of uint32, shape (M, 2)
///     Rows (a, b), sorted: a of the first set touches b of the others.
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
    text_signature = "(centers, radii, other_centers, other_radii, *, method='auto', periodic=None, margin=0.0, groups=None, masks=None, every_image=False, max_pairs=None, threads=None)"
)]
pub fn pairs_between<'py>(
    centers: &Bound<'py, PyAny>,
    radii: &Bound<'py, PyAny>,
    other_centers: &Bound<'py, PyAny>,
    other_radii: &Bound<'py, PyAny>,
    options: Option<Keywords<'_, 'py>>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let options = Options::new("pairs_between", options, &KEYWORDS)?;
    let others = named_spheres(other_centers, other_radii, ["other_centers", "other_radii"])?;
    found(
        centers.py(),
        spheres(centers, radii)?,
        Some(others),
        options,
    )
}

/// The pairs of a box of one set and one of another that meet.
///
/// Pairs within a set are not looked for. They are found as `box_pairs` does.
///
/// Parameters
/// ----------
/// lower : array_like, shape (N, 2) or (N, 3)
///     The lower corners of the boxes, finite. N may be 0.
/// upper : array_like, of the same shape
///     Their upper corners, nowhere below the lower ones.
/// other_lower : array_like, shape (K, 2) or (K, 3)
///     The lower corners of the others.
/// other_upper : array_like, of the same shape
///     Their upper corners. Others have no group, are of every kind and meet every
///     kind.
#[doc = include_str!("pairs_options.txt")]
/// Returns
/// -------
/// ndarray of uint32, shape (M, 2)
///     Rows (a, b), sorted: a of the first set meets b of the others.
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
    text_signature = "(lower, upper, other_lower, other_upper, *, method='auto', periodic=None, margin=0.0, groups=None, masks=None, every_image=False, max_pairs=None, threads=None)"
)]
pub fn box_pairs_between<'py>(
    lower: &Bound<'py, PyAny>,
    upper: &Bound<'py, PyAny>,
    other_lower: &Bound<'py, PyAny>,
    other_upper: &Bound<'py, PyAny>,
    options: Option<Keywords<'_, 'py>>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let options = Options::new("box_pairs_between", options, &KEYWORDS)?;
    let others = named_boxes(other_lower, other_upper, ["other_lower", "other_upper"])?;
    found(lower.py(), boxes(lower, upper)?, Some(others), options)
}
