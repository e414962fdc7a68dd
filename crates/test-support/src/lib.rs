//! Shared code of tests and benchmarks.
//!
//! | module | for |
//! |---|---|
//! | [`random`] | random numbers, the same on every machine |
//! | [`exact`] | floats as exact integers of any size, for oracles without rounding |
//! | [`finders`] | a broad-phase finder of every method of `pairs` |
//! | [`vectors`] | vector arithmetic |
//! | [`surfaces`] | cubes, inverted and combined surfaces |
//! | [`allocations`] | an allocator that counts, and fails on request |
//! | [`child`] | tests that need a process of their own |
//!
//! Unit tests of `tangere` see two builds of the library: their own, and the build that this crate
//! links. The two share numbers and arrays, but none of the library's types.

pub mod allocations;
pub mod child;
pub mod exact;
pub mod finders;
pub mod random;
pub mod surfaces;
pub mod vectors;

pub use random::Random;
