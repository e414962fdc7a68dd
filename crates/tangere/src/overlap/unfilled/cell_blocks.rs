//! Blocks of unfilled cells: groups of 8, 64 and 512 cells that are accepted or rejected together.
//!
//! A block well inside the other body counts with all of its cells, a block well outside with none.
//! Other blocks are subdivided, down to the smallest blocks of eight cells, which are evaluated in
//! one batch. The result equals that of all cells one by one, except for the order of additions.

use super::lattice::Lattice;
use super::{BodyCell, Reach};
use crate::simd::LANES;

/// The number of levels of blocks, which have 2, 4 and 8 cells along each axis.
pub(super) const LEVELS: usize = 3;

/// The number of smallest blocks that are evaluated at once.
const WAITING: usize = 64;

/// Which cells of a block lie within reach of the other body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    None,
    All,
    /// Some cells do, others do not: subdivide.
    Mixed,
}

/// The other body, which accepts and rejects blocks of cells.
pub(super) trait Other {
    /// Returns which cells of a block lie within reach of the other body; the block is given by its
    /// level and its middle.
    fn share(&self, middle: [f64; 3], level: usize, reach: Reach) -> Share;
    /// Returns the unfilled volume and the volume of the body in the listed blocks of eight cells,
    /// each cell weighted by its share within reach.
    fn add(&self, eights: &[Eight], gaps: &[[f64; LANES]], list: &[u32], reach: Reach) -> [f64; 2];
}

/// A smallest block: eight cells.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Eight {
    /// The middles of the cells, coordinate by coordinate.
    pub(super) middles: [[f64; LANES]; 3],
    /// The volume of the body in each cell; 0 in unused lanes.
    pub(super) body: [f64; LANES],
}

/// A block: a cube of adjacent cells.
#[derive(Clone, Copy, Debug)]
struct Block {
    middle: [f64; 3],
    /// The range of its blocks one level below, or of its cells for a smallest block: its start,
    /// then its end.
    first: u32,
    end: u32,
}

/// The cells of a body in three levels of blocks.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    side: f64,
    /// The indices of the cells, sorted by block.
    order: Vec<u32>,
    eights: Vec<Eight>,
    levels: [Vec<Block>; LEVELS],
    /// The volume of the body in each block, by level.
    body: [Vec<f64>; LEVELS],
    /// The unfilled volume, by the number of levels of spheres that are subtracted.
    gaps: Vec<Gaps>,
}

/// The unfilled volume of cells and of blocks.
#[derive(Clone, Debug)]
struct Gaps {
    eights: Vec<[f64; LANES]>,
    levels: [Vec<f64>; LEVELS],
}

/// Returns the distance from the middle of a block to the middle of its farthest cell, in sides of
/// a cell.
pub(super) fn radius(level: usize) -> f64 {
    super::HALF_DIAGONAL * ((2 << level) - 1) as f64
}

/// Returns a sort key that groups cells by blocks of all levels.
fn order(place: [usize; 3]) -> [[usize; 3]; LEVELS + 1] {
    std::array::from_fn(|i| place.map(|x| x >> (LEVELS - i)))
}

impl Blocks {
    /// Groups the cells of a body into blocks.
    pub(super) fn new(lattice: &Lattice, body_cells: &[BodyCell]) -> Self {
        let mut numbers: Vec<u32> = (0..body_cells.len() as u32).collect();
        let place = |i: u32| lattice.indices(body_cells[i as usize].cell as usize);
        numbers.sort_by_cached_key(|&i| order(place(i)));
        let body_cells: Vec<BodyCell> = numbers.iter().map(|&i| body_cells[i as usize]).collect();
        let mut levels: [Vec<Block>; LEVELS] = Default::default();
        let mut places: Vec<[usize; 3]> = body_cells
            .iter()
            .map(|body_cell| lattice.indices(body_cell.cell as usize))
            .collect();
        for (level, blocks) in levels.iter_mut().enumerate() {
            let size = (2 << level) as f64 * lattice.side;
            let mut above: Vec<[usize; 3]> = Vec::new();
            for (i, place) in (0..).zip(&places) {
                let parent = place.map(|x| x / 2);
                if above.last() != Some(&parent) {
                    above.push(parent);
                    blocks.push(Block {
                        middle: std::array::from_fn(|k| {
                            lattice.origin[k] + (parent[k] as f64 + 0.5) * size
                        }),
                        first: i,
                        end: i,
                    });
                }
                if let Some(block) = blocks.last_mut() {
                    block.end = i + 1;
                }
            }
            places = above;
        }
        let eights = levels[0].iter().map(|block| {
            let mut eight = Eight {
                middles: block.middle.map(|x| [x; LANES]),
                body: [0.0; LANES],
            };
            for (lane, body_cell) in body_cells[block.first as usize..block.end as usize]
                .iter()
                .enumerate()
            {
                let middle = lattice.middle(body_cell.cell as usize);
                for k in 0..3 {
                    eight.middles[k][lane] = middle[k];
                }
                eight.body[lane] = body_cell.body;
            }
            eight
        });
        let mut made = Self {
            side: lattice.side,
            order: numbers,
            eights: eights.collect(),
            levels,
            body: Default::default(),
            gaps: Vec::new(),
        };
        let body: Vec<f64> = body_cells.iter().map(|body_cell| body_cell.body).collect();
        made.body = made.added(&body);
        made
    }

