//! Fair timing on a noisy machine: contestants alternate in one process, CPU time is
//! measured, and the minimum of all turns counts.

use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;

/// A contestant slower than the fastest by more than this factor runs only once.
const FAR_BEHIND: f64 = 20.0;

/// CPU seconds that all threads of this process have used.
pub fn cpu_seconds() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// CPU seconds of some work.
pub fn timed(work: impl FnOnce()) -> f64 {
    let start = cpu_seconds();
    work();
    cpu_seconds() - start
}

/// The result of a turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// CPU seconds.
    pub seconds: f64,
    /// The number of answers, so that no contestant is fast by doing less.
    pub answers: usize,
    /// A digest of all answers, independent of their order.
    pub digest: u64,
    /// The method used, where the contestant had a choice.
    pub by: Option<&'static str>,
}

/// A contestant: a name and its work.
pub struct Contestant<'a> {
    name: &'static str,
    peer: bool,
    work: Box<dyn FnMut() -> Turn + 'a>,
}

impl<'a> Contestant<'a> {
    /// One of our methods, which times itself.
    pub fn own(name: &'static str, work: impl FnMut() -> Turn + 'a) -> Self {
        Contestant {
            name,
            peer: false,
            work: Box::new(work),
        }
    }

    /// A peer, which times itself.
    pub fn peer(name: &'static str, work: impl FnMut() -> Turn + 'a) -> Self {
        Contestant {
            peer: true,
            ..Self::own(name, work)
        }
    }
}

/// A contestant whose work returns a number to compare with the others' (a
/// count of answers).
pub fn contestant<'a>(name: &'static str, mut work: impl FnMut() -> usize + 'a) -> Contestant<'a> {
    Contestant::own(name, move || {
        let mut answers = 0;
        let seconds = timed(|| answers = black_box(work()));
        Turn {
            seconds,
            answers,
            digest: 0,
            by: None,
        }
    })
}

/// The result of a contestant.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// The contestant.
    pub name: &'static str,
    /// Whether it is a peer.
    pub peer: bool,
    /// Its best turn.
    pub best: Turn,
    /// How many turns it took.
    pub turns: usize,
    /// Whether its answer was the same in all of them.
    pub steady: bool,
}

/// Runs all contestants alternately.
pub fn standings(turns: usize, contestants: &mut [Contestant<'_>]) -> Vec<Standing> {
    let mut standings: Vec<Standing> = Vec::with_capacity(contestants.len());
    for turn in 0..turns {
        let least = standings
            .iter()
            .map(|standing| standing.best.seconds)
            .fold(f64::INFINITY, f64::min);
        for (i, contestant) in contestants.iter_mut().enumerate() {
            if turn > 0 && standings[i].best.seconds > FAR_BEHIND * least {
                continue;
            }
            let result = (contestant.work)();
            if turn == 0 {
                standings.push(Standing {
                    name: contestant.name,
                    peer: contestant.peer,
                    best: result,
                    turns: 1,
                    steady: true,
                });
                continue;
            }
            let standing = &mut standings[i];
            let best = standing.best;
            standing.turns += 1;
            standing.steady &= (best.answers, best.digest) == (result.answers, result.digest);
            if result.seconds < best.seconds {
                standing.best = result;
            }
        }
    }
    standings
}

/// An error that names the contestants whose answers differ, if any do.
pub fn agreement(standings: &[Standing]) -> Result<(), String> {
    if let Some(fickle) = standings.iter().find(|standing| !standing.steady) {
        return Err(format!("{} changes its answer", fickle.name));
    }
    let Some(first) = standings.first() else {
        return Ok(());
    };
    let key = |standing: &Standing| (standing.best.answers, standing.best.digest);
    match standings.iter().find(|other| key(other) != key(first)) {
        None => Ok(()),
        Some(other) => Err(format!(
            "{} found {} answers (digest {:016x}), {} found {} ({:016x})",
            first.name,
            first.best.answers,
            first.best.digest,
            other.name,
            other.best.answers,
            other.best.digest
        )),
    }
}

/// Runs a race and prints a line for each contestant: its minimum time, per item, and as
/// a multiple of the first one's.
pub fn race(title: &str, turns: usize, items: usize, contestants: &mut [Contestant<'_>]) {
    println!("\n{title}");
    let standings = standings(turns, contestants);
    for standing in &standings {
        let seconds = standing.best.seconds;
        println!(
            "  {:<26} {:>9.2} ms {:>9.1} ns each {:>7.2}x   answers {}",
            standing.name,
            seconds * 1e3,
            seconds * 1e9 / items as f64,
            seconds / standings[0].best.seconds,
            standing.best.answers,
        );
    }
}
