//! Two convex bodies, again and again, beside parry.
//!
//! | case | what is asked |
//! |---|---|
//! | coherent | both bodies turn by 0.002 rad between calls, the gap is held |
//! | cold | random poses, every call without a past |
//! | batch | thousands of pairs of turning bodies, one and two threads |
//!
//! Poses are made beforehand and only calls are timed. Every answer of one run is proven by its
//! certificate, and parry's gaps are compared with it.

mod motion;
mod parry;

use crate::timing::{Contestant, Standing, Turn, cpu_seconds, standings, timed};
use crate::{Options, Outcome};
use motion::{Motion, Random, Spin, TURN, TURN_STEPS};
use parry::{Parry, Past};
use std::cell::RefCell;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;
use tangere::closest::{ConvexPairs, Tracker, certificate, exhaustive};
use tangere::contact::ContactStatus;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;

/// The numbers of faces of schinner1995's table, and one beyond it.
const FACES: [usize; 14] = [
    4, 8, 20, 32, 40, 80, 100, 140, 160, 200, 400, 600, 920, 10_000,
];

/// Faces up to which the first figures are wanted.
const FACES_PUBLISHED: usize = 920;

/// A gap as a part of the size, and the nanoseconds wanted up to 920 faces and beyond.
struct Case {
    name: &'static str,
    gap: f64,
    wanted: [f64; 2],
}

const CASES: [Case; 4] = [
    Case {
        name: "half a body",
        gap: 0.5,
        wanted: [80.0, 150.0],
    },
    Case {
        name: "1%",
        gap: 0.01,
        wanted: [100.0, 250.0],
    },
    Case {
        name: "touching",
        gap: 0.0,
        wanted: [250.0, 500.0],
    },
    Case {
        name: "2% deep",
        gap: -0.02,
        wanted: [300.0, 600.0],
    },
];

/// Turns that contestants take.
const TURNS: usize = 7;

/// A peer's gap that is off by more than this part of the size is wrong.
const WRONG: f64 = 1e-9;

pub fn run(options: &Options) -> Outcome {
    coherent(options)?;
    cold(options)?;
    batch(options)
}

/// Gaps in the order of calls, as one number: they must not depend on the past.
fn digest(gaps: impl Iterator<Item = f64>) -> u64 {
    gaps.fold(0, |sum: u64, gap| sum.rotate_left(5) ^ gap.to_bits())
}

/// A turn over all motions: each begins with a call that is not timed, so that no call has a
/// past from somewhere else.
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

/// What became of the peer and of certificates.
#[derive(Default)]
struct Tally {
    answers: usize,
    /// Of ours, which a certificate does not prove.
    unproven: usize,
    bracketed: usize,
    /// Gaps that were compared with those of all pairs of features, and the worst, as a part of
    /// the size.
    compared: usize,
    worst: f64,
    /// Of parry's, in both ways.
    wrong: [usize; 2],
    failed: [usize; 2],
}

/// Pairs of edges that the comparison with all features may look at in all.
const COMPARISONS: usize = 20_000_000;

impl Tally {
    /// Proves all answers about a motion.
    fn add(&mut self, motion: &Motion, peer: Option<&Parry>, fresh: bool) {
        let Motion { a, b, size, poses } = motion;
        let mut tracker = Tracker::new();
        let mut past = Past::new();
        let every = (a.edge_count() * b.edge_count() * poses.len() / COMPARISONS).max(1);
        for (i, [pose_a, pose_b]) in poses.iter().enumerate() {
            if fresh {
                (tracker, past) = (Tracker::new(), Past::new());
            }
            let contact = tracker.contact(a, pose_a, b, pose_b);
            self.answers += 1;
            self.bracketed += usize::from(contact.status == ContactStatus::Bracketed);
            if let Err(violation) = certificate(a, pose_a, b, pose_b, &contact) {
                self.unproven += 1;
                println!("  call {i}: {violation}");
            }
            if i % every == 0 {
                let error = contact.gap - exhaustive(a, pose_a, b, pose_b).gap;
                self.compared += 1;
                self.worst = self.worst.max(error.abs() / size);
            }
            if let Some(parry) = peer {
                let gaps = [
                    parry.cold(&parry.poses[i]),
                    parry.warm(&parry.poses[i], &mut past),
                ];
                for (way, gap) in gaps.into_iter().enumerate() {
                    self.failed[way] += usize::from(gap.is_nan());
                    self.wrong[way] += usize::from((gap - contact.gap).abs() > WRONG * size);
                }
            }
        }
    }

