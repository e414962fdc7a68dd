//! Finding: the result for one figure, table or statement of a paper, with published and measured
//! numbers.

use serde_json::{Value, json};
use tangere_front::text::{self, Table, duration, three_digits};
use tangere_render::html::Figure;
use tangere_render::plot::Plot;

/// A claim of a paper, and whether it is reproduced.
pub struct Finding {
    /// The name of the figure, table or statement of the paper; also the key in JSON.
    pub name: &'static str,
    /// The claim of the paper.
    pub claim: String,
    /// The published numbers, if there are any.
    pub published: Value,
    /// The corresponding measured numbers.
    pub measured: Value,
    /// Whether the claim holds.
    pub holds: bool,
    /// How the numbers were measured, and the reason if the claim does not hold.
    pub remark: String,
    /// The table of the finding, which is shown as text and written as CSV.
    pub data: Data,
    pub plots: Vec<Plot>,
    pub pictures: Vec<Figure>,
}

impl Finding {
    /// Returns the claim, whether it holds, and its numbers as JSON.
    pub fn json(&self) -> Value {
        json!({
            "published": self.published,
            "measured": self.measured,
            "claim": self.claim,
            "holds": self.holds,
            "remark": self.remark,
        })
    }

    /// Returns the finding as text for a terminal.
    pub fn text(&self) -> String {
        format!(
            "{}: {}\n{}\n{}\n{}",
            self.name,
            self.verdict(),
            text::wrapped(&format!("Claim: {}", self.claim)),
            text::wrapped(&self.remark),
            self.data.table().text()
        )
    }

    pub fn verdict(&self) -> &'static str {
        match self.holds {
            true => "holds",
            false => "does not hold",
        }
    }

    /// Returns the name as part of a URL.
    pub fn slug(&self) -> String {
        let words = self.name.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<String> = words
            .filter(|word| !word.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        words.join("-")
    }

    /// Returns the name of the CSV file of the finding; `key` is that of the paper.
    pub fn file(&self, key: &str) -> String {
        format!("{key}-{}.csv", self.slug())
    }
}

/// A cell of a table: a number or a word.
#[derive(Clone, Debug)]
pub enum Cell {
    Text(String),
    Count(usize),
    Number(f64),
    /// A fraction, shown in percent.
    Share(f64),
    Seconds(f64),
    /// An empty cell, for a value that was neither published nor measured.
    Nothing,
}

impl Cell {
    /// Formats the cell for human readers: rounded, with units.
    fn shown(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(n) => text::count(*n as u64),
            Cell::Number(x) => three_digits(*x),
            Cell::Share(x) => format!("{}%", three_digits(100.0 * x)),
            Cell::Seconds(s) => duration(*s),
            Cell::Nothing => "-".into(),
        }
    }

    /// Formats the cell for programs: full precision, no units.
    fn plain(&self) -> String {
        match self {
            Cell::Text(text) if text.contains([',', '"', '\n']) => {
                format!("\"{}\"", text.replace('"', "\"\""))
            }
            Cell::Text(text) => text.clone(),
            Cell::Count(n) => n.to_string(),
            Cell::Number(x) | Cell::Share(x) | Cell::Seconds(x) => x.to_string(),
            Cell::Nothing => String::new(),
        }
    }
}

/// Returns a cell with a word.
pub fn word(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

/// Returns the number `x` as a cell made by `cell`; an empty cell if `x` is `None`.
pub fn maybe(cell: fn(f64) -> Cell, x: Option<f64>) -> Cell {
    x.map_or(Cell::Nothing, cell)
}

/// Table of a finding: rows of cells under their column names.
pub struct Data {
    pub head: Vec<&'static str>,
    pub rows: Vec<Vec<Cell>>,
}

impl Data {
    pub fn table(&self) -> Table {
        let row = |cells: &Vec<Cell>| cells.iter().map(Cell::shown).collect();
        Table {
            head: self.head.clone(),
            rows: self.rows.iter().map(row).collect(),
        }
    }

    pub fn csv(&self) -> String {
        let head = self.head.iter().map(|name| word(*name).plain());
        let mut lines = vec![head.collect::<Vec<String>>().join(",")];
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(Cell::plain).collect();
            lines.push(cells.join(","));
        }
        lines.join("\n") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_for_people_and_programs() {
        let data = Data {
            head: vec!["test", "n", "share", "seconds"],
            rows: vec![
                vec![
                    word("A, \"B\""),
                    Cell::Count(1000),
                    Cell::Share(0.875),
                    Cell::Seconds(0.25),
                ],
                vec![
                    word("C"),
                    Cell::Nothing,
                    maybe(Cell::Number, None),
                    maybe(Cell::Number, Some(0.1)),
                ],
            ],
        };
        assert_eq!(
            data.csv(),
            "test,n,share,seconds\n\"A, \"\"B\"\"\",1000,0.875,0.25\nC,,,0.1\n"
        );
        assert_eq!(data.table().rows[0][1..], ["1 000", "87.5%", "250 ms"]);
        assert_eq!(data.table().rows[1][1..], ["-", "-", "0.100"]);
    }
}
