//! Nearest triangle of a mesh to a point; of several the one with the least index.
//!
//! Branch and bound: boxes and triangles are measured in f32, and what is farther than the nearest
//! triangle by more than the errors is skipped; the few that remain are measured in f64. What is
//! skipped can be neither the answer nor as near as it in f64: so the answer depends on nothing but
//! the point and the triangles, whatever the search starts with and in which order it goes. A
//! search that starts with the packet of a point nearby visits little more than it must: about 13
//! nodes and 6 packets in a surface of 100,000 triangles.

use super::far_query;
use super::mesh_obb_tree::MeshObbTree;
use super::obb_lanes::{NOTHING, Stack, splat};
use super::obb_tree::PACKET;
use super::triangle_packet::{MARGIN, TINY};
use crate::geometry::triangle::{ClosestOnTriangle, closest_inlined};
use crate::simd::{Lanes, Vector};

/// Maximum number of triangles that wait to be measured in f64; more than a packet has.
const WAITING: usize = 64;

/// Squares with a larger ratio have different square roots.
const ALIKE: f64 = 1.0 + 8.0 * f64::EPSILON;

/// The nearest point of a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearestTriangle {
    pub nearest: ClosestOnTriangle,
    pub face: u32,
    /// The packet of the triangle, with which the next search starts.
    pub packet: u32,
}

impl NearestTriangle {
    /// The nearer of two, of equally near ones that of the lesser index. Distances are compared,
    /// not their squares: several squares round to one root, and ties are decided by the reported
    /// distance.
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
        // Roots are needed only where squares are so close that their roots may be equal.
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

/// Search for nearest triangles, with its memory.
pub(super) struct TriangleSearch<'a> {
    tree: &'a MeshObbTree,
    /// In the order of their indices.
    triangles: &'a [[[f64; 3]; 3]],
    point: [f64; 3],
    /// Error of distances in f32 due to the point.
    error: f32,
    /// Upper bound of the distance of the surface, in f32 units.
    upper: f32,
    /// Squared distances, packets and lanes of triangles not yet measured in f64.
    waiting: [(f32, u32, u32); WAITING],
    count: usize,
    best: Option<NearestTriangle>,
    /// Squared distances of boxes, and their children.
    stack: Stack,
}

impl<'a> TriangleSearch<'a> {
    #[inline(always)]
    pub fn new(tree: &'a MeshObbTree, triangles: &'a [[[f64; 3]; 3]]) -> Self {
        TriangleSearch {
            tree,
            triangles,
            point: [0.0; 3],
            error: 0.0,
            upper: f32::INFINITY,
            waiting: [(0.0, 0, 0); WAITING],
            count: 0,
            best: None,
            stack: NOTHING,
        }
    }

    /// The nearest point, starting with a packet; none if there are no triangles.
    #[inline(always)]
    pub fn find<V: Vector>(&mut self, point: [f64; 3], first: u32) -> Option<NearestTriangle> {
        self.best = None;
        let root = self.tree.obbs.root?;
        self.point = point;
        match self.tree.obbs.packed(point) {
            Some(packed) => self.find_near::<V>(packed, root, first),
            None => self.find_far::<V>(),
        }
        self.best
    }

    #[inline(always)]
    fn find_near<V: Vector>(&mut self, packed: [f32; 3], root: u32, first: u32) {
        let tree = self.tree;
        let p = splat::<V>(packed);
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
            let node = &tree.obbs.nodes[child as usize];
            let squares = node.squares(p);
            let hits = squares.at_most(V::splat(reach));
            node.push(hits, squares, &mut self.stack, &mut top);
        }
        self.measure();
    }

    /// Boxes with a larger squared distance in f32 are farther than the surface.
    #[inline(always)]
    fn reach(&self) -> f32 {
        let far = self.upper + self.error;
        far * far
    }

    /// Adds triangles of a packet that may be the nearest to those that wait.
    #[inline(always)]
    fn look<V: Vector>(&mut self, p: [V; 3], number: u32) {
        let packet = &self.tree.packets[number as usize];
        let squares = packet.squares(p);
        let error = self.error + packet.margin;
        // Distances are off by at most the error, in one direction for the nearest and in the other
        // for the one compared to it.
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

    /// Measures in f64 the waiting triangles that are not too far yet.
    #[inline(always)]
    fn measure(&mut self) {
        for i in 0..self.count {
            let (square, number, lane) = self.waiting[i];
            let packet = &self.tree.packets[number as usize];
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

    /// For a point so far away that f32 does not resolve its distances.
    #[cold]
    #[inline(never)]
    fn find_far<V: Vector>(&mut self) {
        let tree = self.tree;
        far_query::approach::<V>(&tree.obbs, self.point, f64::INFINITY, |number, limit| {
            let packet = &tree.packets[number as usize];
            for lane in Lanes(packet.used) {
                self.try_face(packet.faces[lane], number);
            }
            if let Some(found) = &self.best {
                *limit = found.nearest.distance_squared.sqrt();
            }
        });
    }
}
