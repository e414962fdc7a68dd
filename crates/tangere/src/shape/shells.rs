//! Closed parts of a surface: their volumes, and which lies in which.
//!
//! Linear in the number of triangles; where the boxes of shells contain
//! others, a tree is built and rays are shot from each such shell, O(n log n).

use super::TriMesh;
use super::topology::{NO_COMPONENT, Topology};
use crate::geometry::{Aabb, SegmentTriangle, segment_triangle, triangle};
use crate::tree::{Ray, Tree};

/// A closed and oriented component.
pub(crate) struct Shell {
    /// Its number in [`Topology::component`].
    pub(crate) component: u32,
    /// Its volume, negative where normals point inward.
    pub(crate) volume: f64,
    bounds: Aabb<3>,
    /// The vertices farthest down and up each axis: inside another shell with
    /// the whole, whereas of shells that cross some stick out.
    extremes: [[f64; 3]; 6],
    /// How many other shells enclose it.
    depth: usize,
}

impl Shell {
    /// Whether it must be turned for the surface to bound a volume: normals
    /// point outward at even depth of nesting, into the cavity at odd depth.
    pub(crate) fn is_inverted(&self) -> bool {
        (self.volume < 0.0) != (self.depth % 2 == 1)
    }
}

/// All shells of a surface in the order of their components.
pub(crate) fn shells(mesh: &TriMesh, topology: &Topology) -> Vec<Shell> {
    const NO_SHELL: u32 = u32::MAX;
    let mut shell_of = vec![NO_SHELL; topology.is_shell.len()];
    let mut shells: Vec<Shell> = Vec::new();
    for (f, &component) in topology.component.iter().enumerate() {
        if component == NO_COMPONENT || !topology.is_shell[component as usize] {
            continue;
        }
        let corners = mesh.triangle(f);
        let slot = &mut shell_of[component as usize];
        if *slot == NO_SHELL {
            *slot = shells.len() as u32;
            shells.push(Shell {
                component,
                volume: 0.0,
                bounds: Aabb::EMPTY,
                extremes: [corners[0]; 6],
                depth: 0,
            });
        }
        let shell = &mut shells[*slot as usize];
        for p in corners {
            shell.bounds.include(p);
            for k in 0..3 {
                if p[k] < shell.extremes[2 * k][k] {
                    shell.extremes[2 * k] = p;
                }
                if p[k] > shell.extremes[2 * k + 1][k] {
                    shell.extremes[2 * k + 1] = p;
                }
            }
        }
    }
    // About the middle of each shell, so that an offset costs no digits.
    for (f, &component) in topology.component.iter().enumerate() {
        if component != NO_COMPONENT && topology.is_shell[component as usize] {
            let shell = &mut shells[shell_of[component as usize] as usize];
            let origin = shell.bounds.center();
            shell.volume += triangle::sixfold_volume(origin, mesh.triangle(f)) / 6.0;
        }
    }
    if shells.len() > 1 {
        find_depths(mesh, topology, &mut shells);
    }
    shells
}

/// Fills in how many shells enclose each.
fn find_depths(mesh: &TriMesh, topology: &Topology, shells: &mut [Shell]) {
    let bounds: Vec<Aabb<3>> = shells.iter().map(|shell| shell.bounds).collect();
    let Ok(boxes) = Tree::of_boxes(&bounds) else {
        return; // not reached: the vertices of a mesh are finite
    };
    let may_be_enclosed = |s: &usize| {
        let own = &bounds[*s];
        let mut found = false;
        boxes.overlapping(own, |other| {
            let around = &bounds[other as usize];
            found |= other as usize != *s && around.contains(own.min) && around.contains(own.max);
        });
        found
    };
    let candidates: Vec<usize> = (0..shells.len()).filter(may_be_enclosed).collect();
    if candidates.is_empty() {
        return;
    }
    let faces = Tree::of_mesh(mesh);
    let all = mesh.bounds();
    for s in candidates {
        let own = shells[s].component;
        let is_other = |f: u32| {
            let component = topology.component[f as usize];
            component != own && component != NO_COMPONENT && topology.is_shell[component as usize]
        };
        let around = |p: [f64; 3]| {
            (0..ATTEMPTS)
                .find_map(|attempt| windings(mesh, topology, &faces, &all, p, attempt, &is_other))
                .unwrap_or_default()
        };
        let mut enclosing = around(shells[s].extremes[0]);
        for &p in &shells[s].extremes[1..] {
            if enclosing.is_empty() {
                break;
            }
            let here = around(p);
            enclosing.retain(|winding| here.contains(winding));
        }
        shells[s].depth = enclosing.iter().filter(|(_, w)| w % 2 != 0).count();
    }
}

/// Rays shot before a vertex counts as lying on another shell, which then does
/// not enclose it. A ray meets an edge or a vertex almost never twice.
const ATTEMPTS: usize = 16;

/// For each component that winds about `from`, how often: crossings of a ray,
/// outward ones less inward ones, decided exactly. None if the ray touches an
/// edge, a vertex or runs along a face.
fn windings(
    mesh: &TriMesh,
    topology: &Topology,
    faces: &Tree<3>,
    bounds: &Aabb<3>,
    from: [f64; 3],
    attempt: usize,
    counts: &impl Fn(u32) -> bool,
) -> Option<Vec<(u32, i32)>> {
    // Directions spread over the sphere, none along an axis; 4 extents lead outside.
    let turn = 0.618_033_988_75 * (attempt + 1) as f64;
    let direction = [
        0.9 - turn.fract(),
        (1.7 * turn).fract() - 0.37,
        0.53 - (2.9 * turn).fract(),
    ];
    let largest = direction.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let reach = 4.0 * bounds.extent().into_iter().fold(0.0, f64::max) / largest;
    let to: [f64; 3] = std::array::from_fn(|k| from[k] + reach * direction[k]);
    let ray = Ray {
        origin: from,
        direction: std::array::from_fn(|k| to[k] - from[k]),
        t_max: 1.0,
    };
    let mut crossings: Vec<(u32, i32)> = Vec::new();
    let mut clean = true;
    faces.along_ray(&ray, |f, t_max| {
        if !counts(f) {
            return;
        }
        match segment_triangle([from, to], mesh.triangle(f as usize)) {
            SegmentTriangle::Crosses { upward } => {
                crossings.push((topology.component[f as usize], if upward { 1 } else { -1 }));
            }
            contact if contact.is_disjoint() => {}
            _ => {
                clean = false;
                *t_max = 0.0;
            }
        }
    });
    clean.then(|| {
        crossings.sort_unstable();
        crossings
            .chunk_by(|a, b| a.0 == b.0)
            .map(|group| (group[0].0, group.iter().map(|c| c.1).sum()))
            .collect()
    })
}
