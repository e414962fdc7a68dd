//! What bodies are made of. A shape is validated once, when it is made.

mod mesh;
mod spheres;

pub use mesh::TriMesh;
pub use spheres::Spheres;
