//! `tangere convert`: another format, place, size; and repairs, when asked for.

use crate::arguments::{Translation, number, rotation, translation};
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{self, Output};
use clap::Args;
use nalgebra::UnitQuaternion;
use serde_json::json;
use std::path::PathBuf;
use tangere::geometry::{Pose, Similarity};
use tangere::shape::{Spheres, TriMesh};
use tangere_front::inputs::shape::format_of;
use tangere_front::text::{counted, seconds};
use tangere_io::{LoadedMesh, LoadedParticles, MeshFormat, Particles, Shape, ShapeFormat};

const EXAMPLES: &str = "\
Examples:
  tangere convert part.stl part.ply
  tangere convert part.stl part.vtp --scale 0.001 --rotate x:90 --translate 0,0,-1.5
  tangere convert scan.obj scan.stl --weld 1e-6 --orient
  tangere convert particles.npy particles.vtp --scale 0.001
  tangere convert part.stl - --format obj | grep -c ^v

Repairs come first, in the units of IN: --weld, then --orient. Then all is scaled about the
origin, rotated about it and translated.

Polygons become triangles, and vertices at equal coordinates one. Only the geometry is kept:
no fields, normals, texture coordinates, colours or materials. STL is written in binary, which
rounds coordinates to 32 bits; a surface that this would damage is refused. Volume elements
(MSH, MESH, INP, VTK, VTU) become their boundary; curved faces are cut at their nodes, so that
the triangles pass through all of them.

Particles are rows of centre and radius; see `tangere info --help`. Discs can be scaled and
translated by X,Y, spheres be rotated as well.";

/// Write a surface or particles in another format, moved, scaled or repaired
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Convert {
    /// What to read: a surface (STL, OBJ, PLY, OFF, VTK, VTP, VTU, MSH, MESH or INP) or
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
    #[arg(long, value_name = "X,Y,Z", value_parser = translation, allow_hyphen_values = true)]
    translate: Option<Translation>,
    /// Make vertices one that are at most TOL apart, and drop triangles that collapse
    #[arg(long, value_name = "TOL", value_parser = number, allow_hyphen_values = true)]
    weld: Option<f64>,
    /// Turn triangles so that neighbours agree and normals of closed surfaces point outward
    #[arg(long)]
    orient: bool,
    /// Print one JSON object that tells what was done
    #[arg(long)]
    json: bool,
}

