//! Hash table of points: finds the distinct points of a list, in linear time.

use std::hash::{BuildHasher, RandomState};

/// Returns the distinct points of a list in the order of their first appearance, and for each point
/// of the list its index among the distinct points. They are found by a hash table; `-0.0` equals
/// `0.0`.
pub fn distinct_points(points: &[[f64; 3]]) -> (Vec<[f64; 3]>, Vec<u32>) {
    let mut distinct = Vec::new();
    let mut table = PointTable::new();
    let index = points
        .iter()
        .map(|&p| table.find_or_add(p, &mut distinct))
        .collect();
    (distinct, index)
}

/// The index that stands for no point.
pub(super) const NONE: u32 = u32::MAX;

/// A hash table of indices into a list of distinct points, with open addressing. The low 32 bits of
/// a slot are the index of a point, the high 32 bits are bits of its hash. So a lookup compares few
/// points, and the table grows without reading points.
///
/// The keys of the hash are random, so that no file can be crafted to collide; results do not
/// depend on them.
pub(super) struct PointTable {
    slots: Vec<u64>,
    used: usize,
    keys: [u64; 3],
}

/// Maximum length of a probe sequence in the hash table of points: if an insertion takes more
/// steps, the table chooses new random keys and inserts all points again. In a table that is at
/// most half full, a longer sequence practically does not happen by chance, even among 2³² points.
const LONG_PROBE: usize = 256;

/// The entry of an unused slot of the hash table of points.
const EMPTY: u64 = u64::MAX;

impl PointTable {
    /// Returns an empty hash table of points. Its hash function has random keys, so that no input
    /// can force collisions.
    pub(super) fn new() -> Self {
        Self::with_keys(random_keys())
    }

    /// Returns an empty hash table of points whose hash function has these keys.
    fn with_keys(keys: [u64; 3]) -> Self {
        PointTable {
            slots: vec![EMPTY; 1 << 10],
            used: 0,
            keys,
        }
    }

    /// Returns 32 bits of the hash of a point, which the hash table of points stores with its
    /// index; equal for `0.0` and `-0.0`.
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

    /// Returns the index of the slot of the hash table that holds a point; if there is none, that
    /// of the empty slot where the point belongs. `tag` is 32 bits of the hash of the point.
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

    /// Returns the index of a point in `points`, the list of distinct points; none if it is not in
    /// the hash table.
    #[inline]
    pub(super) fn find(&self, p: [f64; 3], points: &[[f64; 3]]) -> Option<u32> {
        let entry = self.slots[self.slot(self.tag(p), p, points)];
        (entry != EMPTY).then_some(entry as u32)
    }

    /// Returns the index of a point in `points`, the list of distinct points. If the point is new,
    /// it is added to the hash table and to the list.
    #[inline]
    pub(super) fn find_or_add(&mut self, p: [f64; 3], points: &mut Vec<[f64; 3]>) -> u32 {
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
        } else if way > LONG_PROBE {
            self.change_keys(points);
        }
        index
    }

    /// Chooses new keys for the hash table of points and inserts all points again.
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

    /// Makes the hash table of points four times as large and inserts its entries again.
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

/// Returns random keys for the hash of points.
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
