//! Time of impact of two curved finite element faces, by subdivision into Bézier patches.
//!
//! Pairs of patches of both faces wait in a priority queue, ordered by a lower bound of their time
//! of impact (`subdivision`). The first pair is removed and bounded at its time: the convex hulls
//! of the control points bound how long it stays separated along an axis (`hull_bound`); where the
//! hulls overlap, a bound from Taylor expansions of second order is used instead (`second_order`).
//! If the time of the pair advances enough the pair is queued again, else the patch that bulges
//! more is quartered. The search ends at a pair of patches with two points whose distance is 0 up
//! to rounding (`contact`): nothing touches before the time of this pair.
//!
//! Where surfaces bend away from each other, however little, lower and upper bounds meet and steps
//! converge as Newton's do. Surfaces that fit each other over an area would need an endless number
//! of patches: after 1,024 quarterings the time proven so far is reported.
//!
//! A search covers a window of time in which faces move by at most half their size. The result of a
//! search depends only on the time at which it begins, so results do not depend on earlier queries.
//!
//! Cost: some microseconds for a step of an entire face, tens for a contact.

mod bezier_patch;
mod body_view;
mod concave_root;
mod contact;
mod coupling;
mod expansion;
mod face_bound;
mod face_pair;
mod gjk;
mod hull_bound;
mod jet;
mod narrow_phase;
mod nearest_points;
mod patch_gap;
mod patch_intersection;
mod polygon_minimum;
mod second_order;
mod subdivision;
mod symmetric_matrix;

pub(super) use subdivision::Scratch;

use super::mover::Mover;
use crate::shape::FaceKind;

/// Whether a pair of faces needs the search for curved faces: at least one of them is a finite
/// element face other than a linear triangle.
pub(super) fn is_curved(movers: [&Mover; 2], faces: [u32; 2]) -> bool {
    [0, 1].iter().any(|&i| {
        let elements = movers[i].body.shape.inner.elements.as_ref();
        elements.is_some_and(|e| e.kind(faces[i]) != FaceKind::Tri3)
    })
}
