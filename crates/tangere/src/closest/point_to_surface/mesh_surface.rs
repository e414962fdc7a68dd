//! Mesh surface: nearest point of a triangle mesh, signed distance, and triangles within a
//! distance.

use super::mesh_obb_tree::MeshObbTree;
use super::morton_curve::MortonCurve;
use super::nearest_triangle::{NearestTriangle, TriangleSearch};
use super::pseudonormals::Pseudonormals;
use super::surface_sign::{Nearest, SurfaceSign};
use super::triangles_within::Within;
use super::within_distance::{faces_within, within_methods};
use crate::error::{Argument, Result};
use crate::geometry::{TriangleFeature, check_points};
use crate::memory;
use crate::parallel::{Row, Rows};
use crate::shape::TriMesh;
use crate::simd::{Kernel, Vector, prefetch, run_widest};
use crate::stop::Current;
use rayon::prelude::*;
use std::sync::OnceLock;

/// The number of query points in a parallel task. Within a task, each search starts where the last
/// one found its nearest triangle.
const CHUNK: usize = 1024;

/// The prefetch distance: how many queries before its turn a query point is prefetched.
const AHEAD: usize = 8;

/// The point of a surface nearest to a given point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// The index of the face on which the nearest point lies. If it lies on several faces of a
    /// triangle mesh, this is the least index. For a surface of finite element faces the rule is
    /// that of [`Projection::face`](super::Projection::face): the face with the fewest active sides
    /// comes first.
    pub face: u32,
    /// The point of the surface nearest to the given point.
    pub point: [f64; 3],
    /// The distance of the nearest point from the given point.
    pub distance: f64,
    /// The signed distance, negative inside; NaN if a mesh is not closed and oriented. Of a triangle
    /// mesh it is negative where [`inside`](crate::inside) finds the point inside, whichever way
    /// shells cross, overlap, are nested or inverted, and 0 where it finds it on the surface and
    /// nowhere else: a distance that rounds to 0 is 1.5e-154. Of a surface of finite element faces
    /// the nearest face decides the sign.
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

/// A triangle mesh prepared for nearest-point queries.
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
    /// The corners of each triangle of the mesh, so that a triangle is read by one memory access.
    triangles: Vec<[[f64; 3]; 3]>,
    faces: Vec<[u32; 3]>,
    tree: MeshObbTree,
    /// Whether distances have a sign: the surface is closed and oriented.
    is_signed: bool,
    /// The pseudonormals, which show the side of a point; `None` unless the surface is closed and
    /// oriented and has no triangles without area.
    pseudonormals: Option<Pseudonormals>,
    /// What gives the distance its sign, prepared at the first query that needs one. `None` in it
    /// only if there are no triangles.
    sign: OnceLock<Option<SurfaceSign>>,
}

within_methods!(MeshSurface);

impl MeshSurface {
    /// Prepares the surface of a triangle mesh for nearest-point queries.
    pub fn new(mesh: &TriMesh) -> Self {
        let report = mesh.report();
        let is_signed = report.closed && report.oriented;
        // Next to a triangle without area a pseudonormal is not defined.
        let is_regular = is_signed && report.degenerate_triangles == 0;
        Self {
            triangles: (0..mesh.faces().len()).map(|f| mesh.triangle(f)).collect(),
            faces: mesh.faces().to_vec(),
            tree: MeshObbTree::new(mesh),
            is_signed,
            pseudonormals: is_regular.then(|| Pseudonormals::new(mesh)),
            sign: OnceLock::new(),
        }
    }

    /// Whether the gaps of the mesh surface are signed: the mesh is closed and oriented.
    pub fn is_signed(&self) -> bool {
        self.is_signed
    }

