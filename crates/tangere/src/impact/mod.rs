//! Continuous collision detection: the time of impact of moving bodies.
//!
//! | question | answer |
//! |---|---|
//! | first contact of bodies that move, rotate and deform | [`ImpactEngine`] |
//! | time of impact of two balls under constant velocity and acceleration | [`trajectory`] |
//! | event-driven molecular dynamics: all collisions of many hard spheres, in order | [`gas`] |
//! | bounding volume hierarchies of boxes and balls over faces | [`hierarchy`] |
//! | time of impact of a vertex and a face, of two edges, ..., whose corners move linearly | [`primitive`] |

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
