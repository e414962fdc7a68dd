//! Time of impact of a vertex and a face, or of two edges, whose corners move linearly in a step.
//!
//! A step goes from time 0 to 1. Each corner moves from its start to its end at constant velocity,
//! so shapes may deform. [`vertex_face`], [`edge_edge`], [`edge_vertex`] and [`vertex_vertex`] test
//! one pair, [`vertex_faces`], [`edge_edges`], [`edge_vertices`] and [`vertex_vertices`] many.
//! Shapes are closed: faces include their edges, edges their ends. A degenerate face is treated as
//! a segment or a point, an edge of length 0 as a point.
//!
//! Without a separation the result is exact for the given coordinates: floats decide where their
//! errors cannot matter (`float_filter`), exact integers otherwise (`exact`, `cubic_roots`,
//! `algebraic_time`). With a separation `h > 0`, contact is when the distance first is `h`. Then
//! the time is a lower bound, no contact is missed, and pairs that floats cannot decide are
//! reported as unresolved (`separation`).
//!
//! Costs 0.1 to 0.4 µs a pair in common cases, 2 to 100 µs where exact integers decide; memory is
//! on the stack unless sizes of coordinates differ by more than 2^110.
//!
//! `provot1997`: the cubic whose roots are the times at which four points are coplanar. `wang2021`:
//! test queries with known results.
//!
//! *Deviates:* `provot1997` accepts roots up to a tolerance, which misses and invents contacts;
//! here signs at roots are exact. `aragon2013` (3.3) computes distances at given times instead,
//! which does not detect contacts between them.

mod algebraic_time;
mod batch;
mod cubic_roots;
mod exact;
mod float_filter;
mod separation;

pub use batch::{edge_edges, edge_vertices, vertex_faces, vertex_vertices};

use crate::error::{Argument, Error, Result, number};
use float_filter::Verdict;

/// How certain it is that two primitives touch, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ContactStatus {
    /// The primitives certainly do not touch during the step.
    Free = 0,
    /// The primitives certainly touch during the step.
    Contact = 1,
    /// Rounding leaves it undecided whether the primitives touch or, with a separation, come that
    /// near. Before `early` they certainly do neither.
    Unresolved = 2,
    /// A coordinate of a primitive is not finite.
    NotFinite = 3,
}

impl ContactStatus {
    /// All four statuses of a first contact, in the order of their codes 0 to 3.
    pub const ALL: [Self; 4] = [Self::Free, Self::Contact, Self::Unresolved, Self::NotFinite];

    /// The name of the status of a first contact of two primitives: `"free"`, `"contact"`,
    /// `"unresolved"` or `"not finite"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Contact => "contact",
            Self::Unresolved => "unresolved",
            Self::NotFinite => "not finite",
        }
    }
}

/// The time of impact of two primitives in a step from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstContact {
    /// Lower bound of the time of impact. Infinite if the primitives do not touch, NaN if a
    /// coordinate is not finite.
    pub early: f64,
    /// Upper bound of the time of impact. Infinite if contact is not certain. Without a separation
    /// the relative difference to `early` is at most 1e-12, or both are below 1e-30. With a
    /// separation it is later than `early` by the time in which the distance falls by a few of its
    /// rounding errors, or by more if the primitives first graze at the separation.
    pub late: f64,
    /// How certain the first contact is.
    pub status: ContactStatus,
}

impl FirstContact {
    /// No first contact: the primitives do not touch during the step.
    pub const FREE: Self = FirstContact {
        early: f64::INFINITY,
        late: f64::INFINITY,
        status: ContactStatus::Free,
    };

    const NOT_FINITE: Self = FirstContact {
        early: f64::NAN,
        late: f64::NAN,
        status: ContactStatus::NotFinite,
    };

    const UNKNOWN: Self = FirstContact {
        early: 0.0,
        late: f64::INFINITY,
        status: ContactStatus::Unresolved,
    };

    /// First contact of two primitives that certainly touch, with bounds of the time of impact.
    fn at(early: f64, late: f64) -> Self {
        FirstContact {
            early,
            late,
            status: ContactStatus::Contact,
        }
    }

    /// Whether two primitives certainly touch during the step.
    pub fn is_contact(&self) -> bool {
        self.status == ContactStatus::Contact
    }
}

/// Settings of the tests of primitives: the separation, a distance at which primitives count as
/// touching.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PrimitiveSettings {
    separation: f64,
}

impl PrimitiveSettings {
    /// Settings of the tests of primitives in which a (Euclidean) distance of at most `separation`
    /// counts as contact; 0 if primitives must touch.
    ///
    /// # Errors
    /// When the separation is negative or not finite.
    pub fn new(separation: f64) -> Result<Self> {
        match separation >= 0.0 && separation.is_finite() {
            true => Ok(PrimitiveSettings { separation }),
            false => Err(Error::argument(
                Argument::Separation,
                number(separation),
                "a finite number, 0 or more",
            )),
        }
    }