    /// Returns, level by level, the sum over the cells of each block of a value that is given for
    /// each cell.
    fn added(&self, body_cells: &[f64]) -> [Vec<f64>; LEVELS] {
        let mut sums: [Vec<f64>; LEVELS] = Default::default();
        for level in 0..LEVELS {
            let below = if level == 0 {
                body_cells
            } else {
                &sums[level - 1]
            };
            sums[level] = self.levels[level]
                .iter()
                .map(|block| below[block.first as usize..block.end as usize].iter().sum())
                .collect();
        }
        sums
    }

    /// Appends the unfilled volumes of cells, and their sums over blocks, after one more level of
    /// spheres is subtracted.
    pub(super) fn push(&mut self, gaps: &[f64]) {
        let gaps: Vec<f64> = self.order.iter().map(|&i| gaps[i as usize]).collect();
        let eight = |block: &Block| {
            let mut lanes = [0.0; LANES];
            let body_cells = &gaps[block.first as usize..block.end as usize];
            lanes[..body_cells.len()].copy_from_slice(body_cells);
            lanes
        };
        self.gaps.push(Gaps {
            eights: self.levels[0].iter().map(eight).collect(),
            levels: self.added(&gaps),
        });
    }

    /// Returns the unfilled volume of all blocks of cells, with all spheres subtracted.
    pub(super) fn unfilled(&self) -> f64 {
        self.gaps
            .last()
            .map_or(0.0, |gaps| gaps.levels[0].iter().sum())
    }

    /// Sums blocks of cells: returns upper bounds of the unfilled volume, and of the volume of the
    /// body, that lie in another body, with `levels` levels of spheres subtracted. Blocks are
    /// subdivided while `goes_on` holds; after that, they count with all of their cells.
    pub(super) fn near(
        &self,
        levels: usize,
        other: &impl Other,
        goes_on: &impl Fn() -> bool,
    ) -> [f64; 2] {
        let near = super::HALF_DIAGONAL * self.side;
        let gaps = &self.gaps[levels.min(self.gaps.len() - 1)];
        let mut visit = Visit {
            blocks: self,
            gaps,
            reach: Reach {
                near,
                far: near + super::FADE * self.side,
            },
            other,
            is_last: false,
            list: [0; WAITING],
            len: 0,
            sums: [0.0; 2],
        };
        for top in 0..self.levels[LEVELS - 1].len() {
            visit.is_last = visit.is_last || !goes_on();
            visit.block(LEVELS - 1, top);
        }
        visit.flush();
        visit.sums
    }
}

/// A traversal of all blocks.
struct Visit<'a, O> {
    blocks: &'a Blocks,
    gaps: &'a Gaps,
    reach: Reach,
    other: &'a O,
    /// Whether blocks are no longer subdivided.
    is_last: bool,
    /// The smallest blocks that wait for evaluation.
    list: [u32; WAITING],
    len: usize,
    sums: [f64; 2],
}

impl<O: Other> Visit<'_, O> {
    /// Visits block `i` of cells on a level: accepts, rejects or subdivides it.
    fn block(&mut self, level: usize, i: usize) {
        let block = &self.blocks.levels[level][i];
        let share = self.other.share(block.middle, level, self.reach);
        if share == Share::None {
            return;
        }
        if share == Share::All || self.is_last {
            self.sums[0] += self.gaps.levels[level][i];
            self.sums[1] += self.blocks.body[level][i];
        } else if level > 0 {
            for below in block.first..block.end {
                self.block(level - 1, below as usize);
            }
        } else {
            self.list[self.len] = i as u32;
            self.len += 1;
            if self.len == WAITING {
                self.flush();
            }
        }
    }

    /// Evaluates the waiting blocks of eight unfilled cells.
    fn flush(&mut self) {
        let list = &self.list[..self.len];
        let (eights, gaps) = (&self.blocks.eights, &self.gaps.eights);
        let more = self.other.add(eights, gaps, list, self.reach);
        self.sums = [self.sums[0] + more[0], self.sums[1] + more[1]];
        self.len = 0;
    }
}
