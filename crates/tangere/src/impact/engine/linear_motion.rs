//! Exact time of impact of two triangles whose corners move linearly in a step (vertex-face and
//! edge-edge tests of `primitive`).
//!
//! Corners are exactly at their given positions at both ends of the step, so the result is exact
//! for these floating-point positions: no vertex passes through a face and no edge through another
//! undetected. Two triangles of one surface that share corners are tested only in the features that
//! they do not share.

use super::super::primitive::{
    ContactStatus, FirstContact, PrimitiveSettings, edge_edge, vertex_face,
};
use super::conservative_advancement::{Outcome, advance};
use super::contact_geometry::{contact_at, contact_of};
use super::mover::Mover;
use super::relative_frame::RelativeFrame;
use super::triangle_pair::TrianglePair;
use crate::closest::distance_apart;
use crate::geometry::{
    IntersectionKind, SegmentTriangle, Shared, segment_triangle, triangle_triangle,
};

/// A pair of features of two triangles that is tested for contact: vertex and face, face and
/// vertex, or two edges, with the indices of the vertices and edges in their triangles.
#[derive(Clone, Copy, Debug)]
enum Parts {
    VertexFace(usize),
    FaceVertex(usize),
    EdgeEdge(usize, usize),
}

/// The corners of two triangles at the start and at the end of a step, indexed by triangle, corner
/// and coordinate. `names` has the indices of the corners of both triangles in the mesh, if both
/// triangles are of one body; else it is `None`.
struct Step {
    starts: [[[f64; 3]; 3]; 2],
    ends: [[[f64; 3]; 3]; 2],
    names: Option<[[u32; 3]; 2]>,
}

impl Step {
    /// Whether two triangles in linear motion share a corner: `i` of triangle 0 and `j` of triangle
    /// 1.
    fn is_shared(&self, i: usize, j: usize) -> bool {
        self.names.is_some_and(|[a, b]| a[i] == b[j])
    }

    /// Whether corner `i` of triangle `of` in linear motion is a corner of the other triangle.
    fn is_shared_by_face(&self, of: usize, i: usize) -> bool {
        (0..3).any(|j| match of {
            0 => self.is_shared(i, j),
            _ => self.is_shared(j, i),
        })
    }

    /// Whether two triangles in linear motion share any corner.
    fn share(&self) -> bool {
        (0..3).any(|i| self.is_shared_by_face(0, i))
    }

    /// The pairs of features to test of two triangles in linear motion: vertex-face, face-vertex
    /// and edge-edge. A pair of features with a common corner is left out.
    fn parts(&self) -> impl Iterator<Item = Parts> + '_ {
        let vertices = (0..3)
            .filter(|&i| !self.is_shared_by_face(0, i))
            .map(Parts::VertexFace);
        let faces = (0..3)
            .filter(|&i| !self.is_shared_by_face(1, i))
            .map(Parts::FaceVertex);
        let edges = (0..9).map(|k| (k / 3, k % 3)).filter(|&(i, j)| {
            let ends = |k: usize| [k, (k + 1) % 3];
            let meet = |i: usize| ends(j).iter().any(|&j| self.is_shared(i, j));
            !ends(i).into_iter().any(meet)
        });
        let edges = edges.map(|(i, j)| Parts::EdgeEdge(i, j));
        vertices.chain(faces).chain(edges)
    }

    /// The first contact of a pair of features of two triangles in linear motion.
    fn first_contact(&self, parts: Parts, settings: &PrimitiveSettings) -> FirstContact {
        let corners = |[a, b]: &[[[f64; 3]; 3]; 2]| match parts {
            Parts::VertexFace(i) => [a[i], b[0], b[1], b[2]],
            Parts::FaceVertex(i) => [b[i], a[0], a[1], a[2]],
            Parts::EdgeEdge(i, j) => [a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]],
        };
        let (start, end) = (corners(&self.starts), corners(&self.ends));
        match parts {
            Parts::EdgeEdge(..) => edge_edge(&start, &end, settings),
            _ => vertex_face(&start, &end, settings),
        }
    }

    /// Whether two triangles intersect at the start of a step of linear motion.
    fn overlaps(&self) -> bool {
        let [a, b] = self.starts;
        if !self.share() {
            return triangle_triangle(a, b).is_some();
        }
        if triangle_triangle(a, b) == Some(IntersectionKind::Coplanar) {
            return true;
        }
        // An edge without shared corners may intersect the other triangle.
        let crosses = |of: usize| {
            let (edges, face) = match of {
                0 => (a, b),
                _ => (b, a),
            };
            (0..3).any(|i| {
                let (j, k) = ((i + 1) % 3, i);
                !self.is_shared_by_face(of, j)
                    && !self.is_shared_by_face(of, k)
                    && !matches!(
                        segment_triangle([edges[k], edges[j]], face),
                        SegmentTriangle::Disjoint
                            | SegmentTriangle::Coplanar(Shared::Nothing)
                            | SegmentTriangle::Degenerate(Shared::Nothing)
                    )
            })
        };
        crosses(0) || crosses(1)
    }
}

