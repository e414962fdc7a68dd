//! Benchmark of distance and penetration depth of two convex bodies, against parry.
//!
//! | case | queries |
//! |---|---|
//! | coherent | both bodies rotate by 0.002 rad between calls at a constant gap |
//! | cold | random poses, every call without temporal coherence |
//! | batch | thousands of pairs of rotating bodies, one and two threads |
//!
//! Poses are computed beforehand and only calls are timed. Afterwards every answer is verified by
//! its certificate and a sample compared with brute force over all pairs of features, on all
//! threads ([`check`]); the long tests (`cargo xtask test --long`) compare all of them.

mod batch;
mod check;
mod motion;
mod parry;

use crate::timing::{Contestant, Standing, Turn, standings, timed};
use crate::{Options, Outcome};
use check::Tally;
use motion::{Motion, TURN, TURN_STEPS};
use parry::{Parry, Past};
use std::cell::RefCell;
use std::hint::black_box;
use tangere::closest::Tracker;

/// The numbers of faces of schinner1995's table, and one beyond it.
const FACES: [usize; 14] = [
    4, 8, 20, 32, 40, 80, 100, 140, 160, 200, 400, 600, 920, 10_000,
];

/// The largest number of faces in schinner1995's table, up to which the first target applies.
const FACES_PUBLISHED: usize = 920;

/// A case of the convex benchmark: the gap, relative to the size of the bodies, and the targets in
/// nanoseconds per call, up to 920 faces and beyond.
struct Case {
    name: &'static str,
    gap: f64,
    target: [f64; 2],
}

const CASES: [Case; 4] = [
    Case {
        name: "half a body",
        gap: 0.5,
        target: [80.0, 150.0],
    },
    Case {
        name: "1%",
        gap: 0.01,
        target: [100.0, 250.0],
    },
    Case {
        name: "touching",
        gap: 0.0,
        target: [250.0, 500.0],
    },
    Case {
        name: "2% deep",
        gap: -0.02,
        target: [300.0, 600.0],
    },
];

/// The published share of calls that the method of schinner1995 answers in one step.
const ONE_STEP_PUBLISHED: f64 = 0.975;

/// The number of turns of each contestant.
const TURNS: usize = 7;

pub fn run(options: &Options) -> Outcome {
    coherent(options)?;
    cold(options)?;
    batch::run(options)
}

/// Returns a digest of the gaps in the order of calls. It must be the same in every turn.
fn digest(gaps: impl Iterator<Item = f64>) -> u64 {
    gaps.fold(0, |sum: u64, gap| sum.rotate_left(5) ^ gap.to_bits())
}

/// Runs one turn of a contestant over all motions. Each motion begins with an untimed call, so that
/// no timed call starts from the state of another motion.
fn turn<P>(runs: &[P], mut gaps: impl FnMut(&P, &mut Vec<f64>) -> f64) -> Turn {
    let mut found = Vec::new();
    let seconds = runs.iter().map(|run| gaps(run, &mut found)).sum();
    Turn {
        seconds,
        answers: found.len(),
        digest: digest(found.into_iter()),
        by: None,
    }
}

fn peers(options: &Options, motions: &[Motion]) -> Result<Vec<Parry>, String> {
    match options.peers {
        true => motions.iter().map(Parry::new).collect(),
        false => Ok(Vec::new()),
    }
}

/// Returns the nanoseconds per call of the contestant of this name; none if it did not run.
fn nanoseconds(standings: &[Standing], name: &str, calls: usize) -> Option<f64> {
    let found = standings.iter().find(|standing| standing.name == name);
    found.map(|standing| standing.best.seconds / calls as f64 * 1e9)
}

/// Returns the nanoseconds per call of the contestant of this name as text; a dash if it did not
/// run.
fn cell_text(standings: &[Standing], name: &str, calls: usize) -> String {
    nanoseconds(standings, name, calls).map_or("-".into(), |ns| format!("{ns:.0}"))
}

