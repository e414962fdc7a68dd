//! Nesting of the shells of a surface: volume and nesting depth of each. A shell is a set of
//! triangles that are connected through edges that exactly two triangles share; without the rest of
//! the surface it is closed and oriented.
//!
//! Cost: linear in the number of triangles; if the AABB of a shell lies in that of another, a BVH
//! of the triangles is built, and rays are cast from each such inner shell, `O(n log n)`.
//!
//! A ray is cast from an extreme vertex of a shell, away from that shell, so it meets other shells
//! only. If the ray leaves the first shell that it meets, the vertex lies inside that shell, and
//! its nesting depth is one more than the depth of that shell. If the ray enters the first shell
//! that it meets, the vertex lies beside that shell and has the same depth. The depth of a shell is
//! the least depth of its six extreme vertices, because a shell that crosses another has some
//! vertex outside of it. So depths are shortest paths from the outside over links of length 0
//! (beside) and 1 (inside).

use super::TriMesh;
use super::mesh_topology::{NO_PATCH, Topology};
use crate::geometry::{Aabb, SegmentFeature, SegmentTriangle, segment_triangle, triangle};
use crate::tree::{Ray, Tree};
use std::collections::VecDeque;

/// A shell of a surface: a patch (triangles connected through edges that exactly two triangles
/// share) that is closed and oriented by itself.
pub(crate) struct Shell {
    /// The index of the patch that is the shell. [`Topology::patch`] has this index for each
    /// triangle of the shell.
    pub(crate) patch: u32,
    /// The volume that the shell encloses, negative if its normals point inward.
    volume: f64,
    bounds: Aabb<3>,
    /// The extreme vertices of the shell: for each axis, the one of least and the one of largest
    /// coordinate.
    extremes: [[f64; 3]; 6],
    /// The nesting depth of the shell: the number of other shells that enclose it.
    depth: usize,
}

impl Shell {
    /// Returns whether the shell must be flipped for the surface to bound a volume. Normals should
    /// point outward if the number of shells that enclose it (its nesting depth) is even, and into
    /// the cavity if it is odd.
    pub(crate) fn is_inverted(&self) -> bool {
        (self.volume < 0.0) != (self.depth % 2 == 1)
    }
}

/// The index that stands for no shell, for a triangle or a patch that belongs to none.
const NO_SHELL: u32 = u32::MAX;

/// Returns all shells of a surface with their nesting depths, ordered by the indices of their
/// patches.
pub(crate) fn shells(mesh: &TriMesh, topology: &Topology) -> Vec<Shell> {
    let mut shells: Vec<Shell> = Vec::new();
    let mut shell_of_patch = vec![NO_SHELL; topology.is_shell.len()];
    let shell_of_face: Vec<u32> = topology
        .patch
        .iter()
        .enumerate()
        .map(|(f, &patch)| {
            if patch == NO_PATCH || !topology.is_shell[patch as usize] {
                return NO_SHELL;
            }
            let slot = &mut shell_of_patch[patch as usize];
            if *slot == NO_SHELL {
                *slot = shells.len() as u32;
                shells.push(Shell {
                    patch,
                    volume: 0.0,
                    bounds: Aabb::EMPTY,
                    extremes: [mesh.triangle(f)[0]; 6],
                    depth: 0,
                });
            }
            *slot
        })
        .collect();
    let each_face = |shells: &mut Vec<Shell>, add: fn(&mut Shell, [[f64; 3]; 3])| {
        for (f, &s) in shell_of_face.iter().enumerate() {
            if s != NO_SHELL {
                add(&mut shells[s as usize], mesh.triangle(f));
            }
        }
    };
    each_face(&mut shells, |shell, corners| {
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
    });
    // Volumes are taken about the middle of each shell, so that an offset causes no cancellation.
    each_face(&mut shells, |shell, corners| {
        shell.volume += triangle::sixfold_volume(shell.bounds.center(), corners) / 6.0;
    });
    if shells.len() > 1 {
        find_depths(mesh, &shell_of_face, &mut shells);
    }
    shells
}

/// The first hit of a ray from an extreme vertex of a shell, cast away from that shell to find its
/// nesting depth.
enum FirstHit {
    /// The ray hits no shell: the vertex is outside of all other shells.
    Outside,
    /// The ray hits the shell of index `shell` first. If `from_inside`, it leaves that shell;
    /// otherwise it enters it.
    Shell { shell: usize, from_inside: bool },
    /// The first hit is unclear: the vertex lies on another shell, or every ray tried hits an edge
    /// or a vertex.
    Unclear,
}

