//! `tangere convert`: conversion of formats, transformation and repair of surfaces and particles.

use crate::arguments::{List, list, number, rotation};
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{self, Output};
use crate::times::Times;
use clap::Args;
use nalgebra::UnitQuaternion;
use serde_json::json;
use std::path::PathBuf;
use tangere::geometry::{Pose, Similarity};
use tangere::shape::{Spheres, TriMesh};
use tangere_front::answer::Summary;
use tangere_front::inputs::gas::in_space;
use tangere_front::inputs::shape::format_of;
use tangere_front::text::counted;
use tangere_io::{LoadedMesh, LoadedParticles, MeshFormat, Particles, Shape, ShapeFormat};

const EXAMPLES: &str = "\
Examples:
  tangere convert part.stl part.ply
  tangere convert part.stl part.vtp --scale 0.001 --rotate x:90 --translate 0,0,-1.5
  tangere convert scan.obj scan.stl --weld 1e-6 --orient
  tangere convert particles.npy particles.vtp --scale 0.001
  tangere convert part.stl - --format obj | grep -c ^v

Repairs come first, in the units of IN: --weld, then --orient. Scaling and rotation about the
origin and translation follow.

Polygons are triangulated, and vertices at equal coordinates merged. Only the geometry is kept:
no fields, normals, texture coordinates, colours or materials. STL is written in binary, which
rounds coordinates to 32 bits; a surface that this would damage is refused. Volume elements
(MSH, MESH, INP, VTK, VTU) become their boundary; curved faces are cut at their nodes, so that
the triangles pass through all of them.

Particles are rows of centre and radius; see `tangere info --help`. Discs can be scaled and
translated by X,Y, spheres be rotated as well.";

/// Convert a surface or particles to another format; move, scale and repair them
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Convert {
    /// The input: a surface (STL, OBJ, PLY, OFF, VTK, VTP, VTU, MSH, MESH or INP) or
    /// particles (NPY, CSV, VTP or VTU); - for standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write: .stl, .ply, .obj, .off, .vtp or .vtu; of particles .npy, .csv, .vtp or
    /// .vtu; - for standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// The format of standard input or output, where IN or OUT is -
    #[arg(long, value_parser = files::format_parser())]
    format: Option<ShapeFormat>,
    /// Multiply all coordinates; a negative number mirrors
    #[arg(long, value_name = "S", value_parser = number, allow_hyphen_values = true)]
    scale: Option<f64>,
    /// Rotate: x, y, z or three numbers, then :degrees (x:90, -z:45, 1,1,0:30), or a quaternion
    /// w,x,y,z
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
    /// Print one JSON object with what was done
    #[arg(long)]
    json: bool,
}

/// Reads a shape, repairs and transforms it, and writes it.
pub fn run(options: &Convert, console: &Console) -> Result<(), Failure> {
    files::check_format(options.format, &[&options.input, &options.output])?;
    let output = Output::new(&options.output, options.format, options.json)?;
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
        Shape::Surface(loaded) => surface(options, loaded, &output, times.read, console),
        Shape::Particles(loaded) => particles(options, loaded, &output, times.read, console),
    }
}

fn note_unkept(unkept: &[String], console: &Console) {
    if !unkept.is_empty() {
        console.note(format_args!("not kept: {}", unkept.join(", ")));
    }
}

fn surface(
    options: &Convert,
    loaded: LoadedMesh,
    output: &Output,
    read: f64,
    console: &Console,
) -> Result<(), Failure> {
    let format = output.mesh_format()?;
    let motion = motion(options, 3)?;
    let input = files::input_name(&options.input);
    let vertices = |n| counted(n, "vertex", "vertices");
    let triangles = |n| counted(n, "triangle", "triangles");
    let sizes = |mesh: &TriMesh| (mesh.vertices().len(), mesh.faces().len());
    let before = sizes(&loaded.mesh);
    let is_changed = options.weld.is_some() || options.orient || motion.is_some();
    let change = || changed(loaded.mesh, options, motion);
    let (changed, worked) = match is_changed {
        true => console.timed("repairing and moving", change),
        false => (change(), 0.0),
    };
    let changed = changed.map_err(|error| Failure::of_file(&input, &error))?;
    let (rounding, written) = output.write_mesh(&changed.mesh, console)?;

    if loaded.welded > 0 {
        let merged = vertices(loaded.welded);
        console.note(format_args!(
            "reading: {merged} merged into others at the same place"
        ));
    }
    if loaded.polygons != before.1 {
        let (polygons, cut) = (
            counted(loaded.polygons, "polygon", "polygons"),
            triangles(before.1),
        );
        console.note(format_args!("reading: {polygons} cut into {cut}"));
    }
    note_unkept(&loaded.unkept, console);
    if let (Some(merged), Some(collapsed)) = (changed.merged, changed.collapsed) {
        let (merged, collapsed) = (vertices(merged), triangles(collapsed));
        console.note(format_args!("weld: {merged} merged, {collapsed} collapsed"));
    }
    if let Some(flipped) = changed.flipped {
        console.note(format_args!("orient: {} flipped", triangles(flipped)));
    }
    let after = sizes(&changed.mesh);
    let mut summary = Summary::default();
    summary
        .member(
            "input",
            json!({
                "file": input,
                "format": loaded.format.name(),
                "vertices": before.0,
                "triangles": before.1,
                "welded_vertices": loaded.welded,
                "polygons": loaded.polygons,
                "not_kept": loaded.unkept,
            }),
        )
        .member(
            "output",
            json!({
                "file": output.name(),
                "format": format.name(),
                "vertices": after.0,
                "triangles": after.1,
            }),
        )
        .member("merged_vertices", changed.merged)
        .member("collapsed_triangles", changed.collapsed)
        .member("flipped_triangles", changed.flipped)
        .member("rounding", rounding)
        .member(
            "seconds",
            json!({ "read": read, "work": worked, "write": written }),
        );
    let what = format!("{}, {}", vertices(after.0), triangles(after.1));
    let seconds = read + worked + written;
    output.report(&summary, &what, seconds, options.json, console)
}

