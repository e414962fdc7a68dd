//! Termination of a gas: whether it is certain that no more collisions follow.

use super::Gas;
use super::motion::{Sphere, relative_balls, wall_times};
use super::setup::Check;
use crate::impact::trajectory::{first_meeting, next_collision};

/// Up to this many spheres, a setup tests all pairs for a future collision.
const FEW: usize = 200;
/// Up to this many spheres, a setup after a long time without collisions tests all pairs.
const MANY: usize = 5000;

impl Gas {
    /// Whether the gas has certainly no more collisions ahead, so that it may terminate.
    pub(super) fn is_over(&self, check: Check) -> bool {
        let Some(first) = self.spheres.first() else {
            return true;
        };
        let has_wall = |k: usize| {
            let is_moving = first.velocity[k] != 0.0 || self.half[k] != 0.0;
            is_moving && self.settings.domain.axes()[k].has_wall()
        };
        let has_walls = (0..3).any(has_wall);
        let is_first = |s: &Sphere| s.velocity == first.velocity;
        if !has_walls && self.spheres.iter().all(is_first) {
            return true;
        }
        let most = match check {
            Check::Silence => MANY,
            _ => FEW,
        };
        self.spheres.len() <= most && !self.will_hit_wall() && !self.will_meet()
    }

    /// Whether any sphere will hit a wall, so that the gas does not terminate, supposing that no
    /// two spheres meet.
    fn will_hit_wall(&self) -> bool {
        let axes = self.settings.domain.axes();
        self.spheres.iter().any(|sphere| {
            (0..3).any(|k| {
                let (x, v) = (sphere.center[k], sphere.velocity[k]);
                let times = wall_times(&axes[k], x, v, self.half[k], sphere.radius);
                times.iter().any(|time| time.is_finite())
            })
        })
    }

    /// Whether any two spheres may still meet, so that the gas does not terminate, supposing that
    /// none hits a wall. Coordinates along periodic axes are ignored: two spheres may meet if their
    /// projections on the space of the other axes do.
    fn will_meet(&self) -> bool {
        let is_periodic = self
            .settings
            .domain
            .axes()
            .map(|axis| axis.period().is_some());
        let across = |k: usize, x: f64| if is_periodic[k] { 0.0 } else { x };
        (1..self.spheres.len()).any(|i| {
            let (before, rest) = self.spheres.split_at(i);
            let a = &rest[0];
            before.iter().any(|b| {
                let d = [0, 1, 2].map(|k| across(k, b.center[k] - a.center[k]));
                let v = [0, 1, 2].map(|k| across(k, b.velocity[k] - a.velocity[k]));
                let [a, b] = relative_balls(d, v, a.radius + b.radius);
                // Overlapping projections prove nothing, so the spheres may meet.
                match is_periodic == [false; 3] {
                    true => next_collision(&a, &b).is_ok_and(|found| found.is_contact()),
                    false => first_meeting(&a, &b).is_contact(),
                }
            })
        })
    }
}
