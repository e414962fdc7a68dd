//! Convex hull of points: incremental, with conflict lists and exact predicates.
//!
//! Cost: expected time `O(n log n)` for any set of `n` points and `O(n)` memory; there is no
//! recursion.
//!
//! Points are inserted in random order (clarkson1989). Each point that is still outside stores one
//! triangle that it sees, its conflict. The triangles that the inserted point sees are found by
//! flood fill from its conflict; a fan of new triangles between the point and their horizon
//! replaces them. Points in conflict with removed triangles get a new conflict in the fan
//! ([`conflict_search`](super::conflict_search)) or are inside.
//!
//! # Why this is exact
//! A point sees a triangle if it is *strictly* above the triangle's plane, by [`orient3d`].
//! Triangles whose plane contains the point are kept, as if the point were moved a little towards
//! the inside of the body: then no plane contains it, it sees the same triangles, and the horizon
//! is a simple closed loop. New triangles have an area: a point on the line of a horizon edge would
//! not see the triangle behind that edge. The surface stays weakly convex; at the end coplanar
//! triangles are merged and superfluous vertices dropped
//! ([`merge_coplanar`](super::merge_coplanar)). So the result is the exact hull, independent of the
//! order of insertion.
//!
//! A point `q` outside of a removed triangle and outside of the new body is outside of a new
//! triangle. It sees a connected region. If that region continues from a removed triangle `d`
//! across the horizon to a kept triangle `r`, then `q` is above both planes, and the normal of the
//! new triangle between them is a combination of their normals with weights that are not negative.
//!
//! *Deviates:*
//! - A point stores one of the triangles that it sees, not all of them. Every time it gets another
//!   conflict, the full conflict graph gains one, so the bound of the time holds; memory is linear.
//! - Rounds double in size and have a random order; within a round points follow a curve
//!   (amenta2003), which keeps the bound and improves cache locality.
//! - The random seed is fixed: deterministic.

use rayon::prelude::*;

use super::ConvexPolyhedron;
use super::affine_span::AffineSpan;
use super::coordinate_range::Scaled;
use super::half_edge_construction::polyhedron;
use super::merge_coplanar::{Loops, merged};
use crate::error::{Argument, Error, Result};
use crate::generate::Random;
use crate::geometry::morton::spaced;
use crate::geometry::vector::{cross, minus};
use crate::geometry::{Aabb, Sign, orient3d};

/// The index that stands for no triangle, point or half-edge.
pub(super) const NONE: u32 = u32::MAX;

/// The largest number of points of which the hull is computed. The hull has at most six times as
/// many half-edges, which have 32-bit indices.
const POINTS_MAX: usize = (u32::MAX / 6) as usize;

/// The unit roundoff 2^-53: half a unit in the last place of 1.
const UNIT: f64 = f64::EPSILON / 2.0;

impl ConvexPolyhedron {
    /// Returns the convex hull of points: the smallest convex set that contains them.
    ///
    /// The hull is exact: vertices are exactly the points that are corners, and coplanar points are
    /// in one face. Equal points become one vertex, and the first of them is its
    /// [source](Self::sources). The hull of equal points is a point, that of collinear points a
    /// segment, and that of coplanar points a flat polygon ([`dimension`](Self::dimension)).
    ///
    /// Coordinates may have any finite magnitude; predicates need those of one body to be within a
    /// factor of about 1e150.
    ///
    /// # Errors
    /// If there is no point, or more than 715827882; if a coordinate is not
    /// finite, or not 0 and too small beside the largest one.
    ///
    /// ```
    /// use tangere::shape::ConvexPolyhedron;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let inside = [[0.25; 3], [0.1; 3]];
    /// let points = [&inside[..], &corners[..]].concat();
    /// let hull = ConvexPolyhedron::hull(&points)?;
    /// assert_eq!(hull.sources(), [2, 3, 4, 5]);
    /// assert_eq!(hull.vertices(), corners);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    pub fn hull(points: &[[f64; 3]]) -> Result<Self> {
        if points.is_empty() || points.len() > POINTS_MAX {
            return Err(Error::argument(
                Argument::HullPoints,
                format!("{} points", points.len()),
                format!("1 to {POINTS_MAX} points"),
            ));
        }
        let scaled = Scaled::new(Argument::Point, points)?;
        let (dimension, loops) = hull_loops(&scaled.points);
        Ok(polyhedron(points, &scaled, dimension, &loops))
    }
}

