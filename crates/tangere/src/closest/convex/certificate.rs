//! Certificate: proof that a reported contact of two convex bodies is right. It does not rely on
//! the search that found the contact.
//!
//! The gap of two convex bodies is the largest `min n . y - max n . x` over all unit vectors `n`,
//! with `x` in `a` and `y` in `b`; it is their distance, or minus their penetration depth. So any
//! `n` proves a lower bound of the gap, by one pass over all vertices: the distance of the support
//! planes. The upper bound is proven
//! - for separated bodies by one point of each body at the reported distance;
//! - for penetrating bodies by a ball about the origin in their Minkowski difference
//!   ([`inscribed_ball`](super::inscribed_ball)).
//!
//! Moreover, the points must lie on their features, the normal must have length 1 and point from
//! the first point to the second, and for separated bodies each point must be in the Voronoi region
//! of the other's feature: the criterion of `schinner1995` for the closest features, after Lin.
//!
//! Cost: proportional to the number of vertices and faces. In penetration, the proof of the ball
//! visits all vertices once for each point of the surface that encloses the ball, as a rule a few
//! tens of times. The proof shares nothing with the search but the shapes themselves.

use std::fmt;

use super::inscribed_ball::{Unproven, contains_ball};
use super::nearest_of_lines::nearest_of_lines;
use super::placed_pair::{PlacedBody, PlacedPair};
use super::posed::Posed;
use super::rescaled::Rescaled;
use super::vectors::{length, unit};
use crate::contact::{Contact, ContactStatus, Feature, FeatureKind};
use crate::geometry::Pose;
use crate::geometry::triangle::{closest_on_segment, closest_on_triangle};
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::ConvexPolyhedron;

/// The largest error of a length or a point that the certificate of a contact allows besides
/// rounding, relative to the sum of the radii of the bodies.
const ERROR_MAX: f64 = 1e-12;

/// The rounding error of a length that the certificate allows, relative to the magnitude of the
/// coordinates that the length is computed from.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// The number of alternating projections by which the certificate finds the closest points of two
/// features: a point of one is projected onto the other, and back.
const FEET_ROUNDS: usize = 8;

/// A statement that a [`Contact`] makes about two bodies, and that the certificate checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// The bounds of the gap enclose it, `lower <= gap <= upper`, and all values of the contact are
    /// finite: gap, bounds, points and normal.
    Numbers,
    /// The contact normal is of length 1.
    Normal,
    /// `feature_a` exists, and `point_a` lies on it.
    PointA,
    /// `feature_b` exists, and `point_b` lies on it.
    PointB,
    /// `point_b - point_a = gap * normal`.
    Between,
    /// The status, such as separated or penetrating, agrees with the sign of the gap.
    Status,
    /// The true gap of the bodies is no less than the reported one. The support planes orthogonal
    /// to the normal prove it.
    Lower,
    /// The true gap of the bodies is no more than the reported one. Closest points prove it for
    /// separated bodies, and a ball in the Minkowski difference for penetrating ones.
    Upper,
    /// `point_b` is in the Voronoi region of `feature_a`.
    RegionA,
    /// `point_a` is in the Voronoi region of `feature_b`.
    RegionB,
}

impl Claim {
    /// The claim that a certificate checks, as text for error messages.
    fn text(self) -> &'static str {
        match self {
            Claim::Numbers => "the numbers are finite and lower <= gap <= upper",
            Claim::Normal => "the normal is of unit length",
            Claim::PointA => "point_a lies on feature_a",
            Claim::PointB => "point_b lies on feature_b",
            Claim::Between => "point_b - point_a is gap times normal",
            Claim::Status => "the status is that of the gap",
            Claim::Lower => "the gap is not less, by the planes across the normal",
            Claim::Upper => "the gap is not more",
            Claim::RegionA => "point_b is in the Voronoi region of feature_a",
            Claim::RegionB => "point_a is in the Voronoi region of feature_b",
        }
    }
}

/// A claim of a contact that the certificate found not to hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Violation {
    /// The claim that does not hold.
    pub claim: Claim,
    /// The amount by which the claim fails to hold, as a length. For [`Claim::Normal`] it is the
    /// difference of the length of the normal from 1.
    pub error: f64,
    /// The largest allowed error of the claim.
    pub allowed: f64,
    /// The size of the two bodies, which the error message reports: the sum of their radii. The
    /// radius of a body is the distance from its center to its farthest vertex.
    pub size: f64,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "does not hold: {}; off by {:e} where {:e} is allowed, of bodies of size {:e}",
            self.claim.text(),
            self.error,
            self.allowed,
            self.size
        )
    }
}

impl std::error::Error for Violation {}

