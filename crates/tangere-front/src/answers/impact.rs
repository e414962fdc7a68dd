//! Columns of times of impact: contacts of moving bodies, first contacts of primitives, meetings of
//! balls, collisions of a gas.

use crate::answer::{Column, Get, Outputs, code, count, float, index, integers, text, vector};
use tangere::impact::gas::{self, Collision, Gas, Partner};
use tangere::impact::primitive::FirstContact;
use tangere::impact::trajectory::Meeting;
use tangere::impact::{Counts, Impact, ImpactContact, RigidMotion};

/// A contact of two bodies of a scene, with the names of the bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The contact.
    pub contact: ImpactContact,
    /// The names of both bodies; empty if they have none.
    pub names: [String; 2],
}

impl From<ImpactContact> for Event {
    fn from(contact: ImpactContact) -> Self {
        Event {
            contact,
            names: Default::default(),
        }
    }
}

impl Event {
    /// The contact point: midway between the points of both bodies.
    pub fn point(&self) -> [f64; 3] {
        let (a, b) = (self.contact.point_a, self.contact.point_b);
        std::array::from_fn(|k| 0.5 * a[k] + 0.5 * b[k])
    }
}

const NOT_DRAWN: Outputs = Outputs::NUMPY.and(Outputs::VTK);
const NAMES: Outputs = Outputs::JSON.and(Outputs::CSV);
const ATTRIBUTES: Outputs = Outputs::JSON.and(Outputs::PYTHON);

/// The columns of an [`Event`].
pub const CONTACT: &[Column<Event>] = &[
    float("time", |e: &Event| e.contact.early)
        .unit("time")
        .doc("Time of impact: the same as `early`.")
        .not(Outputs::NUMPY),
    float("early", |e: &Event| e.contact.early)
        .unit("time")
        .doc("Lower bound of the time of impact.")
        .not(Outputs::VTK),
    float("late", |e: &Event| e.contact.late)
        .unit("time")
        .doc("Upper bound of the time of impact; infinite if contact is not certain."),
    code("certificate", |e: &Event| e.contact.certificate as u8, |e| {
        e.contact.certificate.name()
    })
    .doc("How certain that is: 'exact', 'bracket', 'touching' or 'overlap'; see `Impact`.")
    .not(Outputs::VTK),
    index("a", |e: &Event| e.contact.a)
        .doc("Number of the first body."),
    index("b", |e: &Event| e.contact.b)
        .doc("Number of the second body, not less than `a`; equal where a body touches itself."),
    text("name_a", |e: &Event| &e.names[0])
        .doc("Name of the first body.")
        .only(NAMES),
    text("name_b", |e: &Event| &e.names[1])
        .doc("Name of the second body.")
        .only(NAMES),
    Column::new("feature_a", Get::Feature(|e: &Event| e.contact.feature_a))
        .doc("Vertex, edge or face of a that touches.")
        .not(NOT_DRAWN),
    code("kind_a", |e: &Event| e.contact.feature_a.kind as u8, |e| {
        e.contact.feature_a.kind.name()
    })
    .doc("Kind of the feature of a: 0 vertex, 1 edge, 2 face.")
    .only(Outputs::NUMPY),
    index("index_a", |e: &Event| e.contact.feature_a.index)
        .doc("Number of the feature of a among those of its kind.")
        .only(Outputs::NUMPY),
    Column::new("feature_b", Get::Feature(|e: &Event| e.contact.feature_b))
        .doc("Vertex, edge or face of b that touches.")
        .not(NOT_DRAWN),
    code("kind_b", |e: &Event| e.contact.feature_b.kind as u8, |e| {
        e.contact.feature_b.kind.name()
    })
    .doc("Kind of the feature of b: 0 vertex, 1 edge, 2 face.")
    .only(Outputs::NUMPY),
    index("index_b", |e: &Event| e.contact.feature_b.index)
        .doc("Number of the feature of b among those of its kind.")
        .only(Outputs::NUMPY),
    vector("point", &["x", "y", "z"], |e: &Event, k| e.point()[k])
        .unit("length")
        .doc("Contact point: midway between `point_a` and `point_b`.")
        .not(NOT_DRAWN),
    vector("normal", &["nx", "ny", "nz"], |e: &Event, k| e.contact.normal[k])
        .doc("Contact normal of unit length, from a to b."),
    float("gap", |e: &Event| e.contact.gap)
        .unit("length")
        .doc("Distance of the points at `early`: 0 up to rounding."),
    index("face_a", |e: &Event| e.contact.face_a)
        .doc("Face of a that has the feature."),
    index("face_b", |e: &Event| e.contact.face_b)
        .doc("Face of b that has the feature."),
    vector("xi_a", &["xi_a", "eta_a"], |e: &Event, k| e.contact.xi_a[k])
        .doc("Where the point is on `face_a`: weights of the second and third corner of a triangle, coordinates as of `FaceMesh.project` on a finite element face.")
        .only(ATTRIBUTES.and(Outputs::NUMPY)),
    vector("xi_b", &["xi_b", "eta_b"], |e: &Event, k| e.contact.xi_b[k])
        .doc("Where the point is on `face_b`.")
        .only(ATTRIBUTES.and(Outputs::NUMPY)),
    vector("point_a", &["xa", "ya", "za"], |e: &Event, k| e.contact.point_a[k])
        .unit("length")
        .doc("Point of a at `early`.")
        .only(ATTRIBUTES.and(Outputs::NUMPY)),
    vector("point_b", &["xb", "yb", "zb"], |e: &Event, k| e.contact.point_b[k])
        .unit("length")
        .doc("Point of b at `early`.")
        .only(ATTRIBUTES.and(Outputs::NUMPY)),
];

