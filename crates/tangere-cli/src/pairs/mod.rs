//! `tangere pairs`: who might touch?

mod cells;
mod input;
mod output;
mod question;
pub mod rules;
mod verify;

use crate::arguments::number;
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::info::extend;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use input::{Frame, Scene, Steps};
use output::{Found, PairFormat};
use question::{Dimension, Of, Question};
use rules::Rules;
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;
use tangere::pairs::{Candidates, Method, PairFinder, PairSettings, Uses, finder};
use tangere_front::text;
use verify::Oracle;

const EXAMPLES: &str = "\
Examples:
  tangere pairs spheres.npy -o pairs.npy
  tangere pairs discs.csv --periodic 10,0 --margin 0.01 --json
  tangere pairs boxes.npy --boxes --method sweep --repeat 5 --verify
  tangere pairs moving.npy --boxes --skin 0.1 --json
  tangere pairs grains.npy --against tools.npy -o touched.csv
  tangere pairs run.dump --periodic 1,1,1 --tilt 0.1,0,0 --origin -0.5,-0.5,-0.5
  tangere pairs run.dump --periodic dump --skin 0.1 --as contacts -o last.csv
  tangere pairs sheared.npy --cells cells.csv
  tangere pairs clumps.npy --groups clump_of_each.npy --masks kinds.csv
  tangere pairs slab.npy --periodic 20,20,0.4 --every-image -o contacts.vtp

PARTICLES has a row for each: centre and radius (3 columns in the plane, 4 in space), or with
--boxes the lower, then the upper corner (4 or 6 columns). An array of three axes (steps, rows,
columns) and a dump of several time steps are moving scenes: one finder goes through them, and
the pairs counted and written are those of the last step. Its rows are counted in the order of
the atoms' ids in the first step of a dump, whatever their order in the last; new atoms come after.
A dump needs columns x, y and, in space, z (or xs, xu, xsu ...), and radius or diameter.

--groups has an integer for each row of PARTICLES: those of one group are no pair. --masks has two,
bits of the kinds that it is of and of the kinds that it meets: two are a pair if each meets a kind
of the other. Both are CSV or NPY, with integers from 0 to 4294967295.

--cells has a row for each step: the lengths of the periodic cell, then its tilts (in the plane XY,
in space XY,XZ,YZ), then its lower corner; the last, or the last two, may be missing.

--against finds the pairs of a row of PARTICLES and one of OTHERS, instead of those of PARTICLES
among themselves. OTHERS are at one time, or have as many steps; they have no groups and no masks.

-o has for --as pairs a row a,b for each pair; for contacts also the image of b that touches a,
the gap between the two (negative where they overlap) and the unit normal from a to b; for
neighbors a row for each particle and each that touches it. .npy files of contacts are float64
(a, b, image, gap, normal). .vtp files have all of it, but of --against only who touches whom. Boxes
have the largest of their gaps along the axes, and the normal along that axis.";

/// Find all pairs of particles or boxes that touch
///
/// Spheres touch when their centres are at most ri + rj apart, boxes when they share a point.
/// Pairs are written sorted, each once, the lower number first; rows count from 0.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Pairs {
    /// Particles or boxes: CSV, NPY, VTP, VTU or a LAMMPS dump
    #[arg(value_name = "PARTICLES")]
    particles: PathBuf,
    /// Find the pairs of a particle and one of these, which are as PARTICLES are
    #[arg(long, value_name = "OTHERS")]
    against: Option<PathBuf>,
    /// Rows are boxes: lower, then upper corners
    #[arg(long)]
    boxes: bool,
    /// How pairs are found; the pairs are the same
    #[arg(long, value_name = "METHOD", default_value_t = Method::Auto, value_parser =
          PossibleValuesParser::new(Method::ALL.map(Method::name)).try_map(|name| name.parse::<Method>()))]
    method: Method,
    /// The lengths of a periodic cell, 0 along axes that are open; `dump` for those that each step
    /// of a LAMMPS dump has, with its tilts and origin
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
    /// The lower corner of the periodic cell [default: 0 along each axis]
    #[arg(long, value_name = "X,Y[,Z]", value_parser = list, allow_hyphen_values = true,
          requires = "periodic")]
    origin: Option<List>,
    /// Take every image of a periodic cell: particles may be larger than the cell, and
    /// .vtp files have a line for each image in which a pair touches, or one its own
    #[arg(long, requires = "cell")]
    every_image: bool,
    /// Leave out pairs of the same group: a file with an integer for each particle
    #[arg(long, value_name = "FILE")]
    groups: Option<PathBuf>,
    /// Leave out pairs of kinds that do not meet: a file with bits of two kinds for each
    #[arg(long, value_name = "FILE")]
    masks: Option<PathBuf>,
    /// How far apart two may be and still count
    #[arg(long, value_name = "M", default_value_t = 0.0, value_parser = number,
          allow_hyphen_values = true)]
    margin: f64,
    /// Keep candidates that are up to S farther apart, and search anew only when particles have
    /// moved too far for them; the pairs are the same
    #[arg(long, value_name = "S", value_parser = number, allow_hyphen_values = true)]
    skin: Option<f64>,
    /// Refuse more pairs than this
    #[arg(long, value_name = "N")]
    max_pairs: Option<usize>,
    /// Find them so often and tell the least time; each starts anew and keeps only memory
    #[arg(long, value_name = "K", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Compare with brute force, which tests every two: some 20 s for 100,000 particles
    #[arg(long)]
    verify: bool,
    /// The file to write: .npy (M rows of two uint32, unless --as says else), .csv or .vtp (lines
    /// between centres)
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
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What a file has rows of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Rows {
    /// Two that touch
    Pairs,
    /// Two that touch, in which image, with their gap and normal
    Contacts,
    /// A particle and one that touches it, both ways
    Neighbors,
}

