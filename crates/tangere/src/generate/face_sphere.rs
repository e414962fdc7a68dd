//! Unit spheres and circles of finite element faces, straight or curved.
//!
//! Cost: linear in the number of faces. All nodes, midside nodes too, lie on the sphere up to
//! rounding to `f32`. So the distance of quadratic faces from the sphere is of fourth order in
//! their size, that of linear faces of second order.

use super::{reserved, sphere};
use crate::error::{Argument, Error, Result};
use crate::shape::{FaceKind, FaceMesh};
use std::collections::HashMap;

/// The largest level of refinement of a sphere. At each level, every face of the level before is
/// split into four.
const LEVEL_MAX: u32 = 10;

/// The largest number of segments of a circle.
const SEGMENTS_MAX: u32 = 1 << 24;

/// Returns the unit sphere of finite element faces of one kind: `8 * 4^level` triangles, a refined
/// octahedron, or `6 * 4^level` quadrilaterals, a refined cube. Normals point outward.
///
/// # Errors
/// If the faces of the kind are segments, or `level` is above 10.
///
/// ```
/// use tangere::shape::FaceKind;
///
/// let sphere = tangere::generate::face_sphere(FaceKind::Tri6, 3)?;
/// let report = sphere.report();
/// assert!(report.closed && report.oriented && report.folded_faces == 0);
/// let exact = 4.0 / 3.0 * std::f64::consts::PI;
/// assert!((report.volume.unwrap() / exact - 1.0).abs() < 1e-4);
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn face_sphere(kind: FaceKind, level: u32) -> Result<FaceMesh> {
    if level > LEVEL_MAX {
        return Err(Error::argument(
            Argument::SphereLevel,
            level,
            format!("0 to {LEVEL_MAX}"),
        ));
    }
    let linear = match kind.corners() {
        3 => FaceMesh::from_triangles(&sphere(level)?)?,
        4 => cube(1 << level)?,
        _ => {
            return Err(Error::argument(
                Argument::Kind,
                kind,
                "tri3, tri6, quad4, quad8 or quad9",
            ));
        }
    };
    if kind.degree() == 1 {
        return Ok(linear);
    }
    let topology = linear.topology();
    let (mut nodes, _, corners) = linear.clone().into_parts();
    let corner_count = nodes.len();
    // Returns the point on the sphere in the middle between some nodes.
    let middle = |some: &[u32]| {
        let sum = some.iter().fold([0.0; 3], |sum: [f64; 3], &node| {
            let p = linear.nodes()[node as usize];
            std::array::from_fn(|k| sum[k] + p[k])
        });
        on_sphere(sum)
    };
    nodes.extend(topology.edges().map(|edge| middle(&edge.corners)));
    let n = kind.corners();
    let mut indices = reserved(linear.len() * kind.nodes())?;
    for (face, own) in corners.chunks(n).enumerate() {
        indices.extend_from_slice(own);
        indices.extend((0..n).map(|edge| (corner_count + topology.edge_of(face, edge)) as u32));
        if kind == FaceKind::Quad9 {
            indices.push(nodes.len() as u32);
            nodes.push(middle(own));
        }
    }
    FaceMesh::uniform(nodes, kind, indices)
}

/// Returns the unit circle of finite element faces in the plane `z = 0`: `count` segments,
/// counterclockwise.
///
/// # Errors
/// If the faces of the kind are not segments, or `count` is below 3 or above 16777216.
pub fn face_circle(kind: FaceKind, count: u32) -> Result<FaceMesh> {
    if kind.dimension() != 1 {
        return Err(Error::argument(Argument::Kind, kind, "seg2 or seg3"));
    }
    if !(3..=SEGMENTS_MAX).contains(&count) {
        return Err(Error::argument(
            Argument::CircleSegments,
            count,
            format!("3 to {SEGMENTS_MAX}"),
        ));
    }
    let degree = kind.degree() as u32;
    let steps = degree * count;
    let point = |step: u32| {
        let angle = std::f64::consts::TAU * f64::from(step) / f64::from(steps);
        [libm::cos(angle), libm::sin(angle)].map(|x| f64::from(x as f32))
    };
    let nodes: Vec<[f64; 2]> = (0..steps).map(point).collect();
    let mut indices = reserved(kind.nodes() * count as usize)?;
    for segment in 0..count {
        let start = degree * segment;
        indices.extend([start, (start + degree) % steps]);
        if degree == 2 {
            indices.push(start + 1);
        }
    }
    let nodes: Vec<[f64; 2]> = nodes
        .iter()
        .map(|p| p.map(|x| if x.abs() < 1e-10 { 0.0 } else { x }))
        .collect();
    FaceMesh::planar(&nodes, kind, indices)
}

/// Projects a node of a face to the unit sphere: returns the direction of a vector, rounded to
/// `f32`.
fn on_sphere(v: [f64; 3]) -> [f64; 3] {
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    v.map(|x| f64::from((x / length) as f32))
}

/// Returns the unit sphere of quadrilateral faces: a cube of `6 n^2` quadrilaterals projected to
/// the sphere. Equal angles between its grid lines, as seen from the centre, make faces nearly
/// equal.
fn cube(n: i64) -> Result<FaceMesh> {
    let angle = |i: i64| libm::tan(std::f64::consts::FRAC_PI_4 * (2 * i - n) as f64 / n as f64);
    let mut numbers = HashMap::new();
    let mut nodes = Vec::new();
    let mut indices = reserved(24 * (n * n) as usize)?;
    for axis in 0..3 {
        for side in [0, n] {
            // Axes that follow one another turn to the right, so the near side swaps its
            // coordinates.
            let mut corner = |i: i64, j: i64| {
                let (i, j) = if side == 0 { (j, i) } else { (i, j) };
                let mut place = [0; 3];
                place[axis] = side;
                place[(axis + 1) % 3] = i;
                place[(axis + 2) % 3] = j;
                *numbers.entry(place).or_insert_with(|| {
                    nodes.push(on_sphere(place.map(angle)));
                    nodes.len() as u32 - 1
                })
            };
            for i in 0..n {
                for j in 0..n {
                    let ring = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
                    indices.extend(ring.map(|(i, j)| corner(i, j)));
                }
            }
        }
    }
    FaceMesh::uniform(nodes, FaceKind::Quad4, indices)
}
