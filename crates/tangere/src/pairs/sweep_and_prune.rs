//! Sweep and prune: interval endpoints kept sorted along every axis; a new overlap shows as a
//! swap of two endpoints. schinner1995, section 2.
//!
//! O(n + swaps + overlapping boxes) for an update that moves items a little. The number of swaps of
//! an item grows with its motion and with n^((D-1)/D), the number of items beside it. The first
//! update, a different number of items or a jump of the scene costs O(n log n) and a search through
//! [`Strips`].
//!
//! Deviates: the table of overlaps is a list. A swap of a lower and an upper end adds a pair to it
//! if the boxes now overlap along all axes; boxes that no longer overlap are removed in one pass,
//! as every answer reads the whole table anyway. So a swap needs no table lookup. Beyond a budget
//! of swaps the order is rebuilt by sorting, which is then cheaper: insertion sort alone would be
//! O(n^2). In periodic space the number of ghosts changes from update to update, which also causes
//! a rebuild.

use super::pair_lists::PairLists;
use super::pair_search::PairSearch;
use super::scene::Scene;
use super::strip_sweep::Strips;
use crate::memory::try_reserve;
use std::cell::Cell;
use std::cmp::Ordering;

/// The factor in the maximum number of swaps with which sweep and prune repairs its order: about
/// `BUDGET n log2(n)` for `n` items. Beyond it, sorting anew is cheaper.
const BUDGET: usize = 4;

/// An endpoint of the interval of an item along an axis.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    at: f64,
    /// Twice the index of the item to which the endpoint belongs, plus 1 if it is the upper end.
    which: u32,
}

impl End {
    /// The index of the item to which the endpoint of sweep and prune belongs.
    fn item(self) -> usize {
        (self.which >> 1) as usize
    }

    /// Whether the endpoint in sweep and prune is the upper end of its interval.
    fn is_upper(self) -> bool {
        self.which & 1 == 1
    }

    /// The order of endpoints in sweep and prune. Intervals are closed: at equal coordinates, lower
    /// ends come before upper ones. Item indices break ties, so that the order does not depend on
    /// earlier updates.
    #[inline(always)]
    fn order(&self, other: &End) -> Ordering {
        let key = |end: &End| (end.which & 1, end.which);
        (self.at.partial_cmp(&other.at))
            .unwrap_or(Ordering::Equal)
            .then_with(|| key(self).cmp(&key(other)))
    }
}

/// The search by sweep and prune.
#[derive(Clone, Debug, Default)]
pub struct SweepSearch<const D: usize> {
    /// The sorted endpoints of all items along each axis.
    axes: [Vec<End>; 3],
    /// The table of overlaps: pairs of items whose boxes overlap, each once, in any order.
    table: Vec<[u32; 2]>,
    /// The pairs of items whose boxes begin to overlap during an update of sweep and prune.
    fresh: Vec<[u32; 2]>,
    strips: Strips<D>,
    /// The number of swaps of endpoints in the last update of sweep and prune. `None` if the update
    /// sorted all endpoints anew.
    exchanges: Option<usize>,
    /// Whether more pairs of boxes overlap than the table of sweep and prune may hold.
    overfull: bool,
}

impl<const D: usize> super::Sweep<D> {
    /// The number of swaps of endpoints in the last update of sweep and prune. `None` if the update
    /// sorted all endpoints anew, because the number of items had changed or too many swaps were
    /// needed.
    pub fn exchanges(&self) -> Option<usize> {
        self.search.exchanges
    }
}

