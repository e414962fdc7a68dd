//! Convex bodies as vertices, edges and faces that know their neighbours.
//!
//! Question: what is the smallest convex set around these points, and what lies
//! next to each of its features? [`ConvexPolyhedron`] holds the answer in flat
//! arrays made for climbing and walking.
//!
//! | file | what |
//! |---|---|
//! | `polyhedron` | the type, its features and its extent |
//! | `hull` | the hull of points, incremental, with exact predicates |
//! | `fan` | which new face of a hull a point is outside of |
//! | `scale` | coordinates of any magnitude |
//! | `start` | the first simplex; sets that are a point, a segment or flat |
//! | `merge` | triangles of one plane become one face |
//! | `assemble` | canonical numbers and links of features |
//! | `climb` | the farthest vertex in a direction |
//! | `planes` | normals and offsets of faces |
//! | `faces` | from given faces, with an exact check of convexity; back to triangles |
//! | `mass` | volume, centroid and inertia |
//! | `check` | all that must hold of a polyhedron, verified exactly |

mod conflict_search;
mod coordinate_range;
mod face_planes;
mod from_faces;
mod half_edges;
mod hull;
mod initial_simplex;
mod mass_properties;
mod merge_coplanar;
mod polyhedron;
mod rescale;
mod support;
mod validate;

pub use mass_properties::MassProperties;
pub use polyhedron::{ConvexPolyhedron, HalfEdge, Plane};
