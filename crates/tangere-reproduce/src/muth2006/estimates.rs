//! Estimates (26) and (27) of `muth2006` beside the true error.
//!
//! (26) bounds the normal derivative of the truncated part of the kernel for `|x| <= r` and `|y| >= d
//! r`. Its largest value over all normals is the length of the gradient in `y`. With `t` the cosine
//! of the angle between `x` and `y` the truncated part is the sum of `P[n](t) |x|^n / |y|^(n+1)` over
//! `n > p`, whose gradient has the parts
//!
//! ```text
//! along y:   - sum of (n + 1) P[n](t) |x|^n / |y|^(n+2)
//! across y:  sqrt(1 - t^2) sum of P'[n](t) |x|^n / |y|^(n+2)
//! ```
//!
//! (27) multiplies (26) by the area of the surface. The true error is that of the potential by fast
//! multipoles, whose values are integers off a closed surface.

use super::claims;
use crate::Effort;
use crate::Error;
use crate::check::{Check, at_most};
use crate::finding::{Cell, Data, Finding, word};
use serde_json::json;
use std::f64::consts::PI;
use tangere::generate::{self, Random};
use tangere::geometry::triangle;
use tangere::inside::{
    Grid, InsideSettings, InsideTest, Multipole, MultipoleSettings, MultipoleTrees, RayTree, Side,
};
use tangere::shape::TriMesh;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The right-hand side of (26).
fn bound_26(r: f64, d: f64, p: usize) -> f64 {
    let p = p as f64;
    (1.0 + PI) / ((d - 1.0) * r * r) * (p + 1.0 + d / (d - 1.0)) * (1.0 / d).powf(p + 2.0)
}

/// The length of the gradient in `y` of the truncated part of the kernel, for lengths `x` and `y` and
/// the cosine `t` of the angle between them.
fn truncated_gradient(x: f64, y: f64, t: f64, p: usize) -> f64 {
    let ratio = x / y;
    let (mut along, mut across) = (0.0, 0.0);
    // P[n] and P'[n] by their recurrences, from n = 0.
    let [mut last, mut value] = [0.0, 1.0];
    let [mut last_slope, mut slope] = [0.0, 0.0];
    let mut power = 1.0;
    for n in 0..2000 {
        let order = n as f64;
        if n > p {
            along += (order + 1.0) * value * power;
            across += slope * power;
            if order * order * power < 1e-18 * along.abs().max(across.abs()).max(1e-300) {
                break;
            }
        }
        let next = ((2.0 * order + 1.0) * t * value - order * last) / (order + 1.0);
        // P'[n+1] = P'[n-1] + (2n + 1) P[n]
        let next_slope = last_slope + (2.0 * order + 1.0) * value;
        (last, value) = (value, next);
        (last_slope, slope) = (slope, next_slope);
        power *= ratio;
    }
    let across = across * (1.0 - t * t).max(0.0).sqrt();
    along.hypot(across) / (y * y)
}

const SEPARATIONS: [f64; 4] = [1.25, 1.5, 2.0, 3.0];
const DEGREES: [usize; 7] = [1, 2, 4, 6, 8, 12, 16];

