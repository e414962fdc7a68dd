//! Exhaustive search, the brute force oracle: distance and penetration depth of two convex bodies
//! from all pairs of their features.
//!
//! - Distance: separated bodies are closest at a vertex of one and a vertex, edge or face of the
//!   other, or at an edge of each. The lines and planes of these features have a common
//!   perpendicular; its two feet are the closest points of the features if they lie inside both.
//!   The least distance of such feet over all pairs is the distance of the bodies.
//! - Penetration depth: the shortest separating translation is orthogonal to a face of the
//!   Minkowski difference. Such a face comes from a face of one body and a vertex of the other, or
//!   from an edge of each. So the depth is the least overlap along the normals of all faces and
//!   along the cross products of pairs of edges (separating axis theorem). A pair of edges counts
//!   only if the two planes orthogonal to its cross product, one through each edge, are support
//!   planes of the bodies.
//!
//! Cost: the product of the numbers of edges and, for the depth, the product of the numbers of
//! faces and vertices. Two kinds of pairs are skipped early: edges where such a plane is no support
//! plane, since the two faces of the edge lie on opposite sides of it; and features that are
//! farther apart than the best pair so far.

use std::cell::Cell;

use super::nearest_of_lines::nearest_of_lines;
use super::placed_pair::{PlacedBody, PlacedPair};
use super::posed::Posed;
use super::rescaled::Rescaled;
use super::vectors::{length, unit};
use crate::contact::{Contact, ContactStatus, Feature};
use crate::geometry::Pose;
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::ConvexPolyhedron;

/// The gap up to which bodies count as touching. It is relative to the magnitude of the numbers
/// involved: the radii of the bodies, the distance of their centers, and the distance of each
/// center from the origin of its shape.
const TOUCHING: f64 = 1e-14;

/// Bound on the error of a gap, relative to the same magnitude: twice [`TOUCHING`]. The gap is that of
/// a pair within [`TOUCHING`] of the best one, and rounding of its lengths is less than this again.
const ERROR: f64 = 2.0 * TOUCHING;

/// The distance beyond the border of a feature up to which a closest point of penetrating bodies is
/// accepted, relative to the sum of their radii. The depth does not depend on the point.
const BORDER: f64 = 1e-10;

/// The closest points `p` and `q` of two features: the feet of their common perpendicular.
#[derive(Clone, Copy)]
struct Feet {
    gap: f64,
    p: [f64; 3],
    q: [f64; 3],
    normal: [f64; 3],
    features: [Feature; 2],
}

impl Feet {
    /// The error of the feet of the common perpendicular of two features in the exhaustive search:
    /// the length of `q - p - gap normal`, where `p` and `q` are the feet.
    fn missed(&self) -> f64 {
        let Feet { gap, normal, .. } = *self;
        let way = minus(self.q, self.p);
        length(std::array::from_fn(|k| way[k] - gap * normal[k]))
    }
}

/// Exhaustive search: distance or penetration depth of two bodies by brute force over all pairs of
/// features.
///
/// For tests and for small bodies: the cost is the product of their numbers of edges. Where the
/// closest features are not unique, one pair is reported, not necessarily that of a
/// [`Tracker`](super::Tracker). Where the closest features are nearly parallel, the points may be
/// off by 1e-10 of the size of the bodies, and so may be the gap of separated ones: `lower` and `upper`
/// enclose the true gap, and elsewhere differ from the reported one by rounding only.
pub fn exhaustive(
    a: &ConvexPolyhedron,
    pose_a: &Pose,
    b: &ConvexPolyhedron,
    pose_b: &Pose,
) -> Contact {
    let [a, b] = [(a, pose_a), (b, pose_b)].map(|(shape, pose)| Posed { shape, pose });
    match Rescaled::new(a, b) {
        Some(rescaled) => rescaled.given(&of_all_features(rescaled.a(), rescaled.b())),
        None => of_all_features(a, b),
    }
}

/// Exhaustive search for the contact of two bodies, from all pairs of features. The bodies need no
/// rescaling: products of their lengths neither overflow nor underflow.
pub(super) fn of_all_features(a: Posed, b: Posed) -> Contact {
    let bodies = PlacedPair::new(a, b);
    let tolerance = TOUCHING * bodies.reach;
    let (most, out) = separating_axis(&bodies);
    let (feet, upper) = match out {
        Some((_, out)) if most < -tolerance => (out, out.gap),
        // For bodies that touch or nearly do, the separating axis gives a better normal. Its points may
        // be beyond the border of their features; then its gap is less than the distance.
        Some((fault, out)) => match nearest(&bodies) {
            (other, near) if fault < other && out.gap >= most - tolerance => {
                (out, near.gap.max(out.gap))
            }
            (_, near) => (near, near.gap),
        },
        None => {
            let near = nearest(&bodies).1;
            (near, near.gap)
        }
    };
    let gap = feet.gap;
    let error = ERROR * bodies.reach;
    Contact {
        gap,
        lower: gap - error,
        upper: upper + error,
        point_a: bodies.world_point(feet.p),
        point_b: bodies.world_point(feet.q),
        normal: feet.normal,
        feature_a: feet.features[0],
        feature_b: feet.features[1],
        status: if gap.abs() <= tolerance {
            ContactStatus::Touching
        } else if gap > 0.0 {
            ContactStatus::Separated
        } else {
            ContactStatus::Penetrating
        },
        steps: 0,
    }
}

