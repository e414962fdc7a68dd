//! The columns of all answers: one file a question, one list an answer.

pub mod overlap;
pub mod pairs;

use crate::answer::{Column, Described, Outputs, described, documented};

/// What is known of the columns of an answer.
pub struct Answer {
    /// The name of its record in Python; none where it has only arrays.
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
            "Overlap",
            "`overlap`: penetration volume, force and torque",
            overlap::OVERLAP,
        ),
        answer("", "`pairs`: items that touch", pairs::PAIRS),
        answer("", "`pairs --as neighbors`: both ways", pairs::NEIGHBORS),
        answer(
            "",
            "`pairs --as contacts`: image, gap and normal (in the plane without z)",
            pairs::Contacts::<3>::COLUMNS,
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
