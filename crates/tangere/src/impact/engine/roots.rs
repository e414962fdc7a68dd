//! Which bodies may meet within a time: pairs of boxes swept by the bodies, found by `pairs`.
//!
//! Few bodies are all compared. Of many, time is cut into windows, within each of which bodies sweep boxes; the windows are as
//! long as keeps the pairs a few for each body. A pair that was told once is not told again: what is
//! predicted of it holds for all time.

use std::collections::HashSet;

use super::frame::Mover;
use crate::error::{Error, Result};
use crate::geometry::vector::largest;
use crate::geometry::{Aabb, COORDINATE_MAX, flushed};
use crate::pairs::{Auto, Items, PairFinder, PairSettings};

/// So few bodies are all compared with each other.
const FEW: usize = 32;

/// Windows with more pairs a body than this are halved.
const MOST: usize = 12;

/// Windows with fewer pairs a body than this are doubled.
const LEAST: usize = 3;

/// The first window is the time in which every body that moves goes so many times its size.
const FAR: f64 = 64.0;

/// Which pairs of bodies are known.
#[derive(Clone, Debug)]
pub(super) struct Roots {
    listed: HashSet<[u32; 2]>,
    /// All pairs that may touch by then are listed.
    until: f64,
    /// Half of the window to be tried next.
    window: f64,
}

impl Roots {
    pub(super) fn new() -> Self {
        Roots {
            listed: HashSet::new(),
            until: f64::NEG_INFINITY,
            window: f64::INFINITY,
        }
    }

    /// All pairs that may touch by then are known.
    pub(super) fn until(&self) -> f64 {
        self.until
    }

    /// Looks further ahead, from now at most to a horizon, and tells the pairs that are new.
    pub(super) fn extend(
        &mut self,
        movers: &[Mover],
        now: f64,
        horizon: f64,
        separation: f64,
        mut tell: impl FnMut([u32; 2]),
    ) -> Result<()> {
        let from = self.until.max(now);
        if movers.len() <= FEW {
            self.until = f64::INFINITY;
            for b in 0..movers.len() as u32 {
                for a in 0..b {
                    if self.listed.insert([a, b]) {
                        tell([a, b]);
                    }
                }
            }
            return Ok(());
        }
        let far = far(movers, from);
        let mut window = (2.0 * self.window).min(horizon - from);
        if window == f64::INFINITY {
            window = far;
        }
        // However late it is, a window ends after it begins.
        window = window.max(8.0 * f64::EPSILON * from).min(horizon - from);
        let (mut found, most) = (Vec::new(), MOST * movers.len() + 64);
        loop {
            let swept = |mover: &Mover| swept_box(mover, from, from + window, separation);
            let swept: Vec<Aabb<3>> = movers.iter().map(swept).collect();
            // Where bodies crowd, shorter windows have as many.
            let is_short =
                far == f64::INFINITY || window * FAR * 16.0 < far || from + 0.5 * window <= from;
            let most = if is_short { usize::MAX } else { most };
            if pairs(&swept, most, &mut found)? {
                break;
            }
            window *= 0.5;
        }
        self.until = from + window;
        let is_sparse = found.len() < LEAST * movers.len();
        if window > 0.0 {
            self.window = if is_sparse { window } else { 0.5 * window };
        }
        for pair in found {
            if self.listed.insert(pair) {
                tell(pair);
            }
        }
        Ok(())
    }

    /// A body moves in another way from now on: what it may meet by the time that is known.
    pub(super) fn changed(
        &mut self,
        movers: &[Mover],
        body: u32,
        now: f64,
        separation: f64,
        mut tell: impl FnMut([u32; 2]),
    ) {
        self.listed.retain(|pair| !pair.contains(&body));
        let until = self.until;
        if until <= now {
            return;
        }
        // Few bodies are known for all time.
        let swept = |i: u32| swept_box(&movers[i as usize], now, until, separation);
        let own = (until < f64::INFINITY).then(|| swept(body));
        for other in 0..movers.len() as u32 {
            let meets = || own.is_none_or(|own| own.overlaps(&swept(other)));
            if other != body && meets() {
                let pair = [other.min(body), other.max(body)];
                if self.listed.insert(pair) {
                    tell(pair);
                }
            }
        }
    }

    /// A pair that need not be told any more.
    pub(super) fn list(&mut self, pair: [u32; 2]) {
        self.listed.insert(pair);
    }
}

/// The time in which every body goes far; infinite if none moves.
fn far(movers: &[Mover], from: f64) -> f64 {
    let time = |mover: &Mover| {
        let s = from - mover.since;
        let (v, a) = (mover.motion().velocity(), mover.motion().acceleration());
        let speed = (0..3).map(|k| (v[k] + a[k] * s).abs()).fold(0.0, f64::max);
        let far = FAR * mover.reach_after(s).max(f64::MIN_POSITIVE);
        (far / speed).min((far / largest(a)).sqrt())
    };
    let finite = |t: &f64| *t < f64::INFINITY;
    let most = movers.iter().map(time).filter(finite).fold(0.0, f64::max);
    match most > 0.0 {
        true => most,
        false => f64::INFINITY,
    }
}

/// A box around all places where a body is between two times.
fn swept_box(mover: &Mover, from: f64, to: f64, separation: f64) -> Aabb<3> {
    let s = [from, to].map(|t| t - mover.since);
    let place = mover.place();
    let (v, a) = (mover.motion().velocity(), mover.motion().acceleration());
    let mut swept = Aabb {
        min: place,
        max: place,
    };
    let mut size = mover.reach_after(s[1]) + separation;
    for k in 0..3 {
        if v[k] == 0.0 && a[k] == 0.0 {
            size = size.max(place[k].abs() * 16.0 * f64::EPSILON + size);
            continue;
        }
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        let turn = -v[k] / a[k];
        let times = [s[0], s[1], turn.clamp(s[0], s[1])];
        for t in times.into_iter().filter(|t| !t.is_nan()) {
            let moved = (v[k] + 0.5 * a[k] * t) * t;
            let x = place[k] + moved;
            let error =
                16.0 * f64::EPSILON * (place[k].abs() + (v[k] * t).abs() + (a[k] * t * t).abs());
            min = min.min(x - error);
            max = max.max(x + error);
        }
        swept.min[k] = min;
        swept.max[k] = max;
    }
    let swept = swept.expanded(size);
    // What is beyond all coordinates, or not known, is at their end.
    let within = |x: f64, end: f64| {
        if x.is_nan() {
            end
        } else {
            x.clamp(-COORDINATE_MAX, COORDINATE_MAX)
        }
    };
    Aabb {
        min: flushed(swept.min.map(|x| within(x, -COORDINATE_MAX))),
        max: flushed(swept.max.map(|x| within(x, COORDINATE_MAX))),
    }
}

/// The pairs of boxes that overlap; false if they are too many.
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
        Err(Error::Argument { .. }) if most < usize::MAX => Ok(false),
        Err(error) => Err(error),
    }
}
