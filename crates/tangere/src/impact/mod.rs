//! When?
//!
//! | question | answer |
//! |---|---|
//! | first meeting of two balls under constant velocity and acceleration | [`trajectory`] |
//! | bounding volumes of a body, coarse to fine | [`hierarchy`] |
//! | first contact of a vertex and a face, of two edges, ..., whose corners move straight | [`primitive`] |

pub mod hierarchy;
pub mod primitive;
pub mod trajectory;
