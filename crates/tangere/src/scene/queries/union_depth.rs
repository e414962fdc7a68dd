//! Depth of a point in a union of solids: the distance to the nearest point that is not within them.
//!
//! The surface of a union of balls and convex polyhedra consists of pieces of spheres and planes. Its
//! point nearest to a given one is the nearest point of one of these surfaces, of the curve in which two
//! of them intersect, or one of the points in which three do. So all of these are candidates, and the
//! nearest candidate on the surface of the union is the answer. A candidate is on it if it is inside of no
//! solid, and if some direction leads out of all solids on whose surface it is: where two solids share a
//! face, none does.
//!
//! Such a direction, if there is one, also exists with the largest least component along one outward
//! normal of each solid. This one has equal components along at most three of the normals, so it is a
//! normal, a bisector of two, or orthogonal to the plane through the tips of three.
//!
//! Cost: the square to the cube of the number of surfaces that are nearer than the answer.

use crate::geometry::vector::{cross, direction, dot, length, minus};

/// The distance up to which surfaces count as one, relative to the size of the solids.
const SAME: f64 = 1e-9;

/// The sine of the least angle at which surfaces intersect.
const PARALLEL: f64 = 1e-9;

/// The least component along a normal of a direction that leads out.
const OUTWARD: f64 = 1e-6;

/// A plane or sphere, in coordinates whose origin is the given point.
#[derive(Clone, Copy, Debug)]
pub(super) enum Surface {
    /// All points with `normal . x = offset`; the solid is behind it.
    Plane { normal: [f64; 3], offset: f64 },
    /// A sphere around the solid.
    Sphere { center: [f64; 3], radius: f64 },
}

/// A union of balls and convex polyhedra.
#[derive(Debug, Default)]
pub(super) struct Union {
    /// For each solid its surfaces.
    solids: Vec<Vec<Surface>>,
    /// The size of the largest solid.
    size: f64,
}

impl Union {
    /// Adds a solid of a size: a ball by its sphere, or a convex polyhedron by its planes.
    pub fn add(&mut self, surfaces: Vec<Surface>, size: f64) {
        self.solids.push(surfaces);
        self.size = self.size.max(size);
    }

    /// The distance up to which surfaces count as one.
    pub fn tolerance(&self) -> f64 {
        SAME * self.size
    }

    /// The point of the surface nearest to the origin; `None` if there is none, or if the origin is
    /// outside.
    pub fn way_out(&self) -> Option<[f64; 3]> {
        let is_around = |solid: &Vec<Surface>| {
            let mut heights = solid.iter().map(|surface| surface.height([0.0; 3]));
            heights.all(|height| height <= self.tolerance())
        };
        if !self.solids.iter().any(is_around) {
            return None;
        }
        let mut nearest = Nearest {
            union: self,
            best: None,
            distance: f64::INFINITY,
        };
        let surfaces = self.solids.iter().flatten();
        let mut surfaces: Vec<(f64, Surface)> = surfaces
            .map(|surface| (length(surface.nearest()), *surface))
            .collect();
        surfaces.sort_by(|x, y| x.0.total_cmp(&y.0));
        for (distance, surface) in &surfaces {
            if *distance >= nearest.distance {
                break;
            }
            nearest.test(surface.nearest());
        }
        let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
        for j in 0..surfaces.len() {
            for i in 0..j {
                if surfaces[j].0 >= nearest.distance {
                    break;
                }
                if let Some(point) = on_two(surfaces[i].1, surfaces[j].1) {
                    pairs.push((length(point), i, j));
                    nearest.test(point);
                }
            }
        }
        pairs.sort_by(|x, y| x.0.total_cmp(&y.0));
        for (distance, i, j) in pairs {
            if distance >= nearest.distance {
                break;
            }
            for third in &surfaces[j + 1..] {
                if third.0 >= nearest.distance {
                    break;
                }
                let points = on_three([surfaces[i].1, surfaces[j].1, third.1]);
                points.into_iter().flatten().for_each(|p| nearest.test(p));
            }
        }
        nearest.best
    }

