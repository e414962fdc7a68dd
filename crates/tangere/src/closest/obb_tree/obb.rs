//! Oriented bounding box (OBB), fitted to a part of a surface.
//!
//! A part of a smooth surface is flat to second order. Its AABB may be as thick as it is wide, but
//! its OBB along the normal is thin.

use super::orthogonal::across;
use super::{MARGIN, TINY};
use crate::geometry::vector::{cross, dot, minus};

/// An oriented bounding box: orthogonal axes, and the center and half extent along each.
#[derive(Clone, Copy, Debug)]
pub(in crate::closest) struct Obb {
    pub axes: [[f32; 3]; 3],
    pub middle: [f32; 3],
    pub half: [f32; 3],
}

impl Obb {
    /// The OBB fitted to triangles of a surface.
    pub fn of_triangles(triangles: &[[[f64; 3]; 3]]) -> Self {
        let mut normal = [0.0; 3];
        for &[a, b, c] in triangles {
            let n = cross(minus(b, a), minus(c, a));
            for k in 0..3 {
                normal[k] += n[k];
            }
        }
        Self::around(triangles.as_flattened(), normal)
    }

    /// Of two boxes around points of a surface, the one with the smaller area: the AABB, or an OBB
    /// along the given normal, which may have any length. The second axis of the OBB is the
    /// direction orthogonal to the normal in which the points extend most.
    pub fn around(points: &[[f64; 3]], normal: [f64; 3]) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let mut mean = [0.0; 3];
        for point in points {
            for k in 0..3 {
                low[k] = low[k].min(point[k]);
                high[k] = high[k].max(point[k]);
                mean[k] += point[k];
            }
        }
        let size = (0..3).map(|k| low[k].abs().max(high[k].abs())).sum::<f64>();
        let straight = Self::new(
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            low,
            high,
            size,
        );
        let length = dot(normal, normal).sqrt();
        if length < f64::MIN_POSITIVE {
            return straight;
        }
        let z = normal.map(|x| x / length);
        let x = across(z, [0.0; 3]);
        let y = cross(z, x);
        let mean = mean.map(|m| m / points.len() as f64);
        // The larger eigenvalue of the matrix of second moments orthogonal to the normal.
        let [mut xx, mut xy, mut yy] = [0.0; 3];
        for &point in points {
            let q = minus(point, mean);
            let (a, b) = (dot(q, x), dot(q, y));
            (xx, xy, yy) = (xx + a * a, xy + a * b, yy + b * b);
        }
        let half = 0.5 * (xx - yy);
        let root = (half * half + xy * xy).sqrt();
        let (a, b) = if half > 0.0 {
            (half + root, xy)
        } else {
            (xy, root - half)
        };
        let x = across(z, std::array::from_fn(|k| a * x[k] + b * y[k]));
        // Rounded as they are stored, so that extents fit the axes that are tested.
        let axes = [x, cross(z, x), z].map(|axis| axis.map(|c| f64::from(c as f32)));
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for &point in points {
            for k in 0..3 {
                let place = dot(axes[k], point);
                low[k] = low[k].min(place);
                high[k] = high[k].max(place);
            }
        }
        let turned = Self::new(axes, low, high, size);
        if turned.half_area() < straight.half_area() {
            turned
        } else {
            straight
        }
    }

    /// The OBB between `low` and `high` along the axes, enlarged by the rounding error of f32
    /// distances. This error is proportional to `size`, the sum of the largest absolute x, y and z
    /// coordinates of the contents.
    fn new(axes: [[f64; 3]; 3], low: [f64; 3], high: [f64; 3], size: f64) -> Self {
        Obb {
            axes: axes.map(|axis| axis.map(|c| c as f32)),
            middle: std::array::from_fn(|k| (0.5 * (low[k] + high[k])) as f32),
            half: std::array::from_fn(|k| {
                (0.5 * (high[k] - low[k])) as f32 + (size as f32 * MARGIN + TINY)
            }),
        }
    }

    /// An eighth of the surface area of the OBB, to compare sizes.
    fn half_area(&self) -> f32 {
        let [a, b, c] = self.half;
        a * b + b * c + c * a
    }
}
