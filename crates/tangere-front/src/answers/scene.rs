//! Output columns of scenes: contacts of bodies, corners of contact patches, answers of queries.

use crate::answer::{
    Column, Outputs, code, count, feature, flag, float, index, indices, integers, text, vector,
};
use tangere::closest::PatchPoint;
use tangere::contact::Feature;
use tangere::scene::{NearestBody, PairAnswer, PairSleep, RayHit, Scene, SceneContact};

/// A contact of two bodies of a scene, with the names of the bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedContact {
    /// The contact of the two bodies.
    pub contact: SceneContact,
    /// The names of the two bodies in contact; empty if they have none.
    pub names: [String; 2],
    /// The penetration volume; NaN where it is not computed.
    pub volume: f64,
}

impl NamedContact {
    /// A contact of a scene, without names.
    pub fn new(scene: &Scene, contact: SceneContact) -> Self {
        NamedContact {
            contact,
            names: Default::default(),
            volume: scene.volume(&contact),
        }
    }

    /// The point midway between the points of the two bodies.
    pub fn point(&self) -> [f64; 3] {
        let (a, b) = (self.contact.contact.point_a, self.contact.contact.point_b);
        std::array::from_fn(|k| 0.5 * a[k] + 0.5 * b[k])
    }
}

/// The number of a body that is not there; no body has this id.
pub const NO_BODY: u64 = u64::MAX;

const WRITTEN: Outputs = Outputs::JSON.and(Outputs::ROWS);
const NOT_DRAWN: Outputs = Outputs::JSON.and(Outputs::CSV).and(Outputs::NUMPY);
const NAMES: Outputs = Outputs::JSON.and(Outputs::CSV);

/// Returns the kind or the index of a feature, for arrays in which it is one field of two numbers.
fn part(feature: Feature, k: usize) -> u32 {
    [feature.kind as u32, feature.index][k]
}

/// The output columns of a contact of two bodies of a scene.
pub const CONTACT: &[Column<NamedContact>] = &[
    count("id", |c: &NamedContact| c.contact.id())
        .doc("Id of the contact, the same while it lasts: a hash of bodies, image and slot.")
        .only(WRITTEN),
    count("a", |c: &NamedContact| c.contact.a)
        .doc("Id of the first body, the lower of both.")
        .only(WRITTEN),
    count("b", |c: &NamedContact| c.contact.b)
        .doc("Id of the second body.")
        .only(WRITTEN),
    text("name_a", |c: &NamedContact| &c.names[0])
        .doc("Name of the first body.")
        .only(NAMES),
    text("name_b", |c: &NamedContact| &c.names[1])
        .doc("Name of the second body.")
        .only(NAMES),
    feature("feature_a", &["kind_a", "index_a"], |c: &NamedContact| {
        c.contact.contact.feature_a
    })
    .doc("Vertex, edge or face of a on which its point lies.")
    .only(NAMES),
    indices(
        "feature_a",
        &["kind_a", "index_a"],
        |c: &NamedContact, k| part(c.contact.contact.feature_a, k),
    )
    .doc("The same: kind (0 vertex, 1 edge, 2 face) and index.")
    .only(Outputs::NUMPY),
    feature("feature_b", &["kind_b", "index_b"], |c: &NamedContact| {
        c.contact.contact.feature_b
    })
    .doc("Vertex, edge or face of b on which its point lies.")
    .only(NAMES),
    indices(
        "feature_b",
        &["kind_b", "index_b"],
        |c: &NamedContact, k| part(c.contact.contact.feature_b, k),
    )
    .doc("The same: kind and index.")
    .only(Outputs::NUMPY),
    vector("point_a", &["ax", "ay", "az"], |c: &NamedContact, k| {
        c.contact.contact.point_a[k]
    })
    .unit("length")
    .doc("Point of a that is nearest to b, or deepest in it.")
    .only(NOT_DRAWN),
    vector("point_b", &["bx", "by", "bz"], |c: &NamedContact, k| {
        c.contact.contact.point_b[k]
    })
    .unit("length")
    .doc("Point of the image of b: `point_b - point_a` is the gap times the normal.")
    .only(NOT_DRAWN),
    vector("normal", &["nx", "ny", "nz"], |c: &NamedContact, k| {
        c.contact.contact.normal[k]
    })
    .doc("Contact normal of unit length, from a to b.")
    .only(WRITTEN),
    float("gap", |c: &NamedContact| c.contact.contact.gap)
        .unit("length")
        .doc("Distance at this contact; minus the penetration depth where the bodies penetrate.")
        .only(WRITTEN),
    float("lower", |c: &NamedContact| c.contact.contact.lower)
        .unit("length")
        .doc("Lower bound of the gap.")
        .only(NOT_DRAWN),
    float("upper", |c: &NamedContact| c.contact.contact.upper)
        .unit("length")
        .doc("Upper bound of the gap.")
        .only(NOT_DRAWN),
    float("volume", |c: &NamedContact| c.volume)
        .unit("length³")
        .doc("Penetration volume of two spheres, or of a sphere and a half-space; NaN for other pairs.")
        .only(NOT_DRAWN),
    code(
        "status",
        |c: &NamedContact| c.contact.contact.status as u8,
        |c| c.contact.contact.status.name(),
    )
    .doc("`separated`, `touching`, `penetrating`, or `bracketed` where the bounds did not meet.")
    .only(WRITTEN),
    code(
        "event",
        |c: &NamedContact| c.contact.event as u8,
        |c| c.contact.event.name(),
    )
    .doc("What became of the contact in the last update: `began`, `persists` or `ended`.")
    .only(WRITTEN),
    integers("image", &["ix", "iy", "iz"], |c: &NamedContact, k| {
        c.contact.image[k]
    })
    .doc("Image of b that touches a, in cells along each edge; 0 in open space.")
    .only(WRITTEN),
    index("slot", |c: &NamedContact| c.contact.slot)
        .doc("Number of the contact among those of its pair and image.")
        .only(WRITTEN),
    indices("parts", &["part_a", "part_b"], |c: &NamedContact, k| {
        c.contact.parts[k]
    })
    .doc("Parts of the two bodies that touch; 0 unless they are compounds.")
    .only(NOT_DRAWN),
];