/// Separating axis test of the exhaustive search: the largest separation of the bodies along the
/// normal of any pair of features. A negative separation is minus the penetration depth.
///
/// The feet of a pair are the points where the common perpendicular meets its two features. The
/// second value belongs to the pair with the largest separation among those whose feet lie inside
/// both features, up to a tolerance: the error of its feet, and the feet. It is `None` if no pair
/// has such feet.
fn separating_axis(bodies: &PlacedPair) -> (f64, Option<(f64, Feet)>) {
    let (a, b) = (&bodies.a, &bodies.b);
    let border = BORDER * bodies.size;
    let mut most = f64::NEG_INFINITY;
    let mut all: Vec<(f64, Feet)> = Vec::new();
    let mut offer = |feet: Feet, inside: f64| {
        if inside >= -border {
            all.push((feet.missed() + (0.0 - inside).max(0.0), feet));
        }
    };
    for f in faces(a) {
        let normal = a.normal(f);
        let gap = bodies.gap_along(normal);
        most = most.max(gap);
        let lowest = dot(normal, b.farthest(normal.map(|x| 0.0 - x)));
        for j in vertices(b) {
            let q = b.vertex(j);
            let above = dot(normal, q) - lowest;
            if above <= border {
                let p = std::array::from_fn(|k| q[k] - (gap + above) * normal[k]);
                let features = [Feature::face(f), Feature::vertex(j)];
                offer(
                    Feet {
                        gap,
                        p,
                        q,
                        normal,
                        features,
                    },
                    a.inside(f, p),
                );
            }
        }
    }
    for g in faces(b) {
        let normal = b.normal(g).map(|x| 0.0 - x);
        let gap = bodies.gap_along(normal);
        most = most.max(gap);
        let highest = dot(normal, a.farthest(normal));
        for i in vertices(a) {
            let p = a.vertex(i);
            let below = highest - dot(normal, p);
            if below <= border {
                let q = std::array::from_fn(|k| p[k] + (gap + below) * normal[k]);
                let features = [Feature::vertex(i), Feature::face(g)];
                offer(
                    Feet {
                        gap,
                        p,
                        q,
                        normal,
                        features,
                    },
                    b.inside(g, q),
                );
            }
        }
    }
    let wings_of_b: Vec<_> = edges(b).map(|f| b.wings(f)).collect();
    for e in edges(a) {
        let wings = a.wings(e);
        let u = a.ends(e);
        let along = minus(u[1], u[0]);
        for f in edges(b) {
            let v = b.ends(f);
            let n = cross(along, minus(v[1], v[0]));
            // If one face of an edge rises along `n` and the other falls, no plane orthogonal to
            // `n` supports the body at this edge.
            let least = border * border * dot(n, n);
            let is_crossed = |[x, y]: [[f64; 3]; 2]| {
                let (x, y) = (dot(n, x), dot(n, y));
                x * y < 0.0 && x * x > least && y * y > least
            };
            if is_crossed(wings) || is_crossed(wings_of_b[f as usize]) {
                continue;
            }
            let across = unit(cross(minus(u[1], u[0]), minus(v[1], v[0])));
            if across == [0.0; 3] {
                continue;
            }
            for normal in [across, across.map(|x| 0.0 - x)] {
                if a.rise(e, normal) > border || b.rise(f, normal.map(|x| 0.0 - x)) > border {
                    continue;
                }
                let gap = bodies.gap_along(normal);
                most = most.max(gap);
                if let Some((p, q, inside)) = nearest_of_lines(u, v) {
                    let features = [Feature::edge(e), Feature::edge(f)];
                    offer(
                        Feet {
                            gap,
                            p,
                            q,
                            normal,
                            features,
                        },
                        inside,
                    );
                }
            }
        }
    }
    // Of the feet whose separation is the largest up to rounding, take those with the least error.
    let largest = all
        .iter()
        .fold(f64::NEG_INFINITY, |m, (_, feet)| m.max(feet.gap));
    let tolerance = TOUCHING * bodies.reach;
    let equal = all
        .iter()
        .filter(|(_, feet)| feet.gap >= largest - tolerance);
    let best = equal.min_by(|(x, _), (y, _)| x.total_cmp(y));
    (most, best.copied())
}