/// Where the edges of a periodic cell are told.
#[derive(Clone, Debug)]
enum Edges {
    Lengths(List),
    Dump,
}

fn edges(text: &str) -> Result<Edges, String> {
    match text {
        "dump" => Ok(Edges::Dump),
        _ => list(text).map(Edges::Lengths),
    }
}

/// Numbers between commas.
#[derive(Clone, Debug)]
struct List(Vec<f64>);

fn list(text: &str) -> Result<List, String> {
    let numbers: Result<_, _> = text.split(',').map(number).collect();
    numbers
        .map(List)
        .map_err(|_| "expected finite numbers separated by commas".into())
}

impl List {
    /// As many numbers as space has dimensions.
    fn point<const D: usize>(&self, option: &str) -> Result<[f64; D], Failure> {
        self.0.as_slice().try_into().map_err(|_| {
            Failure::Input(format!(
                "{option}: found {} numbers, expected {D}, one for each axis of the particles",
                self.0.len()
            ))
        })
    }
}

/// Reads, finds, and writes.
pub fn run(options: &Pairs, console: &Console) -> Result<(), Failure> {
    let format = options.out.as_deref().map(PairFormat::of_path);
    let format = format.transpose()?;
    if let Some(out) = &options.out {
        let Pairs {
            groups,
            masks,
            against,
            cells,
            particles,
            ..
        } = options;
        ([groups, masks, against, cells].into_iter().flatten())
            .chain([particles])
            .try_for_each(|input| files::check_other(out, input))?;
    }
    let what = format!("reading {}", options.particles.display());
    let (scene, read) = console.timed(&what, || input::read(&options.particles, options.boxes));
    match scene? {
        Scene::Plane(steps) => answer(options, &steps, read, format, console),
        Scene::Space(steps) => answer(options, &steps, read, format, console),
    }
}

