//! The Python package `tangere`, native part `tangere._tangere` (PyO3).
//!
//! It converts and checks arguments; the library computes every result. Python types are checked
//! here (`arguments`, `arrays`), values by the library, whose errors become exceptions (`errors`).
//! Computations run without the GIL (`run`).
//!
//! | question | files |
//! |---|---|
//! | broad phase | `pairs`, `finder`, `periodic`, `tree` |
//! | point containment | `inside`, `bodies` |
//! | distance, penetration depth | `closest`, `convex_pairs`, `mesh_to_mesh`, `point_to_surface` |
//! | penetration volume | `overlap`, `pack`, `packing`, `callable_container` |
//! | continuous collision detection | `impact`, `ccd`, `trajectory`, `gas` |
//! | all together | `scene` |
//! | granular matter | `simulation` |
#![allow(
    clippy::doc_lazy_continuation,
    reason = "Python docstrings are not Markdown"
)]

mod arguments;
mod arrays;
mod bodies;
mod callable_container;
mod ccd;
mod closest;
mod contact;
mod convex;
mod convex_pairs;
mod dump;
mod errors;
mod faces;
mod fields;
mod files;
mod finder;
mod gas;
mod generate;
mod grid_field;
mod impact;
mod inside;
mod mesh;
mod mesh_to_mesh;
mod options;
mod overlap;
mod pack;
mod packing;
mod pairs;
mod particles;
mod periodic;
mod pickling;
mod point_to_surface;
mod poses;
mod record;
mod report;
mod run;
mod scene;
mod shared_state;
mod simulation;
mod trajectory;
mod tree;

use pyo3::prelude::*;

/// The native part of `tangere`; import `tangere` instead.
#[pymodule]
mod _tangere {
    #[pymodule_export]
    use crate::bodies::Bodies;
    #[pymodule_export]
    use crate::ccd::{edge_edge, edge_vertex, vertex_face, vertex_vertex};
    #[pymodule_export]
    use crate::closest::{ConvexCache, closest};
    #[pymodule_export]
    use crate::contact::checked_feature;
    #[pymodule_export]
    use crate::convex::ConvexPolyhedron;
    #[pymodule_export]
    use crate::convex_pairs::ConvexPairs;
    #[pymodule_export]
    use crate::dump::{DumpFrames, read_dump};
    #[pymodule_export]
    use crate::faces::{FaceMesh, load_faces};
    #[pymodule_export]
    use crate::files::{load, save};
    #[pymodule_export]
    use crate::finder::{PairFinder, restored_pair_finder};
    #[pymodule_export]
    use crate::gas::Gas;
    #[pymodule_export]
    use crate::generate::{
        box_mesh, chazelle, crystal, foam, hull, knot, particles, plate, sphere, sponge,
    };
    #[pymodule_export]
    use crate::impact::{
        Body, BodyShape, Hierarchy, ImpactEngine, hierarchy, restored_body, restored_body_shape,
    };
    #[pymodule_export]
    use crate::inside::{Inside, inside};
    #[pymodule_export]
    use crate::mesh::{Mesh, restored_mesh};
    #[pymodule_export]
    use crate::mesh_to_mesh::{intersections, intersects, self_intersections};
    #[pymodule_export]
    use crate::overlap::{exact_overlap, overlap};
    #[pymodule_export]
    use crate::pack::pack;
    #[pymodule_export]
    use crate::packing::{Packing, restored_packing};
    #[pymodule_export]
    use crate::pairs::{box_pairs, box_pairs_between, pairs, pairs_between};
    #[pymodule_export]
    use crate::particles::{load_particles, save_particles};
    #[pymodule_export]
    use crate::periodic::Periodic;
    #[pymodule_export]
    use crate::record::{columns, words};
    #[pymodule_export]
    use crate::scene::{
        BoxShape, Capsule, Compound, HalfSpace, Scene, Sphere, Wall, restored_scene,
    };
    #[pymodule_export]
    use crate::simulation::Simulation;
    #[pymodule_export]
    use crate::trajectory::{first_meetings, next_collisions};
    #[pymodule_export]
    use crate::tree::Tree;

    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
