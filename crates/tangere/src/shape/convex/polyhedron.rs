//! Convex polyhedron: the type, and access to its vertices, edges, faces and half-edges.
//!
//! Edges are pairs of half-edges. Half-edges are stored in the order of their faces, and within a
//! face counterclockwise as seen from outside. So a face is a range of half-edges. Each
//! [`HalfEdge`], 24 bytes, has the indices of all features adjacent to it. The neighbours of a
//! vertex are consecutive in one array, which hill climbing reads in sequence.

use std::ops::Range;

use super::support::SupportData;
use crate::error::Result;
use crate::geometry::Aabb;
use crate::shape::TriMesh;

/// A half-edge: one side of an edge, which begins at `origin` and has `face` on its left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct HalfEdge {
    /// The index of the vertex where the half-edge begins.
    pub origin: u32,
    /// The index of the twin: the other half-edge of the same edge, in the opposite direction.
    pub twin: u32,
    /// The index of the next half-edge around the face, counterclockwise as seen from outside.
    pub next: u32,
    /// The index of the half-edge before this one around the face.
    pub prev: u32,
    /// The index of the face on the left of the half-edge; [`ConvexPolyhedron::NO_FACE`] if the
    /// polyhedron is a segment.
    pub face: u32,
    /// The index of the edge to which this half-edge belongs.
    pub edge: u32,
}

/// The plane of a face of a convex polyhedron: all points `x` of the polyhedron satisfy
/// `normal . x <= offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Plane {
    /// The unit normal of the face, which points out of the polyhedron.
    pub normal: [f64; 3],
    /// The offset of the face plane: the largest dot product `normal . x` over all points `x` of
    /// the polyhedron, rounded up.
    pub offset: f64,
}

/// A convex polyhedron, or a convex polygon, segment or point: the smallest convex set around its
/// vertices, with all features linked to their neighbours.
///
/// It is made by [`hull`](Self::hull) from points or by [`from_faces`](Self::from_faces) from a
/// surface. It is always strictly convex: every vertex is a corner, and no two faces lie in one
/// plane, both decided exactly.
///
/// # Indices
/// Indices of features are canonical: vertices are in the order of the input; a face begins at its
/// vertex of lowest index, and faces are in the order of their first two vertices; edges are in the
/// order of their first half-edge. So point sets with the same corners in the same order have equal
/// polyhedra, whatever other points they contain.
///
/// # Dimension
/// | dimension | what | vertices | edges | faces |
/// |---|---|---|---|---|
/// | 0 | a point | 1 | 0 | 0 |
/// | 1 | a segment | 2 | 1 | 0 |
/// | 2 | a flat polygon of `n` corners | `n` | `n` | 2, with opposite normals |
/// | 3 | a body | `V` | `V + F - 2` | `F` |
///
/// ```
/// use tangere::shape::ConvexPolyhedron;
///
/// // The corners of a cube, its centre, and the middle of an edge.
/// let mut points: Vec<[f64; 3]> = (0..8u32)
///     .map(|i| [0, 1, 2].map(|k| f64::from(i >> k & 1)))
///     .collect();
/// points.extend([[0.5, 0.5, 0.5], [0.5, 0.0, 0.0]]);
/// let cube = ConvexPolyhedron::hull(&points)?;
/// assert_eq!((cube.vertex_count(), cube.edge_count(), cube.face_count()), (8, 12, 6));
/// assert_eq!(cube.neighbours(0).len(), 3);
/// let corners: Vec<u32> = cube.face_vertices(0).collect();
/// assert_eq!((corners, cube.normal(0)), (vec![0, 1, 5, 4], [0.0, -1.0, 0.0]));
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPolyhedron {
    pub(super) vertices: Vec<[f64; 3]>,
    /// For each vertex of the polyhedron, the index of its point in the input.
    pub(super) sources: Vec<u32>,
    pub(super) half_edges: Vec<HalfEdge>,
    /// For each face of the polyhedron, the index of its first half-edge; at the end, the number of
    /// half-edges.
    pub(super) face_starts: Vec<u32>,
    pub(super) planes: Vec<Plane>,
    /// For each edge of the polyhedron, the index of its first half-edge: of the two, the one of
    /// lower index.
    pub(super) edges: Vec<u32>,
    /// For each vertex of the polyhedron, the offset of its entries in `outgoing` and `neighbours`;
    /// at the end, the length of these arrays.
    pub(super) vertex_starts: Vec<u32>,
    /// The indices of the half-edges that begin at each vertex of the polyhedron, vertex by vertex,
    /// counterclockwise as seen from outside. `vertex_starts` has the offset of each vertex in this
    /// array.
    pub(super) outgoing: Vec<u32>,
    /// For each entry of `outgoing`, the index of the vertex where that half-edge ends.
    pub(super) neighbours: Vec<u32>,
    pub(super) bounds: Aabb<3>,
    pub(super) center: [f64; 3],
    pub(super) radius: f64,
    pub(super) size: f64,
    pub(super) dimension: u32,
    pub(super) support_data: SupportData,
}

