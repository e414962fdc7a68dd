//! What happens when bodies meet, as objects of Python.

use numpy::PyArray1;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use tangere::impact::{self, Certificate};

use crate::arrays::{dtype, from_numbers, reserved};
use crate::contact::{Feature, native, point};
use crate::errors::refused;

/// Where two bodies touch first, or a body touches itself; see `Impact.contacts`.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> cube, octahedron = tangere.generate.sponge(0), tangere.generate.sphere(0)
/// >>> falling = tangere.Body(octahedron, position=[0.25, 0.5, 4], velocity=[0, 0, -2])
/// >>> contact = tangere.ImpactEngine([cube, falling]).next_contact(9).contacts[0]
/// >>> round(contact.time, 9), contact.early <= 1 <= contact.late, contact.certificate
/// (1.0, True, 'bracket')
/// >>> contact.a, contact.feature_a.kind, contact.b, contact.feature_b.kind
/// (0, 'face', 1, 'vertex')
/// >>> contact.normal.tolist(), abs(contact.gap) < 1e-12
/// ([0.0, 0.0, 1.0], True)
/// >>> corners = cube.vertices[cube.faces[contact.face_a]]
/// >>> u, v = contact.xi_a
/// >>> on_face = (1 - u - v) * corners[0] + u * corners[1] + v * corners[2]
/// >>> bool(abs(on_face - contact.point).max() < 1e-12)
/// True
#[pyclass(frozen, eq, module = "tangere")]
#[derive(Clone, PartialEq)]
pub struct ImpactContact(pub impact::ImpactContact);

/// What pickling keeps of a contact: its times, certificate, bodies and faces, features,
/// coordinates on faces, points and normal, and gap.
type ContactParts = (
    [f64; 2],
    &'static str,
    [[u32; 2]; 2],
    (Feature, Feature),
    [[f64; 2]; 2],
    [[f64; 3]; 3],
    f64,
);

fn certificate_named(name: &str) -> PyResult<Certificate> {
    let found = Certificate::ALL.into_iter().find(|one| one.name() == name);
    found.ok_or_else(|| {
        let names = Certificate::ALL.map(Certificate::name).join(", ");
        refused("certificate", format_args!("'{name}'"), names)
    })
}

/// Words of 64 bits that a row of the array has, so that its memory is aligned.
const WORDS: usize = 20;

/// A row: 16 floats, bodies, faces, indices, both kinds and the certificate.
fn words(c: &impact::ImpactContact) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    let floats = [c.early, c.late, c.gap].into_iter();
    let floats = floats.chain(c.point_a).chain(c.point_b).chain(c.normal);
    for (word, float) in words.iter_mut().zip(floats.chain(c.xi_a).chain(c.xi_b)) {
        *word = float.to_bits();
    }
    let [a, b] = [c.feature_a, c.feature_b];
    let both = |left: u32, right: u32| {
        let [l, r] = [left.to_ne_bytes(), right.to_ne_bytes()];
        u64::from_ne_bytes([l[0], l[1], l[2], l[3], r[0], r[1], r[2], r[3]])
    };
    words[16] = both(c.a, c.b);
    words[17] = both(c.face_a, c.face_b);
    words[18] = both(a.index, b.index);
    let kinds = [a.kind as u8, b.kind as u8, c.certificate as u8];
    words[19] = u64::from_ne_bytes([kinds[0], kinds[1], kinds[2], 0, 0, 0, 0, 0]);
    words
}

/// Contacts as rows of an array.
pub fn rows_of<'py>(
    py: Python<'py>,
    contacts: &[impact::ImpactContact],
) -> PyResult<Bound<'py, PyAny>> {
    let fields = [
        ("early", "f8", 0),
        ("late", "f8", 8),
        ("gap", "f8", 16),
        ("point_a", "3f8", 24),
        ("point_b", "3f8", 48),
        ("normal", "3f8", 72),
        ("xi_a", "2f8", 96),
        ("xi_b", "2f8", 112),
        ("a", "u4", 128),
        ("b", "u4", 132),
        ("face_a", "u4", 136),
        ("face_b", "u4", 140),
        ("kind_a", "u1", 152),
        ("index_a", "u4", 144),
        ("kind_b", "u1", 153),
        ("index_b", "u4", 148),
        ("certificate", "u1", 154),
    ];
    let mut all = reserved(WORDS * contacts.len())?;
    for contact in contacts {
        all.extend_from_slice(&words(contact));
    }
    from_numbers(py, all).call_method1("view", (dtype(py, fields, WORDS * 8)?,))
}

