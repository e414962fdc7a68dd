//! Cells of several sizes, each twice the last: an item sits in a cell of its
//! own size, and looks for others among cells of its size and of all larger
//! ones. About O(n log n), whatever the sizes.
//!
//! Items are in the cell of their lower corner. One that overlaps item `i` has
//! its lower corner between `min_i - h` and `max_i`, where `h` is the edge of its
//! cells, no less than its extent: no more than three cells along an axis. Cell
//! numbers never turn `a <= b` into `a > b`, so that this holds with rounding,
//! far from the origin and at the ends of the numbers.
//!
//! No cell is much smaller than the mean distance of items: smaller ones would
//! be empty around all items, and each size costs every smaller item a look. If
//! some cells are crowded, though, as items lie in clusters, cells get smaller.
//!
//! On each level items are sorted by cell, the first axis fastest, so that a
//! row of cells is one range; occupied rows are found through a hash table.

use super::Search;
use super::scene::Scene;
use super::strips::Frame;
use crate::geometry::Aabb;

/// Bits of a cell number along an axis.
const BITS: u32 = 21;
/// Smallest cells hold more than this many items per item on average only if
/// smaller cells do not help.
const CROWD: usize = 8;
/// How often cells are made smaller, each time by four.
const TRIES: usize = 12;

/// Items of one size.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// The edge of cells: 2^power times the smallest.
    power: i32,
    start: usize,
    end: usize,
}

/// An occupied row of cells; empty where there are no entries.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    key: u64,
    level: u32,
    start: u32,
    end: u32,
}

/// An item in its cell.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    power: i32,
    index: u32,
    key: u64,
}

/// The search through cells of several sizes.
#[derive(Clone, Debug, Default)]
pub struct GridSearch<const D: usize> {
    entries: Vec<Entry>,
    /// Boxes in the order of entries.
    boxes: Vec<[[f32; 3]; 2]>,
    /// Occupied levels, the smallest cells first.
    levels: Vec<Level>,
    /// Occupied rows by hash, at most half full.
    rows: Vec<Row>,
    origin: [f64; 3],
    edge: f64,
}

impl<const D: usize> GridSearch<D> {
    /// A number along axis `k` for cells of edge `h`, whose inverse is given.
    #[inline(always)]
    fn cell(&self, x: f64, k: usize, inverse: f64) -> u64 {
        // Casts saturate. Far away cells run together, which is right but slow;
        // the origin leaves most items far from both ends.
        let middle = f64::from(1u32 << (BITS - 1));
        let number = ((x - self.origin[k]) * inverse).floor() + middle;
        (number as u64).min((1 << BITS) - 1)
    }

    fn key(&self, p: [f64; D], inverse: f64) -> u64 {
        (0..D)
            .rev()
            .fold(0, |key, k| key << BITS | self.cell(p[k], k, inverse))
    }

    /// Puts items into cells of which the smallest are of edge `self.edge`, and
    /// returns how many items share a cell of these with how many, squared.
    fn deal(&mut self, scene: &Scene<D>) -> usize {
        let edge = self.edge;
        self.entries.clear();
        for i in 0..scene.len() {
            let bounds = scene.bounds(i);
            // An edge no less than the extent, which is rounded.
            let extent = bounds.extent().into_iter().fold(0.0, f64::max) * (1.0 + 1e-12);
            let power = match extent <= edge {
                true => 0,
                false => (extent / edge).log2().ceil() as i32,
            };
            // The logarithm is rounded, too.
            let power = power + i32::from(edge_at(edge, power) < extent);
            let key = self.key(bounds.min, 1.0 / edge_at(edge, power));
            self.entries.push(Entry {
                power,
                index: i as u32,
                key,
            });
        }
        self.entries
            .sort_unstable_by_key(|e| (e.power, e.key, e.index));
        let cells = self
            .entries
            .chunk_by(|a, b| (a.power, a.key) == (b.power, b.key));
        let smallest = cells.take_while(|cell| cell[0].power == 0);
        smallest.map(|cell| cell.len() * cell.len()).sum()
    }

    /// Finds occupied levels and rows.
    fn index(&mut self) {
        self.levels.clear();
        let slots = (2 * self.entries.len().max(1)).next_power_of_two();
        self.rows.clear();
        self.rows.resize(slots, Row::default());
        let mut start = 0;
        for level in self.entries.chunk_by(|a, b| a.power == b.power) {
            let number = self.levels.len() as u32;
            self.levels.push(Level {
                power: level[0].power,
                start,
                end: start + level.len(),
            });
            for row in level.chunk_by(|a, b| a.key >> BITS == b.key >> BITS) {
                let key = row[0].key >> BITS;
                let mut slot = hash(key, number) & (slots - 1);
                while self.rows[slot].end != 0 {
                    slot = (slot + 1) & (slots - 1);
                }
                let end = start + row.len();
                self.rows[slot] = Row {
                    key,
                    level: number,
                    start: start as u32,
                    end: end as u32,
                };
                start = end;
            }
        }
    }

