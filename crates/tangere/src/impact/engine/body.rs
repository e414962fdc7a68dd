//! A body: a shape and its motion, rigid or deforming.

use std::sync::Arc;

use super::super::rigid_motion::{RigidMotion, checked};
use super::body_shape::{BodyShape, Inner};
use super::bvh_node::bvh_nodes_of;
use crate::error::{Argument, Error, Result, number};
use crate::geometry::vector::minus;
use crate::geometry::{Pose, check_points};
use crate::shape::TriMesh;
use crate::simd::LANES;

/// A moving body: rigid, or deforming with nodes that move linearly for a duration.
#[derive(Clone, Debug)]
pub struct Body {
    pub(super) shape: BodyShape,
    pub(super) motion: RigidMotion,
    pub(super) deformation: Option<Deformation>,
}

/// Linear motion of the nodes of a deforming body.
#[derive(Clone, Debug, Default)]
pub(super) struct Deformation {
    pub(super) ends: Vec<[f64; 3]>,
    pub(super) duration: f64,
    /// Velocities of the nodes, relative to the centre of the body; `parts` has those of the BVH
    /// nodes.
    pub(super) rates: Vec<[f64; 3]>,
    pub(super) parts: Vec<BvhNodeRate>,
}

/// Velocity of the centre of a BVH node and rates of its half sizes, in the layout of the row of a
/// [`BvhNode`](super::bvh_node::BvhNode).
#[derive(Clone, Copy, Debug)]
pub(super) struct BvhNodeRate {
    pub(super) row: [f64; LANES],
}

impl BvhNodeRate {
    /// The velocity of the centre of the box.
    pub(super) fn center(&self) -> [f64; 3] {
        [self.row[0], self.row[1], self.row[2]]
    }

    /// The rates of growth of the half sizes of the box.
    pub(super) fn half(&self) -> [f64; 3] {
        [self.row[3], self.row[4], self.row[5]]
    }
}

impl Body {
    /// A rigid body with a shape and a motion.
    pub fn new(shape: BodyShape, motion: RigidMotion) -> Self {
        Body {
            shape,
            motion,
            deformation: None,
        }
    }

    /// A rigid body with a surface of triangles.
    ///
    /// # Errors
    /// As [`BodyShape::of_mesh`].
    pub fn rigid(mesh: TriMesh, motion: RigidMotion) -> Result<Self> {
        Ok(Self::new(BodyShape::of_mesh(mesh)?, motion))
    }

    /// A rigid body that is an exact ball.
    ///
    /// # Errors
    /// As [`BodyShape::ball`].
    pub fn ball(radius: f64, motion: RigidMotion) -> Result<Self> {
        Ok(Self::new(BodyShape::ball(radius)?, motion))
    }

    /// A body whose nodes move linearly from their positions in the shape ([`BodyShape::points`])
    /// to `ends` within a duration, as in a step of a finite element simulation.
    /// [`super::ImpactEngine::set_nodes`] sets the motion of the next step.
    ///
    /// # Errors
    /// When the number of ends is not the number of nodes, a number is not finite or too large, the
    /// duration is not positive, or the shape is a ball.
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

    /// A body whose nodes move at constant velocities for a duration: each ends at its position
    /// plus velocity times duration.
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

    /// The motion of the body; for a deforming body the common translation of its nodes.
    pub fn motion(&self) -> &RigidMotion {
        &self.motion
    }

    /// Whether the body deforms.
    pub fn is_deforming(&self) -> bool {
        self.deformation.is_some()
    }

    /// How long the motion of the body is known: the duration of a deformation, else infinite.
    pub fn duration(&self) -> f64 {
        (self.deformation.as_ref()).map_or(f64::INFINITY, |d| d.duration)
    }

    /// Whether each point of the body moves at constant velocity.
    pub(super) fn is_straight(&self) -> bool {
        !self.motion.is_turning() && self.motion.acceleration() == [0.0; 3]
    }

    /// Sets the motion of a rigid body.
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

    /// Sets the nodes of a deforming body, and their linear motion to `ends`.
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
                let found = format!("[{}]", v.map(number).join(", "));
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

/// An error unless a duration is positive and valid.
pub(super) fn check_duration(duration: f64) -> Result<()> {
    match duration > 0.0 && duration.is_finite() {
        true => Ok(()),
        false => {
            let expected = "a finite number above 0";
            Err(Error::argument(
                Argument::Duration,
                number(duration),
                expected,
            ))
        }
    }
}

/// The positions of points after a time at constant velocities.
pub(super) fn moved(
    points: &[[f64; 3]],
    velocities: &[[f64; 3]],
    duration: f64,
) -> Result<Vec<[f64; 3]>> {
    check_duration(duration)?;
    if velocities.len() != points.len() {
        let expected = format!("{}, one a node", points.len());
        return Err(Error::argument(
            Argument::Velocities,
            velocities.len(),
            expected,
        ));
    }
    let of = |(p, v): (&[f64; 3], &[f64; 3])| {
        let end: [f64; 3] = std::array::from_fn(|k| p[k] + v[k] * duration);
        crate::geometry::flushed(end)
    };
    Ok(points.iter().zip(velocities).map(of).collect())
}

/// Bounds of the velocities of all nodes below each BVH node, from the leaves to the root.
fn refit_rates(inner: &Inner, deformation: &mut Deformation) {
    let (parts, faces) = (&inner.parts, &inner.faces);
    let velocity = |node: u32| deformation.rates[node as usize];
    let margin = match &inner.elements {
        Some(elements) => elements.margin(velocity),
        None => 0.0,
    };
    let of = |min: [f64; 3], max: [f64; 3]| {
        let center: [f64; 3] = std::array::from_fn(|k| 0.5 * min[k] + 0.5 * max[k]);
        let half: [f64; 3] = std::array::from_fn(|k| {
            let half = (max[k] - center[k]).max(center[k] - min[k]);
            half * (1.0 + 4.0 * f64::EPSILON)
        });
        let ([x, y, z], [i, j, k]) = (center, half);
        BvhNodeRate {
            row: [x, y, z, i, j, k, 0.0, 0.0],
        }
    };
    let empty = BvhNodeRate { row: [0.0; LANES] };
    let rates = &mut deformation.parts;
    rates.clear();
    rates.resize(parts.len(), empty);
    for (i, part) in parts.iter().enumerate().rev() {
        let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let mut include = |center: [f64; 3], half: [f64; 3]| {
            for k in 0..3 {
                min[k] = min[k].min((center[k] - half[k]).next_down());
                max[k] = max[k].max((center[k] + half[k]).next_up());
            }
        };
        if let Some(elements) = inner.elements.as_ref().filter(|_| part.is_leaf()) {
            let velocity = |node: u32| deformation.rates[node as usize];
            for &rate in elements.controls(part.first, velocity).as_ref() {
                include(rate, [margin; 3]);
            }
        } else if part.is_leaf() {
            for v in faces[part.first as usize] {
                include(deformation.rates[v as usize], [0.0; 3]);
            }
        } else {
            for child in part.first..part.first + part.count {
                let child = rates[child as usize];
                include(child.center(), child.half());
            }
        }
        rates[i] = of(min, max);
    }
}
