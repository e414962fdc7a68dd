//! Answers to files.

use super::Bodies;
use super::path::Told;
use super::told::answer_json;
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::info::extend;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;
use tangere::geometry::Pose;
use tangere::overlap::{Overlap, OverlapQuery, lens};
use tangere::shape::Packing;
use tangere_io::vtk::{Cells, Field, PolyData};
use tangere_io::{
    Error, NpyData, NpyField, check_target, write_atomically, write_npy_rows, write_text,
};

/// Formats of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlapFormat {
    Npy,
    Csv,
    /// CSV to standard output.
    Standard,
    Json,
    Vtp,
}

impl OverlapFormat {
    /// The format of a file that is to be written, in a folder that is there.
    pub fn of_path(path: &Path) -> Result<Self, Failure> {
        if files::is_standard(path) {
            return Ok(OverlapFormat::Standard);
        }
        let ending = path.extension().unwrap_or_default();
        let ending = ending.to_string_lossy().to_ascii_lowercase();
        let format = match ending.as_str() {
            "npy" => OverlapFormat::Npy,
            "csv" => OverlapFormat::Csv,
            "json" => OverlapFormat::Json,
            "vtp" => OverlapFormat::Vtp,
            _ => {
                return Err(Failure::writing(Error::Format {
                    path: path.to_owned(),
                    found: ending,
                    expected: "npy, csv, json or vtp",
                }));
            }
        };
        check_target(path).map_err(Failure::writing)?;
        Ok(format)
    }
}

/// Prints answers, a row for each.
pub fn print(console: &Console, found: &[Overlap]) -> Result<(), Failure> {
    console.print_through(|out| csv(out, found))
}

/// Writes the answer for one pose; `object` is what JSON tells of it.
pub fn write(
    path: &Path,
    format: OverlapFormat,
    bodies: &Bodies,
    query: &mut OverlapQuery,
    answer: &Overlap,
    object: &Value,
) -> Result<(), Error> {
    match format {
        OverlapFormat::Vtp => files::write_vtp(path, &drawn(bodies, query)),
        OverlapFormat::Json => write_text(path, &format!("{object:#}\n")),
        _ => write_rows(path, format, std::slice::from_ref(answer)),
    }
}

/// Writes the answers of a motion; `summary` has what JSON tells of all together.
pub fn write_path(
    path: &Path,
    format: OverlapFormat,
    told: &Told,
    summary: &Value,
) -> Result<(), Error> {
    let (bodies, found) = (told.bodies, told.found);
    match format {
        OverlapFormat::Vtp => files::write_vtp(path, &drawn_path(bodies, found)),
        OverlapFormat::Json => {
            let mut object = summary.clone();
            let rows = found.iter().map(|o| answer_json(o, told.has_budget));
            let rows: Vec<Value> = rows.collect();
            extend(&mut object, json!({ "overlaps": rows }));
            write_text(path, &format!("{object:#}\n"))
        }
        _ => write_rows(path, format, found),
    }
}

fn write_rows(path: &Path, format: OverlapFormat, found: &[Overlap]) -> Result<(), Error> {
    if format == OverlapFormat::Csv {
        return write_atomically(path, |out| csv(out, found));
    }
    let volume = column(found, |o| o.volume);
    let lower = column(found, |o| o.lower);
    let upper = column(found, |o| o.upper);
    let force = column(found, |o| o.force);
    let torque = column(found, |o| o.torque);
    let centroid = column(found, |o| o.centroid);
    let normal = column(found, |o| o.normal);
    let pairs = column(found, |o| o.pairs as u64);
    let work = column(found, |o| o.work);
    let complete = column(found, |o| u8::from(o.complete));
    let field = |name, data, each| NpyField { name, data, each };
    let triple = |name, data| field(name, NpyData::F64(data), 3);
    // As Python has them.
    let fields = [
        field("volume", NpyData::F64(&volume), 1),
        field("lower", NpyData::F64(&lower), 1),
        field("upper", NpyData::F64(&upper), 1),
        triple("force", force.as_flattened()),
        triple("torque", torque.as_flattened()),
        triple("centroid", centroid.as_flattened()),
        triple("normal", normal.as_flattened()),
        field("pairs", NpyData::U64(&pairs), 1),
        field("work", NpyData::U64(&work), 1),
        field("complete", NpyData::U8(&complete), 1),
    ];
    write_npy_rows(path, found.len(), &fields)
}

