//! Contact geometry of two touching triangles: features, contact points, normal, and the upper
//! bound of the time of impact.
//!
//! The touching features follow from the barycentric weights of the nearest points, up to rounding.
//! The normal is that of a face, or the cross product of two edges. For vertices and parallel edges
//! it is the direction between the nearest points just before contact.

use super::mover::Mover;
use super::triangle_pair::{MovingTriangle, TrianglePair};
use crate::closest::distance_apart;
use crate::geometry::TriangleFeature;
use crate::geometry::triangle::closest_on_triangle;
use crate::geometry::vector::{cross, direction, dot, minus};

/// Tolerance of the barycentric weights of a contact point. Weights of at most this, or at most
/// their rounding error if that is larger, are treated as 0: the point is then on an edge or at a
/// corner.
const ON: f64 = 1e-10;

/// For the normal of a contact at a vertex, time is turned back until the triangles have moved by
/// this fraction of their size. The normal is the direction between their nearest points at that
/// time.
const BEFORE: f64 = 1e-6;

/// Two triangles in contact are taken to slide along each other if their gap closes at a speed
/// below this fraction of their relative speed. Then the contact normal is not oriented by their
/// relative velocity.
const SLIDES: f64 = 1e-6;

/// Two edges in contact are treated as parallel if the sine of the angle between them is at most
/// this.
const ALONG: f64 = 1e-8;

/// Rounding hides whether two faces touch if its bound exceeds this fraction of the reach of the
/// larger body: 2^-20. It does if a body has turned by more than 1e8 radians, or is as many times its
/// size away.
pub(super) const HIDDEN: f64 = f64::from_bits((1023 - 20) << 52);

/// A contact of two faces. Points are in world directions, relative to the centre of body `a`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) early: f64,
    /// Upper bound of the time of impact of the two faces; infinite if contact is not certain.
    pub(super) late: f64,
    pub(super) point_a: [f64; 3],
    pub(super) point_b: [f64; 3],
    pub(super) on_a: TriangleFeature,
    pub(super) on_b: TriangleFeature,
    pub(super) weights_a: [f64; 3],
    pub(super) weights_b: [f64; 3],
    pub(super) normal: [f64; 3],
    pub(super) gap: f64,
    /// Whether the faces intersect at the start of the search.
    pub(super) overlaps: bool,
    /// Whether the contact of the two faces was proven by an exact test, of balls or of corners
    /// that move linearly.
    pub(super) is_exact: bool,
    /// Whether rounding hides if the two faces touch at all ([`HIDDEN`]).
    pub(super) is_hidden: bool,
}

/// A point of a triangle: the feature (corner, edge or interior) on which it lies, its barycentric
/// weights and its position.
#[derive(Clone, Copy, Debug)]
struct TrianglePoint {
    on: TriangleFeature,
    weights: [f64; 3],
    point: [f64; 3],
}

/// The contact point of a triangle: its point nearest to `p`. If one, two or three of its
/// barycentric weights exceed `tolerance`, it lies at a corner, on an edge or in the interior.
fn triangle_point(p: [f64; 3], triangle: &MovingTriangle, tolerance: f64) -> TrianglePoint {
    let found = closest_on_triangle(p, triangle.corners);
    let weights = found.barycentric;
    let is_on = weights.map(|w| w > tolerance);
    let on = match is_on {
        [true, true, true] => TriangleFeature::Face,
        [true, true, false] => TriangleFeature::Edge(0),
        [false, true, true] => TriangleFeature::Edge(1),
        [true, false, true] => TriangleFeature::Edge(2),
        [true, _, _] => TriangleFeature::Vertex(0),
        [_, true, _] => TriangleFeature::Vertex(1),
        _ => TriangleFeature::Vertex(2),
    };
    TrianglePoint {
        on,
        weights,
        point: found.point,
    }
}

/// The velocity of the point of a triangle in contact that has these barycentric weights.
fn velocity(weights: [f64; 3], triangle: &MovingTriangle) -> [f64; 3] {
    let v = &triangle.velocities;
    std::array::from_fn(|k| (0..3).map(|i| weights[i] * v[i][k]).sum())
}

/// The contact geometry of two triangles whose gap is 0 up to rounding or, if `overlaps` is true,
/// that intersect.
pub(super) fn contact_of(
    movers: [&Mover; 2],
    pair: &TrianglePair,
    faces: [u32; 2],
    overlaps: bool,
) -> Touch {
    let points = match overlaps {
        true => common_points(pair),
        false => {
            let nearest = distance_apart(pair.a.corners, pair.b.corners).1;
            [nearest.point_a, nearest.point_b]
        }
    };
    contact_at(movers, pair, faces, overlaps, points)
}

