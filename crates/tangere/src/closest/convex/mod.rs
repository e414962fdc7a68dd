//! Narrow phase of two convex bodies: distance, penetration depth, closest points and features.
//!
//! Closest features are tracked from query to query by Voronoi regions (Lin-Canny, V-Clip); GJK and
//! EPA on the Minkowski difference find them from afar and in penetration.
//!
//! Cost: constant for a small motion, whatever the number of faces; a first query climbs, in about
//! the root of the number of vertices. Paper: `schinner1995`, after Lin and Baraff.
//!
//! | file | what |
//! |---|---|
//! | `tracker` | a pair whose closest features are tracked from query to query |
//! | `feature_distance` | closest points, normal and gap of two features |
//! | `voronoi` | test whether two features are the closest, by Voronoi regions |
//! | `voronoi_walk` | Lin-Canny walk: from two features to closer neighbours |
//! | `gjk` | GJK: distance, from any start |
//! | `epa` | EPA: penetration depth, with proven bounds |
//! | `exact_gjk_epa` | GJK and EPA with an exact hull, where rounding defeats the others |
//! | `ambiguous` | the answer where the closest features are not unique |
//! | `vertex_contact` | normals where a vertex touches a vertex or an edge |
//! | `simplex_features` | from vertices of the Minkowski difference to features, and back |
//! | `relative_frame` | both bodies in the axes of the first |
//! | `rescaled` | bodies of extreme size |
//! | `pairs` | many pairs in parallel |
//! | `patch` | contact patch (manifold) |
//! | `clip` | intersection of two features, projected along the normal (Sutherland-Hodgman) |
//! | `certificate` | proof of a contact by planes, points and a ball |
//! | `inscribed_ball` | proof that the Minkowski difference contains a ball |
//! | `exhaustive` | the oracle: all pairs of features |
//! | `common_axes` | vertices of both bodies in common axes, for the last three |

mod ambiguous_features;
mod candidate;
mod certificate;
mod clip;
mod convex_pairs;
mod epa;
mod exact_gjk_epa;
mod exhaustive;
mod feature_distance;
mod gjk;
mod inscribed_ball;
mod minkowski_difference;
mod near_features;
mod nearest_of_lines;
mod patch;
mod placed_pair;
mod posed;
mod relative_frame;
mod rescaled;
mod simplex;
mod simplex_features;
mod tracker;
mod vectors;
mod vertex_contact;
mod voronoi_criterion;
mod voronoi_walk;

pub use certificate::{Claim, Violation, certificate};
pub use convex_pairs::ConvexPairs;
pub use exhaustive::exhaustive;
pub use patch::{Patch, PatchPoint, patch};
pub use posed::Posed;
pub use tracker::{Counts, Tracker};