/// Returns the dimension of the convex hull of points, and the loops of vertices around its faces;
/// for a segment or a point, one loop of its vertices. Coordinates must be in the range of exact
/// predicates.
pub(super) fn hull_loops(points: &[[f64; 3]]) -> (u32, Loops) {
    let one = |corners: Vec<u32>| Loops {
        starts: vec![0, corners.len() as u32],
        vertices: corners,
    };
    match AffineSpan::new(points) {
        AffineSpan::Point(p) => (0, one(vec![p])),
        AffineSpan::Segment(ends) => (1, one(ends.to_vec())),
        AffineSpan::Flat(corners) => {
            let n = corners.len() as u32;
            let both = corners.iter().chain(corners.iter().rev());
            let loops = Loops {
                starts: vec![0, n, 2 * n],
                vertices: both.copied().collect(),
            };
            (2, loops)
        }
        AffineSpan::Simplex(simplex) => (3, Hull::new(points, simplex).loops()),
    }
}

/// A triangle of the convex hull while it grows.
#[derive(Clone, Debug)]
struct Facet {
    corners: [u32; 3],
    /// For each half-edge of the triangle, the index of its twin: the same edge in the opposite
    /// direction, in the neighbouring triangle. Half-edge `3 * facet + corner` begins at that
    /// corner.
    twins: [u32; 3],
    /// The first point of the conflict list of this triangle of the hull. The list has the points
    /// outside the hull that are stored with this triangle because they see it.
    first: u32,
    /// The result of the last test whether a point sees this triangle of the hull: twice the index
    /// of that point, plus one if the point sees the triangle.
    mark: u64,
    /// The rounded normal `(b - a) x (c - a)` of the triangle with corners `a`, `b`, `c`; `base` is
    /// corner `a`.
    normal: [f64; 3],
    base: [f64; 3],
    /// An upper bound of the rounding error of `normal . (x - base)`, the height of a point `x`
    /// above the triangle, for all points of the input. If the computed magnitude is larger, the
    /// sign is right.
    error: f64,
}

/// The convex hull while it grows. Points are numbered in the order of insertion.
pub(super) struct Hull {
    points: Vec<[f64; 3]>,
    /// For each point, in the order of insertion, its index in the input of the hull.
    sources: Vec<u32>,
    extent: [f64; 3],
    facets: Vec<Facet>,
    free: Vec<u32>,
    /// For each point outside the growing hull, its conflict: one triangle of the hull that it
    /// sees. The points with the same conflict form a linked list; `next` has the successor of each
    /// point.
    conflicts: Vec<u32>,
    next: Vec<u32>,
    /// The triangles of the hull that the point being inserted sees, which are removed.
    seen: Vec<u32>,
    /// The horizon: the loop of edges around the triangles that the point being inserted sees. Each
    /// edge is stored as the half-edge of the triangle that remains. The edges are in no particular
    /// order.
    horizon: Vec<u32>,
    /// For each point that is a vertex of the horizon (the loop around the triangles that the point
    /// being inserted sees), the position in `horizon` of the edge that begins there. Entries of
    /// other points are not used.
    places: Vec<u32>,
    /// The fan: the new triangles between the inserted point and the edges of the horizon, in
    /// cyclic order.
    pub(super) fan: Vec<u32>,
    /// Two positions in `fan`, at which [`conflict_search`](super::conflict_search) begins. There
    /// the first corner of the triangle of the fan is a corner of the horizon as seen from the
    /// inserted point.
    pub(super) corners: [usize; 2],
}

impl Hull {
    /// Returns the convex hull of all points, given four points that are not coplanar.
    fn new(points: &[[f64; 3]], simplex: [u32; 4]) -> Self {
        let mut hull = Self::begun(points, simplex);
        for p in 4..hull.points.len() as u32 {
            if hull.conflicts[p as usize] != NONE {
                hull.insert(p);
            }
        }
        hull
    }

