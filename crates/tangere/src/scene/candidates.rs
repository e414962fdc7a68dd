//! Broad phase of a scene: candidate pairs, kept while motion allows.
//!
//! Boxes are expanded by half a skin, and [`pairs`](crate::pairs) lists all pairs of expanded boxes
//! within the margin. While the tight box of every body is inside its expanded one, the list contains
//! every pair of bodies within the margin, so it is kept from update to update. A bound of the motion
//! since then shows that without a box, in nearly all updates. Half-spaces have no
//! box: a body is a candidate of a half-space if its expanded box reaches to half a skin above the
//! plane, and the list is kept while the plane turns not at all and moves by less.
//!
//! Answers do not depend on the skin: the narrow phase decides. It is chosen for about
//! [`KEPT_UPDATES`] updates at the speed of the last ones.

use rayon::prelude::*;

use super::bodies::Bodies;
use super::candidate::Candidate;
use super::shape::{Element, way};
use crate::error::{Argument, Error, Result, number};
use crate::geometry::Aabb;
use crate::geometry::vector::{dot, largest, minus};
use crate::pairs::{BroadPhase, Items, PairContact, PairFinder, PairSettings};

/// The number of updates for which the skin is chosen.
const KEPT_UPDATES: f64 = 20.0;

/// The range of skins, relative to the median extent of bodies. A wider skin lists so many more
/// candidates that a search costs less; below the least one, motion is rounding.
const SKINS: [f64; 2] = [1e-3, 0.25];

/// The skin of the first list, relative to the median extent of bodies.
const FIRST_SKIN: f64 = 0.05;

/// The broad phase of a scene; its memory is reused.
#[derive(Debug)]
pub(super) struct Candidates {
    finder: BroadPhase<3>,
    is_periodic: bool,
    /// The expanded boxes for which the list was made, by slot.
    expanded: Vec<Aabb<3>>,
    /// The poses for which the list was made, by slot.
    references: Vec<[f64; 7]>,
    /// The path of each body up to which it is inside its expanded box, whatever way it goes.
    allowed: Vec<f64>,
    /// The slots of unbounded shapes.
    unbounded: Vec<u32>,
    /// The tight boxes for which the list was made, by slot; infinite for unbounded shapes.
    tight: Vec<Aabb<3>>,
    skin: f64,
    /// Memory for the median extent of bodies.
    extents: Vec<f64>,
    /// Updates since the list was made.
    age: u32,
    is_valid: bool,
    lower: Vec<[f64; 3]>,
    upper: Vec<[f64; 3]>,
    /// For each box that the finder has, the slot of its body.
    boxed: Vec<u32>,
    contacts: Vec<PairContact<3>>,
    pairs: Vec<[u32; 2]>,
    /// The list, sorted by slots and image.
    pub list: Vec<Candidate>,
}

impl Candidates {
    pub fn new(settings: PairSettings<3>) -> Result<Self> {
        Ok(Self {
            is_periodic: settings.periodic.is_some(),
            finder: BroadPhase::new(settings)?,
            expanded: Vec::new(),
            references: Vec::new(),
            allowed: Vec::new(),
            unbounded: Vec::new(),
            tight: Vec::new(),
            skin: 0.0,
            extents: Vec::new(),
            age: 0,
            is_valid: false,
            lower: Vec::new(),
            upper: Vec::new(),
            boxed: Vec::new(),
            contacts: Vec::new(),
            pairs: Vec::new(),
            list: Vec::new(),
        })
    }

    /// The number of updates since the list was made.
    pub fn age(&self) -> u32 {
        self.age
    }

    /// Makes the list invalid, so that the next update makes it anew.
    pub fn invalidate(&mut self) {
        self.is_valid = false;
    }

