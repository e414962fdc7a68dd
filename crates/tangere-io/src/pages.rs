//! The pages of the documentation: their Rust programs are compiled and run as doctests.

#[doc = include_str!("../../../README.md")]
struct Readme;

#[doc = include_str!("../../../docs/closest.md")]
struct Closest;

#[doc = include_str!("../../../docs/guide.md")]
struct Guide;

#[doc = include_str!("../../../docs/impact.md")]
struct Impact;

#[doc = include_str!("../../../docs/inside.md")]
struct Inside;

#[doc = include_str!("../../../docs/overlap.md")]
struct Overlap;

#[doc = include_str!("../../../docs/scenes.md")]
struct Scenes;

#[doc = include_str!("../../../docs/simulate.md")]
struct Simulate;

#[doc = include_str!("../../../docs/why.md")]
struct Why;
