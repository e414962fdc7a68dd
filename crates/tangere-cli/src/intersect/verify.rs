//! Comparison of the intersections found with brute force over every pair of triangles.

use crate::failure::Failure;
use crate::sample::Sample;
use rayon::prelude::*;
use tangere::closest::Intersection;
use tangere::geometry::{Pose, triangle_triangle};
use tangere::shape::TriMesh;

/// Compares the intersections of A and B, in one pose of B, with brute force; without B those of A
/// with itself. Tests as many faces of A as though it were one of `poses` poses. Returns the sample
/// of faces of A that were compared, or an error that names the first pair of triangles that
/// differs.
pub fn pairs(
    mesh_a: &TriMesh,
    mesh_b: Option<(&TriMesh, &Pose)>,
    poses: usize,
    found: impl Iterator<Item = Intersection>,
) -> Result<Sample, Failure> {
    let triangles = |mesh: &TriMesh| -> Vec<[[f64; 3]; 3]> {
        (0..mesh.faces().len()).map(|f| mesh.triangle(f)).collect()
    };
    let a = triangles(mesh_a);
    let others: Vec<[[f64; 3]; 3]> = match mesh_b {
        None => Vec::new(),
        Some((b, pose)) => triangles(b)
            .into_iter()
            .map(|t| t.map(|p| pose.apply(p)))
            .collect(),
    };
    let faces = mesh_a.faces();
    let of_face = |i: usize| -> Vec<Intersection> {
        let meeting = |j: usize, t| {
            let kind = triangle_triangle(a[i], t)?;
            let (a, b) = (i as u32, j as u32);
            Some(Intersection { a, b, kind })
        };
        match mesh_b {
            Some(_) => {
                let others = others.iter().enumerate();
                others.filter_map(|(j, &t)| meeting(j, t)).collect()
            }
            None => (i + 1..a.len())
                .filter(|&j| !faces[i].iter().any(|v| faces[j].contains(v)))
                .filter_map(|j| meeting(j, a[j]))
                .collect(),
        }
    };
    let tests = mesh_b.map_or(a.len(), |_| others.len());
    let sample = Sample::new(a.len(), tests.saturating_mul(poses));
    let expected: Vec<Intersection> = (sample.items())
        .into_par_iter()
        .flat_map_iter(of_face)
        .collect();
    let named = |pair: Option<&Intersection>| match pair {
        Some(pair) => format!("{} {} {}", pair.a, pair.b, pair.kind.name()),
        None => "no further pair".into(),
    };
    let found: Vec<Intersection> = found.filter(|pair| sample.has(pair.a as usize)).collect();
    let same = expected.iter().zip(&found).take_while(|(e, f)| e == f);
    match same.count() {
        same if same == expected.len() && same == found.len() => Ok(sample),
        same => Err(Failure::internal(format_args!(
            "pair {same} is {}, expected {}",
            named(found.get(same)),
            named(expected.get(same))
        ))),
    }
}
