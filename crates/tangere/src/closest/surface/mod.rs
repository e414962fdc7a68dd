//! Points and whole surfaces: the nearest face, all faces within a distance.
//!
//! Cost: logarithmic in the number of faces. Many points are answered in an order in
//! which neighbours are near each other, each search beginning with the face of the last.
//!
//! | file | what |
//! |---|---|
//! | `triangles` | surfaces of triangles |
//! | `sides` | on which side of a surface of triangles a point is |
//! | `boxes` | the tree behind all questions |
//! | `turned` | its boxes, eight at once |
//! | `patches` | the tree with its triangles |
//! | `packet` | its triangles, eight at once |
//! | `nearest` | a search for the nearest triangle |
//! | `within` | all faces within a distance, and the search among triangles |
//! | `far` | searches from far away |
//! | `order` | an order of points |
//! | `faces` | surfaces of finite element faces |
//! | `face_patches` | the tree of such faces |
//! | `face_search` | the nearest of many faces |
//! | `face_bound` | how near a face can be at least and at most |
//! | `projection` | what is told of the nearest point |

mod boxes;
mod face_bound;
mod face_patches;
mod face_search;
mod faces;
mod far;
mod nearest;
mod order;
mod packet;
mod patches;
mod projection;
mod sides;
mod triangles;
mod turned;
mod within;

pub use faces::FaceSurface;
pub use projection::{Projection, ProjectionStatus};
pub use triangles::{MeshSurface, SurfacePoint};
