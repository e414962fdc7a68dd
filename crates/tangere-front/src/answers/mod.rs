//! Output columns of all answers: one file for each query, one list of columns for each answer.

pub mod closest;
pub mod impact;
pub mod inside;
pub mod intersect;
pub mod overlap;
pub mod pairs;
pub mod report;
pub mod scene;
pub mod simulation;

use crate::answer::{Column, Described, Outputs, described, documented};

/// Documentation of an answer and its columns.
pub struct Answer {
    /// The name of the answer's record in Python; empty if Python returns it only as a structured
    /// array.
    pub name: &'static str,
    /// The title of the answer in the documentation, in one line.
    pub title: &'static str,
    /// The attributes of the answer's record in Python, in their order.
    pub attributes: Vec<Described>,
    /// The columns of the answer as a Markdown table.
    pub markdown: String,
}

/// Returns the documentation of all answers, in the order of docs/answers.md.
pub fn all() -> Vec<Answer> {
    vec![
        answer("", "`inside`: point containment", inside::POINT_SIDE),
        answer(
            "",
            "`inside --bodies`: nodes of bodies inside others",
            inside::NODE_INSIDE,
        ),
        answer(
            "Contact",
            "`closest --convex`: distance or penetration depth of convex bodies",
            closest::CONTACT,
        ),
        answer(
            "PatchPoint",
            "`closest --convex`: corners of the contact patch",
            closest::PATCH_POINT,
        ),
        answer(
            "Counts",
            "`closest --convex`: work of tracking a pair through a motion",
            closest::COUNTS,
        ),
        answer(
            "LinContact",
            "`closest --convex --method lin`: the same by Lin's walk",
            closest::LIN_CONTACT,
        ),
        answer(
            "",
            "`closest --convex --method lin`: iterations of Lin's walk through a motion",
            closest::LIN_COUNTS,
        ),
        answer(
            "SurfaceDistance",
            "`closest`: distance of two surfaces",
            closest::SURFACE_DISTANCE,
        ),
        answer(
            "",
            "`closest --points`: nearest points of triangles",
            closest::SURFACE_POINT,
        ),
        answer(
            "",
            "`closest --points`: nearest points of finite element faces",
            closest::PROJECTION,
        ),
        answer(
            "",
            "`distance`: signed distances of points",
            closest::SIGNED_DISTANCE,
        ),
        answer(
            "",
            "`closest --points --within`: faces near points",
            closest::WITHIN,
        ),
        answer(
            "",
            "`intersect`: triangles that intersect",
            intersect::INTERSECTION,
        ),
        answer(
            "",
            "`intersect --poses`: triangles that intersect along a motion",
            intersect::POSE_INTERSECTION,
        ),
        answer(
            "",
            "`intersect --poses --any`: relative position along a motion",
            intersect::STATUS,
        ),
        answer(
            "Overlap",
            "`overlap`: penetration volume, force and torque",
            overlap::OVERLAP,
        ),
        answer(
            "",
            "`overlap --exact`: volume of the intersection",
            overlap::EXACT_VOLUME,
        ),
        answer(
            "ImpactContact",
            "`impact`: continuous collision detection, contacts of moving bodies",
            impact::CONTACT,
        ),
        answer(
            "Impact",
            "`ImpactEngine.next_contact`: the next contact, with a list of `contacts`",
            impact::IMPACT,
        ),
        answer(
            "ImpactCounts",
            "`impact`: work of the engine",
            impact::COUNTS,
        ),
        answer(
            "Motion",
            "`ImpactEngine.motion`: how a rigid body moves",
            impact::MOTION,
        ),
        answer(
            "",
            "`ccd`: times of impact of vertices, edges and faces",
            impact::FIRST_CONTACT,
        ),
        answer("", "`meetings`: times of impact of balls", impact::MEETING),
        answer(
            "",
            "`gas`: collisions of event-driven hard spheres",
            &impact::collision(3),
        ),
        answer(
            "",
            "`gas --final`: spheres at the end",
            &impact::gas_sphere(3),
        ),
        answer(
            "GasCounts",
            "`gas`: work of the event-driven simulation",
            impact::GAS_COUNTS,
        ),
        answer("", "`pairs`: broad phase, pairs that touch", pairs::PAIRS),
        answer(
            "",
            "`pairs --as neighbors`: neighbour lists",
            pairs::NEIGHBORS,
        ),
        answer(
            "",
            "`pairs --as contacts`: image, gap and normal (in the plane without z)",
            pairs::Contacts::<3>::COLUMNS,
        ),
        answer(
            "",
            "`pairs` of a LAMMPS dump: atom ids in place of rows (image, gap and normal as above)",
            pairs::ATOM_PAIRS,
        ),
        answer(
            "",
            "`contacts`: contacts of the bodies of a scene",
            scene::CONTACT,
        ),
        answer(
            "PairAnswer",
            "`replay`: what each method answers for a pair of bodies",
            scene::PAIR_ANSWER,
        ),
        answer(
            "",
            "`contacts --sleep-until`: until when bodies that are apart cannot touch",
            scene::PAIR_SLEEP,
        ),
        answer(
            "",
            "`Scene.patches`: corners of contact patches",
            scene::CORNER,
        ),
        answer("", "`Scene.rays`: first hits of rays", scene::RAY_HIT),
        answer(
            "",
            "`Scene.nearest`: bodies nearest to points",
            scene::NEAREST,
        ),
        answer(
            "MeshReport",
            "`info`: properties and defects of a surface",
            report::MESH_REPORT,
        ),
        answer(
            "",
            "`info`: mass properties of a closed surface",
            report::MASS_PROPERTIES,
        ),
        answer(
            "FaceReport",
            "Properties and defects of finite element faces",
            report::FACE_REPORT,
        ),
        answer("Source", "Where a mesh was read from", report::SOURCE),
        answer("Repair", "What a repair changed", report::REPAIR),
        answer(
            "",
            "`Simulation.contacts`: contacts of spheres of a simulation",
            simulation::CONTACT,
        ),
        answer(
            "",
            "`Simulation.clumps`: bodies of several spheres of a simulation",
            simulation::CLUMP,
        ),
    ]
}

fn answer<T>(name: &'static str, title: &'static str, columns: &[Column<T>]) -> Answer {
    Answer {
        name,
        title,
        attributes: described(columns, Outputs::PYTHON),
        markdown: documented(columns),
    }
}
