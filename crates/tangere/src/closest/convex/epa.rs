//! EPA: penetration depth from a polytope inside the Minkowski difference.
//!
//! The penetration depth is the distance from the origin to the boundary of the Minkowski
//! difference. A polytope with vertices of the difference lies inside the difference, so the
//! distance from the origin to the nearest facet of the polytope is a lower bound of the depth. The
//! support plane of the difference along the normal of that facet gives an upper bound. Where the
//! two bounds differ, the support vertex joins the polytope (expanding polytope algorithm of van
//! den Bergen, 2001).
//!
//! The polytope is kept from query to query as *indices* of vertices. When the bodies have moved,
//! its vertices are still points of the difference, and its surface is still closed. As long as the
//! origin is on the inner side of every facet, the surface goes around the origin once. If then no
//! facet is nearer than `r`, the ball of radius `r` about the origin is inside. The polytope need
//! not be convex.
//!
//! The distance of a facet is computed once and holds for many queries: a facet whose vertices
//! moved by at most `m` cannot have come nearer by more than `m`. Facets in the plane of the
//! contact need no distance, for they are as far away as the contact. A surface that moved by less
//! than its distance cannot have passed the origin; after a longer motion all facets are tested
//! again.

use super::gjk::TOLERANCE;
use super::relative_frame::RelativeFrame;
use super::simplex::{Simplex, nearest_on_triangle};
use super::vectors::{area, direction};
use super::voronoi_criterion::ClosestFeatures;
use crate::contact::{Feature, FeatureKind};
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::ConvexPolyhedron;

/// Maximum number of vertices of a polytope with which EPA continues in the next query. Most
/// vertices of a larger one are far from the contact.
const KEPT_MAX: usize = 32;

/// Maximum number of vertices of the polytope. When it is reached, EPA ends with the bounds of the
/// depth found so far.
const VERTICES_MAX: usize = 20_000;

/// The value of [`Corner::begins`] of a vertex at which no edge of the horizon begins. The horizon
/// is the border of the facets that a new vertex replaces.
const NONE: u32 = u32::MAX;

/// Safety factor against rounding in the proof of a penetration depth. It multiplies the distance
/// from the projection of the origin onto the contact face, a face of the Minkowski difference, to
/// the nearest side of this face.
pub(super) const RIM: f64 = 0.999;

/// A vertex of the EPA polytope, which is a vertex of the Minkowski difference.
#[derive(Clone, Copy, Debug)]
struct Corner {
    /// The indices of two vertices, one of each body. Their difference is this vertex of the
    /// polytope.
    pair: [u32; 2],
    /// The position of this vertex of the polytope in the axes of `a`, for the poses at which it
    /// was last computed.
    point: [f64; 3],
    /// The number of the call of `confirms` that last computed `point`; 0 if none did. Calls are
    /// counted in `Polytope::query`.
    query: u64,
    /// The index of the edge of the horizon that begins at this vertex, or [`NONE`]. The horizon is
    /// the border of the facets that a new vertex replaces.
    begins: u32,
}

impl Corner {
    /// A new vertex of the EPA polytope: the difference `point` of two vertices, one of each body,
    /// with the indices `pair`.
    fn new(pair: [u32; 2], point: [f64; 3]) -> Self {
        Self {
            pair,
            point,
            query: 0,
            begins: NONE,
        }
    }
}

/// A facet of the EPA polytope: a triangle.
#[derive(Clone, Copy, Debug)]
struct Facet {
    /// The indices of the three vertices of the facet, counterclockwise from outside.
    corners: [u32; 3],
    /// The indices of the three neighbouring facets: `across[k]` shares the edge from corner `k` to
    /// the next corner.
    across: [u32; 3],
    normal: [f64; 3],
    /// The distance of the plane of the facet from the origin; infinite if the facet has no area.
    offset: f64,
}

