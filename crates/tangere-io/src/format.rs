//! Which format a file has, by the ending of its name.

use crate::error::{Error, Result};
use std::fmt;
use std::path::Path;

/// A format of meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MeshFormat {
    /// Stereolithography, binary or text.
    Stl,
    /// Wavefront.
    Obj,
    /// Stanford polygons, binary or text.
    Ply,
    /// Geomview's object file.
    Off,
    /// VTK's legacy format, binary or text.
    Vtk,
    /// VTK's XML format of surfaces.
    Vtp,
    /// VTK's XML format of unstructured grids.
    Vtu,
}

impl MeshFormat {
    /// All formats.
    pub const ALL: [MeshFormat; 7] = [
        MeshFormat::Stl,
        MeshFormat::Obj,
        MeshFormat::Ply,
        MeshFormat::Off,
        MeshFormat::Vtk,
        MeshFormat::Vtp,
        MeshFormat::Vtu,
    ];

    /// The format of a file, by the ending of its name without regard to case.
    pub fn of_path(path: impl AsRef<Path>) -> Result<MeshFormat> {
        let path = path.as_ref();
        let ending = ending(path);
        MeshFormat::ALL
            .into_iter()
            .find(|format| format.name() == ending)
            .ok_or_else(|| Error::Format {
                path: path.to_owned(),
                found: ending,
                expected: "stl, obj, ply, off, vtk, vtp or vtu",
            })
    }

    /// Its name, which is also the ending of its files.
    pub fn name(self) -> &'static str {
        match self {
            MeshFormat::Stl => "stl",
            MeshFormat::Obj => "obj",
            MeshFormat::Ply => "ply",
            MeshFormat::Off => "off",
            MeshFormat::Vtk => "vtk",
            MeshFormat::Vtp => "vtp",
            MeshFormat::Vtu => "vtu",
        }
    }
}

impl fmt::Display for MeshFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The ending of a name in lower case, without its point; empty if there is none.
pub(crate) fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default();
    ending.to_string_lossy().to_ascii_lowercase()
}
