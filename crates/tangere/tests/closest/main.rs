//! Distance and penetration depth: convex polyhedra, finite element faces, surfaces.

mod convex;
mod face;
mod intersections;
mod project;
mod surface;
mod surface_hard;
