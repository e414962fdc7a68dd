//! Points and whole surfaces: the nearest face, all faces within a distance.
//!
//! Cost: logarithmic in the number of faces; points that come in an order in which neighbours
//! are near each other are answered faster, for each search begins with the face of the last.
//!
//! | file | what |
//! |---|---|
//! | `triangles` | surfaces of triangles |
//! | `sides` | on which side of a surface a point is |

mod sides;
mod triangles;

pub use triangles::{MeshSurface, SurfacePoint};
