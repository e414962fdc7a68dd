//! Nesting of the shells of a surface: volume and nesting depth of each. A shell is a set of
//! triangles that are connected through edges that exactly two triangles share; without the rest of
//! the surface it is closed and oriented.
//!
//! Cost: linear in the number of triangles if the AABBs of shells are disjoint. Otherwise shells
//! that cross each other are joined to clusters ([`super::shell_clusters`]), and if the AABB of a
//! cluster lies in that of another, a BVH of the triangles is built, and rays are cast from each
//! such inner cluster, `O(n log n)`.
//!
//! A cluster nests as one: its shells have the same depth. A ray is cast from an extreme vertex of
//! a cluster, away from it, so it meets other clusters only. If the vertex lies inside the first
//! cluster that the ray meets, its nesting depth is one more than the depth of that cluster. If it
//! lies beside that cluster, it has the same depth. A ray leaves the first shell that it meets if
//! the vertex lies inside; if it enters that shell, the vertex may still lie inside another shell of
//! the cluster. The depth of a cluster is the least depth of its six extreme vertices. So depths are
//! shortest paths from the outside over links of length 0 (beside) and 1 (inside).

use super::TriMesh;
use super::mesh_topology::{NO_PATCH, Topology};
use super::shell_clusters::crossing_clusters;
use crate::geometry::{Aabb, SegmentFeature, SegmentTriangle, segment_triangle, triangle};
use crate::tree::{Ray, Tree};
use std::cell::Cell;
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
    /// The nesting depth of the shell: the number of clusters of shells that enclose it.
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

/// A cluster of shells that cross each other, or a single shell.
struct Cluster {
    bounds: Aabb<3>,
    /// The extreme vertices of the cluster, as those of a shell.
    extremes: [[f64; 3]; 6],
    /// The number of shells of the cluster.
    shells: usize,
}

/// Returns the clusters of shells that cross each other, and the cluster of each shell.
fn clusters(mesh: &TriMesh, shell_of_face: &[u32], shells: &[Shell]) -> (Vec<Cluster>, Vec<usize>) {
    let (mut sets, _) = crossing_clusters(mesh, shell_of_face, shells.len());
    let mut clusters: Vec<Cluster> = Vec::new();
    let mut cluster_of_shell = Vec::with_capacity(shells.len());
    for (s, shell) in shells.iter().enumerate() {
        // The leader is the least member and so has its cluster already.
        let leader = sets.leader(s as u32) as usize;
        if leader == s {
            cluster_of_shell.push(clusters.len());
            clusters.push(Cluster {
                bounds: shell.bounds,
                extremes: shell.extremes,
                shells: 1,
            });
            continue;
        }
        let index = cluster_of_shell[leader];
        cluster_of_shell.push(index);
        let cluster = &mut clusters[index];
        cluster.shells += 1;
        cluster.bounds = cluster.bounds.union(&shell.bounds);
        for k in 0..3 {
            let [low, high] = [shell.extremes[2 * k], shell.extremes[2 * k + 1]];
            if low[k] < cluster.extremes[2 * k][k] {
                cluster.extremes[2 * k] = low;
            }
            if high[k] > cluster.extremes[2 * k + 1][k] {
                cluster.extremes[2 * k + 1] = high;
            }
        }
    }
    (clusters, cluster_of_shell)
}

/// The first hit of a ray from an extreme vertex of a cluster, cast away from that cluster to find
/// its nesting depth.
enum FirstHit {
    /// The ray hits no cluster: the vertex is outside of all others.
    Outside,
    /// The ray hits the cluster of index `cluster` first. If `from_inside`, the vertex lies in it.
    Cluster { cluster: usize, from_inside: bool },
    /// The first hit is unclear: the vertex lies on another shell, or every ray tried hits an edge
    /// or a vertex.
    Unclear,
}

