//! GJK: distance of two convex bodies.
//!
//! The distance of the [Minkowski difference](super::minkowski_difference) from the origin is the
//! distance of the bodies. A [`Simplex`] of at most four vertices of the difference moves towards
//! the origin. In each step the direction goes from its point nearest to the origin to the origin,
//! and the vertex of the difference that is farthest in this direction joins the simplex. Support
//! vertices are found by hill climbing from those of the simplex. A search that starts near the
//! closest points takes a step or two.
//!
//! The search cannot cycle: it ends with the first step that does not bring the simplex nearer to
//! the origin.
//!
//! Paper: E. G. Gilbert, D. W. Johnson, S. S. Keerthi, 1988.

use super::relative_frame::RelativeFrame;
use super::simplex::Simplex;
use super::vectors::{across, area, direction};
use crate::geometry::vector::{dot, minus};

/// The difference of upper and lower bound of the distance or depth at which a search ends,
/// relative to the scale: the radii of both bodies plus the distance of their centers.
pub(super) const TOLERANCE: f64 = 1.0 / (1u64 << 46) as f64;

/// The number of steps after which GJK ends with the bounds of the distance found so far: several
/// times what the hardest bodies took.
const STEPS_MAX: u32 = 512;

/// The result of GJK: the bodies are separated or intersect.
pub(super) enum GjkResult {
    /// The simplex that contains the point of the Minkowski difference nearest to the origin, the
    /// direction from `a` to `b`, and an upper bound of the distance.
    Separated {
        simplex: Simplex,
        normal: [f64; 3],
        upper: f64,
    },
    /// A simplex that contains the origin, up to rounding: the bodies intersect.
    Intersecting(Simplex),
}

impl RelativeFrame<'_> {
    /// Runs GJK on two convex bodies from a given simplex; adds the number of its steps to `steps`.
    pub fn gjk(&self, mut simplex: Simplex, steps: &mut u32) -> GjkResult {
        let tolerance = TOLERANCE * self.scale;
        let mut best = f64::INFINITY;
        let mut lower = f64::NEG_INFINITY;
        let mut kept: Option<(Simplex, [f64; 3])> = None;
        for _ in 0..STEPS_MAX {
            let point = simplex.reduce();
            let distance = dot(point, point).sqrt();
            if simplex.len == 4 || distance <= tolerance {
                return GjkResult::Intersecting(simplex);
            }
            let away = point.map(|x| 0.0 - x / distance);
            // If the distance is small, the normal of the triangle is more accurate than the vector
            // to the nearest point.
            let mut normal = away;
            if simplex.len == 2 {
                let along = minus(simplex.points[1], simplex.points[0]);
                // Rounding tilts a short vector along the segment.
                if let Some((n, _)) = direction(across(away, along, dot(along, along))) {
                    normal = n;
                }
            } else if simplex.len == 3 {
                let [p, q, r, _] = simplex.points;
                if let Some((n, size)) = direction(area(p, q, r))
                    && size > distance * self.scale
                {
                    normal = if dot(n, away) < 0.0 {
                        n.map(|x| 0.0 - x)
                    } else {
                        n
                    };
                }
            }
            if distance >= best {
                break;
            }
            best = distance;
            kept = Some((simplex, normal));
            *steps += 1;
            let pair = self.support(normal, simplex.pairs[0]);
            let corner = self.difference(pair);
            lower = lower.max(-dot(normal, corner));
            if best - lower <= tolerance || simplex.pairs().contains(&pair) {
                break;
            }
            simplex.push(pair, corner);
        }
        let (simplex, normal) = kept.unwrap_or((simplex, [1.0, 0.0, 0.0]));
        GjkResult::Separated {
            simplex,
            normal,
            upper: best,
        }
    }
}
