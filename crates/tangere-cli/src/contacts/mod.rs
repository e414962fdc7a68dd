//! `tangere contacts`: contacts of the bodies of a scene.

mod input;

use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::output::{self, Target};
use crate::series::Series;
use crate::times::Times;
use clap::Args;
use input::Input;
use serde_json::{Value, json};
use std::path::PathBuf;
use tangere::contact::ContactStatus;
use tangere::scene::{Event, PairSleep, Scene};
use tangere_front::answer::{Format, Summary, Table, object};
use tangere_front::answers::scene::{CONTACT, NamedContact, PAIR_SLEEP};
use tangere_front::text;
use tangere_io::vtk::{Field, PolyData};

/// File formats in which `tangere contacts` writes contacts.
const FORMATS: &[Format] = &[Format::Csv, Format::Npy, Format::Json, Format::Vtp];

/// The fields of a contact in VTP files, in their order, which does not change between versions.
const DRAWN: [&str; 9] = [
    "gap", "normal", "a", "b", "status", "event", "id", "image", "slot",
];

/// Maximum number of contacts that the printed summary lists; output files contain all.
const PRINTED: usize = 20;

/// Maximum number of differences from brute force that an error lists.
const DIFFERENCES: usize = 10;

const EXAMPLES: &str = "\
Examples:
  tangere contacts scene.toml
  tangere contacts scene.toml --verify -o contacts.csv
  tangere contacts scene.toml --poses poses.csv -o contacts.vtp
  tangere contacts scene.toml --poses motion.csv -o contacts.pvd
  tangere contacts scene.toml --poses motion.csv -o contacts.{step}.csv
  tangere contacts scene.toml --pair 3,17 --replay pair.bin && tangere replay pair.bin

A scene is a TOML file of bodies of any shape and their poses:

  margin = 0.01                          # the largest gap of a contact
  [[shape]]
  name = \"ball\"
  sphere = { radius = 0.5 }              # or box, capsule, half_space, convex, file, compound
  [[body]]
  shape = { half_space = { normal = [0, 0, 1] } }
  fixed = true
  [[body]]
  shape = \"ball\"
  fill = { box = [0, 0, 0, 9, 9, 9], count = 500, seed = 1 }

A sphere, box, capsule or polyhedron has one contact with another or with a half-space, and \
with a mesh one for each facet, edge or vertex that is locally nearest. Velocities count for \
--sleep-until only.

--poses has a row for each body that is elsewhere than in the scene: its id, then tx,ty,tz or \
tx,ty,tz,qw,qx,qy,qz; columns with names may be in any order. A pose of three numbers has no rotation, \
whatever the scene gave the body. With a column step, the first one or by its name, it is a \
motion: contacts are found at every step, and their events say which began, persist or ended. \
Reported are those of the last step; written are those of the last step, or of every step if FILE \
is a series (.pvd, with a .vtp file for each step) or has {step} or {frame} in its name.

.vtp files have a point midway between the points of the two bodies.

--verify tests every pair of bodies, every image and every triangle; differences are exit code 1.";

/// Contacts of the bodies of a scene, with an identity that lasts from step to step
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ContactOptions {
    /// The scene: a TOML file
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    /// Follow symbolic links of the scene that lead out of its folder
    #[arg(long)]
    follow_links: bool,
    /// Poses of bodies by id, at one or several steps (CSV, NPY)
    #[arg(long, value_name = "FILE")]
    poses: Option<PathBuf>,
    /// Compare with brute force, which tests every pair of bodies
    #[arg(long)]
    verify: bool,
    /// The file to write: .csv, .npy, .json or .vtp, .pvd (a .vtp for each step), or - for CSV to
    /// standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Report the pairs that are apart and may touch within the time T, and until when they cannot
    ///
    /// T counts from the poses of the last step. Bodies move on with the velocities and spins of the
    /// scene; its largest acceleration bounds that of every body. Times are lower bounds.
    #[arg(long, value_name = "T", value_parser = horizon, allow_hyphen_values = true)]
    sleep_until: Option<f64>,
    /// The ids of two bodies, for --replay; without `id` bodies are numbered from 0
    #[arg(long, value_name = "A,B", requires = "replay", value_parser = pair)]
    pair: Option<[u64; 2]>,
    /// Write the query of --pair at the last step to FILE, for `tangere replay`
    #[arg(long, value_name = "FILE", requires = "pair")]
    replay: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Parses a finite time, 0 or later.
fn horizon(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(time) if time >= 0.0 && time.is_finite() => Ok(time),
        _ => Err("expected a finite number, 0 or more".into()),
    }
}

