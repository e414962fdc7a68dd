//! `tangere generate`: shapes made from a few numbers.

use crate::arguments::{number, numbers, whole};
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{self, Output};
use crate::info::extend;
use crate::table;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::path::PathBuf;
use tangere::generate::{self, ParticleBox, Sizes};
use tangere::shape::TriMesh;
use tangere_io::{ShapeFormat, TableFormat};

const EXAMPLES: &str = "\
Examples:
  tangere generate sphere --level 5 -o sphere.stl
  tangere generate foam --triangles 121000 --seed 7 -o foam.ply
  tangere generate particles --dim 2 --count 100000 --sizes log --diameters 0.001,0.1 -o discs.npy
  tangere generate particles --count 10 | column -s, -t

The same arguments give the same numbers on every machine. Surfaces but the plate are closed, and
vertices are representable in 32 bits, unless the size of a box or a plate is not, so that STL
loses nothing.";

const PARTICLES: &str = "\
Examples:
  tangere generate particles --count 10 | column -s, -t
  tangere generate particles --dim 2 --count 100000 --sizes log --diameters 0.001,0.1 -o discs.npy
  tangere generate particles --count 100000 --contacts 2 -o spheres.npy

Centres are uniform in a box from the origin with the edge (count / density)^(1/dim). Density is
a number density, particles per unit of area or volume, not the filled fraction. Particles may
overlap each other and stick out of the box.";

/// The most triangles of a shape.
const TRIANGLES_MAX: u64 = 1 << 27;

/// Make a shape from a few numbers
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Generate {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    /// A unit sphere: an octahedron refined LEVEL times, 8 * 4^LEVEL triangles
    Sphere {
        /// How often the octahedron is refined, at most 12
        #[arg(long, default_value_t = 4, allow_negative_numbers = true,
              value_parser = |text: &str| whole::<u32>(text, 0, 12))]
        level: u32,
        #[command(flatten)]
        out: MeshOut,
    },
    /// An open-cell foam: one closed surface of high genus
    Foam {
        /// The number of triangles, 500 to 134217728, met within 10%
        #[arg(long, default_value_t = 29_000, allow_negative_numbers = true,
              value_parser = |text: &str| whole::<usize>(text, 500, TRIANGLES_MAX))]
        triangles: usize,
        /// The seed of the random numbers
        #[arg(long, default_value_t = 0, allow_negative_numbers = true,
              value_parser = |text: &str| whole::<u64>(text, 0, u64::MAX))]
        seed: u64,
        #[command(flatten)]
        out: MeshOut,
    },
    /// A Menger sponge
    Sponge {
        /// How often holes are cut, at most 5
        #[arg(long, default_value_t = 3, allow_negative_numbers = true,
              value_parser = |text: &str| whole::<u32>(text, 0, 5))]
        level: u32,
        #[command(flatten)]
        out: MeshOut,
    },
    /// Chazelle's polyhedron: a block with SIZE notches from above and from below
    Chazelle {
        /// The number of notches on each side, 1 to 1048574
        #[arg(long, default_value_t = 10, allow_negative_numbers = true,
              value_parser = |text: &str| whole::<u32>(text, 1, 1_048_574))]
        size: u32,
        #[command(flatten)]
        out: MeshOut,
    },
    /// A tube along a trefoil knot
    Knot {
        /// The number of triangles, met exactly; even, 100 to 134217728
        #[arg(long, default_value_t = 10_000, allow_negative_numbers = true,
              value_parser = |text: &str| whole::<usize>(text, 100, TRIANGLES_MAX))]
        triangles: usize,
        #[command(flatten)]
        out: MeshOut,
    },
    /// A convex body: the hull of random points on an ellipsoid
    Hull {
        /// The number of triangles, met exactly; even, 4 to 1048576
        #[arg(long, default_value_t = 920, allow_negative_numbers = true,
              value_parser = |text: &str| whole::<usize>(text, 4, 1 << 20))]
        faces: usize,
        /// The seed of the random numbers
        #[arg(long, default_value_t = 0, allow_negative_numbers = true,
              value_parser = |text: &str| whole::<u64>(text, 0, u64::MAX))]
        seed: u64,
        #[command(flatten)]
        out: MeshOut,
    },
    /// A box around the origin, 12 triangles or more
    Box {
        /// The lengths of its edges
        #[arg(long, value_name = "X,Y,Z", default_value = "1,1,1",
              value_parser = numbers::<3>, allow_hyphen_values = true)]
        size: [f64; 3],
        /// How often each edge is divided: three numbers, or one for all
        #[arg(long, value_name = "A,B,C", default_value = "1",
              value_parser = divisions::<3>, allow_hyphen_values = true)]
        divisions: [u32; 3],
        #[command(flatten)]
        out: MeshOut,
    },
    /// A flat rectangle around the origin across the z axis, which is an open surface
    Plate {
        /// The lengths of its edges
        #[arg(long, value_name = "X,Y", default_value = "1,1",
              value_parser = numbers::<2>, allow_hyphen_values = true)]
        size: [f64; 2],
        /// How often each edge is divided: two numbers, or one for both
        #[arg(long, value_name = "A,B", default_value = "1",
              value_parser = divisions::<2>, allow_hyphen_values = true)]
        divisions: [u32; 2],
        #[command(flatten)]
        out: MeshOut,
    },
    /// Random discs or spheres, which may overlap: a row of centre and radius for each
    #[command(after_help = PARTICLES)]
    Particles(Particles),
}

