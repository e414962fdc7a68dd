//! What is right and wrong with a surface.
//!
//! Time and memory are linear in the number of triangles. Counts of topology
//! come from indices alone; whether a triangle is degenerate is decided by
//! exact predicates.

use super::TriMesh;
use super::edges::repeats_vertex;
use super::shells::shells;
use super::topology::Topology;
use crate::geometry::{Aabb, triangle};
use crate::parallel;

/// Everything worth knowing about a surface before it is used.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MeshReport {
    /// Vertices, those that no triangle uses included.
    pub vertices: usize,
    /// Triangles, degenerate and duplicate ones included.
    pub triangles: usize,
    /// Edges. Triangles that name a vertex twice bound nothing: they have no
    /// edges and belong to no component.
    pub edges: usize,
    /// There are edges, and none belongs to one triangle only.
    pub closed: bool,
    /// At every edge of two or more triangles, as many run along it one way as
    /// the other. A closed and oriented surface has a volume, and its winding
    /// number is an integer everywhere off the surface.
    pub oriented: bool,
    /// No edge has more than two triangles, and the triangles around every
    /// vertex form one fan.
    pub manifold: bool,
    /// Parts connected through edges.
    pub components: usize,
    /// Vertices in use minus edges plus triangles.
    pub euler_characteristic: i64,
    /// The number of handles, summed over components; none unless the surface
    /// is closed, oriented and manifold.
    pub genus: Option<u64>,
    /// Edges of one triangle.
    pub boundary_edges: usize,
    /// Edges of more than two triangles.
    pub nonmanifold_edges: usize,
    /// Edges of two or more triangles that do not run along it equally often
    /// in each direction.
    pub misoriented_edges: usize,
    /// Vertices whose triangles form more than one fan: they meet at the
    /// vertex, but through no edge that ends there.
    pub nonmanifold_vertices: usize,
    /// Vertices that no triangle names.
    pub unused_vertices: usize,
    /// Triangles without area: a vertex named twice, or three corners exactly
    /// on one line.
    pub degenerate_triangles: usize,
    /// Triangles on the same three vertices as an earlier one, however turned.
    pub duplicate_triangles: usize,
    /// Patches (parts connected through edges of two triangles) that are closed
    /// and oriented by themselves. In a manifold surface patches are components.
    pub shells: usize,
    /// Shells that must be turned for the surface to bound a volume, as
    /// [`TriMesh::reoriented`] does: normals should point outward at even depth
    /// of nesting and into the cavity at odd depth. Shells that cross each other
    /// are not nested.
    pub inverted_shells: usize,
    /// The enclosed volume, negative where normals point inward; none unless
    /// the surface is closed and oriented.
    pub volume: Option<f64>,
    /// The area.
    pub area: f64,
    /// The box of all vertices that triangles use.
    pub bounds: Aabb<3>,
}

impl TriMesh {
    /// Looks at every triangle, edge and vertex.
    pub fn report(&self) -> MeshReport {
        let faces = self.faces();
        let topology = Topology::new(self);
        let shells = shells(self, &topology);
        let bounds = self.bounds();
        // Volumes about a point nearby, so that an offset costs no digits.
        let origin = bounds.center();
        let [area, sixfold_volume] = parallel::sums(faces.len(), |f| {
            let corners = self.triangle(f);
            [
                triangle::area(corners),
                triangle::sixfold_volume(origin, corners),
            ]
        });
        let mut used = vec![false; self.vertices().len()];
        for &v in faces.as_flattened() {
            used[v as usize] = true;
        }

        let closed = topology.edges > 0 && topology.boundary_edges == 0;
        let oriented = topology.misoriented_edges == 0;
        let manifold = topology.nonmanifold_edges == 0 && topology.nonmanifold_vertices == 0;
        let components = topology.components;
        MeshReport {
            vertices: self.vertices().len(),
            triangles: faces.len(),
            edges: topology.edges,
            closed,
            oriented,
            manifold,
            components,
            euler_characteristic: topology.euler_characteristic,
            // Each component has V - E + F = 2 - 2 genus.
            genus: (closed && oriented && manifold)
                .then(|| (components as i64 - topology.euler_characteristic / 2) as u64),
            boundary_edges: topology.boundary_edges,
            nonmanifold_edges: topology.nonmanifold_edges,
            misoriented_edges: topology.misoriented_edges,
            nonmanifold_vertices: topology.nonmanifold_vertices,
            unused_vertices: used.iter().filter(|&&used| !used).count(),
            degenerate_triangles: parallel::count(faces.len(), |f| {
                repeats_vertex(&faces[f]) || triangle::is_degenerate(self.triangle(f))
            }),
            duplicate_triangles: topology.duplicate_triangles,
            shells: shells.len(),
            inverted_shells: shells.iter().filter(|shell| shell.is_inverted()).count(),
            volume: (closed && oriented).then_some(sixfold_volume / 6.0),
            area,
            bounds,
        }
    }
}
