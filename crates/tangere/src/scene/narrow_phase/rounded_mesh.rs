//! Contacts of a rounded solid and a mesh: a BVH finds the triangles near the core, and every local
//! minimum of the distance is a contact (`mesh_features`).
//!
//! A core that penetrates a solid whose mesh is convex has one contact, that of the two convex bodies:
//! the shortest translation that separates them, whichever triangles the core crosses.
//!
//! Of other meshes, for each triangle that the core crosses, the shortest translation that separates
//! the two is a contact if its direction is in the normal cone of the mesh. Otherwise, as where a small
//! triangle of a large flat surface would leave the core sideways, the core leaves along a normal of the
//! mesh: that of the facet of the triangle, or that of a facet that shares a corner with it and has it
//! behind its plane, whichever translation is shorter. Normals are outward of a solid, and to the side of
//! the core's centre of a wall. A triangle that a shallower contact separates from the core already
//! has none. So of every triangle that the core crosses there is a contact whose translation separates
//! the two. A core wholly inside a solid that is not convex has one contact, with the facet nearest to
//! its centre.

use super::super::mesh_part::MeshPart;
use super::super::rounded::Rounded;
use super::mesh_features::{
    Minimum, Nearest, TOLERANCE, Touched, drop_separated, feature_of, merge,
};
use super::{ANY_NORMAL, ROUNDING, Scratch, status};
use crate::closest::{SurfacePoint, Tracker};
use crate::contact::{Contact, Feature, FeatureKind};
use crate::geometry::TriangleFeature;
use crate::geometry::triangle::closest_on_triangle;
use crate::geometry::vector::{dot, largest, length, minus};
use crate::geometry::{Pose, flushed};
use crate::shape::ConvexPolyhedron;

/// The distance from a triangle, relative to the size of a sphere, below which its centre counts as a
/// point of the triangle, so that the normal is that of the facet.
const CENTERED: f64 = 1e-6;

/// The distance of a point inside a solid from the surface, relative to the coordinates of the nearest
/// triangle, below which rounding turns the direction from one to the other by more than 1e-3, so that the
/// normal is that of the facet.
const INDISTINCT: f64 = 1e-12;

/// Memory that is reused from pair to pair.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct MeshScratch {
    faces: Vec<u32>,
    minima: Vec<Minimum>,
    /// A triangle of the mesh as a convex body.
    triangle: Option<ConvexPolyhedron>,
    /// For triangles alone: it keeps the memory of its polytope, which those of tracked pairs exchange.
    tracker: Tracker,
}

/// Memory for the contact of a core and a triangle.
struct Memory<'s> {
    tracker: &'s mut Tracker,
    triangle: &'s mut Option<ConvexPolyhedron>,
}

/// Appends the contacts of a rounded solid, which is `a`, and a mesh, which is `b`, to `out`, in the
/// order of what they touch of the mesh. Returns a lower bound of their gap, which is minus infinity
/// unless it is known from the distance of the centre of the core.
pub(super) fn contacts(
    (a, pose_a): (&Rounded, &Pose),
    (mesh, pose_b): (&MeshPart, &Pose),
    margin: f64,
    scratch: &mut Scratch,
    out: &mut Vec<Contact>,
) -> f64 {
    let between = minus(pose_a.translation(), pose_b.translation());
    let turn = pose_b.at([0.0; 3]).inverse();
    let pose = turn.compose(&pose_a.at(between));
    let reach = a.radius() + margin;
    let box_around = a.bounds(&pose).expanded(margin);
    let MeshScratch {
        faces,
        minima,
        triangle,
        tracker,
    } = &mut scratch.mesh;
    let memory = &mut Memory { tracker, triangle };
    faces.clear();
    minima.clear();
    match scratch.every_face {
        true => faces.extend(0..mesh.mesh().faces().len() as u32),
        false => mesh
            .tree()
            .overlapping(&box_around, |face| faces.push(face)),
    }
    // The order of the tree must not show.
    faces.sort_unstable();
    let core = Core {
        shape: a.core(),
        pose: &pose,
        center: flushed(pose.apply(a.core().center())),
    };
    let size = a.core().radius() + reach + largest(between);
    // An invalid coordinate is out of range: no mesh contains it.
    let nearest = match mesh.is_solid() || faces.is_empty() {
        true => mesh.surface().closest(core.center).ok(),
        false => None,
    };
    let apart = nearest.as_ref().map_or(f64::NEG_INFINITY, |nearest| {
        let distance = if mesh.is_solid() {
            nearest.gap
        } else {
            nearest.distance
        };
        let size = distance.abs() + largest(core.center) + a.core().radius() + a.radius();
        distance - a.core().radius() - a.radius() - 1e-12 * size
    });
    if apart > margin && !scratch.every_face {
        return apart;
    }
    let deep = core.depth_in_convex(mesh, size, memory);
    match deep.or_else(|| core.depth_inside(mesh, faces, nearest, memory)) {
        Some(deep) => minima.push(deep),
        None => {
            for &face in faces.iter() {
                minima.extend(core.minimum(mesh, face, [reach, size], memory));
            }
            drop_separated(minima, mesh, size);
            merge(minima, size);
        }
    }
    for minimum in minima.iter() {
        out.push(placed(minimum, a.radius(), pose_b, size));
    }
    f64::NEG_INFINITY
}

