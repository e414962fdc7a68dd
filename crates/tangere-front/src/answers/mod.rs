//! The columns of all answers: one file a question, one list an answer.

pub mod inside;
pub mod overlap;
pub mod report;

use crate::answer::{Column, Described, Outputs, described, documented};

/// What is known of the columns of an answer.
pub struct Answer {
    /// The name of its record in Python; none if it has none.
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
        answer("", "`inside`: sides of points", inside::POINT_SIDE),
        answer(
            "",
            "`inside --bodies`: nodes of bodies inside others",
            inside::NODE_INSIDE,
        ),
        answer(
            "Overlap",
            "`overlap`: penetration volume, force and torque",
            overlap::OVERLAP,
        ),
        answer(
            "MeshReport",
            "`info`: what is right and wrong with a surface",
            report::MESH_REPORT,
        ),
        answer(
            "FaceReport",
            "What is right and wrong with finite element faces",
            report::FACE_REPORT,
        ),
        answer("Source", "Where a mesh was read from", report::SOURCE),
        answer("Repair", "What a repair changed", report::REPAIR),
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
