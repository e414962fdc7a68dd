//! Shape of a body: triangles, finite element faces or a ball, with its bounding volume hierarchy.

use std::sync::Arc;

use super::super::hierarchy::{Hierarchy, HierarchySettings};
use super::bvh_node::{BvhNode, bvh_nodes_of};
use super::faces_at_points::FacesAtPoints;
use super::finite_elements::Elements;
use crate::contact::Feature;
use crate::error::{Argument, Error, Result, number};
use crate::geometry::vector::{dot, minus};
use crate::geometry::{TriangleFeature, is_valid_coordinate};
use crate::shape::{Edges, FaceKind, FaceMesh, TriMesh};

/// The shape of a body, prepared once for any number of bodies and motions.
///
/// ```
/// use tangere::generate;
/// use tangere::impact::BodyShape;
///
/// let sphere = BodyShape::of_mesh(generate::sphere(4)?)?;
/// assert_eq!(sphere.faces().len(), 2048);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BodyShape {
    pub(super) inner: Arc<Inner>,
}

#[derive(Clone, Debug)]
pub(super) struct Inner {
    pub(super) points: Vec<[f64; 3]>,
    pub(super) faces: Vec<[u32; 3]>,
    /// For each face of the shape, the indices of its three edges. Edge `k` goes from corner `k` of
    /// the face to the next corner.
    edges: Vec<[u32; 3]>,
    /// Finite element faces of the shape; `None` if its faces are triangles or it is a ball. With
    /// finite elements, `faces` has the first three corners of each face.
    pub(super) elements: Option<Elements>,
    /// Upper bound of how far a finite element face of the shape sticks out of its bounding volume
    /// in the hierarchy, since its control points are rounded; 0 for triangles and balls.
    pub(super) margin: f64,
    /// Radius of a shape that is a ball, whose only point is its centre; 0 for a shape that is a
    /// surface.
    pub(super) radius: f64,
    pub(super) hierarchy: Hierarchy,
    pub(super) parts: Vec<BvhNode>,
    /// The faces at each point of the shape.
    faces_at: FacesAtPoints,
}

impl BodyShape {
    /// The shape of a body with a surface of triangles, closed or not, with the hierarchy of
    /// [`HierarchySettings::default`]: top-down, eight children a node. For bodies that spin, two
    /// children a node are faster ([`BodyShape::with_hierarchy`]).
    ///
    /// # Errors
    /// When there are too many faces.
    pub fn of_mesh(mesh: TriMesh) -> Result<Self> {
        Self::with_hierarchy(mesh, &HierarchySettings::default())
    }

    /// The shape of a body with a surface of triangles whose hierarchy is built with these
    /// settings.
    ///
    /// # Errors
    /// When there are too many faces.
    pub fn with_hierarchy(mesh: TriMesh, settings: &HierarchySettings) -> Result<Self> {
        let hierarchy = Hierarchy::of_mesh(&mesh, settings)?;
        let (points, faces) = mesh.into_parts();
        Ok(Self::of_parts(points, faces, 0.0, hierarchy))
    }

