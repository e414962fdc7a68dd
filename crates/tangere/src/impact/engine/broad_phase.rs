//! Broad phase: pairs of bodies whose swept boxes overlap within a window of time, found by
//! `pairs`.
//!
//! If there are few bodies, all pairs are reported. For many, time is divided into windows in which
//! each body sweeps a box, relative to the median motion of all. The length of windows adapts so
//! that there are a few pairs per body. Each pair is reported once, not again in later windows: the
//! lower bound of its time of impact is predicted then, and holds until a motion changes.

use std::collections::HashSet;

use super::mover::Mover;
use crate::error::{Argument, Error, Result};
use crate::geometry::vector::{largest, minus};
use crate::geometry::{Aabb, COORDINATE_MAX, flushed};
use crate::pairs::{Auto, Items, PairFinder, PairSettings};

/// Up to this many bodies all pairs are reported.
const FEW: usize = 32;

/// A window of time with more pairs per body than this is halved.
const MOST: usize = 12;

/// After a window of time with fewer pairs per body than this, the next one is twice as long.
const LEAST: usize = 3;

/// For each moving body the time is computed in which it moves by this many times its size. The
/// first window is the median of these times, divided by this number. A window in which the slowest
/// moving body moves by less than 1/16 of its size is not halved.
const FAR: f64 = 64.0;

/// Pairs of bodies reported so far, and the time up to which they are complete.
#[derive(Clone, Debug)]
pub(super) struct BroadPhase {
    listed: HashSet<[u32; 2]>,
    /// All pairs that may touch up to this time are reported.
    until: f64,
    /// Half the length of the next window.
    window: f64,
    drift: Drift,
}

impl BroadPhase {
    /// A broad phase of moving bodies that has reported no pairs.
    pub(super) fn new() -> Self {
        BroadPhase {
            listed: HashSet::new(),
            until: f64::NEG_INFINITY,
            window: f64::INFINITY,
            drift: Drift::default(),
        }
    }

    /// The time up to which the broad phase has reported all pairs of bodies that may touch.
    pub(super) fn until(&self) -> f64 {
        self.until
    }

    /// Extends the broad phase of moving bodies by one window of time and reports the new pairs.
    /// The window does not depend on the horizon of a query, so many short queries cost no more
    /// than one long query.
    pub(super) fn extend(
        &mut self,
        movers: &[Mover],
        now: f64,
        separation: f64,
        mut report: impl FnMut([u32; 2]),
    ) -> Result<()> {
        let from = self.until.max(now);
        if movers.len() <= FEW {
            self.until = f64::INFINITY;
            for b in 0..movers.len() as u32 {
                for a in 0..b {
                    if self.listed.insert([a, b]) {
                        report([a, b]);
                    }
                }
            }
            return Ok(());
        }
        self.drift = Drift::new(movers, from);
        let drift = self.drift;
        let mut times = far(movers, from, &drift);
        let far = times
            .iter()
            .copied()
            .reduce(f64::max)
            .unwrap_or(f64::INFINITY);
        let mut window = match self.window < f64::INFINITY {
            true => 2.0 * self.window,
            // Half of the moving bodies move at most by their size.
            false if !times.is_empty() => {
                let middle = times.len() / 2;
                *times.select_nth_unstable_by(middle, f64::total_cmp).1 / FAR
            }
            false => f64::INFINITY,
        };
        // At late times floats are coarse: the window must have a length above 0. Motions must be
        // known within it.
        let known = movers
            .iter()
            .map(Mover::until)
            .fold(f64::INFINITY, f64::min);
        window = window.max(8.0 * f64::EPSILON * from).min(known - from);
        let (mut found, most) = (Vec::new(), MOST * movers.len() + 64);
        let (mut boxes, mut names) = (Vec::new(), Vec::new());
        loop {
            boxes.clear();
            names.clear();
            for (name, mover) in movers.iter().enumerate() {
                let swept = swept_box(mover, [from, from + window], separation, &drift);
                // A body beyond the range of coordinates meets nothing.
                if let Some(swept) = swept {
                    boxes.push(swept);
                    names.push(name as u32);
                }
            }
            // In dense crowds a shorter window does not reduce the pairs.
            let is_short =
                far == f64::INFINITY || window * FAR * 16.0 < far || from + 0.5 * window <= from;
            let most = if is_short { usize::MAX } else { most };
            if pairs(&boxes, most, &mut found)? {
                break;
            }
            window *= 0.5;
        }
        let is_sparse = found.len() < LEAST * movers.len();
        if window > 0.0 {
            self.window = if is_sparse { window } else { 0.5 * window };
        }
        for pair in found {
            let pair = pair.map(|i| names[i as usize]);
            if self.listed.insert(pair) {
                report(pair);
            }
        }
        // All pairs are reported, or at most one body is within the range of coordinates.
        let count = movers.len() as u64;
        let is_all = self.listed.len() as u64 == count * (count - 1) / 2 || names.len() < 2;
        self.until = if is_all { f64::INFINITY } else { from + window };
        Ok(())
    }

