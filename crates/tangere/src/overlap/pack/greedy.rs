//! Greedy sphere packing: repeatedly adds the largest sphere that fits, by branch and bound over an
//! octree.
//!
//! Spheres are added in rounds, each with a target radius. Cells of the octree that may hold the
//! centre of such a sphere are subdivided until they are small. From their centres, local searches
//! climb to a local maximum of the distance to the surface and the spheres so far, and spheres are
//! added there. Cells and maxima of smaller radii wait for a later round (see the head of `pack`).

use super::PackSettings;
use super::container::Container;
use super::local_search::{LocalSearch, search_all};
use super::octree::{Cell, LocalMaximum, Octree};
use super::sphere_index::{Sphere, SphereIndex};
use crate::error::Result;
use crate::geometry::Aabb;
use crate::stop::Current;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::f64::consts::PI;

/// Cells with a half diagonal of at most this share of the target radius start a local search. Must
/// be at most 1, so that searches begin within the body.
const FINE: f64 = 1.0;

/// The value of [`FINE`] for the first spheres: they are few and worth more care.
const FINE_FIRST: f64 = 0.25;

/// The number of spheres that are packed with the settings for first spheres.
const FIRST: usize = 256;

/// The ratio of the target radius of a round to that of the round before. Nearer to 1 there are
/// more rounds with less to do in each; farther from 1, more spheres are not quite the largest.
const FALL: f64 = 0.97;

/// Cells whose local maximum is below the smallest radius allowed are subdivided until their half
/// diagonal is at most this share of that radius.
const SURE: f64 = 0.25;

/// A local search stays within so many half diagonals of its cell: farther away, searches from
/// other cells lead to the same maximum.
const REACH: f64 = 1.0;

/// The value of [`REACH`] for the first spheres.
const REACH_FIRST: f64 = 2.0;

/// A local search ends when the gain of a step falls below this share of the radius, which is 0.3%
/// of the volume of a sphere.
const GAIN: f64 = 1e-3;

/// The value of [`GAIN`] for the first spheres.
const GAIN_FIRST: f64 = 1e-4;

/// The smallest radius that is ever searched for, as a share of the edge of the octree.
const LEAST: f64 = 1e-8;

/// The number of cells of a batch: more would fill memory where bodies are wide and thin.
const BATCH: usize = 1 << 15;

/// The number of cells visited without a new sphere after which probes (local searches from some of
/// the cells) look for a centre, and the packing skips to the round of the best one. Thin bodies
/// have that many nearly equal centres, and visiting all of them takes too long.
const PATIENCE: usize = 1 << 17;

/// The most cells from which probes start, the local searches after [`PATIENCE`].
const PROBES: usize = 1 << 12;

/// The number of times that probes, from up to [`PROBES`] cells, may find no centre before the
/// packing ends: visiting all cells of a wide plate takes time proportional to the square of its
/// ratio of width to thickness.
const IN_VAIN: usize = 15;

/// The number of cells in a chunk of parallel work.
const CHUNK: usize = 64;

/// The cells and local maxima that wait for a round of the greedy packing.
#[derive(Debug, Default)]
struct Round {
    cells: Vec<Cell>,
    tops: Vec<LocalMaximum>,
}

/// The state of a greedy packing.
pub(super) struct Greedy<'a, R> {
    container: &'a mut R,
    octree: Octree,
    index: SphereIndex,
    filled: f64,
    /// An upper bound of the total rounding error of distances.
    slack: f64,
    /// The smallest radius allowed.
    smallest: f64,
    /// The target radius of each round.
    radii: Vec<f64>,
    rounds: Vec<Round>,
    points: Vec<[f64; 3]>,
    clearances: Vec<f64>,
}

/// Returns an upper bound of the total rounding error of distances in the box of a greedy packing.
pub(super) fn slack(bounds: &Aabb<3>) -> f64 {
    let corners = bounds.min.iter().chain(&bounds.max);
    16.0 * f64::EPSILON * corners.fold(0.0, |m: f64, x| m.max(x.abs()))
}

impl<'a, R: Container> Greedy<'a, R> {
    /// Starts a greedy packing from spheres that are disjoint and inside the container.
    pub fn new(container: &'a mut R, smallest: f64, spheres: &[Sphere]) -> Self {
        let bounds = container.bounds();
        let slack = slack(&bounds);
        let octree = Octree::around(&bounds, slack);
        let smallest = smallest.max(LEAST * octree.edge).max(8.0 * slack);
        let mut radii = vec![octree.upper(&octree.root())];
        while let Some(&last) = radii.last()
            && last > smallest
        {
            radii.push((FALL * last).max(smallest));
        }
        let mut rounds: Vec<Round> = Vec::new();
        rounds.resize_with(radii.len(), Round::default);
        rounds[0].cells.push(octree.root());
        let mut index = SphereIndex::new(octree.low, octree.edge);
        spheres.iter().for_each(|&sphere| index.insert(sphere));
        Greedy {
            container,
            index,
            octree,
            filled: filled(spheres),
            slack,
            smallest,
            radii,
            rounds,
            points: Vec::new(),
            clearances: Vec::new(),
        }
    }

