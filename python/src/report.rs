//! What is right and wrong with a surface, as an object of Python.

use numpy::PyArray2;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tangere::geometry::Aabb;

use crate::arrays::from_points;

/// One list of the fields serves the class, its dictionary and pickling.
macro_rules! report {
    ($($(#[$doc:meta])* $name:ident: $type:ty,)*) => {
        /// What is right and wrong with a surface; see `Mesh.report`.
        ///
        /// All attributes are read-only. ``print(report)`` shows one to a line.
        ///
        /// Examples
        /// --------
        /// >>> import tangere
        /// >>> report = tangere.generate.sphere(0).report
        /// >>> report.closed, report.genus, report.triangles
        /// (True, 0, 8)
        /// >>> report.as_dict()["bounds"]
        /// {'min': [-1.0, -1.0, -1.0], 'max': [1.0, 1.0, 1.0]}
        #[pyclass(frozen, eq, module = "tangere")]
        #[derive(Clone, PartialEq)]
        pub struct MeshReport {
            $($(#[$doc])* #[pyo3(get)] $name: $type,)*
            /// Pairs of triangles that have a common point although they name no common
            /// vertex; None unless looked for, as `Mesh.report_with_self_intersections` does.
            #[pyo3(get)]
            self_intersections: Option<usize>,
            box_of_corners: Aabb<3>,
        }

        impl From<tangere::shape::MeshReport> for MeshReport {
            fn from(report: tangere::shape::MeshReport) -> Self {
                Self {
                    $($name: report.$name,)*
                    self_intersections: report.self_intersections,
                    box_of_corners: report.bounds,
                }
            }
        }

        impl MeshReport {
            /// Sets every field but the box; self-intersections if they were looked for.
            fn fill(&self, items: &Bound<'_, PyDict>) -> PyResult<()> {
                $(items.set_item(stringify!($name), self.$name)?;)*
                if let Some(pairs) = self.self_intersections {
                    items.set_item("self_intersections", pairs)?;
                }
                Ok(())
            }

            /// The report that made a dictionary.
            fn from_dict(items: &Bound<'_, PyDict>) -> PyResult<Self> {
                let bounds = item(items, "bounds")?;
                Ok(Self {
                    $($name: item(items, stringify!($name))?.extract()?,)*
                    self_intersections: match items.get_item("self_intersections")? {
                        Some(pairs) => pairs.extract()?,
                        None => None,
                    },
                    box_of_corners: Aabb {
                        min: bounds.get_item("min")?.extract()?,
                        max: bounds.get_item("max")?.extract()?,
                    },
                })
            }
        }
    };
}

report! {
    /// Vertices, those that no triangle uses included.
    vertices: usize,
    /// Triangles, degenerate and duplicate ones included.
    triangles: usize,
    /// Edges. Triangles that name a vertex twice bound nothing: they have no
    /// edges and belong to no component.
    edges: usize,
    /// There are edges, and none belongs to one triangle only.
    closed: bool,
    /// At every edge of two or more triangles, as many run along it one way as
    /// the other.
    oriented: bool,
    /// No edge has more than two triangles, and the triangles around every
    /// vertex form one fan.
    manifold: bool,
    /// Parts connected through edges.
    components: usize,
    /// Vertices in use minus edges plus triangles.
    euler_characteristic: i64,
    /// The number of handles, summed over components; None unless the surface
    /// is closed, oriented and manifold.
    genus: Option<u64>,
    /// Edges of one triangle.
    boundary_edges: usize,
    /// Edges of more than two triangles.
    nonmanifold_edges: usize,
    /// Edges of two or more triangles that do not run along it equally often
    /// in each direction.
    misoriented_edges: usize,
    /// Vertices whose triangles form more than one fan.
    nonmanifold_vertices: usize,
    /// Vertices that no triangle names.
    unused_vertices: usize,
    /// Triangles without area: a vertex named twice, or three corners exactly
    /// on one line.
    degenerate_triangles: usize,
    /// Triangles on the same three vertices as an earlier one, however turned.
    duplicate_triangles: usize,
    /// Components that are closed and oriented.
    shells: usize,
    /// Shells that must be turned for the surface to bound a volume, as
    /// `Mesh.reoriented` does: normals should point outward at even depth of
    /// nesting and into the cavity at odd depth. Shells that cross each other
    /// are not nested.
    inverted_shells: usize,
    /// The enclosed volume, negative where normals point inward; None unless
    /// the surface is closed and oriented.
    volume: Option<f64>,
    /// The area.
    area: f64,
}

fn item<'py>(items: &Bound<'py, PyDict>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    items
        .get_item(name)?
        .ok_or_else(|| PyKeyError::new_err(name.to_owned()))
}

#[pymethods]
impl MeshReport {
    /// The box of all vertices that triangles use: its lower and its upper
    /// corner as the rows of a new array of shape (2, 3).
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        bounds_array(py, &self.box_of_corners)
    }

    /// The attributes by name, ready for JSON.
    ///
    /// Returns
    /// -------
    /// dict
    ///     Numbers, truth values and None; ``bounds`` is a dictionary of the
    ///     lists ``min`` and ``max``. ``tangere info --json`` has all of these
    ///     names with the same values, in another order, and besides them
    ///     those of the file and of the call: ``file``, ``format``,
    ///     ``polygons`` and ``welded_vertices`` (see `Mesh.source`),
    ///     ``seconds``, and ``tree`` if asked for with ``--tree``.
    ///     ``self_intersections`` is there if they were looked for.
    ///
    /// Examples
    /// --------
    /// >>> import json, tangere
    /// >>> report = tangere.generate.sphere(0).report
    /// >>> json.loads(json.dumps(report.as_dict()))["edges"]
    /// 12
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let items = PyDict::new(py);
        self.fill(&items)?;
        let bounds = PyDict::new(py);
        bounds.set_item("min", self.box_of_corners.min.to_vec())?;
        bounds.set_item("max", self.box_of_corners.max.to_vec())?;
        items.set_item("bounds", bounds)?;
        Ok(items)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut fields = Vec::new();
        for (name, value) in self.as_dict(py)? {
            fields.push(format!("{name}={}", value.repr()?));
        }
        Ok(format!("MeshReport({})", fields.join(", ")))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let mut lines = Vec::new();
        for (name, value) in self.as_dict(py)? {
            if name.eq("bounds")? {
                let Aabb { min, max } = self.box_of_corners;
                lines.push(format!("{:<22}{min:?} to {max:?}", "bounds"));
            } else {
                lines.push(format!("{:<22}{}", name.to_string(), value.str()?));
            }
        }
        Ok(lines.join("\n"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.import("tangere._tangere")?.getattr("_restored_report")?;
        (restore, (self.as_dict(py)?,)).into_pyobject(py)
    }
}

/// A report from what pickling kept of it.
#[pyfunction(name = "_restored_report")]
pub fn restored_report(items: &Bound<'_, PyDict>) -> PyResult<MeshReport> {
    MeshReport::from_dict(items)
}

/// The corners of a box as rows.
pub fn bounds_array<'py>(py: Python<'py>, bounds: &Aabb<3>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    from_points(py, vec![bounds.min, bounds.max])
}
