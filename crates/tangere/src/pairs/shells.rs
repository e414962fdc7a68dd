//! Sorted distances: items are sorted by their distance from a reference point; two items whose
//! distance intervals (shells) do not overlap cannot touch. leszczynski2004, section 2.2, algorithm
//! 1.
//!
//! The paper's form is [`Shells::from_corner`]: the reference point `x0` is the lower corner of the
//! bounds, and item `i` with centre `x` and radius `r` covers the distances from `|x - x0| - r` to
//! `|x - x0| + r`. Of the `n` items of a cube, about n^(2/3) have shells that overlap that of an
//! item, so there are n^(5/3) tests in all (n^(3/2) in a square).
//!
//! Deviates, in the paper's form: boxes are included, with the distances of their nearest and
//! farthest corner, and distances allow for rounding. The paper stops at `2 r_i < l_j - l_i`, with
//! `l` the near distance of a shell; so does this search, as `l_i + 2 r_i` is the far distance.
//!
//! The default form has two reference points, both at infinity along the two least crowded axes:
//! shells become slabs and distances become coordinates, which need no square root and no allowance
//! for rounding. Items are distributed to strips by the second distance, then sorted and searched
//! in each strip by the first ([`super::strip_sweep`]). So an item is tested against n^(1/3) others
//! instead of n^(2/3) (a constant number in a square), eight at once in f32. The order is kept from
//! step to step and repaired by insertion sort.

use super::pair_lists::PairLists;
use super::pair_search::PairSearch;
use super::scene::{Scene, Shapes};
use super::strip_sweep::Strips;
use super::{Finder, PairSettings, Shells};
use crate::error::Result;
use crate::geometry::{Aabb, Vector};
use std::cell::Cell;

/// Bound on the rounding error of the distance of an item from the reference point of its shell,
/// relative to the largest coordinate or extent of the items.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// The shell of an item: its interval of distances from the reference point.
#[derive(Clone, Copy, Debug, Default)]
struct Shell {
    near: f64,
    far: f64,
    index: u32,
}

/// The search of the sorted distances, through the shells of items or through strips.
#[derive(Clone, Debug, Default)]
pub struct ShellSearch<const D: usize> {
    /// Whether distances are measured from the single reference point of leszczynski2004, the lower
    /// corner of the bounds of all items. If it is not set, `strips` are searched instead of
    /// `shells`.
    corner: bool,
    /// The shells of the items, sorted by their near distance from the reference point. An update
    /// starts from the order of the update before.
    shells: Vec<Shell>,
    strips: Strips<D>,
    /// The number of pairs of items that the last search by sorted distances tested.
    tests: usize,
}

impl<const D: usize> Shells<D> {
    /// A finder of sorted distances (shells) with the single reference point of leszczynski2004,
    /// the lower corner of the bounds: slower, for comparison.
    ///
    /// # Errors
    /// When the margin is negative or not finite.
    pub fn from_corner(settings: PairSettings<D>) -> Result<Self> {
        let mut finder: Self = Finder::new(settings)?;
        finder.search.corner = true;
        Ok(finder)
    }

    /// The number of pairs that the search of shells tested for the last answer.
    pub fn tests(&self) -> usize {
        self.search.tests
    }
}

impl<const D: usize> ShellSearch<D> {
    /// Sorts the shells of the items by their near distance from the lower corner of the bounds.
    fn sort(&mut self, scene: &Scene<D>) {
        let count = scene.len();
        let whole = (0..count).fold(Aabb::EMPTY, |b, i| b.union(&scene.bounds(i)));
        // All items are in one orthant of the corner, so that the corners of a
        // box are its nearest and its farthest point.
        let origin = whole.min;
        let largest = (0..D).fold(0.0f64, |m, k| {
            let extent = whole.max[k] - whole.min[k];
            m.max(whole.min[k].abs())
                .max(whole.max[k].abs())
                .max(extent)
        });
        let shifts = Vector::from(scene.shift_error()).norm();
        let slack = ROUNDING * largest + shifts;
        let distance = |p: [f64; D]| {
            let offset: [f64; D] = std::array::from_fn(|k| p[k] - origin[k]);
            Vector::from(offset).norm()
        };
        let half = 0.5 * scene.margin;
        let shell = |i: usize| {
            let (near, far) = match &scene.shapes {
                Shapes::Spheres { centers, radii } => {
                    let (middle, reach) = (distance(centers[i]), radii[i] + half);
                    (middle - reach, middle + reach)
                }
                Shapes::Boxes { .. } => {
                    let bounds = scene.bounds(i);
                    (distance(bounds.min), distance(bounds.max))
                }
            };
            Shell {
                near: near - slack,
                far: far + slack,
                index: i as u32,
            }
        };
        if self.shells.len() == count {
            for s in &mut self.shells {
                *s = shell(s.index as usize);
            }
        } else {
            self.shells.clear();
            self.shells.extend((0..count).map(shell));
        }
        // In place; one pass where everything is still in order.
        self.shells
            .sort_unstable_by(|a, b| (a.near.total_cmp(&b.near)).then(a.index.cmp(&b.index)));
    }
}

impl<const D: usize> PairSearch<D> for ShellSearch<D> {
    fn update(&mut self, scene: &Scene<D>) {
        match self.corner {
            true => self.sort(scene),
            false => self.strips.update(scene),
        }
    }

    fn method(&self) -> &'static str {
        "shells"
    }

    fn search(&mut self, scene: &Scene<D>, found: &mut PairLists) {
        let (list, shared) = found.list();
        let more = Cell::new(true);
        let mut meet = |i: u32, j: u32| {
            if scene.touch(i as usize, j as usize) {
                list.push(shared, i, j);
                if list.is_full(shared) {
                    list.stop();
                    more.set(false);
                }
            }
        };
        if !self.corner {
            self.tests = self.strips.overlaps(meet, &more);
            return;
        }
        self.tests = 0;
        for (at, a) in self.shells.iter().enumerate() {
            if !more.get() {
                break;
            }
            let after = self.shells[at + 1..].iter();
            for b in after.take_while(|b| b.near <= a.far) {
                self.tests += 1;
                meet(a.index, b.index);
            }
        }
    }
}
