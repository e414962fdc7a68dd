//! Broad phase: every method against brute force.

mod auto;
mod bad;
mod campaign;
mod images;
mod left_out;
mod limits;
mod linked;
mod methods;
mod reuse;
