//! Plan of a query: which level queries which, in stages and tasks.
//!
//! Stages go from coarse to fine: each joins a level, or two of similar size, with those of the
//! other packing that are as coarse or coarser. For each such pair of levels the cheaper side
//! queries. A task is a range of query spheres against one level, cut to a cost of a few
//! microseconds.

use super::Grid;
use super::level::Level;
use super::search::MOST;

/// The cost of a task, in rows of cells.
const COST: f64 = 1500.0;

/// A range of query spheres against one level of the other packing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// The packing of the query spheres.
    pub(super) side: usize,
    /// Their range in the order of the grid.
    pub(super) from: u32,
    pub(super) to: u32,
    /// The level of the other packing.
    pub(super) level: u32,
    /// The part of its cells to visit, and the number of parts.
    pub(super) part: u32,
    pub(super) parts: u32,
}

impl Task {
    /// The first and the last layer of cells to visit, of so many layers.
    pub(super) fn rows(&self, layers: u32) -> [u32; 2] {
        let [from, to] = self.share(layers);
        [from, to.max(1) - 1]
    }

    /// Begin and end of this part of so many items.
    pub(super) fn share(&self, items: u32) -> [u32; 2] {
        [self.part, self.part + 1].map(|part| {
            let begin = u64::from(items) * u64::from(part) / u64::from(self.parts);
            begin as u32
        })
    }

    /// The number of query spheres.
    pub(super) fn len(&self) -> usize {
        (self.to - self.from) as usize
    }
}

/// The tasks that join a level, or two of similar size, with coarser ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage {
    /// Where its tasks end.
    pub(super) tasks: usize,
    /// Levels of both packings that are complete after it.
    pub(super) levels: [usize; 2],
}

/// All tasks of a query.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub(super) tasks: Vec<Task>,
    pub(super) stages: Vec<Stage>,
    /// The total cost, in rows of cells.
    pub(super) cost: f64,
    /// Tasks still growing, one for each side.
    open: [Option<(Task, f64)>; 2],
}

impl Plan {
    /// Plans the query of two packings.
    pub(super) fn update(&mut self, grids: [&Grid; 2]) {
        self.tasks.clear();
        self.stages.clear();
        self.cost = 0.0;
        // Levels of both that are coarser than the stage.
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
                // Levels of the other packing that query this one.
                for i in 0..coarser[1 - side] {
                    let coarse = &grids[1 - side].levels[i];
                    let down = cost(grids[1 - side], coarse, grids[side], fine);
                    let up = cost(grids[side], fine, grids[1 - side], coarse);
                    if down * coarse.len() as f64 <= up * fine.len() as f64 {
                        self.look(grids, 1 - side, coarse, coarser[side], down);
                    } else {
                        self.look(grids, side, fine, i, up);
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
                    self.look(grids, 0, a, coarser[1], costs[0]);
                } else {
                    self.look(grids, 1, b, coarser[0], costs[1]);
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

    /// The empty plan, of two packings that are apart.
    pub(super) fn clear(&mut self, grids: [&Grid; 2]) {
        self.tasks.clear();
        self.stages.clear();
        self.cost = 0.0;
        self.stages.push(Stage {
            tasks: 0,
            levels: grids.map(|grid| grid.levels.len()),
        });
    }

    /// Adds the spheres of a level as queries against a level of the other packing, at a cost each.
    fn look(&mut self, grids: [&Grid; 2], side: usize, spheres: &Level, level: usize, cost: f64) {
        let layers = grids[1 - side].levels[level].counts[2] as u32;
        self.cost += cost * spheres.len() as f64;
        let level = level as u32;
        let mut from = spheres.first;
        // Extends the open task where the ranges are adjacent.
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
            let room = (((COST - spent) / cost) as u32).max(1);
            let to = spheres
                .end
                .min(from.saturating_add(room))
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

    /// Closes the open tasks.
    fn close(&mut self) {
        for open in &mut self.open {
            self.tasks.extend(open.take().map(|(task, _)| task));
        }
    }
}

/// The estimated cost for a sphere of one level to query another, in rows of cells.
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
