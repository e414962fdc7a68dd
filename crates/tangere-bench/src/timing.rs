//! Fair times on a noisy machine: contestants take turns in one process, CPU
//! time counts, and each keeps the least of its turns.

use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;

/// CPU seconds that all threads of this process have used.
pub fn cpu_seconds() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// One contestant: a name and something to do.
pub struct Contestant<'a> {
    name: &'static str,
    work: Box<dyn FnMut() -> usize + 'a>,
}

/// A contestant whose work returns a number to compare with the others' (a
/// count of answers), so that nobody is fast by doing less.
pub fn contestant<'a>(name: &'static str, work: impl FnMut() -> usize + 'a) -> Contestant<'a> {
    Contestant {
        name,
        work: Box::new(work),
    }
}

/// Runs a race and prints a line for each contestant: its least time over
/// `items`, as a multiple of the first one's.
pub fn race(title: &str, turns: usize, items: usize, contestants: &mut [Contestant<'_>]) {
    println!("\n{title}");
    let mut least = vec![f64::INFINITY; contestants.len()];
    let mut answers = vec![0; contestants.len()];
    for _ in 0..turns {
        for (i, contestant) in contestants.iter_mut().enumerate() {
            let start = cpu_seconds();
            answers[i] = black_box((contestant.work)());
            least[i] = least[i].min(cpu_seconds() - start);
        }
    }
    for (i, contestant) in contestants.iter().enumerate() {
        println!(
            "  {:<26} {:>9.2} ms {:>9.1} ns each {:>7.2}x   answers {}",
            contestant.name,
            least[i] * 1e3,
            least[i] * 1e9 / items as f64,
            least[i] / least[0],
            answers[i],
        );
    }
}
