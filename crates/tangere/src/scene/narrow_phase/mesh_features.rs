//! Features of a mesh that a convex core touches, each once.
//!
//! A contact of a core and a mesh is a local minimum of their distance: a point `p` of the mesh and a
//! unit normal `n` towards the core such that no way over the mesh from `p` leads along `n` (`n` is in
//! the normal cone of the mesh at `p`). Inside a triangle `n` is its normal; at an edge or vertex all
//! triangles around it must lie behind the plane through `p` with normal `n`. So an edge inside a flat
//! or hollow surface makes no contact.
//!
//! Minima are merged by what they touch: all with the normal of a facet are one contact of that facet,
//! whatever its triangles; equal edges and vertices are one; and of minima at the same place with the
//! same normal, as rounding leaves them next to an edge, the first stays.

use super::super::mesh_part::MeshPart;
use crate::contact::Feature;
use crate::geometry::TriangleFeature;
use crate::geometry::vector::{direction, dot, minus};

/// The rounding of positions and directions that decisions about features tolerate, relative to the
/// size of the core: far above that of arithmetic, far below any angle between facets.
pub(super) const TOLERANCE: f64 = 1e-9;

/// The largest difference of normals of minima at one place that are one contact. In a corner between
/// two facets there are two.
const ALIKE: f64 = 1e-6;

/// What a contact touches of a mesh: the key by which contacts are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touched {
    /// A facet, by its number.
    Facet(u32),
    /// An edge, by its two points, the lower number first.
    Edge(u32, u32),
    /// A vertex, by its point.
    Vertex(u32),
}

/// A local minimum of the distance of a core and a mesh, in the frame of the mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Minimum {
    pub touched: Touched,
    pub feature: Feature,
    pub feature_core: Feature,
    /// The signed distance of core and mesh; negative where the core is in the mesh.
    pub gap: f64,
    /// The points of the mesh and of the core.
    pub points: [[f64; 3]; 2],
    /// The unit normal from the mesh to the core.
    pub normal: [f64; 3],
    /// The triangle, if the contact is that of the core with the plane of its facet rather than a local
    /// minimum.
    pub plane_of: Option<u32>,
}

/// A point of a triangle that is nearest to a core, or deepest in it.
#[derive(Clone, Copy)]
pub(super) struct Nearest {
    pub face: u32,
    pub place: TriangleFeature,
    /// The unit normal from the triangle to the core.
    pub normal: [f64; 3],
    /// The largest component of the normal over the mesh that is rounding.
    pub slack: f64,
}

impl Nearest {
    /// What the point touches, with the feature of the mesh that is reported; `None` if the normal is
    /// not in the normal cone of the mesh there.
    pub fn local_minimum(&self, mesh: &MeshPart) -> Option<(Touched, Feature)> {
        let (touched, feature) = feature_of(mesh, self.face, self.place);
        let own = mesh.facet(self.face);
        // The inner side of a solid is no surface to touch.
        let outward = dot(self.normal, mesh.facet_normal(own));
        if mesh.is_solid() && outward < 0.0 - self.slack {
            return None;
        }
        match touched {
            Touched::Facet(_) => self
                .is_upright(mesh, own, self.slack)
                .then_some((touched, feature)),
            Touched::Edge(a, b) => {
                let sharing = mesh.around(a).iter().copied();
                let sharing = sharing.filter(|&face| mesh.corners(face).contains(&b));
                self.around(mesh, sharing, touched, feature)
            }
            Touched::Vertex(a) => {
                self.around(mesh, mesh.around(a).iter().copied(), touched, feature)
            }
        }
    }

    /// What the point touches at an edge or vertex with the triangles `around` it.
    fn around(
        &self,
        mesh: &MeshPart,
        around: impl Iterator<Item = u32>,
        touched: Touched,
        feature: Feature,
    ) -> Option<(Touched, Feature)> {
        let mut upright: Option<u32> = None;
        let (mut count, mut is_flat, own) = (0, true, mesh.facet(self.face));
        for face in around {
            if !self.is_behind(mesh, face, touched) {
                return None;
            }
            let facet = mesh.facet(face);
            if self.is_upright(mesh, facet, self.slack) {
                upright = Some(upright.map_or(facet, |known| known.min(facet)));
            }
            count += 1;
            is_flat &= facet == own;
        }
        // Ways into triangles are oblique to the normal's deviation, so that it may exceed the slack. Within
        // a facet it is rounding nevertheless: an edge there must make no contact of its own.
        if upright.is_none() && count > 1 && is_flat && self.is_upright(mesh, own, ALIKE) {
            upright = Some(own);
        }
        Some((upright.map_or(touched, Touched::Facet), feature))
    }

