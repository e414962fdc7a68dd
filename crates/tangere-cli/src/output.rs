//! Output of answers: rows and drawings go to files, CSV or a summary to standard output.

use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use serde_json::Value;
use std::path::{Path, PathBuf};
use tangere_front::answer::{Format, Summary, Table};
use tangere_io::vtk::{ImageData, PolyData, UnstructuredGrid, write_vti, write_vtp, write_vtu};
use tangere_io::{write_atomically, write_table, write_text};

/// Content of a VTK file that shows an answer.
pub enum Drawing {
    Poly(PolyData),
    Grid(UnstructuredGrid),
    Image(ImageData),
    /// Points: the columns x, y and z of the table are their coordinates, its other columns become
    /// fields of the points.
    Cloud(tangere_io::Table),
}

impl From<PolyData> for Drawing {
    fn from(data: PolyData) -> Self {
        Drawing::Poly(data)
    }
}

impl Drawing {
    fn write(&self, path: &Path) -> tangere_io::Result<()> {
        match self {
            Drawing::Poly(data) => write_vtp(path, data),
            Drawing::Grid(data) => write_vtu(path, data),
            Drawing::Image(data) => write_vti(path, data),
            Drawing::Cloud(table) => write_table(path, table),
        }
    }
}

/// Output file of an answer, with its format.
pub struct Target {
    pub path: PathBuf,
    pub format: Format,
}

impl Target {
    /// Returns the output file, or `None` without `-o`. Returns an error before any work if the
    /// file extension is not accepted, the folder does not exist, the file is one of the inputs, or
    /// CSV and JSON would both go to standard output.
    pub fn new<'a>(
        out: Option<&Path>,
        accepted: &[Format],
        json: bool,
        inputs: impl IntoIterator<Item = &'a PathBuf>,
    ) -> Result<Option<Self>, Failure> {
        let Some(path) = out else {
            return Ok(None);
        };
        files::check_json(path, json)?;
        let format = Format::of_target(path, accepted).map_err(Failure::writing)?;
        let mut inputs = inputs.into_iter();
        inputs.try_for_each(|input| files::check_other(path, input))?;
        Ok(Some(Target {
            path: path.to_owned(),
            format,
        }))
    }

    /// Writes the rows of an answer whose formats do not include VTK files.
    pub fn write_rows<T>(&self, table: &Table<T>, console: &Console) -> Result<(), Failure> {
        self.write_drawn(table, PolyData::default, console)
    }

    /// Writes an answer in the format of the file: its rows, or in a VTK file the drawing. A JSON
    /// file has an array with an object for each row.
    pub fn write_drawn<T, D: Into<Drawing>>(
        &self,
        table: &Table<T>,
        drawn: impl FnOnce() -> D,
        console: &Console,
    ) -> Result<(), Failure> {
        self.write(table, || Value::Array(table.json()), drawn, console)
    }

    /// Writes an answer in the format of the file: the rows of `table` as CSV or NPY, the value of
    /// `json`, or the drawing in a VTK file.
    pub fn write<T, D: Into<Drawing>>(
        &self,
        table: &Table<T>,
        json: impl FnOnce() -> Value,
        drawn: impl FnOnce() -> D,
        console: &Console,
    ) -> Result<(), Failure> {
        let path = &self.path;
        let what = format!("writing {}", path.display());
        let (written, _) = console.timed(&what, || {
            match self.format {
                Format::Standard => return console.print_through(|out| table.csv(out)),
                Format::Csv => write_atomically(path, |out| table.csv(out)),
                Format::Npy => table.write_npy(path),
                Format::Json => write_text(path, &format!("{:#}\n", json())),
                Format::Vtp | Format::Vtu | Format::Vti => drawn().into().write(path),
            }
            .map_err(Failure::writing)
        });
        written
    }
}

/// Prints the summary of an answer: one JSON object, or a heading and a table. If rows go to
/// standard output, the table goes to standard error.
pub fn report(
    summary: &Summary,
    head: &str,
    json: bool,
    target: Option<&Target>,
    console: &Console,
) -> Result<(), Failure> {
    if json {
        return console.print_json(&summary.json());
    }
    let text = format!("{head}\n{}", summary.text());
    match target {
        Some(target) if target.format == Format::Standard => {
            console.note(text.trim_end());
            Ok(())
        }
        _ => console.print(text),
    }
}
