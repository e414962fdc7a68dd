//! Conversions: results of other queries as a [`Contact`], so that one contact law serves them all.
//!
//! Where two surfaces intersect, or bodies overlap at the start of a motion, the penetration depth
//! is not computed: the lower bound `lower` of the gap is then minus infinity. Where the normal is
//! not defined, it is the zero vector.

use super::{Contact, ContactStatus, Feature};
use crate::closest::{MeshSurface, SurfaceDistance, SurfaceStatus};
use crate::error::{Argument, Error, Result};
use crate::geometry::vector::{dot, minus};
use crate::impact::{Certificate, ImpactContact};
use crate::inside::Intrusion;
use crate::pairs::{Items, PairContact, Periodic};

/// The relative amount, 2^-40, by which conversions widen the bounds `lower` and `upper` of a
/// computed gap. The rounding error of the gap is far smaller.
const ROUNDING: f64 = f64::from_bits((1023 - 40) << 52);

/// Converts an impact to the contact of both bodies at the time `early`, the lower bound of the
/// time of impact.
impl From<ImpactContact> for Contact {
    fn from(impact: ImpactContact) -> Self {
        let overlaps = impact.certificate == Certificate::Overlap;
        Contact {
            gap: impact.gap,
            lower: if overlaps { f64::NEG_INFINITY } else { 0.0 },
            upper: impact.gap,
            point_a: impact.point_a,
            point_b: impact.point_b,
            normal: impact.normal,
            feature_a: impact.feature_a,
            feature_b: impact.feature_b,
            status: match overlaps {
                true => ContactStatus::Penetrating,
                false => ContactStatus::Touching,
            },
            steps: 0,
        }
    }
}

/// Converts the distance of two surfaces to the contact at their nearest points. If the surfaces
/// have a common point, the gap is 0 and the normal is the zero vector. If one closed surface
/// encloses the other, the gap is minus the distance of the surfaces, which is less than the
/// penetration depth.
impl From<SurfaceDistance> for Contact {
    fn from(found: SurfaceDistance) -> Self {
        let apart = minus(found.point_b, found.point_a);
        let length = dot(apart, apart).sqrt();
        let sign = if found.gap < 0.0 { -1.0 } else { 1.0 };
        Contact {
            gap: found.gap,
            lower: match found.intersecting {
                true => f64::NEG_INFINITY,
                false => found.gap * (1.0 - ROUNDING),
            },
            upper: found.gap * (1.0 + sign * ROUNDING),
            point_a: found.point_a,
            point_b: found.point_b,
            normal: match length > 0.0 {
                true => apart.map(|x| sign * x / length),
                false => [0.0; 3],
            },
            feature_a: Feature::face(found.face_a),
            feature_b: Feature::face(found.face_b),
            status: match found.status {
                SurfaceStatus::Separated => ContactStatus::Separated,
                SurfaceStatus::Touching => ContactStatus::Touching,
                _ => ContactStatus::Penetrating,
            },
            steps: 0,
        }
    }
}

impl Intrusion {
    /// Converts an intrusion, a node of one body inside another body or on its surface, to the
    /// [`Contact`] of the node with that surface. `a` is the body that the node has entered, `b`
    /// the body of the node. `surface` is the surface of `a`, and `node` the position of the node
    /// in the same frame.
    ///
    /// The gap is minus the distance of the node from the surface. This distance is a lower bound
    /// of the penetration depth of the bodies. Where the node lies on the surface, the normal is
    /// the zero vector.
    ///
    /// # Errors
    /// When the position is not finite.
    pub fn contact(&self, surface: &MeshSurface, node: [f64; 3]) -> Result<Contact> {
        let nearest = surface.closest(node)?;
        let outward = minus(nearest.point, node);
        let gap = 0.0 - nearest.distance;
        Ok(Contact {
            gap,
            lower: f64::NEG_INFINITY,
            upper: gap * (1.0 - ROUNDING),
            point_a: nearest.point,
            point_b: node,
            normal: match nearest.distance > 0.0 {
                true => outward.map(|x| x / nearest.distance),
                false => [0.0; 3],
            },
            feature_a: Feature::face(nearest.face),
            feature_b: Feature::vertex(self.node),
            status: match nearest.distance > 0.0 {
                true => ContactStatus::Penetrating,
                false => ContactStatus::Touching,
            },
            steps: 0,
        })
    }
}

impl<const D: usize> PairContact<D> {
    /// Converts the contact of a pair of spheres or boxes to a [`Contact`] in space; in the plane z
    /// is 0. `items` are the spheres or boxes among which the pair was found, and `cell` is their
    /// periodic cell, if they have one. `point_b` belongs to the image of the second item that
    /// touches the first. Spheres and boxes have no features, so `feature_a` and `feature_b` are
    /// both face 0.
    ///
    /// The points of two boxes lie in the middle of the area that the boxes share when they are
    /// projected along the normal.
    ///
    /// # Errors
    /// When the items are invalid, or the pair names an item that is out of range.
    pub fn contact(&self, items: Items<'_, D>, cell: Option<&Periodic<D>>) -> Result<Contact> {
        items.check()?;
        let [a, b] = self.pair.map(|item| item as usize);
        if a.max(b) >= items.len() {
            let expected = format!("an item below {}", items.len());
            return Err(Error::argument(
                Argument::Pairs,
                format!("item {}", a.max(b)),
                expected,
            ));
        }
        let shift = cell.map_or([0.0; D], |cell| cell.shift(self.image));
        let (point, size): ([f64; D], f64) = match items {
            Items::Spheres { centers, radii } => {
                let surface = |k| centers[a][k] + radii[a] * self.normal[k];
                (std::array::from_fn(surface), radii[a] + radii[b])
            }
            Items::Boxes { lower, upper } => {
                // Along the normal, the position of the face of `a`; along the other axes, the
                // middle of the interval that both boxes share.
                let shared = |k: usize| match self.normal[k] {
                    n if n > 0.5 => upper[a][k],
                    n if n < -0.5 => lower[a][k],
                    _ => {
                        let low = lower[a][k].max(lower[b][k] + shift[k]);
                        0.5 * (low + upper[a][k].min(upper[b][k] + shift[k]))
                    }
                };
                let size = |k: usize| (upper[a][k] - lower[a][k]) + (upper[b][k] - lower[b][k]);
                (
                    std::array::from_fn(shared),
                    (0..D).map(size).fold(0.0, f64::max),
                )
            }
        };
        let in_space = |v: [f64; D]| std::array::from_fn(|k| if k < D { v[k] } else { 0.0 });
        let (point_a, normal): ([f64; 3], [f64; 3]) = (in_space(point), in_space(self.normal));
        let largest = point.iter().fold(size, |most, x| most.max(x.abs()));
        let error = largest * ROUNDING;
        Ok(Contact {
            gap: self.gap,
            lower: self.gap - error,
            upper: self.gap + error,
            point_a,
            point_b: std::array::from_fn(|k| point_a[k] + self.gap * normal[k]),
            normal,
            feature_a: Feature::face(0),
            feature_b: Feature::face(0),
            status: match self.gap.partial_cmp(&0.0) {
                Some(std::cmp::Ordering::Less) => ContactStatus::Penetrating,
                Some(std::cmp::Ordering::Equal) => ContactStatus::Touching,
                _ => ContactStatus::Separated,
            },
            steps: 0,
        })
    }
}
