//! `tangere convert`: conversion of formats, transformation and repair of surfaces and particles.

mod dump;
mod particles;
mod points;
mod surface;

use crate::arguments::{List, list, not_negative, number, rotation};
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{self, Output};
use crate::times::Times;
use clap::Args;
use nalgebra::UnitQuaternion;
use std::path::{Path, PathBuf};
use tangere::geometry::{Pose, Similarity};
use tangere::shape::DEFAULT_HOLE_EDGES;
use tangere_front::inputs::gas::in_space;
use tangere_front::inputs::shape::format_of;
use tangere_io::{MeshFormat, Shape, ShapeFormat};

const EXAMPLES: &str = "\
Examples:
  tangere convert part.stl part.ply
  tangere convert part.stl part.vtp --scale 0.001 --rotate x:90 --translate 0,0,-1.5
  tangere convert scan.obj scan.stl --weld 1e-6 --orient --close
  tangere convert particles.npy particles.vtp --scale 0.001
  tangere convert run.dump -o run.pvd
  tangere convert run.dump -o last.csv --step 5000
  tangere convert atoms.dump -o atoms.pvd --radius 0.5
  tangere convert part.stl - --format obj | grep -c ^v

Repairs come first, in the units of IN: --weld, --orient, then --close. Scaling and rotation about the \
origin and translation follow.

Polygons are triangulated, and vertices at equal coordinates merged. Of a surface only the geometry is kept: \
no fields, normals, texture coordinates, colours or materials. STL is written in binary, which \
rounds coordinates to 32 bits; a surface that this would damage is refused. Volume elements \
(MSH, MESH, INP, VTK, VTU) become their boundary; curved faces are cut at their nodes, so that \
the triangles pass through all of them.

Particles are rows of centre and radius; see `tangere info --help`. Discs can be scaled and \
translated by X,Y, spheres be rotated as well. CSV, VTP and VTU files keep the other columns (of integers \
with all digits), those of particles that are moved only id, type, mol, group and mask; NPY files have centres and radii. \
Points of VTP and VTU files without radii stay points, unless --radius makes them particles.

Of a LAMMPS dump, --frame or --step chooses a frame, unless it has only one. All frames are written \
to a series (.pvd, with a .vtp file for each frame) or to files with {step} or {frame} in their \
names. CSV, VTP and VTU files keep all columns of numbers, those that are moved only the ids, types \
and other integers; NPY files have centres and radii. Integers keep all their digits. A dump without \
radii needs --radius.";

/// Convert a surface or particles to another format; move, scale and repair them
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Convert {
    /// The input: a surface (STL, OBJ, PLY, OFF, VTK, VTP, VTU, MSH, MESH or INP) or
    /// particles (NPY, CSV, VTP, VTU or a LAMMPS dump); - for standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write: .stl, .ply, .obj, .off, .vtp or .vtu; of particles .npy, .csv, .vtp or
    /// .vtu, of a LAMMPS dump also .pvd; - for standard output
    #[arg(value_name = "OUT", required_unless_present = "out")]
    output: Option<PathBuf>,
    /// The same as OUT
    #[arg(short, long, value_name = "FILE", conflicts_with = "output")]
    out: Option<PathBuf>,
    /// The format of standard input or output, where IN or OUT is -
    #[arg(long, value_parser = files::format_parser())]
    format: Option<ShapeFormat>,
    /// Multiply all coordinates; a negative number mirrors
    #[arg(long, value_name = "S", value_parser = number, allow_hyphen_values = true)]
    scale: Option<f64>,
    /// Rotate: an axis (x, y, z or three numbers), then :degrees (x:90, 1,1,0:30), or a quaternion
    /// (w,x,y,z)
    #[arg(long, value_name = "R", value_parser = rotation, allow_hyphen_values = true)]
    rotate: Option<UnitQuaternion<f64>>,
    /// Translate
    #[arg(long, value_name = "X,Y,Z", value_parser = list, allow_hyphen_values = true)]
    translate: Option<List>,
    /// Merge vertices at most TOL apart, and drop triangles that collapse
    #[arg(long, value_name = "TOL", value_parser = number, allow_hyphen_values = true)]
    weld: Option<f64>,
    /// Orient triangles consistently, with outward normals on closed surfaces
    #[arg(long)]
    orient: bool,
    /// Write this frame of a LAMMPS dump, counted from 0
    #[arg(long, value_name = "N", conflicts_with = "step")]
    frame: Option<usize>,
    /// Write the first frame of a LAMMPS dump at this time step
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    step: Option<i64>,
    /// The radius of all atoms of a LAMMPS dump, whose columns of radii are ignored, or of points
    /// without radii of a VTP or VTU file
    #[arg(long, value_name = "R", value_parser = not_negative, allow_hyphen_values = true)]
    radius: Option<f64>,
    /// Fill holes of at most --max-hole edges, each by the triangulation of least area
    #[arg(long)]
    close: bool,
    /// The largest number of edges of a hole that --close fills
    #[arg(long, value_name = "N", default_value_t = DEFAULT_HOLE_EDGES, requires = "close")]
    max_hole: usize,
    /// Print one JSON object with what was done
    #[arg(long)]
    json: bool,
}