/// The output columns of a corner of the contact patch of two bodies of a scene.
pub const CORNER: &[Column<PatchPoint>] = &[
    vector("point_a", &["ax", "ay", "az"], |p: &PatchPoint, k| {
        p.point_a[k]
    })
    .unit("length")
    .doc("Point on a.")
    .only(Outputs::NUMPY),
    vector("point_b", &["bx", "by", "bz"], |p: &PatchPoint, k| {
        p.point_b[k]
    })
    .unit("length")
    .doc("Point on b.")
    .only(Outputs::NUMPY),
    float("gap", |p: &PatchPoint| p.gap)
        .unit("length")
        .doc("Gap along the normal at this corner.")
        .only(Outputs::NUMPY),
    indices("feature_a", &["kind_a", "index_a"], |p: &PatchPoint, k| {
        part(p.feature_a, k)
    })
    .doc("Feature of a on which its point lies: kind and index.")
    .only(Outputs::NUMPY),
    indices("feature_b", &["kind_b", "index_b"], |p: &PatchPoint, k| {
        part(p.feature_b, k)
    })
    .doc("Feature of b on which its point lies: kind and index.")
    .only(Outputs::NUMPY),
];

/// The output columns of the first hit of a ray.
pub const RAY_HIT: &[Column<RayHit>] = &[
    count("body", |hit: &RayHit| hit.body.unwrap_or(NO_BODY))
        .doc("Id of the body that the ray hits first; 2^64 - 1 where it hits none.")
        .only(Outputs::NUMPY),
    float("t", |hit: &RayHit| hit.t)
        .doc("Where it hits, in lengths of the direction; infinite where it hits nothing.")
        .only(Outputs::NUMPY),
    vector("normal", &["nx", "ny", "nz"], |hit: &RayHit, k| {
        hit.normal[k]
    })
    .doc("Unit normal of the surface, towards the side the ray comes from; 0 where the ray begins inside, or hits nothing.")
    .only(Outputs::NUMPY),
];

/// The output columns of the body nearest to a point.
pub const NEAREST: &[Column<NearestBody>] = &[
    count("body", |near: &NearestBody| near.body.unwrap_or(NO_BODY))
        .doc("Id of the nearest body, the lowest of several; 2^64 - 1 where there are none.")
        .only(Outputs::NUMPY),
    float("gap", |near: &NearestBody| near.gap)
        .unit("length")
        .doc("Distance of the point, negative inside a solid; infinite where there are no bodies.")
        .only(Outputs::NUMPY),
    vector("point", &["x", "y", "z"], |near: &NearestBody, k| {
        near.point[k]
    })
    .unit("length")
    .doc("Nearest point of the body; NaN where there are none.")
    .only(Outputs::NUMPY),
];

