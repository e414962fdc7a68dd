//! Welding: merges coincident or close vertices.
//!
//! Exact welding is one pass through a hash table, within a tolerance one pass
//! through a spatial hash; both take time linear in the number of vertices. The
//! result depends on the order of the vertices only.

use super::TriMesh;
use super::edges::repeats_vertex;
use crate::error::{Argument, Error, Result, number};
use crate::geometry::Aabb;
use std::hash::{BuildHasher, RandomState};

/// The least tolerance in units of the mesh's extent: the numbers of the cells
/// of a spatial hash must be exact integers in f64, neighbours included.
const RESOLUTION: f64 = 4.0 * f64::EPSILON;

/// A welded mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Welded {
    /// The mesh.
    pub mesh: TriMesh,
    /// The number of vertices merged into others.
    pub merged: usize,
    /// The number of triangles that collapsed and were dropped.
    pub collapsed: usize,
}

impl TriMesh {
    /// Merges every vertex into the nearest earlier vertex that was kept, if that
    /// is within `tolerance` (inclusive; ties go to the earlier vertex), and drops
    /// triangles of which two corners were merged. A tolerance of 0, or one
    /// below the resolution of the mesh (2⁻⁵⁰ of its largest extent), merges
    /// equal vertices only.
    ///
    /// # Errors
    /// When the tolerance is negative or not finite, or collapses all triangles.
    pub fn welded(&self, tolerance: f64) -> Result<Welded> {
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return Err(Error::argument(
                Argument::WeldTolerance,
                number(tolerance),
                "a finite number of at least 0",
            ));
        }
        let bounds = Aabb::of_points(self.vertices().iter().copied());
        let extent = bounds.extent().into_iter().fold(0.0, f64::max);
        let (vertices, index) = if tolerance == 0.0 || tolerance < RESOLUTION * extent {
            distinct_points(self.vertices())
        } else {
            near_points(self.vertices(), bounds.min, tolerance)
        };
        let merged = self.vertices().len() - vertices.len();
        let mut faces = Vec::with_capacity(self.faces().len());
        let mut collapsed = 0;
        for face in self.faces() {
            let moved = face.map(|v| index[v as usize]);
            if repeats_vertex(&moved) && !repeats_vertex(face) {
                collapsed += 1;
            } else {
                faces.push(moved);
            }
        }
        if faces.is_empty() {
            return Err(Error::argument(
                Argument::WeldTolerance,
                format!(
                    "{}, which collapses all {collapsed} triangles",
                    number(tolerance)
                ),
                "one that leaves a triangle",
            ));
        }
        let mesh = TriMesh::new(vertices, faces)?;
        Ok(Welded {
            mesh,
            merged,
            collapsed,
        })
    }
}

/// As [`distinct_points`], within a tolerance of at least [`RESOLUTION`] times
/// the extent of the points above `least`.
fn near_points(points: &[[f64; 3]], least: [f64; 3], tolerance: f64) -> (Vec<[f64; 3]>, Vec<u32>) {
    let cell = |p: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|k| ((p[k] - least[k]) / tolerance).floor())
    };
    let mut kept: Vec<[f64; 3]> = Vec::new();
    // The next kept vertex of the same cell (linked list).
    let mut next: Vec<u32> = Vec::new();
    let mut cells = PointTable::new();
    let mut firsts: Vec<u32> = Vec::new();
    let mut keys: Vec<[f64; 3]> = Vec::new();
    let mut index = Vec::with_capacity(points.len());
    for &p in points {
        let home = cell(p);
        let mut best = (tolerance * tolerance, NONE);
        for offset in 0..27 {
            let step = [offset % 3, offset / 3 % 3, offset / 9];
            let key = std::array::from_fn(|k| home[k] + f64::from(step[k]) - 1.0);
            let Some(slot) = cells.find(key, &keys) else {
                continue;
            };
            let mut i = firsts[slot as usize];
            while i != NONE {
                let q = kept[i as usize];
                let d = (0..3).map(|k| (p[k] - q[k]) * (p[k] - q[k])).sum::<f64>();
                if d < best.0 || d == best.0 && i < best.1 {
                    best = (d, i);
                }
                i = next[i as usize];
            }
        }
        if best.1 == NONE {
            best.1 = kept.len() as u32;
            kept.push(p);
            let slot = cells.find_or_add(home, &mut keys) as usize;
            if slot == firsts.len() {
                firsts.push(NONE);
            }
            next.push(firsts[slot]);
            firsts[slot] = best.1;
        }
        index.push(best.1);
    }
    (kept, index)
}
/// The distinct points in the order of their first appearance, and for each
/// point the index of its representative. `-0.0` equals `0.0`.
pub fn distinct_points(points: &[[f64; 3]]) -> (Vec<[f64; 3]>, Vec<u32>) {
    let mut distinct = Vec::new();
    let mut table = PointTable::new();
    let index = points
        .iter()
        .map(|&p| table.find_or_add(p, &mut distinct))
        .collect();
    (distinct, index)
}