    /// Whether the normal is that of a facet up to `slack`, one way or the other; of a solid, outward.
    fn is_upright(&self, mesh: &MeshPart, facet: u32, slack: f64) -> bool {
        let normal = mesh.facet_normal(facet);
        let along = dot(self.normal, normal);
        let beside: [f64; 3] = std::array::from_fn(|k| self.normal[k] - along * normal[k]);
        let is_outward = along > 0.0 || !mesh.is_solid();
        is_outward && dot(beside, beside) <= slack * slack
    }

    /// Whether a triangle with the touched edge or vertex lies behind the plane through it: no way
    /// into the triangle has a component along the normal.
    fn is_behind(&self, mesh: &MeshPart, face: u32, touched: Touched) -> bool {
        let (corners, points) = (mesh.corners(face), mesh.triangle(face));
        let is_touched = |corner: u32| match touched {
            Touched::Vertex(a) => corner == a,
            Touched::Edge(a, b) => corner == a || corner == b,
            Touched::Facet(_) => false,
        };
        let Some(from) = (0..3).find(|&k| is_touched(corners[k])) else {
            return true;
        };
        // The ways from an edge into a triangle are those to its third corner, along the edge, and
        // all between: the normal is orthogonal to the edge, so that the third corner decides.
        (0..3).filter(|&k| !is_touched(corners[k])).all(|k| {
            let way = direction(minus(points[k], points[from]));
            way.is_none_or(|way| dot(self.normal, way) <= self.slack)
        })
    }
}

/// What a feature of a triangle is in the mesh.
pub(super) fn feature_of(mesh: &MeshPart, face: u32, place: TriangleFeature) -> (Touched, Feature) {
    let corners = mesh.corners(face);
    match place {
        TriangleFeature::Face => (Touched::Facet(mesh.facet(face)), Feature::face(face)),
        TriangleFeature::Edge(k) => {
            let [p, q] = [corners[k as usize], corners[(k as usize + 1) % 3]];
            let edge = Feature::edge(3 * face + u32::from(k));
            (Touched::Edge(p.min(q), p.max(q)), edge)
        }
        TriangleFeature::Vertex(k) => {
            let vertex = mesh.mesh().faces()[face as usize][k as usize];
            (
                Touched::Vertex(corners[k as usize]),
                Feature::vertex(vertex),
            )
        }
    }
}

/// Leaves out contacts with planes of triangles that a shallower contact already separates from the
/// core: after the shortest translation of that contact the core is in front of its plane, and the
/// triangle behind it. So a solid that overhangs the rim of a flat surface has no contact with the
/// side below the rim. `size` is the size of the core and the reach around it.
pub(super) fn drop_separated(minima: &mut Vec<Minimum>, mesh: &MeshPart, size: f64) {
    if minima.len() < 2 || minima.iter().all(|minimum| minimum.plane_of.is_none()) {
        return;
    }
    // The shallowest first; local minima before planes of the same depth.
    minima.sort_unstable_by(|x, y| {
        (y.gap.total_cmp(&x.gap))
            .then(x.plane_of.cmp(&y.plane_of))
            .then(x.touched.cmp(&y.touched))
            .then(x.feature.cmp(&y.feature))
            .then(x.feature_core.cmp(&y.feature_core))
    });
    let mut kept = 0;
    for i in 0..minima.len() {
        let minimum = minima[i];
        let is_separated = minimum.plane_of.is_some_and(|face| {
            let corners = mesh.triangle(face);
            minima[..kept].iter().any(|other| {
                let behind =
                    |p: [f64; 3]| dot(other.normal, minus(p, other.points[0])) <= TOLERANCE * size;
                other.touched != minimum.touched && corners.into_iter().all(behind)
            })
        });
        if !is_separated {
            minima[kept] = minimum;
            kept += 1;
        }
    }
    minima.truncate(kept);
}

/// Merges minima of the same feature and at the same place. Of each set the one with the smallest gap
/// stays, then that of the first feature. `size` is the size of the core and the reach around it.
pub(super) fn merge(minima: &mut Vec<Minimum>, size: f64) {
    minima.sort_unstable_by(|x, y| {
        x.touched
            .cmp(&y.touched)
            .then(x.gap.total_cmp(&y.gap))
            .then(x.feature.cmp(&y.feature))
            .then(x.feature_core.cmp(&y.feature_core))
    });
    minima.dedup_by(|next, kept| next.touched == kept.touched);
    let close = TOLERANCE * size * (TOLERANCE * size);
    let mut kept = 0;
    for i in 0..minima.len() {
        let minimum = minima[i];
        let is_known = minima[..kept].iter().any(|other: &Minimum| {
            let apart = minus(other.points[0], minimum.points[0]);
            let turned = minus(other.normal, minimum.normal);
            dot(apart, apart) <= close && dot(turned, turned) <= ALIKE * ALIKE
        });
        if !is_known {
            minima[kept] = minimum;
            kept += 1;
        }
    }
    minima.truncate(kept);
}
