//! Ray cast: the first body that a ray hits.
//!
//! A ray that begins inside a solid hits it at once. Triangles are hit or missed by exact predicates
//! of the line of the ray, so that no ray passes between two triangles that share an edge; distances
//! are floats.

use rayon::prelude::*;

use super::super::rounded::{Rounded, RoundedKind};
use super::super::shape::{Element, Part};
use super::{CHUNK, Queries};
use crate::error::{Argument, Error, Result};
use crate::geometry::vector::{cross, dot, length, minus};
use crate::geometry::{Pose, Sign, is_valid_coordinate, orient3d};
use crate::scene::BodyId;
use crate::tree::Ray;

/// The first hit of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The id of the body that is hit first, the lowest of several; `None` if none is hit.
    pub body: Option<BodyId>,
    /// The parameter of the hit, in lengths of the direction; infinite if nothing is hit.
    pub t: f64,
    /// The unit normal of the surface at the hit, towards the side from which the ray comes; zero if
    /// the ray begins inside the body, or nothing is hit.
    pub normal: [f64; 3],
}

const MISS: RayHit = RayHit {
    body: None,
    t: f64::INFINITY,
    normal: [0.0; 3],
};

impl Queries<'_> {
    /// The first body that each of several rays hits.
    ///
    /// # Errors
    /// When a coordinate is not valid, a direction is zero, `t_max` is negative or NaN, or the scene is
    /// periodic.
    pub fn rays(&self, rays: &[Ray<3>]) -> Result<Vec<RayHit>> {
        if self.settings.periodic.is_some() {
            return Err(Error::argument(
                Argument::PeriodicCell,
                "rays in a periodic scene",
                "a scene without periodic cell",
            ));
        }
        for (i, ray) in rays.iter().enumerate() {
            let mut numbers = ray.origin.iter().chain(&ray.direction);
            let is_right = numbers.all(|&x| is_valid_coordinate(x))
                && ray.direction != [0.0; 3]
                && ray.t_max >= 0.0;
            if !is_right {
                let found = format!("{ray:?}");
                let expected =
                    "finite coordinates, a direction other than 0 and an end not below 0";
                return Err(Error::item(Argument::Ray, i, found, expected));
            }
        }
        let hits = rays.par_iter().with_min_len(CHUNK);
        Ok(hits.map(|ray| self.first_hit(ray)).collect())
    }

    fn first_hit(&self, ray: &Ray<3>) -> RayHit {
        let bodies = self.bodies;
        let mut best = RayHit {
            t: ray.t_max,
            ..MISS
        };
        let mut test = |slot: usize| {
            for part in bodies.shapes[slot].parts() {
                let id = Some(bodies.ids[slot]);
                if let Some((t, normal)) = hit(part, &bodies.pose(slot), ray)
                    && (t < best.t || (t == best.t && (best.body.is_none() || id < best.body)))
                {
                    best = RayHit {
                        body: id,
                        t,
                        normal,
                    };
                }
            }
            best.t
        };
        for &slot in &self.slots[self.boxes.len()..] {
            test(slot as usize);
        }
        self.tree.along_ray(ray, |item, t_max| {
            *t_max = t_max.min(test(self.slots[item as usize] as usize));
        });
        match best.body {
            None => MISS,
            Some(_) => best,
        }
    }
}

/// Where a ray hits a part of a body, and the normal there.
fn hit(part: &Part, pose: &Pose, ray: &Ray<3>) -> Option<(f64, [f64; 3])> {
    let t = pose.translation();
    // Relative to the origin of the ray, then in the frame of the part.
    let placed = part.placed(&pose.at(std::array::from_fn(|k| t[k] - ray.origin[k])));
    let back = placed.inverse();
    let origin = back.apply([0.0; 3]);
    let way = back.rotate(ray.direction);
    let (t, normal) = match &part.element {
        Element::Rounded(rounded) => hit_rounded(rounded, origin, way)?,
        Element::HalfSpace(normal) => {
            let (height, fall) = (dot(*normal, origin), dot(*normal, way));
            match height <= 0.0 {
                true => (0.0, [0.0; 3]),
                false if fall < 0.0 => (height / -fall, *normal),
                false => return None,
            }
        }
        Element::Mesh(mesh) => {
            let is_inside = mesh.is_solid()
                && mesh
                    .surface()
                    .closest(origin)
                    .is_ok_and(|near| near.gap <= 0.0);
            if is_inside {
                return Some((0.0, [0.0; 3]));
            }
            let local = Ray {
                origin,
                direction: way,
                t_max: ray.t_max,
            };
            let mut best: Option<(f64, [f64; 3])> = None;
            mesh.tree().along_ray(&local, |face, t_max| {
                if let Some((t, normal)) = hit_triangle(mesh.triangle(face), origin, way)
                    && best.is_none_or(|(least, _)| t < least)
                {
                    best = Some((t, normal));
                    *t_max = t_max.min(t);
                }
            });
            best?
        }
    };
    (t <= ray.t_max).then(|| (t, placed.rotate(normal)))
}