pub fn kernel(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let samples = match effort.is_quick() {
        true => 2_000,
        false => 20_000,
    };
    let mut random = Random::new(26);
    let (mut rows, mut curves, mut largest) = (Vec::new(), Vec::new(), 0f64);
    for d in SEPARATIONS {
        let mut points = Vec::new();
        for p in DEGREES {
            let bound = bound_26(1.0, d, p);
            // The ends of all ranges, and random numbers between them.
            let mut worst = 0f64;
            for t in [1.0, -1.0, 0.0, 0.5] {
                worst = worst.max(truncated_gradient(1.0, d, t, p));
            }
            for _ in 0..samples {
                let x = random.unit().cbrt();
                let y = d / (1.0 - random.unit()).max(1e-3);
                let t = 2.0 * random.unit() - 1.0;
                worst = worst.max(truncated_gradient(x, y, t, p));
            }
            largest = largest.max(worst / bound);
            points.push([p as f64, worst / bound]);
            rows.push(vec![
                Cell::Number(d),
                Cell::Count(p),
                Cell::Number(worst),
                Cell::Number(bound),
                Cell::Number(worst / bound),
            ]);
        }
        curves.push(Curve {
            name: format!("d = {d}"),
            points,
            dashed: false,
        });
    }
    Ok(vec![Finding {
        published: json!("(1 + pi) / ((d - 1) r^2) (p + 1 + d / (d - 1)) (1 / d)^(p + 2)"),
        measured: json!({"largest error / estimate": largest}),
        checks: vec![Check::number(
            "largest error / estimate, of all samples",
            largest,
            at_most(1.0),
        )],
        remark: format!(
            "r is 1. {samples} random points x in the ball and y beyond d for each degree and separation, and the nearest ones in \
             four directions; of all normals that along the gradient. Where x, y and the normal are in one line the truncated \
             terms add up to the estimate without its factor 1 + pi, so that the ratio reaches 1 / (1 + pi) = {:.4}.",
            1.0 / (1.0 + PI)
        ),
        data: Data {
            head: vec!["d", "p", "largest error", "estimate (26)", "ratio"],
            rows,
        },
        plots: vec![Plot {
            title: "True error of the kernel's derivative over estimate (26)".into(),
            x: Axis {
                name: "degree p",
                unit: Unit::Count,
            },
            y: Axis {
                name: "error / estimate",
                unit: Unit::Number,
            },
            even: true,
            curves,
        }],
        ..Finding::of(&claims::ESTIMATE_26)
    }])
}

/// A body with trees of some depth.
struct Case {
    name: String,
    mesh: TriMesh,
    depth: u32,
}

/// The true error of the potential at sampled points, and estimate (27).
struct Estimate {
    error: f64,
    bound: f64,
    /// The engine's own bound, from actual distances.
    own: f64,
}

fn estimate(case: &Case, d: f64, p: usize, grid: usize) -> Result<Estimate, Error> {
    let mesh = &case.mesh;
    let choices = MultipoleSettings::default()
        .with_trees(MultipoleTrees::Depth(case.depth))
        .with_degree(p)
        .with_separation(d);
    // The expansions alone: no point is evaluated again.
    let settings = InsideSettings::default().with_accuracy(0.999);
    let mut test = Multipole::with(settings, choices)?;
    test.update(mesh)?;
    let points = Grid::around(&mesh.bounds(), grid)?.points();
    let mut winding = Vec::new();
    test.winding(&points, &mut winding)?;
    let own = test.bound();
    let mut sides = Vec::new();
    let mut exact = RayTree::new(InsideSettings::default())?;
    exact.update(mesh)?;
    exact.classify(&points, &mut sides)?;
    let pairs = winding.iter().zip(&sides);
    let error = pairs
        .filter(|(_, side)| **side != Side::OnSurface)
        .map(|(w, side)| (w - f64::from(u8::from(*side == Side::Inside))).abs())
        .fold(0.0, f64::max);
    let area: f64 = (0..mesh.faces().len())
        .map(|face| triangle::area(mesh.triangle(face)))
        .sum();
    let radius = test.work().map_or(f64::NAN, |work| work.cell_radius);
    Ok(Estimate {
        error,
        bound: area * bound_26(radius, d, p),
        own,
    })
}

