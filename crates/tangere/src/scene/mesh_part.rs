//! Mesh part: a triangle mesh prepared for contact, as a closed solid or as a wall.
//!
//! Contacts must not depend on how a flat surface is cut into triangles. So the mesh is divided into
//! facets, largest sets of adjacent triangles that lie in one plane, and triangles are linked to
//! those around their vertices; `narrow_phase::mesh_features` uses both.
//!
//! Cost: n log n in the number of triangles, once for each mesh.

use super::shape::posed_bounds;
use crate::closest::MeshSurface;
use crate::contact::{Feature, FeatureKind};
use crate::error::Result;
use crate::geometry::vector::{accurate_cross, direction, dot, largest, minus};
use crate::geometry::{Aabb, Pose};
use crate::shape::{ConvexPolyhedron, Solid, TriMesh, distinct_points};
use crate::tree::Tree;

/// The distance from the plane of a facet up to which a triangle belongs to it, relative to the size
/// of the mesh. Coordinates of a flat surface that was rotated are off by 1e-16; a facet that spans
/// the whole mesh then has normals within twice this angle.
const FLAT: f64 = 1e-9;

/// The largest sine of the angle between the normals of a contact and of the facet that it touches: far
/// above rounding, far below any angle between facets.
const ACROSS: f64 = 1e-6;

/// A triangle mesh prepared for contact.
#[derive(Clone, Debug)]
pub struct MeshPart {
    mesh: TriMesh,
    tree: Tree<3>,
    /// The surface for nearest points; distances are signed if the mesh is closed.
    surface: MeshSurface,
    is_solid: bool,
    /// The solid as a convex body, with the vertex of the mesh that each of its sources is; `None` for
    /// a wall and a solid that is not convex.
    convex: Option<(ConvexPolyhedron, Vec<u32>)>,
    /// For each triangle, its corners as numbers of distinct points.
    corners: Vec<[u32; 3]>,
    /// For each vertex, the number of its point.
    points: Vec<u32>,
    /// For each distinct point, the offset of its triangles in `around`; at the end, its length.
    around_starts: Vec<u32>,
    around: Vec<u32>,
    facets: Vec<u32>,
    normals: Vec<[f64; 3]>,
}

impl MeshPart {
    pub(super) fn solid(mesh: &TriMesh) -> Result<Self> {
        Solid::new(mesh)?;
        let mut part = Self::wall(mesh);
        part.is_solid = true;
        part.convex = part.convex_hull();
        Ok(part)
    }

    pub(super) fn wall(mesh: &TriMesh) -> Self {
        let (points, numbers) = distinct_points(mesh.vertices());
        let faces = mesh.faces().iter();
        let corners: Vec<[u32; 3]> = faces
            .map(|face| face.map(|v| numbers[v as usize]))
            .collect();
        let (around_starts, around) = triangles_around(points.len(), &corners);
        let mut part = Self {
            tree: Tree::of_mesh(mesh),
            mesh: mesh.clone(),
            surface: MeshSurface::new(mesh),
            is_solid: false,
            convex: None,
            corners,
            points: numbers,
            around_starts,
            around,
            facets: Vec::new(),
            normals: Vec::new(),
        };
        part.find_facets();
        part
    }

    /// The triangle mesh, in the frame of the part.
    pub fn mesh(&self) -> &TriMesh {
        &self.mesh
    }

    /// Whether the mesh bounds a solid; otherwise it is a wall without thickness.
    pub fn is_solid(&self) -> bool {
        self.is_solid
    }

    /// The solid as a convex body; `None` for a wall and a solid that is not convex.
    pub(super) fn convex(&self) -> Option<&ConvexPolyhedron> {
        self.convex.as_ref().map(|(hull, _)| hull)
    }

    /// The vertex of the mesh that a vertex of the convex body is.
    pub(super) fn vertex_of_convex(&self, vertex: u32) -> u32 {
        let Some((hull, used)) = &self.convex else {
            return vertex;
        };
        used[hull.sources()[vertex as usize] as usize]
    }

