//! Points and a surface of triangles.

use super::sides::Sides;
use crate::error::{Error, Result};
use crate::geometry::check_points;
use crate::geometry::triangle::{ClosestOnTriangle, closest_on_triangle};
use crate::geometry::vector::minus;
use crate::parallel::Rows;
use crate::shape::TriMesh;
use crate::tree::Tree;
use rayon::prelude::*;

/// Points that one thread answers in a row, each beginning with the face of the one before. Fixed,
/// so that nothing depends on the number of threads.
const CHUNK: usize = 1024;

/// The point of a surface nearest to a given one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// The face it lies on; of several the one with the least number.
    pub face: u32,
    /// Where it is.
    pub point: [f64; 3],
    /// How far it is.
    pub distance: f64,
    /// The distance, negative inside; not a number if the surface is not closed and oriented.
    pub gap: f64,
}

impl Default for SurfacePoint {
    fn default() -> Self {
        Self {
            face: 0,
            point: [0.0; 3],
            distance: f64::INFINITY,
            gap: f64::NAN,
        }
    }
}

/// A surface of triangles that is asked for its nearest points.
///
/// ```
/// use tangere::closest::MeshSurface;
/// use tangere::generate;
///
/// let surface = MeshSurface::new(&generate::sphere(3)?);
/// let nearest = surface.closest([0.0, 0.0, 2.0])?;
/// assert_eq!((nearest.point, nearest.gap), ([0.0, 0.0, 1.0], 1.0));
/// assert!(surface.closest([0.0, 0.0, 0.5])?.gap < -0.4);
/// assert_eq!(surface.within([0.0, 0.0, 2.0], 1.0)?.len(), 4);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeshSurface {
    /// Corners side by side, so that a look at a triangle is one at memory.
    triangles: Vec<[[f64; 3]; 3]>,
    faces: Vec<[u32; 3]>,
    tree: Tree<3>,
    /// If the surface is closed and oriented.
    sides: Option<Sides>,
}

impl MeshSurface {
    /// Prepares a surface.
    pub fn new(mesh: &TriMesh) -> Self {
        let report = mesh.report();
        Self {
            triangles: (0..mesh.faces().len()).map(|f| mesh.triangle(f)).collect(),
            faces: mesh.faces().to_vec(),
            tree: Tree::of_mesh(mesh),
            sides: (report.closed && report.oriented).then(|| Sides::new(mesh)),
        }
    }

    /// Whether gaps are signed.
    pub fn is_signed(&self) -> bool {
        self.sides.is_some()
    }

    /// The nearest point of the surface.
    ///
    /// # Errors
    /// When a coordinate is not finite or too large.
    pub fn closest(&self, point: [f64; 3]) -> Result<SurfacePoint> {
        check_points("point", &[point])?;
        Ok(self.nearest(point, 0).0)
    }

    /// The nearest points of the surface to many points, on all threads.
    ///
    /// # Errors
    /// When a coordinate is not finite or too large; the error names the point.
    pub fn closest_all(&self, points: &[[f64; 3]], found: &mut Vec<SurfacePoint>) -> Result<()> {
        check_points("point", points)?;
        found.resize(points.len(), SurfacePoint::default());
        let chunks = points.par_chunks(CHUNK).zip(found.par_chunks_mut(CHUNK));
        chunks.for_each(|(points, found)| {
            let mut guess = 0;
            for (&point, found) in points.iter().zip(found) {
                (*found, guess) = self.nearest(point, guess);
            }
        });
        Ok(())
    }

    /// All faces that are no farther than `distance` from a point, in the order of their numbers.
    ///
    /// # Errors
    /// When a coordinate or the distance is not finite, or the distance is negative.
    pub fn within(&self, point: [f64; 3], distance: f64) -> Result<Vec<u32>> {
        let mut all = Rows::default();
        self.within_all(&[point], distance, &mut all)?;
        Ok(all.row(0).to_vec())
    }

    /// All faces that are no farther than `distance` from each of many points, a row for each.
    ///
    /// # Errors
    /// As [`MeshSurface::within`].
    pub fn within_all(
        &self,
        points: &[[f64; 3]],
        distance: f64,
        found: &mut Rows<u32>,
    ) -> Result<()> {
        check_points("point", points)?;
        if !(distance >= 0.0 && distance.is_finite()) {
            return Err(Error::argument(
                "distance",
                format!("{distance:?}"),
                "a finite number, 0 or more",
            ));
        }
        let squared = distance * distance;
        found.fill(points.len(), |i, row| {
            self.tree.approaching(points[i], squared, |face, _| {
                let nearest = closest_on_triangle(points[i], self.triangles[face as usize]);
                // The root, so that a distance that was told is one that is found.
                if nearest.distance_squared.sqrt() <= distance {
                    row.push(face);
                }
            });
            row.sort_unstable();
        });
        Ok(())
    }

    /// The nearest point, and its face. The answer does not depend on the guess.
    #[inline]
    fn nearest(&self, p: [f64; 3], guess: u32) -> (SurfacePoint, u32) {
        let look = |face: u32| closest_on_triangle(p, self.triangles[face as usize]);
        let mut best: (ClosestOnTriangle, u32) = (look(guess), guess);
        self.tree
            .approaching(p, best.0.distance_squared, |face, bound| {
                let nearest = look(face);
                let (square, least) = (nearest.distance_squared, best.0.distance_squared);
                if square < least || square == least && face < best.1 {
                    best = (nearest, face);
                    *bound = square;
                }
            });
        let (nearest, face) = best;
        let distance = nearest.distance_squared.sqrt();
        let gap = match &self.sides {
            None => f64::NAN,
            Some(sides) => {
                let way = minus(p, nearest.point);
                let (vertices, triangle) =
                    (self.faces[face as usize], self.triangles[face as usize]);
                distance * sides.sign(p, way, face, vertices, triangle, nearest.feature) + 0.0
            }
        };
        let answer = SurfacePoint {
            face,
            point: nearest.point,
            distance,
            gap,
        };
        (answer, face)
    }
}
