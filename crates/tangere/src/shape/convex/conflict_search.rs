//! Conflict search of the convex hull: finds a new triangle that a point sees.
//!
//! A point sees a triangle if it lies strictly above the triangle's plane. When a point `p` is
//! inserted into the hull, the triangles that it sees are removed; the loop of edges around them is
//! the horizon, with the vertices `h_0` to `h_k-1` in cyclic order. A fan of `k` new triangles
//! `(h_i, h_i+1, p)` around `p` fills the gap. To test the whole fan for every point would take
//! quadratic time for points on a cone: the fan around its apex has nearly all triangles. The
//! search takes at most six predicates and a binary search over `k`.
//!
//! # Method
//! The planes of the fan bound a cone with its apex at `p`. The search finds, for a point `q`
//! outside of the cone, a triangle that `q` sees. Cut the cone by the plane through `p`, `h_0` and
//! `q`. The cut is a wedge between two rays from `p`: one through `h_0`, the other through the
//! point where the plane crosses the horizon again. The point `q` is in the cone if and only if it
//! is in the wedge. Otherwise it is beyond one of the two rays, and so strictly outside of a
//! triangle that contains this ray. If the cone only touches the plane, it does so along the first
//! ray, and the same holds for that ray.
//!
//! Let `s_j` be the side of the plane on which `h_j` lies. Then `s_1 >= 0` unless `q` sees the
//! first triangle, and `s_k-1 <= 0` unless it sees the last, because these are the same
//! determinants. In between the `s_j` are positive, then negative, because seen from `p` the
//! horizon is a convex polygon. Zeros are contiguous, at the beginning, in between, or at the end.
//! Provided that `h_0` is a corner of that polygon, zeros are at both ends only if `q` is on the
//! line through `p` and `h_0`; another corner in place of `h_0` then avoids this.

use super::hull::Hull;
use crate::geometry::{Sign, orient3d};

/// Maximum number of new triangles around an inserted point (a fan) that the conflict search tests
/// one by one. Larger fans are searched by binary search.
const FEW: usize = 8;

impl Hull {
    /// Prepares the conflict search of the hull after the insertion of `p`. The fan is the list of
    /// new triangles around `p`; triangle `j` of it begins at vertex `h_j` of the horizon. Stores
    /// the first two indices `j` at which the horizon, seen from `p`, has a corner at `h_j`.
    pub(super) fn find_corners(&mut self, p: [f64; 3]) {
        let k = self.fan.len();
        if k <= FEW {
            return;
        }
        let horizon = |j: usize| self.point(self.corner(self.fan[j % k]));
        let is_corner =
            |&j: &usize| !orient3d(horizon(j + k - 1), horizon(j), horizon(j + 1), p).is_zero();
        // The cone has an interior, so it has at least three corners.
        let mut corners = (0..k).filter(is_corner);
        let (first, second) = (corners.next(), corners.next());
        self.corners = [first.unwrap_or(0), second.unwrap_or(0)];
    }

    /// Conflict search of the hull after the insertion of `p`: returns a triangle of the fan, the
    /// new triangles around `p`, that `q` sees (`q` lies strictly above its plane). None if `q`
    /// sees no triangle of the fan and so is inside the new hull.
    #[inline]
    pub(super) fn seen_in_fan(&self, p: [f64; 3], q: [f64; 3]) -> Option<u32> {
        if self.fan.len() <= FEW {
            return self.fan.iter().copied().find(|&f| self.sees(q, f));
        }
        let [start, other] = self.corners;
        self.found_in_fan(p, q, start)
            .or_else(|| self.found_in_fan(p, q, other))
            .unwrap_or(None)
    }

    /// Conflict search of the hull in a large fan of new triangles around `p`, by binary search
    /// from its triangle `start`. `Some(Some(f))`: `q` sees triangle `f`. `Some(None)`: `q` sees no
    /// triangle. `None`: undecided, because `q` is on the line through `p` and the first corner of
    /// triangle `start`.
    fn found_in_fan(&self, p: [f64; 3], q: [f64; 3], start: usize) -> Option<Option<u32>> {
        let k = self.fan.len();
        let facet = |j: usize| self.fan[(start + j) % k];
        let horizon = |j: usize| self.point(self.corner(facet(j)));
        let seen = |j: usize| Some(facet(j)).filter(|&f| self.sees(q, f));
        if let Some(f) = seen(0).or_else(|| seen(k - 1)) {
            return Some(Some(f));
        }
        let h_0 = horizon(0);
        let side = |j: usize| orient3d(p, h_0, q, horizon(j));
        let (first, last) = (side(1), side(k - 1));
        if first.is_zero() && last.is_zero() {
            return None;
        }
        // The sides that equal the first one end before `j`.
        let (mut within, mut j) = (1, k - 1);
        while j - within > 1 {
            let middle = (within + j) / 2;
            *(if side(middle) == first {
                &mut within
            } else {
                &mut j
            }) = middle;
        }
        let crossed = seen(j - 1);
        // The plane goes through `h_j` itself.
        let at_corner = || (side(j) == Sign::Zero).then(|| seen(j)).flatten();
        Some(crossed.or_else(at_corner))
    }
}
