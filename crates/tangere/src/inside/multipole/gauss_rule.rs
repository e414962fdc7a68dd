//! Gauss-Legendre quadrature from 0 to 1, for the moments of clusters.

use super::harmonics::MOST;

/// The Gauss rule from 0 to 1 with `len` points. The first `len` entries of `points` are used, each
/// a node and its weight.
#[derive(Clone, Debug, Default)]
pub(super) struct GaussRule {
    pub(super) points: [[f64; 2]; MOST.div_ceil(2)],
    pub(super) len: usize,
}

impl GaussRule {
    /// Sets the Gauss rule with `len` points. Its nodes are the zeros of the Legendre polynomial of
    /// degree `len`, found by Newton's method.
    pub(super) fn set(&mut self, len: usize) {
        self.len = len;
        let n = len as f64;
        for i in 0..len {
            let mut x = libm::cos(std::f64::consts::PI * (i as f64 + 0.75) / (n + 0.5));
            let mut slope = 0.0;
            // Converges quadratically from an error below 1e-2.
            for _ in 0..6 {
                let (mut last, mut before) = (1.0, 0.0);
                for k in 1..=len {
                    let k = k as f64;
                    let next = ((2.0 * k - 1.0) * x * last - (k - 1.0) * before) / k;
                    (before, last) = (last, next);
                }
                slope = n * (x * last - before) / (x * x - 1.0);
                x -= last / slope;
            }
            let weight = 1.0 / ((1.0 - x * x) * slope * slope);
            self.points[i] = [0.5 * (1.0 - x), weight];
        }
    }
}