    /// The distance that these settings of the tests of primitives treat as contact.
    pub fn separation(&self) -> f64 {
        self.separation
    }
}

/// The kind of a pair of primitives, which fixes the order of its corners in arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pair {
    /// A vertex, then the corners of a face.
    VertexFace,
    /// The ends of an edge, then the ends of another edge.
    EdgeEdge,
    /// The ends of an edge, then a vertex.
    EdgeVertex,
    /// Two vertices.
    VertexVertex,
}

/// First contact of a pair of primitives. With a separation, conservative advancement finds it
/// (`separation`). Without, `filter` decides it in floats, or exact integers where floats cannot.
#[inline(always)]
fn first_contact<const K: usize>(
    pair: Pair,
    start: &[[f64; 3]; K],
    end: &[[f64; 3]; K],
    settings: &PrimitiveSettings,
    filter: impl Fn(&[[f64; 3]; K], &[[f64; 3]; K]) -> Verdict,
) -> FirstContact {
    if settings.separation > 0.0 {
        return separation::first_contact(pair, start, end, settings.separation);
    }
    // NaN compares false.
    let small = |all: bool, x: &f64| all & (x.abs() <= float_filter::LARGEST);
    if !start.as_flattened().iter().fold(true, small)
        || !end.as_flattened().iter().fold(true, small)
    {
        return unfiltered(pair, start, end);
    }
    match filter(start, end) {
        Verdict::Free => FirstContact::FREE,
        Verdict::Contact(early, late) => FirstContact::at(early, late),
        Verdict::Unclear => exact::first_contact(pair, start, end),
    }
}

/// First contact of a pair of primitives whose coordinates are too large for the float filter or
/// not finite: in exact integers.
#[cold]
fn unfiltered<const K: usize>(
    pair: Pair,
    start: &[[f64; 3]; K],
    end: &[[f64; 3]; K],
) -> FirstContact {
    match start.iter().chain(end).flatten().all(|x| x.is_finite()) {
        true => exact::first_contact(pair, start, end),
        false => FirstContact::NOT_FINITE,
    }
}

/// First contact of a pair of primitives: a vertex, the first point, and a face, the other three
/// points, all of which move linearly.
///
/// ```
/// use tangere::impact::primitive::{PrimitiveSettings, vertex_face};
///
/// let face = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let with = |p: [f64; 3]| [p, face[0], face[1], face[2]];
/// let touching = PrimitiveSettings::default();
/// let found = vertex_face(&with([1.0, 1.0, 1.0]), &with([1.0, 1.0, -2.0]), &touching);
/// assert!(found.is_contact() && found.early <= 1.0 / 3.0 && found.late >= 1.0 / 3.0);
/// // The vertex touches an edge of the face at the end of the step.
/// let found = vertex_face(&with([2.0, 2.0, 1.0]), &with([2.0, 2.0, 0.0]), &touching);
/// assert_eq!((found.early, found.late), (1.0, 1.0));
/// let found = vertex_face(&with([2.0, 2.0, 1.0]), &with([2.0, 2.0_f64.next_up(), 0.0]), &touching);
/// assert_eq!(found.early, f64::INFINITY);
/// # Ok::<(), tangere::Error>(())
/// ```
#[inline]
pub fn vertex_face(
    start: &[[f64; 3]; 4],
    end: &[[f64; 3]; 4],
    settings: &PrimitiveSettings,
) -> FirstContact {
    first_contact(
        Pair::VertexFace,
        start,
        end,
        settings,
        float_filter::vertex_face,
    )
}

/// First contact of a pair of primitives: two edges, the first two points and the other two, all of
/// which move linearly.
#[inline]
pub fn edge_edge(
    start: &[[f64; 3]; 4],
    end: &[[f64; 3]; 4],
    settings: &PrimitiveSettings,
) -> FirstContact {
    first_contact(
        Pair::EdgeEdge,
        start,
        end,
        settings,
        float_filter::edge_edge,
    )
}

/// First contact of a pair of primitives: an edge, the first two points, and a vertex, the third,
/// all of which move linearly.
#[inline]
pub fn edge_vertex(
    start: &[[f64; 3]; 3],
    end: &[[f64; 3]; 3],
    settings: &PrimitiveSettings,
) -> FirstContact {
    first_contact(
        Pair::EdgeVertex,
        start,
        end,
        settings,
        float_filter::edge_vertex,
    )
}

/// First contact of a pair of primitives: two vertices that move linearly.
#[inline]
pub fn vertex_vertex(
    start: &[[f64; 3]; 2],
    end: &[[f64; 3]; 2],
    settings: &PrimitiveSettings,
) -> FirstContact {
    first_contact(
        Pair::VertexVertex,
        start,
        end,
        settings,
        float_filter::vertex_vertex,
    )
}
