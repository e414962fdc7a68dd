//! Input and output files of subcommands. File extensions and folders are checked before any work;
//! `-` is standard input or output.

use crate::console::Console;
use crate::failure::Failure;
use crate::times::Times;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};
use tangere::shape::{Spheres, TriMesh};
use tangere_front::answer::{Column, Summary, Table, float, vector};
use tangere_front::inputs::paths::is_same_file;
pub use tangere_front::inputs::paths::{input_name, is_standard};
pub use tangere_front::inputs::points::PointSource;
use tangere_front::inputs::shape::{self, format_of};
use tangere_front::text::{self, counted};
use tangere_io::vtk::{Field, PointCloud};
use tangere_io::{
    Encoding, Error, LoadedMesh, MeshContent, MeshFormat, Shape, ShapeFormat, TableFormat,
    check_target, write_atomically, write_together,
};

const STANDARD_OUTPUT: &str = "standard output";

/// Returns the parser of the option `--format`, which accepts the names of file formats.
pub fn format_parser() -> impl TypedValueParser<Value = ShapeFormat> {
    let mesh = MeshFormat::ALL.map(MeshFormat::name);
    let table = [TableFormat::Csv, TableFormat::Npy].map(TableFormat::name);
    PossibleValuesParser::new(mesh.into_iter().chain(table))
        .try_map(|name| ShapeFormat::named(&name).ok_or("unknown format"))
}

/// Returns an error if `--format` is given and no path is `-`: the format of a file follows from
/// its extension.
pub fn check_format(format: Option<ShapeFormat>, paths: &[&Path]) -> Result<(), Failure> {
    if format.is_some() && !paths.iter().any(|path| is_standard(path)) {
        let message = "--format: found a file, whose ending gives its format, expected -";
        return Err(Failure::Input(message.into()));
    }
    Ok(())
}

/// Returns an error if `output` and `input` are the same file, even by different paths: input files
/// are not overwritten.
pub fn check_other(output: &Path, input: &Path) -> Result<(), Failure> {
    match is_same_file(output, input) {
        true => Err(Failure::Input(format!(
            "{}: found the file that is read, expected another to write",
            output.display()
        ))),
        false => Ok(()),
    }
}

/// Reads a surface or particles.
pub fn read(
    path: &Path,
    format: Option<ShapeFormat>,
    times: &mut Times,
    console: &Console,
) -> Result<Shape, Failure> {
    let shape = times.read(path, console, || shape::read(path, format))?;
    if let Shape::Surface(loaded) = &shape {
        note_read(loaded, console);
    }
    Ok(shape)
}

/// Prints notes with the number of curved faces that were cut into triangles, and with the elements
/// that are not read.
fn note_read(loaded: &LoadedMesh, console: &Console) {
    if !loaded.unread.is_empty() {
        let names = loaded.unread.join(", ");
        console.note(format_args!("reading: elements not read: {names}"));
    }
    if loaded.curved > 0 {
        let faces = counted(loaded.curved, "curved face", "curved faces");
        console.note(format_args!("reading: {faces} cut at the nodes"));
    }
}

/// Reads a surface. If the file contains points, the error says what is `expected` instead.
pub fn read_surface(
    path: &Path,
    format: Option<ShapeFormat>,
    expected: &str,
    times: &mut Times,
    console: &Console,
) -> Result<TriMesh, Failure> {
    let loaded = times.read(path, console, || shape::surface(path, format, expected))?;
    note_read(&loaded, console);
    Ok(loaded.mesh)
}

/// Reads query points, with a note if there are none.
pub fn read_points(
    source: PointSource<'_>,
    times: &mut Times,
    console: &Console,
) -> Result<Vec<[f64; 3]>, Failure> {
    let points = times.read(source.path, console, || source.checked())?;
    if points.is_empty() {
        console.note(format_args!("{}: found no points", input_name(source.path)));
    }
    Ok(points)
}

/// Returns an error if both the output file and the JSON summary would go to standard output.
pub fn check_json(path: &Path, json: bool) -> Result<(), Failure> {
    match json && is_standard(path) {
        true => Err(Failure::Input(
            "--json: found - as the file to write, expected another, as both would go to \
             standard output"
                .into(),
        )),
        false => Ok(()),
    }
}

