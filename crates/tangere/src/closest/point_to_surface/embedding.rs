//! Embedding: whether the triangles of a mesh meet only in the vertices and edges that they share.
//!
//! Every pair of triangles whose boxes overlap is tested exactly, neighbours too. Triangles without
//! a shared vertex must not touch. For two that share a vertex `v` only: if they have another
//! common point `x`, the ray from `v` through `x` leaves one of them first, through the edge
//! opposite to `v`, at a point that the other one contains. So it is enough to test the two
//! opposite edges. Two that share an edge lie in different planes, or on different sides of it.
//!
//! Cost: a box query for each triangle, on all threads.

use crate::geometry::{
    Aabb, Sign, orient2d, orient3d, projected, segment_triangle, triangle_triangle,
};
use crate::tree::Tree;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// The minimum number of triangles that one thread tests at a time.
const CHUNK: usize = 256;

/// Whether the triangles of a mesh, given by their corners and their vertex indices, meet only in
/// the vertices and edges that they share. `tree` is a BVH over the boxes of the triangles. No
/// triangle may be degenerate.
pub(super) fn is_embedded(tree: &Tree<3>, triangles: &[[[f64; 3]; 3]], faces: &[[u32; 3]]) -> bool {
    let is_embedded = AtomicBool::new(true);
    (0..faces.len())
        .into_par_iter()
        .with_min_len(CHUNK)
        .filter(|_| is_embedded.load(Ordering::Relaxed))
        .for_each(|i| {
            tree.overlapping(&Aabb::of_points(triangles[i]), |j| {
                let j = j as usize;
                // Each pair is tested once.
                if i < j && !are_proper([i, j].map(|f| (triangles[f], faces[f]))) {
                    is_embedded.store(false, Ordering::Relaxed);
                }
            });
        });
    is_embedded.into_inner()
}

/// Whether two triangles meet only in what they share; each is given by its corners and its vertex
/// indices.
fn are_proper([(a, of_a), (b, of_b)]: [([[f64; 3]; 3], [u32; 3]); 2]) -> bool {
    let is_own = of_a.map(|v| of_b.contains(&v));
    let place = |shared: bool, own: [bool; 3]| own.iter().position(|&is| is == shared);
    match is_own.iter().filter(|&&is| is).count() {
        0 => triangle_triangle(a, b).is_none(),
        1 => {
            let others = of_b.map(|v| of_a.contains(&v));
            let (Some(i), Some(j)) = (place(true, is_own), place(true, others)) else {
                return false;
            };
            // Most neighbours are beside each other, which takes two orientations.
            if is_beside(a, b, j) || is_beside(b, a, i) {
                return true;
            }
            let opposite = |t: [[f64; 3]; 3], k: usize| [t[(k + 1) % 3], t[(k + 2) % 3]];
            segment_triangle(opposite(a, i), b).is_disjoint()
                && segment_triangle(opposite(b, j), a).is_disjoint()
        }
        2 => {
            let others = of_b.map(|v| of_a.contains(&v));
            let (Some(i), Some(j)) = (place(false, is_own), place(false, others)) else {
                return false;
            };
            let edge = [a[(i + 1) % 3], a[(i + 2) % 3]];
            !are_folded(edge, a[i], b[j])
        }
        _ => false,
    }
}

/// Whether the corners of triangle `b` other than corner `j`, which is one of triangle `a` too, lie
/// strictly on one side of the plane of `a`. Then `b` meets this plane in corner `j` alone.
fn is_beside(a: [[f64; 3]; 3], b: [[f64; 3]; 3], j: usize) -> bool {
    let side = |k: usize| orient3d(a[0], a[1], a[2], b[(j + k) % 3]);
    let first = side(1);
    first != Sign::Zero && first == side(2)
}

/// Whether the triangles on a common edge with the other corners `p` and `q` lie in one plane and on
/// the same side of the edge.
fn are_folded([a, b]: [[f64; 3]; 2], p: [f64; 3], q: [f64; 3]) -> bool {
    if orient3d(a, b, p, q) != Sign::Zero {
        return false;
    }
    let side = |corner: [f64; 3], axis: usize| {
        let [a, b, corner] = [a, b, corner].map(|x| projected(x, axis));
        orient2d(a, b, corner)
    };
    // Along some axis the plane is not seen from its edge.
    let axis = (0..3).find(|&axis| side(p, axis) != Sign::Zero);
    axis.is_none_or(|axis| side(p, axis) == side(q, axis))
}
