//! Documentation of the output columns of answers: the tables of docs/answers.md, and the
//! attributes of Python's records.

use super::{Column, Get, Outputs};

/// Documentation of a column of an answer: name, type, unit and meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Described {
    /// The name of the column.
    pub name: &'static str,
    /// The type of the column's values, as NumPy names it.
    pub kind: &'static str,
    /// The number of values that the column has in a row.
    pub width: usize,
    /// The unit of the column's values.
    pub unit: &'static str,
    /// The meaning of the column's values.
    pub doc: &'static str,
    /// Whether this column counts when Python compares two records of an answer for equality.
    pub compared: bool,
}

/// Returns the documentation of the columns that appear in an output.
pub fn described<T>(columns: &[Column<T>], output: Outputs) -> Vec<Described> {
    let columns = columns.iter();
    let columns = columns.filter(|column| column.outputs.has(output));
    columns
        .map(|column| Described {
            name: column.name,
            kind: kind(column),
            width: column.width(),
            unit: column.unit,
            doc: column.doc,
            compared: column.compared,
        })
        .collect()
}

fn kind<T>(column: &Column<T>) -> &'static str {
    match column.get {
        Get::Float(_) | Get::Vector(..) => "float64",
        Get::Count(_) | Get::Counts(..) => "uint64",
        Get::Index(_) | Get::Indices(..) => "uint32",
        Get::Integers(..) => "int32",
        Get::Side(_) => "int8",
        Get::Code(..) => "name",
        Get::Flag(_) => "bool",
        Get::Feature(_) => "feature",
        Get::Text(_) => "text",
        Get::Value(kind, _) => kind,
    }
}

/// Returns a Markdown table of the columns of an answer. Each column has a row, which also lists
/// the outputs in which it appears.
pub fn documented<T>(columns: &[Column<T>]) -> String {
    let mut text = "| name | type | unit | in | meaning |\n|---|---|---|---|---|\n".to_owned();
    let shown = |column: &&Column<T>| column.outputs != Outputs::TEXT;
    for column in columns.iter().filter(shown) {
        let kind = match (column.get, column.width()) {
            (Get::Feature(_), _) | (_, 1) => kind(column).to_owned(),
            (_, n) => format!("{n} x {}", kind(column)),
        };
        let places = [
            (Outputs::JSON, "JSON"),
            (Outputs::CSV, "CSV"),
            (Outputs::NUMPY, "NPY"),
            (Outputs::VTK, "VTK"),
            (Outputs::PYTHON, "Python"),
        ];
        let places = places.into_iter();
        let places: Vec<&str> = places
            .filter(|(output, _)| column.outputs.has(*output))
            .map(|(_, name)| name)
            .collect();
        let name = match column.heads {
            [] => format!("`{}`", column.name),
            heads => format!("`{}` (`{}`)", column.name, heads.join("`, `")),
        };
        text += &format!(
            "| {name} | {kind} | {} | {} | {} |\n",
            column.unit,
            places.join(", "),
            column.doc
        );
    }
    text
}