    /// The smallest radius that this greedy packing allows.
    pub fn smallest(&self) -> f64 {
        self.smallest
    }

    /// Runs the greedy packing until a limit of the settings is reached; returns all spheres,
    /// largest first.
    pub fn run(
        mut self,
        settings: &PackSettings,
        progress: &mut dyn FnMut(f64),
    ) -> Result<Vec<Sphere>> {
        let stop = Current::new();
        let (mut round, mut idle, mut in_vain) = (0, 0, 0);
        while round < self.rounds.len() {
            let Round { cells, tops } = &mut self.rounds[round];
            if cells.is_empty() && tops.is_empty() {
                round += 1;
                continue;
            }
            stop.checked()?;
            // Depth first: children before other cells to subdivide.
            let cells = cells.split_off(cells.len().saturating_sub(BATCH));
            let tops = std::mem::take(tops);
            idle += cells.len();
            let candidates = self.candidates(Round { cells, tops }, round)?;
            let before = self.index.spheres().len();
            if self.accept(candidates, round, settings) {
                break;
            }
            if self.index.spheres().len() > before {
                (idle, in_vain) = (0, 0);
            } else if idle > PATIENCE {
                idle = 0;
                match self.skipped(round)? {
                    Some(later) => round = later,
                    None if in_vain == IN_VAIN => break,
                    None => in_vain += 1,
                }
            }
            progress(self.share(round, settings));
        }
        progress(1.0);
        let mut spheres = self.index.spheres().to_vec();
        sort(&mut spheres);
        Ok(spheres)
    }

    /// Skips rounds of the greedy packing. Returns the round with which to go on: that of the best
    /// centre that probes find, or an earlier one for which local maxima wait. The cells of the
    /// skipped rounds are moved to it. `None` if probes find no centre or no round is left.
    fn skipped(&mut self, round: usize) -> Result<Option<usize>> {
        let tops = |round: &Round| round.tops.is_empty();
        let waiting = self.rounds[round..].iter().take_while(|&r| tops(r)).count();
        let Some(top) = self.probed(round)? else {
            return Ok(None);
        };
        let best = self.round(top.radius).max(round);
        let skipped = best.min(round + waiting);
        if skipped >= self.rounds.len() {
            return Ok(None);
        }
        let mut cells = Vec::new();
        for before in &mut self.rounds[round..skipped] {
            cells.append(&mut before.cells);
        }
        cells.append(&mut self.rounds[skipped].cells);
        self.rounds[skipped].cells = cells;
        if let Some(round) = self.rounds.get_mut(best) {
            round.tops.push(top);
        }
        Ok(Some(skipped))
    }

    /// Probes for the greedy packing: returns the best local maximum of searches from some waiting
    /// cells, or from parts of these cells, as cells much larger than the thickness of a body have
    /// their centres outside of it.
    fn probed(&mut self, round: usize) -> Result<Option<LocalMaximum>> {
        let waiting = self.rounds[round..].iter().find(|r| !r.cells.is_empty());
        let waiting = waiting.map_or(&[][..], |round| &round.cells);
        let some = waiting
            .iter()
            .step_by(waiting.len().div_ceil(PROBES).max(1));
        let mut cells: Vec<Cell> = some.copied().collect();
        while !cells.is_empty() {
            self.points.clear();
            let centers = cells.iter().map(|cell| self.octree.center(cell));
            self.points.extend(centers);
            self.container
                .clearances(&self.points, &mut self.clearances)?;
            let (mut starts, mut searches) = (Vec::new(), Vec::new());
            for (i, cell) in cells.iter_mut().enumerate() {
                let (center, clearance) = (self.points[i], self.clearances[i]);
                cell.clearance = clearance;
                cell.bound = self.index.nearest(center, clearance.min(cell.bound));
                if cell.bound > 0.0 {
                    let (free, reach) = (cell.bound, self.octree.half(cell));
                    let search =
                        LocalSearch::new(center, free, clearance, reach, 0.0, GAIN, &self.index);
                    searches.push(search);
                    starts.push(*cell);
                }
            }
            search_all(&mut searches, self.container)?;
            let tops = starts
                .into_iter()
                .zip(searches)
                .map(|(cell, search)| LocalMaximum {
                    cell,
                    place: search.place,
                    radius: search.radius,
                    clearance: search.clearance,
                    ahead: None,
                });
            let best = tops.reduce(|a, b| if b.radius > a.radius { b } else { a });
            if best.is_some_and(|top| top.radius - self.slack >= self.smallest) {
                return Ok(best);
            }
            let (octree, smallest) = (&self.octree, self.smallest);
            cells.retain(|cell| octree.is_coarse(cell) && octree.upper(cell) >= smallest);
            cells.sort_by(|a, b| octree.upper(b).total_cmp(&octree.upper(a)));
            cells.truncate(PROBES / 8);
            cells = cells
                .iter()
                .flat_map(|cell| octree.parts(cell, &self.index))
                .collect();
        }
        Ok(None)
    }

