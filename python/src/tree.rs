//! Bounding volume hierarchy (BVH) over boxes as a Python object.
//!
//! The library's tree finds candidates in f32; here they are confirmed in f64 with the boxes, which
//! are stored beside the nodes.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::PyArray2;
use pyo3::prelude::*;
use rayon::slice::ParallelSliceMut;
use tangere::error::Count;
use tangere::geometry::Aabb;
use tangere::memory;
use tangere::parallel::{self, Overfull};
use tangere::shape::Spheres;
use tangere_io::Particles;

use crate::arguments::Argument;
use crate::arrays::{Boxes, Ends, Rows, boxes, boxes_2_or_3, from_points, from_rows};
use crate::errors::{What, refused, value_error};
use crate::mesh::Mesh;
use crate::particles::spheres;
use crate::pickling::reduced;
use crate::run::{push, run};

type Corners<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>);

/// Boxes in `D` dimensions and the BVH over them.
struct Items<const D: usize> {
    boxes: Vec<Aabb<D>>,
    tree: tangere::tree::Tree<D>,
}

impl<const D: usize> Items<D> {
    fn new(boxes: Vec<Aabb<D>>) -> tangere::Result<Self> {
        let tree = tangere::tree::Tree::of_boxes(&boxes)?;
        Ok(Self { boxes, tree })
    }

    /// Returns the bounding boxes of spheres, rounded outward, and the BVH over them.
    fn of_spheres(spheres: &Spheres<D>) -> tangere::Result<Self> {
        Self::new((0..spheres.len()).map(|i| spheres.bounds(i)).collect())
    }

    /// Returns the new boxes and a copy of the BVH, refitted to them.
    fn refitted(&self, boxes: Vec<Aabb<D>>) -> tangere::Result<Self> {
        let mut tree = self.tree.clone();
        tree.refit(&boxes)?;
        Ok(Self { boxes, tree })
    }

    /// Returns for each query box the items that touch it, ascending, as compressed rows (CSR): the
    /// offset in the list of items at which those of each query box begin, the end of the last, and
    /// that list.
    fn overlapping(&self, queries: &[Aabb<D>]) -> tangere::Result<(Vec<usize>, Vec<u32>)> {
        let mut found = parallel::Rows::default();
        let filled = found.try_fill(queries.len(), usize::MAX, |i, row| {
            let query = &queries[i];
            self.tree.overlapping(query, |item| {
                if self.boxes[item as usize].overlaps(query) {
                    row.push(item);
                }
            });
            if !row.is_counted() {
                row.sort_unstable();
            }
        });
        match filled {
            Ok(()) => Ok(found.into_parts()),
            Err(Overfull::NoMemory(count)) => {
                let count = Count::AtLeast(count as u64);
                Err(memory::exhausted(What::Items, count, size_of::<u32>()))
            }
            Err(Overfull::TooMany) => unreachable!("there is no limit"),
        }
    }

    /// Returns the pairs `a < b` of items whose boxes touch, sorted.
    ///
    /// Traverses the tree against itself on one thread, then sorts on all: several times faster
    /// than one query per box.
    fn pairs(&self) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        self.tree.self_pairs(|a, b| {
            if self.boxes[a as usize].overlaps(&self.boxes[b as usize]) {
                push(&mut pairs, [a.min(b), a.max(b)]);
            }
        });
        pairs.par_sort_unstable();
        pairs
    }
}

/// Boxes in the plane or in space with the BVH over them. Running work keeps those with which it
/// began, even if the Python object is refitted meanwhile.
#[derive(Clone)]
enum Shared {
    Plane(Arc<Items<2>>),
    Space(Arc<Items<3>>),
}

/// Evaluates `$answer` for items of either dimension.
macro_rules! of_either {
    ($shared:expr, $items:ident => $answer:expr) => {
        match $shared {
            Shared::Plane($items) => $answer,
            Shared::Space($items) => $answer,
        }
    };
}

