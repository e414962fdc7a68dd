//! The point of a finite element face that is nearest to a given one.
//!
//! Cost: constant, a few steps of Newton; more where a face is strongly bent. Paper: `aragon2013`,
//! section 3.3.
//!
//! | file | what |
//! |---|---|
//! | `polynomial` | faces of all kinds as polynomials, and their parts |
//! | `polynomial_lanes` | their values and derivatives, in lanes |
//! | `quadratic` | the least value of a quadratic function on the reference domain |
//! | `sqp` | a local minimum by sequential quadratic programming |
//! | `kkt` | multipliers, active sides, what is left of the gradient |
//! | `global_certificate` | is a local minimum the least? |
//! | `branch_and_bound` | the global one, proven, where that cannot be told at once |
//! | `flat_triangle` | triangles in closed form |
//! | `solve_lanes` | one question, or eight together |
//! | `face_point` | what is told of it |
//! | `batch` | many faces, many questions |

mod batch;
mod branch_and_bound;
mod face_point;
mod flat_triangle;
mod global_certificate;
mod kkt;
mod polynomial;
mod polynomial_lanes;
mod quadratic;
mod solve_lanes;
mod sqp;

pub use batch::PreparedFaces;
pub(super) use batch::nearest_together;
pub use face_point::{FacePoint, FaceStatus, PreparedFace};
pub(super) use solve_lanes::UNKNOWN;