    /// Returns the growing hull that begins with the tetrahedron of four points; all other points
    /// are stored in the order of insertion.
    fn begun(points: &[[f64; 3]], simplex: [u32; 4]) -> Self {
        let bounds = Aabb::of_points(points.iter().copied());
        let sources = insertion_order(points, &bounds, simplex);
        let ordered: Vec<[f64; 3]> = sources.iter().map(|&i| points[i as usize]).collect();
        let mut hull = Hull {
            extent: bounds.extent(),
            facets: Vec::new(),
            free: Vec::new(),
            conflicts: vec![NONE; points.len()],
            next: vec![NONE; points.len()],
            seen: Vec::new(),
            horizon: Vec::new(),
            places: vec![NONE; points.len()],
            fan: Vec::new(),
            corners: [0; 2],
            points: ordered,
            sources,
        };
        hull.add_simplex();
        hull
    }

    /// Returns the coordinates of point `p` of the growing hull.
    #[inline]
    pub(super) fn point(&self, p: u32) -> [f64; 3] {
        self.points[p as usize]
    }

    /// Returns the first corner of a triangle of the growing hull. For a triangle
    /// `(h_i, h_i+1, p)` of the fan this is the vertex `h_i` of the horizon.
    #[inline]
    pub(super) fn corner(&self, f: u32) -> u32 {
        self.facets[f as usize].corners[0]
    }

    /// Returns whether a point sees a triangle of the growing hull: it lies strictly above the
    /// triangle's plane.
    #[inline]
    pub(super) fn sees(&self, q: [f64; 3], f: u32) -> bool {
        let facet = &self.facets[f as usize];
        let n = facet.normal;
        let d = minus(q, facet.base);
        let height = n[0] * d[0] + n[1] * d[1] + n[2] * d[2];
        if height.abs() > facet.error {
            return height > 0.0;
        }
        let [a, b, c] = facet.corners.map(|v| self.point(v));
        orient3d(a, b, c, q) == Sign::Positive
    }

    /// Adds a triangle without neighbours to the growing hull; returns its index.
    fn add(&mut self, corners: [u32; 3]) -> u32 {
        let [a, b, c] = corners.map(|v| self.point(v));
        let (u, v) = (minus(b, a), minus(c, a));
        // Differences have a relative error of `UNIT`, products of two of them `3 UNIT`, and their
        // difference adds one; the product with `x - a` adds two more, and the sum two. With the
        // sum of the magnitudes of the terms in place of their difference, `8 UNIT` bounds all of
        // it to first order and `10 UNIT` to all orders. A product that underflows is off by the
        // smallest subnormal number, which the smallest normal number covers.
        let size = |i: usize, j: usize| (u[i] * v[j]).abs() + (u[j] * v[i]).abs();
        let [x, y, z] = self.extent;
        let permanent = size(1, 2) * x + size(2, 0) * y + size(0, 1) * z;
        let facet = Facet {
            corners,
            twins: [NONE; 3],
            first: NONE,
            mark: 0,
            normal: cross(u, v),
            base: a,
            error: 10.0 * UNIT * permanent + f64::MIN_POSITIVE,
        };
        match self.free.pop() {
            Some(f) => {
                self.facets[f as usize] = facet;
                f
            }
            None => {
                self.facets.push(facet);
                self.facets.len() as u32 - 1
            }
        }
    }

    /// Makes half-edges `x` and `y` of the growing hull twins.
    fn link(&mut self, x: u32, y: u32) {
        self.facets[x as usize / 3].twins[x as usize % 3] = y;
        self.facets[y as usize / 3].twins[y as usize % 3] = x;
    }

