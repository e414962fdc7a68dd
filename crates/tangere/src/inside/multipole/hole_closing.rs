//! Hole closing: triangles that close a surface with a boundary.
//!
//! The boundary of a surface, edges counted with their directions, consists of loops. Triangles
//! that span these loops close the surface: the winding number is then an integer, found with
//! little accuracy and rounded. The contribution of the few added triangles is then subtracted, as
//! accurately as required. Holes, inverted and doubled triangles and any other boundary are treated
//! alike, as long as the boundary is short.
//!
//! A loop is spanned by halving: one triangle connects its first, middle and last vertex, and so on
//! for both halves, so that most triangles are small. Linear in the number of triangles, except for
//! the sorting of the boundary's edges.

use super::clusters::Clusters;
use super::moments::Moments;
use crate::shape::{Edges, TriMesh, distinct_points};

/// The least ratio of the number of triangles of the surface to that of triangles which close its
/// holes. With more added triangles, sums over the surface itself are as fast.
const PART: usize = 8;

/// The triangles that close the holes of a surface, as clusters with their multipole moments.
#[derive(Clone, Debug, Default)]
pub(super) struct Cap {
    pub(super) clusters: Clusters,
    pub(super) moments: Moments,
}

/// The triangles that close the holes of a surface, as vertex indices; `None` if the surface is
/// closed or if there would be too many of them.
pub(super) fn closing(mesh: &TriMesh) -> Option<Vec<[u32; 3]>> {
    let most = mesh.faces().len() / PART;
    let missing = missing_edges(mesh, 3 * most)?;
    let faces = spanned(mesh.vertices().len(), &missing)?;
    (1..=most).contains(&faces.len()).then_some(faces)
}

/// The directed edges that must be added to cancel the boundary of a surface with holes, sorted;
/// `None` if there are more than `most`. Coincident vertices are merged.
fn missing_edges(mesh: &TriMesh, most: usize) -> Option<Vec<[u32; 2]>> {
    let (distinct, place) = distinct_points(mesh.vertices());
    let mut first = vec![u32::MAX; distinct.len()];
    for (vertex, &place) in (0u32..).zip(&place) {
        let first = &mut first[place as usize];
        *first = vertex.min(*first);
    }
    let welded = |v: u32| first[place[v as usize] as usize];
    let faces: Vec<[u32; 3]> = mesh.faces().iter().map(|face| face.map(welded)).collect();
    let mut missing = Vec::new();
    Edges::new(mesh.vertices().len(), &faces).for_each(|a, b, around| {
        let forward = |&&h: &&u32| faces[h as usize / 3][h as usize % 3] == a;
        let ahead = around.iter().filter(forward).count();
        let back = around.len() - ahead;
        if missing.len() <= most {
            let edge = if ahead > back { [b, a] } else { [a, b] };
            missing.extend(std::iter::repeat_n(edge, ahead.abs_diff(back)));
        }
    });
    missing.sort_unstable();
    (missing.len() <= most).then_some(missing)
}

/// Triangles that close holes: their boundary consists of the directed edges `edges`, which must be
/// sorted. `None` if the edges do not form loops.
fn spanned(vertices: usize, edges: &[[u32; 2]]) -> Option<Vec<[u32; 3]>> {
    const OFF: u32 = u32::MAX;
    let mut faces = Vec::new();
    // The number of used edges from each vertex, at the index of its first edge.
    let mut used = vec![0; edges.len()];
    let mut path: Vec<u32> = Vec::new();
    let mut place = vec![OFF; vertices];
    for &[start, _] in edges {
        let mut at = start;
        loop {
            if place[at as usize] != OFF {
                let from = place[at as usize] as usize;
                span(&path[from..], &mut faces);
                path.drain(from..)
                    .for_each(|vertex| place[vertex as usize] = OFF);
            }
            let first = edges.partition_point(|edge| edge[0] < at);
            let next = first + used.get(first).copied().unwrap_or(0);
            match edges.get(next) {
                Some(&[from, to]) if from == at => {
                    used[first] += 1;
                    place[at as usize] = path.len() as u32;
                    path.push(at);
                    at = to;
                }
                _ => break,
            }
        }
        if !path.is_empty() {
            return None;
        }
    }
    Some(faces)
}

/// Appends triangles that close a hole to `out`. `path` has the vertices of the loop around the
/// hole; fewer than three give no triangle.
fn span(path: &[u32], out: &mut Vec<[u32; 3]>) {
    if let [first, .., last] = *path
        && path.len() > 2
    {
        let middle = (path.len() - 1) / 2;
        out.push([first, path[middle], last]);
        span(&path[..=middle], out);
        span(&path[middle..], out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::inside::InsideRule;
    use crate::inside::leaks::Leaks;

    fn is_closed_by(mesh: &TriMesh, cap: &[[u32; 3]]) -> bool {
        let faces = [mesh.faces(), cap].concat();
        let both = TriMesh::new(mesh.vertices().to_vec(), faces).expect("a mesh");
        Leaks::of(&both, InsideRule::Nonzero).is_none()
    }

    #[test]
    fn what_is_open_is_closed() {
        let (vertices, faces) = generate::sphere(5).unwrap().into_parts();
        let mesh = |faces: Vec<[u32; 3]>| TriMesh::new(vertices.clone(), faces).unwrap();
        let kept = |keep: &dyn Fn(usize) -> bool| {
            let kept = faces.iter().enumerate().filter(|(i, _)| keep(*i));
            mesh(kept.map(|(_, &face)| face).collect())
        };
        // Single triangles, strips that touch at corners, more than a half.
        for open in [
            kept(&|i| i % 100 != 3),
            kept(&|i| i % 1000 > 30),
            kept(&|i| i > 3000),
        ] {
            assert!(!is_closed_by(&open, &[]));
            assert!(is_closed_by(&open, &closing(&open).unwrap()));
        }
        let mut turned = faces.clone();
        turned
            .iter_mut()
            .step_by(70)
            .for_each(|face| face.swap(0, 2));
        let turned = mesh(turned);
        assert!(is_closed_by(&turned, &closing(&turned).unwrap()));
        // One hole of three edges.
        assert_eq!(
            closing(&kept(&|i| i != 9)).unwrap(),
            [faces[9]].map(|face| {
                let least = (0..3).min_by_key(|&k| face[k]).unwrap();
                [0, 1, 2].map(|k| face[(least + k) % 3])
            })
        );
        // Nothing to close, and too much.
        assert_eq!(closing(&mesh(faces.clone())), None);
        assert_eq!(closing(&kept(&|i| i % 2 == 0)), None);
    }

    #[test]
    fn edges_that_are_no_loops_are_refused() {
        assert_eq!(spanned(4, &[[0, 1], [1, 2]]), None);
        assert_eq!(spanned(4, &[[0, 1], [1, 2], [2, 0]]).unwrap(), [[0, 1, 2]]);
    }
}
