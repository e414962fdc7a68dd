//! A question and its answer: part of the page, of the summary and of the JSON.

use serde_json::Value;
use tangere_front::text::Table;
use tangere_io::vtk::Field;
pub use tangere_render::html::Figure;

/// A question, asked of the scene and answered.
pub struct Section {
    /// Its word, by which JSON and links name it.
    pub name: &'static str,
    /// The question.
    pub title: &'static str,
    /// What is asked and what the pictures show, in a sentence or two.
    pub explanation: String,
    /// What there is to see.
    pub figures: Vec<Figure>,
    /// The answer in short.
    pub table: Table,
    /// The answer in full.
    pub json: Value,
    /// What the answer says about each triangle of a body, for ParaView.
    pub cell_data: Vec<(&'static str, Field)>,
}
