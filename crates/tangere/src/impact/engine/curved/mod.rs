//! When do two curved faces of moving bodies first touch?
//!
//! Pairs of patches, parts of both faces, wait in a queue of their own by the time before which they cannot touch. The first is taken out and seen at
//! its time: hulls of control points along a direction (`slab`) tell how long it stays apart, and where these overlap the
//! bound of second order (`lagrange`) does. If its time advances by much it goes back, else the patch that bulges more is quartered.
//! The search ends at a pair whose surfaces have points no further apart than rounding (`touch`): nothing touches before its time.
//!
//! Where surfaces bend away from each other, by however little, both bounds meet and steps converge as Newton's do. Surfaces that
//! fit each other over an area would need patches without end: after [`SPLITS`] of them the time that is proven is told as it is.
//!
//! A search covers a window of time in which faces go half their size, and depends on nothing but the time at which it begins, so that what is found does
//! not depend on what was asked before.
//!
//! Cost: some microseconds a step of a whole face, tens for a contact.

mod follow;
mod hull;
mod lagrange;
mod look;
mod nearest;
mod patch;
mod polygon;
mod slab;
mod touch;

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use self::look::Look;
use self::patch::{Form, Net, Patch, control, spread};
use self::slab::{Closed, Slab, View};
use super::approach::{Approach, direction};
use super::bound::U;
use super::frame::{Frame, Mover};
use super::refine::Refinement;
use crate::closest::distance_apart;
use crate::geometry::vector::{cross, dot, minus};
use crate::shape::FaceKind;

/// How many patches a search may quarter.
const SPLITS: u32 = 1024;

/// How many pairs of patches it may look at.
const PAIRS: u32 = 16 * SPLITS;

/// A gap of less than this part of the size of faces is not seen along the way between corners any more.
const NEAR: f64 = 1e-4;

/// Rounding of control points and their quarters, in units of the distance from the centre.
const ROUNDING: f64 = 256.0 * U;

/// Faces are followed while they go this part of their size.
const WINDOW: f64 = 0.5;

/// A pair of patches that cannot touch before a time.
#[derive(Clone, Copy, Debug)]
struct Node {
    time: f64,
    order: u32,
    patches: [u32; 2],
    /// The direction and the places from which bounds are sought.
    normal: [f64; 3],
    places: [[f64; 2]; 2],
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Node {}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The greatest is the earliest, of equals the youngest.
impl Ord for Node {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.time.total_cmp(&self.time)).then(self.order.cmp(&other.order))
    }
}

/// Memory of searches, which is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    patches: [Vec<Patch>; 2],
    nodes: BinaryHeap<Node>,
}

/// Whether faces of two bodies want this search: one of them may be bent or has four corners.
pub(super) fn is_curved(movers: [&Mover; 2], faces: [u32; 2]) -> bool {
    [0, 1].iter().any(|&i| {
        let elements = movers[i].body.shape.inner.elements.as_ref();
        elements.is_some_and(|e| e.kind(faces[i]) != FaceKind::Tri3)
    })
}

/// Whether faces are of one body and share a node. Such are not compared.
pub(super) fn are_neighbors(movers: [&Mover; 2], faces: [u32; 2]) -> bool {
    let elements = movers[0].body.shape.inner.elements.as_ref();
    std::ptr::eq(movers[0], movers[1]) && elements.is_some_and(|e| e.are_neighbors(faces))
}

/// Two faces at a time.
struct Scene<'a> {
    frame: &'a mut Frame,
    movers: [&'a Mover; 2],
    faces: [u32; 2],
    views: [View; 2],
    closed: Closed,
    are_deforming: [bool; 2],
}

/// How a search of a window ended.
enum Seen {
    Free(f64),
    Touch(super::touch::Touch),
}

