//! Face surface: nearest point of a surface of finite element faces, signed gap, and faces within a
//! distance.
//!
//! Paper: `aragon2013`, section 3.3, for one face. Here the nearest face of a surface is found by a
//! tree over the boxes of control points.
//!
//! The gap is the distance with a sign: negative if the vector from the nearest point to the query
//! point has a negative component along the normal there, otherwise positive; it is NaN where the
//! surface has no normal. The normal is that of the face if the nearest point is inside a face; on
//! an edge or at a corner it is the angle-weighted pseudonormal of all faces there
//! (`shape/face/pseudonormals`). [`FaceSurface::project`] signs the gap of open surfaces as well,
//! since surfaces in contact are usually open. [`FaceSurface::closest`] gives a sign only if the
//! surface is closed, where negative means inside.

use super::SurfacePoint;
use super::face_bound::{FaceBound, ROUNDING, centered};
use super::face_obb_tree::FaceObbTree;
use super::nearest_face::{GROUP, NearestFace};
use super::ordered_faces::OrderedFaces;
use super::projection::{Projection, ProjectionStatus};
use super::within_distance::{faces_within, within_methods};
use crate::closest::point_to_face::{FacePoint, FaceStatus, PreparedFace, UNKNOWN};
use crate::closest::published::BfgsSqp;
use crate::error::{Argument, Result};
use crate::geometry::vector::{dot, minus};
use crate::geometry::{Aabb, are_collinear, check_points, flushed, point_on_triangle};
use crate::memory;
use crate::parallel::{Row, Rows};
use crate::shape::{Face, FaceKind, FaceMesh, FaceTopology};
use crate::simd::prefetch;
use crate::stop::Current;
use rayon::prelude::*;

/// The number of chunks into which many query points are cut for parallel projection. There are
/// fewer if a chunk would have less than [`CHUNK_MIN`] points, and more if it would have over
/// [`CHUNK_MAX`].
const CHUNKS: usize = 32;

/// The least number of query points in a chunk, the unit of parallel work. The points of a chunk
/// are sorted by the faces that are likely to be nearest to them, and processed in this order.
const CHUNK_MIN: usize = 256;
/// The greatest number of query points in a chunk, the unit of parallel work.
const CHUNK_MAX: usize = 8192;

/// A surface of finite element faces, or a curve of segments, prepared for nearest-point queries.
///
/// ```
/// use tangere::closest::FaceSurface;
/// use tangere::generate;
/// use tangere::shape::FaceKind;
///
/// let surface = FaceSurface::new(&generate::face_sphere(FaceKind::Quad8, 3)?);
/// let nearest = surface.project([0.0, 0.6, 0.3])?;
/// let radius = 0.45f64.sqrt();
/// assert!((nearest.gap - (radius - 1.0)).abs() < 1e-4);
/// assert!((nearest.normal[1] - 0.6 / radius).abs() < 1e-3);
/// assert_eq!(nearest.status.name(), "proven");
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FaceSurface {
    faces: OrderedFaces,
    is_folded: Vec<bool>,
    is_closed: bool,
    /// For each face whether it has no area, so that its computed normal consists of rounding
    /// errors.
    is_without_area: Vec<bool>,
    /// For each node whether it belongs to a face without area, so that its pseudonormal is not
    /// defined.
    is_doubtful: Vec<bool>,
    /// The mesh relative to the center of its box, for normals: near the origin they lose no
    /// digits.
    mesh: FaceMesh,
    topology: FaceTopology,
    node_normals: Vec<[f64; 3]>,
}

within_methods!(FaceSurface);

impl FaceSurface {
    /// Prepares a surface of finite element faces for nearest-point queries.
    pub fn new(mesh: &FaceMesh) -> Self {
        let all = || (0..mesh.len()).into_par_iter();
        let (tree, numbers) = FaceObbTree::new(mesh);
        let each = || numbers.par_iter().map(|&f| mesh.face(f as usize));
        let faces = OrderedFaces {
            prepared: each().map(|face| PreparedFace::new(&face)).collect(),
            bounds: each().map(|face| FaceBound::new(&face)).collect(),
            tree,
            numbers,
        };
        let is_folded = all().map(|f| mesh.face(f).fold().is_some()).collect();
        let is_without_area: Vec<bool> = all().map(|f| !mesh.face(f).has_area()).collect();
        let mesh = centered_mesh(mesh);
        let topology = mesh.topology();
        let mut is_doubtful = vec![false; mesh.nodes().len()];
        for f in (0..mesh.len()).filter(|&f| is_without_area[f]) {
            for &node in mesh.nodes_of(f) {
                is_doubtful[node as usize] = true;
            }
        }
        let is_closed = topology.is_closed() && topology.is_oriented();
        Self {
            faces,
            is_folded,
            is_closed: is_closed && !(0..mesh.len()).any(|f| is_on_a_line(&mesh.face(f))),
            is_without_area,
            is_doubtful,
            node_normals: mesh.node_normals(&topology),
            mesh,
            topology,
        }
    }

