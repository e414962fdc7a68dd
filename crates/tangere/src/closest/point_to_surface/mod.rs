//! Points and whole surfaces: the nearest face, all faces within a distance.
//!
//! Cost: logarithmic in the number of faces. Many points are answered in an order in
//! which neighbours are near each other, each search beginning with the face of the last.
//!
//! | file | what |
//! |---|---|
//! | `mesh_surface` | surfaces of triangles |
//! | `gap_sign` | on which side of a surface of triangles a point is |
//! | `obb_tree` | the tree behind all questions |
//! | `obb_lanes` | its boxes, eight at once |
//! | `mesh_obb_tree` | the tree with its triangles |
//! | `triangle_packet` | its triangles, eight at once |
//! | `nearest_triangle` | a search for the nearest triangle |
//! | `within_distance` | all faces within a distance, and the search among triangles |
//! | `far_query` | searches from far away |
//! | `morton` | an order of points |
//! | `face_surface` | surfaces of finite element faces |
//! | `face_obb_tree` | the tree of such faces |
//! | `nearest_face` | the nearest of many faces |
//! | `face_bound` | how near a face can be at least and at most |
//! | `projection` | what is told of the nearest point |

mod face_bound;
mod face_obb_tree;
mod face_surface;
mod far_query;
mod gap_sign;
mod mesh_obb_tree;
mod mesh_surface;
mod morton;
mod nearest_face;
mod nearest_triangle;
mod obb_lanes;
mod obb_tree;
mod projection;
mod triangle_packet;
mod within_distance;

pub use face_surface::FaceSurface;
pub use mesh_surface::{MeshSurface, SurfacePoint};
pub use projection::{Projection, ProjectionStatus};
