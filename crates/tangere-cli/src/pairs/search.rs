//! Broad-phase search of all steps of a trajectory.

use super::verify::Oracle;
use super::{Edges, Pairs};
use crate::failure::Failure;
use std::path::Path;
use std::time::Instant;
use tangere::Argument;
use tangere::pairs::{Method, Uses};
use tangere_front::finder::{Contacts, Finder};
use tangere_front::inputs::{Cell, Cells, DumpCells, Frame, PairFilters, Steps};

/// Input of `tangere pairs`: items of all steps, periodic cells, groups and masks, and the items of
/// `--against`.
pub struct PairQuery<'a> {
    pub options: &'a Pairs,
    pub steps: Steps,
    others: Option<Steps>,
    cells: Cells,
    pub filters: PairFilters,
    /// A note that the box of a LAMMPS dump is used although no option asks for it.
    pub note: Option<String>,
}

impl<'a> PairQuery<'a> {
    /// Reads all files that the options name.
    pub fn read(options: &'a Pairs) -> Result<Self, Failure> {
        let steps = match options.radius {
            Some(radius) => Steps::read_centers(&options.particles, radius),
            None => Steps::read(&options.particles, options.boxes),
        };
        let steps = steps.map_err(Failure::reading)?;
        let others = options.against.as_deref();
        let others = others.map(|path| steps.read_others(path)).transpose();
        let [groups, masks] = [&options.groups, &options.masks].map(Option::as_deref);
        let (cells, note) = cells(options, &steps)?;
        let query = PairQuery {
            options,
            note,
            others: others.map_err(Failure::reading)?,
            cells,
            filters: PairFilters::read(groups, masks, &steps).map_err(Failure::reading)?,
            steps,
        };
        let count = query.steps.frames.len();
        if options.every_image && count > 0 && (0..count).all(|step| query.cell(step).is_none()) {
            let message = "--every-image: found open space, expected a periodic cell: --periodic, \
                           --cells or the box of a dump";
            return Err(Failure::Input(message.into()));
        }
        Ok(query)
    }

    /// Returns the reference point of `--method shells-published`, which `--origin` gives without
    /// `--periodic` or with `--periodic none`; otherwise `--origin` is the corner of the periodic
    /// cell.
    ///
    /// # Errors
    /// When `--origin` is given without either, or has not one number for each dimension.
    pub fn reference_point(&self) -> Result<Option<Vec<f64>>, Failure> {
        let options = self.options;
        let Some(origin) = options
            .origin
            .as_ref()
            .filter(|_| matches!(options.periodic, None | Some(Edges::None)))
        else {
            return Ok(None);
        };
        if options.method != Method::ShellsPublished {
            let (found, expected) = match (&options.cells, &options.periodic) {
                (Some(_), _) => ("--cells, which has corners of its own", "--periodic"),
                (None, None) => ("no --periodic", "--periodic"),
                (None, Some(_)) => ("--periodic none", "a periodic cell"),
            };
            return Err(Failure::Input(format!(
                "--origin: found {found}, expected {expected} or --method shells-published"
            )));
        }
        let dimension = self.steps.dimension;
        Ok(Some(origin.take("--origin", 1, dimension)?.to_vec()))
    }

    /// Returns the items of `--against` at a step. If that file has fewer steps, they are those of
    /// its last step. `None` without `--against`.
    pub fn others(&self, step: usize) -> Option<&Frame> {
        let frames = &self.others.as_ref()?.frames;
        frames.get(step).or(frames.last())
    }

    /// Returns the ids of the items at a step and of those that they are paired with: the same, or
    /// the items of `--against`. `None` for items that have no ids.
    pub fn ids(&self, step: usize) -> [Option<&[u64]>; 2] {
        let ids = self.steps.ids(step);
        let others = match &self.others {
            None => ids,
            Some(others) => others.ids(step.min(others.frames.len().saturating_sub(1))),
        };
        [ids, others]
    }

    /// Returns an error if the id of an atom at a step is greater than `most`.
    pub fn check_ids(&self, step: usize, most: u64) -> Result<(), Failure> {
        let ids = self.steps.ids(step).unwrap_or_default();
        let Some(id) = ids.iter().find(|&&id| id > most) else {
            return Ok(());
        };
        let message = format!(
            "found the atom id {id}, expected at most {most} for contacts in .npy files, whose \
             float64 rounds it; .csv and .vtp files keep it"
        );
        let message = self.steps.message(step, message);
        let path = self.options.particles.display();
        Err(Failure::Input(format!("{path}: {message}")))
    }