/// Reads a shape, repairs and transforms it, and writes it.
pub fn run(options: &Convert, console: &Console) -> Result<(), Failure> {
    // One of both is given: the parser requires it.
    let out = options.output.as_ref().or(options.out.as_ref());
    let out = out.map_or(Path::new("-"), PathBuf::as_path);
    files::check_format(options.format, &[&options.input, out])?;
    if tangere_io::is_dump(&options.input) {
        return dump::convert(options, out, console);
    }
    for (name, is_given) in [
        ("--frame", options.frame.is_some()),
        ("--step", options.step.is_some()),
    ] {
        if is_given {
            let input = files::input_name(&options.input);
            let message = format!("{name}: found {input}, expected a LAMMPS dump");
            return Err(Failure::Input(message));
        }
    }
    let output = Output::new(out, options.format, options.json)?;
    // A surface for a particle format, or the reverse, is refused before any work; VTP and VTU
    // hold either.
    match format_of(&options.input, options.format) {
        Ok(ShapeFormat::Mesh(MeshFormat::Vtp | MeshFormat::Vtu)) | Err(_) => {}
        Ok(ShapeFormat::Mesh(_)) => drop(output.mesh_format()?),
        Ok(_) => drop(output.table_format()?),
    }
    let mut times = Times::default();
    let shape = files::read(&options.input, options.format, &mut times, console)?;
    match shape {
        Shape::Surface(loaded) => {
            check_no_radius(options, "a surface")?;
            surface::convert(options, loaded, &output, times.read, console)
        }
        Shape::Particles(loaded) => {
            check_no_radius(options, "particles with radii")?;
            particles::convert(options, loaded, &output, times.read, console)
        }
        Shape::Points(loaded) => match options.radius {
            Some(radius) => {
                let input = files::input_name(&options.input);
                let loaded = loaded.with_radius(radius);
                let loaded = loaded.map_err(|error| Failure::of_file(&input, &error))?;
                particles::convert(options, loaded, &output, times.read, console)
            }
            None => points::convert(options, loaded, &output, times.read, console),
        },
    }
}

/// Returns an error if `--radius` is given for `found`, which needs none.
fn check_no_radius(options: &Convert, found: &str) -> Result<(), Failure> {
    match options.radius {
        None => Ok(()),
        Some(_) => {
            let input = files::input_name(&options.input);
            let expected = "a LAMMPS dump, or points of a VTP or VTU file";
            let message = format!("--radius: found {found} in {input}, expected {expected}");
            Err(Failure::Input(message))
        }
    }
}

/// Returns an error if an option is given that repairs surfaces.
fn check_no_repairs(options: &Convert) -> Result<(), Failure> {
    for (name, is_given) in [
        ("--weld", options.weld.is_some()),
        ("--orient", options.orient),
        ("--close", options.close),
    ] {
        if is_given {
            let input = files::input_name(&options.input);
            let message = format!("{name}: found particles in {input}, expected a surface");
            return Err(Failure::Input(message));
        }
    }
    Ok(())
}

/// Prints a note that names the contents of the input file that the output does not keep.
fn note_unkept(unkept: &[String], console: &Console) {
    if !unkept.is_empty() {
        console.note(format_args!("not kept: {}", unkept.join(", ")));
    }
}

/// Returns the requested transformation, or `None` if no option asks for one. Discs must stay in
/// their plane: for dimension 2, `--rotate` is an error.
fn motion(options: &Convert, dimension: usize) -> Result<Option<Similarity>, Failure> {
    if let (None, None, None) = (options.scale, options.rotate, &options.translate) {
        return Ok(None);
    }
    if options.rotate.is_some() && dimension == 2 {
        let message = "--rotate: found discs, expected spheres or a surface";
        return Err(Failure::Input(message.into()));
    }
    let translation = match &options.translate {
        None => [0.0; 3],
        Some(List(numbers)) if dimension == 2 && matches!(numbers[..], [_, _, 0.0]) => {
            in_space(numbers)
        }
        Some(list) => in_space(list.take("--translate", 1, dimension)?),
    };
    let pose = match options.rotate {
        Some(rotation) => Pose::new(rotation, translation)?,
        None => Pose::from_translation(translation)?,
    };
    Ok(Some(Similarity::new(options.scale.unwrap_or(1.0), pose)?))
}
