//! Sides and winding numbers to files.

use crate::failure::Failure;
use crate::files;
use std::io::Write;
use std::path::Path;
use tangere::inside::Side;
use tangere_io::vtk::{Field, PolyData};
use tangere_io::{Error, NpyData, check_target, write_atomically, write_npy};

/// Formats of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideFormat {
    Npy,
    Csv,
    Vtp,
}

impl SideFormat {
    /// The format of a file that is to be written, in a folder that is there.
    pub fn of_path(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().unwrap_or_default();
        let ending = ending.to_string_lossy().to_ascii_lowercase();
        let format = match ending.as_str() {
            "npy" => SideFormat::Npy,
            "csv" => SideFormat::Csv,
            "vtp" => SideFormat::Vtp,
            _ => {
                return Err(Failure::writing(Error::Format {
                    path: path.to_owned(),
                    found: ending,
                    expected: "npy, csv or vtp",
                }));
            }
        };
        check_target(path).map_err(Failure::writing)?;
        Ok(format)
    }
}

/// Writes winding numbers if there are any, else sides. Takes what may be large, so that
/// nothing is there twice.
pub fn write(
    path: &Path,
    format: SideFormat,
    points: Vec<[f64; 3]>,
    sides: Vec<Side>,
    windings: Option<&[f64]>,
) -> Result<(), Failure> {
    let sides: Vec<i8> = sides.into_iter().map(|side| side as i8).collect();
    match (format, windings) {
        (SideFormat::Npy, Some(windings)) => {
            write_npy(path, &[windings.len()], NpyData::F64(windings))
        }
        (SideFormat::Npy, None) => write_npy(path, &[sides.len()], NpyData::I8(&sides)),
        (SideFormat::Csv, Some(windings)) => write_atomically(path, |out| {
            out.write_all(b"side,winding\n")?;
            let mut rows = sides.iter().zip(windings);
            rows.try_for_each(|(side, winding)| writeln!(out, "{side},{winding}"))
        }),
        (SideFormat::Csv, None) => write_atomically(path, |out| {
            out.write_all(b"side\n")?;
            sides.iter().try_for_each(|side| writeln!(out, "{side}"))
        }),
        (SideFormat::Vtp, windings) => {
            let mut data =
                PolyData::from_points(points).with_point_data(Field::scalar("side", sides));
            if let Some(windings) = windings {
                data = data.with_point_data(Field::scalar("winding", windings.to_vec()));
            }
            files::write_vtp(path, &data)
        }
    }
    .map_err(Failure::writing)
}