/// World positions at a time of the corners of a face in linear motion.
fn corners_at(mover: &Mover, face: u32, time: f64) -> [[f64; 3]; 3] {
    let inner = &mover.body.shape.inner;
    let s = time - mover.since;
    inner.faces[face as usize].map(|v| {
        let p = inner.points[v as usize];
        match &mover.body.deformation {
            None => {
                let (moved, v) = (mover.motion().pose().apply(p), mover.motion().velocity());
                std::array::from_fn(|k| moved[k] + v[k] * s)
            }
            Some(_) if s == 0.0 => p,
            Some(deformation) => {
                let end = deformation.ends[v as usize];
                match time >= mover.until() {
                    true => end,
                    false => {
                        let share = s / deformation.duration;
                        std::array::from_fn(|k| p[k] + (end[k] - p[k]) * share)
                    }
                }
            }
        }
    })
}

/// Start and end of the time step in which all corners of both bodies are in linear motion. `None`
/// if a body is a ball or moves in another way, or if the step is empty or has no end.
pub(super) fn step_of([a, b]: [&Mover; 2]) -> Option<[f64; 2]> {
    let (from, to) = (a.since.max(b.since), a.until().min(b.until()));
    let is_surface = |m: &Mover| m.body.shape.radius() == 0.0;
    let is_straight = [a, b].iter().all(|m| m.body.is_straight() && is_surface(m));
    (is_straight && to < f64::INFINITY && from < to).then_some([from, to])
}

/// The first contact of two triangles within a step of linear motion, from the time of a frame on.
pub(super) fn first_contact(
    frame: &mut RelativeFrame,
    movers: [&Mover; 2],
    faces: [u32; 2],
    [from, to]: [f64; 2],
    limit: f64,
    from_start: bool,
    count: &mut u64,
) -> Outcome {
    *count += 1;
    let is_own = std::ptr::eq(movers[0], movers[1]);
    let names = [0, 1].map(|i| movers[i].body.shape.inner.faces[faces[i] as usize]);
    // Of a step that has begun already only the rest is searched, up to rounding.
    let begins = if from_start { frame.time } else { from };
    let at = |time: f64| [0, 1].map(|i| corners_at(movers[i], faces[i], time));
    let step = Step {
        starts: at(begins),
        ends: at(to),
        names: is_own.then_some(names),
    };
    let separation = frame.separation;
    let share = step.share();
    if from_start && step.overlaps() {
        let pair = TrianglePair::new(frame, movers, faces);
        if !share && pair.only_touches() {
            // Touching triangles may separate and touch again.
            return advance(frame, movers, faces, limit, true, |_| false, count);
        }
        return Outcome::Touch(contact_of(movers, &pair, faces, true));
    }
    // The separation is finite and not negative.
    let settings = PrimitiveSettings::new(separation).unwrap_or_default();
    let mut first = (FirstContact::FREE, None);
    for parts in step.parts() {
        let found = step.first_contact(parts, &settings);
        if found.early < first.0.early
            || (found.early == first.0.early && found.late < first.0.late)
        {
            first = (found, Some(parts));
        }
    }
    let (found, Some(parts)) = first else {
        return Outcome::Later(f64::INFINITY);
    };
    let time = |share: f64| begins + share * (to - begins);
    if !share && from_start && found.late == 0.0 {
        return advance(frame, movers, faces, limit, true, |_| false, count);
    }
    if !share && !from_start && time(found.late).next_up().next_up() < frame.time {
        // The triangles touched before and have separated.
        return advance(frame, movers, faces, limit, false, |_| false, count);
    }
    let early = match found.early {
        0.0 => begins,
        share => time(share).next_down().next_down().max(begins),
    };
    if early > limit {
        return Outcome::Later(early);
    }
    frame.moved_to(movers, early);
    let pair = TrianglePair::new(frame, movers, faces);
    let ([a, b], point) = ([pair.a.corners, pair.b.corners], |p: [f64; 3]| [p; 3]);
    let edge = |t: [[f64; 3]; 3], k: usize| [t[k], t[(k + 1) % 3], t[(k + 1) % 3]];
    let nearest = match parts {
        Parts::VertexFace(i) => distance_apart(point(a[i]), b),
        Parts::FaceVertex(i) => distance_apart(a, point(b[i])),
        Parts::EdgeEdge(i, j) => distance_apart(edge(a, i), edge(b, j)),
    };
    let points = [nearest.1.point_a, nearest.1.point_b];
    let contact = contact_at(movers, &pair, faces, false, points);
    let is_exact = found.status == ContactStatus::Contact;
    let late = match is_exact {
        true => time(found.late).next_up().next_up(),
        false => f64::INFINITY,
    };
    Outcome::Touch(super::contact_geometry::Touch {
        late,
        is_exact,
        is_hidden: contact.is_hidden && !is_exact,
        ..contact
    })
}
