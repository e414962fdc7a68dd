//! Shapes: spheres, triangle meshes, convex polyhedra, sphere packings, finite element faces. A
//! shape is validated once, when it is made.
//!
//! | module | what |
//! |---|---|
//! | `tri_mesh`, `mesh_edges`, `mesh_topology` | triangle mesh, half-edges, components, manifoldness, Euler characteristic |
//! | `mesh_report` | mesh report: closed, oriented, manifold, genus, volume, defects |
//! | `mesh_mass` | mass properties of a closed triangle mesh |
//! | `disjoint_sets`, `point_table` | union-find; hash table of points |
//! | `weld`, `orientation_repair`, `hole_filling` | repair: merge vertices, orient triangles, fill holes |
//! | `shell_nesting`, `shell_clusters`, `shell_intersection` | shells (closed and oriented parts of a mesh): nesting depth, clusters that cross, intersections |
//! | `convex` | convex polyhedron: convex hull, half-edges, mass properties |
//! | [`face`] | finite element faces: shape functions, control points, boundary of volume meshes |
//! | `spheres`, `packing` | many spheres; sphere packing of a body |

mod convex;
pub(crate) mod disjoint_sets;
pub mod face;
mod hole_filling;
pub(crate) mod mesh_edges;
mod mesh_mass;
mod mesh_report;
mod mesh_topology;
mod orientation_repair;
mod packing;
mod point_table;
mod shell_clusters;
mod shell_intersection;
mod shell_nesting;
mod solid;
mod spheres;
mod tri_mesh;
mod weld;

pub use convex::{ConvexPolyhedron, HalfEdge, MassProperties, Plane};
pub use face::{Face, FaceKind, FaceMesh, FaceReport, FaceTopology, VolumeKind, VolumeMesh};
pub use hole_filling::{DEFAULT_HOLE_EDGES, HolesFilled, MOST_HOLE_EDGES};
pub(crate) use mesh_edges::{Edges, repeats_vertex};
pub use mesh_report::{Closure, MeshReport};
pub use orientation_repair::Reoriented;
pub use packing::Packing;
pub use point_table::distinct_points;
use shell_intersection::first_shell_intersection;
pub use solid::Solid;
pub use spheres::Spheres;
pub use tri_mesh::TriMesh;
pub use weld::Welded;
