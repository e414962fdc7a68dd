//! Plane of a triangle, prepared once to classify many points by `orient3d`.

use super::Sign;
use super::orientation::{BOUND_3D, orient3d_in_doubt};
use crate::geometry::vector::minus;

/// The plane of a triangle, with the terms of [`orient3d`](super::orient3d) that depend only on the
/// corners of the triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneOf {
    corners: [[f64; 3]; 3],
    normal: [f64; 3],
    /// The terms of the error bound of `orient3d` that depend only on the triangle. Each coordinate
    /// of the plane's normal is a difference of two products; the same coordinate here is the sum
    /// of the magnitudes of these two products.
    size: [f64; 3],
}

impl PlaneOf {
    /// Returns the plane of a triangle, prepared for `orient3d` against many points.
    #[inline(always)]
    pub fn new(corners: [[f64; 3]; 3]) -> Self {
        let [a, b, c] = corners;
        let (u, v) = (minus(b, a), minus(c, a));
        let (mut normal, mut size) = ([0.0; 3], [0.0; 3]);
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let (left, right) = (u[i] * v[j], u[j] * v[i]);
            normal[k] = left - right;
            size[k] = left.abs() + right.abs();
        }
        Self {
            corners,
            normal,
            size,
        }
    }

    /// Returns the side of the triangle's plane on which the point `p` lies: the result of
    /// `orient3d` of the corners and `p`. The determinant here is formed from vectors that begin at
    /// the first corner; in `orient3d` they begin at `p`. Both have the same exact value and the
    /// same error bound.
    #[inline(always)]
    pub fn side(&self, p: [f64; 3]) -> Sign {
        let w = minus(p, self.corners[0]);
        let n = &self.normal;
        let determinant = n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
        let s = &self.size;
        let permanent = s[0] * w[0].abs() + s[1] * w[1].abs() + s[2] * w[2].abs();
        if determinant.abs() >= BOUND_3D * permanent {
            return Sign::of(determinant);
        }
        let [a, b, c] = self.corners;
        orient3d_in_doubt(a, b, c, p)
    }

    /// Returns the sides of the triangle's plane on which the corners of another triangle lie.
    #[inline(always)]
    pub fn sides(&self, triangle: [[f64; 3]; 3]) -> [Sign; 3] {
        let [a, b, c] = triangle;
        [self.side(a), self.side(b), self.side(c)]
    }
}
