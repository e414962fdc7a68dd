//! First contacts to files.

use crate::failure::Failure;
use std::io::Write;
use std::path::Path;
use tangere::impact::primitive::FirstContact;
use tangere_io::{Error, NpyData, NpyField, check_target, write_atomically, write_npy_rows};

/// Formats of tables of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactFormat {
    Npy,
    Csv,
}

impl ContactFormat {
    /// The format of a file that is to be written, in a folder that is there.
    pub fn of_path(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().unwrap_or_default();
        let ending = ending.to_string_lossy().to_ascii_lowercase();
        let format = match ending.as_str() {
            "npy" => ContactFormat::Npy,
            "csv" => ContactFormat::Csv,
            _ => {
                return Err(Failure::writing(Error::Format {
                    path: path.to_owned(),
                    found: ending,
                    expected: "csv or npy".into(),
                }));
            }
        };
        check_target(path).map_err(Failure::writing)?;
        Ok(format)
    }
}

/// Writes a row for each query.
pub fn write(path: &Path, format: ContactFormat, found: &[FirstContact]) -> Result<(), Error> {
    if format == ContactFormat::Csv {
        return write_atomically(path, |out| {
            writeln!(out, "time,late,status")?;
            found
                .iter()
                .try_for_each(|f| writeln!(out, "{},{},{}", f.early, f.late, f.status.name()))
        });
    }
    let time: Vec<f64> = found.iter().map(|f| f.early).collect();
    let late: Vec<f64> = found.iter().map(|f| f.late).collect();
    let status: Vec<u8> = found.iter().map(|f| f.status as u8).collect();
    let field = |name, data| NpyField {
        name,
        data,
        each: 1,
    };
    let fields = [
        field("time", NpyData::F64(&time)),
        field("late", NpyData::F64(&late)),
        field("status", NpyData::U8(&status)),
    ];
    write_npy_rows(path, found.len(), &fields)
}
