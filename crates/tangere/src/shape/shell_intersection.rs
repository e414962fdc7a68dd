//! Do shells of a surface meet?
//!
//! A surface whose shells are apart or in each other, turned as their nesting wants, bounds each part of space
//! once: winding numbers are 0 and 1, and its volume is that of a body. Where shells go through each
//! other, what they share counts twice; where they share a wall, nothing is bounded by it. Decided exactly, for
//! pairs of triangles whose boxes meet: `O(n log n)`, and nothing where boxes of shells are apart.

use super::TriMesh;
use super::topology::{NO_PATCH, Topology};
use crate::geometry::{Aabb, IntersectionKind, triangle_triangle};
use crate::tree::Tree;

/// Two triangles of different shells that have common points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShellIntersection {
    pub(crate) faces: [u32; 2],
    /// Numbered by their first triangles.
    pub(crate) shells: [u32; 2],
    pub(crate) kind: IntersectionKind,
}

/// The first two triangles of different shells that go through each other; if there are none, of those that lie on each
/// other; if there are none, of those that touch, unless at a vertex that both name.
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
