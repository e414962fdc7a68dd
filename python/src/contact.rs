//! Contacts as objects of Python.

use numpy::PyArray1;
use pyo3::prelude::*;
use tangere::closest;
use tangere::contact::{self, ContactStatus, FeatureKind};

use crate::arguments::{integer, word};
use crate::arrays::from_numbers;
use crate::errors::refused;

/// A vertex, an edge or a face of a body.
///
/// Parameters
/// ----------
/// kind : {'vertex', 'edge', 'face'}
/// index : int
///     Its number: of a `ConvexPolyhedron` the place among its `vertices`, `edges`
///     or `faces`.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> feature = tangere.closest([[0, 0, 0]], [[2, 0, 0]]).feature_a
/// >>> feature
/// Feature('vertex', 0)
/// >>> feature.kind, feature.index, feature == tangere.Feature("vertex", 0)
/// ('vertex', 0, True)
#[pyclass(frozen, eq, hash, module = "tangere")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Feature(pub contact::Feature);

#[pymethods]
impl Feature {
    #[new]
    fn new(kind: &Bound<'_, PyAny>, index: &Bound<'_, PyAny>) -> PyResult<Self> {
        let name = word(kind, "kind")?;
        let kinds = [FeatureKind::Vertex, FeatureKind::Edge, FeatureKind::Face];
        let Some(kind) = kinds.into_iter().find(|kind| kind.name() == name) else {
            let expected = "'vertex', 'edge' or 'face'";
            return Err(refused("kind", format_args!("'{name}'"), expected));
        };
        let index = integer(index, "index", 0..=u64::from(u32::MAX))? as u32;
        Ok(Self(contact::Feature { kind, index }))
    }

    /// 'vertex', 'edge' or 'face'.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    /// Its number among those of its kind.
    #[getter]
    fn index(&self) -> u32 {
        self.0.index
    }

    fn __getnewargs__(&self) -> (&'static str, u32) {
        (self.kind(), self.index())
    }

    fn __repr__(&self) -> String {
        format!("Feature('{}', {})", self.kind(), self.index())
    }
}

/// A function of the native part, by which pickling makes an object again.
pub fn native<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("tangere._tangere")?.getattr(name)
}

/// A point or a vector as an array of its own.
pub fn point(py: Python<'_>, p: [f64; 3]) -> Bound<'_, PyArray1<f64>> {
    from_numbers(py, p.to_vec())
}

/// A corner of what touches: a point on each body; see `Contact.patch`.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> cube = tangere.generate.sponge(0)
/// >>> patch = tangere.closest(cube, cube, pose_b=[0.5, 0.25, 1]).patch
/// >>> [corner.point_a.tolist() for corner in patch]
/// [[0.5, 0.25, 1.0], [1.0, 0.25, 1.0], [1.0, 1.0, 1.0], [0.5, 1.0, 1.0]]
/// >>> patch[0].gap, patch[0].feature_b.kind, patch[2].feature_a.kind
/// (0.0, 'vertex', 'vertex')
#[pyclass(frozen, eq, module = "tangere")]
#[derive(Clone, PartialEq)]
pub struct PatchPoint(closest::PatchPoint);

/// What pickling keeps of a corner.
type PatchPointParts = ([f64; 3], [f64; 3], f64, Feature, Feature);

/// A corner from what pickling kept of it.
#[pyfunction(name = "_restored_patch_point")]
pub fn restored_patch_point(
    point_a: [f64; 3],
    point_b: [f64; 3],
    gap: f64,
    feature_a: &Feature,
    feature_b: &Feature,
) -> PatchPoint {
    PatchPoint(closest::PatchPoint {
        point_a,
        point_b,
        gap,
        feature_a: feature_a.0,
        feature_b: feature_b.0,
    })
}

#[pymethods]
impl PatchPoint {
    /// The point of a: float64 of shape (3,).
    #[getter]
    fn point_a<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        point(py, self.0.point_a)
    }

    /// The point of b: float64 of shape (3,).
    #[getter]
    fn point_b<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        point(py, self.0.point_b)
    }

    /// How far apart they are along the normal; negative in penetration.
    #[getter]
    fn gap(&self) -> f64 {
        self.0.gap
    }

    /// Where the point of a lies.
    #[getter]
    fn feature_a(&self) -> Feature {
        Feature(self.0.feature_a)
    }

    /// Where the point of b lies.
    #[getter]
    fn feature_b(&self) -> Feature {
        Feature(self.0.feature_b)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, PatchPointParts)> {
        let p = &self.0;
        let [a, b] = [p.feature_a, p.feature_b].map(Feature);
        Ok((
            native(py, "_restored_patch_point")?,
            (p.point_a, p.point_b, p.gap, a, b),
        ))
    }

    fn __repr__(&self) -> String {
        let p = &self.0;
        format!(
            "<tangere.PatchPoint of {} and {}, gap {}>",
            p.feature_a, p.feature_b, p.gap
        )
    }
}

/// How far apart two bodies are, or how deep in each other; see `closest`.
///
/// Contacts are equal if all is that they tell but `steps`, which a cache changes.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> cube = tangere.generate.sponge(0)
/// >>> contact = tangere.closest(cube, cube, pose_b=[0.5, 0.25, 0.875])
/// >>> contact
/// <tangere.Contact, penetrating: gap -0.125 between face 4 and face 0>
/// >>> contact.lower <= contact.gap <= contact.upper
/// True
/// >>> contact.normal.tolist(), contact.status, len(contact.patch)
/// ([0.0, 0.0, 1.0], 'penetrating', 4)
/// >>> contact.point_b - contact.point_a
/// array([ 0.   ,  0.   , -0.125])
/// >>> contact == tangere.closest(cube, cube, pose_b=[0.5, 0.25, 0.875])
/// True
#[pyclass(frozen, eq, module = "tangere")]
pub struct Contact {
    pub contact: contact::Contact,
    pub patch: Vec<closest::PatchPoint>,
}

