//! OBB: oriented bounding boxes along the principal axes of inertia.
//!
//! Paper: `aragon2013`, section 3.2.3, eqs. 13 to 15.
//!
//! *Deviates:*
//! - Moments are taken about the barycentre directly: the parallel axis theorem (Huygens and
//!   Steiner) subtracts nearly equal numbers if a body is far from the origin.
//! - The exact test with all 15 separating axes is offered besides the test with the six face
//!   normals.

use super::check_points;
use super::vector::{cross, dot, minus};
use crate::error::{Argument, Error, Result};
use nalgebra::{Matrix3, SymmetricEigen};

/// The margin by which oriented boxes are rounded outward, as a share of the magnitudes in the
/// computation (coordinates, and extents of the boxes): the rounding error of 16 operations.
const OUTWARD: f64 = 16.0 * f64::EPSILON;

/// An oriented bounding box.
///
/// It is closed and rounded outward: it contains all points that it bounds, and the boxes of bodies
/// that share a point overlap.
///
/// ```
/// use tangere::geometry::Obb;
///
/// let needle: Vec<[f64; 3]> = (0..10).map(|k| [f64::from(k); 3]).collect();
/// let bounds = Obb::of_points(&needle)?;
/// assert!((bounds.half[0] - 4.5 * 3.0_f64.sqrt()).abs() < 1e-12 && bounds.half[1] < 1e-12);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    /// The centre of the box.
    pub center: [f64; 3],
    /// The orthonormal axes of the box. They are principal axes of inertia of the points that the
    /// box bounds; the moment of inertia about the first axis is the least.
    pub axes: [[f64; 3]; 3],
    /// Half the edge lengths of the box, along each axis.
    pub half: [f64; 3],
}

impl Obb {
    /// Returns the OBB along the principal axes of points of equal masses.
    ///
    /// # Errors
    /// When there are no points, or one has a coordinate that is not valid.
    pub fn of_points(points: &[[f64; 3]]) -> Result<Self> {
        Self::around(points, |_| 1.0)
    }

    /// Returns the OBB along the principal axes of points with a mass each.
    ///
    /// # Errors
    /// As [`Obb::of_points`]; when a mass is negative or not finite, when the number of masses is
    /// not that of the points, or when all masses are 0.
    pub fn of_masses(points: &[[f64; 3]], masses: &[f64]) -> Result<Self> {
        if masses.len() != points.len() {
            let found = format!("{} for {} points", masses.len(), points.len());
            return Err(Error::argument(
                Argument::Masses,
                found,
                "one for each point",
            ));
        }
        let is_mass = |m: f64| m >= 0.0 && m.is_finite();
        if let Some(k) = masses.iter().position(|&m| !is_mass(m)) {
            let found = format!("{:?}", masses[k]);
            return Err(Error::item(
                Argument::Mass,
                k,
                found,
                "a finite number, 0 or more",
            ));
        }
        let total: f64 = masses.iter().sum();
        let has_mass = total > 0.0 && total.is_finite();
        if !has_mass && !points.is_empty() {
            let found = format!("{total:?}");
            return Err(Error::argument(
                Argument::MassSum,
                found,
                "a positive number",
            ));
        }
        Self::around(points, |k| masses[k] / total)
    }

