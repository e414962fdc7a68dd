//! Distance and penetration depth: convex polyhedra, finite element faces, surfaces.

mod convex;
mod mesh_to_mesh;
mod one_record;
mod point_to_face;
mod point_to_face_surface;
mod point_to_mesh;
mod point_to_mesh_hard;
mod signed_distance;
