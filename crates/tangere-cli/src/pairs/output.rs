//! Pairs to files.

use super::Rows;
use super::input::Frame;
use crate::failure::Failure;
use crate::files;
use std::io::Write;
use std::path::Path;
use tangere::pairs::{PairContact, PairFinder, neighbors};
use tangere_io::vtk::{Cells, Field, PolyData};
use tangere_io::{Error, NpyData, write_atomically, write_npy};

/// Formats of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairFormat {
    Npy,
    Csv,
    Vtp,
}

impl PairFormat {
    /// The format of pairs that are to be written.
    pub fn of_path(path: &Path) -> Result<Self, Failure> {
        let ending = ending(path);
        match ending.as_str() {
            "npy" => Ok(PairFormat::Npy),
            "csv" => Ok(PairFormat::Csv),
            "vtp" => Ok(PairFormat::Vtp),
            _ => Err(Failure::writing(Error::Format {
                path: path.to_owned(),
                found: ending,
                expected: "npy, csv or vtp".into(),
            })),
        }
    }
}

/// The ending of a name in lower case, without its point.
pub fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default();
    ending.to_string_lossy().to_ascii_lowercase()
}

/// What was found of the last step.
#[derive(Clone, Copy)]
pub struct Found<'a, const D: usize> {
    /// The items of the step, which must be those that the finder has.
    pub frame: &'a Frame<D>,
    /// Those whom they are held against.
    pub others: Option<&'a Frame<D>>,
    pub pairs: &'a [[u32; 2]],
}

/// Writes what was found.
pub fn write<const D: usize>(
    path: &Path,
    format: PairFormat,
    rows: Rows,
    found: Found<'_, D>,
    finder: &mut dyn PairFinder<D>,
) -> Result<(), Failure> {
    if format == PairFormat::Vtp {
        let data = match found.others {
            None => lines(found, finder)?,
            Some(others) => lines_between(found, others),
        };
        return files::write_vtp(path, &data).map_err(Failure::writing);
    }
    match rows {
        Rows::Pairs => write_pairs(path, format, ["a", "b"], found.pairs),
        Rows::Neighbors => {
            let count = found.frame.items().len();
            let pairs = both_ways(count, found.pairs);
            write_pairs(path, format, ["particle", "neighbor"], &pairs)
        }
        Rows::Contacts => {
            let mut contacts = Vec::new();
            finder.contacts(&mut contacts)?;
            write_contacts(path, format, &contacts)
        }
    }
    .map_err(Failure::writing)
}

fn write_pairs(
    path: &Path,
    format: PairFormat,
    names: [&str; 2],
    pairs: &[[u32; 2]],
) -> Result<(), Error> {
    if format == PairFormat::Npy {
        let values = NpyData::U32(pairs.as_flattened());
        return write_npy(path, &[pairs.len(), 2], values);
    }
    write_atomically(path, |out| {
        writeln!(out, "{}", names.join(","))?;
        pairs.iter().try_for_each(|[a, b]| writeln!(out, "{a},{b}"))
    })
}

/// A row for each contact: the two, the image of the second, the gap, the normal.
fn write_contacts<const D: usize>(
    path: &Path,
    format: PairFormat,
    contacts: &[PairContact<D>],
) -> Result<(), Error> {
    if format == PairFormat::Npy {
        let row = |c: &PairContact<D>| {
            let pair = c.pair.map(f64::from).into_iter();
            pair.chain(c.image.map(f64::from))
                .chain([c.gap])
                .chain(c.normal)
        };
        let values: Vec<f64> = contacts.iter().flat_map(row).collect();
        let shape = [contacts.len(), 3 + 2 * D];
        return write_npy(path, &shape, NpyData::F64(&values));
    }
    write_atomically(path, |out| {
        let axes = &["x", "y", "z"][..D];
        let named = |prefix: &str| axes.iter().map(|axis| format!(",{prefix}{axis}")).collect();
        let (images, normals): (String, String) = (named("i"), named("n"));
        writeln!(out, "a,b{images},gap{normals}")?;
        contacts.iter().try_for_each(|c| {
            let [a, b] = c.pair;
            write!(out, "{a},{b}")?;
            c.image.iter().try_for_each(|n| write!(out, ",{n}"))?;
            write!(out, ",{}", c.gap)?;
            c.normal.iter().try_for_each(|x| write!(out, ",{x}"))?;
            writeln!(out)
        })
    })
}

