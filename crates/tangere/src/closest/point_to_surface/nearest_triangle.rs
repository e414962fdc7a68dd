//! Nearest triangle of a mesh to a point; of several the one with the least index.
//!
//! Branch and bound: distances of boxes and triangles are computed in f32. Boxes and triangles that
//! are farther than the nearest triangle by more than the rounding errors are skipped; the few
//! triangles that remain are measured in f64. A skipped triangle is neither the nearest nor as near
//! in f64. So the answer depends on the point and the triangles alone, not on the start or the
//! order of the search.
//!
//! A packet is a leaf of the OBB tree, with up to eight triangles. A search that starts with the
//! packet found for a nearby point visits about 13 nodes and 6 packets in a surface of 100,000
//! triangles.

use super::far_query;
use super::mesh_obb_tree::MeshObbTree;
use crate::closest::obb_tree::PACKET;
use crate::closest::obb_tree::{MARGIN, TINY};
use crate::closest::obb_tree::{NOTHING, Stack, splat};
use crate::geometry::triangle::{ClosestOnTriangle, closest_inlined};
use crate::simd::{Lanes, Vector};

/// Maximum number of triangles that wait until their distance is computed in f64. It is more than
/// the eight triangles of a packet.
const WAITING: usize = 64;

/// The ratio of two squared distances above which their square roots certainly differ, so that
/// squares can be compared in place of distances.
const ALIKE: f64 = 1.0 + 8.0 * f64::EPSILON;

/// The nearest triangle of a mesh, with its nearest point.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearestTriangle {
    pub nearest: ClosestOnTriangle,
    pub face: u32,
    /// The index of the packet of the triangle, a leaf of the OBB tree, with which the next search
    /// starts.
    pub packet: u32,
}

impl NearestTriangle {
    /// The nearer triangle of this one and `other`; of equally near ones the one with the lesser
    /// index. Distances are compared, not their squares: several squares round to one root, and the
    /// reported distance decides ties.
    #[inline(always)]
    fn or(self, other: Option<Self>) -> Option<Self> {
        match other {
            Some(known) if known.precedes(&self) => other,
            _ => Some(self),
        }
    }

    /// Whether this triangle comes before the other in the search for the nearest triangle: it is
    /// nearer, or as near with a lesser index.
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

/// The search for the nearest triangle, with its buffers, which are reused from point to point.
pub(super) struct TriangleSearch<'a> {
    tree: &'a MeshObbTree,
    /// The corners of all triangles of the mesh, in the order of their indices in the mesh.
    triangles: &'a [[[f64; 3]; 3]],
    point: [f64; 3],
    /// Bound of the error of distances in f32: the part that comes from the coordinates of the
    /// query point. The part that comes from the triangles is stored in their packet.
    error: f32,
    /// Upper bound of the distance of the surface from the query point, in the f32 coordinates of
    /// the tree.
    upper: f32,
    /// The triangles whose distance is not yet computed in f64: for each its squared distance in
    /// f32, the index of its packet (leaf), and its lane in the packet.
    waiting: [(f32, u32, u32); WAITING],
    count: usize,
    best: Option<NearestTriangle>,
    /// The boxes that remain to be visited: the squared distance of each, and the index of its node
    /// or packet.
    stack: Stack,
}

impl<'a> TriangleSearch<'a> {
    /// A search for the nearest triangle of a mesh, given by its tree and its triangles.
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

    /// The triangle of the mesh nearest to a point, by a search that starts with the packet
    /// `first`, a leaf of the OBB tree. `None` if there are no triangles.
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

    /// The search for the nearest triangle to a point that is near enough for f32 to resolve its
    /// distances. `packed` is the point in the coordinates of the OBB tree, `root` is the root of
    /// this tree, and `first` is the packet (leaf) with which the search starts.
    #[inline(always)]
    fn find_near<V: Vector>(&mut self, packed: [f32; 3], root: u32, first: u32) {
        let tree = self.tree;
        let p = splat::<V>(packed);
        self.error = (packed[0].abs() + packed[1].abs() + packed[2].abs()) * MARGIN + TINY;
        self.upper = f32::INFINITY;
        self.visit_packet(p, first);
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
                    self.visit_packet(p, child & !PACKET);
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

    /// The squared distance in f32 beyond which a box cannot have the nearest triangle.
    #[inline(always)]
    fn reach(&self) -> f32 {
        let far = self.upper + self.error;
        far * far
    }

    /// Adds to the triangles that wait to be measured in f64 those of the packet with index
    /// `number` that may be the nearest triangle to the point `p`.
    #[inline(always)]
    fn visit_packet<V: Vector>(&mut self, p: [V; 3], number: u32) {
        let packet = &self.tree.packets[number as usize];
        let squares = packet.squares(p);
        let error = self.error + packet.margin;
        // Two distances are compared, and each may be off by the error: that of the nearest
        // triangle, in `upper`, and that of this triangle.
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

    /// Measures in f64 the waiting triangles that may still be the nearest triangle.
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

    /// Measures a triangle in f64 and stores it if it is the nearest triangle so far.
    #[inline(always)]
    fn try_face(&mut self, face: u32, packet: u32) {
        let found = NearestTriangle {
            nearest: closest_inlined(self.point, self.triangles[face as usize]),
            face,
            packet,
        };
        self.best = found.or(self.best);
    }

    /// The search for the nearest triangle to a point so far away that f32 does not resolve its
    /// distances.
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
