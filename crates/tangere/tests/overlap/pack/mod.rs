//! Packings are valid, greedy, the same every time, and refuse what cannot be packed.

mod bad;
mod bodies;
mod ends;
mod forms;
mod valid;
