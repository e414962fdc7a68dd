//! Penetration volume: bounds, overlapping spheres by every method, and sphere packing.

mod bounds;
mod grid;
mod pack;
