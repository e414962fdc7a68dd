//! Fair timing on a noisy machine: contestants (our methods and other libraries) alternate in one
//! process, CPU time is measured, and the minimum of all turns of a contestant counts.

use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;

/// A contestant that is slower than the fastest one by more than this factor gets no further turns.
const FAR_BEHIND: f64 = 20.0;

/// Returns the CPU seconds that all threads of this process have used.
pub fn cpu_seconds() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// Returns the CPU seconds of some work.
pub fn timed(work: impl FnOnce()) -> f64 {
    let start = cpu_seconds();
    work();
    cpu_seconds() - start
}

/// The result of one turn of a contestant.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// CPU seconds.
    pub seconds: f64,
    /// The number of answers, so that no contestant is fast by doing less.
    pub answers: usize,
    /// A digest of all answers, independent of their order.
    pub digest: u64,
    /// The method that the contestant picked, if it had a choice.
    pub by: Option<&'static str>,
}

/// A contestant of a race: a name, whether it is another library (peer), and the work of a turn.
pub struct Contestant<'a> {
    name: &'static str,
    peer: bool,
    work: Box<dyn FnMut() -> Turn + 'a>,
}

impl<'a> Contestant<'a> {
    /// Returns one of our methods as contestant; `work` measures its own time.
    pub fn own(name: &'static str, work: impl FnMut() -> Turn + 'a) -> Self {
        Contestant {
            name,
            peer: false,
            work: Box::new(work),
        }
    }

    /// Returns another library as contestant; `work` measures its own time.
    pub fn peer(name: &'static str, work: impl FnMut() -> Turn + 'a) -> Self {
        Contestant {
            peer: true,
            ..Self::own(name, work)
        }
    }
}

/// Returns a contestant whose work is timed here and returns the number of its answers, which must
/// be the same for all contestants.
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

/// The result of a contestant over all its turns.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// The name of the contestant.
    pub name: &'static str,
    /// Whether the contestant is another library.
    pub peer: bool,
    /// The fastest turn.
    pub best: Turn,
    /// The number of turns.
    pub turns: usize,
    /// Whether the answers were the same in all turns.
    pub steady: bool,
}

/// Runs all contestants in turn, `turns` times, and returns the result of each.
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

/// Returns an error if a contestant changes its answers from turn to turn, or if two contestants
/// have different answers; the error names them.
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

/// Runs all contestants alternately and prints a line for each: its minimum time, that time per
/// item, and as a multiple of the time of the first contestant.
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