/// Parses the ids of two bodies.
fn pair(text: &str) -> Result<[u64; 2], String> {
    let ids: Vec<Option<u64>> = text.split(',').map(|id| id.trim().parse().ok()).collect();
    match ids[..] {
        [Some(a), Some(b)] => Ok([a, b]),
        _ => Err("expected the ids of two bodies, such as 3,17".into()),
    }
}

/// Counts of contacts over all steps.
#[derive(Default)]
struct Totals {
    began: usize,
    ended: usize,
    seconds: f64,
}

/// Reads a scene, finds its contacts at every step, and writes them.
pub fn run(options: &ContactOptions, console: &Console) -> Result<(), Failure> {
    let mut series = match &options.out {
        Some(path) => Series::new(path, FORMATS)?,
        None => None,
    };
    let out = options.out.as_deref().filter(|_| series.is_none());
    let inputs = || [&options.scene].into_iter().chain(&options.poses);
    let target = Target::new(out, FORMATS, options.json, inputs())?;
    if let Some(path) = &options.replay {
        if path.as_os_str() == "-" {
            let expected = "found -, expected a file: the query of a pair is not text";
            return Err(Failure::Input(format!("--replay: {expected}")));
        }
        inputs().try_for_each(|input| files::check_other(path, input))?;
        if options.out.as_ref() == Some(path) {
            let file = path.display();
            return Err(Failure::Input(format!(
                "{file}: found it as -o and --replay, expected two files"
            )));
        }
    }
    let mut times = Times::default();
    let Input {
        mut scene,
        names,
        steps,
        accelerations,
    } = input::read(options, &mut times, console)?;
    let numbers: Vec<i64> = steps.iter().map(|step| step.step).collect();
    let targets = match &mut series {
        Some(series) => series.targets(&numbers, inputs())?,
        None => Vec::new(),
    };
    let mut totals = Totals::default();
    let last = steps.len().saturating_sub(1);
    let work = || -> Result<(), Failure> {
        for (i, step) in steps.iter().enumerate() {
            let file = options.scene.display();
            let at = |error: tangere::Error| match steps.len() {
                1 => Failure::of_file(&file.to_string(), &error),
                _ => Failure::of_file(&format!("{file}: step {}", step.step), &error),
            };
            scene.set_poses(&step.ids, &step.poses).map_err(at)?;
            let (updated, seconds) = console.timed("finding contacts", || scene.update());
            updated.map_err(at)?;
            totals.seconds += seconds;
            let contacts = scene.contacts().iter();
            totals.began += contacts.filter(|c| c.event == Event::Began).count();
            totals.ended += scene.ended().len();
            if options.verify {
                verify(&scene, console)?;
            }
            let target = targets.get(i).or(target.as_ref().filter(|_| i == last));
            if let Some(target) = target {
                write(&scene, &names, target, console)?;
            }
        }
        if let (Some(pair), Some(path)) = (options.pair, &options.replay) {
            let bytes = scene
                .replay(pair)
                .map_err(|e| Failure::of_file("--pair", &e))?;
            tangere_io::write_bytes(path, &bytes).map_err(Failure::writing)?;
            console.note(format_args!(
                "wrote {}, for `tangere replay`",
                path.display()
            ));
        }
        if let Some(series) = &series {
            let times: Vec<f64> = numbers.iter().map(|&step| step as f64).collect();
            series.finish(&targets, &times)?;
        }
        Ok(())
    };
    tangere_io::write_together(work, Failure::writing)?;
    let mut summary = summary(&scene, &totals, options, steps.len());
    if let Some(horizon) = options.sleep_until {
        let pairs = scene.sleep_until(horizon, accelerations);
        let file = options.scene.display().to_string();
        let pairs = pairs.map_err(|error| Failure::of_file(&file, &error))?;
        add_sleep(&mut summary, &pairs, horizon);
    }
    let [read, setup, _] = times.seconds();
    let seconds = json!({ "read": read, "setup": setup, "query": totals.seconds });
    summary
        .member("seconds", seconds)
        .line("read", text::seconds(read))
        .line("set-up", text::seconds(setup))
        .line("query", text::seconds(totals.seconds));
    if let Some(series) = &series {
        let words = format!("{} of {}", text::count(targets.len() as u64), series.name());
        summary.both("files", targets.len(), "files", words);
    }
    summary.below(&listed(&scene, &names));
    let head = options.scene.display().to_string();
    output::report(&summary, &head, options.json, target.as_ref(), console)
}

/// Compares the contacts with brute force.
fn verify(scene: &Scene, console: &Console) -> Result<(), Failure> {
    let differences = console.timed("comparing", || scene.verify()).0?;
    if differences.is_empty() {
        return Ok(());
    }
    let listed = differences.iter().take(DIFFERENCES);
    let listed: Vec<String> = listed.map(ToString::to_string).collect();
    let count = text::counted(differences.len(), "difference", "differences");
    Err(Failure::internal(format!(
        "{count} from brute force: {}",
        listed.join("; ")
    )))
}