pub fn potential(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let (levels, foam, grid): (&[u32], _, _) = match (effort.is_least(), effort.is_quick()) {
        (true, _) => (&[3], 500, 6),
        (_, true) => (&[3, 4], 1_000, 10),
        _ => (&[4, 5, 6], 7_000, 20),
    };
    let degrees: &[usize] = match effort.is_quick() {
        true => &[2, 4, 8],
        false => &[2, 4, 8, 12],
    };
    // The foam has clusters throughout its box, and with them many conversions.
    let depths = match effort.is_quick() {
        true => [3, 2],
        false => [3, 3],
    };
    let mut cases = Vec::new();
    for &level in levels {
        let mesh = generate::sphere(level)?;
        cases.push(Case {
            name: format!("sphere of {} triangles", mesh.faces().len()),
            mesh,
            depth: depths[0],
        });
    }
    let mesh = generate::foam(foam, 1)?;
    cases.push(Case {
        name: format!("foam of {} triangles", mesh.faces().len()),
        mesh,
        depth: depths[1],
    });
    let (mut rows, mut curves, mut largest) = (Vec::new(), Vec::new(), 0f64);
    for case in &cases {
        for d in [1.5, 3.0] {
            let mut points = Vec::new();
            for &p in degrees {
                let found = estimate(case, d, p, grid)?;
                let ratio = found.error / found.bound;
                largest = largest.max(ratio);
                points.push([p as f64, ratio]);
                rows.push(vec![
                    word(&case.name),
                    Cell::Number(d),
                    Cell::Count(p),
                    Cell::Number(found.error),
                    Cell::Number(found.bound),
                    Cell::Number(ratio),
                    Cell::Number(found.own),
                ]);
            }
            curves.push(Curve {
                name: format!("{}, d = {d}", case.name),
                points,
                dashed: d > 2.0,
            });
        }
    }
    Ok(vec![Finding {
        published: json!(
            "Delta_Gamma (1 + pi) / ((d - 1) r^2) (p + 1 + d / (d - 1)) (1 / d)^(p + 2)"
        ),
        measured: json!({"largest error / estimate": largest}),
        checks: vec![Check::number(
            "largest error / estimate, of all points",
            largest,
            at_most(1.0),
        )],
        remark: format!(
            "{grid}^3 points, trees of depth {} (foam: {}), Delta_Gamma read as the area of the surface, r the radius of the smallest cells. The estimate lacks the factor 1 / (4 pi) of the \
             potential (6), takes the whole area at the shortest distance, and leaves out the truncation of the moments that are \
             converted. The last column is the engine's own bound, which has both truncations, of each cluster at its distance.",
            depths[0], depths[1],
        ),
        data: Data {
            head: vec![
                "body",
                "d",
                "p",
                "largest error",
                "estimate (27)",
                "ratio",
                "engine's bound",
            ],
            rows,
        },
        plots: vec![Plot {
            title: "True error of the potential over estimate (27)".into(),
            x: Axis {
                name: "degree p",
                unit: Unit::Count,
            },
            y: Axis {
                name: "error / estimate",
                unit: Unit::Number,
            },
            even: false,
            curves,
        }],
        ..Finding::of(&claims::ESTIMATE_27)
    }])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The truncated gradient is the difference of the kernel's and of the series', by differences.
    #[test]
    fn gradients_are_those_of_the_truncated_series() {
        let (x, y) = ([0.3, 0.5, -0.2], [1.1f64, -0.7, 0.9]);
        let length = |v: [f64; 3]| v.iter().map(|c| c * c).sum::<f64>().sqrt();
        let rest = |y: [f64; 3], p: usize| {
            let away = length(std::array::from_fn(|k| x[k] - y[k]));
            let (a, b) = (length(x), length(y));
            let t = (0..3).map(|k| x[k] * y[k]).sum::<f64>() / (a * b);
            let (mut last, mut value, mut sum) = (0.0, 1.0, 0.0);
            for n in 0..=p {
                sum += value * (a / b).powi(n as i32) / b;
                let n = n as f64;
                (last, value) = (value, ((2.0 * n + 1.0) * t * value - n * last) / (n + 1.0));
            }
            (1.0 / away - sum, a, b, t)
        };
        for p in [1, 3, 6] {
            let gradient: [f64; 3] = std::array::from_fn(|k| {
                let moved = |by: f64| {
                    let mut y = y;
                    y[k] += by;
                    rest(y, p).0
                };
                (moved(1e-5) - moved(-1e-5)) / 2e-5
            });
            let (_, a, b, t) = rest(y, p);
            let found = truncated_gradient(a, b, t, p);
            assert!((found - length(gradient)).abs() < 1e-7, "{p}: {found}");
        }
        // In one line the terms add up to the estimate without 1 + pi.
        let ratio = truncated_gradient(1.0, 1.5, 1.0, 5) / bound_26(1.0, 1.5, 5);
        assert!((ratio - 1.0 / (1.0 + PI)).abs() < 1e-12, "{ratio}");
    }
}
