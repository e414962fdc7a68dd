//! Narrow phase of two convex bodies: distance, penetration depth, closest points and features.
//!
//! Closest features are tracked from query to query by Voronoi regions (Lin-Canny, V-Clip). GJK and
//! EPA on the Minkowski difference find them in a first query, after a large motion, and in
//! penetration.
//!
//! Cost: independent of the number of faces for a small motion; the hill climbing of a first query
//! takes about the square root of the number of vertices. Paper: `schinner1995`, after Lin and
//! Baraff.
//!
//! | file | what |
//! |---|---|
//! | `tracker` | a pair whose closest features are tracked from query to query |
//! | `convex_pairs` | many pairs in parallel |
//! | `posed` | a convex body with its pose |
//! | `relative_frame` | both bodies in the axes of the first |
//! | `minkowski_difference` | vertices, support function and faces of the Minkowski difference |
//! | `voronoi_criterion` | test whether two features are the closest, by Voronoi regions |
//! | `voronoi_walk` | Lin-Canny walk: from two features to closer neighbours |
//! | `feature_distance` | closest points, normal and gap of two features |
//! | `gjk` | GJK: distance, from any start |
//! | `simplex` | simplex of the Minkowski difference, and its point nearest to the origin |
//! | `simplex_features` | features that a simplex spans, and a simplex that spans features |
//! | `epa` | EPA: penetration depth, with proven bounds |
//! | `separating_axes` | penetration depth of thin bodies by the separating axis test |
//! | `exact_gjk_epa` | GJK and EPA with an exact hull, where rounding defeats the others |
//! | `ambiguous_features` | contact where the closest features are not unique |
//! | `near_features` | features near a support plane |
//! | `candidate` | pairs of near features, each with its own normal |
//! | `vertex_contact` | contact normal where a vertex touches a vertex or an edge |
//! | `rescaled` | scaling of bodies of extreme size, against overflow and underflow |
//! | `vectors` | length, direction and triangle area, accurate in spite of rounding |
//! | `patch` | contact patch (manifold) |
//! | `clip` | intersection of two features, projected along the normal (Sutherland-Hodgman) |
//! | `certificate` | proof of a contact by planes, points and a ball |
//! | `inscribed_ball` | proof that the Minkowski difference contains a ball |
//! | `exhaustive` | brute force over all pairs of features |
//! | `placed_pair` | all vertices of both bodies in common axes, for the three above |
//! | `nearest_of_lines` | nearest points of two lines |

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
mod separating_axes;
mod shallow_depth;
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
pub(crate) use patch::touching_feature;
pub use patch::{Patch, PatchPoint, patch};
pub use posed::Posed;
pub use tracker::{Counts, Tracker};
pub(crate) use tracker::{SparePolytopes, Track};