/// The result of EPA: bounds of the penetration depth, and the facet of the polytope that is
/// nearest to the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth {
    /// The unit vector from `a` to `b` along the shortest separating translation, in the axes of
    /// `a`.
    pub normal: [f64; 3],
    /// Lower bound of the depth: the Minkowski difference contains a ball of this radius about the
    /// origin.
    pub lower: f64,
    /// Upper bound of the depth: the Minkowski difference contains no larger ball about the origin.
    pub upper: f64,
    /// The three vertices of the facet of the polytope nearest to the origin. Each is given by the
    /// indices of two vertices, one of each body.
    pub pairs: [[u32; 2]; 3],
}

impl Depth {
    /// The result of EPA where the Minkowski difference is flat and `normal` is orthogonal to it:
    /// the penetration depth is 0. `pair` are the indices of two vertices, one of each body, which
    /// stand for all three vertices of the nearest facet.
    pub fn none(normal: [f64; 3], pair: [u32; 2]) -> Self {
        Self {
            normal,
            lower: 0.0,
            upper: 0.0,
            pairs: [pair; 3],
        }
    }
}

/// A polytope inside the Minkowski difference that contains the origin; its buffers are reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Polytope {
    corners: Vec<Corner>,
    /// The number of calls of [`confirms`](Self::confirms) so far. A vertex with the same number in
    /// `Corner::query` has its position for the current poses.
    query: u64,
    facets: Vec<Facet>,
    /// The rotation of body `b` relative to body `a` at the last query, by rows.
    rotation: [[f64; 3]; 3],
    /// The center of body `b` relative to that of body `a` at the last query, in the axes of `a`.
    shift: [f64; 3],
    /// Upper bound of the length of the path of any point of the Minkowski difference since EPA
    /// last expanded the polytope: the sum of the upper bounds of its motion from query to query.
    way: f64,
    /// For each facet a lower bound of its distance from the origin, plus the value of `way` when
    /// this bound was computed. So the distance is now at least the difference of this value and
    /// `way`. Infinite for facets in the plane of the contact. Empty until EPA has succeeded.
    reaches: Vec<f64>,
    /// The two features, one of each body, of the contact that [`confirms`](Self::confirms) last
    /// tried to prove; `None` if it was not called since EPA last expanded the polytope. Facets in
    /// the plane of this contact have an infinite value in `reaches`.
    contact: Option<[Feature; 2]>,
    /// The penetration depth that the polytope last proved, or after an expansion by EPA the least
    /// distance of a facet from the origin. If the Minkowski difference has moved by less since the
    /// last query, the surface of the polytope still goes around the origin.
    proven: f64,
    /// The indices of the facets of the polytope that a new vertex replaces.
    visible: Vec<u32>,
    /// The border of the facets that a new vertex replaces. Each edge is given by three indices:
    /// its start, its end and the facet beyond it.
    horizon: Vec<[u32; 3]>,
}

impl Polytope {
    /// Removes all vertices and facets of the EPA polytope.
    pub fn clear(&mut self) {
        self.corners.clear();
        self.facets.clear();
        self.reaches.clear();
        self.contact = None;
    }

    /// Whether there is an EPA polytope of an earlier query that is small enough to be worth
    /// continuing with.
    pub fn is_useful(&self) -> bool {
        !self.facets.is_empty() && self.corners.len() <= KEPT_MAX
    }