/// Creates a folder, and returns an error if no file can be created in it.
pub fn prepare_folder(folder: &Path) -> Result<(), Failure> {
    let refuse = |error: std::io::Error| Failure::Work(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(refuse)?;
    // A temporary file without a name disappears when it is closed.
    tempfile::tempfile_in(folder).map_err(refuse)?;
    Ok(())
}

/// Writes files into a folder: all of them or none.
pub fn write_all(
    folder: &Path,
    files: impl IntoIterator<Item = (impl AsRef<Path>, impl AsRef<[u8]>)>,
) -> Result<(), Failure> {
    let write_each = || {
        for (name, content) in files {
            let write = |out: &mut _| Write::write_all(out, content.as_ref());
            write_atomically(folder.join(name), write).map_err(Failure::writing)?;
        }
        Ok(())
    };
    write_together(write_each, Failure::writing)
}

/// Output file of a surface or of particles, with its format.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    format: ShapeFormat,
}

impl Output {
    /// Returns the output file. Checks before any work that the file extension is known, that the
    /// folder exists, and that standard output is not used twice.
    pub fn new(path: &Path, format: Option<ShapeFormat>, json: bool) -> Result<Self, Failure> {
        let format = format_of(path, format).map_err(Failure::reading)?;
        check_json(path, json)?;
        if !is_standard(path) {
            check_target(path).map_err(Failure::writing)?;
        }
        Ok(Output {
            path: path.to_owned(),
            format,
        })
    }

    /// Returns the name of the output file for messages: its path, or `standard output`.
    pub fn name(&self) -> Cow<'_, str> {
        match is_standard(&self.path) {
            true => STANDARD_OUTPUT.into(),
            false => self.path.to_string_lossy(),
        }
    }

    /// Returns the format of the output file, or an error if surfaces are not written in this
    /// format.
    pub fn mesh_format(&self) -> Result<MeshFormat, Failure> {
        let reason = match self.format {
            ShapeFormat::Mesh(format) if format.is_written() => return Ok(format),
            ShapeFormat::Mesh(_) => "can be read but not written; use vtp or vtu",
            ShapeFormat::Table(_) => {
                "holds particles, not a surface; expected stl, ply, obj, off, vtp or vtu"
            }
        };
        Err(self.unfit(reason))
    }

    /// Returns the format of the output file, or an error if particles are not written in this
    /// format.
    pub fn table_format(&self) -> Result<TableFormat, Failure> {
        match self.format {
            ShapeFormat::Table(format) => Ok(format),
            ShapeFormat::Mesh(MeshFormat::Vtp) => Ok(TableFormat::Vtp),
            ShapeFormat::Mesh(MeshFormat::Vtu) => Ok(TableFormat::Vtu),
            ShapeFormat::Mesh(_) => {
                Err(self.unfit("holds a surface, not particles; expected npy, csv, vtp or vtu"))
            }
        }
    }

    fn unfit(&self, reason: &'static str) -> Failure {
        let format = match self.format {
            ShapeFormat::Mesh(format) => format.name(),
            ShapeFormat::Table(format) => format.name(),
        };
        Failure::writing(Error::Unfit {
            path: self.name().into_owned().into(),
            format: format.into(),
            reason,
        })
    }

    /// Writes a mesh. Returns the largest change of a coordinate by rounding, and the seconds that
    /// writing took.
    pub fn write_mesh(&self, mesh: &TriMesh, console: &Console) -> Result<(f64, f64), Failure> {
        let format = self.mesh_format()?;
        let what = format!("writing {}", self.name());
        let (written, seconds) = console.timed(&what, || -> Result<f64, Failure> {
            let content = MeshContent::new(mesh, format, Encoding::Binary)
                .map_err(|error| Failure::of_file(&self.name(), &error))?;
            if is_standard(&self.path) {
                console.print_through(|out| content.write(out))?;
            } else {
                write_atomically(&self.path, |out| content.write(out)).map_err(Failure::writing)?;
            }
            Ok(content.rounding())
        });
        let rounding = written?;
        if rounding > 0.0 {
            console.note(format_args!(
                "{}: coordinates rounded by up to {rounding:e}, as binary STL holds 32 bits; \
                 PLY, OBJ and VTP keep all digits",
                self.name()
            ));
        }
        Ok((rounding, seconds))
    }

    /// Prints a note about what was written and how long it took. With `json`, prints the summary
    /// as one JSON object.
    pub fn report(
        &self,
        summary: &Summary,
        what: &str,
        seconds: f64,
        json: bool,
        console: &Console,
    ) -> Result<(), Failure> {
        let seconds = text::seconds(seconds);
        console.note(format_args!("{}: {what} in {seconds}", self.name()));
        match json {
            true => console.print_json(&summary.json()),
            false => Ok(()),
        }
    }

    /// Writes points without radii. Returns the seconds that writing took.
    pub fn write_cloud(&self, cloud: &PointCloud, console: &Console) -> Result<f64, Failure> {
        let format = self.table_format()?;
        let what = format!("writing {}", self.name());
        let (written, seconds) = console.timed(&what, || match (is_standard(&self.path), format) {
            (false, _) => tangere_io::write_cloud(&self.path, cloud).map_err(Failure::writing),
            (true, TableFormat::Csv) => {
                console.print_through(|out| tangere_io::cloud_as_csv(out, cloud))
            }
            (true, _) => Err(Failure::Input(format!(
                "{STANDARD_OUTPUT}: found {format}, expected csv for points"
            ))),
        });
        written?;
        Ok(seconds)
    }

    /// Writes particles, one row of centre and radius for each, with `fields`. Returns the seconds
    /// that writing took.
    pub fn write_particles<const D: usize>(
        &self,
        particles: &Spheres<D>,
        fields: &[Field],
        console: &Console,
    ) -> Result<f64, Failure> {
        let format = self.table_format()?;
        let what = format!("writing {}", self.name());
        let (written, seconds) = console.timed(&what, || {
            if !is_standard(&self.path) {
                return tangere_io::write_particles_with(&self.path, particles, fields)
                    .map_err(Failure::writing);
            }
            match format {
                TableFormat::Csv => console
                    .print_through(|out| tangere_io::particles_as_csv(out, particles, fields)),
                _ => Err(Failure::Input(format!(
                    "{STANDARD_OUTPUT}: found {format}, expected csv for particles"
                ))),
            }
        });
        written?;
        Ok(seconds)
    }
}

