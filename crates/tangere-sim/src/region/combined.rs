//! Unions and intersections of regions.
//!
//! The surface of a union is what of the surfaces of its parts lies in no other part; the surface of an
//! intersection is what lies in all other parts. Seen from outside, a union is the intersection of what
//! is around its parts.

use super::{Region, SurfacePoints};
use crate::vector::{Vector, minus};
use serde::{Deserialize, Serialize};

/// A union or an intersection of regions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Combined {
    /// The regions.
    pub parts: Vec<Region>,
    /// Whether it is the intersection.
    pub is_intersection: bool,
    /// Whether it is the space around.
    pub is_outside: bool,
}

impl Combined {
    pub(super) fn contains(&self, point: Vector) -> bool {
        let mut parts = self.parts.iter();
        match self.is_intersection {
            true => parts.all(|part| part.is_open() || part.holds(point, false)),
            false => parts.any(|part| part.is_open() || part.holds(point, false)),
        }
    }

    pub(super) fn collect(
        &self,
        center: Vector,
        reach: f64,
        flips: bool,
        first: u32,
        points: &mut SurfacePoints,
    ) {
        let flips = self.is_outside != flips;
        // Of flipped parts, a union is an intersection.
        let needs_all = self.is_intersection != flips;
        let mut face = first;
        for (i, part) in self.parts.iter().enumerate() {
            let before = points.len();
            part.collect(center, reach, flips, face, points);
            points.retain_from(before, |point| {
                let place = minus(center, point.way);
                let others = self.parts.iter().enumerate().filter(|(j, _)| *j != i);
                let mut others = others.map(|(_, other)| other);
                match needs_all {
                    true => others.all(|other| other.is_open() || other.holds(place, flips)),
                    false => others.all(|other| other.is_open() || !other.holds(place, flips)),
                }
            });
            face += part.face_count();
        }
    }
}
