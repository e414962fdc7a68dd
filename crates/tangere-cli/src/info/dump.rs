//! `tangere info` of a LAMMPS dump: frames, atoms, columns and simulation box.

use crate::console::Console;
use crate::failure::Failure;
use crate::output;
use serde_json::json;
use std::path::Path;
use tangere_front::answer::Summary;
use tangere_front::text;
use tangere_io::{DumpBox, DumpColumn, DumpFrame, read_dump};

/// What is known of a dump after reading some of its frames.
#[derive(Default)]
struct Frames {
    count: usize,
    /// The numbers of the first and the last time step.
    steps: Option<[i64; 2]>,
    /// The smallest and the largest number of atoms of a frame.
    atoms: Option<[usize; 2]>,
    /// The names of the columns of the first frame.
    columns: Vec<String>,
    /// Whether a frame has other columns than the first.
    columns_differ: bool,
    dimension: Option<usize>,
    /// The boxes of the first and the last frame.
    boxes: [Option<DumpBox>; 2],
    /// Whether a frame has another box than the one before it.
    box_changes: bool,
    /// The smallest and the largest radius.
    radii: Option<[f64; 2]>,
}

impl Frames {
    fn add(&mut self, frame: &DumpFrame) {
        match self.count {
            0 => {
                self.columns.clone_from(&frame.names);
                self.boxes[0] = frame.cell;
            }
            _ => {
                self.columns_differ |= self.columns != frame.names;
                self.box_changes |= self.boxes[1] != frame.cell;
            }
        }
        self.boxes[1] = frame.cell;
        self.count += 1;
        self.steps = Some([
            self.steps.map_or(frame.step, |[first, _]| first),
            frame.step,
        ]);
        let n = frame.len();
        self.atoms = Some(self.atoms.map_or([n; 2], |[a, b]| [a.min(n), b.max(n)]));
        self.dimension = self.dimension.or(frame.dimension());
        for radius in frame.radii().unwrap_or_default() {
            let [a, b] = self.radii.unwrap_or([radius; 2]);
            self.radii = Some([a.min(radius), b.max(radius)]);
        }
    }
}

/// Reads all frames of a dump, one after another, and prints the report.
pub fn report(path: &Path, json: bool, console: &Console) -> Result<(), Failure> {
    let mut frames = Frames::default();
    let mut kinds = Vec::new();
    let what = format!("reading {}", path.display());
    let (read, seconds) = console.timed(&what, || {
        for frame in read_dump(path)? {
            let frame = frame?;
            frames.add(&frame);
            kinds = frame.columns.iter().map(kind).collect();
        }
        Ok(())
    });
    read.map_err(Failure::reading)?;
    let name = path.display().to_string();
    let mut summary = Summary::default();
    let [first, last] = frames.steps.unwrap_or_default();
    let [least, most] = frames.atoms.unwrap_or_default();
    let of_box = |cell: &DumpBox| {
        json!({
            "origin": cell.origin,
            "vectors": cell.vectors,
            "bounds": cell.bounds,
            "periodic": cell.periodic,
        })
    };
    summary
        .member("file", &*name)
        .member("format", "dump")
        .member("kind", "particles")
        .member("dimension", frames.dimension)
        .count("frames", frames.count)
        .member("steps", json!({ "first": first, "last": last }))
        .line("steps", span(first, last))
        .member("particles", json!({ "min": least, "max": most }))
        .line(
            "atoms a frame",
            span(text::count(least as u64), text::count(most as u64)),
        )
        .member("columns", json!(frames.columns))
        .member("columns_differ", frames.columns_differ)
        .line("columns", columns(&frames, &kinds))
        .member("box", frames.boxes[1].as_ref().map(of_box))
        .member("box_changes", frames.box_changes);
    box_lines(&mut summary, &frames);
    let [least, most] = frames.radii.map_or([None; 2], |radii| radii.map(Some));
    summary.member("radius", json!({ "min": least, "max": most }));
    if let (Some(least), Some(most)) = (least, most) {
        summary
            .line("radius, min", text::number(least))
            .line("radius, max", text::number(most));
    }
    summary.member("seconds", json!({ "read": seconds }));
    let head = match frames.dimension {
        Some(dimension) => format!("{name} (LAMMPS dump), particles in {dimension}D"),
        None => format!("{name} (LAMMPS dump), without positions"),
    };
    output::report(&summary, &head, json, None, console)
}

/// Returns one value if both are equal, else both.
fn span(first: impl ToString, last: impl ToString) -> String {
    let (first, last) = (first.to_string(), last.to_string());
    match first == last {
        true => first,
        false => format!("{first} to {last}"),
    }
}

fn kind(column: &DumpColumn) -> &'static str {
    match column {
        DumpColumn::Words(_) => " (text)",
        _ => "",
    }
}

fn columns(frames: &Frames, kinds: &[&str]) -> String {
    let named = frames.columns.iter().enumerate();
    let named = named.map(|(k, name)| format!("{name}{}", kinds.get(k).unwrap_or(&"")));
    let named: Vec<String> = named.collect();
    match frames.columns_differ {
        true => format!("{}; other frames have others", named.join(", ")),
        false => named.join(", "),
    }
}

/// Adds the lines of the box of the last frame.
fn box_lines(summary: &mut Summary, frames: &Frames) {
    let Some(cell) = &frames.boxes[1] else {
        summary.line("box", "none");
        return;
    };
    let numbers = |numbers: &[f64]| {
        let numbers = numbers.iter().map(|&x| text::number(x));
        numbers.collect::<Vec<_>>().join(", ")
    };
    let bounds = cell.bounds.map(|[low, high]| {
        let (low, high) = (text::number(low), text::number(high));
        format!("{low} to {high}")
    });
    let when = if frames.box_changes {
        ", last frame"
    } else {
        ""
    };
    summary.line(&format!("box{when}"), bounds.join(", "));
    match cell.lengths_and_tilts() {
        Some((_, [0.0, 0.0, 0.0])) => {}
        Some((_, tilts)) => drop(summary.line("tilt xy, xz, yz", numbers(&tilts))),
        None => {
            for (name, vector) in ["edge a", "edge b", "edge c"].iter().zip(&cell.vectors) {
                summary.line(name, numbers(vector));
            }
        }
    }
    let axes = ["x", "y", "z"].iter().zip(cell.periodic);
    let axes: Vec<&str> = axes.filter(|(_, p)| *p).map(|(&axis, _)| axis).collect();
    let periodic = if axes.is_empty() {
        "no".into()
    } else {
        axes.join(", ")
    };
    summary.line("periodic", periodic);
}