/// A contact from what pickling kept of it.
#[pyfunction(name = "_restored_impact_contact")]
pub fn restored_impact_contact(
    times: [f64; 2],
    certificate: &str,
    bodies_and_faces: [[u32; 2]; 2],
    features: (PyRef<'_, Feature>, PyRef<'_, Feature>),
    xi: [[f64; 2]; 2],
    vectors: [[f64; 3]; 3],
    gap: f64,
) -> PyResult<ImpactContact> {
    let [early, late] = times;
    let [[a, b], [face_a, face_b]] = bodies_and_faces;
    let [xi_a, xi_b] = xi;
    let [point_a, point_b, normal] = vectors;
    Ok(ImpactContact(impact::ImpactContact {
        early,
        late,
        certificate: certificate_named(certificate)?,
        a,
        b,
        feature_a: features.0.0,
        feature_b: features.1.0,
        face_a,
        face_b,
        xi_a,
        xi_b,
        point_a,
        point_b,
        normal,
        gap,
    }))
}

/// The middle between the points of both bodies.
fn middle(c: &impact::ImpactContact) -> [f64; 3] {
    std::array::from_fn(|k| 0.5 * c.point_a[k] + 0.5 * c.point_b[k])
}

#[pymethods]
impl ImpactContact {
    /// When they touch: the same as `early`.
    #[getter]
    fn time(&self) -> f64 {
        self.0.early
    }

    /// They do not touch here before.
    #[getter]
    fn early(&self) -> f64 {
        self.0.early
    }

    /// They have touched by then; infinite if that is not certain.
    #[getter]
    fn late(&self) -> f64 {
        self.0.late
    }

    /// How sure that is: 'exact', 'bracket', 'touching' or 'overlap'; see `Impact`.
    #[getter]
    fn certificate(&self) -> &'static str {
        self.0.certificate.name()
    }

    /// The number of the first body.
    #[getter]
    fn a(&self) -> u32 {
        self.0.a
    }

    /// The number of the second body, not less than `a`; equal where a body touches itself.
    #[getter]
    fn b(&self) -> u32 {
        self.0.b
    }

    /// What of a touches, a `Feature`.
    #[getter]
    fn feature_a(&self) -> Feature {
        Feature(self.0.feature_a)
    }

    /// What of b touches, a `Feature`.
    #[getter]
    fn feature_b(&self) -> Feature {
        Feature(self.0.feature_b)
    }

    /// A face of a that has the feature.
    #[getter]
    fn face_a(&self) -> u32 {
        self.0.face_a
    }

    /// A face of b that has the feature.
    #[getter]
    fn face_b(&self) -> u32 {
        self.0.face_b
    }

    /// Where the point is on `face_a`: of a triangle the weights of its second and third corner,
    /// of a finite element face its coordinates as `FaceMesh.project` has them; float64 of
    /// shape (2,).
    #[getter]
    fn xi_a<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        from_numbers(py, self.0.xi_a.to_vec())
    }

    /// The same of `face_b`.
    #[getter]
    fn xi_b<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        from_numbers(py, self.0.xi_b.to_vec())
    }

    /// Where they touch, the middle between `point_a` and `point_b`: float64 of shape (3,).
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        point(py, middle(&self.0))
    }

    /// The point of a at `early`: float64 of shape (3,).
    #[getter]
    fn point_a<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        point(py, self.0.point_a)
    }

    /// The point of b at `early`: float64 of shape (3,).
    #[getter]
    fn point_b<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        point(py, self.0.point_b)
    }

    /// Of unit length, from a to b: float64 of shape (3,).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        point(py, self.0.normal)
    }

    /// How far apart the points are at `early`, which rounding hides.
    #[getter]
    fn gap(&self) -> f64 {
        self.0.gap
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ContactParts)> {
        let c = &self.0;
        let parts = (
            [c.early, c.late],
            c.certificate.name(),
            [[c.a, c.b], [c.face_a, c.face_b]],
            (Feature(c.feature_a), Feature(c.feature_b)),
            [c.xi_a, c.xi_b],
            [c.point_a, c.point_b, c.normal],
            c.gap,
        );
        Ok((native(py, "_restored_impact_contact")?, parts))
    }

    fn __repr__(&self) -> String {
        let c = &self.0;
        format!(
            "<tangere.ImpactContact at {}, {}: {} of body {} and {} of body {}>",
            c.early,
            c.certificate.name(),
            c.feature_a,
            c.a,
            c.feature_b,
            c.b
        )
    }
}

