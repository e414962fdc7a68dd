//! Nearest points, and faces within a distance, to files.

use super::Answers;
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use std::io::{self, Write};
use std::path::Path;
use tangere::closest::{Projection, SurfacePoint};
use tangere::parallel::Rows;
use tangere_io::vtk::{Cells, Field, PolyData};
use tangere_io::{
    Error, NpyData, NpyField, check_target, write_atomically, write_npy, write_npy_rows,
};

/// Formats of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointFormat {
    Npy,
    Csv,
    /// CSV to standard output.
    Standard,
    Vtp,
}

impl PointFormat {
    /// The format of a file that is to be written, in a folder that is there.
    pub fn of_path(path: &Path, within: bool) -> Result<Self, Failure> {
        if files::is_standard(path) {
            return Ok(PointFormat::Standard);
        }
        let ending = path.extension().unwrap_or_default();
        let ending = ending.to_string_lossy().to_ascii_lowercase();
        let format = match ending.as_str() {
            "npy" => PointFormat::Npy,
            "csv" => PointFormat::Csv,
            "vtp" if !within => PointFormat::Vtp,
            _ => {
                return Err(Failure::writing(Error::Format {
                    path: path.to_owned(),
                    found: ending,
                    expected: match within {
                        true => "npy or csv",
                        false => "npy, csv or vtp",
                    }
                    .into(),
                }));
            }
        };
        check_target(path).map_err(Failure::writing)?;
        Ok(format)
    }
}

/// Writes answers.
pub fn write(
    path: &Path,
    format: PointFormat,
    points: &[[f64; 3]],
    answers: &Answers,
    console: &Console,
) -> Result<(), Failure> {
    match format {
        PointFormat::Standard => return console.print_through(|out| csv(out, answers)),
        PointFormat::Csv => write_atomically(path, |out| csv(out, answers)),
        PointFormat::Npy => npy(path, answers),
        PointFormat::Vtp => files::write_vtp(path, &drawn(points, answers)),
    }
    .map_err(Failure::writing)
}

/// The point and a face near it, one pair in each row.
fn pairs(rows: &Rows<u32>) -> impl Iterator<Item = [u32; 2]> + '_ {
    (0..rows.len()).flat_map(|i| rows.row(i).iter().map(move |&face| [i as u32, face]))
}

fn csv(out: &mut impl Write, answers: &Answers) -> io::Result<()> {
    match answers {
        Answers::Within(rows) => {
            writeln!(out, "point,face")?;
            pairs(rows).try_for_each(|[point, face]| writeln!(out, "{point},{face}"))
        }
        Answers::Triangles(found) => {
            writeln!(out, "face,x,y,z,distance,gap")?;
            found.iter().try_for_each(|p| {
                let [x, y, z] = p.point;
                writeln!(out, "{},{x},{y},{z},{},{}", p.face, p.distance, p.gap)
            })
        }
        Answers::Faces(found) => {
            writeln!(
                out,
                "face,xi,eta,x,y,z,distance,gap,nx,ny,nz,residual,status"
            )?;
            found.iter().try_for_each(|p| {
                write!(out, "{}", p.face)?;
                let numbers = p.xi.into_iter().chain(p.point).chain([p.distance, p.gap]);
                let mut numbers = numbers.chain(p.normal).chain([p.residual]);
                numbers.try_for_each(|x| write!(out, ",{x}"))?;
                writeln!(out, ",{}", p.status.name())
            })
        }
    }
}

