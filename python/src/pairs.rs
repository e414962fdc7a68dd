//! Pairs of particles or boxes that touch.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use tangere::pairs::{Items, Method, PairSettings, Periodic, finder, neighbors};

use crate::arguments::{integer, number, word};
use crate::arrays::{Points, from_numbers, from_points, numbers, points_2_or_3, small};
use crate::errors::{refused, value_error};
use crate::run::run;

type Argument<'a, 'py> = Option<&'a Bound<'py, PyAny>>;
type Rows<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u32>>);
type Finder<const D: usize> = Box<dyn tangere::pairs::PairFinder<D>>;

/// How pairs are to be found.
#[derive(Clone)]
struct Settings {
    method: Method,
    margin: f64,
    /// The lengths of the periodic cell, 2 or 3.
    periodic: Option<Vec<f64>>,
}

impl Settings {
    /// From arguments. What needs the number of dimensions is judged later.
    fn new(
        method: Argument<'_, '_>,
        periodic: Argument<'_, '_>,
        margin: Argument<'_, '_>,
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
            periodic: periodic
                .map(|lengths| small(lengths, "periodic", &[&[2], &[3]]))
                .transpose()?,
        };
        // A wrong margin or length is an error of the call that has it.
        match settings.periodic.as_ref().map(Vec::len) {
            Some(2) => drop(settings.finder::<2>()?),
            _ => drop(settings.finder::<3>()?),
        }
        Ok(settings)
    }

    fn finder<const D: usize>(&self) -> PyResult<Finder<D>> {
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
            ..PairSettings::default()
        };
        finder(self.method, settings).map_err(named)
    }
}

/// An error of the library with the names that arguments have here.
fn named(error: tangere::Error) -> PyErr {
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
            what: "periodic cell" | "periodic lengths",
            found,
            expected,
        } => refused("periodic", found, expected),
        other => value_error(other),
    }
}

/// Items in some space, copied from arrays.
enum Copied<const D: usize> {
    Spheres(Vec<[f64; D]>, Vec<f64>),
    Boxes(Vec<[f64; D]>, Vec<[f64; D]>),
}

impl<const D: usize> Copied<D> {
    fn items(&self) -> Items<'_, D> {
        match self {
            Copied::Spheres(centers, radii) => Items::Spheres { centers, radii },
            Copied::Boxes(lower, upper) => Items::Boxes { lower, upper },
        }
    }
}

/// Items in the plane or in space.
enum Scene {
    Plane(Copied<2>),
    Space(Copied<3>),
}

/// Spheres from the arguments `centers` and `radii`.
fn spheres(centers: &Bound<'_, PyAny>, radii: &Bound<'_, PyAny>) -> PyResult<Scene> {
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
    settings: &Settings,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    fn work<const D: usize>(
        mut finder: Finder<D>,
        items: Copied<D>,
    ) -> tangere::Result<Vec<[u32; 2]>> {
        let mut pairs = Vec::new();
        finder.update(items.items())?;
        finder.pairs(&mut pairs)?;
        Ok(pairs)
    }
    let pairs = match scene {
        Scene::Plane(items) => {
            let finder = settings.finder()?;
            run(py, threads, move || work(finder, items))?
        }
        Scene::Space(items) => {
            let finder = settings.finder()?;
            run(py, threads, move || work(finder, items))?
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
///     narrow that two might touch twice.
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
#[pyfunction]
#[pyo3(signature = (centers, radii, *, method=None, periodic=None, margin=None, threads=None))]
#[pyo3(
    text_signature = "(centers, radii, *, method='auto', periodic=None, margin=0.0, threads=None)"
)]
pub fn pairs<'py>(
    centers: &Bound<'py, PyAny>,
    radii: &Bound<'py, PyAny>,
    method: Argument<'_, 'py>,
    periodic: Argument<'_, 'py>,
    margin: Argument<'_, 'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let scene = spheres(centers, radii)?;
    let settings = Settings::new(method, periodic, margin)?;
    found(centers.py(), scene, &settings, threads)
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
///     narrow that two might meet twice.
///
/// Examples
/// --------
/// >>> import numpy as np, tangere
/// >>> lower = np.array([[0, 0], [1, 0], [5, 5]])
/// >>> tangere.box_pairs(lower, lower + 1)
/// array([[0, 1]], dtype=uint32)
/// >>> len(tangere.box_pairs(lower, lower + 1, margin=5))
/// 3
#[pyfunction]
#[pyo3(signature = (lower, upper, *, method=None, periodic=None, margin=None, threads=None))]
#[pyo3(
    text_signature = "(lower, upper, *, method='auto', periodic=None, margin=0.0, threads=None)"
)]
pub fn box_pairs<'py>(
    lower: &Bound<'py, PyAny>,
    upper: &Bound<'py, PyAny>,
    method: Argument<'_, 'py>,
    periodic: Argument<'_, 'py>,
    margin: Argument<'_, 'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let scene = boxes(lower, upper)?;
    let settings = Settings::new(method, periodic, margin)?;
    found(lower.py(), scene, &settings, threads)
}

