//! Trefoil knot: a tube with an exact number of triangles.
//!
//! It is a smooth body that comes close to itself in many places, with any given number of
//! triangles. Cost: linear in that number.
//!
//! # Construction
//! The centre line is the (2, 3) torus knot on the torus with radii 2 and 1,
//!
//! ```text
//! c(t) = ((2 + cos 3t) cos 2t, (2 + cos 3t) sin 2t, sin 3t),   0 <= t < 2 pi.
//! ```
//!
//! Its strands keep a distance of 1.66 and its radius of curvature is at least 1.43, so a tube of
//! radius 1/2 does not meet itself. Rings of vertices are placed across the line at equal distances
//! along it. A closed surface of genus 1 has half as many vertices as triangles, so any
//! distribution of `triangles / 2` vertices to rings gives the right number. Usually all rings get
//! the same number of sides; where that does not divide, the first few get one more. Neighbouring
//! rings are turned by half a side, which makes triangles nearly equilateral.

use std::f64::consts::TAU;

use rayon::prelude::*;

use super::{TRIANGLES_MAX, reserved};
use crate::error::{Argument, Error, Result};
use crate::shape::TriMesh;

/// The smallest number of triangles of a knot, which makes 16 rings. Their centres are 2 apart, so
/// chords between them stay within 0.41 of the centre line. Strands could pass through each other
/// only if chords were 0.83 away from the centre line, so the tube is knotted. (In fact, tubes from
/// 48 triangles on do not meet themselves.)
const TRIANGLES_MIN: usize = 100;

/// The radius of the tube of the knot.
const RADIUS: f64 = 0.5;

/// The length of the centre line of the knot.
const LENGTH: f64 = 31.898;

/// The number of integration steps along a third of the centre line of the knot, which [`Line`]
/// tabulates. The other two thirds repeat it.
const STEPS: usize = 1024;

/// Returns a trefoil knot of exactly `triangles` triangles, genus 1, within the box
/// `[-3.5, 3.5]^2 x [-1.5, 1.5]`.
///
/// # Errors
/// If `triangles` is odd (every edge of a closed surface has two triangles, so
/// their number is even), below 100 or above 134217728.
///
/// ```
/// let knot = tangere::generate::knot(1234)?;
/// assert_eq!(knot.faces().len(), 1234);
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn knot(triangles: usize) -> Result<TriMesh> {
    if !triangles.is_multiple_of(2) || !(TRIANGLES_MIN..=TRIANGLES_MAX).contains(&triangles) {
        return Err(Error::argument(
            Argument::KnotTriangles,
            triangles,
            format!("an even number from {TRIANGLES_MIN} to {TRIANGLES_MAX}"),
        ));
    }
    let rings = Rings::new(triangles / 2);
    let line = Line::new();
    // The tube closes after an integer number of turns, less half a side if the number of rings is
    // odd: then the first ring is where the ring after the last would be.
    let untwisted = -line.twist;
    let odd = (rings.count % 2) as f64;
    let turns = (untwisted / TAU).round() - odd * 0.5 / rings.sides(0) as f64;
    let closing = turns * TAU - untwisted;

    let mut vertices: Vec<[f64; 3]> = reserved(triangles / 2)?;
    vertices.par_extend((0..rings.count).into_par_iter().flat_map_iter(|ring| {
        let part = ring as f64 / rings.count as f64;
        let (t, twist) = line.at(part);
        let frame = Frame::new(t);
        let sides = rings.sides(ring);
        (0..sides).map(move |side| {
            let angle = TAU * (2 * side + ring % 2) as f64 / (2 * sides) as f64;
            frame.point(angle - twist + closing * part)
        })
    }));

    let mut faces = reserved(triangles)?;
    for ring in 0..rings.count {
        rings.strip(ring, &mut faces);
    }
    TriMesh::new(vertices, faces)
}

/// The number of rings of the knot, and the number of vertices of each ring.
#[derive(Clone, Copy)]
struct Rings {
    count: usize,
    sides: usize,
    /// The number of rings of the knot that have `sides + 1` sides. The others have `sides`. The
    /// larger rings come first.
    larger: usize,
}

impl Rings {
    /// Returns the number of rings and the number of sides of each ring, for a knot of `vertices`
    /// vertices.
    ///
    /// Triangles are equilateral if the distance of neighbouring rings is `sqrt(3) / 2` times the
    /// length of a side: `LENGTH / count = sqrt(3) / 2 * TAU * RADIUS / sides`, and `count * sides
    /// = vertices`. Among numbers of sides within 10% of the solution, the one with the fewest
    /// vertices left over is taken.
    fn new(vertices: usize) -> Self {
        let best = (vertices as f64 * 3f64.sqrt() / 2.0 * TAU * RADIUS / LENGTH).sqrt();
        let from = ((0.9 * best).ceil() as usize).max(3);
        let to = ((1.1 * best).floor() as usize).max(from);
        let distance = |sides: usize| (sides as f64 - best).abs();
        let sides = (from..=to)
            .min_by(|&a, &b| {
                let rest = (vertices % a).cmp(&(vertices % b));
                rest.then(distance(a).total_cmp(&distance(b)))
            })
            .unwrap_or(from);
        Self {
            count: vertices / sides,
            sides,
            larger: vertices % sides,
        }
    }

    /// Returns the number of vertices of a ring of the knot.
    fn sides(self, ring: usize) -> usize {
        self.sides + usize::from(ring < self.larger)
    }

