//! Timing of methods so that their times can be compared: CPU time of this thread, runs of all
//! methods interleaved in batches, for each of which they are made anew, and the minimum over all runs
//! of each.

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

/// Races groups of work items that `make` makes: runs batches until `is_decided` returns true for
/// those so far, at least [`FEWEST_BATCHES`] and at most [`MOST_BATCHES`]. In a batch all work items
/// take `turns` turns, so that a slowdown of the machine affects all of them, and each keeps its
/// minimum CPU time.
///
/// The contestants of every batch, and the memory that they keep, are made anew. Memory may be placed
/// so that its owner is much slower for as long as it lives (pages that compete for the same sets of a
/// cache; 1.75 times has been measured), and then no number of turns shows its usual time. This way
/// such a placement ends with its batch, and the least time of all batches counts. The contestants of
/// the last batch live until those of the next have run once and thus have their memory, which is
/// therefore elsewhere; the batch after the next may have the memory of the last again.
pub fn race<'w>(
    mut make: impl FnMut() -> Result<Vec<Vec<Work<'w>>>, Error>,
    turns: usize,
    mut is_decided: impl FnMut(&[Batch]) -> bool,
) -> Result<Vec<Batch>, Error> {
    let mut warm = || -> Result<Vec<Vec<Work<'w>>>, Error> {
        let mut groups = make()?;
        warm_up(&mut groups)?;
        Ok(groups)
    };
    // One turn is a test of the experiment, not a measurement.
    let most = if turns > 1 {
        MOST_BATCHES
    } else {
        FEWEST_BATCHES
    };
    let mut groups = warm()?;
    let repeats = repeats(&mut groups)?;
    let mut batches = vec![batch(&mut groups, &repeats, turns)?];
    while batches.len() < FEWEST_BATCHES || batches.len() < most && !is_decided(&batches) {
        // Drops the old contestants when the new ones are warm.
        groups = warm()?;
        batches.push(batch(&mut groups, &repeats, turns)?);
    }
    Ok(batches)
}

/// Runs every work item once: it allocates the memory that it keeps. All work items of a group must
/// give the same answer.
fn warm_up(groups: &mut [Vec<Work<'_>>]) -> Result<(), Error> {
    for group in groups {
        let mut first = None;
        for work in group {
            let answer = work()?;
            let expected = *first.get_or_insert(answer);
            if answer != expected {
                let message = format!(
                    "a method found {answer} pairs, expected {expected} as found by another one"
                );
                return Err(Error::Failed(message));
            }
        }
    }
    Ok(())
}

/// Returns how often each warm work item is repeated within a run.
fn repeats(groups: &mut [Vec<Work<'_>>]) -> Result<Vec<usize>, Error> {
    let repeats = |work: &mut Work<'_>| {
        let start = cpu_seconds();
        black_box(work()?);
        let once = (cpu_seconds() - start).max(1e-9);
        Ok((SHORTEST / once).ceil().clamp(1.0, MOST_REPEATS) as usize)
    };
    groups.iter_mut().flatten().map(repeats).collect()
}

/// Lets all warm work items take `turns` turns.
fn batch(groups: &mut [Vec<Work<'_>>], repeats: &[usize], turns: usize) -> Result<Batch, Error> {
    let none = |group: &Vec<Work<'_>>| vec![f64::INFINITY; group.len()];
    let mut least: Batch = groups.iter().map(none).collect();
    for _ in 0..turns.max(1) {
        let contestants = groups.iter_mut().flatten().zip(least.iter_mut().flatten());
        for ((work, least), &repeats) in contestants.zip(repeats) {
            let start = cpu_seconds();
            for _ in 0..repeats {
                black_box(work()?);
            }
            *least = least.min((cpu_seconds() - start) / repeats as f64);
        }
    }
    Ok(least)
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

/// The relative error of a ratio of times that repetition does not remove: where code lies, and the
/// memory that all batches share, and how fast the processor runs differ from process to process.
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
    use std::cell::RefCell;
    use std::rc::Rc;

    /// Returns work that counts for some rounds.
    fn counting(rounds: usize) -> Work<'static> {
        Box::new(move || Ok((0..rounds).filter(|i| black_box(*i) > rounds).count()))
    }

    #[test]
    fn everybody_takes_time() {
        let make = || Ok(vec![vec![counting(1000), counting(1_000_000)], vec![]]);
        let seconds = least(&race(make, 3, |_| true).unwrap());
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
        let batches = |turns, is_decided: bool| {
            let make = || Ok(vec![vec![Box::new(|| Ok(1_usize)) as Work<'static>]]);
            race(make, turns, |_| is_decided).unwrap().len()
        };
        assert_eq!(batches(2, true), FEWEST_BATCHES);
        assert_eq!(batches(2, false), MOST_BATCHES);
        assert_eq!(batches(1, false), FEWEST_BATCHES);
        assert_eq!(
            least(&[vec![vec![2.0, 3.0]], vec![vec![4.0, 1.0]]]),
            [[2.0, 1.0]]
        );
    }

    #[test]
    fn contestants_of_a_batch_are_new() {
        let (alive, places) = (Rc::new(()), RefCell::new(Vec::new()));
        let make = || {
            // The last contestants and their memory are alive until the new ones have run.
            let others = Rc::strong_count(&alive) - 1;
            assert_eq!(others, usize::from(!places.borrow().is_empty()));
            let (mark, places) = (Rc::clone(&alive), &places);
            let mut memory: Vec<u64> = Vec::new();
            let work: Work<'_> = Box::new(move || {
                if memory.is_empty() {
                    assert_eq!(Rc::strong_count(&mark), 2 + others);
                    memory = vec![1; 1000];
                    places.borrow_mut().push(memory.as_ptr());
                }
                Ok(black_box(&memory).len())
            });
            Ok(vec![vec![work]])
        };
        let batches = race(make, 2, |_| false).unwrap();
        assert_eq!(Rc::strong_count(&alive), 1);
        let places = places.into_inner();
        assert_eq!(places.len(), batches.len());
        assert!(places.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn an_unlucky_placement_affects_one_batch() {
        let mut made = 0;
        let make = || {
            made += 1;
            let rounds = if made == 2 { 1_000_000 } else { 10_000 };
            Ok(vec![vec![counting(rounds), counting(10_000)]])
        };
        let batches = race(make, 2, |_| true).unwrap();
        let ratio = |batch: &Batch| batch[0][0] / batch[0][1];
        assert!(ratio(&batches[1]) > 20.0, "{batches:?}");
        let without_one = without_one(&batches);
        assert!(
            without_one.iter().all(|batch| ratio(batch) < 5.0),
            "{batches:?}"
        );
    }

    #[test]
    fn nobody_may_do_less() {
        let work = |found: usize| -> Work<'static> { Box::new(move || Ok(found)) };
        let outcome = race(|| Ok(vec![vec![work(1), work(2)]]), 1, |_| true);
        assert!(matches!(outcome, Err(Error::Failed(_))));
        assert!(race(|| Ok(vec![vec![work(1)], vec![work(2)]]), 1, |_| true).is_ok());
        // Nor in a later batch.
        let mut made = 0;
        let make = || {
            made += 1;
            Ok(vec![vec![work(1), work(made.min(2))]])
        };
        assert!(matches!(race(make, 1, |_| true), Err(Error::Failed(_))));
    }
}
