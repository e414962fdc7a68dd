//! Timing of methods so that their times can be compared: CPU time of this thread, runs of all
//! methods interleaved, the minimum over several runs of each.

use crate::Error;
use std::hint::black_box;

/// Returns the CPU seconds that this thread has used.
#[cfg(unix)]
pub fn cpu_seconds() -> f64 {
    use rustix::time::{ClockId, clock_gettime};
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// Returns wall-clock seconds, because this system has no thread clock.
#[cfg(not(unix))]
pub fn cpu_seconds() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// The minimum duration of a run in seconds; shorter work is repeated within a run.
const SHORTEST: f64 = 2e-3;
const MOST_REPEATS: f64 = 1e4;

/// Work to be timed. It returns a number, such as a number of pairs, which must be the same for all
/// work of a group, so that no method is fast by doing less.
pub type Work<'a> = Box<dyn FnMut() -> tangere::Result<usize> + 'a>;

/// Returns the minimum CPU seconds of each work item over `turns` runs. All groups are interleaved,
/// so that a slowdown of the machine affects all of them.
pub fn race(turns: usize, groups: &mut [Vec<Work<'_>>]) -> Result<Vec<Vec<f64>>, Error> {
    let mut repeats = Vec::new();
    for group in groups.iter_mut() {
        let mut first = None;
        for work in group {
            // The first run allocates memory that is kept, and is not measured.
            let answer = work()?;
            let expected = *first.get_or_insert(answer);
            if answer != expected {
                let message = format!(
                    "a method found {answer} pairs, expected {expected} as found by another one"
                );
                return Err(Error::Failed(message));
            }
            let start = cpu_seconds();
            black_box(work()?);
            let once = (cpu_seconds() - start).max(1e-9);
            repeats.push((SHORTEST / once).ceil().clamp(1.0, MOST_REPEATS) as usize);
        }
    }
    let none = |group: &Vec<Work<'_>>| vec![f64::INFINITY; group.len()];
    let mut least: Vec<Vec<f64>> = groups.iter().map(none).collect();
    for _ in 0..turns.max(1) {
        let contestants = groups.iter_mut().flatten().zip(least.iter_mut().flatten());
        for ((work, least), &repeats) in contestants.zip(&repeats) {
            let start = cpu_seconds();
            for _ in 0..repeats {
                black_box(work()?);
            }
            *least = least.min((cpu_seconds() - start) / repeats as f64);
        }
    }
    Ok(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_takes_time() {
        let work = |rounds: usize| -> Work<'static> {
            Box::new(move || Ok((0..rounds).filter(|i| black_box(*i) > rounds).count()))
        };
        let seconds = race(3, &mut [vec![work(1000), work(1_000_000)], vec![]]).unwrap();
        let [short, long] = seconds[0][..] else {
            panic!("{seconds:?}");
        };
        assert!(short > 0.0 && long > 10.0 * short, "{seconds:?}");
    }

    #[test]
    fn nobody_may_do_less() {
        let work = |found: usize| -> Work<'static> { Box::new(move || Ok(found)) };
        let outcome = race(1, &mut [vec![work(1), work(2)]]);
        assert!(matches!(outcome, Err(Error::Failed(_))));
        assert!(race(1, &mut [vec![work(1)], vec![work(2)]]).is_ok());
    }
}