/// Bounding volume hierarchy (BVH) over axis-aligned boxes in 2 or 3 dimensions.
///
/// Boxes are closed: those that share only a face, an edge or a corner touch. Results are exact:
/// those of comparing all pairs of boxes in float64. The arrays are copied once.
///
/// Parameters
/// ----------
/// lower : array_like, shape (N, 2) or (N, 3)
///     The lower corners of the boxes, finite. N may be 0.
/// upper : array_like, of the same shape
///     Their upper corners, nowhere below the lower ones.
#[doc = include_str!("threads.txt")]
/// Raises
/// ------
/// ValueError
///     If a shape is wrong, a coordinate is not finite, or an upper corner is
///     below its lower one.
///
/// Notes
/// -----
/// ``len(tree)`` is the number of items. Several threads may use a tree at once: a query uses the
/// boxes at its start. Pickling keeps the boxes; unpickling builds the tree again.
///
/// Examples
/// --------
/// >>> import numpy as np, tangere
/// >>> lower = np.array([[0, 0], [1, 0], [5, 5]])
/// >>> tree = tangere.Tree(lower, lower + 1)
/// >>> tree
/// <tangere.Tree of 3 boxes in 2 dimensions>
/// >>> tree.pairs()
/// array([[0, 1]], dtype=uint32)
/// >>> tree.dimension, tree.nodes, tree.height, tree.cost, tree.bytes > 0
/// (2, 1, 1, 1.0, True)
#[pyclass(frozen, weakref, module = "tangere")]
pub struct Tree {
    /// The current boxes and the BVH over them. The lock is held only to copy or to replace them,
    /// never during work.
    shared: Mutex<Shared>,
}

impl Tree {
    fn from_shared(shared: Shared) -> Self {
        Self {
            shared: Mutex::new(shared),
        }
    }

    /// Returns the current items.
    fn shared(&self) -> Shared {
        self.shared
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

#[pymethods]
impl Tree {
    #[new]
    #[pyo3(signature = (lower, upper, *, threads=None))]
    fn new(
        lower: &Bound<'_, PyAny>,
        upper: &Bound<'_, PyAny>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Self> {
        let py = lower.py();
        let shared = match boxes_2_or_3(lower, upper)? {
            Boxes::Plane(boxes) => Shared::Plane(made(py, threads, || Items::new(boxes))?),
            Boxes::Space(boxes) => Shared::Space(made(py, threads, || Items::new(boxes))?),
        };
        Ok(Self::from_shared(shared))
    }

    /// BVH over the bounding boxes of the triangles of a mesh; items have the indices of rows of
    /// ``mesh.faces``.
    ///
    /// Parameters
    /// ----------
    /// mesh : Mesh
    ///     The mesh. The tree does not keep it.
    #[doc = include_str!("threads.txt")]
    /// Returns
    /// -------
    /// Tree
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> tangere.Tree.of_mesh(tangere.generate.sphere(3))
    /// <tangere.Tree of 512 boxes in 3 dimensions>
    #[staticmethod]
    #[pyo3(signature = (mesh, *, threads=None))]
    fn of_mesh(mesh: &Bound<'_, PyAny>, threads: Argument<'_, '_>) -> PyResult<Self> {
        let py = mesh.py();
        let mesh = Mesh::argument(mesh, "mesh")?;
        let items = made(py, threads, move || {
            let triangle = |f| Aabb::of_points(mesh.triangle(f));
            Items::new((0..mesh.faces().len()).map(triangle).collect())
        })?;
        Ok(Self::from_shared(Shared::Space(items)))
    }

    /// BVH over the bounding boxes of discs or spheres; items have the indices of rows of
    /// ``centers``.
    ///
    /// The boxes are rounded outward: those of touching spheres always touch, even where
    /// ``centers + radii`` would be rounded down.
    ///
    /// Parameters
    /// ----------
    /// centers : array_like, shape (N, 2) or (N, 3)
    ///     The centres of discs or spheres. N may be 0.
    /// radii : array_like, shape (N,)
    ///     The radii, not negative.
    #[doc = include_str!("threads.txt")]
    /// Returns
    /// -------
    /// Tree
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a shape is wrong, or a particle is not finite or its radius is
    ///     negative.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> tangere.Tree.of_spheres([[0, 0], [1, 0], [5, 0]], [0.5, 0.5, 1]).pairs()
    /// array([[0, 1]], dtype=uint32)
    #[staticmethod]
    #[pyo3(signature = (centers, radii, *, threads=None))]
    fn of_spheres(
        centers: &Bound<'_, PyAny>,
        radii: &Bound<'_, PyAny>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Self> {
        let py = centers.py();
        let shared = match spheres(centers, radii)? {
            Particles::Discs(discs) => {
                Shared::Plane(made(py, threads, move || Items::of_spheres(&discs))?)
            }
            Particles::Spheres(spheres) => {
                Shared::Space(made(py, threads, move || Items::of_spheres(&spheres))?)
            }
        };
        Ok(Self::from_shared(shared))
    }

    /// Overlap query: the items that touch each of many query boxes.
    ///
    /// Parameters
    /// ----------
    /// lower : array_like, shape (N, 2) or (N, 3) as the tree has dimensions
    ///     The lower corners of the query boxes; may be infinite.
    /// upper : array_like, of the same shape
    ///     Their upper corners, nowhere below the lower ones; may be infinite.
    #[doc = include_str!("threads.txt")]
    /// Returns
    /// -------
    /// offsets : ndarray of int64, shape (N + 1,)
    ///     The start of the items of each query box, and the end of the last.
    /// items : ndarray of uint32, shape (K,)
    ///     ``items[offsets[i]:offsets[i + 1]]`` are the items that touch query box i, ascending.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a shape is wrong, a coordinate is NaN, or an upper corner is
    ///     below its lower one.
    ///
    /// Examples
    /// --------
    /// Rows are those of a sparse matrix; points are boxes without extent.
    ///
    /// >>> import numpy as np, tangere
    /// >>> lower = np.arange(5)[:, None] * [1, 0]
    /// >>> tree = tangere.Tree(lower, lower + 1)
    /// >>> points = np.array([[0.5, 0.5], [2, 0.5], [2.5, 7]])
    /// >>> offsets, items = tree.overlapping(points, points)
    /// >>> offsets
    /// array([0, 1, 3, 3])
    /// >>> items[offsets[1]:offsets[2]]
    /// array([1, 2], dtype=uint32)
    #[pyo3(signature = (lower, upper, *, threads=None))]
    fn overlapping<'py>(
        &self,
        lower: &Bound<'py, PyAny>,
        upper: &Bound<'py, PyAny>,
        threads: Argument<'_, 'py>,
    ) -> PyResult<Rows<'py>> {
        let py = lower.py();
        let found = of_either!(self.shared(), items => {
            let queries = boxes(lower, upper, Ends::Any)?;
            run(py, threads, move || items.overlapping(&queries))?
        });
        Ok(from_rows(py, found.map_err(value_error)?))
    }

