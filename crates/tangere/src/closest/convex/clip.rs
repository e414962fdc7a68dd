//! Clipping: the intersection of two features of convex bodies, faces or edges, projected along a
//! direction.
//!
//! In the plane orthogonal to the direction, one convex polygon is clipped by each side of the
//! other in turn (Sutherland and Hodgman 1974). Every corner of the result records the two features
//! it comes from: a vertex of one body and the face of the other, or two edges that cross. These
//! features stay the same while the bodies move a little, so a solver recognises the corner in the
//! next step.
//!
//! Cost: for two faces the product of their numbers of corners; for an edge and a face the number
//! of corners of the face.
//!
//! *Deviates:* where the border of the result goes from one side of the clipping polygon to the
//! next, its corner is the vertex that the two sides share, not their computed intersection.

use super::relative_frame::RelativeFrame;
use super::vectors::unit;
use crate::contact::{Feature, FeatureKind};
use crate::geometry::vector::{cross, dot, minus};

/// The distance beyond a clipping side up to which a point counts as inside, relative to the sum of
/// the radii of the bodies.
const BORDER: f64 = 1e-12;

/// The distance below which corners of the clipped polygon are merged, relative to the sum of the
/// radii of the bodies.
const SAME: f64 = 1e-9;

/// The sine of the angle up to which two edges count as parallel, so that they are clipped to their
/// common segment.
const PARALLEL: f64 = 1e-5;

/// A corner of the intersection of two features, projected onto a plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    /// The position of the corner in the plane onto which the features are projected.
    pub at: [f64; 2],
    /// The two features, one of `a` and one of `b`, on which the corner lies.
    pub features: [Feature; 2],
    /// The edge along which the border of the intersection goes from this corner to the next: the
    /// body of the edge (0 for `a`, 1 for `b`), and the index of the edge.
    along: (usize, u32),
}

/// The intersection of two features projected onto a plane. Its buffers are reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Clip {
    pub corners: Vec<Corner>,
    cut: Vec<Corner>,
}

/// Two features, projected along a direction from `a` to `b` onto a plane.
pub(super) struct View<'f, 's> {
    frame: &'f RelativeFrame<'s>,
    features: [Feature; 2],
    normal: [f64; 3],
    /// The axes of the plane of projection, in the axes of `a`: two unit vectors orthogonal to the
    /// normal, right-handed with it.
    axes: [[f64; 3]; 2],
    size: f64,
}

/// A side of a face in the plane of projection, directed so that the face is on its left; or a
/// single projected edge.
#[derive(Clone, Copy)]
struct Side {
    edge: u32,
    ends: [u32; 2],
    at: [[f64; 2]; 2],
}

impl Side {
    /// The distance of a point from the line of a clipping side, positive on the left of it.
    fn inside(&self, place: [f64; 2]) -> f64 {
        let along = minus(self.at[1], self.at[0]);
        turn(along, minus(place, self.at[0])) / length(along)
    }
}

impl<'f, 's> View<'f, 's> {
    /// The view along `normal`, for clipping: two features, one of each body, projected onto a
    /// plane.
    pub fn new(frame: &'f RelativeFrame<'s>, features: [Feature; 2], normal: [f64; 3]) -> Self {
        let least = (0..3).fold(0, |l, k| {
            if normal[k].abs() < normal[l].abs() {
                k
            } else {
                l
            }
        });
        let axis = std::array::from_fn(|k| if k == least { 1.0 } else { 0.0 });
        let first = unit(cross(axis, normal));
        Self {
            frame,
            features,
            normal,
            axes: [first, cross(normal, first)],
            size: frame.a.radius() + frame.b.radius(),
        }
    }

    /// The point of a feature of `a` (0) or `b` (1) whose projection onto the plane of clipping is
    /// `at`. It is returned in the axes of that body, relative to its center.
    pub fn point_on(&self, body: usize, feature: Feature, at: [f64; 2]) -> [f64; 3] {
        let shape = [self.frame.a, self.frame.b][body];
        match feature.kind {
            FeatureKind::Vertex => shape.local(feature.index),
            FeatureKind::Edge => {
                let ends = shape.edge_vertices(feature.index);
                let [p, q] = ends.map(|v| self.at(body, v));
                let (along, from) = (minus(q, p), minus(at, p));
                let s = (dot(from, along) / dot(along, along)).clamp(0.0, 1.0);
                let [p, q] = ends.map(|v| shape.local(v));
                std::array::from_fn(|k| p[k] + s * (q[k] - p[k]))
            }
            FeatureKind::Face => {
                let [u, v] = self.axes;
                let x = std::array::from_fn(|k| at[0] * u[k] + at[1] * v[k]);
                let (x, way) = match body {
                    0 => (x, self.normal),
                    _ => (
                        self.frame.turned_back(minus(x, self.frame.shift)),
                        self.frame.turned_back(self.normal),
                    ),
                };
                let normal = shape.normal(feature.index);
                let corner = shape.local(shape.face_loop(feature.index)[0].origin);
                let t = dot(normal, minus(corner, x)) / dot(normal, way);
                std::array::from_fn(|k| x[k] + t * way[k])
            }
        }
    }

