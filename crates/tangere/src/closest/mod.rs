//! How far apart, and how deep?
//!
//! | question | answer |
//! |---|---|
//! | two convex bodies, once or at every step of a motion | [`Tracker`] |
//! | many pairs of them | [`ConvexPairs`] |
//! | all points where they touch | [`Patch`] |
//! | is that answer right? | [`certificate`] |
//! | two small convex bodies, in the plainest way | [`exhaustive`] |
//! | a point and a finite element face | [`PreparedFace`] |
//! | many points and many such faces | [`PreparedFaces`] |
//! | points and a surface of triangles | [`MeshSurface`] |
//! | points and a surface of finite element faces | [`FaceSurface`] |
//! | two surfaces of triangles, or one with itself | [`TriangleTree`] |
mod convex;
mod mesh_to_mesh;
mod point_to_face;
mod point_to_surface;

pub use convex::{
    Claim, ConvexPairs, Counts, Patch, PatchPoint, Posed, Tracker, Violation, certificate,
    exhaustive, patch,
};
pub(crate) use mesh_to_mesh::distance_apart;
pub use mesh_to_mesh::{
    Intersection, SurfaceDistance, TriangleDistance, TriangleTree, triangle_distance,
};
pub use point_to_face::{FacePoint, FaceStatus, PreparedFace, PreparedFaces};
pub use point_to_surface::{FaceSurface, MeshSurface, Projection, ProjectionStatus, SurfacePoint};
