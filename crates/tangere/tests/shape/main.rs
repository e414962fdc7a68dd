//! Shapes: convex polyhedra, finite element faces, surfaces of triangles and their generators.

mod convex;
#[path = "../exact/mod.rs"]
mod exact;
mod faces;
mod generate;
mod mesh_report;