/// Returns the contact number `i` of a scene, with the names of its bodies.
fn named(scene: &Scene, names: &input::Names, i: usize) -> NamedContact {
    let contact = scene.contacts()[i];
    let name = |id: u64| names.get(&id).cloned().unwrap_or_default();
    NamedContact {
        names: [name(contact.a), name(contact.b)],
        ..NamedContact::new(scene, contact)
    }
}

/// Writes the contacts of the last update.
fn write(
    scene: &Scene,
    names: &input::Names,
    target: &Target,
    console: &Console,
) -> Result<(), Failure> {
    let row = |i: usize| named(scene, names, i);
    let count = scene.contacts().len();
    let table = Table::made(CONTACT, count, &row);
    let drawn = || {
        let points = (0..count).map(|i| NamedContact::new(scene, scene.contacts()[i]).point());
        let mut data = PolyData::from_points(points.collect());
        data.point_data = table.fields();
        let place = |field: &Field| DRAWN.iter().position(|name| *name == field.name);
        data.point_data.sort_by_key(place);
        data
    };
    target.write_drawn(&table, drawn, console)
}

/// Returns the summary of the contacts. The names of its entries do not change between versions.
fn summary(scene: &Scene, totals: &Totals, options: &ContactOptions, steps: usize) -> Summary {
    let mut summary = Summary::default();
    let contacts = scene.contacts();
    let deepest = contacts.iter().map(|c| c.contact.gap).reduce(f64::min);
    let deepest_text = deepest.map_or("none".into(), text::number);
    let hash = format!("{:016x}", scene.state_hash());
    summary
        .count("bodies", scene.len())
        .count("candidates", scene.candidate_count())
        .count("contacts", contacts.len())
        .tally(
            "statuses",
            &ContactStatus::ALL,
            ContactStatus::name,
            contacts.iter().map(|c| c.contact.status),
        )
        .both(
            "deepest_gap",
            deepest.map_or(Value::Null, Value::from),
            "deepest gap",
            deepest_text,
        )
        .both("state_hash", hash.clone(), "state hash", hash);
    if options.poses.is_some() {
        let counts = json!({ "count": steps, "began": totals.began, "ended": totals.ended });
        let words = format!(
            "{}, in which {} began and {} ended",
            text::count(steps as u64),
            text::counted(totals.began, "contact", "contacts"),
            text::count(totals.ended as u64)
        );
        summary.both("steps", counts, "steps", words);
    }
    if options.verify {
        summary.both("verified", true, "verified", "equal to brute force");
    }
    summary
}

/// Adds the pairs that may touch before the horizon to the summary.
fn add_sleep(summary: &mut Summary, pairs: &[PairSleep], horizon: f64) {
    let until = pairs.first().map_or(horizon, |pair| pair.until);
    let rows = pairs.iter().map(|pair| object(PAIR_SLEEP, pair));
    let rows: Vec<Value> = rows.collect();
    let words = match pairs.first() {
        None => format!("no new contact before {}", text::number(horizon)),
        Some(first) => format!(
            "no new contact before {} (bodies {} and {}); {} may touch before {}",
            text::number(until),
            first.a,
            first.b,
            text::counted(pairs.len(), "pair", "pairs"),
            text::number(horizon)
        ),
    };
    let value = json!({ "horizon": horizon, "until": until, "pairs": rows });
    summary.both("sleep", value, "sleep", words);
}

/// Returns the text that lists the contacts, the deepest first, at most `PRINTED` of them.
fn listed(scene: &Scene, names: &input::Names) -> String {
    let count = scene.contacts().len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&i, &j| {
        let gap = |i: usize| scene.contacts()[i].contact.gap;
        gap(i).total_cmp(&gap(j)).then(i.cmp(&j))
    });
    let mut text = String::new();
    if count == 0 {
        text += "\nNothing touches.\n";
    }
    for &i in order.iter().take(PRINTED) {
        let NamedContact {
            contact,
            names: [a, b],
            ..
        } = named(scene, names, i);
        let found = &contact.contact;
        text += &format!(
            "\n{} ({}): {a}, {} and {b}, {}, at {}",
            text::number(found.gap),
            found.status.name(),
            found.feature_a,
            found.feature_b,
            found.point_a.map(text::number).join(", ")
        );
    }
    if count > PRINTED {
        text += &format!("\nand {} more", text::count((count - PRINTED) as u64));
    }
    text + "\n"
}
