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

/// The minimum CPU seconds of each work item of each group in one batch of runs.
pub type Batch = Vec<Vec<f64>>;

/// Race of groups of work items. In a batch all work items take turns, so that a slowdown of the
/// machine affects all of them, and each keeps its minimum CPU time.
pub struct Race<'a, 'w> {
    groups: &'a mut [Vec<Work<'w>>],
    repeats: Vec<usize>,
}

impl<'a, 'w> Race<'a, 'w> {
    /// Runs every work item twice, to warm it up and to find its duration.
    pub fn new(groups: &'a mut [Vec<Work<'w>>]) -> Result<Self, Error> {
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
        Ok(Self { groups, repeats })
    }

    /// Lets all work items take `turns` turns.
    pub fn batch(&mut self, turns: usize) -> Result<Batch, Error> {
        let none = |group: &Vec<Work<'_>>| vec![f64::INFINITY; group.len()];
        let mut least: Batch = self.groups.iter().map(none).collect();
        for _ in 0..turns.max(1) {
            let contestants = self
                .groups
                .iter_mut()
                .flatten()
                .zip(least.iter_mut().flatten());
            for ((work, least), &repeats) in contestants.zip(&self.repeats) {
                let start = cpu_seconds();
                for _ in 0..repeats {
                    black_box(work()?);
                }
                *least = least.min((cpu_seconds() - start) / repeats as f64);
            }
        }
        Ok(least)
    }

    /// Runs batches until `is_decided` returns true for those so far, at least [`FEWEST_BATCHES`]
    /// and at most [`MOST_BATCHES`].
    pub fn batches(
        &mut self,
        turns: usize,
        mut is_decided: impl FnMut(&[Batch]) -> bool,
    ) -> Result<Vec<Batch>, Error> {
        let mut batches = Vec::new();
        // One turn is a test of the experiment, not a measurement.
        let most = if turns > 1 {
            MOST_BATCHES
        } else {
            FEWEST_BATCHES
        };
        while batches.len() < most {
            batches.push(self.batch(turns)?);
            if batches.len() >= FEWEST_BATCHES && is_decided(&batches) {
                break;
            }
        }
        Ok(batches)
    }
}

/// The number of batches before an interval may decide.
pub const FEWEST_BATCHES: usize = 3;
/// The number of batches after which an interval that does not decide is reported as undecided.
pub const MOST_BATCHES: usize = 12;

/// Times, of which repetitions give several: the least one counts, because interruptions only add.
pub trait Times: Clone {
    /// Takes over every time of a repetition that is less.
    fn lower(&mut self, other: &Self);
}

impl Times for f64 {
    fn lower(&mut self, other: &Self) {
        *self = self.min(*other);
    }
}

impl<T: Times> Times for Vec<T> {
    fn lower(&mut self, other: &Self) {
        for (times, other) in self.iter_mut().zip(other) {
            times.lower(other);
        }
    }
}

/// Returns the least times of all repetitions; none of none.
fn least_of<'a, T: Times + 'a>(mut all: impl Iterator<Item = &'a T>) -> Option<T> {
    let mut least = all.next()?.clone();
    for times in all {
        least.lower(times);
    }
    Some(least)
}

/// Returns the least times of all repetitions.
pub fn least<T: Times + Default>(all: &[T]) -> T {
    least_of(all.iter()).unwrap_or_default()
}

/// Returns for each repetition the least times of all others: how much a result depends on a single one.
pub fn without_one<T: Times>(all: &[T]) -> Vec<T> {
    let without = |k: usize| all[..k].iter().chain(&all[k + 1..]);
    (0..all.len())
        .filter_map(|k| least_of(without(k)))
        .collect()
}

/// The relative error of a ratio of times that repetition does not remove: where memory lies and
/// how fast the processor runs differ from process to process.
pub const SYSTEMATIC: f64 = 0.03;

/// Returns the range of a result of least times, from its values [`without_one`] repetition each;
/// everything if there are fewer than two.
///
/// Times are never too short, and sometimes too long for seconds on end. So the least times converge, and
/// as long as one repetition alone has a least time, the range shows how far the next ones are from it.
pub fn interval(values: &[f64]) -> [f64; 2] {
    if values.len() < 2 || values.iter().any(|x| x.is_nan()) {
        return [f64::NEG_INFINITY, f64::INFINITY];
    }
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    [
        low,
        values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    ]
}

/// Returns the interval of a ratio of times from its values [`without_one`] repetition each, widened by
/// the systematic error.
pub fn ratio_interval(ratios: &[f64]) -> [f64; 2] {
    let [low, high] = interval(ratios);
    [low / (1.0 + SYSTEMATIC), high * (1.0 + SYSTEMATIC)]
}

/// Returns the interval of an exponent of growth of times from its values [`without_one`] repetition each,
/// widened by the systematic error of times over a range of `decades`.
pub fn exponent_interval(exponents: &[f64], decades: f64) -> [f64; 2] {
    let [low, high] = interval(exponents);
    let error = 2.0 * SYSTEMATIC / (decades.max(0.1) * std::f64::consts::LN_10);
    [low - error, high + error]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn race(turns: usize, groups: &mut [Vec<Work<'_>>]) -> Result<Batch, Error> {
        Race::new(groups)?.batch(turns)
    }

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
    fn intervals_narrow_with_repetitions() {
        // One slow repetition does not count; a fast one that nothing repeats widens the range.
        assert_eq!(interval(&without_one(&[1.0, 9.0, 1.0, 9.0])), [1.0, 1.0]);
        assert_eq!(interval(&without_one(&[1.0, 3.0, 2.0])), [1.0, 2.0]);
        let pairs = without_one(&[vec![1.0, 9.0], vec![2.0, 5.0], vec![3.0, 4.0]]);
        assert_eq!(pairs, [[2.0, 4.0], [1.0, 4.0], [1.0, 5.0]]);
        let [low, high] = ratio_interval(&[2.0; 5]);
        assert!((low - 2.0 / 1.03).abs() < 1e-9 && (high - 2.06).abs() < 1e-9);
        let everything = [f64::NEG_INFINITY, f64::INFINITY];
        assert_eq!(interval(&without_one(&[1.0])), everything);
        assert_eq!(interval(&[1.0, f64::NAN, 2.0]), everything);
    }

    #[test]
    fn batches_end_when_decided() {
        let work: Work<'static> = Box::new(|| Ok(1));
        let mut groups = [vec![work]];
        let mut race = Race::new(&mut groups).unwrap();
        assert_eq!(race.batches(2, |_| true).unwrap().len(), FEWEST_BATCHES);
        assert_eq!(race.batches(2, |_| false).unwrap().len(), MOST_BATCHES);
        assert_eq!(
            least(&[vec![vec![2.0, 3.0]], vec![vec![4.0, 1.0]]]),
            [[2.0, 1.0]]
        );
    }

    #[test]
    fn nobody_may_do_less() {
        let work = |found: usize| -> Work<'static> { Box::new(move || Ok(found)) };
        let outcome = race(1, &mut [vec![work(1), work(2)]]);
        assert!(matches!(outcome, Err(Error::Failed(_))));
        assert!(race(1, &mut [vec![work(1)], vec![work(2)]]).is_ok());
    }
}
