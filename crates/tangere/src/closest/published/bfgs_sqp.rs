//! Closest point of a finite element face by sequential quadratic programming (SQP) with BFGS
//! updates, as published: `aragon2013`, sections 3.3 and 3.4. Cost: about a dozen iterations.
//!
//! `f(xi) = |y - x(xi)|^2 / 2` is minimised subject to the sides of the reference domain (eq. 16).
//! The search starts at the nearest of the centre of the face and its corners. Each iteration
//! minimises the quadratic model of `f` over the reference domain, with a Hessian that begins as the
//! identity and is updated by BFGS; where that would not leave it positive definite, the change of
//! the gradient is damped as by Powell. Then the step is shortened until `f` decreases enough: at
//! most to a tenth at a time, by the parabola through the values, as in Kraft's program.
//!
//! The result is a local minimum. On flat faces it is the only one. On curved faces it can be farther
//! than the nearest point, which [`PreparedFace`](crate::closest::PreparedFace) proves to have found.
//!
//! *Deviates:*
//! - The quadratic problem is solved in closed form, not by Kraft's linear least squares with an
//!   active set.
//! - Lengths are in units of the face, so that the first Hessian does not depend on the unit of
//!   length.
//! - The accuracy at which iterations end is not printed; it is a setting here.
//!
//! An iteration solves one quadratic problem, also the last, whose step ends the search.

use crate::closest::point_to_face::{Domain, FacePoint, FaceStatus, Quadratic};
use crate::error::{Argument, Error, Result};
use crate::geometry::check_points;
use crate::geometry::vector::{dot, minus};
use crate::shape::{Face, FaceKind};
use crate::simd::One;

/// Maximum number of iterations; where it is reached, steps are of the size of rounding.
const ITERATIONS_MAX: u32 = 100;
/// The share of the decrease predicted by the slope that a step must achieve.
const ENOUGH: f64 = 0.1;
/// The least factor by which the line search shortens a step at a time, and the maximum number of
/// times.
const SHORTER: f64 = 0.1;
const SHORTER_MAX: usize = 10;
/// Powell's damping: the least share of the curvature of the model that the change of the gradient
/// must have.
const DAMPED: f64 = 0.2;
/// A side of the reference domain is active if its constraint is at most this.
const NOTHING: f64 = 4.0 * f64::EPSILON;

/// The closest point of a face by SQP with BFGS updates, as published in `aragon2013`.
///
/// ```
/// use tangere::closest::BfgsSqp;
/// use tangere::shape::{Face, FaceKind};
///
/// let triangle = Face::new(FaceKind::Tri3, &[[0., 0., 0.], [4., 0., 0.], [0., 3., 0.]])?;
/// let found = BfgsSqp::default().nearest(&triangle, [1.0, -2.0, 0.5])?;
/// assert!((found.point[0] - 1.0).abs() < 1e-9 && found.point[1].abs() < 1e-9);
/// assert!((1..30).contains(&found.iterations));
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BfgsSqp {
    accuracy: f64,
}

/// Iterations end at the accuracy of [`BfgsSqp::ACCURACY`].
impl Default for BfgsSqp {
    fn default() -> Self {
        Self {
            accuracy: Self::ACCURACY,
        }
    }
}

/// A face in its own unit, and the query point: what an iteration evaluates.
struct Problem<'a> {
    face: &'a Face,
    y: [f64; 3],
    /// The inverse of the size of the face.
    scale: f64,
    is_segment: bool,
}

impl Problem<'_> {
    /// Half the squared distance at `xi`, and its gradient.
    fn value(&self, xi: [f64; 2]) -> (f64, [f64; 2]) {
        let way = minus(self.y, self.face.point(xi)).map(|x| x * self.scale);
        let slope = self.face.tangents(xi);
        let slope = slope.map(|t| 0.0 - dot(way, t.map(|x| x * self.scale)));
        let slope = match self.is_segment {
            true => [slope[0], 0.0],
            false => slope,
        };
        (0.5 * dot(way, way), slope)
    }
}

impl BfgsSqp {
    /// The accuracy at which iterations end by default: steps that are shorter, in the reference
    /// domain.
    pub const ACCURACY: f64 = 1e-12;