    /// Begins the hull with the tetrahedron of the first four points. For each other point outside,
    /// finds a triangle of the tetrahedron that it sees, its conflict.
    fn add_simplex(&mut self) {
        // The fourth point lies on the side of the first three to which their normal points.
        for corners in [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]] {
            self.add(corners);
        }
        // Half-edges: 0-2, 2-1, 1-0; 0-1, 1-3, 3-0; 1-2, 2-3, 3-1; 2-0, 0-3, 3-2.
        for (x, y) in [(0, 9), (1, 6), (2, 3), (4, 8), (5, 10), (7, 11)] {
            self.link(x, y);
        }
        let hull = &*self;
        let first_seen = |p: usize| {
            let seen = (0..4).find(|&f| hull.sees(hull.points[p], f));
            seen.unwrap_or(NONE)
        };
        let first: Vec<u32> = (4..hull.points.len())
            .into_par_iter()
            .map(first_seen)
            .collect();
        for (p, f) in (4..).zip(first) {
            if f != NONE {
                self.add_conflict(p, f);
            }
        }
    }

    /// Adds point `q` to the conflict list of triangle `f` of the growing hull.
    fn add_conflict(&mut self, q: u32, f: u32) {
        let first = &mut self.facets[f as usize].first;
        self.next[q as usize] = std::mem::replace(first, q);
        self.conflicts[q as usize] = f;
    }

    /// Inserts a point into the growing hull: replaces the triangles that it sees by a fan around
    /// it.
    fn insert(&mut self, p: u32) {
        self.find_seen(p);
        self.add_fan(p);
        self.find_corners(self.point(p));
        self.move_conflicts(p);
        self.free.append(&mut self.seen);
    }

    /// Finds the triangles of the growing hull that `p` sees, and the horizon, the loop of edges
    /// around them.
    fn find_seen(&mut self, p: u32) {
        let (kept, seen) = (2 * u64::from(p), 2 * u64::from(p) + 1);
        let q = self.point(p);
        let first = self.conflicts[p as usize];
        self.facets[first as usize].mark = seen;
        self.seen.clear();
        self.seen.push(first);
        self.horizon.clear();
        let mut visited = 0;
        while visited < self.seen.len() {
            let twins = self.facets[self.seen[visited] as usize].twins;
            visited += 1;
            for twin in twins {
                let f = twin / 3;
                let mut mark = self.facets[f as usize].mark;
                if mark < kept {
                    mark = kept + u64::from(self.sees(q, f));
                    self.facets[f as usize].mark = mark;
                    if mark == seen {
                        self.seen.push(f);
                    }
                }
                if mark == kept {
                    self.horizon.push(twin);
                }
            }
        }
    }

    /// Adds the fan of point `p` to the growing hull: a new triangle between `p` and each edge of
    /// the horizon.
    fn add_fan(&mut self, p: u32) {
        // Half-edges of remaining triangles run against the horizon loop as seen from `p`.
        let ends = |facets: &[Facet], h: u32| {
            let corners = facets[h as usize / 3].corners;
            (corners[(h as usize + 1) % 3], corners[h as usize % 3])
        };
        for (place, &h) in self.horizon.iter().enumerate() {
            let (a, _) = ends(&self.facets, h);
            self.places[a as usize] = place as u32;
        }
        self.fan.clear();
        let mut h = self.horizon[0];
        for _ in 0..self.horizon.len() {
            let (a, b) = ends(&self.facets, h);
            let f = self.add([a, b, p]);
            self.link(3 * f, h);
            if let Some(&before) = self.fan.last() {
                self.link(3 * before + 1, 3 * f + 2);
            }
            self.fan.push(f);
            h = self.horizon[self.places[b as usize] as usize];
        }
        if let [first, .., last] = self.fan[..] {
            self.link(3 * last + 1, 3 * first + 2);
        }
    }

    /// Finds a new conflict for each point whose conflict `p` has removed from the growing hull: a
    /// triangle of the fan around `p` that the point sees. Points that see no triangle of the fan
    /// are inside.
    fn move_conflicts(&mut self, p: u32) {
        let apex = self.point(p);
        for i in 0..self.seen.len() {
            let mut q = self.facets[self.seen[i] as usize].first;
            while q != NONE {
                let after = self.next[q as usize];
                match self.seen_in_fan(apex, self.point(q)) {
                    _ if q == p => {}
                    Some(f) => self.add_conflict(q, f),
                    None => {
                        self.conflicts[q as usize] = NONE;
                        // A point equal to `p` is in conflict with such a triangle too, so all of
                        // them are found here.
                        if self.point(q) == apex {
                            let first = self.sources[p as usize].min(self.sources[q as usize]);
                            self.sources[p as usize] = first;
                        }
                    }
                }
                q = after;
            }
        }
    }

    /// Returns the loops around the faces of the finished hull, as indices of input points.
    fn loops(mut self) -> Loops {
        self.free.sort_unstable();
        let mut numbers = vec![NONE; self.facets.len()];
        let mut free = self.free.iter().copied().peekable();
        let mut live = Vec::with_capacity(self.facets.len() - self.free.len());
        for f in 0..self.facets.len() as u32 {
            if free.next_if_eq(&f).is_none() {
                numbers[f as usize] = live.len() as u32;
                live.push(f);
            }
        }
        let triangles: Vec<[u32; 3]> = live
            .iter()
            .map(|&f| self.facets[f as usize].corners)
            .collect();
        let twins: Vec<u32> = live
            .iter()
            .flat_map(|&f| self.facets[f as usize].twins)
            .map(|h| 3 * numbers[h as usize / 3] + h % 3)
            .collect();
        let mut loops = merged(&triangles, &twins, &self.points);
        for v in &mut loops.vertices {
            *v = self.sources[*v as usize];
        }
        loops
    }
}

