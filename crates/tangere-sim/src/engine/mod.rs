//! The inside of a step.
//!
//! | file | what |
//! |---|---|
//! | `columns` | spheres in storage order |
//! | `search` | broad phase of a list |
//! | `filling` | fills the blocks of a new list |
//! | `pair_list` | candidate pairs, kept while motion allows |
//! | `strays` | spheres that are faster than most: their pairs are added to the list |
//! | `row_contacts` | the contacts of each sphere in the order of their sum |
//! | `contact_block` | a block of candidate pairs: phase *contacts* |
//! | `contact_context` | what all blocks share in a step |
//! | `find_touching` | which pairs touch for the first time |
//! | `contact_forces` | force and torques of those that touch |
//! | `velocity_box` | bounds of the velocities of some spheres |
//! | `contact_groups` | the pairs of a block that touch, in groups of eight |
//! | `results` | force and torques of these pairs, until they are summed |
//! | `walls` | contacts with walls |
//! | `body_chunk` | phases *sum*, *kick* and *drift* of a chunk of rows |
//! | `actions` | what acts on spheres besides contacts |
//! | `drift` | kick and drift |
//! | `clumps` | kick and drift of clumps, whose spheres follow |
//! | `sweep` | all these phases over a part of the rows |

mod actions;
pub(crate) mod body_chunk;
pub(crate) mod clumps;
pub(crate) mod columns;
pub(crate) mod contact_block;
pub(crate) mod contact_context;
mod contact_forces;
pub(crate) mod contact_groups;
pub(crate) mod drift;
mod filling;
mod find_touching;
pub(crate) mod pair_list;
pub(crate) mod results;
pub(crate) mod row_contacts;
pub(crate) mod search;
pub(crate) mod strays;
pub(crate) mod sweep;
pub(crate) mod velocity_box;
pub(crate) mod walls;
