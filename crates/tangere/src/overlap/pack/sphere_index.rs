//! Spatial index of the spheres packed so far: a hierarchical spatial hash.
//!
//! Spheres with a diameter from half the edge of a cell to the full edge are hashed into cells of
//! that size, in two tables. One table stores a sphere in the cell of its centre; the other stores
//! it in all cells that have a point within half an edge of the sphere. A query that reaches at
//! most half an edge reads one cell of the second table; a query that reaches farther visits cells
//! of the first. As spheres do not overlap, a cell holds few of them, and the time of a query does
//! not depend on their number.

/// The index that stands for no block or no sphere.
const NONE: u32 = u32::MAX;

/// The maximum number of times that the edge of cells is halved from the first level of the index
/// to the last.
const LEVELS: usize = 40;

/// Half the edge of a cell, in units of the edge, with a margin for rounding.
const HALF: f64 = 0.500_001;

/// A packed sphere: the three coordinates of its centre, then its radius.
pub(super) type Sphere = [f64; 4];

/// Returns the lesser of `distance` and the signed distance of the point `p` from a packed sphere
/// of the index.
#[inline(always)]
pub(super) fn nearer(distance: f64, sphere: &Sphere, p: [f64; 3]) -> f64 {
    let [x, y, z] = [p[0] - sphere[0], p[1] - sphere[1], p[2] - sphere[2]];
    let square = x * x + y * y + z * z;
    let touching = distance + sphere[3];
    // Most spheres are farther, and need no square root.
    if touching > 0.0 && square >= touching * touching {
        return distance;
    }
    distance.min(square.sqrt() - sphere[3])
}

/// A spatial index of the spheres packed so far.
#[derive(Debug)]
pub(super) struct SphereIndex {
    low: [f64; 3],
    edge: f64,
    spheres: Vec<Sphere>,
    levels: Vec<Level>,
}

/// One level of the sphere index: spheres of similar size, in cells about as large as they are.
#[derive(Debug)]
struct Level {
    /// The edge of the cells of this level.
    edge: f64,
    members: Vec<u32>,
    /// The spheres of this level, each in the cell of its centre.
    homes: Table,
    /// The spheres of this level, each in all cells that have a point within half an edge of it.
    around: Table,
}

/// A hash table from cells of the sphere index to the spheres that are stored in them.
#[derive(Debug, Default)]
struct Table {
    /// The slots of the table, a power of two: a cell and the index of its first block of spheres,
    /// or [`NONE`].
    cells: Vec<([i32; 3], u32)>,
    used: usize,
    blocks: Vec<Block>,
}

/// A block of up to seven spheres of one cell, and the index of the cell's next block.
#[derive(Clone, Copy, Debug)]
struct Block {
    ids: [u32; 7],
    next: u32,
}

impl SphereIndex {
    /// Returns an empty index of packed spheres over the cube with the lower corner `low`.
    pub fn new(low: [f64; 3], edge: f64) -> Self {
        SphereIndex {
            low,
            edge,
            spheres: Vec::new(),
            levels: Vec::new(),
        }
    }

    /// Returns the packed spheres of the index in order of insertion.
    pub fn spheres(&self) -> &[Sphere] {
        &self.spheres
    }

    /// Inserts a packed sphere into the index. It must not be larger than the cube of the index.
    pub fn insert(&mut self, sphere: Sphere) {
        let (mut l, mut edge) = (0, self.edge);
        while l < LEVELS && 4.0 * sphere[3] <= edge {
            edge *= 0.5;
            l += 1;
        }
        while self.levels.len() <= l {
            let edge = match self.levels.last() {
                Some(level) => 0.5 * level.edge,
                None => self.edge,
            };
            self.levels.push(Level {
                edge,
                members: Vec::new(),
                homes: Table::default(),
                around: Table::default(),
            });
        }
        let id = self.spheres.len() as u32;
        self.spheres.push(sphere);
        let level = &mut self.levels[l];
        level.members.push(id);
        let center = [sphere[0], sphere[1], sphere[2]];
        level.homes.insert(cell(self.low, level.edge, center), id);
        let reach = sphere[3] + HALF * level.edge;
        let [low, high] = cells_around(self.low, level.edge, center, reach);
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    level.around.insert([x, y, z], id);
                }
            }
        }
    }

    /// Returns the least of `distance` and the signed distances of the point `p` from all spheres
    /// of the index. If `distance` is not positive, it is the result.
    #[inline]
    pub fn nearest(&self, p: [f64; 3], distance: f64) -> f64 {
        let mut least = distance;
        // Outside of the body no sphere is nearer than the surface.
        if distance > 0.0 {
            self.near(p, distance, |sphere| least = nearer(least, sphere, p));
        }
        least
    }

    /// Calls `visit` with every sphere of the index within the distance `reach` of the point `p`,
    /// and possibly with others.
    #[inline(always)]
    pub fn near(&self, p: [f64; 3], reach: f64, mut visit: impl FnMut(&Sphere)) {
        self.numbers_near(p, reach, |id| visit(&self.spheres[id as usize]));
    }

    /// Calls `visit` with the position, in order of insertion, of every sphere of the index within
    /// the distance `reach` of the point `p`, and possibly with those of others.
    #[inline(always)]
    pub fn numbers_near(&self, p: [f64; 3], reach: f64, mut visit: impl FnMut(u32)) {
        for level in self.levels.iter().filter(|level| !level.members.is_empty()) {
            if level.members.len() <= 8 {
                level.members.iter().for_each(|&id| visit(id));
                continue;
            }
            if reach <= 0.5 * level.edge {
                level.around.each(cell(self.low, level.edge, p), &mut visit);
                continue;
            }
            let [low, high] = cells_around(self.low, level.edge, p, reach + HALF * level.edge);
            let count = |k: usize| f64::from(high[k]) - f64::from(low[k]) + 1.0;
            if count(0) * count(1) * count(2) >= level.members.len() as f64 {
                level.members.iter().for_each(|&id| visit(id));
                continue;
            }
            for x in low[0]..=high[0] {
                for y in low[1]..=high[1] {
                    for z in low[2]..=high[2] {
                        level.homes.each([x, y, z], &mut visit);
                    }
                }
            }
        }
    }
}

