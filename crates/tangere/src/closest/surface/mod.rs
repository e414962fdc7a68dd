//! Points and whole surfaces: the nearest face, all faces within a distance.
//!
//! Cost: logarithmic in the number of faces. Many points are answered in an order in
//! which neighbours are near each other, each search beginning with the face of the last.
//!
//! | file | what |
//! |---|---|
//! | `triangles` | surfaces of triangles |
//! | `sides` | on which side of a surface a point is |
//! | `patches` | the tree behind both questions |
//! | `turned` | its boxes, eight at once |
//! | `packet` | its triangles, eight at once |
//! | `nearest` | a search for the nearest triangle |
//! | `within` | a search for all triangles within a distance |
//! | `far` | searches from far away |
//! | `order` | an order of points |

mod far;
mod nearest;
mod order;
mod packet;
mod patches;
mod sides;
mod triangles;
mod turned;
mod within;

pub use triangles::{MeshSurface, SurfacePoint};