/// Certificate of a contact: proves it, whatever method found it.
///
/// Allows errors up to 1e-12 of the sum of the radii of the bodies, plus the rounding of the given
/// coordinates. If the status is [`Bracketed`](ContactStatus::Bracketed), only the bounds `lower`
/// and `upper` of the gap are proven, not the gap.
///
/// # Errors
/// The first claim that does not hold, and by how much.
///
/// ```
/// use tangere::closest::{certificate, Claim, Tracker};
/// use tangere::geometry::Pose;
/// use tangere::shape::ConvexPolyhedron;
///
/// let cube: Vec<[f64; 3]> = (0..8).map(|i| [0, 1, 2].map(|k| f64::from(i >> k & 1))).collect();
/// let cube = ConvexPolyhedron::hull(&cube)?;
/// let (here, there) = (Pose::identity(), "0.9,0.2,0.1".parse()?);
/// let mut contact = Tracker::new().contact(&cube, &here, &cube, &there);
/// assert_eq!(certificate(&cube, &here, &cube, &there, &contact), Ok(()));
///
/// contact.gap = -0.05;
/// let violation = certificate(&cube, &here, &cube, &there, &contact).unwrap_err();
/// assert_eq!(violation.claim, Claim::Numbers);
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn certificate(
    a: &ConvexPolyhedron,
    pose_a: &Pose,
    b: &ConvexPolyhedron,
    pose_b: &Pose,
    contact: &Contact,
) -> Result<(), Violation> {
    let [a, b] = [(a, pose_a), (b, pose_b)].map(|(shape, pose)| Posed { shape, pose });
    let Some(rescaled) = Rescaled::new(a, b) else {
        return proof(&PlacedPair::new(a, b), contact);
    };
    let mut bodies = PlacedPair::new(rescaled.a(), rescaled.b());
    bodies.world += rescaled.world;
    proof(&bodies, &rescaled.rescaled(contact)).map_err(|violation| {
        let given = |x| match violation.claim {
            Claim::Normal => x,
            _ => rescaled.given_length(x),
        };
        Violation {
            claim: violation.claim,
            error: given(violation.error),
            allowed: given(violation.allowed),
            size: rescaled.given_length(violation.size),
        }
    })
}

/// The proof of the certificate: checks all claims of a contact, and returns the first that does
/// not hold as an error.
fn proof(bodies: &PlacedPair, contact: &Contact) -> Result<(), Violation> {
    let size = bodies.size;
    let length_error = ERROR_MAX * size + ROUNDING * bodies.reach;
    let holds = |claim: Claim, error: f64, allowed: f64| {
        if error <= allowed {
            Ok(())
        } else {
            Err(Violation {
                claim,
                error,
                allowed,
                size,
            })
        }
    };

    let Contact {
        gap,
        normal,
        status,
        ..
    } = *contact;
    let is_finite = [gap, contact.lower, contact.upper]
        .iter()
        .chain(&contact.point_a)
        .chain(&contact.point_b)
        .chain(&normal)
        .all(|x| x.is_finite());
    let disorder = (contact.lower - gap).max(gap - contact.upper);
    holds(
        Claim::Numbers,
        if is_finite { disorder } else { f64::INFINITY },
        0.0,
    )?;
    holds(Claim::Normal, (length(normal) - 1.0).abs(), ROUNDING)?;

    // A bracketed contact claims only bounds, and features that exist.
    let point_error = match status {
        ContactStatus::Bracketed => f64::MAX,
        _ => ERROR_MAX * size + ROUNDING * bodies.world,
    };
    let [p, q] = [contact.point_a, contact.point_b].map(|p| bodies.to_common_axes(p));
    let [f, g] = [contact.feature_a, contact.feature_b];
    for (claim, body, feature, point) in [
        (Claim::PointA, &bodies.a, f, p),
        (Claim::PointB, &bodies.b, g, q),
    ] {
        let off = match body.has(feature) {
            true => length(minus(point, body.nearest(feature, point))),
            false => f64::INFINITY,
        };
        holds(claim, off, point_error)?;
    }
    let way = minus(q, p);
    let missed = std::array::from_fn(|k| way[k] - gap * normal[k]);
    holds(Claim::Between, length(missed), point_error)?;

    let wrong = match status {
        ContactStatus::Separated => 0.0 - gap,
        ContactStatus::Penetrating => gap,
        ContactStatus::Touching => gap.abs() - length_error,
        ContactStatus::Bracketed => 0.0,
    };
    holds(Claim::Status, wrong, 0.0)?;

    let [lower, upper] = match status {
        ContactStatus::Bracketed => [contact.lower, contact.upper],
        _ => [gap, gap],
    };
    holds(Claim::Lower, lower - bodies.gap_along(normal), length_error)?;
    if gap >= 0.0 {
        // Far from the origin of the world the points are rounded; they are recomputed from the
        // features.
        let (mut on_a, mut on_b) = (p, q);
        if [f.kind, g.kind] == [FeatureKind::Edge; 2]
            && let Some((_, foot, _)) =
                nearest_of_lines(bodies.a.ends(f.index), bodies.b.ends(g.index))
        {
            on_b = foot;
        }
        for _ in 0..FEET_ROUNDS {
            on_a = bodies.a.nearest(f, on_b);
            on_b = bodies.b.nearest(g, on_a);
        }
        holds(
            Claim::Upper,
            length(minus(on_b, on_a)) - upper,
            length_error,
        )?;
    } else if 0.0 - upper > length_error {
        let radius = 0.0 - upper - length_error;
        let proven = contains_ball(bodies, radius, normal, 0.01 * length_error);
        let error = match proven {
            Ok(()) => 0.0,
            Err(Unproven::Reaches(reach)) => 0.0 - upper - reach,
            Err(Unproven::Endless) => f64::INFINITY,
        };
        holds(Claim::Upper, error, length_error)?;
    }
    if gap > 0.0 && status == ContactStatus::Separated {
        let region_error = (2.0 * gap * length_error).sqrt() + point_error;
        let spare = gap * length_error;
        let off = bodies.a.beyond_region(f, q, spare);
        holds(Claim::RegionA, off, region_error)?;
        let off = bodies.b.beyond_region(g, p, spare);
        holds(Claim::RegionB, off, region_error)?;
    }
    Ok(())
}

