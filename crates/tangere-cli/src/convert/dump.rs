//! Conversion of frames of a LAMMPS dump.

use super::particles::moved;
use super::{Convert, check_no_repairs, motion, note_unkept};
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{self, is_standard};
use crate::output::Target;
use crate::series::Series;
use serde_json::json;
use std::path::Path;
use tangere_front::answer::{Format, Summary};
use tangere_front::inputs::RADIUS_HINT;
use tangere_front::text::{self, counted};
use tangere_io::vtk::Field;
use tangere_io::{
    DumpColumn, DumpFrame, Particles, TableFormat, kept_fields, read_dump, write_particles_with,
    write_together,
};

/// File formats in which frames are written.
const FORMATS: &[Format] = &[Format::Npy, Format::Csv, Format::Vtp, Format::Vtu];

/// What was written.
#[derive(Default)]
struct Written {
    frames: usize,
    particles: usize,
    dimension: usize,
    unkept: Vec<String>,
}

/// Converts one frame of a dump to a file, or all frames to a series.
pub fn convert(options: &Convert, out: &Path, console: &Console) -> Result<(), Failure> {
    check_no_repairs(options)?;
    files::check_json(out, options.json)?;
    let what = format!("converting {}", options.input.display());
    let is_chosen = options.frame.is_some() || options.step.is_some();
    let mut written = Written::default();
    let (converted, seconds) = console.timed(&what, || {
        let frames = || match Series::new(out, FORMATS)? {
            Some(mut series) if !is_chosen => all(options, &mut series, &mut written),
            Some(series) => {
                let (frame, index) = chosen(options)?;
                let target = series.target(index, frame.step, [&options.input])?;
                write(options, &frame, &target, &mut written)?;
                series.finish(&[target], &[frame.time.unwrap_or(frame.step as f64)])
            }
            None => one(options, out, console, &mut written),
        };
        write_together(frames, Failure::writing)
    });
    converted?;
    note_unkept(&written.unkept, console);
    let format = Path::new(out).extension().unwrap_or_default();
    let format = format.to_string_lossy().to_ascii_lowercase();
    let name = match is_standard(out) {
        true => "standard output".into(),
        false => out.display().to_string(),
    };
    let frames = counted(written.frames, "frame", "frames");
    let particles = counted(written.particles, "particle", "particles");
    let time = text::seconds(seconds);
    console.note(format_args!("{name}: {frames}, {particles} in {time}"));
    if !options.json {
        return Ok(());
    }
    let mut summary = Summary::default();
    summary
        .member("kind", "particles")
        .member("dimension", written.dimension)
        .member("frames", written.frames)
        .member("particles", written.particles)
        .member(
            "input",
            json!({
                "file": options.input.to_string_lossy(),
                "format": "dump",
                "not_kept": written.unkept,
            }),
        )
        .member("output", json!({ "file": name, "format": format }))
        .member("rounding", 0.0)
        .member("seconds", json!({ "convert": seconds }));
    console.print_json(&summary.json())
}

/// Writes all frames. The dump is read twice: first only for the numbers of the time steps, as one
/// frame is in memory at a time.
fn all(options: &Convert, series: &mut Series, written: &mut Written) -> Result<(), Failure> {
    let (mut steps, mut times) = (Vec::new(), Vec::new());
    for frame in read_dump(&options.input).map_err(Failure::reading)? {
        let frame = frame.map_err(Failure::reading)?;
        steps.push(frame.step);
        times.push(frame.time);
    }
    let targets = series.targets(&steps, [&options.input])?;
    let frames = read_dump(&options.input).map_err(Failure::reading)?;
    for (frame, target) in frames.zip(&targets) {
        write(options, &frame.map_err(Failure::reading)?, target, written)?;
    }
    let times: Option<Vec<f64>> = times.into_iter().collect();
    let times = times.unwrap_or_else(|| steps.iter().map(|&step| step as f64).collect());
    series.finish(&targets, &times)
}

/// Writes the chosen frame to a file, or to standard output.
fn one(
    options: &Convert,
    out: &Path,
    console: &Console,
    written: &mut Written,
) -> Result<(), Failure> {
    let format = Format::of_target(out, FORMATS).map_err(Failure::writing)?;
    files::check_other(out, &options.input)?;
    let (frame, _) = chosen(options)?;
    if format == Format::Standard {
        written.note(&frame, &names_besides(&frame, &frame.names_read()));
        return match particles(options, &frame)? {
            Particles::Discs(discs) => files::print_particles(&discs, console),
            Particles::Spheres(spheres) => files::print_particles(&spheres, console),
        };
    }
    let path = out.to_owned();
    write(options, &frame, &Target { path, format }, written)
}

