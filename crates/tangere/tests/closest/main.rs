//! Distance and penetration depth: convex polyhedra, finite element faces, surfaces.

mod convex;
#[path = "../exact/mod.rs"]
mod exact;
mod face;
mod intersections;
mod project;
mod surface;
mod surface_hard;
