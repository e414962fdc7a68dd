//! The point of a finite element face that is nearest to a given one.
//!
//! Cost: constant, a few steps of Newton; more where a face is strongly bent. Paper: `aragon2013`,
//! section 3.3.
//!
//! | file | what |
//! |---|---|
//! | `polynomial` | faces of all kinds as polynomials, and their parts |
//! | `form` | their values and derivatives, in lanes |
//! | `quadratic` | the least value of a quadratic function on the reference domain |
//! | `sqp` | a local minimum by sequential quadratic programming |
//! | `kkt` | multipliers, active sides, what is left of the gradient |
//! | `chord` | is a local minimum the least? |
//! | `global` | the global one, proven, where that cannot be told at once |
//! | `flat` | triangles in closed form |
//! | `lanes` | one question, or eight together |
//! | `answer` | what is told of it |
//! | `many` | many faces, many questions |

mod answer;
mod chord;
mod flat;
mod form;
mod global;
mod kkt;
mod lanes;
mod many;
mod polynomial;
mod quadratic;
mod sqp;

pub use answer::{FacePoint, FaceStatus, PreparedFace};
pub(super) use lanes::UNKNOWN;
pub use many::PreparedFaces;
pub(super) use many::nearest_together;
