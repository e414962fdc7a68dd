//! Sign of the distance to a closed triangle mesh: negative where the winding number is not 0.
//!
//! That is the rule of [`inside`](crate::inside), and both always agree. The winding number of a
//! point is exact and takes O(log N). Pseudonormals take less, but see the nearest face only.
//!
//! **When pseudonormals are right.** Let the triangles meet only in the vertices and edges that they
//! share ([`is_embedded`]), let every edge have two triangles, and let the winding number be 0 in
//! front of each triangle. Behind it, it is then 1. The way from a point to its nearest point meets
//! no triangle before its end, so the point lies on the side on which the way ends, and the
//! pseudonormal shows this side (see [`super::pseudonormals`]). Across an edge of two triangles the
//! winding number in front does not change, so that one triangle of each patch (triangles connected
//! through edges) decides for all of them.
//!
//! A mesh for which this is not proven has signs by winding numbers alone: shells that cross
//! themselves or each other, touch, are nested, inverted or duplicated, edges of more than two
//! triangles, triangles without area. So have points so near the surface that rounding errors of
//! the nearest point may hide the side.

use super::embedding::is_embedded;
use super::pseudonormals::Pseudonormals;
use crate::geometry::triangle::{ClosestOnTriangle, area, unit_normal};
use crate::geometry::vector::{largest, minus};
use crate::geometry::{Aabb, Sign, TriangleFeature, orient3d};
use crate::inside::ray_winding;
use crate::shape::Edges;
use crate::shape::disjoint_sets::DisjointSets;
use crate::tree::Tree;
use rayon::prelude::*;

/// The distance of a point, as a share of its largest coordinate, above which rounding errors of the
/// nearest point do not hide its side: 2^-26. The errors are near 2^-50 of the coordinates.
const CLEAR: f64 = f64::from_bits((1023 - 26) << 52);

/// How often the distance of a point from a triangle is halved until no other triangle is nearer.
const ATTEMPTS: usize = 24;

/// What gives the distance to a closed and oriented triangle mesh its sign.
#[derive(Clone, Debug)]
pub(super) struct SurfaceSign {
    bounds: Aabb<3>,
    /// The BVH over the triangles, which finds the crossings of a ray.
    tree: Tree<3>,
    /// Whether pseudonormals give the sign of points that are not too near.
    has_pseudonormals: bool,
}

/// The nearest triangle of a query.
pub(super) struct Nearest<'a> {
    pub face: u32,
    pub vertices: [u32; 3],
    pub triangle: [[f64; 3]; 3],
    pub closest: &'a ClosestOnTriangle,
    pub distance: f64,
}

impl SurfaceSign {
    /// Prepares the sign for a closed and oriented mesh, given by the corners and the vertex indices
    /// of its triangles. `pseudonormals` is `None` if they are not defined. `nearest` finds the face
    /// nearest to a point, and the feature of it that is nearest. `None` if there are no triangles.
    pub(super) fn new(
        triangles: &[[[f64; 3]; 3]],
        faces: &[[u32; 3]],
        has_pseudonormals: bool,
        nearest: impl Fn([f64; 3]) -> Option<(u32, TriangleFeature, f64)> + Sync,
    ) -> Option<Self> {
        let tree = Tree::new(triangles.len(), |f| Aabb::of_points(triangles[f])).ok()?;
        let mut sign = Self {
            bounds: Aabb::of_points(triangles.iter().flatten().copied()),
            tree,
            has_pseudonormals: false,
        };
        if has_pseudonormals && let Some(patches) = patches(triangles, faces) {
            sign.has_pseudonormals = is_embedded(&sign.tree, triangles, faces)
                && patches
                    .par_iter()
                    .all(|&face| sign.is_outward(triangles, face, &nearest));
        }
        Some(sign)
    }

    /// The sign of the distance of a point `p`: 1 outside, -1 inside, 0 on the surface.
    #[inline(always)]
    pub(super) fn of(
        &self,
        p: [f64; 3],
        triangles: &[[[f64; 3]; 3]],
        pseudonormals: Option<&Pseudonormals>,
        nearest: &Nearest<'_>,
    ) -> f64 {
        if !self.bounds.contains(p) {
            return 1.0;
        }
        if self.has_pseudonormals
            && let Some(pseudonormals) = pseudonormals
        {
            let q = nearest.closest.point;
            if nearest.distance > CLEAR * largest(p).max(largest(q))
                && let Some(sign) = pseudonormals.sign(p, minus(p, q), nearest)
            {
                return sign;
            }
        }
        self.by_winding(p, triangles)
    }

    /// The sign of the distance of a point by its winding number; exact.
    #[cold]
    #[inline(never)]
    fn by_winding(&self, p: [f64; 3], triangles: &[[[f64; 3]; 3]]) -> f64 {
        match ray_winding(&self.tree, &self.bounds, triangles, p) {
            None => 0.0,
            Some(0) => 1.0,
            Some(_) => -1.0,
        }
    }

    /// Whether the winding number is 0 in front of a triangle and 1 behind it, proven by a point
    /// whose nearest triangle it is.
    fn is_outward(
        &self,
        triangles: &[[[f64; 3]; 3]],
        face: u32,
        nearest: impl Fn([f64; 3]) -> Option<(u32, TriangleFeature, f64)>,
    ) -> bool {
        let triangle = triangles[face as usize];
        let Some(normal) = unit_normal(triangle) else {
            return false;
        };
        let [a, b, c] = triangle;
        let middle: [f64; 3] = std::array::from_fn(|k| (a[k] / 3.0 + b[k] / 3.0) + c[k] / 3.0);
        let mut height = area(triangle).sqrt();
        for _ in 0..ATTEMPTS {
            height /= 2.0;
            let p: [f64; 3] = std::array::from_fn(|k| middle[k] + height * normal[k]);
            let is_nearest = |found: (u32, TriangleFeature, f64)| {
                let is_clear = found.2 > CLEAR * largest(p).max(largest(middle));
                found.0 == face && found.1 == TriangleFeature::Face && is_clear
            };
            if !nearest(p).is_some_and(is_nearest) {
                continue;
            }
            let behind = match orient3d(a, b, c, p) {
                Sign::Positive => 0,
                Sign::Negative => 1,
                Sign::Zero => return false,
            };
            return ray_winding(&self.tree, &self.bounds, triangles, p) == Some(behind);
        }
        false
    }
}

/// The largest triangle of each patch, a set of triangles that are connected through edges; `None`
/// if an edge does not have two triangles.
fn patches(triangles: &[[[f64; 3]; 3]], faces: &[[u32; 3]]) -> Option<Vec<u32>> {
    let vertices = faces.iter().flatten().max().map_or(0, |&v| v as usize + 1);
    let mut sets = DisjointSets::new(faces.len());
    let mut is_manifold = true;
    Edges::new(vertices, faces).for_each(|_, _, around| match around {
        [a, b] => sets.join(a / 3, b / 3),
        _ => is_manifold = false,
    });
    if !is_manifold {
        return None;
    }
    let mut largest: Vec<Option<(f64, u32)>> = vec![None; faces.len()];
    for (face, &triangle) in (0u32..).zip(triangles) {
        let best = &mut largest[sets.leader(face) as usize];
        let area = area(triangle);
        if best.is_none_or(|(most, _)| area > most) {
            *best = Some((area, face));
        }
    }
    Some(
        largest
            .into_iter()
            .flatten()
            .map(|(_, face)| face)
            .collect(),
    )
}