    /// Returns the OBB along the principal axes of points; `mass` returns the mass of a point,
    /// given its index. Masses are not checked.
    fn around(points: &[[f64; 3]], mass: impl Fn(usize) -> f64) -> Result<Self> {
        check_points(Argument::Point, points)?;
        let Some(&first) = points.first() else {
            return Err(Error::argument(Argument::Points, "none", "at least one"));
        };
        // Coordinates are relative to one of the points and scaled by the size of all, so that
        // nothing overflows or underflows.
        let size = points
            .iter()
            .flat_map(|&p| minus(p, first))
            .fold(0.0, |s: f64, x| s.max(x.abs()));
        let about = |p: [f64; 3]| minus(p, first).map(|x| if size > 0.0 { x / size } else { 0.0 });
        let (mut total, mut middle) = (0.0, [0.0; 3]);
        for (k, &p) in points.iter().enumerate() {
            let (m, p) = (mass(k), about(p));
            total += m;
            middle = std::array::from_fn(|i| middle[i] + m * p[i]);
        }
        let middle = middle.map(|x| x / total);
        // The inertia is `I_jk = sum m (delta_jk |p|^2 - p_j p_k)`.
        let mut inertia = Matrix3::zeros();
        for (k, &p) in points.iter().enumerate() {
            let (m, p) = (mass(k) / total, minus(about(p), middle));
            let squared = dot(p, p);
            for i in 0..3 {
                for j in 0..3 {
                    let delta = if i == j { squared } else { 0.0 };
                    inertia[(i, j)] += m * (delta - p[i] * p[j]);
                }
            }
        }
        let axes = axes(inertia);
        let mut bounds = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
        for &p in points {
            let p = minus(about(p), middle);
            for (k, [low, high]) in bounds.iter_mut().enumerate() {
                let at = dot(axes[k], p);
                *low = low.min(at);
                *high = high.max(at);
            }
        }
        let mut center = middle;
        for (axis, [low, high]) in axes.iter().zip(bounds) {
            let at = 0.5 * (low + high);
            center = std::array::from_fn(|i| center[i] + at * axis[i]);
        }
        let center: [f64; 3] = std::array::from_fn(|i| first[i] + size * center[i]);
        let far = first
            .iter()
            .chain(&center)
            .fold(0.0, |f: f64, x| f.max(x.abs()));
        let slack = OUTWARD * (size + far);
        Ok(Self {
            center,
            axes,
            // A single point has no extent.
            half: bounds.map(|[low, high]| match size > 0.0 {
                true => 0.5 * size * (high - low) + slack,
                false => 0.0,
            }),
        })
    }

    /// Returns the eight corners of the OBB.
    pub fn corners(&self) -> [[f64; 3]; 8] {
        std::array::from_fn(|corner| {
            let mut p = self.center;
            for (k, axis) in self.axes.iter().enumerate() {
                let reach = if corner >> k & 1 == 0 {
                    -self.half[k]
                } else {
                    self.half[k]
                };
                p = std::array::from_fn(|i| p[i] + reach * axis[i]);
            }
            p
        })
    }

    /// Returns whether the OBB contains a point, up to rounding: always true for the points from
    /// which it was made.
    pub fn contains_point(&self, p: [f64; 3]) -> bool {
        let way = minus(p, self.center);
        let slack = OUTWARD * (p.map(f64::abs).into_iter().fold(0.0, f64::max));
        (0..3).all(|k| dot(self.axes[k], way).abs() <= self.half[k] + slack)
    }

    /// Returns whether two OBBs may overlap: none of their six face normals is a separating axis
    /// (the test of `aragon2013`). It is conservative: disjoint boxes also pass if only cross
    /// products of their edges are separating axes.
    #[inline]
    pub fn may_overlap(&self, other: &Self) -> bool {
        self.relative(other).faces_meet()
    }

    /// Returns whether two OBBs overlap: none of the 15 axes of the separating axis test (six face
    /// normals, nine cross products of edges) separates them by more than rounding.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        let seen = self.relative(other);
        seen.faces_meet() && seen.edges_meet()
    }

    /// Returns this OBB and another one in the frame of this one, for the separating axis test.
    #[inline]
    fn relative(&self, other: &Self) -> RelativeObb {
        let way = minus(other.center, self.center);
        let rotation = self.axes.map(|axis| other.axes.map(|own| dot(axis, own)));
        let sum = |x: [f64; 3]| x[0].abs() + x[1].abs() + x[2].abs();
        let far = sum(self.center) + sum(other.center) + sum(self.half) + sum(other.half);
        RelativeObb {
            a: self.half,
            b: other.half,
            way: self.axes.map(|axis| dot(axis, way)),
            rotation,
            size: rotation.map(|row| row.map(f64::abs)),
            slack: OUTWARD * far,
        }
    }
}

