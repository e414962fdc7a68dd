//! `tangere impact`: continuous collision detection of a scene.

mod input;

use crate::arguments::{chosen, not_negative, whole};
use crate::console::Console;
use crate::failure::Failure;
use crate::output::{self, Target};
use crate::times::Times;
use clap::Args;
use input::Scene;
use std::path::PathBuf;
use tangere::contact::Feature;
use tangere::impact::hierarchy::{Construction, HierarchySettings, Volume};
use tangere::impact::{EngineSettings, FirstContactSettings, FirstContacts, Refinement};
use tangere_front::answer::{Format, Summary, Table};
use tangere_front::answers::impact::{CONTACT, COUNTS, Event};
use tangere_front::inputs::bodies::HIERARCHY;
use tangere_front::text;
use tangere_io::vtk::{Field, PolyData};

/// File formats in which `tangere impact` writes contacts.
const FORMATS: &[Format] = &[Format::Csv, Format::Npy, Format::Json, Format::Vtp];

/// The fields of a contact in VTP files, in their order, which does not change between versions.
const DRAWN: [&str; 8] = [
    "time", "late", "gap", "a", "b", "face_a", "face_b", "normal",
];

/// Maximum number of contacts that the printed summary lists; output files contain all.
const PRINTED: usize = 20;

const EXAMPLES: &str = "\
Examples:
  tangere impact scene.toml
  tangere impact scene.toml --until 3 --json
  tangere impact scene.toml -o impacts.csv
  tangere impact scene.toml --volume ball --hierarchy bottom-up --json

A scene is a TOML file of bodies, their poses and motions:

  until = 20.0
  step = 0.05
  [[body]]
  name = \"left\"
  shape = { sphere = { level = 4 } }     # or { file = \"part.stl\", scale = 0.001 }
  position = [0, 0, 0]                   # rotation = [w, x, y, z]
  velocity = [50, 0, 86.6]               # spin = [..]
  acceleration = [0, 0, -9.81]

Reports the first contact of each pair of bodies, in order of time; bodies go on as \
if nothing had happened. early and late bound the time of impact: nothing touches \
before early, and if the certificate is exact or bracket, they have touched by \
late. touching: they graze, slide or rest, late is infinite (null in \
JSON). overlap: they overlap at the start. A search that uses up its --work ends \
as incomplete (complete and searched in JSON): nothing else touches before searched.

Wake-ups are the times at which the engine had work: in a scene with a step the \
steps in which a contact is possible, otherwise every predicted time. \
Counts are those of aragon2013, eq. 19: predicted meetings of bodies (trajectory), \
bodies moved to another time (update), pairs of volumes (volume) and of faces \
(primitive).";

/// Continuous collision detection: time of impact and contacts of the bodies of a scene
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ImpactOptions {
    /// The scene: a TOML file
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    /// Follow symbolic links of the scene that lead out of its folder
    #[arg(long)]
    follow_links: bool,
    /// Search until this time [default: that of the scene]
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = positive)]
    until: Option<f64>,
    /// Stop at the first contact
    #[arg(long)]
    first: bool,
    /// The distance that counts as contact
    #[arg(long, value_name = "H", default_value_t = 0.0, allow_hyphen_values = true,
          value_parser = not_negative)]
    separation: f64,
    /// The bounding volumes of the hierarchy
    #[arg(long, value_name = "VOLUME", default_value = HIERARCHY.volume.name(),
          value_parser = chosen(Volume::ALL, Volume::name))]
    volume: Volume,
    /// The construction of the bounding volume hierarchy (BVH)
    #[arg(long, value_name = "WAY", default_value = HIERARCHY.construction.name(),
          value_parser = chosen(Construction::ALL, Construction::name))]
    hierarchy: Construction,
    /// The branching factor of the hierarchy
    #[arg(long, value_name = "K", default_value_t = HIERARCHY.branching,
          value_parser = |text: &str| whole::<usize>(text, 2, 16))]
    branching: usize,
    /// The bounding volumes of faces, tested before their exact distance
    #[arg(long, value_name = "VOLUME", default_value = Refinement::Obb.name(),
          value_parser = chosen(Refinement::ALL, Refinement::name))]
    refinement: Refinement,
    /// The most work from one contact to the next: 1 for a pair of volumes, 8 for one of faces
    #[arg(long, value_name = "N", default_value_t = EngineSettings::default().work,
          value_parser = |text: &str| whole::<u64>(text, 1, u64::MAX))]
    work: u64,
    /// The file to write: .csv, .npy, .json or .vtp, or - for CSV to standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn positive(text: &str) -> Result<f64, String> {
    let found = not_negative(text).ok().filter(|x| *x > 0.0);
    found.ok_or_else(|| "expected a finite number above 0".into())
}

