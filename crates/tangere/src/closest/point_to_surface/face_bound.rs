//! Face bounds: lower bounds of the distance from a point to a finite element face, cheaper than
//! the nearest point.
//!
//! The control points of a face lie in an OBB whose axes are the normal and the tangents in the
//! middle of the face, so no point of the face is nearer to a query point than this box. An AABB is
//! thick where the face is tilted; the OBB is as thin as the face is flat, and leaves few faces
//! whose nearest point must be computed.
//!
//! The second bound is along a direction: the distance of a face is at least the least distance of
//! its control points from the query point, measured along any one direction. The direction is that
//! from the nearest point of a neighbouring face to the query point. Where a surface bends away
//! from the query point, this bound is larger than that of the box, whose corners stick out of the
//! surface.

use crate::closest::obb_tree::across;
use crate::geometry::Aabb;
use crate::geometry::vector::{cross, dot, largest, minus};
use crate::shape::{Face, FaceKind};

/// Upper bound of the rounding error of a computed distance to a face, relative to the size of the
/// face plus the distance. Coordinates relative to the center of the face, control points and
/// distances take at most a few dozen operations each.
pub(super) const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The center of a finite element face, and the face relative to it, so that face bounds lose no
/// digits far from the origin.
#[inline]
pub(super) fn centered(face: &Face) -> ([f64; 3], Face) {
    let origin = face.point(face.kind().center());
    let mut nodes = [[0.0; 3]; FaceKind::NODES_MAX];
    for (place, &node) in nodes.iter_mut().zip(face.nodes()) {
        *place = minus(node, origin);
    }
    let nodes = &nodes[..face.nodes().len()];
    (origin, Face::from_valid(face.kind(), nodes))
}

/// The OBB and the control points of a face, from which lower bounds of the distance are computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaceBound {
    origin: [f64; 3],
    /// The axes of the OBB of the face, orthonormal up to rounding.
    axes: [[f64; 3]; 3],
    /// The coordinates of the center of the OBB along `axes`, relative to the center of the face.
    middle: [f64; 3],
    /// The half extents of the OBB along `axes`, rounded outward.
    half: [f64; 3],
    /// The largest distance of a control point from the center of the face.
    extent: f64,
    /// The first eight control points relative to the center of the face, indexed by coordinate and
    /// control point; unused entries repeat the first control point.
    controls: [[f64; 8]; 3],
    /// The ninth control point relative to the center of the face, or the first if there are fewer.
    last: [f64; 3],
}

impl FaceBound {
    /// Computes the OBB and the control points of a finite element face, for its face bounds.
    pub fn new(face: &Face) -> Self {
        let (origin, face) = centered(face);
        let controls = face.control_points();
        let points = controls.as_slice();
        let axes = axes_of(&face, points);
        let extent = points.iter().map(|&p| dot(p, p).sqrt());
        let extent = extent.fold(0.0, f64::max);
        let along = Aabb::of_points(points.iter().map(|&p| axes.map(|axis| dot(axis, p))));
        let control = |i: usize| points.get(i).copied().unwrap_or(points[0]);
        Self {
            origin,
            axes,
            middle: along.center(),
            half: along.extent().map(|x| 0.5 * x + ROUNDING * extent),
            extent,
            controls: std::array::from_fn(|k| std::array::from_fn(|i| control(i)[k])),
            last: control(8),
        }
    }

    /// Face bound by the AABB: the AABB of a finite element face, enlarged by the rounding error of
    /// its points, so that no computed point of the face is nearer to a query point than the box
    /// is.
    pub fn bounds(face: &Face) -> Aabb<3> {
        let (origin, face) = centered(face);
        let controls = face.control_points();
        let mut bounds = Aabb::of_points(controls.as_slice().iter().copied());
        let extent = largest(bounds.min).max(largest(bounds.max));
        for k in 0..3 {
            let margin = 2.0 * ROUNDING * extent;
            bounds.min[k] = (origin[k] + (bounds.min[k] - margin)).next_down();
            bounds.max[k] = (origin[k] + (bounds.max[k] + margin)).next_up();
        }
        bounds
    }

    /// Face bound by the OBB: lower bound of the distance from `y` to the face, reduced by the
    /// rounding error of the computed distance.
    #[inline]
    pub fn lower(&self, y: [f64; 3]) -> f64 {
        let w = minus(y, self.origin);
        let mut squared = 0.0;
        for k in 0..3 {
            let over = (dot(self.axes[k], w) - self.middle[k]).abs() - self.half[k];
            let over = over.max(0.0);
            squared += over * over;
        }
        squared.sqrt() * (1.0 - 2.0 * ROUNDING)
    }