    /// Proves by the EPA polytope that the depth of two features is the penetration depth of the
    /// bodies. `closest` holds the distance of the features, which is minus their depth. The proof
    /// shows that the Minkowski difference contains the ball about the origin whose radius is the
    /// depth of the features plus `margin`, except for the part of the ball beyond the face of the
    /// difference that the features make.
    ///
    /// # Errors
    /// The three vertices of a facet that is nearer to the origin than this radius; `None` if there
    /// is no polytope of an earlier query.
    pub fn confirms(
        &mut self,
        frame: &RelativeFrame,
        features: [Feature; 2],
        closest: &ClosestFeatures,
        margin: f64,
    ) -> Result<(), Option<[[u32; 2]; 3]>> {
        if self.reaches.is_empty() {
            return Err(None);
        }
        // A surface that moved by less than its distance cannot have passed the origin, so it still
        // goes around it. Otherwise the orientation of every facet is tested.
        if self.follow(frame) >= self.proven {
            self.reaches.fill(f64::NEG_INFINITY);
            self.contact = None;
        }
        if self.contact != Some(features) {
            self.put_contact(features);
        }
        self.query += 1;
        let least = margin - closest.answer.gap;
        let needed = least + self.way;
        let normal = frame.pose_a.rotate_back(closest.answer.normal);
        let mut cap = None;
        for (reach, facet) in self.reaches.iter_mut().zip(&self.facets) {
            if *reach >= needed {
                continue;
            }
            let mut corner = |c: u32| {
                let corner = &mut self.corners[c as usize];
                if corner.query != self.query {
                    corner.query = self.query;
                    corner.point = frame.difference(corner.pair);
                }
                corner.point
            };
            let [c, d, e] = facet.corners;
            let (p, q, r) = (corner(c), corner(d), corner(e));
            let n = area(p, q, r);
            let squared = dot(n, n);
            if squared == 0.0 {
                continue;
            }
            let offset = dot(n, p) / squared.sqrt();
            if offset >= least {
                *reach = offset + self.way;
                continue;
            }
            // A facet in the plane of the contact is as far as the contact is, until that changes.
            // A flat body has two faces in one plane: it must be on the right side.
            let in_plane = facet.corners.iter().all(|&c| {
                let [i, j] = self.corners[c as usize].pair;
                has_vertex(frame.a, features[0], i) && has_vertex(frame.b, features[1], j)
            });
            if in_plane && dot(n, normal) > 0.0 {
                *reach = f64::INFINITY;
                continue;
            }
            // If the origin is on the outer side of a facet, the surface does not go around it.
            if offset > 0.0 {
                let cap = cap.get_or_insert_with(|| {
                    Cap::new(normal, RIM * frame.rim(features, closest.along), least)
                });
                if cap.covers(n, squared, offset) {
                    continue;
                }
                let point = nearest_on_triangle(p, q, r).point;
                let distance = dot(point, point).sqrt();
                if distance >= least {
                    *reach = distance + self.way;
                    continue;
                }
            }
            return Err(Some(facet.corners.map(|c| self.corners[c as usize].pair)));
        }
        self.proven = 0.0 - closest.answer.gap;
        Ok(())
    }

    /// Adds to `way` an upper bound of the distance by which any point of the Minkowski difference
    /// has moved since the last query of EPA; returns that bound.
    fn follow(&mut self, frame: &RelativeFrame) -> f64 {
        let moved = frame.motion_since(&self.rotation, self.shift);
        self.way += moved;
        self.rotation = frame.rotation;
        self.shift = frame.shift;
        moved
    }

    /// Sets the features of the contact that the EPA polytope confirms. Facets in the plane of the
    /// previous contact lose their infinite bound, so that their distance is computed again.
    fn put_contact(&mut self, features: [Feature; 2]) {
        for reach in &mut self.reaches {
            if *reach == f64::INFINITY {
                *reach = f64::NEG_INFINITY;
            }
        }
        self.contact = Some(features);
    }

    /// Recomputes all vertices and facet planes of the EPA polytope for the current poses.
    pub fn refresh(&mut self, frame: &RelativeFrame) {
        for corner in &mut self.corners {
            corner.point = frame.difference(corner.pair);
        }
        for f in 0..self.facets.len() {
            let (normal, offset) = self.plane(self.facets[f].corners);
            self.facets[f].normal = normal;
            self.facets[f].offset = offset;
        }
    }

    /// Sets the lower bounds in `reaches` to the distances from the origin to the planes of all
    /// facets of the EPA polytope. `least` is the least of these distances.
    fn measure(&mut self, frame: &RelativeFrame, least: f64) {
        self.way = 0.0;
        self.proven = least;
        self.rotation = frame.rotation;
        self.shift = frame.shift;
        self.contact = None;
        self.reaches.clear();
        self.reaches.extend(self.facets.iter().map(|facet| {
            // A facet without area may get one later.
            if facet.offset == f64::INFINITY {
                f64::NEG_INFINITY
            } else {
                facet.offset
            }
        }));
    }

