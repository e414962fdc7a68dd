//! Cells of several sizes, each twice the last: an item sits in a cell of its
//! own size, and looks for others among cells of its size and of all larger
//! ones. About O(n log n), whatever the sizes.
//!
//! Items are in the cell of their lower corner, whose edge is no less than their
//! extent. Seen from an item in cell `c` of some edge, others whose cells have
//! this edge are then, along each axis, in cells `c - 1` to the cell of its upper
//! corner, at most `c + 1`. Larger cells are made of smaller ones: their numbers
//! are those of the smallest without the last bits.
//!
//! No cell is much smaller than the mean distance of items: smaller ones would
//! be empty around all items, and each size costs every smaller item a look. If
//! some cells are crowded, though, as items lie in clusters, cells get smaller.
//!
//! On each level items are sorted by cell, the first axis fastest. The items of
//! a row of cells meet those of a neighbouring row, of the same or of larger
//! cells, in one pass over both; occupied rows are found through a hash table.

use super::Search;
use super::found::Found;
use super::scene::Scene;
use super::strips::Frame;

/// Bits of a cell number along an axis.
const BITS: u32 = 21;
/// The last cell along an axis, which is the mask of a number, too.
const LAST: u64 = (1 << BITS) - 1;
/// What edges are larger than extents: more than the error of a cell number, of
/// up to 2^20, before it is rounded down.
const ROOM: f64 = 1.0 + 1e-8;
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
    /// The cells of its lower and upper corner, as numbers of its level.
    key: u64,
    upper: u64,
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
    /// The number of a cell that holds a point, the first axis in the lowest bits.
    fn key(&self, p: [f64; D], power: i32) -> u64 {
        let inverse = 1.0 / self.edge;
        (0..D).rev().fold(0, |key, k| {
            // Casts saturate. Cells far away run together, which is right but slow;
            // the origin leaves most items far from both ends.
            let middle = f64::from(1u32 << (BITS - 1));
            let number = ((p[k] - self.origin[k]) * inverse + middle) as u64;
            key << BITS | number.min(LAST) >> power.min(BITS as i32)
        })
    }

    /// Puts items into cells of which the smallest are of edge `self.edge`, and
    /// returns how many items share a cell of these with how many, squared.
    fn deal(&mut self, scene: &Scene<D>) -> usize {
        let edge = self.edge;
        self.entries.clear();
        for i in 0..scene.len() {
            let bounds = scene.bounds(i);
            let extent = bounds.extent().into_iter().fold(0.0, f64::max) * ROOM;
            let power = match extent <= edge {
                true => 0,
                false => (extent / edge).log2().ceil() as i32,
            };
            // The logarithm is rounded, too.
            let power = power + i32::from(edge_at(edge, power) < extent);
            self.entries.push(Entry {
                power,
                index: i as u32,
                key: self.key(bounds.min, power),
                upper: self.key(bounds.max, power),
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

    /// Calls `meet` with every two entries of a row and of level `other`, no
    /// smaller than its own, that are in neighbouring cells.
    #[inline(always)]
    fn around(
        &self,
        row: std::ops::Range<usize>,
        level: usize,
        other: usize,
        meet: &mut impl FnMut(usize, usize),
    ) {
        let shift = (self.levels[other].power - self.levels[level].power).min(BITS as i32);
        let part = |key: u64, k: u32| (key >> (k * BITS) & LAST) >> shift;
        let key = self.entries[row.start].key;
        let (y, z) = (part(key, 1), part(key, 2));
        for above in z.saturating_sub(1)..=(z + 1).min(LAST) {
            if D == 2 && above != z {
                continue;
            }
            for beside in y.saturating_sub(1)..=(y + 1).min(LAST) {
                // Of two rows of the same level, the first finds the second.
                if level == other && (above, beside) < (z, y) {
                    continue;
                }
                let own = level == other && (above, beside) == (z, y);
                let target = self.row(above << BITS | beside, other as u32);
                let x = |j: usize| self.entries[j].key & LAST;
                let mut from = target.start;
                for i in row.clone() {
                    let Entry { key, upper, .. } = self.entries[i];
                    if part(upper, 1) < beside || part(upper, 2) < above {
                        continue;
                    }
                    let last = part(upper, 0);
                    while from < target.end && x(from) + 1 < part(key, 0) {
                        from += 1;
                    }
                    let mut j = if own { i + 1 } else { from };
                    while j < target.end && x(j) <= last {
                        meet(i, j);
                        j += 1;
                    }
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

    fn search(&mut self, scene: &Scene<D>, found: &mut Found) {
        let (list, rule) = found.list();
        let mut meet = |i: usize, j: usize| {
            let (a, b) = (self.boxes[i], self.boxes[j]);
            let apart = |k: usize| a[0][k] > b[1][k] || b[0][k] > a[1][k];
            let [i, j] = [i, j].map(|at| self.entries[at].index);
            if !(0..D).any(apart) && scene.touch(i as usize, j as usize) {
                list.push(rule, i, j);
            }
        };
        for (number, level) in self.levels.iter().enumerate() {
            let mut start = level.start;
            let entries = &self.entries[level.start..level.end];
            for row in entries.chunk_by(|a, b| a.key >> BITS == b.key >> BITS) {
                let end = start + row.len();
                for other in number..self.levels.len() {
                    self.around(start..end, number, other, &mut meet);
                }
                start = end;
            }
        }
    }
}
