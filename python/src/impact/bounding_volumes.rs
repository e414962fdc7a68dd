//! Bounding volume hierarchies (BVH) of boxes and balls over faces.

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tangere::impact;
use tangere::impact::hierarchy::{Construction, HierarchySettings, Node, Volume};

use crate::arguments::{Argument, Given, chosen, integer};
use crate::arrays::{from_numbers, from_points};
use crate::errors::named;
use crate::impact::shape::surface_argument;
use crate::pickling::unpicklable;
use crate::report::counted;
use crate::run::{run_on, threads_of};

/// Reads the kind of bounding volume from an argument.
pub fn volume_of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Volume> {
    chosen(value, name, &Volume::ALL, Volume::name)
}

/// Reads the settings of a hierarchy from arguments; missing ones are those of `default`.
pub fn settings(
    construction: Given<'_>,
    volume: Given<'_>,
    branching: Given<'_>,
    default: HierarchySettings,
) -> PyResult<HierarchySettings> {
    let most = HierarchySettings::MAX_BRANCHING as u64;
    Ok(HierarchySettings {
        construction: construction.or(default.construction, "construction", |value, name| {
            chosen(value, name, &Construction::ALL, Construction::name)
        })?,
        volume: volume.or(default.volume, "volume", volume_of)?,
        branching: branching.or(default.branching, "branching", |value, name| {
            Ok(integer(value, name, 2..=most)? as usize)
        })?,
    })
}

/// Bounding volume hierarchy (BVH) of boxes and balls over the faces of a surface; see `hierarchy`.
///
/// Node 0 is the root. Every node precedes its children, which are adjacent. Both its box and its
/// ball contain all triangles below it.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> tree = tangere.hierarchy(tangere.generate.sphere(3), branching=2)
/// >>> tree
/// <tangere.Hierarchy of 1023 nodes over 512 triangles, bottom-up, ball>
/// >>> first, count = tree.first[0], tree.count[0]
/// >>> lower = tree.lower[first:first + count].min(axis=0)
/// >>> bool((lower == tree.lower[0]).all())
/// True
/// >>> tree.upper[0].tolist(), bool(abs(tree.centers[0]).max() < 1e-12), float(tree.radii[0].round(6))
/// ([1.0, 1.0, 1.0], True, 1.0)
/// >>> tree.construction, tree.volume, tree.branching, tree.report["leaves"]
/// ('bottom-up', 'ball', 2, 512)
#[pyclass(frozen, weakref, module = "tangere")]
pub struct Hierarchy {
    pub hierarchy: impact::hierarchy::Hierarchy,
}

impl Hierarchy {
    fn numbers<T>(&self, number: fn(&Node) -> T) -> Vec<T> {
        self.hierarchy.nodes().iter().map(number).collect()
    }
}

#[pymethods]
impl Hierarchy {
    fn __reduce__(&self) -> PyResult<()> {
        unpicklable(
            "Hierarchy",
            "it is made from a surface; pickle the surface and call hierarchy again",
        )
    }