    /// The shape of a body with a surface of finite element faces of any kind and order, with the
    /// hierarchy of [`HierarchySettings::default`]. Its nodes are those of the mesh.
    ///
    /// # Errors
    /// When there are too many faces, faces are segments, or a control point is outside the range
    /// of coordinates.
    ///
    /// ```
    /// use tangere::generate;
    /// use tangere::geometry::Pose;
    /// use tangere::impact::{Body, BodyShape, EngineSettings, ImpactEngine, RigidMotion};
    /// use tangere::shape::{FaceKind, FaceMesh};
    ///
    /// // A sphere of quadratic triangles falls on a plate.
    /// let sphere = BodyShape::of_faces(generate::face_sphere(FaceKind::Tri6, 3)?)?;
    /// let plate = vec![[-2., -2., 0.], [2., -2., 0.], [2., 2., 0.], [-2., 2., 0.]];
    /// let plate = BodyShape::of_faces(FaceMesh::uniform(plate, FaceKind::Quad4, vec![0, 1, 2, 3])?)?;
    /// let falling = Pose::from_translation([0.3, 0.2, 5.0])?;
    /// let falling = RigidMotion::new(falling, [0.0, 0.0, -2.0], [0.0; 3], [0.0; 3])?;
    /// let bodies = vec![
    ///     Body::new(sphere, falling),
    ///     Body::new(plate, RigidMotion::at_rest(Pose::identity())),
    /// ];
    /// let mut engine = ImpactEngine::with_bodies(bodies, &EngineSettings::default())?;
    /// let Some(impact) = engine.next_contact(10.0)? else { panic!() };
    /// assert!((impact.early - 2.0).abs() < 1e-4 && impact.late - impact.early < 1e-12);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    pub fn of_faces(mesh: FaceMesh) -> Result<Self> {
        Self::of_faces_with_hierarchy(mesh, &HierarchySettings::default())
    }

    /// The shape of a body with a surface of finite element faces whose hierarchy is built with
    /// these settings.
    ///
    /// # Errors
    /// As [`BodyShape::of_faces`].
    pub fn of_faces_with_hierarchy(mesh: FaceMesh, settings: &HierarchySettings) -> Result<Self> {
        if mesh.is_planar() {
            let expected = "faces of a surface";
            return Err(Error::argument(
                Argument::Mesh,
                "segments of a plane",
                expected,
            ));
        }
        let elements = Elements::new(&mesh);
        let (points, _, _) = mesh.into_parts();
        let value = |node: u32| points[node as usize];
        let controls = |face: usize| elements.controls(face as u32, value);
        let hierarchy = Hierarchy::new(elements.len(), controls, settings)?;
        let (faces, margin) = (elements.corners(), elements.margin(value));
        let mut shape = Self::of_parts(points, faces, 0.0, hierarchy);
        if let Some(inner) = Arc::get_mut(&mut shape.inner) {
            inner.elements = Some(elements);
            inner.margin = margin;
            bvh_nodes_of(&inner.hierarchy, margin, &mut inner.parts);
        }
        Ok(shape)
    }

    /// The shape of a body that is an exact ball about the origin; it is not meshed.
    ///
    /// # Errors
    /// When the radius is not a valid coordinate or not positive.
    pub fn ball(radius: f64) -> Result<Self> {
        if !(is_valid_coordinate(radius) && radius > 0.0) {
            let expected = "a number from 4.9e-91 to 1.6e60";
            return Err(Error::argument(Argument::Radius, number(radius), expected));
        }
        let hierarchy = Hierarchy::new(1, |_| [[0.0; 3]], &HierarchySettings::default())?;
        let (points, faces) = (vec![[0.0; 3]], vec![[0; 3]]);
        Ok(Self::of_parts(points, faces, radius, hierarchy))
    }

    /// Makes the shape of a body from its points, faces and hierarchy, and gives each edge an
    /// index.
    fn of_parts(
        points: Vec<[f64; 3]>,
        faces: Vec<[u32; 3]>,
        radius: f64,
        hierarchy: Hierarchy,
    ) -> Self {
        let mut edges = vec![[0; 3]; faces.len()];
        let mut count = 0;
        Edges::new(points.len(), &faces).for_each(|_, _, around| {
            for &half in around {
                edges[half as usize / 3][half as usize % 3] = count;
            }
            count += 1;
        });
        let mut parts = Vec::new();
        bvh_nodes_of(&hierarchy, 0.0, &mut parts);
        let faces_at = FacesAtPoints::new(points.len(), &faces);
        let inner = Inner {
            points,
            faces,
            edges,
            elements: None,
            margin: 0.0,
            radius,
            hierarchy,
            parts,
            faces_at,
        };
        BodyShape {
            inner: Arc::new(inner),
        }
    }

    /// The positions of the vertices of the triangles of a body shape, or of all nodes of its
    /// finite element faces. A ball has one point, its centre.
    pub fn points(&self) -> &[[f64; 3]] {
        &self.inner.points
    }

    /// The triangles of a body shape, as indices of their corners in [`Self::points`]. For finite
    /// element faces these are the first three corners of each. A ball has one triangle, whose
    /// three corners are its centre.
    pub fn faces(&self) -> &[[u32; 3]] {
        &self.inner.faces
    }

    /// The kinds of the finite element faces of a body shape; `None` for triangles and balls.
    pub fn kinds(&self) -> Option<&[FaceKind]> {
        self.inner.elements.as_ref().map(Elements::kinds)
    }

    /// The mesh of the finite element faces of a body shape; `None` for triangles and balls.
    pub fn face_mesh(&self) -> Option<FaceMesh> {
        let elements = self.inner.elements.as_ref()?;
        let (kinds, indices) = (elements.kinds().to_vec(), elements.indices().to_vec());
        FaceMesh::new(self.inner.points.clone(), kinds, indices).ok()
    }

    /// The radius of a body shape that is a ball, 0 for a surface.
    pub fn radius(&self) -> f64 {
        self.inner.radius
    }

    /// The hierarchy over the faces of a body shape.
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.inner.hierarchy
    }
}

