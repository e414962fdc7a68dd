//! Memory: warm calls allocate nothing, and running out of memory is an error.
//!
//! The allocator counts for the whole process, and limits it, so every case runs in a child
//! process.

mod closest;
mod faces;
mod impact;
mod inside;
mod intersections;
mod multipole;
mod overlap;
mod pairs;
mod pairs_limited;
mod project;
mod warm;
mod within_limited;

use test_support::allocations::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