    /// The projection of vertex `v` of `a` (0) or `b` (1) onto the plane of clipping.
    fn at(&self, body: usize, v: u32) -> [f64; 2] {
        let p = match body {
            0 => self.frame.vertex_a(v),
            _ => self.frame.vertex_b(v),
        };
        self.axes.map(|axis| dot(axis, p))
    }

    /// The clipping side along an edge of `a` (0) or `b` (1). `ends` are the vertices at which it
    /// starts and ends.
    fn side(&self, body: usize, edge: u32, ends: [u32; 2]) -> Side {
        Side {
            edge,
            ends,
            at: ends.map(|v| self.at(body, v)),
        }
    }

    /// The sides of the projected face of `a` (0) or `b` (1), counterclockwise in the plane of
    /// clipping. The face of `b` is seen from inside `b`, so the order of its sides is reversed.
    fn sides(&self, body: usize) -> impl Iterator<Item = Side> + '_ {
        let shape = [self.frame.a, self.frame.b][body];
        let loop_ = shape.face_loop(self.features[body].index);
        (0..loop_.len()).map(move |k| {
            let k = if body == 0 { k } else { loop_.len() - 1 - k };
            let (from, to) = (loop_[k], loop_[(k + 1) % loop_.len()]);
            let ends = if body == 0 {
                [from.origin, to.origin]
            } else {
                [to.origin, from.origin]
            };
            self.side(body, from.edge, ends)
        })
    }

    /// The edge of `a` (0) or `b` (1) that is clipped, projected onto the plane of clipping.
    fn edge(&self, body: usize) -> Side {
        let shape = [self.frame.a, self.frame.b][body];
        let edge = self.features[body].index;
        self.side(body, edge, shape.edge_vertices(edge))
    }
}

impl Clip {
    /// Clips the two features of a view, and stores the corners of their intersection
    /// counterclockwise about the normal. A segment has two corners; a point or an empty
    /// intersection has none.
    pub fn find(&mut self, view: &View) {
        use FeatureKind::{Edge, Face};
        self.corners.clear();
        match view.features.map(|f| f.kind) {
            [Face, Face] => self.faces(view),
            [Edge, Face] => self.edge_in_face(view, 0),
            [Face, Edge] => self.edge_in_face(view, 1),
            [Edge, Edge] => self.edges(view),
            _ => {}
        }
        let same = SAME * view.size;
        let near = |p: &Corner, q: &Corner| length(minus(p.at, q.at)) <= same;
        self.corners.dedup_by(|next, kept| near(next, kept));
        if let [first, .., last] = &self.corners[..]
            && near(first, last)
        {
            self.corners.pop();
        }
        if self.corners.len() == 1 {
            self.corners.clear();
        }
    }

    /// The centroid of the clipped polygon, or the middle of the clipped segment, in the plane of
    /// the view; `None` if there are no corners.
    pub fn center(&self) -> Option<[f64; 2]> {
        let origin = self.corners.first()?.at;
        let other = self.corners.get(1)?.at;
        // Triangle fan, weighted by area.
        let (mut area, mut moment) = (0.0, [0.0; 2]);
        for pair in self.corners[1..].windows(2) {
            let [p, q] = [minus(pair[0].at, origin), minus(pair[1].at, origin)];
            let weight = turn(p, q);
            area += weight;
            moment = [0, 1].map(|k| moment[k] + weight * (p[k] + q[k]) / 3.0);
        }
        Some([0, 1].map(|k| match area > 0.0 {
            true => origin[k] + moment[k] / area,
            false => 0.5 * (origin[k] + other[k]),
        }))
    }

    /// Clips the face of `a` by all sides of the face of `b` (Sutherland-Hodgman).
    fn faces(&mut self, view: &View) {
        let other = view.features[1];
        self.corners.extend(view.sides(0).map(|side| Corner {
            at: side.at[0],
            features: [Feature::vertex(side.ends[0]), other],
            along: (0, side.edge),
        }));
        for side in view.sides(1) {
            self.cut_by(view, side);
        }
    }