    /// The number of faces of the face surface.
    pub fn len(&self) -> usize {
        self.is_folded.len()
    }

    /// Whether the face surface has no faces; never true.
    pub fn is_empty(&self) -> bool {
        self.is_folded.is_empty()
    }

    /// Whether the face surface is closed and oriented and no face lies on a line, so that a
    /// negative gap means that the point is inside.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// The point of the face surface nearest to a given point, with gap, normal, lower bound and
    /// KKT multipliers.
    ///
    /// # Errors
    /// When a coordinate is not finite, too large, or too small but not 0.
    pub fn project(&self, point: [f64; 3]) -> Result<Projection> {
        check_points(Argument::Point, &[point])?;
        let mut answer = Projection::default();
        let report = |found| answer = self.projection(point, found);
        self.faces.nearest(point, report);
        Ok(answer)
    }

    /// The projections of many points onto the face surface, on all threads.
    ///
    /// # Errors
    /// When a coordinate is not finite, too large, or too small but not 0; the error names the
    /// point. When the query is cancelled by a [`Stop`](crate::stop::Stop), or memory runs out.
    pub fn project_all(&self, points: &[[f64; 3]], found: &mut Vec<Projection>) -> Result<()> {
        self.each(points, found, |projection| projection)
    }

    /// The projections of many points onto the face surface by SQP as published ([`BfgsSqp`]), on all
    /// threads: of all faces the one whose local minimum is nearest (`aragon2013`, eq. 17). Faces
    /// whose box is farther than that are left out. Nothing is proven: statuses are bracketed or
    /// folded, and on curved faces a distance can be too large.
    ///
    /// # Errors
    /// As [`FaceSurface::project_all`].
    pub fn project_published(
        &self,
        points: &[[f64; 3]],
        sqp: &BfgsSqp,
        found: &mut Vec<Projection>,
    ) -> Result<()> {
        check_points(Argument::Point, points)?;
        let more = points.len().saturating_sub(found.len());
        memory::reserve(found, more, Argument::Points)?;
        found.resize(points.len(), Projection::default());
        let stop = Current::new();
        let pairs = points.par_iter().zip(found.par_iter_mut());
        pairs.for_each_init(Vec::new, |order, (&y, found)| {
            if !stop.is_requested() {
                *found = self.projection(y, self.published(y, sqp, order));
            }
        });
        stop.checked().inspect_err(|_| found.clear())
    }

    /// The face whose local minimum by SQP as published is nearest to `y`; of several the one with
    /// the fewest active sides, then the one of least index. `order` is scratch memory.
    fn published(&self, y: [f64; 3], sqp: &BfgsSqp, order: &mut Vec<(f64, u32)>) -> NearestFace {
        order.clear();
        let bounds = self.faces.bounds.iter().zip(0..);
        order.extend(bounds.map(|(bound, place)| (bound.lower(y), place)));
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut best: Option<(u32, FacePoint)> = None;
        for &(lower, place) in &*order {
            if best.is_some_and(|(_, point)| lower > point.distance) {
                break;
            }
            let face = self.faces.prepared[place as usize].face();
            let found = (place, sqp.nearest_to_valid(face, y));
            let is_better = best.is_none_or(|best| {
                let way = found.1.distance - best.1.distance;
                let near = ROUNDING * (found.1.distance + face_size(face));
                let is_first = self.faces.rank(&found) < self.faces.rank(&best);
                way < -near || way <= near && is_first
            });
            if is_better {
                best = Some(found);
            }
        }
        let (place, point) = best.unwrap_or((0, UNKNOWN));
        NearestFace {
            place,
            point,
            lower: order.first().map_or(0.0, |first| first.0),
            is_proven: false,
        }
    }

    /// The nearest point of the face surface, as [`project`](Self::project) finds it; its gap is
    /// NaN if the surface is not [closed](Self::is_closed).
    ///
    /// # Errors
    /// As [`FaceSurface::project`].
    pub fn closest(&self, point: [f64; 3]) -> Result<SurfacePoint> {
        Ok(self.project(point)?.on_surface(self.is_closed))
    }

    /// The nearest points of the face surface to many points, on all threads.
    ///
    /// # Errors
    /// As [`FaceSurface::project_all`].
    pub fn closest_all(&self, points: &[[f64; 3]], found: &mut Vec<SurfacePoint>) -> Result<()> {
        self.each(points, found, |projection| {
            projection.on_surface(self.is_closed)
        })
    }