/// As Python has them.
fn npy(path: &Path, answers: &Answers) -> Result<(), Error> {
    match answers {
        Answers::Within(rows) => {
            let count = rows.values().len();
            let mut all: Vec<[u32; 2]> = Vec::new();
            all.try_reserve_exact(count).map_err(|_| Error::File {
                path: path.to_owned(),
                source: io::ErrorKind::OutOfMemory.into(),
            })?;
            all.extend(pairs(rows));
            write_npy(path, &[count, 2], NpyData::U32(all.as_flattened()))
        }
        Answers::Triangles(found) => {
            let columns = SurfaceColumns::of(found);
            write_npy_rows(path, found.len(), &columns.fields())
        }
        Answers::Faces(found) => {
            let face: Vec<u32> = column(found, |p| p.face);
            let xi: Vec<[f64; 2]> = column(found, |p| p.xi);
            let point: Vec<[f64; 3]> = column(found, |p| p.point);
            let distance: Vec<f64> = column(found, |p| p.distance);
            let gap: Vec<f64> = column(found, |p| p.gap);
            let normal: Vec<[f64; 3]> = column(found, |p| p.normal);
            let residual: Vec<f64> = column(found, |p| p.residual);
            let status: Vec<u8> = column(found, |p| p.status as u8);
            let fields = [
                field("face", NpyData::U32(&face), 1),
                field("xi", NpyData::F64(xi.as_flattened()), 2),
                field("point", NpyData::F64(point.as_flattened()), 3),
                field("distance", NpyData::F64(&distance), 1),
                field("gap", NpyData::F64(&gap), 1),
                field("normal", NpyData::F64(normal.as_flattened()), 3),
                field("residual", NpyData::F64(&residual), 1),
                field("status", NpyData::U8(&status), 1),
            ];
            write_npy_rows(path, found.len(), &fields)
        }
    }
}

struct SurfaceColumns {
    face: Vec<u32>,
    point: Vec<[f64; 3]>,
    distance: Vec<f64>,
    gap: Vec<f64>,
}

impl SurfaceColumns {
    fn of(found: &[SurfacePoint]) -> Self {
        Self {
            face: column(found, |p| p.face),
            point: column(found, |p| p.point),
            distance: column(found, |p| p.distance),
            gap: column(found, |p| p.gap),
        }
    }

    fn fields(&self) -> [NpyField<'_>; 4] {
        [
            field("face", NpyData::U32(&self.face), 1),
            field("point", NpyData::F64(self.point.as_flattened()), 3),
            field("distance", NpyData::F64(&self.distance), 1),
            field("gap", NpyData::F64(&self.gap), 1),
        ]
    }
}

fn field<'a>(name: &'a str, data: NpyData<'a>, each: usize) -> NpyField<'a> {
    NpyField { name, data, each }
}

/// The points that were asked about, then those of the surface, and a line from each to its
/// nearest. All data are those of lines, and of both their ends.
fn drawn(points: &[[f64; 3]], answers: &Answers) -> PolyData {
    let (feet, of_lines, of_ends) = match answers {
        Answers::Triangles(found) => (
            column(found, |p| p.point),
            surface_fields(found),
            surface_fields(&found.repeat(2)),
        ),
        Answers::Faces(found) => (
            column(found, |p| p.point),
            projection_fields(found),
            projection_fields(&found.repeat(2)),
        ),
        Answers::Within(_) => Default::default(),
    };
    let count = feet.len() as u32;
    let lines: Vec<[u32; 2]> = (0..count).map(|i| [i, count + i]).collect();
    let ends: Vec<u8> = (0..2 * count).map(|i| u8::from(i >= count)).collect();
    let mut data = PolyData {
        points: points.iter().copied().chain(feet).collect(),
        lines: Cells::uniform(&lines),
        ..PolyData::default()
    }
    .with_point_data(Field::scalar("foot", ends));
    data.point_data.extend(of_ends);
    data.cell_data = of_lines;
    data
}

fn surface_fields(found: &[SurfacePoint]) -> Vec<Field> {
    vec![
        Field::scalar("face", column(found, |p| p.face)),
        Field::scalar("distance", column(found, |p| p.distance)),
        Field::scalar("gap", column(found, |p| p.gap)),
    ]
}

fn projection_fields(found: &[Projection]) -> Vec<Field> {
    vec![
        Field::scalar("face", column(found, |p| p.face)),
        Field::vector("xi", column(found, |p| [p.xi[0], p.xi[1], 0.0])),
        Field::scalar("distance", column(found, |p| p.distance)),
        Field::scalar("gap", column(found, |p| p.gap)),
        Field::vector("normal", column(found, |p| p.normal)),
        Field::scalar("residual", column(found, |p| p.residual)),
        Field::scalar("status", column(found, |p| p.status as u8)),
    ]
}

fn column<R, T>(rows: &[R], value: impl Fn(&R) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}
