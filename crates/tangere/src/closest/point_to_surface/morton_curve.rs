//! Morton curve: the order of points along a space-filling curve, in which neighbours are near in
//! space.

use crate::closest::obb_tree::ObbTree;
use crate::geometry::morton::spaced;
use rayon::prelude::*;

/// The number of cells of the Morton curve along the longest edge of the AABB of the points.
const CELLS: f64 = 1024.0;

/// The magnitude to which coordinates are clamped for the Morton curve, in units in which those of
/// the surface are at most 1. Otherwise one outlier would put all other points into one cell.
const AROUND: f64 = 4.0;

/// The number of points whose AABB one parallel task computes.
const BOUNDED: usize = 1 << 12;

/// The Morton curve, a space-filling curve, through the AABB of points.
#[derive(Clone, Copy, Debug)]
pub(super) struct MortonCurve {
    origin: [f64; 3],
    scale: f64,
    low: [f64; 3],
    /// The number of cells of the curve per unit length, in the unit of the OBB tree of the
    /// surface.
    finer: f64,
}

impl MortonCurve {
    /// The Morton curve through the AABB of points, in the units of the OBB tree of a surface.
    pub fn through(points: &[[f64; 3]], obbs: &ObbTree) -> Self {
        let (origin, scale) = (obbs.origin, obbs.scale);
        let nothing = || ([AROUND; 3], [-AROUND; 3]);
        let join = |a: ([f64; 3], [f64; 3]), b: ([f64; 3], [f64; 3])| {
            let low = std::array::from_fn(|k| a.0[k].min(b.0[k]));
            let high: [f64; 3] = std::array::from_fn(|k| a.1[k].max(b.1[k]));
            (low, high)
        };
        let (low, high) = points
            .par_chunks(BOUNDED)
            .map(|points| {
                let placed = points.iter().map(|&p| placed(p, origin, scale));
                placed.fold(nothing(), |all, p| join(all, (p, p)))
            })
            .reduce(nothing, join);
        let longest = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
        MortonCurve {
            origin,
            scale,
            low,
            finer: CELLS / longest,
        }
    }

    /// The Morton code of a point: the position of its cell along the Morton curve.
    #[inline]
    pub fn place(&self, point: [f64; 3]) -> u32 {
        let placed = placed(point, self.origin, self.scale);
        let [x, y, z] = std::array::from_fn(|k| {
            // The cast saturates; if all points coincide, NaN becomes 0.
            let cell = ((placed[k] - self.low[k]) * self.finer) as u32;
            spaced(u64::from(cell.min(CELLS as u32 - 1))) as u32
        });
        x | y << 1 | z << 2
    }
}

/// The position of a point for the Morton curve: in the coordinates of the OBB tree of the surface,
/// clamped.
#[inline]
fn placed(point: [f64; 3], origin: [f64; 3], scale: f64) -> [f64; 3] {
    std::array::from_fn(|k| ((point[k] - origin[k]) * scale).clamp(-AROUND, AROUND))
}

#[cfg(test)]
mod tests {
    use super::super::mesh_obb_tree::MeshObbTree;
    use super::*;
    use crate::generate;

    #[test]
    fn octants_come_one_after_the_other() {
        let obbs = MeshObbTree::new(&generate::sphere(1).unwrap()).obbs;
        let points: Vec<[f64; 3]> = (0..512)
            .map(|i| [i / 64, i / 8 % 8, i % 8].map(|x| f64::from(x) / 3.5 - 1.0))
            .collect();
        let curve = MortonCurve::through(&points, &obbs);
        let mut order: Vec<usize> = (0..512).collect();
        order.sort_by_key(|&i| curve.place(points[i]));
        let octant = |i: usize| points[i].map(|x| x > 0.0);
        let changes = order.windows(2).filter(|w| octant(w[0]) != octant(w[1]));
        assert_eq!(changes.count(), 7);
    }

    #[test]
    fn a_stray_point_leaves_the_others_in_order() {
        let obbs = MeshObbTree::new(&generate::sphere(1).unwrap()).obbs;
        let curve = MortonCurve::through(&[[-1.0; 3], [1.0; 3], [1e40, 0.0, -1e40]], &obbs);
        let mut places: Vec<u32> = (0..100)
            .map(|i| curve.place([f64::from(i) / 50.0 - 1.0, 0.0, 0.0]))
            .collect();
        places.dedup();
        assert_eq!(places.len(), 100);
        assert!(curve.place([1e50, 0.0, 0.0]) > places[99]);
    }

    #[test]
    fn one_place_is_the_first() {
        let obbs = MeshObbTree::new(&generate::sphere(1).unwrap()).obbs;
        let curve = MortonCurve::through(&[[0.3; 3]; 4], &obbs);
        assert_eq!(curve.place([0.3; 3]), 0);
        assert_eq!(MortonCurve::through(&[], &obbs).place([0.0; 3]), 0);
    }
}
