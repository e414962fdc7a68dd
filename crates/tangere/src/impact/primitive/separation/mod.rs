//! When does the distance of a pair first come to a separation h > 0?
//!
//! Seen from each other, a pair is the convex hull of differences of corners (a triangle, a
//! parallelogram, a segment, a point), each of which moves straight (`hull`), and the distance is that of the
//! origin. Whatever the direction n, the distance is at least the least of the corners' places along n. With n toward the
//! nearest point at time t, turning as that point does, this bound is the distance at t and falls at its rate, and the
//! first time at which it is h is free of contact until then (`turning`): t becomes that time, and so on. Steps are
//! Newton's, a few lead to contact, and where the distance comes near h and rises again, each goes a part of the
//! way to the turning point and then past it. A direction along which the bound never is h proves that there is no
//! contact. Nothing depends on how well n was found but how far one step goes.
//!
//! The same march to a distance that is less by a few roundings finds a time at which contact is certain. If there is none
//! and they do not even touch, the least distance is h but for rounding: the only thing that is left unresolved.
//!
//! `zhang2007`: conservative advancement with the motion along a direction.
//!
//! *Deviates:* motion along n is bounded for each corner by itself, instead of by one speed for all, and n
//! turns: along a fixed direction the fastest corner of an edge or a face that turns makes steps short, however slowly its
//! nearest point comes nearer.
//!
//! Costs 0.1 to 2 µs for corners at random, 3 directions on average, at most [`STEPS`] twice.

mod minkowski_difference;
mod rotating_axis;

use super::{ContactStatus, FirstContact, Pair, exact};
use minkowski_difference::{MinkowskiDifference, Nearest};

/// Directions tried before giving up. Corners at random take 35 at most, pairs that nearly graze 130.
const STEPS: usize = 1000;
/// How much less than the separation is looked for to find a time within it, in errors of a distance.
const LESS: f64 = 4.0;

/// First contact of the pair of these corners with a separation.
pub(super) fn first_contact<const K: usize>(
    pair: Pair,
    start: &[[f64; 3]; K],
    end: &[[f64; 3]; K],
    separation: f64,
) -> FirstContact {
    if !start.iter().chain(end).flatten().all(|x| x.is_finite()) {
        return FirstContact::NOT_FINITE;
    }
    let found = MinkowskiDifference::new(pair, [start, end], separation).first_contact();
    if found.status != ContactStatus::Unresolved {
        return found;
    }
    // What touches is within any separation.
    let touching = exact::first_contact(pair, start, end);
    match touching.is_contact() {
        true => FirstContact::at(found.early.min(touching.late), touching.late),
        false => found,
    }
}

/// How far a march came.
enum March {
    /// Nothing is so near during the step.
    Past,
    /// Nothing is before then; it may be at that time.
    Until(f64),
}

impl MinkowskiDifference {
    fn first_contact(&self) -> FirstContact {
        if self.is_beside() {
            return FirstContact::FREE;
        }
        let March::Until(early) = self.march(0.0, self.separation, |_| false) else {
            return FirstContact::FREE;
        };
        match self.within_after(early) {
            Some(late) => FirstContact::at(early, late),
            None => FirstContact {
                early,
                ..FirstContact::UNKNOWN
            },
        }
    }

    /// A time from `t` on, soon after it if possible, at which the distance is at most the separation for certain.
    fn within_after(&self, t: f64) -> Option<f64> {
        let is_within = |nearest: &Nearest| self.is_within(nearest);
        let nearest_at = |t: f64| self.nearest(&self.corners(t));
        let nearest = nearest_at(t);
        if is_within(&nearest) {
            return Some(t);
        }
        // As far as the rate of the distance tells.
        let gap = nearest.distance + self.doubt - self.separation;
        let wait = 1.25 * gap / self.closing_rate(&nearest) + f64::EPSILON * t;
        let soon = t + wait;
        if wait > 0.0 && soon < 1.0 && is_within(&nearest_at(soon)) {
            return Some(soon);
        }
        let less = self.separation - LESS * self.doubt;
        if less <= 0.0 {
            return None;
        }
        match self.march(t, less, is_within) {
            March::Until(late) if is_within(&nearest_at(late)) => Some(late),
            _ => None,
        }
    }

    /// From a time on as far as the distance is above `h` for certain, or where it is `enough`.
    fn march(&self, from: f64, h: f64, enough: impl Fn(&Nearest) -> bool) -> March {
        let mut t = from;
        for _ in 0..STEPS {
            let corners = self.corners(t);
            let nearest = self.nearest(&corners);
            if enough(&nearest) {
                break;
            }
            let Some(free) = self.free_for(&nearest, &corners, h) else {
                break;
            };
            // Rounded down, as sums of positive numbers are by their neighbour.
            let until = (t + free).next_down();
            if until > 1.0 {
                return March::Past;
            }
            if until <= t {
                break;
            }
            t = until;
        }
        March::Until(t)
    }
}