impl ConvexPolyhedron {
    /// The index that stands for no face. It is the face of the two half-edges of a segment.
    pub const NO_FACE: u32 = u32::MAX;

    /// The dimension of the polyhedron: 0 for a point, 1 for a segment, 2 for a flat polygon, 3 for
    /// a body.
    #[inline]
    pub fn dimension(&self) -> u32 {
        self.dimension
    }

    /// The vertices of the polyhedron: corners only, each once, in the order of the input.
    #[inline]
    pub fn vertices(&self) -> &[[f64; 3]] {
        &self.vertices
    }

    /// Returns vertex `v` of the polyhedron.
    #[inline]
    pub fn vertex(&self, v: u32) -> [f64; 3] {
        self.vertices[v as usize]
    }

    /// Returns for each vertex of the polyhedron the index of its point in the input, ascending; of
    /// equal points the first.
    #[inline]
    pub fn sources(&self) -> &[u32] {
        &self.sources
    }

    /// The number of vertices of the polyhedron: at least one.
    #[inline]
    pub fn vertex_count(&self) -> usize {
        self.vertices.len()
    }

    /// The number of edges of the polyhedron.
    #[inline]
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The number of faces of the polyhedron: 0 for points and segments, 2 for flat polygons.
    #[inline]
    pub fn face_count(&self) -> usize {
        self.planes.len()
    }

    /// All half-edges of the polyhedron, in the order of the faces.
    #[inline]
    pub fn half_edges(&self) -> &[HalfEdge] {
        &self.half_edges
    }

    /// Returns half-edge `h` of the polyhedron.
    #[inline]
    pub fn half_edge(&self, h: u32) -> HalfEdge {
        self.half_edges[h as usize]
    }

    /// The index of the vertex where half-edge `h` of the polyhedron ends.
    #[inline]
    pub fn target(&self, h: u32) -> u32 {
        let twin = self.half_edges[h as usize].twin;
        self.half_edges[twin as usize].origin
    }

    /// The half-edges of face `f` of the polyhedron, as a range of indices, counterclockwise as
    /// seen from outside.
    #[inline]
    pub fn face(&self, f: u32) -> Range<u32> {
        self.face_starts[f as usize]..self.face_starts[f as usize + 1]
    }