    /// The unit normal of the plane through three vertices of the EPA polytope, and the distance of
    /// this plane from the origin. The distance is infinite if the vertices span no area.
    #[inline]
    fn plane(&self, corners: [u32; 3]) -> ([f64; 3], f64) {
        let [p, q, r] = corners.map(|c| self.corners[c as usize].point);
        match direction(area(p, q, r)) {
            Some((normal, _)) => (normal, dot(normal, p)),
            None => ([0.0; 3], f64::INFINITY),
        }
    }

    /// Starts EPA with a tetrahedron as polytope, whose vertices include those of the GJK simplex.
    ///
    /// # Errors
    /// The normal of the Minkowski difference if it is flat.
    pub fn begin(&mut self, frame: &RelativeFrame, simplex: &Simplex) -> Result<(), [f64; 3]> {
        self.clear();
        // After overflow no corner of the simplex is left.
        if simplex.len == 0 {
            return Err([1.0, 0.0, 0.0]);
        }
        self.reserve();
        for k in 0..simplex.len {
            (self.corners).push(Corner::new(simplex.pairs[k], simplex.points[k]));
        }
        while self.corners.len() < 4 {
            self.grow(frame)?;
        }
        let [p, q, r, s] = [0, 1, 2, 3].map(|k: usize| self.corners[k].point);
        // Counterclockwise from outside: the fourth corner is behind the first three.
        let turned = dot(area(p, q, r), minus(s, p)) > 0.0;
        let [q, r]: [u32; 2] = if turned { [2, 1] } else { [1, 2] };
        let none = Facet {
            corners: [0, q, r],
            across: [1, 2, 3],
            normal: [0.0; 3],
            offset: 0.0,
        };
        let facets = [
            none,
            Facet {
                corners: [0, 3, q],
                across: [3, 2, 0],
                ..none
            },
            Facet {
                corners: [q, 3, r],
                across: [1, 3, 0],
                ..none
            },
            Facet {
                corners: [r, 3, 0],
                across: [2, 1, 0],
                ..none
            },
        ];
        for facet in facets {
            let (normal, offset) = self.plane(facet.corners);
            self.facets.push(Facet {
                normal,
                offset,
                ..facet
            });
        }
        Ok(())
    }

    /// An empty polytope with enough memory for most.
    pub fn reserved() -> Box<Self> {
        let mut polytope = Box::<Self>::default();
        polytope.reserve();
        polytope
    }

    /// Reserves enough memory for most EPA polytopes.
    fn reserve(&mut self) {
        const VERTICES: usize = 32;
        const FACETS: usize = 2 * VERTICES - 4;
        if self.facets.capacity() > 0 {
            return;
        }
        self.corners.reserve(VERTICES);
        self.horizon.reserve(VERTICES);
        self.facets.reserve(FACETS);
        self.reaches.reserve(FACETS);
        self.visible.reserve(FACETS);
    }

