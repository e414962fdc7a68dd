//! Intersection test of two Bézier patches, for faces that overlap at the start of a search.

use super::super::gap_bound::U;
use super::bezier_patch::{Net, Patch, spread};
use super::face_pair::FacePair;
use super::patch_gap::PatchGap;
use crate::geometry::vector::{cross, direction, dot, minus};

/// The intersection of two patches is tested only if the sum of their bulges (deviations from flat)
/// is at most this fraction of the size of the smaller patch.
const THIN: f64 = 0.05;

impl FacePair<'_> {
    /// Whether two Bézier patches certainly intersect. The segment between two corners of one patch
    /// must cross a triangle through corners of the other. The crossing must be so far from the
    /// ends of the segment and from the rim of the triangle that the bulges (deviations from flat)
    /// of both patches do not matter. If the margin, the distance at which patches touch, is above
    /// 0, the test is another one: the patches overlap if their distance is below the margin.
    pub(super) fn overlaps(
        &self,
        patches: [&Patch; 2],
        nets: &[Net; 2],
        patch_gap: &PatchGap,
        bulge: f64,
    ) -> bool {
        if self.closed.margin > 0.0 {
            return patch_gap.distance < -self.closed.slack;
        }
        let least = [0, 1].map(|i| spread(patches[i].form, &nets[i]).1);
        if bulge > THIN * least[0].min(least[1]) {
            return false;
        }
        let off = 2.0 * bulge + self.closed.slack;
        [0, 1].into_iter().any(|of| {
            let other = 1 - of;
            let count = patches[of].form.corners().len();
            let corner = |k: usize| self.control(of, &nets[of], k % count);
            let (triangles, n) = self.triangles(other, patches[other], &nets[other]);
            (0..count).any(|k| {
                let side = [corner(k), corner(k + 1)];
                triangles[..n].iter().any(|t| crosses(side, t, off))
            })
        })
    }
}

/// Whether the segment from `p` to `q`, a side of a patch, intersects triangle `t` of the other
/// patch, even if all points of both are displaced by up to the distance `off`.
fn crosses([p, q]: [[f64; 3]; 2], t: &[[f64; 3]; 3], off: f64) -> bool {
    let Some(n) = direction(cross(minus(t[1], t[0]), minus(t[2], t[0]))) else {
        return false;
    };
    let (above, below) = (dot(n, minus(p, t[0])), dot(n, minus(q, t[0])));
    let apart = (above - below).abs();
    let passes = above.abs() > off && below.abs() > off && (above > 0.0) != (below > 0.0);
    if !passes {
        return false;
    }
    let way = minus(q, p);
    let share = above / (above - below);
    let x: [f64; 3] = std::array::from_fn(|k| p[k] + share * way[k]);
    // The error of the crossing point within the plane.
    let clear = off * (1.0 + dot(way, way).sqrt() / apart) * (1.0 + 16.0 * U);
    (0..3).all(|i| {
        let (a, b) = (t[i], t[(i + 1) % 3]);
        let inward = direction(cross(n, minus(b, a)));
        inward.is_some_and(|m| dot(m, minus(x, a)) > clear)
    })
}