impl PartialEq for Contact {
    fn eq(&self, other: &Self) -> bool {
        let steps = self.contact.steps;
        let contact = contact::Contact {
            steps,
            ..other.contact
        };
        self.contact == contact && self.patch == other.patch
    }
}

/// What pickling keeps of a contact: gap and its bounds, the two points and the normal, the
/// features, the status, the steps, and the patch.
type ContactParts = (
    [f64; 3],
    [[f64; 3]; 3],
    (Feature, Feature),
    &'static str,
    u32,
    Vec<PatchPoint>,
);

/// A contact from what pickling kept of it.
#[pyfunction(name = "_restored_contact")]
pub fn restored_contact(
    gaps: [f64; 3],
    vectors: [[f64; 3]; 3],
    features: (PyRef<'_, Feature>, PyRef<'_, Feature>),
    status: &str,
    steps: u32,
    patch: Vec<PyRef<'_, PatchPoint>>,
) -> PyResult<Contact> {
    let all = [
        ContactStatus::Separated,
        ContactStatus::Touching,
        ContactStatus::Penetrating,
        ContactStatus::Bracketed,
    ];
    let Some(status) = all.into_iter().find(|one| one.name() == status) else {
        let names = all.map(ContactStatus::name).join(", ");
        return Err(refused("status", format_args!("'{status}'"), names));
    };
    let [gap, lower, upper] = gaps;
    let [point_a, point_b, normal] = vectors;
    let contact = contact::Contact {
        gap,
        lower,
        upper,
        point_a,
        point_b,
        normal,
        feature_a: features.0.0,
        feature_b: features.1.0,
        status,
        steps,
    };
    let patch = patch.iter().map(|corner| corner.0).collect();
    Ok(Contact { contact, patch })
}

#[pymethods]
impl Contact {
    /// The distance; negative in penetration: the least way by which b must be moved
    /// along the normal for the bodies only to touch.
    #[getter]
    fn gap(&self) -> f64 {
        self.contact.gap
    }

    /// The gap is not less than this.
    #[getter]
    fn lower(&self) -> f64 {
        self.contact.lower
    }

    /// The gap is not more than this.
    #[getter]
    fn upper(&self) -> f64 {
        self.contact.upper
    }

    /// The point of a that is nearest to b, or deepest in it: float64 of shape (3,).
    #[getter]
    fn point_a<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        point(py, self.contact.point_a)
    }

    /// The point of b: float64 of shape (3,).
    #[getter]
    fn point_b<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        point(py, self.contact.point_b)
    }

    /// Of unit length, from a to b: float64 of shape (3,).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        point(py, self.contact.normal)
    }

    /// Where the point of a lies.
    #[getter]
    fn feature_a(&self) -> Feature {
        Feature(self.contact.feature_a)
    }

    /// Where the point of b lies.
    #[getter]
    fn feature_b(&self) -> Feature {
        Feature(self.contact.feature_b)
    }

    /// The corners of the polygon where faces lie on each other, counter-clockwise
    /// about the normal; the ends of a segment; or the one point.
    #[getter]
    fn patch(&self) -> Vec<PatchPoint> {
        self.patch.iter().map(|&p| PatchPoint(p)).collect()
    }

    /// 'separated', 'touching', 'penetrating', or 'bracketed' if the bounds did not meet.
    #[getter]
    fn status(&self) -> &'static str {
        self.contact.status.name()
    }

    /// How many features the search looked at.
    #[getter]
    fn steps(&self) -> u32 {
        self.contact.steps
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ContactParts)> {
        let c = &self.contact;
        let parts = (
            [c.gap, c.lower, c.upper],
            [c.point_a, c.point_b, c.normal],
            (Feature(c.feature_a), Feature(c.feature_b)),
            c.status.name(),
            c.steps,
            self.patch(),
        );
        Ok((native(py, "_restored_contact")?, parts))
    }

    fn __repr__(&self) -> String {
        let c = &self.contact;
        format!(
            "<tangere.Contact, {}: gap {} between {} and {}>",
            c.status.name(),
            c.gap,
            c.feature_a,
            c.feature_b
        )
    }
}

/// How much was done to follow pairs of bodies.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> cube, cache = tangere.generate.sponge(0), tangere.ConvexCache()
/// >>> gaps = [tangere.closest(cube, cube, pose_b=[2, 0.1, 0.01 * k], cache=cache).gap for k in range(20)]
/// >>> cache.counts.queries, sum(cache.counts.steps), cache.counts.restarts >= 0
/// (20, 20, True)
#[pyclass(frozen, eq, module = "tangere")]
#[derive(Clone, PartialEq)]
pub struct Counts(pub closest::Counts);

#[pymethods]
impl Counts {
    /// Queries.
    #[getter]
    fn queries(&self) -> u64 {
        self.0.queries
    }

    /// Queries that were answered in 1, 2, 3 and in more steps.
    #[getter]
    fn steps(&self) -> (u64, u64, u64, u64) {
        self.0.steps.into()
    }

    /// Queries that began anew, because features were not unique.
    #[getter]
    fn restarts(&self) -> u64 {
        self.0.restarts
    }

    fn __repr__(&self) -> String {
        let [one, two, three, more] = self.0.steps;
        format!(
            "<tangere.Counts of {} queries: {one} in 1 step, {two} in 2, {three} in 3, {more} in more; {} begun anew>",
            self.0.queries, self.0.restarts
        )
    }
}
