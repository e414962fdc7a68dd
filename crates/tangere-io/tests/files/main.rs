//! Readers and writers of files: valid, invalid and damaged input, and round trips.

mod ambiguous;
mod bad;
mod finite_elements;
mod good;
mod mutations;
mod packing;
mod pages;
mod round_trip;
mod shared_meshes;
mod unfinished;
mod vtk;
