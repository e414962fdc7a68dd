//! Body of the impact engine: a shape and its motion, rigid or deforming.

use std::sync::Arc;

use super::super::rigid_motion::{RigidMotion, checked, shown};
use super::body_shape::BodyShape;
use super::bvh_node::bvh_nodes_of;
use super::deformation::{Deformation, check_duration, moved, refit_rates};
use crate::error::{Argument, Error, Result};
use crate::geometry::vector::minus;
use crate::geometry::{Pose, check_points};
use crate::shape::TriMesh;

/// A body of the impact engine with its motion: rigid, or deforming, with nodes that move at
/// constant velocities for a given duration.
#[derive(Clone, Debug)]
pub struct Body {
    pub(super) shape: BodyShape,
    pub(super) motion: RigidMotion,
    pub(super) deformation: Option<Deformation>,
}

impl Body {
    /// A rigid body of the impact engine, with a shape and a motion.
    pub fn new(shape: BodyShape, motion: RigidMotion) -> Self {
        Body {
            shape,
            motion,
            deformation: None,
        }
    }

    /// A rigid body of the impact engine, with a surface of triangles.
    ///
    /// # Errors
    /// As [`BodyShape::of_mesh`].
    pub fn rigid(mesh: TriMesh, motion: RigidMotion) -> Result<Self> {
        Ok(Self::new(BodyShape::of_mesh(mesh)?, motion))
    }

    /// A rigid body of the impact engine that is an exact ball.
    ///
    /// # Errors
    /// As [`BodyShape::ball`].
    pub fn ball(radius: f64, motion: RigidMotion) -> Result<Self> {
        Ok(Self::new(BodyShape::ball(radius)?, motion))
    }

    /// A deforming body: its nodes move linearly from their positions in the shape
    /// ([`BodyShape::points`]) to `ends` within a duration, as in a step of a finite element
    /// simulation. [`super::ImpactEngine::set_nodes`] sets the motion of the next step.
    ///
    /// # Errors
    /// When the number of ends is not the number of nodes, a coordinate is not finite or too large,
    /// the duration is not positive, or the shape is a ball.
    pub fn deforming(shape: BodyShape, ends: &[[f64; 3]], duration: f64) -> Result<Self> {
        if shape.radius() > 0.0 {
            let expected = "a surface: a ball keeps its form";
            return Err(Error::argument(Argument::Shape, "a ball", expected));
        }
        let points = shape.points().to_vec();
        let mut body = Self::new(shape, RigidMotion::at_rest(Pose::identity()));
        body.deformation = Some(Deformation::default());
        body.set_nodes(&points, ends, duration)?;
        Ok(body)
    }

    /// A deforming body whose nodes move at constant velocities for a duration: each ends at its
    /// position plus velocity times duration.
    ///
    /// # Errors
    /// As [`Body::deforming`].
    pub fn with_velocities(
        shape: BodyShape,
        velocities: &[[f64; 3]],
        duration: f64,
    ) -> Result<Self> {
        let ends = moved(shape.points(), velocities, duration)?;
        Self::deforming(shape, &ends, duration)
    }

    /// The shape of the body; that of a deforming body has the node positions that were last set.
    pub fn shape(&self) -> &BodyShape {
        &self.shape
    }

    /// The motion of the body. For a deforming body it is a translation at constant velocity. Along
    /// each axis, this velocity is midway between the smallest and the largest velocity of a node.
    pub fn motion(&self) -> &RigidMotion {
        &self.motion
    }

    /// Whether the body deforms.
    pub fn is_deforming(&self) -> bool {
        self.deformation.is_some()
    }

    /// How long the motion of the body is known, from the time at which it was set: the duration of
    /// a deformation, infinite for a rigid body.
    pub fn duration(&self) -> f64 {
        (self.deformation.as_ref()).map_or(f64::INFINITY, |d| d.duration)
    }

    /// Whether each point of the body moves at constant velocity.
    pub(super) fn is_straight(&self) -> bool {
        !self.motion.is_turning() && self.motion.acceleration() == [0.0; 3]
    }

    /// Sets the motion of this body; an error if the body deforms.
    pub(super) fn set_motion(&mut self, motion: RigidMotion) -> Result<()> {
        if self.is_deforming() {
            let expected = "a rigid body; set_nodes moves a deforming one";
            return Err(Error::argument(
                Argument::Body,
                "a deforming body",
                expected,
            ));
        }
        self.motion = motion;
        Ok(())
    }

    /// Sets the current positions of the nodes of this deforming body to `points`. From there they
    /// move linearly to `ends` within `duration`. Refits the bounding volume hierarchy of the body.
    pub(super) fn set_nodes(
        &mut self,
        points: &[[f64; 3]],
        ends: &[[f64; 3]],
        duration: f64,
    ) -> Result<()> {
        let Some(deformation) = &mut self.deformation else {
            let expected = "a deforming body; set_motion moves a rigid one";
            return Err(Error::argument(Argument::Body, "a rigid body", expected));
        };
        check_duration(duration)?;
        let expected = self.shape.points().len();
        for (what, found) in [
            (Argument::Points, points.len()),
            (Argument::Ends, ends.len()),
        ] {
            if found != expected {
                let expected = format!("{expected}, one a node");
                return Err(Error::argument(what, found, expected));
            }
        }
        check_points(Argument::Point, points)?;
        check_points(Argument::End, ends)?;
        let velocity = |i: usize| minus(ends[i], points[i]).map(|x| x / duration);
        let velocities = || (0..points.len()).map(velocity);
        for (index, v) in velocities().enumerate() {
            if checked(Argument::Velocity, v).is_err() {
                let found = shown(v);
                let expected = "finite numbers of magnitude at most 1.6e60";
                return Err(Error::item(Argument::Velocity, index, found, expected));
            }
        }
        // The middle of the extreme velocities keeps relative velocities small.
        let common: [f64; 3] = std::array::from_fn(|k| {
            let of = |m: (f64, f64), v: [f64; 3]| (m.0.min(v[k]), m.1.max(v[k]));
            let (least, most) = velocities().fold((f64::INFINITY, f64::NEG_INFINITY), of);
            0.5 * least + 0.5 * most
        });
        let inner = Arc::make_mut(&mut self.shape.inner);
        let position = |node: u32| points[node as usize];
        let (faces, elements) = (&inner.faces, &inner.elements);
        match elements {
            Some(elements) => {
                let controls = |face: usize| elements.controls(face as u32, position);
                inner.hierarchy.refit(controls)?;
                inner.margin = elements.margin(position);
            }
            None => inner.hierarchy.refit(|face| faces[face].map(position))?,
        }
        deformation.rates.clear();
        deformation
            .rates
            .extend(velocities().map(|v| minus(v, common)));
        deformation.ends.clear();
        deformation.ends.extend_from_slice(ends);
        deformation.duration = duration;
        inner.points.copy_from_slice(points);
        bvh_nodes_of(&inner.hierarchy, inner.margin, &mut inner.parts);
        refit_rates(inner, deformation);
        self.motion = RigidMotion::new(Pose::identity(), common, [0.0; 3], [0.0; 3])?;
        Ok(())
    }
}