/// The next contact, and all that happen at the same time as far as can be told; see
/// `ImpactEngine.next_contact`.
///
/// Nothing touches before `early`, and something has touched by `late`, up to the rounding of where
/// bodies are. How sure that is, is told by `certificate`:
///
/// - 'exact': corners move straight, or balls on parabolas. That they touch is the truth for
///   the numbers given.
/// - 'bracket': at `early` the gap is no more than rounding, and it closes.
/// - 'touching': at `early` the gap is no more than rounding but does not close. They graze,
///   slide, rest or just miss each other; `late` is infinite.
/// - 'overlap': they overlap already.
/// - 'unresolved': the work that was allowed is used up. Nothing touches before `early`, and
///   there are no contacts; asked again, the engine goes on.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> ball, wall = tangere.Body.ball(0.5, velocity=[2, 0, 0]), tangere.generate.sponge(0)
/// >>> engine = tangere.ImpactEngine([ball, tangere.Body(wall, position=[4, -0.5, -0.25])])
/// >>> impact = engine.next_contact(9)
/// >>> round(impact.time, 9), impact.early <= 1.75 <= impact.late, impact.certificate
/// (1.75, True, 'bracket')
/// >>> len(impact.contacts), impact.a, impact.feature_a, impact.b, impact.feature_b.kind
/// (1, 0, Feature('face', 0), 1, 'face')
/// >>> impact.point.round(9).tolist(), impact.normal.tolist(), abs(impact.gap) < 1e-12
/// ([4.0, 0.0, 0.0], [1.0, 0.0, 0.0], True)
#[pyclass(frozen, eq, module = "tangere")]
#[derive(Clone, PartialEq)]
pub struct Impact(pub impact::Impact);

/// What pickling keeps of an impact.
type ImpactParts = ([f64; 2], &'static str, Vec<ImpactContact>);

/// An impact from what pickling kept of it.
#[pyfunction(name = "_restored_impact")]
pub fn restored_impact(
    times: [f64; 2],
    certificate: &str,
    contacts: Vec<PyRef<'_, ImpactContact>>,
) -> PyResult<Impact> {
    let [early, late] = times;
    Ok(Impact(impact::Impact {
        early,
        late,
        certificate: certificate_named(certificate)?,
        contacts: contacts.iter().map(|contact| contact.0).collect(),
    }))
}

impl Impact {
    fn first(&self) -> PyResult<&impact::ImpactContact> {
        self.0.contacts.first().ok_or_else(|| {
            PyAttributeError::new_err("an impact that is not resolved has no contacts")
        })
    }
}

#[pymethods]
impl Impact {
    /// When it is: the same as `early`.
    #[getter]
    fn time(&self) -> f64 {
        self.0.early
    }

    /// Nothing touches before.
    #[getter]
    fn early(&self) -> f64 {
        self.0.early
    }

    /// Something has touched by then; infinite if that is not certain.
    #[getter]
    fn late(&self) -> f64 {
        self.0.late
    }

    /// How sure the first contact is: 'exact', 'bracket', 'touching', 'overlap' or 'unresolved'.
    #[getter]
    fn certificate(&self) -> &'static str {
        self.0.certificate.name()
    }

    /// All that touch, each an `ImpactContact`, in the order of bodies and features.
    #[getter]
    fn contacts(&self) -> Vec<ImpactContact> {
        self.0.contacts.iter().map(|&c| ImpactContact(c)).collect()
    }

    /// That of the first of `contacts`, as all that follow.
    #[getter]
    fn a(&self) -> PyResult<u32> {
        Ok(self.first()?.a)
    }

    /// The second body of the first of `contacts`.
    #[getter]
    fn b(&self) -> PyResult<u32> {
        Ok(self.first()?.b)
    }

    /// What of a touches in the first of `contacts`.
    #[getter]
    fn feature_a(&self) -> PyResult<Feature> {
        Ok(Feature(self.first()?.feature_a))
    }

    /// What of b touches in the first of `contacts`.
    #[getter]
    fn feature_b(&self) -> PyResult<Feature> {
        Ok(Feature(self.first()?.feature_b))
    }

    /// Where the first of `contacts` is: float64 of shape (3,).
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(point(py, middle(self.first()?)))
    }

    /// The normal of the first of `contacts`, from a to b: float64 of shape (3,).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(point(py, self.first()?.normal))
    }

    /// The gap of the first of `contacts`.
    #[getter]
    fn gap(&self) -> PyResult<f64> {
        Ok(self.first()?.gap)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ImpactParts)> {
        let times = [self.0.early, self.0.late];
        let parts = (times, self.certificate(), self.contacts());
        Ok((native(py, "_restored_impact")?, parts))
    }

    fn __repr__(&self) -> String {
        let contacts = match self.0.contacts.len() {
            1 => "1 contact".to_owned(),
            n => format!("{n} contacts"),
        };
        let (time, certificate) = (self.0.early, self.certificate());
        format!("<tangere.Impact at {time}, {certificate}: {contacts}>")
    }
}
