//! Shallow penetration: proof of a penetration depth by the face in contact and two inner balls.
//!
//! The Minkowski difference of the bodies is convex. It contains the face that the features in contact
//! make: at the distance `d` of the depth from the origin, with a disc of radius `e` about the
//! projection `d n` of the origin. And it contains the ball about the difference `c` of the centers of
//! the bodies whose radius `r` is the sum of their inner radii. So it contains the ball of radius `d`
//! about the origin if in every direction at least one of the two reaches as far as `d`. At an angle
//! `x` from the normal `n`
//! - the disc reaches `d cos x + e sin x`, which is at least `d` up to the angle `2 atan(e / d)`,
//! - the ball reaches at least `cos x (n . c) - sin x |c - (n . c) n| + r`. For `n . c <= 0` this grows
//!   from a right angle on.
//!
//! So if the largest angle of the disc is at least a right angle, one comparison at this angle decides.
//! It holds unless bodies are pressed into each other by more than the face in contact is wide, and
//! needs no polytope. Cost: the corners of the face.

use super::epa::RIM;
use super::relative_frame::RelativeFrame;
use super::voronoi_criterion::ClosestFeatures;
use crate::contact::Feature;
use crate::geometry::vector::dot;

/// Whether the depth of two features is proven to be the penetration depth of the bodies. `closest`
/// holds the distance of the features, which is minus their depth. The proof shows that the Minkowski
/// difference contains the ball about the origin whose radius is the depth plus `margin`, except for
/// the part of the ball beyond the face of the difference that the features make.
#[inline]
pub(super) fn is_proven(
    frame: &RelativeFrame,
    features: [Feature; 2],
    closest: &ClosestFeatures,
    margin: f64,
) -> bool {
    let least = margin - closest.answer.gap;
    let rim = RIM * frame.rim(features, closest.along);
    // The disc reaches up to a right angle at least.
    if rim.is_nan() || rim <= least {
        return false;
    }
    let normal = frame.pose_a.rotate_back(closest.answer.normal);
    let center = frame.shift.map(|x| 0.0 - x);
    let along = dot(normal, center);
    if along > 0.0 {
        return false;
    }
    let across: [f64; 3] = std::array::from_fn(|k| center[k] - along * normal[k]);
    let across = dot(across, across).sqrt();
    let inner = frame.a.inner_radius() + frame.b.inner_radius();
    let ratio = rim / least;
    let squared = ratio * ratio;
    let (cosine, sine) = match squared < f64::MAX {
        true => (
            (1.0 - squared) / (1.0 + squared),
            2.0 * ratio / (1.0 + squared),
        ),
        false => (-1.0, 0.0),
    };
    cosine * along - sine * across + inner >= least
}