const NONE: u32 = u32::MAX;

/// A hash table of indices into a list of distinct points, with open
/// addressing. A slot holds the index below 32 bits of the hash, so that a lookup
/// reads few points, and growing reads none.
///
/// The keys of the hash are random, so that no file can be crafted to collide;
/// results do not depend on them.
struct PointTable {
    slots: Vec<u64>,
    used: usize,
    keys: [u64; 3],
}

/// A longer probe sequence makes the table choose new keys. In a table that is at
/// most half full, this does not happen by chance among 2³² points.
const LONG_WAY: usize = 256;

const EMPTY: u64 = u64::MAX;

impl PointTable {
    fn new() -> Self {
        Self::with_keys(random_keys())
    }

    fn with_keys(keys: [u64; 3]) -> Self {
        PointTable {
            slots: vec![EMPTY; 1 << 10],
            used: 0,
            keys,
        }
    }

    /// 32 bits of hash; equal for `0.0` and `-0.0`.
    #[inline]
    fn tag(&self, p: [f64; 3]) -> u32 {
        let [x, y, z] = p.map(|x| (x + 0.0).to_bits());
        let [a, b, c] = self.keys;
        // The halves of a product of 128 bits depend on all bits of its factors.
        let folded = |x: u64, y: u64| {
            let product = u128::from(x) * u128::from(y);
            product as u64 ^ (product >> 64) as u64
        };
        let hash = folded(folded(x ^ a, y ^ b) ^ z ^ c, 0x9e37_79b9_7f4a_7c15);
        (hash ^ hash >> 32) as u32
    }

    /// The slot that holds the point, or the empty one where it belongs.
    #[inline]
    fn slot(&self, tag: u32, p: [f64; 3], points: &[[f64; 3]]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = tag as usize & mask;
        loop {
            let entry = self.slots[slot];
            let is_it = || entry >> 32 == u64::from(tag) && points[entry as u32 as usize] == p;
            if entry == EMPTY || is_it() {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    #[inline]
    fn find(&self, p: [f64; 3], points: &[[f64; 3]]) -> Option<u32> {
        let entry = self.slots[self.slot(self.tag(p), p, points)];
        (entry != EMPTY).then_some(entry as u32)
    }

    #[inline]
    fn find_or_add(&mut self, p: [f64; 3], points: &mut Vec<[f64; 3]>) -> u32 {
        let tag = self.tag(p);
        let slot = self.slot(tag, p, points);
        if self.slots[slot] != EMPTY {
            return self.slots[slot] as u32;
        }
        let index = points.len() as u32;
        self.slots[slot] = u64::from(tag) << 32 | u64::from(index);
        points.push(p);
        self.used += 1;
        let way = slot.wrapping_sub(tag as usize) & (self.slots.len() - 1);
        if 2 * self.used > self.slots.len() {
            self.grow();
        } else if way > LONG_WAY {
            self.change_keys(points);
        }
        index
    }

    #[cold]
    fn change_keys(&mut self, points: &[[f64; 3]]) {
        self.keys = random_keys();
        self.slots.fill(EMPTY);
        let mask = self.slots.len() - 1;
        for (index, &p) in points.iter().enumerate() {
            let tag = self.tag(p);
            let mut slot = tag as usize & mask;
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = u64::from(tag) << 32 | index as u64;
        }
    }

    fn grow(&mut self) {
        let mask = 4 * self.slots.len() - 1;
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; mask + 1]);
        for entry in old.into_iter().filter(|&entry| entry != EMPTY) {
            let mut slot = (entry >> 32) as usize & mask;
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = entry;
        }
    }
}

fn random_keys() -> [u64; 3] {
    let state = RandomState::new();
    [0_u8, 1, 2].map(|i| state.hash_one(i))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_made_to_collide_do_not_slow_the_table() {
        // A factor of 0 hides the second coordinate from the hash.
        let x = 1.5_f64;
        let mut table = PointTable::with_keys([x.to_bits(), 1, 2]);
        let mut distinct = Vec::new();
        let points = || (0..200_000).map(|i| [x, f64::from(i), 0.0]);
        for _ in 0..2 {
            for (i, p) in points().enumerate() {
                assert_eq!(table.find_or_add(p, &mut distinct), i as u32);
                assert_eq!(table.find(p, &distinct), Some(i as u32));
            }
        }
        assert!(distinct.iter().copied().eq(points()));
    }
}
