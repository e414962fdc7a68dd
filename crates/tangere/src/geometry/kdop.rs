//! k-DOP: discrete orientation polytopes, bounded by slabs of fixed directions.
//!
//! Paper: `aragon2013`, eqs. 8 to 11 and section 3.2.4, after Klosowski et al.
//!
//! *Deviates:*
//! - Projections are signed. They are not divided by the length of the direction: both k-DOPs of a
//!   comparison use the same directions.

use super::check_points;
use crate::error::{Argument, Error, Result};

/// The normals of the slabs of k-DOPs, not normalised: the axes, then the directions from the
/// centre of a cube to its corners, then those to the midpoints of its edges.
const DIRECTIONS: [[f64; 3]; 13] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, -1.0, 1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, 1.0, -1.0],
];

/// The margin by which a slab of a k-DOP is rounded outward, as a share of the sum of the
/// magnitudes of the three terms of a projection. It covers three roundings of half an epsilon
/// each, and the rounding of the margin itself.
const OUTWARD: f64 = 2.0 * f64::EPSILON;

/// A k-DOP of `S` slabs, `k = 2 S`; [`Dop14`], [`Dop18`] and [`Dop26`] are the usual ones.
///
/// It is closed and rounded outward: it contains all points that it bounds, and the k-DOPs of
/// bodies that share a point overlap.
///
/// ```
/// use tangere::geometry::Dop14;
///
/// let corner = Dop14::of_points(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?;
/// let beyond = Dop14::of_points(&[[0.9, 0.9, 0.9], [1.0, 1.0, 1.0]])?;
/// // Their boxes overlap, but not their slabs across (1, 1, 1).
/// assert!(!corner.overlaps(&beyond));
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KDop<const S: usize> {
    min: [f64; S],
    max: [f64; S],
}

/// A k-DOP whose slabs are normal to the axes and to the directions from the centre of a cube to
/// its corners.
pub type Dop14 = KDop<7>;

/// A k-DOP whose slabs are normal to the axes and to the directions from the centre of a cube to
/// the midpoints of its edges.
pub type Dop18 = KDop<9>;

/// A k-DOP whose slabs are normal to the axes and to the directions from the centre of a cube to
/// its corners and to the midpoints of its edges.
pub type Dop26 = KDop<13>;

impl<const S: usize> KDop<S> {
    /// The normals of the slabs of the k-DOP, not normalised.
    ///
    /// They are defined for 3, 7, 9 and 13 slabs; code with any other number of slabs does not
    /// compile.
    pub const DIRECTIONS: [[f64; 3]; S] = {
        let mut directions = [[0.0; 3]; S];
        let mut k = 0;
        while k < S {
            directions[k] = DIRECTIONS[match S {
                3 | 7 | 13 => k,
                // Nine slabs are axes and edges: corners are left out.
                9 if k < 3 => k,
                9 => k + 4,
                _ => panic!("polytopes have 3, 7, 9 or 13 slabs"),
            }];
            k += 1;
        }
        directions
    };

    /// Returns the smallest k-DOP of points, up to rounding.
    ///
    /// # Errors
    /// When there are no points, or one has a coordinate that is not valid.
    pub fn of_points(points: &[[f64; 3]]) -> Result<Self> {
        check_points(Argument::Point, points)?;
        if points.is_empty() {
            return Err(Error::argument(Argument::Points, "none", "at least one"));
        }
        let mut bounds = Self {
            min: [f64::INFINITY; S],
            max: [f64::NEG_INFINITY; S],
        };
        for &p in points {
            let (at, slack) = projections::<S>(p);
            for k in 0..S {
                bounds.min[k] = bounds.min[k].min(at[k] - slack[k]);
                bounds.max[k] = bounds.max[k].max(at[k] + slack[k]);
            }
        }
        Ok(bounds)
    }

    /// Returns the slabs of the k-DOP: for each of [`KDop::DIRECTIONS`], the lower and the upper
    /// bound of the dot product of a point and the direction.
    pub fn slabs(&self) -> [[f64; 2]; S] {
        std::array::from_fn(|k| [self.min[k], self.max[k]])
    }

    /// Returns whether the k-DOP contains a point, up to rounding: always true for the points from
    /// which it was made.
    pub fn contains_point(&self, p: [f64; 3]) -> bool {
        let (at, slack) = projections::<S>(p);
        (0..S).all(|k| at[k] + slack[k] >= self.min[k] && at[k] - slack[k] <= self.max[k])
    }