/// Each item with each of its neighbours, sorted.
fn both_ways(items: usize, pairs: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let (offsets, neighbors) = neighbors(items, pairs);
    let mut rows = Vec::with_capacity(neighbors.len());
    for (item, range) in offsets.windows(2).enumerate() {
        let of_item = &neighbors[range[0]..range[1]];
        rows.extend(of_item.iter().map(|&neighbor| [item as u32, neighbor]));
    }
    rows
}

/// Points at the middles of items, and lines between them.
fn drawn<const D: usize>(frames: &[&Frame<D>], pairs: &[[u32; 2]]) -> PolyData {
    let middles = frames.iter().flat_map(|frame| frame.middles());
    let data = PolyData {
        points: middles.map(in_space).collect(),
        lines: Cells::uniform(pairs),
        ..PolyData::default()
    };
    let mut radii = Vec::new();
    for frame in frames {
        match frame {
            Frame::Spheres { radii: more, .. } => radii.extend_from_slice(more),
            Frame::Boxes { .. } => return data,
        }
    }
    data.with_point_data(Field::scalar("radius", radii))
}

/// A line between the middles of each pair, with its gap, its normal and the
/// image of the second that touches the first; lines to other images cross the
/// periodic cell. Where every image is asked for, each has a line. Points have the
/// number of their neighbours.
fn lines<const D: usize>(
    found: Found<'_, D>,
    finder: &mut dyn PairFinder<D>,
) -> Result<PolyData, Failure> {
    let mut contacts = Vec::new();
    finder.contacts(&mut contacts)?;
    let pairs: Vec<[u32; 2]> = contacts.iter().map(|contact| contact.pair).collect();
    let mut touching = vec![0i32; found.frame.items().len()];
    for &i in found.pairs.as_flattened() {
        touching[i as usize] += 1;
    }
    let gaps: Vec<f64> = contacts.iter().map(|contact| contact.gap).collect();
    let normals: Vec<[f64; 3]> = contacts.iter().map(|c| in_space(c.normal)).collect();
    let images: Vec<[i32; 3]> = contacts.iter().map(|c| in_space(c.image)).collect();
    Ok(drawn(&[found.frame], &pairs)
        .with_point_data(Field::scalar("neighbors", touching))
        .with_cell_data(Field::scalar("gap", gaps))
        .with_cell_data(Field::vector("normal", normals))
        .with_cell_data(Field::vector("image", images)))
}

/// A line between the middles of each item and other; points say of which set they are.
fn lines_between<const D: usize>(found: Found<'_, D>, others: &Frame<D>) -> PolyData {
    let counts = [found.frame, others].map(|frame| frame.items().len());
    let after = counts[0] as u32;
    let pairs: Vec<[u32; 2]> = found.pairs.iter().map(|[a, b]| [*a, after + b]).collect();
    let sets = [0i32, 1].into_iter().zip(counts);
    let sets: Vec<i32> = sets
        .flat_map(|(set, count)| std::iter::repeat_n(set, count))
        .collect();
    drawn(&[found.frame, others], &pairs).with_point_data(Field::scalar("set", sets))
}

/// In the plane z = 0.
fn in_space<T: Copy + Default, const D: usize>(p: [T; D]) -> [T; 3] {
    std::array::from_fn(|k| p.get(k).copied().unwrap_or_default())
}
