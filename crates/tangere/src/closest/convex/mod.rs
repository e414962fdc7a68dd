//! Two convex bodies: distance, depth, closest points and features.
//!
//! Cost: constant for a small motion, whatever the number of faces; a first query
//! climbs, in about the root of the number of vertices. Paper: `schinner1995`, after Lin and Baraff.
//!
//! | file | what |
//! |---|---|
//! | `tracker` | a pair whose features are followed from query to query |
//! | `feature_distance` | points, normal and gap that two features give |
//! | `voronoi` | are these two features the closest ones? |
//! | `vertex_contact` | vertices that touch a vertex or an edge |
//! | `voronoi_walk` | from two features to better ones next to them |
//! | `gjk` | the walk to the closest ones from afar |
//! | `epa` | the depth of penetration, proven |
//! | `exact_gjk_epa` | distance and depth where rounding defeats the quick searches |
//! | `ambiguous` | what to answer where features are not unique |
//! | `simplex_features` | from vertices of the difference to features, and back |
//! | `relative_frame` | both bodies, seen from the first |
//! | `rescaled` | bodies of any magnitude |
//! | `pairs` | many pairs at once |
//! | `patch` | all points where faces and edges lie on each other |
//! | `clip` | what two features have in common, seen along a direction |
//! | `certificate` | an answer, proven by planes, points and a ball |
//! | `inscribed_ball` | a ball within the difference, proven by a surface around it |
//! | `exhaustive` | the oracle: all pairs of features |
//! | `common_axes` | both bodies in common axes, for the last three |

mod ambiguous;
mod certificate;
mod clip;
mod common_axes;
mod epa;
mod exact_gjk_epa;
mod exhaustive;
mod feature_distance;
mod gjk;
mod inscribed_ball;
mod pairs;
mod patch;
mod relative_frame;
mod rescaled;
mod simplex_features;
mod tracker;
mod vertex_contact;
mod voronoi;
mod voronoi_walk;

pub use certificate::{Claim, Violation, certificate};
pub use exhaustive::exhaustive;
pub use pairs::ConvexPairs;
pub use patch::{Patch, PatchPoint, patch};
pub use relative_frame::Posed;
pub use tracker::{Counts, Tracker};
