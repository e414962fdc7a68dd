//! Pairs of particles that move, step after step.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tangere::pairs::{Items, PairContact, Uses, neighbors};

use crate::arguments::integer;
use crate::arrays::{from_numbers, from_points};
use crate::pairs::{Argument, Finder, Rules, Scene, Settings, named, spheres};
use crate::run::run;
use crate::slot::Slot;

/// Pairs, images, gaps and normals.
type Contacts<'py> = (
    Bound<'py, PyArray2<u32>>,
    Bound<'py, PyArray2<i32>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f64>>,
);
type Rows<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u32>>);

/// A finder of the dimension that the last items had.
enum State {
    /// There were no items yet.
    New,
    Plane(Finder<2>, Last),
    Space(Finder<3>, Last),
}

/// What a finder was last given.
struct Last {
    items: usize,
    rules: Rules,
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

    fn contacts(&mut self) -> tangere::Result<Found> {
        let (mut plane, mut space) = (Vec::new(), Vec::new());
        match self {
            State::New => {}
            State::Plane(finder, _) => {
                finder.contacts(&mut plane)?;
                return Ok(Found::Plane(plane));
            }
            State::Space(finder, _) => finder.contacts(&mut space)?,
        }
        Ok(Found::Space(space))
    }

    fn chunk(&mut self, first: u32) -> tangere::Result<(Vec<[u32; 2]>, Option<u32>)> {
        let mut pairs = Vec::new();
        let next = match self {
            State::New => None,
            State::Plane(finder, _) => finder.chunk(first, &mut pairs)?,
            State::Space(finder, _) => finder.chunk(first, &mut pairs)?,
        };
        Ok((pairs, next))
    }

    fn uses(&self) -> Uses {
        let uses = match self {
            State::New => None,
            State::Plane(finder, _) => finder.uses(),
            State::Space(finder, _) => finder.uses(),
        };
        uses.unwrap_or_default()
    }

    fn items(&self) -> usize {
        match self {
            State::New => 0,
            State::Plane(_, last) | State::Space(_, last) => last.items,
        }
    }
}

/// The finder there was before, or a new one, with other items. Rules that have not
/// changed are not set again: candidates would be searched anew.
fn renewed<const D: usize>(
    before: Option<(Finder<D>, Last)>,
    new: Finder<D>,
    items: Items<'_, D>,
    rules: Rules,
) -> tangere::Result<(Finder<D>, Last)> {
    let (mut finder, before) = match before {
        None => (new, Rules::default()),
        Some((finder, last)) => (finder, last.rules),
    };
    if rules != before {
        rules.hand_to(finder.as_mut());
    }
    finder.update(items)?;
    let items = items.len();
    Ok((finder, Last { items, rules }))
}

/// Contacts in the plane or in space.
enum Found {
    Plane(Vec<PairContact<2>>),
    Space(Vec<PairContact<3>>),
}

