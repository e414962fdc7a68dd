//! Values of multipole and local expansions at eight points at once. The cost for a point and an
//! expansion of degree `p` is O(p^2).

use super::clusters::Cluster;
use super::harmonics::{Complex, IRREGULAR, REGULAR};
use super::moments::Moments;
use crate::simd::{LANES, RealKernel, Reals, load_all, scaled_all, splat_all};

/// Kernel that adds the far fields of clusters at eight points. The field of each cluster is the
/// sum of its moments up to a degree.
pub(super) struct Far<'a> {
    pub(super) nodes: &'a [Cluster],
    pub(super) moments: &'a Moments,
    /// The indices of the clusters whose far fields are added, and the degree up to which the
    /// moments of each are summed.
    pub(super) list: &'a [(u32, u32)],
    pub(super) points: &'a [[f64; LANES]; 3],
    pub(super) sums: &'a mut [f64; LANES],
}

impl RealKernel for Far<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let points = load_all::<V, 3>(self.points);
        let mut sums = V::load(self.sums);
        for &(cluster, degree) in self.list {
            let node = &self.nodes[cluster as usize];
            let inverse = V::splat(1.0 / node.radius);
            let center = splat_all::<V, 3>(node.center);
            let away = [
                (points[0] - center[0]) * inverse,
                (points[1] - center[1]) * inverse,
                (points[2] - center[2]) * inverse,
            ];
            let square = away[0].mul_add(away[0], away[1].mul_add(away[1], away[2] * away[2]));
            let root = square.inverse_sqrt();
            let inverted = root * root;
            sums = sums
                + IRREGULAR.sum(
                    degree as usize,
                    self.moments.of(cluster as usize),
                    scaled_all(away, inverted),
                    inverted,
                    root,
                );
        }
        sums.store(self.sums);
    }
}

/// Kernel that adds the values of the local expansion of a cell at points of the cell.
pub(super) struct Local<'a> {
    pub(super) center: [f64; 3],
    pub(super) radius: f64,
    pub(super) degree: usize,
    pub(super) local: &'a [Complex],
    /// The coordinates of the points at which the local expansion is evaluated, along x, y and z;
    /// as many as `out` has entries.
    pub(super) points: [&'a [f64]; 3],
    pub(super) out: &'a mut [f64],
}

impl RealKernel for Local<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let center = splat_all::<V, 3>(self.center);
        let inverse = V::splat(1.0 / self.radius);
        let mut done = 0;
        while done < self.out.len() {
            let lanes = (self.out.len() - done).min(LANES);
            let mut at = center;
            for k in 0..3 {
                let mut padded = [self.center[k]; LANES];
                let from = &self.points[k][done..done + lanes];
                padded[..lanes].copy_from_slice(from);
                at[k] = (V::load(&padded) - center[k]) * inverse;
            }
            let square = at[0].mul_add(at[0], at[1].mul_add(at[1], at[2] * at[2]));
            let values = REGULAR.sum(self.degree, self.local, at, square, V::splat(1.0));
            let mut out = [0.0; LANES];
            values.store(&mut out);
            for lane in 0..lanes {
                self.out[done + lane] += out[lane];
            }
            done += lanes;
        }
    }
}
