//! Plan of a query of two hierarchical grids: which level queries which, in stages and tasks.
//!
//! Stages go from coarse to fine. Each stage takes the next level, or one level of each packing if
//! both have the same least radius, and pairs it with all levels of the other packing that are as
//! coarse or coarser. For each such pair of levels the cheaper side queries. A task is a range of
//! query spheres against one level, cut to a cost of a few microseconds.

use super::Grid;
use super::level::Level;
use super::search::MOST;

/// The limit of the estimated cost of a task, in rows of cells visited. Query spheres are added to
/// a task until one more would exceed it.
const COST: f64 = 1500.0;

/// A task: a range of query spheres against one level of the other packing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// The packing of the query spheres: 0 for `a`, 1 for `b`.
    pub(super) side: usize,
    /// The start of the range of the task's query spheres in the order of their grid (sorted by
    /// level, then by cell); `to` is its end.
    pub(super) from: u32,
    pub(super) to: u32,
    /// The index of the level of the other packing that the task searches.
    pub(super) level: u32,
    /// The index of that part of the searched level which this task visits. A level may be cut into
    /// `parts` parts, each visited by a task of its own.
    pub(super) part: u32,
    pub(super) parts: u32,
}

impl Task {
    /// Returns the first and the last layer of cells, along the last axis, that a task of the plan
    /// of a grid query visits. `layers` is the number of layers of the searched level.
    pub(super) fn rows(&self, layers: u32) -> [u32; 2] {
        let [from, to] = self.share(layers);
        [from, to.max(1) - 1]
    }

    /// Returns the range of those items of the searched level that a task of the plan of a grid
    /// query visits: its start, then its end. `items` is the number of items (layers of cells, or
    /// spheres) of the whole level, of which the task visits one part.
    pub(super) fn share(&self, items: u32) -> [u32; 2] {
        [self.part, self.part + 1].map(|part| {
            let begin = u64::from(items) * u64::from(part) / u64::from(self.parts);
            begin as u32
        })
    }

    /// The number of query spheres of a task of the plan of a grid query.
    pub(super) fn len(&self) -> usize {
        (self.to - self.from) as usize
    }
}

/// A stage of the plan: the tasks that pair the next finer level with all coarser levels of the
/// other packing. If the next levels of both packings have the same least radius, then the stage
/// takes both and pairs them with each other, too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage {
    /// The end of this stage's tasks in the list of all tasks.
    pub(super) tasks: usize,
    /// After this stage all pairs are found of a sphere in the `levels[0]` coarsest levels (those
    /// of the largest spheres) of `a` and a sphere in the `levels[1]` coarsest levels of `b`.
    pub(super) levels: [usize; 2],
}

/// The plan of a query: all of its tasks, in stages.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub(super) tasks: Vec<Task>,
    pub(super) stages: Vec<Stage>,
    /// The estimated cost of all tasks of the plan, in rows of cells visited.
    pub(super) cost: f64,
    /// The task that is still growing, with its cost so far; one for query spheres of `a`, one for
    /// those of `b`.
    open: [Option<(Task, f64)>; 2],
}

impl Plan {
    /// Plans the query of two hierarchical grids: chooses for each pair of levels which one queries
    /// the other, and cuts the work into stages and tasks.
    pub(super) fn update(&mut self, grids: [&Grid; 2]) {
        self.tasks.clear();
        self.stages.clear();
        self.cost = 0.0;
        // The number of levels of each packing that are coarser than the stage.
        let mut coarser = [0; 2];
        loop {
            let next = [0, 1].map(|side| grids[side].levels.get(coarser[side]));
            if next.iter().all(Option::is_none) {
                break;
            }
            let least = next
                .iter()
                .flatten()
                .fold(0.0, |least: f64, level| least.max(level.least));
            let now = next.map(|level| level.filter(|level| level.least == least));
            for side in [0, 1] {
                let Some(fine) = now[side] else { continue };
                // Coarser levels of the other packing that query this one.
                for i in 0..coarser[1 - side] {
                    let coarse = &grids[1 - side].levels[i];
                    let down = cost(grids[1 - side], coarse, grids[side], fine);
                    let up = cost(grids[side], fine, grids[1 - side], coarse);
                    if down * coarse.len() as f64 <= up * fine.len() as f64 {
                        self.add_tasks(grids, 1 - side, coarse, coarser[side], down);
                    } else {
                        self.add_tasks(grids, side, fine, i, up);
                    }
                }
                self.close();
            }
            if let [Some(a), Some(b)] = now {
                let costs = [
                    cost(grids[0], a, grids[1], b),
                    cost(grids[1], b, grids[0], a),
                ];
                if costs[0] * a.len() as f64 <= costs[1] * b.len() as f64 {
                    self.add_tasks(grids, 0, a, coarser[1], costs[0]);
                } else {
                    self.add_tasks(grids, 1, b, coarser[0], costs[1]);
                }
                self.close();
            }
            for side in [0, 1] {
                coarser[side] += usize::from(now[side].is_some());
            }
            self.stages.push(Stage {
                tasks: self.tasks.len(),
                levels: coarser,
            });
        }
    }

