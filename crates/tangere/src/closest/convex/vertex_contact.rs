//! Contact normal where a vertex touches a vertex or an edge.
//!
//! The closest points coincide, so the vector between them consists of rounding errors and gives no
//! normal. The normal of any plane through the common point that separates the bodies is valid. The
//! one chosen here depends on the poses alone. Let `c` be the vectors to the touching feature of
//! `a` from its neighbouring vertices, and the negated vectors to the touching feature of `b` from
//! its neighbouring vertices. A unit vector `n` separates the bodies if all dot products `n . c`
//! are positive. The best `n` maximises the least `n . c`; it has the direction from the origin to
//! the nearest point of the convex hull of the `c`. Gilbert's iteration from the mean of the `c`
//! approaches this point; it ends as soon as the least `n . c` is large enough, at the latest after
//! [`STEPS`] steps.

use super::ambiguous_features::Resolved;
use super::near_features::NearFeatures;
use super::posed::Posed;
use super::relative_frame::RelativeFrame;
use super::vectors::{across, direction};
use super::voronoi_criterion::{COINCIDENT, Verdict, verdict};
use crate::contact::{Feature, FeatureKind};
use crate::geometry::vector::{dot, minus};
use crate::shape::ConvexPolyhedron;

/// Maximum number of steps of Gilbert's iteration, which computes the contact normal at a vertex.
const STEPS: usize = 16;

/// Gilbert's iteration for the contact normal `n` ends as soon as the least dot product `n . c` is
/// at least this fraction of an upper bound of its largest possible value. The `c` are the vectors
/// from the neighbouring vertices to the touching vertex or edge, negated for body `b`. The upper
/// bound is the length of the current point of the iteration.
const ENOUGH: f64 = 0.5;

/// The cosine of the angle of normal and edge above which the normal is made orthogonal to the edge.
const TILT: f64 = 1.0 / (1u64 << 48) as f64;

/// The contact normal, a unit vector from `a` to `b`, where a vertex touches a vertex or an edge.
/// If a feature is an edge, `along` is the vector along this edge in the world, with its squared
/// length. `None` if the neighbouring vertices determine no normal.
#[cold]
pub(super) fn vertex_contact_normal(
    [a, b]: [&Posed; 2],
    [f, g]: [Feature; 2],
    along: Option<([f64; 3], f64)>,
) -> Option<[f64; 3]> {
    let (ways_a, ways_b) = (NeighbourVectors::of(a, f), NeighbourVectors::of(b, g));
    let level = |c: [f64; 3]| along.map_or(c, |(u, squared)| across(c, u, squared));
    let mut w = [0.0; 3];
    for (mean, sign) in [(ways_a.mean(), 1.0), (ways_b.mean(), -1.0)] {
        w = std::array::from_fn(|k| w[k] + sign * 0.5 * mean[k]);
    }
    w = level(w);
    for _ in 0..STEPS {
        let (least_a, c_a) = ways_a.least(w);
        let (least_b, c_b) = ways_b.least(w.map(|x| 0.0 - x));
        let (least, c) = if least_a <= least_b {
            (least_a, c_a)
        } else {
            (least_b, c_b.map(|x| 0.0 - x))
        };
        if least >= ENOUGH * dot(w, w) {
            break;
        }
        let c = level(c);
        let to = minus(c, w);
        let t = (0.0 - dot(w, to) / dot(to, to)).clamp(0.0, 1.0);
        w = std::array::from_fn(|k| w[k] + t * to[k]);
    }
    // Twice: the rest along the edge matters if `w` is short.
    w = level(w);
    let (mut normal, _) = direction(w)?;
    // Where a neighbour lies along the edge, `w` vanishes but for rounding, in any direction.
    if let Some((u, squared)) = along
        && dot(normal, u).abs() > TILT * squared.sqrt()
    {
        normal = direction(level(normal))?.0;
    }
    Some(normal)
}

