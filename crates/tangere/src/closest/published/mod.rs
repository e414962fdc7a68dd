//! Methods of the papers as they were published. They find the same distances as the others, and are
//! kept to check a paper's figures and to teach; nothing else uses them.
//!
//! | file | method | paper |
//! |---|---|---|
//! | `lin_walk` | [`Method::Lin`](super::Method::Lin): walk over Voronoi regions | schinner1995, section "The algorithm" |
//! | `voronoi_region` | planes of the Voronoi region of a feature, and the one that a point violates | schinner1995, section "Voronoi regions" |
//! | `bfgs_sqp` | [`Method::BfgsSqp`](super::Method::BfgsSqp): closest point of a finite element face | aragon2013, sections 3.3 and 3.4 |
//! | `closest_points` | closest points of two features: vertices, edges or faces | |

mod bfgs_sqp;
mod closest_points;
mod lin_walk;
mod voronoi_region;

pub use bfgs_sqp::BfgsSqp;
pub use lin_walk::{LinContact, LinCounts, LinWalk};
