//! All pairs of triangles of two surfaces that meet.
//!
//! The trees of both go down together; triangles whose boxes meet are decided exactly, for the
//! coordinates after the pose. Those of `b` come in runs, each moved once.

use super::TriangleTree;
use crate::geometry::{IntersectionKind, PlaneOf, Pose, meeting};
use crate::simd::prefetch;
use std::ops::ControlFlow;

/// How many pairs are collected before they are decided: loads of as many triangles overlap.
const DELAY: usize = 64;

/// Two triangles that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Intersection {
    /// The face of the first surface.
    pub a: u32,
    /// The face of the second.
    pub b: u32,
    /// How they meet.
    pub kind: IntersectionKind,
}

/// A triangle that is compared with many.
struct Moved {
    corners: [[f64; 3]; 3],
    low: [f64; 3],
    high: [f64; 3],
    plane: PlaneOf,
}

impl Moved {
    #[inline(always)]
    fn new(triangle: &[[f64; 3]; 3], pose: &Pose) -> Self {
        let [p, q, r] = triangle;
        let corners = [pose.apply(*p), pose.apply(*q), pose.apply(*r)];
        let (low, high) = bounds(&corners);
        Self {
            corners,
            low,
            high,
            plane: PlaneOf::new(corners),
        }
    }

    /// How it meets another triangle.
    #[inline(always)]
    fn meeting(&self, other: &[[f64; 3]; 3]) -> Option<IntersectionKind> {
        let (low, high) = bounds(other);
        let mut apart = false;
        for k in 0..3 {
            apart |= (low[k] > self.high[k]) | (high[k] < self.low[k]);
        }
        if apart {
            return None;
        }
        meeting(*other, self.corners, &self.plane)
    }
}

#[inline(always)]
fn bounds([p, q, r]: &[[f64; 3]; 3]) -> ([f64; 3], [f64; 3]) {
    let (mut low, mut high) = (*p, *p);
    for v in [q, r] {
        for k in 0..3 {
            low[k] = if v[k] < low[k] { v[k] } else { low[k] };
            high[k] = if v[k] > high[k] { v[k] } else { high[k] };
        }
    }
    (low, high)
}

impl TriangleTree {
    /// All pairs of a triangle of this surface and one of `other`, moved by `pose`, that have a
    /// common point, in the order of `a` and then of `b`. What was in `found` is replaced, and its
    /// memory used again.
    pub fn intersections(&self, other: &Self, pose: &Pose, found: &mut Vec<Intersection>) {
        found.clear();
        let _ = self.meetings(other, pose, |pair, _| {
            found.push(pair);
            ControlFlow::Continue(())
        });
        sort(found);
    }

    /// Whether this surface and `other`, moved by `pose`, have a common point.
    pub fn intersects(&self, other: &Self, pose: &Pose) -> bool {
        self.meetings(other, pose, |_, _| ControlFlow::Break(()))
            .is_break()
    }

    /// Calls `visit` with every pair that meets and its triangles, in a fixed order, until it breaks off.
    #[inline(always)]
    pub(super) fn meetings(
        &self,
        other: &Self,
        pose: &Pose,
        mut visit: impl FnMut(Intersection, [[[f64; 3]; 3]; 2]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut waiting = Waiting::new(self, other, pose);
        self.tree.against_while(
            &other.tree,
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

/// Pairs that wait for their triangles to come from memory.
struct Waiting<'a> {
    a: &'a TriangleTree,
    b: &'a TriangleTree,
    pose: &'a Pose,
    pairs: [(u32, u32); DELAY],
    len: usize,
}

impl<'a> Waiting<'a> {
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

    #[inline(always)]
    fn push(&mut self, a: u32, b: u32) {
        prefetch(&self.a.triangles, a as usize);
        prefetch(&self.b.triangles, b as usize);
        self.pairs[self.len] = (a, b);
        self.len += 1;
    }

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.len == DELAY
    }

    /// Decides all that wait.
    #[inline(always)]
    fn decide(
        &mut self,
        visit: &mut impl FnMut(Intersection, [[[f64; 3]; 3]; 2]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let pairs = &self.pairs[..self.len];
        self.len = 0;
        for run in pairs.chunk_by(|x, y| x.1 == y.1) {
            let b = run[0].1;
            let moved = Moved::new(&self.b.triangles[b as usize], self.pose);
            for &(a, _) in run {
                let triangle = &self.a.triangles[a as usize];
                if let Some(kind) = moved.meeting(triangle) {
                    let (a, b) = (self.a.face(a), self.b.face(b));
                    visit(Intersection { a, b, kind }, [*triangle, moved.corners])?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Brings pairs into their order; each is there once.
pub(super) fn sort(found: &mut [Intersection]) {
    found.sort_unstable_by_key(|pair| u64::from(pair.a) << 32 | u64::from(pair.b));
}