/// A particle: centre and radius.
type Particle<const D: usize> = ([f64; D], f64);

/// The output columns of discs (`D` = 2) or spheres (`D` = 3): centre and radius.
struct Columns<const D: usize>;

impl<const D: usize> Columns<D> {
    const AXES: &'static [&'static str] = ["x", "y", "z"].split_at(D).0;
    const ALL: &'static [Column<Particle<D>>] = &[
        vector("center", Self::AXES, |p: &Particle<D>, k| p.0[k]),
        float("radius", |p: &Particle<D>| p.1),
    ];
}

/// Prints particles as CSV to standard output.
pub fn print_particles<const D: usize>(
    particles: &Spheres<D>,
    console: &Console,
) -> Result<(), Failure> {
    let row = |i: usize| (particles.centers()[i], particles.radii()[i]);
    let table = Table::made(Columns::ALL, particles.len(), &row);
    console.print_through(|out| table.csv(out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_gives_the_format() {
        let output = |name: &str| Output::new(Path::new(name), None, false);
        assert_eq!(
            output("a.STL").unwrap().mesh_format().unwrap(),
            MeshFormat::Stl
        );
        assert!(output("a.stl").unwrap().table_format().is_err());
        assert!(output("a.vtk").unwrap().mesh_format().is_err());
        assert!(output("a.NPY").unwrap().mesh_format().is_err());
        assert_eq!(
            output("a.NPY").unwrap().table_format().unwrap(),
            TableFormat::Npy
        );
        assert_eq!(
            output("a.vtp").unwrap().mesh_format().unwrap(),
            MeshFormat::Vtp
        );
        assert_eq!(
            output("a.vtp").unwrap().table_format().unwrap(),
            TableFormat::Vtp
        );
        for bad in ["a", "a.exe", ".stl", "stl", "-"] {
            assert!(matches!(output(bad), Err(Failure::Input(_))), "{bad}");
        }
    }
}