fn csv(out: &mut impl Write, found: &[Overlap]) -> io::Result<()> {
    writeln!(
        out,
        "volume,lower,upper,fx,fy,fz,mx,my,mz,cx,cy,cz,nx,ny,nz,pairs,method,work,complete"
    )?;
    found.iter().try_for_each(|o| {
        write!(out, "{},{},{}", o.volume, o.lower, o.upper)?;
        let triples = [o.force, o.torque, o.centroid, o.normal];
        let mut numbers = triples.as_flattened().iter();
        // Readers of tables know this spelling.
        numbers.try_for_each(|x| match x.is_nan() {
            true => write!(out, ",nan"),
            false => write!(out, ",{x}"),
        })?;
        let complete = u8::from(o.complete);
        writeln!(out, ",{},{},{},{complete}", o.pairs, o.method, o.work)
    })
}

/// What a cell of the drawing is.
const SPHERE: u8 = 0;
const PAIR: u8 = 1;

/// The spheres that overlap, where they are, and a line for each pair. The volume of a sphere is
/// what all its pairs share.
fn drawn(bodies: &Bodies, query: &mut OverlapQuery) -> PolyData {
    let mut pairs = Vec::new();
    let poses = [bodies.pose_a, bodies.poses_b[0]];
    query.pairs(&bodies.a, &poses[0], &bodies.b, &poses[1], &mut pairs);
    let packings = [&bodies.a, &bodies.b];
    // Numbers of the spheres that take part.
    let parts: [Vec<u32>; 2] = std::array::from_fn(|k| {
        let mut part: Vec<u32> = pairs.iter().map(|pair| pair[k]).collect();
        part.sort_unstable();
        part.dedup();
        part
    });
    let placed = |k: usize| {
        let (packing, pose): (&Packing, Pose) = (packings[k], poses[k]);
        parts[k]
            .iter()
            .map(move |&i| pose.apply(packing.centers()[i as usize]))
    };
    let points: Vec<[f64; 3]> = placed(0).chain(placed(1)).collect();
    let of_parts = |value: &dyn Fn(usize, u32) -> f64| -> Vec<f64> {
        let of = |k: usize| parts[k].iter().map(move |&i| value(k, i));
        of(0).chain(of(1)).collect()
    };
    let radii = of_parts(&|k, i| packings[k].radii()[i as usize]);
    let indices: Vec<u32> = parts.concat();
    let is_b = |i: usize| u8::from(i >= parts[0].len());
    let body: Vec<u8> = (0..points.len()).map(is_b).collect();

    let mut volumes = vec![0.0; points.len()];
    let mut lines: Vec<[u32; 2]> = Vec::with_capacity(pairs.len());
    let mut lenses: Vec<f64> = Vec::with_capacity(pairs.len());
    for &[i, j] in &pairs {
        let p = parts[0].partition_point(|&other| other < i);
        let q = parts[0].len() + parts[1].partition_point(|&other| other < j);
        let apart = (0..3).map(|k| (points[p][k] - points[q][k]).powi(2));
        let volume = lens(apart.sum::<f64>().sqrt(), [radii[p], radii[q]]).volume;
        volumes[p] += volume;
        volumes[q] += volume;
        lines.push([p as u32, q as u32]);
        lenses.push(volume);
    }
    let whats = [vec![SPHERE; points.len()], vec![PAIR; lines.len()]].concat();
    let of_cells = [&volumes[..], &lenses[..]].concat();
    let mut data = PolyData::from_points(points);
    data.lines = Cells::uniform(&lines);
    data.with_point_data(Field::scalar("radius", radii))
        .with_point_data(Field::scalar("volume", volumes))
        .with_point_data(Field::scalar("body", body))
        .with_point_data(Field::scalar("index", indices))
        .with_cell_data(Field::scalar("volume", of_cells))
        .with_cell_data(Field::scalar("what", whats))
}

/// The way of b's origin, and what holds there.
fn drawn_path(bodies: &Bodies, found: &[Overlap]) -> PolyData {
    let mut data = PolyData::from_points(column(&bodies.poses_b, Pose::translation));
    if found.len() > 1 {
        data.lines = Cells {
            indices: (0..found.len() as u32).collect(),
            ends: vec![found.len()],
        };
    }
    data.with_point_data(Field::scalar("volume", column(found, |o| o.volume)))
        .with_point_data(Field::scalar("lower", column(found, |o| o.lower)))
        .with_point_data(Field::scalar("upper", column(found, |o| o.upper)))
        .with_point_data(Field::vector("force", column(found, |o| o.force)))
        .with_point_data(Field::vector("torque", column(found, |o| o.torque)))
        .with_point_data(Field::scalar("pairs", column(found, |o| o.pairs as u64)))
        .with_point_data(Field::scalar(
            "complete",
            column(found, |o| u8::from(o.complete)),
        ))
}

fn column<R, T>(rows: &[R], value: impl Fn(&R) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}
