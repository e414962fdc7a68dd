//! Shapes: convex polyhedra, finite element faces, triangle meshes and their generators.

mod convex;
mod faces;
mod generate;
mod holes;
mod mesh_mass;
mod mesh_report;
