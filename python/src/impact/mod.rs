//! When do moving bodies first touch? The engine of impacts and its arguments.
//!
//! | file | what |
//! |---|---|
//! | `shape` | what moves: surfaces with their hierarchies, balls |
//! | `body` | a shape and how it moves |
//! | `nodes` | how nodes of deforming bodies move |
//! | `scene` | bodies from dictionaries and from files, over `table` |
//! | `engine` | the engine, over `state`, made in `ways` |
//! | `answers` | what it finds, as records and arrays |
//! | `names` | bodies by their numbers or names |
//! | `motion` | where rigid bodies are and how they go on |
//! | `volumes` | hierarchies of boxes and balls |

mod answers;
mod body;
mod engine;
mod motion;
mod names;
mod nodes;
mod scene;
mod shape;
mod state;
mod table;
mod volumes;
mod ways;

pub use body::{Body, restored_body};
pub use engine::ImpactEngine;
pub use shape::{BodyShape, restored_body_shape};
pub use volumes::{Hierarchy, hierarchy};
