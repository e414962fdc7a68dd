//! Scenes: bodies of every shape, and the contacts between them.
//!
//! | file | what |
//! |---|---|
//! | `shapes` | sphere, box, capsule, half-space, wall, compound |
//! | `shape_argument` | any of them, a mesh or a polyhedron, from an argument |
//! | `world` | the scene |

mod shape_argument;
mod shapes;
mod world;

pub use shapes::{BoxShape, Capsule, Compound, HalfSpace, Sphere, Wall};
pub use world::{Scene, restored_scene};
