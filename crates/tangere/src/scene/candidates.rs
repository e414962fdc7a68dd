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
use crate::error::Result;
use crate::geometry::vector::{dot, largest, minus};
use crate::geometry::{Aabb, Pose};
use crate::pairs::{BroadPhase, Items, PairContact, PairFinder, PairSettings};

/// The number of updates for which the skin is chosen.
const KEPT_UPDATES: f64 = 12.0;

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
    /// The slots of unbounded shapes.
    unbounded: Vec<u32>,
    /// The tight boxes for which the list was made, by slot; infinite for unbounded shapes.
    tight: Vec<Aabb<3>>,
    skin: f64,
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
            unbounded: Vec::new(),
            tight: Vec::new(),
            skin: 0.0,
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
        let has_moved_little = |slot: &u32| {
            let slot = *slot as usize;
            let (now, then) = (bodies.poses[slot].to_numbers(), &self.references[slot]);
            now[3..] == then[3..] && way(then, &now) <= 0.4 * self.skin
        };
        let balls = bodies.balls.par_iter().zip(&self.references).enumerate();
        self.unbounded.iter().all(has_moved_little)
            && balls.with_min_len(4096).all(|(slot, (ball, then))| {
                if !ball[3].is_nan() {
                    return way(then, ball) <= slack;
                }
                // The bound is cheap; where it does not suffice, the tight box may still be inside.
                let (shape, wide) = (&bodies.shapes[slot], &expanded[slot]);
                let now = bodies.poses[slot].to_numbers();
                shape.motion_bound(then, &now) <= slack || !is_bounded(wide) || {
                    let tight = bodies.bounds(slot);
                    (0..3).all(|k| wide.min[k] <= tight.min[k] && tight.max[k] <= wide.max[k])
                }
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
            self.search()?;
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
            let pose = bodies.poses[slot];
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
        let numbers = bodies.poses.iter().map(Pose::to_numbers);
        self.references.extend(numbers);
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
    fn next_skin(&self, bodies: &Bodies) -> f64 {
        let mut extents: Vec<f64> = (bodies.shapes.iter().map(|shape| shape.extent()))
            .filter(|extent| extent.is_finite())
            .collect();
        if extents.is_empty() {
            return 0.0;
        }
        let middle = extents.len() / 2;
        let median = *extents.select_nth_unstable_by(middle, f64::total_cmp).1;
        if self.age == 0 || self.references.len() != bodies.poses.len() {
            return FIRST_SKIN * median;
        }
        let poses = bodies.poses.par_iter().zip(&self.references);
        let moved = poses.zip(&bodies.shapes).with_min_len(4096);
        let moved = moved.map(|((now, then), shape)| match shape.extent().is_finite() {
            true => shape.motion_bound(then, &now.to_numbers()),
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
