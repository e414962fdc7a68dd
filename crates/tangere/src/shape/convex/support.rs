//! Support function of a convex polyhedron: the extreme vertex in a direction, by hill climbing.
//!
//! Cost: with few vertices all of them are tested, four at a time. Otherwise the search climbs from
//! neighbour to neighbour, beginning at a vertex that the caller gives, such as the last result.
//! After a few steps it restarts from a table that has an extreme vertex for each of many
//! directions, so that a climb is short from any start.

use super::ConvexPolyhedron;
use crate::geometry::vector::{dot, minus};

/// The threshold of the rise of a step in the hill climbing of the support function. The rise is
/// the dot product of the direction and an edge. If it is at most this constant times the sum of
/// the magnitudes of its three terms, it counts as rounding, and the climb ends. Larger rises have
/// the right sign, so a climb cannot cycle.
const SLOPE_MIN: f64 = 1.0 / (1u64 << 50) as f64;

/// Maximum number of vertices for which the support function tests all vertices instead of
/// climbing.
const FEW: usize = 64;

/// The number of vertices that the support function tests at once, in SIMD lanes.
const LANES: usize = 4;

/// Maximum number of steps of the hill climbing of the support function from the given vertex. Then
/// it restarts from the table of directions.
const STEPS: usize = 3;

/// The range of radii, from 2^-60 to 2^60 (about 1e-18 to 1e18), in which a convex body needs no
/// rescaling: products of six lengths, which searches for closest points compute, neither overflow
/// nor underflow.
const ORDINARY: std::ops::RangeInclusive<f64> =
    f64::from_bits((1023 - 60) << 52)..=f64::from_bits((1023 + 60) << 52);

/// The fraction of the radius of a solid below which its inner radius makes it a needle: a thousand
/// times the margins by which searches compare features, for boxes 2e7 times longer than thick.
const NEEDLE: f64 = 1.0 / (1u64 << 24) as f64;

/// Data that a convex polyhedron stores for its support function and for Voronoi walks, besides its
/// features.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SupportData {
    /// The vertices of the polyhedron, relative to its center.
    local: Vec<[f64; 3]>,
    /// For each edge of the polyhedron, four vertex indices: its two ends, and the vertex that
    /// follows the edge in the face on its left and in the face on its right. The last two are
    /// `NO_VERTEX` if the polyhedron is a segment.
    links: Vec<[u32; 4]>,
    /// For each entry of `outgoing` of the polyhedron, a half-edge, the vector from the end of the
    /// half-edge to its origin. Its dot product with a direction is positive if the origin is
    /// farther in that direction than the neighbour at the end; the Voronoi criterion tests this.
    slopes: Vec<[f64; 3]>,
    /// The vertices of the polyhedron, relative to its center, in blocks of four. Each block has
    /// four x coordinates, four y coordinates and four z coordinates. The last block is padded with
    /// the first vertex. There are no blocks if the support function climbs.
    blocks: Vec<[[f64; LANES]; 3]>,
    /// The table of directions of the support function: a grid on the faces of a cube, with the
    /// index of the extreme vertex of the polyhedron in the direction of each cell. It is empty if
    /// the support function tests all vertices.
    starts: Vec<u32>,
    /// The number of cells of the table of directions along an edge of the cube; 0 if there is no
    /// table.
    cells: usize,
    /// The radius of a ball about the center that the polyhedron contains, rounded down; 0 if it is
    /// flat.
    inner_radius: f64,
    /// A hash of the vertices of the polyhedron, equal for equal shapes. By it the tracking of
    /// closest features notices that a body was replaced by another.
    key: u64,
    /// Whether the body needs no rescaling before a search for closest points: products of six of
    /// its lengths neither overflow nor underflow.
    pub(super) is_ordinary: bool,
    /// Whether the body is a solid so thin that the margins of searches, which are relative to its
    /// length, do not distinguish its sides.
    pub(super) is_needle: bool,
    /// Whether the closest features of the body can be tracked: ordinary, and no needle.
    pub(super) is_trackable: bool,
}

