//! The columns of all answers: one file a question, one list an answer.

pub mod closest;
pub mod intersect;
pub mod overlap;

use crate::answer::{Column, Described, Outputs, described, documented};

/// What is known of the columns of an answer.
pub struct Answer {
    /// The name of its record in Python; empty where Python has rows only.
    pub name: &'static str,
    /// What it answers, in one line.
    pub title: &'static str,
    /// The attributes of Python's record, in their order.
    pub attributes: Vec<Described>,
    /// All columns as a table in Markdown.
    pub markdown: String,
}

/// All answers, in the order of the documents.
pub fn all() -> Vec<Answer> {
    vec![
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
            "`closest --convex`: work of following a motion",
            closest::COUNTS,
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
            "`closest --points --within`: faces near points",
            closest::WITHIN,
        ),
        answer(
            "",
            "`intersect`: triangles that intersect",
            intersect::INTERSECTION,
        ),
        answer(
            "Overlap",
            "`overlap`: penetration volume, force and torque",
            overlap::OVERLAP,
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
