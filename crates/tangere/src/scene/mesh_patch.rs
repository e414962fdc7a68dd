//! Contact patch of a convex core and a facet of a mesh: the part of the core's face, edge or vertex on
//! the plane of the facet that lies over its triangles.
//!
//! The patch of the core with each triangle of the facet near it is a polygon
//! ([`closest::Patch`](crate::closest::Patch)). Triangles of a flat facet must not show, so the patch of
//! the facet has the corners of the convex hull of these polygons: exact where the facet is convex
//! under the core, and larger by what the hull adds at a notch.

use super::mesh_part::MeshPart;
use super::rounded::Rounded;
use crate::closest::{Patch, PatchPoint};
use crate::contact::{Contact, Feature};
use crate::geometry::triangle::closest_on_triangle;
use crate::geometry::vector::{cross, dot, largest};
use crate::geometry::{Aabb, Pose};
use crate::shape::ConvexPolyhedron;

/// The distance below which corners of neighbouring triangles are one, relative to the size of the
/// core.
const SAME: f64 = 1e-9;

/// Appends the corners of the patch of a rounded solid, which is `a`, and the facet of a mesh, in the
/// frame of the pair; nothing where the solid has but one point on it.
pub(super) fn facet_patch(
    (x, pose_a): (&Rounded, &Pose),
    (mesh, pose_b): (&MeshPart, &Pose),
    (facet, contact): (u32, &Contact),
    patch: &mut Patch,
    out: &mut Vec<PatchPoint>,
) {
    let core = x.core();
    let radius = x.radius();
    // The core, and the contact of the core.
    let cores = Contact {
        gap: contact.gap + radius,
        point_a: std::array::from_fn(|k| contact.point_a[k] - radius * contact.normal[k]),
        ..*contact
    };
    let local = pose_b.inverse().compose(pose_a);
    let reach = cores.gap.abs() + SAME * core.radius();
    let bounds = x.bounds(&local).expanded(reach);
    let mut faces = Vec::new();
    mesh.tree().overlapping(&bounds, |face| {
        if mesh.facet(face) == facet {
            faces.push(face);
        }
    });
    // The order of the tree must not show.
    faces.sort_unstable();
    let mut corners: Vec<PatchPoint> = Vec::new();
    let mut body = None;
    for face in faces {
        let triangle = ConvexPolyhedron::reuse_for_triangle(&mut body, mesh.triangle(face)).ok();
        let Some(triangle) = triangle.filter(|body| body.dimension() == 2) else {
            continue;
        };
        // Of the two sides of a triangle the one towards the core.
        let side = (0..2).find(|&f| dot(pose_b.rotate(triangle.normal(f)), cores.normal) < 0.0);
        let feature_b = Feature::face(side.unwrap_or(0));
        let with_triangle = Contact { feature_b, ..cores };
        patch.update(core, pose_a, triangle, pose_b, &with_triangle);
        // Beside the triangle there is no polygon, but the given points.
        if patch.points().len() > 1 {
            corners.extend(patch.points());
        }
    }
    let size = core.radius() + radius;
    for corner in hull_of(&corners, cores.normal, SAME * size) {
        let n = cores.normal;
        out.push(PatchPoint {
            point_a: std::array::from_fn(|k| corner.point_a[k] + radius * n[k]),
            gap: corner.gap - radius,
            feature_b: contact.feature_b,
            ..corner
        });
    }
}

/// The corners of the convex hull of points in a plane with this normal, counterclockwise about it,
/// without points that are within `same` of another or of an edge (Andrew's monotone chain).
fn hull_of(points: &[PatchPoint], normal: [f64; 3], same: f64) -> Vec<PatchPoint> {
    let axis = match normal[0].abs() < 0.6 {
        true => [1.0, 0.0, 0.0],
        false => [0.0, 1.0, 0.0],
    };
    let u = cross(normal, axis);
    let u = u.map(|x| x / dot(u, u).sqrt());
    let v = cross(normal, u);
    let mut flat: Vec<([f64; 2], PatchPoint)> = Vec::new();
    for point in points {
        let at = [dot(u, point.point_a), dot(v, point.point_a)];
        let is_new = flat
            .iter()
            .all(|(other, _)| (at[0] - other[0]).abs() > same || (at[1] - other[1]).abs() > same);
        if is_new {
            flat.push((at, *point));
        }
    }
    if flat.len() < 3 {
        return flat.into_iter().map(|(_, point)| point).collect();
    }
    flat.sort_by(|x, y| x.0[0].total_cmp(&y.0[0]).then(x.0[1].total_cmp(&y.0[1])));
    // Whether `q` is left of the line from `o` to `p`, by more than `same`.
    let turns = |o: [f64; 2], p: [f64; 2], q: [f64; 2]| {
        let (a, b) = ([p[0] - o[0], p[1] - o[1]], [q[0] - o[0], q[1] - o[1]]);
        let length = (b[0] * b[0] + b[1] * b[1]).sqrt();
        a[0] * b[1] - a[1] * b[0] > same * length
    };
    let chain = |order: &mut dyn Iterator<Item = &([f64; 2], PatchPoint)>| {
        let mut chain: Vec<([f64; 2], PatchPoint)> = Vec::new();
        for &next in order {
            while let [.., o, p] = chain[..]
                && !turns(o.0, p.0, next.0)
            {
                chain.pop();
            }
            chain.push(next);
        }
        chain.pop();
        chain
    };
    let mut hull = chain(&mut flat.iter());
    hull.extend(chain(&mut flat.iter().rev()));
    hull.into_iter().map(|(_, point)| point).collect()
}

/// The facet of a mesh that a contact touches along its normal; `None` if there is none, or the solid is
/// a sphere. A contact at the rim of a facet has an edge or vertex as its feature, and a patch with the
/// facet all the same.
pub(super) fn facet_under(
    x: &Rounded,
    mesh: &MeshPart,
    pose_b: &Pose,
    contact: &Contact,
) -> Option<u32> {
    if x.core().dimension() == 0 {
        return None;
    }
    let back = pose_b.inverse();
    let point = back.apply(contact.point_b);
    let normal = back.rotate(contact.normal);
    let same = SAME * (x.core().radius() + x.radius() + largest(point));
    let here = Aabb {
        min: point,
        max: point,
    };
    let mut least = None;
    mesh.tree().overlapping(&here.expanded(same), |face| {
        let facet_normal = mesh.facet_normal(mesh.facet(face));
        let cosine = dot(facet_normal, normal);
        let across: [f64; 3] = std::array::from_fn(|k| cosine * facet_normal[k] - normal[k]);
        let near = closest_on_triangle(point, mesh.triangle(face));
        if largest(across) < 1e-6 && near.distance_squared.sqrt() <= same {
            least = Some(least.map_or(face, |other: u32| other.min(face)));
        }
    });
    least.map(|face| mesh.facet(face))
}
