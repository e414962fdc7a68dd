//! Broad phase for moving particles or boxes: a finder that is updated step by step.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use numpy::PyArray2;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tangere_front::answer::{Outputs, Table};
use tangere_front::answers;
use tangere_front::finder::{Contacts, Finder, Settings};
use tangere_front::inputs::{Cell, Frame, PairFilters, Shapes};

use crate::arrays::{Rows, from_numbers, from_points, from_rows};
use crate::options::Options;
use crate::pairs::{Keywords, boxes, filters, named, settings, spheres};
use crate::periodic::{self, Periodic};
use crate::pickling::{native, unpicklable};
use crate::record::arrays;
use crate::report::counted;
use crate::shared_state::SharedState;

/// Broad phase for moving particles: all pairs that touch, updated step by step.
///
/// It keeps its memory, some methods reuse the last step, and ``skin`` adds a Verlet list. For
/// moving particles this is faster than `pairs`.
///
/// Parameters
/// ----------
/// method : {'auto', 'brute', 'shells', 'cells', 'sweep', 'grid', 'tree', ...}, optional
///     The search algorithm; 'auto' chooses the fastest, never one of those that are kept as
///     published: 'linked' and 'shells-published', the linked cells and the list of sorted
///     distances of leszczynski2004.
/// periodic : array_like, shape (2,) or (3,), or Periodic, optional
///     The edge lengths of a periodic cell, 0 along open axes, or a `Periodic` cell, which may
///     be tilted.
/// margin : float, optional
///     Pairs up to this distance count: spheres up to ``ri + rj + margin``, boxes up to
///     ``margin`` along each axis.
/// skin : float, optional
///     If above 0, a Verlet list: pairs up to ``skin`` farther apart are kept as candidates, and
///     the search is repeated only when particles have moved so far that others might touch. For
///     particles that move little from step to step. The pairs are the same.
/// every_image : bool, optional
///     Whether all periodic images count, not only the minimum image. Items may then be of any
///     size; a pair that touches in several images is still one.
/// max_pairs : int, optional
///     More pairs than this raise an error that states their number.
/// occupancy : float, optional
///     Only for 'linked': the mean number of particles in a cell, from 0.125 up; 1 if None.
/// origin : array_like, shape (2,) or (3,), optional
///     Only for 'shells-published': the point from which distances are measured; the lower corner
///     of the bounds of all particles if None.
#[doc = include_str!("threads.txt")]
/// Raises
/// ------
/// ValueError
///     If the method, a length, the margin, the skin, ``max_pairs`` or ``threads`` is
///     invalid.
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
/// >>> finder.method, tangere.PairFinder().reason
/// ('cells', 'there are no particles yet')
#[pyclass(frozen, weakref, module = "tangere")]
pub struct PairFinder {
    settings: Settings,
    /// The number of updates so far, by which `PairChunks` notices an update.
    updates: AtomicU64,
    threads: usize,
    shared: Arc<SharedState<Finder>>,
    /// What the last update gave, for pickles; `None` if the finder is empty.
    kept: Arc<Mutex<Option<Kept>>>,
}

/// What an update gave: items, filters and the periodic cell.
#[derive(Clone)]
struct Kept {
    items: Arc<Frame>,
    filters: PairFilters,
    cell: Option<Cell>,
}

impl PairFinder {
    /// Replaces the items of the finder. If the new ones are invalid, then the finder is empty.
    fn take(
        &self,
        py: Python<'_>,
        items: PyResult<Frame>,
        options: Options<'_, '_>,
    ) -> PyResult<()> {
        self.updates.fetch_add(1, Ordering::Relaxed);
        let next = items.and_then(|items| {
            let cell = options.read("periodic", |cell, _| periodic::cell(cell));
            Ok((
                filters(options, items.len())?,
                cell?.or(self.settings.cell),
                items,
            ))
        });
        let (filters, cell, items) = match next {
            Ok(next) => next,
            Err(error) => {
                self.keep(None);
                self.shared.read(py, Finder::clear)?;
                return Err(error);
            }
        };
        let all_kept = self.kept.clone();
        let updated = self.shared.work(py, self.threads, move |finder| {
            let mut kept = all_kept.lock().unwrap_or_else(PoisonError::into_inner);
            *kept = None;
            finder.leave_out(filters.clone());
            finder.set_cell(cell);
            finder.update(&items)?;
            let items = Arc::new(items);
            *kept = Some(Kept {
                items,
                filters,
                cell,
            });
            Ok(())
        })?;
        updated.map_err(named)
    }