/// Two OBBs, `a` and `b`, in the frame of `a`, for the separating axis test. Fields `a` and `b` are
/// the half extents of the boxes; the columns of `rotation` are the axes of `b`.
struct RelativeObb {
    a: [f64; 3],
    b: [f64; 3],
    /// The vector from the centre of OBB `a` to the centre of OBB `b`, in the frame of `a`.
    way: [f64; 3],
    rotation: [[f64; 3]; 3],
    /// The absolute values of the entries of the matrix `rotation`, whose columns are the axes of
    /// OBB `b` in the frame of OBB `a`. With them the separating axis test projects half extents.
    size: [[f64; 3]; 3],
    slack: f64,
}

impl RelativeObb {
    /// Tests the face normals of both OBBs: returns whether none separates them.
    #[inline]
    fn faces_meet(&self) -> bool {
        let (a, b, size) = (self.a, self.b, &self.size);
        for k in 0..3 {
            let reach = a[k] + (b[0] * size[k][0] + b[1] * size[k][1] + b[2] * size[k][2]);
            if self.way[k].abs() > reach + self.slack {
                return false;
            }
        }
        for k in 0..3 {
            let reach = b[k] + (a[0] * size[0][k] + a[1] * size[1][k] + a[2] * size[2][k]);
            let way = (0..3).fold(0.0, |sum, i| sum + self.way[i] * self.rotation[i][k]);
            if way.abs() > reach + self.slack {
                return false;
            }
        }
        true
    }

    /// Tests the cross products of an edge of one OBB and an edge of the other as separating axes:
    /// returns whether none separates the boxes. The cross product of parallel edges is 0 and never
    /// separates them, because the projections onto it of both boxes and of the vector between
    /// their centres are 0.
    #[inline]
    fn edges_meet(&self) -> bool {
        let (a, b, size, turned) = (self.a, self.b, &self.size, &self.rotation);
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                let reach = a[i1] * size[i2][j]
                    + a[i2] * size[i1][j]
                    + b[j1] * size[i][j2]
                    + b[j2] * size[i][j1];
                let way = self.way[i2] * turned[i1][j] - self.way[i1] * turned[i2][j];
                if way.abs() > reach + self.slack {
                    return false;
                }
            }
        }
        true
    }
}

