//! Reading and writing sphere packings, with the record of the body that they fill: the volume of
//! the body and the space that the spheres leave unfilled, as numbers ([`Packing::record`]).
//!
//! | | spheres | record of the body |
//! |---|---|---|
//! | `.npy` | an array of shape (N, 4): x, y, z, radius | a second array of one axis, after the first |
//! | `.vtp`, `.vtu` (read only) | points with the field `radius` | the field data `packing` |
//! | `.csv` and other texts (read only) | columns x, y, z, radius | nothing |
//!
//! NumPy saves several arrays one after the other and loads the first, so that `np.load` of a
//! packing gives its spheres, as do all readers of particles here.

use crate::atomic::{check_target, write_atomically};
use crate::error::{Error, Fault, Place, Result};
use crate::format::{MeshFormat, TableFormat, extension, unfit};
use crate::mesh::{LoadedMesh, file_bytes};
use crate::npy::{self, NpyData, first_npy, parse_npy};
use crate::particles::{Particles, particles_from_bytes};
use crate::shape::{Shape, ShapeFormat, shape_from_bytes};
use crate::table::Array;
use crate::vtk::{self, Field, PolyData, xml};
use std::path::Path;
use tangere::Argument;
use tangere::shape::{Packing, Spheres};

/// The name of the field data array of VTK files that stores the record of the packed body.
const RECORD: &str = "packing";

/// A solid body: a sphere packing, or a surface that can be packed with spheres.
#[derive(Clone, Debug)]
pub enum Solid {
    /// A sphere packing.
    Packing(Box<Packing>),
    /// A surface that can be packed with spheres.
    Surface(LoadedMesh),
}

/// Reads a sphere packing from `.npy`, `.vtp`, `.vtu` or a text.
///
/// ```
/// use tangere::shape::Packing;
/// use tangere_io::{read_packing, write_packing};
///
/// let packing = Packing::new(vec![[0.0; 3], [3.0, 0.0, 0.0]], vec![1.0, 2.0])?;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("two.npy");
/// write_packing(&path, &packing)?;
/// assert_eq!(read_packing(&path)?.centers(), packing.centers());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file contains no spheres, two of them overlap (both are named), or the record of the
/// body does not belong to them.
pub fn read_packing(path: impl AsRef<Path>) -> Result<Packing> {
    let path = path.as_ref();
    let (bytes, format) = file_bytes(path, packing_format)?;
    packing_from_bytes(path, &bytes, format)
}

/// Parses a sphere packing as [`read_packing`] does, from the content of a file. `name` stands for
/// the file in errors.
pub fn packing_from_bytes(
    name: impl AsRef<Path>,
    bytes: &[u8],
    format: TableFormat,
) -> Result<Packing> {
    let name = name.as_ref();
    let fault = |fault| Error::content(name, fault);
    let (spheres, record) = match format {
        TableFormat::Npy => arrays(bytes).map_err(fault)?,
        TableFormat::Csv => (spheres_of(name, bytes, format)?, Vec::new()),
        TableFormat::Vtp | TableFormat::Vtu => {
            let record = record_of(bytes).map_err(fault)?;
            (spheres_of(name, bytes, format)?, record)
        }
    };
    packed(spheres, &record).map_err(|source| Error::shape(name, source))
}

/// Reads a packing as [`read_packing`] does, or a surface as [`read_mesh`](crate::read_mesh) does.
///
/// The file extension selects which; in `.vtp` and `.vtu`, points with the field `radius` and
/// without polygons are a packing.
pub fn read_solid(path: impl AsRef<Path>) -> Result<Solid> {
    let path = path.as_ref();
    let (bytes, format) = file_bytes(path, ShapeFormat::of_path)?;
    let table = match format {
        ShapeFormat::Table(format) => return solid(path, &bytes, format),
        ShapeFormat::Mesh(MeshFormat::Vtp) => TableFormat::Vtp,
        ShapeFormat::Mesh(MeshFormat::Vtu) => TableFormat::Vtu,
        ShapeFormat::Mesh(_) => {
            return match shape_from_bytes(path, bytes, format)? {
                Shape::Surface(loaded) => Ok(Solid::Surface(loaded)),
                Shape::Particles(_) | Shape::Points(_) => {
                    Err(unfit(path, "holds particles, not a surface"))
                }
            };
        }
    };
    match shape_from_bytes(path, bytes.clone(), format)? {
        Shape::Surface(loaded) => Ok(Solid::Surface(loaded)),
        Shape::Particles(_) | Shape::Points(_) => solid(path, &bytes, table),
    }
}

fn solid(path: &Path, bytes: &[u8], format: TableFormat) -> Result<Solid> {
    let packing = packing_from_bytes(path, bytes, format)?;
    Ok(Solid::Packing(Box::new(packing)))
}

/// Checks before any work whether a sphere packing can be written to a file. The format must be
/// able to store the record of the packed body ([`Packing::record`]), and the folder must exist.
pub fn check_packing_target(path: impl AsRef<Path>) -> Result<()> {
    let path = path.as_ref();
    target_format(path)?;
    check_target(path)
}

