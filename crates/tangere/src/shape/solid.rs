//! Solids: triangle meshes that bound a volume.

use super::{MeshReport, TriMesh, first_shell_intersection};
use crate::error::{Argument, Error, Result};

/// A triangle mesh that bounds a solid: closed, oriented outward, of shells that do not intersect.
/// Shells may be nested, with inward orientation where they bound a cavity.
#[derive(Clone, Debug)]
pub struct Solid<'a> {
    mesh: &'a TriMesh,
    report: MeshReport,
    volume: f64,
}

impl<'a> Solid<'a> {
    /// Returns the solid that a mesh bounds.
    ///
    /// # Errors
    /// When the surface is not closed, or not oriented so that it bounds a volume: the error
    /// ([`Error::Surface`]) has the report. When two of its shells intersect: the error names them.
    pub fn new(mesh: &'a TriMesh) -> Result<Self> {
        let report = mesh.report();
        let is_outward = report.closed && report.oriented && report.inverted_shells == 0;
        let volume = match report.volume {
            Some(volume) if is_outward && volume > 0.0 => volume,
            _ => {
                let found = match &report {
                    r if !r.closed => "a surface that is not closed",
                    r if !r.oriented => "a surface that is not oriented",
                    r if r.inverted_shells > 0 => "a surface with inverted shells",
                    _ => "a surface without a volume",
                };
                return Err(Error::Surface {
                    what: Argument::Mesh,
                    found,
                    expected: "one that is closed and oriented, with a volume and no inverted shells",
                    report: Box::new(report),
                });
            }
        };
        // A single shell has no other shell to intersect.
        if (report.components > 1 || report.nonmanifold_edges > 0)
            && let Some(intersection) = first_shell_intersection(mesh)
        {
            return Err(intersection.error());
        }
        Ok(Self {
            mesh,
            report,
            volume,
        })
    }

    /// The mesh of the solid.
    pub fn mesh(&self) -> &'a TriMesh {
        self.mesh
    }

    /// The report on the mesh of the solid.
    pub fn report(&self) -> &MeshReport {
        &self.report
    }

    /// The volume of the solid.
    pub fn volume(&self) -> f64 {
        self.volume
    }
}