    /// All pairs of items whose boxes touch.
    ///
    /// Parameters
    /// ----------
    #[doc = include_str!("threads.txt")]
    /// Returns
    /// -------
    /// ndarray of uint32, shape (M, 2)
    ///     Rows (a, b) with a < b, sorted.
    ///
    /// Raises
    /// ------
    /// MemoryError
    ///     If the pairs do not fit into memory.
    ///
    /// Examples
    /// --------
    /// Which of these discs might touch?
    ///
    /// >>> import tangere
    /// >>> centers, radii = tangere.generate.particles(1000, dim=2, seed=1)
    /// >>> tree = tangere.Tree.of_spheres(centers, radii)
    /// >>> a, b = tree.pairs().T
    /// >>> distances = ((centers[a] - centers[b]) ** 2).sum(axis=1) ** 0.5
    /// >>> touching = distances <= radii[a] + radii[b]
    /// >>> len(touching), int(touching.sum())
    /// (1070, 855)
    #[pyo3(signature = (*, threads=None))]
    fn pairs<'py>(
        &self,
        py: Python<'py>,
        threads: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let pairs = of_either!(self.shared(), items => run(py, threads, move || items.pairs())?);
        from_points(py, pairs)
    }

    /// Refits the tree to new boxes.
    ///
    /// This is faster than a new tree. Results stay exact however far items move, but queries
    /// become slower as neighbours separate: see `cost`. If this raises, the tree is unchanged.
    ///
    /// Parameters
    /// ----------
    /// lower : array_like, shape (len(tree), 2) or (len(tree), 3)
    ///     The lower corners of the boxes, finite.
    /// upper : array_like, of the same shape
    ///     Their upper corners, nowhere below the lower ones.
    #[doc = include_str!("threads.txt")]
    /// Raises
    /// ------
    /// ValueError
    ///     As for a new tree, or if the number of boxes differs.
    ///
    /// Examples
    /// --------
    /// >>> import numpy as np, tangere
    /// >>> lower = np.array([[0, 0], [1, 0], [5, 5]])
    /// >>> tree = tangere.Tree(lower, lower + 1)
    /// >>> lower[2] = [0, 1]
    /// >>> tree.refit(lower, lower + 1)
    /// >>> len(tree.pairs())
    /// 3
    #[pyo3(signature = (lower, upper, *, threads=None))]
    fn refit(
        &self,
        lower: &Bound<'_, PyAny>,
        upper: &Bound<'_, PyAny>,
        threads: Argument<'_, '_>,
    ) -> PyResult<()> {
        let refitted = match self.shared() {
            Shared::Plane(items) => Shared::Plane(refitted(items, lower, upper, threads)?),
            Shared::Space(items) => Shared::Space(refitted(items, lower, upper, threads)?),
        };
        // The old items are dropped after the lock is released.
        let _replaced = std::mem::replace(
            &mut *self.shared.lock().unwrap_or_else(PoisonError::into_inner),
            refitted,
        );
        Ok(())
    }

    /// The number of dimensions, 2 or 3.
    #[getter]
    fn dimension(&self) -> usize {
        match self.shared() {
            Shared::Plane(_) => 2,
            Shared::Space(_) => 3,
        }
    }

    /// The number of nodes, of up to eight children each.
    #[getter]
    fn nodes(&self) -> usize {
        of_either!(self.shared(), items => items.tree.nodes())
    }

    /// The number of levels of nodes.
    #[getter]
    fn height(&self, py: Python<'_>) -> usize {
        of_either!(self.shared(), items => py.detach(|| items.tree.height()))
    }

    /// The surface area heuristic (SAH): the expected number of nodes that a small box at a random
    /// position inside the bounding box visits. It grows as `refit` degrades the tree.
    #[getter]
    fn cost(&self, py: Python<'_>) -> f64 {
        of_either!(self.shared(), items => py.detach(|| items.tree.cost()))
    }

    /// The size of the nodes in bytes; the boxes beside them take 32 bytes each in 2 dimensions and
    /// 48 in 3.
    #[getter]
    fn bytes(&self) -> usize {
        of_either!(self.shared(), items => items.tree.bytes())
    }

    fn __len__(&self) -> usize {
        of_either!(self.shared(), items => items.tree.len())
    }

    fn __repr__(&self) -> String {
        let boxes = match self.__len__() {
            1 => "1 box".to_owned(),
            n => format!("{n} boxes"),
        };
        format!(
            "<tangere.Tree of {boxes} in {} dimensions>",
            self.dimension()
        )
    }

    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, protocol: i32) -> PyResult<Bound<'py, PyAny>> {
        reduced(slf.as_any(), protocol)
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Corners<'py>> {
        of_either!(self.shared(), items => {
            let lower = items.boxes.iter().map(|bounds| bounds.min).collect();
            let upper = items.boxes.iter().map(|bounds| bounds.max).collect();
            Ok((from_points(py, lower)?, from_points(py, upper)?))
        })
    }
}

/// Calls `make`, which builds a BVH over boxes, without the GIL.
fn made<const D: usize>(
    py: Python<'_>,
    threads: Argument<'_, '_>,
    make: impl FnOnce() -> tangere::Result<Items<D>> + Send + 'static,
) -> PyResult<Arc<Items<D>>> {
    run(py, threads, make)?.map(Arc::new).map_err(value_error)
}

/// Refits items to the same number of new boxes.
fn refitted<const D: usize>(
    items: Arc<Items<D>>,
    lower: &Bound<'_, PyAny>,
    upper: &Bound<'_, PyAny>,
    threads: Argument<'_, '_>,
) -> PyResult<Arc<Items<D>>> {
    let boxes = boxes::<D>(lower, upper, Ends::Finite)?;
    let (found, expected) = (boxes.len(), items.boxes.len());
    if found != expected {
        return Err(refused(
            "lower",
            format_args!("shape ({found}, {D})"),
            format_args!("({expected}, {D}), a row for each item of the tree"),
        ));
    }
    made(lower.py(), threads, move || items.refitted(boxes))
}
