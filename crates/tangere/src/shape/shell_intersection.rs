//! Intersections of different shells of a surface. The surface is closed and oriented. A shell is
//! here a set of triangles that are connected through edges that exactly two triangles share.
//!
//! If the shells of a surface are disjoint or nested, with normals outward at even nesting depth
//! and inward at odd depth, all winding numbers are 0 or 1, and the surface bounds a body. Where
//! shells cross, their common volume counts twice; where they share a wall, the winding number is
//! the same on both sides of it. Pairs of triangles whose AABBs meet are decided exactly. Cost:
//! `O(n log n)`; shells whose AABBs are disjoint from all others are skipped.

use super::TriMesh;
use super::mesh_topology::{NO_PATCH, Topology};
use crate::error::{Argument, Error};
use crate::geometry::{Aabb, IntersectionKind, triangle_triangle};
use crate::tree::Tree;

/// An intersection of shells: two intersecting triangles of different shells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShellIntersection {
    faces: [u32; 2],
    /// The indices of the shells to which the two triangles belong. Shells are numbered in the
    /// order of their first triangles.
    shells: [u32; 2],
    kind: IntersectionKind,
}

impl ShellIntersection {
    /// Returns the error that rejects a mesh because of this intersection of shells.
    pub(crate) fn error(&self) -> Error {
        let how = match self.kind {
            IntersectionKind::Crossing => "go through each other",
            IntersectionKind::Coplanar => "share a wall",
            IntersectionKind::Touching => "touch",
        };
        let ([a, b], [i, j]) = (self.shells, self.faces);
        Error::argument(
            Argument::Mesh,
            format!("shells {a} and {b} that {how} (triangles {i} and {j})"),
            "shells that are apart or in each other: unite them, or pack each by itself",
        )
    }
}

/// Returns the first intersection of different shells. Pairs of triangles that cross come first,
/// then pairs that are coplanar and overlap, then pairs that touch and share no vertex. Within each
/// kind, pairs are in the order of the triangle indices. None if there are no such pairs.
pub(crate) fn first_shell_intersection(mesh: &TriMesh) -> Option<ShellIntersection> {
    let patch = Topology::new(mesh).patch;
    let count = patch.iter().filter(|&&p| p != NO_PATCH).max()? + 1;
    let mut bounds = vec![Aabb::EMPTY; count as usize];
    let of_face = |f: usize| {
        let mut bounds = Aabb::EMPTY;
        for p in mesh.triangle(f) {
            bounds.include(p);
        }
        bounds
    };
    for (f, &p) in patch.iter().enumerate() {
        if p != NO_PATCH {
            bounds[p as usize] = bounds[p as usize].union(&of_face(f));
        }
    }
    let mut is_near = vec![false; bounds.len()];
    Tree::of_boxes(&bounds).ok()?.self_pairs(|a, b| {
        is_near[a as usize] = true;
        is_near[b as usize] = true;
    });
    let faces: Vec<u32> = (0..)
        .zip(&patch)
        .filter(|&(_, &p)| p != NO_PATCH && is_near[p as usize])
        .map(|(f, _)| f)
        .collect();
    let boxes: Vec<Aabb<3>> = faces.iter().map(|&f| of_face(f as usize)).collect();
    let mut first: Option<ShellIntersection> = None;
    let mut best: Option<(u8, [u32; 2])> = None;
    Tree::of_boxes(&boxes).ok()?.self_pairs(|i, j| {
        let (i, j) = (faces[i as usize], faces[j as usize]);
        let faces = [i.min(j), i.max(j)];
        let shells = faces.map(|f| patch[f as usize]);
        if shells[0] == shells[1] {
            return;
        }
        let [a, b] = faces.map(|f| mesh.triangle(f as usize));
        let Some(kind) = triangle_triangle(a, b) else {
            return;
        };
        let [a, b] = faces.map(|f| mesh.faces()[f as usize]);
        if kind == IntersectionKind::Touching && a.iter().any(|v| b.contains(v)) {
            return;
        }
        let rank = match kind {
            IntersectionKind::Crossing => 0,
            IntersectionKind::Coplanar => 1,
            IntersectionKind::Touching => 2,
        };
        if best.is_none_or(|best| (rank, faces) < best) {
            best = Some((rank, faces));
            first = Some(ShellIntersection {
                faces,
                shells,
                kind,
            });
        }
    });
    first
}
