//! Files, as subcommands use them: endings are checked before any work.

use crate::console::Console;
use crate::failure::Failure;
use std::fmt::Write;
use std::path::Path;
use tangere::shape::{Spheres, TriMesh};
use tangere_io::vtk::{PolyData, xml};
use tangere_io::{Error, LoadedMesh, MeshFormat};

/// Reads a mesh; gives the seconds it took as well.
pub fn read_mesh(path: &Path, console: &Console) -> Result<(LoadedMesh, f64), Failure> {
    let what = format!("reading {}", path.display());
    let (loaded, seconds) = console.timed(&what, || tangere_io::read_mesh(path));
    Ok((loaded.map_err(Failure::reading)?, seconds))
}

/// Writes a mesh; gives the seconds it took.
pub fn write_mesh(path: &Path, mesh: &TriMesh, console: &Console) -> Result<f64, Failure> {
    let what = format!("writing {}", path.display());
    let (written, seconds) = console.timed(&what, || tangere_io::write_mesh(path, mesh));
    written.map_err(Failure::writing)?;
    Ok(seconds)
}

/// The format of a mesh that is to be written.
pub fn mesh_format(path: &Path) -> Result<MeshFormat, Failure> {
    let expected = "stl, obj, ply, off, vtp or vtu";
    match MeshFormat::of_path(path) {
        Ok(MeshFormat::Vtk) | Err(_) => Err(unknown_ending(path, expected)),
        Ok(format) => Ok(format),
    }
}

/// Formats of particles that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParticleFormat {
    Csv,
    Npy,
    Vtp,
    Vtu,
}

impl ParticleFormat {
    /// The format of particles that are to be written.
    pub fn of_path(path: &Path) -> Result<Self, Failure> {
        match ending(path).as_str() {
            "csv" => Ok(ParticleFormat::Csv),
            "npy" => Ok(ParticleFormat::Npy),
            "vtp" => Ok(ParticleFormat::Vtp),
            "vtu" => Ok(ParticleFormat::Vtu),
            _ => Err(unknown_ending(path, "npy, csv, vtp or vtu")),
        }
    }

    /// Its name, which is also the ending of its files.
    pub fn name(self) -> &'static str {
        match self {
            ParticleFormat::Csv => "csv",
            ParticleFormat::Npy => "npy",
            ParticleFormat::Vtp => "vtp",
            ParticleFormat::Vtu => "vtu",
        }
    }
}

/// Writes particles, one row of centre and radius each; gives the seconds it took.
pub fn write_particles<const D: usize>(
    path: &Path,
    particles: &Spheres<D>,
    console: &Console,
) -> Result<f64, Failure> {
    let what = format!("writing {}", path.display());
    let (written, seconds) = console.timed(&what, || tangere_io::write_particles(path, particles));
    written.map_err(Failure::writing)?;
    Ok(seconds)
}

/// Writes a VTP file.
pub fn write_vtp(path: &Path, data: &PolyData) -> tangere_io::Result<()> {
    tangere_io::write_atomically(path, |out| xml::write_vtp(data, out))
}

/// Particles as text: names of columns, then a row for each. A number is the
/// shortest text that reads back as the same.
pub fn particles_as_csv<const D: usize>(particles: &Spheres<D>) -> String {
    let table = tangere_io::particle_table(particles);
    let mut text = table.names.as_deref().unwrap_or_default().join(",");
    text.push('\n');
    for row in table.rows() {
        for (k, x) in row.iter().enumerate() {
            // A String takes all that is written to it.
            let _ = write!(text, "{}{x}", if k > 0 { "," } else { "" });
        }
        text.push('\n');
    }
    text
}

fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default();
    ending.to_string_lossy().to_ascii_lowercase()
}

fn unknown_ending(path: &Path, expected: &'static str) -> Failure {
    Failure::writing(Error::Format {
        path: path.to_owned(),
        found: ending(path),
        expected,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_have_a_row_each() {
        let discs = Spheres::new(vec![[0.5, -1.0], [1e-7, 2.0]], vec![0.25, 1.0 / 3.0]);
        assert_eq!(
            particles_as_csv(&discs.unwrap()),
            "x,y,radius\n0.5,-1,0.25\n0.0000001,2,0.3333333333333333\n"
        );
    }

    #[test]
    fn endings_tell_the_format() {
        assert_eq!(mesh_format(Path::new("a.STL")).unwrap(), MeshFormat::Stl);
        for bad in ["a", "a.vtk", "a.exe", ".stl", "stl"] {
            assert!(matches!(
                mesh_format(Path::new(bad)),
                Err(Failure::Input(_))
            ));
        }
        let format = ParticleFormat::of_path(Path::new("x/y.NPY")).unwrap();
        assert_eq!(format, ParticleFormat::Npy);
        assert!(ParticleFormat::of_path(Path::new("a.stl")).is_err());
    }
}
