//! Shapes of bodies: sphere, box, capsule, half-space, convex polyhedron, triangle mesh, compound.
//!
//! A shape is a list of parts, each with a pose in the frame of the body; every shape but a compound
//! has one part in place. A part is one of three kinds: rounded (a convex core plus a radius: sphere,
//! capsule, box, polyhedron), half-space, or mesh. So the narrow phase knows three kinds, not eight.
//! Shapes are shared: a clone costs a reference count.

use std::sync::Arc;

use super::mesh_part::MeshPart;
use super::rounded::{Rounded, RoundedKind};
use crate::contact::FeatureKind;
use crate::error::{Argument, Error, Result, number};
use crate::geometry::vector::{direction, dot, largest, length};
use crate::geometry::{Aabb, Pose, is_valid_coordinate};
use crate::shape::{ConvexPolyhedron, TriMesh};

/// The shape of a body. It does not change after it was made; a clone shares its data.
///
/// ```
/// use tangere::geometry::Pose;
/// use tangere::scene::Shape;
///
/// let ball = Shape::sphere(0.5)?;
/// let dumbbell = Shape::compound(&[
///     (ball.clone(), Pose::identity()),
///     (ball, Pose::from_translation([1.5, 0.0, 0.0])?),
/// ])?;
/// assert_eq!(dumbbell.parts().len(), 2);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shape {
    parts: Arc<[Part]>,
    /// The radius of a sphere in place; `None` for other shapes.
    sphere_radius: Option<f64>,
    /// The largest edge of the box around the shape in its own frame; infinite if it is unbounded.
    extent: f64,
    /// An upper bound of the distance of a point of the shape from the origin of its frame; infinite if
    /// it is unbounded.
    reach: f64,
    /// The same of the cores of its parts, without their radii.
    turning_reach: f64,
}

/// A part of a shape: a solid of one kind, with its pose in the frame of the body.
#[derive(Clone, Debug)]
pub struct Part {
    /// The pose of the part in the frame of the body.
    pub pose: Pose,
    /// The geometry of the part, in its own frame.
    pub element: Element,
}

/// The geometry of a part.
#[derive(Clone, Debug)]
pub enum Element {
    /// A convex core plus a radius: sphere, capsule, box or convex polyhedron.
    Rounded(Rounded),
    /// The half-space `normal . x <= 0`, with an outward unit normal.
    HalfSpace([f64; 3]),
    /// A triangle mesh: a closed one as a solid, any other as a wall.
    Mesh(Arc<MeshPart>),
}

impl Element {
    /// The name of the kind of geometry in errors: `"half-space"`, `"mesh"`, `"sphere"` and so on.
    pub fn name(&self) -> &'static str {
        match self {
            Element::Rounded(rounded) => rounded.name(),
            Element::HalfSpace(_) => "half-space",
            Element::Mesh(_) => "mesh",
        }
    }

    /// The number of features of a kind, which is beyond the index of each.
    pub(super) fn feature_count(&self, kind: FeatureKind) -> usize {
        match (self, kind) {
            (Element::Rounded(rounded), FeatureKind::Vertex) => rounded.core().vertex_count(),
            (Element::Rounded(rounded), FeatureKind::Edge) => rounded.core().edge_count(),
            (Element::Rounded(rounded), FeatureKind::Face) => rounded.core().face_count(),
            // The plane is its only face.
            (Element::HalfSpace(_), FeatureKind::Face) => 1,
            (Element::HalfSpace(_), _) => 0,
            (Element::Mesh(mesh), FeatureKind::Vertex) => mesh.mesh().vertices().len(),
            (Element::Mesh(mesh), FeatureKind::Edge) => 3 * mesh.mesh().faces().len(),
            (Element::Mesh(mesh), FeatureKind::Face) => mesh.mesh().faces().len(),
        }
    }

    /// The mesh, if the part is one.
    pub(super) fn mesh(&self) -> Option<&MeshPart> {
        match self {
            Element::Mesh(mesh) => Some(mesh),
            _ => None,
        }
    }
}

impl Shape {
    /// A sphere around the origin.
    ///
    /// # Errors
    /// When the radius is not positive and finite.
    pub fn sphere(radius: f64) -> Result<Self> {
        Ok(Self::of(Element::Rounded(Rounded::sphere(radius)?)))
    }

    /// A box (cuboid) around the origin, from its three edge lengths.
    ///
    /// # Errors
    /// When a length is not positive and finite.
    pub fn cuboid(size: [f64; 3]) -> Result<Self> {
        Ok(Self::of(Element::Rounded(Rounded::cuboid(size)?)))
    }

