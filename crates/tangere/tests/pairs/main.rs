//! Broad phase: every method against brute force.

mod auto;
mod campaign;
mod exclusions;
mod invalid_input;
mod limits;
mod linked_cells;
mod methods;
mod periodic_images;
mod published_shells;
mod verlet_list;
