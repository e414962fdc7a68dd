//! Closed parts of a surface, and which of them are inside out.

use super::TriMesh;
use super::topology::{NO_COMPONENT, Topology};
use crate::geometry::{Aabb, triangle};

/// A closed and oriented component.
pub(crate) struct Shell {
    /// Its number in [`Topology::component`].
    pub(crate) component: u32,
    /// Its normals point inward, and it is not the wall of a cavity.
    pub(crate) inverted: bool,
}

/// All shells of a surface in the order of their components.
pub(crate) fn shells(mesh: &TriMesh, topology: &Topology) -> Vec<Shell> {
    let mut faces_of = vec![Vec::new(); topology.is_shell.len()];
    for (f, &component) in topology.component.iter().enumerate() {
        if component != NO_COMPONENT && topology.is_shell[component as usize] {
            faces_of[component as usize].push(f);
        }
    }
    let corners = |faces: &[usize]| {
        let mut bounds = Aabb::EMPTY;
        for &f in faces {
            mesh.triangle(f).into_iter().for_each(|p| bounds.include(p));
        }
        bounds
    };
    let bounds: Vec<Aabb<3>> = faces_of.iter().map(|faces| corners(faces)).collect();
    let volume = |c: usize| -> f64 {
        let origin = bounds[c].center();
        let part = |&f: &usize| triangle::signed_volume(origin, mesh.triangle(f));
        faces_of[c].iter().map(part).sum()
    };
    let is_shell = |&c: &usize| topology.is_shell[c];
    (0..topology.is_shell.len())
        .filter(is_shell)
        .map(|c| {
            let inverted = volume(c) < 0.0 && {
                // A cavity lies inside other shells: their winding number is positive there.
                let p = mesh.triangle(faces_of[c][0])[0];
                let winding: f64 = (0..bounds.len())
                    .filter(|&other| other != c && bounds[other].contains(p))
                    .flat_map(|other| &faces_of[other])
                    .map(|&f| triangle::solid_angle(p, mesh.triangle(f)))
                    .sum();
                winding < 2.0 * std::f64::consts::PI
            };
            Shell {
                component: c as u32,
                inverted,
            }
        })
        .collect()
}
