//! Geometry: volumes, poses, triangles, predicates, and the tree over boxes.

mod aabb;
mod ball;
#[path = "../exact/mod.rs"]
mod exact;
mod pose;
mod predicates;
mod tree;
mod triangle;
