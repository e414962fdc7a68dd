//! Solids: containment, and the points of their faces that are closest to a centre.
//!
//! From inside, a sphere may touch every face. From outside it touches the closest place of all faces.
//! With open faces it touches the others from both sides. Seen from outside the surface is one face, with
//! one history, as in LAMMPS. Cylinders and cones are figures in the half
//! plane of the distance from the axis and the height.
//!
//! The outside of a cone counts as hollow, as in LAMMPS, whose decks must give the same forces.

use super::{SurfacePoint, SurfacePoints, across};
use crate::vector::{Vector, dot, length, minus, times};
use serde::{Deserialize, Serialize};

/// A solid, or the space around it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solid {
    /// Its shape.
    pub shape: Shape,
    /// Whether it is the space around the shape.
    pub is_outside: bool,
    /// Which faces are left out. Of a block, low and high along x, y, z; of a cylinder or cone the low
    /// end, the high end and the mantle.
    pub open: [bool; 6],
}

/// The shapes of solids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// A box along the axes.
    Block {
        /// The lower corner.
        low: Vector,
        /// The upper corner.
        high: Vector,
    },
    /// A cylinder along an axis.
    Cylinder {
        /// The axis.
        axis: usize,
        /// The centre along the other two axes.
        center: [f64; 2],
        /// The radius.
        radius: f64,
        /// The lower and the upper end along the axis.
        ends: [f64; 2],
    },
    /// A cone along an axis, or a frustum of it.
    Cone {
        /// The axis.
        axis: usize,
        /// The centre along the other two axes.
        center: [f64; 2],
        /// The radii at the lower and the upper end.
        radii: [f64; 2],
        /// The lower and the upper end along the axis.
        ends: [f64; 2],
    },
    /// A ball.
    Sphere {
        /// The centre.
        center: Vector,
        /// The radius.
        radius: f64,
    },
    /// The half space on the side of a plane to which its normal points.
    Plane {
        /// A point of the plane.
        point: Vector,
        /// The unit normal.
        normal: Vector,
    },
}

/// A place of a surface in the half plane of a cylinder or cone: distance from the axis, and height.
type Place = [f64; 2];

impl Shape {
    pub(super) fn face_count(&self) -> u32 {
        match self {
            Self::Block { .. } => 6,
            Self::Cylinder { .. } | Self::Cone { .. } => 3,
            Self::Sphere { .. } | Self::Plane { .. } => 1,
        }
    }

    /// Whether a point is inside or on the surface.
    pub(super) fn contains(&self, point: Vector) -> bool {
        match self {
            Self::Block { low, high } => (0..3).all(|k| low[k] <= point[k] && point[k] <= high[k]),
            Self::Cylinder {
                axis,
                center,
                radius,
                ends,
            } => {
                let [r, z] = half_plane(*axis, *center, point);
                r <= *radius && ends[0] <= z && z <= ends[1]
            }
            Self::Cone {
                axis,
                center,
                radii,
                ends,
            } => {
                let [r, z] = half_plane(*axis, *center, point);
                r <= radius_at(*radii, *ends, z) && ends[0] <= z && z <= ends[1]
            }
            Self::Sphere { center, radius } => length(minus(point, *center)) <= *radius,
            Self::Plane { point: on, normal } => dot(minus(point, *on), *normal) >= 0.0,
        }
    }
}

impl Solid {
    pub(super) fn collect(
        &self,
        center: Vector,
        reach: f64,
        flips: bool,
        first: u32,
        points: &mut SurfacePoints,
    ) {
        let is_open = self.open.contains(&true);
        let is_outside = self.is_outside != flips;
        if is_open || !is_outside {
            self.collect_inside(center, reach, first, points);
        }
        if is_open || is_outside {
            self.collect_outside(center, reach, first, points);
        }
    }

    fn collect_inside(&self, at: Vector, reach: f64, first: u32, points: &mut SurfacePoints) {
        if !self.shape.contains(at) {
            return;
        }
        let mut flat = |face: usize, axis: usize, gap: f64, sign: f64| {
            if gap < reach && !self.open[face] {
                let mut way = [0.0; 3];
                way[axis] = sign * gap;
                points.push(SurfacePoint::flat(way, gap, first + face as u32));
            }
        };
        match &self.shape {
            Shape::Block { low, high } => {
                for k in 0..3 {
                    flat(2 * k, k, at[k] - low[k], 1.0);
                    flat(2 * k + 1, k, high[k] - at[k], -1.0);
                }
            }
            Shape::Cylinder {
                axis,
                center,
                radius,
                ends,
            } => {
                flat(0, *axis, at[*axis] - ends[0], 1.0);
                flat(1, *axis, ends[1] - at[*axis], -1.0);
                let [r, z] = half_plane(*axis, *center, at);
                if radius - r < reach && r > 0.0 && !self.open[2] {
                    let point = in_space(*axis, *center, at, [r, z], [*radius, z], first + 2);
                    points.push(point.curved(-2.0 * radius));
                }
            }
            Shape::Cone {
                axis,
                center,
                radii,
                ends,
            } => {
                flat(0, *axis, at[*axis] - ends[0], 1.0);
                flat(1, *axis, ends[1] - at[*axis], -1.0);
                let own = half_plane(*axis, *center, at);
                let place = on_segment([radii[0], ends[0]], [radii[1], ends[1]], own);
                let point = in_space(*axis, *center, at, own, place, first + 2);
                if point.distance < reach && own[0] > 0.0 && !self.open[2] {
                    points.push(point.curved(-2.0 * radius_at(*radii, *ends, place[1])));
                }
            }
            Shape::Sphere { center, radius } => {
                let from = minus(at, *center);
                let r = length(from);
                if radius - r < reach && r > 0.0 {
                    let way = times(from, 1.0 - radius / r);
                    points.push(SurfacePoint::flat(way, radius - r, first).curved(0.0 - radius));
                }
            }
            Shape::Plane { point, normal } => {
                let gap = dot(minus(at, *point), *normal);
                if gap < reach {
                    points.push(SurfacePoint::flat(times(*normal, gap), gap, first));
                }
            }
        }
    }