    /// Returns the index of the first vertex of a ring of the knot.
    fn start(self, ring: usize) -> usize {
        ring * self.sides + ring.min(self.larger)
    }

    /// Adds the triangles of the knot between a ring and the next.
    fn strip(self, ring: usize, faces: &mut Vec<[u32; 3]>) {
        let next = (ring + 1) % self.count;
        let (p, q) = (self.sides(ring), self.sides(next));
        let a = |i: usize| (self.start(ring) + i % p) as u32;
        let b = |j: usize| (self.start(next) + j % q) as u32;
        // Angles are in units of `1 / (2 p q)` turns: vertex `i` of the ring is at `(i + 1/2) / p`
        // for odd rings, at `i / p` for even ones.
        let at = |i: usize| (2 * i + ring % 2) as i64 * q as i64;
        let bt = |j: usize| (2 * j + (ring + 1) % 2) as i64 * p as i64;
        let (mut i, mut j) = (0, 0);
        while i < p || j < q {
            // The shorter of the two diagonals that can come next is taken.
            let forward = (at(i + 1) - bt(j)).abs() <= (bt(j + 1) - at(i)).abs();
            if j == q || (i < p && forward) {
                faces.push([a(i), a(i + 1), b(j)]);
                i += 1;
            } else {
                faces.push([a(i), b(j + 1), b(j)]);
                j += 1;
            }
        }
    }
}

/// Returns the speed `|c'(t)|` along the centre line of the knot: the curve moves with speed 3
/// around the tube of the torus and with `2 (2 + cos 3t)` around its axis.
fn speed(t: f64) -> f64 {
    let q = 2.0 + libm::cos(3.0 * t);
    (9.0 + 4.0 * q * q).sqrt()
}

/// The length and the twist along the centre line of the knot.
///
/// The normal `n` of the torus and `b = c' x n / |c'|` span the plane of a ring. They turn about
/// the line with the rate `n' . b = -12 / |c'|`; rings that are turned back by as much follow the
/// line without twist.
struct Line {
    /// The length of the centre line and its twist, an angle in radians, from the start of the knot
    /// to the end of each step. The table covers the first third of the knot.
    table: Vec<[f64; 2]>,
    /// The twist of the complete centre line of the knot, in radians.
    twist: f64,
}

impl Line {
    /// Integrates length and twist along the centre line of the knot.
    fn new() -> Self {
        let step = TAU / (3 * STEPS) as f64;
        let mut sum = [0.0; 2];
        let mut table = vec![sum];
        for i in 0..STEPS {
            // Simpson's rule.
            for (weight, at) in [(1.0, 0.0), (4.0, 0.5), (1.0, 1.0)] {
                let v = speed((i as f64 + at) * step);
                sum[0] += weight * step / 6.0 * v;
                sum[1] -= weight * step / 6.0 * 12.0 / v;
            }
            table.push(sum);
        }
        Self {
            table,
            twist: 3.0 * sum[1],
        }
    }

    /// Returns the parameter `t` of the centre line of the knot, and the twist up to it in radians,
    /// after the share `part`, in `[0, 1)`, of its length.
    fn at(&self, part: f64) -> (f64, f64) {
        let third = (3.0 * part).floor();
        let length = (3.0 * part - third) * self.table[STEPS][0];
        let end = self.table.partition_point(|row| row[0] <= length);
        let end = end.clamp(1, STEPS);
        let ([l0, w0], [l1, w1]) = (self.table[end - 1], self.table[end]);
        let within = (length - l0) / (l1 - l0);
        (
            TAU / 3.0 * (third + (end as f64 - 1.0 + within) / STEPS as f64),
            third * self.twist / 3.0 + w0 + within * (w1 - w0),
        )
    }
}

/// A point of the centre line of the knot and two unit vectors that span the plane normal to the
/// line there.
#[derive(Clone, Copy)]
struct Frame {
    center: [f64; 3],
    normal: [f64; 3],
    binormal: [f64; 3],
}

impl Frame {
    /// Returns the point of the centre line of the knot at the parameter `t`, and two unit vectors
    /// that span the plane normal to the line.
    fn new(t: f64) -> Self {
        let (s2, c2) = libm::sincos(2.0 * t);
        let (s3, c3) = libm::sincos(3.0 * t);
        let q = 2.0 + c3;
        let v = (9.0 + 4.0 * q * q).sqrt();
        // `c' = 3 e + 2 q f` with `f` along the circles around the axis and `e` along those around
        // the tube; `n`, `f`, `e` are orthonormal and right-handed, so `c' x n = 3 f - 2 q e`.
        let f = [-s2, c2, 0.0];
        let e = [-s3 * c2, -s3 * s2, c3];
        Self {
            center: [q * c2, q * s2, s3],
            normal: [c3 * c2, c3 * s2, s3],
            binormal: std::array::from_fn(|k| (3.0 * f[k] - 2.0 * q * e[k]) / v),
        }
    }

    /// Returns a vertex of the knot: the point at `angle` (in radians) of the circle around this
    /// point of the centre line, rounded to `f32`.
    fn point(&self, angle: f64) -> [f64; 3] {
        let (sin, cos) = libm::sincos(angle);
        std::array::from_fn(|k| {
            let across = cos * self.normal[k] + sin * self.binormal[k];
            f64::from((self.center[k] + RADIUS * across) as f32)
        })
    }
}
