//! Separating axis test: the largest separation of two convex bodies along the normals of the faces of
//! their Minkowski difference.
//!
//! A face of the difference comes from a face of one body and a vertex of the other, or from an edge
//! of each. For intersecting bodies the largest separation along the normals of all these faces is
//! minus the penetration depth. Each separation is measured by support planes, so that an axis too
//! many does no harm: it is a lower bound of the gap along any direction.
//!
//! EPA multiplies areas of facets, and in a difference that is much thinner than long most facets are
//! slivers, whose planes are wrong by more than the depth. This test has no facets. It replaces EPA
//! where the difference may be thin and the bodies have few features.
//!
//! Cost: the product of the numbers of edges, plus a support vertex for each face and for each pair of
//! edges that makes a face of the difference. It keeps nothing and allocates nothing.

use super::feature_distance::along;
use super::relative_frame::RelativeFrame;
use super::vectors::{across, direction};
use crate::contact::Feature;
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::ConvexPolyhedron;

/// The Minkowski difference may be thin if the sum of the inner radii of the bodies is below this
/// fraction of the sum of their radii. EPA was wrong for boxes 500 times longer than thick; this is a
/// third of that.
const THIN: f64 = 1.0 / 256.0;

/// Maximum number of pairs of edges that are tested, about as many as take the time of a few
/// expansions by EPA.
const PAIRS_MAX: usize = 1024;

/// Maximum number of faces of both bodies.
const FACES_MAX: usize = 256;

/// The sine of the angle of two edges below which rounding leaves nothing of their cross product.
const PARALLEL: f64 = 1.0 / (1u64 << 50) as f64;

/// The height, relative to the scale, up to which a corner above the plane of two edges counts as
/// rounding.
const LEVEL: f64 = 1.0 / (1u64 << 40) as f64;

/// A normal of the Minkowski difference, from `a` to `b`, in the axes of `a`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// The features that make the face of the difference.
    pub features: [Feature; 2],
    pub normal: [f64; 3],
    /// The distance of the support planes of the bodies, a lower bound of their gap.
    pub separation: f64,
}

/// Whether two bodies have so few features that all pairs of them can be tested.
pub(super) fn are_few(a: &ConvexPolyhedron, b: &ConvexPolyhedron) -> bool {
    a.face_count() + b.face_count() <= FACES_MAX
        && a.edge_count().saturating_mul(b.edge_count()) <= PAIRS_MAX
}

impl RelativeFrame<'_> {
    /// Whether the penetration depth is found by the separating axis test rather than by EPA.
    pub fn needs_axes(&self) -> bool {
        let inner = self.a.inner_radius() + self.b.inner_radius();
        inner < THIN * (self.a.radius() + self.b.radius()) && are_few(self.a, self.b)
    }

    /// The normal along which the bodies have the largest separation, except that of the features
    /// `except`. `None` if there is no other.
    #[cold]
    pub fn best_axis(&self, except: Option<[Feature; 2]>) -> Option<Axis> {
        let mut best: Option<Axis> = None;
        let mut offer = |axis: Axis| {
            if best.is_none_or(|b| axis.separation > b.separation) {
                best = Some(axis);
            }
        };
        let separation = |normal, pair| 0.0 - dot(normal, self.difference(pair));
        // With a face its axis is the same whichever vertex is the support.
        let [own_a, own_b] = [0, 1].map(|k| except.map(|features| features[k]));
        for f in (0..self.a.face_count() as u32).map(Feature::face) {
            if own_a == Some(f) {
                continue;
            }
            let normal = self.a.normal(f.index);
            let corner = self.a.face_loop(f.index)[0].origin;
            let back = self.turned_back(normal).map(|x| 0.0 - x);
            let j = self.b.climb(self.b.start(back), back);
            offer(Axis {
                features: [f, Feature::vertex(j)],
                normal,
                separation: separation(normal, [corner, j]),
            });
        }
        for g in (0..self.b.face_count() as u32).map(Feature::face) {
            if own_b == Some(g) {
                continue;
            }
            let normal = self.turned(self.b.normal(g.index)).map(|x| 0.0 - x);
            let corner = self.b.face_loop(g.index)[0].origin;
            let i = self.a.climb(self.a.start(normal), normal);
            offer(Axis {
                features: [Feature::vertex(i), g],
                normal,
                separation: separation(normal, [i, corner]),
            });
        }
        for e in 0..self.a.edge_count() as u32 {
            let u = along(self.a, e);
            let uu = dot(u, u);
            for f in 0..self.b.edge_count() as u32 {
                let features = [Feature::edge(e), Feature::edge(f)];
                if except == Some(features) {
                    continue;
                }
                let v = self.turned(along(self.b, f));
                let n = cross(u, v);
                let sine = (dot(n, n) / (uu * dot(v, v))).sqrt();

                if sine.is_nan() || sine <= PARALLEL {
                    continue;
                }
                // A normal of nearly parallel edges that is orthogonal to one of them is orthogonal to
                // both, and its error within that plane moves the support plane by rounding only.
                let Some((n, _)) = direction(n).and_then(|(n, _)| direction(across(n, u, uu)))
                else {
                    continue;
                };
                let level = (LEVEL + PARALLEL / sine) * self.scale;
                let heights = [
                    above(self.a, e, n),
                    above(self.b, f, self.turned_back(n).map(|x| 0.0 - x)),
                ];
                for (sign, side) in [(1.0, 0), (-1.0, 1)] {
                    if heights.iter().any(|h| h[side] > level) {
                        continue;
                    }
                    let normal = n.map(|x| sign * x);
                    let from = [self.a.edge_links(e)[0], self.b.edge_links(f)[0]];
                    offer(Axis {
                        features,
                        normal,
                        separation: self.separation(normal, from),
                    });
                }
            }
        }
        best
    }
}

/// How far the faces at an edge rise above the plane through the edge orthogonal to `n`, along `n` and
/// against it.
fn above(shape: &ConvexPolyhedron, e: u32, n: [f64; 3]) -> [f64; 2] {
    let [p, _, left, right] = shape.edge_links(e);
    if left == ConvexPolyhedron::NO_VERTEX {
        return [f64::NEG_INFINITY; 2];
    }
    let p = shape.local(p);
    let [l, r] = [left, right].map(|wing| dot(n, minus(shape.local(wing), p)));
    [l.max(r), (0.0 - l).max(0.0 - r)]
}
