//! Shapes: convex polyhedra, finite element faces, surfaces of triangles and their generators.

mod convex;
mod faces;
mod generate;
mod mesh_report;
