//! What bodies are made of. A shape is validated once, when it is made.

mod edges;
mod mesh;
mod report;
mod shells;
mod spheres;
mod topology;
mod weld;

pub use mesh::TriMesh;
pub use report::MeshReport;
pub use spheres::Spheres;
pub use weld::distinct_points;
