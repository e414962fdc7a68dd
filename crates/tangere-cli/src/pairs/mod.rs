//! `tangere pairs`: broad phase and exact pairs of particles or boxes that touch.

mod draw;
mod search;
mod verify;

use crate::arguments::{EXACT_INTEGERS, List, chosen, list, not_negative, number};
use crate::common_options::CommonOptions;
use crate::console::Console;
use crate::failure::Failure;
use crate::output::{self, Target};
use crate::series::Series;
use clap::{Args, ValueEnum};
use search::{ContactsAt, Found, PairQuery, repeated};
use serde_json::json;
use std::path::PathBuf;
use tangere::pairs::{Method, PairContact, Uses, neighbors};
use tangere_front::answer::{Format, Summary, Table, listed};
use tangere_front::answers::pairs::{
    self, ATOM_NEIGHBORS, ATOM_PAIRS, AtomContact, NEIGHBORS, PAIRS,
};
use tangere_front::finder::{Contacts, Finder, Settings};
use tangere_front::inputs::{Cell, Frame};
use tangere_front::text;

/// File formats in which pairs are written.
const FORMATS: &[Format] = &[Format::Npy, Format::Csv, Format::Vtp];

const EXAMPLES: &str = "\
Examples:
  tangere pairs spheres.npy -o pairs.npy
  tangere pairs discs.csv --periodic 10,0 --margin 0.01 --json
  tangere pairs boxes.npy --boxes --method sweep --repeat 5 --verify
  tangere pairs moving.npy --boxes --skin 0.1 --json
  tangere pairs grains.npy --against tools.npy -o touched.csv
  tangere pairs run.dump --periodic 1,1,1 --tilt 0.1,0,0 --origin -0.5,-0.5,-0.5
  tangere pairs run.dump --skin 0.1 --as contacts -o contacts.{step}.csv
  tangere pairs run.dump -o contacts.pvd
  tangere pairs run.dump --radius 0.5 -o contacts.pvd
  tangere pairs sheared.npy --cells cells.csv
  tangere pairs clumps.npy --groups clump_of_each.npy --masks kinds.csv
  tangere pairs slab.npy --periodic 20,20,0.4 --every-image -o contacts.vtp
  tangere pairs spheres.npy --method linked --occupancy 5 --json
  tangere pairs spheres.npy --method shells-published --origin 0,0,0 --verify

PARTICLES has a row for each: centre and radius (3 columns in the plane, 4 in space), or with \
--boxes the lower, then the upper corner (4 or 6 columns). An array of three axes (steps, rows, \
columns) and a dump of several time steps are moving scenes: one finder goes through them, and the \
pairs counted are those of the last step. Written are those of the last step, or of every step if \
FILE is a series (.pvd, with a .vtp file for each step) or has {step} or {frame} in its name: the \
number of the time step in a dump, or the number of the frame from 0.

A dump needs columns x, y and, in space, z (or xs, xu, xsu ...), and radius or diameter, unless \
--radius gives all atoms the same. Its rows \
are in the order of the atom ids, and answers have the ids in place of row numbers; without a \
column id, rows count from 0 in the order of the file. A periodic box is periodic here, too, unless \
--periodic none opens it. If all atoms have the same z, the box is open along z.

--groups has an integer for each row of PARTICLES: two of one group are no pair. --masks has two \
bit masks, the kinds of a particle and the kinds that it meets: two are a pair if each meets a kind \
of the other. Both are CSV or NPY, with integers from 0 to 4294967295.

--cells has a row for each step: the lengths of the periodic cell, then its tilts (in the plane XY, \
in space XY,XZ,YZ), then its lower corner; the last, or the last two, may be missing.

--against finds the pairs of a row of PARTICLES and one of OTHERS, instead of those of PARTICLES \
among themselves. OTHERS are at one time, or have as many steps; they have no groups and no masks.

-o has for --as pairs a row a,b for each pair; for contacts also the image of b that touches a, \
the gap between the two (negative where they overlap) and the unit normal from a to b; for \
neighbors a row for each particle and each that touches it. .npy files of contacts are float64 \
(a, b, image, gap, normal), and refuse atom ids beyond 2^53, which they would round. .vtp files \
have all of it, but of --against only who touches whom; a \
line ends at the image of b that touches a, whose point has is_image 1; point data have the radius \
and neighbors, the number of those that touch the particle. Boxes have the largest of \
their gaps along the axes, and the normal along that axis.

Methods linked and shells-published are those of leszczynski2004 as published, to check the paper \
or to teach: header and list arrays of cells with --occupancy particles each, and a list of \
particles sorted by their distance from --origin. They find the same pairs; auto never picks them.";

