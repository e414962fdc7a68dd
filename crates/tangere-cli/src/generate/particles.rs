//! `tangere generate particles` and `crystal`: discs and spheres.

use super::Seed;
use crate::arguments::{number, numbers, whole};
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{self, Output};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};
use std::path::PathBuf;
use tangere::generate::{self, ParticleBox, Sizes};
use tangere::shape::Spheres;
use tangere_front::answer::Summary;
use tangere_front::text;
use tangere_io::{ShapeFormat, TableFormat};

const PARTICLES: &str = "\
Examples:
  tangere generate particles --count 10 | column -s, -t
  tangere generate particles --dim 2 --count 100000 --sizes log --diameters 0.001,0.1 -o discs.npy
  tangere generate particles --count 100000 --contacts 2 -o spheres.npy

Centres are uniform in a box from the origin with the edge (count / density)^(1/dim). Density is \
a number density, particles per unit of area or volume, not the filled fraction. Particles may \
overlap each other and stick out of the box.";

const CRYSTAL: &str = "\
Examples:
  tangere generate crystal --count 10000 --filled 0.3 -o spheres.csv
  tangere gas spheres.csv --periodic 1,1,1 --temperature 1 --events 1e6

Centres are those of a crystal that is periodic with the unit box, face-centred cubic for spheres \
and square for discs, with vacancies if there are fewer.";

/// Options of `particles` and `crystal`.
#[derive(Args, Debug)]
pub struct Common {
    /// Discs (2) or spheres (3)
    #[arg(long, default_value_t = 3, allow_negative_numbers = true,
          value_parser = |text: &str| whole::<u8>(text, 2, 3))]
    pub dim: u8,
    /// The number of particles
    #[arg(long, default_value_t = 1000, allow_negative_numbers = true,
          value_parser = |text: &str| whole::<usize>(text, 0, u64::from(u32::MAX)))]
    count: usize,
    /// The file to write: .npy, .csv, .vtp or .vtu; without it, CSV goes to standard output
    #[arg(short, long, value_name = "FILE", required_if_eq("json", "true"))]
    out: Option<PathBuf>,
    /// Print one JSON object with what was made; needs --out
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = PARTICLES)]
pub struct Particles {
    #[command(flatten)]
    pub common: Common,
    /// The smallest and the largest diameter
    #[arg(long, value_name = "LO,HI", default_value = "0.05,0.1",
          value_parser = numbers::<2>, allow_hyphen_values = true)]
    diameters: [f64; 2],
    /// The number of particles in a unit of area or volume [default: 100 in 2D, 1000 in 3D]
    #[arg(long, value_parser = number, allow_hyphen_values = true)]
    density: Option<f64>,
    /// Instead of a density, how many others a particle touches on average
    #[arg(long, value_name = "C", value_parser = number, allow_hyphen_values = true,
          conflicts_with = "density")]
    contacts: Option<f64>,
    #[command(flatten)]
    seed: Seed,
    /// How diameters are distributed: uniform, log (as many in each octave) or
    /// volume (as much volume in each octave)
    #[arg(long, default_value_t = Sizes::Uniform,
          value_parser = PossibleValuesParser::new(["uniform", "log", "volume"])
              .try_map(|name| name.parse::<Sizes>()))]
    sizes: Sizes,
    /// The diameter of the last particle, which then lies in the middle of the box
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true)]
    huge: Option<f64>,
}

#[derive(Args, Debug)]
#[command(after_help = CRYSTAL)]
pub struct Crystal {
    #[command(flatten)]
    pub common: Common,
    /// The share of the box that they fill
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = number,
          allow_hyphen_values = true)]
    filled: f64,
}

/// Makes a crystal and writes it.
pub fn write_crystal<const D: usize>(options: &Crystal, console: &Console) -> Result<(), Failure> {
    let (count, filled) = (options.common.count, options.filled);
    let made = || {
        let made = generate::crystal::<D>(count, filled);
        made.map_err(Failure::option)
    };
    write(
        &options.common,
        "crystal",
        made,
        console,
        |crystal| json!({ "filled": filled, "radius": crystal.radii().first() }),
    )
}

/// Makes particles and writes them.
pub fn write_particles<const D: usize>(
    options: &Particles,
    console: &Console,
) -> Result<(), Failure> {
    let mut settings = ParticleBox::test_a(D, options.common.count, options.seed.seed);
    settings.diameters = options.diameters;
    settings.density = options.density.unwrap_or(settings.density);
    settings.sizes = options.sizes;
    settings.huge = options.huge;
    if let Some(contacts) = options.contacts {
        settings = settings.with_contacts(D, contacts)?;
    }
    let made = || Ok(generate::particles::<D>(&settings)?);
    write(&options.common, "particles", made, console, |_| {
        json!({
            "diameters": settings.diameters,
            "density": settings.density,
            "sizes": settings.sizes.to_string(),
            "huge": settings.huge,
            "seed": settings.seed,
            "box_edge": settings.edge(D),
        })
    })
}

/// Generates discs or spheres and writes them. Without `--out` they go to standard output as CSV;
/// `--out -` is accepted, too.
fn write<const D: usize>(
    options: &Common,
    kind: &str,
    make: impl FnOnce() -> Result<Spheres<D>, Failure>,
    console: &Console,
    settings: impl FnOnce(&Spheres<D>) -> Value,
) -> Result<(), Failure> {
    let output = options.out.as_deref().map(|path| {
        let csv = files::is_standard(path).then_some(ShapeFormat::Table(TableFormat::Csv));
        Output::new(path, csv, options.json)
    });
    let output = output.transpose()?;
    let format = output.as_ref().map(Output::table_format).transpose()?;
    let (particles, made) = console.timed(&format!("making {kind}"), make);
    let particles = particles?;
    let (Some(output), Some(format)) = (output, format) else {
        return files::print_particles(&particles, console);
    };
    let written = output.write_particles(&particles, &[], console)?;
    let mut summary = Summary::default();
    summary
        .member("kind", kind)
        .member("dimension", D)
        .extend(settings(&particles), Vec::new())
        .member("particles", particles.len())
        .member("file", &*output.name())
        .member("format", format.name())
        .member("seconds", json!({ "generate": made, "write": written }));
    let what = text::counted(particles.len(), "particle", "particles");
    output.report(&summary, &what, made + written, options.json, console)
}
