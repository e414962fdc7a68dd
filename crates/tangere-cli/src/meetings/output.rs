//! Meetings to files.

use super::Met;
use crate::ccd::output::ContactFormat;
use std::io::Write;
use std::path::Path;
use tangere_io::{Error, NpyData, NpyField, write_atomically, write_npy_rows};

/// Writes a row for each pair that meets.
pub fn write(path: &Path, format: ContactFormat, met: &[Met]) -> Result<(), Error> {
    if format == ContactFormat::Csv {
        return write_atomically(path, |out| {
            writeln!(out, "a,b,early,late")?;
            met.iter().try_for_each(
                |Met {
                     pair: [a, b],
                     meeting,
                 }| { writeln!(out, "{a},{b},{},{}", meeting.early, meeting.late) },
            )
        });
    }
    let column = |k: usize| -> Vec<u32> { met.iter().map(|met| met.pair[k]).collect() };
    let [a, b] = [0, 1].map(column);
    let early: Vec<f64> = met.iter().map(|met| met.meeting.early).collect();
    let late: Vec<f64> = met.iter().map(|met| met.meeting.late).collect();
    let status: Vec<u8> = met.iter().map(|met| met.meeting.status as u8).collect();
    let field = |name, data| NpyField {
        name,
        data,
        each: 1,
    };
    let fields = [
        field("a", NpyData::U32(&a)),
        field("b", NpyData::U32(&b)),
        field("early", NpyData::F64(&early)),
        field("late", NpyData::F64(&late)),
        field("status", NpyData::U8(&status)),
    ];
    write_npy_rows(path, met.len(), &fields)
}