/// The columns of an [`Impact`], except for its contacts.
pub const IMPACT: &[Column<Impact>] = &[
    float("time", |i: &Impact| i.early)
        .unit("time")
        .doc("Time of impact: the same as `early`.")
        .only(Outputs::PYTHON),
    float("early", |i: &Impact| i.early)
        .unit("time")
        .doc("Lower bound of the time of impact: nothing touches before.")
        .only(Outputs::PYTHON),
    float("late", |i: &Impact| i.late)
        .unit("time")
        .doc("Upper bound of the time of impact; infinite if contact is not certain.")
        .only(Outputs::PYTHON),
    code("certificate", |i: &Impact| i.certificate as u8, |i| i.certificate.name())
        .doc("How certain the first contact is: 'exact', 'bracket', 'touching', 'overlap' or 'unresolved'.")
        .only(Outputs::PYTHON),
];

/// The columns of [`Counts`]: the work of an engine.
pub const COUNTS: &[Column<Counts>] = &[
    count("trajectory", |c: &Counts| c.trajectory)
        .label("predicted meetings")
        .doc("Predicted meetings of whole bodies.")
        .only(COUNTED),
    count("update", |c: &Counts| c.update)
        .label("bodies moved")
        .doc("Bodies that were moved to another time or refitted.")
        .only(COUNTED),
    count("volume", |c: &Counts| c.volume)
        .label("pairs of volumes")
        .doc("Pairs of bounding volumes compared.")
        .only(COUNTED),
    count("primitive", |c: &Counts| c.primitive)
        .label("pairs of faces")
        .doc("Pairs of faces whose distance was computed.")
        .only(COUNTED),
];

const COUNTED: Outputs = ATTRIBUTES.and(Outputs::TEXT);