    fn print(&self) {
        println!(
            "  {} answers: {} not proven, {} bracketed; {} beside all pairs of features, off by at most {:.0e} of the size",
            self.answers, self.unproven, self.bracketed, self.compared, self.worst
        );
        if self.wrong != [0; 2] || self.failed != [0; 2] {
            let [wrong, wrong_warm] = self.wrong;
            let [failed, failed_warm] = self.failed;
            println!(
                "  parry: {wrong} wrong and {failed} NaN; with its last normal {wrong_warm} and {failed_warm}"
            );
        }
    }
}

fn peers(options: &Options, motions: &[Motion]) -> Result<Vec<Parry>, String> {
    match options.peers {
        true => motions.iter().map(Parry::new).collect(),
        false => Ok(Vec::new()),
    }
}

/// Nanoseconds of a contestant by its name, or a dash.
fn told(standings: &[Standing], name: &str, calls: usize) -> String {
    let found = standings.iter().find(|standing| standing.name == name);
    found.map_or("-".into(), |standing| {
        format!("{:.0}", standing.best.seconds / calls as f64 * 1e9)
    })
}

fn steady(title: &str, standings: &[Standing]) -> Result<(), String> {
    match standings.iter().find(|s| !s.peer && !s.steady) {
        Some(fickle) => Err(format!("{title}: {} changes its answer", fickle.name)),
        None => Ok(()),
    }
}

/// Small motion: the past is worth everything.
fn coherent(options: &Options) -> Outcome {
    let (runs, steps) = if options.quick {
        (1, 600)
    } else {
        (4, TURN_STEPS)
    };
    let faces: &[usize] = if options.quick { &[20, 920] } else { &FACES };
    println!(
        "\ncoherent: ns a call, {runs} pairs of bodies, each turning about its own axis by {TURN} rad a step, {steps} steps"
    );
    println!(
        "  {:>6} {:<12} {:>7} {:>9} {:>9} {:>9} {:>11} {:>10}",
        "faces", "gap", "wanted", "tangere", "one step", "parry", "its normal", "proven"
    );
    let mut all = Tally::default();
    for &faces in faces {
        for case in &CASES {
            let title = format!("coherent {faces} faces, {}", case.name);
            if !options.wants(&title) {
                continue;
            }
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
            steady(&title, &standings)?;
            let once: u64 = trackers.borrow().iter().map(|t| t.counts().steps[0]).sum();
            let mut tally = Tally::default();
            for (i, motion) in motions.iter().enumerate() {
                tally.add(motion, parries.get(i), false);
            }
            println!(
                "  {:>6} {:<12} {:>7.0} {:>9} {:>8.2}% {:>9} {:>11} {:>10}",
                faces,
                case.name,
                case.wanted[usize::from(faces > FACES_PUBLISHED)],
                told(&standings, "tracker", calls),
                once as f64 / calls as f64 * 100.0,
                told(&standings, "parry", calls),
                told(&standings, "parry, warm", calls),
                tally.answers - tally.unproven,
            );
            all.merge(&tally);
        }
    }
    all.print();
    all.verdict()
}

impl Tally {
    fn merge(&mut self, other: &Tally) {
        self.answers += other.answers;
        self.unproven += other.unproven;
        self.bracketed += other.bracketed;
        self.compared += other.compared;
        self.worst = self.worst.max(other.worst);
        for way in 0..2 {
            self.wrong[way] += other.wrong[way];
            self.failed[way] += other.failed[way];
        }
    }

    /// An error if an answer of ours is not proven.
    fn verdict(&self) -> Outcome {
        match self.unproven {
            0 => Ok(()),
            n => Err(format!("{n} answers are not proven").into()),
        }
    }
}

