//! When do moving bodies first touch? The engine of impacts and its arguments.
//!
//! | file | what |
//! |---|---|
//! | `shape` | what moves: surfaces with their hierarchies, balls |
//! | `body` | a shape and how it moves |
//! | `nodes` | how nodes of deforming bodies move |
//! | `scene` | bodies from dictionaries and from files, over `scene_values` |
//! | `engine` | the engine, over `state`, made in `engine_arguments` |
//! | `answers` | what it finds, as records and arrays |
//! | `names` | bodies by their numbers or names |
//! | `motion` | where rigid bodies are and how they go on |
//! | `bounding_volumes` | hierarchies of boxes and balls |

mod answers;
mod body;
mod bounding_volumes;
mod engine;
mod engine_arguments;
mod motion;
mod names;
mod nodes;
mod scene;
mod scene_values;
mod shape;
mod state;

pub use body::{Body, restored_body};
pub use bounding_volumes::{Hierarchy, hierarchy};
pub use engine::ImpactEngine;
pub use shape::{BodyShape, restored_body_shape};