    /// The indices of the vertices of a face of the polyhedron, counterclockwise as seen from
    /// outside, beginning with the lowest index.
    #[inline]
    pub fn face_vertices(&self, f: u32) -> impl ExactSizeIterator<Item = u32> + Clone + '_ {
        let Range { start, end } = self.face(f);
        let loop_ = &self.half_edges[start as usize..end as usize];
        loop_.iter().map(|h| h.origin)
    }

    /// The half-edges of a face of the polyhedron, counterclockwise as seen from outside.
    #[inline]
    pub(crate) fn face_loop(&self, f: u32) -> &[HalfEdge] {
        let Range { start, end } = self.face(f);
        &self.half_edges[start as usize..end as usize]
    }

    /// Returns the outward unit normal of a face of the polyhedron: the normal of its exact plane,
    /// rounded.
    #[inline]
    pub fn normal(&self, f: u32) -> [f64; 3] {
        self.planes[f as usize].normal
    }

    /// Returns the offset of a face plane of the polyhedron. In exact arithmetic, with
    /// [`normal`](Self::normal) as stored, `normal . x <= offset` for every vertex `x` of the
    /// polyhedron. The offset exceeds the least such number by at most a few rounding units of the
    /// coordinates.
    #[inline]
    pub fn offset(&self, f: u32) -> f64 {
        self.planes[f as usize].offset
    }

    /// The planes of all faces of the polyhedron, in the order of the faces.
    #[inline]
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// The index of the first half-edge of edge `e` of the polyhedron: of its two half-edges, the
    /// one of lower index.
    #[inline]
    pub fn edge(&self, e: u32) -> u32 {
        self.edges[e as usize]
    }

    /// The indices of the two vertices at the ends of an edge of the polyhedron, in the direction
    /// of its first half-edge.
    #[inline]
    pub fn edge_vertices(&self, e: u32) -> [u32; 2] {
        let h = self.half_edges[self.edges[e as usize] as usize];
        [h.origin, self.half_edges[h.twin as usize].origin]
    }

    /// The indices of the two faces at an edge of the polyhedron: the left one, then the right one,
    /// as seen from outside in the direction of [`edge_vertices`](Self::edge_vertices). The left
    /// one has the lower index. Both are [`NO_FACE`](Self::NO_FACE) if the polyhedron is a segment.
    #[inline]
    pub fn edge_faces(&self, e: u32) -> [u32; 2] {
        let h = self.half_edges[self.edges[e as usize] as usize];
        [h.face, self.half_edges[h.twin as usize].face]
    }

    /// Returns the indices of the vertices that share an edge with vertex `v` of the polyhedron,
    /// counterclockwise as seen from outside.
    #[inline]
    pub fn neighbours(&self, v: u32) -> &[u32] {
        &self.neighbours[self.row(v)]
    }

    /// Returns the indices of the half-edges that begin at vertex `v` of the polyhedron,
    /// counterclockwise as seen from outside, from the lowest index. The half-edge at position `i`
    /// ends at the vertex at position `i` of [`neighbours`](Self::neighbours).
    #[inline]
    pub fn outgoing(&self, v: u32) -> &[u32] {
        &self.outgoing[self.row(v)]
    }

    /// Returns the range of the entries of vertex `v` of the polyhedron in `outgoing` and
    /// `neighbours`.
    #[inline]
    pub(super) fn row(&self, v: u32) -> Range<usize> {
        self.vertex_starts[v as usize] as usize..self.vertex_starts[v as usize + 1] as usize
    }

    /// The AABB of the polyhedron: that of its vertices.
    #[inline]
    pub fn bounds(&self) -> Aabb<3> {
        self.bounds
    }

    /// The center of the polyhedron: the mean of the vertices, a point of the polyhedron up to
    /// rounding.
    #[inline]
    pub fn center(&self) -> [f64; 3] {
        self.center
    }

    /// The radius of the polyhedron: the distance from the [`center`](Self::center) to the farthest
    /// vertex, rounded up.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The size of the polyhedron: an upper bound of the distance of any two of its points, at most
    /// `sqrt(3)` times the largest such distance.
    #[inline]
    pub fn size(&self) -> f64 {
        self.size
    }

    /// The index of the edge between vertices `v` and `w` of the polyhedron, if there is one.
    pub fn edge_between(&self, v: u32, w: u32) -> Option<u32> {
        let place = self.neighbours(v).iter().position(|&k| k == w)?;
        Some(self.half_edge(self.outgoing(v)[place]).edge)
    }

    /// The lowest index of a face of the polyhedron that has all these vertices, if there is one.
    pub fn face_through(&self, vertices: &[u32]) -> Option<u32> {
        let has = |f: u32, v: u32| self.face_vertices(f).any(|k| k == v);
        let faces = self
            .outgoing(*vertices.first()?)
            .iter()
            .map(|&h| self.half_edge(h).face);
        faces
            .filter(|&f| f != Self::NO_FACE)
            .find(|&f| vertices.iter().all(|&v| has(f, v)))
    }

    /// Iterates over the triangles of all faces of the polyhedron, each face a fan from its first
    /// vertex.
    pub(super) fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        (0..self.face_count() as u32).flat_map(move |f| {
            let first = self.half_edges[self.face_starts[f as usize] as usize].origin;
            let rest = self.face_vertices(f).skip(1);
            rest.clone()
                .zip(rest.skip(1))
                .map(move |(b, c)| [first, b, c])
        })
    }

    /// Returns the surface of the polyhedron as triangles: each face is a fan from its vertex of
    /// lowest index. Vertices keep their indices.
    ///
    /// # Errors
    /// If the polyhedron is a point or a segment, or its coordinates are beyond
    /// the range of [`TriMesh`].
    pub fn to_mesh(&self) -> Result<TriMesh> {
        TriMesh::new(self.vertices.clone(), self.triangles().collect())
    }
}