impl SupportData {
    /// Returns the data of a convex polyhedron for its support function.
    pub(super) fn of(shape: &ConvexPolyhedron) -> Self {
        let mut data = Self::default();
        data.fill(shape);
        data
    }

    /// Sets the data to that of a convex polyhedron. The memory is reused.
    pub(super) fn fill(&mut self, shape: &ConvexPolyhedron) {
        let local = shape.vertices().iter().map(|&v| minus(v, shape.center()));
        self.local.clear();
        self.local.extend(local);
        let links = (0..shape.edge_count() as u32).map(|e| {
            let h = shape.half_edge(shape.edge(e));
            let twin = shape.half_edge(h.twin);
            let [left, right] = match h.face {
                ConvexPolyhedron::NO_FACE => [ConvexPolyhedron::NO_VERTEX; 2],
                _ => [h.next, twin.next].map(|next| shape.target(next)),
            };
            [h.origin, twin.origin, left, right]
        });
        self.links.clear();
        self.links.extend(links);
        let local = &self.local;
        self.slopes.clear();
        self.slopes.reserve(2 * shape.edge_count());
        for (v, &p) in local.iter().enumerate() {
            let neighbours = shape.neighbours(v as u32).iter();
            self.slopes
                .extend(neighbours.map(|&k| minus(p, local[k as usize])));
        }
        let heights = (0..shape.face_count() as u32).map(|f| {
            let corner = shape.face_loop(f)[0].origin;
            dot(shape.normal(f), local[corner as usize])
        });
        self.inner_radius = match shape.dimension() {
            // Also without the rounding of normals.
            3 => 0.999 * heights.fold(f64::INFINITY, f64::min).max(0.0),
            _ => 0.0,
        };
        self.key = key(shape);
        self.is_ordinary = ORDINARY.contains(&shape.radius()) || shape.radius() == 0.0;
        self.is_needle = shape.dimension() == 3 && self.inner_radius < NEEDLE * shape.radius();
        self.is_trackable = self.is_ordinary && !self.is_needle;
        self.blocks.clear();
        self.starts.clear();
        self.cells = 0;
        if shape.vertex_count() > FEW {
            self.cells = ((shape.vertex_count() as f64 / 6.0).sqrt() as usize).clamp(1, 64);
            self.fill_starts(shape);
        } else {
            self.fill_blocks();
        }
    }

    /// Fills the blocks of four vertices that the support function tests at once in SIMD lanes.
    fn fill_blocks(&mut self) {
        let first = self.local[0];
        self.blocks.clear();
        for four in self.local.chunks(LANES) {
            let mut block = first.map(|x| [x; LANES]);
            for (lane, v) in four.iter().enumerate() {
                for k in 0..3 {
                    block[k][lane] = v[k];
                }
            }
            self.blocks.push(block);
        }
    }

    /// Support function by testing all vertices: returns the index of the extreme vertex in
    /// direction `way`, the first if there are several.
    #[inline]
    fn farthest(&self, way: [f64; 3]) -> u32 {
        let mut most = [f64::NEG_INFINITY; LANES];
        // Numbers of blocks are f64, so that lanes have the width of coordinates.
        let mut at = [0.0; LANES];
        let mut number = 0.0;
        for [x, y, z] in &self.blocks {
            for lane in 0..LANES {
                let along = way[0] * x[lane] + way[1] * y[lane] + way[2] * z[lane];
                let is_farther = along > most[lane];
                most[lane] = if is_farther { along } else { most[lane] };
                at[lane] = if is_farther { number } else { at[lane] };
            }
            number += 1.0;
        }
        let highest = most[0].max(most[1]).max(most[2].max(most[3]));
        let first = |lane: usize| {
            let v = at[lane] as u32 * LANES as u32 + lane as u32;
            if most[lane] == highest { v } else { u32::MAX }
        };
        // A NaN direction has no extreme vertex.
        let found = first(0).min(first(1)).min(first(2).min(first(3)));
        if found == u32::MAX { 0 } else { found }
    }

