//! Bounding sphere of points in two passes (Ritter, Graphics Gems, 1990).
//!
//! *Deviates:* a third pass sets the radius to the distance from the centre to the farthest point.
//! This shrinks the ball a little, and no point is left out by rounding.

use super::Ball;
use crate::geometry::vector::distance_squared;

impl<const D: usize> Ball<D> {
    /// Returns Ritter's bounding sphere of points; none without points. For each axis, take the
    /// points of least and of largest coordinate. The pair that is farthest apart spans the
    /// diameter of the first ball, which then grows by each point outside.
    pub fn ritter(points: &[[f64; D]]) -> Option<Self> {
        let &first = points.first()?;
        let mut extremes = [[first; 2]; D];
        for &p in points {
            for (k, [low, high]) in extremes.iter_mut().enumerate() {
                if p[k] < low[k] {
                    *low = p;
                }
                if p[k] > high[k] {
                    *high = p;
                }
            }
        }
        let mut widest = extremes[0];
        for pair in extremes {
            if distance_squared(pair[0], pair[1]) > distance_squared(widest[0], widest[1]) {
                widest = pair;
            }
        }
        let [low, high] = widest;
        let center = std::array::from_fn(|k| 0.5 * low[k] + 0.5 * high[k]);
        let radius = 0.5 * distance_squared(low, high).sqrt();
        Some(Self::about(grown(center, radius, points), points))
    }
}

/// Grows Ritter's ball by each point outside, in turn, and returns its centre. The smallest ball
/// that contains the old ball and the point becomes the new ball: its far side stays, and its near
/// side reaches the point.
pub(super) fn grown<const D: usize>(
    mut center: [f64; D],
    mut radius: f64,
    points: &[[f64; D]],
) -> [f64; D] {
    for &p in points {
        let square = distance_squared(p, center);
        if square > radius * radius {
            let distance = square.sqrt();
            let t = 0.5 * (distance - radius) / distance;
            center = std::array::from_fn(|k| center[k] + t * (p[k] - center[k]));
            radius = 0.5 * (radius + distance);
        }
    }
    center
}