/// The core of a rounded solid in the frame of a mesh.
struct Core<'s> {
    shape: &'s ConvexPolyhedron,
    pose: &'s Pose,
    center: [f64; 3],
}

impl Core<'_> {
    fn is_point(&self) -> bool {
        self.shape.dimension() == 0
    }

    /// The contact of a core that penetrates a convex solid, or touches it within rounding, as that of
    /// two convex bodies; `None` if it does not. A point is left to its nearest triangle.
    fn depth_in_convex(
        &self,
        mesh: &MeshPart,
        size: f64,
        memory: &mut Memory<'_>,
    ) -> Option<Minimum> {
        let hull = mesh.convex().filter(|_| !self.is_point())?;
        let found = (memory.tracker).contact(hull, &Pose::identity(), self.shape, self.pose);
        // Beyond rounding the distance of the triangles decides, and brute force tests all of them.
        if found.gap > TOLERANCE * size {
            return None;
        }
        let face = mesh.surface().closest(found.point_a).ok()?.face;
        let feature = match found.feature_a.kind {
            FeatureKind::Vertex => Feature::vertex(mesh.vertex_of_convex(found.feature_a.index)),
            FeatureKind::Edge => nearest_edge(mesh, face, found.point_a),
            FeatureKind::Face => Feature::face(face),
        };
        Some(Minimum {
            touched: Touched::Facet(mesh.facet(face)),
            feature,
            feature_core: found.feature_b,
            gap: found.gap,
            points: [found.point_a, found.point_b],
            normal: found.normal,
            plane_of: None,
        })
    }

    /// The contact of a core that is wholly inside a solid; `None` if it is not, or if the mesh is a
    /// wall. `faces` are the triangles near the core, `nearest` is the point nearest to its centre.
    fn depth_inside(
        &self,
        mesh: &MeshPart,
        faces: &[u32],
        nearest: Option<SurfacePoint>,
        memory: &mut Memory<'_>,
    ) -> Option<Minimum> {
        let nearest = nearest.filter(|_| mesh.is_solid())?;
        if nearest.gap >= 0.0 || (!self.is_point() && self.crosses(mesh, faces, memory)) {
            return None;
        }
        let face = nearest.face;
        if !self.is_point() {
            return Some(self.below_plane(mesh, face, mesh.facet_normal(mesh.facet(face))));
        }
        let corners = mesh.triangle(face);
        let found = closest_on_triangle(self.center, corners);
        let (touched, feature) = feature_of(mesh, face, found.feature);
        let outward = minus(nearest.point, self.center);
        // A difference of points that nearly coincide, for the size of the triangle, is rounding.
        let scale = corners.into_iter().map(largest).fold(0.0, f64::max);
        let way = length(outward);
        let normal = match way > INDISTINCT * scale {
            true => outward.map(|x| x / way),
            false => mesh.facet_normal(mesh.facet(face)),
        };
        Some(Minimum {
            touched,
            feature,
            feature_core: Feature::vertex(0),
            gap: 0.0 - nearest.distance,
            points: [nearest.point, self.center],
            normal,
            plane_of: None,
        })
    }

    /// Whether the core has a point in common with one of the triangles.
    fn crosses(&self, mesh: &MeshPart, faces: &[u32], memory: &mut Memory<'_>) -> bool {
        faces.iter().any(|&face| {
            if self.is_beyond(mesh, face, 0.0) {
                return false;
            }
            let contact = self.contact(mesh, face, memory);
            contact.is_some_and(|(contact, _)| contact.gap <= 0.0)
        })
    }

    /// The contact of a triangle, which is `a`, and the core, with the feature of the triangle.
    fn contact(
        &self,
        mesh: &MeshPart,
        face: u32,
        memory: &mut Memory<'_>,
    ) -> Option<(Contact, TriangleFeature)> {
        // The corners of a mesh are valid.
        let corners = mesh.triangle(face);
        let triangle = ConvexPolyhedron::reuse_for_triangle(memory.triangle, corners).ok()?;
        let contact = memory
            .tracker
            .contact(triangle, &Pose::identity(), self.shape, self.pose);
        // Corners of the hull are numbered as those of the triangle, without repeated ones.
        let corner = |v: u32| triangle.sources()[v as usize] as u8;
        let place = match contact.feature_a.kind {
            FeatureKind::Vertex => TriangleFeature::Vertex(corner(contact.feature_a.index)),
            FeatureKind::Edge => {
                let [p, q] = triangle.edge_vertices(contact.feature_a.index).map(corner);
                TriangleFeature::Edge(if (p + 1) % 3 == q { p } else { q })
            }
            FeatureKind::Face => TriangleFeature::Face,
        };
        Some((contact, place))
    }

    /// The local minimum of the distance of the core and a triangle; `None` if there is none, or if
    /// it is beyond `reach`. `size` is the size of the core and the reach around it.
    fn minimum(
        &self,
        mesh: &MeshPart,
        face: u32,
        [reach, size]: [f64; 2],
        memory: &mut Memory<'_>,
    ) -> Option<Minimum> {
        let facet_normal = mesh.facet_normal(mesh.facet(face));
        let (place, points, gap, feature_core);
        let (normal, slack);
        if self.is_point() {
            let found = closest_on_triangle(self.center, mesh.triangle(face));
            let away = minus(self.center, found.point);
            (place, points) = (found.feature, [found.point, self.center]);
            (gap, feature_core) = (length(away), Feature::vertex(0));
            // A difference of points that nearly coincide has no direction.
            (normal, slack) = match gap > CENTERED * size {
                true => (away.map(|x| x / gap), TOLERANCE * size / gap),
                false if dot(away, facet_normal) < 0.0 => {
                    (facet_normal.map(|x| 0.0 - x), TOLERANCE)
                }
                false => (facet_normal, TOLERANCE),
            };
        } else {
            if self.is_beyond(mesh, face, reach) {
                return None;
            }
            let (found, on_triangle) = self.contact(mesh, face, memory)?;
            (place, points) = (on_triangle, [found.point_a, found.point_b]);
            (gap, feature_core) = (found.gap, found.feature_b);
            (normal, slack) = (found.normal, TOLERANCE);
        }
        if gap > reach {
            return None;
        }
        let nearest = Nearest {
            face,
            place,
            normal,
            slack,
        };
        match nearest.local_minimum(mesh) {
            Some((touched, feature)) => Some(Minimum {
                touched,
                feature,
                feature_core,
                gap,
                points,
                normal,
                plane_of: None,
            }),
            None if gap <= 0.0 && !self.is_point() => Some(self.way_out(mesh, face, size)),
            None => None,
        }
    }

    /// Whether the plane of a triangle separates it from the core by more than `reach`.
    fn is_beyond(&self, mesh: &MeshPart, face: u32, reach: f64) -> bool {
        // First the ball around the core, which costs less.
        let near = closest_on_triangle(self.center, mesh.triangle(face));
        let radius = self.shape.radius() + reach;
        let error = 1e-12 * (radius + largest(self.center) + largest(near.point));
        if near.distance_squared > (radius + error) * (radius + error) {
            return true;
        }
        let normal = mesh.facet_normal(mesh.facet(face));
        let corners = mesh.triangle(face).map(|p| dot(normal, p));
        let local = self.pose.rotate_back(normal);
        let height = |v: u32| dot(normal, self.pose.apply(self.shape.vertex(v)));
        let below = local.map(|x| 0.0 - x);
        let lowest = height(self.shape.climb(self.shape.start(below), below));
        let highest = height(self.shape.climb(self.shape.start(local), local));
        let top = corners.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let bottom = corners.into_iter().fold(f64::INFINITY, f64::min);
        // Rounding of heights, and of the vertices that climbing finds.
        let error = 1e-12 * (lowest.abs() + highest.abs() + top.abs() + bottom.abs() + reach);
        lowest - top > reach + error || bottom - highest > reach + error
    }

    /// The normal along which a core that crosses a triangle leaves it: outward from a solid, to the
    /// side of the centre of the core from a wall.
    fn upward(&self, mesh: &MeshPart, face: u32, normal: [f64; 3]) -> [f64; 3] {
        let height = dot(normal, minus(self.center, mesh.triangle(face)[0]));
        match mesh.is_solid() || height >= 0.0 {
            true => normal,
            false => normal.map(|x| 0.0 - x),
        }
    }

    /// The contact along whose normal the core leaves a triangle that it crosses: the shallowest of those
    /// with the plane of its facet, and with planes of facets that share a corner with it and have it
    /// behind them.
    fn way_out(&self, mesh: &MeshPart, face: u32, size: f64) -> Minimum {
        let own = mesh.facet(face);
        let mut best =
            self.below_plane(mesh, face, self.upward(mesh, face, mesh.facet_normal(own)));
        let corners = mesh.triangle(face);
        let around = mesh.corners(face).into_iter();
        let mut tested = own;
        for &other in around.flat_map(|corner| mesh.around(corner)) {
            let facet = mesh.facet(other);
            // Triangles around a corner often come in runs of one facet.
            if facet == own || facet == tested {
                continue;
            }
            tested = facet;
            let normal = self.upward(mesh, other, mesh.facet_normal(facet));
            let origin = mesh.triangle(other)[0];
            let is_behind = |p: [f64; 3]| dot(normal, minus(p, origin)) <= TOLERANCE * size;
            if !corners.into_iter().all(is_behind) {
                continue;
            }
            let found = self.below_plane(mesh, other, normal);
            if found.gap > best.gap && found.gap <= 0.0 {
                best = found;
            }
        }
        best.plane_of = Some(face);
        best
    }

    /// The contact of the core with the plane of the facet of a triangle: its lowest vertex.
    fn below_plane(&self, mesh: &MeshPart, face: u32, normal: [f64; 3]) -> Minimum {
        let origin = mesh.triangle(face)[0];
        let down = self.pose.rotate_back(normal).map(|x| 0.0 - x);
        let vertex = self.shape.climb(self.shape.start(down), down);
        let at = self.pose.apply(self.shape.vertex(vertex));
        let height = dot(normal, minus(at, origin));
        Minimum {
            touched: Touched::Facet(mesh.facet(face)),
            feature: Feature::face(face),
            feature_core: Feature::vertex(vertex),
            gap: height,
            points: [std::array::from_fn(|k| at[k] - height * normal[k]), at],
            normal,
            plane_of: Some(face),
        }
    }
}

