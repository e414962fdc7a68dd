//! Convex polyhedra: convex hull, half-edges, support function, mass properties.
//!
//! [`ConvexPolyhedron`] stores the smallest convex set around points, with the adjacency of its
//! features, in flat arrays laid out for hill climbing and Voronoi walks.
//!
//! | file | what |
//! |---|---|
//! | `polyhedron` | the type, its features (half-edges), its surface as triangles |
//! | `extent` | center, radius and an upper bound of the diameter |
//! | `hull` | convex hull of points: incremental, conflict lists, exact predicates |
//! | `conflict_search` | update of conflict lists of the hull: which new triangle a point sees |
//! | `coordinate_range` | coordinates of any magnitude, scaled to the range of exact predicates |
//! | `affine_span` | affine span of points: the initial simplex of the hull; collinear and coplanar points |
//! | `merge_coplanar` | coplanar triangles merged to polygons |
//! | `half_edge_construction` | canonical numbering and half-edge links |
//! | `support` | support function: the extreme vertex in a direction |
//! | `face_planes` | normals and offsets of faces |
//! | `from_faces` | polyhedron from given faces, with an exact check of convexity |
//! | `mass_properties` | volume, centroid and inertia |
//! | `rescale` | the polyhedron scaled by a power of two |
//! | `triangle_body` | a triangle as a body whose memory is reused |
//! | `validate` | exact check of all invariants |

mod affine_span;
mod conflict_search;
mod coordinate_range;
mod extent;
mod face_planes;
mod from_faces;
mod half_edge_construction;
mod hull;
mod mass_properties;
mod merge_coplanar;
mod polyhedron;
mod rescale;
mod support;
mod triangle_body;
mod validate;

pub use mass_properties::MassProperties;
pub use polyhedron::{ConvexPolyhedron, HalfEdge, Plane};