/// The columns of a [`RigidMotion`].
pub const MOTION: &[Column<RigidMotion>] = &[
    vector("position", &["x", "y", "z"], |m: &RigidMotion, k| {
        m.pose().translation()[k]
    })
    .unit("length")
    .doc("Where the origin of the shape is.")
    .only(Outputs::PYTHON),
    vector(
        "rotation",
        &["qw", "qx", "qy", "qz"],
        |m: &RigidMotion, k| m.pose().to_numbers()[3 + k],
    )
    .doc("How the shape is turned: a unit quaternion w, x, y, z.")
    .only(Outputs::PYTHON),
    vector("velocity", &["vx", "vy", "vz"], |m: &RigidMotion, k| {
        m.velocity()[k]
    })
    .unit("length/time")
    .doc("Velocity of the center.")
    .only(Outputs::PYTHON),
    vector("spin", &["wx", "wy", "wz"], |m: &RigidMotion, k| {
        m.spin()[k]
    })
    .unit("radians/time")
    .doc("Angular velocity about the center.")
    .only(Outputs::PYTHON),
    vector("acceleration", &["ax", "ay", "az"], |m: &RigidMotion, k| {
        m.acceleration()[k]
    })
    .unit("length/time²")
    .doc("Acceleration of the center.")
    .only(Outputs::PYTHON),
    vector("center", &["cx", "cy", "cz"], |m: &RigidMotion, k| {
        m.center()[k]
    })
    .unit("length")
    .doc("Point about which the body turns, in coordinates of the shape.")
    .only(Outputs::PYTHON),
];

const ROWS: Outputs = Outputs::CSV.and(Outputs::NUMPY);
const ROWS_AND_JSON: Outputs = ROWS.and(Outputs::JSON);

/// The columns of a [`FirstContact`].
pub const FIRST_CONTACT: &[Column<FirstContact>] = &[
    float("time", |f: &FirstContact| f.early)
        .unit("step")
        .doc("Lower bound of the time of impact in a step from 0 to 1; infinite if there is no contact, NaN if a coordinate is not finite.")
        .only(ROWS),
    float("late", |f: &FirstContact| f.late)
        .unit("step")
        .doc("Upper bound of the time of impact.")
        .only(ROWS),
    code("status", |f: &FirstContact| f.status as u8, |f| f.status.name())
        .doc("What is known: free, contact, unresolved or not finite.")
        .only(ROWS),
];

/// Two balls and the time at which they first meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallMeeting {
    /// The indices of the balls.
    pub pair: [u32; 2],
    /// The time and the kind of their meeting.
    pub meeting: Meeting,
}

/// The columns of [`BallMeeting`].
pub const MEETING: &[Column<BallMeeting>] = &[
    index("a", |m: &BallMeeting| m.pair[0])
        .doc("Number of the first ball.")
        .only(ROWS_AND_JSON),
    index("b", |m: &BallMeeting| m.pair[1])
        .doc("Number of the second ball.")
        .only(ROWS_AND_JSON),
    float("early", |m: &BallMeeting| m.meeting.early)
        .unit("time")
        .doc("Lower bound of the time at which they first meet; infinite if they never do.")
        .only(ROWS_AND_JSON),
    float("late", |m: &BallMeeting| m.meeting.late)
        .unit("time")
        .doc("Upper bound of that time.")
        .only(ROWS_AND_JSON),
    code(
        "status",
        |m: &BallMeeting| m.meeting.status as u8,
        |m| m.meeting.status.name(),
    )
    .doc("What is known: free or contact.")
    .only(Outputs::NUMPY),
];

/// Returns the collision partner as an integer: the index of a sphere, or a negative number for a
/// wall (-1 and -2 the lower and upper one along x, -3 and -4 along y, -5 and -6 along z).
fn partner(collision: &Collision) -> i32 {
    match collision.partner {
        Partner::Sphere(b) => b as i32,
        Partner::Wall(wall) => -1 - 2 * i32::from(wall.axis) - i32::from(wall.is_upper),
    }
}

/// Returns the first `dimensions` names.
fn axes(names: &'static [&'static str; 3], dimensions: usize) -> &'static [&'static str] {
    &names[..dimensions.min(3)]
}