    /// Pushes the indices of all faces of the face surface within `distance` of a point to `row`,
    /// the list of results of this point.
    fn push_within(&self, y: [f64; 3], distance: f64, row: &mut Row<'_, u32>) {
        self.faces.within(y, distance, |place| {
            if self.is_within(place, y, distance) {
                row.push(self.faces.numbers[place as usize]);
            }
        });
    }

    /// Whether a face of the face surface, given by its index in tree order, is within `distance`
    /// of a point.
    fn is_within(&self, place: u32, y: [f64; 3], distance: f64) -> bool {
        let bound = &self.faces.bounds[place as usize];
        if bound.lower(y) > distance {
            return false;
        }
        // Most are within because a corner is; only the others need their nearest point.
        if self.faces.upper(place, y) <= distance {
            return true;
        }
        let nearest = self.faces.solved(place, y);
        match nearest.status {
            FaceStatus::Proven => nearest.distance <= distance || self.is_on(place, y),
            FaceStatus::Bracketed => nearest.lower <= distance,
        }
    }

    /// Whether a point is exactly on a face of the face surface, if this face is a flat triangle;
    /// false for other kinds. The computed distance of such a point may be rounded up from 0.
    fn is_on(&self, place: u32, y: [f64; 3]) -> bool {
        let face = self.faces.prepared[place as usize].face();
        match (face.kind(), face.nodes()) {
            (FaceKind::Tri3, &[a, b, c]) => point_on_triangle(y, [a, b, c]).is_some(),
            _ => false,
        }
    }

    /// Projects many points onto the face surface, in parallel. `found` receives
    /// `report(projection)` for each point.
    fn each<T: Clone + Default + Send>(
        &self,
        points: &[[f64; 3]],
        found: &mut Vec<T>,
        report: impl Fn(Projection) -> T + Sync,
    ) -> Result<()> {
        check_points(Argument::Point, points)?;
        let more = points.len().saturating_sub(found.len());
        memory::reserve(found, more, Argument::Points)?;
        found.resize(points.len(), T::default());
        let stop = Current::new();
        // A projection depends on its point alone, not on how points are cut into chunks.
        let chunk = (points.len() / CHUNKS).clamp(CHUNK_MIN, CHUNK_MAX);
        let chunks = points.par_chunks(chunk).zip(found.par_chunks_mut(chunk));
        chunks.for_each(|(points, found)| {
            if stop.is_requested() {
                return;
            }
            let mut order = [0; CHUNK_MAX];
            let order = &mut order[..points.len()];
            self.faces.in_order(points, order);
            for order in order.chunks(GROUP) {
                for &ordered in order {
                    prefetch(found, ordered as u32 as usize);
                }
                let report =
                    |i: usize, nearest| found[i] = report(self.projection(points[i], nearest));
                self.faces.nearest_of::<GROUP>(points, order, report);
            }
        });
        stop.checked().inspect_err(|_| found.clear())
    }

    /// The projection of a point onto the face surface, from the nearest face `found`, which gives
    /// the nearest point. Gap, normal and status are added.
    #[inline]
    fn projection(&self, y: [f64; 3], found: NearestFace) -> Projection {
        let NearestFace {
            place,
            point,
            lower,
            is_proven,
        } = found;
        let face = self.faces.numbers[place as usize];
        let f = face as usize;
        let prepared = self.faces.prepared[place as usize].face();
        let (origin, about) = centered(prepared);
        let way = minus(minus(y, origin), about.point(point.xi));
        let normal = match self.is_without_normal(f, about.kind(), point.active) {
            true => [0.0; 3],
            false => self.normal(f, &about, point.xi, point.active),
        };
        let height = dot(normal, way);
        let gap = if normal == [0.0; 3] {
            f64::NAN
        } else if height < 0.0 {
            0.0 - point.distance
        } else {
            point.distance
        };
        let status = if self.is_folded[f] {
            ProjectionStatus::Folded
        } else if is_proven {
            ProjectionStatus::Proven
        } else {
            ProjectionStatus::Bracketed
        };
        Projection {
            face,
            xi: point.xi,
            point: point.point,
            distance: point.distance,
            lower,
            gap,
            normal,
            multipliers: point.multipliers,
            active: point.active,
            residual: point.residual,
            status,
            iterations: point.iterations,
        }
    }

