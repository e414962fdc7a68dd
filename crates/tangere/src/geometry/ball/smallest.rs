//! Smallest enclosing ball of points (Welzl, Smallest enclosing disks, 1991;
//! Gärtner, Fast and robust smallest enclosing balls, 1999).
//!
//! The smallest ball of all points is that of a basis: at most `D + 1` of the points, all on its
//! boundary. Each round reads all points once, as in Gärtner's pivoting: the point farthest outside
//! the ball of the current basis joins the points of the basis, and the next basis is chosen among
//! these few. There are about ten rounds. The ball grows in each, though by less than rounding
//! where three points form a nearly right angle. So rounds end when the lower bound of the radius
//! (that of the ball of the basis) and the upper bound (the distance from a centre to the farthest
//! point) agree up to rounding, or after [`PATIENCE`] rounds in a row that improve neither bound.
//!
//! *Deviates:* the basis of the `D + 2` points is not found by Welzl's recursion with its
//! containment tests, which rounding can make inconsistent when points are duplicate, collinear or
//! cospherical. The circumcentre of every subset that contains the new point (at most `2^(D + 1)`
//! subsets) is computed, and the circumcentre whose largest distance to the `D + 2` points is least
//! becomes the centre. A badly rounded circumcentre is far from some point and loses, so no
//! tolerance is needed, and there is no cycling and no recursion.
//!
//! Everything is computed relative to the first point in units of the extent, so that neither a
//! large offset nor a tiny size loses digits.

use super::Ball;
use crate::geometry::vector::{distance_squared, dot, largest, minus};

impl<const D: usize> Ball<D> {
    /// Returns the smallest enclosing ball of the points, up to rounding; none without points. The
    /// centre is rounded too: its error grows with its distance from the origin.
    pub fn smallest(points: &[[f64; D]]) -> Option<Self> {
        let &origin = points.first()?;
        let extent = points
            .iter()
            .fold(0.0, |m: f64, &p| m.max(largest(minus(p, origin))));
        let center = Units::new(origin, extent).map(|units| {
            units.center_of_smallest(|center| {
                let mut farthest = (0.0, center);
                for &p in points {
                    let p = units.local(p);
                    let square = distance_squared(p, center);
                    if square > farthest.0 {
                        farthest = (square, p);
                    }
                }
                farthest
            })
        });
        Some(Self::about(center.unwrap_or(origin), points))
    }
}

/// Local coordinates in which the smallest enclosing ball of points is computed: relative to one of
/// the points, in units of a power of two close to the extent of the points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units<const D: usize> {
    origin: [f64; D],
    unit: f64,
    per_unit: f64,
}

impl<const D: usize> Units<D> {
    /// Returns the local coordinates in which the smallest enclosing ball of points is computed:
    /// relative to `origin`, in units of a power of two close to `extent`, the extent of the
    /// points. None if the extent is 0 or not finite.
    pub(crate) fn new(origin: [f64; D], extent: f64) -> Option<Self> {
        if extent == 0.0 || !extent.is_finite() {
            return None;
        }
        let unit = power_of_two_below(extent);
        Some(Self {
            origin,
            unit,
            per_unit: 1.0 / unit,
        })
    }

    /// Converts a point to the local coordinates in which the smallest enclosing ball is computed.
    #[inline]
    pub(crate) fn local(&self, p: [f64; D]) -> [f64; D] {
        minus(p, self.origin).map(|x| x * self.per_unit)
    }

    /// Converts a length to the local units in which the smallest enclosing ball is computed.
    #[inline]
    pub(crate) fn local_length(&self, length: f64) -> f64 {
        length * self.per_unit
    }

    /// Returns the centre of the smallest enclosing ball, in the coordinates of the given points.
    /// The callback `farthest` gets a centre in local coordinates. It returns the squared distance
    /// to the point farthest from that centre, and the point, both in local coordinates.
    pub(crate) fn center_of_smallest(
        &self,
        mut farthest: impl FnMut([f64; D]) -> (f64, [f64; D]),
    ) -> [f64; D] {
        let mut basis = Basis::of([0.0; D]);
        // The best bounds so far of the squared radius: the ball of a few points bounds it from
        // below, the farthest point from a centre from above.
        let (mut lower, mut upper) = (0.0, f64::INFINITY);
        let mut center = basis.center;
        let mut patience = PATIENCE;
        loop {
            let (square, point) = farthest(basis.center);
            if basis.square > lower || square < upper {
                patience = PATIENCE;
            } else {
                patience -= 1;
            }
            lower = basis.square.max(lower);
            if square < upper {
                upper = square;
                center = basis.center;
            }
            if upper <= lower * (1.0 + 4.0 * f64::EPSILON) || patience == 0 {
                break;
            }
            basis = basis.entered(point);
        }
        std::array::from_fn(|k| self.origin[k] + center[k] * self.unit)
    }
}