/// A repaired mesh, with the counts of each repair; `None` for repairs that were not requested.
struct Changed {
    mesh: TriMesh,
    merged: Option<usize>,
    collapsed: Option<usize>,
    flipped: Option<usize>,
}

fn changed(
    mesh: TriMesh,
    options: &Convert,
    motion: Option<Similarity>,
) -> tangere::Result<Changed> {
    let mut changed = Changed {
        mesh,
        merged: None,
        collapsed: None,
        flipped: None,
    };
    if let Some(tolerance) = options.weld {
        let welded = changed.mesh.welded(tolerance)?;
        changed.mesh = welded.mesh;
        changed.merged = Some(welded.merged);
        changed.collapsed = Some(welded.collapsed);
    }
    if options.orient {
        let reoriented = changed.mesh.reoriented()?;
        changed.mesh = reoriented.mesh;
        changed.flipped = Some(reoriented.flipped);
    }
    if let Some(motion) = motion {
        changed.mesh = changed.mesh.transformed(&motion)?;
    }
    Ok(changed)
}

/// Returns the requested transformation; `None` leaves every bit as it is. Discs must stay in their
/// plane.
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

fn particles(
    options: &Convert,
    loaded: LoadedParticles,
    output: &Output,
    read: f64,
    console: &Console,
) -> Result<(), Failure> {
    let format = output.table_format()?;
    let input = files::input_name(&options.input);
    for (name, is_given) in [
        ("--weld", options.weld.is_some()),
        ("--orient", options.orient),
    ] {
        if is_given {
            let message = format!("{name}: found particles in {input}, expected a surface");
            return Err(Failure::Input(message));
        }
    }
    let refused = |error| Failure::of_file(&input, &error);
    let (count, dimension, written) = match loaded.particles {
        Particles::Discs(discs) => {
            let discs = moved(discs, motion(options, 2)?).map_err(refused)?;
            (discs.len(), 2, output.write_particles(&discs, console)?)
        }
        Particles::Spheres(spheres) => {
            let spheres = moved(spheres, motion(options, 3)?).map_err(refused)?;
            (spheres.len(), 3, output.write_particles(&spheres, console)?)
        }
    };
    note_unkept(&loaded.unkept, console);
    let read_from = json!({
        "file": input,
        "format": loaded.format.name(),
        "not_kept": loaded.unkept,
    });
    let written_to = json!({ "file": output.name(), "format": format.name() });
    let mut summary = Summary::default();
    summary
        .member("kind", "particles")
        .member("dimension", dimension)
        .member("particles", count)
        .member("input", read_from)
        .member("output", written_to)
        .member("rounding", 0.0)
        .member("seconds", json!({ "read": read, "write": written }));
    let what = counted(count, "particle", "particles");
    output.report(&summary, &what, read + written, options.json, console)
}

/// Returns transformed particles; discs stay in their plane.
fn moved<const D: usize>(
    particles: Spheres<D>,
    motion: Option<Similarity>,
) -> tangere::Result<Spheres<D>> {
    let Some(motion) = motion else {
        return Ok(particles);
    };
    let (centers, radii) = particles.into_parts();
    let moved = |p: [f64; D]| {
        let q: [f64; 3] = motion.apply(in_space(&p));
        std::array::from_fn(|k| q[k])
    };
    let scale = motion.scale().abs();
    Spheres::new(
        centers.into_iter().map(moved).collect(),
        radii.into_iter().map(|radius| scale * radius).collect(),
    )
}