/// Broad phase: all pairs of particles or boxes that touch
///
/// Spheres touch when their centres are at most ri + rj apart, boxes when they share a point.
/// Pairs are written sorted, each once, the lower number first; rows count from 0.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Pairs {
    /// Particles or boxes: CSV, NPY, VTP, VTU or a LAMMPS dump
    #[arg(value_name = "PARTICLES")]
    particles: PathBuf,
    /// Find the pairs of a particle and one of these, a file like PARTICLES
    #[arg(long, value_name = "OTHERS")]
    against: Option<PathBuf>,
    /// Rows are boxes: lower, then upper corners
    #[arg(long)]
    boxes: bool,
    /// The radius of all particles: rows are centres alone (x, y and, in space, z), and columns of
    /// radii that have a name are ignored
    #[arg(long, value_name = "R", value_parser = not_negative, allow_hyphen_values = true,
          conflicts_with = "boxes")]
    radius: Option<f64>,
    /// The search method; the pairs do not depend on it
    #[arg(long, value_name = "METHOD", default_value_t = Method::Auto, 
          value_parser = chosen(Method::ALL, Method::name))]
    method: Method,
    /// The mean number of particles in a cell of --method linked, from 0.125 up [default: 1]
    #[arg(long, value_name = "P", value_parser = number, allow_hyphen_values = true)]
    occupancy: Option<f64>,
    /// The lengths of a periodic cell, 0 along axes that are open; `dump` for the box that each step
    /// of a LAMMPS dump has, which is the default for dumps; `none` for open space
    #[arg(long, value_name = "LX,LY[,LZ]", value_parser = edges, allow_hyphen_values = true,
          group = "cell")]
    periodic: Option<Edges>,
    /// A periodic cell for each step: a file with a row of lengths, tilts and lower corner
    #[arg(long, value_name = "FILE", group = "cell")]
    cells: Option<PathBuf>,
    /// How the periodic cell is tilted, as in LAMMPS; in the plane XY alone
    #[arg(long, value_name = "XY,XZ,YZ", value_parser = list, allow_hyphen_values = true,
          requires = "periodic")]
    tilt: Option<List>,
    /// The lower corner of the periodic cell of --periodic [default: 0 along each axis]; without
    /// it, or with --periodic none, the reference point of --method shells-published [default: the
    /// lower corner of the bounds of all particles]
    #[arg(long, value_name = "X,Y[,Z]", value_parser = list, allow_hyphen_values = true)]
    origin: Option<List>,
    /// Take every periodic image, not the minimum image: particles may be larger than the cell, and
    /// .vtp files have a line for each image in which a pair touches, or one its own
    #[arg(long)]
    every_image: bool,
    /// Leave out pairs of the same group: a file with an integer for each particle
    #[arg(long, value_name = "FILE")]
    groups: Option<PathBuf>,
    /// Leave out pairs of kinds that do not meet: a file with bits of two kinds for each
    #[arg(long, value_name = "FILE")]
    masks: Option<PathBuf>,
    /// The distance up to which two count as touching
    #[arg(long, value_name = "M", default_value_t = 0.0, value_parser = number,
          allow_hyphen_values = true)]
    margin: f64,
    /// Verlet list: keep candidates up to S farther apart, and search anew only when particles have
    /// moved too far for them; the pairs are the same
    #[arg(long, value_name = "S", value_parser = number, allow_hyphen_values = true)]
    skin: Option<f64>,
    /// Refuse more pairs than this [default: as many as there is free memory for]
    #[arg(long, value_name = "N")]
    max_pairs: Option<usize>,
    /// Compare with brute force, which tests every pair: some 20 s for 100,000 particles
    #[arg(long)]
    verify: bool,
    /// The file to write: .npy (M rows of two uint32, or as --as says; of a dump uint64), .csv, .vtp
    /// (lines between centres), .pvd (a .vtp for each step); - for CSV to standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// What .npy and .csv files have rows of
    #[arg(
        long = "as",
        value_name = "ROWS",
        default_value = "pairs",
        conflicts_with = "against"
    )]
    rows: Rows,
    #[command(flatten)]
    common: CommonOptions,
}

/// What a row of the output file describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Rows {
    /// Two that touch
    Pairs,
    /// Two that touch, in which image, with their gap and normal
    Contacts,
    /// A particle and one that touches it, both ways
    Neighbors,
}

/// Where the edges of a periodic cell come from: numbers on the command line, or a LAMMPS dump.
#[derive(Clone, Debug)]
enum Edges {
    Lengths(List),
    Dump,
    /// Open space, even if a LAMMPS dump has a periodic box.
    None,
}

fn edges(text: &str) -> Result<Edges, String> {
    match text {
        "dump" => Ok(Edges::Dump),
        "none" => Ok(Edges::None),
        _ => list(text).map(Edges::Lengths),
    }
}