    /// Face bound by the control points along a direction: lower bound of the distance from `y` to
    /// the face. The direction is a vector of length 1, up to rounding, or 0.
    #[inline(always)]
    pub fn lower_along(&self, y: [f64; 3], direction: [f64; 3]) -> f64 {
        let w = minus(y, self.origin);
        let [a, b, c] = direction;
        let [x, y, z] = &self.controls;
        let mut ahead = [dot(direction, self.last); 4];
        for i in 0..4 {
            let low = a * x[i] + b * y[i] + c * z[i];
            let high = a * x[i + 4] + b * y[i + 4] + c * z[i + 4];
            let greater = if low > high { low } else { high };
            ahead[i] = if greater > ahead[i] {
                greater
            } else {
                ahead[i]
            };
        }
        let ahead = ahead[0].max(ahead[1]).max(ahead[2].max(ahead[3]));
        let size = self.extent + (w[0].abs() + w[1].abs() + w[2].abs());
        dot(direction, w) - ahead - 2.0 * ROUNDING * size
    }

    /// Upper bound of the rounding error of a computed distance to the face of this face bound.
    #[inline]
    pub fn rounding(&self, distance: f64) -> f64 {
        ROUNDING * (self.extent + distance)
    }
}

/// The axes of the OBB of a face bound, orthonormal up to rounding: the normal at the center, the
/// first tangent, and their cross product.
///
/// Where there is no normal, the first axis is the direction from the center to the farthest
/// control point. The second is orthogonal to it, towards the control point farthest from the line
/// of the first. The third is their cross product. So degenerate faces have thin boxes too.
fn axes_of(face: &Face, controls: &[[f64; 3]]) -> [[f64; 3]; 3] {
    let xi = face.kind().center();
    let normal = match face.has_area() {
        true => face.normal(xi),
        false => None,
    };
    // Scaled to size 1, so that no square underflows.
    let size = controls.iter().fold(0.0, |m: f64, &p| m.max(largest(p)));
    let scaled = |v: [f64; 3]| v.map(|x| x / size);
    let farthest = |square: &dyn Fn([f64; 3]) -> f64| {
        let ways = controls.iter().map(|&p| scaled(p));
        ways.fold([0.0; 3], |far, p| match square(p) > square(far) {
            true => p,
            false => far,
        })
    };
    let (first, toward) = match normal {
        Some(normal) => (normal, unit(face.tangents(xi)[0])),
        None if size == 0.0 => return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        None => {
            let along = unit(farthest(&|p| dot(p, p)));
            let off = |p| {
                let off = cross(along, p);
                dot(off, off)
            };
            (along, farthest(&off))
        }
    };
    let second = across(first, toward);
    [first, second, cross(first, second)]
}

/// The direction of a vector that is not 0, for the axes of a face bound.
fn unit(v: [f64; 3]) -> [f64; 3] {
    let size = largest(v);
    let scaled = v.map(|x| x / size);
    let length = dot(scaled, scaled).sqrt();
    scaled.map(|x| x / length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::closest::point_to_face::PreparedFace;
    use crate::generate;

    #[test]
    fn no_face_is_nearer_than_its_bounds() {
        let (mut close, mut closer, mut all) = (0, 0, 0);
        for kind in [
            FaceKind::Tri3,
            FaceKind::Tri6,
            FaceKind::Quad4,
            FaceKind::Quad8,
            FaceKind::Quad9,
        ] {
            let mesh = generate::face_sphere(kind, 2).unwrap();
            for i in 0..mesh.len() {
                let face = mesh.face(i);
                let bound = FaceBound::new(&face);
                let place = |k: usize| (((i + 1) * [7919, 104_729, 1_299_709][k]) % 1000) as f64;
                let y: [f64; 3] = std::array::from_fn(|k| place(k) / 250.0 - 2.0);
                let nearest = PreparedFace::new(&face).nearest_to_valid(y);
                let way = minus(y, nearest.point).map(|x| x / nearest.distance);
                for direction in [way, [0.0; 3], [0.0, 0.6, -0.8]] {
                    let lower = bound.lower_along(y, direction);
                    assert!(lower <= nearest.distance, "{kind} {i}");
                }
                let (plain, along) = (bound.lower(y), bound.lower_along(y, way));
                assert!(plain <= nearest.distance, "{kind} {i}");
                close += usize::from(along > 0.99 * nearest.distance);
                closer += usize::from(along > plain);
                all += 1;
            }
        }
        assert!(
            close > all / 2 && closer > all / 4,
            "{close} {closer} of {all}"
        );
    }
}
