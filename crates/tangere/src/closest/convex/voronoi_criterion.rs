//! Voronoi criterion: test whether two features are the closest features of two convex bodies.
//!
//! By the criterion of the paper (`schinner1995`, after Lin and Canny), the closest point of each
//! feature lies in the Voronoi region of the other feature. The test is local: it visits only
//! features next to the two, so its cost does not depend on the number of faces of the bodies.
//!
//! *Deviates:*
//! - The test uses support planes: the plane through one closest point, orthogonal to the line to
//!   the other point, must have all of its body on one side. For convex bodies this criterion is
//!   equivalent. It is the same for vertices, edges and faces, and it is valid in penetration as
//!   well.
//! - Every comparison must hold by a margin. If all do, no other pair of features can pass, so the
//!   answer that is computed from them does not depend on how they were found. If one does not
//!   (parallel features, points at the ends of edges), the features are *ambiguous*, and the answer
//!   comes from a search whose start is always the same.

use super::feature_distance::{Corners, FeatureDistance, along, corner};
use super::posed::Posed;
use super::vertex_contact::vertex_contact_normal;
use crate::contact::{Feature, FeatureKind};
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::ConvexPolyhedron;

/// The margin by which comparisons of the Voronoi criterion must hold, relative to the scale: the
/// radii of both bodies plus the distance of their centers. Rounding is a thousand times less
/// unless bodies have faces thinner than this.
const MARGIN: f64 = 1.0 / (1u64 << 36) as f64;

/// The distance, relative to the scale, below which two points coincide: the vector between them is
/// rounding and has no direction. (Faces and crossing edges have normals of their own.)
pub(super) const COINCIDENT: f64 = 1.0 / (1u64 << 48) as f64;

/// The result of the Voronoi criterion for two features that are the closest: their distance, and
/// the slack by which they pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClosestFeatures {
    pub answer: FeatureDistance,
    /// The margin by which the tightest condition of the Voronoi criterion holds, as a length.
    pub slack: f64,
    /// The parameter of the closest point on each feature that is an edge, from 0 to 1; otherwise
    /// 0.
    pub along: [f64; 2],
    /// The scale to which rounding errors are relative: [`Posed::scale_with`].
    pub scale: f64,
}

/// The verdict of the Voronoi criterion on two features.
#[derive(Clone, Copy, Debug)]
pub(super) enum Verdict {
    /// The two features are the only closest ones. In penetration this is proven against
    /// neighbouring features only.
    Unique(ClosestFeatures),
    /// Other features are as close, up to the margin.
    Ambiguous,
    /// Other features are closer.
    Refuted,
}

/// The verdict of the Voronoi criterion on feature `f` of `a` and feature `g` of `b`.
#[inline]
pub(super) fn verdict(a: &Posed, b: &Posed, [f, g]: [Feature; 2]) -> Verdict {
    use FeatureKind::{Edge, Face, Vertex};
    // Parallel features: the closest points are not unique.
    if matches!((f.kind, g.kind), (Face, Edge | Face) | (Edge, Face)) {
        return Verdict::Ambiguous;
    }
    let corners = Corners::new(a, b, [corner(a.shape, f), corner(b.shape, g)]);
    let (i, j) = (f.index, g.index);
    match (f.kind, g.kind) {
        (Vertex, Vertex) => {
            let mut answer = corners.vertices();
            if answer.gap <= COINCIDENT * corners.scale {
                let Some(normal) = vertex_contact_normal([a, b], [f, g], None) else {
                    return Verdict::Ambiguous;
                };
                answer = corners.with_normal(answer, normal);
            }
            let supported = least(
                vertex_slack(a, i, answer.normal, 1.0),
                vertex_slack(b, j, answer.normal, -1.0),
            );
            concluded(&corners, answer, supported, [0.0; 2])
        }
        (Edge, Vertex) => {
            let u = along(a.shape, i);
            let squared = dot(u, u);
            let u = a.pose.rotate(u);
            let (mut answer, s) = corners.edge_vertex(u, squared);
            if answer.gap <= COINCIDENT * corners.scale {
                let Some(normal) = vertex_contact_normal([a, b], [f, g], Some((u, squared))) else {
                    return Verdict::Ambiguous;
                };
                answer = corners.with_normal(answer, normal);
            }
            let inside = least(s, 1.0 - s) * squared.sqrt();
            let supported = least(
                edge_slack(a, i, answer.normal, 1.0),
                vertex_slack(b, j, answer.normal, -1.0),
            );
            concluded(&corners, answer, least(inside, supported), [s, 0.0])
        }
        (Vertex, Edge) => {
            let v = along(b.shape, j);
            let squared = dot(v, v);
            let v = b.pose.rotate(v);
            let (mut answer, t) = corners.vertex_edge(v, squared);
            if answer.gap <= COINCIDENT * corners.scale {
                let Some(normal) = vertex_contact_normal([a, b], [f, g], Some((v, squared))) else {
                    return Verdict::Ambiguous;
                };
                answer = corners.with_normal(answer, normal);
            }
            let inside = least(t, 1.0 - t) * squared.sqrt();
            let supported = least(
                vertex_slack(a, i, answer.normal, 1.0),
                edge_slack(b, j, answer.normal, -1.0),
            );
            concluded(&corners, answer, least(inside, supported), [0.0, t])
        }
        (Edge, Edge) => {
            let (u, v) = (along(a.shape, i), along(b.shape, j));
            let (uu, vv) = (dot(u, u), dot(v, v));
            let Some((mut answer, [s, t])) =
                corners.edges(a.pose.rotate(u), b.pose.rotate(v), uu, vv)
            else {
                return Verdict::Ambiguous;
            };
            let inside = least(least(s, 1.0 - s) * uu.sqrt(), least(t, 1.0 - t) * vv.sqrt());
            let mut supported = f64::INFINITY;
            match edge_slopes(a, i, answer.normal) {
                Some([l, r]) if l + r < 0.0 => {
                    answer = answer.flipped();
                    supported = least(0.0 - l, 0.0 - r);
                }
                Some([l, r]) => supported = least(l, r),
                // A segment has no inside.
                None if answer.gap < 0.0 => answer = answer.flipped(),
                None => {}
            }
            let supported = least(edge_slack(b, j, answer.normal, -1.0), supported);
            concluded(&corners, answer, least(inside, supported), [s, t])
        }
        (Face, _) => {
            let answer = corners.face_vertex(a.pose.rotate(a.shape.normal(i)));
            let mut supported = vertex_slack(b, j, answer.normal, -1.0);
            if supported == f64::INFINITY && a.shape.dimension() < 3 {
                // A point in the plane of a flat body is in front of both of its faces.
                supported = answer.gap;
            }
            let inside = face_area(a, i, corners.way) / corners.scale;
            concluded(&corners, answer, least(inside, supported), [0.0; 2])
        }
        (_, Face) => {
            let outward = b.pose.rotate(b.shape.normal(j));
            let answer = corners.vertex_face(outward.map(|x| 0.0 - x));
            let mut supported = vertex_slack(a, i, answer.normal, 1.0);
            if supported == f64::INFINITY && b.shape.dimension() < 3 {
                supported = answer.gap;
            }
            let inside = face_area(b, j, corners.way.map(|x| 0.0 - x)) / corners.scale;
            concluded(&corners, answer, least(inside, supported), [0.0; 2])
        }
    }
}