/// Reads particles or boxes, finds pairs, and writes them.
pub fn run(options: &Pairs, console: &Console) -> Result<(), Failure> {
    let CommonOptions { json, .. } = options.common;
    let (groups, masks) = (&options.groups, &options.masks);
    let beside = [groups, masks, &options.against, &options.cells];
    let inputs = beside.into_iter().flatten().chain([&options.particles]);
    let mut series = match &options.out {
        Some(path) => Series::new(path, FORMATS)?,
        None => None,
    };
    let out = options.out.as_deref().filter(|_| series.is_none());
    let target = Target::new(out, FORMATS, json, inputs.clone())?;
    let what = format!("reading {}", options.particles.display());
    let (pair_query, read) = console.timed(&what, || PairQuery::read(options));
    let pair_query = pair_query?;
    let steps = &pair_query.steps;
    let settings = Settings {
        method: options.method,
        margin: options.margin,
        skin: options.skin,
        cell: None,
        every_image: options.every_image,
        most: options.max_pairs.unwrap_or(usize::MAX),
        occupancy: options.occupancy,
        origin: pair_query.reference_point()?,
    };
    let oracle = match options.verify {
        false => None,
        true => {
            let found = || verify::Oracle::new(&settings, &pair_query);
            Some(console.timed("testing every pair", found).0?)
        }
    };
    let mut finder = Finder::new(settings).map_err(Failure::option)?;
    let numbers: Vec<i64> = (0..steps.frames.len()).map(|i| steps.number(i)).collect();
    let targets = match &mut series {
        Some(series) => series.targets(&numbers, inputs)?,
        None => Vec::new(),
    };
    let format = series.as_ref().map(|series| series.format);
    let format = format.or(target.as_ref().map(|target| target.format));
    if (options.rows, format) == (Rows::Contacts, Some(Format::Npy)) {
        (0..numbers.len()).try_for_each(|step| pair_query.check_ids(step, EXACT_INTEGERS))?;
    }
    let wanted = options.rows == Rows::Contacts || format == Some(Format::Vtp);
    let contacts_at = match (wanted && options.against.is_none(), &series, &target) {
        (true, Some(_), _) => ContactsAt::Each,
        (true, None, Some(_)) => ContactsAt::Last,
        _ => ContactsAt::None,
    };
    let mut found = Found {
        contacts_at,
        ..Found::default()
    };
    let empty = Frame::empty(steps.dimension, steps.boxes);
    let answer = |step: usize| StepAnswer {
        rows: options.rows,
        frame: steps.frames.get(step).unwrap_or(&empty),
        others: pair_query.others(step),
        cell: pair_query.cell(step),
        ids: pair_query.ids(step),
    };
    let last_step = steps.frames.len().saturating_sub(1);
    let search = || {
        let (best, _) = console.timed("finding pairs", || {
            let finish_step = |step: usize, found: &Found| match targets.get(step) {
                Some(target) => answer(step).write(target, found, console),
                None => Ok(()),
            };
            let oracle = oracle.as_ref();
            repeated(&mut finder, &pair_query, oracle, &mut found, finish_step)
        });
        let best = best?;
        if let Some(target) = &target {
            answer(last_step).write(target, &found, console)?;
        }
        if let Some(series) = &series {
            series.finish(&targets, &steps.times())?;
        }
        Ok(best)
    };
    let best = tangere_io::write_together(search, Failure::writing)?;
    let last = steps.frames.last().unwrap_or(&empty);
    let others = pair_query.others(last_step);
    if let Some(note) = &pair_query.note {
        console.note(note);
    }
    let mut summary = Summary::default();
    let kind = if options.boxes { "boxes" } else { "particles" };
    summary.labelled_count("particles", kind, last.len());
    if let Some(others) = others {
        summary.count("others", others.len());
    }
    let (update, query) = (best.update, best.query);
    let has_ids = steps.ids(last_step).is_some();
    summary
        .count("dimension", steps.dimension)
        .count("pairs", found.pairs.len())
        .method(finder.method(), &finder.reason())
        .member("numbered_by", if has_ids { "id" } else { "row" })
        .member(
            "seconds",
            json!({ "read": read, "update": update, "query": query }),
        )
        .line("read", text::seconds(read))
        .line("update", text::seconds(update))
        .line("query", text::seconds(query));
    if has_ids {
        summary.line("numbered by", "atom ids");
    }
    let count = steps.frames.len();
    if steps.moving {
        let mean = |total: f64| total / count.max(1) as f64;
        let [update, query] = [update, query].map(mean);
        let pairs = mean(best.pairs as f64);
        let each = json!({ "count": count, "update": update, "query": query, "pairs": pairs });
        summary
            .both("steps", each, "steps", text::count(count as u64))
            .line("update, each", text::seconds(update))
            .line("query, each", text::seconds(query))
            .line("pairs, each", text::number(pairs));
    }
    if options.skin.is_some() {
        let Uses { builds, reuses } = best.uses;
        let words = format!("searched {builds}, reused {reuses} times");
        let uses = json!({ "builds": builds, "reuses": reuses });
        summary.both("candidates", uses, "candidates", words);
    }
    if options.verify {
        // Without steps there is nothing to compare.
        let (verified, text) = match count {
            0 => (None, "nothing, as there are no steps"),
            _ => (Some(true), "equal to brute force"),
        };
        summary.both("verified", verified, "verified", text);
    }
    if let Some(series) = &series {
        let words = format!("{} of {}", text::count(targets.len() as u64), series.name());
        summary.both("files", targets.len(), "files", words);
    }
    let head = options.particles.display().to_string();
    output::report(&summary, &head, json, target.as_ref(), console)
}

