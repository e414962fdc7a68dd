//! Containment of two closed meshes: whether one lies inside the other.
//!
//! If two surfaces have no common point, neither has points on both sides of the other. So every
//! shell (a connected part of a mesh) lies inside or outside the other mesh as a whole. The winding
//! number of the other mesh about one vertex of the shell decides which. It is computed from the
//! crossings of a ray, which the BVH of the other mesh finds: O(log N) per shell, for N triangles.
//!
//! A vertex is tested in the frame of the other mesh. Applying the inverse pose rounds its
//! coordinates. As long as the surfaces are farther apart than this rounding error, the result is
//! exact for the coordinates after the pose. Surfaces that are nearer are tested in coordinates
//! after the pose, with a new BVH.

use super::TriangleTree;
use crate::geometry::vector::{cross, dot, largest, minus};
use crate::geometry::{Aabb, IntersectionKind, Pose, Sign, orient2d, projected};
use crate::inside::{Crossings, TreeCrossings, ray_winding};
use crate::shape::disjoint_sets::DisjointSets;
use crate::shape::mesh_edges::{Edges, repeats_vertex};

/// Upper bound of the relative rounding error of a point to which a pose is applied: 2^-44. It is
/// far above the true error.
const ROUNDING: f64 = f64::from_bits((1023 - 44) << 52);

/// The solid that a closed, consistently oriented mesh encloses, as containment needs it: the
/// bounding box of the mesh, and one vertex of each of its shells (connected parts).
#[derive(Clone, Debug)]
pub(super) struct Solid {
    bounds: Aabb<3>,
    /// For each shell (connected part) of the mesh one of its vertices, in the frame of the mesh.
    shells: Vec<[f64; 3]>,
    /// Whether the normals of the mesh point into the solid: its signed volume is negative.
    is_inverted: bool,
}

/// Containment of two closed meshes: which shells (connected parts) of each mesh lie inside the
/// other mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Containment {
    /// No shell of either mesh lies inside the other mesh.
    Neither,
    /// All shells of the first mesh lie inside the second; no shell of the second lies inside the
    /// first.
    AInsideB,
    /// All shells of the second mesh lie inside the first; no shell of the first lies inside the
    /// second.
    BInsideA,
    /// Any other case: some shells lie inside the other mesh, so the solids overlap, though neither
    /// mesh lies inside the other as a whole.
    Partly,
}

impl Solid {
    /// The solid of a mesh in a triangle tree; `None` if the mesh is open or its triangles are not
    /// consistently oriented, so that it encloses nothing.
    pub(super) fn of(tree: &TriangleTree) -> Option<Self> {
        let faces = &tree.vertices;
        let count = 1 + faces.iter().flatten().copied().max()? as usize;
        let (mut edges, mut is_sound) = (0_usize, true);
        Edges::new(count, faces).for_each(|a, _, around| {
            edges += 1;
            let is_forward = |&h: &u32| faces[h as usize / 3][h as usize % 3] == a;
            let forward = around.iter().filter(|h| is_forward(h)).count();
            is_sound &= 2 * forward == around.len();
        });
        if edges == 0 || !is_sound {
            return None;
        }
        let mut sets = DisjointSets::new(count);
        let proper = || {
            faces
                .iter()
                .zip(&tree.triangles)
                .filter(|(f, _)| !repeats_vertex(f))
        };
        for (face, _) in proper() {
            sets.join(face[0], face[1]);
            sets.join(face[0], face[2]);
        }
        let leading = |face: &[u32; 3]| face.iter().position(|&v| sets.leads(v));
        let mut shells: Vec<(u32, [f64; 3])> = proper()
            .filter_map(|(face, corners)| leading(face).map(|k| (face[k], corners[k])))
            .collect();
        shells.sort_unstable_by_key(|shell| shell.0);
        shells.dedup_by_key(|shell| shell.0);
        Some(Self {
            bounds: Aabb::of_points(tree.triangles.iter().flatten().copied()),
            shells: shells.into_iter().map(|shell| shell.1).collect(),
            is_inverted: signed_volume(&tree.triangles) < 0.0,
        })
    }
}

impl Solid {
    /// Whether, up to rounding, the stored vertex of some shell of one solid lies in the bounding
    /// box of the other solid. If not, neither solid contains a shell of the other. `other` is
    /// moved by `pose`.
    pub(super) fn may_contain(&self, other: &Self, pose: &Pose) -> bool {
        let size = reach(&self.bounds) + reach(&other.bounds) + largest(pose.translation());
        let [of_a, of_b] = [self, other].map(|solid| solid.bounds.expanded(8.0 * size * ROUNDING));
        let back = pose.inverse();
        (self.shells.iter()).any(|&p| of_b.contains(back.apply(p)))
            || (other.shells.iter()).any(|&p| of_a.contains(pose.apply(p)))
    }
}

/// Six times the signed volume of a closed mesh, for the side of its triangles on which the solid is.
fn signed_volume(triangles: &[[[f64; 3]; 3]]) -> f64 {
    let origin = triangles[0][0];
    let of_one = |t: &[[f64; 3]; 3]| {
        let [a, b, c] = t.map(|p| minus(p, origin));
        dot(a, cross(b, c))
    };
    triangles.iter().map(of_one).sum()
}