fn steady(title: &str, standings: &[Standing]) -> Result<(), String> {
    match standings.iter().find(|s| !s.peer && !s.steady) {
        Some(fickle) => Err(format!("{title}: {} changes its answer", fickle.name)),
        None => Ok(()),
    }
}

/// A cell of the table of calls with temporal coherence.
struct Cell {
    text: String,
    calls: usize,
    /// The number of calls answered in one step.
    once: u64,
    /// Whether the time per call meets the target.
    reached: bool,
}

/// Benchmark of small motion with temporal coherence; prints a table of docs/performance.md.
fn coherent(options: &Options) -> Outcome {
    let faces: &[usize] = if options.quick { &[20, 920] } else { &FACES };
    let steps = if options.quick { 600 } else { TURN_STEPS };
    println!(
        "\ncoherent: two bodies, each rotating about its own axis by {TURN} rad per call; in a cell ns per call, share of calls in one\nstep, and ns of parry and of parry with its last normal. In brackets the targets up to {FACES_PUBLISHED} faces and beyond\n"
    );
    let titles = CASES.map(|case| {
        format!(
            "{} ({:.0}, {:.0})",
            case.name, case.target[0], case.target[1]
        )
    });
    println!("| faces | {} | in one step | calls |", titles.join(" | "));
    println!("|---|---|---|---|---|---|---|");
    let mut all = Tally::default();
    let (mut cells, mut reached) = (0, 0);
    for &faces in faces {
        // 100,000 calls of each published size; larger sizes are slow to verify.
        let runs = match (options.quick, faces > FACES_PUBLISHED) {
            (true, _) | (_, true) => 1,
            _ => 8,
        };
        let mut row = Vec::new();
        for case in &CASES {
            let title = format!("coherent {faces} faces, {}", case.name);
            if options.selects(&title) {
                row.push(raced(options, &title, faces, case, runs, steps, &mut all)?);
            }
        }
        if row.is_empty() {
            continue;
        }
        let calls: usize = row.iter().map(|cell| cell.calls).sum();
        let once: u64 = row.iter().map(|cell| cell.once).sum();
        let share = once as f64 / calls as f64;
        let few = if share < ONE_STEP_PUBLISHED {
            " (fewer than published)"
        } else {
            ""
        };
        let texts: Vec<&str> = row.iter().map(|cell| cell.text.as_str()).collect();
        println!(
            "| {faces} | {} | {:.2}%{few} | {calls} |",
            texts.join(" | "),
            share * 100.0
        );
        cells += row.len();
        reached += row.iter().filter(|cell| cell.reached).count();
    }
    println!("\n  {reached} of {cells} times meet their target");
    all.print();
    all.verdict()
}