    /// Fills the table of directions: for each cell of a grid on a cube, the extreme vertex in its
    /// direction, from which the support function climbs.
    fn fill_starts(&mut self, shape: &ConvexPolyhedron) {
        let mut at = 0;
        for axis in 0..3 {
            for sign in [1.0, -1.0] {
                for row in 0..self.cells {
                    for column in 0..self.cells {
                        let place = |cell| 2.0 * (cell as f64 + 0.5) / self.cells as f64 - 1.0;
                        let mut way = [0.0; 3];
                        way[axis] = sign;
                        way[(axis + 1) % 3] = place(column);
                        way[(axis + 2) % 3] = place(row);
                        at = climb(&self.local, |v| shape.neighbours(v), at, way, usize::MAX).0;
                        self.starts.push(at);
                    }
                }
            }
        }
    }

    /// Returns the vertex in the table of directions for the cell of direction `way`; the support
    /// function climbs from there.
    fn start(&self, way: [f64; 3]) -> u32 {
        if self.cells == 0 {
            return 0;
        }
        let mut axis = 0;
        for k in 1..3 {
            if way[k].abs() > way[axis].abs() {
                axis = k;
            }
        }
        let most = way[axis];
        let cell = |k: usize| {
            let place = way[k % 3] / most.abs();
            // A direction of length 0 is NaN here, and maps to the first cell.
            (((place + 1.0) * 0.5 * self.cells as f64) as usize).min(self.cells - 1)
        };
        let side = 2 * axis + usize::from(most < 0.0);
        self.starts[(side * self.cells + cell(axis + 2)) * self.cells + cell(axis + 1)]
    }
}

/// Support function by hill climbing from vertex `from`: steepest ascent from neighbour to
/// neighbour, at most `steps` steps. Returns the index of the vertex reached, and whether it is
/// extreme in direction `way`.
#[inline]
fn climb<'n>(
    local: &[[f64; 3]],
    neighbours: impl Fn(u32) -> &'n [u32],
    from: u32,
    way: [f64; 3],
    steps: usize,
) -> (u32, bool) {
    let mut at = from;
    for _ in 0..steps {
        let here = local[at as usize];
        let mut best = (0.0, at);
        for &k in neighbours(at) {
            let edge = minus(local[k as usize], here);
            let rise = dot(way, edge);
            if rise > best.0 {
                best = (rise, k);
            }
        }
        if best.1 == at {
            return (at, true);
        }
        let edge = minus(local[best.1 as usize], here);
        let bound: f64 = (0..3).map(|k| (way[k] * edge[k]).abs()).sum();
        if best.0 <= SLOPE_MIN * bound {
            return (at, true);
        }
        at = best.1;
    }
    (at, false)
}

/// Returns the hash of a shape for its support data: FNV-1a of the bits of the coordinates of its
/// vertices.
fn key(shape: &ConvexPolyhedron) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for x in shape.vertices().as_flattened() {
        hash = (hash ^ x.to_bits()).wrapping_mul(0x0000_0100_0000_01b3);
        hash ^= hash >> 29;
    }
    hash
}

impl ConvexPolyhedron {
    /// The radius of a ball about the [`center`](Self::center) that the polyhedron contains.
    #[inline]
    pub(crate) fn inner_radius(&self) -> f64 {
        self.support_data.inner_radius
    }

    /// The index that stands for no vertex, in the support data of a polyhedron that is a segment.
    pub(crate) const NO_VERTEX: u32 = u32::MAX;

    /// Support data: returns the coordinates of vertex `v` relative to the center of the
    /// polyhedron.
    #[inline]
    pub(crate) fn local(&self, v: u32) -> [f64; 3] {
        self.support_data.local[v as usize]
    }

