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
mod face;
mod surface;
mod surfaces;

pub use convex::{
    Claim, ConvexPairs, Counts, Patch, PatchPoint, Posed, Tracker, Violation, certificate,
    exhaustive, patch,
};
pub use face::{FacePoint, FaceStatus, PreparedFace, PreparedFaces};
pub use surface::{FaceSurface, MeshSurface, Projection, ProjectionStatus, SurfacePoint};
pub(crate) use surfaces::distance_apart;
pub use surfaces::{
    Intersection, SurfaceDistance, TriangleDistance, TriangleTree, triangle_distance,
};
