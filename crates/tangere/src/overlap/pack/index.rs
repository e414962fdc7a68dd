//! Which of the spheres packed so far are near a point?
//!
//! Spheres whose diameter is between half the edge of a cell and all of it are in cells of
//! that size, each in the cell of its centre; cells are found by hashing. As spheres do not
//! overlap, a cell holds a few at most, and the spheres within a few radii of a point take
//! a time that does not depend on how many there are.

/// A place in a table without a cell, and the end of the spheres of a cell.
const NONE: u32 = u32::MAX;

/// Halvings of the cube down to the smallest cells.
const LEVELS: usize = 40;

/// A centre and a radius.
pub(super) type Sphere = [f64; 4];

/// The lesser of a distance and that of a point from a sphere, negative in it.
#[inline(always)]
pub(super) fn nearer(distance: f64, sphere: &Sphere, p: [f64; 3]) -> f64 {
    let [x, y, z] = [p[0] - sphere[0], p[1] - sphere[1], p[2] - sphere[2]];
    let square = x * x + y * y + z * z;
    let touching = distance + sphere[3];
    // Most spheres are farther: no root is needed.
    if touching > 0.0 && square >= touching * touching {
        return distance;
    }
    distance.min(square.sqrt() - sphere[3])
}

/// Spheres that are asked for by place.
#[derive(Debug)]
pub(super) struct Index {
    low: [f64; 3],
    edge: f64,
    spheres: Vec<Sphere>,
    /// Of each sphere the next in its cell.
    next: Vec<u32>,
    levels: Vec<Level>,
}

/// Spheres of like size.
#[derive(Debug)]
struct Level {
    /// The edge of a cell.
    edge: f64,
    members: Vec<u32>,
    /// Cells and the first sphere of each, in a power of two of places.
    table: Vec<([i32; 3], u32)>,
    cells: usize,
}

impl Index {
    /// No spheres yet, in a cube.
    pub fn new(low: [f64; 3], edge: f64) -> Self {
        Index {
            low,
            edge,
            spheres: Vec::new(),
            next: Vec::new(),
            levels: Vec::new(),
        }
    }

    /// The spheres in the order in which they came.
    pub fn spheres(&self) -> &[Sphere] {
        &self.spheres
    }

    /// Takes in a sphere no larger than the cube.
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
                table: Vec::new(),
                cells: 0,
            });
        }
        let id = self.spheres.len() as u32;
        self.spheres.push(sphere);
        let level = &mut self.levels[l];
        let cell = level.cell(self.low, [sphere[0], sphere[1], sphere[2]]);
        level.members.push(id);
        if 2 * (level.cells + 1) > level.table.len() {
            level.grow();
        }
        let place = level.place(cell);
        let first = &mut level.table[place];
        level.cells += usize::from(first.1 == NONE);
        self.next.push(first.1);
        *first = (cell, id);
    }

    /// The lesser of a distance and that of a point from all spheres.
    #[inline]
    pub fn nearest(&self, p: [f64; 3], distance: f64) -> f64 {
        let mut least = distance;
        // A point farther than 0 outside of the body has no sphere nearer than the surface.
        if distance > 0.0 {
            self.near(p, distance, |sphere| least = nearer(least, sphere, p));
        }
        least
    }

    /// Calls `tell` with every sphere that is no farther than `reach` from a point, and others.
    #[inline]
    pub fn near(&self, p: [f64; 3], reach: f64, mut tell: impl FnMut(&Sphere)) {
        for level in self.levels.iter().filter(|level| level.cells > 0) {
            // A little more than half an edge, for what cells are rounded by.
            let around = reach + 0.500_001 * level.edge;
            let low = level.cell(self.low, p.map(|x| x - around));
            let high = level.cell(self.low, p.map(|x| x + around));
            let count = |k: usize| f64::from(high[k]) - f64::from(low[k]) + 1.0;
            if count(0) * count(1) * count(2) >= level.members.len() as f64 {
                for &id in &level.members {
                    tell(&self.spheres[id as usize]);
                }
                continue;
            }
            for x in low[0]..=high[0] {
                for y in low[1]..=high[1] {
                    for z in low[2]..=high[2] {
                        let mut id = level.table[level.place([x, y, z])].1;
                        while id != NONE {
                            tell(&self.spheres[id as usize]);
                            id = self.next[id as usize];
                        }
                    }
                }
            }
        }
    }
}

impl Level {
    #[inline]
    fn cell(&self, low: [f64; 3], p: [f64; 3]) -> [i32; 3] {
        let inverse = 1.0 / self.edge;
        std::array::from_fn(|k| {
            let x = (p[k] - low[k]) * inverse;
            // Rounded toward 0, saturated; then down.
            let toward_0 = x as i32;
            toward_0 - i32::from(f64::from(toward_0) > x)
        })
    }

    /// Where a cell is, or where it would be.
    #[inline]
    fn place(&self, cell: [i32; 3]) -> usize {
        let mask = self.table.len() - 1;
        let [x, y, z] = cell.map(|c| u64::from(c as u32));
        // Three odd numbers without a pattern, and the mixing of SplitMix64.
        let sum = x
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(y.wrapping_mul(0xc2b2_ae3d_27d4_eb4f))
            .wrapping_add(z.wrapping_mul(0x1656_67b1_9e37_79f9));
        let mixed = (sum ^ sum >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mut place = (mixed >> 32) as usize;
        loop {
            place &= mask;
            let (at, first) = self.table[place];
            if first == NONE || at == cell {
                return place;
            }
            place += 1;
        }
    }

    fn grow(&mut self) {
        let larger = (2 * self.table.len()).max(16);
        let old = std::mem::replace(&mut self.table, vec![([0; 3], NONE); larger]);
        for (cell, first) in old {
            if first != NONE {
                let place = self.place(cell);
                self.table[place] = (cell, first);
            }
        }
    }
}
