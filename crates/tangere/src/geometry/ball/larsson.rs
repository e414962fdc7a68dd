//! Bounding sphere from extremal points in fixed directions, EPOS (Larsson, Fast and
//! tight fitting bounding spheres, SIGRAD 2008).
//!
//! The smallest ball of the extremal points is grown by each point outside, as Ritter's ball is.
//!
//! *Deviates:* a last pass sets the radius, as for Ritter's ball. In two dimensions, which the
//! paper leaves out, the same construction gives 4 directions.

use super::Ball;
use super::ritter::grown;
use crate::geometry::vector::dot;

/// The directions in which extremal points are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extremes {
    /// The axes and the diagonals of a cube (or square): EPOS-14 of the paper, 14 points in three
    /// dimensions and 8 in two.
    Corners,
    /// All directions with coordinates -1, 0 and 1: EPOS-26 of the paper, 26 points in three
    /// dimensions and 8 in two.
    All,
}

impl Extremes {
    /// Returns the directions of extremal points of Larsson's bounding sphere: one of each pair of
    /// opposite directions.
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
    /// Returns Larsson's bounding sphere of points (EPOS); none without points. If there are not
    /// more points than extremal points (14, 26 or 8, see [`Extremes`]), it is the smallest ball up
    /// to rounding.
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
