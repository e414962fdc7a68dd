//! How deep: a polytope within the difference of two bodies, around the origin.
//!
//! Bodies penetrate by the distance from the origin to the surface of their difference. A
//! polytope with vertices of the difference lies within it, so its own distance is a lower
//! bound; the plane that supports the difference along the normal of a facet gives an upper
//! one. Where they do not meet, the vertex on that plane joins the polytope (the expanding
//! polytope of van den Bergen).
//!
//! It is kept from query to query as *numbers* of vertices. When the bodies have moved, its
//! vertices have moved with them and are still points of the difference, and its surface is
//! closed as before; as long as every facet is seen from its inner side by the origin,
//! the surface goes around the origin once, and no facet nearer than `r` means that the ball
//! of radius `r` is inside. It need not be convex.
//!
//! A facet whose vertices moved by no more than `m` cannot have come nearer by more than `m`.
//! So distances are computed once and hold for many steps, less the motion since; the facets
//! in the plane of the contact itself need none, for they are as far as it is.

use super::frame::{Frame, area, direction};
use super::simplex::{Simplex, TOLERANCE, nearest_on_triangle};
use crate::contact::{Feature, FeatureKind};
use crate::geometry::vector::{dot, minus};
use crate::shape::ConvexPolyhedron;

/// Vertices above which a kept polytope is thrown away: it has become larger than what a
/// contact needs, by features that were passed long ago.
const KEPT_MAX: usize = 48;

/// Vertices above which a search ends with the bounds it has.
const VERTICES_MAX: usize = 20_000;

/// Facets to look at one by one before all of them are computed anew.
const FEW: usize = 6;

#[derive(Clone, Copy, Debug)]
struct Facet {
    /// Vertices, counterclockwise from outside.
    corners: [u32; 3],
    /// The facets beyond the edges from each corner to the next.
    across: [u32; 3],
    normal: [f64; 3],
    /// The distance of its plane; infinite if it has no area.
    offset: f64,
}

/// The depth along the normal of a facet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth {
    /// From `a` to `b`, in the axes of `a`.
    pub normal: [f64; 3],
    /// The difference contains a ball of this radius about the origin.
    pub lower: f64,
    /// And none that is larger than this.
    pub upper: f64,
    /// The vertices of the facet nearest to the origin.
    pub simplex: Simplex,
}

/// A polytope around the origin; its memory is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Polytope {
    pairs: Vec<[u32; 2]>,
    points: Vec<[f64; 3]>,
    facets: Vec<Facet>,
    /// Where `b` was when `distances` were computed.
    rotation: [[f64; 3]; 3],
    shift: [f64; 3],
    /// Of each facet from the origin; infinite for those in the plane of `contact`.
    distances: Vec<f64>,
    contact: Option<[Feature; 2]>,
    visible: Vec<u32>,
    stack: Vec<u32>,
    horizon: Vec<[u32; 3]>,
    /// For each vertex the facet on the horizon that begins there.
    begins: Vec<u32>,
}

