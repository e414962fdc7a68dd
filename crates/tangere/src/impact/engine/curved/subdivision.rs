//! Best-first subdivision: a search over pairs of patches of two faces, ordered by lower bounds of
//! their time of impact.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use super::super::conservative_advancement::Outcome;
use super::super::contact_geometry::Touch;
use super::super::gap_bound::U;
use super::super::mover::Mover;
use super::super::relative_frame::RelativeFrame;
use super::bezier_patch::{Patch, spread};
use super::contact;
use super::face_pair::FacePair;
use super::gjk;
use super::patch_gap::PatchGap;

/// Two curved faces are subdivided if their gap is at most this fraction of their size, or at most
/// the sum of their bulges (deviations from flat). Otherwise time advances by the hull bound of the
/// entire faces.
const NEAR: f64 = 1e-4;

/// Maximum number of patches that one search for the contact of two faces subdivides into quarters.
const SPLITS: u32 = 1024;

/// Maximum number of pairs of patches that one search for the contact of two faces tests.
const PAIRS: u32 = 16 * SPLITS;

/// A pair of patches, and a lower bound of its time of impact.
#[derive(Clone, Copy, Debug)]
struct PatchNode {
    time: f64,
    order: u32,
    patches: [u32; 2],
    /// The axis from which the search for a separating axis of this pair of patches starts. The
    /// next field has the parameters of the point of each patch from which the search for the
    /// nearest points starts.
    normal: [f64; 3],
    uvs: [[f64; 2]; 2],
}

impl PartialEq for PatchNode {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for PatchNode {}

impl PartialOrd for PatchNode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The heap removes the greatest pair first: the one with the earliest time, among equal times the
/// newest.
impl Ord for PatchNode {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.time.total_cmp(&self.time)).then(self.order.cmp(&other.order))
    }
}

/// Scratch memory of searches over patches, and the start times of searches that are to be
/// repeated.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Scratch {
    patches: [Vec<Patch>; 2],
    nodes: BinaryHeap<PatchNode>,
    /// Map from the two bodies and the two BVH nodes of a search that is to be repeated to its
    /// start time. If a search finds a contact after the limit, it is repeated from the same start
    /// time when a query reaches the time of that contact.
    pub(super) begins: BTreeMap<[[u32; 2]; 2], f64>,
}

impl Scratch {
    /// Removes the start times of subdivisions of those pairs of bodies for which `is_gone` is
    /// true.
    pub(in super::super) fn forget(&mut self, is_gone: impl Fn([u32; 2]) -> bool) {
        self.begins.retain(|[bodies, _], _| !is_gone(*bodies));
    }
}

/// Result of the search for a contact of two faces in a window of time: either no contact before
/// the time in `Free`, or the first contact.
pub(super) enum WindowResult {
    Free(f64),
    Touch(Touch),
}

/// The first contact of two curved faces by subdivision, from the time of a frame on; and the time
/// from which the search of these faces is to begin at the next query.
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