/// The columns of a [`Collision`] in the plane or in space.
pub fn collision(dimensions: usize) -> [Column<Collision>; 6] {
    let (point, normal) = (
        axes(&["x", "y", "z"], dimensions),
        axes(&["nx", "ny", "nz"], dimensions),
    );
    [
        float("time", |c: &Collision| c.time)
            .unit("time")
            .doc("When they collide."),
        index("a", |c: &Collision| c.a).doc("Sphere, of two the one with the lower number."),
        integers("b", &["b"], |c: &Collision, _| partner(c)).doc(
            "The other sphere, or a wall: -1 and -2 for the lower and the upper one along x, -3 and -4 along y, -5 and -6 along z.",
        ),
        vector("point", point, |c: &Collision, k| c.point[k])
            .unit("length")
            .doc("Contact point."),
        vector("normal", normal, |c: &Collision, k| c.normal[k])
            .doc("Contact normal of unit length, from a to b."),
        float("impulse", |c: &Collision| c.impulse)
            .unit("mass·length/time")
            .doc("Impulse that b gets along the normal; a gets the opposite one."),
    ]
    .map(|column| column.only(ROWS))
}

/// A sphere of a gas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GasSphere {
    /// The position of the centre.
    pub center: [f64; 3],
    /// Its radius.
    pub radius: f64,
    /// Its velocity.
    pub velocity: [f64; 3],
    /// Its mass.
    pub mass: f64,
}

/// The current spheres of a gas.
pub struct GasState<'a> {
    gas: &'a Gas,
    radii: Vec<f64>,
    centers: Vec<[f64; 3]>,
    velocities: Vec<[f64; 3]>,
}

impl<'a> GasState<'a> {
    /// Returns the current spheres of a gas.
    pub fn of(gas: &'a Gas) -> Self {
        let (mut centers, mut velocities) = (Vec::new(), Vec::new());
        gas.centers(&mut centers);
        gas.velocities(&mut velocities);
        GasState {
            radii: gas.radii().collect(),
            gas,
            centers,
            velocities,
        }
    }

    /// Returns a sphere by its index.
    pub fn sphere(&self, i: usize) -> GasSphere {
        GasSphere {
            center: self.centers[i],
            radius: self.radii[i],
            velocity: self.velocities[i],
            mass: self.gas.masses()[i],
        }
    }
}

/// The columns of a [`GasSphere`] in the plane or in space.
pub fn gas_sphere(dimensions: usize) -> [Column<GasSphere>; 4] {
    let (center, velocity) = (
        axes(&["x", "y", "z"], dimensions),
        axes(&["vx", "vy", "vz"], dimensions),
    );
    [
        vector("center", center, |s: &GasSphere, k| s.center[k])
            .unit("length")
            .doc("Centre of the sphere, in the first period."),
        float("radius", |s: &GasSphere| s.radius)
            .unit("length")
            .doc("Its radius."),
        vector("velocity", velocity, |s: &GasSphere, k| s.velocity[k])
            .unit("length/time")
            .doc("Its velocity."),
        float("mass", |s: &GasSphere| s.mass)
            .unit("mass")
            .doc("Its mass."),
    ]
    .map(|column| column.only(ROWS))
}

/// The columns of [`gas::Counts`]: the work of a gas.
pub const GAS_COUNTS: &[Column<gas::Counts>] = &[
    count("spheres", |c: &gas::Counts| c.spheres)
        .doc("Collisions of two spheres.")
        .only(ATTRIBUTES),
    count("walls", |c: &gas::Counts| c.walls)
        .doc("Collisions of a sphere and a wall.")
        .only(ATTRIBUTES),
    count("escapes", |c: &gas::Counts| c.escapes)
        .doc("Spheres that left their bounding spheres and got new neighbours.")
        .only(ATTRIBUTES),
    count("stale", |c: &gas::Counts| c.stale)
        .doc("Stale events, discarded because the other sphere had changed its motion.")
        .only(ATTRIBUTES),
    count("set_ups", |c: &gas::Counts| c.set_ups)
        .doc("Set-ups of all spheres.")
        .only(ATTRIBUTES),
];
