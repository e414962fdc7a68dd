//! Generators of shapes and particle sets for tests and benchmarks, the same on every machine.
//!
//! | generator | what it is | parameters | good for |
//! |---|---|---|---|
//! | [`sphere()`] | refined octahedron | level, `8 * 4^level` triangles | closed forms, scaling |
//! | [`foam()`] | open-cell foam, high genus | number of triangles (within 5%), seed | `inside`, ray crossings |
//! | [`sponge()`] | Menger sponge, integer coordinates | level, `4 * 20^level + 8 * 8^level` triangles | exact volumes, ties |
//! | [`chazelle()`] | box notched along a hyperbolic paraboloid | `size` notches per side, `24 * size + 12` triangles | worst cases |
//! | [`knot()`] | tube around a trefoil | number of triangles (exact) | smooth bodies of any size |
//! | [`hull()`] | random points on an ellipsoid, convex | number of triangles (exact), seed | `closest` |
//! | [`box_mesh()`] | box around the origin | size, divisions, `4 (a b + b c + c a)` triangles | stacks, closed forms |
//! | [`plate()`] | rectangle around the origin, open | size, divisions, `2 a b` triangles | walls, floors |
//! | [`face_sphere()`], [`face_circle()`] | finite element faces of one kind | kind and level or number | curved faces |
//! | [`particles()`] | random discs or spheres in a box | count, diameters, density or contacts, seed | `pairs` |
//! | [`crystal()`] | equal discs or spheres that do not overlap | count, filled share | [`impact::gas`](crate::impact::gas) |
//!
//! Every mesh of triangles but the plate is closed, manifold, oriented outward and free of
//! triangles without area. Its vertices are shared and representable in `f32`, so that formats of
//! single precision lose nothing; boxes and plates are exceptions if their size requires more bits.
//! Results depend on the arguments alone: random numbers come from a generator of this crate,
//! functions beyond the correctly rounded ones of IEEE 754 from the `libm` crate, and parallel
//! loops do not affect any order.

mod box_mesh;
mod chazelle;
mod crystal;
mod divisions;
mod face_sphere;
mod foam;
mod hull;
mod isosurface;
mod knot;
mod particle_contacts;
mod particles;
mod plate;
mod random;
mod sphere;
mod sponge;

pub use box_mesh::box_mesh;
pub use chazelle::chazelle;
pub use crystal::crystal;
pub use face_sphere::{face_circle, face_sphere};
pub use foam::foam;
pub use hull::hull;
pub use knot::knot;
pub use particles::{ParticleBox, Sizes, particles};
pub use plate::plate;
pub use sphere::sphere;
pub use sponge::sponge;

pub use random::Random;

use crate::error::{Argument, Result};
use crate::memory;

/// The largest number of triangles that a generator makes: about 3 GB of vertices and faces, and
/// the number of the finest sphere.
const TRIANGLES_MAX: usize = 1 << 27;

/// Returns an empty vector with capacity for `count` items of a generated shape, or an error if
/// allocation fails.
fn reserved<T>(count: usize) -> Result<Vec<T>> {
    memory::reserved(count, Argument::Items)
}
