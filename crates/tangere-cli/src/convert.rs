//! `tangere convert`: another format, place, size; and repairs, when asked for.

use crate::arguments::{number, numbers};
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::table;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use tangere::geometry::{Pose, Similarity, rotation_from_str};
use tangere::shape::TriMesh;

const EXAMPLES: &str = "\
Examples:
  tangere convert part.stl part.ply
  tangere convert part.stl part.vtp --scale 0.001 --rotate x:90 --translate 0,0,-1.5
  tangere convert scan.obj scan.stl --weld 1e-6 --orient

Repairs come first, in the units of IN: --weld, then --orient. Then the surface is scaled
about the origin, rotated about it and translated.";

/// Write a surface in another format, moved, scaled or repaired
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Convert {
    /// The surface to read: STL, OBJ, PLY, OFF, VTK, VTP or VTU
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write: .stl, .ply, .obj, .off, .vtp or .vtu
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Multiply all coordinates; a negative number mirrors
    #[arg(long, value_name = "S", value_parser = number, allow_hyphen_values = true)]
    scale: Option<f64>,
    /// Rotate: an axis and degrees such as x:90 or 1,1,0:30, or a quaternion w,x,y,z
    #[arg(long, value_name = "R", allow_hyphen_values = true)]
    rotate: Option<String>,
    /// Translate
    #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<3>, allow_hyphen_values = true)]
    translate: Option<[f64; 3]>,
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
    let format = files::mesh_format(&options.output)?;
    let motion = motion(options)?;
    let (loaded, read) = files::read_mesh(&options.input, console)?;
    let (changed, worked) = console.timed("repairing and moving", || {
        changed(loaded.mesh, options, motion)
    });
    let mut changed =
        changed.map_err(|error| Failure::Input(format!("{}: {error}", options.input.display())))?;
    let written = files::write_mesh(&options.output, &changed.mesh, console)?;

    let (vertices, triangles) = (changed.mesh.vertices().len(), changed.mesh.faces().len());
    let count = |n: usize| table::count(n as u64);
    if let (Some(merged), Some(collapsed)) = (changed.merged, changed.collapsed) {
        console.note(format_args!(
            "weld: {} vertices merged, {} triangles collapsed",
            count(merged),
            count(collapsed)
        ));
    }
    if let Some(flipped) = changed.flipped {
        console.note(format_args!("orient: {} triangles flipped", count(flipped)));
    }
    console.note(format_args!(
        "{}: {} vertices, {} triangles in {}",
        options.output.display(),
        count(vertices),
        count(triangles),
        table::seconds(read + worked + written)
    ));
    if !options.json {
        return Ok(());
    }
    console.print_json(&json!({
        "input": {
            "file": options.input.to_string_lossy(),
            "format": loaded.format.name(),
            "vertices": changed.vertices_before,
            "triangles": changed.triangles_before,
            "welded_vertices": loaded.welded,
            "polygons": loaded.polygons,
        },
        "output": {
            "file": options.output.to_string_lossy(),
            "format": format.name(),
            "vertices": vertices,
            "triangles": triangles,
        },
        "merged_vertices": changed.merged.take(),
        "collapsed_triangles": changed.collapsed.take(),
        "flipped_triangles": changed.flipped.take(),
        "seconds": { "read": read, "work": worked, "write": written },
    }))
}

/// A mesh and what became of it; what was not asked for is none.
struct Changed {
    mesh: TriMesh,
    vertices_before: usize,
    triangles_before: usize,
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
        vertices_before: mesh.vertices().len(),
        triangles_before: mesh.faces().len(),
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

/// The motion asked for; none leaves every bit as it is.
fn motion(options: &Convert) -> Result<Option<Similarity>, Failure> {
    if let (None, None, None) = (options.scale, &options.rotate, options.translate) {
        return Ok(None);
    }
    let translation = options.translate.unwrap_or_default();
    let pose = match &options.rotate {
        Some(text) => Pose::new(rotation_from_str(text)?, translation)?,
        None => Pose::from_translation(translation)?,
    };
    Ok(Some(Similarity::new(options.scale.unwrap_or(1.0), pose)?))
}
