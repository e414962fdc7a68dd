//! Nearest point of a surface, signed distance, and all faces within a distance of a point.
//!
//! Surfaces are triangle meshes or finite element faces. Both are searched by an OBB tree in f32
//! whose results are confirmed in f64.
//!
//! Cost: logarithmic in the number of faces. Many points are sorted along a space-filling curve
//! (triangle meshes) or by likely faces (finite element faces), so that neighbours in this order
//! visit the same part of the tree.
//!
//! | file | what |
//! |---|---|
//! | `mesh_surface` | queries to a triangle mesh |
//! | `surface_sign` | sign of the distance to a triangle mesh, by winding numbers or pseudonormals |
//! | `pseudonormals` | pseudonormals of edges and vertices, and the side that they show |
//! | `embedding` | whether the triangles of a mesh meet only in vertices and edges that they share |
//! | `signed_distance` | signed distances of many points, and of the points of a grid |
//! | `mesh_obb_tree` | OBB tree of a triangle mesh |
//! | `triangle_packet` | a leaf of such a tree: eight triangles in lanes |
//! | `nearest_triangle` | search for the nearest triangle |
//! | `within_distance` | all faces within a distance, for both kinds of surfaces |
//! | `triangles_within` | search for all triangles within a distance |
//! | `far_query` | searches from points far away |
//! | `morton_curve` | Morton order of points |
//! | `face_surface` | queries to a surface of finite element faces |
//! | `face_obb_tree` | OBB tree of finite element faces |
//! | `ordered_faces` | finite element faces in the order of their tree |
//! | `nearest_face` | search for the nearest face |
//! | `face_bound` | lower bounds of the distance to a face |
//! | `projection` | the result of a nearest-point query to finite element faces |

mod embedding;
mod face_bound;
mod face_obb_tree;
mod face_surface;
mod far_query;
mod mesh_obb_tree;
mod mesh_surface;
mod morton_curve;
mod nearest_face;
mod nearest_triangle;
mod ordered_faces;
mod projection;
mod pseudonormals;
mod signed_distance;
mod surface_sign;
mod triangle_packet;
mod triangles_within;
mod within_distance;

pub use face_surface::FaceSurface;
pub use mesh_surface::{MeshSurface, SurfacePoint};
pub use projection::{Projection, ProjectionStatus};