/// The contact points of two intersecting triangles: a point of each, which coincide up to
/// rounding. Candidates are the corners of each triangle, and the points where its edges cross the
/// plane of the other triangle. The candidate nearest to the other triangle is taken, and with it
/// the nearest point of that triangle.
pub(super) fn common_points(pair: &TrianglePair) -> [[f64; 3]; 2] {
    let mut best = (f64::INFINITY, [pair.a.corners[0], pair.b.corners[0]]);
    for (of, own, other) in [(0, &pair.a, &pair.b), (1, &pair.b, &pair.a)] {
        let edges = other.edges();
        let normal = cross(edges[0], edges[1]);
        let height = |p: [f64; 3]| dot(normal, minus(p, other.corners[0]));
        for i in 0..3 {
            let (p, q) = (own.corners[i], own.corners[(i + 1) % 3]);
            let (from, to) = (height(p), height(q));
            let share = from / (from - to);
            let crossing = (share > 0.0 && share < 1.0)
                .then(|| std::array::from_fn(|k| p[k] + share * (q[k] - p[k])));
            for x in crossing.into_iter().chain([p]) {
                let y = closest_on_triangle(x, other.corners).point;
                let apart = minus(x, y);
                let square = dot(apart, apart);
                if square < best.0 {
                    best = (square, if of == 0 { [x, y] } else { [y, x] });
                }
            }
        }
    }
    best.1
}

/// The contact geometry of two triangles at the given nearest points.
pub(super) fn contact_at(
    movers: [&Mover; 2],
    pair: &TrianglePair,
    faces: [u32; 2],
    overlaps: bool,
    points: [[f64; 3]; 2],
) -> Touch {
    let slack = pair.frame.slack;
    let tolerance = |t: &MovingTriangle| (64.0 * slack / t.size()).clamp(ON, 0.25);
    let on_a = triangle_point(points[0], &pair.a, tolerance(&pair.a));
    let on_b = triangle_point(points[1], &pair.b, tolerance(&pair.b));
    let between = minus(
        velocity(on_b.weights, &pair.b),
        velocity(on_a.weights, &pair.a),
    );
    let away = minus(on_b.point, on_a.point);
    let distance = dot(away, away).sqrt();
    let gap = distance - pair.margin();
    let normal = normal(movers, pair, faces, [&on_a, &on_b], between, overlaps);
    let time = pair.frame.time;
    // gap - closing s + bend s²/2 <= -slack holds at twice the time of the linear gap if the
    // quadratic term is at most the gap there.
    // The rounding error of a position is that of an angle, too, which turns velocities.
    let turning = pair.frame.sides[0].turning + pair.frame.sides[1].turning;
    let closing = -dot(normal, between) - turning * slack;
    let open = gap.max(0.0) + 2.0 * slack;
    let bend = dot(normal, pair.frame.acceleration).max(0.0) + pair.a.bend + pair.b.bend;
    let s = 2.0 * open / closing;
    let is_certain = closing > 0.0 && 0.5 * bend * s * s <= open && s < f64::INFINITY;
    let late = match (overlaps, is_certain) {
        (true, _) => time,
        (_, true) => (time + s).next_up(),
        _ => f64::INFINITY,
    };
    let pushed = |p: [f64; 3], by: f64| std::array::from_fn(|k| p[k] + by * normal[k]);
    Touch {
        early: time,
        late,
        point_a: pushed(on_a.point, pair.radii[0]),
        point_b: pushed(on_b.point, -pair.radii[1]),
        on_a: on_a.on,
        on_b: on_b.on,
        weights_a: on_a.weights,
        weights_b: on_b.weights,
        normal,
        gap: distance - pair.radii[0] - pair.radii[1],
        overlaps,
        is_exact: false,
        is_hidden: late == f64::INFINITY && pair.frame.is_hidden(movers),
    }
}