/// A finder of the dimension that the last items had.
enum State {
    /// There were no items yet.
    New,
    Plane(Finder<2>, usize),
    Space(Finder<3>, usize),
}

impl State {
    fn pairs(&mut self) -> tangere::Result<Vec<[u32; 2]>> {
        let mut pairs = Vec::new();
        match self {
            State::New => {}
            State::Plane(finder, _) => finder.pairs(&mut pairs)?,
            State::Space(finder, _) => finder.pairs(&mut pairs)?,
        }
        Ok(pairs)
    }

    fn items(&self) -> usize {
        match self {
            State::New => 0,
            State::Plane(_, items) | State::Space(_, items) => *items,
        }
    }
}

/// Where the state is while nobody works with it.
struct Slot {
    state: Mutex<Option<State>>,
    returned: Condvar,
}

impl Slot {
    /// The state, once nobody else has it. Whoever waits holds no thread of a
    /// pool, which another's work may need.
    fn taken(self: &Arc<Self>, py: Python<'_>) -> PyResult<Taken> {
        /// How often signals are looked at.
        const SIGNALS: Duration = Duration::from_millis(50);
        loop {
            let state = py.detach(|| {
                let slot = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                let wait = self
                    .returned
                    .wait_timeout_while(slot, SIGNALS, |state| state.is_none());
                wait.unwrap_or_else(PoisonError::into_inner).0.take()
            });
            if state.is_some() {
                let slot = self.clone();
                return Ok(Taken { state, slot });
            }
            py.check_signals()?;
        }
    }
}

/// A state that goes back when it is dropped, also where work was abandoned.
struct Taken {
    state: Option<State>,
    slot: Arc<Slot>,
}

impl Taken {
    fn state(&mut self) -> &mut State {
        self.state.get_or_insert(State::New)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let mut slot = (self.slot.state.lock()).unwrap_or_else(PoisonError::into_inner);
        *slot = self.state.take();
        drop(slot);
        self.slot.returned.notify_one();
    }
}

/// Finds the pairs of particles that touch, step after step.
///
/// It keeps its memory, and some methods what they know of the last step, which
/// makes it faster than `pairs` for particles that move.
///
/// Parameters
/// ----------
/// method : {'auto', 'brute', 'cells', 'tree', ...}, optional
///     How pairs are found; 'auto' chooses.
/// periodic : array_like, shape (2,) or (3,), optional
///     The lengths of a periodic cell, 0 along axes that are open.
/// margin : float, optional
///     How far apart two may be and still count: up to ``ri + rj + margin``.
/// threads : int, optional
///     How many threads work; as many as there are cores if None.
///
/// Raises
/// ------
/// TypeError
///     If an argument is of the wrong type.
/// ValueError
///     If the method, a length, the margin or the number of threads is wrong.
///
/// Notes
/// -----
/// ``len(finder)`` is the number of particles. Several threads may use a finder;
/// they wait for each other.
///
/// Examples
/// --------
/// >>> import numpy as np, tangere
/// >>> centers, radii = tangere.generate.particles(1000, seed=1)
/// >>> finder = tangere.PairFinder()
/// >>> finder.update(centers, radii)
/// >>> a, b = finder.pairs().T
/// >>> gaps = np.linalg.norm(centers[a] - centers[b], axis=1) - radii[a] - radii[b]
/// >>> len(gaps) > 0, bool(gaps.max() <= 1e-15)
/// (True, True)
#[pyclass(frozen, weakref, module = "tangere")]
pub struct PairFinder {
    settings: Settings,
    threads: Option<u64>,
    slot: Arc<Slot>,
}

impl PairFinder {
    /// What `work` returns for the state, without the GIL.
    fn work<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> PyResult<T> {
        let threads = match self.threads {
            None => None,
            Some(threads) => Some(threads.into_pyobject(py)?.into_any()),
        };
        let mut taken = self.slot.taken(py)?;
        run(py, threads.as_ref(), move || work(taken.state()))
    }
}

