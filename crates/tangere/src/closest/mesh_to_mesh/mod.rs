//! Two triangle meshes, one of them moved by a pose: intersecting triangles and distance; and
//! self-intersections of one mesh.
//!
//! Trees are built once and never refitted: the pose is part of the query. Cost: proportional to
//! the parts of the meshes that are near each other, and logarithmic in the number of triangles.
//!
//! | file | what |
//! |---|---|
//! | `triangle_tree` | triangles with a bounding volume hierarchy (BVH) over them |
//! | `intersections` | all pairs of intersecting triangles, or whether there is one |
//! | `plane_signs` | eight pairs of triangles in lanes: sides of the planes on which corners lie |
//! | `self_intersections` | all pairs of intersecting triangles of one mesh |
//! | `nearest_pairs` | pairs of triangles that may be the closest, by trees of oriented boxes |
//! | `resolved_pose` | check that a pose does not round a mesh flat |
//! | `surface_distance` | distance and closest points of two meshes; whether they are apart, touch, cross or one is inside |
//! | `containment` | whether one closed mesh lies inside the other |
//! | `triangle_distance` | distance and closest points of two triangles |
//! | `common_point` | a common point of two intersecting triangles |

mod common_point;
mod containment;
mod intersections;
mod nearest_pairs;
mod plane_signs;
mod resolved_pose;
mod self_intersections;
mod surface_distance;
mod triangle_distance;
mod triangle_tree;

pub use intersections::{Intersection, PoseIntersection, intersections_at_poses};
pub use resolved_pose::check_resolved;
pub use surface_distance::{
    SurfaceDistance, SurfaceStatus, SurfaceTracker, surface_distances, surface_statuses,
};
pub(crate) use triangle_distance::distance_apart;
pub use triangle_distance::{TriangleDistance, triangle_distance};
pub use triangle_tree::TriangleTree;
