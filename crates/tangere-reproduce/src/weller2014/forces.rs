//! Section 5 of `weller2014`: forces and torques are those of inner sphere trees, and continuous
//! along a path.

use super::claims::{CONTINUITY, SPHERE_TREES};
use super::scene::rotating_copy;
use crate::Effort;
use crate::Error;
use crate::check::{Check, at_most};
use crate::finding::{Cell, Data, Finding};
use serde_json::json;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::overlap::pack::{PackSettings, pack_mesh};
use tangere::overlap::{Method, Overlap, OverlapQuery, OverlapSettings};
use tangere::shape::Packing;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The largest difference of sums that are taken in another order, relative to their size.
const ROUNDING: f64 = 1e-12;

/// A vector of the collision response, by name.
type Signal = (&'static str, fn(&Overlap) -> [f64; 3]);

const SIGNALS: [Signal; 2] = [("force", |o| o.force), ("torque", |o| o.torque)];

fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn difference(a: [f64; 3], b: [f64; 3]) -> f64 {
    norm(std::array::from_fn(|k| a[k] - b[k]))
}

fn query(method: Method) -> tangere::Result<OverlapQuery> {
    OverlapQuery::new(OverlapSettings {
        method,
        ..OverlapSettings::default()
    })
}

pub fn all(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let count = if effort.is_least() { 200 } else { 8000 };
    let packing = pack_mesh(&generate::knot(20_000)?, &PackSettings::spheres(count))?;
    Ok(vec![
        trees(&packing, effort)?,
        continuity(&packing, effort)?,
    ])
}

fn trees(packing: &Packing, effort: &Effort) -> Result<Finding, Error> {
    let poses = rotating_copy(packing, if effort.is_least() { 4 } else { 40 })?;
    let (mut grid, mut tree) = (query(Method::Grid)?, query(Method::Tree)?);
    let (mut unlike, mut rows) = (0, Vec::new());
    let mut worst = [0f64; 3];
    let size = norm(packing.bounds().extent());
    for (i, pose) in poses.iter().enumerate() {
        let here = Pose::identity();
        let mut lists = [Vec::new(), Vec::new()];
        grid.pairs(packing, &here, packing, pose, &mut lists[0]);
        tree.pairs(packing, &here, packing, pose, &mut lists[1]);
        for list in &mut lists {
            list.sort_unstable();
        }
        unlike += usize::from(lists[0] != lists[1]);
        let a = grid.overlap(packing, &here, packing, pose);
        let b = tree.overlap(packing, &here, packing, pose);
        let scale = a.lower.max(f64::MIN_POSITIVE);
        let errors = [
            (a.lower - b.lower).abs() / scale,
            difference(a.force, b.force) / scale,
            difference(a.torque, b.torque) / (scale * size),
        ];
        worst = std::array::from_fn(|k| worst[k].max(errors[k]));
        let mut row = vec![Cell::Count(i), Cell::Count(a.pairs), Cell::Number(a.lower)];
        row.extend(errors.map(Cell::Number));
        rows.push(row);
    }
    let error = |what: &str, error: f64| Check::number(what, error, at_most(ROUNDING));
    Ok(Finding {
        measured: json!({"poses with other pairs": unlike, "volume, force, torque": worst}),
        checks: vec![
            Check::fact("the same pairs at every pose", unlike == 0),
            error("difference of volumes / volume", worst[0]),
            error("difference of forces / volume", worst[1]),
            error("difference of torques / (volume x size)", worst[2]),
        ],
        remark: format!(
            "A knot of {} spheres and its rotating copy at {} poses, by the hierarchical grid and by inner sphere trees.",
            packing.len(),
            poses.len()
        ),
        data: Data {
            head: vec![
                "pose",
                "pairs",
                "volume",
                "by volume",
                "by force",
                "by torque",
            ],
            rows,
        },
        ..Finding::of(&SPHERE_TREES)
    })
}

/// Returns the overlap at `count + 1` places of a copy on its straight way through the body.
fn path(packing: &Packing, count: usize) -> Result<Vec<Overlap>, Error> {
    let mut query = query(Method::Grid)?;
    let width = packing.bounds().extent()[0];
    (0..=count)
        .map(|i| {
            let x = width * (0.9 - 0.5 * i as f64 / count as f64);
            let pose = Pose::from_translation([x, 0.1 * width, 0.05 * width])?;
            Ok(query.overlap(packing, &Pose::identity(), packing, &pose))
        })
        .collect()
}

fn continuity(packing: &Packing, effort: &Effort) -> Result<Finding, Error> {
    let coarse = if effort.is_least() { 50 } else { 500 };
    let counts = [coarse, 2 * coarse, 4 * coarse, 8 * coarse];
    let (mut rows, mut largest) = (Vec::new(), [Vec::new(), Vec::new()]);
    let mut curves = [Vec::new(), Vec::new()];
    for count in counts {
        let found = path(packing, count)?;
        let mut row = vec![Cell::Count(count)];
        for (k, (_, of)) in SIGNALS.into_iter().enumerate() {
            let most = found.iter().map(|o| norm(of(o))).fold(0.0, f64::max);
            let jump = found.windows(2).map(|p| difference(of(&p[0]), of(&p[1])));
            let jump = jump.fold(0.0, f64::max) / most;
            largest[k].push(jump);
            row.push(Cell::Number(jump));
            if count == coarse {
                let points = found.iter().enumerate();
                curves[k] = points
                    .map(|(i, o)| [i as f64 / count as f64, norm(of(o)) / most])
                    .collect();
            }
        }
        rows.push(row);
    }
    let mut checks = Vec::new();
    for ((name, _), largest) in SIGNALS.into_iter().zip(&largest) {
        for (n, jumps) in counts.windows(2).zip(largest.windows(2)) {
            let what = format!("largest change of {name}, {} steps / {} steps", n[1], n[0]);
            checks.push(Check::number(what, jumps[1] / jumps[0], [0.4, 0.6]));
        }
    }
    let curves = SIGNALS
        .into_iter()
        .zip(curves)
        .map(|((name, _), points)| Curve {
            name: name.into(),
            points,
            dashed: name == "torque",
        });
    Ok(Finding {
        measured: json!({
            "steps": counts,
            "largest change of force, of the largest force": largest[0],
            "largest change of torque, of the largest torque": largest[1],
        }),
        checks,
        remark: "A copy of a knot moves on a straight line into the knot; changes are those of the vectors, in direction and magnitude, \
            relative to the largest."
            .into(),
        data: Data {
            head: vec!["steps", "largest change of force", "largest change of torque"],
            rows,
        },
        plots: vec![Plot {
            title: "Magnitude of force and torque along the way, relative to the largest".into(),
            x: Axis {
                name: "part of the way",
                unit: Unit::Number,
            },
            y: Axis {
                name: "magnitude",
                unit: Unit::Number,
            },
            even: true,
            curves: curves.collect(),
        }],
        ..Finding::of(&CONTINUITY)
    })
}
