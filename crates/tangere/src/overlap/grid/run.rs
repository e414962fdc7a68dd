//! A query: its tasks on all threads, within a budget.
//!
//! Threads take tasks in their order and finish what they took, so what is done is a beginning of the list.
//! Sums of tasks are joined in order. With a budget of work the list is cut where work done in
//! order would exceed it, whatever threads did beyond: the answer is that of one thread.

use super::Grid;
use super::level::Level;
use super::narrow_phase::{Both, Clash, List, Measure, Waiting};
use super::plan::{Plan, Task};
use super::search::{Moved, Placement, Transform, search};
use crate::overlap::answer::Budget;
use crate::overlap::pair_sums::Sums;
use crate::overlap::relative_pose::RelativePose;
use crate::stop::Current;
use std::f64::consts::PI;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Below this cost, in rows of cells, it is not worth to wake other threads.
const ALONE: f64 = 4000.0;

/// Below this time a query stays on its thread: others may be late.
pub(in crate::overlap) const SHORT: Duration = Duration::from_micros(250);

/// Memory that queries keep.
#[derive(Debug, Default)]
pub(in crate::overlap) struct Scratch {
    plan: Plan,
    parts: Vec<Mutex<Part>>,
}

impl Clone for Scratch {
    /// New memory: there is nothing to remember.
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// What a task came to.
#[derive(Debug, Default)]
struct Part {
    sums: Sums,
    work: u64,
    pairs: Vec<[u32; 2]>,
    clash: Option<[usize; 2]>,
}

/// Memory of a thread, on its stack.
struct Memory {
    moved: Moved,
    waiting: Waiting,
}

/// How far a query came.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::overlap) struct Reached {
    /// Over the pairs found.
    pub(in crate::overlap) sums: Sums,
    /// Whether these are all.
    pub(in crate::overlap) complete: bool,
    /// How many of the coarsest levels of each have been joined; pairs of finer spheres may be missing.
    pub(in crate::overlap) levels: [usize; 2],
    /// The volume that the spheres of these levels share.
    pub(in crate::overlap) joined: f64,
    /// The work done.
    pub(in crate::overlap) work: u64,
}

/// What packings of sizes that have nothing in common are left to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::overlap) struct Unlike;

impl Grid {
    /// How many spheres the coarsest levels have.
    pub(in crate::overlap) fn spheres(&self, levels: usize) -> usize {
        self.levels[..levels.min(self.levels.len())]
            .last()
            .map_or(0, |level| level.end as usize)
    }

    /// The numbers of the spheres of each level, coarse ones first.
    pub(in crate::overlap) fn level_numbers(&self) -> impl Iterator<Item = &[u32]> {
        let numbers = |level: &Level| &self.order[level.first as usize..level.end as usize];
        self.levels.iter().map(numbers)
    }

    /// The volume of the spheres of all levels but the coarsest.
    pub(crate) fn finer_volume(&self, levels: usize) -> f64 {
        let finer = self.levels.iter().skip(levels);
        4.0 / 3.0 * PI * finer.map(|level| level.class.cubes).sum::<f64>()
    }
}

impl Scratch {
    /// Sums over the pairs of spheres that overlap, as far as a budget allows and nobody asks it to end.
    pub(in crate::overlap) fn sums(
        &mut self,
        grids: [&Grid; 2],
        relative_pose: &RelativePose,
        budget: Option<Budget>,
        stop: &Current,
    ) -> Result<Reached, Unlike> {
        let begin = matches!(budget, Some(Budget::Time(_))).then(Instant::now);
        let both = Both {
            grids,
            relative_pose,
        };
        let placement = self.prepared(&both)?;
        let most = match budget {
            Some(Budget::Work(most)) => most,
            _ => u64::MAX,
        };
        let spent = AtomicU64::new(0);
        let is_over = || match (budget, begin) {
            (Some(Budget::Time(time)), Some(begin)) => begin.elapsed() >= time,
            (Some(Budget::Work(most)), _) => spent.load(Ordering::Relaxed) >= most,
            _ => false,
        };
        let is_over = || stop.is_asked() || is_over();
        let threads = match budget {
            Some(Budget::Time(time)) if time < SHORT => 1,
            _ => rayon::current_num_threads(),
        };
        let done = self.run(threads, &is_over, &|task, memory, part| {
            let Memory { moved, waiting } = memory;
            let mut measure = Measure::new(both, task.side, waiting);
            let looked = look(&both, &placement, task, moved, &mut measure);
            part.sums = measure.sums();
            // Lenses are work too.
            part.work = looked + part.sums.pairs as u64;
            spent.fetch_add(part.work, Ordering::Relaxed);
        });
        let (mut reached, mut kept) = (Reached::default(), 0);
        let (mut stages, mut parts) = (self.plan.stages.iter(), self.parts[..done].iter_mut());
        let mut stage = stages.next();
        loop {
            while let Some(ended) = stage.filter(|stage| stage.tasks == kept) {
                reached.levels = ended.levels;
                reached.joined = reached.sums.lower();
                stage = stages.next();
            }
            let Some(part) = parts.next() else { break };
            let part = part.get_mut().unwrap_or_else(PoisonError::into_inner);
            if part.work > most - reached.work {
                break;
            }
            reached.sums.add(&part.sums);
            reached.work += part.work;
            kept += 1;
        }
        reached.complete = kept == self.plan.tasks.len();
        Ok(reached)
    }

