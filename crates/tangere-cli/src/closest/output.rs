//! Contacts to files.

use super::told::{Answer, contact_json};
use crate::failure::Failure;
use crate::files;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use tangere::closest::PatchPoint;
use tangere::contact::{Contact, Feature};
use tangere_io::vtk::{Cells, Field, PolyData};
use tangere_io::{Error, check_target, write_atomically, write_text};

/// Formats of contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactFormat {
    Vtp,
    Json,
    Csv,
}

impl ContactFormat {
    /// The format of a file that is to be written, in a folder that is there.
    pub fn of_path(path: &Path, moves: bool) -> Result<Self, Failure> {
        let ending = path.extension().unwrap_or_default();
        let ending = ending.to_string_lossy().to_ascii_lowercase();
        let format = match ending.as_str() {
            "vtp" => ContactFormat::Vtp,
            "json" => ContactFormat::Json,
            "csv" if moves => ContactFormat::Csv,
            _ => {
                return Err(Failure::writing(Error::Format {
                    path: path.to_owned(),
                    found: ending,
                    expected: match moves {
                        true => "csv, vtp or json",
                        false => "vtp or json",
                    }
                    .into(),
                }));
            }
        };
        check_target(path).map_err(Failure::writing)?;
        Ok(format)
    }
}

/// Writes the answer for two bodies.
pub fn write(path: &Path, format: ContactFormat, answer: &Answer) -> Result<(), Error> {
    match format {
        ContactFormat::Vtp => files::write_vtp(path, &drawn(answer)),
        ContactFormat::Csv | ContactFormat::Json => {
            write_text(path, &format!("{:#}\n", answer.json()))
        }
    }
}

/// Writes the answers of a motion: `summary` has what JSON tells of all together.
pub fn write_steps(
    path: &Path,
    format: ContactFormat,
    contacts: &[Contact],
    summary: &Value,
) -> Result<(), Error> {
    match format {
        ContactFormat::Vtp => files::write_vtp(path, &drawn_steps(contacts)),
        ContactFormat::Csv => write_csv(path, contacts),
        ContactFormat::Json => {
            let mut object = summary.clone();
            let contacts: Vec<Value> = contacts.iter().map(contact_json).collect();
            crate::info::extend(&mut object, json!({ "contacts": contacts }));
            write_text(path, &format!("{object:#}\n"))
        }
    }
}

fn write_csv(path: &Path, contacts: &[Contact]) -> Result<(), Error> {
    write_atomically(path, |out| {
        writeln!(
            out,
            "gap,lower,upper,ax,ay,az,bx,by,bz,nx,ny,nz,kind_a,index_a,kind_b,index_b,status,steps"
        )?;
        contacts.iter().try_for_each(|c| {
            write!(out, "{},{},{}", c.gap, c.lower, c.upper)?;
            let numbers = c.point_a.iter().chain(&c.point_b).chain(&c.normal);
            numbers.into_iter().try_for_each(|x| write!(out, ",{x}"))?;
            for feature in [c.feature_a, c.feature_b] {
                write!(out, ",{},{}", feature.kind.name(), feature.index)?;
            }
            writeln!(out, ",{},{}", c.status.name(), c.steps)
        })
    })
}

/// What a cell of the drawing is.
const POINT: i32 = 0;
const BETWEEN: i32 = 1;
const PATCH: i32 = 2;

/// The two points, the line between them, and the patch on both bodies. Points have their body, their
/// feature, the gap there and the normal; cells tell what they are.
fn drawn(answer: &Answer) -> PolyData {
    let c = &answer.contact;
    let only = PatchPoint {
        point_a: c.point_a,
        point_b: c.point_b,
        gap: c.gap,
        feature_a: c.feature_a,
        feature_b: c.feature_b,
    };
    let corners = answer.patch;
    // The points of the contact, the corners on a, the corners on b.
    let on_a = |p: &PatchPoint| (p.point_a, 0, p.feature_a, p.gap);
    let on_b = |p: &PatchPoint| (p.point_b, 1, p.feature_b, p.gap);
    let mut rows: Vec<([f64; 3], i32, Feature, f64)> = vec![on_a(&only), on_b(&only)];
    rows.extend(corners.iter().map(on_a));
    rows.extend(corners.iter().map(on_b));

    let count = corners.len() as u32;
    let [first, second] = [2..2 + count, 2 + count..2 + 2 * count];
    let mut lines: Vec<Vec<u32>> = vec![vec![0, 1]];
    let mut polygons: Vec<Vec<u32>> = Vec::new();
    match count {
        0 | 1 => {}
        2 => lines.extend([first.collect(), second.collect()]),
        _ => polygons.extend([first.collect(), second.collect()]),
    }
    let verts = Cells::uniform(&[[0], [1]]);
    let whats = [POINT, POINT, BETWEEN].into_iter();
    let patches = lines.len() - 1 + polygons.len();
    let whats: Vec<i32> = whats.chain(std::iter::repeat_n(PATCH, patches)).collect();
    let cells = whats.len();
    PolyData {
        points: rows.iter().map(|row| row.0).collect(),
        verts,
        lines: chained(&lines),
        polys: chained(&polygons),
        ..PolyData::default()
    }
    .with_point_data(Field::scalar("body", column(&rows, |row| row.1)))
    .with_point_data(Field::scalar(
        "kind",
        column(&rows, |row| row.2.kind as i32),
    ))
    .with_point_data(Field::scalar("index", column(&rows, |row| row.2.index)))
    .with_point_data(Field::scalar("gap", column(&rows, |row| row.3)))
    .with_point_data(Field::vector("normal", vec![c.normal; rows.len()]))
    .with_cell_data(Field::scalar("what", whats))
    .with_cell_data(Field::scalar("gap", vec![c.gap; cells]))
    .with_cell_data(Field::vector("normal", vec![c.normal; cells]))
}

/// A line between the two points of every step.
fn drawn_steps(contacts: &[Contact]) -> PolyData {
    let points = contacts.iter().flat_map(|c| [c.point_a, c.point_b]);
    let lines: Vec<[u32; 2]> = (0..contacts.len() as u32)
        .map(|i| [2 * i, 2 * i + 1])
        .collect();
    PolyData {
        points: points.collect(),
        lines: Cells::uniform(&lines),
        ..PolyData::default()
    }
    .with_cell_data(Field::scalar("step", column(&lines, |line| line[0] / 2)))
    .with_cell_data(Field::scalar("gap", column(contacts, |c| c.gap)))
    .with_cell_data(Field::vector("normal", column(contacts, |c| c.normal)))
    .with_cell_data(Field::scalar("steps", column(contacts, |c| c.steps)))
}

fn column<R, T>(rows: &[R], value: impl Fn(&R) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}

fn chained(cells: &[Vec<u32>]) -> Cells {
    let mut chained = Cells::default();
    for cell in cells {
        chained.indices.extend(cell);
        chained.ends.push(chained.indices.len());
    }
    chained
}
