//! Files: what is read of them, what is refused, and what is written.

mod ambiguous;
mod bad;
mod finite_elements;
mod good;
mod mutations;
mod packing;
mod round_trip;
mod shared_meshes;
mod unfinished;
mod vtk;
