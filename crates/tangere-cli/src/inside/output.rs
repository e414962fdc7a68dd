//! Sides, winding numbers and confidences to files.

use super::Inside;
use super::answers::Answers;
use super::input::Asked;
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use std::io::{self, Write};
use std::path::Path;
use tangere::geometry::Aabb;
use tangere_io::vtk::{Field, ImageData, PolyData, UnstructuredGrid, write_vti, write_vtu};
use tangere_io::{Error, NpyData, check_target, write_atomically, write_npy};

/// Formats of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideFormat {
    Npy,
    Csv,
    /// CSV to standard output.
    Standard,
    Vtp,
    Vtu,
    /// Cells of a grid.
    Vti,
}

impl SideFormat {
    /// The format of what is to be written, if anything is, in a folder that is there and
    /// to no file that is read.
    pub fn asked(options: &Inside) -> Result<Option<Self>, Failure> {
        let Some(path) = &options.out else {
            return Ok(None);
        };
        files::check_json(path, options.manner.json)?;
        if files::is_standard(path) {
            return Ok(Some(SideFormat::Standard));
        }
        let format = Self::of_path(path)?;
        if format == SideFormat::Vti && options.grid.is_none() {
            return Err(Failure::writing(Error::Unfit {
                path: path.clone(),
                format: "vti".into(),
                reason: "holds the cells of --grid; expected npy, csv, vtp or vtu",
            }));
        }
        ([&options.mesh].into_iter().chain(&options.points))
            .try_for_each(|input| files::check_other(path, input))?;
        Ok(Some(format))
    }

    fn of_path(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().unwrap_or_default();
        let ending = ending.to_string_lossy().to_ascii_lowercase();
        let format = match ending.as_str() {
            "npy" => SideFormat::Npy,
            "csv" => SideFormat::Csv,
            "vtp" => SideFormat::Vtp,
            "vtu" => SideFormat::Vtu,
            "vti" => SideFormat::Vti,
            _ => {
                return Err(Failure::writing(Error::Format {
                    path: path.to_owned(),
                    found: ending,
                    expected: "npy, csv, vtp, vtu or vti".into(),
                }));
            }
        };
        check_target(path).map_err(Failure::writing)?;
        Ok(format)
    }

    /// Whether it has the points themselves.
    pub fn has_points(self) -> bool {
        matches!(self, SideFormat::Vtp | SideFormat::Vtu)
    }
}

/// What is written beside the points.
struct Columns {
    sides: Vec<i8>,
    /// Winding numbers and confidences, as far as they are wanted.
    numbers: Vec<(&'static str, Vec<f64>)>,
}

impl Columns {
    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"side")?;
        for (name, _) in &self.numbers {
            write!(out, ",{name}")?;
        }
        for (i, side) in self.sides.iter().enumerate() {
            write!(out, "\n{side}")?;
            for (_, numbers) in &self.numbers {
                write!(out, ",{}", numbers[i])?;
            }
        }
        out.write_all(b"\n")
    }

    /// Sides, or a column for each kind of numbers.
    fn npy(self, path: &Path) -> Result<(), Error> {
        let count = self.sides.len();
        match &self.numbers[..] {
            [] => write_npy(path, &[count], NpyData::I8(&self.sides)),
            [(_, numbers)] => write_npy(path, &[count], NpyData::F64(numbers)),
            several => {
                let rows = (0..count).flat_map(|i| several.iter().map(move |(_, x)| x[i]));
                let rows: Vec<f64> = rows.collect();
                write_npy(path, &[count, several.len()], NpyData::F64(&rows))
            }
        }
    }

    fn fields(self) -> Vec<Field> {
        let numbers = self.numbers.into_iter();
        let numbers = numbers.map(|(name, numbers)| Field::scalar(name, numbers));
        std::iter::once(Field::scalar("side", self.sides))
            .chain(numbers)
            .collect()
    }
}

/// Writes answers. Takes what may be large, so that nothing is there twice.
pub fn write(
    options: &Inside,
    format: SideFormat,
    points: Vec<[f64; 3]>,
    answers: Answers,
    (asked, bounds): (&Asked, &Aabb<3>),
    console: &Console,
) -> Result<(), Failure> {
    let Some(path) = &options.out else {
        return Ok(());
    };
    let wanted = [
        ("winding", options.winding, answers.windings),
        ("confidence", options.confidence, answers.confidences),
    ];
    let columns = Columns {
        sides: answers.sides.into_iter().map(|side| side as i8).collect(),
        numbers: (wanted.into_iter())
            .filter(|(_, is_wanted, _)| *is_wanted)
            .map(|(name, _, numbers)| (name, numbers))
            .collect(),
    };
    match format {
        SideFormat::Standard => return console.print_through(|out| columns.csv(out)),
        SideFormat::Npy => columns.npy(path),
        SideFormat::Csv => write_atomically(path, |out| columns.csv(out)),
        SideFormat::Vtp => {
            let mut data = PolyData::from_points(points);
            data.point_data = columns.fields();
            files::write_vtp(path, &data)
        }
        SideFormat::Vtu => {
            let mut data = UnstructuredGrid::from_points(points);
            data.point_data = columns.fields();
            write_vtu(path, &data)
        }
        SideFormat::Vti => {
            let (Asked::Grid(grid), Some(cells)) = (asked, options.grid) else {
                return Ok(());
            };
            let spacing = cells.edges(bounds);
            let axes = grid.axes();
            write_vti(
                path,
                &ImageData {
                    cells: axes.each_ref().map(Vec::len),
                    origin: std::array::from_fn(|k| axes[k][0] - 0.5 * spacing[k]),
                    spacing,
                    cell_data: columns.fields(),
                },
            )
        }
    }
    .map_err(Failure::writing)
}
