//! Classes of points in a cell that the surface cannot separate, and which therefore share a
//! winding number.
//!
//! A closed surface has the same winding number at two points if it does not meet the segment
//! between them. This is so if both points lie strictly on one side of the plane of every triangle
//! near the cell. So planes divide the points of a cell into classes, each represented by one
//! point. Points that rounding leaves in doubt are classes of their own; all others are off the
//! surface.
//!
//! Most tests are with clusters, not with triangles: the triangles of a cluster lie between two
//! parallel planes, which are close together if the surface is smooth. Only clusters with a point
//! between their planes are tested triangle by triangle. A point and a cluster cost one or two
//! fused multiply-adds.

use super::adaptive_tree::{Cell, Share, WalkInput};
use super::clusters::{Cluster, Clusters};
use crate::geometry::vector::{cross, dot, minus};
use crate::simd::{LANES, RealKernel, Reals, load_all, run_reals, splat_all};

/// The most points of a cell that is divided into classes: the bits of a [`Set`].
pub(super) const MOST: usize = 128;

/// A set of points of a cell, one bit each.
pub(super) type Set = u128;

/// Bound on the rounding error of a point's height above a plane, relative to the product of the
/// lengths that enter (normal and relative position): less than 40 units of 2^-53.
const SLACK: f64 = 1e-14;

/// Bound on the error of a height by underflow, if all numbers are below 2^110.
const TINY: f64 = 1e-280;

/// A slab: the space between two parallel planes.
#[derive(Clone, Copy, Debug, Default)]
struct Slab {
    origin: [f64; 3],
    normal: [f64; 3],
    low: f64,
    high: f64,
}

impl Slab {
    /// The slab around the triangles of a cluster, enlarged to cover rounding for points up to
    /// `reach` from its centre. Points above it and below it are in different classes.
    fn of_cluster(clusters: &Clusters, node: &Cluster, reach: f64) -> Self {
        let mut normal = [0.0; 3];
        for face in &clusters.faces[node.faces()] {
            for k in 0..3 {
                normal[k] += face.normal[k];
            }
        }
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for &corner in &clusters.corners[node.corners()] {
            let height = dot(minus(corner, node.center), normal);
            low = if height < low { height } else { low };
            high = if height > high { height } else { high };
        }
        let slack = SLACK * reach.max(node.radius) * dot(normal, normal).sqrt() + TINY;
        Slab {
            origin: node.center,
            normal,
            low: low - slack,
            high: high + slack,
        }
    }

    /// The slab around a triangle, which covers rounding for points up to `reach` from its first
    /// corner. Points above it and below it are in different classes.
    fn of_triangle([a, b, c]: [[f64; 3]; 3], reach: f64) -> Self {
        let (ab, ac) = (minus(b, a), minus(c, a));
        let slack = SLACK * reach * (dot(ab, ab) * dot(ac, ac)).sqrt() + TINY;
        Slab {
            origin: a,
            normal: cross(ab, ac),
            low: -slack,
            high: slack,
        }
    }
}

/// Kernel that finds, for every slab of a list, the set of points above it and the set below it.
struct Sides<'a> {
    points: &'a [[[f64; LANES]; 3]],
    slabs: &'a [Slab],
    out: &'a mut Vec<[Set; 2]>,
}

impl RealKernel for Sides<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        self.out.clear();
        for slab in self.slabs {
            let [ox, oy, oz] = splat_all::<V, 3>(slab.origin);
            let [nx, ny, nz] = splat_all::<V, 3>(slab.normal);
            let (low, high) = (V::splat(slab.low), V::splat(slab.high));
            let mut sets = [0; 2];
            for (i, block) in self.points.iter().enumerate() {
                let [x, y, z] = load_all::<V, 3>(block);
                let height = (x - ox).mul_add(nx, (y - oy).mul_add(ny, (z - oz) * nz));
                let (above, below) = (high.below(height), height.below(low));
                sets[0] |= Set::from(V::bits(above)) << (LANES * i);
                sets[1] |= Set::from(V::bits(below)) << (LANES * i);
            }
            self.out.push(sets);
        }
    }
}

