//! Welding: merges coincident or close vertices of a triangle mesh.
//!
//! Exact welding is one pass through a hash table, welding within a tolerance one pass through a
//! spatial hash; both take time linear in the number of vertices. Which vertices are kept depends
//! on their order, not on the hash.

use super::TriMesh;
use super::mesh_edges::repeats_vertex;
use super::point_table::{NONE, PointTable, distinct_points};
use crate::error::{Argument, Error, Result, number};
use crate::geometry::Aabb;

/// The least tolerance of welding by a spatial hash, as a share of the mesh's extent. The cells of
/// the hash are as wide as the tolerance. Their indices, and those of neighbouring cells, must be
/// exact integers in f64. A smaller tolerance merges equal vertices only.
const RESOLUTION: f64 = 4.0 * f64::EPSILON;

/// A welded mesh, with the numbers of merged vertices and of dropped triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Welded {
    /// The mesh without the merged vertices and the collapsed triangles.
    pub mesh: TriMesh,
    /// The number of vertices merged into others.
    pub merged: usize,
    /// The number of triangles that were dropped, because welding merged two or more of their
    /// corners into one vertex.
    pub collapsed: usize,
}

impl TriMesh {
    /// Returns the welded mesh. Every vertex is merged into the nearest of the kept vertices before
    /// it, if their distance is at most `tolerance`; otherwise it is kept. Of equally near vertices
    /// the earlier is chosen. Triangles are dropped if two of their corners are merged into one. A
    /// tolerance of 0, or one below the resolution of the mesh (2⁻⁵⁰ of its largest extent), merges
    /// equal vertices only.
    ///
    /// # Errors
    /// When the tolerance is negative or not finite, or so large that all triangles are dropped.
    pub fn welded(&self, tolerance: f64) -> Result<Welded> {
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return Err(Error::argument(
                Argument::WeldTolerance,
                number(tolerance),
                "a finite number of at least 0",
            ));
        }
        let bounds = Aabb::of_points(self.vertices().iter().copied());
        let extent = bounds.extent().into_iter().fold(0.0, f64::max);
        let (vertices, index) = if tolerance == 0.0 || tolerance < RESOLUTION * extent {
            distinct_points(self.vertices())
        } else {
            near_points(self.vertices(), bounds.min, tolerance)
        };
        let merged = self.vertices().len() - vertices.len();
        let mut faces = Vec::with_capacity(self.faces().len());
        let mut collapsed = 0;
        for face in self.faces() {
            let moved = face.map(|v| index[v as usize]);
            if repeats_vertex(&moved) && !repeats_vertex(face) {
                collapsed += 1;
            } else {
                faces.push(moved);
            }
        }
        if faces.is_empty() {
            return Err(Error::argument(
                Argument::WeldTolerance,
                format!(
                    "{}, which collapses all {collapsed} triangles",
                    number(tolerance)
                ),
                "one that leaves a triangle",
            ));
        }
        let mesh = TriMesh::new(vertices, faces)?;
        Ok(Welded {
            mesh,
            merged,
            collapsed,
        })
    }
}

/// Welds points within a tolerance: returns the points that are kept, and for each point the index
/// of the kept point into which it is merged. `least` is the lower corner of the AABB of the
/// points. The tolerance is at least [`RESOLUTION`] times their extent.
fn near_points(points: &[[f64; 3]], least: [f64; 3], tolerance: f64) -> (Vec<[f64; 3]>, Vec<u32>) {
    let cell = |p: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|k| ((p[k] - least[k]) / tolerance).floor())
    };
    let mut kept: Vec<[f64; 3]> = Vec::new();
    // The next kept vertex of the same cell (linked list).
    let mut next: Vec<u32> = Vec::new();
    let mut cells = PointTable::new();
    let mut firsts: Vec<u32> = Vec::new();
    let mut keys: Vec<[f64; 3]> = Vec::new();
    let mut index = Vec::with_capacity(points.len());
    for &p in points {
        let home = cell(p);
        let mut best = (tolerance * tolerance, NONE);
        for offset in 0..27 {
            let step = [offset % 3, offset / 3 % 3, offset / 9];
            let key = std::array::from_fn(|k| home[k] + f64::from(step[k]) - 1.0);
            let Some(slot) = cells.find(key, &keys) else {
                continue;
            };
            let mut i = firsts[slot as usize];
            while i != NONE {
                let q = kept[i as usize];
                let d = (0..3).map(|k| (p[k] - q[k]) * (p[k] - q[k])).sum::<f64>();
                if d < best.0 || d == best.0 && i < best.1 {
                    best = (d, i);
                }
                i = next[i as usize];
            }
        }
        if best.1 == NONE {
            best.1 = kept.len() as u32;
            kept.push(p);
            let slot = cells.find_or_add(home, &mut keys) as usize;
            if slot == firsts.len() {
                firsts.push(NONE);
            }
            next.push(firsts[slot]);
            firsts[slot] = best.1;
        }
        index.push(best.1);
    }
    (kept, index)
}
