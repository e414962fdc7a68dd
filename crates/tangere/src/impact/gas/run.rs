//! Run of a gas: the event loop, up to a time or a number of collisions.

use super::event::Kind;
use super::setup::Check;
use super::{Collision, Gas, Wall};
use crate::error::{Argument, Error, Result, number};
use crate::geometry::COORDINATE_MAX;
use crate::stop::Current;

/// Number of events per sphere of a gas between two setups.
const EVENTS: usize = 32;
/// The number of events of a gas between two setups is [`EVENTS`] times its number of spheres, or
/// times this if it has fewer spheres.
const SPHERES: usize = 16;
/// Number of events of a run between two checks of whether the run is to stop.
const CHECK_AFTER: u64 = 1 << 10;
/// A run ends without progress if more events happen at one time than this plus a thousand for each
/// sphere.
const AT_ONCE: u64 = 100_000;
/// A run ends without progress if more events happen without a collision than this plus a thousand
/// for each sphere.
const SILENT: u64 = 10_000_000;

/// Why a run of a gas has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The run has processed the given number of collisions.
    Events,
    /// The run has reached the given time.
    Until,
    /// The run has ended because there will be no more collisions.
    Over,
    /// The run makes no progress. Either more than a hundred thousand events, plus a thousand for
    /// each sphere, have happened at one time, as in inelastic collapse without a contact time. Or
    /// more than ten million events, plus a thousand for each sphere, have happened without a
    /// collision. The run may be continued.
    Stalled,
}

impl End {
    /// The name of the reason why a run of a gas has ended: `"events"`, `"until"`, `"over"` or
    /// `"stalled"`.
    pub fn name(self) -> &'static str {
        match self {
            End::Events => "events",
            End::Until => "until",
            End::Over => "over",
            End::Stalled => "stalled",
        }
    }
}

/// Result of a run of a gas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The number of collisions in this run.
    pub events: u64,
    /// Why the run has ended.
    pub end: End,
}

/// Maximum number of times that a sphere may cross the domain in a run without a number of events:
/// 2^53.
const CROSSINGS: f64 = (1_u64 << 53) as f64;

/// Result of processing one event of a run.
enum Step {
    Collision(Collision),
    /// The event was not a collision.
    Other,
}

/// Counters of the events of a run that bring no progress: events at the current time, and events
/// since the last collision.
#[derive(Default)]
struct Patience {
    at_once: u64,
    silent: u64,
}

impl Gas {
    /// Runs the gas until a number of collisions has happened, or up to a time, which may be
    /// infinite. The time of the gas is then `until` if that was reached, otherwise the time of the
    /// last collision.
    ///
    /// Simultaneous collisions come in a fixed order. Several runs give the same collisions as a
    /// single long one, bit for bit.
    ///
    /// # Errors
    /// When `until` is before now, NaN, or finite and above 1.6e60; when a sphere would cross the
    /// domain more than 2^53 times until then, and `events` is as large: such a run has no end; or
    /// [`Error::Stopped`]: the gas is then at the time that it reached, and may be run again.
    pub fn run(
        &mut self,
        events: u64,
        until: f64,
        mut visit: impl FnMut(&Collision),
    ) -> Result<Run> {
        let is_time = until <= COORDINATE_MAX || until == f64::INFINITY;
        if !(is_time && until >= self.time()) {
            let expected = format!(
                "a time from now, {}, to 1.6e60, or infinity",
                number(self.time())
            );
            return Err(Error::argument(Argument::Until, number(until), expected));
        }
        self.check_crossings(events, until)?;
        let stop = Current::new();
        stop.checked()?;
        let (mut found, mut processed) = (0, 0);
        let mut patience = Patience::default();
        let end = loop {
            if found == events {
                break End::Events;
            }
            let Some((time, _)) = self.queue.first().filter(|first| first.0.is_finite()) else {
                break End::Over;
            };
            if self.time_of(time) > until {
                break End::Until;
            }
            if patience.is_lost(self.spheres.len()) {
                break End::Stalled;
            }
            processed += 1;
            if processed % CHECK_AFTER == 0 {
                stop.checked()?;
            }
            if let Step::Collision(collision) = self.step(&mut patience) {
                found += 1;
                visit(&collision);
            }
        };
        if matches!(end, End::Until | End::Over) && until.is_finite() {
            // Rounding must not move time backward.
            let now = (until - self.settings.time - self.base[0]) - self.base[1];
            self.now = self.now.max(now);
        }
        let end = match end {
            End::Over if until.is_finite() => End::Until,
            end => end,
        };
        Ok(Run { events: found, end })
    }

