//! Clipping: the intersection of two faces, of an edge and a face, or of two edges, projected along
//! a direction.
//!
//! A convex polygon is clipped by the sides of another, one after the other (Sutherland and Hodgman
//! 1974), in the plane orthogonal to the direction. Every corner of the result keeps its origin: a
//! vertex over the other face, or an edge that crosses an edge. These are pairs of the bodies'
//! features, so a corner keeps its name while the bodies move.
//!
//! Cost: the product of the numbers of corners; for an edge, the number of corners.
//!
//! *Deviates:* a corner that comes from two sides of the clipping polygon is its vertex, not the
//! point where computed sides meet.

use super::relative_frame::RelativeFrame;
use super::vectors::unit;
use crate::contact::{Feature, FeatureKind};
use crate::geometry::vector::{cross, dot, minus};

/// Distance outside a side that counts as on it, relative to the size of the bodies.
const BORDER: f64 = 1e-12;

/// Corners closer than this, relative to the size of the bodies, are merged.
const SAME: f64 = 1e-9;

/// Sine of the angle up to which edges count as parallel, the same as for features of one patch.
const PARALLEL: f64 = 1e-5;

/// A corner of the intersection of two features.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    /// Its position in the plane of the view.
    pub at: [f64; 2],
    /// The features of both bodies on which it lies.
    pub features: [Feature; 2],
    /// The edge that leads to the next corner, and its body: 0 for `a`, 1 for `b`.
    along: (usize, u32),
}

/// The intersection of two features; its memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Clip {
    pub corners: Vec<Corner>,
    cut: Vec<Corner>,
}

/// Two features projected along a direction from `a` to `b`.
pub(super) struct View<'f, 's> {
    frame: &'f RelativeFrame<'s>,
    features: [Feature; 2],
    normal: [f64; 3],
    /// Unit vectors orthogonal to the normal, right-handed with it.
    axes: [[f64; 3]; 2],
    size: f64,
}

/// A side of a face, counterclockwise in the view, or an edge.
#[derive(Clone, Copy)]
struct Side {
    edge: u32,
    ends: [u32; 2],
    at: [[f64; 2]; 2],
}

impl Side {
    /// Distance of a point from the line of the side, positive on the left.
    fn inside(&self, place: [f64; 2]) -> f64 {
        let along = minus(self.at[1], self.at[0]);
        turn(along, minus(place, self.at[0])) / length(along)
    }
}

impl<'f, 's> View<'f, 's> {
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

    /// The point of a feature of `a` (0) or `b` (1) that projects to `at`: relative to the center
    /// of the body, in its own axes.
    pub fn place(&self, body: usize, feature: Feature, at: [f64; 2]) -> [f64; 3] {
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

    fn at(&self, body: usize, v: u32) -> [f64; 2] {
        let p = match body {
            0 => self.frame.vertex_a(v),
            _ => self.frame.vertex_b(v),
        };
        self.axes.map(|axis| dot(axis, p))
    }

    fn side(&self, body: usize, edge: u32, ends: [u32; 2]) -> Side {
        Side {
            edge,
            ends,
            at: ends.map(|v| self.at(body, v)),
        }
    }

    /// The sides of a face, counterclockwise. Those of `b` are viewed from inside the body, so
    /// their order is reversed.
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

    fn edge(&self, body: usize) -> Side {
        let shape = [self.frame.a, self.frame.b][body];
        let edge = self.features[body].index;
        self.side(body, edge, shape.edge_vertices(edge))
    }
}

impl Clip {
    /// Finds the corners of the intersection of the features: counterclockwise about the normal,
    /// two if it is a segment, none if it is a point or empty.
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

    /// The centroid of the polygon, or the middle of the segment; none if there are no corners.
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

    /// Clips by a side of `b`: keeps what is on its left.
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

    /// Clips an edge of one body by the sides of a face of the other.
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

    /// The common segment of parallel edges.
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

    fn push_segment(&mut self, ends: [(f64, [Feature; 2]); 2], [p, q]: [[f64; 2]; 2]) {
        self.corners.extend(ends.map(|(s, features)| Corner {
            at: [0, 1].map(|k| p[k] + s * (q[k] - p[k])),
            features,
            along: (0, 0),
        }));
    }
}

/// The parameter where a segment crosses a line, from the signed distances of its ends.
fn crossing(here: f64, there: f64) -> f64 {
    (here / (here - there)).clamp(0.0, 1.0)
}

fn length(v: [f64; 2]) -> f64 {
    dot(v, v).sqrt()
}

/// Twice the area of the triangle of two vectors, positive if the second is on the left.
fn turn(u: [f64; 2], v: [f64; 2]) -> f64 {
    u[0] * v[1] - u[1] * v[0]
}
