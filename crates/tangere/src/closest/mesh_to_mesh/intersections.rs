//! Intersections: all pairs of intersecting triangles of two meshes.
//!
//! Both BVHs are traversed together. A pair of nodes is skipped if their boxes do not overlap, or
//! if a slab, the extent of the triangles of one node along their mean normal, does not overlap the
//! other node. Triangles whose boxes overlap are tested exactly. The triangles of the second mesh
//! are moved by the pose first, and their rounded coordinates count as exact. For eight pairs in
//! lanes, floating point computes on which side of the plane of one triangle each corner of the
//! other lies. Pairs for which rounding leaves a side open are then decided one by one.

use super::TriangleTree;
use super::plane_signs::{self, PlaneSigns, Planes};
use super::resolved_pose::check_all_resolved;
use crate::error::{Argument, Result};
use crate::geometry::{IntersectionKind, Pose, crossing_planes, triangle_triangle};
use crate::memory;
use crate::simd::{LANES, prefetch};
use crate::stop::Current;
use rayon::prelude::*;
use std::ops::ControlFlow;

/// The number of pairs of triangles that are prefetched before they are tested, so that their
/// memory loads overlap.
const DELAY: usize = 64;

/// Two intersecting triangles of two meshes, or of one mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Intersection {
    /// The index of the first triangle: in the first of two meshes, or in the one mesh.
    pub a: u32,
    /// The index of the second triangle: in the second of two meshes, or in the one mesh.
    pub b: u32,
    /// How the two triangles intersect: crossing, touching or coplanar.
    pub kind: IntersectionKind,
}

/// Two intersecting triangles of two meshes at one pose of a motion of the second mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PoseIntersection {
    /// The index of the pose.
    pub pose: u32,
    /// The two triangles.
    pub pair: Intersection,
}

/// The intersections of the meshes `a` and `b` at each of the poses of `b`, on all threads of the
/// current pool, in the order of the poses, then of the triangles. Replaces the contents of `found`.
///
/// # Errors
/// When a pose rounds `b` flat ([`check_resolved`](super::check_resolved)), memory for the results is
/// short, or the work was stopped.
pub fn intersections_at_poses(
    a: &TriangleTree,
    b: &TriangleTree,
    poses_b: &[Pose],
    found: &mut Vec<PoseIntersection>,
) -> Result<()> {
    found.clear();
    check_all_resolved(&b.bounds, poses_b)?;
    let stop = Current::new();
    let at_pose = |pose: &Pose| {
        let mut pairs = Vec::new();
        if !stop.is_requested() {
            a.intersections(b, pose, &mut pairs)?;
        }
        Ok(pairs)
    };
    let pairs: Result<Vec<Vec<Intersection>>> = poses_b.par_iter().map(at_pose).collect();
    stop.checked()?;
    let pairs = pairs?;
    memory::reserve(found, pairs.iter().map(Vec::len).sum(), Argument::Pairs)?;
    for (pose, pairs) in pairs.into_iter().enumerate() {
        let pose = pose as u32;
        found.extend(
            pairs
                .into_iter()
                .map(|pair| PoseIntersection { pose, pair }),
        );
    }
    Ok(())
}

