//! The nearest point of a face by sequential quadratic programming.
//!
//! `f(xi) = |y - x(xi)|^2 / 2` is minimised subject to the sides of the reference domain. Each step
//! minimises the quadratic model of `f` at `xi`, with the exact Hessian, over the whole domain:
//! sides are linear, so the model's constraints are those of the problem, and the active set is
//! that of the model's solution. Near the end steps are those of Newton on that active set.
//!
//! Paper: `aragon2013`, section 3.3, eqs. 16 to 18, with its start: the nearest of the centre and
//! the corners.
//!
//! *Deviates:*
//! - The exact Hessian in place of BFGS updates: a third of the iterations. Where it is not positive
//!   definite, that of Gauss and Newton, `J^T J`, takes its place.
//! - The quadratic problem is solved in closed form, not by an active set that grows.

use super::polynomial::{Domain, Jet, Polynomial};
use super::quadratic::Quadratic;
use crate::geometry::vector::{dot, minus};

/// Steps after which the search ends with what it has; faces of no area may take them all.
const STEPS_MAX: u32 = 100;

/// A step of this size is the last but one: the next is a rounding.
const SMALL: f64 = 1e-7;

/// A Hessian whose determinant is less than this part of that of a flat face is not trusted.
const SOUND: f64 = 1e-8;

/// A part of the domain's size that counts as nothing.
const NOTHING: f64 = 4.0 * f64::EPSILON;

/// A local minimum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Minimum {
    pub xi: [f64; 2],
    /// From the point of the face to `y`.
    pub way: [f64; 3],
    /// `|way|^2`.
    pub squared: f64,
    pub steps: u32,
}

/// The gradient of `f`.
#[inline]
pub(super) fn gradient(jet: &Jet, way: [f64; 3]) -> [f64; 2] {
    [0.0 - dot(way, jet.u), 0.0 - dot(way, jet.v)]
}

/// From the nearest of the centre and the corners to a local minimum. `y` is given about the
/// origin of the polynomial.
pub(super) fn minimum(face: &Polynomial, y: [f64; 3]) -> Minimum {
    let mut best = Minimum {
        xi: face.domain.center(),
        way: [0.0; 3],
        squared: f64::INFINITY,
        steps: 0,
    };
    let starts = [face.domain.center()];
    for &xi in starts.iter().chain(face.domain.corners()) {
        let way = minus(y, face.point(xi));
        let squared = dot(way, way);
        if squared < best.squared {
            best = Minimum {
                xi,
                way,
                squared,
                steps: 0,
            };
        }
    }
    descended(face, y, best)
}

/// From anywhere to a local minimum.
pub(super) fn descended(face: &Polynomial, y: [f64; 3], start: Minimum) -> Minimum {
    let mut at = start;
    for _ in 0..STEPS_MAX {
        let jet = face.jet(at.xi);
        let gradient = gradient(&jet, at.way);
        let model = Quadratic {
            gradient,
            hessian: hessian(face, at.xi, &jet, at.way, gradient),
        };
        let aim = model.least(face.domain, at.xi);
        let step = [aim[0] - at.xi[0], aim[1] - at.xi[1]];
        let size = step[0].abs().max(step[1].abs());
        // Also if it is not a number: a face of no area.
        if size <= NOTHING || size.is_nan() {
            break;
        }
        at.steps += 1;
        let slope = gradient[0] * step[0] + gradient[1] * step[1];
        if size > SMALL && slope >= 0.0 {
            break;
        }
        let mut share = 1.0;
        let next = loop {
            let xi = if share == 1.0 {
                aim
            } else {
                [at.xi[0] + share * step[0], at.xi[1] + share * step[1]]
            };
            let way = minus(y, face.point(xi));
            let squared = dot(way, way);
            // Small steps are below what rounding lets values tell.
            if size <= SMALL || 0.5 * squared <= 0.5 * at.squared + 1e-4 * share * slope {
                break Some((xi, way, squared));
            }
            share *= 0.5;
            if share < 1e-12 {
                break None;
            }
        };
        let Some((xi, way, squared)) = next else {
            break;
        };
        at = Minimum {
            xi,
            way,
            squared,
            ..at
        };
        if size <= SMALL {
            break;
        }
    }
    at
}

/// The Hessian of `f`, or what takes its place.
#[inline]
fn hessian(
    face: &Polynomial,
    xi: [f64; 2],
    jet: &Jet,
    way: [f64; 3],
    gradient: [f64; 2],
) -> [f64; 3] {
    let (uu, uv, vv) = (dot(jet.u, jet.u), dot(jet.u, jet.v), dot(jet.v, jet.v));
    let (h, k, l) = (
        uu - dot(way, jet.uu),
        uv - dot(way, jet.uv),
        vv - dot(way, jet.vv),
    );
    if face.domain == Domain::Segment {
        return [if h > SOUND * uu { h } else { uu }, 0.0, 1.0];
    }
    if h > SOUND * uu && h * l - k * k > SOUND * (uu * vv) {
        return [h, k, l];
    }
    // Where a side holds the point, what counts is along the side: any amount may be added across.
    for side in face.domain.sides() {
        let n = side.normal;
        let pull = gradient[0] * n[0] + gradient[1] * n[1];
        if side.value(xi) > NOTHING || pull <= 0.0 {
            continue;
        }
        let t = [0.0 - n[1], n[0]];
        let along = h * t[0] * t[0] + 2.0 * k * t[0] * t[1] + l * t[1] * t[1];
        let plain = uu * t[0] * t[0] + 2.0 * uv * t[0] * t[1] + vv * t[1] * t[1];
        if along > SOUND * plain {
            let mixed = (h * t[0] + k * t[1]) * n[0] + (k * t[0] + l * t[1]) * n[1];
            let across = h * n[0] * n[0] + 2.0 * k * n[0] * n[1] + l * n[1] * n[1];
            let squared = n[0] * n[0] + n[1] * n[1];
            let more = (across.abs() + plain + 2.0 * mixed * mixed / along) / (squared * squared);
            return [
                h + more * n[0] * n[0],
                k + more * n[0] * n[1],
                l + more * n[1] * n[1],
            ];
        }
    }
    // Far from the minimum, or a face that folds: a little more than that of Gauss and Newton, so
    // that it is definite whatever the tangents are.
    let more = 1e-12 * (uu + vv);
    [uu + more, uv, vv + more]
}
