//! Nearest point of a finite element face (closest-point projection).
//!
//! Cost: a few steps of Newton for most queries; more where a face is strongly bent. Paper:
//! `aragon2013`, section 3.3.
//!
//! | file | what |
//! |---|---|
//! | `face_point` | the result: the nearest point of a face |
//! | `prepared_face` | one face prepared for queries |
//! | `prepared_faces` | many faces prepared for queries, many points in parallel |
//! | `solve_lanes` | the solver for one query, or eight in lanes |
//! | `sqp` | a local minimum by sequential quadratic programming (SQP) |
//! | `quadratic` | minimum of a quadratic function on the reference domain |
//! | `kkt` | KKT conditions: multipliers, active sides, residual |
//! | `global_certificate` | proof that a local minimum is the global one |
//! | `branch_and_bound` | the global minimum, where that proof fails |
//! | `flat_triangle` | flat triangles in closed form |
//! | `polynomial` | faces of all kinds as polynomials, and their subdivision |
//! | `polynomial_lanes` | values and derivatives of these polynomials in lanes |
//! | `face_row` | the row of precomputed values of a face |
//! | `lane_vectors` | vectors and masks in lanes |

mod branch_and_bound;
mod face_point;
mod face_row;
mod flat_triangle;
mod global_certificate;
mod kkt;
mod lane_vectors;
mod polynomial;
mod polynomial_lanes;
mod prepared_face;
mod prepared_faces;
mod quadratic;
mod solve_lanes;
mod sqp;

pub use face_point::{FacePoint, FaceStatus};
pub(super) use polynomial::Domain;
pub use prepared_face::PreparedFace;
pub use prepared_faces::PreparedFaces;
pub(super) use prepared_faces::nearest_together;
pub(super) use quadratic::Quadratic;
pub(super) use solve_lanes::UNKNOWN;
