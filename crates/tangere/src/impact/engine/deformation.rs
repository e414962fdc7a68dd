//! Deformation of a body: its nodes move linearly for a duration, and the boxes of its BVH nodes
//! follow.

use super::body_shape::Inner;
use crate::error::{Argument, Error, Result, number};
use crate::simd::LANES;

/// Linear motion of the nodes of a deforming body.
#[derive(Clone, Debug, Default)]
pub(super) struct Deformation {
    pub(super) ends: Vec<[f64; 3]>,
    pub(super) duration: f64,
    /// Velocities of the nodes of the mesh, relative to the translation of the body. For each BVH
    /// node, `parts` has a box around the velocities of the mesh nodes below it.
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
    /// The velocity of the centre of the box of a BVH node of a deforming body.
    pub(super) fn center(&self) -> [f64; 3] {
        [self.row[0], self.row[1], self.row[2]]
    }

    /// The rates at which the deformation of a body makes the half sizes of the box of a BVH node
    /// grow.
    pub(super) fn half(&self) -> [f64; 3] {
        [self.row[3], self.row[4], self.row[5]]
    }
}

/// An error unless the duration of a deformation is positive and finite.
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

/// The nodes of a body after a deformation at constant velocities for a duration.
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

/// Refits the rates of all BVH nodes to a deformation, from the leaves to the root: a box around
/// the velocities of all mesh nodes below each.
pub(super) fn refit_rates(inner: &Inner, deformation: &mut Deformation) {
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