    /// Adds a vertex to the EPA polytope while it is not yet a tetrahedron. It is the vertex of the
    /// Minkowski difference that is farthest from the affine hull of the vertices so far, in a few
    /// directions orthogonal to this hull.
    ///
    /// # Errors
    /// The normal of the difference if it is flat.
    fn grow(&mut self, frame: &RelativeFrame) -> Result<(), [f64; 3]> {
        let p = self.corners[0].point;
        let unit = |k: usize| std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 });
        let tried: [[f64; 3]; 3] = match self.corners.len() {
            1 => [unit(0), unit(1), unit(2)],
            2 => {
                let along = minus(self.corners[1].point, p);
                // Two directions orthogonal to the segment and to each other.
                let least = (0..3).fold(0, |l, k| {
                    if along[k].abs() < along[l].abs() {
                        k
                    } else {
                        l
                    }
                });
                let first = cross(along, unit(least));
                let second = cross(along, first);
                [first, second, first]
            }
            _ => [area(p, self.corners[1].point, self.corners[2].point); 3],
        };
        let mut best: Option<(f64, [u32; 2])> = None;
        let mut flat = [1.0, 0.0, 0.0];
        for way in tried {
            let Some((way, _)) = direction(way) else {
                continue;
            };
            flat = way;
            for sign in [1.0, -1.0] {
                let way = way.map(|x| x * sign);
                let pair = frame.support(way, frame.starts(way));
                let height = dot(way, minus(frame.difference(pair), p));
                if best.is_none_or(|(most, _)| height > most) {
                    best = Some((height, pair));
                }
            }
        }
        match best {
            Some((height, pair)) if height > 4.0 * TOLERANCE * frame.scale => {
                (self.corners).push(Corner::new(pair, frame.difference(pair)));
                Ok(())
            }
            _ => Err(flat),
        }
    }

    /// EPA: expands the polytope until its nearest facet is on the boundary of the Minkowski
    /// difference. `None` if the origin turns out to be outside the difference, or if rounding
    /// makes the surface invalid. Adds the number of iterations to `steps`.
    pub fn expand(&mut self, frame: &RelativeFrame, steps: &mut u32) -> Option<Depth> {
        let tolerance = TOLERANCE * frame.scale;
        self.reaches.clear();
        loop {
            *steps += 1;
            let mut nearest = 0;
            for f in 1..self.facets.len() {
                if self.facets[f].offset < self.facets[nearest].offset {
                    nearest = f;
                }
            }
            let facet = self.facets.get(nearest)?;
            let pair = frame.support(facet.normal, frame.starts(facet.normal));
            let corner = frame.difference(pair);
            let upper = dot(facet.normal, corner);
            if upper < -tolerance {
                return None;
            }
            let facet_offset = facet.offset;
            if upper - facet_offset <= tolerance || self.corners.len() >= VERTICES_MAX {
                self.measure(frame, facet_offset);
                return Some(self.depth(nearest, upper));
            }
            // If the vertex is already there, the facet is too thin for its normal. Otherwise
            // facets coplanar with the vertex may be replaced or kept: both are tried.
            let joined = !self.corners.iter().any(|c| c.pair == pair)
                && [0.0, tolerance, -tolerance]
                    .iter()
                    .any(|&beyond| self.join(nearest, pair, corner, beyond));
            if !joined {
                self.clear();
                return None;
            }
        }
    }

    /// The penetration depth that EPA reports if the facet with index `nearest` is the nearest to
    /// the origin, with `upper` as upper bound.
    fn depth(&self, nearest: usize, upper: f64) -> Depth {
        let facet = self.facets[nearest];
        let corners = facet.corners.map(|c| c as usize);
        Depth {
            normal: facet.normal,
            lower: facet.offset,
            upper,
            pairs: corners.map(|c| self.corners[c].pair),
        }
    }

    /// Adds a vertex to the EPA polytope: the difference `point` of the two vertices of the bodies
    /// with the indices `pair`. Removes the facet `first` and all facets connected to it that the
    /// vertex is in front of by more than `beyond`, and joins the vertex to the border of the hole,
    /// the horizon, by new facets. Returns false and leaves the facets unchanged if the horizon is
    /// not one closed loop.
    fn join(&mut self, first: usize, pair: [u32; 2], point: [f64; 3], beyond: f64) -> bool {
        self.visible.clear();
        self.horizon.clear();
        self.visible.push(first as u32);
        let mut at = 0;
        while at < self.visible.len() {
            let facet = self.facets[self.visible[at] as usize];
            at += 1;
            for k in 0..3 {
                let g = facet.across[k];
                if self.visible.contains(&g) {
                    continue;
                }
                let other = &self.facets[g as usize];
                // Facets without area go with their neighbours.
                if other.offset == f64::INFINITY || dot(other.normal, point) > other.offset + beyond
                {
                    self.visible.push(g);
                }
            }
        }
        for &f in &self.visible {
            let facet = self.facets[f as usize];
            for k in 0..3 {
                if !self.visible.contains(&facet.across[k]) {
                    self.horizon.push([
                        facet.corners[k],
                        facet.corners[(k + 1) % 3],
                        facet.across[k],
                    ]);
                }
            }
        }
        // The horizon is one loop: each vertex begins one edge.
        let apex = self.corners.len() as u32;
        for corner in &mut self.corners {
            corner.begins = NONE;
        }
        if self.horizon.len() != self.visible.len() + 2 {
            return false;
        }
        for (n, &[from, ..]) in self.horizon.iter().enumerate() {
            let begins = &mut self.corners[from as usize].begins;
            if *begins != NONE {
                return false;
            }
            *begins = n as u32;
        }
        if self
            .horizon
            .iter()
            .any(|&[_, to, _]| self.corners[to as usize].begins == NONE)
        {
            return false;
        }
        self.corners.push(Corner::new(pair, point));
        // The n-th edge of the horizon takes the place of the n-th visible facet, and the last
        // two are new.
        let place = |n: u32, visible: &[u32], facets: usize| {
            let n = n as usize;
            if n < visible.len() {
                visible[n]
            } else {
                (facets + n - visible.len()) as u32
            }
        };
        let before = self.facets.len();
        for n in 0..self.horizon.len() {
            let [from, to, beyond] = self.horizon[n];
            let after = self.corners[to as usize].begins;
            // Every vertex begins one edge, so every vertex ends one.
            let previous = self.horizon.iter().position(|e| e[1] == from).unwrap_or(n);
            let own = place(n as u32, &self.visible, before);
            let corners = [from, to, apex];
            let (normal, offset) = self.plane(corners);
            let facet = Facet {
                corners,
                across: [
                    beyond,
                    place(after, &self.visible, before),
                    place(previous as u32, &self.visible, before),
                ],
                normal,
                offset,
            };
            let other = &mut self.facets[beyond as usize];
            for k in 0..3 {
                if other.corners[k] == to && other.corners[(k + 1) % 3] == from {
                    other.across[k] = own;
                }
            }
            if (own as usize) < self.facets.len() {
                self.facets[own as usize] = facet;
            } else {
                self.facets.push(facet);
            }
        }
        true
    }
}