    /// The surface for nearest points; distances are signed if the mesh is a solid.
    pub(super) fn surface(&self) -> &MeshSurface {
        &self.surface
    }

    pub(super) fn tree(&self) -> &Tree<3> {
        &self.tree
    }

    /// The number of the facet to which a triangle belongs.
    pub(super) fn facet(&self, face: u32) -> u32 {
        self.facets[face as usize]
    }

    /// The unit normal of a facet: outward if the mesh is a solid.
    pub(super) fn facet_normal(&self, facet: u32) -> [f64; 3] {
        self.normals[facet as usize]
    }

    /// The corners of a triangle as numbers of distinct points.
    pub(super) fn corners(&self, face: u32) -> [u32; 3] {
        self.corners[face as usize]
    }

    /// The triangles that have a point as a corner, in ascending order.
    pub(super) fn around(&self, point: u32) -> &[u32] {
        let [from, to] = [point, point + 1].map(|i| self.around_starts[i as usize] as usize);
        &self.around[from..to]
    }

    /// The facets of the triangles with a feature, one for each triangle.
    pub(super) fn facets_around(&self, feature: Feature) -> impl Iterator<Item = u32> {
        let index = feature.index;
        let (own, around, other) = match feature.kind {
            FeatureKind::Face => (Some(index), &[][..], None),
            FeatureKind::Edge => {
                let (corners, k) = (self.corners(index / 3), index as usize % 3);
                let around = self.around(corners[k]);
                (None, around, Some(corners[(k + 1) % 3]))
            }
            FeatureKind::Vertex => (None, self.around(self.points[index as usize]), None),
        };
        let around = around.iter().copied();
        let around = around
            .filter(move |&face| other.is_none_or(|other| self.corners(face).contains(&other)));
        own.into_iter().chain(around).map(|face| self.facet(face))
    }

    /// The facet that a contact with a feature touches, by its normal in the frame of the part: also at an
    /// edge or vertex between its triangles or at its rim. `None` if the normal is that of no facet there.
    pub(super) fn facet_across(&self, feature: Feature, normal: [f64; 3]) -> Option<u32> {
        if feature.kind == FeatureKind::Face {
            return Some(self.facet(feature.index));
        }
        let is_across = |&facet: &u32| {
            let along = dot(normal, self.facet_normal(facet));
            let beside: [f64; 3] =
                std::array::from_fn(|k| normal[k] - along * self.facet_normal(facet)[k]);
            dot(beside, beside) <= ACROSS * ACROSS
        };
        self.facets_around(feature).filter(is_across).min()
    }

    pub(super) fn triangle(&self, face: u32) -> [[f64; 3]; 3] {
        self.mesh.triangle(face as usize)
    }

    pub(super) fn bounds(&self, pose: &Pose) -> Aabb<3> {
        posed_bounds(self.mesh.vertices(), pose, 0.0)
    }

    /// Divides the mesh into facets. A facet grows from its largest triangle, whose normal is the
    /// most accurate, over edges to triangles in the same plane.
    fn find_facets(&mut self) {
        const NONE: u32 = u32::MAX;
        let count = self.corners.len();
        let size = largest(self.mesh.bounds().extent());
        let area_vector = |face: u32| {
            let [a, b, c] = self.triangle(face);
            accurate_cross(minus(b, a), minus(c, a))
        };
        let mut seeds: Vec<(f64, u32)> = (0..count as u32)
            .map(|face| (largest(area_vector(face)), face))
            .collect();
        seeds.sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        let mut facets = vec![NONE; count];
        let mut normals = Vec::new();
        let mut stack = Vec::new();
        for (_, seed) in seeds {
            if facets[seed as usize] != NONE {
                continue;
            }
            let facet = normals.len() as u32;
            // A triangle without area has no normal of its own.
            let normal = direction(area_vector(seed)).unwrap_or([0.0, 0.0, 1.0]);
            let origin = self.triangle(seed)[0];
            normals.push(normal);
            facets[seed as usize] = facet;
            stack.push(seed);
            while let Some(face) = stack.pop() {
                for point in self.corners(face) {
                    for &next in self.around(point) {
                        let is_free = facets[next as usize] == NONE;
                        if !is_free || !self.share_edge(face, next) {
                            continue;
                        }
                        let mut corners = self.triangle(next).into_iter();
                        let is_flat =
                            corners.all(|p| dot(normal, minus(p, origin)).abs() <= FLAT * size);
                        // A triangle that is folded back faces the other way.
                        if is_flat && dot(normal, area_vector(next)) >= 0.0 {
                            facets[next as usize] = facet;
                            stack.push(next);
                        }
                    }
                }
            }
        }
        self.facets = facets;
        self.normals = normals;
    }