#[derive(Args, Debug)]
struct MeshOut {
    /// The file to write: .stl, .ply, .obj, .off, .vtp or .vtu; - for standard output
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// The format of standard output, where FILE is -
    #[arg(long, value_parser = files::format_parser())]
    format: Option<ShapeFormat>,
    /// Print one JSON object that tells what was made
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct Particles {
    /// Discs (2) or spheres (3)
    #[arg(long, default_value_t = 3, allow_negative_numbers = true,
          value_parser = |text: &str| whole::<u8>(text, 2, 3))]
    dim: u8,
    /// The number of particles
    #[arg(long, default_value_t = 1000, allow_negative_numbers = true,
          value_parser = |text: &str| whole::<usize>(text, 0, u64::from(u32::MAX)))]
    count: usize,
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
    /// The seed of the random numbers
    #[arg(long, default_value_t = 0, allow_negative_numbers = true,
          value_parser = |text: &str| whole::<u64>(text, 0, u64::MAX))]
    seed: u64,
    /// How diameters are distributed: uniform, log (as many in each octave) or
    /// volume (as much volume in each octave)
    #[arg(long, default_value_t = Sizes::Uniform,
          value_parser = PossibleValuesParser::new(["uniform", "log", "volume"])
              .try_map(|name| name.parse::<Sizes>()))]
    sizes: Sizes,
    /// The diameter of the last particle, which then lies in the middle of the box
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true)]
    huge: Option<f64>,
    /// The file to write: .npy, .csv, .vtp or .vtu; without it, CSV goes to standard output
    #[arg(short, long, value_name = "FILE", required_if_eq("json", "true"))]
    out: Option<PathBuf>,
    /// Print one JSON object that tells what was made; needs --out
    #[arg(long)]
    json: bool,
}

/// `N` numbers from 1 separated by commas, or one that stands for all.
fn divisions<const N: usize>(text: &str) -> Result<[u32; N], String> {
    let numbers: Option<Vec<u32>> = text
        .split(',')
        .map(|word| whole(word, 1, TRIANGLES_MAX).ok())
        .collect();
    match numbers.as_deref() {
        Some(&[all]) => Ok([all; N]),
        Some(each) => each.try_into().map_err(drop),
        None => Err(()),
    }
    .map_err(|()| format!("expected {N} whole numbers from 1 separated by commas, or one for all"))
}

