//! Merges coplanar triangles of a convex surface to polygons.
//!
//! Given a closed surface of triangles that is weakly convex (coplanar neighbours allowed),
//! [`merged`] returns the loops of vertices around the faces of the body. Cost: one exact predicate
//! for each edge.
//!
//! An edge between coplanar triangles is not an edge of the body. The other edges form loops around
//! the faces. A vertex with fewer than three edges of the body is not a corner: with two it lies
//! within an edge, with none within a face.

use crate::geometry::orient3d;

/// The loops of vertices around faces, each merged from coplanar triangles, in one array: loop `i`
/// is `vertices[starts[i]..starts[i + 1]]`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Loops {
    pub starts: Vec<u32>,
    pub vertices: Vec<u32>,
}

impl Loops {
    /// Returns the number of loops, one around each face merged from coplanar triangles.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns loop `i`: the vertices around a face merged from coplanar triangles.
    pub(super) fn get(&self, i: usize) -> &[u32] {
        &self.vertices[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}

/// Merges the coplanar triangles of a closed convex surface: returns the loops of vertices around
/// its faces. Half-edge `3 * t + k` goes from corner `k` of triangle `t` to the next corner.
/// `twins` has, for each half-edge, the index of the same edge in the opposite direction.
pub(super) fn merged(triangles: &[[u32; 3]], twins: &[u32], points: &[[f64; 3]]) -> Loops {
    let at = |v: u32| points[v as usize];
    let origin = |h: u32| triangles[h as usize / 3][h as usize % 3];
    let next = |h: u32| if h % 3 == 2 { h - 2 } else { h + 1 };
    // Whether a half-edge is part of an edge of the body, and not yet of a loop.
    let mut is_open = vec![false; twins.len()];
    let mut degree = vec![0u8; points.len()];
    for h in 0..twins.len() as u32 {
        let twin = twins[h as usize];
        if twin < h {
            continue;
        }
        let [a, b, c] = triangles[h as usize / 3].map(at);
        let apex = origin(next(next(twin)));
        if !orient3d(a, b, c, at(apex)).is_zero() {
            for half in [h, twin] {
                is_open[half as usize] = true;
                let degree = &mut degree[origin(half) as usize];
                // Only degrees up to three matter.
                *degree = (*degree + 1).min(3);
            }
        }
    }
    let mut loops = Loops {
        starts: vec![0],
        vertices: Vec::new(),
    };
    // A copy, because loops consume `is_open`.
    let is_edge = is_open.clone();
    for first in 0..twins.len() as u32 {
        if !is_open[first as usize] {
            continue;
        }
        let mut h = first;
        while is_open[h as usize] {
            is_open[h as usize] = false;
            if degree[origin(h) as usize] == 3 {
                loops.vertices.push(origin(h));
            }
            h = next(h);
            while !is_edge[h as usize] {
                h = next(twins[h as usize]);
            }
        }
        loops.starts.push(loops.vertices.len() as u32);
    }
    loops
}
