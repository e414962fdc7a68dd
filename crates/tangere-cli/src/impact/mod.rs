//! `tangere impact`: when?

mod input;
mod output;
mod told;

use crate::arguments::{number, whole};
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::question::Times;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use output::ImpactFormat;
use std::path::PathBuf;
use tangere::impact::hierarchy::{Construction, HierarchySettings, Volume};
use tangere::impact::{EngineSettings, FirstContactSettings, Refinement};

const EXAMPLES: &str = "\
Examples:
  tangere impact scene.toml
  tangere impact scene.toml --until 3 --json
  tangere impact scene.toml -o impacts.csv
  tangere impact scene.toml --volume ball --hierarchy bottom-up --json

A scene is a TOML file of bodies, where they are and how they move:

  until = 20.0
  step = 0.05
  [[body]]
  name = \"left\"
  shape = { sphere = { level = 4 } }     # or { file = \"part.stl\", scale = 0.001 }
  position = [0, 0, 0]                   # rotation = [w, x, y, z]
  velocity = [50, 0, 86.6]               # spin = [..]
  acceleration = [0, 0, -9.81]

Told is the first contact of each pair of bodies, in the order of time; bodies go
on as if nothing had happened. early and late bound the time of contact: nothing
touches before early, and if the certificate is exact or bracket, they have
touched by late. touching: they graze, slide or rest, late is infinite (null in
JSON). overlap: they overlap at the start.

Wake-ups are the times at which there was something to do: of a scene with a step
the steps within which something might touch, otherwise every predicted time.
Counts are those of aragon2013, eq. 19: predicted meetings of bodies (trajectory),
bodies moved to another time (update), pairs of volumes (volume) and of faces
(primitive).";

/// Tell when bodies of a scene first touch, and where
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ImpactOptions {
    /// The scene: a TOML file
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    /// Look no further than this time [default: that of the scene]
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = positive)]
    until: Option<f64>,
    /// End with the first contact
    #[arg(long)]
    first: bool,
    /// The distance that counts as contact
    #[arg(long, value_name = "H", default_value_t = 0.0, allow_hyphen_values = true,
          value_parser = distance)]
    separation: f64,
    /// Which volumes are compared
    #[arg(long, value_name = "VOLUME", default_value_t = Volume::Box.name(),
          value_parser = PossibleValuesParser::new(Volume::ALL.map(Volume::name)).map(|name| {
              Volume::ALL.into_iter().map(Volume::name).find(|n| *n == name).unwrap_or_default()
          }))]
    volume: &'static str,
    /// How hierarchies of volumes are made
    #[arg(long, value_name = "WAY", default_value_t = Construction::TopDown.name(),
          value_parser = PossibleValuesParser::new(Construction::ALL.map(Construction::name)).map(|name| {
              Construction::ALL.into_iter().map(Construction::name).find(|n| *n == name).unwrap_or_default()
          }))]
    hierarchy: &'static str,
    /// Volumes have so many parts at most
    #[arg(long, value_name = "K", default_value_t = HierarchySettings::default().branching,
          value_parser = |text: &str| whole::<usize>(text, 2, 16))]
    branching: usize,
    /// Which volumes are put around faces before their distance is computed
    #[arg(long, value_name = "VOLUME", default_value_t = Refinement::Obb.name(),
          value_parser = PossibleValuesParser::new(Refinement::ALL.map(Refinement::name)).map(|name| {
              Refinement::ALL.into_iter().map(Refinement::name).find(|n| *n == name).unwrap_or_default()
          }))]
    refinement: &'static str,
    /// The file to write: .csv, .json or .vtp, or - for CSV to standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn positive(text: &str) -> Result<f64, String> {
    match number(text) {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        _ => Err("expected a finite number above 0".into()),
    }
}

fn distance(text: &str) -> Result<f64, String> {
    match number(text) {
        Ok(x) if x >= 0.0 && x.is_finite() => Ok(x),
        _ => Err("expected a finite number, 0 or more".into()),
    }
}

impl ImpactOptions {
    fn hierarchy(&self) -> HierarchySettings {
        let construction = Construction::ALL
            .into_iter()
            .find(|c| c.name() == self.hierarchy);
        HierarchySettings {
            construction: construction.unwrap_or_default(),
            volume: self.volume(),
            branching: self.branching,
        }
    }

    fn volume(&self) -> Volume {
        let volume = Volume::ALL.into_iter().find(|v| v.name() == self.volume);
        volume.unwrap_or_default()
    }

    fn settings(&self) -> EngineSettings {
        let refinement = Refinement::ALL
            .into_iter()
            .find(|r| r.name() == self.refinement);
        EngineSettings::default()
            .with_volume(self.volume())
            .with_refinement(refinement.unwrap_or_default())
            .with_separation(self.separation)
    }
}

/// Reads, asks, and writes.
pub fn run(options: &ImpactOptions, console: &Console) -> Result<(), Failure> {
    let format = match &options.out {
        Some(out) => {
            files::check_json(out, options.json)?;
            files::check_other(out, &options.scene)?;
            Some(ImpactFormat::of_path(out)?)
        }
        None => None,
    };
    let mut times = Times::default();
    let scene = input::read(options, &mut times, console)?;
    let settings = FirstContactSettings::default()
        .with_step(scene.step)
        .with_only_first(options.first);
    let (found, seconds) = console.timed("asking", || {
        scene.engine.first_contacts_with(scene.until, &settings)
    });
    let found = found?;
    times.query = seconds;
    let object = told::object(&scene, &found, &times);
    if let (Some(out), Some(format)) = (&options.out, format) {
        let what = format!("writing {}", out.display());
        let (written, _) = console.timed(&what, || match format {
            ImpactFormat::Standard => console.print_through(|to| output::csv(to, &scene, &found)),
            _ => output::write(out, format, &scene, &found, &object).map_err(Failure::writing),
        });
        written?;
    }
    if options.json {
        return console.print_json(&object);
    }
    let text = told::text(options, &scene, &found, &times);
    match format {
        Some(ImpactFormat::Standard) => {
            console.note(text.trim_end());
            Ok(())
        }
        _ => console.print(text),
    }
}