/// The largest absolute value of a coordinate of a bounding box, for the rounding errors of
/// containment.
fn reach(bounds: &Aabb<3>) -> f64 {
    largest(bounds.min).max(largest(bounds.max))
}

impl TriangleTree {
    /// The solid that the mesh encloses, prepared for containment at the first call; `None` if the
    /// mesh is open.
    pub(super) fn solid(&self) -> Option<&Solid> {
        self.solid.get_or_init(|| Solid::of(self)).as_ref()
    }

    /// Containment of two closed meshes whose surfaces have no common point and are `clearance`
    /// apart, the second moved by `pose`.
    pub(super) fn containment(
        &self,
        [a, b]: [&Solid; 2],
        other: &Self,
        pose: &Pose,
        clearance: f64,
    ) -> Containment {
        let back = pose.inverse();
        // Of coordinates of both meshes in either frame.
        let size = reach(&a.bounds) + reach(&b.bounds) + largest(pose.translation());
        let is_clear = clearance > 8.0 * size * ROUNDING;
        let (in_b, in_a) = match is_clear {
            true => (
                count(&a.shells, |&p| other.encloses(b, back.apply(p))),
                count(&b.shells, |&p| self.encloses(a, pose.apply(p))),
            ),
            false => {
                let moved = Moved::new(other, pose);
                (
                    count(&a.shells, |&p| moved.encloses(p)),
                    count(&b.shells, |&p| self.encloses(a, pose.apply(p))),
                )
            }
        };
        match (in_b, in_a) {
            (0, 0) => Containment::Neither,
            (n, 0) if n == a.shells.len() => Containment::AInsideB,
            (0, n) if n == b.shells.len() => Containment::BInsideA,
            _ => Containment::Partly,
        }
    }

    /// Whether a point in the frame of the mesh lies inside the solid that the mesh encloses; exact.
    fn encloses(&self, solid: &Solid, p: [f64; 3]) -> bool {
        ray_winding(&self.tree, &solid.bounds, &self.triangles, p).is_some_and(|w| w != 0)
    }

    /// Whether the solids of two closed meshes, whose triangles touch but do not cross, overlap: the
    /// stored vertex of a shell or a corner of a triangle of one of the `touching` pairs lies inside
    /// the other mesh, or coplanar triangles have their solids on the same side. Exact for the coordinates after the pose. Each
    /// pair is a triangle of this mesh and a triangle of `other`, each given by its three corners
    /// after the pose, and the kind of their intersection.
    pub(super) fn share_inside(
        &self,
        [a, b]: [&Solid; 2],
        other: &Self,
        pose: &Pose,
        touching: &[(IntersectionKind, [[[f64; 3]; 3]; 2])],
    ) -> bool {
        let moved = Moved::new(other, pose);
        if count(&a.shells, |&p| moved.encloses(p)) > 0
            || count(&b.shells, |&p| self.encloses(a, pose.apply(p))) > 0
        {
            return true;
        }
        touching.iter().any(|&(kind, [of_a, of_b])| {
            let is_coplanar = kind == IntersectionKind::Coplanar;
            is_coplanar && are_aligned(of_a, of_b) == (a.is_inverted == b.is_inverted)
                || of_a.into_iter().any(|p| moved.encloses(p))
                || of_b.into_iter().any(|p| self.encloses(a, p))
        })
    }
}

/// Whether the normals of two coplanar triangles with area point to the same side; exact.
fn are_aligned(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> bool {
    let side = |t: [[f64; 3]; 3], axis: usize| {
        let [p, q, r] = t.map(|corner| projected(corner, axis));
        orient2d(p, q, r)
    };
    // Along some axis the plane is not seen from its edge.
    let sides = (0..3).map(|axis| (side(a, axis), side(b, axis)));
    let mut seen = sides.filter(|(of_a, _)| *of_a != Sign::Zero);
    seen.next().is_some_and(|(of_a, of_b)| of_a == of_b)
}

/// The number of shells, each given by a vertex, that lie inside the other mesh.
fn count(shells: &[[f64; 3]], is_inside: impl Fn(&[f64; 3]) -> bool) -> usize {
    shells.iter().filter(|p| is_inside(p)).count()
}

/// A closed mesh after its pose, with a BVH of its own for containment.
struct Moved {
    triangles: Vec<[[f64; 3]; 3]>,
    /// The BVH over the triangles of the moved mesh, which finds crossings with a ray. `None` if
    /// coordinates after the pose are not finite; then no point counts as inside.
    crossings: Option<TreeCrossings>,
}

impl Moved {
    /// Moves the mesh of a triangle tree and builds the BVH for containment.
    fn new(tree: &TriangleTree, pose: &Pose) -> Self {
        let moved = |t: &[[f64; 3]; 3]| t.map(|p| pose.apply(p));
        let triangles: Vec<[[f64; 3]; 3]> = tree.triangles.iter().map(moved).collect();
        Self {
            crossings: TreeCrossings::new(&triangles).ok(),
            triangles,
        }
    }

    /// Whether a point lies inside the moved mesh; exact for the coordinates after the pose.
    fn encloses(&self, p: [f64; 3]) -> bool {
        let winding = |c: &TreeCrossings| c.winding(&self.triangles, p);
        self.crossings
            .as_ref()
            .and_then(winding)
            .is_some_and(|w| w != 0)
    }
}