    /// Clips the polygon found so far by one side of the face of `b`: keeps the part on the left of
    /// the side.
    fn cut_by(&mut self, view: &View, side: Side) {
        let border = 0.0 - BORDER * view.size;
        if self.corners.iter().all(|c| side.inside(c.at) >= border) {
            return;
        }
        self.cut.clear();
        for (k, corner) in self.corners.iter().enumerate() {
            let next = &self.corners[(k + 1) % self.corners.len()];
            let (here, there) = (side.inside(corner.at), side.inside(next.at));
            let is_leaving = here >= border;
            if is_leaving {
                self.cut.push(*corner);
            }
            if is_leaving == (there >= border) {
                continue;
            }
            let s = crossing(here, there);
            let mut at = [0, 1].map(|k| corner.at[k] + s * (next.at[k] - corner.at[k]));
            let features = match corner.along {
                (0, edge) => [Feature::edge(edge), Feature::edge(side.edge)],
                (_, before) => {
                    // Sides that are not neighbours meet outside, where later sides clip.
                    let end = usize::from(!is_leaving);
                    let vertex = side.ends[end];
                    if view.frame.b.edge_vertices(before).contains(&vertex) {
                        at = side.at[end];
                    }
                    [view.features[0], Feature::vertex(vertex)]
                }
            };
            self.cut.push(Corner {
                at,
                features,
                along: if is_leaving {
                    (1, side.edge)
                } else {
                    corner.along
                },
            });
        }
        std::mem::swap(&mut self.corners, &mut self.cut);
    }

    /// Clips the edge of `a` (0) or `b` (1) by the sides of the face of the other body.
    fn edge_in_face(&mut self, view: &View, body: usize) {
        let edge = view.edge(body);
        let [p, q] = edge.at;
        let ordered = |own: Feature, other: Feature| {
            if body == 0 {
                [own, other]
            } else {
                [other, own]
            }
        };
        let face = view.features[1 - body];
        let border = 0.0 - BORDER * view.size;
        // Parameters where the edge enters and leaves the face.
        let mut ends = [
            (0.0, ordered(Feature::vertex(edge.ends[0]), face)),
            (1.0, ordered(Feature::vertex(edge.ends[1]), face)),
        ];
        for side in view.sides(1 - body) {
            let [here, there] = [p, q].map(|x| side.inside(x));
            let s = crossing(here, there);
            let end = (
                s,
                ordered(Feature::edge(edge.edge), Feature::edge(side.edge)),
            );
            match (here >= border, there >= border) {
                (true, true) => {}
                (false, false) => return,
                (false, true) if s > ends[0].0 => ends[0] = end,
                (true, false) if s < ends[1].0 => ends[1] = end,
                _ => {}
            }
        }
        if ends[0].0 < ends[1].0 {
            self.push_segment(ends, [p, q]);
        }
    }

    /// Clips two edges to the common segment of their projections. Stores nothing if they are not
    /// parallel.
    fn edges(&mut self, view: &View) {
        let [e, f] = [view.edge(0), view.edge(1)];
        let [p, q] = e.at;
        let along = minus(q, p);
        let other = minus(f.at[1], f.at[0]);
        if turn(along, other).abs() > PARALLEL * length(along) * length(other) {
            return;
        }
        let place = |at: [f64; 2]| dot(minus(at, p), along) / dot(along, along);
        let mut own = [0, 1].map(|k| {
            let features = [Feature::edge(e.edge), Feature::vertex(f.ends[k])];
            (place(f.at[k]), features)
        });
        if own[0].0 > own[1].0 {
            own.reverse();
        }
        let mut ends = [0, 1].map(|k| {
            let features = [Feature::vertex(e.ends[k]), Feature::edge(f.edge)];
            (k as f64, features)
        });
        if own[0].0 > 0.0 {
            ends[0] = own[0];
        }
        if own[1].0 < 1.0 {
            ends[1] = own[1];
        }
        if ends[0].0 < ends[1].0 {
            self.push_segment(ends, [p, q]);
        }
    }

    /// Stores the clipped segment, which lies on the line from `p` to `q`. Each of its `ends` is a
    /// parameter along this line (0 at `p`, 1 at `q`) and the two features that the end lies on.
    fn push_segment(&mut self, ends: [(f64, [Feature; 2]); 2], [p, q]: [[f64; 2]; 2]) {
        self.corners.extend(ends.map(|(s, features)| Corner {
            at: [0, 1].map(|k| p[k] + s * (q[k] - p[k])),
            features,
            along: (0, 0),
        }));
    }
}

/// The parameter, from 0 to 1, at which a clipped segment crosses the line of a side; `here` and
/// `there` are the signed distances of its start and its end from the line.
fn crossing(here: f64, there: f64) -> f64 {
    (here / (here - there)).clamp(0.0, 1.0)
}

/// The length of a vector in the plane of clipping.
fn length(v: [f64; 2]) -> f64 {
    dot(v, v).sqrt()
}

/// Twice the area of the triangle that two vectors in the plane of clipping span; positive if the
/// second is on the left of the first.
fn turn(u: [f64; 2], v: [f64; 2]) -> f64 {
    u[0] * v[1] - u[1] * v[0]
}
