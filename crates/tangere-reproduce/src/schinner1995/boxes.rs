//! Sweep and prune of `schinner1995`: bounding boxes kept sorted along every axis by insertion
//! sort.
//!
//! Boxes move on straight lines at random velocities, and `Sweep` counts the
//! exchanges of its insertion sort. The paper prints no numbers for this part: its
//! claims are growth laws.

use super::claims::{COST, EXCHANGES, ONE_DIMENSION, THREE_DIMENSIONS};
use crate::Effort;
use crate::Error;
use crate::check::{Check, Outcome, at_most};
use crate::finding::{Cell, Data, Finding, maybe, word};
use crate::fit::{costs, exponent};
use crate::timing::{FEWEST_BATCHES, cpu_seconds, exponent_interval, ratio_interval, without_one};
use serde_json::{Value, json};
use tangere::generate::{ParticleBox, particles};
use tangere::pairs::{Items, PairFinder, Sweep};
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The largest exponent of time against the number of boxes that is accepted as linear. It is above
/// 1 because memory gets slower as scenes outgrow the caches.
const LINEAR: f64 = 1.15;

/// The largest number of exchanges per change of overlap that counts as close.
const CLOSE: f64 = 1.5;

/// The cost of a step of the sweep: the time of the fastest of `STEPS` steps, and counts averaged
/// over these steps.
#[derive(Clone)]
struct Step {
    count: usize,
    /// The largest motion of a box per step along an axis, relative to the mean edge of the boxes.
    motion: f64,
    /// The time of the fastest step in each run.
    runs: Vec<f64>,
    exchanges: f64,
    /// The mean number of pairs of boxes that begin or cease to overlap in a step.
    changes: f64,
    /// Whether in some step the order of the boxes had changed so much that the sweep sorted all of
    /// them from scratch.
    anew: bool,
}

impl Step {
    fn seconds(&self) -> f64 {
        self.runs.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

const STEPS: usize = 5;

/// Moving boxes.
struct Moving<const D: usize> {
    lower: Vec<[f64; D]>,
    edges: Vec<[f64; D]>,
    velocities: Vec<[f64; D]>,
    /// The lower and upper corners of the boxes at the current time.
    now: [Vec<[f64; D]>; 2],
}

impl<const D: usize> Moving<D> {
    fn place(&mut self, time: f64) -> Items<'_, D> {
        let [lower, upper] = &mut self.now;
        lower.clear();
        upper.clear();
        for ((p, v), e) in self.lower.iter().zip(&self.velocities).zip(&self.edges) {
            let at: [f64; D] = std::array::from_fn(|k| p[k] + time * v[k]);
            lower.push(at);
            upper.push(std::array::from_fn(|k| at[k] + e[k]));
        }
        Items::Boxes { lower, upper }
    }
}

/// Returns velocities, uniform from `-most` to `most` along each axis.
fn velocities<const D: usize>(count: usize, most: f64) -> tangere::Result<Vec<[f64; D]>> {
    let settings = ParticleBox::test_a(D, count, 7);
    let edge = settings.edge(D);
    let places = particles::<D>(&settings)?;
    let velocity = |p: &[f64; D]| p.map(|x| (2.0 * x / edge - 1.0) * most);
    Ok(places.centers().iter().map(velocity).collect())
}

/// The mean diameter of the spheres of test A of `leszczynski2004`.
const SIZE: f64 = 0.075;

/// Returns cubes as large as the spheres of test A of `leszczynski2004`, with their lower corners
/// at the centres of the spheres; the density is the same for any number of cubes.
fn cube(count: usize, motion: f64) -> tangere::Result<Moving<3>> {
    let spheres = particles::<3>(&ParticleBox::test_a(3, count, 1))?;
    Ok(Moving {
        lower: spheres.centers().to_vec(),
        edges: spheres.radii().iter().map(|r| [2.0 * r; 3]).collect(),
        velocities: velocities(count, motion * SIZE)?,
        now: Default::default(),
    })
}

/// Returns intervals along a line, ten per unit of length: boxes in the plane with equal intervals
/// along the second axis and no motion along it, so that no exchanges occur there.
fn line(count: usize, motion: f64) -> tangere::Result<Moving<2>> {
    let settings = ParticleBox::test_a(2, count, 1);
    let discs = particles::<2>(&settings)?;
    let longer = 0.1 * count as f64 / settings.edge(2);
    let mut velocities = velocities(count, motion * SIZE)?;
    velocities.iter_mut().for_each(|v| v[1] = 0.0);
    Ok(Moving {
        lower: discs
            .centers()
            .iter()
            .map(|p| [p[0] * longer, 0.0])
            .collect(),
        edges: discs.radii().iter().map(|r| [2.0 * r, 1.0]).collect(),
        velocities,
        now: Default::default(),
    })
}

/// Returns the number of pairs in one of two sorted lists but not in the other.
fn differences(a: &[[u32; 2]], b: &[[u32; 2]]) -> usize {
    let (mut i, mut j, mut same) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                (i, j, same) = (i + 1, j + 1, same + 1);
            }
        }
    }
    a.len() + b.len() - 2 * same
}

