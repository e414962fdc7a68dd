//! When?
//!
//! | question | answer |
//! |---|---|
//! | first contact of a vertex and a face, of two edges, ..., whose corners move straight | [`primitive`] |

pub mod primitive;
