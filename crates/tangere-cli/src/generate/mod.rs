//! `tangere generate`: generators of surfaces and particles.

mod particles;

use crate::arguments::{numbers, whole};
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{self, Output};
use clap::{Args, Subcommand};
use particles::{Crystal, Particles, write_crystal, write_particles};
use serde_json::{Value, json};
use std::path::PathBuf;
use tangere::generate;
use tangere::shape::TriMesh;
use tangere_front::answer::Summary;
use tangere_front::text;
use tangere_io::ShapeFormat;

const EXAMPLES: &str = "\
Examples:
  tangere generate sphere --level 5 -o sphere.stl
  tangere generate foam --triangles 121000 --seed 7 -o foam.ply
  tangere generate particles --dim 2 --count 100000 --sizes log --diameters 0.001,0.1 -o discs.npy
  tangere generate particles --count 10 | column -s, -t

The same arguments give the same numbers on every machine. All surfaces except the plate are closed. \
Vertices are representable in 32 bits, unless the size of a box or a plate is not, so that STL \
loses nothing.";

/// Maximum number of triangles that a generated shape may have.
const TRIANGLES_MAX: u64 = 1 << 27;

/// Generate a surface or particles from a few numbers
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
        #[command(flatten)]
        seed: Seed,
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
        #[command(flatten)]
        seed: Seed,
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
    Particles(Particles),
    /// Equal discs or spheres in the unit box, which do not overlap: a row of centre and radius for
    /// each
    Crystal(Crystal),
}

#[derive(Args, Debug)]
struct Seed {
    /// The seed of the random numbers
    #[arg(long, default_value_t = 0, allow_negative_numbers = true,
          value_parser = |text: &str| whole::<u64>(text, 0, u64::MAX))]
    seed: u64,
}

#[derive(Args, Debug)]
struct MeshOut {
    /// The file to write: .stl, .ply, .obj, .off, .vtp or .vtu; - for standard output
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// The format of standard output, where FILE is -
    #[arg(long, value_parser = files::format_parser())]
    format: Option<ShapeFormat>,
    /// Print one JSON object with what was made
    #[arg(long)]
    json: bool,
}

/// Parses `N` whole numbers, each 1 or more, separated by commas. A single number stands for all
/// `N`.
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
            seed: Seed { seed },
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
        Kind::Hull {
            faces,
            seed: Seed { seed },
            out,
        } => mesh("hull", json!({ "seed": seed }), out, &|| {
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
        Kind::Particles(options) if options.common.dim == 2 => {
            write_particles::<2>(options, console)
        }
        Kind::Particles(options) => write_particles::<3>(options, console),
        Kind::Crystal(options) if options.common.dim == 2 => write_crystal::<2>(options, console),
        Kind::Crystal(options) => write_crystal::<3>(options, console),
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
    let triangles = mesh.faces().len();
    let mut summary = Summary::default();
    summary
        .member("kind", kind)
        .extend(settings, Vec::new())
        .member("vertices", mesh.vertices().len())
        .member("triangles", triangles)
        .member("rounding", rounding)
        .member("file", &*output.name())
        .member("format", format.name())
        .member("seconds", json!({ "generate": made, "write": written }));
    let what = text::counted(triangles, "triangle", "triangles");
    output.report(&summary, &what, made + written, out.json, console)
}
