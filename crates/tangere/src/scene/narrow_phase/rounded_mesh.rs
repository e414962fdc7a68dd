//! Contacts of a rounded solid and a mesh: a BVH finds the triangles near the core, and every local
//! minimum of the distance is a contact (`mesh_features`).
//!
//! Of a triangle that the core penetrates, the shortest translation that separates the two is a contact
//! if its direction is in the normal cone of the mesh. Otherwise, as where a small triangle of a large
//! flat surface would leave the core sideways, the contact is that of the core and the plane of the
//! facet: along its outward normal for a solid, to the side of the core's centre for a wall, unless a
//! shallower contact separates the triangle from the core already. So of every triangle that the core
//! crosses there is a contact whose translation separates the two. A core wholly inside a solid has one contact, with the
//! facet nearest to its centre.

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
    match core.depth_inside(mesh, faces, nearest, memory) {
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
            None if gap <= 0.0 && !self.is_point() => {
                let upward = self.upward(mesh, face, facet_normal);
                Some(self.below_plane(mesh, face, upward))
            }
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
