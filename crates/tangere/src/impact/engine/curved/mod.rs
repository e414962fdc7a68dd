//! Time of impact of two curved finite element faces, by subdivision into Bézier patches.
//!
//! Pairs of patches of both faces wait in a priority queue, ordered by a lower bound of their time
//! of impact. The first pair is removed and bounded at its time: the convex hulls of the control
//! points bound how long it stays separated along an axis (`hull_bound`); where the hulls overlap,
//! the bound of second order does (`second_order`). If the time of the pair advances enough the
//! pair is queued again, else the patch that bulges more is quartered. The search ends at a pair
//! whose surfaces have points at a distance within rounding (`contact`): nothing touches before its
//! time.
//!
//! Where surfaces bend away from each other, however little, lower and upper bounds meet and steps
//! converge as Newton's do. Surfaces that fit each other over an area would need an endless number
//! of patches: after 1,024 quarterings the time proven so far is reported.
//!
//! A search covers a window of time in which faces move by half their size. It depends only on the
//! time at which it begins, so results do not depend on earlier queries.
//!
//! Cost: some microseconds for a step of an entire face, tens for a contact.

mod bezier_patch;
mod body_view;
mod concave_root;
mod contact;
mod coupling;
mod expansion;
mod face_pair;
mod gjk;
mod hull_bound;
mod jet;
mod narrow_phase;
mod nearest_points;
mod patch_gap;
mod polygon_minimum;
mod second_order;
mod subdivision;

pub(super) use subdivision::Scratch;

use self::bezier_patch::spread;
use self::face_pair::FacePair;
use self::subdivision::{PatchNode, WindowResult, search};
use super::conservative_advancement::Outcome;
use super::face_bound::Refinement;
use super::gap_bound::U;
use super::mover::Mover;
use super::relative_frame::RelativeFrame;
use super::triangle_pair::direction;
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::FaceKind;

/// If the gap is below this part of the size of the faces, they are subdivided; otherwise a step of
/// the entire faces suffices.
const NEAR: f64 = 1e-4;

/// Whether a pair of faces needs this search: one of them may be curved, or has four corners.
pub(super) fn is_curved(movers: [&Mover; 2], faces: [u32; 2]) -> bool {
    [0, 1].iter().any(|&i| {
        let elements = movers[i].body.shape.inner.elements.as_ref();
        elements.is_some_and(|e| e.kind(faces[i]) != FaceKind::Tri3)
    })
}

/// Whether two faces are of one body and share a node; such faces are not tested.
pub(super) fn are_neighbors(movers: [&Mover; 2], faces: [u32; 2]) -> bool {
    let elements = movers[0].body.shape.inner.elements.as_ref();
    std::ptr::eq(movers[0], movers[1]) && elements.is_some_and(|e| e.are_neighbors(faces))
}

/// How long the bounding volumes of two faces stay separated.
pub(super) fn separated_for(
    refinement: Refinement,
    frame: &mut RelativeFrame,
    movers: [&Mover; 2],
    faces: [u32; 2],
) -> f64 {
    let mut pair = FacePair::new(frame, movers, faces);
    let whole = pair.whole();
    let patches = [&whole[0], &whole[1]];
    let nets = pair.nets(patches);
    let between = pair.between(&nets);
    let along = |n: [f64; 3]| {
        let n = match dot(n, between) < 0.0 {
            true => n.map(|x| -x),
            false => n,
        };
        pair.slab(patches, &nets, n).separated_for(0.0)
    };
    let directions = refinement.directions().iter().copied().flatten();
    let fixed = directions.map(|&n| along(n)).fold(0.0, f64::max);
    if refinement != Refinement::Obb {
        return fixed;
    }
    let frames = [0, 1].into_iter().flat_map(|i| {
        let corner = |k: usize| pair.control(i, &nets[i], k);
        let (u, v) = (minus(corner(1), corner(0)), minus(corner(2), corner(0)));
        let normal = cross(u, v);
        [normal, u, cross(normal, u)]
    });
    let axes = frames.filter_map(direction).chain([between]);
    axes.map(along).fold(fixed, f64::max)
}

/// The first contact of two curved faces from the time of a frame on, and the time from which to
/// begin again at the next query.
pub(super) fn first_contact(
    frame: &mut RelativeFrame,
    movers: [&Mover; 2],
    faces: [u32; 2],
    limit: f64,
    from_start: bool,
    scratch: &mut Scratch,
    count: &mut u64,
) -> (Outcome, f64) {
    *count += 1;
    let start = frame.time;
    let mut pair = FacePair::new(frame, movers, faces);
    let whole = pair.whole();
    let patches = [&whole[0], &whole[1]];
    let nets = pair.nets(patches);
    let (mut bulge, mut size) = (0.0_f64, 0.0_f64);
    for i in 0..2 {
        let (own, length) = spread(patches[i].form, &nets[i]);
        bulge += own;
        size = size.max(length);
    }
    if size == 0.0 {
        // Both are balls or faces degenerate to a point.
        size = pair.closed.margin;
    }
    let mut normal = pair.between(&nets);
    let mut uvs = [0, 1].map(|i| patches[i].form.clamped([0.5; 2]));
    if let Some(apart) = gjk::hulls_apart(&pair, patches, &nets, normal) {
        (normal, uvs) = (apart.normal, apart.uvs);
        let slab = pair.slab(patches, &nets, normal);
        // If the gap is large enough, a step of the entire faces.
        if !from_start && slab.gap() > (NEAR * size).max(bulge) {
            let next = start + slab.separated_for(0.0) * (1.0 - 4.0 * U);
            if next > start {
                return (Outcome::Later(next), next);
            }
        }
    }
    scratch.patches[0].clear();
    scratch.patches[1].clear();
    scratch.patches[0].push(whole[0]);
    scratch.patches[1].push(whole[1]);
    let until = start + pair.window(size);
    let node = PatchNode {
        time: start,
        order: 0,
        patches: [0, 0],
        normal,
        uvs,
    };
    match search(
        &mut pair,
        scratch,
        node,
        until.max(start.next_up()),
        from_start,
        count,
    ) {
        WindowResult::Touch(touch) if touch.early > limit => (Outcome::Later(touch.early), start),
        WindowResult::Touch(touch) => (Outcome::Touch(touch), start),
        WindowResult::Free(time) => (Outcome::Later(time), time),
    }
}
