//! Broad phase: every method against brute force.

mod auto;
mod bad;
mod campaign;
#[path = "../finders/mod.rs"]
mod finders;
mod images;
mod left_out;
mod limits;
mod linked;
mod methods;
mod reuse;
