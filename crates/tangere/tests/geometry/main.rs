//! Geometry: volumes, poses, triangles, predicates, and the tree over boxes.

mod aabb;
mod ball;
mod pose;
mod predicates;
mod tree;
mod triangle;