    /// What gives the distance its sign; `None` if the surface is not closed and oriented. It is
    /// prepared outside of the lock: a thread of the pool that waits for a part of its own work may
    /// start another query of this surface, and would then wait for itself.
    pub(super) fn sign(&self) -> Option<&SurfaceSign> {
        if !self.is_signed {
            return None;
        }
        let sign = self.sign.get();
        let sign = sign.unwrap_or_else(|| {
            let nearest = |p: [f64; 3]| self.nearest_feature(p);
            let has_pseudonormals = self.pseudonormals.is_some();
            let made = SurfaceSign::new(&self.triangles, &self.faces, has_pseudonormals, nearest);
            self.sign.get_or_init(|| made)
        });
        sign.as_ref()
    }

    /// The face nearest to a point, the feature of it on which the nearest point lies, and the
    /// distance.
    fn nearest_feature(&self, point: [f64; 3]) -> Option<(u32, TriangleFeature, f64)> {
        let found = run_widest(Find {
            surface: self,
            point,
        })?;
        let distance = found.nearest.distance_squared.sqrt();
        Some((found.face, found.nearest.feature, distance))
    }

    /// The point of the mesh surface nearest to a given point.
    ///
    /// # Errors
    /// When a coordinate is not finite, too large, or too small but not 0.
    pub fn closest(&self, point: [f64; 3]) -> Result<SurfacePoint> {
        check_points(Argument::Point, &[point])?;
        let mut answer = SurfacePoint {
            point,
            ..SurfacePoint::default()
        };
        run_widest(Answers {
            surface: self,
            sign: self.sign(),
            queries: &mut [(0, &mut answer)],
        });
        Ok(answer)
    }

    /// The nearest points of the mesh surface to many points, on all threads.
    ///
    /// Points are processed along a space-filling curve, so their given order does not matter; that
    /// takes 16 bytes a point during the call.
    ///
    /// # Errors
    /// When a coordinate is not finite, too large, or too small but not 0; the error names the
    /// point. When the query is cancelled by a [`Stop`](crate::stop::Stop), or memory runs out.
    pub fn closest_all(&self, points: &[[f64; 3]], found: &mut Vec<SurfacePoint>) -> Result<()> {
        check_points(Argument::Point, points)?;
        let sign = self.sign();
        let stop = Current::new();
        let more = points.len().saturating_sub(found.len());
        memory::reserve(found, more, Argument::Points)?;
        found.resize(points.len(), SurfacePoint::default());
        let curve = MortonCurve::through(points, &self.tree.obbs);
        let mut queries: Vec<(u32, &mut SurfacePoint)> =
            memory::reserved(points.len(), Argument::Points)?;
        points
            .par_iter()
            .zip(found.par_iter_mut())
            .with_min_len(CHUNK)
            .map(|(&point, answer)| {
                answer.point = point;
                (curve.place(point), answer)
            })
            .collect_into_vec(&mut queries);
        queries.par_sort_unstable_by_key(|&(place, _)| place);
        queries
            .par_chunks_mut(CHUNK)
            .filter(|_| !stop.is_requested())
            .for_each(|queries| {
                run_widest(Answers {
                    surface: self,
                    sign,
                    queries,
                })
            });
        drop(queries);
        stop.checked().inspect_err(|_| found.clear())
    }

    /// Pushes the indices of all triangles of the mesh surface within `distance` of a point to
    /// `row`, the list of results of this point.
    fn push_within(&self, point: [f64; 3], distance: f64, row: &mut Row<'_, u32>) {
        run_widest(Within {
            tree: &self.tree,
            triangles: &self.triangles,
            point,
            distance,
            report: |face| row.push(face),
        });
    }

    /// The point of the mesh surface nearest to a query point `p`, from the nearest triangle
    /// `found`. The sign of the distance is added.
    #[inline(always)]
    pub(super) fn answer(
        &self,
        sign: Option<&SurfaceSign>,
        p: [f64; 3],
        found: &NearestTriangle,
    ) -> SurfacePoint {
        let distance = found.nearest.distance_squared.sqrt();
        let gap = match sign {
            None => f64::NAN,
            Some(sign) => {
                let nearest = Nearest {
                    face: found.face,
                    vertices: self.faces[found.face as usize],
                    triangle: self.triangles[found.face as usize],
                    closest: &found.nearest,
                    distance,
                };
                let pseudonormals = self.pseudonormals.as_ref();
                distance * sign.of(p, &self.triangles, pseudonormals, &nearest) + 0.0
            }
        };
        SurfacePoint {
            face: found.face,
            point: found.nearest.point,
            distance,
            gap,
        }
    }

