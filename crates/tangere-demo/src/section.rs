//! Section of the demo: a query and its results, for the page, the summary and the JSON.

use serde_json::Value;
use tangere_front::text::Table;
use tangere_io::vtk::Field;
pub use tangere_render::html::Figure;

/// A query of the demo and its results.
pub struct Section {
    /// The key of the section in JSON and in links.
    pub name: &'static str,
    /// The heading.
    pub title: &'static str,
    /// The explanation of the query and of the pictures, in a few sentences.
    pub explanation: String,
    /// The pictures.
    pub figures: Vec<Figure>,
    /// The main results, as a table.
    pub table: Table,
    /// All results, as JSON.
    pub json: Value,
    /// Fields on the triangles of bodies, for ParaView.
    pub cell_data: Vec<(&'static str, Field)>,
}
