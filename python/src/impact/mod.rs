//! Continuous collision detection: the time of impact of moving bodies. The engine and its
//! arguments.
//!
//! | file | what |
//! |---|---|
//! | `engine` | the engine, over `state`, made from `engine_arguments` |
//! | `body` | a shape and its motion |
//! | `shape` | triangle meshes, finite element faces and balls, with their bounding volumes |
//! | `bounding_volumes` | bounding volume hierarchies of boxes and balls |
//! | `motion` | rigid motion: pose, velocity, spin, acceleration |
//! | `nodes` | motion of the nodes of deforming bodies |
//! | `scene` | bodies from dictionaries and from files, over `scene_values` |
//! | `names` | bodies by index or name |
//! | `answers` | contacts as records and arrays |

mod answers;
mod body;
mod bounding_volumes;
mod engine;
mod engine_arguments;
mod motion;
mod names;
mod nodes;
mod scene;
pub mod scene_values;
mod shape;
mod state;

pub use body::{Body, restored_body};
pub use bounding_volumes::{Hierarchy, hierarchy};
pub use engine::ImpactEngine;
pub use shape::{BodyShape, restored_body_shape};
