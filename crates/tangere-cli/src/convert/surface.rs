//! Conversion of a surface: repaired, moved and written.

use super::{Convert, motion, note_unkept};
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{self, Output};
use serde_json::json;
use tangere::geometry::Similarity;
use tangere::shape::TriMesh;
use tangere_front::answer::Summary;
use tangere_front::text::counted;
use tangere_io::LoadedMesh;

/// Repairs and transforms a surface, writes it to `output` and reports the changes and the time.
pub fn convert(
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
    let is_changed = options.weld.is_some() || options.orient || options.close || motion.is_some();
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
    if let Some(closed) = &changed.closed {
        let (holes, added) = (
            counted(closed.filled, "hole", "holes"),
            triangles(closed.added),
        );
        let open = match closed.open_edges {
            0 if closed.is_flat => "closed, but flat: it encloses no volume".into(),
            0 => "closed".into(),
            n => format!(
                "still open: {}",
                counted(n, "boundary edge", "boundary edges")
            ),
        };
        console.note(format_args!("close: {holes} filled, {added} added; {open}"));
    }
    let after = sizes(&changed.mesh);
    let unkept = [loaded.unkept, loaded.unread].concat();
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
                "not_kept": unkept,
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
        .member("filled_holes", changed.closed.as_ref().map(|c| c.filled))
        .member("added_triangles", changed.closed.as_ref().map(|c| c.added))
        .member(
            "boundary_edges_left",
            changed.closed.as_ref().map(|c| c.open_edges),
        )
        .member(
            "encloses_volume",
            changed
                .closed
                .as_ref()
                .map(|c| c.open_edges == 0 && !c.is_flat),
        )
        .member("rounding", rounding)
        .member(
            "seconds",
            json!({ "read": read, "work": worked, "write": written }),
        );
    let what = format!("{}, {}", vertices(after.0), triangles(after.1));
    let seconds = read + worked + written;
    output.report(&summary, &what, seconds, options.json, console)
}

/// A repaired and transformed mesh, with the numbers of merged vertices, collapsed triangles and
/// flipped triangles. A number is `None` if its repair was not requested.
struct Changed {
    mesh: TriMesh,
    merged: Option<usize>,
    collapsed: Option<usize>,
    flipped: Option<usize>,
    closed: Option<Closed>,
}

/// What the filling of holes changed.
struct Closed {
    filled: usize,
    added: usize,
    open_edges: usize,
    /// Whether the surface is closed but encloses no volume, as a flat sheet whose boundary is
    /// filled.
    is_flat: bool,
}

/// The volume of a closed surface, relative to its area and longest edge of its box, below which it
/// is rounding: coordinates have 16 digits.
const FLAT: f64 = 1e-12;

/// Whether a closed surface encloses no volume.
fn is_flat(mesh: &TriMesh) -> bool {
    let report = mesh.report();
    let longest = report.bounds.extent().into_iter().fold(0.0, f64::max);
    let volume = report.volume.map(f64::abs);
    volume.is_some_and(|volume| volume <= FLAT * report.area * longest)
}

/// Repairs a mesh as the options request, then transforms it by `motion`.
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
        closed: None,
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
    if options.close {
        let filled = changed.mesh.holes_filled(options.max_hole)?;
        changed.closed = Some(Closed {
            filled: filled.filled,
            added: filled.added,
            open_edges: filled.open_edges,
            is_flat: filled.open_edges == 0 && is_flat(&filled.mesh),
        });
        changed.mesh = filled.mesh;
    }
    if let Some(motion) = motion {
        changed.mesh = changed.mesh.transformed(&motion)?;
    }
    Ok(changed)
}
