//! Figure 1 of `schinner1995`: kinds of bounding boxes, their size against the time to compute them.

use super::claims::VOLUMES;
use crate::Effort;
use crate::Error;
use crate::check::Check;
use crate::finding::{Cell, Data, Finding, word};
use crate::timing::{Batch, Work, least, race, ratio_interval, without_one};
use serde_json::json;
use tangere::generate;
use tangere::geometry::{Aabb, Ball, Dop14, Dop26, Obb};

const NAMES: [&str; 5] = ["AABB", "sphere", "14-DOP", "26-DOP", "OBB"];
const AABB: usize = 0;
const OBB: usize = 4;

/// Returns the volumes of the bounding volumes of points, in the order of [`NAMES`]; `None` where
/// the volume has no simple formula.
fn volumes(points: &[[f64; 3]]) -> tangere::Result<[Option<f64>; 5]> {
    let aabb: f64 = Aabb::of_points(points.iter().copied())
        .extent()
        .iter()
        .product();
    let ball = Ball::smallest(points).map(|b| 4.0 / 3.0 * std::f64::consts::PI * b.radius.powi(3));
    let obb: f64 = Obb::of_points(points)?
        .half
        .iter()
        .map(|h| 2.0 * h)
        .product();
    Ok([Some(aabb), ball, None, None, Some(obb)])
}

pub fn all(effort: &Effort) -> Result<Vec<Finding>, Error> {
    // An elongated body across the axes, as in the figure: turned, its box is far from tight.
    let mesh = generate::hull(if effort.is_least() { 100 } else { 920 }, 1)?;
    let turn: tangere::geometry::Pose = "0,0,0,0.8,0.2,0.4,0.4".parse()?;
    let points: Vec<[f64; 3]> = mesh
        .vertices()
        .iter()
        .map(|p| turn.apply([p[0], 0.4 * p[1], 0.4 * p[2]]))
        .collect();
    let points = &points[..];
    let work = |index: usize| -> Work<'_> {
        let points = points.to_vec();
        Box::new(move || {
            match index {
                AABB => _ = std::hint::black_box(Aabb::of_points(points.iter().copied())),
                1 => _ = std::hint::black_box(Ball::smallest(&points)),
                2 => _ = std::hint::black_box(Dop14::of_points(&points)?),
                3 => _ = std::hint::black_box(Dop26::of_points(&points)?),
                _ => _ = std::hint::black_box(Obb::of_points(&points)?),
            }
            Ok(points.len())
        })
    };
    let make = || Ok(vec![(0..NAMES.len()).map(work).collect()]);
    let ratio = |batches: &[Batch]| {
        let batches = without_one(batches);
        let ratios = batches.iter().map(|batch| batch[0][OBB] / batch[0][AABB]);
        ratio_interval(&ratios.collect::<Vec<f64>>())
    };
    let batches = race(make, effort.batch, |batches| {
        let [low, high] = ratio(batches);
        low > 1.0 || high < 1.0
    })?;
    let seconds = least(&batches);
    let volumes = volumes(points)?;
    let smaller = volumes[OBB]
        .zip(volumes[AABB])
        .map_or(f64::NAN, |(obb, aabb)| obb / aabb);
    let rows = NAMES.iter().enumerate().map(|(k, name)| {
        vec![
            word(*name),
            volumes[k].map_or(Cell::Nothing, Cell::Number),
            Cell::Seconds(seconds[0][k]),
        ]
    });
    Ok(vec![Finding {
        measured: json!({"OBB / AABB": {"volume": smaller, "time": seconds[0][OBB] / seconds[0][AABB]}}),
        checks: vec![
            Check::below("volume of the OBB / of the AABB", [smaller; 2], 1.0),
            Check::above("time of the OBB / of the AABB", ratio(&batches), 1.0),
        ],
        remark: "An elongated polyhedron of 920 faces, turned against the axes. The caption says that size and calculation time must \
            both be weighed, without a number; that a smaller box takes longer is our reading of it. The text assumes boxes along the axes.".into(),
        data: Data {
            head: vec!["bounding volume", "volume", "time to compute"],
            rows: rows.collect(),
        },
        ..Finding::of(&VOLUMES)
    }])
}
