//! `tangere pack`: sphere packing of a body.

use crate::arguments::{number, whole};
use crate::console::Console;
use crate::failure::Failure;
use crate::intersect::read_surface;
use crate::output::{self, Target};
use crate::times::Times;
use clap::Args;
use std::path::{Path, PathBuf};
use tangere::overlap::pack::{MeshContainer, PackSettings, pack_with_progress};
use tangere::shape::{Packing, TriMesh};
use tangere_front::answer::{Format, Summary};
use tangere_front::inputs::overlap::with_default_limit;
use tangere_front::inputs::paths::is_standard;
use tangere_front::text::{self, counted};
use tangere_io::{check_packing_target, write_packing};

const EXAMPLES: &str = "\
Examples:
  tangere generate knot --triangles 20000 -o knot.stl
  tangere pack knot.stl -o knot.npy
  tangere pack knot.stl --filling 0.9 -o knot.vtp --json
  tangere pack knot.stl --smallest 0.01 -o fine.npy
  tangere overlap knot.npy knot.npy --pose-b 0.5,0,0

Greedy packing: the largest sphere that fits, again and again; the first ones are then moved and \
resized together to fill more. None overlap, none leaves the body. \
It stops at whichever is reached first of the given number of spheres, filled share of the volume \
and smallest radius; at 4000 spheres if none is given. The unfilled volume falls slowly: halving it \
takes about thirty times as many spheres.

The surface must be closed and oriented outward; see `tangere info`. .npy has rows x, y, z, radius, \
largest first, then a record of the body; .vtp has points with their radius.";

/// Sphere packing: fill a body with spheres that do not overlap
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Pack {
    /// The surface of the body: STL, OBJ, PLY, OFF, VTK, VTP, VTU, MSH, MESH or INP
    #[arg(value_name = "MESH")]
    mesh: PathBuf,
    /// Stop at this number of spheres [default: 4000, if nothing else is given]
    #[arg(long, value_name = "N", allow_hyphen_values = true,
          value_parser = |text: &str| whole::<usize>(text, 1, 1 << 31))]
    spheres: Option<usize>,
    /// Stop at this filled share of the volume, above 0 and below 1
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true, value_parser = number)]
    filling: Option<f64>,
    /// Pack no spheres of smaller radius
    #[arg(long, value_name = "R", allow_hyphen_values = true, value_parser = number)]
    smallest: Option<f64>,
    /// The file to write: .npy or .vtp
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Reads a surface, packs it with spheres, and writes the packing.
pub fn run(options: &Pack, console: &Console) -> Result<(), Failure> {
    if !is_standard(&options.out) {
        check_packing_target(&options.out).map_err(Failure::writing)?;
    }
    let out = Some(&*options.out);
    Target::new(
        out,
        &[Format::Npy, Format::Vtp],
        options.json,
        [&options.mesh],
    )?;
    let settings = PackSettings {
        spheres: options.spheres,
        filling: options.filling,
        smallest: options.smallest,
    };
    let mesh = read_surface(&options.mesh, &mut Times::default(), console)?;
    let (packing, seconds) = packed(&options.mesh, &mesh, settings, console)?;
    let what = format!("writing {}", options.out.display());
    let (written, _) = console.timed(&what, || write_packing(&options.out, &packing));
    written.map_err(Failure::writing)?;
    let radii = packing.radii().iter().copied();
    let filling = packing.filling();
    let mut summary = Summary::default();
    summary
        .count("spheres", packing.len())
        .both(
            "filling",
            filling,
            "filling",
            format!("{:.2}%", 100.0 * filling),
        )
        .line("volume", text::number(packing.body_volume()))
        .number("smallest", radii.clone().fold(f64::INFINITY, f64::min))
        .number("largest", radii.fold(0.0, f64::max))
        .both("seconds", seconds, "packed in", text::seconds(seconds));
    let head = format!("{} into {}", options.mesh.display(), options.out.display());
    output::report(&summary, &head, options.json, None, console)
}

/// Packs a surface with spheres, with a progress bar; returns the packing and the seconds it took.
pub fn packed(
    path: &Path,
    mesh: &TriMesh,
    settings: PackSettings,
    console: &Console,
) -> Result<(Packing, f64), Failure> {
    let what = format!("packing {}", path.display());
    let (packing, seconds) = console.timed_with_bar(&what, |progress| {
        pack_with_progress(
            &mut MeshContainer::new(mesh)?,
            &with_default_limit(settings),
            progress,
        )
    });
    let packing = packing.map_err(|error| not_solid(path, &error))?;
    Ok((packing, seconds))
}

/// Returns the failure of a file whose surface bounds no solid, or of the work on it.
pub fn not_solid(path: &Path, error: &tangere::Error) -> Failure {
    let path = path.display();
    match error {
        tangere::Error::Surface { report, .. } if report.boundary_edges > 0 => {
            let edges = counted(report.boundary_edges, "boundary edge", "boundary edges");
            Failure::Input(format!(
                "{path}: not closed: {edges}; see `tangere info {path}`; \
                 `tangere convert {path} OUT --close` fills holes"
            ))
        }
        tangere::Error::Surface { .. } => {
            Failure::Input(format!("{path}: {error}; see `tangere info {path}`"))
        }
        error => Failure::of_file(&path.to_string(), error),
    }
}
