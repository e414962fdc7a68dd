//! When?
//!
//! | question | answer |
//! |---|---|
//! | first meeting of two balls under constant velocity and acceleration | [`trajectory`] |
//! | all collisions of many hard spheres, one after the other | [`gas`] |
//! | first contact of a vertex and a face, of two edges, ..., whose corners move straight | [`primitive`] |

pub mod gas;
pub mod primitive;
pub mod trajectory;
