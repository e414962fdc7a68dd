//! Morton order (Z-curve) of points and triangles, for the octree of cells (of points) and that of
//! clusters (of triangles).
//!
//! The cells of an octree are ranges of sorted keys, which have three bits a level, the first level
//! highest. Sorting is linear: a radix sort that skips digits that all keys share.

use crate::geometry::morton::spaced;

/// The number of levels of the octree.
pub(super) const LEVELS: u32 = 21;
/// The bits of a digit of the radix sort.
const DIGIT: u32 = 11;
/// The number of values of a digit.
const VALUES: usize = 1 << DIGIT;

/// A Morton key with the index of its item.
pub(super) type Keyed = (u64, u32);

/// The cube around all points, whose octants are the cells of the first level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cube {
    pub(super) low: [f64; 3],
    pub(super) edge: f64,
}

impl Cube {
    /// The smallest cube around a box, with the same centre; its octants define the Morton order.
    pub(super) fn around(low: [f64; 3], high: [f64; 3]) -> Self {
        let extents: [f64; 3] = std::array::from_fn(|k| high[k] - low[k]);
        let edge = extents.into_iter().fold(f64::MIN_POSITIVE, f64::max);
        let low = std::array::from_fn(|k| low[k] - 0.5 * (edge - extents[k]));
        Cube { low, edge }
    }

    /// The Morton key of a point: the cell of the last level that contains the point or is nearest.
    #[inline]
    pub(super) fn key(&self, p: [f64; 3]) -> u64 {
        let cells = (1u32 << LEVELS) as f64;
        let scale = cells / self.edge;
        let [x, y, z]: [u64; 3] = std::array::from_fn(|k| {
            // Casts saturate.
            let cell = ((p[k] - self.low[k]) * scale) as u32;
            spaced(u64::from(cell.min((1 << LEVELS) - 1)))
        });
        x | y << 1 | z << 2
    }
}

/// Sorts items in Morton order, by their keys; stable, so that equal keys stay in the order of
/// their indices.
pub(super) fn sort(items: &mut Vec<Keyed>, scratch: &mut Vec<Keyed>) {
    // Three digits separate almost all items.
    let mut shift = 3 * LEVELS - 3 * DIGIT;
    let (any, all) = items.iter().fold((0, u64::MAX), |(any, all), item| {
        (any | item.0, all & item.0)
    });
    let differing = any & !all;
    scratch.clear();
    scratch.resize(items.len(), (0, 0));
    let coarse = shift;
    while shift < 3 * LEVELS {
        let digit = |key: u64| (key >> shift) as usize & (VALUES - 1);
        if digit(differing) != 0 {
            let mut starts = [0u32; VALUES];
            items.iter().for_each(|item| starts[digit(item.0)] += 1);
            let mut sum = 0;
            for start in &mut starts {
                (*start, sum) = (sum, sum + *start);
            }
            for &item in items.iter() {
                let start = &mut starts[digit(item.0)];
                scratch[*start as usize] = item;
                *start += 1;
            }
            std::mem::swap(items, scratch);
        }
        shift += DIGIT;
    }
    if differing & ((1 << coarse) - 1) != 0 {
        for same in items.chunk_by_mut(|a, b| a.0 >> coarse == b.0 >> coarse) {
            if same.len() > 1 {
                same.sort_unstable();
            }
        }
    }
}

/// The start of each octant's items in Morton order, for a cell of level `level`, and the end of
/// the last.
#[inline]
pub(super) fn octants(items: &[Keyed], level: u32) -> [usize; 9] {
    let shift = 3 * (LEVELS - 1 - level);
    let octant = |item: &Keyed| (item.0 >> shift) & 7;
    let mut starts = [0; 9];
    if items.len() <= 32 {
        items
            .iter()
            .for_each(|item| starts[octant(item) as usize + 1] += 1);
        (0..8).for_each(|k| starts[k + 1] += starts[k]);
    } else {
        for k in 0..8 {
            let rest = &items[starts[k]..];
            starts[k + 1] = starts[k] + rest.partition_point(|item| octant(item) <= k as u64);
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_and_cells_are_octants() {
        let cube = Cube::around([-1.0, 0.0, 2.0], [1.0, 1.0, 4.0]);
        let place = |i: u64, k: u32| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (20 * k)) % 1009;
        let points: Vec<[f64; 3]> = (0..3000)
            .map(|i| {
                [
                    place(i, 0) as f64 / 504.5 - 1.0,
                    place(i, 1) as f64 / 1009.0,
                    place(i, 2) as f64 / 504.5 + 2.0,
                ]
            })
            .collect();
        let keyed = (0u32..).zip(&points).map(|(i, &p)| (cube.key(p), i));
        let mut items: Vec<Keyed> = keyed.collect();
        let mut expected = items.clone();
        expected.sort();
        sort(&mut items, &mut Vec::new());
        assert_eq!(items, expected);
        let starts = octants(&items, 0);
        for octant in 0..8usize {
            for item in &items[starts[octant]..starts[octant + 1]] {
                let p = points[item.1 as usize];
                let found = usize::from(p[0] >= 0.0)
                    | usize::from(p[1] >= 0.5) << 1
                    | usize::from(p[2] >= 3.0) << 2;
                assert_eq!(found, octant);
            }
        }
        assert_eq!(starts[8], items.len());
    }
}