impl<const D: usize> SweepSearch<D> {
    /// Repairs the order of endpoints of sweep and prune by insertion sort. Returns the number of
    /// swaps; `None` if there are too many, and the table of overlaps is then invalid.
    fn repair_order(&mut self, scene: &Scene<D>) -> Option<usize> {
        let count = scene.len();
        let budget = BUDGET * count * (usize::BITS - count.leading_zeros()) as usize;
        let mut exchanges = 0;
        self.fresh.clear();
        for k in 0..D {
            let ends = &mut self.axes[k];
            for end in ends.iter_mut() {
                end.at = side(scene, *end, k);
            }
            for sorted in 1..ends.len() {
                let moved = ends[sorted];
                if ends[sorted - 1].order(&moved) != Ordering::Greater {
                    continue;
                }
                let bounds = scene.bounds(moved.item());
                let mut at = sorted;
                while at > 0 && ends[at - 1].order(&moved) == Ordering::Greater {
                    let passed = ends[at - 1];
                    // A lower end moved before an upper end.
                    if !moved.is_upper()
                        && passed.is_upper()
                        && bounds.overlaps(&scene.bounds(passed.item()))
                    {
                        self.fresh.push(sorted_pair(moved, passed));
                    }
                    ends[at] = passed;
                    at -= 1;
                }
                ends[at] = moved;
                exchanges += sorted - at;
                if exchanges > budget {
                    return None;
                }
            }
        }
        let overlap = |&[i, j]: &[u32; 2]| {
            let (a, b) = (scene.bounds(i as usize), scene.bounds(j as usize));
            a.overlaps(&b)
        };
        self.table.retain(overlap);
        // Pairs that were apart along several axes are listed once for each.
        self.fresh.sort_unstable();
        self.fresh.dedup();
        self.table.append(&mut self.fresh);
        Some(exchanges)
    }

    /// Rebuilds sweep and prune: sorts all endpoints anew and fills the table of overlaps by a
    /// sweep in strips.
    fn rebuild(&mut self, scene: &Scene<D>) {
        let count = scene.len();
        for k in 0..D {
            let ends = &mut self.axes[k];
            ends.clear();
            ends.extend((0..2 * count as u32).map(|which| End { at: 0.0, which }));
            for end in ends.iter_mut() {
                end.at = side(scene, *end, k);
            }
            ends.sort_unstable_by(End::order);
        }
        self.strips.update(scene);
        self.table.clear();
        let table = &mut self.table;
        let more = Cell::new(true);
        let visit = |i: u32, j: u32| {
            let (a, b) = (scene.bounds(i as usize), scene.bounds(j as usize));
            if a.overlaps(&b) && more.get() {
                // Memory is only requested when the table grows.
                let full = table.len() >= scene.most_overlaps()
                    || table.len() == table.capacity() && try_reserve(table, 1).is_err();
                match full {
                    true => more.set(false),
                    false => table.push([i.min(j), i.max(j)]),
                }
            }
        };
        self.strips.overlaps(visit, &more);
        self.overfull = !more.get();
        if self.overfull {
            self.table.clear();
        }
    }
}

/// The coordinate of an endpoint of sweep and prune along an axis.
#[inline(always)]
fn side<const D: usize>(scene: &Scene<D>, end: End, k: usize) -> f64 {
    let bounds = scene.bounds(end.item());
    match end.is_upper() {
        true => bounds.max[k],
        false => bounds.min[k],
    }
}

/// The pair of the items to which two endpoints of sweep and prune belong: their indices, the lower
/// first.
fn sorted_pair(a: End, b: End) -> [u32; 2] {
    let [a, b] = [a.which >> 1, b.which >> 1];
    [a.min(b), a.max(b)]
}

impl<const D: usize> PairSearch<D> for SweepSearch<D> {
    fn update(&mut self, scene: &Scene<D>) {
        self.exchanges = match self.axes[0].len() == 2 * scene.len() && !self.overfull {
            true => self.repair_order(scene),
            false => None,
        };
        if self.exchanges.is_none() {
            self.rebuild(scene);
        }
    }

    fn method(&self) -> &'static str {
        "sweep"
    }

    fn search(&mut self, scene: &Scene<D>, found: &mut PairLists) {
        let (list, shared) = found.list();
        if self.overfull {
            list.stop();
            return;
        }
        for &[i, j] in self.table.iter() {
            if list.is_full(shared) {
                list.stop();
                break;
            }
            if scene.touch(i as usize, j as usize) {
                list.push(shared, i, j);
            }
        }
    }
}
