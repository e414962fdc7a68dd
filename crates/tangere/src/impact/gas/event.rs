//! Next event of a sphere of a gas: it meets a neighbour or a wall, or leaves its bounding sphere.
//!
//! Each sphere stores only its own next event. That suffices: of two spheres, the last one to
//! change its motion tested the other, so its next event is not later than their collision; and the
//! next event of a sphere is predicted again after each of its events. If the motion of the other
//! sphere has changed since an event was predicted (its version differs), the event is stale: it is
//! discarded and predicted again.

use super::Gas;
use super::domain::Axis;
use super::motion::{exit_time_bound, relative_balls, wall_times};
use crate::geometry::COORDINATE_MAX;
use crate::geometry::vector::dot;
use crate::impact::trajectory::next_collision;

/// The latest time of an event of a gas. An event that is predicted for a later time never happens.
pub(super) const LAST: f64 = COORDINATE_MAX;

/// Kind of the next event of a sphere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// The sphere meets periodic image `image` of sphere `other`. `version` is the version of the
    /// motion of `other` when the event was predicted. If `other` has another version now, its
    /// motion has changed, and the event is stale.
    Meeting {
        other: u32,
        image: [i8; 3],
        version: u32,
    },
    /// The sphere meets the lower or upper wall normal to axis `axis`.
    Wall { axis: u8, is_upper: bool },
    /// The sphere leaves its bounding sphere.
    Escape,
}

/// The next event of a sphere; its time is infinite if there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Event {
    pub time: f64,
    pub kind: Kind,
}

impl Event {
    pub const NEVER: Self = Event {
        time: f64::INFINITY,
        kind: Kind::Escape,
    };

    /// Replaces this event of a sphere by another one if that is earlier, or at equal times first
    /// in the order of [`Kind`].
    #[inline]
    fn keep_earlier(&mut self, other: Event) {
        if other.time < self.time || (other.time == self.time && other.kind < self.kind) {
            *self = other;
        }
    }
}

impl Gas {
    /// The next event of a sphere after the current time.
    #[inline]
    pub(super) fn next_event(&self, sphere: u32) -> Event {
        match self.half == [0.0; 3] {
            true => self.next_event_under(sphere, &[0.0; 3]),
            false => self.next_event_under(sphere, &self.half),
        }
    }

    /// The next event of a sphere after the current time. `half` is half the acceleration of
    /// gravity along axes with walls, and 0 along the others. Without gravity it is a constant 0,
    /// so that the compiler removes the terms.
    #[inline(always)]
    fn next_event_under(&self, sphere: u32, half: &[f64; 3]) -> Event {
        let (now, i) = (self.now, sphere as usize);
        let (home, radius) = (self.cells.ball(sphere), self.spheres[i].radius);
        let (x, v) = self.spheres[i].at(now, half);
        let w = [0, 1, 2].map(|k| x[k] - home.center[k]);
        let mut next = Event {
            time: now + exit_time_bound(w, v, half, home.skin),
            kind: Kind::Escape,
        };
        for (k, axis) in self.settings.domain.axes().iter().enumerate() {
            if let Axis::Walls { .. } = axis {
                let times = wall_times(axis, x[k], v[k], half[k], radius);
                for (time, is_upper) in times.into_iter().zip([false, true]) {
                    let kind = Kind::Wall {
                        axis: k as u8,
                        is_upper,
                    };
                    next.keep_earlier(Event {
                        time: now + time,
                        kind,
                    });
                }
            }
        }
        for link in self.neighbors.of(sphere) {
            let other = &self.spheres[link.other as usize];
            let (y, u) = other.at(now, half);
            let mut d = [0, 1, 2].map(|k| y[k] - x[k]);
            if link.image != [0; 3] {
                let shift = self.settings.domain.shift(link.image);
                d = [0, 1, 2].map(|k| d[k] + shift[k]);
            }
            let u = [0, 1, 2].map(|k| u[k] - v[k]);
            let reach = radius + other.radius;
            let (rate, gap) = (dot(d, u), dot(d, d) - reach * reach);
            // The collision is at gap / (-rate + √...), where the root is at most -rate, so not
            // before half of gap / -rate. Most collisions are later than the event known already.
            if gap > -2.000_001 * rate * (next.time - now) && gap > 1e-9 * reach * reach {
                continue;
            }
            let [a, b] = relative_balls(d, u, reach);
            // Relative motions have no acceleration.
            let Ok(found) = next_collision(&a, &b) else {
                continue;
            };
            let kind = Kind::Meeting {
                other: link.other,
                image: link.image,
                version: self.versions[link.other as usize],
            };
            next.keep_earlier(Event {
                time: now + found.early,
                kind,
            });
        }
        match next.time <= LAST {
            true => next,
            false => Event::NEVER,
        }
    }

    /// Predicts the next event of a sphere and queues it.
    pub(super) fn predict_event(&mut self, sphere: u32) {
        let event = self.next_event(sphere);
        self.events[sphere as usize] = event;
        self.queue.set(sphere, event.time);
    }
}