fn answer<const D: usize>(
    options: &Pairs,
    steps: &Steps<D>,
    read: f64,
    format: Option<PairFormat>,
    console: &Console,
) -> Result<(), Failure>
where
    Of<D>: Dimension<D>,
{
    let settings = PairSettings {
        margin: options.margin,
        // Each step has its own.
        periodic: None,
        every_image: options.every_image,
        most: options.max_pairs.unwrap_or(usize::MAX),
    };
    let (question, others_read) = console.timed("reading", || Question::new(options, steps));
    let (question, read) = (question?, read + others_read);
    let mut finder: Box<dyn PairFinder<D>> = match options.skin {
        None => finder(options.method, settings)?,
        Some(skin) => Box::new(Candidates::with_method(options.method, settings, skin)?),
    };
    let mut pairs = Vec::new();
    let oracle = match options.verify {
        false => None,
        true => {
            let (oracle, _) =
                console.timed("testing every two", || Oracle::new(settings, &question));
            Some(oracle?)
        }
    };
    let (best, _) = console.timed("finding pairs", || {
        repeated(
            options.repeat,
            finder.as_mut(),
            &question,
            oracle.as_ref(),
            &mut pairs,
        )
    });
    let best = best?;
    let empty = Frame::empty(options.boxes);
    let last = steps.frames.last().unwrap_or(&empty);
    let others = question.others(steps.frames.len().saturating_sub(1));
    if let (Some(path), Some(format)) = (&options.out, format) {
        let what = format!("writing {}", path.display());
        let found = Found {
            frame: last,
            others,
            pairs: &pairs,
        };
        let (written, _) = console.timed(&what, || {
            output::write(path, format, options.rows, found, finder.as_mut())
        });
        written?;
    }

    let count = steps.frames.len();
    let mean = |total: f64| total / count.max(1) as f64;
    let reason = finder.reason();
    if options.json {
        let mut object = json!({
            "particles": last.items().len(),
            "dimension": D,
            "pairs": pairs.len(),
            "method": finder.method(),
            "reason": reason,
            "seconds": { "read": read, "update": best.update, "query": best.query },
        });
        if let Some(others) = others {
            extend(&mut object, json!({ "others": others.items().len() }));
        }
        if steps.moving {
            let steps = json!({
                "count": count,
                "update": mean(best.update),
                "query": mean(best.query),
                "pairs": mean(best.pairs as f64),
            });
            extend(&mut object, json!({ "steps": steps }));
        }
        if options.skin.is_some() {
            let Uses { builds, reuses } = best.uses;
            let candidates = json!({ "builds": builds, "reuses": reuses });
            extend(&mut object, json!({ "candidates": candidates }));
        }
        if options.verify {
            // Of no steps there is nothing to say.
            let verified = (count > 0).then_some(true);
            extend(&mut object, json!({ "verified": verified }));
        }
        return console.print_json(&object);
    }
    let kind = if options.boxes { "boxes" } else { "particles" };
    let mut rows = vec![(kind, text::count(last.items().len() as u64))];
    rows.extend(others.map(|others| ("others", text::count(others.items().len() as u64))));
    rows.extend([
        ("dimension", D.to_string()),
        ("pairs", text::count(pairs.len() as u64)),
        ("method", format!("{}: {reason}", finder.method())),
        ("read", text::seconds(read)),
        ("update", text::seconds(best.update)),
        ("query", text::seconds(best.query)),
    ]);
    if steps.moving {
        rows.extend([
            ("steps", text::count(count as u64)),
            ("update, each", text::seconds(mean(best.update))),
            ("query, each", text::seconds(mean(best.query))),
            ("pairs, each", text::number(mean(best.pairs as f64))),
        ]);
    }
    if options.skin.is_some() {
        let Uses { builds, reuses } = best.uses;
        let used = format!("searched {builds}, reused {reuses} times");
        rows.push(("candidates", used));
    }
    if options.verify {
        let verified = match count {
            0 => "nothing, as there are no steps",
            _ => "equal to brute force",
        };
        rows.push(("verified", verified.into()));
    }
    let head = format!("{}\n", options.particles.display());
    console.print(head + &text::two_columns(&rows))
}

/// Seconds and pairs of all steps together.
#[derive(Default)]
struct Total {
    update: f64,
    query: f64,
    pairs: usize,
    uses: Uses,
}

/// Goes through all steps several times; `pairs` are those of the last step, the
/// total is that of the time with the least seconds.
fn repeated<const D: usize>(
    times: u32,
    finder: &mut dyn PairFinder<D>,
    question: &Question<'_, D>,
    oracle: Option<&Oracle>,
    pairs: &mut Vec<[u32; 2]>,
) -> Result<Total, Failure> {
    let frames = &question.steps.frames;
    let empty = match frames.first() {
        Some(Frame::Boxes { .. }) => Frame::empty(true),
        _ => Frame::empty(false),
    };
    let mut best: Option<Total> = None;
    for _ in 0..times {
        // A finder without items remembers none; what it has is memory.
        Rules::default().hand_to(finder);
        finder.update(empty.items())?;
        question.rules.hand_to(finder);
        let mut total = Total::default();
        let before = finder.uses().unwrap_or_default();
        for step in 0..frames.len() {
            let start = Instant::now();
            let updated = question.update(finder, step);
            let update = start.elapsed();
            updated.map_err(|error| question.refused_items(step, &error))?;
            let found = question.pairs(finder, step, pairs);
            let query = start.elapsed() - update;
            found.map_err(|error| question.refused_pairs(step, &error))?;
            total.update += update.as_secs_f64();
            total.query += query.as_secs_f64();
            total.pairs += pairs.len();
            if let Some(oracle) = oracle {
                let difference = oracle.difference(step, pairs);
                difference.map_err(|message| question.finding(step, message))?;
            }
        }
        let uses = finder.uses().unwrap_or_default();
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