    /// Returns local maxima at which a sphere of the radius of the greedy round fits. Other cells
    /// wait for a later round; subdivided cells leave their children waiting for this one.
    fn candidates(&mut self, waiting: Round, round: usize) -> Result<Vec<LocalMaximum>> {
        let least = self.radii[round];
        let Round {
            mut cells,
            mut tops,
        } = waiting;
        let (index, octree) = (&self.index, &self.octree);
        let waiting = tops.par_iter_mut().with_min_len(CHUNK);
        waiting.for_each(|top| top.radius = index.nearest(top.place, top.radius));
        let waiting = cells.par_iter_mut().with_min_len(CHUNK);
        waiting.for_each(|cell| cell.bound = index.nearest(octree.center(cell), cell.bound));
        let (mut candidates, mut starts) = (Vec::new(), Vec::new());
        for top in tops {
            match top.ahead {
                Some(_) if top.radius > 0.0 => {
                    starts.push((top.cell, top.place, top.radius, top.clearance))
                }
                None if top.radius >= least => candidates.push(top),
                // A sphere was added since: the cell may have another maximum.
                _ => self.wait(top.cell, round),
            }
        }
        let (mut coarse, fine) = self.classified(cells, round)?;
        let (reach, gain) = match self.index.spheres().len() < FIRST {
            true => (REACH_FIRST, GAIN_FIRST),
            false => (REACH, GAIN),
        };
        let (index, octree) = (&self.index, &self.octree);
        starts.extend(
            fine.iter()
                .map(|cell| (*cell, octree.center(cell), cell.bound, cell.clearance)),
        );
        let mut searches: Vec<LocalSearch> = starts
            .par_iter()
            .with_min_len(CHUNK)
            .map(|&(cell, start, bound, clearance)| {
                let reach = reach * octree.half(&cell);
                LocalSearch::new(start, bound, clearance, reach, least, gain, index)
            })
            .collect();
        search_all(&mut searches, self.container)?;
        for ((cell, ..), search) in starts.into_iter().zip(searches) {
            let top = LocalMaximum {
                cell,
                place: search.place,
                radius: search.radius,
                clearance: search.clearance,
                ahead: (search.height > search.radius).then_some(search.height),
            };
            if top.radius >= least {
                candidates.push(top);
            } else if search.height >= self.smallest {
                self.wait_for(top, round);
            } else if self.octree.half(&cell) > SURE * self.smallest && self.octree.is_coarse(&cell)
            {
                // The maximum is too small for any round, but the cell may hold a higher one.
                coarse.push(cell);
            }
        }
        self.cut(&coarse, round);
        Ok(candidates)
    }

    /// Subdivides cells in a round of the greedy packing; their children wait.
    fn cut(&mut self, cells: &[Cell], round: usize) {
        let (index, octree) = (&self.index, &self.octree);
        let parts: Vec<[Cell; 8]> = cells
            .par_iter()
            .with_min_len(CHUNK)
            .map(|cell| octree.parts(cell, index))
            .collect();
        for part in parts.into_iter().flatten() {
            self.wait(part, round);
        }
    }

    /// Evaluates the clearance at the centres of cells in a round of the greedy packing. Returns
    /// the cells that may still hold a sphere of the round: first those to subdivide, then those to
    /// search from. All others wait.
    fn classified(&mut self, cells: Vec<Cell>, round: usize) -> Result<(Vec<Cell>, Vec<Cell>)> {
        let least = self.radii[round];
        let enough = match self.index.spheres().len() < FIRST {
            true => FINE_FIRST * least,
            false => FINE * least,
        };
        let (mut coarse, mut fine) = (Vec::new(), Vec::new());
        self.points.clear();
        for cell in &cells {
            if cell.bound > cell.clearance && self.octree.upper(cell) >= least {
                self.points.push(self.octree.center(cell));
            }
        }
        self.container
            .clearances(&self.points, &mut self.clearances)?;
        let clearances = std::mem::take(&mut self.clearances);
        let mut answers = clearances.iter();
        for mut cell in cells {
            if cell.bound > cell.clearance
                && self.octree.upper(&cell) >= least
                && let Some(&clearance) = answers.next()
            {
                cell.clearance = clearance;
                cell.bound = cell.bound.min(clearance);
            }
            if self.octree.upper(&cell) < least {
                self.wait(cell, round);
            } else if self.octree.half(&cell) > enough && self.octree.is_coarse(&cell) {
                coarse.push(cell);
            } else {
                fine.push(cell);
            }
        }
        self.clearances = clearances;
        Ok((coarse, fine))
    }

