//! The inside of a step.
//!
//! | file | what |
//! |---|---|
//! | `columns` | spheres in storage order |
//! | `pair_list` | candidate pairs, kept while motion allows |
//! | `strays` | spheres that are faster than most: their pairs are added to the list |
//! | `row_contacts` | the contacts of each sphere in the order of their sum |
//! | `contact_block` | phase *contacts*: which pairs touch, force and torques of those that do |
//! | `contact_groups` | the pairs of a block that touch, in groups of eight |
//! | `results` | force and torques of these pairs, until they are summed |
//! | `walls` | contacts with walls |
//! | `body_chunk` | phases *sum*, *kick* and *drift* |
//! | `clumps` | kick and drift of clumps, whose spheres follow |
//! | `sweep` | all these phases over a part of the rows |

pub(crate) mod body_chunk;
pub(crate) mod clumps;
pub(crate) mod columns;
pub(crate) mod contact_block;
pub(crate) mod contact_groups;
pub(crate) mod pair_list;
pub(crate) mod results;
pub(crate) mod row_contacts;
pub(crate) mod strays;
pub(crate) mod sweep;
pub(crate) mod walls;