    /// Whether a point is on the surface of the union or outside.
    fn is_exit(&self, point: [f64; 3]) -> bool {
        let tolerance = self.tolerance();
        // For each solid on whose surface the point is, its outward normals there.
        let mut touched: Vec<Vec<[f64; 3]>> = Vec::new();
        for solid in &self.solids {
            let heights = solid.iter().map(|surface| surface.height(point));
            let height = heights.fold(f64::NEG_INFINITY, f64::max);
            if height < 0.0 - tolerance {
                return false;
            }
            if height <= tolerance {
                let here = solid.iter();
                let here = here.filter(|surface| surface.height(point) >= 0.0 - tolerance);
                touched.push(here.map(|surface| surface.normal(point)).collect());
            }
        }
        let leads_out = |way: [f64; 3]| {
            let mut solids = touched.iter();
            solids.all(|normals| normals.iter().any(|&n| dot(n, way) > OUTWARD))
        };
        let normals: Vec<[f64; 3]> = touched.iter().flatten().copied().collect();
        let is_unit_out = |way: [f64; 3]| direction(way).is_some_and(leads_out);
        normals.is_empty()
            || normals.iter().enumerate().any(|(i, &a)| {
                leads_out(a)
                    || normals[..i].iter().enumerate().any(|(j, &b)| {
                        is_unit_out(plus(a, b, 1.0))
                            || normals[..j].iter().any(|&c| {
                                let way = cross(minus(b, a), minus(c, a));
                                is_unit_out(way) || is_unit_out(way.map(|x| 0.0 - x))
                            })
                    })
            })
    }
}

/// The nearest candidate on the surface of a union so far.
struct Nearest<'u> {
    union: &'u Union,
    best: Option<[f64; 3]>,
    distance: f64,
}

impl Nearest<'_> {
    fn test(&mut self, point: [f64; 3]) {
        let distance = length(point);
        if distance < self.distance && self.union.is_exit(point) {
            (self.best, self.distance) = (Some(point), distance);
        }
    }
}

impl Surface {
    /// The height of a point above the surface.
    fn height(&self, point: [f64; 3]) -> f64 {
        match *self {
            Surface::Plane { normal, offset } => dot(normal, point) - offset,
            Surface::Sphere { center, radius } => length(minus(point, center)) - radius,
        }
    }

    /// The outward normal at a point of the surface.
    fn normal(&self, point: [f64; 3]) -> [f64; 3] {
        match *self {
            Surface::Plane { normal, .. } => normal,
            Surface::Sphere { center, .. } => {
                direction(minus(point, center)).unwrap_or([1.0, 0.0, 0.0])
            }
        }
    }

    /// The point nearest to the origin.
    fn nearest(&self) -> [f64; 3] {
        match *self {
            Surface::Plane { normal, offset } => normal.map(|x| offset * x),
            // From its centre all points are as near.
            Surface::Sphere { center, radius } => plus(center, self.normal([0.0; 3]), radius),
        }
    }
}

fn plus(a: [f64; 3], b: [f64; 3], factor: f64) -> [f64; 3] {
    std::array::from_fn(|k| a[k] + factor * b[k])
}

/// The plane of the circle in which two spheres intersect.
fn radical_plane((c, r): ([f64; 3], f64), (other, s): ([f64; 3], f64)) -> Option<([f64; 3], f64)> {
    let way = minus(other, c);
    let normal = direction(way)?;
    let apart = length(way);
    // Of a point at the distance a along the way: a^2 - r^2 = (apart - a)^2 - s^2.
    let along = 0.5 * (apart + (r - s) * (r + s) / apart);
    along.is_finite().then(|| (normal, dot(normal, c) + along))
}

