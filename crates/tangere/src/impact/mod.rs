//! When?
//!
//! | question | answer |
//! |---|---|
//! | first contact of bodies that move, turn and deform | [`ImpactEngine`] |
//! | first meeting of two balls under constant velocity and acceleration | [`trajectory`] |
//! | all collisions of many hard spheres, one after the other | [`gas`] |
//! | hierarchies of boxes and balls over faces | [`hierarchy`] |
//! | first contact of a vertex and a face, of two edges, ..., whose corners move straight | [`primitive`] |

mod engine;
pub mod gas;
pub mod hierarchy;
mod integer;
pub mod primitive;
mod rigid_motion;
pub mod trajectory;

pub use engine::{
    Body, BodyShape, Certificate, Counts, EngineSettings, FirstContactSettings, FirstContacts,
    Impact, ImpactContact, ImpactEngine, Observed, Refinement,
};
pub use rigid_motion::RigidMotion;
