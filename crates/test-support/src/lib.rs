//! Shared code of tests and benchmarks.
//!
//! | module | for |
//! |---|---|
//! | [`random`] | random numbers, the same on every machine |
//! | [`exact`] | floats as integers of any size, for oracles that must not round |
//! | [`finders`] | a finder of every method of `pairs` |
//! | [`vectors`] | arithmetic of points |
//! | [`surfaces`] | cubes, and surfaces from other surfaces |
//! | [`allocations`] | an allocator that counts, and fails on request |
//! | [`child`] | tests that need a process of their own |
//!
//! Unit tests of `tangere` see two builds of the library: their own, and the one that this crate is
//! built on. They share numbers and arrays, and none of the library's types.

pub mod allocations;
pub mod child;
pub mod exact;
pub mod finders;
pub mod random;
pub mod surfaces;
pub mod vectors;

pub use random::Random;
