//! Checks that a mesh survives rounding to f32, as binary STL requires.
//!
//! Far from the origin f32 has few digits left for a shape: its spacing at 10⁷ is 1.
//! A mesh is refused when rounding merges distinct vertices or makes a triangle
//! degenerate, both decided exactly. Cost: one parallel pass over the vertices if
//! f32 represents them all; otherwise a hash table of the vertices and one predicate
//! for each triangle.

use rayon::prelude::*;
use tangere::geometry::triangle::is_degenerate;
use tangere::shape::{TriMesh, distinct_points};
use tangere::{Argument, Error, Result};

const EXPECTED: &str =
    "vertices that stay distinct in f32; write PLY, OBJ or VTP, which keep all digits";

/// Number of coordinates that one parallel task checks for exact representation in f32.
const CHUNK: usize = 1 << 14;

/// Returns the largest rounding error in f32 of a coordinate of a vertex that triangles use; 0 if
/// all are exact. It is an error if rounding merges vertices, makes a triangle degenerate or
/// overflows.
pub(crate) fn rounding(mesh: &TriMesh) -> Result<f64> {
    let exact = |x: &f64| f64::from(*x as f32) == *x;
    let coordinates = mesh.vertices().as_flattened();
    if coordinates
        .par_chunks(CHUNK)
        .all(|chunk| chunk.iter().all(exact))
    {
        return Ok(0.0);
    }
    let rounded: Vec<[f64; 3]> = mesh
        .vertices()
        .par_iter()
        .map(|p| p.map(|x| f64::from(x as f32)))
        .collect();
    let used = used_vertices(mesh);
    let mut largest = 0.0_f64;
    for &v in &used {
        let (p, q) = (mesh.vertices()[v as usize], rounded[v as usize]);
        if q.iter().any(|x| x.is_infinite()) {
            return Err(Error::item(
                Argument::Vertex,
                v as usize,
                format!("{p:?}"),
                "coordinates below 3.4e38, the largest of binary STL",
            ));
        }
        largest = (0..3).fold(largest, |most, k| most.max((p[k] - q[k]).abs()));
    }
    check_vertices(mesh, &rounded, &used)?;
    let collapsed = mesh.faces().par_iter().enumerate().find_first(|(i, face)| {
        is_degenerate(face.map(|v| rounded[v as usize])) && !is_degenerate(mesh.triangle(*i))
    });
    match collapsed {
        None => Ok(largest),
        Some((i, _)) => Err(Error::item(
            Argument::Other("triangle"),
            i,
            format!("{:?}, which loses its area in f32", mesh.triangle(i)),
            EXPECTED,
        )),
    }
}

/// Returns the indices of the vertices that triangles use, in increasing order.
fn used_vertices(mesh: &TriMesh) -> Vec<u32> {
    let mut is_used = vec![false; mesh.vertices().len()];
    for &v in mesh.faces().as_flattened() {
        is_used[v as usize] = true;
    }
    (0..=u32::MAX)
        .zip(is_used)
        .filter_map(|(v, is_used)| is_used.then_some(v))
        .collect()
}

/// Checks that distinct vertices stay distinct after rounding to f32. Only the vertices `used` by
/// triangles are checked.
fn check_vertices(mesh: &TriMesh, rounded: &[[f64; 3]], used: &[u32]) -> Result<()> {
    let places: Vec<[f64; 3]> = used.iter().map(|&v| rounded[v as usize]).collect();
    let (distinct, index) = distinct_points(&places);
    // The first vertex at each rounded position. `index` counts distinct positions in the order in
    // which they first occur, so the next new one is the length of this list.
    let mut firsts: Vec<u32> = Vec::with_capacity(distinct.len());
    for (&v, &place) in used.iter().zip(&index) {
        if place as usize == firsts.len() {
            firsts.push(v);
        }
        let first = firsts[place as usize] as usize;
        let p = mesh.vertices()[v as usize];
        if p != mesh.vertices()[first] {
            return Err(Error::item(
                Argument::Vertex,
                v as usize,
                format!("{p:?}, which f32 puts at the place of vertex {first}"),
                EXPECTED,
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(vertices: &[[f64; 3]]) -> TriMesh {
        let faces = (0..vertices.len() as u32 - 2).map(|i| [i, i + 1, i + 2]);
        TriMesh::new(vertices.to_vec(), faces.collect()).unwrap()
    }

    #[test]
    fn what_f32_holds_is_exact() {
        let corners = [[0.5, -0.0, 0.0], [1e7, 3.0, 0.0], [0.25, 1.0, 1.0]];
        assert_eq!(rounding(&mesh(&corners)), Ok(0.0));
    }

    #[test]
    fn the_largest_change_is_returned() {
        let corners = [[0.1, 0.0, 0.0], [1e6 + 0.01, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let change = (1e6 + 0.01 - f64::from((1e6 + 0.01) as f32)).abs();
        assert!(change > 1e-3);
        assert_eq!(rounding(&mesh(&corners)), Ok(change));
    }

    #[test]
    fn vertices_that_meet_are_named() {
        let x = 1e8;
        let corners = [[x, 0., 0.], [x, 1., 0.], [x, 0., 1.], [x + 1.0, 0.0, 0.0]];
        let error = rounding(&mesh(&corners)).unwrap_err().to_string();
        assert!(error.starts_with("vertex 3: found [100000001.0"), "{error}");
        assert!(error.contains("the place of vertex 0"), "{error}");
        assert!(error.contains("write PLY, OBJ or VTP"), "{error}");
    }

    #[test]
    fn equal_vertices_and_unused_ones_do_not_matter() {
        let x = 1e8 + 1.0;
        let [a, b, c] = [[x, 0., 0.], [x, 1., 0.], [x, 0., 1.]];
        let vertices = vec![a, b, c, a, [x - 1.0, 0.0, 0.0], [1e40, 0.0, 0.0]];
        let mesh = TriMesh::new(vertices, vec![[0, 1, 2], [3, 2, 1]]).unwrap();
        assert_eq!(rounding(&mesh), Ok(1.0));
    }

    #[test]
    fn triangles_that_lose_their_area_are_named() {
        let flat = [[0.0; 3], [1.0, 1e-9, 0.0], [2.0, 0.0, 0.0]];
        let change = (1e-9_f64 - f64::from(1e-9_f32)).abs();
        assert_eq!(rounding(&mesh(&flat)), Ok(change));
        let bent = [[1.0, 1.0, 0.0], [2.0, 2.0 + 1e-9, 0.0], [3.0, 3.0, 0.0]];
        let error = rounding(&mesh(&bent)).unwrap_err().to_string();
        assert!(error.starts_with("triangle 0: found "), "{error}");
        // A triangle that was degenerate before is accepted.
        let line = [[0.1, 0.0, 0.0], [0.2, 0.0, 0.0], [0.3, 0.0, 0.0]];
        assert!(rounding(&mesh(&line)).is_ok());
    }
}