    fn keep(&self, kept: Option<Kept>) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = kept;
    }

    /// Returns the pairs that `search` finds.
    fn find_pairs<'py>(
        &self,
        py: Python<'py>,
        search: impl FnOnce(&mut Finder, &mut Vec<[u32; 2]>) -> tangere::Result<()> + Send + 'static,
    ) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let found = self.shared.work(py, self.threads, |finder| {
            let mut pairs = Vec::new();
            search(finder, &mut pairs).map(|()| pairs)
        })?;
        from_points(py, found.map_err(named)?)
    }
}

/// The names of the keyword arguments of `PairFinder`.
const KEYWORDS: &str = "method periodic margin skin every_image max_pairs occupancy origin threads";

/// The names of the keyword arguments of an update, besides its items.
const UPDATE_KEYWORDS: &str = "groups masks periodic";

#[pymethods]
impl PairFinder {
    #[new]
    #[pyo3(signature = (**options))]
    #[pyo3(
        text_signature = "(*, method='auto', periodic=None, margin=0.0, skin=0.0, every_image=False, max_pairs=None, occupancy=None, origin=None, threads=None)"
    )]
    fn new(options: Option<Keywords<'_, '_>>) -> PyResult<Self> {
        let options = Options::new("PairFinder", options, KEYWORDS)?;
        let settings = settings(options)?;
        Ok(Self {
            settings: settings.clone(),
            updates: AtomicU64::new(0),
            threads: options.threads()?,
            shared: SharedState::new(Finder::new(settings).map_err(named)?),
            kept: Arc::default(),
        })
    }

    /// Replaces the particles.
    ///
    /// Their number and even their dimension may change. The arrays are copied. If this raises, the
    /// finder is empty, except that after Ctrl-C it may have the new particles or those before.
    ///
    /// Parameters
    /// ----------
    /// centers : array_like, shape (N, 2) or (N, 3)
    ///     The centres, finite. N may be 0.
    /// radii : array_like, shape (N,), or float
    ///     The radii, finite and not negative.
    /// groups : array_like of int, shape (N,), optional
    ///     Items of the same group (a clump, a body, a molecule) are never a pair.
    /// masks : array_like of int, shape (N, 2), optional
    ///     Collision filter: bits of the kinds that each item is, and of the kinds that it
    ///     collides with. Two are a pair if each collides with a kind of the other.
    /// periodic : array_like, shape (2,) or (3,), or Periodic, optional
    ///     The periodic cell of this step, if it changes from step to step; that of the finder if
    ///     None.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a shape or a value is invalid, or the periodic cell is so narrow that two items
    ///     might touch in two images and ``every_image`` is False.
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
    /// >>> for length in (4, 3):
    /// ...     finder.update([[0, 0], [2, 0]], [0.5, 0.5], periodic=[length, 0])
    /// ...     print(finder.pairs().tolist())
    /// []
    /// [[0, 1]]
    #[pyo3(signature = (centers, radii, **options))]
    #[pyo3(text_signature = "($self, centers, radii, *, groups=None, masks=None, periodic=None)")]
    fn update(
        &self,
        centers: &Bound<'_, PyAny>,
        radii: &Bound<'_, PyAny>,
        options: Option<Keywords<'_, '_>>,
    ) -> PyResult<()> {
        let options = Options::new("update", options, UPDATE_KEYWORDS)?;
        self.take(centers.py(), spheres(centers, radii), options)
    }

    /// Replaces the items by axis-aligned boxes.
    ///
    /// All methods then apply to boxes. They are closed: boxes that share only a face, an edge or a
    /// corner touch.
    ///
    /// Parameters
    /// ----------
    /// lower : array_like, shape (N, 2) or (N, 3)
    ///     The lower corners of the boxes, finite. N may be 0.
    /// upper : array_like, of the same shape
    ///     Their upper corners, nowhere below the lower ones.
    /// groups, masks, periodic : optional
    ///     As for `update`.
    ///
    /// Raises
    /// ------
    /// TypeError, ValueError
    ///     As `update` does.
    ///
    /// Examples
    /// --------
    /// >>> import numpy as np, tangere
    /// >>> lower = np.array([[0, 0], [1, 0], [5, 5]])
    /// >>> finder = tangere.PairFinder()
    /// >>> finder.update_boxes(lower, lower + 1)
    /// >>> finder.pairs()
    /// array([[0, 1]], dtype=uint32)
    #[pyo3(signature = (lower, upper, **options))]
    #[pyo3(text_signature = "($self, lower, upper, *, groups=None, masks=None, periodic=None)")]
    fn update_boxes(
        &self,
        lower: &Bound<'_, PyAny>,
        upper: &Bound<'_, PyAny>,
        options: Option<Keywords<'_, '_>>,
    ) -> PyResult<()> {
        let options = Options::new("update_boxes", options, UPDATE_KEYWORDS)?;
        self.take(lower.py(), boxes(lower, upper), options)
    }

    /// All pairs of particles that touch.
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
        self.find_pairs(py, Finder::pairs)
    }

    /// All pairs of a particle and a query particle that touch.
    ///
    /// The queries search what `update` has prepared and change nothing.
    ///
    /// Parameters
    /// ----------
    /// centers : array_like, shape (K, 2) or (K, 3)
    ///     The centres of the query particles, finite.
    /// radii : array_like, shape (K,), or float
    ///     Their radii, finite and not negative. Query particles have no group and pass every
    ///     mask.
    ///
    /// Returns
    /// -------
    /// ndarray of uint32, shape (M, 2)
    ///     Rows (a, b), sorted: particle a touches query particle b.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a shape or a value is invalid, the finder has boxes, or the periodic cell is too
    ///     narrow for the query particles.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> finder = tangere.PairFinder()
    /// >>> finder.update([[0, 0], [1, 0], [5, 0]], [0.5, 0.5, 0.5])
    /// >>> finder.query([[0.5, 0], [6, 0]], [0.1, 0.5])
    /// array([[0, 0],
    ///        [1, 0],
    ///        [2, 1]], dtype=uint32)
    fn query<'py>(
        &self,
        centers: &Bound<'py, PyAny>,
        radii: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let others = spheres(centers, radii)?;
        self.find_pairs(centers.py(), move |finder, pairs| {
            finder.query(&others, pairs)
        })
    }

    /// All pairs of a box and a query box that touch.
    ///
    /// Parameters
    /// ----------
    /// lower : array_like, shape (K, 2) or (K, 3)
    ///     The lower corners of the query boxes, finite.
    /// upper : array_like, of the same shape
    ///     Their upper corners, nowhere below the lower ones.
    ///
    /// Returns
    /// -------
    /// ndarray of uint32, shape (M, 2)
    ///     Rows (a, b), sorted: box a touches query box b.
    ///
    /// Raises
    /// ------
    /// TypeError, ValueError
    ///     As `query` does, or if the finder has particles.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> finder = tangere.PairFinder()
    /// >>> finder.update_boxes([[0, 0], [3, 0]], [[1, 1], [4, 1]])
    /// >>> finder.query_boxes([[1, 1]], [[3, 2]])
    /// array([[0, 0],
    ///        [1, 0]], dtype=uint32)
    fn query_boxes<'py>(
        &self,
        lower: &Bound<'py, PyAny>,
        upper: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let others = boxes(lower, upper)?;
        self.find_pairs(lower.py(), move |finder, pairs| {
            finder.query(&others, pairs)
        })
    }

    /// All contacts: pairs that touch, with periodic image, gap and normal.
    ///
    /// Of a pair that touches in several images of a periodic cell, the deepest image is listed.
    /// With ``every_image`` all of them are listed. A particle that touches its own images then is
    /// a pair (i, i); of two opposite images one is listed.
    ///
    /// Returns
    /// -------
    /// pairs : ndarray of uint32, shape (M, 2)
    ///     Rows (a, b), sorted, those of several images by image.
    /// images : ndarray of int32, shape (M, D)
    ///     The periodic image of b that touches a, in cells along each edge; 0 without a periodic
    ///     cell.
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
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        use answers::pairs::Contacts as Columns;
        let columns = self.shared.work(py, self.threads, |finder| {
            Ok(match finder.contacts()? {
                Contacts::Plane(found) => {
                    Table::new(Columns::<2>::COLUMNS, &found).data(Outputs::NUMPY)
                }
                Contacts::Space(found) => {
                    Table::new(Columns::<3>::COLUMNS, &found).data(Outputs::NUMPY)
                }
            })
        })?;
        arrays(py, columns.map_err(named)?)
    }

    /// Neighbour list: for each particle the particles that touch it.
    ///
    /// Returns
    /// -------
    /// offsets : ndarray of int64, shape (N + 1,)
    ///     The start of the neighbours of each particle, and the end of the last.
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
        let found = self.shared.work(py, self.threads, Finder::neighbors)?;
        Ok(from_rows(py, found.map_err(named)?))
    }

    /// All pairs of particles that touch, in chunks.
    ///
    /// Together the chunks are what `pairs` returns, in the same order, without one array that
    /// holds them all.
    ///
    /// Returns
    /// -------
    /// iterator of ndarray of uint32, shape (M, 2)
    ///     Rows (a, b) with a < b, sorted. All rows with the same a are in one chunk.
    ///
    /// Raises
    /// ------
    /// RuntimeError
    ///     If the finder is updated before the last chunk is read.
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

    /// How often the Verlet list was built; 0 without a skin.
    #[getter]
    fn builds(&self, py: Python<'_>) -> PyResult<usize> {
        self.shared.read(py, |finder| finder.uses().builds)
    }

    /// How often an `update` could reuse the Verlet list; 0 without a skin.
    #[getter]
    fn reuses(&self, py: Python<'_>) -> PyResult<usize> {
        self.shared.read(py, |finder| finder.uses().reuses)
    }

    /// The name of the method in use; before the first `update` that of the constructor.
    #[getter]
    fn method(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.shared.read(py, |finder| finder.method())
    }

    /// The reason for the choice of the method, in one sentence.
    #[getter]
    fn reason(&self, py: Python<'_>) -> PyResult<String> {
        self.shared.read(py, |finder| finder.reason())
    }

    /// A pickle has the settings and the items; candidates of the Verlet list are searched anew.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let kept = self.shared.read(py, |_| {
            let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.clone()
        })?;
        let update = match kept {
            None => None,
            Some(kept) => Some(update_arguments(py, &kept)?),
        };
        let keywords = self.keywords(py)?;
        let restore = native(py, "_restored_pair_finder")?;
        (restore, (keywords, update)).into_pyobject(py)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.shared.read(py, |finder| finder.len())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let particles = counted(self.__len__(py)?, "particle", "particles");
        let method = self.settings.method;
        Ok(format!(
            "<tangere.PairFinder of {particles}, method '{method}'>"
        ))
    }
}