    /// Returns the method with an accuracy: iterations end with a step that is shorter than this in
    /// the reference domain, or that cannot decrease the distance in double precision.
    ///
    /// # Errors
    /// When the accuracy is not between 0 and 0.1.
    pub fn new(accuracy: f64) -> Result<Self> {
        match accuracy > 0.0 && accuracy <= 0.1 {
            true => Ok(Self { accuracy }),
            false => {
                let expected = "more than 0 and at most 0.1";
                Err(Error::argument(Argument::Accuracy, accuracy, expected))
            }
        }
    }

    /// The point of a face that is a local minimum of the distance to `y`, with the number of
    /// iterations. Its status is [`FaceStatus::Bracketed`], its lower bound 0, because nothing is
    /// proven.
    ///
    /// # Errors
    /// When a coordinate is not finite, too large, or too small but not 0.
    pub fn nearest(&self, face: &Face, y: [f64; 3]) -> Result<FacePoint> {
        check_points(Argument::Point, &[y])?;
        Ok(self.nearest_to_valid(face, y))
    }

    /// As [`BfgsSqp::nearest`], for coordinates that are known to be valid.
    pub(in crate::closest) fn nearest_to_valid(&self, face: &Face, y: [f64; 3]) -> FacePoint {
        let domain = Domain::of(face.kind());
        // Relative to a node no digits are lost far from the origin.
        let origin = face.nodes()[0];
        let mut nodes = [[0.0; 3]; FaceKind::NODES_MAX];
        for (place, &node) in nodes.iter_mut().zip(face.nodes()) {
            *place = minus(node, origin);
        }
        let nodes = &nodes[..face.nodes().len()];
        let size = nodes.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
        let problem = Problem {
            face: &Face::from_valid(face.kind(), nodes),
            y: minus(y, origin),
            scale: if size.is_normal() { 1.0 / size } else { 1.0 },
            is_segment: domain == Domain::Segment,
        };
        let mut xi = start(&problem, domain);
        let (mut value, mut gradient) = problem.value(xi);
        let mut hessian = [1.0, 0.0, 1.0];
        let mut iterations = 0;
        while iterations < ITERATIONS_MAX {
            let model = Quadratic {
                gradient: gradient.map(One),
                hessian: hessian.map(One),
            };
            let aim = model.least(domain, xi.map(One)).map(|x| x.0);
            iterations += 1;
            let step = [aim[0] - xi[0], aim[1] - xi[1]];
            let slope = gradient[0] * step[0] + gradient[1] * step[1];
            let is_small = step[0].hypot(step[1]) <= self.accuracy;
            // A decrease below the rounding of the value cannot be seen. Coordinates of the face, of
            // size 1, are rounded to an epsilon, which the value multiplies by the distance.
            let distance = (2.0 * value).sqrt();
            let is_flat = -slope <= 4.0 * f64::EPSILON * distance * (1.0 + distance);
            if is_small || is_flat || !slope.is_finite() {
                break;
            }
            let (next, next_value, next_gradient) = searched(&problem, xi, step, slope, value);
            let moved = [next[0] - xi[0], next[1] - xi[1]];
            let change = [
                next_gradient[0] - gradient[0],
                next_gradient[1] - gradient[1],
            ];
            hessian = updated(hessian, moved, change, problem.is_segment);
            (xi, value, gradient) = (next, next_value, next_gradient);
        }
        answer(&problem, xi, (value, gradient), origin, iterations)
    }
}

/// The start of SQP: the nearest of the centre of the face and its corners.
fn start(problem: &Problem<'_>, domain: Domain) -> [f64; 2] {
    let mut best = (problem.value(domain.center()).0, domain.center());
    for &corner in domain.corners() {
        let value = problem.value(corner).0;
        if value < best.0 {
            best = (value, corner);
        }
    }
    best.1
}

/// The line search of SQP: shortens a step until the value decreases enough; returns the point
/// reached, its value and its gradient.
fn searched(
    problem: &Problem<'_>,
    xi: [f64; 2],
    step: [f64; 2],
    slope: f64,
    value: f64,
) -> ([f64; 2], f64, [f64; 2]) {
    let mut share = 1.0;
    let mut tries = 0;
    loop {
        let next = [xi[0] + share * step[0], xi[1] + share * step[1]];
        let (found, gradient) = problem.value(next);
        let (expected, change) = (share * slope, found - value);
        tries += 1;
        if change <= ENOUGH * expected || tries > SHORTER_MAX {
            return (next, found, gradient);
        }
        share *= (expected / (2.0 * (expected - change))).max(SHORTER);
    }
}