    /// Whether the face surface has no normal at a nearest point: the point lies inside a face
    /// without area, at a corner of such a face, or on an edge whose two ends are such corners. `f`
    /// is the index of the face on which the point lies, `kind` its kind, and `active` are the
    /// sides of the face on which the point lies.
    fn is_without_normal(&self, f: usize, kind: FaceKind, active: u8) -> bool {
        let nodes = self.mesh.nodes_of(f);
        let is_doubtful = |k: usize| self.is_doubtful[nodes[k] as usize];
        match face_feature(kind, active) {
            FaceFeature::Inside => self.is_without_area[f],
            FaceFeature::Corner(k) => is_doubtful(k),
            FaceFeature::Edge(k) => is_doubtful(k) && is_doubtful((k + 1) % kind.corners()),
        }
    }

    /// The unit normal of the face surface at the point with the reference coordinates `xi` on face
    /// `f`; 0 if there is none. `face` is that face, and `active` are the sides on which the point
    /// lies.
    fn normal(&self, f: usize, face: &Face, xi: [f64; 2], active: u8) -> [f64; 3] {
        let kind = face.kind();
        let shared = match face_feature(kind, active) {
            FaceFeature::Inside => [0.0; 3],
            FaceFeature::Corner(k) => self.node_normals[self.mesh.nodes_of(f)[k] as usize],
            FaceFeature::Edge(edge) => {
                let place = parameter_on_edge(kind, edge, xi);
                self.mesh.edge_normal(&self.topology, f, edge, place)
            }
        };
        if shared != [0.0; 3] {
            return shared;
        }
        face.normal(xi).unwrap_or_default()
    }
}

/// The size of a face, for the rounding of its distance: the longest side of the box of its nodes.
fn face_size(face: &Face) -> f64 {
    let extent = Aabb::of_points(face.nodes().iter().copied()).extent();
    extent.into_iter().fold(0.0, f64::max)
}

/// The mesh of a face surface, moved so that the center of its box is the origin; for normals only.
fn centered_mesh(mesh: &FaceMesh) -> FaceMesh {
    let middle = mesh.bounds().center();
    let (nodes, kinds, indices) = mesh.clone().into_parts();
    let moved = nodes.iter().map(|&node| flushed(minus(node, middle)));
    // Nodes that no face uses may be anywhere; if that makes them invalid, all stay.
    FaceMesh::new(moved.collect(), kinds, indices).unwrap_or_else(|_| mesh.clone())
}

/// Whether all nodes of a face of a face surface are exactly on one line or in one point.
fn is_on_a_line(face: &Face) -> bool {
    let nodes = face.nodes();
    let collinear = |k: usize| are_collinear(nodes[0], nodes[k], nodes[k + 1]);
    face.kind().dimension() == 2 && (1..nodes.len() - 1).all(collinear)
}

/// The feature of a face on which a point lies: its inside, an edge or a corner.
enum FaceFeature {
    Inside,
    Edge(usize),
    Corner(usize),
}

/// The feature on which a nearest point of a face surface lies, from the active sides of the face.
/// Edge `k` runs from corner `k` to the next corner; the sides of a segment are its ends.
fn face_feature(kind: FaceKind, active: u8) -> FaceFeature {
    let n = kind.corners();
    let first = active.trailing_zeros() as usize;
    if first >= n {
        return FaceFeature::Inside;
    }
    if kind.dimension() == 1 {
        return FaceFeature::Corner(first);
    }
    match active.count_ones() {
        1 => FaceFeature::Edge(first),
        // Edges 0 and n - 1 meet at corner 0, others at the start of the later one.
        _ if active >> (first + 1) & 1 == 1 => FaceFeature::Corner(first + 1),
        _ => FaceFeature::Corner(first),
    }
}

/// The parameter of a nearest point of a face surface along an edge of its face, from 0 at the
/// first corner of the edge to 1 at the next.
fn parameter_on_edge(kind: FaceKind, edge: usize, xi: [f64; 2]) -> f64 {
    let [a, b] = [0.0, 1.0].map(|end| kind.on_edge(edge, end));
    let d = minus(b, a);
    (dot(minus(xi, a), d) / dot(d, d)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_those_on_which_all_active_sides_meet() {
        for kind in FaceKind::ALL {
            let sides = kind.constraints();
            for (k, &xi) in kind.node_coordinates().iter().enumerate() {
                let on = |i: usize| sides[i].value(xi) == 0.0;
                let active = (0..sides.len()).map(|i| u8::from(on(i)) << i).sum();
                match face_feature(kind, active) {
                    FaceFeature::Corner(corner) => assert_eq!(corner, k, "{kind}"),
                    FaceFeature::Edge(edge) => {
                        assert_eq!(kind.edge(edge).1, Some(k), "{kind}");
                        assert_eq!(parameter_on_edge(kind, edge, xi), 0.5);
                    }
                    FaceFeature::Inside => assert!(active == 0 && xi == kind.center()),
                }
            }
        }
    }
}
