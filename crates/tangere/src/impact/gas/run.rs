//! From event to event.

use super::event::Kind;
use super::setup::Check;
use super::{Collision, Gas, Wall};
use crate::error::{Argument, Error, Result, number};
use crate::geometry::COORDINATE_MAX;
use crate::stop::Current;

/// Events a sphere until times are counted anew.
const EVENTS: usize = 32;
/// The same for few spheres: as if there were so many.
const SPHERES: usize = 16;
/// Events between looks at whether to stop.
const LOOKS: u64 = 1 << 10;
/// Collisions without any time passing after which a run ends, and as many thousands as there are spheres.
const AT_ONCE: u64 = 100_000;
/// The same of spheres that leave their balls without a collision.
const SILENT: u64 = 10_000_000;

/// Why a run has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// As many collisions as were asked for have happened.
    Events,
    /// The time asked for is reached.
    Until,
    /// There will be no more collisions.
    Over,
    /// No end is in sight: more than a hundred thousand collisions, and a thousand for each sphere, have happened without
    /// any time passing, as of spheres that lose energy without a contact time; or spheres have moved ten
    /// million times between neighbours without a collision. It may be run on.
    Stalled,
}

impl End {
    /// `"events"`, `"until"`, `"over"` or `"stalled"`.
    pub fn name(self) -> &'static str {
        match self {
            End::Events => "events",
            End::Until => "until",
            End::Over => "over",
            End::Stalled => "stalled",
        }
    }
}

/// What a run has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Collisions that have happened.
    pub events: u64,
    /// Why it has ended.
    pub end: End,
}

/// What one event was.
enum Step {
    Collision(Collision),
    /// Nothing that is told.
    Other,
}

/// How long nothing has got on.
#[derive(Default)]
struct Patience {
    at_once: u64,
    silent: u64,
}

impl Gas {
    /// Goes from collision to collision until so many have happened, or up to a time, which may be infinite. At its end
    /// the time is that time if it was reached, otherwise that of the last collision.
    ///
    /// Collisions at the same time come in a fixed order. A run in parts is the same as a whole one, bit for bit.
    ///
    /// # Errors
    /// When `until` is before now, NaN, or finite and above 1.6e60; or [`Error::Stopped`]: the gas is then at the
    /// time up to which it came, and may be run on.
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
        let stop = Current::new();
        stop.checked()?;
        let (mut found, mut looks) = (0, 0);
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
            looks += 1;
            if looks % LOOKS == 0 {
                stop.checked()?;
            }
            if let Step::Collision(collision) = self.step(&mut patience) {
                found += 1;
                visit(&collision);
            }
        };
        if matches!(end, End::Until | End::Over) && until.is_finite() {
            // Rounding must not take it back.
            let now = (until - self.settings.time - self.base[0]) - self.base[1];
            self.now = self.now.max(now);
        }
        let end = match end {
            End::Over if until.is_finite() => End::Until,
            end => end,
        };
        Ok(Run { events: found, end })
    }

    /// The next event of any kind. Times are counted anew right after one, so that runs in parts do not matter.
    fn step(&mut self, patience: &mut Patience) -> Step {
        let step = self.event(patience);
        if self.happened >= EVENTS * self.spheres.len().max(SPHERES) {
            let check = match patience.silent as usize >= self.happened {
                true => Check::Silence,
                false => Check::Nothing,
            };
            // Only overlaps of a new gas are refused.
            let _ = self.set_up(check);
        }
        step
    }

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
        // Times from when all was last set up are finer than this, without end.
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

    /// Two spheres meet; none if they part already.
    fn meet(&mut self, a: u32, b: u32, image: [i8; 3]) -> Option<Collision> {
        let both = [a, b].map(|i| i as usize);
        for i in both {
            self.spheres[i].move_to(self.now, &self.half);
        }
        let before = both.map(|i| self.spheres[i].velocity);
        let blow = self.collide(a, b, image);
        let collision = blow.map(|blow| {
            self.counts.spheres += 1;
            self.tally.pass(self.now);
            self.tally.add_virial(blow.virial());
            for (i, before) in both.into_iter().zip(before) {
                self.versions[i] = self.versions[i].wrapping_add(1);
                let after = self.spheres[i].velocity;
                self.tally.add_change(self.masses[i], before, after);
            }
            self.collision(a, b, &blow)
        });
        self.predict_event(a);
        self.predict_event(b);
        collision
    }

    /// A sphere hits a wall.
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
    fn pass(&mut self, has_time_passed: bool) {
        self.silent += 1;
        self.at_once = match has_time_passed {
            true => 0,
            false => self.at_once + 1,
        };
    }

    fn is_lost(&self, spheres: usize) -> bool {
        let more = 1000 * spheres as u64;
        self.at_once > AT_ONCE + more || self.silent > SILENT + more
    }
}

impl Iterator for Gas {
    type Item = Collision;

    /// The next collision; none if there will be no more, none is in sight ([`End::Stalled`]), or work is to stop.
    fn next(&mut self) -> Option<Collision> {
        let mut found = None;
        let run = self.run(1, f64::INFINITY, |collision| found = Some(*collision));
        run.ok().and(found)
    }
}