    /// Whether the list still contains every pair within the margin.
    pub fn is_valid(&mut self, bodies: &Bodies) -> bool {
        self.age += 1;
        if !self.is_valid {
            return false;
        }
        let (slack, expanded) = (0.5 * self.skin, &self.expanded);
        let references = &self.references;
        let has_moved_little = |slot: &u32| {
            let slot = *slot as usize;
            let (now, then) = (bodies.pose(slot).to_numbers(), &references[slot]);
            now[3..] == then[3..] && way(then, &now) <= 0.4 * self.skin
        };
        let paths = bodies.paths.par_iter().zip(&mut self.allowed).enumerate();
        self.unbounded.iter().all(has_moved_little)
            && paths.with_min_len(4096).all(|(slot, (path, allowed))| {
                if path <= allowed {
                    return true;
                }
                // A body that moves to and fro is nearer than its path is long.
                let (now, then) = (bodies.pose(slot).to_numbers(), &references[slot]);
                let moved = bodies.shapes[slot].motion_bound(then, &now);
                if moved <= slack {
                    *allowed = path_within(*path, slack - moved);
                    return true;
                }
                let (wide, tight) = (&expanded[slot], bodies.bounds(slot));
                (0..3).all(|k| wide.min[k] <= tight.min[k] && tight.max[k] <= wide.max[k])
            })
    }

    /// Makes the list anew, sorted. Candidates have no history yet.
    ///
    /// # Errors
    /// When the periodic cell is too small for a body, or memory runs out. The list is invalid then.
    pub fn find(&mut self, bodies: &Bodies, margin: f64) -> Result<()> {
        self.is_valid = false;
        self.skin = self.next_skin(bodies);
        let slots = (0..bodies.ids.len()).into_par_iter().with_min_len(1024);
        slots
            .map(|slot| bodies.bounds(slot))
            .collect_into_vec(&mut self.tight);
        if self.search().is_err() {
            // Expanded boxes may be too large for the periodic cell where tight ones are not.
            self.skin = 0.0;
            self.search().map_err(|error| {
                let ids = self.boxed.iter().map(|&slot| bodies.ids[slot as usize]);
                naming_largest(
                    error,
                    ids,
                    &self.lower,
                    &self.upper,
                    "the two largest bodies",
                )
            })?;
        }
        self.list.clear();
        let (boxed, list) = (&self.boxed, &mut self.list);
        let mut push = |[a, b]: [u32; 2], image: [i32; 3]| {
            if !bodies.may_touch(a as usize, b as usize) {
                return;
            }
            list.push(match a < b {
                true => Candidate::new(bodies, [a, b], image),
                false => Candidate::new(bodies, [b, a], image.map(|n| -n)),
            });
        };
        for found in &self.contacts {
            push(found.pair.map(|i| boxed[i as usize]), found.image);
        }
        for pair in &self.pairs {
            push(pair.map(|i| boxed[i as usize]), [0; 3]);
        }
        self.unbounded.clear();
        for slot in (0..bodies.ids.len()).filter(|&slot| !is_bounded(&self.tight[slot])) {
            let pose = bodies.pose(slot);
            self.unbounded.push(slot as u32);
            let plane = match bodies.shapes[slot].only_element() {
                Some(Element::HalfSpace(normal)) => Some(pose.rotate(*normal)),
                _ => None,
            };
            let reach = margin + 0.5 * self.skin;
            for &other in boxed {
                let bounds = &self.expanded[other as usize];
                if plane.is_none_or(|normal| height(bounds, normal, pose.translation()) <= reach) {
                    push([slot as u32, other], [0; 3]);
                }
            }
        }
        if !list.is_sorted_by_key(Candidate::key) {
            list.par_sort_unstable_by_key(Candidate::key);
        }
        self.references.clear();
        let slots = 0..bodies.ids.len();
        self.references
            .extend(slots.clone().map(|slot| bodies.pose(slot).to_numbers()));
        self.allowed.clear();
        let slack = 0.5 * self.skin;
        self.allowed
            .extend(slots.map(|slot| match is_bounded(&self.tight[slot]) {
                true => path_within(bodies.paths[slot], slack),
                false => f64::INFINITY,
            }));
        self.age = 0;
        self.is_valid = true;
        Ok(())
    }

