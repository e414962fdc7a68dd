//! Penetration volume: bounds, overlapping spheres by every method, and sphere packing.

mod bounds;
mod exact_volume;
mod grid;
mod pack;
