//! Two surfaces of triangles, one of them under a pose: where they go through each other, and how
//! far apart they are; and where one surface goes through itself.
//!
//! Trees are prepared once and never refitted: a pose is part of the question. Cost: what is near
//! the other surface, and logarithmic in the number of triangles.
//!
//! | file | what |
//! |---|---|
//! | `prepared` | triangles with a tree over them |
//! | `intersections` | all pairs of triangles that meet, or whether there is one |
//! | `batch` | the planes of eight pairs at once |
//! | `own` | the same within one surface |
//! | `distance` | the least distance, with the points where it is |
//! | `triangle_distance` | that of two triangles |
//! | `common` | a point of two triangles that meet |

mod batch;
mod common;
mod distance;
mod intersections;
mod own;
mod prepared;
mod triangle_distance;

pub use distance::SurfaceDistance;
pub use intersections::Intersection;
pub use prepared::TriangleTree;
pub(crate) use triangle_distance::distance_apart;
pub use triangle_distance::{TriangleDistance, triangle_distance};