    /// Runs the finder over all boxes, expanded by half the skin.
    fn search(&mut self) -> Result<()> {
        for list in [&mut self.lower, &mut self.upper] {
            list.clear();
        }
        self.boxed.clear();
        self.expanded.clear();
        self.contacts.clear();
        self.pairs.clear();
        for (slot, bounds) in (0u32..).zip(&self.tight) {
            let wide = bounds.expanded(0.5 * self.skin);
            self.expanded.push(wide);
            if is_bounded(bounds) {
                self.boxed.push(slot);
                self.lower.push(wide.min);
                self.upper.push(wide.max);
            }
        }
        self.finder.update(Items::Boxes {
            lower: &self.lower,
            upper: &self.upper,
        })?;
        match self.is_periodic {
            true => self.finder.contacts(&mut self.contacts),
            false => self.finder.pairs(&mut self.pairs),
        }
    }

    /// The skin of the next list: for [`KEPT_UPDATES`] updates at the speed of bodies since the last list;
    /// 0 where bodies move too far for any list to last.
    fn next_skin(&mut self, bodies: &Bodies) -> f64 {
        let extents = &mut self.extents;
        extents.clear();
        let all = bodies.shapes.iter().map(|shape| shape.extent());
        extents.extend(all.filter(|extent| extent.is_finite()));
        if extents.is_empty() {
            return 0.0;
        }
        let middle = extents.len() / 2;
        let median = *extents.select_nth_unstable_by(middle, f64::total_cmp).1;
        if self.age == 0 || self.references.len() != bodies.ids.len() {
            return FIRST_SKIN * median;
        }
        let bounded = bodies.shapes.par_iter().zip(&self.references).enumerate();
        let moved = bounded.with_min_len(4096);
        let moved = moved.map(|(slot, (shape, then))| match shape.extent().is_finite() {
            true => shape.motion_bound(then, &bodies.pose(slot).to_numbers()),
            false => 0.0,
        });
        // A maximum does not depend on the order.
        let speed = moved.reduce(|| 0.0, f64::max) / f64::from(self.age);
        let skin = 2.0 * KEPT_UPDATES * speed;
        match speed > SKINS[1] * median {
            true => 0.0,
            false => skin.clamp(SKINS[0] * median, SKINS[1] * median),
        }
    }
}

/// Adds the body with the largest box to the error that a periodic cell is too small. `boxes` says what
/// must fit twice.
pub(super) fn naming_largest(
    error: Error,
    ids: impl Iterator<Item = u64>,
    lower: &[[f64; 3]],
    upper: &[[f64; 3]],
    boxes: &str,
) -> Error {
    let Error::Argument {
        what: what @ Argument::PeriodicCell,
        found,
        expected,
    } = error
    else {
        return error;
    };
    let extents = lower
        .iter()
        .zip(upper)
        .map(|(low, high)| largest(minus(*high, *low)));
    let Some((id, extent)) = ids.zip(extents).max_by(|a, b| a.1.total_cmp(&b.1)) else {
        return Error::argument(what, found, expected);
    };
    let least = expected.split(',').next().unwrap_or_default();
    let found = format!(
        "{found} and a body {id} whose box is {} wide",
        number(extent)
    );
    Error::argument(what, found, format!("{least}, twice the reach of {boxes}"))
}

/// The path of a body after it went on by no more than `slack`.
fn path_within(path: f64, slack: f64) -> f64 {
    // Downward, so that rounding does not allow more.
    (path + slack * (1.0 - 1e-12)).next_down()
}

fn is_bounded(bounds: &Aabb<3>) -> bool {
    bounds.min[0].is_finite()
}

/// A lower bound of the height of a box over the plane through a point with a unit normal.
fn height(bounds: &Aabb<3>, normal: [f64; 3], point: [f64; 3]) -> f64 {
    let lowest: [f64; 3] = std::array::from_fn(|k| match normal[k] >= 0.0 {
        true => bounds.min[k],
        false => bounds.max[k],
    });
    // A dozen roundings, and as much to spare.
    let error = 32.0 * f64::EPSILON * (largest(lowest) + largest(point));
    dot(normal, minus(lowest, point)) - error
}