/// Maximum number of rounds in a row that improve neither the lower nor the upper bound of the
/// radius; then the search for the smallest ball stops. It exceeds the number of candidates for the
/// next basis in a round, at most 14 in three dimensions.
const PATIENCE: u32 = 16;

/// Returns the unit of local coordinates of the smallest enclosing ball: the largest power of two
/// that is not above `x`, for a positive, finite, normal `x`.
fn power_of_two_below(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & (0x7ff << 52)).max(f64::MIN_POSITIVE)
}

/// The capacity of the array of points of a [`Basis`], which needs at most `D + 1` points.
const CAPACITY: usize = 8;

/// A basis of the smallest enclosing ball: the few points on the boundary of the ball that
/// determine it, with the centre of the ball.
#[derive(Clone, Copy)]
struct Basis<const D: usize> {
    /// The number of points of the basis, at most `D + 1`: the first `count` entries of `points`.
    count: usize,
    points: [[f64; D]; CAPACITY],
    center: [f64; D],
    /// The largest squared distance from the centre of the ball to the points from which this basis
    /// was chosen: those of the previous basis, and the point that entered.
    square: f64,
}

impl<const D: usize> Basis<D> {
    const FITS: () = assert!(D + 1 < CAPACITY);

    /// Returns the basis of the smallest enclosing ball of one point.
    fn of(point: [f64; D]) -> Self {
        let () = Self::FITS;
        Self {
            count: 1,
            points: [point; CAPACITY],
            center: point,
            square: 0.0,
        }
    }

    /// Returns the basis of the smallest enclosing ball of the points of this basis and a new
    /// point. The new point lies outside of the current ball, and hence on the boundary of the next
    /// one.
    fn entered(&self, new: [f64; D]) -> Self {
        let old = &self.points[..self.count];
        let mut best = Self {
            square: f64::INFINITY,
            ..Self::of(new)
        };
        for subset in 1..1u32 << old.len() {
            if subset.count_ones() as usize > D {
                continue;
            }
            let (mut count, mut points) = (1, [new; CAPACITY]);
            for (i, &p) in old.iter().enumerate() {
                if subset >> i & 1 == 1 {
                    points[count] = p;
                    count += 1;
                }
            }
            let Some(center) = circumcenter(&points[..count]) else {
                continue;
            };
            let square = old
                .iter()
                .map(|&p| distance_squared(p, center))
                .fold(distance_squared(new, center), f64::max);
            if square < best.square {
                best = Self {
                    count,
                    points,
                    center,
                    square,
                };
            }
        }
        best
    }
}

/// Returns the circumcentre of points, the centre of a ball with all of them on its boundary: the
/// point of their affine hull that has the same distance to all of them. None if one of the points
/// lies in the affine hull of the points before it.
///
/// With the first point as origin, `2 q.c = q.q` for the centre `c` and every other point `q`. Each
/// point `q` adds a unit vector `e`, orthogonal to all points before it (Gram-Schmidt). The centre
/// moves along `e`, so its distances to the points before stay equal: `c' = c + a e` with
/// `a = (q.q - 2 q.c) / (2 q.e)`.
fn circumcenter<const D: usize>(points: &[[f64; D]]) -> Option<[f64; D]> {
    let origin = points[0];
    let mut directions = [[0.0; D]; CAPACITY];
    let mut center = [0.0; D];
    for (before, &p) in points[1..].iter().enumerate() {
        let q = minus(p, origin);
        let mut e = q;
        // Two passes are enough for orthogonality to rounding.
        for _ in 0..2 {
            for &d in &directions[..before] {
                let along = dot(e, d);
                e = std::array::from_fn(|k| e[k] - along * d[k]);
            }
        }
        let scale = largest(e);
        if scale == 0.0 {
            return None;
        }
        let e = e.map(|x| x / scale);
        let length = dot(e, e).sqrt();
        let e = e.map(|x| x / length);
        // The excess is `|q - c|^2 - |c|^2 = q.(q - 2 c)`.
        let excess = dot(q, std::array::from_fn(|k| q[k] - 2.0 * center[k]));
        let a = 0.5 * excess / dot(q, e);
        center = std::array::from_fn(|k| center[k] + a * e[k]);
        directions[before] = e;
    }
    let center = std::array::from_fn(|k| origin[k] + center[k]);
    center.iter().all(|x: &f64| x.is_finite()).then_some(center)
}