/// Measures a cell of the table of calls with temporal coherence, and verifies the answers.
fn raced(
    options: &Options,
    title: &str,
    faces: usize,
    case: &Case,
    runs: u64,
    steps: usize,
    all: &mut Tally,
) -> Result<Cell, Box<dyn std::error::Error>> {
    let motions: Vec<Motion> = (0..runs)
        .map(|seed| Motion::held(faces, case.gap, steps, seed))
        .collect::<tangere::Result<_>>()?;
    let parries = peers(options, &motions)?;
    let calls = runs as usize * (steps - 1);
    let trackers = RefCell::new(vec![Tracker::new(); motions.len()]);
    let mut contestants = vec![Contestant::own("tracker", || {
        let mut trackers = trackers.borrow_mut();
        let mut trackers = trackers.iter_mut();
        turn(&motions, |motion, gaps| {
            let Some(tracker) = trackers.next() else {
                return 0.0;
            };
            let Motion { a, b, poses, .. } = motion;
            let [pose_a, pose_b] = &poses[0];
            gaps.push(tracker.contact(a, pose_a, b, pose_b).gap);
            gaps.reserve(poses.len());
            tracker.reset_counts();
            timed(|| {
                for [pose_a, pose_b] in &poses[1..] {
                    let contact = black_box(tracker.contact(a, pose_a, b, pose_b));
                    gaps.push(contact.gap);
                }
            })
        })
    })];
    if options.peers {
        contestants.push(Contestant::peer("parry", || {
            turn(&parries, |parry, gaps| {
                gaps.push(parry.cold(&parry.poses[0]));
                gaps.reserve(parry.poses.len());
                timed(|| gaps.extend(parry.poses[1..].iter().map(|p| parry.cold(p))))
            })
        }));
        contestants.push(Contestant::peer("parry, warm", || {
            turn(&parries, |parry, gaps| {
                let mut past = Past::new();
                gaps.push(parry.warm(&parry.poses[0], &mut past));
                gaps.reserve(parry.poses.len());
                timed(|| {
                    let poses = parry.poses[1..].iter();
                    gaps.extend(poses.map(|p| parry.warm(p, &mut past)));
                })
            })
        }));
    }
    let standings = standings(TURNS, &mut contestants);
    drop(contestants);
    steady(title, &standings)?;
    let once = trackers.borrow().iter().map(|t| t.counts().steps[0]).sum();
    all.merge(&Tally::of(&motions, &parries, false)?);
    let target = case.target[usize::from(faces > FACES_PUBLISHED)];
    Ok(Cell {
        text: format!(
            "{}, {:.2}%; {}, {}",
            cell_text(&standings, "tracker", calls),
            once as f64 / calls as f64 * 100.0,
            cell_text(&standings, "parry", calls),
            cell_text(&standings, "parry, warm", calls)
        ),
        calls,
        once,
        reached: nanoseconds(&standings, "tracker", calls).is_some_and(|ns| ns <= target),
    })
}

/// Benchmark of random poses, without temporal coherence.
fn cold(options: &Options) -> Outcome {
    let count = if options.quick { 200 } else { 2000 };
    let faces: &[usize] = if options.quick {
        &[20, 920]
    } else {
        &[4, 20, 100, 920, 10_000]
    };
    println!("\ncold: ns per call, {count} random poses, every call without temporal coherence\n");
    println!("| faces | bodies | tangere | parry | ratio |");
    println!("|---|---|---|---|---|");
    let mut all = Tally::default();
    for &faces in faces {
        let names = ["apart", "penetrating"];
        let titles = names.map(|name| format!("cold {faces} faces, {name}"));
        if !titles.iter().any(|title| options.selects(title)) {
            continue;
        }
        let motions = Motion::scattered(faces, count, 1)?;
        let parries = peers(options, &motions)?;
        for (i, name) in names.into_iter().enumerate() {
            if !options.selects(&titles[i]) {
                continue;
            }
            let motion = &motions[i];
            let mut contestants = vec![Contestant::own("tracker", || {
                turn(&[motion], |Motion { a, b, poses, .. }, gaps| {
                    gaps.reserve(poses.len());
                    timed(|| {
                        for [pose_a, pose_b] in poses {
                            let contact = Tracker::new().contact(a, pose_a, b, pose_b);
                            gaps.push(black_box(contact).gap);
                        }
                    })
                })
            })];
            if let Some(parry) = parries.get(i) {
                contestants.push(Contestant::peer("parry", move || {
                    turn(&[parry], |parry, gaps| {
                        gaps.reserve(parry.poses.len());
                        timed(|| gaps.extend(parry.poses.iter().map(|p| parry.cold(p))))
                    })
                }));
            }
            let standings = standings(TURNS, &mut contestants);
            drop(contestants);
            steady(&titles[i], &standings)?;
            let ratio = standings.get(1).map_or("-".into(), |peer| {
                format!("{:.1}", peer.best.seconds / standings[0].best.seconds)
            });
            println!(
                "| {faces} | {name} | {} | {} | {ratio} |",
                cell_text(&standings, "tracker", count),
                cell_text(&standings, "parry", count),
            );
        }
        all.merge(&Tally::of(&motions, &parries, true)?);
    }
    all.print();
    all.verdict()
}