impl PairFinder {
    /// Returns the keyword arguments with which a finder of the same settings is made.
    fn keywords<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let settings = &self.settings;
        let keywords = PyDict::new(py);
        keywords.set_item("method", settings.method.name())?;
        keywords.set_item("periodic", settings.cell.map(Periodic::of_cell))?;
        keywords.set_item("margin", settings.margin)?;
        keywords.set_item("skin", settings.skin)?;
        keywords.set_item("every_image", settings.every_image)?;
        let most = (settings.most != usize::MAX).then_some(settings.most);
        keywords.set_item("max_pairs", most)?;
        keywords.set_item("occupancy", settings.occupancy)?;
        keywords.set_item("origin", settings.origin.clone())?;
        keywords.set_item("threads", (self.threads > 0).then_some(self.threads))?;
        Ok(keywords)
    }
}

/// Arguments of an update in a pickle: whether the items are boxes, their two arrays, and keyword
/// arguments.
type UpdateArguments<'py> = (
    bool,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyDict>,
);

/// Returns the arguments of the update that gave the items of a finder.
fn update_arguments<'py>(py: Python<'py>, kept: &Kept) -> PyResult<UpdateArguments<'py>> {
    fn arrays<'py, const D: usize>(
        py: Python<'py>,
        shapes: &Shapes<D>,
    ) -> PyResult<(bool, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        Ok(match shapes {
            Shapes::Spheres { centers, radii } => {
                let centers = from_points(py, centers.clone())?.into_any();
                (false, centers, from_numbers(py, radii.clone()).into_any())
            }
            Shapes::Boxes { lower, upper } => {
                let lower = from_points(py, lower.clone())?.into_any();
                (true, lower, from_points(py, upper.clone())?.into_any())
            }
        })
    }
    let (boxes, first, second) = match &*kept.items {
        Frame::Plane(shapes) => arrays(py, shapes)?,
        Frame::Space(shapes) => arrays(py, shapes)?,
    };
    let keywords = PyDict::new(py);
    let PairFilters { groups, masks } = &kept.filters;
    if !groups.is_empty() {
        keywords.set_item("groups", from_numbers(py, groups.clone()))?;
    }
    if !masks.is_empty() {
        let rows: Vec<[u32; 2]> = masks.iter().map(|m| [m.member, m.meets]).collect();
        keywords.set_item("masks", from_points(py, rows)?)?;
    }
    if let Some(cell) = kept.cell {
        keywords.set_item("periodic", Periodic::of_cell(cell))?;
    }
    Ok((boxes, first, second, keywords))
}