impl Polytope {
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.points.clear();
        self.facets.clear();
        self.contact = None;
    }

    /// Forgets what has grown too large to be worth keeping.
    pub fn prune(&mut self) {
        if self.pairs.len() > KEPT_MAX {
            self.clear();
        }
    }

    /// Whether the difference contains a ball of radius `depth` about the origin, and touches
    /// no larger one but in the plane of these features. `None`: not known.
    pub fn confirms(
        &mut self,
        frame: &Frame,
        features: [Feature; 2],
        depth: f64,
        margin: f64,
    ) -> bool {
        if self.contact != Some(features) {
            return false;
        }
        let needed = depth + margin + frame.motion_since(&self.rotation, self.shift);
        let near = self.distances.iter().filter(|&&d| d < needed).count();
        if near == 0 {
            return true;
        }
        if near <= FEW {
            return (0..self.facets.len()).all(|f| {
                self.distances[f] >= needed || {
                    let corners = self.facets[f].corners;
                    let [p, q, r] = corners.map(|c| frame.difference(self.pairs[c as usize]));
                    is_beyond(p, q, r, depth + margin)
                }
            });
        }
        self.refresh(frame) && {
            self.measure(frame, features);
            self.distances.iter().all(|&d| d >= depth + margin)
        }
    }

    /// Moves all vertices to where the bodies are. False if the origin is no longer
    /// inside, or there is nothing.
    pub fn refresh(&mut self, frame: &Frame) -> bool {
        self.points.clear();
        let pairs = &self.pairs;
        self.points
            .extend(pairs.iter().map(|&pair| frame.difference(pair)));
        let tolerance = TOLERANCE * frame.scale;
        for f in 0..self.facets.len() {
            self.facets[f] = self.placed(self.facets[f]);
            if self.facets[f].offset < -tolerance {
                return false;
            }
        }
        !self.facets.is_empty()
    }

    /// Distances of all facets but those that lie in the plane of the contact.
    pub fn measure(&mut self, frame: &Frame, features: [Feature; 2]) {
        self.rotation = frame.rotation;
        self.shift = frame.shift;
        self.contact = Some(features);
        self.distances.clear();
        for facet in &self.facets {
            let on_contact = facet.corners.iter().all(|&c| {
                let [i, j] = self.pairs[c as usize];
                has_vertex(frame.a, features[0], i) && has_vertex(frame.b, features[1], j)
            });
            self.distances.push(if on_contact {
                f64::INFINITY
            } else {
                let [p, q, r] = facet.corners.map(|c| self.points[c as usize]);
                let point = nearest_on_triangle(p, q, r).point;
                dot(point, point).sqrt()
            });
        }
    }

    /// A facet with its plane.
    fn placed(&self, mut facet: Facet) -> Facet {
        let [p, q, r] = facet.corners.map(|c| self.points[c as usize]);
        match direction(area(p, q, r)) {
            Some((normal, _)) => {
                facet.normal = normal;
                facet.offset = dot(normal, p);
            }
            None => {
                facet.normal = [0.0; 3];
                facet.offset = f64::INFINITY;
            }
        }
        facet
    }

    /// Begins with a tetrahedron that contains the simplex. False if the difference is flat.
    pub fn begin(&mut self, frame: &Frame, simplex: &Simplex) -> Result<(), [f64; 3]> {
        self.clear();
        for k in 0..simplex.len {
            self.pairs.push(simplex.pairs[k]);
            self.points.push(simplex.points[k]);
        }
        while self.points.len() < 4 {
            self.grow(frame)?;
        }
        let [p, q, r, s] = [0, 1, 2, 3].map(|k: usize| self.points[k]);
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
            let facet = self.placed(facet);
            self.facets.push(facet);
        }
        Ok(())
    }

    /// Adds a vertex that is not in the affine hull of the others, as far from it as
    /// can be. Fails with the normal of the difference if that is flat.
    fn grow(&mut self, frame: &Frame) -> Result<(), [f64; 3]> {
        let p = self.points[0];
        let unit = |k: usize| std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 });
        let tried: [[f64; 3]; 3] = match self.points.len() {
            1 => [unit(0), unit(1), unit(2)],
            2 => {
                let along = minus(self.points[1], p);
                // Two directions across the segment; the second is across the first as well.
                let least = (0..3).fold(0, |l, k| {
                    if along[k].abs() < along[l].abs() {
                        k
                    } else {
                        l
                    }
                });
                let first = crate::geometry::vector::cross(along, unit(least));
                let second = crate::geometry::vector::cross(along, first);
                [first, second, first]
            }
            _ => [area(p, self.points[1], self.points[2]); 3],
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
                let pair = frame.support(way, self.pairs[0]);
                let height = dot(way, minus(frame.difference(pair), p));
                if best.is_none_or(|(most, _)| height > most) {
                    best = Some((height, pair));
                }
            }
        }
        match best {
            Some((height, pair)) if height > 4.0 * TOLERANCE * frame.scale => {
                self.pairs.push(pair);
                self.points.push(frame.difference(pair));
                Ok(())
            }
            _ => Err(flat),
        }
    }

    /// Expands until the nearest facet is on the surface of the difference.
    pub fn expand(&mut self, frame: &Frame, steps: &mut u32) -> Depth {
        let tolerance = TOLERANCE * frame.scale;
        let mut best: Option<Depth> = None;
        loop {
            *steps += 1;
            let mut nearest = 0;
            for f in 1..self.facets.len() {
                if self.facets[f].offset < self.facets[nearest].offset {
                    nearest = f;
                }
            }
            let facet = self.facets[nearest];
            let corners = facet.corners.map(|c| c as usize);
            let pair = frame.support(facet.normal, self.pairs[corners[0]]);
            let corner = frame.difference(pair);
            let upper = dot(facet.normal, corner);
            if best.is_none_or(|b| upper < b.upper) {
                best = Some(Depth {
                    normal: facet.normal,
                    lower: facet.offset,
                    upper,
                    simplex: Simplex::new(frame, &corners.map(|c| self.pairs[c])),
                });
            }
            // The last one is the best, but for rounding.
            let Some(mut depth) = best else { continue };
            depth.lower = facet.offset.min(depth.upper);
            if depth.upper - facet.offset <= tolerance
                || self.pairs.len() >= VERTICES_MAX
                || self.pairs.contains(&pair)
                || !self.join(nearest, pair, corner, tolerance)
            {
                depth.simplex.reduce();
                return depth;
            }
        }
    }

    /// Replaces all facets that the vertex is beyond. False if that would leave a
    /// surface that does not go around the origin.
    fn join(&mut self, first: usize, pair: [u32; 2], point: [f64; 3], tolerance: f64) -> bool {
        const NONE: u32 = u32::MAX;
        self.visible.clear();
        self.stack.clear();
        self.horizon.clear();
        self.stack.push(first as u32);
        self.visible.push(first as u32);
        while let Some(f) = self.stack.pop() {
            let facet = self.facets[f as usize];
            for k in 0..3 {
                let g = facet.across[k];
                if self.visible.contains(&g) {
                    continue;
                }
                let other = &self.facets[g as usize];
                // Facets without area go with their neighbours.
                if other.offset == f64::INFINITY
                    || dot(other.normal, point) - other.offset > 0.01 * tolerance
                {
                    self.visible.push(g);
                    self.stack.push(g);
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
        // One loop around what was visible: each vertex begins one edge.
        let apex = self.points.len() as u32;
        self.begins.clear();
        self.begins.resize(self.points.len(), NONE);
        if self.horizon.len() != self.visible.len() + 2 {
            return false;
        }
        for (n, &[from, ..]) in self.horizon.iter().enumerate() {
            if self.begins[from as usize] != NONE {
                return false;
            }
            self.begins[from as usize] = n as u32;
        }
        self.pairs.push(pair);
        self.points.push(point);
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
        let mut ok = true;
        for n in 0..self.horizon.len() {
            let [from, to, beyond] = self.horizon[n];
            let after = self.begins[to as usize];
            let previous = self.horizon.iter().position(|e| e[1] == from);
            let (Some(previous), true) = (previous, after != NONE) else {
                return false;
            };
            let own = place(n as u32, &self.visible, before);
            let facet = self.placed(Facet {
                corners: [from, to, apex],
                across: [
                    beyond,
                    place(after, &self.visible, before),
                    place(previous as u32, &self.visible, before),
                ],
                normal: [0.0; 3],
                offset: 0.0,
            });
            ok &= facet.offset >= -tolerance;
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
        ok
    }
}

/// Whether no point of a triangle is nearer to the origin than this.
fn is_beyond(p: [f64; 3], q: [f64; 3], r: [f64; 3], distance: f64) -> bool {
    let n = area(p, q, r);
    let height = dot(n, p);
    // Seen from the wrong side, the surface does not go around the origin.
    if height <= 0.0 {
        return false;
    }
    if height * height >= distance * distance * dot(n, n) {
        return true;
    }
    let point = nearest_on_triangle(p, q, r).point;
    dot(point, point) >= distance * distance
}

/// Whether a vertex belongs to a feature.
pub(super) fn has_vertex(shape: &ConvexPolyhedron, feature: Feature, v: u32) -> bool {
    match feature.kind {
        FeatureKind::Vertex => feature.index == v,
        FeatureKind::Edge => shape.edge_vertices(feature.index).contains(&v),
        FeatureKind::Face => shape.face_vertices(feature.index).any(|x| x == v),
    }
}