/// The point nearest to the origin on the curve in which two surfaces intersect.
fn on_two(a: Surface, b: Surface) -> Option<[f64; 3]> {
    use Surface::{Plane, Sphere};
    match (a, b) {
        (
            Plane { normal, offset },
            Plane {
                normal: n,
                offset: o,
            },
        ) => Some(line((normal, offset), (n, o))?.0),
        (Plane { normal, offset }, Sphere { center, radius })
        | (Sphere { center, radius }, Plane { normal, offset }) => {
            on_circle((normal, offset), (center, radius))
        }
        (
            Sphere { center, radius },
            Sphere {
                center: c,
                radius: r,
            },
        ) => on_circle(radical_plane((center, radius), (c, r))?, (center, radius)),
    }
}

/// The line in which two planes intersect: its point nearest to the origin, and its direction.
fn line((n, o): ([f64; 3], f64), (m, q): ([f64; 3], f64)) -> Option<([f64; 3], [f64; 3])> {
    let across = cross(n, m);
    let square = dot(across, across);
    if square <= PARALLEL * PARALLEL {
        return None;
    }
    // x = (o (m x t) + q (t x n)) / t^2 with t = n x m.
    let (x, y) = (cross(m, across), cross(across, n));
    let point = std::array::from_fn(|k| (o * x[k] + q * y[k]) / square);
    Some((point, direction(across)?))
}

/// The point nearest to the origin on the circle of a plane and a sphere.
fn on_circle(
    (normal, offset): ([f64; 3], f64),
    (center, radius): ([f64; 3], f64),
) -> Option<[f64; 3]> {
    let height = offset - dot(normal, center);
    let middle = plus(center, normal, height);
    let reach = half_chord(radius, height)?;
    let within = plus(middle.map(|x| 0.0 - x), normal, dot(normal, middle));
    // From the axis of the circle all points are as near.
    let way = match length(within) > PARALLEL * radius {
        true => direction(within)?,
        false => {
            let axis = match normal[0].abs() < 0.6 {
                true => [1.0, 0.0, 0.0],
                false => [0.0, 1.0, 0.0],
            };
            direction(cross(normal, axis))?
        }
    };
    Some(plus(middle, way, reach))
}

/// The half of a chord of a circle, by its radius and the distance of the chord from the centre; a
/// tangent within rounding has the length 0.
fn half_chord(radius: f64, height: f64) -> Option<f64> {
    let square = (radius - height) * (radius + height);
    (square > 0.0 - SAME * radius * radius).then(|| square.max(0.0).sqrt())
}

/// The points in which three surfaces intersect.
fn on_three(surfaces: [Surface; 3]) -> [Option<[f64; 3]>; 2] {
    let mut planes: Vec<([f64; 3], f64)> = Vec::with_capacity(3);
    let mut sphere = None;
    for surface in surfaces {
        match (surface, sphere) {
            (Surface::Plane { normal, offset }, _) => planes.push((normal, offset)),
            (Surface::Sphere { center, radius }, None) => sphere = Some((center, radius)),
            (Surface::Sphere { center, radius }, Some(first)) => {
                planes.extend(radical_plane(first, (center, radius)));
            }
        }
    }
    let Some((point, way)) = planes.get(..2).and_then(|two| line(two[0], two[1])) else {
        return [None; 2];
    };
    match (sphere, planes.get(2)) {
        (Some((center, radius)), _) => {
            let along = dot(way, minus(center, point));
            let foot = plus(point, way, along);
            let half = half_chord(radius, length(minus(foot, center)));
            [-1.0, 1.0].map(|side| half.map(|half| plus(foot, way, side * half)))
        }
        (None, Some((normal, offset))) => {
            let slope = dot(*normal, way);
            let along = (offset - dot(*normal, point)) / slope;
            let found = (slope.abs() > PARALLEL).then(|| plus(point, way, along));
            [found, None]
        }
        (None, None) => [None; 2],
    }
}