/// What the file of a step is written from, besides what was found.
struct StepAnswer<'a> {
    rows: Rows,
    frame: &'a Frame,
    others: Option<&'a Frame>,
    cell: Option<Cell>,
    /// The ids of the atoms of a LAMMPS dump, which are written in place of the indices of items:
    /// those of the first and of the second of a pair, which differ with `--against`.
    ids: [Option<&'a [u64]>; 2],
}

impl StepAnswer<'_> {
    /// Writes the pairs, contacts or neighbours of the step.
    fn write(&self, target: &Target, found: &Found, console: &Console) -> Result<(), Failure> {
        match (self.rows, &found.contacts) {
            (Rows::Contacts, Contacts::Plane(contacts)) => {
                self.write_contacts(contacts, target, found, console)
            }
            (Rows::Contacts, Contacts::Space(contacts)) => {
                self.write_contacts(contacts, target, found, console)
            }
            (Rows::Pairs, _) => self.write_pairs(target, found, console),
            (Rows::Neighbors, _) => self.write_neighbors(target, found, console),
        }
    }

    fn drawn(&self, found: &Found) -> tangere_io::vtk::PolyData {
        match self.others {
            None => draw::contacts(self.frame, found, self.cell, self.ids[0]),
            Some(others) => draw::between(self.frame, others, &found.pairs, self.cell),
        }
    }

    /// Whether items have ids, which are written in place of indices.
    fn has_ids(&self) -> bool {
        self.ids.iter().any(Option::is_some)
    }

    /// Returns the ids of the two items of a pair; the index of an item that has none.
    fn named(&self, pair: [u32; 2]) -> [u64; 2] {
        let id = |k: usize| match self.ids[k] {
            Some(ids) => ids[pair[k] as usize],
            None => u64::from(pair[k]),
        };
        [id(0), id(1)]
    }

    fn write_contacts<const D: usize>(
        &self,
        contacts: &[PairContact<D>],
        target: &Target,
        found: &Found,
        console: &Console,
    ) -> Result<(), Failure> {
        let drawn = || self.drawn(found);
        if !self.has_ids() {
            let table = Table::new(pairs::Contacts::<D>::COLUMNS, contacts).as_floats();
            return target.write_drawn(&table, drawn, console);
        }
        let row = |i: usize| AtomContact {
            ids: self.named(contacts[i].pair),
            contact: contacts[i],
        };
        let table = Table::made(pairs::Contacts::<D>::OF_ATOMS, contacts.len(), &row);
        target.write_drawn(&table.as_floats(), drawn, console)
    }

    fn write_pairs(
        &self,
        target: &Target,
        found: &Found,
        console: &Console,
    ) -> Result<(), Failure> {
        let drawn = || self.drawn(found);
        if !self.has_ids() {
            return target.write_drawn(&Table::new(PAIRS, &found.pairs), drawn, console);
        }
        let row = |i: usize| self.named(found.pairs[i]);
        let table = Table::made(ATOM_PAIRS, found.pairs.len(), &row);
        target.write_drawn(&table, drawn, console)
    }

    fn write_neighbors(
        &self,
        target: &Target,
        found: &Found,
        console: &Console,
    ) -> Result<(), Failure> {
        let drawn = || self.drawn(found);
        let (offsets, indices) = neighbors(self.frame.len(), &found.pairs);
        let both_ways = |row: usize| listed(&offsets, &indices, row);
        if !self.has_ids() {
            let table = Table::made(NEIGHBORS, indices.len(), &both_ways);
            return target.write_drawn(&table, drawn, console);
        }
        let row = |i: usize| self.named(both_ways(i));
        let table = Table::made(ATOM_NEIGHBORS, indices.len(), &row);
        target.write_drawn(&table, drawn, console)
    }
}