/// Runs the sweep for `STEPS` steps of a scene. The caller keeps the minimum time of several runs.
fn run<const D: usize>(moving: &mut Moving<D>, motion: f64) -> tangere::Result<Step> {
    let mut finder = Sweep::<D>::new(Default::default())?;
    let (mut before, mut pairs) = (Vec::new(), Vec::new());
    finder.update(moving.place(0.0))?;
    finder.pairs(&mut before)?;
    let (mut seconds, mut exchanges, mut changes, mut anew) = (f64::INFINITY, 0, 0, false);
    for step in 1..=STEPS {
        let items = moving.place(step as f64);
        let start = cpu_seconds();
        finder.update(items)?;
        finder.pairs(&mut pairs)?;
        seconds = seconds.min(cpu_seconds() - start);
        anew |= finder.exchanges().is_none();
        exchanges += finder.exchanges().unwrap_or(0);
        changes += differences(&before, &pairs);
        std::mem::swap(&mut before, &mut pairs);
    }
    Ok(Step {
        count: moving.lower.len(),
        motion,
        runs: vec![seconds],
        exchanges: exchanges as f64 / STEPS as f64,
        changes: changes as f64 / STEPS as f64,
        anew,
    })
}

/// Measures a step for every number of boxes and every motion, until all `checks` are decided; its
/// time is the minimum of several runs.
fn measured<const D: usize>(
    effort: &Effort,
    motions: &[f64],
    scene: fn(usize, f64) -> tangere::Result<Moving<D>>,
    checks: impl Fn(&[Step]) -> Vec<Check>,
) -> Result<Vec<Step>, Error> {
    let mut all = Vec::new();
    for &motion in motions {
        for count in effort.counts() {
            all.push((scene(count, motion)?, motion));
        }
    }
    let mut least: Vec<Step> = Vec::new();
    for turn in 0..effort.most_batches() {
        for (i, (moving, motion)) in all.iter_mut().enumerate() {
            let step = run(moving, *motion)?;
            match turn {
                0 => least.push(step),
                _ => least[i].runs.extend(step.runs),
            }
        }
        let open = |check: &Check| check.outcome() == Outcome::Undecided;
        if turn + 1 >= FEWEST_BATCHES && !checks(&least).iter().any(open) {
            break;
        }
    }
    Ok(least)
}

/// Returns the exponent with which a measure of a step grows with the number of boxes, at one
/// motion.
fn growth(steps: &[Step], motion: f64, measure: fn(&Step) -> f64) -> Option<f64> {
    let points: Vec<[f64; 2]> = steps
        .iter()
        .filter(|step| step.motion == motion && !step.anew)
        .map(|step| [step.count as f64, measure(step)])
        .collect();
    exponent(&points)
}

/// Returns the number of boxes of a step.
fn boxes(step: &Step) -> f64 {
    step.count as f64
}

/// Returns the number of boxes and of exchanges of a step.
fn boxes_and_exchanges(step: &Step) -> f64 {
    step.count as f64 + step.exchanges
}

/// Returns for each run the least times of all steps without it.
fn least_runs(steps: &[&Step]) -> Vec<Vec<f64>> {
    let runs = steps.iter().map(|step| step.runs.len()).min().unwrap_or(0);
    let batch = |run: usize| steps.iter().map(|step| step.runs[run]).collect();
    without_one(&(0..runs).map(batch).collect::<Vec<Vec<f64>>>())
}