impl RelativeFrame<'_> {
    /// The contact of a vertex with a vertex or an edge that it coincides with. Only the given near
    /// features of both bodies are tried. `None` if no two of them coincide such that a plane
    /// separates the bodies there. The result has the same bits as that of a query that starts with
    /// these features.
    pub fn vertex_contact(&self, [a, b]: &[NearFeatures; 2]) -> Option<Resolved> {
        let near = 2.0 * COINCIDENT * self.scale;
        let is_near = |p: [f64; 3]| dot(p, p) <= near * near;
        let certain = |features: [Feature; 2]| {
            let [a, b] = self.bodies();
            match verdict(&a, &b, features) {
                Verdict::Unique(closest) if closest.answer.gap.abs() <= near => Some(Resolved {
                    features,
                    answer: closest.answer,
                    lower: closest.answer.gap,
                    fault: 0.0,
                    closest: Some(closest),
                }),
                _ => None,
            }
        };
        let vertex = Feature::vertex;
        for &i in &a.vertices {
            for &j in &b.vertices {
                if is_near(self.difference([i, j]))
                    && let Some(resolved) = certain([vertex(i), vertex(j)])
                {
                    return Some(resolved);
                }
            }
        }
        let is_on = |[p, q]: [[f64; 3]; 2]| {
            let along = minus(q, p);
            is_near(across(p, along, dot(along, along)))
        };
        for &e in &a.edges {
            let [p, q] = self.a.edge_vertices(e);
            for &j in &b.vertices {
                if is_on([[p, j], [q, j]].map(|pair| self.difference(pair)))
                    && let Some(resolved) = certain([Feature::edge(e), vertex(j)])
                {
                    return Some(resolved);
                }
            }
        }
        for &e in &b.edges {
            let [p, q] = self.b.edge_vertices(e);
            for &i in &a.vertices {
                if is_on([[i, p], [i, q]].map(|pair| self.difference(pair)))
                    && let Some(resolved) = certain([vertex(i), Feature::edge(e)])
                {
                    return Some(resolved);
                }
            }
        }
        None
    }
}

/// The vectors to a vertex or an edge from its neighbouring vertices, in the axes of the body. The
/// neighbouring vertices of an edge are the next corners of its two faces.
struct NeighbourVectors<'s> {
    body: &'s Posed<'s>,
    of_vertex: &'s [[f64; 3]],
    of_edge: [[f64; 3]; 2],
    /// The number of vectors in `of_edge`; 0 if the feature is a vertex.
    count: usize,
}

impl<'s> NeighbourVectors<'s> {
    /// The vectors to a vertex or an edge in contact from its neighbouring vertices.
    fn of(body: &'s Posed, feature: Feature) -> Self {
        let mut ways = Self {
            body,
            of_vertex: &[],
            of_edge: [[0.0; 3]; 2],
            count: 0,
        };
        let shape = body.shape;
        if feature.kind == FeatureKind::Vertex {
            ways.of_vertex = shape.ways_to(feature.index);
        } else {
            let [p, _, left, right] = shape.edge_links(feature.index);
            if left != ConvexPolyhedron::NO_VERTEX {
                let p = shape.local(p);
                ways.of_edge = [left, right].map(|wing| minus(p, shape.local(wing)));
                ways.count = 2;
            }
        }
        ways
    }

    /// All vectors from neighbours to the vertex or edge in contact.
    fn all(&self) -> &[[f64; 3]] {
        match self.count {
            0 => self.of_vertex,
            count => &self.of_edge[..count],
        }
    }

    /// The mean of the vectors from neighbours to the vertex or edge in contact, in the world.
    fn mean(&self) -> [f64; 3] {
        let ways = self.all();
        let mut sum = [0.0; 3];
        for way in ways {
            sum = std::array::from_fn(|k| sum[k] + way[k]);
        }
        let count = ways.len().max(1) as f64;
        self.body.pose.rotate(sum.map(|x| x / count))
    }

    /// The vector from a neighbour to the vertex or edge in contact that has the least dot product
    /// with `direction`. Returns this product, and the vector in the world.
    fn least(&self, direction: [f64; 3]) -> (f64, [f64; 3]) {
        let own = self.body.pose.rotate_back(direction);
        let mut least = (f64::INFINITY, [0.0; 3]);
        for &way in self.all() {
            let part = dot(own, way);
            if part < least.0 {
                least = (part, way);
            }
        }
        (least.0, self.body.pose.rotate(least.1))
    }
}
