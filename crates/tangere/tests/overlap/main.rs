//! Penetration volume: bounds, the grid of spheres, and sphere packings.

mod bounds;
mod grid;
mod pack;