/// Returns the interval of the exponent with which the time of a step grows with its size, at one
/// motion.
fn growth_interval(steps: &[Step], motion: f64, size: fn(&Step) -> f64) -> [f64; 2] {
    let of: Vec<&Step> = steps
        .iter()
        .filter(|step| step.motion == motion && !step.anew)
        .collect();
    let exponents = least_runs(&of).into_iter().filter_map(|seconds| {
        let points = of.iter().zip(seconds).map(|(step, t)| [size(step), t]);
        exponent(&points.collect::<Vec<_>>())
    });
    let exponents: Vec<f64> = exponents.collect();
    let sizes = || of.iter().map(|step| size(step));
    let decades = (sizes().fold(1.0, f64::max) / sizes().fold(f64::INFINITY, f64::min)).log10();
    exponent_interval(&exponents, decades)
}

/// Returns the check that the time of a step grows linearly with the number of boxes, at one motion.
fn linear_check(steps: &[Step], motion: f64) -> Check {
    Check::interval(
        format!(
            "exponent of time against n at a motion of {}",
            percent(motion)
        ),
        growth_interval(steps, motion, boxes),
        at_most(LINEAR),
    )
}

/// Returns the check that the time of a step grows linearly with the number of boxes and exchanges, at
/// one motion.
fn exchange_check(steps: &[Step], motion: f64) -> Check {
    Check::interval(
        format!(
            "exponent of time against n + c at a motion of {}",
            percent(motion)
        ),
        growth_interval(steps, motion, boxes_and_exchanges),
        at_most(LINEAR),
    )
    .printed("O(n + c)")
}

fn percent(motion: f64) -> String {
    format!("{}%", (1e6 * motion).round() / 1e4)
}

fn data(steps: &[Step]) -> Data {
    let row = |step: &Step| {
        let n = step.count as f64;
        let ratio = (step.changes > 0.0).then(|| step.exchanges / step.changes);
        let counted = |x: f64| match step.anew {
            true => word("sorted anew"),
            false => Cell::Number(x),
        };
        vec![
            word(percent(step.motion)),
            Cell::Count(step.count),
            counted(step.exchanges / n),
            Cell::Number(step.changes / n),
            maybe(Cell::Number, ratio.filter(|_| !step.anew)),
            Cell::Seconds(step.seconds()),
            Cell::Seconds(step.seconds() / n),
        ]
    };
    Data {
        head: vec![
            "motion", "boxes", "c / n", "k / n", "c / k", "time", "time / n",
        ],
        rows: steps.iter().map(row).collect(),
    }
}

fn plots(steps: &[Step], motions: &[f64], space: &str) -> Vec<Plot> {
    let curves = |measure: fn(&Step) -> f64| -> Vec<Curve> {
        let curve = |&motion: &f64| Curve {
            name: format!("motion {}", percent(motion)),
            points: steps
                .iter()
                .filter(|step| step.motion == motion && !step.anew)
                .map(|step| [step.count as f64, measure(step)])
                .collect(),
            dashed: false,
        };
        motions.iter().map(curve).collect()
    };
    let boxes = Axis {
        name: "boxes",
        unit: Unit::Count,
    };
    vec![
        Plot {
            title: format!("Exchanges of a step, {space}"),
            x: boxes,
            y: Axis {
                name: "exchanges",
                unit: Unit::Count,
            },
            even: false,
            curves: curves(|step| step.exchanges),
        },
        Plot {
            title: format!("CPU time of a step, {space}"),
            x: boxes,
            y: Axis {
                name: "time",
                unit: Unit::Seconds,
            },
            even: false,
            curves: curves(Step::seconds),
        },
    ]
}

/// Formats an exponent as text.
fn shown(exponent: Option<f64>) -> String {
    exponent.map_or("-".into(), |e| format!("{e:.2}"))
}

