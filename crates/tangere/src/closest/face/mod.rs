//! The point of a finite element face that is nearest to a given one.
//!
//! Cost: constant, a few steps of Newton; more where a face is strongly bent. Paper: `aragon2013`,
//! section 3.3.
//!
//! | file | what |
//! |---|---|
//! | `polynomial` | faces of all kinds as polynomials, and their parts |
//! | `bend` | is the squared distance convex? |
//! | `quadratic` | the least value of a quadratic function on the reference domain |
//! | `sqp` | a local minimum by sequential quadratic programming |
//! | `global` | the global one, proven |
//! | `answer` | what is told of it |

mod answer;
mod bend;
mod global;
mod polynomial;
mod quadratic;
mod sqp;

pub use answer::{FacePoint, FaceStatus, PreparedFace};
