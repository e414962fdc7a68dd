//! Parallel query of two hierarchical grids: executes the tasks of its plan on all threads, within
//! a budget.
//!
//! Threads take tasks in order and finish each task that they took, so the finished tasks are a
//! prefix of the list. The sums of tasks are added in order. With a budget of work the list is cut
//! where work done in order would exceed the budget, even if threads have done more: the result is
//! that of one thread.

use super::Grid;
use super::narrow_phase::{CandidateBuffer, PackingPair, PairList, SelfOverlapSink, SumSink};
use super::plan::{Plan, Task};
use super::search::{Placement, QuerySpheres, Transform, search};
use crate::overlap::pair_sums::Sums;
use crate::overlap::relative_pose::RelativePose;
use crate::overlap::result::Budget;
use crate::stop::Current;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The estimated cost, in rows of cells visited, below which a query stays on its thread: waking
/// other threads would take longer than the query.
const ALONE: f64 = 4000.0;

/// The time budget below which a query stays on its thread: other threads may wake too late.
pub(in crate::overlap) const SHORT: Duration = Duration::from_micros(250);

/// Scratch memory of grid queries: the plan, and the results of its tasks.
#[derive(Debug, Default)]
pub(in crate::overlap) struct Scratch {
    plan: Plan,
    parts: Vec<Mutex<Part>>,
}

impl Clone for Scratch {
    /// Returns empty scratch memory, because scratch memory holds no state between queries.
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The result of one task of a grid query.
#[derive(Debug, Default)]
struct Part {
    sums: Sums,
    work: u64,
    pairs: Vec<[u32; 2]>,
    clash: Option<[usize; 2]>,
}

/// Scratch memory of one thread of a grid query, on its stack.
struct Memory {
    moved: QuerySpheres,
    waiting: CandidateBuffer,
}

/// The result of a grid query that may have ended early.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::overlap) struct PartialSums {
    /// The sums (volume, moment, force and torque) over the overlapping pairs that the query found.
    pub(in crate::overlap) sums: Sums,
    /// Whether the query found all overlapping pairs.
    pub(in crate::overlap) complete: bool,
    /// The query found all pairs of a sphere in the `levels[0]` coarsest levels (those of the
    /// largest spheres) of `a` and a sphere in the `levels[1]` coarsest levels of `b`. Pairs with
    /// finer spheres may be missing.
    pub(in crate::overlap) levels: [usize; 2],
    /// The volume shared by the spheres of the coarsest levels between which all pairs were found;
    /// see `levels`.
    pub(in crate::overlap) joined: f64,
    /// The work that the query did, in units of [`Budget::Work`].
    pub(in crate::overlap) work: u64,
}

/// The error of a grid query if the sizes of two packings differ too much for f32: the caller must
/// use another method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::overlap) struct ScalesDiffer;

impl Scratch {
    /// Parallel query of two hierarchical grids: returns the sums over overlapping pairs of
    /// spheres. The query ends when all pairs are found, the budget is spent or it is stopped.
    pub(in crate::overlap) fn sums(
        &mut self,
        grids: [&Grid; 2],
        relative_pose: &RelativePose,
        budget: Option<Budget>,
        stop: &Current,
    ) -> Result<PartialSums, ScalesDiffer> {
        let begin = matches!(budget, Some(Budget::Time(_))).then(Instant::now);
        let both = PackingPair {
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
        let is_over = || stop.is_requested() || is_over();
        let threads = match budget {
            Some(Budget::Time(time)) if time < SHORT => 1,
            _ => rayon::current_num_threads(),
        };
        let done = self.run(threads, &is_over, &|task, memory, part| {
            let Memory { moved, waiting } = memory;
            let mut measure = SumSink::new(both, task.side, waiting);
            let searched = search_task(&both, &placement, task, moved, &mut measure);
            part.sums = measure.sums();
            // Each intersection volume is one unit of work.
            part.work = searched + part.sums.pairs as u64;
            spent.fetch_add(part.work, Ordering::Relaxed);
        });
        let (mut reached, mut kept) = (PartialSums::default(), 0);
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

    /// Parallel query of two hierarchical grids: appends all overlapping pairs of spheres to
    /// `found` and sorts it; only some pairs if the query is stopped.
    pub(in crate::overlap) fn pairs(
        &mut self,
        grids: [&Grid; 2],
        relative_pose: &RelativePose,
        stop: &Current,
        found: &mut Vec<[u32; 2]>,
    ) -> Result<(), ScalesDiffer> {
        let both = PackingPair {
            grids,
            relative_pose,
        };
        let placement = self.prepared(&both)?;
        let is_over = || stop.is_requested();
        let done = self.run(usize::MAX, &is_over, &|task, memory, part| {
            let moved = &mut memory.moved;
            part.pairs.clear();
            let mut list = PairList {
                both,
                side: task.side,
                pairs: &mut part.pairs,
            };
            search_task(&both, &placement, task, moved, &mut list);
        });
        for part in &mut self.parts[..done] {
            let part = part.get_mut().unwrap_or_else(PoisonError::into_inner);
            found.extend_from_slice(&part.pairs);
        }
        found.sort_unstable();
        Ok(())
    }

    /// Plans a parallel query of two grids. Returns the transforms from `a` to `b` and from `b` to
    /// `a`, or `None` if the bounding volumes of the packings are disjoint.
    fn prepared(&mut self, both: &PackingPair<'_>) -> Result<Option<[Transform; 2]>, ScalesDiffer> {
        match Placement::new(both.grids, both.relative_pose) {
            Placement::ScalesDiffer => Err(ScalesDiffer),
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

    /// Executes the tasks of a parallel grid query in order, on at most `most` threads, until all
    /// are done or `is_over` holds. Returns the number of tasks done.
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
                moved: QuerySpheres::new(),
                waiting: CandidateBuffer::new(),
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

/// A search for two overlapping spheres within one packing, with its scratch memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct SelfOverlaps(Scratch);

impl SelfOverlaps {
    /// Parallel query of a grid with itself: returns the first pair of spheres of the packing, in
    /// ascending order of indices, for which `overlaps` holds.
    pub(crate) fn first(
        &mut self,
        grid: &Grid,
        overlaps: impl Fn([usize; 2]) -> bool + Sync,
    ) -> Option<[usize; 2]> {
        let relative_pose = RelativePose::none(grid.frame.middle);
        let both = PackingPair {
            grids: [grid; 2],
            relative_pose: &relative_pose,
        };
        let placement = self.0.prepared(&both).unwrap_or(None);
        let done = self.0.run(usize::MAX, &|| false, &|task, memory, part| {
            let moved = &mut memory.moved;
            let mut clash = SelfOverlapSink {
                order: &grid.order,
                overlaps: &overlaps,
                first: None,
            };
            // Both sides of the pair are this packing: the tasks of one side cover all pairs.
            if task.side == 0 {
                search_task(&both, &placement, task, moved, &mut clash);
            }
            part.clash = clash.first;
        });
        let parts = self.0.parts[..done].iter_mut();
        parts
            .filter_map(|part| part.get_mut().unwrap_or_else(PoisonError::into_inner).clash)
            .min()
    }
}

/// Finds the candidate pairs of one task of a parallel grid query and passes them to `sink`.
/// Returns the work done, in units of [`Budget::Work`].
fn search_task(
    both: &PackingPair<'_>,
    placement: &Option<[Transform; 2]>,
    task: &Task,
    moved: &mut QuerySpheres,
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

/// Calls `work` on `threads` threads at once, for a parallel query.
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
