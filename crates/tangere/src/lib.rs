//! Collision detection and contact for simulation: broad phase, narrow phase and continuous
//! collision detection (CCD) for spheres, triangle meshes, convex polyhedra and curved finite
//! element faces. Meshes are decided by exact predicates, spheres and boxes by one fixed formula in
//! f64; results are deterministic for any number of threads and on any machine.
//!
//! | module | what it holds |
//! |---|---|
//! | [`pairs`] | broad phase: touching pairs among many spheres or boxes, neighbour lists, periodic images |
//! | [`inside`] | point containment: exact inside test, winding number |
//! | [`closest`] | distance and penetration depth of convex bodies, finite element faces and surfaces; contact patches |
//! | [`overlap`] | penetration volume with force and torque, from sphere packings |
//! | [`impact`] | continuous collision detection: time of impact of rigid, spinning and deforming bodies, of vertices, edges and faces, of accelerated balls; event-driven hard spheres |
//! | [`scene`] | bodies of every shape together: broad and narrow phase, contacts that keep their identity |
//! | [`contact`] | the contact record of all shapes: points, normal, gap, features |
//! | [`geometry`] | AABB, OBB, k-DOP, bounding sphere, triangles, poses, exact predicates |
//! | [`shape`] | spheres, triangle meshes, convex polyhedra, finite element faces, validated once; reports and repairs |
//! | [`generate`] | parametric shapes and particle sets, the same on every machine |
//! | [`tree`] | bounding volume hierarchy (BVH): build, refit, traverse |
//! | [`parallel`] | parallel loops with the same bits on any number of threads |
//! | [`memory`] | fallible allocation: running out of memory is an error |
//! | [`stop`] | cancelling a query from another thread |
//!
//! Where to find the terms of the literature:
//!
//! | term | see |
//! |---|---|
//! | GJK, EPA, V-Clip, Minkowski difference, support function | [`closest`], [`closest::Tracker`] |
//! | distance of triangle meshes, closest point, signed distance | [`closest::TriangleTree`], [`closest::MeshSurface`] |
//! | contact manifold, contact patch | [`closest::patch`] |
//! | BVH, ray casting, nearest neighbour | [`tree`] |
//! | sweep and prune | [`pairs::Sweep`] |
//! | cell list, linked cells, uniform or hierarchical grid | [`pairs::Cells`], [`pairs::LinkedCells`], [`pairs::GridPairs`] |
//! | neighbour list, Verlet list, skin | [`pairs::Candidates`] |
//! | winding number, ray parity, solid angle, fast multipole method | [`inside`] |
//! | sphere packing, inner sphere tree, penetration volume | [`overlap::pack`], [`overlap`] |
//! | CCD, time of impact, conservative advancement | [`impact`], [`impact::ImpactEngine`] |
//! | vertex-face and edge-edge CCD | [`impact::primitive`] |
//! | event-driven molecular dynamics | [`impact::gas`] |
//! | convex hull, half-edges, inertia tensor | [`shape::ConvexPolyhedron`] |
//! | shape functions, higher-order elements | [`shape::face`] |
//! | exact predicates, `orient3d` | [`geometry`] |
//!
//! Functions take slices and write to the caller's buffer or closure. Coordinates are `f64` in
//! plain arrays. Bad input is an [`Error`] that names the item, the value and what was expected;
//! nothing panics on it.
//!
//! # Broad phase
//! ```
//! use tangere::pairs::{Auto, PairFinder, PairSettings};
//!
//! let (centers, radii) = ([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]], [0.5; 3]);
//! let mut finder = Auto::new(PairSettings::default())?;
//! let mut pairs = Vec::new();
//! finder.update((&centers[..], &radii[..]).into())?;
//! finder.pairs(&mut pairs)?;
//! assert_eq!(pairs, [[0, 1]]);
//! # Ok::<(), tangere::Error>(())
//! ```
//!
//! # Point containment
//! ```
//! use tangere::generate;
//! use tangere::inside::{Auto, InsideSettings, InsideTest, Side};
//!
//! let mut test = Auto::new(InsideSettings::default())?;
//! let mut sides = Vec::new();
//! test.update(&generate::sphere(4)?)?;
//! test.classify(&[[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.9, 0.9, 0.0]], &mut sides)?;
//! assert_eq!(sides, [Side::Inside, Side::OnSurface, Side::Outside]);
//! # Ok::<(), tangere::Error>(())
//! ```
//!
//! # Distance and penetration depth
//! ```
//! use tangere::closest::{Tracker, certificate};
//! use tangere::geometry::Pose;
//! use tangere::{generate, shape::ConvexPolyhedron};
//!
//! let grain = ConvexPolyhedron::from_mesh(&generate::hull(920, 1)?)?;
//! let mut tracker = Tracker::new();
//! let here = Pose::identity();
//! for step in 0..1000 {
//!     let there = Pose::from_translation([2.5 - 1e-3 * f64::from(step), 0.0, 0.0])?;
//!     let contact = tracker.contact(&grain, &here, &grain, &there);
//!     assert_eq!(certificate(&grain, &here, &grain, &there, &contact), Ok(()));
//!     assert!(contact.lower <= contact.gap && contact.gap <= contact.upper);
//! }
//! // From separation to deep penetration; nearly always the closest features were still the same.
//! assert!(tracker.counts().steps[0] > 900);
//! # Ok::<(), tangere::Error>(())
//! ```
//!
//! # Penetration volume
//! ```
//! use tangere::generate;
//! use tangere::geometry::Pose;
//! use tangere::overlap::pack::{PackSettings, pack_mesh};
//! use tangere::overlap::{OverlapQuery, OverlapSettings};
//!
//! let knot = pack_mesh(&generate::knot(2000)?, &PackSettings::spheres(200))?;
//! let mut query = OverlapQuery::new(OverlapSettings::default())?;
//! let there = Pose::from_translation([1.0, 0.0, 0.0])?;
//! let found = query.overlap(&knot, &Pose::identity(), &knot, &there);
//! assert!(found.lower <= found.volume && found.volume <= found.upper);
//! assert!(found.force[0] > 0.0); // It drives the second knot away from the first.
//! # Ok::<(), tangere::Error>(())
//! ```
//!
//! # Time of impact
//! ```
//! use tangere::generate;
//! use tangere::geometry::Pose;
//! use tangere::impact::{Body, EngineSettings, ImpactEngine, RigidMotion};
//!
//! let tumbling = RigidMotion::new(Pose::identity(), [3.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0; 3])?;
//! let there = RigidMotion::at_rest(Pose::from_translation([8.0, 0.0, 0.0])?);
//! let bodies = vec![
//!     Body::rigid(generate::hull(920, 1)?, tumbling)?,
//!     Body::rigid(generate::sphere(4)?, there)?,
//! ];
//! let mut engine = ImpactEngine::with_bodies(bodies, &EngineSettings::default())?;
//! let impact = engine.next_contact(10.0)?.expect("they meet");
//! // Bounds of the time of impact: no contact before `early`, contact by `late`.
//! assert!(impact.late - impact.early < 1e-12);
//! # Ok::<(), tangere::Error>(())
//! ```
//!
//! # Mesh report
//! ```
//! use tangere::generate;
//!
//! let report = generate::sphere(4)?.report();
//! assert!(report.closed && report.oriented && report.manifold);
//! assert_eq!(report.triangles, 8 * 4usize.pow(4));
//! assert_eq!(report.genus, Some(0));
//! # Ok::<(), tangere::Error>(())
//! ```
//!
//! # Nearest triangle
//! ```
//! use tangere::geometry::triangle::closest_on_triangle;
//! use tangere::{generate, tree::Tree};
//!
//! let knot = generate::knot(20_000)?;
//! let tree = Tree::of_mesh(&knot);
//! let point = [0.0, 0.0, 0.0];
//! let mut nearest = (f64::INFINITY, None);
//! tree.approaching(point, f64::INFINITY, |face, bound| {
//!     let closest = closest_on_triangle(point, knot.triangle(face as usize));
//!     if closest.distance_squared < nearest.0 {
//!         nearest = (closest.distance_squared, Some(face));
//!         *bound = closest.distance_squared;
//!     }
//! });
//! assert!(nearest.1.is_some());
//! # Ok::<(), tangere::Error>(())
//! ```
//!
//! # Moving a body
//! ```
//! use tangere::geometry::{Pose, Similarity};
//! use tangere::generate;
//!
//! // Translation, then a unit quaternion w, x, y, z.
//! let pose: Pose = "10,0,0,0,0,0,1".parse()?;
//! let moved = generate::sphere(3)?.transformed(&Similarity::from(pose))?;
//! assert_eq!(moved.bounds().center(), [10.0, 0.0, 0.0]);
//!
//! // The same half turn about z from nalgebra's own types.
//! use tangere::nalgebra::{UnitQuaternion, Vector3};
//! let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::PI);
//! assert_eq!(Pose::new(turn, [10.0, 0.0, 0.0])?.rotate([0.0, 0.0, 1.0]), [0.0, 0.0, 1.0]);
//! # Ok::<(), tangere::Error>(())
//! ```
pub mod closest;
pub mod contact;
pub mod error;
pub mod generate;
pub mod geometry;
pub mod impact;
pub mod inside;
pub mod memory;
mod names;
pub mod overlap;
pub mod pairs;
pub mod parallel;
pub mod scene;
mod settings;
pub mod shape;
pub mod simd;
pub mod stop;
pub mod tree;

pub use error::{Argument, Error, Result};
/// The crate of vectors and rotations: [`geometry::Pose::new`] takes its types.
pub use nalgebra;