/// The partition of the points of a cell into classes, with memory to find it.
#[derive(Clone, Debug, Default)]
pub(super) struct Partition {
    /// The classes of points: disjoint and not empty.
    pub(super) classes: Vec<Set>,
    points: Vec<[[f64; LANES]; 3]>,
    open: Vec<u32>,
    leaves: Vec<u32>,
    slabs: Vec<Slab>,
    sides: Vec<[Set; 2]>,
}

impl Partition {
    /// Divides the points of a cell into classes by the surface in the clusters of a list. Returns
    /// `false` if there would be more than `most` classes.
    pub(super) fn divide(
        &mut self,
        scene: &WalkInput<'_>,
        cell: &Cell,
        list: &[Share],
        most: usize,
    ) -> bool {
        let count = cell.last - cell.first;
        let all = Set::MAX >> (Set::BITS as usize - count);
        self.classes.clear();
        self.classes.push(all);
        self.find_leaves(scene, cell, list);
        if self.leaves.is_empty() {
            return true;
        }
        self.points.clear();
        for from in (cell.first..cell.last).step_by(LANES) {
            let lanes = (cell.last - from).min(LANES);
            self.points
                .push(super::direct_sums::block(scene, from, lanes));
        }
        let clusters = scene.clusters;
        let across = 2.0 * cell.radius;
        self.slabs.clear();
        for &leaf in &self.leaves {
            let node = &clusters.nodes[leaf as usize];
            // Both boxes share a point.
            let reach = across + 2.0 * node.radius;
            self.slabs.push(Slab::of_cluster(clusters, node, reach));
        }
        self.find_sides();
        let mut kept = 0;
        for i in 0..self.leaves.len() {
            let [above, below] = self.sides[i];
            if (above | below) & all == all {
                self.split(above);
            } else {
                self.leaves[kept] = self.leaves[i];
                kept += 1;
            }
        }
        if self.classes.len() > most {
            return false;
        }
        self.slabs.clear();
        for &leaf in &self.leaves[..kept] {
            let node = &clusters.nodes[leaf as usize];
            let corners = &clusters.corners[node.corners()];
            for face in &clusters.faces[node.faces()] {
                let triangle = face.corners.map(|c| corners[c as usize]);
                if cell.meets_triangle(triangle) {
                    let reach = across + 2.0 * node.radius;
                    self.slabs.push(Slab::of_triangle(triangle, reach));
                }
            }
        }
        self.find_sides();
        let mut alone = 0;
        for i in 0..self.sides.len() {
            let [above, below] = self.sides[i];
            alone |= all & !(above | below);
            self.split(above);
            if self.classes.len() > most {
                return false;
            }
        }
        self.part(alone);
        self.classes.len() <= most
    }

    /// Finds the leaf clusters below those of a list that may separate classes of points: their box
    /// overlaps that of the cell's points.
    fn find_leaves(&mut self, scene: &WalkInput<'_>, cell: &Cell, list: &[Share]) {
        self.leaves.clear();
        self.open.clear();
        self.open.extend(list.iter().map(|&(c, _)| c));
        while let Some(c) = self.open.pop() {
            let node = &scene.clusters.nodes[c as usize];
            if !cell.meets(node.low, node.high) {
                continue;
            }
            match node.is_leaf() {
                true => self.leaves.push(c),
                false => self.open.extend(node.children().map(|c| c as u32)),
            }
        }
    }

    /// Finds the sets of points above and below each slab that separates classes.
    fn find_sides(&mut self) {
        run_reals(Sides {
            points: &self.points,
            slabs: &self.slabs,
            out: &mut self.sides,
        });
    }

