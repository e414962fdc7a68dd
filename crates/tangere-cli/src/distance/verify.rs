//! Comparison of signed distances with brute force: the distance from every triangle, and the sign by
//! exact ray crossings of every triangle.

use crate::failure::Failure;
use crate::sample::Sample;
use rayon::prelude::*;
use tangere::geometry::triangle::closest_on_triangle;
use tangere::inside::exact::windings;
use tangere::shape::TriMesh;

/// Compares signed distances of points with brute force. Returns the sample of points that were
/// compared, or an error that names the first point whose distance differs.
pub fn distances(
    mesh: &TriMesh,
    points: &[[f64; 3]],
    is_signed: bool,
    found: &[f64],
) -> Result<Sample, Failure> {
    let faces = mesh.faces().len();
    // A distance and, with a sign, a crossing for each triangle.
    let sample = Sample::new(points.len(), (1 + usize::from(is_signed)) * faces);
    let items = sample.items();
    let chosen: Vec<[f64; 3]> = items.iter().map(|&i| points[i]).collect();
    let sides = match is_signed {
        true => windings(&chosen, mesh),
        false => vec![Some(0); chosen.len()],
    };
    let expected = |k: usize| {
        let square = |face| closest_on_triangle(chosen[k], mesh.triangle(face)).distance_squared;
        let distance = (0..faces).map(square).fold(f64::INFINITY, f64::min).sqrt();
        match sides[k] {
            None => 0.0,
            Some(0) => distance,
            Some(_) => -distance,
        }
    };
    let is_wrong = |&k: &usize| expected(k) != found[items[k]];
    match (0..items.len()).into_par_iter().find_first(is_wrong) {
        None => Ok(sample),
        Some(k) => Err(Failure::internal(format_args!(
            "point {} has the distance {}, expected {}",
            items[k],
            found[items[k]],
            expected(k)
        ))),
    }
}
