//! When?
//!
//! | question | answer |
//! |---|---|
//! | first meeting of two balls under constant velocity and acceleration | [`trajectory`] |
//! | first contact of a vertex and a face, of two edges, ..., whose corners move straight | [`primitive`] |

mod integer;
pub mod primitive;
pub mod trajectory;