    /// Divides each class of points into those in a set and those not in it.
    #[inline]
    fn split(&mut self, set: Set) {
        for i in 0..self.classes.len() {
            let class = self.classes[i];
            let (within, without) = (class & set, class & !set);
            if within != 0 && without != 0 {
                self.classes[i] = within;
                self.classes.push(without);
            }
        }
    }

    /// Makes each point of a set a class of its own.
    fn part(&mut self, mut set: Set) {
        if set == 0 {
            return;
        }
        self.classes.iter_mut().for_each(|class| *class &= !set);
        self.classes.retain(|&class| class != 0);
        while set != 0 {
            self.classes.push(set & set.wrapping_neg());
            set &= set - 1;
        }
    }
}

/// The points of a class, in order.
pub(super) fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then_some(set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::inside::multipole::exact_winding::exact_winding;
    use crate::inside::multipole::moments::Moments;
    use crate::shape::TriMesh;

    /// For each of some triangles, 125 points of a lattice of spacing `size` around its first
    /// corner; every third point is moved by 1e-15 along each axis.
    fn points_at(mesh: &TriMesh, size: f64) -> Vec<Vec<[f64; 3]>> {
        let faces = (0..mesh.faces().len()).step_by(mesh.faces().len() / 40);
        let around = |face: usize| {
            let middle = mesh.triangle(face)[0];
            let at = |i: usize| {
                let step = |k: u32| ((i / 5usize.pow(k)) % 5) as f64 - 2.0;
                let beside = if i.is_multiple_of(3) { 1e-15 } else { 0.0 };
                std::array::from_fn(|k| middle[k] + size * step(k as u32) + beside)
            };
            (0..125).map(at).collect()
        };
        faces.map(around).collect()
    }

    #[test]
    fn no_class_is_parted() {
        let (mut useful, mut parted) = (0, 0);
        for (mesh, size) in [
            (generate::sphere(5).unwrap(), 0.02),
            (generate::sphere(2).unwrap(), 0.1),
            (generate::knot(1500).unwrap(), 0.1),
            (generate::sponge(2).unwrap(), 0.25),
        ] {
            let mut clusters = Clusters::default();
            clusters.build(&mesh, 24, 21);
            let mut partition = Partition::default();
            for points in points_at(&mesh, size) {
                let coordinates: [Vec<f64>; 3] =
                    std::array::from_fn(|k| points.iter().map(|p| p[k] * clusters.unit).collect());
                let scene = WalkInput {
                    clusters: &clusters,
                    moments: &Moments::default(),
                    is_whole: true,
                    keys: &[],
                    coordinates: coordinates.each_ref().map(|coordinates| &coordinates[..]),
                };
                let cell = Cell::new(&scene, 0..points.len(), 0);
                assert!(partition.divide(&scene, &cell, &[(0, 1.0)], MOST));
                let exact: Vec<_> = points
                    .iter()
                    .map(|&p| exact_winding(&clusters, p, &mut Vec::new()))
                    .collect();
                let mut seen = 0;
                for &class in &partition.classes {
                    assert_eq!(seen & class, 0);
                    seen |= class;
                    let first = class.trailing_zeros() as usize;
                    for k in members(class) {
                        assert_eq!(exact[k], exact[first], "{:?}", points[k]);
                    }
                    // Points on the surface are classes of their own.
                    assert!(exact[first].is_some() || class.count_ones() == 1);
                }
                assert_eq!(seen.count_ones() as usize, points.len());
                useful += usize::from(partition.classes.len() < points.len() / 3);
                parted += usize::from(exact.iter().any(|w| *w != exact[0]));
                // A lower limit is rejected.
                let most = partition.classes.len() - 1;
                assert!(!partition.divide(&scene, &cell, &[(0, 1.0)], most));
            }
        }
        assert!(useful > 60 && parted > 100, "{useful} {parted}");
    }
}