const OBJECT: Outputs = Outputs::JSON.and(Outputs::PYTHON);

/// The output columns of what a method answers for a pair of bodies.
pub const PAIR_ANSWER: &[Column<PairAnswer>] = &[
    code(
        "method",
        |answer: &PairAnswer| answer.method as u8,
        |answer| answer.method.name(),
    )
    .doc("`scene`, `mirrored` (bodies exchanged), `brute-force` (every triangle), `exhaustive` (all pairs of features) or `lin` (Lin's walk).")
    .only(OBJECT),
    flag("agrees", |answer: &PairAnswer| answer.agrees)
        .doc("Whether the scene has the same contact: the same bits for `mirrored` and `brute-force`, common bounds of the gap for `exhaustive` and `lin`.")
        .only(OBJECT),
    float("gap", |answer: &PairAnswer| answer.contact.gap)
        .unit("length")
        .doc("Distance; minus the penetration depth where the bodies penetrate.")
        .only(OBJECT),
    float("lower", |answer: &PairAnswer| answer.contact.lower)
        .unit("length")
        .doc("Lower bound of the gap.")
        .only(OBJECT),
    float("upper", |answer: &PairAnswer| answer.contact.upper)
        .unit("length")
        .doc("Upper bound of the gap.")
        .only(OBJECT),
    vector("point_a", &["ax", "ay", "az"], |answer: &PairAnswer, k| {
        answer.contact.point_a[k]
    })
    .unit("length")
    .doc("Point of the body of lower id.")
    .only(OBJECT),
    vector("point_b", &["bx", "by", "bz"], |answer: &PairAnswer, k| {
        answer.contact.point_b[k]
    })
    .unit("length")
    .doc("Point of the image of the other body.")
    .only(OBJECT),
    vector("normal", &["nx", "ny", "nz"], |answer: &PairAnswer, k| {
        answer.contact.normal[k]
    })
    .doc("Contact normal of unit length, from a to b.")
    .only(OBJECT),
    feature("feature_a", &["kind_a", "index_a"], |answer: &PairAnswer| {
        answer.contact.feature_a
    })
    .doc("Vertex, edge or face of a on which its point lies.")
    .only(OBJECT),
    feature("feature_b", &["kind_b", "index_b"], |answer: &PairAnswer| {
        answer.contact.feature_b
    })
    .doc("Vertex, edge or face of b on which its point lies.")
    .only(OBJECT),
    code(
        "status",
        |answer: &PairAnswer| answer.contact.status as u8,
        |answer| answer.contact.status.name(),
    )
    .doc("`separated`, `touching`, `penetrating`, or `bracketed` where the bounds did not meet.")
    .only(OBJECT),
    integers("image", &["ix", "iy", "iz"], |answer: &PairAnswer, k| {
        answer.image[k]
    })
    .doc("Image of b, in cells along each edge; 0 in open space.")
    .only(OBJECT),
    indices("parts", &["part_a", "part_b"], |answer: &PairAnswer, k| {
        answer.parts[k]
    })
    .doc("Parts of the two bodies; 0 unless they are compounds.")
    .only(OBJECT),
    text("remark", |answer: &PairAnswer| &answer.remark)
        .doc("What else the method reports.")
        .only(OBJECT),
];

/// The output columns of the time for which two bodies stay apart.
pub const PAIR_SLEEP: &[Column<PairSleep>] = &[
    count("a", |pair: &PairSleep| pair.a)
        .doc("Id of the first body, the lower of both.")
        .only(SLEEP),
    count("b", |pair: &PairSleep| pair.b)
        .doc("Id of the second body.")
        .only(SLEEP),
    integers("image", &["ix", "iy", "iz"], |pair: &PairSleep, k| {
        pair.image[k]
    })
    .doc("Image of b, in cells along each edge; 0 in open space.")
    .only(SLEEP),
    float("until", |pair: &PairSleep| pair.until)
        .unit("time")
        .doc("Time from now before which the gap stays above the margin.")
        .only(SLEEP),
];

const SLEEP: Outputs = Outputs::JSON.and(Outputs::NUMPY);
