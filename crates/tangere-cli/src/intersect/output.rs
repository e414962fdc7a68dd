//! Triangles that meet, to files.

use super::Surfaces;
use crate::failure::Failure;
use crate::files;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use tangere::closest::Intersection;
use tangere::geometry::IntersectionKind;
use tangere_io::vtk::{Cells, Field, PolyData};
use tangere_io::{Error, NpyData, check_target, write_atomically, write_npy};

/// Formats of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntersectionFormat {
    Npy,
    Csv,
    Vtp,
}

impl IntersectionFormat {
    /// The format of a file that is to be written, in a folder that is there.
    pub fn of_path(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().unwrap_or_default();
        let ending = ending.to_string_lossy().to_ascii_lowercase();
        let format = match ending.as_str() {
            "npy" => IntersectionFormat::Npy,
            "csv" => IntersectionFormat::Csv,
            "vtp" => IntersectionFormat::Vtp,
            _ => {
                return Err(Failure::writing(Error::Format {
                    path: path.to_owned(),
                    found: ending,
                    expected: "npy, csv or vtp".into(),
                }));
            }
        };
        check_target(path).map_err(Failure::writing)?;
        Ok(format)
    }
}

/// Writes the pairs, or the triangles that meet.
pub fn write(
    path: &Path,
    format: IntersectionFormat,
    surfaces: &Surfaces,
    pairs: &[Intersection],
) -> Result<(), Error> {
    match format {
        IntersectionFormat::Npy => {
            let numbers: Vec<u32> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
            write_npy(path, &[pairs.len(), 2], NpyData::U32(&numbers))
        }
        IntersectionFormat::Csv => write_atomically(path, |out| {
            writeln!(out, "a,b,kind")?;
            pairs
                .iter()
                .try_for_each(|pair| writeln!(out, "{},{},{}", pair.a, pair.b, pair.kind.name()))
        }),
        IntersectionFormat::Vtp => files::write_vtp(path, &drawn(surfaces, pairs)),
    }
}

/// What a triangle meets.
struct Met {
    count: u32,
    partner: u32,
    kind: IntersectionKind,
}

/// Every triangle that meets one, once, with what it meets.
fn drawn(surfaces: &Surfaces, pairs: &[Intersection]) -> PolyData {
    // By surface and face; pairs within one surface are all of surface 0.
    let mut met: BTreeMap<(u8, u32), Met> = BTreeMap::new();
    let mut meet = |surface: u8, face: u32, partner: u32, kind: IntersectionKind| {
        let one = met.entry((surface, face)).or_insert(Met {
            count: 0,
            partner,
            kind,
        });
        one.count += 1;
        one.partner = one.partner.min(partner);
        one.kind = one.kind.min(kind);
    };
    let other = u8::from(surfaces.b.is_some());
    for pair in pairs {
        meet(0, pair.a, pair.b, pair.kind);
        meet(other, pair.b, pair.a, pair.kind);
    }
    let corners = met.keys().flat_map(|&(surface, face)| match &surfaces.b {
        Some(b) if surface == 1 => b.triangle(face as usize).map(|p| surfaces.pose_b.apply(p)),
        _ => surfaces.a.triangle(face as usize),
    });
    let triangles: Vec<[u32; 3]> = (0..met.len() as u32)
        .map(|i| [3 * i, 3 * i + 1, 3 * i + 2])
        .collect();
    let of_keys = |value: fn(&(u8, u32)) -> u32| -> Vec<u32> { met.keys().map(value).collect() };
    let of_met = |value: fn(&Met) -> u32| -> Vec<u32> { met.values().map(value).collect() };
    PolyData {
        points: corners.collect(),
        polys: Cells::uniform(&triangles),
        ..PolyData::default()
    }
    .with_cell_data(Field::scalar("surface", of_keys(|key| u32::from(key.0))))
    .with_cell_data(Field::scalar("face", of_keys(|key| key.1)))
    .with_cell_data(Field::scalar("partners", of_met(|met| met.count)))
    .with_cell_data(Field::scalar("partner", of_met(|met| met.partner)))
    .with_cell_data(Field::scalar("kind", of_met(|met| met.kind as u32)))
}