/// The BFGS update of the Hessian `H_uu, H_uv, H_vv` of SQP, for a step `s` and the change of the
/// gradient `y`, damped so that it stays positive definite.
fn updated([h, k, l]: [f64; 3], s: [f64; 2], y: [f64; 2], is_segment: bool) -> [f64; 3] {
    let model = [h * s[0] + k * s[1], k * s[0] + l * s[1]];
    let curvature = s[0] * model[0] + s[1] * model[1];
    let measured = s[0] * y[0] + s[1] * y[1];
    let theta = match measured < DAMPED * curvature {
        true => (1.0 - DAMPED) * curvature / (curvature - measured),
        false => 1.0,
    };
    let r: [f64; 2] = std::array::from_fn(|i| theta * y[i] + (1.0 - theta) * model[i]);
    let along = s[0] * r[0] + s[1] * r[1];
    if curvature <= 0.0 || along <= 0.0 {
        return [h, k, l];
    }
    let term = |i: usize, j: usize| r[i] * r[j] / along - model[i] * model[j] / curvature;
    let next = [h + term(0, 0), k + term(0, 1), l + term(1, 1)];
    let is_sound = next[0] > 0.0 && next[0] * next[2] > next[1] * next[1];
    match (is_segment, is_sound) {
        (true, _) => [next[0], 0.0, 1.0],
        (false, true) => next,
        // Rounding after many steps along one line.
        (false, false) => [h, k, l],
    }
}

/// The result of SQP at `xi`, with active sides, multipliers and the residual of the KKT conditions
/// (eq. 18).
fn answer(
    problem: &Problem<'_>,
    xi: [f64; 2],
    (value, gradient): (f64, [f64; 2]),
    origin: [f64; 3],
    iterations: u32,
) -> FacePoint {
    let constraints = problem.face.kind().constraints();
    let size = 1.0 / problem.scale;
    let is_active = |i: &usize| constraints[*i].value(xi) <= NOTHING;
    let mut sides = (0..constraints.len()).filter(is_active);
    let active = sides.clone().fold(0, |bits, i| bits | 1 << i);
    let mut multipliers = [0.0; 4];
    // At a corner two equations give two multipliers.
    match (sides.next(), sides.next()) {
        (Some(a), Some(b)) => {
            let (m, n) = (constraints[a].normal, constraints[b].normal);
            let determinant = m[0] * n[1] - m[1] * n[0];
            multipliers[a] = (gradient[0] * n[1] - gradient[1] * n[0]) / determinant;
            multipliers[b] = (m[0] * gradient[1] - m[1] * gradient[0]) / determinant;
        }
        (Some(a), None) => {
            let n = constraints[a].normal;
            let squared = n[0] * n[0] + n[1] * n[1];
            multipliers[a] = (gradient[0] * n[0] + gradient[1] * n[1]) / squared;
        }
        _ => {}
    }
    let multipliers = multipliers.map(|m: f64| if m > 0.0 { m } else { 0.0 });
    let mut left = gradient;
    for (constraint, multiplier) in constraints.iter().zip(multipliers) {
        for k in 0..2 {
            left[k] -= multiplier * constraint.normal[k];
        }
    }
    let tangents = problem.face.tangents(xi);
    let residual = (0..2).map(|k| {
        let length = dot(tangents[k], tangents[k]).sqrt() * problem.scale;
        if length > 0.0 { left[k] / length } else { 0.0 }
    });
    let residual = residual.map(|x| x * x).sum::<f64>().sqrt();
    let point = problem.face.point(xi);
    FacePoint {
        xi,
        point: std::array::from_fn(|k| point[k] + origin[k]),
        distance: (2.0 * value).sqrt() * size,
        lower: 0.0,
        multipliers: multipliers.map(|m| m * size * size),
        active,
        residual: residual * size,
        status: FaceStatus::Bracketed,
        iterations,
    }
}