    /// The entries of a row.
    #[inline(always)]
    fn row(&self, key: u64, level: u32) -> std::ops::Range<usize> {
        let mask = self.rows.len() - 1;
        let mut slot = hash(key, level) & mask;
        loop {
            let row = &self.rows[slot];
            if row.end == 0 {
                return 0..0;
            }
            if row.key == key && row.level == level {
                return row.start as usize..row.end as usize;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Calls `visit` with the ranges of entries on a level whose cells the lower
    /// corner of something that overlaps `bounds` may be in, of those whose row is
    /// `from` or after it.
    #[inline(always)]
    fn around(
        &self,
        level: usize,
        bounds: &Aabb<D>,
        from: u64,
        mut visit: impl FnMut(std::ops::Range<usize>),
    ) {
        let edge = edge_at(self.edge, self.levels[level].power);
        let inverse = 1.0 / edge;
        let first: [u64; D] = std::array::from_fn(|k| self.cell(bounds.min[k] - edge, k, inverse));
        let last: [u64; D] = std::array::from_fn(|k| self.cell(bounds.max[k], k, inverse));
        let (slabs, slabs_end) = if D == 3 {
            (first[D - 1], last[D - 1])
        } else {
            (0, 0)
        };
        for z in slabs..=slabs_end {
            for y in first[1]..=last[1] {
                let key = if D == 3 { z << BITS | y } else { y };
                if key < from {
                    continue;
                }
                let row = self.row(key, level as u32);
                let entries = &self.entries[row.clone()];
                let x = |e: &Entry| e.key & ((1 << BITS) - 1);
                // Rows are short: most have a few entries.
                let skipped = entries.partition_point(|e| x(e) < first[0]);
                let taken = entries[skipped..].iter().take_while(|e| x(e) <= last[0]);
                let start = row.start + skipped;
                let end = start + taken.count();
                if start < end {
                    visit(start..end);
                }
            }
        }
    }
}

/// The edge of cells of a level.
fn edge_at(edge: f64, power: i32) -> f64 {
    edge * 2.0f64.powi(power)
}

fn hash(key: u64, level: u32) -> usize {
    // The high bits of a product with an odd number near 2^64 / phi.
    let mixed = (key ^ u64::from(level) << 57).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 32) as usize
}

impl<const D: usize> Search<D> for GridSearch<D> {
    fn update(&mut self, scene: &Scene<D>) {
        let count = scene.len();
        let frame = Frame::new(scene);
        for k in 0..D {
            self.origin[k] = frame.origin[k] + 0.5 * frame.size[k];
        }
        // The mean distance of items, along the axes on which they differ at all.
        let mut volume = -(count.max(1) as f64).ln();
        let mut axes = 0.0;
        for k in (0..D).filter(|&k| !frame.flat[k]) {
            volume += frame.size[k].max(frame.mean[k]).ln();
            axes += 1.0;
        }
        self.edge = if axes > 0.0 {
            (volume / axes).exp()
        } else {
            1.0
        };
        let mut shared = self.deal(scene);
        for _ in 0..TRIES {
            if shared <= CROWD * count {
                break;
            }
            let before = self.edge;
            self.edge *= 0.25;
            let fewer = self.deal(scene);
            if fewer > shared / 2 {
                self.edge = before;
                self.deal(scene);
                break;
            }
            shared = fewer;
        }
        self.index();
        self.boxes.clear();
        for entry in &self.entries {
            let bounds = scene.bounds(entry.index as usize);
            let mut sides = [[0.0; 3]; 2];
            for k in 0..D {
                // Rounding keeps order, so that overlapping boxes overlap.
                sides[0][k] = frame.unit(bounds.min[k], k) as f32;
                sides[1][k] = frame.unit(bounds.max[k], k) as f32;
            }
            self.boxes.push(sides);
        }
    }

    fn method(&self) -> &'static str {
        "grid"
    }

    fn search(&mut self, scene: &Scene<D>, found: &mut Vec<[u32; 2]>) {
        for (number, level) in self.levels.iter().enumerate() {
            for i in level.start..level.end {
                let entry = self.entries[i];
                let bounds = scene.bounds(entry.index as usize);
                let own = self.boxes[i];
                let mut meet = |range: std::ops::Range<usize>| {
                    for j in range {
                        let other = self.boxes[j];
                        let apart = |k: usize| own[0][k] > other[1][k] || other[0][k] > own[1][k];
                        let index = self.entries[j].index;
                        if !(0..D).any(apart) && scene.touch(entry.index as usize, index as usize) {
                            found.push([entry.index, index]);
                        }
                    }
                };
                // Of two of the same size, the first finds the second.
                self.around(number, &bounds, entry.key >> BITS, |range| {
                    meet(range.start.max(i + 1)..range.end);
                });
                for larger in number + 1..self.levels.len() {
                    self.around(larger, &bounds, 0, &mut meet);
                }
            }
        }
    }
}
