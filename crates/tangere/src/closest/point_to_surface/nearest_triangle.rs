//! The nearest triangle of a surface to a point, and of several the one with the least number.
//!
//! Boxes and triangles are measured in f32, and what is farther than the nearest triangle by more
//! than the errors is left out; the few that remain are measured in f64. What is
//! left out can be neither the answer nor as near as it in f64: so the answer depends on
//! nothing but the point and the triangles, whatever a search begins with and in which
//! order it goes. A search that begins with the packet of a point nearby looks at little more
//! than it must: about 13 nodes and 6 packets in a surface of 100,000 triangles.

use super::far_query;
use super::mesh_obb_tree::MeshObbTree;
use super::obb_tree::PACKET;
use super::triangle_packet::{MARGIN, TINY};
use crate::geometry::triangle::{ClosestOnTriangle, closest_inlined};
use crate::simd::{Lanes, Vector};
use crate::tree::STACK;

/// Triangles that wait to be measured in f64; more than a packet has.
const WAITING: usize = 64;

/// Squares whose ratio is larger have different roots.
const ALIKE: f64 = 1.0 + 8.0 * f64::EPSILON;

/// The nearest point of a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearestTriangle {
    pub nearest: ClosestOnTriangle,
    pub face: u32,
    /// Where it was found, for the next search to begin with.
    pub packet: u32,
}

impl NearestTriangle {
    /// The nearer of two, of equally near ones that of the lesser number. Distances are compared, not
    /// their squares: several squares have one root, and what is told as equally near is.
    #[inline(always)]
    fn or(self, other: Option<Self>) -> Option<Self> {
        match other {
            Some(known) if known.precedes(&self) => other,
            _ => Some(self),
        }
    }

    #[inline(always)]
    fn precedes(&self, other: &Self) -> bool {
        let (own, others) = (
            self.nearest.distance_squared,
            other.nearest.distance_squared,
        );
        // Roots are needed only where squares are so close that they may have one.
        if own > others * ALIKE {
            return false;
        }
        if others > own * ALIKE {
            return true;
        }
        let (own, others) = (own.sqrt(), others.sqrt());
        own < others || own == others && self.face < other.face
    }
}

/// Searches for nearest triangles, with the memory they need.
pub(super) struct TriangleSearch<'a> {
    patches: &'a MeshObbTree,
    /// In the order of their numbers.
    triangles: &'a [[[f64; 3]; 3]],
    point: [f64; 3],
    /// What the point adds to the error of distances in f32.
    error: f32,
    /// The surface is no farther than this, in the units of f32.
    upper: f32,
    /// Squares of distances, packets and lanes of what is not measured yet.
    waiting: [(f32, u32, u32); WAITING],
    count: usize,
    best: Option<NearestTriangle>,
    /// Squares of distances from boxes, and what is in them.
    stack: [(f32, u32); STACK],
}

impl<'a> TriangleSearch<'a> {
    #[inline(always)]
    pub fn new(patches: &'a MeshObbTree, triangles: &'a [[[f64; 3]; 3]]) -> Self {
        TriangleSearch {
            patches,
            triangles,
            point: [0.0; 3],
            error: 0.0,
            upper: f32::INFINITY,
            waiting: [(0.0, 0, 0); WAITING],
            count: 0,
            best: None,
            stack: [(0.0, 0); STACK],
        }
    }

    /// The nearest point, begun with a packet; none if there are no triangles.
    #[inline(always)]
    pub fn find<V: Vector>(&mut self, point: [f64; 3], first: u32) -> Option<NearestTriangle> {
        self.best = None;
        let root = self.patches.boxes.root?;
        self.point = point;
        match self.patches.boxes.packed(point) {
            Some(packed) => self.find_near::<V>(packed, root, first),
            None => self.find_far::<V>(),
        }
        self.best
    }