/// Returns the axes of an OBB: the principal axes of inertia, that of least inertia first,
/// right-handed; the coordinate axes if the inertia is 0.
fn axes(inertia: Matrix3<f64>) -> [[f64; 3]; 3] {
    let eigen = SymmetricEigen::new(inertia);
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
    let column =
        |k: usize| -> [f64; 3] { std::array::from_fn(|i| eigen.eigenvectors[(i, order[k])]) };
    // Of both directions of an axis, the one that points upward is taken.
    let upward = |v: [f64; 3]| {
        let most = (0..3).fold(0, |m, k| if v[k].abs() > v[m].abs() { k } else { m });
        if v[most] < 0.0 { v.map(|x| 0.0 - x) } else { v }
    };
    let first = upward(column(0));
    let second = upward(column(1));
    [first, second, cross(first, second)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::closest::Tracker;
    use crate::geometry::Pose;
    use crate::shape::ConvexPolyhedron;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = [f64; 3]> {
        [-1.0..1.0, -1.0..1.0, -1.0..1.0]
    }

    fn cloud() -> impl Strategy<Value = Vec<[f64; 3]>> {
        (
            prop::collection::vec(point(), 1..8),
            [0.01..1.0, 0.1..1.0, 1.0..2.0],
        )
            .prop_map(|(points, size)| {
                points
                    .iter()
                    .map(|p| std::array::from_fn(|k| p[k] * size[k]))
                    .collect()
            })
    }

    proptest! {
        #[test]
        fn all_that_is_bounded_is_contained(
            points in cloud(),
            far in prop::sample::select(vec![0.0, 1e3, -1e9, 1e-30]),
            size in prop::sample::select(vec![1.0, 1e-40, 1e40]),
        ) {
            let points: Vec<[f64; 3]> = points.iter().map(|p| p.map(|x| size * (x + far))).collect();
            let bounds = Obb::of_points(&points).unwrap();
            for &p in &points {
                prop_assert!(bounds.contains_point(p));
            }
            for (i, axis) in bounds.axes.iter().enumerate() {
                for (j, other) in bounds.axes.iter().enumerate() {
                    let expected = if i == j { 1.0 } else { 0.0 };
                    prop_assert!((dot(*axis, *other) - expected).abs() < 1e-14);
                }
            }
        }

        #[test]
        fn boxes_overlap_as_the_hulls_of_their_corners(a in cloud(), b in cloud(), way in point()) {
            let b: Vec<[f64; 3]> = b.iter().map(|p| std::array::from_fn(|k| p[k] + 2.0 * way[k])).collect();
            let (a, b) = (Obb::of_points(&a).unwrap(), Obb::of_points(&b).unwrap());
            let body = |x: &Obb| ConvexPolyhedron::hull(&x.corners()).unwrap();
            let here = Pose::identity();
            let gap = Tracker::new().contact(&body(&a), &here, &body(&b), &here).gap;
            if gap.abs() > 1e-12 {
                prop_assert_eq!(a.overlaps(&b), gap < 0.0);
            } else {
                prop_assert!(a.overlaps(&b));
            }
            prop_assert_eq!(a.overlaps(&b), b.overlaps(&a));
            prop_assert!(a.may_overlap(&b) || !a.overlaps(&b));
        }
    }

    #[test]
    fn boxes_apart_edge_by_edge() {
        // One body is a cube; the other stands on an edge that crosses an edge of the first.
        let cube: Vec<[f64; 3]> = (0..8)
            .map(|c| [0, 1, 2].map(|k| f64::from(c >> k & 1) - 0.5))
            .collect();
        let a = Obb {
            center: [0.0; 3],
            axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            half: [0.5; 3],
        };
        assert!(cube.iter().all(|&p| a.contains_point(p)));
        let s = 0.5_f64.sqrt();
        let turned = |axes| Obb {
            center: [0.0; 3],
            axes,
            half: [0.5; 3],
        };
        let upright = turned([[s, s, 0.0], [-s, s, 0.0], [0.0, 0.0, 1.0]]);
        let lying = turned([[1.0, 0.0, 0.0], [0.0, s, s], [0.0, -s, s]]);
        // Two edges face each other along y, one along z and one along x.
        let at = |y: f64| Obb {
            center: [0.0, y, 0.0],
            ..lying
        };
        assert!(upright.overlaps(&at(1.41)));
        assert!(!upright.overlaps(&at(1.42)) && upright.may_overlap(&at(1.42)));
        assert!(!upright.may_overlap(&at(2.0)));
    }

    #[test]
    fn masses_move_the_axes() {
        let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 3.0, 0.0]];
        let bounds = Obb::of_masses(&points, &[1.0, 1.0, 0.0]).unwrap();
        assert_eq!(bounds.axes[0], [1.0, 0.0, 0.0]);
        assert!(points.iter().all(|&p| bounds.contains_point(p)));
        assert!(Obb::of_masses(&points, &[1.0, 1.0]).is_err());
        assert!(Obb::of_masses(&points, &[1.0, -1.0, 1.0]).is_err());
        assert!(Obb::of_masses(&points, &[0.0; 3]).is_err());
        assert!(Obb::of_points(&[]).is_err());
    }
}
