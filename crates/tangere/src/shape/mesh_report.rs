//! Report of a triangle mesh: closedness, orientation, manifoldness, genus, volume and defects of
//! the surface.
//!
//! Time and memory are linear in the number of triangles. Counts of topology use only vertex
//! indices; whether a triangle is degenerate is decided by exact predicates.

use super::TriMesh;
use super::mesh_edges::{Edges, repeats_vertex};
use super::mesh_topology::Topology;
use super::shell_nesting::shells;
use crate::closest::TriangleTree;
use crate::geometry::{Aabb, triangle};
use crate::parallel;
use std::fmt;

/// Topology, measures and defects of a triangle mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MeshReport {
    /// The number of vertices of the mesh, including unused ones.
    pub vertices: usize,
    /// The number of triangles of the mesh, including degenerate and duplicate ones.
    pub triangles: usize,
    /// The number of edges of the mesh. Triangles that repeat a vertex have no edges and belong to
    /// no component.
    pub edges: usize,
    /// Whether the surface is closed: it has edges, and each belongs to two or more triangles.
    pub closed: bool,
    /// Whether the surface is oriented: at every edge of two or more triangles, as many triangles
    /// traverse the edge in one direction as in the other. A closed and oriented surface has a
    /// volume, and its winding number is an integer everywhere off the surface.
    pub oriented: bool,
    /// Whether the surface is manifold: no edge belongs to more than two triangles, and the
    /// triangles around every vertex form one fan.
    pub manifold: bool,
    /// The number of connected components of the surface: sets of triangles connected through
    /// edges.
    pub components: usize,
    /// The Euler characteristic: vertices minus edges plus triangles. Triangles that repeat a
    /// vertex do not count, nor do vertices that no other triangle uses.
    pub euler_characteristic: i64,
    /// The genus of the surface: the number of its handles, summed over components. None unless the
    /// surface is closed, oriented and manifold.
    pub genus: Option<u64>,
    /// The number of edges that belong to one triangle only.
    pub boundary_edges: usize,
    /// The number of edges that belong to more than two triangles.
    pub nonmanifold_edges: usize,
    /// The number of misoriented edges: edges of two or more triangles that are traversed more
    /// often in one direction than in the other.
    pub misoriented_edges: usize,
    /// The number of vertices that are not manifold: their triangles form more than one fan, and
    /// different fans share no edge at the vertex.
    pub nonmanifold_vertices: usize,
    /// The number of vertices that no triangle uses.
    pub unused_vertices: usize,
    /// The number of degenerate triangles, which have no area: two corners are the same vertex, or
    /// the three corners are exactly collinear.
    pub degenerate_triangles: usize,
    /// The number of triangles with the same three vertices as an earlier one, in any order.
    pub duplicate_triangles: usize,
    /// The number of shells. A patch is a set of triangles connected through edges that exactly two
    /// triangles share; a shell is a patch that is closed and oriented by itself. In a manifold
    /// surface patches are components.
    pub shells: usize,
    /// The number of inverted shells, which must be flipped for the surface to bound a volume;
    /// [`TriMesh::reoriented`] flips them. The nesting depth of a shell is the number of shells
    /// that enclose it. Normals should point outward at even depth, and into the cavity at odd
    /// depth. Shells that cross each other are not nested, and count as one for what they enclose.
    pub inverted_shells: usize,
    /// The number of pairs of triangles that intersect without a common vertex; none if not
    /// computed (see [`TriMesh::report_with_self_intersections`]).
    pub self_intersections: Option<usize>,
    /// The volume that the surface encloses, negative if its normals point inward. None unless the
    /// surface is closed and oriented.
    pub volume: Option<f64>,
    /// The area of all triangles of the surface.
    pub area: f64,
    /// The AABB of all vertices that triangles use.
    pub bounds: Aabb<3>,
}

