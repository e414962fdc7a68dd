//! Memory: warm calls, which repeat an earlier one, allocate nothing, and running out of memory is
//! an error.
//!
//! The allocator counts and limits the allocations of the process, so every case runs in a child
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
mod scene;
mod warm;
mod within_limited;

use test_support::allocations::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
