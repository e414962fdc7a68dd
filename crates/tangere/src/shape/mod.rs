//! What bodies are made of. A shape is validated once, when it is made.

mod convex;
pub(crate) mod edges;
pub mod face;
mod mesh;
mod orient;
mod packing;
mod report;
mod shell_intersection;
mod shell_nesting;
mod spheres;
mod topology;
mod weld;

pub use convex::{ConvexPolyhedron, HalfEdge, MassProperties, Plane};
pub(crate) use edges::{Edges, repeats_vertex};
pub use face::{Face, FaceKind, FaceMesh, FaceReport, FaceTopology, VolumeKind, VolumeMesh};
pub use mesh::TriMesh;
pub use orient::Reoriented;
pub use packing::Packing;
pub use report::{Closure, MeshReport};
pub(crate) use shell_intersection::{ShellIntersection, first_shell_intersection};
pub use spheres::Spheres;
pub use weld::{Welded, distinct_points};