impl<'a> Scene<'a> {
    fn new(frame: &'a mut Frame, movers: [&'a Mover; 2], faces: [u32; 2]) -> Self {
        let are_deforming = movers.map(|m| m.body.is_deforming());
        let radii: f64 = movers.iter().map(|m| m.body.shape.inner.radius).sum();
        let closed = Closed {
            margin: radii + frame.separation,
            slack: 0.0,
            drift: 0.0,
            acceleration: frame.acceleration,
            bend: 0.0,
        };
        Scene {
            views: View::both(frame, are_deforming),
            frame,
            movers,
            faces,
            closed,
            are_deforming,
        }
    }

    /// Whole faces at the time of the frame.
    fn whole(&mut self) -> [Patch; 2] {
        let patches =
            [0, 1].map(|i| Patch::whole(self.movers[i], &self.frame.sides[i], self.faces[i]));
        self.measure([&patches[0], &patches[1]]);
        patches
    }

    /// Bounds that hold for all of two faces at the time of the frame.
    fn measure(&mut self, patches: [&Patch; 2]) {
        let longest = |net: &Net| {
            let square = (0..9).map(|i| dot(control(net, i), control(net, i)));
            square.fold(0.0, f64::max).sqrt() * (1.0 + 8.0 * U)
        };
        let velocity = dot(self.frame.velocity, self.frame.velocity).sqrt();
        let (mut slack, mut drift, mut bend) = (self.frame.slack, velocity, 0.0);
        for (view, patch) in self.views.iter().zip(patches) {
            let mut reach = longest(&patch.points);
            if view.is_deforming {
                let fastest = longest(&patch.rates);
                reach += fastest * view.elapsed;
                drift += fastest;
            }
            slack += ROUNDING * reach;
            drift += view.turning * reach;
            bend += view.turning * view.turning * reach * (1.0 + 16.0 * U);
        }
        self.closed.slack = slack;
        self.closed.drift = 16.0 * U * drift;
        self.closed.bend = bend;
    }

    fn moved_to(&mut self, time: f64, roots: [&Patch; 2]) {
        if time != self.frame.time {
            self.frame.moved_to(self.movers, time);
            self.views = View::both(self.frame, self.are_deforming);
            self.measure(roots);
        }
    }

    fn nets(&self, patches: [&Patch; 2]) -> [Net; 2] {
        [self.views[0].net(patches[0]), self.views[1].net(patches[1])]
    }

    fn slab(&self, patches: [&Patch; 2], nets: &[Net; 2], n: [f64; 3]) -> Slab {
        let nets = [&nets[0], &nets[1]];
        Slab::new(&self.views, nets, patches, &self.closed, n)
    }

    /// A control point in the world.
    fn control(&self, of: usize, net: &Net, i: usize) -> [f64; 3] {
        let turned = self.views[of].outward(control(net, i));
        std::array::from_fn(|k| self.views[of].away[k] + turned[k])
    }

    /// The triangles of the corners of a patch, and how many there are.
    fn triangles(&self, of: usize, patch: &Patch, net: &Net) -> ([[[f64; 3]; 3]; 2], usize) {
        let corner = |i: usize| self.control(of, net, i);
        match patch.form {
            Form::Point => ([[corner(0); 3]; 2], 1),
            Form::Triangle => ([[corner(0), corner(1), corner(2)]; 2], 1),
            Form::Quadrilateral => {
                let c = [corner(0), corner(1), corner(2), corner(3)];
                ([[c[0], c[1], c[2]], [c[0], c[2], c[3]]], 2)
            }
        }
    }

    /// The nearest points of the triangles of corners: their distance, direction and places.
    fn nearest(
        &self,
        patches: [&Patch; 2],
        nets: &[Net; 2],
    ) -> (f64, Option<[f64; 3]>, [[f64; 2]; 2]) {
        let (of_a, count_a) = self.triangles(0, patches[0], &nets[0]);
        let (of_b, count_b) = self.triangles(1, patches[1], &nets[1]);
        let mut best = (f64::INFINITY, [[0.0; 3]; 2], [0, 0]);
        for i in 0..count_a {
            for j in 0..count_b {
                let (square, found) = distance_apart(of_a[i], of_b[j]);
                if square < best.0 {
                    best = (square, [found.point_a, found.point_b], [i, j]);
                }
            }
        }
        let (square, points, [i, j]) = best;
        let places = [
            touch::place(patches[0].form, &of_a[i], i, points[0]),
            touch::place(patches[1].form, &of_b[j], j, points[1]),
        ];
        (
            square.sqrt(),
            direction(minus(points[1], points[0])),
            places,
        )
    }

    /// A direction to begin with: from middle to middle.
    fn between(&self, nets: &[Net; 2]) -> [f64; 3] {
        let middle = |of: usize| {
            let net = &nets[of];
            let mean = net.map(|row| row.iter().sum::<f64>() / 9.0);
            let turned = self.views[of].outward(mean);
            let away = self.views[of].away;
            [0, 1, 2].map(|k| away[k] + turned[k])
        };
        direction(minus(middle(1), middle(0))).unwrap_or([0.0, 0.0, 1.0])
    }

    /// Normals of both patches and products of their sides, each from a to b.
    fn directions(&self, patches: [&Patch; 2], nets: &[Net; 2]) -> impl Iterator<Item = [f64; 3]> {
        let between = self.between(nets);
        let sides = [0, 1].map(|i| {
            let count = patches[i].form.corners().len();
            let corner = |k: usize| self.control(i, &nets[i], k % count);
            let sides: [[f64; 3]; 4] = std::array::from_fn(|k| minus(corner(k + 1), corner(k)));
            (sides, count)
        });
        let [(of_a, count_a), (of_b, count_b)] = sides;
        let normals = [cross(of_a[0], of_a[1]), cross(of_b[0], of_b[1])];
        let products =
            (0..count_a * count_b).map(move |k| cross(of_a[k / count_b], of_b[k % count_b]));
        normals.into_iter().chain(products).filter_map(move |n| {
            let unit = direction(n)?;
            match dot(unit, between) < 0.0 {
                true => Some(unit.map(|x| -x)),
                false => Some(unit),
            }
        })
    }

    /// For how long faces go a part of their size at most.
    fn window(&self, size: f64) -> f64 {
        let length = |v: [f64; 3]| dot(v, v).sqrt();
        let speed = self.closed.drift / (16.0 * U);
        let way = WINDOW * size;
        (0.5 * way / speed).min((way / length(self.frame.acceleration)).sqrt())
    }
}