    /// Adds the candidates of a greedy round that still fit, largest first; returns whether a limit
    /// is reached.
    fn accept(
        &mut self,
        mut candidates: Vec<LocalMaximum>,
        round: usize,
        settings: &PackSettings,
    ) -> bool {
        let full = settings
            .filling
            .map(|share| share * self.container.volume());
        candidates.sort_by(|a, b| larger_first((a.radius, &a.place), (b.radius, &b.place)));
        let before = self.index.spheres().len();
        for top in candidates {
            let radius = top.radius - self.slack;
            if radius < self.smallest {
                continue;
            }
            if self.index.nearest(top.place, radius) < radius {
                // A sphere was added since, so the cell is searched again. If none was added,
                // rounding made the difference, and would do so again.
                let is_news = self.index.spheres().len() > before;
                self.wait(top.cell, round + usize::from(!is_news));
                continue;
            }
            self.wait(top.cell, round);
            let [x, y, z] = top.place;
            self.index.insert([x, y, z, radius]);
            self.filled += ball(radius);
            if settings.spheres == Some(self.index.spheres().len())
                || full.is_some_and(|full| self.filled >= full)
            {
                return true;
            }
        }
        false
    }

    /// Puts a cell into the greedy round of its upper bound, or into `round` if that is later;
    /// drops it if no round is that small.
    fn wait(&mut self, cell: Cell, round: usize) {
        let round = self.round(self.octree.upper(&cell)).max(round);
        if let Some(round) = self.rounds.get_mut(round) {
            round.cells.push(cell);
        }
    }

    /// Puts a local maximum into a greedy round after `round`: that of its radius or, if the search
    /// stopped before the maximum, that of the predicted radius.
    fn wait_for(&mut self, top: LocalMaximum, round: usize) {
        let round = self.round(top.ahead.unwrap_or(top.radius)).max(round + 1);
        if let Some(round) = self.rounds.get_mut(round) {
            round.tops.push(top);
        }
    }

    /// Returns the first round of the greedy packing with a target of at most this radius.
    fn round(&self, radius: f64) -> usize {
        self.radii.partition_point(|&least| least > radius)
    }

    /// Returns the approximate share of the greedy packing's work that is done.
    fn share(&self, round: usize, settings: &PackSettings) -> f64 {
        let spheres = self.index.spheres();
        let count = settings
            .spheres
            .map_or(0.0, |wanted| spheres.len() as f64 / wanted as f64);
        let filling = settings.filling.map_or(0.0, |wanted| {
            // The unfilled volume falls about as the fifth root of the number of spheres.
            let left = 1.0 - self.filled / self.container.volume();
            ((1.0 - wanted) / left).powi(5)
        });
        let smallest = match (settings.smallest, spheres.first()) {
            (Some(smallest), Some(first)) => {
                // The number of spheres grows as this power of their radius.
                (smallest / self.radii[round].min(first[3])).powf(2.5)
            }
            _ => 0.0,
        };
        count.max(filling).max(smallest).clamp(0.0, 1.0)
    }
}

/// Returns the volume of a sphere of the greedy packing.
fn ball(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius * radius * radius
}

/// Returns the sum of the volumes of spheres of the greedy packing.
pub(super) fn filled(spheres: &[Sphere]) -> f64 {
    spheres.iter().map(|sphere| ball(sphere[3])).sum()
}

/// Sorts spheres as the greedy packing returns them, largest first.
pub(super) fn sort(spheres: &mut [Sphere]) {
    spheres.sort_by(|a, b| larger_first((a[3], &a[..3]), (b[3], &b[..3])));
}

/// Compares spheres of the greedy packing by radius, the larger first, and by centre where radii
/// are equal.
fn larger_first(a: (f64, &[f64]), b: (f64, &[f64])) -> Ordering {
    b.0.total_cmp(&a.0)
        .then_with(|| a.1.partial_cmp(b.1).unwrap_or(Ordering::Equal))
}