#[pymethods]
impl PairFinder {
    #[new]
    #[pyo3(signature = (*, method=None, periodic=None, margin=None, threads=None))]
    #[pyo3(text_signature = "(*, method='auto', periodic=None, margin=0.0, threads=None)")]
    fn new(
        method: Argument<'_, '_>,
        periodic: Argument<'_, '_>,
        margin: Argument<'_, '_>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Self> {
        let threads = threads.map(|threads| integer(threads, "threads", 1..=1024));
        Ok(Self {
            settings: Settings::new(method, periodic, margin)?,
            threads: threads.transpose()?,
            slot: Arc::new(Slot {
                state: Mutex::new(Some(State::New)),
                returned: Condvar::new(),
            }),
        })
    }

    /// Takes over particles in place of those before.
    ///
    /// Their number and even their dimension may be another. The arrays are
    /// copied. Where this raises, the finder has no particles, except that after
    /// Ctrl-C it may have the new ones or those before.
    ///
    /// Parameters
    /// ----------
    /// centers : array_like, shape (N, 2) or (N, 3)
    ///     The centres, finite. N may be 0.
    /// radii : array_like, shape (N,)
    ///     The radii, finite and not negative.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     If an argument has no real numbers.
    /// ValueError
    ///     If a shape or a value is wrong, or the periodic cell is so narrow
    ///     that two might touch twice.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> finder = tangere.PairFinder()
    /// >>> for x in (1, 2, 3):
    /// ...     finder.update([[0, 0], [x, 0], [4, 0]], [0.5, 0.5, 0.5])
    /// ...     print(finder.pairs().tolist())
    /// [[0, 1]]
    /// []
    /// [[1, 2]]
    #[pyo3(signature = (centers, radii))]
    fn update(&self, centers: &Bound<'_, PyAny>, radii: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = centers.py();
        let scene = spheres(centers, radii).and_then(|scene| {
            // Finders are small until they have items.
            Ok(match scene {
                Scene::Plane(items) => (Some((items, self.settings.finder::<2>()?)), None),
                Scene::Space(items) => (None, Some((items, self.settings.finder::<3>()?))),
            })
        });
        let (plane, space) = match scene {
            Ok(scene) => scene,
            Err(error) => {
                *self.slot.taken(py)?.state() = State::New;
                return Err(error);
            }
        };
        let updated = self.work(py, move |state| {
            if let Some((items, new)) = plane {
                let mut finder = match std::mem::replace(state, State::New) {
                    State::Plane(finder, _) => finder,
                    _ => new,
                };
                finder.update(items.items())?;
                *state = State::Plane(finder, items.items().len());
            }
            if let Some((items, new)) = space {
                let mut finder = match std::mem::replace(state, State::New) {
                    State::Space(finder, _) => finder,
                    _ => new,
                };
                finder.update(items.items())?;
                *state = State::Space(finder, items.items().len());
            }
            Ok(())
        })?;
        updated.map_err(named)
    }

    /// The pairs of particles that touch.
    ///
    /// Returns
    /// -------
    /// ndarray of uint32, shape (M, 2)
    ///     Rows (a, b) with a < b, sorted; none before the first `update`.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> finder = tangere.PairFinder(margin=0.5)
    /// >>> finder.update([[0, 0], [1.5, 0]], [0.5, 0.5])
    /// >>> finder.pairs()
    /// array([[0, 1]], dtype=uint32)
    #[pyo3(signature = ())]
    fn pairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        from_points(py, self.work(py, State::pairs)?.map_err(named)?)
    }

    /// For each particle those that touch it.
    ///
    /// Returns
    /// -------
    /// offsets : ndarray of int64, shape (N + 1,)
    ///     Where the neighbours of each particle begin, and at last where they
    ///     end.
    /// indices : ndarray of uint32, shape (2 * M,)
    ///     ``indices[offsets[i]:offsets[i + 1]]`` touch particle i, ascending.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> finder = tangere.PairFinder()
    /// >>> finder.update([[0, 0], [1, 0], [2, 0]], [0.5, 0.5, 0.5])
    /// >>> offsets, indices = finder.neighbors()
    /// >>> offsets
    /// array([0, 1, 3, 4])
    /// >>> indices
    /// array([1, 0, 2, 1], dtype=uint32)
    #[pyo3(signature = ())]
    fn neighbors<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py>> {
        let listed = self.work(py, |state| {
            let pairs = state.pairs()?;
            let (offsets, indices) = neighbors(state.items(), &pairs);
            let offsets: Vec<i64> = offsets.into_iter().map(|end| end as i64).collect();
            Ok((offsets, indices))
        })?;
        let (offsets, indices) = listed.map_err(named)?;
        Ok((from_numbers(py, offsets), from_numbers(py, indices)))
    }

    /// In one sentence, why the method answers that does.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> tangere.PairFinder().reason
    /// 'there are no particles yet'
    #[getter]
    fn reason(&self, py: Python<'_>) -> PyResult<String> {
        Ok(match self.slot.taken(py)?.state() {
            State::New => "there are no particles yet".into(),
            State::Plane(finder, _) => finder.reason(),
            State::Space(finder, _) => finder.reason(),
        })
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.slot.taken(py)?.state().items())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let particles = match self.__len__(py)? {
            1 => "1 particle".to_owned(),
            n => format!("{n} particles"),
        };
        Ok(format!(
            "<tangere.PairFinder of {particles}, method '{}'>",
            self.settings.method
        ))
    }
}