/// Returns whether the AABBs of any two shells meet.
fn meet(boxes: &Tree<3>) -> bool {
    let apart = Cell::new(true);
    boxes.self_pairs_while(|_, _| apart.set(false), &apart);
    !apart.get()
}

/// Computes the nesting depth of each shell of a surface. `shell_of_face` has, for each triangle,
/// the index of its shell in `shells`; [`NO_SHELL`] if it belongs to none.
fn find_depths(mesh: &TriMesh, shell_of_face: &[u32], shells: &mut [Shell]) {
    let tree_of = |bounds: &[Aabb<3>]| Tree::of_boxes(bounds).ok();
    let bounds: Vec<Aabb<3>> = shells.iter().map(|shell| shell.bounds).collect();
    // Trees are always made: the vertices of a mesh are finite.
    if !tree_of(&bounds).is_some_and(|boxes| meet(&boxes)) {
        return;
    }
    let (clusters, cluster_of_shell) = clusters(mesh, shell_of_face, shells);
    let bounds: Vec<Aabb<3>> = clusters.iter().map(|cluster| cluster.bounds).collect();
    let Some(boxes) = tree_of(&bounds) else {
        return;
    };
    let may_be_enclosed = |c: usize| {
        let own = bounds[c];
        let mut found = false;
        // Boxes that contain the corner; one is enough, and a bound below 0 ends the search.
        boxes.approaching(own.min, 0.0, |other, bound| {
            let around = &bounds[other as usize];
            if other as usize != c && around.contains(own.min) && around.contains(own.max) {
                found = true;
                *bound = -1.0;
            }
        });
        found
    };
    let candidates: Vec<bool> = (0..clusters.len()).map(may_be_enclosed).collect();
    if !candidates.contains(&true) {
        return;
    }
    let cluster_of_face: Vec<u32> = (shell_of_face.iter())
        .map(|&s| match s {
            NO_SHELL => NO_SHELL,
            s => cluster_of_shell[s as usize] as u32,
        })
        .collect();
    let faces = Tree::of_mesh(mesh);
    let reach = 4.0 * mesh.bounds().extent().into_iter().fold(0.0, f64::max);
    // For each cluster, the clusters whose rays hit it first, and whether from inside.
    let mut hit_by: Vec<Vec<(u32, bool)>> = (0..clusters.len()).map(|_| Vec::new()).collect();
    let mut depths: Vec<Option<usize>> = candidates.iter().map(|c| (!c).then_some(0)).collect();
    let view = RayScene {
        mesh,
        faces: &faces,
        shell_of_face,
        shells,
        cluster_of_face: &cluster_of_face,
        clusters: &clusters,
        reach,
    };
    for c in (0..clusters.len()).filter(|&c| candidates[c]) {
        for k in 0..6 {
            let sight = (0..ATTEMPTS).find_map(|attempt| view.first_hit(c, k, attempt));
            match sight.unwrap_or(FirstHit::Unclear) {
                FirstHit::Outside => depths[c] = Some(0),
                FirstHit::Cluster {
                    cluster,
                    from_inside,
                } => hit_by[cluster].push((c as u32, from_inside)),
                FirstHit::Unclear => {}
            }
        }
    }
    // Shortest paths from the outside: links of length 0 go to the front.
    let mut queue: VecDeque<(usize, usize)> = (0..clusters.len())
        .filter(|&c| depths[c] == Some(0))
        .map(|c| (c, 0))
        .collect();
    let mut settled = vec![false; clusters.len()];
    let mut found = vec![0; clusters.len()];
    while let Some((c, depth)) = queue.pop_front() {
        if std::mem::replace(&mut settled[c], true) {
            continue;
        }
        found[c] = depth;
        for &(other, inside) in &hit_by[c] {
            match inside {
                false => queue.push_front((other as usize, depth)),
                true => queue.push_back((other as usize, depth + 1)),
            }
        }
    }
    for (shell, &cluster) in shells.iter_mut().zip(&cluster_of_shell) {
        shell.depth = found[cluster];
    }
}