/// How long the volumes of two faces stay apart, before anything else is tried.
pub(super) fn apart(
    refinement: Refinement,
    frame: &mut Frame,
    movers: [&Mover; 2],
    faces: [u32; 2],
) -> f64 {
    let mut scene = Scene::new(frame, movers, faces);
    let whole = scene.whole();
    let patches = [&whole[0], &whole[1]];
    let nets = scene.nets(patches);
    let between = scene.between(&nets);
    let along = |n: [f64; 3]| {
        let n = match dot(n, between) < 0.0 {
            true => n.map(|x| -x),
            false => n,
        };
        scene.slab(patches, &nets, n).apart(0.0)
    };
    match refinement.fixed_directions() {
        Some(sets) => {
            let directions = sets.iter().copied().flatten();
            directions.map(|&n| along(n)).fold(0.0, f64::max)
        }
        None => {
            let frames = [0, 1].into_iter().flat_map(|i| {
                let corner = |k: usize| scene.control(i, &nets[i], k);
                let (u, v) = (minus(corner(1), corner(0)), minus(corner(2), corner(0)));
                let normal = cross(u, v);
                [normal, u, cross(normal, u)]
            });
            let axes = frames.filter_map(direction).chain([between]);
            axes.map(along).fold(0.0, f64::max)
        }
    }
}

/// Follows two faces from the time of a frame. Tells what was found, and from when to begin again if it is asked again.
pub(super) fn approach(
    frame: &mut Frame,
    movers: [&Mover; 2],
    faces: [u32; 2],
    limit: f64,
    from_start: bool,
    scratch: &mut Scratch,
    count: &mut u64,
) -> (Approach, f64) {
    *count += 1;
    let start = frame.time;
    let mut scene = Scene::new(frame, movers, faces);
    let whole = scene.whole();
    let patches = [&whole[0], &whole[1]];
    let nets = scene.nets(patches);
    let (mut bulge, mut size) = (0.0_f64, 0.0_f64);
    for i in 0..2 {
        let (own, length) = spread(patches[i].form, &nets[i]);
        bulge += own;
        size = size.max(length);
    }
    if size == 0.0 {
        // Balls, and faces that have shrunk to a point.
        size = scene.closed.margin;
    }
    let mut normal = scene.between(&nets);
    let mut places = [0, 1].map(|i| patches[i].form.clamped([0.5; 2]));
    if let Some(apart) = look::hulls_apart(&scene, patches, &nets, normal) {
        (normal, places) = (apart.normal, apart.places);
        let slab = scene.slab(patches, &nets, normal);
        // A whole step, if it is worth one.
        if !from_start && slab.gap() > (NEAR * size).max(bulge) {
            let next = start + slab.apart(0.0) * (1.0 - 4.0 * U);
            if next > start {
                return (Approach::Later(next), next);
            }
        }
    }
    scratch.patches[0].clear();
    scratch.patches[1].clear();
    scratch.patches[0].push(whole[0]);
    scratch.patches[1].push(whole[1]);
    let until = start + scene.window(size);
    let node = Node {
        time: start,
        order: 0,
        patches: [0, 0],
        normal,
        places,
    };
    match search(
        &mut scene,
        scratch,
        node,
        until.max(start.next_up()),
        from_start,
        count,
    ) {
        Seen::Touch(touch) if touch.early > limit => (Approach::Later(touch.early), start),
        Seen::Touch(touch) => (Approach::Touch(touch), start),
        Seen::Free(time) => (Approach::Later(time), time),
    }
}