    /// A capsule around the origin: all points within `radius` of a segment of this length along z.
    ///
    /// # Errors
    /// When the radius or the length is not positive and finite.
    pub fn capsule(radius: f64, length: f64) -> Result<Self> {
        Ok(Self::of(Element::Rounded(Rounded::capsule(
            radius, length,
        )?)))
    }

    /// The half-space `normal . x <= 0`: a plane through the origin and all that lies behind it.
    ///
    /// # Errors
    /// When the normal is zero or not finite.
    pub fn half_space(normal: [f64; 3]) -> Result<Self> {
        let expected = "a finite vector other than zero";
        let unit = match normal.iter().all(|x| x.is_finite()) {
            true => direction(normal),
            false => None,
        };
        let unit =
            unit.ok_or_else(|| Error::argument(Argument::Normal, format!("{normal:?}"), expected))?;
        Ok(Self::of(Element::HalfSpace(unit)))
    }

    /// A convex polyhedron; also a polygon, segment or point.
    pub fn convex(polyhedron: ConvexPolyhedron) -> Self {
        Self::of(Element::Rounded(Rounded::convex(polyhedron)))
    }

    /// A closed triangle mesh as a solid.
    ///
    /// # Errors
    /// When the mesh is not closed and oriented, or is turned inside out.
    pub fn solid(mesh: &TriMesh) -> Result<Self> {
        Ok(Self::of(Element::Mesh(Arc::new(MeshPart::solid(mesh)?))))
    }

    /// A triangle mesh, open or closed, as a wall: a surface without thickness that is touched from
    /// both sides.
    pub fn wall(mesh: &TriMesh) -> Self {
        Self::of(Element::Mesh(Arc::new(MeshPart::wall(mesh))))
    }

    /// A compound of shapes, each with its pose in the frame of the body. Compounds in compounds are
    /// resolved into their parts.
    ///
    /// # Errors
    /// When there are no shapes.
    pub fn compound(shapes: &[(Shape, Pose)]) -> Result<Self> {
        let parts: Vec<Part> = shapes
            .iter()
            .flat_map(|(shape, pose)| {
                shape.parts.iter().map(move |part| Part {
                    pose: pose.compose(&part.pose),
                    element: part.element.clone(),
                })
            })
            .collect();
        if parts.is_empty() {
            return Err(Error::argument(
                Argument::Shape,
                "a compound of 0 shapes",
                "at least 1",
            ));
        }
        Ok(Self::with_parts(parts.into()))
    }

    fn of(element: Element) -> Self {
        let pose = Pose::identity();
        Self::with_parts([Part { pose, element }].into())
    }

    pub(super) fn with_parts(parts: Arc<[Part]>) -> Self {
        let mut shape = Self {
            parts,
            sphere_radius: None,
            extent: 0.0,
            reach: 0.0,
            turning_reach: 0.0,
        };
        shape.sphere_radius = match shape.only_element() {
            Some(Element::Rounded(x)) if x.kind() == RoundedKind::Sphere => Some(x.radius()),
            _ => None,
        };
        let bounds = shape.bounds(&Pose::identity());
        shape.extent = largest(bounds.extent());
        let corner: [f64; 3] = std::array::from_fn(|k| bounds.max[k].max(-bounds.min[k]));
        shape.reach = (1.0 + ROUNDING) * length(corner);
        let farthest = shape.parts.iter().map(Part::turning_reach);
        shape.turning_reach = (1.0 + ROUNDING) * farthest.fold(0.0, f64::max);
        shape
    }

    /// An upper bound of the distance by which a point of the shape moves from one pose to another.
    ///
    /// Unit quaternions `p` and `q` turn a point at distance `r` by at most `2 r |p - q|`: half the
    /// angle between them is that of the quaternions on the sphere, and a chord is no longer than two
    /// chords over half its arc. Quaternions of opposite sign are the same rotation.
    #[inline]
    pub(super) fn motion_bound(&self, from: &[f64; 7], to: &[f64; 7]) -> f64 {
        let moved = way(from, to);
        if self.sphere_radius.is_some() {
            return moved;
        }
        let (p, q) = (from, to);
        let (mut less, mut more) = (0.0, 0.0);
        for k in 3..7 {
            less += (q[k] - p[k]) * (q[k] - p[k]);
            more += (q[k] + p[k]) * (q[k] + p[k]);
        }
        let turned = less.min(more).sqrt();
        match turned == 0.0 {
            true => moved,
            // Quaternions are of unit length up to rounding.
            false => SAFE * (moved + 2.0 * self.reach * (turned + ROUNDING)),
        }
    }

    /// The geometry of a shape of one part in place; `None` for a compound.
    #[inline]
    pub(super) fn only_element(&self) -> Option<&Element> {
        match &*self.parts {
            [part] if part.pose.is_identity() => Some(&part.element),
            _ => None,
        }
    }