/// Exhaustive search for the closest features. Returns the feet of the pair of features with the
/// least gap: the points where their common perpendicular meets them. The first value is this gap
/// minus the separation of the bodies along the normal of the feet.
///
/// Where features are nearly parallel, many pairs have the same distance up to rounding but
/// different normals. Of these, the pair with the largest separation is the best.
fn nearest(bodies: &PlacedPair) -> (f64, Feet) {
    let tolerance = TOUCHING * bodies.reach;
    let limit = Cell::new(f64::INFINITY);
    all_feet(bodies, &limit, |feet| limit.set(limit.get().min(feet.gap)));
    let least = limit.get();
    limit.set(least + tolerance);
    let any = Feet {
        gap: least,
        p: bodies.a.vertex(0),
        q: bodies.b.vertex(0),
        normal: [1.0, 0.0, 0.0],
        features: [Feature::vertex(0); 2],
    };
    let mut best = (f64::NEG_INFINITY, any);
    all_feet(bodies, &limit, |feet| {
        if feet.gap <= least + tolerance {
            let apart = bodies.gap_along(feet.normal);
            if apart > best.0 {
                best = (apart, feet);
            }
        }
    });
    let (apart, feet) = best;
    (feet.gap - apart, feet)
}

/// Exhaustive search over the common perpendiculars of pairs of features. The feet are the points
/// where the perpendicular meets the lines or planes of the two features. Calls `visit` with the
/// feet of every pair if they lie inside both features and are no farther apart than `limit`.
/// `visit` may lower `limit`.
fn all_feet(bodies: &PlacedPair, limit: &Cell<f64>, mut visit: impl FnMut(Feet)) {
    let (a, b) = (&bodies.a, &bodies.b);
    let tolerance = TOUCHING * bodies.reach;
    let is_far = |p: [f64; 3], q: [f64; 3], radius: f64| {
        let most = limit.get() + radius + tolerance;
        let way = minus(q, p);
        dot(way, way) > most * most
    };
    let balls = |body: &PlacedBody| -> Vec<([f64; 3], f64)> {
        let around = |e: u32| {
            let [from, to] = body.ends(e);
            let middle = std::array::from_fn(|k| 0.5 * (from[k] + to[k]));
            (middle, length(minus(to, from)))
        };
        edges(body).map(around).collect()
    };
    let (balls_of_a, balls_of_b) = (balls(a), balls(b));
    let planes = |body: &PlacedBody| -> Vec<([f64; 3], f64)> {
        let plane = |f: u32| {
            let normal = body.normal(f);
            let corner = body.vertex(body.shape.half_edge(body.shape.face(f).start).origin);
            (normal, dot(normal, corner))
        };
        faces(body).map(plane).collect()
    };
    let (planes_of_a, planes_of_b) = (planes(a), planes(b));
    let is_above = |(normal, offset): ([f64; 3], f64), p: [f64; 3]| {
        dot(normal, p) - offset > limit.get() + tolerance
    };
    // The vector between the points gives one normal, the face or the crossing edges another, which
    // is better if the vector is short.
    let mut offer = |p, q, normal: [f64; 3], features, inside: f64| {
        if inside < 0.0 {
            return;
        }
        let way = minus(q, p);
        let sign = if dot(normal, way) < 0.0 { -1.0 } else { 1.0 };
        let gap = length(way);
        for normal in [unit(way), normal.map(|x| sign * x)] {
            let feet = Feet {
                gap,
                p,
                q,
                normal,
                features,
            };
            if normal != [0.0; 3] && feet.missed() <= tolerance {
                visit(feet);
            }
        }
    };
    for i in vertices(a) {
        for j in vertices(b) {
            if is_far(a.vertex(i), b.vertex(j), 0.0) {
                continue;
            }
            let features = [Feature::vertex(i), Feature::vertex(j)];
            offer(a.vertex(i), b.vertex(j), [1.0, 0.0, 0.0], features, 0.0);
        }
        for e in edges(b) {
            let (middle, extent) = balls_of_b[e as usize];
            if is_far(a.vertex(i), middle, extent) {
                continue;
            }
            let (q, along, inside) = foot_on_line(b.ends(e), a.vertex(i));
            let features = [Feature::vertex(i), Feature::edge(e)];
            offer(a.vertex(i), q, any_across(along), features, inside);
        }
        for g in faces(b) {
            if is_above(planes_of_b[g as usize], a.vertex(i)) {
                continue;
            }
            let normal = b.normal(g).map(|x| 0.0 - x);
            if let Some((q, inside)) = foot_on_face(b, g, a.vertex(i), tolerance) {
                let features = [Feature::vertex(i), Feature::face(g)];
                offer(a.vertex(i), q, normal, features, inside);
            }
        }
    }
    for j in vertices(b) {
        for e in edges(a) {
            let (middle, extent) = balls_of_a[e as usize];
            if is_far(b.vertex(j), middle, extent) {
                continue;
            }
            let (p, along, inside) = foot_on_line(a.ends(e), b.vertex(j));
            let features = [Feature::edge(e), Feature::vertex(j)];
            offer(p, b.vertex(j), any_across(along), features, inside);
        }
        for f in faces(a) {
            if is_above(planes_of_a[f as usize], b.vertex(j)) {
                continue;
            }
            if let Some((p, inside)) = foot_on_face(a, f, b.vertex(j), tolerance) {
                let features = [Feature::face(f), Feature::vertex(j)];
                offer(p, b.vertex(j), a.normal(f), features, inside);
            }
        }
    }
    for e in edges(a) {
        let (middle, extent) = balls_of_a[e as usize];
        for f in edges(b) {
            let (other, other_extent) = balls_of_b[f as usize];
            if is_far(middle, other, extent + other_extent) {
                continue;
            }
            let (u, v) = (a.ends(e), b.ends(f));
            if let Some((p, q, inside)) = nearest_of_lines(u, v) {
                let across = unit(cross(minus(u[1], u[0]), minus(v[1], v[0])));
                let features = [Feature::edge(e), Feature::edge(f)];
                offer(p, q, across, features, inside);
            }
        }
    }
}