/// Looks for the first contact of two faces, of which the first node is the whole, before a time.
fn search(
    scene: &mut Scene,
    scratch: &mut Scratch,
    first: Node,
    until: f64,
    from_start: bool,
    count: &mut u64,
) -> Seen {
    let start = first.time;
    let mut order = 0;
    let (mut splits, mut pairs) = (0, 0);
    let mut resting: Option<super::touch::Touch> = None;
    scratch.nodes.clear();
    scratch.nodes.push(first);
    while let Some(node) = scratch.nodes.pop() {
        let time = node.time;
        if let Some(touch) = resting.filter(|_| time > start) {
            return Seen::Touch(touch);
        }
        if time >= until {
            return Seen::Free(time);
        }
        *count += 1;
        pairs += 1;
        let [all_a, all_b] = &scratch.patches;
        scene.moved_to(time, [&all_a[0], &all_b[0]]);
        let patches = [
            &all_a[node.patches[0] as usize],
            &all_b[node.patches[1] as usize],
        ];
        let nets = scene.nets(patches);
        let is_start = from_start && time == start;
        let allow = if is_start {
            4.0 * scene.closed.slack
        } else {
            0.0
        };
        let most = until - time;
        let spreads = [0, 1].map(|i| spread(patches[i].form, &nets[i]));
        let bulge = spreads[0].0 + spreads[1].0;
        let from = (node.normal, node.places);
        let mut look = Look::new(scene, patches, &nets, from, bulge, most, allow);
        let is_flat = bulge <= scene.closed.slack;
        if is_flat && look.apart < most {
            scene.look_flat(patches, &nets, allow, &mut look);
        }
        let next = match look.apart >= most {
            true => until,
            false => time + look.apart * (1.0 - 4.0 * U),
        };
        let is_out = splits >= SPLITS || pairs >= PAIRS;
        let touching = 4.0 * scene.closed.slack;
        if next > time {
            // Bounds that are right to first order at least halve the gap.
            let is_tight = look.distance <= 2.0 * look.gap + touching;
            let is_far = look.gap > bulge;
            if is_tight || is_far || is_start || next >= until || is_out {
                if is_out && next < until {
                    let whole = [&all_a[0], &all_b[0]];
                    return touch::exhausted(scene, whole, patches, look, [start, until]);
                }
                order += 1;
                scratch.nodes.push(Node {
                    time: next,
                    order,
                    normal: look.normal,
                    places: look.places,
                    ..node
                });
                continue;
            }
        } else {
            if is_start && scene.overlaps(patches, &nets, &look, bulge) {
                return Seen::Touch(scene.touch(patches, &look, true));
            }
            if look.distance > touching {
                look.draw_near(scene, patches, &nets);
            }
            // Of what touches at the start it must be known that it does not part, and that nothing overlaps.
            let is_known = !is_start || look.gap >= -allow;
            let is_seen = look.distance <= touching && is_known;
            if is_out && !is_seen {
                let whole = [&all_a[0], &all_b[0]];
                return match resting {
                    Some(touch) => Seen::Touch(touch),
                    None => touch::exhausted(scene, whole, patches, look, [start, until]),
                };
            }
            if is_seen {
                let touch = scene.touch(patches, &look, false);
                if !is_start || is_out {
                    return Seen::Touch(resting.unwrap_or(touch));
                }
                resting = Some(touch);
                continue;
            }
        }
        // The patch that bulges more is quartered, of flat ones the larger.
        let key = |i: usize| (spreads[i].0.max(scene.closed.slack), spreads[i].1);
        let of = usize::from(key(1) > key(0));
        splits += 1;
        let parent = *patches[of];
        let child = quartered(
            &mut scratch.patches[of],
            node.patches[of],
            scene.are_deforming[of],
        );
        for quarter in 0..4 {
            order += 1;
            let mut node = Node {
                time: next.max(time),
                order,
                normal: look.normal,
                places: look.places,
                ..node
            };
            node.patches[of] = child + quarter;
            let place = parent.place_in_quarter(quarter as usize, look.places[of]);
            node.places[of] = parent.form.clamped(place);
            scratch.nodes.push(node);
        }
    }
    match resting {
        Some(touch) => Seen::Touch(touch),
        None => Seen::Free(until),
    }
}

/// The first of the quarters of a patch.
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
