//! Edges of a triangle mesh, each with its half-edges.
//!
//! Time and memory are linear in the number of triangles: half-edges are counted into buckets by
//! the lower vertex of their edge (that of lower index) and sorted within a bucket. A bucket holds
//! six half-edges on average.

/// All edges of a triangle mesh, except those of triangles that repeat a vertex.
pub(crate) struct Edges {
    /// The half-edges of the mesh. Each edge joins a vertex of lower and one of higher index;
    /// half-edges are sorted by the lower, then by the higher. The high 32 bits of an entry are the
    /// higher vertex index; the low 32 bits are the half-edge, `3 * face + corner`.
    half_edges: Vec<u64>,
    /// For each vertex, the offset in `half_edges` of the edges of which it is the vertex of lower
    /// index; at the end, the length of `half_edges`.
    starts: Vec<u32>,
}

/// Returns whether a triangle of a mesh repeats a vertex: such a triangle has no area and no edges.
#[inline]
pub(crate) fn repeats_vertex(face: &[u32; 3]) -> bool {
    face[0] == face[1] || face[1] == face[2] || face[2] == face[0]
}

impl Edges {
    /// Returns the edges of a triangle mesh whose vertex indices are below `vertex_count`.
    pub(crate) fn new(vertex_count: usize, faces: &[[u32; 3]]) -> Self {
        let proper = || {
            faces
                .iter()
                .enumerate()
                .filter(|(_, face)| !repeats_vertex(face))
        };
        let mut starts = vec![0u32; vertex_count + 1];
        for (_, face) in proper() {
            for k in 0..3 {
                starts[face[k].min(face[(k + 1) % 3]) as usize + 1] += 1;
            }
        }
        for v in 0..vertex_count {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut half_edges = vec![0u64; starts[vertex_count] as usize];
        for (f, face) in proper() {
            for k in 0..3 {
                let (a, b) = (face[k], face[(k + 1) % 3]);
                let slot = &mut next[a.min(b) as usize];
                half_edges[*slot as usize] = u64::from(a.max(b)) << 32 | (3 * f + k) as u64;
                *slot += 1;
            }
        }
        for v in 0..vertex_count {
            half_edges[starts[v] as usize..starts[v + 1] as usize].sort_unstable();
        }
        Edges { half_edges, starts }
    }

    /// Visits each edge of the triangle mesh, sorted by the vertex of lower index, then by that of
    /// higher index. Calls `visit` with the lower index, the higher index, and the half-edges of
    /// the edge. A half-edge is `3 * face + corner` and begins at that corner.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(u32, u32, &[u32])) {
        let mut around = Vec::new();
        for v in 0..self.starts.len() - 1 {
            let bucket = &self.half_edges[self.starts[v] as usize..self.starts[v + 1] as usize];
            for edge in bucket.chunk_by(|x, y| x >> 32 == y >> 32) {
                around.clear();
                around.extend(edge.iter().map(|&x| x as u32));
                visit(v as u32, (edge[0] >> 32) as u32, &around);
            }
        }
    }
}