    /// Updates the broad phase for a body whose motion has changed: reports its new pairs, up to
    /// the time of the broad phase.
    pub(super) fn update_body(
        &mut self,
        movers: &[Mover],
        body: u32,
        now: f64,
        separation: f64,
        mut report: impl FnMut([u32; 2]),
    ) {
        self.listed.retain(|pair| !pair.contains(&body));
        let until = self.until;
        if until <= now {
            return;
        }
        let drift = self.drift.at(now);
        let swept = |i: u32| swept_box(&movers[i as usize], [now, until], separation, &drift);
        // Without an end of this time all pairs are reported.
        let is_bounded = until < f64::INFINITY;
        let own = if is_bounded { swept(body) } else { None };
        for other in 0..movers.len() as u32 {
            let meets = || match (own, is_bounded) {
                (_, false) => true,
                (Some(own), _) => swept(other).is_some_and(|other| own.overlaps(&other)),
                (None, _) => false,
            };
            if other != body && meets() {
                let pair = [other.min(body), other.max(body)];
                if self.listed.insert(pair) {
                    report(pair);
                }
            }
        }
    }

    /// Marks a pair of moving bodies as reported by the broad phase.
    pub(super) fn mark_listed(&mut self, pair: [u32; 2]) {
        self.listed.insert(pair);
    }
}

/// Drift: the median motion of the bodies at a time. Relative to it, bodies that fly or fall
/// together are at rest.
#[derive(Clone, Copy, Debug, Default)]
struct Drift {
    time: f64,
    velocity: [f64; 3],
    acceleration: [f64; 3],
}

impl Drift {
    /// The drift of a broad phase: the median of the velocities and accelerations of all bodies at
    /// a time.
    fn new(movers: &[Mover], time: f64) -> Self {
        let mut values = Vec::with_capacity(movers.len());
        let mut median = |of: &dyn Fn(&Mover) -> f64| {
            values.clear();
            values.extend(movers.iter().map(of));
            let middle = values.len() / 2;
            let value = *values.select_nth_unstable_by(middle, f64::total_cmp).1;
            if value.is_finite() { value } else { 0.0 }
        };
        Drift {
            time,
            velocity: [0, 1, 2].map(|k| median(&|m: &Mover| velocity_at(m, time, k))),
            acceleration: [0, 1, 2].map(|k| median(&|m: &Mover| m.motion().acceleration()[k])),
        }
    }

    /// The drift of the broad phase at a later time.
    fn at(&self, time: f64) -> Self {
        let (v, a) = (self.velocity, self.acceleration);
        let velocity: [f64; 3] = std::array::from_fn(|k| v[k] + a[k] * (time - self.time));
        match velocity.iter().all(|v| v.is_finite()) {
            true => Drift {
                time,
                velocity,
                ..*self
            },
            false => Drift::default(),
        }
    }
}

/// Coordinate `k` of the velocity of a body of the broad phase at a time.
fn velocity_at(mover: &Mover, time: f64, k: usize) -> f64 {
    mover.motion().velocity()[k] + mover.motion().acceleration()[k] * (time - mover.since)
}