    /// The lower corners of the boxes: float64 of shape (N, 3).
    #[getter]
    fn lower<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        from_points(py, self.numbers(|node| node.bounds.min))
    }

    /// The upper corners of the boxes: float64 of shape (N, 3).
    #[getter]
    fn upper<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        from_points(py, self.numbers(|node| node.bounds.max))
    }

    /// The centres of the balls: float64 of shape (N, 3).
    #[getter]
    fn centers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        from_points(py, self.numbers(|node| node.ball.center))
    }

    /// The radii of the balls: float64 of shape (N,).
    #[getter]
    fn radii<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        from_numbers(py, self.numbers(|node| node.ball.radius))
    }

    /// The first child of each node, or the triangle of a leaf: uint32 of shape (N,).
    #[getter]
    fn first<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        from_numbers(py, self.numbers(|node| node.first))
    }

    /// The number of children of each node, 0 for a leaf: uint32 of shape (N,).
    #[getter]
    fn count<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        from_numbers(py, self.numbers(|node| node.count))
    }

    /// The construction of the hierarchy, 'top-down', 'bottom-up' or 'online'.
    #[getter]
    fn construction(&self) -> &'static str {
        self.hierarchy.settings().construction.name()
    }

    /// The bounding volume that the construction minimised, 'ball' or 'box'.
    #[getter]
    fn volume(&self) -> &'static str {
        self.hierarchy.settings().volume.name()
    }

    /// The largest number of children of a node.
    #[getter]
    fn branching(&self) -> usize {
        self.hierarchy.settings().branching
    }

    /// Size, heights and volumes: ``nodes`` and ``leaves``; ``height_min``, ``height_mean`` and
    /// ``height_max``, the depths of leaves; ``ball_volume`` and ``box_volume``, the total volumes
    /// of all balls and of all boxes; ``radius``, the radius of the ball of the root.
    #[getter]
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let report = py.detach(|| self.hierarchy.report());
        let items = PyDict::new(py);
        items.set_item("nodes", report.nodes)?;
        items.set_item("leaves", report.leaves)?;
        items.set_item("height_min", report.height_min)?;
        items.set_item("height_mean", report.height_mean)?;
        items.set_item("height_max", report.height_max)?;
        items.set_item("ball_volume", report.ball_volume)?;
        items.set_item("box_volume", report.box_volume)?;
        items.set_item("radius", report.radius)?;
        Ok(items)
    }

    fn __len__(&self) -> usize {
        self.hierarchy.nodes().len()
    }

    fn __repr__(&self) -> String {
        let nodes = self.hierarchy.nodes();
        let leaves = nodes.iter().filter(|node| node.is_leaf()).count();
        format!(
            "<tangere.Hierarchy of {} over {}, {}, {}>",
            counted(nodes.len(), "node", "nodes"),
            counted(leaves, "triangle", "triangles"),
            self.construction(),
            self.volume()
        )
    }
}

/// Bounding volume hierarchy (BVH) of boxes and balls over the faces of a surface.
///
/// Every node has both volumes; the construction minimises one of them. Bodies of `ImpactEngine`
/// have such a hierarchy, a default one unless a `BodyShape` brings its own.
///
/// Parameters
/// ----------
/// mesh : Mesh, FaceMesh, ConvexPolyhedron, BodyShape, (vertices, faces) or dict
///     The surface: any shape of `Body` except a ball.
/// construction : {'bottom-up', 'top-down', 'online'}, optional
///     Bottom-up joins the pairs with the least joint volume; top-down bisects the faces again
///     and again, which is faster; online inserts the faces in their order, as the tree that
///     `aragon2013` cites, to check the paper or to teach.
/// volume : {'ball', 'box'}, optional
///     The bounding volume that the construction minimises.
/// branching : int, optional
///     The largest number of children of a node, from 2 to 16.
#[doc = include_str!("../threads.txt")]
/// Returns
/// -------
/// Hierarchy
///     Its nodes as arrays, and a report.
///
/// Raises
/// ------
/// ValueError
///     If an argument is out of its range, or the shape is a ball.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> knot = tangere.generate.knot(5000)
/// >>> for volume in ("ball", "box"):
/// ...     report = tangere.hierarchy(knot, volume=volume, branching=2).report
/// ...     print(volume, report["nodes"], report["height_min"] > 2)
/// ball 9999 True
/// box 9999 True
#[pyfunction]
#[pyo3(signature = (mesh, construction=Given(None), volume=Given(None), branching=Given(None), *,
                    threads=None))]
#[pyo3(
    text_signature = "(mesh, construction='bottom-up', volume='ball', branching=8, *, threads=None)"
)]
pub fn hierarchy(
    mesh: &Bound<'_, PyAny>,
    construction: Given<'_>,
    volume: Given<'_>,
    branching: Given<'_>,
    threads: Argument<'_, '_>,
) -> PyResult<Hierarchy> {
    let default = HierarchySettings::default()
        .with_construction(Construction::BottomUp)
        .with_volume(Volume::Ball);
    let settings = settings(construction, volume, branching, default)?;
    let threads = threads_of(threads)?;
    let surface = surface_argument(mesh, "mesh", threads)?;
    let made = run_on(mesh.py(), threads, move || surface.hierarchy(&settings))?;
    Ok(Hierarchy {
        hierarchy: made.map_err(|e| named(e, |_, _| "mesh".to_owned()))?,
    })
}