    fn collect_outside(&self, at: Vector, reach: f64, first: u32, points: &mut SurfacePoints) {
        let mut closest: Option<SurfacePoint> = None;
        let mut offer = |point: SurfacePoint| {
            if closest.is_none_or(|closest| point.distance < closest.distance) {
                closest = Some(point);
            }
        };
        match &self.shape {
            Shape::Block { low, high } => {
                if (0..3).all(|k| low[k] < at[k] && at[k] < high[k]) {
                    return;
                }
                for face in (0..6).filter(|&face| !self.open[face]) {
                    let mut place: Vector = std::array::from_fn(|k| at[k].max(low[k]).min(high[k]));
                    let end = if face % 2 == 0 { low } else { high };
                    place[face / 2] = end[face / 2];
                    let way = minus(at, place);
                    offer(SurfacePoint::flat(way, length(way), first));
                }
            }
            Shape::Cylinder {
                axis,
                center,
                radius,
                ends,
            } => {
                let own = half_plane(*axis, *center, at);
                if own[0] < *radius && ends[0] < own[1] && own[1] < ends[1] {
                    return;
                }
                let held = [own[0].min(*radius), own[1].max(ends[0]).min(ends[1])];
                let places = [[held[0], ends[0]], [held[0], ends[1]], [*radius, held[1]]];
                for face in [2, 0, 1].into_iter().filter(|&face| !self.open[face]) {
                    let place = places[face];
                    let point = in_space(*axis, *center, at, own, place, first);
                    offer(match face {
                        2 => point.curved(2.0 * radius),
                        _ => point,
                    });
                }
            }
            Shape::Cone {
                axis,
                center,
                radii,
                ends,
            } => {
                let own = half_plane(*axis, *center, at);
                let is_between = ends[0] < own[1] && own[1] < ends[1];
                if is_between && own[0] < radius_at(*radii, *ends, own[1]) {
                    return;
                }
                let places = [
                    [own[0].min(radii[0]), ends[0]],
                    [own[0].min(radii[1]), ends[1]],
                    on_segment([radii[0], ends[0]], [radii[1], ends[1]], own),
                ];
                for face in [2, 0, 1].into_iter().filter(|&face| !self.open[face]) {
                    let place = places[face];
                    let point = in_space(*axis, *center, at, own, place, first);
                    offer(match face {
                        2 => point.curved(-2.0 * radius_at(*radii, *ends, place[1])),
                        _ => point,
                    });
                }
            }
            Shape::Sphere { center, radius } => {
                let from = minus(at, *center);
                let r = length(from);
                if r >= *radius && r > 0.0 {
                    let way = times(from, 1.0 - radius / r);
                    offer(SurfacePoint::flat(way, r - radius, first).curved(*radius));
                }
            }
            Shape::Plane { point, normal } => {
                let height = dot(minus(at, *point), *normal);
                if height <= 0.0 {
                    offer(SurfacePoint::flat(
                        times(*normal, height),
                        0.0 - height,
                        first,
                    ));
                }
            }
        }
        if let Some(point) = closest.filter(|point| point.distance < reach) {
            points.push(point);
        }
    }
}

/// Distance from the axis, and height.
fn half_plane(axis: usize, center: [f64; 2], at: Vector) -> Place {
    let [i, j] = across(axis);
    let [x, y] = [at[i] - center[0], at[j] - center[1]];
    [(x * x + y * y).sqrt(), at[axis]]
}

/// The point of a surface that is seen from `own` at `place`, both in the half plane through `at`.
fn in_space(
    axis: usize,
    center: [f64; 2],
    at: Vector,
    own: Place,
    place: Place,
    face: u32,
) -> SurfacePoint {
    let [i, j] = across(axis);
    let [out, up] = [own[0] - place[0], own[1] - place[1]];
    let [x, y] = match own[0] > 0.0 {
        true => [(at[i] - center[0]) / own[0], (at[j] - center[1]) / own[0]],
        // On the axis all directions are alike.
        false => [1.0, 0.0],
    };
    let mut way = [0.0; 3];
    way[axis] = up;
    way[i] = out * x;
    way[j] = out * y;
    let distance = match (out, up) {
        (out, 0.0) => out.abs(),
        (0.0, up) => up.abs(),
        _ => (out * out + up * up).sqrt(),
    };
    SurfacePoint::flat(way, distance, face)
}

/// The radius of a cone at a height.
fn radius_at(radii: [f64; 2], ends: [f64; 2], z: f64) -> f64 {
    radii[0] + (z - ends[0]) * (radii[1] - radii[0]) / (ends[1] - ends[0])
}

/// The point of a segment that is closest to a point.
fn on_segment(a: Place, b: Place, p: Place) -> Place {
    let [u, v] = [b[0] - a[0], b[1] - a[1]];
    let t = ((p[0] - a[0]) * u + (p[1] - a[1]) * v) / (u * u + v * v);
    match t {
        t if t <= 0.0 => a,
        t if t >= 1.0 => b,
        t => [a[0] + t * u, a[1] + t * v],
    }
}
