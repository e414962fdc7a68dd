//! Two convex bodies: distance, depth, closest points and features.
//!
//! Cost: constant for a small motion, whatever the number of faces; a first query
//! climbs, in about the root of the number of vertices. Paper: `schinner1995`, after Lin and Baraff.
//!
//! | file | what |
//! |---|---|
//! | `tracker` | a pair whose features are followed from query to query |
//! | `answer` | points, normal and gap that two features give |
//! | `features` | are these two features the closest ones? |
//! | `together` | vertices that touch a vertex or an edge |
//! | `hop` | from two features to better ones next to them |
//! | `simplex` | the walk to the closest ones from afar |
//! | `polytope` | the depth of penetration, proven |
//! | `exact` | distance and depth where rounding defeats the quick searches |
//! | `settle` | what to answer where features are not unique |
//! | `ties` | from vertices of the difference to features, and back |
//! | `frame` | both bodies, seen from the first |
//! | `rescaled` | bodies of any magnitude |
//! | `pairs` | many pairs at once |
//! | `patch` | all points where faces and edges lie on each other |
//! | `clip` | what two features have in common, seen along a direction |
//! | `certificate` | an answer, proven by planes, points and a ball |
//! | `ball` | a ball within the difference, proven by a surface around it |
//! | `exhaustive` | the oracle: all pairs of features |
//! | `placed` | both bodies in common axes, for the last three |

mod answer;
mod ball;
mod certificate;
mod clip;
mod exact;
mod exhaustive;
mod features;
mod frame;
mod hop;
mod pairs;
mod patch;
mod placed;
mod polytope;
mod rescaled;
mod settle;
mod simplex;
mod ties;
mod together;
mod tracker;

pub use certificate::{Claim, Violation, certificate};
pub use exhaustive::exhaustive;
pub use frame::Posed;
pub use pairs::ConvexPairs;
pub use patch::{Patch, PatchPoint, patch};
pub use tracker::{Counts, Tracker};