/// Whether vertex `v` belongs to the feature of its body in contact. If this holds for all vertices
/// that make a facet of the EPA polytope, the facet lies in the contact plane.
fn has_vertex(shape: &ConvexPolyhedron, feature: Feature, v: u32) -> bool {
    match feature.kind {
        FeatureKind::Vertex => feature.index == v,
        FeatureKind::Edge => shape.edge_vertices(feature.index).contains(&v),
        FeatureKind::Face => shape.face_vertices(feature.index).any(|x| x == v),
    }
}

/// The cone of directions in which the contact face alone proves the penetration depth. The contact
/// face is the face of the Minkowski difference that the two features in contact make.
///
/// A face at distance `d` from the origin that contains a disc of radius `e` about the projection
/// of the origin reaches `d cos x + e sin x` in directions at an angle `x` from its normal. This is
/// at least `d` for `x` up to `2 atan(e / d)`.
struct Cap {
    normal: [f64; 3],
    /// The radius of the ball about the origin that must fit into the Minkowski difference.
    radius: f64,
    /// The cosine of the half-angle of the cone of directions, whose axis is `normal`.
    cosine: f64,
}

impl Cap {
    /// The cone of directions in which a contact face at distance `radius` from the origin proves
    /// the penetration depth for EPA. The face has the unit normal `normal` and contains a disc of
    /// radius `rim` about the projection of the origin.
    fn new(normal: [f64; 3], rim: f64, radius: f64) -> Self {
        let ratio = rim / radius;
        let squared = if rim > 0.0 { ratio * ratio } else { 0.0 };
        Self {
            normal,
            radius,
            cosine: if squared < f64::MAX {
                (1.0 - squared) / (1.0 + squared)
            } else {
                -1.0
            },
        }
    }

    /// Whether the cone of directions contains all directions in which the ball of radius `radius`
    /// about the origin extends beyond a facet of the EPA polytope. These directions are within the
    /// angle `acos(offset / radius)` of the normal `n` of the facet. `offset` is the distance of
    /// the plane of the facet from the origin, and `squared` the squared length of `n`.
    fn covers(&self, n: [f64; 3], squared: f64, offset: f64) -> bool {
        let (x, y) = (
            dot(n, self.normal) / squared.sqrt(),
            (offset / self.radius).min(1.0),
        );
        let sines = [x, y].map(|c| (1.0 - c * c).max(0.0).sqrt());
        // Cosine and sine of the sum of both angles.
        x * y - sines[0] * sines[1] >= self.cosine && sines[0] * y + x * sines[1] >= 0.0
    }
}
