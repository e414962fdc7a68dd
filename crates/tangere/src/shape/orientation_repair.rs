//! Orientation repair: flips triangles so that the surface is oriented and normals point outward.
//!
//! Time and memory are linear in the number of triangles, plus what
//! the [nesting of shells](super::shell_nesting) takes.

use super::TriMesh;
use super::mesh_edges::Edges;
use super::mesh_topology::{NO_PATCH, Topology};
use super::shell_nesting::shells;
use crate::error::{Argument, Error, Result};

/// A mesh whose orientation was repaired, with the number of triangles flipped.
#[derive(Clone, Debug, PartialEq)]
pub struct Reoriented {
    /// The repaired mesh: the same vertices and triangles, some of them flipped.
    pub mesh: TriMesh,
    /// The number of triangles that the repair flipped.
    pub flipped: usize,
}

/// The index that stands for no twin, for a half-edge whose edge does not belong to exactly two
/// triangles.
const NONE: u32 = u32::MAX;

impl TriMesh {
    /// Repairs the orientation of the mesh: flips triangles until, at every edge that exactly two
    /// triangles share, the two traverse the edge in opposite directions. A patch is a set of
    /// triangles connected through such edges, and a shell is a patch that is closed. Shells then
    /// bound a volume: normals point outward at even nesting depth, and into the cavity at odd
    /// depth. Open patches keep the orientation of most of their triangles.
    ///
    /// A non-orientable surface (a Möbius strip) is an error.
    pub fn reoriented(&self) -> Result<Reoriented> {
        let mut flip = self.agreement()?;
        let agreed = self.flipped(&flip)?;
        let topology = Topology::new(&agreed);
        let mut turn = vec![false; topology.is_shell.len()];
        for shell in shells(&agreed, &topology) {
            turn[shell.patch as usize] = shell.is_inverted();
        }
        for (flip, &patch) in flip.iter_mut().zip(&topology.patch) {
            *flip ^= patch != NO_PATCH && turn[patch as usize];
        }
        Ok(Reoriented {
            mesh: self.flipped(&flip)?,
            flipped: flip.iter().filter(|&&flip| flip).count(),
        })
    }

    /// Returns for each triangle whether to flip it. After the flips, at every edge that exactly
    /// two triangles share, the two have the same orientation: they traverse the edge in opposite
    /// directions. As few triangles as possible are flipped in each set of triangles connected
    /// through such edges.
    fn agreement(&self) -> Result<Vec<bool>> {
        let faces = self.faces();
        let mut twins = vec![NONE; 3 * faces.len()];
        Edges::new(self.vertices().len(), faces).for_each(|_, _, around| {
            if let &[x, y] = around {
                twins[x as usize] = y;
                twins[y as usize] = x;
            }
        });
        let start = |h: u32| faces[h as usize / 3][h as usize % 3];
        let mut flip = vec![false; faces.len()];
        let mut seen = vec![false; faces.len()];
        let mut part = Vec::new();
        for seed in 0..faces.len() {
            if seen[seed] {
                continue;
            }
            seen[seed] = true;
            part.clear();
            part.push(seed);
            let mut visited = 0;
            while visited < part.len() {
                let f = part[visited];
                visited += 1;
                for h in 3 * f as u32..3 * f as u32 + 3 {
                    let twin = twins[h as usize];
                    if twin == NONE {
                        continue;
                    }
                    let neighbour = twin as usize / 3;
                    // Neighbours agree when they run along the edge in opposite directions.
                    let wanted = flip[f] ^ (start(h) == start(twin));
                    if !seen[neighbour] {
                        seen[neighbour] = true;
                        flip[neighbour] = wanted;
                        part.push(neighbour);
                    } else if flip[neighbour] != wanted {
                        return Err(Error::item(
                            Argument::Face,
                            neighbour,
                            format!("the other side of face {f} across their edge"),
                            "a surface with two sides",
                        ));
                    }
                }
            }
            let flips = part.iter().filter(|&&f| flip[f]).count();
            if 2 * flips > part.len() {
                part.iter().for_each(|&f| flip[f] ^= true);
            }
        }
        Ok(flip)
    }

    /// Returns the mesh with the orientation of the marked triangles flipped.
    fn flipped(&self, flip: &[bool]) -> Result<TriMesh> {
        let turn =
            |(&[a, b, c], &flip): (&[u32; 3], &bool)| if flip { [a, c, b] } else { [a, b, c] };
        let faces = self.faces().iter().zip(flip).map(turn).collect();
        TriMesh::new(self.vertices().to_vec(), faces)
    }
}