/// Maximum number of rays cast from an extreme vertex of a cluster before its first hit counts as
/// unclear. Another ray is cast only if the last one hits an edge or a vertex or lies in a face,
/// which almost never happens twice in a row.
const ATTEMPTS: usize = 16;

/// The surface, prepared to cast rays from one cluster of shells to others.
struct RayScene<'a> {
    mesh: &'a TriMesh,
    faces: &'a Tree<3>,
    shell_of_face: &'a [u32],
    shells: &'a [Shell],
    cluster_of_face: &'a [u32],
    clusters: &'a [Cluster],
    /// The length of rays from clusters, chosen so that they end beyond all shells.
    reach: f64,
}

impl RayScene<'_> {
    /// Returns the first hit of a ray from extreme vertex `k` of cluster `c`, cast away from the
    /// cluster. The ray is tilted differently in each `attempt`. None if it hits an edge or a vertex
    /// or lies in a face, so that another ray must be tried.
    fn first_hit(&self, c: usize, k: usize, attempt: usize) -> Option<FirstHit> {
        let from = self.clusters[c].extremes[k];
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
        let mut clean = true;
        let mut on_another = false;
        let mut first: Option<(f64, usize, bool)> = None;
        self.faces.along_ray(&segment(from, to), |f, t_max| {
            let cluster = self.cluster_of_face[f as usize];
            if cluster == NO_SHELL || cluster as usize == c {
                return;
            }
            let corners = self.mesh.triangle(f as usize);
            match segment_triangle([from, to], corners) {
                SegmentTriangle::Crosses { upward } => {
                    // The plane divides the segment in the ratio of the volumes to its ends.
                    let [a, b] = [from, to].map(|p| triangle::sixfold_volume(p, corners).abs());
                    let t = a / (a + b);
                    if first.is_none_or(|(least, ..)| t < least) {
                        first = Some((t, cluster as usize, self.leaves(f, upward)));
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
        match (on_another, clean, first) {
            (true, ..) => Some(FirstHit::Unclear),
            (false, false, _) => None,
            (false, true, None) => Some(FirstHit::Outside),
            (false, true, Some((_, cluster, leaves))) => {
                let several = self.clusters[cluster].shells > 1;
                let from_inside = leaves || several && self.is_inside(cluster, from, to)?;
                Some(FirstHit::Cluster {
                    cluster,
                    from_inside,
                })
            }
        }
    }

    /// Returns whether a ray that crosses triangle `f` leaves its shell there. `upward` is whether it
    /// crosses along the normal of the triangle.
    fn leaves(&self, f: u32, upward: bool) -> bool {
        let shell = self.shell_of_face[f as usize];
        upward == (self.shells[shell as usize].volume >= 0.0)
    }

    /// Returns whether the start of a ray lies inside a shell of a cluster: the ray leaves shells
    /// more often than it enters them. None if it hits an edge or a vertex or lies in a face.
    fn is_inside(&self, cluster: usize, from: [f64; 3], to: [f64; 3]) -> Option<bool> {
        let (mut left, mut entered, mut clean) = (0, 0, true);
        self.faces.along_ray(&segment(from, to), |f, t_max| {
            if self.cluster_of_face[f as usize] as usize != cluster {
                return;
            }
            match segment_triangle([from, to], self.mesh.triangle(f as usize)) {
                SegmentTriangle::Crosses { upward } if self.leaves(f, upward) => left += 1,
                SegmentTriangle::Crosses { .. } => entered += 1,
                contact if contact.is_disjoint() => {}
                _ => {
                    clean = false;
                    *t_max = -1.0;
                }
            }
        });
        clean.then_some(left > entered)
    }
}

fn segment(from: [f64; 3], to: [f64; 3]) -> Ray<3> {
    Ray {
        origin: from,
        direction: std::array::from_fn(|i| to[i] - from[i]),
        t_max: 1.0,
    }
}