/// The indices of all vertices of a body, for the exhaustive search.
fn vertices(body: &PlacedBody) -> std::ops::Range<u32> {
    0..body.shape.vertex_count() as u32
}

/// The indices of all edges of a body, for the exhaustive search.
fn edges(body: &PlacedBody) -> std::ops::Range<u32> {
    0..body.shape.edge_count() as u32
}

/// The indices of all faces of a body, for the exhaustive search.
fn faces(body: &PlacedBody) -> std::ops::Range<u32> {
    0..body.shape.face_count() as u32
}

impl PlacedBody<'_> {
    /// For each of the two faces at edge `e`, the vector from the start of the edge to the corner
    /// that follows the edge in this face, for the exhaustive search over edges.
    fn wings(&self, e: u32) -> [[f64; 3]; 2] {
        let h = self.shape.edge(e);
        let twin = self.shape.half_edge(h).twin;
        let [from, _] = self.ends(e);
        [h, twin]
            .map(|h| self.shape.target(self.shape.half_edge(h).next))
            .map(|wing| minus(self.vertex(wing), from))
    }

    /// How far the faces at edge `e` rise above the edge along `way`, a direction orthogonal to the
    /// edge: the larger of the heights of one further corner of each face. If it is not positive,
    /// no point of the body is higher than the edge. The exhaustive search skips directions in
    /// which it is positive.
    fn rise(&self, e: u32, way: [f64; 3]) -> f64 {
        let wings = self.wings(e).map(|wing| dot(way, wing));
        wings[0].max(wings[1])
    }
}

/// The foot of a point on the plane of face `f`, for the exhaustive search. The second value is the
/// distance of the foot from the nearest side of the face, negative if the foot is beyond a side.
/// `None` if the point is behind the face by more than `behind`.
fn foot_on_face(
    body: &PlacedBody,
    f: u32,
    point: [f64; 3],
    behind: f64,
) -> Option<([f64; 3], f64)> {
    let normal = body.normal(f);
    let corner = body.vertex(body.shape.half_edge(body.shape.face(f).start).origin);
    let height = dot(normal, minus(point, corner));
    let foot = std::array::from_fn(|k| point[k] - height * normal[k]);
    (height >= -behind).then(|| (foot, body.inside(f, foot)))
}

/// The foot of a point on the line through an edge, for the exhaustive search, and the direction of
/// the line. The third value is the distance of the foot from the nearer end of the edge, negative
/// if the foot is beyond an end.
fn foot_on_line([from, to]: [[f64; 3]; 2], point: [f64; 3]) -> ([f64; 3], [f64; 3], f64) {
    let along = unit(minus(to, from));
    let s = dot(along, minus(point, from));
    let foot = std::array::from_fn(|k| from[k] + s * along[k]);
    (foot, along, s.min(length(minus(to, from)) - s))
}

/// Any unit vector orthogonal to the edge vector `v`: a normal for the exhaustive search where a
/// vertex is on an edge.
fn any_across(v: [f64; 3]) -> [f64; 3] {
    let least = (0..3).fold(0, |l, k| if v[k].abs() < v[l].abs() { k } else { l });
    unit(cross(
        v,
        std::array::from_fn(|k| if k == least { 1.0 } else { 0.0 }),
    ))
}
