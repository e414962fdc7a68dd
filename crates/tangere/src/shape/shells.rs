//! Closed parts of a surface: their volumes, and which lies in which.
//!
//! Linear in the number of triangles, and in the triangles of those shells
//! whose box contains another shell's first vertex, for each such pair.

use super::TriMesh;
use super::topology::{NO_COMPONENT, Topology};
use crate::geometry::{Aabb, triangle};

/// A closed and oriented component.
pub(crate) struct Shell {
    /// Its number in [`Topology::component`].
    pub(crate) component: u32,
    /// Its volume, negative where normals point inward.
    pub(crate) volume: f64,
    /// The winding number, about one of its vertices, of each other shell
    /// that has one.
    windings: Vec<i64>,
}

impl Shell {
    /// How many other shells enclose it.
    pub(crate) fn depth(&self) -> usize {
        self.windings.iter().filter(|&&w| w % 2 != 0).count()
    }

    /// Normals point inward, and it is not the wall of a cavity in others.
    pub(crate) fn is_inverted(&self) -> bool {
        self.volume < 0.0 && self.windings.iter().sum::<i64>() <= 0
    }
}

/// All shells of a surface in the order of their components.
pub(crate) fn shells(mesh: &TriMesh, topology: &Topology) -> Vec<Shell> {
    let mut faces_of = vec![Vec::new(); topology.is_shell.len()];
    for (f, &component) in topology.component.iter().enumerate() {
        if component != NO_COMPONENT && topology.is_shell[component as usize] {
            faces_of[component as usize].push(f);
        }
    }
    faces_of.retain(|faces: &Vec<usize>| !faces.is_empty());
    let bounds: Vec<Aabb<3>> = faces_of
        .iter()
        .map(|faces| Aabb::of_points(faces.iter().flat_map(|&f| mesh.triangle(f))))
        .collect();
    // A shell's winding number about a point is its solid angle over 4 pi:
    // an integer, unless shells touch there.
    let winding = |shell: usize, p: [f64; 3]| -> i64 {
        let angle = |&f: &usize| triangle::solid_angle(p, mesh.triangle(f));
        let sum: f64 = faces_of[shell].iter().map(angle).sum();
        (sum / (4.0 * std::f64::consts::PI)).round() as i64
    };
    faces_of
        .iter()
        .enumerate()
        .map(|(s, faces)| {
            let p = mesh.triangle(faces[0])[0];
            let origin = bounds[s].center();
            let part = |&f: &usize| triangle::sixfold_volume(origin, mesh.triangle(f));
            Shell {
                component: topology.component[faces[0]],
                volume: faces.iter().map(part).sum::<f64>() / 6.0,
                windings: (0..bounds.len())
                    .filter(|&other| other != s && bounds[other].contains(p))
                    .map(|other| winding(other, p))
                    .collect(),
            }
        })
        .collect()
}
