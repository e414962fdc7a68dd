//! A question and its answer: part of the page, of the summary and of the JSON.

use crate::failure::Failure;
use crate::render::Picture;
use serde_json::Value;
use tangere_io::vtk::Field;

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

/// A picture and what it shows.
pub struct Figure {
    pub picture: Picture,
    pub caption: String,
}

/// Rows of text under a head. The first column holds names, the others numbers.
pub struct Table {
    pub head: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// For a terminal, indented by two.
    pub fn text(&self) -> String {
        let rows = || {
            let head = self.head.iter().map(|s| (*s).to_owned()).collect();
            std::iter::once(head).chain(self.rows.iter().cloned())
        };
        let width = |k: usize| {
            let cells = rows().filter_map(|row: Vec<String>| Some(row.get(k)?.chars().count()));
            cells.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let mut text = String::new();
        for row in rows() {
            for (k, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                text += &if k == 0 {
                    format!("  {cell:width$}")
                } else {
                    format!("  {cell:>width$}")
                };
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        text
    }
}

/// A picture as a PNG file.
pub fn encoded(picture: &Picture) -> Result<Vec<u8>, Failure> {
    picture
        .png()
        .map_err(|error| Failure::Work(format!("a picture: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let table = Table {
            head: vec!["body", "n"],
            rows: vec![
                vec!["knot".into(), "1 000".into()],
                vec!["a".into(), "2".into()],
            ],
        };
        assert_eq!(
            table.text(),
            "  body      n\n  knot  1 000\n  a         2\n"
        );
    }
}