/// Computes the nesting depth of each shell of a surface. `shell_of_face` has, for each triangle,
/// the index of its shell in `shells`; [`NO_SHELL`] if it belongs to none.
fn find_depths(mesh: &TriMesh, shell_of_face: &[u32], shells: &mut [Shell]) {
    let bounds: Vec<Aabb<3>> = shells.iter().map(|shell| shell.bounds).collect();
    let Ok(boxes) = Tree::of_boxes(&bounds) else {
        return; // not reached: the vertices of a mesh are finite
    };
    let may_be_enclosed = |s: usize| {
        let own = bounds[s];
        let mut found = false;
        // Boxes that contain the corner; one is enough, and a bound below 0 ends the search.
        boxes.approaching(own.min, 0.0, |other, bound| {
            let around = &bounds[other as usize];
            if other as usize != s && around.contains(own.min) && around.contains(own.max) {
                found = true;
                *bound = -1.0;
            }
        });
        found
    };
    let candidates: Vec<bool> = (0..shells.len()).map(may_be_enclosed).collect();
    if !candidates.contains(&true) {
        return;
    }
    let faces = Tree::of_mesh(mesh);
    let reach = 4.0 * mesh.bounds().extent().into_iter().fold(0.0, f64::max);
    // For each shell, the shells whose rays hit it first, and whether from inside.
    let mut hit_by: Vec<Vec<(u32, bool)>> = (0..shells.len()).map(|_| Vec::new()).collect();
    let mut depths: Vec<Option<usize>> = candidates.iter().map(|c| (!c).then_some(0)).collect();
    let view = RayScene {
        mesh,
        faces: &faces,
        shell_of_face,
        shells,
        reach,
    };
    for s in (0..shells.len()).filter(|&s| candidates[s]) {
        for k in 0..6 {
            let sight = (0..ATTEMPTS).find_map(|attempt| view.first_hit(s, k, attempt));
            match sight.unwrap_or(FirstHit::Unclear) {
                FirstHit::Outside => depths[s] = Some(0),
                FirstHit::Shell { shell, from_inside } => {
                    hit_by[shell].push((s as u32, from_inside))
                }
                FirstHit::Unclear => {}
            }
        }
    }
    // Shortest paths from the outside: links of length 0 go to the front.
    let mut queue: VecDeque<(usize, usize)> = (0..shells.len())
        .filter(|&s| depths[s] == Some(0))
        .map(|s| (s, 0))
        .collect();
    let mut settled = vec![false; shells.len()];
    while let Some((s, depth)) = queue.pop_front() {
        if std::mem::replace(&mut settled[s], true) {
            continue;
        }
        shells[s].depth = depth;
        for &(other, inside) in &hit_by[s] {
            match inside {
                false => queue.push_front((other as usize, depth)),
                true => queue.push_back((other as usize, depth + 1)),
            }
        }
    }
}

/// Maximum number of rays cast from an extreme vertex of a shell before its first hit counts as
/// unclear. Another ray is cast only if the last one hits an edge or a vertex or lies in a face,
/// which almost never happens twice in a row.
const ATTEMPTS: usize = 16;

/// The surface, prepared to cast rays from one shell to others.
struct RayScene<'a> {
    mesh: &'a TriMesh,
    faces: &'a Tree<3>,
    shell_of_face: &'a [u32],
    shells: &'a [Shell],
    /// The length of rays from shells, chosen so that they end beyond all shells.
    reach: f64,
}

impl RayScene<'_> {
    /// Returns the first hit of a ray from extreme vertex `k` of shell `s`, cast away from the
    /// shell. The ray is tilted differently in each `attempt`. None if it hits an edge or a vertex
    /// or lies in a face, so that another ray must be tried.
    fn first_hit(&self, s: usize, k: usize, attempt: usize) -> Option<FirstHit> {
        let from = self.shells[s].extremes[k];
        // The ray goes outward along the axis, slightly tilted.
        let aside = 0.618_033_988_75 * (attempt + 1) as f64;
        let mut direction = [
            aside.fract() * 0.3 + 0.01,
            (1.7 * aside).fract() * 0.3 + 0.02,
            0.0,
        ];
        direction[2] = [-1.0, 1.0][k % 2];
        direction.rotate_right((k / 2 + 1) % 3);
        let to: [f64; 3] = std::array::from_fn(|i| from[i] + self.reach * direction[i]);
        let ray = Ray {
            origin: from,
            direction: std::array::from_fn(|i| to[i] - from[i]),
            t_max: 1.0,
        };
        let mut clean = true;
        let mut on_another = false;
        let mut first: Option<(f64, FirstHit)> = None;
        self.faces.along_ray(&ray, |f, t_max| {
            let shell = self.shell_of_face[f as usize];
            if shell == NO_SHELL || shell as usize == s {
                return;
            }
            let corners = self.mesh.triangle(f as usize);
            match segment_triangle([from, to], corners) {
                SegmentTriangle::Crosses { upward } => {
                    // The plane divides the segment in the ratio of the volumes to its ends.
                    let [a, b] = [from, to].map(|p| triangle::sixfold_volume(p, corners).abs());
                    let t = a / (a + b);
                    if first.as_ref().is_none_or(|(least, _)| t < *least) {
                        let outward = self.shells[shell as usize].volume >= 0.0;
                        let shell = shell as usize;
                        let from_inside = upward == outward;
                        first = Some((t, FirstHit::Shell { shell, from_inside }));
                        // The factor keeps a nearer triangle from being hidden by rounding.
                        *t_max = t * (1.0 + 1e-9);
                    }
                }
                contact if contact.is_disjoint() => {}
                SegmentTriangle::Touches {
                    at: SegmentFeature::Start,
                    ..
                } => {
                    on_another = true;
                    *t_max = -1.0;
                }
                _ => {
                    clean = false;
                    *t_max = -1.0;
                }
            }
        });
        match (on_another, clean) {
            (true, _) => Some(FirstHit::Unclear),
            (false, false) => None,
            (false, true) => Some(first.map_or(FirstHit::Outside, |(_, sight)| sight)),
        }
    }
}