    #[inline(always)]
    fn find_near<V: Vector>(&mut self, packed: [f32; 3], root: u32, first: u32) {
        let patches = self.patches;
        let p = [
            V::splat(packed[0]),
            V::splat(packed[1]),
            V::splat(packed[2]),
        ];
        self.error = (packed[0].abs() + packed[1].abs() + packed[2].abs()) * MARGIN + TINY;
        self.upper = f32::INFINITY;
        self.look(p, first);
        let mut reach = self.reach();
        self.stack[0] = (0.0, root);
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let (square, child) = self.stack[top];
            if square > reach {
                continue;
            }
            if child & PACKET != 0 {
                if child != first | PACKET {
                    self.look(p, child & !PACKET);
                    reach = self.reach();
                }
                continue;
            }
            let node = &patches.boxes.nodes[child as usize];
            let squares = node.squares(p);
            let hits = squares.at_most(V::splat(reach));
            let mut lanes = [0.0; 8];
            squares.store(&mut lanes);
            // The nearest comes last, and so is next.
            let bottom = top;
            for lane in Lanes(hits) {
                let entry = (lanes[lane], node.children[lane]);
                let mut at = top;
                top += 1;
                while at > bottom && self.stack[at - 1].0 < entry.0 {
                    self.stack[at] = self.stack[at - 1];
                    at -= 1;
                }
                self.stack[at] = entry;
            }
        }
        self.measure();
    }

    /// What has a larger square in f32 is in a box that is farther than the surface.
    #[inline(always)]
    fn reach(&self) -> f32 {
        let far = self.upper + self.error;
        far * far
    }

    /// Has triangles of a packet wait.
    #[inline(always)]
    fn look<V: Vector>(&mut self, p: [V; 3], number: u32) {
        let packet = &self.patches.packets[number as usize];
        let squares = packet.squares(p);
        let error = self.error + packet.margin;
        // The true distance is off by the error at most, one way for what is
        // near and the other way for what is compared to it.
        let far = self.upper + error;
        let hits = squares.at_most(V::splat(far * far)) & packet.used;
        if hits == 0 {
            return;
        }
        let mut lanes = [0.0; 8];
        squares.store(&mut lanes);
        let mut least = f32::INFINITY;
        for lane in Lanes(hits) {
            least = if lanes[lane] < least {
                lanes[lane]
            } else {
                least
            };
        }
        self.upper = self.upper.min(least.sqrt() + error);
        let far = self.upper + error;
        if self.count + 8 > WAITING {
            self.measure();
        }
        for lane in Lanes(squares.at_most(V::splat(far * far)) & hits) {
            self.waiting[self.count] = (lanes[lane], number, lane as u32);
            self.count += 1;
        }
    }

    /// Measures what waits and is not too far yet.
    #[inline(always)]
    fn measure(&mut self) {
        for i in 0..self.count {
            let (square, number, lane) = self.waiting[i];
            let packet = &self.patches.packets[number as usize];
            let far = self.upper + (self.error + packet.margin);
            if square <= far * far {
                self.try_face(packet.faces[lane as usize], number);
            }
        }
        self.count = 0;
    }

    #[inline(always)]
    fn try_face(&mut self, face: u32, packet: u32) {
        let found = NearestTriangle {
            nearest: closest_inlined(self.point, self.triangles[face as usize]),
            face,
            packet,
        };
        self.best = found.or(self.best);
    }

    /// Of a point so far away that f32 does not tell its distances apart.
    #[cold]
    #[inline(never)]
    fn find_far<V: Vector>(&mut self) {
        let patches = self.patches;
        far_query::approach::<V>(
            &patches.boxes,
            self.point,
            f64::INFINITY,
            |number, limit| {
                let packet = &patches.packets[number as usize];
                for lane in Lanes(packet.used) {
                    self.try_face(packet.faces[lane], number);
                }
                if let Some(found) = &self.best {
                    *limit = found.nearest.distance_squared.sqrt();
                }
            },
        );
    }
}
