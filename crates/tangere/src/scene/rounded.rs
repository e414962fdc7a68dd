//! Rounded solid: all points within a radius of a convex core (sphere-swept polyhedron).
//!
//! A sphere has a point as its core, a capsule a segment, a box or polyhedron itself with radius 0.
//! So one narrow phase, that of the cores, serves all pairs of these shapes.

use std::sync::{Arc, OnceLock};

use super::shape::{checked_length, posed_bounds};
use crate::error::{Argument, Result};
use crate::geometry::vector::{dot, largest, length};
use crate::geometry::{Aabb, Pose, is_valid_coordinate};
use crate::shape::ConvexPolyhedron;

/// The kind of a rounded solid, for the choice of a closed form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundedKind {
    /// A point with a radius.
    Sphere,
    /// A segment along z with a radius.
    Capsule,
    /// A cuboid along the axes.
    Cuboid,
    /// Any convex polyhedron.
    Convex,
}

/// The number of vertices up to which a box is found from all of them.
const FEW: usize = 32;

/// The error of a coordinate of an extreme vertex that was found by climbing, relative to the
/// magnitudes that enter it: 1e-15 of the support function, four roundings, and as much to spare.
const CLIMBED: f64 = 16.0 * f64::EPSILON;

/// A convex core plus a radius.
#[derive(Clone, Debug)]
pub struct Rounded {
    kind: RoundedKind,
    core: Arc<ConvexPolyhedron>,
    radius: f64,
}

impl Rounded {
    pub(super) fn sphere(radius: f64) -> Result<Self> {
        let radius = checked_length(Argument::Radius, radius)?;
        // All spheres have the same core.
        static POINT: OnceLock<Arc<ConvexPolyhedron>> = OnceLock::new();
        let core = match POINT.get() {
            Some(core) => core.clone(),
            None => {
                let core = Arc::new(ConvexPolyhedron::hull(&[[0.0; 3]])?);
                POINT.get_or_init(|| core).clone()
            }
        };
        Ok(Self {
            kind: RoundedKind::Sphere,
            core,
            radius,
        })
    }

    pub(super) fn capsule(radius: f64, length: f64) -> Result<Self> {
        let radius = checked_length(Argument::Radius, radius)?;
        let half = 0.5 * checked_length(Argument::Length, length)?;
        let ends = [[0.0, 0.0, 0.0 - half], [0.0, 0.0, half]];
        Self::with_core(RoundedKind::Capsule, &ends, radius)
    }

    pub(super) fn cuboid(size: [f64; 3]) -> Result<Self> {
        for length in size {
            checked_length(Argument::Size, length)?;
        }
        let corner = |i: usize| {
            std::array::from_fn(|k| match i >> k & 1 {
                0 => -0.5 * size[k],
                _ => 0.5 * size[k],
            })
        };
        let corners: [[f64; 3]; 8] = std::array::from_fn(corner);
        Self::with_core(RoundedKind::Cuboid, &corners, 0.0)
    }

    pub(super) fn convex(polyhedron: ConvexPolyhedron) -> Self {
        Self {
            kind: RoundedKind::Convex,
            core: Arc::new(polyhedron),
            radius: 0.0,
        }
    }

    /// A rounded solid from its parts; `None` if they do not make one of this kind.
    pub(super) fn from_parts(
        kind: RoundedKind,
        core: ConvexPolyhedron,
        radius: f64,
    ) -> Option<Self> {
        let is_right = match kind {
            RoundedKind::Sphere => core.vertices() == [[0.0; 3]] && radius > 0.0,
            RoundedKind::Capsule => core.dimension() == 1 && radius > 0.0,
            RoundedKind::Cuboid | RoundedKind::Convex => radius == 0.0,
        };
        (is_right && is_valid_coordinate(radius)).then(|| Self {
            kind,
            core: Arc::new(core),
            radius,
        })
    }

    fn with_core(kind: RoundedKind, points: &[[f64; 3]], radius: f64) -> Result<Self> {
        Ok(Self {
            kind,
            core: Arc::new(ConvexPolyhedron::hull(points)?),
            radius,
        })
    }

    /// The kind of the rounded solid.
    pub fn kind(&self) -> RoundedKind {
        self.kind
    }

    /// The convex core of the rounded solid: a point for a sphere, a segment for a capsule.
    pub fn core(&self) -> &ConvexPolyhedron {
        &self.core
    }

    /// The distance from the core up to which points belong to the solid; 0 for a box or polyhedron.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    pub(super) fn name(&self) -> &'static str {
        match self.kind {
            RoundedKind::Sphere => "sphere",
            RoundedKind::Capsule => "capsule",
            RoundedKind::Cuboid => "box",
            RoundedKind::Convex => "convex polyhedron",
        }
    }

    /// The tight box of the posed solid, rounded outward. Of a core with many vertices the extreme ones
    /// are found by hill climbing.
    pub(super) fn bounds(&self, pose: &Pose) -> Aabb<3> {
        let core = &*self.core;
        if core.vertex_count() <= FEW {
            return posed_bounds(core.vertices(), pose, self.radius);
        }
        let (matrix, translation) = (pose.rotation_matrix(), pose.translation());
        let height = |k: usize, v: u32| dot(matrix[k], core.vertex(v)) + translation[k];
        let mut bounds = Aabb::EMPTY;
        for k in 0..3 {
            let (up, down) = (matrix[k], matrix[k].map(|x| 0.0 - x));
            bounds.min[k] = height(k, core.climb(core.start(down), down));
            bounds.max[k] = height(k, core.climb(core.start(up), up));
        }
        let reach = length(core.center()) + core.radius();
        bounds.expanded(self.radius + CLIMBED * (reach + self.radius + largest(translation)))
    }
}
