//! Broad-phase search of all steps of a trajectory.

use super::verify::Oracle;
use super::{Edges, Pairs};
use crate::failure::Failure;
use std::path::Path;
use std::time::Instant;
use tangere::Argument;
use tangere::pairs::Uses;
use tangere_front::finder::{Contacts, Finder};
use tangere_front::inputs::{Cell, Cells, Frame, PairFilters, Steps};

/// Input of `tangere pairs`: items of all steps, periodic cells, groups and masks, and the items of
/// `--against`.
pub struct PairQuery<'a> {
    pub options: &'a Pairs,
    pub steps: Steps,
    others: Option<Steps>,
    cells: Cells,
    pub filters: PairFilters,
}

impl<'a> PairQuery<'a> {
    /// Reads all files that the options name.
    pub fn read(options: &'a Pairs) -> Result<Self, Failure> {
        let steps = Steps::read(&options.particles, options.boxes).map_err(Failure::reading)?;
        let others = options.against.as_deref();
        let others = others.map(|path| steps.read_others(path)).transpose();
        let [groups, masks] = [&options.groups, &options.masks].map(Option::as_deref);
        Ok(PairQuery {
            options,
            others: others.map_err(Failure::reading)?,
            cells: cells(options, &steps)?,
            filters: PairFilters::read(groups, masks, &steps).map_err(Failure::reading)?,
            steps,
        })
    }

    /// Returns the items of `--against` at a step. If that file has fewer steps, they are those of
    /// its last step. `None` without `--against`.
    pub fn others(&self, step: usize) -> Option<&Frame> {
        let frames = &self.others.as_ref()?.frames;
        frames.get(step).or(frames.last())
    }

    /// Passes the items and the periodic cell of a step to a finder.
    pub fn update(&self, finder: &mut Finder, step: usize) -> Result<(), Failure> {
        finder.set_cell(self.cells.at(step));
        let updated = finder.update(&self.steps.frames[step]);
        updated.map_err(|error| self.failure(&self.options.particles, step, &error))
    }

    /// Returns the result of a search at a step. The message of a failure names the file and the
    /// step.
    fn in_context<T>(&self, step: usize, search: tangere::Result<T>) -> Result<T, Failure> {
        search.map_err(|error| {
            let path = match (&error, &self.options.against) {
                (tangere::Error::Item { .. }, Some(others)) => others,
                _ => &self.options.particles,
            };
            self.failure(path, step, &error)
        })
    }

    /// Finds the pairs of a step.
    pub fn pairs(
        &self,
        finder: &mut Finder,
        step: usize,
        pairs: &mut Vec<[u32; 2]>,
    ) -> Result<(), Failure> {
        let search = match self.others(step) {
            None => finder.pairs(pairs),
            Some(others) => finder.query(others, pairs),
        };
        self.in_context(step, search)
    }

    fn failure(&self, path: &Path, step: usize, error: &tangere::Error) -> Failure {
        let option = match error {
            tangere::Error::Argument {
                what: Argument::PeriodicCell,
                ..
            } => " (--every-image)",
            tangere::Error::Memory { .. } => "; set the limit with --max-pairs",
            _ => "",
        };
        let message = self.steps.message(step, format!("{error}{option}"));
        let message = format!("{}: {message}", path.display());
        match error {
            tangere::Error::Memory { .. } => Failure::Work(message),
            _ => Failure::Input(message),
        }
    }
}

/// Returns the periodic cells that the options give, one for all steps or one for each.
fn cells(options: &Pairs, steps: &Steps) -> Result<Cells, Failure> {
    if let Some(path) = &options.cells {
        return Cells::read(path, steps).map_err(Failure::reading);
    }
    let [tilt, origin] = [&options.tilt, &options.origin].map(Option::as_ref);
    let lengths = match &options.periodic {
        None => return Ok(Cells::One(None)),
        Some(Edges::Dump) if tilt.is_some() || origin.is_some() => {
            let message = "--periodic dump: found with --tilt or --origin, expected without: \
                           the dump has them";
            return Err(Failure::Input(message.into()));
        }
        Some(Edges::Dump) => {
            return Cells::of_dump(&options.particles, steps).map_err(Failure::reading);
        }
        Some(Edges::Lengths(lengths)) => lengths.take("--periodic", 1, steps.dimension)?,
    };
    let tilts = tilt.map_or(&[][..], |list| &list.0);
    let origin = match origin {
        None => &[],
        Some(origin) => origin.take("--origin", 1, steps.dimension)?,
    };
    Ok(Cells::One(Some(Cell::new(lengths, tilts, origin)?)))
}

/// Pairs and contacts of the last step.
pub struct LastStep {
    pub pairs: Vec<[u32; 2]>,
    /// Whether contacts are searched at the last step. If so, the pairs of that step are taken from
    /// the contacts.
    pub with_contacts: bool,
    pub contacts: Contacts,
}

impl Default for LastStep {
    fn default() -> Self {
        LastStep {
            pairs: Vec::new(),
            with_contacts: false,
            contacts: Contacts::Space(Vec::new()),
        }
    }
}

/// Sums over all steps of a run: seconds of updates and of queries, number of pairs, and how often
/// the candidates of the Verlet list were searched and reused.
#[derive(Default)]
pub struct Total {
    pub update: f64,
    pub query: f64,
    pub pairs: usize,
    pub uses: Uses,
}

/// Runs all steps `--repeat` times and returns the sums over the steps of the fastest run. `found`
/// gets the pairs or contacts of the last step.
pub fn repeated(
    finder: &mut Finder,
    pair_query: &PairQuery<'_>,
    oracle: Option<&Oracle>,
    found: &mut LastStep,
) -> Result<Total, Failure> {
    let steps = &pair_query.steps;
    let empty = Frame::empty(steps.dimension, steps.boxes);
    let mut best: Option<Total> = None;
    for _ in 0..pair_query.options.common.repeat {
        // An update without items clears the candidates of the previous run but keeps the memory.
        finder.leave_out(PairFilters::default());
        finder.set_cell(None);
        finder.update(&empty)?;
        if found.with_contacts {
            // The list of contacts is empty, but of the right dimension.
            found.contacts = finder.contacts()?;
        }
        finder.leave_out(pair_query.filters.clone());
        let mut total = Total::default();
        let before = finder.uses();
        for step in 0..steps.frames.len() {
            let start = Instant::now();
            pair_query.update(finder, step)?;
            let update = start.elapsed();
            if found.with_contacts && step + 1 == steps.frames.len() {
                found.contacts = pair_query.in_context(step, finder.contacts())?;
                found.pairs = found.contacts.distinct_pairs();
            } else {
                pair_query.pairs(finder, step, &mut found.pairs)?;
            }
            let query = start.elapsed() - update;
            total.update += update.as_secs_f64();
            total.query += query.as_secs_f64();
            total.pairs += found.pairs.len();
            if let Some(oracle) = oracle {
                oracle.compare(pair_query, step, &found.pairs)?;
            }
        }
        let uses = finder.uses();
        total.uses = Uses {
            builds: uses.builds - before.builds,
            reuses: uses.reuses - before.reuses,
        };
        let seconds = |total: &Total| total.update + total.query;
        if best.as_ref().is_none_or(|b| seconds(&total) < seconds(b)) {
            best = Some(total);
        }
    }
    Ok(best.unwrap_or_default())
}