    /// The convex hull of a solid, if the planes of all its facets support it: then the surface is that
    /// of the hull, up to the error of facets. With the vertices that are corners of triangles.
    fn convex_hull(&self) -> Option<(ConvexPolyhedron, Vec<u32>)> {
        let faces = self.mesh.faces();
        let mut used: Vec<u32> = faces.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let points: Vec<[f64; 3]> = {
            let vertices = self.mesh.vertices();
            used.iter().map(|&v| vertices[v as usize]).collect()
        };
        let error = FLAT * largest(self.mesh.bounds().extent());
        // Most solids that are not convex have an outermost vertex in front of a facet, which costs
        // less than their hull.
        let outermost: Vec<[f64; 3]> = (0..3)
            .flat_map(|k| {
                let along = move |p: &&[f64; 3], q: &&[f64; 3]| p[k].total_cmp(&q[k]);
                let ends = [points.iter().min_by(along), points.iter().max_by(along)];
                ends.into_iter().flatten().copied()
            })
            .collect();
        let supports = |top: &dyn Fn([f64; 3]) -> f64| {
            (0..faces.len() as u32).all(|face| {
                let normal = self.facet_normal(self.facet(face));
                let heights = self.triangle(face).map(|p| dot(normal, p));
                let lowest = heights.into_iter().fold(f64::INFINITY, f64::min);
                top(normal) <= lowest + error
            })
        };
        let highest = |normal: [f64; 3]| {
            let heights = outermost.iter().map(|&p| dot(normal, p));
            heights.fold(f64::NEG_INFINITY, f64::max)
        };
        if !supports(&highest) {
            return None;
        }
        let hull = ConvexPolyhedron::hull(&points).ok()?;
        let support = |way: [f64; 3]| dot(way, hull.vertex(hull.climb(hull.start(way), way)));
        let is_convex = hull.dimension() == 3 && supports(&support);
        is_convex.then_some((hull, used))
    }

    fn share_edge(&self, a: u32, b: u32) -> bool {
        let other = self.corners(b);
        let shared = self.corners(a).into_iter();
        shared.filter(|point| other.contains(point)).count() >= 2
    }
}

/// For each point the triangles that have it as a corner: offsets, then triangles.
fn triangles_around(points: usize, corners: &[[u32; 3]]) -> (Vec<u32>, Vec<u32>) {
    let distinct = |face: &[u32; 3]| {
        let [a, b, c] = *face;
        [
            Some(a),
            (b != a).then_some(b),
            (c != a && c != b).then_some(c),
        ]
    };
    let mut starts = vec![0u32; points + 1];
    for point in corners.iter().flat_map(distinct).flatten() {
        starts[point as usize + 1] += 1;
    }
    for i in 0..points {
        starts[i + 1] += starts[i];
    }
    let mut next = starts.clone();
    let mut around = vec![0u32; starts[points] as usize];
    for (face, own) in corners.iter().enumerate() {
        for point in distinct(own).into_iter().flatten() {
            around[next[point as usize] as usize] = face as u32;
            next[point as usize] += 1;
        }
    }
    (starts, around)
}