/// Returns the order of insertion into the hull: the four points of `simplex`, then all others in
/// rounds. The points of a round are chosen at random. Each round has about as many points as all
/// rounds before it together. Within a round, except the first, points follow the Morton curve.
fn insertion_order(points: &[[f64; 3]], bounds: &Aabb<3>, simplex: [u32; 4]) -> Vec<u32> {
    let mut others: Vec<u32> = (0..points.len() as u32)
        .filter(|i| !simplex.contains(i))
        .collect();
    let mut random = Random::new(0);
    for i in (1..others.len()).rev() {
        // The high half of a product is below its factor.
        let j = (u128::from(random.bits()) * (i as u128 + 1)) >> 64;
        others.swap(i, j as usize);
    }
    let extent = bounds.extent();
    let key = |i: u32| {
        let place = |k: usize| {
            let part = (points[i as usize][k] - bounds.min[k]) / extent[k];
            spaced(((part * f64::from(1 << 21)) as u64).min((1 << 21) - 1))
        };
        place(0) << 2 | place(1) << 1 | place(2)
    };
    let mut end = others.len();
    while end > ROUND_MIN {
        let start = end / 2;
        others[start..end].par_sort_by_cached_key(|&i| (key(i), i));
        end = start;
    }
    simplex.into_iter().chain(others).collect()
}

/// Maximum number of points in the first round of insertion into the hull. The first round is
/// inserted in random order, later rounds along a Morton curve.
const ROUND_MIN: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the conflict search of the hull of these points: binary search in a fan finds a
    /// triangle if and only if a linear scan does. Returns the number of triangles of the largest
    /// fan.
    fn compare(points: &[[f64; 3]]) -> usize {
        let AffineSpan::Simplex(simplex) = AffineSpan::new(points) else {
            return 0;
        };
        let mut hull = Hull::begun(points, simplex);
        let mut largest = 0;
        for p in 4..points.len() as u32 {
            if hull.conflicts[p as usize] == NONE {
                continue;
            }
            hull.find_seen(p);
            hull.add_fan(p);
            let apex = hull.point(p);
            hull.find_corners(apex);
            largest = largest.max(hull.fan.len());
            for &f in &hull.seen {
                let mut q = hull.facets[f as usize].first;
                while q != NONE {
                    let place = hull.point(q);
                    let found = hull.seen_in_fan(apex, place);
                    let any = hull.fan.iter().any(|&f| hull.sees(place, f));
                    assert_eq!(found.is_some(), any, "{place:?} around {apex:?}");
                    assert!(found.is_none_or(|f| hull.sees(place, f)));
                    q = hull.next[q as usize];
                }
            }
            hull.move_conflicts(p);
            hull.free.append(&mut hull.seen);
        }
        largest
    }

    #[test]
    fn a_search_of_a_fan_misses_nothing() {
        let mut largest = 0;
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let mut whole = |n: u64| (random.bits() % n) as f64;
            // A bowl of a lattice, with many quadruples of points in one plane, lies above points
            // on its axis, which see much of it; more points lie on lines through points of the
            // axis and of the bowl.
            let mut points: Vec<[f64; 3]> = (0..169)
                .map(|i| [f64::from(i % 13 - 6), f64::from(i / 13 - 6)])
                .map(|[x, y]| [x, y, x * x + y * y])
                .collect();
            for _ in 0..12 {
                let depth = 10.0 * (whole(6) + 1.0);
                points.push([0.0, 0.0, -depth]);
                let [x, y, z] = points[whole(169) as usize];
                let k = whole(7) / 4.0 - 1.25;
                if whole(2) == 0.0 {
                    points.push([x + k * x, y + k * y, z + k * (z + depth)]);
                }
            }
            largest = largest.max(compare(&points));
        }
        assert!(largest > 20, "fans are small: {largest}");
    }
}