impl PlacedBody<'_> {
    /// The point of a feature nearest to a given point, for the claims that the certificate checks.
    fn nearest(&self, feature: Feature, point: [f64; 3]) -> [f64; 3] {
        match feature.kind {
            FeatureKind::Vertex => self.vertex(feature.index),
            FeatureKind::Edge => closest_on_segment(point, self.ends(feature.index)).point,
            FeatureKind::Face => {
                let mut corners = self
                    .shape
                    .face_vertices(feature.index)
                    .map(|v| self.vertex(v));
                let first = corners.next().unwrap_or_default();
                let mut before = corners.next().unwrap_or_default();
                let mut best = (f64::INFINITY, first);
                for corner in corners {
                    let found = closest_on_triangle(point, [first, before, corner]);
                    if found.distance_squared < best.0 {
                        best = (found.distance_squared, found.point);
                    }
                    before = corner;
                }
                best.1
            }
        }
    }

    /// How far a point is outside the Voronoi region of a feature, for the certificate: the largest
    /// distance by which it is beyond a plane that bounds the region, or 0. The region is the set
    /// of points whose nearest point of the body is on this feature.
    ///
    /// Let `gap` be the distance from the point to the feature. Where the point is `x` beyond a
    /// plane, another point of the body at a distance `t` from the feature is nearer by at most
    /// `(x t - t t / 2) / gap`. The largest such value, at `t = x`, is `x x / (2 gap)`. If the
    /// neighbouring feature ends at a smaller `t`, the value there counts. `spare` is the largest
    /// `x t - t t / 2` that is ignored.
    fn beyond_region(&self, feature: Feature, point: [f64; 3], spare: f64) -> f64 {
        let shape = self.shape;
        let significant = |x: f64, extent: f64| {
            if x > extent && x * extent - 0.5 * extent * extent <= spare {
                0.0
            } else {
                x
            }
        };
        match feature.kind {
            FeatureKind::Vertex => {
                let v = self.vertex(feature.index);
                let edges = shape.neighbours(feature.index).iter();
                edges
                    .map(|&w| {
                        let edge = minus(self.vertex(w), v);
                        significant(dot(unit(edge), minus(point, v)), length(edge))
                    })
                    .fold(0.0, f64::max)
            }
            FeatureKind::Edge => {
                let [from, to] = self.ends(feature.index);
                let along = unit(minus(to, from));
                let extent = length(minus(to, from));
                let ends = [dot(along, minus(from, point)), dot(along, minus(point, to))]
                    .map(|x| significant(x, extent));
                // Into the faces on the left and on the right.
                let [left, right] = shape.edge_faces(feature.index);
                let back = along.map(|x| 0.0 - x);
                let faces = [(left, along), (right, back)]
                    .into_iter()
                    .filter(|&(f, _)| f != ConvexPolyhedron::NO_FACE)
                    .map(|(f, along)| {
                        let inward = cross(self.normal(f), along);
                        let corners = shape.face_vertices(f).map(|v| self.vertex(v));
                        let extent = corners
                            .map(|corner| dot(inward, minus(corner, from)))
                            .fold(0.0, f64::max);
                        significant(dot(inward, minus(point, from)), extent)
                    });
                faces.chain(ends).fold(0.0, f64::max)
            }
            FeatureKind::Face => {
                let f = feature.index;
                let corner = self.vertex(shape.half_edge(shape.face(f).start).origin);
                let below = 0.0 - dot(self.normal(f), minus(point, corner));
                let sides = self.sides(f).map(|(from, inward)| {
                    let corners = shape.face_vertices(f).map(|v| self.vertex(v));
                    let extent = corners
                        .map(|corner| dot(inward, minus(corner, from)))
                        .fold(0.0, f64::max);
                    significant(dot(inward, minus(from, point)), extent)
                });
                sides.fold(below.max(0.0), f64::max)
            }
        }
    }
}