fn arrays<const D: usize>(py: Python<'_>, contacts: Vec<PairContact<D>>) -> PyResult<Contacts<'_>> {
    Ok((
        from_points(py, contacts.iter().map(|c| c.pair).collect())?,
        from_points(py, contacts.iter().map(|c| c.image).collect())?,
        from_numbers(py, contacts.iter().map(|c| c.gap).collect()),
        from_points(py, contacts.iter().map(|c| c.normal).collect())?,
    ))
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
/// skin : float, optional
///     If above 0, pairs that are up to so much farther apart are kept as
///     candidates, and searched anew only when particles have moved so far that
///     others might touch: for particles that move little from step to step. The
///     pairs are the same. Not for every image.
/// every_image : bool, optional
///     Whether all images of the periodic cell count. Items may then be of any
///     size; a pair that touches in several images is still one.
/// threads : int, optional
///     How many threads work; as many as there are cores if None.
///
/// Raises
/// ------
/// TypeError
///     If an argument is of the wrong type.
/// ValueError
///     If the method, a length, the margin, the skin or the number of threads is
///     wrong.
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
///
/// Particles that move by a thousandth of the skin each step:
///
/// >>> finder = tangere.PairFinder(skin=0.01)
/// >>> for step in range(10):
/// ...     finder.update(centers + 1e-5 * step, radii)
/// ...     pairs = finder.pairs()
/// >>> finder.builds, finder.reuses
/// (1, 9)
#[pyclass(frozen, weakref, module = "tangere")]
pub struct PairFinder {
    settings: Settings,
    /// How often particles were taken over.
    updates: AtomicU64,
    threads: Option<u64>,
    slot: Arc<Slot<State>>,
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
    #[pyo3(signature = (*, method=None, periodic=None, margin=None, skin=None, every_image=None, threads=None))]
    #[pyo3(
        text_signature = "(*, method='auto', periodic=None, margin=0.0, skin=0.0, every_image=False, threads=None)"
    )]
    fn new(
        method: Argument<'_, '_>,
        periodic: Argument<'_, '_>,
        margin: Argument<'_, '_>,
        skin: Argument<'_, '_>,
        every_image: Argument<'_, '_>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Self> {
        let threads = threads.map(|threads| integer(threads, "threads", 1..=1024));
        Ok(Self {
            settings: Settings::new(method, periodic, margin, skin, every_image)?,
            updates: AtomicU64::new(0),
            threads: threads.transpose()?,
            slot: Slot::new(State::New),
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
    /// groups : array_like of int, shape (N,), optional
    ///     Two of the same group (a clump, a body, a molecule) are no pair.
    /// masks : array_like of int, shape (N, 2), optional
    ///     Bits of the kinds that each is of, and of the kinds that it meets: two are
    ///     a pair if each meets a kind of the other.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     If an argument has no real numbers.
    /// ValueError
    ///     If a shape or a value is wrong, or the periodic cell is so narrow
    ///     that two might touch twice and not every image is asked for.
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
    /// >>> finder.update([[0, 0], [1, 0], [2, 0]], [0.5, 0.5, 0.5], groups=[5, 5, 6])
    /// >>> finder.pairs().tolist()
    /// [[1, 2]]
    #[pyo3(signature = (centers, radii, *, groups=None, masks=None))]
    fn update(
        &self,
        centers: &Bound<'_, PyAny>,
        radii: &Bound<'_, PyAny>,
        groups: Argument<'_, '_>,
        masks: Argument<'_, '_>,
    ) -> PyResult<()> {
        let py = centers.py();
        self.updates.fetch_add(1, Ordering::Relaxed);
        let scene = spheres(centers, radii).and_then(|scene| {
            let rules = Rules::new(groups, masks, scene.len())?;
            // Finders are small until they have items.
            Ok(match scene {
                Scene::Plane(items) => (Some((items, self.settings.finder::<2>()?)), None, rules),
                Scene::Space(items) => (None, Some((items, self.settings.finder::<3>()?)), rules),
            })
        });
        let (plane, space, rules) = match scene {
            Ok(scene) => scene,
            Err(error) => {
                *self.slot.taken(py)?.state() = State::New;
                return Err(error);
            }
        };
        let updated = self.work(py, move |state| {
            if let Some((items, new)) = plane {
                let before = match std::mem::replace(state, State::New) {
                    State::Plane(finder, last) => Some((finder, last)),
                    _ => None,
                };
                let (finder, last) = renewed(before, new, items.items(), rules)?;
                *state = State::Plane(finder, last);
            } else if let Some((items, new)) = space {
                let before = match std::mem::replace(state, State::New) {
                    State::Space(finder, last) => Some((finder, last)),
                    _ => None,
                };
                let (finder, last) = renewed(before, new, items.items(), rules)?;
                *state = State::Space(finder, last);
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

    /// The pairs of particles that touch, and how they do.
    ///
    /// Where a pair touches in several images of a periodic cell, this is the one
    /// in which it overlaps most. With ``every_image`` all of them are listed, and
    /// as pairs (i, i) the images of its own that a particle touches, one of each two
    /// opposite ones.
    ///
    /// Returns
    /// -------
    /// pairs : ndarray of uint32, shape (M, 2)
    ///     Rows (a, b), sorted, those of several images by image.
    /// images : ndarray of int32, shape (M, D)
    ///     The image of b that touches a, in cells along each edge; 0 in open
    ///     space.
    /// gaps : ndarray of float64, shape (M,)
    ///     The distance between the surfaces, negative where they overlap.
    /// normals : ndarray of float64, shape (M, D)
    ///     Unit vectors from a to b.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> finder = tangere.PairFinder(periodic=[2, 0], every_image=True)
    /// >>> finder.update([[0, 0], [1, 0]], [0.5, 0.75])
    /// >>> pairs, images, gaps, normals = finder.contacts()
    /// >>> pairs.tolist(), images.tolist(), gaps.tolist()
    /// ([[0, 1], [0, 1]], [[-1, 0], [0, 0]], [-0.25, -0.25])
    /// >>> normals
    /// array([[-1.,  0.],
    ///        [ 1.,  0.]])
    #[pyo3(signature = ())]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Contacts<'py>> {
        match self.work(py, State::contacts)?.map_err(named)? {
            Found::Plane(contacts) => arrays(py, contacts),
            Found::Space(contacts) => arrays(py, contacts),
        }
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

    /// The pairs of particles that touch, some at a time.
    ///
    /// What all chunks hold together is what `pairs` returns, in the same order,
    /// without one array that holds them all.
    ///
    /// Returns
    /// -------
    /// iterator of ndarray of uint32, shape (M, 2)
    ///     Rows (a, b) with a < b, sorted. All rows with the same a are in one chunk.
    ///
    /// Raises
    /// ------
    /// RuntimeError
    ///     If the finder is updated before the last chunk.
    ///
    /// Examples
    /// --------
    /// >>> import numpy as np, tangere
    /// >>> finder = tangere.PairFinder()
    /// >>> finder.update(*tangere.generate.particles(1000, seed=1))
    /// >>> contacts = np.zeros(len(finder), dtype=int)
    /// >>> for chunk in finder.chunks():
    /// ...     contacts += np.bincount(chunk.ravel(), minlength=len(finder))
    /// >>> int(contacts.sum()) == 2 * len(finder.pairs())
    /// True
    #[pyo3(signature = ())]
    fn chunks(slf: &Bound<'_, Self>) -> PairChunks {
        PairChunks {
            finder: slf.clone().unbind(),
            updates: slf.get().updates.load(Ordering::Relaxed),
            next: Some(0),
        }
    }

    /// How often candidates were searched; 0 without a skin.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> finder = tangere.PairFinder(skin=0.5)
    /// >>> for x in (2, 1.9, 1.8):
    /// ...     finder.update([[0, 0], [x, 0]], [0.5, 0.5])
    /// >>> finder.builds
    /// 1
    #[getter]
    fn builds(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.slot.taken(py)?.state().uses().builds)
    }

    /// How often `update` found the candidates good; 0 without a skin.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> finder = tangere.PairFinder(skin=0.5)
    /// >>> for x in (2, 1.9, 1.8):
    /// ...     finder.update([[0, 0], [x, 0]], [0.5, 0.5])
    /// >>> finder.reuses
    /// 2
    #[getter]
    fn reuses(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.slot.taken(py)?.state().uses().reuses)
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

/// The chunks of the pairs of a finder.
#[pyclass(module = "tangere")]
pub struct PairChunks {
    finder: Py<PairFinder>,
    /// The updates of the finder when this began.
    updates: u64,
    /// The first particle of the next chunk.
    next: Option<u32>,
}

#[pymethods]
impl PairChunks {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<u32>>>> {
        let finder = self.finder.get();
        while let Some(first) = self.next {
            let found = finder.work(py, move |state| state.chunk(first))?;
            if finder.updates.load(Ordering::Relaxed) != self.updates {
                self.next = None;
                let message = "the finder was updated before the last chunk";
                return Err(PyRuntimeError::new_err(message));
            }
            let (pairs, next) = found.map_err(named)?;
            self.next = next;
            if !pairs.is_empty() {
                return from_points(py, pairs).map(Some);
            }
        }
        Ok(None)
    }
}