/// Reads, repairs, moves and writes.
pub fn run(options: &Convert, console: &Console) -> Result<(), Failure> {
    files::check_format(options.format, &[&options.input, &options.output])?;
    let output = Output::new(&options.output, options.format, options.json)?;
    // A kind that does not fit is found before the work, as far as endings tell it.
    match format_of(&options.input, options.format) {
        Ok(ShapeFormat::Mesh(MeshFormat::Vtp | MeshFormat::Vtu)) | Err(_) => {}
        Ok(ShapeFormat::Mesh(_)) => drop(output.mesh_format()?),
        Ok(_) => drop(output.table_format()?),
    }
    let (shape, read) = files::read(&options.input, options.format, console)?;
    match shape {
        Shape::Surface(loaded) => surface(options, loaded, &output, read, console),
        Shape::Particles(loaded) => particles(options, loaded, &output, read, console),
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
    let motion = motion_in_space(options)?;
    let input = files::input_name(&options.input);
    let vertices = |n| counted(n, "vertex", "vertices");
    let triangles = |n| counted(n, "triangle", "triangles");
    let before = (loaded.mesh.vertices().len(), loaded.mesh.faces().len());
    let is_changed = options.weld.is_some() || options.orient || motion.is_some();
    let (changed, worked) = if is_changed {
        console.timed("repairing and moving", || {
            changed(loaded.mesh, options, motion)
        })
    } else {
        (Ok(Changed::not(loaded.mesh)), 0.0)
    };
    let changed = changed.map_err(|error| Failure::Input(format!("{input}: {error}")))?;
    let (rounding, written) = output.write_mesh(&changed.mesh, console)?;

    if loaded.welded > 0 {
        console.note(format_args!(
            "reading: {} at the place of others made one with them",
            vertices(loaded.welded)
        ));
    }
    if loaded.polygons != before.1 {
        console.note(format_args!(
            "reading: {} cut into {}",
            counted(loaded.polygons, "polygon", "polygons"),
            triangles(before.1)
        ));
    }
    note_unkept(&loaded.unkept, console);
    let after = (changed.mesh.vertices().len(), changed.mesh.faces().len());
    if let (Some(merged), Some(collapsed)) = (changed.merged, changed.collapsed) {
        console.note(format_args!(
            "weld: {} merged, {} collapsed",
            vertices(merged),
            triangles(collapsed)
        ));
    }
    if let Some(flipped) = changed.flipped {
        console.note(format_args!("orient: {} flipped", triangles(flipped)));
    }
    console.note(format_args!(
        "{}: {}, {} in {}",
        output.name(),
        vertices(after.0),
        triangles(after.1),
        seconds(read + worked + written)
    ));
    if !options.json {
        return Ok(());
    }
    console.print_json(&json!({
        "input": {
            "file": input,
            "format": loaded.format.name(),
            "vertices": before.0,
            "triangles": before.1,
            "welded_vertices": loaded.welded,
            "polygons": loaded.polygons,
            "not_kept": loaded.unkept,
        },
        "output": {
            "file": output.name(),
            "format": format.name(),
            "vertices": after.0,
            "triangles": after.1,
        },
        "merged_vertices": changed.merged,
        "collapsed_triangles": changed.collapsed,
        "flipped_triangles": changed.flipped,
        "rounding": rounding,
        "seconds": { "read": read, "work": worked, "write": written },
    }))
}

/// A mesh and what became of it; what was not asked for is none.
struct Changed {
    mesh: TriMesh,
    merged: Option<usize>,
    collapsed: Option<usize>,
    flipped: Option<usize>,
}

impl Changed {
    fn not(mesh: TriMesh) -> Self {
        Changed {
            mesh,
            merged: None,
            collapsed: None,
            flipped: None,
        }
    }
}

fn changed(
    mesh: TriMesh,
    options: &Convert,
    motion: Option<Similarity>,
) -> tangere::Result<Changed> {
    let mut changed = Changed::not(mesh);
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

/// The motion asked for; none leaves every bit as it is.
fn motion_in_space(options: &Convert) -> Result<Option<Similarity>, Failure> {
    let translation = match options.translate.as_ref().map(|t| &t.0[..]) {
        None => [0.0; 3],
        Some(&[x, y, z]) => [x, y, z],
        Some(other) => {
            let found = format!("--translate: found {} numbers, expected 3", other.len());
            return Err(Failure::Input(found));
        }
    };
    motion(options, translation)
}

/// As [`motion_in_space`]; what would leave the plane is refused.
fn motion_in_plane(options: &Convert) -> Result<Option<Similarity>, Failure> {
    if options.rotate.is_some() {
        return Err(Failure::Input(
            "--rotate: found discs, expected spheres or a surface".into(),
        ));
    }
    let translation = match options.translate.as_ref().map(|t| &t.0[..]) {
        None => [0.0; 3],
        Some(&[x, y]) | Some(&[x, y, 0.0]) => [x, y, 0.0],
        Some(_) => {
            let message = "--translate: found a third number for discs, expected X,Y";
            return Err(Failure::Input(message.into()));
        }
    };
    motion(options, translation)
}

fn motion(options: &Convert, translation: [f64; 3]) -> Result<Option<Similarity>, Failure> {
    if let (None, None, None) = (options.scale, options.rotate, &options.translate) {
        return Ok(None);
    }
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
    let motion = match &loaded.particles {
        Particles::Discs(_) => motion_in_plane(options)?,
        Particles::Spheres(_) => motion_in_space(options)?,
    };
    let refused = |error| Failure::Input(format!("{input}: {error}"));
    let (count, dimension, written) = match loaded.particles {
        Particles::Discs(discs) => {
            let discs = moved(discs, motion.as_ref()).map_err(refused)?;
            (discs.len(), 2, output.write_particles(&discs, console)?)
        }
        Particles::Spheres(spheres) => {
            let spheres = moved(spheres, motion.as_ref()).map_err(refused)?;
            (spheres.len(), 3, output.write_particles(&spheres, console)?)
        }
    };
    note_unkept(&loaded.unkept, console);
    console.note(format_args!(
        "{}: {} in {}",
        output.name(),
        counted(count, "particle", "particles"),
        seconds(read + written)
    ));
    if !options.json {
        return Ok(());
    }
    console.print_json(&json!({
        "kind": "particles",
        "dimension": dimension,
        "particles": count,
        "input": {
            "file": input,
            "format": loaded.format.name(),
            "not_kept": loaded.unkept,
        },
        "output": { "file": output.name(), "format": format.name() },
        "rounding": 0.0,
        "seconds": { "read": read, "write": written },
    }))
}

/// Particles under a motion that keeps their plane, if they lie in one.
fn moved<const D: usize>(
    particles: Spheres<D>,
    motion: Option<&Similarity>,
) -> tangere::Result<Spheres<D>> {
    let Some(motion) = motion else {
        return Ok(particles);
    };
    let (centers, radii) = particles.into_parts();
    let moved = |p: [f64; D]| {
        let p = std::array::from_fn(|k| p.get(k).copied().unwrap_or(0.0));
        let q: [f64; 3] = motion.apply(p);
        std::array::from_fn(|k| q[k])
    };
    let scale = motion.scale().abs();
    Spheres::new(
        centers.into_iter().map(moved).collect(),
        radii.into_iter().map(|radius| scale * radius).collect(),
    )
}