    /// All pairs of spheres that overlap, in order, unless it is asked to end.
    pub(in crate::overlap) fn pairs(
        &mut self,
        grids: [&Grid; 2],
        relative_pose: &RelativePose,
        stop: &Current,
        found: &mut Vec<[u32; 2]>,
    ) -> Result<(), Unlike> {
        let both = Both {
            grids,
            relative_pose,
        };
        let placement = self.prepared(&both)?;
        let is_over = || stop.is_asked();
        let done = self.run(usize::MAX, &is_over, &|task, memory, part| {
            let moved = &mut memory.moved;
            part.pairs.clear();
            let mut list = List {
                both,
                side: task.side,
                pairs: &mut part.pairs,
            };
            look(&both, &placement, task, moved, &mut list);
        });
        for part in &mut self.parts[..done] {
            let part = part.get_mut().unwrap_or_else(PoisonError::into_inner);
            found.extend_from_slice(&part.pairs);
        }
        found.sort_unstable();
        Ok(())
    }

    /// Makes a plan.
    fn prepared(&mut self, both: &Both<'_>) -> Result<Option<[Transform; 2]>, Unlike> {
        match Placement::new(both.grids, both.relative_pose) {
            Placement::Unlike => Err(Unlike),
            Placement::Apart => {
                self.plan.clear(both.grids);
                Ok(None)
            }
            Placement::Near(placement) => {
                self.plan.update(both.grids);
                let tasks = self.plan.tasks.len();
                if self.parts.len() < tasks {
                    self.parts.resize_with(tasks, Mutex::default);
                }
                Ok(Some(placement))
            }
        }
    }

    /// Does tasks in order, on so many threads at most, until all are done or it is over, and tells how many
    /// were.
    fn run(
        &mut self,
        most: usize,
        is_over: &(impl Fn() -> bool + Sync),
        work: &(impl Fn(&Task, &mut Memory, &mut Part) + Sync),
    ) -> usize {
        let (tasks, parts) = (&self.plan.tasks, &self.parts);
        let next = AtomicUsize::new(0);
        let threads = if self.plan.cost < ALONE {
            1
        } else {
            rayon::current_num_threads().min(tasks.len()).min(most)
        };
        on_threads(threads, &|| {
            let mut memory = Memory {
                moved: Moved::new(),
                waiting: Waiting::new(),
            };
            while !is_over() {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let (Some(task), Some(part)) = (tasks.get(i), parts.get(i)) else {
                    break;
                };
                let mut part = part.lock().unwrap_or_else(PoisonError::into_inner);
                work(task, &mut memory, &mut part);
            }
        });
        next.into_inner().min(tasks.len())
    }
}

/// Finds spheres of a packing that overlap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clashes(Scratch);

impl Clashes {
    /// The first pair of spheres that `overlaps` says so of.
    pub(crate) fn first(
        &mut self,
        grid: &Grid,
        overlaps: impl Fn([usize; 2]) -> bool + Sync,
    ) -> Option<[usize; 2]> {
        let relative_pose = RelativePose::none(grid.frame.middle);
        let both = Both {
            grids: [grid; 2],
            relative_pose: &relative_pose,
        };
        let placement = self.0.prepared(&both).unwrap_or(None);
        let done = self.0.run(usize::MAX, &|| false, &|task, memory, part| {
            let moved = &mut memory.moved;
            let mut clash = Clash {
                order: &grid.order,
                overlaps: &overlaps,
                first: None,
            };
            // Those of one side look at all the pairs that those of the other do.
            if task.side == 0 {
                look(&both, &placement, task, moved, &mut clash);
            }
            part.clash = clash.first;
        });
        let parts = self.0.parts[..done].iter_mut();
        parts
            .filter_map(|part| part.get_mut().unwrap_or_else(PoisonError::into_inner).clash)
            .min()
    }
}

/// Searches for the pairs of a task.
fn look(
    both: &Both<'_>,
    placement: &Option<[Transform; 2]>,
    task: &Task,
    moved: &mut Moved,
    sink: &mut impl super::narrow_phase::Sink,
) -> u64 {
    let [querying, target] = if task.side == 0 {
        both.grids
    } else {
        [both.grids[1], both.grids[0]]
    };
    match placement {
        Some(placement) => search(querying, target, &placement[task.side], task, moved, sink),
        None => 0,
    }
}

/// Does the same on several threads.
pub(in crate::overlap) fn on_threads(threads: usize, work: &(impl Fn() + Sync)) {
    if threads <= 1 {
        return work();
    }
    let half = threads / 2;
    rayon::join(
        || on_threads(threads - half, work),
        || on_threads(half, work),
    );
}