    /// Makes an empty plan of a grid query, without tasks, for two packings that are apart.
    pub(super) fn clear(&mut self, grids: [&Grid; 2]) {
        self.tasks.clear();
        self.stages.clear();
        self.cost = 0.0;
        self.stages.push(Stage {
            tasks: 0,
            levels: grids.map(|grid| grid.levels.len()),
        });
    }

    /// Adds tasks to the plan of a grid query: the spheres of the level `spheres` of packing `side`
    /// query the level with index `level` of the other packing. `cost` is the estimated cost for
    /// each sphere.
    fn add_tasks(
        &mut self,
        grids: [&Grid; 2],
        side: usize,
        spheres: &Level,
        level: usize,
        cost: f64,
    ) {
        let layers = grids[1 - side].levels[level].counts[2] as u32;
        self.cost += cost * spheres.len() as f64;
        let level = level as u32;
        let mut from = spheres.first;
        // The open task is extended where the ranges are adjacent.
        let mut open = self.open[side].take();
        while from < spheres.end {
            let (task, spent) = match open.take() {
                Some((task, spent)) if task.to == from && task.level == level => (task, spent),
                other => {
                    self.tasks.extend(other.map(|(task, _)| task));
                    let task = Task {
                        side,
                        from,
                        to: from,
                        level,
                        part: 0,
                        parts: 1,
                    };
                    (task, 0.0)
                }
            };
            let fitting = (((COST - spent) / cost) as u32).max(1);
            let to = spheres
                .end
                .min(from.saturating_add(fitting))
                .min(task.from + MOST as u32);
            let (task, spent) = (Task { to, ..task }, spent + cost * f64::from(to - from));
            from = to;
            if spent >= COST - cost || task.len() >= MOST {
                let parts = ((spent / COST) as u32).clamp(1, layers);
                self.tasks.extend((0..parts).map(|part| Task {
                    part,
                    parts,
                    ..task
                }));
            } else {
                open = Some((task, spent));
            }
        }
        self.open[side] = open;
    }

    /// Adds the tasks that were still growing to the list of tasks of a grid query's plan.
    fn close(&mut self) {
        for open in &mut self.open {
            self.tasks.extend(open.take().map(|(task, _)| task));
        }
    }
}

/// Returns the estimated cost for one sphere of the level `querying` of the grid `of` to query the
/// level `level` of the grid `grid`, for the plan of a grid query, in rows of cells visited.
fn cost(of: &Grid, querying: &Level, grid: &Grid, level: &Level) -> f64 {
    // Most spheres are near the least radius of their level.
    let radius = 1.4 * f64::from(querying.class.radius) / 2.0 / of.frame.scale * grid.frame.scale;
    let reach = radius + f64::from(level.class.radius);
    let along = |k: usize| {
        let cells = f64::from(level.last[k] + 1.0);
        (1.0 + 2.0 * reach * f64::from(level.inverse[k])).min(cells)
    };
    let all = (0..3)
        .map(|k| f64::from(level.last[k] + 1.0))
        .product::<f64>();
    let (rows, cells) = (along(1) * along(2), along(0) * along(1) * along(2));
    let spheres = level.len() as f64 * (cells / all);
    let visited = match level.hashed {
        true => cells.min(level.blocks() as f64),
        false => rows,
    };
    1.0 + visited + spheres / 4.0
}