impl ImpactOptions {
    fn hierarchy(&self) -> HierarchySettings {
        HierarchySettings {
            construction: self.hierarchy,
            volume: self.volume,
            branching: self.branching,
        }
    }

    fn settings(&self) -> EngineSettings {
        EngineSettings::default()
            .with_volume(self.volume)
            .with_refinement(self.refinement)
            .with_separation(self.separation)
            .with_work(self.work)
    }
}

/// Reads a scene, finds first contacts, and writes them.
pub fn run(options: &ImpactOptions, console: &Console) -> Result<(), Failure> {
    let out = options.out.as_deref();
    let target = Target::new(out, FORMATS, options.json, [&options.scene])?;
    let mut times = Times::default();
    let scene = input::read(options, &mut times, console)?;
    let settings = FirstContactSettings::default()
        .with_step(scene.step)
        .with_only_first(options.first);
    let query = || scene.engine.first_contacts_with(scene.until, &settings);
    let found = console.timed("querying", || times.query(query)).0?;
    let name = |body: u32| scene.names[body as usize].clone();
    let events = found.contacts.iter().map(|&contact| Event {
        contact,
        names: [name(contact.a), name(contact.b)],
    });
    let events: Vec<Event> = events.collect();
    let table = Table::new(CONTACT, &events);
    let summary = summary(&scene, &found, &table, &times);
    if let Some(target) = &target {
        let drawn = || {
            let mut data = PolyData::from_points(events.iter().map(Event::point).collect());
            data.point_data = table.fields();
            let place = |field: &Field| DRAWN.iter().position(|name| *name == field.name);
            data.point_data.sort_by_key(place);
            data
        };
        target.write(&table, || summary.json(), drawn, console)?;
    }
    if !found.is_complete {
        // Also if quiet: a list of contacts alone does not show that it may not be whole.
        let at = text::number(found.searched);
        let scene = options.scene.display();
        eprintln!("{scene}: unresolved: the limit of work ended the search at {at}; raise --work");
    }
    let head = options.scene.display().to_string();
    let mut shown = summary.clone();
    shown.below(&listed(&scene, &found, &events));
    output::report(&shown, &head, options.json, target.as_ref(), console)
}

/// Returns the summary of the contacts. The names of its entries do not change between versions.
fn summary(scene: &Scene, found: &FirstContacts, events: &Table<Event>, times: &Times) -> Summary {
    let mut summary = Summary::default();
    let counts = [found.counts];
    let counts = Table::new(COUNTS, &counts);
    let count = |n: usize| text::count(n as u64);
    summary
        .line("bodies", count(scene.names.len()))
        .both(
            "events",
            events.json(),
            "contacts",
            count(found.contacts.len()),
        )
        .both(
            "wakeups",
            found.wakeups.clone(),
            "wake-ups",
            count(found.wakeups.len()),
        );
    for object in counts.json() {
        summary.member("counts", object);
    }
    for (label, text) in counts.lines(0) {
        summary.line(label, text);
    }
    summary
        .member("bodies", scene.names.clone())
        .member("until", scene.until)
        .member("searched", found.searched)
        .member("complete", found.is_complete);
    if !found.is_complete {
        let at = format!("at {}, before the end", text::number(found.searched));
        summary.line("incomplete", at);
    }
    times.add_to(&mut summary);
    summary
}

/// Returns the text that lists the first contacts, one per line, and at most `PRINTED` of them.
fn listed(scene: &Scene, found: &FirstContacts, events: &[Event]) -> String {
    let mut text = String::new();
    if events.is_empty() {
        text += &format!(
            "\nNothing touches until {}.\n",
            text::number(found.searched)
        );
    }
    for event in events.iter().take(PRINTED) {
        // A ball has no features besides itself.
        let named = |i: u32, name: &String, feature: Feature| {
            let body = scene.engine.body(i as usize);
            match body.is_ok_and(|body| body.shape().radius() > 0.0) {
                true => name.clone(),
                false => format!("{name}, {feature}"),
            }
        };
        let (contact, [a, b]) = (&event.contact, &event.names);
        text += &format!(
            "\n{:.15} ({}): {} and {}, at {}",
            contact.early,
            contact.certificate.name(),
            named(contact.a, a, contact.feature_a),
            named(contact.b, b, contact.feature_b),
            event.point().map(text::number).join(", ")
        );
    }
    if events.len() > PRINTED {
        let rest = (events.len() - PRINTED) as u64;
        text += &format!("\nand {} more", text::count(rest));
    }
    text + "\n"
}
