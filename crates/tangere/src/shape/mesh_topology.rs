//! Topology of a triangle mesh: edges, vertex fans, components, patches, Euler characteristic.
//!
//! A component is a set of triangles connected through edges; a patch is a set of triangles
//! connected through edges that exactly two triangles share.
//!
//! Time and memory are linear in the number of triangles (times the inverse Ackermann function of
//! disjoint sets). Only vertex indices are used. Triangles that repeat a vertex have no edges and
//! belong to no component and no patch.

use super::TriMesh;
use super::disjoint_sets::DisjointSets;
use super::mesh_edges::{Edges, repeats_vertex};

/// The patch index of a triangle that belongs to no patch, because it repeats a vertex.
pub(crate) const NO_PATCH: u32 = u32::MAX;

/// The topology of a triangle mesh: counts, components and patches.
#[derive(Default)]
pub(crate) struct Topology {
    pub(crate) edges: usize,
    pub(crate) boundary_edges: usize,
    pub(crate) nonmanifold_edges: usize,
    pub(crate) misoriented_edges: usize,
    pub(crate) nonmanifold_vertices: usize,
    pub(crate) duplicate_triangles: usize,
    /// The Euler characteristic of the mesh: vertices minus edges plus triangles. Triangles that
    /// repeat a vertex do not count, nor do vertices that no other triangle uses.
    pub(crate) euler_characteristic: i64,
    /// The number of connected components of the mesh: sets of triangles connected through edges.
    pub(crate) components: usize,
    /// For each triangle, the index of its patch: the set of triangles connected to it through
    /// edges that exactly two triangles share; [`NO_PATCH`] if it repeats a vertex. Patches are
    /// numbered in the order of their first triangles.
    pub(crate) patch: Vec<u32>,
    /// For each patch of the mesh, whether it is a shell: the patch alone, without the rest of the
    /// mesh, is closed and oriented.
    pub(crate) is_shell: Vec<bool>,
}

impl Topology {
    /// Computes the topology of a triangle mesh.
    pub(crate) fn new(mesh: &TriMesh) -> Self {
        let faces = mesh.faces();
        let vertex_count = mesh.vertices().len();
        let mut topology = Topology::default();
        let mut parts = DisjointSets::new(faces.len());
        let mut patches = DisjointSets::new(faces.len());
        // The corners `3 * face + k` of one fan around a vertex become one set.
        let mut fans = DisjointSets::new(3 * faces.len());
        // One triangle at each edge along which its patch is open or misoriented.
        let mut leaks = Vec::new();
        // The half-edges of each edge of more than two triangles, with their direction.
        let mut crowded: Vec<(usize, u32, i32)> = Vec::new();

        Edges::new(vertex_count, faces).for_each(|a, b, around| {
            topology.edges += 1;
            let first = around[0];
            let corners = |h: u32| {
                let start = h - h % 3;
                let end = start + (h % 3 + 1) % 3;
                let forward = faces[h as usize / 3][h as usize % 3] == a;
                if forward { (h, end) } else { (end, h) }
            };
            let (first_a, first_b) = corners(first);
            let mut balance = 0i64;
            for &h in around {
                let (at_a, at_b) = corners(h);
                let direction = if at_a == h { 1 } else { -1 };
                balance += i64::from(direction);
                if h != first {
                    parts.join(first / 3, h / 3);
                    fans.join(first_a, at_a);
                    fans.join(first_b, at_b);
                }
                if around.len() > 2 {
                    crowded.push((topology.edges, h / 3, direction));
                }
            }
            match around.len() {
                1 => topology.boundary_edges += 1,
                2 => patches.join(around[0] / 3, around[1] / 3),
                _ => topology.nonmanifold_edges += 1,
            }
            if around.len() > 1 && balance != 0 {
                topology.misoriented_edges += 1;
            }
            if around.len() <= 2 && balance != 0 {
                leaks.push(first / 3);
            }
            if around.len() > 1 {
                topology.duplicate_triangles += duplicates(faces, b, around);
            }
        });

        topology.patch = vec![NO_PATCH; faces.len()];
        let mut fan_count = vec![0u32; vertex_count];
        let mut proper = 0i64;
        for (f, face) in faces.iter().enumerate() {
            if repeats_vertex(face) {
                continue;
            }
            proper += 1;
            topology.components += usize::from(parts.leads(f as u32));
            let leader = patches.leader(f as u32);
            // A leader is the least of its set, so it has its number before other members use it.
            topology.patch[f] = if leader == f as u32 {
                topology.is_shell.push(true);
                topology.is_shell.len() as u32 - 1
            } else {
                topology.patch[leader as usize]
            };
            for k in 0..3 {
                if fans.leads((3 * f + k) as u32) {
                    fan_count[face[k] as usize] += 1;
                }
            }
        }
        for f in leaks {
            topology.is_shell[topology.patch[f as usize] as usize] = false;
        }
        // Where several patches meet at an edge, each must be balanced by itself.
        let patch = |f: u32| topology.patch[f as usize];
        crowded.sort_unstable_by_key(|&(edge, f, _)| (edge, patch(f)));
        for group in crowded.chunk_by(|x, y| x.0 == y.0 && patch(x.1) == patch(y.1)) {
            if group
                .iter()
                .map(|&(_, _, direction)| direction)
                .sum::<i32>()
                != 0
            {
                topology.is_shell[patch(group[0].1) as usize] = false;
            }
        }
        topology.nonmanifold_vertices = fan_count.iter().filter(|&&n| n > 1).count();
        let used = fan_count.iter().filter(|&&n| n > 0).count();
        topology.euler_characteristic = used as i64 - topology.edges as i64 + proper;
        topology
    }
}

/// Returns the number of duplicate triangles around an edge of a mesh: those with the same vertices
/// as an earlier one. `around` has the half-edges of the edge, and `b` is the higher of its two
/// vertex indices. Each duplicate is counted at one of its edges only, the one opposite its vertex
/// of highest index.
fn duplicates(faces: &[[u32; 3]], b: u32, around: &[u32]) -> usize {
    let opposite = |h: u32| faces[h as usize / 3][(h as usize % 3 + 2) % 3];
    if let [x, y] = around {
        return usize::from(opposite(*x) == opposite(*y) && opposite(*x) > b);
    }
    let mut tips: Vec<u32> = around
        .iter()
        .map(|&h| opposite(h))
        .filter(|&tip| tip > b)
        .collect();
    let count = tips.len();
    tips.sort_unstable();
    tips.dedup();
    count - tips.len()
}