/// Makes the shape and writes it.
pub fn run(options: &Generate, console: &Console) -> Result<(), Failure> {
    let mesh = |name, settings, out: &MeshOut, make: &dyn Fn() -> tangere::Result<TriMesh>| {
        write_mesh(name, settings, out, make, console)
    };
    match &options.kind {
        Kind::Sphere { level, out } => mesh("sphere", json!({ "level": level }), out, &|| {
            generate::sphere(*level)
        }),
        Kind::Foam {
            triangles,
            seed,
            out,
        } => {
            let settings = json!({ "asked_triangles": triangles, "seed": seed });
            mesh("foam", settings, out, &|| generate::foam(*triangles, *seed))
        }
        Kind::Sponge { level, out } => mesh("sponge", json!({ "level": level }), out, &|| {
            generate::sponge(*level)
        }),
        Kind::Chazelle { size, out } => mesh("chazelle", json!({ "size": size }), out, &|| {
            generate::chazelle(*size)
        }),
        Kind::Knot { triangles, out } => {
            mesh("knot", json!({}), out, &|| generate::knot(*triangles))
        }
        Kind::Hull { faces, seed, out } => mesh("hull", json!({ "seed": seed }), out, &|| {
            generate::hull(*faces, *seed)
        }),
        Kind::Box {
            size,
            divisions,
            out,
        } => {
            let settings = json!({ "size": size, "divisions": divisions });
            mesh("box", settings, out, &|| {
                generate::box_mesh(*size, *divisions)
            })
        }
        Kind::Plate {
            size,
            divisions,
            out,
        } => {
            let settings = json!({ "size": size, "divisions": divisions });
            mesh("plate", settings, out, &|| {
                generate::plate(*size, *divisions)
            })
        }
        Kind::Particles(options) if options.dim == 2 => write_particles::<2>(options, console),
        Kind::Particles(options) => write_particles::<3>(options, console),
    }
}

fn write_mesh(
    kind: &str,
    settings: Value,
    out: &MeshOut,
    make: &dyn Fn() -> tangere::Result<TriMesh>,
    console: &Console,
) -> Result<(), Failure> {
    files::check_format(out.format, &[&out.out])?;
    let output = Output::new(&out.out, out.format, out.json)?;
    let format = output.mesh_format()?;
    let (mesh, made) = console.timed(&format!("making a {kind}"), make);
    let mesh = mesh?;
    let (rounding, written) = output.write_mesh(&mesh, console)?;
    let (vertices, triangles) = (mesh.vertices().len(), mesh.faces().len());
    let what = table::counted(triangles, "triangle", "triangles");
    note(console, &output, &what, made + written);
    if !out.json {
        return Ok(());
    }
    let mut object = json!({ "kind": kind });
    extend(&mut object, settings);
    extend(
        &mut object,
        json!({
            "file": output.name(),
            "format": format.name(),
            "vertices": vertices,
            "triangles": triangles,
            "rounding": rounding,
            "seconds": { "generate": made, "write": written },
        }),
    );
    console.print_json(&object)
}

fn write_particles<const D: usize>(options: &Particles, console: &Console) -> Result<(), Failure> {
    let output = options.out.as_deref().map(|path| {
        // Without a name they go to standard output as CSV, so a bare - means that.
        let csv = (path.as_os_str() == "-").then_some(ShapeFormat::Table(TableFormat::Csv));
        Output::new(path, csv, options.json)
    });
    let output = output.transpose()?;
    let format = output.as_ref().map(Output::table_format).transpose()?;
    let mut settings = ParticleBox::test_a(D, options.count, options.seed);
    settings.diameters = options.diameters;
    settings.density = options.density.unwrap_or(settings.density);
    settings.sizes = options.sizes;
    settings.huge = options.huge;
    if let Some(contacts) = options.contacts {
        settings = settings.with_contacts(D, contacts)?;
    }
    let (particles, made) =
        console.timed("making particles", || generate::particles::<D>(&settings));
    let particles = particles?;
    let (Some(output), Some(format)) = (output, format) else {
        return console.print(files::particles_as_csv(&particles));
    };
    let written = output.write_particles(&particles, console)?;
    let what = table::counted(particles.len(), "particle", "particles");
    note(console, &output, &what, made + written);
    if !options.json {
        return Ok(());
    }
    console.print_json(&json!({
        "kind": "particles",
        "dimension": D,
        "diameters": settings.diameters,
        "density": settings.density,
        "sizes": settings.sizes.to_string(),
        "huge": settings.huge,
        "seed": settings.seed,
        "box_edge": settings.edge(D),
        "file": output.name(),
        "format": format.name(),
        "particles": particles.len(),
        "seconds": { "generate": made, "write": written },
    }))
}

fn note(console: &Console, output: &Output, what: &str, seconds: f64) {
    console.note(format_args!(
        "{}: {what} in {}",
        output.name(),
        table::seconds(seconds),
    ));
}