fn hit_rounded(rounded: &Rounded, origin: [f64; 3], way: [f64; 3]) -> Option<(f64, [f64; 3])> {
    let core = rounded.core();
    match rounded.kind() {
        RoundedKind::Sphere => hit_ball([0.0; 3], rounded.radius(), origin, way),
        RoundedKind::Capsule => hit_capsule(
            [core.vertex(0), core.vertex(1)],
            rounded.radius(),
            origin,
            way,
        ),
        _ if core.dimension() == 3 => {
            let (mut enter, mut leave, mut normal) = (0.0f64, f64::INFINITY, [0.0; 3]);
            for plane in core.planes() {
                let (height, rate) = (
                    dot(plane.normal, origin) - plane.offset,
                    dot(plane.normal, way),
                );
                if rate < 0.0 {
                    let t = height / -rate;
                    if t > enter {
                        (enter, normal) = (t, plane.normal);
                    }
                } else if rate > 0.0 {
                    leave = leave.min(-height / rate);
                } else if height > 0.0 {
                    return None;
                }
            }
            (enter <= leave).then_some((enter, normal))
        }
        // A polygon without thickness; segments and points are not hit.
        _ if core.dimension() == 2 => {
            let corners: Vec<[f64; 3]> = core.face_vertices(0).map(|v| core.vertex(v)).collect();
            let fan = (2..corners.len()).map(|i| [corners[0], corners[i - 1], corners[i]]);
            fan.filter_map(|triangle| hit_triangle(triangle, origin, way))
                .min_by(|x, y| x.0.total_cmp(&y.0))
        }
        _ => None,
    }
}

/// Where a ray enters a ball; at 0 if it begins inside.
fn hit_ball(
    center: [f64; 3],
    radius: f64,
    origin: [f64; 3],
    way: [f64; 3],
) -> Option<(f64, [f64; 3])> {
    let from = minus(origin, center);
    // Scaled to a direction of length 1, so that squares do not lose digits.
    let speed = length(way);
    let unit = way.map(|x| x / speed);
    let along = dot(from, unit);
    if length(from) <= radius {
        return Some((0.0, [0.0; 3]));
    }
    // The distance of the line from the centre, without cancellation.
    let foot: [f64; 3] = std::array::from_fn(|k| from[k] - along * unit[k]);
    let rest = (radius - length(foot)) * (radius + length(foot));
    if rest < 0.0 || along >= 0.0 {
        return None;
    }
    let t = -along - rest.sqrt();
    let at: [f64; 3] = std::array::from_fn(|k| (from[k] + t * unit[k]) / radius);
    Some(((t / speed).max(0.0), at))
}

/// Where a ray enters a capsule around a segment; at 0 if it begins inside.
fn hit_capsule(
    ends: [[f64; 3]; 2],
    radius: f64,
    origin: [f64; 3],
    way: [f64; 3],
) -> Option<(f64, [f64; 3])> {
    let axis = minus(ends[1], ends[0]);
    let size = dot(axis, axis);
    let from = minus(origin, ends[0]);
    let at = (dot(from, axis) / size).clamp(0.0, 1.0);
    let near: [f64; 3] = std::array::from_fn(|k| from[k] - at * axis[k]);
    if length(near) <= radius {
        return Some((0.0, [0.0; 3]));
    }
    let caps = ends.map(|end| hit_ball(end, radius, origin, way));
    // The infinite cylinder: components orthogonal to the axis.
    let across = |v: [f64; 3]| -> [f64; 3] {
        let share = dot(v, axis) / size;
        std::array::from_fn(|k| v[k] - share * axis[k])
    };
    let (from_across, way_across) = (across(from), across(way));
    let (a, b) = (dot(way_across, way_across), dot(from_across, way_across));
    let c = (length(from_across) - radius) * (length(from_across) + radius);
    let rest = b * b - a * c;
    let side = (a > 0.0 && rest >= 0.0 && c > 0.0 && b < 0.0).then(|| {
        let t = c / (-b + rest.sqrt());
        let place: [f64; 3] = std::array::from_fn(|k| from[k] + t * way[k]);
        (t, place)
    });
    let side = side.filter(|(_, place)| {
        let share = dot(*place, axis) / size;
        (0.0..=1.0).contains(&share)
    });
    let side = side.map(|(t, place)| (t, across(place).map(|x| x / radius)));
    let all = caps.into_iter().chain([side]).flatten();
    all.min_by(|x, y| x.0.total_cmp(&y.0))
}

/// Where a ray hits a triangle from either side, and the unit normal towards the ray.
fn hit_triangle(
    triangle: [[f64; 3]; 3],
    origin: [f64; 3],
    way: [f64; 3],
) -> Option<(f64, [f64; 3])> {
    let [a, b, c] = triangle;
    let beyond: [f64; 3] = std::array::from_fn(|k| origin[k] + way[k]);
    if beyond == origin {
        return None;
    }
    // On which side the line passes each edge, exactly.
    let sides = [[a, b], [b, c], [c, a]].map(|[p, q]| orient3d(origin, beyond, p, q));
    if sides.contains(&Sign::Negative) && sides.contains(&Sign::Positive) {
        return None;
    }
    let normal = cross(minus(b, a), minus(c, a));
    let (height, rate) = (dot(normal, minus(origin, a)), dot(normal, way));
    // A line in the plane of the triangle meets its neighbours, too.
    if rate == 0.0 {
        return None;
    }
    let t = -height / rate;
    let size = length(normal);
    let sign = if rate > 0.0 { -1.0 } else { 1.0 };
    (t >= 0.0).then(|| (t, normal.map(|x| sign * x / size)))
}