    /// Support data: returns four vertex indices for edge `e`: its two ends, and the vertex that
    /// follows it in the face on its left and in the face on its right.
    #[inline]
    pub(crate) fn edge_links(&self, e: u32) -> [u32; 4] {
        self.support_data.links[e as usize]
    }

    /// Support data: returns the vectors to vertex `v` from each of its neighbours.
    #[inline]
    pub(crate) fn ways_to(&self, v: u32) -> &[[f64; 3]] {
        &self.support_data.slopes[self.row(v)]
    }

    /// Support data: returns a hash of the shape, equal for equal shapes.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        self.support_data.key
    }

    /// Support data: returns whether the body needs no rescaling before a search for closest
    /// points, because products of six of its lengths neither overflow nor underflow.
    #[inline]
    pub(crate) fn is_ordinary(&self) -> bool {
        self.support_data.is_ordinary
    }

    /// Support data: returns whether the body is a solid so thin that features cannot be tracked.
    #[inline]
    pub(crate) fn is_needle(&self) -> bool {
        self.support_data.is_needle
    }

    /// Support data: returns whether closest features of the body can be tracked: it needs no rescaling,
    /// and is no needle.
    #[inline]
    pub(crate) fn is_trackable(&self) -> bool {
        self.support_data.is_trackable
    }

    /// Returns the index of a vertex near the extreme one in direction `way`, from which the
    /// support function may climb.
    pub(crate) fn start(&self, way: [f64; 3]) -> u32 {
        self.support_data.start(way)
    }

    /// Support function: returns the index of the extreme vertex in direction `way`; it may climb
    /// from vertex `from`. The vertex is extreme up to rounding, below 1e-15 of the size of the
    /// polyhedron.
    #[inline]
    pub(crate) fn climb(&self, from: u32, way: [f64; 3]) -> u32 {
        if self.support_data.cells == 0 {
            return self.support_data.farthest(way);
        }
        let local = &self.support_data.local;
        let neighbours = |v| self.neighbours(v);
        match climb(local, neighbours, from, way, STEPS) {
            (at, true) => at,
            (at, false) => {
                let start = self.start(way);
                let height = |v: u32| dot(way, local[v as usize]);
                let from = if height(start) > height(at) {
                    start
                } else {
                    at
                };
                climb(local, neighbours, from, way, usize::MAX).0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;

    #[test]
    fn climbs_end_at_the_top_from_anywhere() {
        let mut random = Random::new(5);
        let mut unit = || 2.0 * random.unit() - 1.0;
        for count in [1usize, 2, 3, 4, 5, 8, 13, 31, 64, 65, 90, 400, 3000] {
            let points: Vec<[f64; 3]> = (0..count)
                .map(|_| {
                    let p = [unit(), unit(), unit()];
                    let length = dot(p, p).sqrt();
                    p.map(|x| x / length)
                })
                .collect();
            let shape = ConvexPolyhedron::hull(&points).unwrap();
            let small = shape.times_power_of_two(-40);
            for k in 0..200 {
                let way = match k {
                    0 => [0.0; 3],
                    1 => [1.0, 0.0, 0.0],
                    _ => [unit(), unit(), unit()],
                };
                let most = (0..shape.vertex_count() as u32)
                    .map(|v| dot(way, shape.local(v)))
                    .fold(f64::NEG_INFINITY, f64::max);
                let from = k as u32 % shape.vertex_count() as u32;
                let top = shape.climb(from, way);
                let height = dot(way, shape.local(top));
                assert!(height >= most - 1e-15, "{count} points, {way:?}");
                if k > 0 {
                    assert_eq!(small.climb(from, way), top);
                }
            }
            assert!(shape.climb(0, [f64::NAN; 3]) < shape.vertex_count() as u32);
        }
    }
}