/// Returns the frame that the options choose, and its index. Without a choice the dump must have a
/// single frame.
fn chosen(options: &Convert) -> Result<(DumpFrame, usize), Failure> {
    let input = options.input.display();
    let mut count = 0;
    let mut first = None;
    for frame in read_dump(&options.input).map_err(Failure::reading)? {
        let frame = frame.map_err(Failure::reading)?;
        let is_chosen = match (options.frame, options.step) {
            (Some(index), _) => index == count,
            (_, Some(step)) => step == frame.step,
            _ => false,
        };
        if is_chosen {
            return Ok((frame, count));
        }
        first = first.or(Some(frame));
        count += 1;
    }
    let frames = counted(count, "frame", "frames");
    match (options.frame, options.step, first) {
        (None, None, Some(frame)) if count == 1 => Ok((frame, 0)),
        (Some(index), ..) => Err(Failure::Input(format!(
            "{input}: --frame: found {index}, expected less than {count}, as there are {frames}"
        ))),
        (_, Some(step), _) => Err(Failure::Input(format!(
            "{input}: --step: found {step}, expected the step of one of its {frames}"
        ))),
        _ => Err(Failure::Input(format!(
            "{input}: found {frames}, expected --frame or --step to choose one, or all written to \
             a .pvd file or to a name with {{step}}"
        ))),
    }
}

impl Written {
    /// Counts a frame that is written without the columns `unkept`.
    fn note(&mut self, frame: &DumpFrame, unkept: &[String]) {
        self.frames += 1;
        self.particles += frame.len();
        self.dimension = frame.dimension().unwrap_or(0);
        let new = unkept.iter().filter(|name| !self.unkept.contains(name));
        let new: Vec<String> = new.cloned().collect();
        self.unkept.extend(new);
    }
}

/// Returns the names of the columns that are not among `kept`.
fn names_besides(frame: &DumpFrame, kept: &[&str]) -> Vec<String> {
    let names = frame.names.iter();
    names
        .filter(|name| !kept.contains(&name.as_str()))
        .cloned()
        .collect()
}

/// Returns the atoms of a frame as particles, transformed as the options request.
fn particles(options: &Convert, frame: &DumpFrame) -> Result<Particles, Failure> {
    let input = options.input.display().to_string();
    let fault = |fault| Failure::Input(format!("{input}: {fault}"));
    let refused = |error| Failure::of_file(&input, &error);
    let particles = match options.radius {
        Some(radius) => frame.particles_of_radius(radius),
        None => frame.particles().map_err(|mut fault| {
            if frame.dimension().is_some() && frame.radii().is_err() {
                fault.expected += RADIUS_HINT;
            }
            fault
        }),
    };
    Ok(match particles.map_err(fault)? {
        Particles::Discs(discs) => {
            Particles::Discs(moved(discs, motion(options, 2)?).map_err(refused)?)
        }
        Particles::Spheres(spheres) => {
            Particles::Spheres(moved(spheres, motion(options, 3)?).map_err(refused)?)
        }
    })
}

/// Writes a frame in the format of the file.
fn write(
    options: &Convert,
    frame: &DumpFrame,
    target: &Target,
    written: &mut Written,
) -> Result<(), Failure> {
    let fields = fields(options, frame, target.format, written);
    match particles(options, frame)? {
        Particles::Discs(discs) => write_particles_with(&target.path, &discs, &fields),
        Particles::Spheres(spheres) => write_particles_with(&target.path, &spheres, &fields),
    }
    .map_err(Failure::writing)
}

/// Returns the columns besides centres and radii that the format keeps, with the types of the dump.
/// Names are lost in NPY files, which therefore keep none. Velocities and other vectors do not turn
/// with the particles: of a frame that is moved only integers are kept.
fn fields(
    options: &Convert,
    frame: &DumpFrame,
    format: Format,
    written: &mut Written,
) -> Vec<Field> {
    let is_moved =
        options.scale.is_some() || options.rotate.is_some() || options.translate.is_some();
    let read = frame.names_read();
    let table = match format {
        Format::Vtp => TableFormat::Vtp,
        Format::Vtu => TableFormat::Vtu,
        Format::Npy => TableFormat::Npy,
        _ => TableFormat::Csv,
    };
    let named = frame.names.iter().zip(&frame.columns);
    let field = |(name, column): (&String, &DumpColumn)| match column {
        _ if read.contains(&name.as_str()) => None,
        DumpColumn::Integers(values) => Some(Field::scalar(name, values.clone())),
        DumpColumn::Numbers(values) if !is_moved => Some(Field::scalar(name, values.clone())),
        DumpColumn::Numbers(_) | DumpColumn::Words(_) => None,
    };
    let (kept, _) = kept_fields(named.filter_map(field).collect(), table);
    let mut known: Vec<&str> = kept.iter().map(|field| field.name.as_str()).collect();
    known.extend(read);
    written.note(frame, &names_besides(frame, &known));
    kept
}