/// Writes the report of a mesh of triangles or faces in one line. `sizes` is its beginning, such as
/// the number of triangles. `holds` says whether the surface is closed, oriented and manifold, in
/// this order. The volume follows if there is one.
pub(super) fn write_line(
    f: &mut fmt::Formatter<'_>,
    sizes: &str,
    holds: [bool; 3],
    volume: Option<f64>,
) -> fmt::Result {
    let [closed, oriented, manifold] = holds.map(|holds| if holds { "" } else { "not " });
    write!(
        f,
        "{sizes}, {closed}closed, {oriented}oriented, {manifold}manifold"
    )?;
    match volume {
        Some(volume) => write!(f, ", volume {volume}"),
        None => Ok(()),
    }
}

/// Writes the mesh report in one line: the numbers of vertices and triangles, whether the surface
/// is closed, oriented and manifold, and the volume if there is one.
///
/// ```
/// let line = tangere::generate::sphere(0)?.report().to_string();
/// assert_eq!(line, "6 vertices, 8 triangles, closed, oriented, manifold, volume 1.3333333333333333");
/// # Ok::<(), tangere::Error>(())
/// ```
impl fmt::Display for MeshReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = format!("{} vertices, {} triangles", self.vertices, self.triangles);
        write_line(
            f,
            &sizes,
            [self.closed, self.oriented, self.manifold],
            self.volume,
        )
    }
}

/// Whether a triangle mesh is closed, and whether it is oriented. [`MeshReport`] has the same two
/// fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closure {
    /// Whether the surface is closed: it has edges, and each belongs to two or more triangles.
    pub closed: bool,
    /// Whether the surface is oriented: at every edge of two or more triangles, as many triangles
    /// traverse the edge in one direction as in the other.
    pub oriented: bool,
}

impl TriMesh {
    /// Returns whether the mesh is closed and oriented, at a fraction of the cost of the mesh
    /// report ([`TriMesh::report`]).
    ///
    /// ```
    /// let ball = tangere::generate::sphere(3)?;
    /// let closure = ball.closure();
    /// assert!(closure.closed && closure.oriented);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    pub fn closure(&self) -> Closure {
        let faces = self.faces();
        let (mut edges, mut boundary, mut misoriented) = (0_usize, 0_usize, 0_usize);
        Edges::new(self.vertices().len(), faces).for_each(|a, _, around| {
            edges += 1;
            let is_forward = |&h: &u32| faces[h as usize / 3][h as usize % 3] == a;
            let forward = around.iter().filter(|h| is_forward(h)).count();
            boundary += usize::from(around.len() == 1);
            misoriented += usize::from(around.len() > 1 && 2 * forward != around.len());
        });
        Closure {
            closed: edges > 0 && boundary == 0,
            oriented: misoriented == 0,
        }
    }

    /// Returns the mesh report, including the number of self-intersections. These take `O(n log n)`
    /// more time for a surface that has few.
    /// [`TriangleTree::self_intersections`](crate::closest::TriangleTree) lists them.
    pub fn report_with_self_intersections(&self) -> MeshReport {
        let count = TriangleTree::new(self).self_intersection_count();
        MeshReport {
            self_intersections: Some(count),
            ..self.report()
        }
    }

    /// Returns the mesh report, without self-intersections.
    pub fn report(&self) -> MeshReport {
        let faces = self.faces();
        let topology = Topology::new(self);
        let shells = shells(self, &topology);
        let bounds = self.bounds();
        // Volumes are taken about a point nearby, so that an offset causes no cancellation.
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
            self_intersections: None,
            volume: (closed && oriented).then_some(sixfold_volume / 6.0),
            area,
            bounds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closures_are_those_of_reports() {
        let ball = crate::generate::sphere(2).unwrap();
        let (vertices, faces) = ball.into_parts();
        let turned = |f: usize, [a, b, c]: [u32; 3]| if f % 7 == 3 { [a, c, b] } else { [a, b, c] };
        let some = faces.iter().enumerate();
        let turned = some.map(|(f, &face)| turned(f, face)).collect();
        let twice = [&faces[..], &faces[..9]].concat();
        let flat = vec![[0, 0, 1]];
        for faces in [faces[5..].to_vec(), twice, turned, flat, faces] {
            let mesh = TriMesh::new(vertices.clone(), faces).unwrap();
            let (closure, report) = (mesh.closure(), mesh.report());
            assert_eq!(
                (closure.closed, closure.oriented),
                (report.closed, report.oriented)
            );
        }
    }
}
