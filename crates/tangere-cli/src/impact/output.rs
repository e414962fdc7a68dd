//! Contacts to files.

use super::input::Scene;
use super::told::point;
use crate::failure::Failure;
use crate::files;
use serde_json::Value;
use std::io::{self, Write};
use std::path::Path;
use tangere::impact::FirstContacts;
use tangere_io::vtk::{Field, PolyData};
use tangere_io::{Error, check_target, write_atomically, write_text};

/// Formats of contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImpactFormat {
    Csv,
    /// CSV to standard output.
    Standard,
    Json,
    Vtp,
}

impl ImpactFormat {
    /// The format of a file that is to be written, in a folder that is there.
    pub fn of_path(path: &Path) -> Result<Self, Failure> {
        if files::is_standard(path) {
            return Ok(ImpactFormat::Standard);
        }
        let ending = path.extension().unwrap_or_default();
        let ending = ending.to_string_lossy().to_ascii_lowercase();
        let format = match ending.as_str() {
            "csv" => ImpactFormat::Csv,
            "json" => ImpactFormat::Json,
            "vtp" => ImpactFormat::Vtp,
            _ => {
                return Err(Failure::writing(Error::Format {
                    path: path.to_owned(),
                    found: ending,
                    expected: "csv, json or vtp",
                }));
            }
        };
        check_target(path).map_err(Failure::writing)?;
        Ok(format)
    }
}

pub fn write(
    path: &Path,
    format: ImpactFormat,
    scene: &Scene,
    found: &FirstContacts,
    object: &Value,
) -> Result<(), Error> {
    match format {
        ImpactFormat::Vtp => files::write_vtp(path, &drawn(found)),
        ImpactFormat::Json => write_text(path, &format!("{object:#}\n")),
        _ => write_atomically(path, |out| csv(out, scene, found)),
    }
}

/// A row for each contact.
pub fn csv(out: &mut dyn Write, scene: &Scene, found: &FirstContacts) -> io::Result<()> {
    writeln!(
        out,
        "time,early,late,certificate,a,b,name_a,name_b,feature_a,feature_b,x,y,z,nx,ny,nz,gap,face_a,face_b"
    )?;
    let quoted = |name: &str| match name.contains([',', '"']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    };
    for c in &found.contacts {
        let [x, y, z] = point(c);
        let [nx, ny, nz] = c.normal;
        writeln!(
            out,
            "{:?},{:?},{:?},{},{},{},{},{},{},{},{x:?},{y:?},{z:?},{nx:?},{ny:?},{nz:?},{:?},{},{}",
            c.early,
            c.early,
            c.late,
            c.certificate.name(),
            c.a,
            c.b,
            quoted(&scene.names[c.a as usize]),
            quoted(&scene.names[c.b as usize]),
            c.feature_a,
            c.feature_b,
            c.gap,
            c.face_a,
            c.face_b
        )?;
    }
    Ok(())
}

/// A point for each contact, with its normal and times.
fn drawn(found: &FirstContacts) -> PolyData {
    let contacts = &found.contacts;
    let scalar = |of: fn(&tangere::impact::ImpactContact) -> f64| -> Vec<f64> {
        contacts.iter().map(of).collect()
    };
    let index = |of: fn(&tangere::impact::ImpactContact) -> u32| -> Vec<u32> {
        contacts.iter().map(of).collect()
    };
    PolyData::from_points(contacts.iter().map(point).collect())
        .with_point_data(Field::scalar("time", scalar(|c| c.early)))
        .with_point_data(Field::scalar("late", scalar(|c| c.late)))
        .with_point_data(Field::scalar("gap", scalar(|c| c.gap)))
        .with_point_data(Field::scalar("a", index(|c| c.a)))
        .with_point_data(Field::scalar("b", index(|c| c.b)))
        .with_point_data(Field::scalar("face_a", index(|c| c.face_a)))
        .with_point_data(Field::scalar("face_b", index(|c| c.face_b)))
        .with_point_data(Field::vector(
            "normal",
            contacts.iter().map(|c| c.normal).collect(),
        ))
}