    /// The radius of a sphere; `None` for other shapes.
    #[inline]
    pub(super) fn sphere_radius(&self) -> Option<f64> {
        self.sphere_radius
    }

    /// The largest edge of the box around the shape in its own frame; infinite if it is unbounded.
    pub(super) fn extent(&self) -> f64 {
        self.extent
    }

    /// An upper bound of the distance of a point of the shape from the origin of its frame; infinite if
    /// it is unbounded.
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    /// An upper bound of the distance by which a point of the cores of the shape is from the origin of
    /// its frame: by a rotation about the origin the shape moves no farther than its cores. 0 for a
    /// sphere about the origin, infinite if the shape is unbounded.
    pub(super) fn turning_reach(&self) -> f64 {
        self.turning_reach
    }

    /// Whether all parts are rounded solids.
    pub(super) fn is_rounded(&self) -> bool {
        let mut parts = self.parts.iter();
        parts.all(|part| matches!(part.element, Element::Rounded(_)))
    }

    /// The parts of the shape: several for a compound, else one in place.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Whether the shape has a half-space among its parts, so that no box contains it.
    pub fn is_unbounded(&self) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| matches!(part.element, Element::HalfSpace(_)))
    }

    /// The name of the kind of shape in errors: that of its part, or `"compound"`.
    pub fn name(&self) -> &'static str {
        match &*self.parts {
            [part] => part.element.name(),
            _ => "compound",
        }
    }

    /// The tight axis-aligned box of the shape in a pose, rounded outward; infinite if the shape is
    /// unbounded.
    pub fn bounds(&self, pose: &Pose) -> Aabb<3> {
        let mut bounds = Aabb::EMPTY;
        for part in self.parts.iter() {
            let placed = part.placed(pose);
            bounds = bounds.union(&match &part.element {
                Element::Rounded(rounded) => rounded.bounds(&placed),
                Element::HalfSpace(_) => Aabb {
                    min: [f64::NEG_INFINITY; 3],
                    max: [f64::INFINITY; 3],
                },
                Element::Mesh(mesh) => mesh.bounds(&placed),
            });
        }
        bounds
    }
}

impl Part {
    /// The distance of the outermost point of the core from the origin of the body's frame.
    fn turning_reach(&self) -> f64 {
        let farthest = |points: &[[f64; 3]]| {
            let error = ROUNDING * length(self.pose.translation());
            let distances = points.iter().map(|&p| length(self.pose.apply(p)) + error);
            distances.fold(0.0, f64::max)
        };
        match &self.element {
            // In place: exactly 0 for a sphere.
            Element::Rounded(rounded) => farthest(rounded.core().vertices()),
            Element::HalfSpace(_) => f64::INFINITY,
            Element::Mesh(mesh) => farthest(mesh.mesh().vertices()),
        }
    }

    /// The pose of the part in the frame in which `pose` is that of its body. A part in place has
    /// the pose of the body, bit for bit.
    #[inline]
    pub(super) fn placed(&self, pose: &Pose) -> Pose {
        match self.pose.is_identity() {
            true => *pose,
            false => pose.compose(&self.pose),
        }
    }
}

/// Checks that a length is positive and has a valid magnitude.
pub(super) fn checked_length(what: Argument, length: f64) -> Result<f64> {
    match length > 0.0 && is_valid_coordinate(length) {
        true => Ok(length),
        false => Err(Error::argument(
            what,
            number(length),
            "a positive number from 4.9e-91 to 1.6e60",
        )),
    }
}

/// The length of a translation, rounded up, from the first three numbers of poses.
#[inline]
pub(super) fn way(from: &[f64], to: &[f64]) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|k| to[k] - from[k]);
    SAFE * length([x, y, z])
}

/// A factor that covers the rounding of a bound of a motion.
const SAFE: f64 = 1.0 + 1e-12;

/// The rounding error of a coordinate of a posed point, relative to the sum of the magnitudes that
/// enter it: four roundings, and as much again to spare.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The box around posed points, widened by `radius` and rounded outward.
pub(super) fn posed_bounds(points: &[[f64; 3]], pose: &Pose, radius: f64) -> Aabb<3> {
    let translation = pose.translation();
    let mut bounds = Aabb::EMPTY;
    let mut reach = 0.0f64;
    for &p in points {
        bounds.include(pose.apply(p));
        reach = reach.max(dot(p, p));
    }
    // A row of a rotation matrix has length 1, so `reach` bounds each of the three products.
    let size = 3.0 * reach.sqrt();
    let error = translation.map(|t| ROUNDING * (size + t.abs() + radius));
    let widest = error.into_iter().fold(0.0, f64::max);
    bounds.expanded(radius + widest)
}
