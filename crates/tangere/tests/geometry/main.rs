//! Geometry: bounding volumes, poses, triangles, predicates, and the bounding volume hierarchy.

mod aabb;
mod ball;
mod pose;
mod predicates;
mod tree;
mod triangle;
