//! What bodies are made of. A shape is validated once, when it is made.

mod mesh;
mod spheres;
mod weld;

pub use mesh::TriMesh;
pub use spheres::Spheres;
pub use weld::distinct_points;