/// Writes a sphere packing with the record of the packed body ([`Packing::record`]), as `.npy` or
/// `.vtp`.
///
/// # Errors
/// When the format is another, spheres overlap after [`Packing::update`], or the file cannot be
/// written.
pub fn write_packing(path: impl AsRef<Path>, packing: &Packing) -> Result<()> {
    let path = path.as_ref();
    let target = target_format(path)?;
    if let Some([i, j]) = packing.first_overlap() {
        let found = format!("an overlap with sphere {i}, which readers refuse");
        let overlap =
            tangere::Error::item(Argument::Sphere, j, found, "spheres that do not overlap");
        return Err(Error::shape(path, overlap));
    }
    let record = packing.record();
    match target {
        Target::Npy => {
            let rows = packing.centers().iter().zip(packing.radii());
            let rows: Vec<[f64; 4]> = rows.map(|(&[x, y, z], &r)| [x, y, z, r]).collect();
            let shape = [rows.len(), 4];
            write_atomically(path, |out| {
                npy::write(out, &shape, NpyData::F64(rows.as_flattened()))?;
                npy::write(out, &[record.len()], NpyData::F64(&record))
            })
        }
        Target::Vtp => {
            let data = PolyData::from(packing.spheres());
            vtk::write_vtp(path, &data.with_field_data(Field::scalar(RECORD, record)))
        }
    }
}

/// File formats that can store the record of the packed body beside the spheres.
enum Target {
    Npy,
    Vtp,
}

fn target_format(path: &Path) -> Result<Target> {
    match packing_format(path)? {
        TableFormat::Npy => Ok(Target::Npy),
        TableFormat::Vtp => Ok(Target::Vtp),
        TableFormat::Csv | TableFormat::Vtu => Err(unfit(
            path,
            "is not written for packings, as it would lose what is known of the body; use npy or vtp",
        )),
    }
}

/// Returns the format of a sphere packing by its file extension.
fn packing_format(path: &Path) -> Result<TableFormat> {
    let extension = extension(path);
    TableFormat::named(&extension).ok_or_else(|| match MeshFormat::named(&extension) {
        Some(_) => unfit(path, "holds a surface, not a packing"),
        None => Error::Format {
            path: path.to_owned(),
            found: extension,
            expected: "npy, vtp, vtu, csv, tsv, txt or dat".into(),
        },
    })
}

fn packed(spheres: Spheres<3>, record: &[f64]) -> tangere::Result<Packing> {
    let (centers, radii) = (spheres.centers().to_vec(), spheres.radii().to_vec());
    Packing::from_record(centers, radii, record)
}

/// Returns the spheres of a text table, or of the points of a VTK file.
fn spheres_of(path: &Path, bytes: &[u8], format: TableFormat) -> Result<Spheres<3>> {
    match particles_from_bytes(path, bytes, format)?.particles {
        Particles::Spheres(spheres) => Ok(spheres),
        Particles::Discs(_) => Err(Error::content(
            path,
            Fault::new(
                Place::Part("columns"),
                "discs: x, y and radius",
                "spheres: x, y, z and radius",
            ),
        )),
    }
}

/// Returns the spheres and the record of the packed body from the content of an NPY file. The
/// spheres are the first array, the record is the second. The record is empty if there is no second
/// array.
fn arrays(bytes: &[u8]) -> std::result::Result<(Spheres<3>, Vec<f64>), Fault> {
    let (first, end) = first_npy(bytes)?;
    let record = match &bytes[end..] {
        [] => Vec::new(),
        rest => {
            // Positions are counted from the start of the file, not of the second array.
            let array = parse_npy(rest).map_err(|fault| Fault {
                place: match fault.place {
                    Place::Byte(at) => Place::Byte(end + at),
                    place => place,
                },
                expected: format!("{} (in the second array, of the body)", fault.expected),
                ..fault
            })?;
            let [_] = array.shape[..] else {
                return Err(Fault::new(
                    Place::Part("second array"),
                    format!("the shape {:?}", array.shape),
                    "one axis: what is known of the body",
                ));
            };
            array.values
        }
    };
    Ok((spheres_of_array(&first)?, record))
}

fn spheres_of_array(array: &Array) -> std::result::Result<Spheres<3>, Fault> {
    let [_, 4] = array.shape[..] else {
        return Err(Fault::new(
            Place::Part("first array"),
            format!("the shape {:?}", array.shape),
            "N rows of 4 columns: x, y, z, radius",
        ));
    };
    let (rows, _) = array.values.as_chunks::<4>();
    let centers = rows.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
    let radii = rows.iter().map(|row| row[3]).collect();
    Spheres::new(centers, radii).map_err(|error| match error {
        tangere::Error::Item {
            what,
            index,
            found,
            expected,
        } => Fault::new(
            Place::Item("row", index),
            format!("the {what} {found}"),
            match what {
                Argument::Radius => "more than 0, from 4.9e-91 to 1.6e60".to_owned(),
                _ => expected,
            },
        ),
        error => Fault::new(Place::Part("first array"), error, "spheres"),
    })
}

/// Returns the record of the packed body in a VTK file; empty if the file has none.
fn record_of(bytes: &[u8]) -> std::result::Result<Vec<f64>, Fault> {
    let Some(values) = xml::field_data(bytes, RECORD)? else {
        return Ok(Vec::new());
    };
    let record = values.to_f64().into_owned();
    match record.iter().position(|x| !x.is_finite()) {
        None => Ok(record),
        Some(i) => Err(Fault::new(
            Place::Item("field data \"packing\", value", i),
            record[i],
            "a finite number",
        )),
    }
}
