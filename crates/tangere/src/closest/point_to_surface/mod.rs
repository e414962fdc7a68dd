//! Nearest point of a surface, signed distance, and all faces within a distance of a point.
//!
//! Surfaces are triangle meshes or finite element faces. Both are searched by an OBB tree in f32
//! whose results are confirmed in f64.
//!
//! Cost: logarithmic in the number of faces. Many points are sorted along a space-filling curve, so
//! that each search starts with the face of a neighbour.
//!
//! | file | what |
//! |---|---|
//! | `mesh_surface` | queries to a triangle mesh |
//! | `gap_sign` | sign of the distance to a triangle mesh, by pseudonormals |
//! | `obb_tree` | tree of oriented bounding boxes (OBBs) |
//! | `obb_lanes` | its nodes: eight OBBs in lanes |
//! | `mesh_obb_tree` | OBB tree of a triangle mesh |
//! | `triangle_packet` | its leaves: eight triangles in lanes |
//! | `nearest_triangle` | search for the nearest triangle |
//! | `within_distance` | all faces within a distance, and the search among triangles |
//! | `far_query` | searches from points far away |
//! | `morton` | Morton order of points |
//! | `face_surface` | queries to a surface of finite element faces |
//! | `face_obb_tree` | OBB tree of such faces |
//! | `nearest_face` | search for the nearest face |
//! | `face_bound` | lower and upper bound of the distance to a face |
//! | `projection` | the result of a nearest-point query to such a surface |

mod face_bound;
mod face_obb_tree;
mod face_surface;
mod far_query;
mod mesh_obb_tree;
mod mesh_surface;
mod morton_curve;
mod nearest_face;
mod nearest_triangle;
mod obb;
mod obb_lanes;
mod obb_tree;
mod ordered_faces;
mod orthogonal;
mod projection;
mod pseudonormals;
mod tree_layout;
mod triangle_packet;
mod triangles_within;
mod within_distance;

pub use face_surface::FaceSurface;
pub use mesh_surface::{MeshSurface, SurfacePoint};
pub use projection::{Projection, ProjectionStatus};
