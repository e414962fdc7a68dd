//! Pairs to files.

use super::input::Frame;
use crate::failure::Failure;
use crate::files;
use std::io::Write;
use std::path::Path;
use tangere::pairs::PairFinder;
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
                expected: "npy, csv or vtp",
            })),
        }
    }
}

/// The ending of a name in lower case, without its point.
pub fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default();
    ending.to_string_lossy().to_ascii_lowercase()
}

/// Writes the pairs of a frame, which must be the last that the finder has seen.
pub fn write<const D: usize>(
    path: &Path,
    format: PairFormat,
    frame: &Frame<D>,
    pairs: &[[u32; 2]],
    finder: &mut dyn PairFinder<D>,
) -> Result<(), Failure> {
    match format {
        PairFormat::Npy => {
            let values = NpyData::U32(pairs.as_flattened());
            write_npy(path, &[pairs.len(), 2], values)
        }
        PairFormat::Csv => write_atomically(path, |out| {
            out.write_all(b"a,b\n")?;
            pairs.iter().try_for_each(|[a, b]| writeln!(out, "{a},{b}"))
        }),
        PairFormat::Vtp => files::write_vtp(path, &lines(frame, finder)?),
    }
    .map_err(Failure::writing)
}

/// A line between the middles of each pair, with its gap, its normal and the
/// image of the second that touches the first; lines to other images cross the
/// periodic cell. Where every image is asked for, each has a line.
fn lines<const D: usize>(
    frame: &Frame<D>,
    finder: &mut dyn PairFinder<D>,
) -> Result<PolyData, Failure> {
    let mut contacts = Vec::new();
    finder.contacts(&mut contacts)?;
    let pairs: Vec<[u32; 2]> = contacts.iter().map(|contact| contact.pair).collect();
    let middles = frame.middles();
    let points = middles.iter().map(|&p| in_space(p)).collect();
    let mut data = PolyData {
        points,
        lines: Cells::uniform(&pairs),
        ..PolyData::default()
    };
    if let Frame::Spheres { radii, .. } = frame {
        data = data.with_point_data(Field::scalar("radius", radii.clone()));
    }
    let gaps: Vec<f64> = contacts.iter().map(|contact| contact.gap).collect();
    let normals: Vec<[f64; 3]> = contacts.iter().map(|c| in_space(c.normal)).collect();
    let images: Vec<[i32; 3]> = contacts.iter().map(|c| in_space(c.image)).collect();
    Ok(data
        .with_cell_data(Field::scalar("gap", gaps))
        .with_cell_data(Field::vector("normal", normals))
        .with_cell_data(Field::vector("image", images)))
}

/// In the plane z = 0.
fn in_space<T: Copy + Default, const D: usize>(p: [T; D]) -> [T; 3] {
    std::array::from_fn(|k| p.get(k).copied().unwrap_or_default())
}
