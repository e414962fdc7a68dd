//! Shapes: spheres, triangle meshes, convex polyhedra, sphere packings, finite element faces. A
//! shape is validated once, when it is made.
//!
//! | module | what |
//! |---|---|
//! | `mesh`, `edges`, `topology` | triangle mesh, half-edges, components, manifoldness, Euler characteristic |
//! | `report` | mesh report: closed, oriented, manifold, genus, volume, defects |
//! | `weld`, `orient` | repair: merge vertices, orient triangles |
//! | `shell_nesting`, `shell_intersection` | closed parts of a mesh: nesting depth, intersections |
//! | `convex` | convex polyhedron: convex hull, half-edges, mass properties |
//! | [`face`] | finite element faces: shape functions, control points, boundary of volume meshes |
//! | `spheres`, `packing` | many spheres; sphere packing of a body |

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
