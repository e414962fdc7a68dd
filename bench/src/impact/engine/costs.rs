//! Cost model of aragon2013, eq. 19: number and cost of each operation.
//!
//! T = N_t C_t + N_u C_u + N_v C_v + N_p C_p, with N the number and C the cost of an operation: t
//! the time of impact of two balls, u moving a body to another time, v the test of a pair of
//! bounding volumes, p the test of a pair of faces. C_t and C_u are measured separately; C_v and
//! C_p are fitted to the times of all scenes by least squares of relative errors.

use super::super::TURNS;
use super::{FACES, Pair, SPIN};
use crate::timing::timed;
use crate::{Options, Outcome};
use std::hint::black_box;
use tangere::generate;
use tangere::impact::hierarchy::Volume;
use tangere::impact::trajectory::{MovingBall, first_meeting};
use tangere::impact::{Counts, ImpactEngine};

/// The approximate seconds of all queries of a turn: short queries are repeated.
const TURN: f64 = 2e-3;

struct Row {
    name: String,
    counts: Counts,
    seconds: f64,
}

impl Row {
    fn new(name: String, pair: &Pair) -> tangere::Result<Self> {
        let mut engine = pair.engine()?;
        let mut time = Ok(0.0);
        let seconds = timed(|| time = pair.first_contact(&mut engine));
        time?;
        Ok(Row {
            name,
            counts: engine.counts(),
            seconds,
        })
    }

    fn measure(&mut self, pair: &Pair) {
        let repeats = (TURN / self.seconds).ceil().clamp(1.0, 100.0) as usize;
        let engines = (0..repeats).map(|_| pair.engine());
        let mut engines: Vec<ImpactEngine> = engines.flatten().collect();
        let seconds = timed(|| {
            for engine in &mut engines {
                black_box(pair.first_contact(engine)).ok();
            }
        });
        self.seconds = self.seconds.min(seconds / repeats as f64);
    }
}

pub fn run(options: &Options) -> Outcome {
    let title = "costs of eq. 19";
    if !options.selects(title) {
        return Ok(());
    }
    println!("\n{title}");
    let mut pairs = Vec::new();
    for volume in Volume::ALL {
        for spin in [[0.0; 3], SPIN] {
            let how = if spin == [0.0; 3] {
                "straight"
            } else {
                "turning"
            };
            let pair = Pair::against_wall(generate::knot(FACES)?, spin, volume)?;
            pairs.push((format!("5.2, {how}, {volume}"), pair));
        }
        let pair = Pair::projectiles(4, volume)?;
        pairs.push((format!("5.1, level 4, {volume}"), pair));
    }
    let rows = pairs
        .iter()
        .map(|(name, pair)| Row::new(name.clone(), pair));
    let mut rows = rows.collect::<tangere::Result<Vec<Row>>>()?;
    for _ in 0..TURNS {
        for (row, (_, pair)) in rows.iter_mut().zip(&pairs) {
            row.measure(pair);
        }
    }
    let alone = [meeting(&pairs[0].1)?, moving(&pairs[1].1)];
    let known =
        |row: &Row| row.counts.trajectory as f64 * alone[0] + row.counts.update as f64 * alone[1];
    let [volume, primitive] = fitted(&rows, known);
    println!(
        "  {:<22} {:>6} {:>8} {:>8} {:>7} {:>11} {:>8}",
        "scene", "N_t", "N_u", "N_v", "N_p", "us", "of fit"
    );
    for row in &rows {
        let Counts {
            trajectory,
            update,
            volume: volumes,
            primitive: faces,
        } = row.counts;
        let expected = known(row) + volumes as f64 * volume + faces as f64 * primitive;
        println!(
            "  {:<22} {trajectory:>6} {update:>8} {volumes:>8} {faces:>7} {:>11.2} {:>8.2}",
            row.name,
            1e6 * row.seconds,
            row.seconds / expected,
        );
    }
    println!(
        "  C_t {:.1} ns, C_u {:.1} ns (alone); C_v {:.1} ns, C_p {:.1} ns (fitted)",
        1e9 * alone[0],
        1e9 * alone[1],
        1e9 * volume,
        1e9 * primitive,
    );
    Ok(())
}

/// Returns the cost C_t in seconds: the time of impact of the bounding spheres of two bodies.
fn meeting(pair: &Pair) -> tangere::Result<f64> {
    let ball = |i: usize| {
        let root = pair.shapes[i].hierarchy().nodes()[0].ball;
        let motion = &pair.motions[i];
        MovingBall::new(
            motion.pose().apply(root.center),
            motion.velocity(),
            motion.acceleration(),
            root.radius,
        )
    };
    let [a, b] = [ball(0)?, ball(1)?];
    Ok(least(|| {
        black_box(first_meeting(black_box(&a), black_box(&b)));
    }))
}

/// Returns the cost C_u in seconds: moving a rotating body to another time.
fn moving(pair: &Pair) -> f64 {
    least(|| {
        black_box(black_box(&pair.motions[0]).after(black_box(1.5))).ok();
    })
}

fn least(mut work: impl FnMut()) -> f64 {
    const MANY: usize = 10_000;
    let mut turn = || timed(|| (0..MANY).for_each(|_| work()));
    (0..TURNS).map(|_| turn()).fold(f64::INFINITY, f64::min) / MANY as f64
}

/// Returns the costs C_v per pair of bounding volumes and C_p per pair of faces, fitted to all rows
/// by least squares of relative errors; neither is negative. `known` is the time of the other
/// operations of a row.
fn fitted(rows: &[Row], known: impl Fn(&Row) -> f64) -> [f64; 2] {
    let [mut vv, mut vp, mut pp, mut v1, mut p1] = [0.0; 5];
    for row in rows {
        let v = row.counts.volume as f64 / row.seconds;
        let p = row.counts.primitive as f64 / row.seconds;
        let rest = 1.0 - known(row) / row.seconds;
        vv += v * v;
        vp += v * p;
        pp += p * p;
        v1 += v * rest;
        p1 += p * rest;
    }
    let determinant = vv * pp - vp * vp;
    let both = [
        (v1 * pp - p1 * vp) / determinant,
        (p1 * vv - v1 * vp) / determinant,
    ];
    match both {
        [v, _] if v < 0.0 => [0.0, (p1 / pp).max(0.0)],
        [_, p] if p < 0.0 => [(v1 / vv).max(0.0), 0.0],
        both => both,
    }
}