pub fn one_dimension(effort: &Effort) -> Result<Vec<Finding>, Error> {
    const MOTIONS: [f64; 2] = [0.01, 0.1];
    let linear = |steps: &[Step]| Vec::from(MOTIONS.map(|motion| exchange_check(steps, motion)));
    let steps = measured::<2>(effort, &MOTIONS, line, linear)?;
    let exchanges = MOTIONS.map(|m| growth(&steps, m, |s| s.exchanges));
    let seconds = MOTIONS.map(|m| growth(&steps, m, Step::seconds));
    // The ratio is that of the largest scenes, where counts are least noisy.
    let ratio = |motion: f64| -> Option<f64> {
        let last = steps
            .iter()
            .rfind(|s| s.motion == motion && s.changes > 0.0)?;
        Some(last.exchanges / last.changes)
    };
    let ratios = MOTIONS.map(ratio);
    let by_motion = |values: [Option<f64>; 2]| -> Value {
        json!({percent(MOTIONS[0]): values[0], percent(MOTIONS[1]): values[1]})
    };
    let time = Finding {
        published: json!("O(n + c)"),
        measured: json!({
            "exponent of time against n": by_motion(seconds),
            "exponent of time against n + c": MOTIONS
                .map(|m| (percent(m), json!(growth_interval(&steps, m, boxes_and_exchanges))))
                .into_iter()
                .collect::<serde_json::Map<_, _>>(),
            "exponent of exchanges against n": by_motion(exchanges),
            "c / k": by_motion(ratios),
        }),
        checks: linear(&steps),
        remark: format!(
            "Ten intervals per unit of length, edges from 0.05 to 0.1. Time grows with n to the \
             power of {} at a motion of {} and {} at {}, exchanges with {} and {}.",
            shown(seconds[0]),
            percent(MOTIONS[0]),
            shown(seconds[1]),
            percent(MOTIONS[1]),
            shown(exchanges[0]),
            shown(exchanges[1]),
        ),
        data: data(&steps),
        plots: plots(&steps, &MOTIONS, "one dimension"),
        ..Finding::of(&ONE_DIMENSION)
    };
    let close = |(motion, ratio): (f64, Option<f64>)| {
        let what = format!("c / k at a motion of {}", percent(motion));
        Check::number(what, ratio.unwrap_or(f64::NAN), at_most(CLOSE))
    };
    let counts = Finding {
        published: json!("c close to k"),
        measured: json!({"c / k": by_motion(ratios)}),
        checks: MOTIONS.into_iter().zip(ratios).map(close).collect(),
        remark: "Motion here is random, which need not be that of a normal MD simulation. Of the four kinds of exchanges, those of two \
            lower or of two upper ends change no overlap; in random motion they are half of all. The claim that the extra work is negligible beside n is true where c is \
            small beside n, as here."
            .into(),
        data: data(&steps),
        ..Finding::of(&EXCHANGES)
    };
    Ok(vec![time, counts])
}

pub fn three_dimensions(effort: &Effort) -> Result<Vec<Finding>, Error> {
    const MOTIONS: [f64; 4] = [0.0001, 0.001, 0.003, 0.01];
    let checks = |steps: &[Step]| {
        let growths = MOTIONS.iter().map(|&motion| linear_check(steps, motion));
        growths.chain([cost_check(steps)]).collect()
    };
    let steps = measured::<3>(effort, &MOTIONS, cube, checks)?;
    Ok(vec![cost(&steps), linear(&steps, &MOTIONS)])
}

/// Fits the times of steps by `a n + b c`, for `n` boxes and `c` exchanges. Returns the costs `[a,
/// b]`, and the spread of the fit: the largest quotient of measured and fitted time, divided by the
/// smallest.
fn spread(steps: &[Step], seconds: &[f64]) -> ([f64; 2], f64) {
    let rows: Vec<[f64; 3]> = steps
        .iter()
        .zip(seconds)
        .filter(|(step, _)| !step.anew)
        .map(|(step, &seconds)| [step.count as f64, step.exchanges, seconds])
        .collect();
    let [a, b] = costs(&rows);
    let ratios = || rows.iter().map(|[n, c, t]| t / (a * n + b * c));
    let most = ratios().fold(0.0, f64::max);
    let least = ratios().fold(f64::INFINITY, f64::min);
    ([a, b], most / least)
}

/// The largest accepted spread of a fit: the largest quotient of measured and fitted time, divided
/// by the smallest.
const SPREAD: f64 = 2.0;

/// Returns the check that `a n + b c` is the time of all steps.
fn cost_check(steps: &[Step]) -> Check {
    let all: Vec<&Step> = steps.iter().collect();
    let spreads = least_runs(&all)
        .into_iter()
        .map(|seconds| spread(steps, &seconds).1);
    let spreads: Vec<f64> = spreads.collect();
    Check::interval(
        "largest over smallest quotient of measured and fitted time",
        ratio_interval(&spreads),
        at_most(SPREAD),
    )
}

