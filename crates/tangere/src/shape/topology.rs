//! How the triangles of a surface hang together: edges, fans, components.
//!
//! Time and memory are linear in the number of triangles (with the inverse
//! Ackermann function of disjoint sets). Only indices are looked at. Triangles
//! that name a vertex twice bound nothing: they have no edges and belong to no
//! component.

use super::TriMesh;
use super::edges::{Edges, Sets, repeats_vertex};

/// The component of a triangle that names a vertex twice.
pub(crate) const NO_COMPONENT: u32 = u32::MAX;

/// Counts over the surface, and its components.
#[derive(Default)]
pub(crate) struct Topology {
    pub(crate) edges: usize,
    pub(crate) boundary_edges: usize,
    pub(crate) nonmanifold_edges: usize,
    pub(crate) misoriented_edges: usize,
    pub(crate) nonmanifold_vertices: usize,
    pub(crate) duplicate_triangles: usize,
    /// Vertices in use minus edges plus triangles.
    pub(crate) euler_characteristic: i64,
    /// The component of each triangle, numbered by their first triangles.
    pub(crate) component: Vec<u32>,
    /// For each component, whether it is closed and oriented.
    pub(crate) is_shell: Vec<bool>,
}

impl Topology {
    pub(crate) fn new(mesh: &TriMesh) -> Self {
        let faces = mesh.faces();
        let vertex_count = mesh.vertices().len();
        let mut topology = Topology::default();
        let mut parts = Sets::new(faces.len());
        // Corners 3 * face + k of one fan around a vertex become one set.
        let mut fans = Sets::new(3 * faces.len());
        // One triangle at each edge that keeps its component from being a shell.
        let mut leaks = Vec::new();

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
                balance += if at_a == h { 1 } else { -1 };
                if h != first {
                    parts.join(first / 3, h / 3);
                    fans.join(first_a, at_a);
                    fans.join(first_b, at_b);
                }
            }
            match around.len() {
                1 => topology.boundary_edges += 1,
                2 => {}
                _ => topology.nonmanifold_edges += 1,
            }
            if around.len() > 1 && balance != 0 {
                topology.misoriented_edges += 1;
            }
            if balance != 0 {
                leaks.push(first / 3);
            }
            if around.len() > 1 {
                topology.duplicate_triangles += duplicates(faces, b, around);
            }
        });

        topology.component = vec![NO_COMPONENT; faces.len()];
        let mut fan_count = vec![0u32; vertex_count];
        let mut proper = 0i64;
        for (f, face) in faces.iter().enumerate() {
            if repeats_vertex(face) {
                continue;
            }
            proper += 1;
            let leader = parts.leader(f as u32);
            // A leader is the least of its set, so it is numbered before it is asked for.
            topology.component[f] = if leader == f as u32 {
                topology.is_shell.push(true);
                topology.is_shell.len() as u32 - 1
            } else {
                topology.component[leader as usize]
            };
            for k in 0..3 {
                if fans.leads((3 * f + k) as u32) {
                    fan_count[face[k] as usize] += 1;
                }
            }
        }
        for f in leaks {
            topology.is_shell[topology.component[f as usize] as usize] = false;
        }
        topology.nonmanifold_vertices = fan_count.iter().filter(|&&n| n > 1).count();
        let used = fan_count.iter().filter(|&&n| n > 0).count();
        topology.euler_characteristic = used as i64 - topology.edges as i64 + proper;
        topology
    }
}

/// How many triangles around the edge up to vertex `b` repeat the vertices of
/// an earlier one. To count each triangle at one of its edges only, it counts
/// at the edge opposite its highest vertex.
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