/// Restores a pickled finder.
#[pyfunction(name = "_restored_pair_finder")]
#[pyo3(signature = (keywords, update))]
pub fn restored_pair_finder(
    keywords: &Bound<'_, PyDict>,
    update: Option<UpdateArguments<'_>>,
) -> PyResult<PairFinder> {
    let finder = PairFinder::new(Some(keywords))?;
    match update {
        None => {}
        Some((false, centers, radii, keywords)) => {
            finder.update(&centers, &radii, Some(&keywords))?;
        }
        Some((true, lower, upper, keywords)) => {
            finder.update_boxes(&lower, &upper, Some(&keywords))?;
        }
    }
    Ok(finder)
}

/// Iterator over the pairs of a finder, in chunks.
#[pyclass(module = "tangere")]
pub struct PairChunks {
    finder: Py<PairFinder>,
    /// The number of updates of the finder when the iteration began.
    updates: u64,
    /// The particle index at which the next chunk begins: its pairs (a, b) have an index `a` of at
    /// least this. `None` after the last chunk.
    next: Option<u32>,
}

#[pymethods]
impl PairChunks {
    fn __reduce__(&self) -> PyResult<()> {
        unpicklable("PairChunks", "it is an iteration; pickle its finder")
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<u32>>>> {
        let finder = self.finder.get();
        while let Some(first) = self.next {
            let found = finder.shared.work(py, finder.threads, move |finder| {
                let mut pairs = Vec::new();
                let next = finder.chunk(first, &mut pairs)?;
                Ok((pairs, next))
            })?;
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
