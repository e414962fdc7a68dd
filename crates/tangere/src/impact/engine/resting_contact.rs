//! Contacts of bodies that rest on each other or slide: their normals, and corners that coincide.
//!
//! Faces that touch along an edge or at a corner do not say by themselves along which normal their
//! bodies push: the side faces of two equal boxes, one on the other, touch at the same corners as
//! the faces between them. The normal `n` of a contact must separate the bodies there: all faces
//! of `a` around the touching feature lie behind the plane across `n` through the contact point, all
//! faces of `b` in front of it, so that `n` is in the normal cone of the feature of `a`, and `-n` in
//! that of `b`. Candidates are the normals of these faces and the cross product of two touching
//! edges. Of several valid ones the nearest to the line of centres is taken, then the first in the
//! order of coordinates. The result depends on the surfaces only, not on the hierarchy or the order
//! of faces.

use super::contact_geometry::{between_centers, contact_at};
use super::found_contacts::FoundContact;
use super::impact_contact::ImpactContact;
use super::mover::Mover;
use super::relative_frame::RelativeFrame;
use super::triangle_pair::TrianglePair;
use crate::contact::{Feature, FeatureKind};
use crate::geometry::TriangleFeature;
use crate::geometry::vector::{cross, direction, dot, length, minus};

/// Faces lie on one side of a plane if no corner is beyond it by more than this fraction of their
/// size, or by rounding.
const FLAT: f64 = 1e-9;

/// Two candidates of a normal are equal if their difference is at most this.
const SAME: f64 = 1e-9;

/// Whether the normal of a contact is decided here: two different bodies with surfaces of triangles
/// that touch at no distance, and do not approach each other.
fn applies(movers: [&Mover; 2], separation: f64) -> bool {
    let is_surface =
        |m: &&Mover| m.body.shape.inner.elements.is_none() && m.body.shape.radius() == 0.0;
    separation == 0.0 && !std::ptr::eq(movers[0], movers[1]) && movers.iter().all(is_surface)
}

/// Adds to found contacts that touch or overlap those of all corners of their faces that coincide.
pub(super) fn with_coincident_corners(
    movers: &[Mover],
    contacts: &[FoundContact],
    separation: f64,
) -> Vec<FoundContact> {
    let mut out = contacts.to_vec();
    for found in contacts
        .iter()
        .filter(|f| f.touch.overlaps || f.touch.late == f64::INFINITY)
    {
        let pair = found.entry.bodies.map(|i| &movers[i as usize]);
        if !applies(pair, separation) {
            continue;
        }
        let frame = RelativeFrame::new(pair, found.touch.early, separation);
        let both = TrianglePair::new(&frame, pair, found.faces);
        for p in both.a.corners {
            for q in both.b.corners {
                if length(minus(q, p)) > frame.slack {
                    continue;
                }
                let overlaps = found.touch.overlaps;
                let touch = contact_at(pair, &both, found.faces, overlaps, [p, q]);
                if touch.late == found.touch.late {
                    out.push(FoundContact { touch, ..*found });
                }
            }
        }
    }
    out
}

/// The corners of the faces around a feature of a body, in the frame of a pair; `of` is 0 or 1, and
/// `face` one of the faces.
fn around(
    movers: [&Mover; 2],
    frame: &RelativeFrame,
    of: usize,
    on: Feature,
    face: u32,
) -> Vec<[[f64; 3]; 3]> {
    let inner = &movers[of].body.shape.inner;
    let faces: Vec<u32> = match on.kind {
        FeatureKind::Face => vec![on.index],
        FeatureKind::Vertex => inner.faces_at(on.index).to_vec(),
        FeatureKind::Edge => inner.faces_of_edge(face, on.index),
    };
    let corners = |face: u32| {
        let mut faces = [0; 2];
        faces[of] = face;
        let both = TrianglePair::new(frame, movers, faces);
        [both.a.corners, both.b.corners][of]
    };
    faces.into_iter().map(corners).collect()
}

/// The normal of a contact that neither overlaps nor closes; `None` if no candidate separates the
/// faces around the two features, or the contact is not one of two surfaces of triangles.
pub(super) fn normal(
    movers: &[Mover],
    contact: &ImpactContact,
    found: &FoundContact,
    separation: f64,
) -> Option<[f64; 3]> {
    let touch = &found.touch;
    let pair = found.entry.bodies.map(|i| &movers[i as usize]);
    if touch.overlaps || touch.late < f64::INFINITY || !applies(pair, separation) {
        return None;
    }
    let frame = RelativeFrame::new(pair, touch.early, separation);
    let both = TrianglePair::new(&frame, pair, found.faces);
    let features = [contact.feature_a, contact.feature_b];
    let faces = [0, 1].map(|of| around(pair, &frame, of, features[of], found.faces[of]));
    let mut candidates: Vec<[f64; 3]> = Vec::new();
    for [p, q, r] in faces.iter().flatten() {
        candidates.extend(direction(cross(minus(*q, *p), minus(*r, *p))));
    }
    if let (TriangleFeature::Edge(i), TriangleFeature::Edge(j)) = (touch.on_a, touch.on_b) {
        let (u, v) = (both.a.edges(), both.b.edges());
        candidates.extend(direction(cross(u[usize::from(i)], v[usize::from(j)])));
    }
    let at = [touch.point_a, touch.point_b];
    let is_valid = |n: &[f64; 3]| {
        [0, 1].into_iter().all(|of| {
            let sign = if of == 0 { 1.0 } else { -1.0 };
            faces[of].iter().all(|t| {
                let arms = t.map(|p| minus(p, at[of]));
                let size = arms.into_iter().map(length).fold(0.0, f64::max);
                let most = FLAT * size + 8.0 * frame.slack;
                arms.into_iter().all(|arm| sign * dot(*n, arm) <= most)
            })
        })
    };
    let facing = between_centers(pair, &both);
    let valid = (candidates.into_iter())
        .flat_map(|n| [n, n.map(|x| -x)])
        .filter(is_valid);
    valid.reduce(|best, n| {
        let rest = minus(n, best);
        if dot(rest, rest) <= SAME * SAME {
            return best;
        }
        let (old, new) = (dot(best, facing), dot(n, facing));
        let tie = SAME * length(facing);
        match (new - old).abs() <= tie {
            true if n.map(ordered) > best.map(ordered) => n,
            false if new > old => n,
            _ => best,
        }
    })
}

/// A coordinate of a normal as an integer in units of [`SAME`], so that rounding does not decide.
fn ordered(x: f64) -> i64 {
    (x / SAME).round() as i64
}
