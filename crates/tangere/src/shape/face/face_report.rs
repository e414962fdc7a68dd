//! Report of a mesh of finite element faces: topology, measures and defects.
//!
//! Cost: linear in the number of faces. Areas and volumes are those of Gauss quadrature
//! ([`quadrature`](super::quadrature)).

use super::{FaceKind, FaceMesh};
use crate::geometry::Aabb;
use crate::parallel;
use crate::shape::disjoint_sets::DisjointSets;
use crate::shape::mesh_report::write_line;
use std::fmt;

/// Topology, measures and defects of a mesh of finite element faces.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FaceReport {
    /// The number of nodes of the mesh, including unused ones.
    pub nodes: usize,
    /// The number of faces of the mesh.
    pub faces: usize,
    /// The number of faces of each kind, in the order of [`FaceKind::ALL`].
    pub kinds: [usize; 7],
    /// The number of edges of the mesh; for a curve of segments, the number of different ends.
    pub edges: usize,
    /// Whether the mesh is closed: every edge belongs to two or more faces, and the faces at an
    /// edge share its midside node.
    pub closed: bool,
    /// Whether the mesh is oriented: at every edge of two or more faces, as many faces traverse the
    /// edge in one direction as in the other.
    pub oriented: bool,
    /// Whether the mesh is manifold: no edge belongs to more than two faces.
    pub manifold: bool,
    /// The number of connected components of the mesh: sets of faces connected through edges.
    pub components: usize,
    /// The number of edges that belong to one face only.
    pub boundary_edges: usize,
    /// The number of edges that belong to more than two faces.
    pub nonmanifold_edges: usize,
    /// The number of misoriented edges: edges of two or more faces that are traversed more often in
    /// one direction than in the other.
    pub misoriented_edges: usize,
    /// The number of mismatched edges: edges whose faces share both corners but not the midside
    /// node.
    pub mismatched_edges: usize,
    /// The number of nodes that no face uses.
    pub unused_nodes: usize,
    /// The number of faces whose Jacobian is not positive everywhere, see
    /// [`Face::fold`](super::Face::fold).
    pub folded_faces: usize,
    /// The volume that the mesh encloses (for a curve of segments, the area), negative if its
    /// normals point inward. None unless the mesh is closed and oriented.
    pub volume: Option<f64>,
    /// The area of all faces of the mesh; for a curve of segments, its length.
    pub area: f64,
    /// An AABB of all faces of the mesh.
    pub bounds: Aabb<3>,
}

/// Writes the report of a face mesh in one line: the numbers of nodes and faces, whether the mesh
/// is closed, oriented and manifold, and the volume if there is one.
impl fmt::Display for FaceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = format!("{} nodes, {} faces", self.nodes, self.faces);
        write_line(
            f,
            &sizes,
            [self.closed, self.oriented, self.manifold],
            self.volume,
        )
    }
}

impl FaceMesh {
    /// Returns the report of the face mesh: its topology, measures and defects.
    pub fn report(&self) -> FaceReport {
        let topology = self.topology();
        let mut parts = DisjointSets::new(self.len());
        let (mut boundary, mut crowded, mut misoriented, mut mismatched) = (0, 0, 0, 0);
        for edge in topology.edges() {
            boundary += usize::from(edge.is_boundary());
            crowded += usize::from(edge.sides.len() > 2);
            misoriented += usize::from(!edge.is_boundary() && edge.balance != 0);
            mismatched += usize::from(!edge.is_matched);
            for side in &edge.sides[1..] {
                parts.join(edge.sides[0].face, side.face);
            }
        }
        let bounds = self.bounds();
        // Volumes are taken about a point nearby, so that an offset causes no cancellation.
        let origin = bounds.center();
        let [area, volume] = parallel::sums(self.len(), |f| {
            let face = self.face(f);
            [face.area(), face.volume_from(origin)]
        });
        let closed = boundary == 0 && mismatched == 0;
        let oriented = misoriented == 0;
        let count = |kind: FaceKind| self.kinds().iter().filter(|&&k| k == kind).count();
        let unused = |node: &usize| topology.faces_around(*node).is_empty();
        FaceReport {
            nodes: self.nodes().len(),
            faces: self.len(),
            kinds: FaceKind::ALL.map(count),
            edges: topology.edge_count(),
            closed,
            oriented,
            manifold: crowded == 0,
            components: (0..self.len() as u32).filter(|&f| parts.leads(f)).count(),
            boundary_edges: boundary,
            nonmanifold_edges: crowded,
            misoriented_edges: misoriented,
            mismatched_edges: mismatched,
            unused_nodes: (0..self.nodes().len()).filter(unused).count(),
            folded_faces: self.folded().len(),
            volume: (closed && oriented).then_some(volume),
            area,
            bounds,
        }
    }
}
