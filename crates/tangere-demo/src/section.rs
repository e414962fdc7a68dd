//! Section of the demo: a query and its results, for the page, the summary and the JSON.

use serde_json::Value;
use tangere_front::text::Table;
use tangere_io::vtk::Field;
pub use tangere_render::html::Figure;

/// Section of the demo: a query and its results.
pub struct Section {
    /// The key of the section in JSON and in links.
    pub name: &'static str,
    /// Heading of the section.
    pub title: &'static str,
    /// Explanation of the query and of its pictures, in a few sentences.
    pub explanation: String,
    /// Pictures of the results, with captions.
    pub figures: Vec<Figure>,
    /// The main results of the query as a table of text.
    pub table: Table,
    /// All results of the query as JSON.
    pub json: Value,
    /// Fields for ParaView, each with the name of its body before it. A field has a value for each
    /// triangle of that body.
    pub cell_data: Vec<(&'static str, Field)>,
}
