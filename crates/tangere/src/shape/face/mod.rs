//! Finite element faces: segments in the plane, triangles and quadrilaterals in space, with
//! straight or parabolic sides.
//!
//! A face is the image `x(xi) = sum N_i(xi) v_i` of a reference domain (aragon2013 section 3.3),
//! with `N_i` the shape function of node `v_i`. This module has the kinds ([`FaceKind`]), shape
//! functions ([`Basis`]), control points of the Bernstein form ([`ControlPoints`]), surface meshes
//! ([`FaceMesh`]), their adjacency ([`FaceTopology`]), and the boundary of volume meshes
//! ([`VolumeMesh`]).
//!
//! *Deviates:*
//! - The paper lists the constraints of a quadrilateral by coordinate. Here
//!   constraint `i` is active on edge `i`, which runs from corner `i` to the next:
//!   an active set names the edge or the corner on which a point lies.
//! - Segments have three coordinates like all other faces, with one `z` for all
//!   nodes of a mesh, so that one implementation serves segments and surfaces; the second
//!   tangent of a segment is the unit vector of `z`.

mod bernstein;
mod connectivity;
mod face_geometry;
mod face_kind;
mod face_mesh;
mod face_report;
mod face_topology;
mod jacobian;
mod pseudonormals;
mod quadrature;
mod shape_functions;
mod volume_boundary;
mod volume_kind;
mod volume_mesh;

pub use bernstein::ControlPoints;
pub use face_geometry::Face;
pub use face_kind::{Constraint, FaceKind};
pub use face_mesh::FaceMesh;
pub use face_report::FaceReport;
pub use face_topology::{FaceEdge, FaceSide, FaceTopology};
pub use jacobian::Fold;
pub use shape_functions::{Basis, Quad4, Quad8, Quad9, Seg2, Seg3, Tri3, Tri6};
pub use volume_boundary::VolumeBoundary;
pub use volume_kind::VolumeKind;
pub use volume_mesh::VolumeMesh;