/// The lesser of two quantities of the Voronoi criterion; the first if the second is NaN.
#[inline]
pub(super) fn least(x: f64, y: f64) -> f64 {
    if y < x { y } else { x }
}

/// The verdict of the Voronoi criterion if `slack` is the least of all lengths that must be
/// positive: unique above the margin, refuted below minus the margin, ambiguous between. `along`
/// are the parameters of the closest points on edges.
#[inline]
fn concluded(corners: &Corners, answer: FeatureDistance, slack: f64, along: [f64; 2]) -> Verdict {
    let margin = MARGIN * corners.scale;
    if slack > margin {
        Verdict::Unique(ClosestFeatures {
            answer,
            slack,
            along,
            scale: corners.scale,
        })
    } else if slack >= -margin {
        Verdict::Ambiguous
    } else {
        Verdict::Refuted
    }
}

/// The slack of a vertex in the Voronoi criterion: the least distance of a neighbouring vertex
/// behind the plane through `v` that is orthogonal to the contact normal. `sign` is 1 for body `a`,
/// which must be behind this plane, and -1 for `b`, which must be in front of it.
#[inline]
fn vertex_slack(body: &Posed, v: u32, normal: [f64; 3], sign: f64) -> f64 {
    let n = body.pose.rotate_back(normal).map(|x| sign * x);
    let mut slack = f64::INFINITY;
    for &way in body.shape.ways_to(v) {
        slack = least(slack, dot(n, way));
    }
    slack
}

/// The slack of an edge in the Voronoi criterion: the least distance of the next corners of its two
/// faces behind the plane through the edge that is orthogonal to the contact normal. `sign` is 1
/// for body `a`, which must be behind this plane, and -1 for `b`, which must be in front of it.
#[inline]
fn edge_slack(body: &Posed, e: u32, normal: [f64; 3], sign: f64) -> f64 {
    edge_slopes(body, e, normal).map_or(f64::INFINITY, |[l, r]| least(sign * l, sign * r))
}

/// The slopes at an edge in the Voronoi criterion: how far one corner of its left face and one
/// corner of its right face lie behind the plane through the edge that is orthogonal to `normal`.
/// `None` if the edge has no faces.
#[inline]
fn edge_slopes(body: &Posed, e: u32, normal: [f64; 3]) -> Option<[f64; 2]> {
    let [p, _, left, right] = body.shape.edge_links(e);
    if left == ConvexPolyhedron::NO_VERTEX {
        return None;
    }
    let n = body.pose.rotate_back(normal);
    let p = body.shape.local(p);
    Some([left, right].map(|wing| dot(n, minus(p, body.shape.local(wing)))))
}

/// The slack of a face in the Voronoi criterion, as an area. A point, projected onto face `f`,
/// makes a triangle with each side of the face; the slack is twice the least of their areas,
/// negative if the projected point is beyond a side. `way` is the vector from the first corner of
/// the face to the point. No side is longer than the scale, so this area divided by the scale is at
/// most the distance from the side.
#[inline]
fn face_area(body: &Posed, f: u32, way: [f64; 3]) -> f64 {
    let shape = body.shape;
    let normal = shape.normal(f);
    let sides = shape.face_loop(f);
    let first = shape.local(sides[0].origin);
    let way = body.pose.rotate_back(way);
    let point: [f64; 3] = std::array::from_fn(|k| first[k] + way[k]);
    let mut area = f64::INFINITY;
    let mut from = shape.local(sides[sides.len() - 1].origin);
    for half_edge in sides {
        let to = shape.local(half_edge.origin);
        area = least(
            area,
            dot(normal, cross(minus(to, from), minus(point, from))),
        );
        from = to;
    }
    area
}
