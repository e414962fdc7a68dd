//! Penetration volume of two bodies, with the force and torque that separate them.
//!
//! Each body is filled with a sphere packing ([`Packing`](crate::shape::Packing)). The volume that
//! the spheres of two packings share, a lens for each overlapping pair, estimates the penetration
//! volume. Two packings of `n` spheres have
//! `O(n)` overlapping pairs in the worst case, because a sphere meets at most a constant number of
//! disjoint spheres that are not smaller (weller2014, theorem 3.2); the hierarchical grid finds
//! them in `O(n)` time.
//!
//! All methods find the same pairs; their sums differ only by rounding. Pairs are decided in the
//! frame of `b`: the centres of `a` are moved there and rounded, and two spheres overlap if the
//! distance of their centres is below the sum of their radii, computed as `(c - c')² < (r + r')²`.
//!
//! Normals point from `a` to `b`. The force is the force on `b`: the sum over pairs of the volume
//! of the lens times the direction from the centre of the sphere of `a` to that of `b`. Its unit is
//! that of a volume, and it is not the gradient of the penetration volume. The force
//! on `a` is opposite.
//!
//! | module | what |
//! |---|---|
//! | `query` | the overlap query: chooses the method, keeps the budget |
//! | `grid` | hierarchical grid (method `grid`) |
//! | `tree` | inner sphere trees (method `tree`) |
//! | `published` | methods of the paper: its spatial hash (method `djb2`), a perfect hash, Morton order |
//! | `exact_volume` | volume of the intersection of two closed meshes, without packings |
//! | `brute_force` | all pairs, the oracle (method `brute`) |
//! | `sphere_intersection` | volume and moments of two intersecting spheres |
//! | `pair_sums` | volume, force and torque summed over pairs |
//! | `relative_pose` | the transform of both packings into the frame of `b` |
//! | `unfilled` | volume that a packing leaves unfilled: bounds of the penetration volume |
//! | `lipschitz` | Lipschitz constants of the penetration volume |
//! | [`pack`] | sphere packing of a body |
//!
//! *Deviates* from weller2014:
//! - a sphere is stored in cells no smaller than its diameter, as it would otherwise meet more than
//!   eight cells (the paper has two conditions on the size of cells that exclude each other);
//! - a pair that meets in several cells is counted in one of them;
//! - the direction of two spheres whose centres nearly coincide fades out, so that the force is
//!   continuous there too.

mod brute_force;
mod exact_volume;
pub(crate) mod grid;
mod lipschitz;
pub mod pack;
mod pair_sums;
pub(crate) mod published;
mod query;
mod relative_pose;
mod result;
mod sphere_intersection;
mod tree;
pub(crate) mod unfilled;

pub use exact_volume::exact_volume;
pub use lipschitz::{Lipschitz, lipschitz};
pub use published::TableReport;
pub use query::{OverlapQuery, OverlapSettings};
pub use result::{Budget, Method, Overlap};
pub use sphere_intersection::{Lens, lens};
pub(crate) use tree::SphereTree;