    /// A search for the nearest triangle of the mesh surface.
    #[inline(always)]
    pub(super) fn search(&self) -> TriangleSearch<'_> {
        TriangleSearch::new(&self.tree, &self.triangles)
    }
}

/// The kernel that finds the nearest triangle of one point.
struct Find<'a> {
    surface: &'a MeshSurface,
    point: [f64; 3],
}

impl Kernel for Find<'_> {
    type Output = Option<NearestTriangle>;

    #[inline(always)]
    fn run<V: Vector>(self) -> Self::Output {
        self.surface.search().find::<V>(self.point, 0)
    }
}

/// The kernel that answers nearest-point queries in Morton order, the order along a space-filling
/// curve. The query points are stored where their answers will be.
struct Answers<'a, 'b> {
    surface: &'a MeshSurface,
    /// What gives distances their sign, if they have one.
    sign: Option<&'a SurfaceSign>,
    queries: &'a mut [(u32, &'b mut SurfacePoint)],
}

impl Kernel for Answers<'_, '_> {
    type Output = ();

    /// Answers nearest-point queries to a mesh surface one after the other. Each search starts at
    /// the packet, a leaf of the OBB tree, in which the last one found its result.
    #[inline(always)]
    fn run<V: Vector>(self) {
        let surface = self.surface;
        let mut search = surface.search();
        let mut first = 0;
        for i in 0..self.queries.len() {
            if let Some((_, later)) = self.queries.get(i + AHEAD) {
                prefetch(std::slice::from_ref(&**later), 0);
            }
            let answer = &mut *self.queries[i].1;
            let point = answer.point;
            *answer = match search.find::<V>(point, first) {
                Some(found) => {
                    first = found.packet;
                    surface.answer(self.sign, point, &found)
                }
                None => SurfacePoint::default(),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::simd::Portable;

    #[test]
    fn registers_do_not_matter() {
        let mesh = generate::foam(1500, 3).unwrap();
        let surface = MeshSurface::new(&mesh);
        let mut points: Vec<[f64; 3]> = mesh.vertices().to_vec();
        points.extend(mesh.vertices().iter().map(|v| v.map(|x| 0.6 * x + 0.1)));
        points.extend(mesh.vertices().iter().map(|v| v.map(|x| 1e5 * x)));
        let query = |point: &[f64; 3]| SurfacePoint {
            point: *point,
            ..SurfacePoint::default()
        };
        let mut wide: Vec<SurfacePoint> = points.iter().map(query).collect();
        let mut portable = wide.clone();
        fn slots(answers: &mut [SurfacePoint]) -> Vec<(u32, &mut SurfacePoint)> {
            answers.iter_mut().map(|answer| (0, answer)).collect()
        }
        run_widest(Answers {
            surface: &surface,
            sign: surface.sign(),
            queries: &mut slots(&mut wide),
        });
        Answers {
            surface: &surface,
            sign: surface.sign(),
            queries: &mut slots(&mut portable),
        }
        .run::<Portable>();
        assert_eq!(wide, portable);
        for (&point, answer) in points.iter().zip(&wide) {
            let distance = answer.distance * 1.01;
            let (mut wide, mut portable) = (Vec::new(), Vec::new());
            run_widest(Within {
                tree: &surface.tree,
                triangles: &surface.triangles,
                point,
                distance,
                report: |face| wide.push(face),
            });
            Within {
                tree: &surface.tree,
                triangles: &surface.triangles,
                point,
                distance,
                report: |face| portable.push(face),
            }
            .run::<Portable>();
            wide.sort_unstable();
            portable.sort_unstable();
            assert_eq!(wide, portable);
            assert!(wide.contains(&answer.face));
        }
    }
}