/// Random poses, and no past.
fn cold(options: &Options) -> Outcome {
    let count = if options.quick { 200 } else { 2000 };
    let faces: &[usize] = if options.quick {
        &[20, 920]
    } else {
        &[4, 20, 100, 920, 10_000]
    };
    println!("\ncold: ns a call, {count} random poses, every call without a past");
    println!(
        "  {:>6} {:<12} {:>9} {:>9} {:>7}",
        "faces", "bodies", "tangere", "parry", "ratio"
    );
    let mut all = Tally::default();
    for &faces in faces {
        let motions = Motion::scattered(faces, count, 1)?;
        let parries = peers(options, &motions)?;
        for (i, name) in ["apart", "penetrating"].into_iter().enumerate() {
            let title = format!("cold {faces} faces, {name}");
            if !options.wants(&title) {
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
            steady(&title, &standings)?;
            let mut tally = Tally::default();
            tally.add(motion, parries.get(i), true);
            let ratio = standings.get(1).map_or("-".into(), |peer| {
                format!("{:.1}", peer.best.seconds / standings[0].best.seconds)
            });
            println!(
                "  {faces:>6} {name:<12} {:>9} {:>9} {ratio:>7}",
                told(&standings, "tracker", count),
                told(&standings, "parry", count),
            );
            all.merge(&tally);
        }
    }
    all.print();
    all.verdict()
}

/// Steps of the batch that are timed together.
const BATCH_STEPS: usize = 16;

/// A lattice of turning bodies, each with its neighbours along the axes.
struct Lattice {
    shapes: Vec<Arc<ConvexPolyhedron>>,
    pairs: Vec<[u32; 2]>,
    steps: Vec<Vec<Pose>>,
}

impl Lattice {
    /// `edge^3` bodies of `faces` faces and eight different shapes.
    fn new(edge: usize, faces: usize) -> tangere::Result<Self> {
        // Of the diameters, which are from 1 to 2: some bodies meet, most do not.
        const SPACING: f64 = 1.5;
        let body = |seed| ConvexPolyhedron::from_mesh(&generate::hull(faces, seed)?).map(Arc::new);
        let kinds = (1..=8).map(body).collect::<tangere::Result<Vec<_>>>()?;
        let mut random = Random::new(1);
        let mut lattice = Lattice {
            shapes: Vec::new(),
            pairs: Vec::new(),
            steps: vec![Vec::new(); BATCH_STEPS],
        };
        for i in 0..edge * edge * edge {
            let cell = [i % edge, i / edge % edge, i / (edge * edge)];
            let place = cell.map(|x| SPACING * x as f64);
            lattice.shapes.push(kinds[i % kinds.len()].clone());
            let spin = Spin::new(&mut random)?;
            for (step, poses) in lattice.steps.iter_mut().enumerate() {
                poses.push(spin.pose(step, place)?);
            }
            for (k, stride) in [1, edge, edge * edge].into_iter().enumerate() {
                if cell[k] + 1 < edge {
                    lattice.pairs.push([i as u32, (i + stride) as u32]);
                }
            }
        }
        Ok(lattice)
    }
}

/// Many pairs at once.
fn batch(options: &Options) -> Outcome {
    let title = "batch: ns a pair by the clock (and of all threads)";
    if !options.wants(title) {
        return Ok(());
    }
    println!("\n{title}, {BATCH_STEPS} steps of {TURN} rad");
    for faces in [20, 100, 920] {
        let lattice = Lattice::new(if options.quick { 8 } else { 16 }, faces)?;
        let calls = (lattice.pairs.len() * BATCH_STEPS) as f64;
        let pools = [1, 2].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.map(|pool| (pool, ConvexPairs::new(lattice.shapes.clone())))
        });
        let [one, two] = pools;
        let mut least = [[f64::INFINITY; 2]; 2];
        let mut digests = [0; 2];
        let mut deep = 0;
        let mut contestants = [one?, two?];
        for _ in 0..TURNS {
            for (i, (pool, pairs)) in contestants.iter_mut().enumerate() {
                let mut contacts = Vec::new();
                // The way back from the last step of the turn before.
                pool.install(|| pairs.contacts(&lattice.steps[0], &lattice.pairs, &mut contacts))?;
                let (clock, cpu) = (Instant::now(), cpu_seconds());
                pool.install(|| {
                    lattice
                        .steps
                        .iter()
                        .try_for_each(|poses| pairs.contacts(poses, &lattice.pairs, &mut contacts))
                })?;
                let times = [clock.elapsed().as_secs_f64(), cpu_seconds() - cpu];
                for (least, time) in least[i].iter_mut().zip(times) {
                    *least = least.min(time / calls * 1e9);
                }
                digests[i] = digest(contacts.iter().map(|contact| contact.gap));
                deep = contacts.iter().filter(|contact| contact.gap < 0.0).count();
            }
        }
        if digests[0] != digests[1] {
            return Err(format!("{faces} faces: two threads change the answer").into());
        }
        let [[one, one_cpu], [two, two_cpu]] = least;
        println!(
            "  {faces:>6} faces, {} pairs, {:.0}% of them penetrating: one thread {one:.0} ({one_cpu:.0}), two {two:.0} ({two_cpu:.0})",
            lattice.pairs.len(),
            deep as f64 / lattice.pairs.len() as f64 * 100.0
        );
    }
    Ok(())
}