/// The edge of a triangle nearest to a point on it, as a feature of the first triangle that has it.
fn nearest_edge(mesh: &MeshPart, face: u32, point: [f64; 3]) -> Feature {
    let corners = mesh.triangle(face);
    let away = |k: usize| {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        closest_on_triangle(point, [from, to, to]).distance_squared
    };
    let nearest = (0..3).min_by(|&i, &j| away(i).total_cmp(&away(j)));
    let nearest = nearest.unwrap_or(0);
    let [p, q] = [nearest, (nearest + 1) % 3].map(|k| mesh.corners(face)[k]);
    let sharing = mesh.around(p).iter().copied();
    // Triangles around a point are in ascending order.
    let found = sharing.flat_map(|other| {
        let [a, b, c] = mesh.corners(other);
        let edges = [(a, b), (b, c), (c, a)].into_iter().zip(0..3);
        edges.map(move |(ends, k)| (ends, 3 * other + k))
    });
    let mut found = found.filter(|&((a, b), _)| (a, b) == (p, q) || (b, a) == (p, q));
    Feature::edge(
        found
            .next()
            .map_or(3 * face + nearest as u32, |(_, edge)| edge),
    )
}

/// A minimum in the frame of the mesh as the contact of the rounded solid `a` and the mesh `b`, in the
/// frame in which `pose` is that of the mesh.
fn placed(minimum: &Minimum, radius: f64, pose: &Pose, size: f64) -> Contact {
    let normal = match minimum.normal == [0.0; 3] {
        true => ANY_NORMAL,
        false => minimum.normal,
    };
    let gap = minimum.gap - radius;
    let error = ROUNDING * (size + largest(minimum.points[0]));
    let bounds = [gap - error, gap + error];
    let [on_mesh, on_core] = minimum.points;
    let on_solid = flushed(std::array::from_fn(|k| on_core[k] - radius * normal[k]));
    Contact {
        gap,
        lower: bounds[0],
        upper: bounds[1],
        point_a: pose.apply(on_solid),
        point_b: pose.apply(on_mesh),
        normal: pose.rotate(normal).map(|x| 0.0 - x),
        feature_a: minimum.feature_core,
        feature_b: minimum.feature,
        status: status(bounds),
        steps: 0,
    }
}
