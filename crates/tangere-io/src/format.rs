//! File formats, selected by the file extension.

use crate::error::{Error, Result};
use std::fmt;
use std::path::Path;

/// File format of meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MeshFormat {
    /// Stereolithography, binary or text.
    Stl,
    /// Wavefront OBJ, as text.
    Obj,
    /// The Stanford polygon format, binary or text.
    Ply,
    /// Geomview's object file format.
    Off,
    /// VTK's legacy format, binary or text.
    Vtk,
    /// VTK's XML format of points, lines and polygons.
    Vtp,
    /// VTK's XML format of unstructured grids.
    Vtu,
    /// Gmsh's format, binary or text.
    Msh,
    /// MEDIT's format, as text.
    Mesh,
    /// Abaqus's input file.
    Inp,
}

impl MeshFormat {
    /// All file formats of meshes.
    pub const ALL: [MeshFormat; 10] = [
        MeshFormat::Stl,
        MeshFormat::Obj,
        MeshFormat::Ply,
        MeshFormat::Off,
        MeshFormat::Vtk,
        MeshFormat::Vtp,
        MeshFormat::Vtu,
        MeshFormat::Msh,
        MeshFormat::Mesh,
        MeshFormat::Inp,
    ];

    /// Returns the format of a mesh file by its extension, case-insensitive.
    pub fn of_path(path: impl AsRef<Path>) -> Result<MeshFormat> {
        let path = path.as_ref();
        let extension = extension(path);
        if let Some(format) = MeshFormat::named(&extension) {
            return Ok(format);
        }
        Err(match TableFormat::named(&extension) {
            Some(_) => unfit(path, "holds particles, not a surface"),
            None => Error::Format {
                path: path.to_owned(),
                found: extension,
                expected: "stl, obj, ply, off, vtk, vtp, vtu, msh, mesh or inp".into(),
            },
        })
    }

    /// Returns the format of a mesh file to be written, by its extension. It is an error if the
    /// format can only be read.
    pub fn of_target(path: impl AsRef<Path>) -> Result<MeshFormat> {
        let path = path.as_ref();
        match MeshFormat::of_path(path) {
            Ok(format) if !format.is_written() => Err(unfit(path, READ_ONLY)),
            Err(Error::Format { path, found, .. }) => Err(Error::Format {
                path,
                found,
                expected: "stl, ply, obj, off, vtp or vtu".into(),
            }),
            other => other,
        }
    }

    /// Returns the mesh format with this name, such as `stl`; the name must be in lower case.
    pub fn named(name: &str) -> Option<MeshFormat> {
        MeshFormat::ALL
            .into_iter()
            .find(|format| format.name() == name)
    }

    /// Whether meshes can be written in the format, not only read. The legacy VTK format is not
    /// written because programs that read it also read the XML formats. Finite element formats are
    /// not written because they need much that a surface does not have.
    pub fn is_written(self) -> bool {
        use MeshFormat as M;
        !matches!(self, M::Vtk | M::Msh | M::Mesh | M::Inp)
    }

    /// Returns the name of the format, which is also its file extension.
    pub fn name(self) -> &'static str {
        match self {
            MeshFormat::Stl => "stl",
            MeshFormat::Obj => "obj",
            MeshFormat::Ply => "ply",
            MeshFormat::Off => "off",
            MeshFormat::Vtk => "vtk",
            MeshFormat::Vtp => "vtp",
            MeshFormat::Vtu => "vtu",
            MeshFormat::Msh => "msh",
            MeshFormat::Mesh => "mesh",
            MeshFormat::Inp => "inp",
        }
    }
}

impl fmt::Display for MeshFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// File format of tables. Particles, which are tables of centres and radii, have the same formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TableFormat {
    /// Text, with the extension `csv`, `tsv`, `txt` or `dat`.
    Csv,
    /// NumPy's array file.
    Npy,
    /// VTK's XML format of points, lines and polygons.
    Vtp,
    /// VTK's XML format of unstructured grids.
    Vtu,
}

impl TableFormat {
    /// Returns the format of a table file by its extension, case-insensitive.
    pub fn of_path(path: impl AsRef<Path>) -> Result<TableFormat> {
        let path = path.as_ref();
        let extension = extension(path);
        if let Some(format) = TableFormat::named(&extension) {
            return Ok(format);
        }
        Err(match MeshFormat::named(&extension) {
            Some(_) => unfit(
                path,
                "holds a surface, not particles; expected csv, npy, vtp or vtu",
            ),
            None => Error::Format {
                path: path.to_owned(),
                found: extension,
                expected: "csv, tsv, txt, dat, npy, vtp or vtu".into(),
            },
        })
    }

    /// Returns the table format with this file extension, which must be in lower case.
    pub fn named(name: &str) -> Option<TableFormat> {
        Some(match name {
            "csv" | "tsv" | "txt" | "dat" => TableFormat::Csv,
            "npy" => TableFormat::Npy,
            "vtp" => TableFormat::Vtp,
            "vtu" => TableFormat::Vtu,
            _ => return None,
        })
    }

    /// Returns the name of the format, which is also one of its file extensions.
    pub fn name(self) -> &'static str {
        match self {
            TableFormat::Csv => "csv",
            TableFormat::Npy => "npy",
            TableFormat::Vtp => "vtp",
            TableFormat::Vtu => "vtu",
        }
    }
}

impl fmt::Display for TableFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reason in the error message when a mesh is to be written in a format that can only be read.
pub(crate) const READ_ONLY: &str = "can be read but not written; use vtp or vtu";

/// Returns the error that the format of the file `path` does not support the content.
pub(crate) fn unfit(path: &Path, reason: &'static str) -> Error {
    Error::Unfit {
        path: path.to_owned(),
        format: extension(path),
        reason,
    }
}

/// Returns the file extension in lower case, without the dot; empty if there is none.
pub(crate) fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}
