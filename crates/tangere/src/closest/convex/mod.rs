//! Two convex bodies: distance, depth, closest points and features.
//!
//! Cost: constant for a small motion, whatever the number of faces; a first query
//! climbs, in about the root of the number of vertices. Paper: `schinner1995`, after Lin and Baraff.
//!
//! | file | what |
//! |---|---|
//! | `tracker` | a pair whose features are followed from query to query |
//! | `features` | are these two features the closest ones? |
//! | `hop` | from two features to better ones next to them |
//! | `simplex` | the walk to the closest ones from afar |
//! | `polytope` | the depth of penetration, proven |
//! | `ties` | what to answer where features are not unique |
//! | `frame` | both bodies, seen from the first |

mod features;
mod frame;
mod hop;
mod polytope;
mod simplex;
mod ties;
mod tracker;

pub use frame::Posed;
pub use tracker::{Counts, Tracker};
