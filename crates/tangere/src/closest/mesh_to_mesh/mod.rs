//! Two surfaces of triangles, one of them under a pose: where they go through each other, and how
//! far apart they are; and where one surface goes through itself.
//!
//! Trees are prepared once and never refitted: a pose is part of the question. Cost: what is near
//! the other surface, and logarithmic in the number of triangles.
//!
//! | file | what |
//! |---|---|
//! | `triangle_tree` | triangles with a tree over them |
//! | `intersections` | all pairs of triangles that meet, or whether there is one |
//! | `plane_signs` | the planes of eight pairs at once |
//! | `self_intersections` | the same within one surface |
//! | `distance` | the least distance, with the points where it is |
//! | `triangle_distance` | that of two triangles |
//! | `common_point` | a point of two triangles that meet |

mod common_point;
mod distance;
mod intersections;
mod plane_signs;
mod self_intersections;
mod triangle_distance;
mod triangle_tree;

pub use distance::SurfaceDistance;
pub use intersections::Intersection;
pub(crate) use triangle_distance::distance_apart;
pub use triangle_distance::{TriangleDistance, triangle_distance};
pub use triangle_tree::TriangleTree;