/// The contact normal of two triangles, from body `a` to body `b`.
fn normal(
    movers: [&Mover; 2],
    pair: &TrianglePair,
    faces: [u32; 2],
    points_on: [&TrianglePoint; 2],
    between: [f64; 3],
    starts: bool,
) -> [f64; 3] {
    use TriangleFeature::{Edge, Face};
    let edge = |t: &MovingTriangle, k: u8| {
        let k = usize::from(k);
        direction(minus(t.corners[(k + 1) % 3], t.corners[k]))
    };
    let of_face = |t: &MovingTriangle| {
        let c = &t.corners;
        direction(cross(minus(c[1], c[0]), minus(c[2], c[0])))
    };
    let away = minus(points_on[1].point, points_on[0].point);
    let is_apart = pair.margin() > 0.0;
    let along = match (points_on[0].on, points_on[1].on) {
        // With balls or a separation the nearest points are a distance apart.
        _ if is_apart => direction(away),
        (_, Face) => of_face(&pair.b),
        (Face, _) => of_face(&pair.a),
        (Edge(i), Edge(j)) => match (edge(&pair.a, i), edge(&pair.b, j)) {
            (Some(u), Some(v)) => {
                let product = cross(u, v);
                direction(product).filter(|_| dot(product, product) > ALONG * ALONG)
            }
            _ => None,
        },
        _ => None,
    };
    if is_apart && let Some(n) = along {
        return n;
    }
    let facing = between_centers(movers, pair);
    // A vertex on an edge, or parallel edges: the normal of a face if the other triangle is
    // entirely on one side of it.
    let is_edge = |triangle_point: &TrianglePoint| matches!(triangle_point.on, Edge(_));
    let along = along.or_else(|| match points_on.into_iter().any(is_edge) {
        true => facing_normal(pair, facing),
        false => None,
    });
    // Triangles that were separated before approach each other, unless they slide.
    if let Some(n) = along {
        let (closing, speed) = (dot(n, between), dot(between, between).sqrt());
        if closing.abs() > SLIDES * speed && !starts {
            return match closing < 0.0 {
                true => n,
                false => n.map(|x| -x),
            };
        }
        // The sign follows from the centres of the bodies.
        let is_back = match dot(n, facing) == 0.0 {
            true => dot(n, between) > 0.0,
            false => dot(n, facing) < 0.0,
        };
        return if is_back { n.map(|x| -x) } else { n };
    }
    let one_sided = || {
        let both = pair.directions().flat_map(|n| [n, n.map(|x| -x)]);
        let apart = both.filter(|n| pair.is_separated_along(*n));
        apart.max_by(|m, n| dot(*m, facing).total_cmp(&dot(*n, facing)))
    };
    normal_just_before(movers, pair, faces, between)
        .or_else(|| facing_normal(pair, facing))
        .or_else(one_sided)
        .or_else(|| direction(between.map(|x| -x)))
        .or_else(|| direction(facing))
        .unwrap_or([0.0, 0.0, 1.0])
}

/// A contact normal that is the normal of one of two triangles, oriented toward body `b`. It is
/// valid if the other triangle lies on one side of the plane of this triangle. If both normals are
/// valid, it is that of the triangle with the larger area seen along `facing`, the vector between
/// the centres of the bodies. `None` if neither is valid.
fn facing_normal(pair: &TrianglePair, facing: [f64; 3]) -> Option<[f64; 3]> {
    let normals = [&pair.a, &pair.b].map(|t| {
        let edges = t.edges();
        cross(edges[0], edges[1])
    });
    let shown = |n: &[f64; 3]| dot(*n, facing).abs();
    let sides = normals.into_iter().filter_map(|n| {
        let unit = direction(n).filter(|n| is_one_sided(pair, *n))?;
        Some((shown(&n), unit))
    });
    let (_, n) = sides.max_by(|x, y| x.0.total_cmp(&y.0))?;
    match dot(n, facing) < 0.0 {
        true => Some(n.map(|x| -x)),
        false => Some(n),
    }
}

/// The vector from the centre of the box around body `a` to that of body `b`. Contact normals are
/// oriented along it.
pub(super) fn between_centers(movers: [&Mover; 2], pair: &TrianglePair) -> [f64; 3] {
    let mut away = pair.frame.away;
    for (of, (mover, side)) in movers.iter().zip(&pair.frame.sides).enumerate() {
        let arm = minus(mover.body.shape.inner.parts[0].center(), side.center);
        let sign = if of == 0 { -1.0 } else { 1.0 };
        let turned = side.turned(arm);
        for k in 0..3 {
            away[k] += sign * turned[k];
        }
    }
    away
}

/// Whether a plane with the normal `n`, a candidate for the contact normal, separates the
/// triangles, up to rounding.
fn is_one_sided(pair: &TrianglePair, n: [f64; 3]) -> bool {
    pair.is_separated_along(n) || pair.is_separated_along(n.map(|x| -x))
}

/// The contact normal of two triangles from the time just before contact: the direction from the
/// nearest point of body `a` to that of body `b`.
fn normal_just_before(
    movers: [&Mover; 2],
    pair: &TrianglePair,
    faces: [u32; 2],
    between: [f64; 3],
) -> Option<[f64; 3]> {
    let size = pair.a.size().max(pair.b.size());
    let speed = dot(between, between).sqrt();
    let back = BEFORE * size / speed;
    if !(back > 0.0 && back < f64::INFINITY) {
        return None;
    }
    let mut frame = *pair.frame;
    frame.moved_to(movers, pair.frame.time - back);
    let before = TrianglePair::new(&frame, movers, faces);
    let nearest = distance_apart(before.a.corners, before.b.corners).1;
    match nearest.distance > 16.0 * frame.slack {
        true => direction(minus(nearest.point_b, nearest.point_a)),
        false => None,
    }
}