/// Returns the cell that contains the point `p`, on the level of the sphere index with cells of the
/// given edge.
#[inline]
fn cell(low: [f64; 3], edge: f64, p: [f64; 3]) -> [i32; 3] {
    let inverse = 1.0 / edge;
    std::array::from_fn(|k| {
        let x = (p[k] - low[k]) * inverse;
        // The conversion rounds toward 0 and saturates; then the result is rounded down.
        let toward_0 = x as i32;
        toward_0 - i32::from(f64::from(toward_0) > x)
    })
}

/// Returns the first and the last cell within `reach` of the point `p` along each axis, on the
/// level of the sphere index with cells of the given edge.
#[inline]
fn cells_around(low: [f64; 3], edge: f64, p: [f64; 3], reach: f64) -> [[i32; 3]; 2] {
    [-reach, reach].map(|reach| cell(low, edge, p.map(|x| x + reach)))
}

impl Table {
    /// Inserts sphere `id` into a cell of the index's hash table.
    fn insert(&mut self, cell: [i32; 3], id: u32) {
        if 2 * (self.used + 1) > self.cells.len() {
            self.grow();
        }
        let place = self.slot(cell);
        let first = self.cells[place].1;
        self.used += usize::from(first == NONE);
        if let Some(block) = self.blocks.get_mut(first as usize)
            && let Some(free) = block.ids.iter_mut().find(|id| **id == NONE)
        {
            *free = id;
            return;
        }
        let mut ids = [NONE; 7];
        ids[0] = id;
        self.cells[place] = (cell, self.blocks.len() as u32);
        self.blocks.push(Block { ids, next: first });
    }

    /// Calls `visit` with the index of every sphere in a cell of the hash table.
    #[inline(always)]
    fn each(&self, cell: [i32; 3], visit: &mut impl FnMut(u32)) {
        let mut next = self.cells[self.slot(cell)].1;
        while next != NONE {
            let block = &self.blocks[next as usize];
            for &id in block.ids.iter().take_while(|&&id| id != NONE) {
                visit(id);
            }
            next = block.next;
        }
    }

    /// Returns the slot of a cell in the hash table of the sphere index, or the free slot where it
    /// would be inserted.
    #[inline(always)]
    fn slot(&self, cell: [i32; 3]) -> usize {
        let mask = self.cells.len() - 1;
        let [x, y, z] = cell.map(|c| u64::from(c as u32));
        // The factors are three arbitrary odd numbers, followed by the finisher of SplitMix64.
        let sum = x
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(y.wrapping_mul(0xc2b2_ae3d_27d4_eb4f))
            .wrapping_add(z.wrapping_mul(0x1656_67b1_9e37_79f9));
        let mixed = (sum ^ sum >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mut place = (mixed >> 32) as usize;
        loop {
            place &= mask;
            let (at, first) = self.cells[place];
            if first == NONE || at == cell {
                return place;
            }
            place += 1;
        }
    }

    /// Doubles the number of slots in the hash table of the sphere index.
    fn grow(&mut self) {
        let larger = (2 * self.cells.len()).max(16);
        let old = std::mem::replace(&mut self.cells, vec![([0; 3], NONE); larger]);
        for (cell, first) in old {
            if first != NONE {
                let place = self.slot(cell);
                self.cells[place] = (cell, first);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;

    #[test]
    fn near_spheres_are_visited_once() {
        let mut random = Random::new(3);
        let mut index = SphereIndex::new([-1.0; 3], 2.0);
        for i in 0..600 {
            let mut place = || 2.0 * random.unit() - 1.0;
            let center = [place(), place(), place()];
            let radius = 0.3 * 0.5_f64.powi(i % 9) * (0.5 + 0.5 * random.unit());
            index.insert([center[0], center[1], center[2], radius]);
            let p = [0; 3].map(|_| 2.4 * random.unit() - 1.2);
            for reach in [1e-3, 0.02, 0.1, 0.5, 3.0] {
                let mut visited = Vec::new();
                index.near(p, reach, |sphere| visited.push(*sphere));
                let is_near = |sphere: &Sphere| nearer(reach, sphere, p) < reach;
                let expected = index.spheres().iter().filter(|s| is_near(s)).count();
                assert_eq!(visited.iter().filter(|s| is_near(s)).count(), expected);
                let all = index.spheres().iter();
                let least = all.fold(reach, |least, s| nearer(least, s, p));
                assert_eq!(index.nearest(p, reach), least);
            }
        }
    }
}