    /// Returns whether two k-DOPs overlap: their slabs overlap in each of the directions. Bodies
    /// whose k-DOPs do not overlap share no point.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        // The loop is branch-free, so that several slabs are compared at once.
        let mut overlap = true;
        for k in 0..S {
            overlap &= self.min[k] <= other.max[k];
            overlap &= other.min[k] <= self.max[k];
        }
        overlap
    }

    /// Returns the smallest k-DOP that contains two k-DOPs.
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|k| self.min[k].min(other.min[k])),
            max: std::array::from_fn(|k| self.max[k].max(other.max[k])),
        }
    }
}

/// Returns the dot products of a point and each direction of a k-DOP, and an upper bound of the
/// rounding error of each.
fn projections<const S: usize>(p: [f64; 3]) -> ([f64; S], [f64; S]) {
    let directions = KDop::<S>::DIRECTIONS;
    let at = directions.map(|d| p[0] * d[0] + p[1] * d[1] + p[2] * d[2]);
    let slack = directions.map(|d| {
        let magnitude = p[0].abs() * d[0].abs() + p[1].abs() * d[1].abs() + p[2].abs() * d[2].abs();
        let is_axis = d[0].abs() + d[1].abs() + d[2].abs() == 1.0;
        if is_axis { 0.0 } else { OUTWARD * magnitude }
    });
    (at, slack)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cloud() -> impl Strategy<Value = Vec<[f64; 3]>> {
        prop::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0], 1..8)
    }

    fn bounds_everything<const S: usize>(points: &[[f64; 3]], weights: &[f64], far: f64) {
        let moved: Vec<[f64; 3]> = points.iter().map(|p| p.map(|x| x + far)).collect();
        let bounds = KDop::<S>::of_points(&moved).unwrap();
        let total: f64 = weights.iter().take(moved.len()).sum();
        // A point between the others.
        let mut between = [0.0; 3];
        for (p, w) in moved.iter().zip(weights) {
            between = std::array::from_fn(|k| between[k] + w / total * p[k]);
        }
        let aabb = crate::geometry::Aabb::of_points(moved.iter().copied());
        let between = std::array::from_fn(|k: usize| between[k].clamp(aabb.min[k], aabb.max[k]));
        assert!(moved.iter().all(|&p| bounds.contains_point(p)));
        // The weights round, too.
        let near = KDop::<S>::of_points(&[between]).unwrap();
        let slack = 16.0 * f64::EPSILON * (3.0 + 3.0 * far.abs());
        for ([min, max], [low, high]) in bounds.slabs().into_iter().zip(near.slabs()) {
            assert!(low >= min - slack && high <= max + slack);
        }
        assert!(bounds.overlaps(&near));
        assert_eq!(bounds.union(&near).union(&bounds), bounds.union(&near));
    }

    proptest! {
        #[test]
        fn all_that_is_bounded_is_contained(
            points in cloud(),
            weights in prop::array::uniform8(0.01..1.0),
            far in prop::sample::select(vec![0.0, 1e3, -1e9]),
        ) {
            bounds_everything::<3>(&points, &weights, far);
            bounds_everything::<7>(&points, &weights, far);
            bounds_everything::<9>(&points, &weights, far);
            bounds_everything::<13>(&points, &weights, far);
        }
    }

    #[test]
    fn more_slabs_keep_more_apart() {
        let ball = |center: [f64; 3]| -> Vec<[f64; 3]> {
            let directions = Dop26::DIRECTIONS
                .into_iter()
                .flat_map(|d| [d, d.map(|x| 0.0 - x)]);
            let unit = directions.map(|d| {
                let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
                d.map(|x| x / length)
            });
            unit.map(|d| std::array::from_fn(|k| center[k] + d[k]))
                .collect()
        };
        let overlap = |at: [f64; 3]| {
            let (a, b) = (ball([0.0; 3]), ball(at));
            fn both<const S: usize>(a: &[[f64; 3]], b: &[[f64; 3]]) -> bool {
                KDop::<S>::of_points(a)
                    .unwrap()
                    .overlaps(&KDop::of_points(b).unwrap())
            }
            [
                both::<3>(&a, &b),
                both::<7>(&a, &b),
                both::<9>(&a, &b),
                both::<13>(&a, &b),
            ]
        };
        assert_eq!(overlap([1.2; 3]), [true, false, true, false]);
        assert_eq!(overlap([1.45, 1.45, 0.0]), [true, true, false, false]);
        assert_eq!(overlap([1.1; 3]), [true; 4]);
        assert_eq!(overlap([2.1, 0.0, 0.0]), [false; 4]);
    }

    #[test]
    fn nothing_and_no_numbers_are_refused() {
        assert!(Dop14::of_points(&[]).is_err());
        assert!(Dop18::of_points(&[[0.0, f64::NAN, 0.0]]).is_err());
    }
}