    /// Returns the periodic cell of a step.
    pub fn cell(&self, step: usize) -> Option<Cell> {
        self.cells.at(step)
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

/// Returns the periodic cells that the options give, one for all steps or one for each, and a note
/// on those that a dump has.
fn cells(options: &Pairs, steps: &Steps) -> Result<(Cells, Option<String>), Failure> {
    match (&options.cells, &options.periodic) {
        (Some(path), _) => Ok((Cells::read(path, steps).map_err(Failure::reading)?, None)),
        (None, None) => cells_of_dump(options, steps),
        (None, Some(periodic)) => Ok((requested_cells(options, periodic, steps)?, None)),
    }
}

/// Returns the periodic cells of `--periodic`.
fn requested_cells(options: &Pairs, periodic: &Edges, steps: &Steps) -> Result<Cells, Failure> {
    let [tilt, origin] = [&options.tilt, &options.origin].map(Option::as_ref);
    let lengths = match periodic {
        Edges::None if tilt.is_some() => {
            let message = "--periodic none: found with --tilt, expected without";
            return Err(Failure::Input(message.into()));
        }
        // Here --origin is the reference point of a method.
        Edges::None => return Ok(Cells::One(None)),
        Edges::Dump if tilt.is_some() || origin.is_some() => {
            let message = "--periodic dump: found with --tilt or --origin, expected without: \
                           the dump has them";
            return Err(Failure::Input(message.into()));
        }
        Edges::Dump => {
            return Cells::of_dump(&options.particles, steps).map_err(Failure::reading);
        }
        Edges::Lengths(lengths) => lengths.take("--periodic", 1, steps.dimension)?,
    };
    let tilts = tilt.map_or(&[][..], |list| &list.0);
    let origin = match origin {
        None => &[],
        Some(origin) => origin.take("--origin", 1, steps.dimension)?,
    };
    Ok(Cells::One(Some(Cell::new(lengths, tilts, origin)?)))
}

/// Returns the periodic cells of a LAMMPS dump for which no others are requested, with a note; none
/// for other files.
fn cells_of_dump(options: &Pairs, steps: &Steps) -> Result<(Cells, Option<String>), Failure> {
    let path = &options.particles;
    let cells = DumpCells::new(path, steps, !options.every_image).map_err(Failure::reading)?;
    let Some(DumpCells {
        cells,
        axes,
        is_flat,
    }) = cells
    else {
        return Ok((Cells::One(None), None));
    };
    let flat = match is_flat {
        true => "; open along z, as all atoms have the same z (--periodic dump closes it)",
        false => "",
    };
    let along: Vec<String> = axes.chars().map(String::from).collect();
    let along = match along.is_empty() {
        true => "open".into(),
        false => format!("periodic along {}", along.join(", ")),
    };
    let note = format!(
        "{}: {along}, as its box is{flat}; --periodic none for open space",
        path.display()
    );
    Ok((cells, Some(note)))
}

/// Pairs and contacts of one step.
pub struct Found {
    pub pairs: Vec<[u32; 2]>,
    /// The steps at which contacts are searched. If so, the pairs of that step are taken from the
    /// contacts.
    pub contacts_at: ContactsAt,
    pub contacts: Contacts,
}

/// At which steps contacts are searched, rather than pairs alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactsAt {
    None,
    Last,
    Each,
}

impl Default for Found {
    fn default() -> Self {
        Found {
            pairs: Vec::new(),
            contacts_at: ContactsAt::None,
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
/// gets the pairs or contacts of the last step. The first run calls `finish_step` after each step
/// with what was found; its time does not count.
pub fn repeated(
    finder: &mut Finder,
    pair_query: &PairQuery<'_>,
    oracle: Option<&Oracle>,
    found: &mut Found,
    mut finish_step: impl FnMut(usize, &Found) -> Result<(), Failure>,
) -> Result<Total, Failure> {
    let steps = &pair_query.steps;
    let empty = Frame::empty(steps.dimension, steps.boxes);
    let mut best: Option<Total> = None;
    for run in 0..pair_query.options.common.repeat {
        // An update without items clears the candidates of the previous run but keeps the memory.
        finder.leave_out(PairFilters::default());
        finder.set_cell(None);
        finder.update(&empty)?;
        if found.contacts_at != ContactsAt::None {
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
            let has_contacts = match found.contacts_at {
                ContactsAt::None => false,
                ContactsAt::Last => step + 1 == steps.frames.len(),
                ContactsAt::Each => true,
            };
            if has_contacts {
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
            if run == 0 {
                finish_step(step, found)?;
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