    /// An error if a sphere would cross the domain more than [`CROSSINGS`] times until a time, and no
    /// number of events ends the run before.
    fn check_crossings(&self, events: u64, until: f64) -> Result<()> {
        let duration = until - self.time();
        if !duration.is_finite() || (events as f64) <= CROSSINGS {
            return Ok(());
        }
        let lengths = self.settings.domain.axes().map(|axis| axis.length());
        for (i, sphere) in self.spheres.iter().enumerate() {
            for (k, &length) in lengths.iter().enumerate() {
                let speed = sphere.velocity[k].abs();
                // Without an end of the axis the length is infinite, and the share is 0.
                if speed / length * duration > CROSSINGS {
                    let found = format!(
                        "{}, in which sphere {i} with the speed {} crosses a length of {} too often",
                        number(until),
                        number(speed),
                        number(length)
                    );
                    let expected = "at most 2^53 crossings, or a number of events";
                    return Err(Error::argument(Argument::Until, found, expected));
                }
            }
        }
        Ok(())
    }

    /// One step of a run of a gas: processes the next event of any kind, then sets up the gas again
    /// if that is due. The setup follows its event at once, so that several short runs equal one
    /// long run.
    fn step(&mut self, patience: &mut Patience) -> Step {
        let step = self.event(patience);
        if self.happened >= EVENTS * self.spheres.len().max(SPHERES) {
            let check = match patience.silent as usize >= self.happened {
                true => Check::Silence,
                false => Check::Nothing,
            };
            // Only overlaps of a new gas are rejected.
            let _ = self.set_up(check);
        }
        step
    }

    /// Processes the next event of a run of a gas, of any kind.
    fn event(&mut self, patience: &mut Patience) -> Step {
        let Some((time, sphere)) = self.queue.first() else {
            return Step::Other;
        };
        if time == f64::INFINITY {
            return Step::Other;
        }
        self.happened += 1;
        let before = self.elapsed();
        self.now = time;
        // Times since the last setup may differ even where the total time does not.
        patience.pass(self.elapsed() > before);
        let collision = match self.events[sphere as usize].kind {
            Kind::Escape => {
                self.counts.escapes += 1;
                self.assign_ball(sphere);
                self.predict_event(sphere);
                return Step::Other;
            }
            Kind::Meeting { other, version, .. } if self.versions[other as usize] != version => {
                self.counts.stale += 1;
                self.predict_event(sphere);
                return Step::Other;
            }
            Kind::Meeting { other, image, .. } => self.meet(sphere, other, image),
            Kind::Wall { axis, is_upper } => Some(self.hit(sphere, Wall { axis, is_upper })),
        };
        match collision {
            Some(collision) => {
                patience.silent = 0;
                Step::Collision(collision)
            }
            None => Step::Other,
        }
    }

    /// Processes the event of a run of a gas that two spheres collide; `None` if they separate
    /// already.
    fn meet(&mut self, a: u32, b: u32, image: [i8; 3]) -> Option<Collision> {
        let both = [a, b].map(|i| i as usize);
        for i in both {
            self.spheres[i].move_to(self.now, &self.half);
        }
        let before = both.map(|i| self.spheres[i].velocity);
        let impulse = self.collide(a, b, image);
        let collision = impulse.map(|impulse| {
            self.counts.spheres += 1;
            self.tally.integrate_to(self.now);
            self.tally.add_virial(impulse.virial());
            for (i, before) in both.into_iter().zip(before) {
                self.versions[i] = self.versions[i].wrapping_add(1);
                let after = self.spheres[i].velocity;
                self.tally.add_change(self.masses[i], before, after);
            }
            self.collision(a, b, &impulse)
        });
        self.predict_event(a);
        self.predict_event(b);
        collision
    }

    /// Processes the event of a run of a gas that a sphere collides with a wall.
    fn hit(&mut self, sphere: u32, wall: Wall) -> Collision {
        let i = sphere as usize;
        self.spheres[i].move_to(self.now, &self.half);
        let impulse = self.bounce(sphere, wall);
        self.counts.walls += 1;
        self.versions[i] = self.versions[i].wrapping_add(1);
        self.tally.add_hit(wall.axis as usize, impulse);
        let collision = self.wall_collision(sphere, wall, impulse);
        self.predict_event(sphere);
        collision
    }
}

impl Patience {
    /// Counts an event of a run of a gas; `has_time_passed` is whether it is later than the one
    /// before.
    fn pass(&mut self, has_time_passed: bool) {
        self.silent += 1;
        self.at_once = match has_time_passed {
            true => 0,
            false => self.at_once + 1,
        };
    }

    /// Whether a run of a gas of this many spheres makes no progress.
    fn is_lost(&self, spheres: usize) -> bool {
        let more = 1000 * spheres as u64;
        self.at_once > AT_ONCE + more || self.silent > SILENT + more
    }
}

impl Iterator for Gas {
    type Item = Collision;

    /// Runs the gas to its next collision; `None` if there will be no more, if the gas makes no
    /// progress ([`End::Stalled`]), or when stopped.
    fn next(&mut self) -> Option<Collision> {
        let mut found = None;
        let run = self.run(1, f64::INFINITY, |collision| found = Some(*collision));
        run.ok().and(found)
    }
}
