//! Benchmarks of closest points of finite element faces and of surfaces, of intersecting surfaces,
//! and of the distance of two surfaces along a motion, against parry.

mod faces;
mod intersections;
mod motion;
mod points;

use crate::{Options, Outcome};
use parry3d_f64::shape::TriMesh as ParryMesh;
use tangere::shape::TriMesh;

/// The number of turns of each contestant.
const TURNS: usize = 7;

pub fn run(options: &Options) -> Outcome {
    faces::run(options)?;
    points::run(options)?;
    intersections::run(options)?;
    motion::run(options)
}

fn parry_of(mesh: &TriMesh) -> Result<ParryMesh, Box<dyn std::error::Error>> {
    let vertices = mesh.vertices().iter().map(|&v| v.into()).collect();
    ParryMesh::new(vertices, mesh.faces().to_vec()).map_err(|error| format!("{error:?}").into())
}
