//! Bounding sphere from extremal points in fixed directions, EPOS (Larsson, Fast and
//! tight fitting bounding spheres, SIGRAD 2008).
//!
//! The first ball is the smallest enclosing ball of the extremal points. It then grows by each
//! point outside of it, as in Ritter's algorithm.
//!
//! *Deviates:* a last pass sets the radius to the distance from the centre to the farthest point.
//! The paper treats three dimensions only; in two, the same construction gives 4 directions, with 8
//! extremal points.

use super::Ball;
use super::ritter::grown;
use crate::geometry::vector::dot;

/// The directions in which Larsson's bounding sphere takes extremal points: for each direction, the
/// first and the last of the points along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extremes {
    /// The directions of the axes and of the diagonals of a cube (a square in two dimensions):
    /// EPOS-14 of the paper, with 14 extremal points in three dimensions and 8 in two.
    Corners,
    /// All directions whose coordinates are each -1, 0 or 1: EPOS-26 of the paper, with 26 extremal
    /// points in three dimensions and 8 in two.
    All,
}

impl Extremes {
    /// Returns the directions in which Larsson's bounding sphere takes extremal points. Of two
    /// opposite directions it returns one.
    fn directions<const D: usize>(self) -> Vec<[f64; D]> {
        let mut directions = Vec::new();
        for number in 1..3usize.pow(D as u32) {
            let mut rest = number;
            let digits: [usize; D] = std::array::from_fn(|_| {
                let digit = rest % 3;
                rest /= 3;
                digit
            });
            // Digit 2 stands for -1; the first digit that is not 0 must be 1.
            let leads = digits.iter().find(|&&d| d != 0) == Some(&1);
            let size = digits.iter().filter(|&&d| d != 0).count();
            if leads && (self == Extremes::All || size == 1 || size == D) {
                directions.push(digits.map(|d| [0.0, 1.0, -1.0][d]));
            }
        }
        directions
    }
}

impl<const D: usize> Ball<D> {
    /// Returns Larsson's bounding sphere of points (EPOS); none without points. The number of
    /// extremal points is 14, 26 or 8 (see [`Extremes`]). If `points` has at most that many points,
    /// the result is their smallest enclosing ball, up to rounding.
    pub fn larsson(points: &[[f64; D]], extremes: Extremes) -> Option<Self> {
        let &first = points.first()?;
        let directions = extremes.directions::<D>();
        if points.len() <= 2 * directions.len() {
            return Self::smallest(points);
        }
        // For each direction, the lowest and the highest projection with their points.
        let mut ends: Vec<[(f64, [f64; D]); 2]> = directions
            .iter()
            .map(|&direction| [(dot(first, direction), first); 2])
            .collect();
        // A chunk stays in the cache while all directions read it.
        for chunk in points.chunks(512) {
            for (&direction, [low, high]) in directions.iter().zip(&mut ends) {
                for &p in chunk {
                    let place = dot(p, direction);
                    if place < low.0 {
                        *low = (place, p);
                    }
                    if place > high.0 {
                        *high = (place, p);
                    }
                }
            }
        }
        let extremal: Vec<[f64; D]> = ends.iter().flatten().map(|end| end.1).collect();
        let ball = Self::smallest(&extremal)?;
        Some(Self::about(grown(ball.center, ball.radius, points), points))
    }
}
