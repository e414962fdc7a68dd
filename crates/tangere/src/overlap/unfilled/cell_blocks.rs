//! Blocks of lattice cells for the unfilled volume of a body (what the spheres of its packing do
//! not fill): groups of 8, 64 and 512 cells whose volume is added to the upper bound of the
//! penetration volume, or left out, together.
//!
//! Of a block well inside the other body all cells are added, of a block well outside none.
//! Other blocks are subdivided, down to the smallest blocks of eight cells, whose cells are
//! evaluated in one batch. The result equals that of all cells one by one, except for the order of
//! additions.

use super::lattice::Lattice;
use super::{BodyCell, Reach};
use crate::simd::LANES;

/// The number of levels of blocks. Blocks have 2, 4 or 8 cells along each axis.
pub(super) const LEVELS: usize = 3;

/// The maximum number of smallest blocks, of eight cells, that wait to be evaluated at once.
const WAITING: usize = 64;

/// The result of the test of a block of cells by its distance from the other body. The volumes of
/// all its cells are left out (`None`), all are added entirely (`All`), or smaller blocks must be
/// tested (`Mixed`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    None,
    All,
    /// The cells of the block may differ in the fraction of their volume that is added, so that the
    /// block must be subdivided.
    Mixed,
}

/// The other body, whose distance decides whether the volume of a block of cells is added, left out
/// or added in part.
pub(super) trait Other {
    /// Returns whether the volumes of a block's cells are all left out, all added, or mixed, by the
    /// distance of the block from the other body. The block is given by its middle and its level.
    /// `reach` maps the distance of a cell to the fraction of its volume that is added.
    fn share(&self, middle: [f64; 3], level: usize, reach: Reach) -> Share;
    /// Returns two sums over the cells of the blocks in `list`: of the unfilled volume, which is in
    /// `gaps`, and of the volume of the body. Of each cell only a fraction is added. It depends on
    /// the distance of the cell from the other body, as `reach` says.
    fn add(&self, eights: &[Eight], gaps: &[[f64; LANES]], list: &[u32], reach: Reach) -> [f64; 2];
}

/// A smallest block: up to eight cells of the body, one in each lane.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Eight {
    /// The coordinates of the middles of the block's cells: rows of x, y and z.
    pub(super) middles: [[f64; LANES]; 3],
    /// The volume of the body in each cell of the block; 0 in unused lanes.
    pub(super) body: [f64; LANES],
}

/// A block: a cube of adjacent cells of the lattice.
#[derive(Clone, Copy, Debug)]
struct Block {
    middle: [f64; 3],
    /// The start of the range of the block's children, which are blocks one level below or, for a
    /// smallest block, cells; `end` is its end.
    first: u32,
    end: u32,
}

/// The cells of a body in three levels of blocks.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    side: f64,
    /// The indices of the body's cells, sorted so that the cells of each block are adjacent.
    order: Vec<u32>,
    eights: Vec<Eight>,
    levels: [Vec<Block>; LEVELS],
    /// For each level, the volume of the body in each of its blocks.
    body: [Vec<f64>; LEVELS],
    /// The unfilled volumes of cells and blocks. In entry `n` the spheres of the `n` coarsest
    /// levels of the packing (those of the largest spheres) are subtracted from the body, and no
    /// others.
    gaps: Vec<Gaps>,
}

/// Unfilled volumes: of each cell, in groups of eight as in the smallest blocks, and of each block
/// on each level.
#[derive(Clone, Debug)]
struct Gaps {
    eights: Vec<[f64; LANES]>,
    levels: [Vec<f64>; LEVELS],
}

/// Returns the distance from the middle of a block of cells on a level to the middle of its
/// farthest cell, in sides of a cell.
pub(super) fn radius(level: usize) -> f64 {
    super::HALF_DIAGONAL * ((2 << level) - 1) as f64
}

/// Returns a sort key of the cell with indices `place` that makes the cells of each block adjacent,
/// on all levels.
fn order(place: [usize; 3]) -> [[usize; 3]; LEVELS + 1] {
    std::array::from_fn(|i| place.map(|x| x >> (LEVELS - i)))
}

impl Blocks {
    /// Groups the cells of a body into blocks on three levels.
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

    /// Returns, level by level and block by block, the sum of `body_cells` over the cells of the
    /// block. `body_cells` has a volume for each cell, in the order of blocks.
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

    /// Appends the unfilled volumes of all cells after one more level of spheres is subtracted, and
    /// their sums over blocks. `gaps` has a volume for each cell of the body.
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

    /// Returns the unfilled volume of all blocks of cells together, with all spheres subtracted.
    pub(super) fn unfilled(&self) -> f64 {
        self.gaps
            .last()
            .map_or(0.0, |gaps| gaps.levels[0].iter().sum())
    }

    /// Returns, as sums over blocks of cells, two upper bounds: of the unfilled volume and of the
    /// volume of the body that lie in another body. The spheres of the `levels` coarsest levels are
    /// subtracted from the unfilled volume. Blocks are subdivided while `goes_on` holds. After that
    /// the volume of all cells of a block is added, unless the block is certainly too far from the
    /// other body.
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

/// A traversal of all blocks of cells, which adds up the unfilled volume and the volume of the body
/// near the other body.
struct Visit<'a, O> {
    blocks: &'a Blocks,
    gaps: &'a Gaps,
    reach: Reach,
    other: &'a O,
    /// Whether the traversal subdivides no more blocks, because time is up.
    is_last: bool,
    /// The indices of the smallest blocks that wait to be evaluated.
    list: [u32; WAITING],
    len: usize,
    sums: [f64; 2],
}

impl<O: Other> Visit<'_, O> {
    /// Visits block `i` of cells on a level: adds its volumes if it is accepted, drops it if it is
    /// rejected, or subdivides it.
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

    /// Evaluates the waiting blocks of eight unfilled cells and adds their volumes to the sums.
    fn flush(&mut self) {
        let list = &self.list[..self.len];
        let (eights, gaps) = (&self.blocks.eights, &self.gaps.eights);
        let more = self.other.add(eights, gaps, list, self.reach);
        self.sums = [self.sums[0] + more[0], self.sums[1] + more[1]];
        self.len = 0;
    }
}