/// Best-first subdivision: searches for the first contact of two faces before a time; `first` is
/// the pair of entire faces.
fn search(
    pair: &mut FacePair,
    scratch: &mut Scratch,
    first: PatchNode,
    until: f64,
    from_start: bool,
    count: &mut u64,
) -> WindowResult {
    let start = first.time;
    let mut order = 0;
    let (mut splits, mut pairs) = (0, 0);
    let mut resting: Option<Touch> = None;
    scratch.nodes.clear();
    scratch.nodes.push(first);
    while let Some(node) = scratch.nodes.pop() {
        let time = node.time;
        if let Some(touch) = resting.filter(|_| time > start) {
            return WindowResult::Touch(touch);
        }
        if time >= until {
            return WindowResult::Free(time);
        }
        *count += 1;
        pairs += 1;
        let [all_a, all_b] = &scratch.patches;
        pair.moved_to(time, [&all_a[0], &all_b[0]]);
        let patches = [
            &all_a[node.patches[0] as usize],
            &all_b[node.patches[1] as usize],
        ];
        let nets = pair.nets(patches);
        let is_start = from_start && time == start;
        let allow = if is_start {
            4.0 * pair.closed.slack
        } else {
            0.0
        };
        let most = until - time;
        let spreads = [0, 1].map(|i| spread(patches[i].form, &nets[i]));
        let bulge = spreads[0].0 + spreads[1].0;
        let from = (node.normal, node.uvs);
        let mut patch_gap = PatchGap::new(pair, patches, &nets, from, bulge, most, allow);
        let is_flat = bulge <= pair.closed.slack;
        if is_flat && patch_gap.apart < most {
            patch_gap.bound_flat(pair, patches, &nets, allow);
        }
        let next = match patch_gap.apart >= most {
            true => until,
            false => time + patch_gap.apart * (1.0 - 4.0 * U),
        };
        let is_out = splits >= SPLITS || pairs >= PAIRS;
        let touching = 4.0 * pair.closed.slack;
        if next > time {
            // A bound that is right to first order is at least half the gap.
            let is_tight = patch_gap.distance <= 2.0 * patch_gap.gap + touching;
            let is_far = patch_gap.gap > bulge;
            if is_tight || is_far || is_start || next >= until || is_out {
                if is_out && next < until {
                    let whole = [&all_a[0], &all_b[0]];
                    return contact::contact_at_limit(
                        pair,
                        whole,
                        patches,
                        patch_gap,
                        [start, until],
                    );
                }
                order += 1;
                scratch.nodes.push(PatchNode {
                    time: next,
                    order,
                    normal: patch_gap.normal,
                    uvs: patch_gap.uvs,
                    ..node
                });
                continue;
            }
        } else {
            if is_start && pair.overlaps(patches, &nets, &patch_gap, bulge) {
                return WindowResult::Touch(pair.touch(patches, &patch_gap, true));
            }
            if patch_gap.distance > touching {
                patch_gap.approach_points(pair, patches, &nets);
            }
            // A contact at the start is ignored if the patches separate, unless they overlap.
            let is_known = !is_start || patch_gap.gap >= -allow;
            let is_found = patch_gap.distance <= touching && is_known;
            if is_out && !is_found {
                let whole = [&all_a[0], &all_b[0]];
                return match resting {
                    Some(touch) => WindowResult::Touch(touch),
                    None => {
                        contact::contact_at_limit(pair, whole, patches, patch_gap, [start, until])
                    }
                };
            }
            if is_found {
                let touch = pair.touch(patches, &patch_gap, false);
                if !is_start || is_out {
                    return WindowResult::Touch(resting.unwrap_or(touch));
                }
                resting = Some(touch);
                continue;
            }
        }
        // The patch that bulges more is quartered; of flat ones the larger.
        let key = |i: usize| (spreads[i].0.max(pair.closed.slack), spreads[i].1);
        let of = usize::from(key(1) > key(0));
        splits += 1;
        let parent = *patches[of];
        let child = quartered(
            &mut scratch.patches[of],
            node.patches[of],
            pair.are_deforming[of],
        );
        for quarter in 0..4 {
            order += 1;
            let mut node = PatchNode {
                time: next.max(time),
                order,
                normal: patch_gap.normal,
                uvs: patch_gap.uvs,
                ..node
            };
            node.patches[of] = child + quarter;
            let uv = parent.uv_in_quarter(quarter as usize, patch_gap.uvs[of]);
            node.uvs[of] = parent.form.clamped(uv);
            scratch.nodes.push(node);
        }
    }
    match resting {
        Some(touch) => WindowResult::Touch(touch),
        None => WindowResult::Free(until),
    }
}

/// The index of the first of the four quarters of patch `index`. The subdivision quarters the patch
/// if it has not done so before.
fn quartered(patches: &mut Vec<Patch>, index: u32, is_deforming: bool) -> u32 {
    let patch = patches[index as usize];
    if patch.first != 0 {
        return patch.first;
    }
    let first = patches.len() as u32;
    patches.extend(patch.quarters(is_deforming));
    patches[index as usize].first = first;
    first
}