/// For each body of the broad phase that is not at rest relative to the drift: the time in which it
/// moves by [`FAR`] times its size.
fn far(movers: &[Mover], from: f64, drift: &Drift) -> Vec<f64> {
    let time = |mover: &Mover| {
        let speed = (0..3).map(|k| (velocity_at(mover, from, k) - drift.velocity[k]).abs());
        let pull = minus(mover.motion().acceleration(), drift.acceleration);
        let far = FAR * mover.reach_after(from - mover.since).max(f64::MIN_POSITIVE);
        (far / speed.fold(0.0, f64::max)).min((far / largest(pull)).sqrt())
    };
    let times = movers.iter().map(time);
    times.filter(|t| *t > 0.0 && *t < f64::INFINITY).collect()
}

/// The box swept by a body of the broad phase between two times, in a frame that moves with `drift`
/// from the first time on. `None` if the body has left the range of coordinates.
fn swept_box(
    mover: &Mover,
    [from, to]: [f64; 2],
    separation: f64,
    drift: &Drift,
) -> Option<Aabb<3>> {
    let (s, length) = (from - mover.since, to - from);
    let position = mover.position();
    let (v, a) = (mover.motion().velocity(), mover.motion().acceleration());
    let (mut min, mut max) = ([0.0; 3], [0.0; 3]);
    for k in 0..3 {
        let here = position[k] + (v[k] + 0.5 * a[k] * s) * s;
        let off = position[k].abs() + (v[k] * s).abs() + (a[k] * s * s).abs();
        if here.abs() - 16.0 * f64::EPSILON * off > 2.0 * COORDINATE_MAX {
            // A body that has left the range does not return.
            let rate = v[k] + a[k] * s;
            if here.is_sign_positive() == rate.is_sign_positive() && here * a[k] >= 0.0 {
                return None;
            }
        }
        (min[k], max[k]) = (here, here);
        let mut error = 16.0 * f64::EPSILON * off;
        let rate = velocity_at(mover, from, k) - drift.velocity[k];
        let bend = a[k] - drift.acceleration[k];
        if rate != 0.0 || bend != 0.0 {
            let fastest = v[k].abs() + (a[k] * s).abs() + drift.velocity[k].abs();
            let strongest = a[k].abs() + drift.acceleration[k].abs();
            error += 16.0 * f64::EPSILON * (fastest + strongest * length) * length;
            // The extremes are at the turning point, if there is one, and at the end.
            for t in [(-rate / bend).clamp(0.0, length), length] {
                let x = here + (rate + 0.5 * bend * t) * t;
                // NaN, from infinities that cancel: the body may be anywhere.
                let [low, high] = match x.is_nan() {
                    true if t.is_nan() => [here; 2],
                    true => [f64::NEG_INFINITY, f64::INFINITY],
                    false => [x; 2],
                };
                (min[k], max[k]) = (min[k].min(low), max[k].max(high));
            }
        }
        let margin = mover.reach_after(to - mover.since) + separation + error;
        let within = |x: f64, end: f64| match x.is_nan() {
            true => end,
            false => x.clamp(-COORDINATE_MAX, COORDINATE_MAX),
        };
        min[k] = within((min[k] - margin).next_down(), -COORDINATE_MAX);
        max[k] = within((max[k] + margin).next_up(), COORDINATE_MAX);
    }
    let (min, max) = (flushed(min), flushed(max));
    Some(Aabb { min, max })
}

/// Finds the pairs of swept boxes of the broad phase that overlap; returns false if there are more
/// than `most`.
fn pairs(boxes: &[Aabb<3>], most: usize, found: &mut Vec<[u32; 2]>) -> Result<bool> {
    let lower: Vec<[f64; 3]> = boxes.iter().map(|b| b.min).collect();
    let upper: Vec<[f64; 3]> = boxes.iter().map(|b| b.max).collect();
    let settings = PairSettings {
        most,
        ..PairSettings::default()
    };
    let mut finder = Auto::new(settings)?;
    finder.update(Items::Boxes {
        lower: &lower,
        upper: &upper,
    })?;
    match finder.pairs(found) {
        Ok(()) => Ok(true),
        Err(Error::TooMany {
            what: Argument::Pairs,
            ..
        }) => Ok(false),
        Err(error) => Err(error),
    }
}