fn cost(steps: &[Step]) -> Finding {
    let seconds: Vec<f64> = steps.iter().map(Step::seconds).collect();
    let ([a, b], least_spread) = spread(steps, &seconds);
    let row = |step: &&Step| {
        let predicted = a * step.count as f64 + b * step.exchanges;
        vec![
            word(percent(step.motion)),
            Cell::Count(step.count),
            Cell::Number(step.exchanges),
            Cell::Seconds(step.seconds()),
            Cell::Seconds(predicted),
            Cell::Number(step.seconds() / predicted),
        ]
    };
    Finding {
        published: json!("O(n + c)"),
        checks: vec![cost_check(steps)],
        measured: json!({
            "nanoseconds per box": 1e9 * a,
            "nanoseconds per exchange": 1e9 * b,
            "spread": least_spread,
        }),
        remark: format!(
            "Fitted to all steps below, time is {:.0} ns n + {:.1} ns c; the ratio of measured to \
             fitted time stays within a factor of {least_spread:.2} while n and c / n vary by orders of \
             magnitude.",
            1e9 * a,
            1e9 * b,
        ),
        data: Data {
            head: vec!["motion", "boxes", "c", "time", "fitted", "ratio"],
            rows: steps
                .iter()
                .filter(|step| !step.anew)
                .map(|step| row(&step))
                .collect(),
        },
        ..Finding::of(&COST)
    }
}

fn linear(steps: &[Step], motions: &[f64]) -> Finding {
    let by_motion = |measure: fn(&Step) -> f64| -> Value {
        let pairs = motions
            .iter()
            .map(|&m| (percent(m), json!(growth(steps, m, measure))));
        Value::Object(pairs.collect())
    };
    let list = |measure: fn(&Step) -> f64| -> String {
        let one = |&m: &f64| format!("{} at {}", shown(growth(steps, m, measure)), percent(m));
        motions.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let few = |step: &Step| {
        let what = format!(
            "k / n, {} boxes, motion of {}",
            step.count,
            percent(step.motion)
        );
        Check::number(what, step.changes / step.count as f64, at_most(0.1))
    };
    let mut checks: Vec<Check> = motions.iter().map(|&m| linear_check(steps, m)).collect();
    checks.extend(Check::worst(steps.iter().map(few)));
    let most = steps.iter().map(|s| s.changes / s.count as f64);
    Finding {
        published: json!("k << n, O(n)"),
        measured: json!({
            "exponent of time": by_motion(Step::seconds),
            "exponent of exchanges": by_motion(|s| s.exchanges),
            "k / n, at most": most.fold(0.0, f64::max),
        }),
        checks,
        remark: format!(
            "Boxes around the spheres of test A of leszczynski2004. Exponents of time: {}; of \
             exchanges: {}. Few overlaps change, but many exchanges occur: along an axis an interval \
             end passes those of all boxes in its slab, n^(2/3) of them, so that at the same density and \
             motion c grows with n^(5/3). A step takes O(n) only while motions are so small that c \
             stays below n. Where exchanges \
             would cost more than sorting, the library sorts from scratch.",
            list(Step::seconds),
            list(|s| s.exchanges),
        ),
        data: data(steps),
        plots: plots(steps, motions, "three dimensions"),
        ..Finding::of(&THREE_DIMENSIONS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_differ() {
        assert_eq!(differences(&[[0, 1], [1, 2]], &[[1, 2], [1, 3], [2, 3]]), 3);
        assert_eq!(differences(&[], &[[0, 1]]), 1);
        assert_eq!(differences(&[[0, 1]], &[[0, 1]]), 0);
    }

    #[test]
    fn exchanges_grow_as_derived() {
        // Counts do not depend on the machine.
        let exchanges = |n| run(&mut cube(n, 0.003).unwrap(), 0.003).unwrap().exchanges;
        let [few, many] = [1000, 8000].map(exchanges);
        let grown = (many / few).ln() / 8f64.ln();
        assert!((grown - 5.0 / 3.0).abs() < 0.1, "{grown}");
        let along = run(&mut line(2000, 0.1).unwrap(), 0.1).unwrap();
        let ratio = along.exchanges / along.changes;
        assert!((1.7..2.3).contains(&ratio), "{ratio}");
    }
}