impl TriangleTree {
    /// The intersections of two meshes. A pair of a triangle `a` of this mesh and a triangle `b` of
    /// `other`, moved by `pose`, is included if they have a common point. The pairs are in the
    /// order of `a` and then of `b`. Replaces the contents of `found` and reuses its memory.
    ///
    /// # Errors
    /// When memory runs out; `found` is empty then.
    pub fn intersections(
        &self,
        other: &Self,
        pose: &Pose,
        found: &mut Vec<Intersection>,
    ) -> Result<()> {
        found.clear();
        let mut pushed = Ok(());
        let _ = self.meetings(other, pose, |pair, _| {
            pushed = memory::push(found, pair, Argument::Items);
            match pushed {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        sort(found);
        pushed
    }

    /// Whether there are intersections of this mesh and `other`, moved by `pose`.
    pub fn intersects(&self, other: &Self, pose: &Pose) -> bool {
        self.meetings(other, pose, |_, _| ControlFlow::Break(()))
            .is_break()
    }

    /// Calls `visit` with every pair of intersecting triangles of two meshes and with their
    /// corners, until `visit` breaks. The order of the pairs is fixed.
    #[inline(always)]
    pub(super) fn meetings(
        &self,
        other: &Self,
        pose: &Pose,
        mut visit: impl FnMut(Intersection, [[[f64; 3]; 3]; 2]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // The f32 of the tree cannot hold any distance.
        if !self.bounds.overlaps(&other.bounds.transformed(pose)) {
            return ControlFlow::Continue(());
        }
        let mut waiting = PendingPairs::new(self, other, pose);
        self.tree.overlapping_pairs_turned(
            &self.slabs,
            (&other.tree, &other.slabs),
            pose,
            #[inline(always)]
            |a, b| {
                waiting.push(a, b);
                match waiting.is_full() {
                    true => waiting.decide(&mut visit),
                    false => ControlFlow::Continue(()),
                }
            },
        )?;
        waiting.decide(&mut visit)
    }
}

/// Pairs of triangles that are not yet tested for intersection, while their corners are being
/// prefetched.
struct PendingPairs<'a> {
    a: &'a TriangleTree,
    b: &'a TriangleTree,
    pose: &'a Pose,
    pairs: [(u32, u32); DELAY],
    len: usize,
}

impl<'a> PendingPairs<'a> {
    /// An empty list of pending pairs of triangles, for the intersections of two meshes, of which
    /// `b` is moved by `pose`.
    #[inline(always)]
    fn new(a: &'a TriangleTree, b: &'a TriangleTree, pose: &'a Pose) -> Self {
        Self {
            a,
            b,
            pose,
            pairs: [(0, 0); DELAY],
            len: 0,
        }
    }

    /// Adds a pair of triangles, given by their indices in the trees, to those whose intersection
    /// is pending, and prefetches them.
    #[inline(always)]
    fn push(&mut self, a: u32, b: u32) {
        prefetch(&self.a.triangles, a as usize);
        prefetch(&self.b.triangles, b as usize);
        self.pairs[self.len] = (a, b);
        self.len += 1;
    }

    /// Whether the list of pairs of triangles that wait for the test of intersection is full.
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.len == DELAY
    }

    /// Decides which of the pending pairs of triangles intersect, and calls `visit` with those.
    #[inline(always)]
    fn decide(
        &mut self,
        visit: &mut impl FnMut(Intersection, [[[f64; 3]; 3]; 2]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let pairs = &self.pairs[..self.len];
        self.len = 0;
        let (mut eight_a, mut eight_b) = (plane_signs::NONE, plane_signs::NONE);
        let mut sides = PlaneSigns::new();
        for pairs in pairs.chunks(LANES) {
            for (i, &(a, b)) in pairs.iter().enumerate() {
                plane_signs::put(&mut eight_a, i, &self.a.triangles[a as usize]);
                plane_signs::put(&mut eight_b, i, &self.b.triangles[b as usize]);
            }
            sides.update(&eight_a, &eight_b, self.pose);
            for (i, &(a, b)) in pairs.iter().enumerate() {
                let planes = sides.planes(i);
                if let Planes::Apart = planes {
                    continue;
                }
                let (triangle, moved) = (self.a.triangle(a), sides.moved(i));
                let kind = match planes {
                    Planes::Cross(of_a, of_b) => crossing_planes(triangle, of_a, moved, of_b),
                    _ => triangle_triangle(triangle, moved),
                };
                if let Some(kind) = kind {
                    let (a, b) = (self.a.face(a), self.b.face(b));
                    visit(Intersection { a, b, kind }, [triangle, moved])?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Sorts intersections of meshes by triangle `a` and then by triangle `b`. Each pair must occur
/// only once.
pub(super) fn sort(found: &mut [Intersection]) {
    found.sort_unstable_by_key(|pair| u64::from(pair.a) << 32 | u64::from(pair.b));
}
