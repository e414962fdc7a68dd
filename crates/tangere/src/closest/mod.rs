//! Distance and penetration depth (narrow phase): convex bodies, finite element faces, surfaces.
//!
//! | query | API |
//! |---|---|
//! | two convex bodies, once or at every step of a motion | [`Tracker`] |
//! | many pairs of convex bodies | [`ConvexPairs`] |
//! | contact patch (manifold) of two convex bodies | [`Patch`] |
//! | proof of a contact | [`certificate`] |
//! | two small convex bodies by brute force | [`exhaustive`] |
//! | two convex bodies by Lin's walk as published | [`LinWalk`] |
//! | nearest point of a finite element face | [`PreparedFace`] |
//! | nearest point of such a face by SQP as published | [`BfgsSqp`] |
//! | nearest points of many such faces to many points | [`PreparedFaces`] |
//! | nearest point of a triangle mesh, signed distance | [`MeshSurface`] |
//! | nearest point of a surface of finite element faces | [`FaceSurface`] |
//! | distance and intersections of two triangle meshes, self-intersections | [`TriangleTree`] |
//!
//! The folders: `convex` (GJK, EPA, V-Clip), `point_to_face`, `point_to_surface`, `mesh_to_mesh`,
//! `obb_tree`, `published` (methods of the papers as published).

mod convex;
mod mesh_to_mesh;
mod method;
mod obb_tree;
mod point_to_face;
mod point_to_surface;
mod published;

pub use convex::{
    Claim, ConvexPairs, Counts, Patch, PatchPoint, Posed, Tracker, Violation, certificate,
    exhaustive, patch,
};
pub(crate) use convex::{SparePolytopes, Track, touching_feature};
pub(crate) use mesh_to_mesh::distance_apart;
pub use mesh_to_mesh::{
    Intersection, PoseIntersection, SurfaceDistance, SurfaceStatus, SurfaceTracker,
    TriangleDistance, TriangleTree, check_resolved, intersections_at_poses, surface_distances,
    surface_statuses, triangle_distance,
};
pub use method::Method;
pub use point_to_face::{FacePoint, FaceStatus, PreparedFace, PreparedFaces};
pub use point_to_surface::{FaceSurface, MeshSurface, Projection, ProjectionStatus, SurfacePoint};
pub use published::{BfgsSqp, LinContact, LinCounts, LinWalk};