impl Inner {
    /// Converts feature `on` of a face (a corner, an edge or the interior) to a feature of the body
    /// shape: a vertex, edge or face with its index in the shape. For a ball it is always face 0.
    pub(super) fn feature(&self, face: u32, on: TriangleFeature) -> Feature {
        if let Some(elements) = &self.elements {
            return elements.feature(face, on);
        }
        let corners = self.faces[face as usize];
        match on {
            _ if self.radius > 0.0 => Feature::face(0),
            TriangleFeature::Vertex(k) => Feature::vertex(corners[usize::from(k)]),
            TriangleFeature::Edge(k) => Feature::edge(self.edges[face as usize][usize::from(k)]),
            TriangleFeature::Face => Feature::face(face),
        }
    }

    /// The faces of the shape that have this point as a corner, ascending.
    pub(super) fn faces_at(&self, point: u32) -> &[u32] {
        self.faces_at.of(point)
    }

    /// The faces of the shape at the edge with this index.
    pub(super) fn faces_of_edge(&self, face: u32, edge: u32) -> Vec<u32> {
        let corners = self.faces[face as usize];
        let mut near: Vec<u32> = (corners.iter())
            .flat_map(|&point| self.faces_at(point))
            .copied()
            .filter(|&face| self.edges[face as usize].contains(&edge))
            .collect();
        near.sort_unstable();
        near.dedup();
        near
    }

    /// The first of all faces around the feature `on` of a face. Finite element faces and balls have
    /// only the face itself.
    pub(super) fn first_face(&self, face: u32, on: TriangleFeature) -> u32 {
        let is_plain = self.elements.is_none() && self.radius == 0.0;
        let corner = |k: u8| self.faces[face as usize][usize::from(k)];
        let first = match on {
            _ if !is_plain => None,
            TriangleFeature::Vertex(k) => self.faces_at(corner(k)).first(),
            TriangleFeature::Edge(k) => {
                let edge = self.edges[face as usize][usize::from(k)];
                let has = |face: &&u32| self.edges[**face as usize].contains(&edge);
                self.faces_at(corner(k)).iter().find(has)
            }
            TriangleFeature::Face => None,
        };
        first.copied().unwrap_or(face)
    }

    /// Upper bound of the distance of any point of the faces of the body shape from the position
    /// `center`, in body coordinates. The radius of a ball is not included.
    pub(super) fn reach_from(&self, center: [f64; 3]) -> f64 {
        let root = &self.parts[0];
        let away = minus(root.ball_center, center);
        (dot(away, away).sqrt() + root.ball_radius) * (1.0 + 8.0 * f64::EPSILON)
    }
}
