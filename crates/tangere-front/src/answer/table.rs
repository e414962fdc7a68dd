//! Table of an answer: its columns, and its rows, which are in memory or computed when written.

use super::{Column, Outputs, csv, data, json, npy};
use crate::answer::{Data, Packed};
use crate::text::{count, number};
use serde_json::Value;
use std::io::{self, Write};
use std::path::Path;
use tangere_io::vtk::Field;

/// The rows of the table of an answer.
pub enum Rows<'a, T> {
    /// Rows in memory.
    Kept(&'a [T]),
    /// A number of rows and a function that computes a row by its index, for answers that are
    /// stored column by column.
    Made(usize, &'a dyn Fn(usize) -> T),
}

impl<T> Rows<'_, T> {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        match self {
            Rows::Kept(rows) => rows.len(),
            Rows::Made(count, _) => *count,
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls `read` with row `i` and returns its result.
    pub(super) fn with<R>(&self, i: usize, read: impl FnOnce(&T) -> R) -> R {
        match self {
            Rows::Kept(rows) => read(&rows[i]),
            Rows::Made(_, make) => read(&make(i)),
        }
    }

    /// Calls `visit` with every row, in order.
    pub(super) fn each(&self, mut visit: impl FnMut(&T)) {
        (0..self.len()).for_each(|i| self.with(i, &mut visit));
    }
}

/// Returns entry `k` of concatenated lists, where list `i` is `values[offsets[i]..offsets[i + 1]]`:
/// the index of the list that contains the entry, and its value.
pub fn listed(offsets: &[usize], values: &[u32], k: usize) -> [u32; 2] {
    let list = offsets.partition_point(|&end| end <= k) - 1;
    [list as u32, values[k]]
}

/// Table of an answer: columns and rows.
pub struct Table<'a, T> {
    /// The columns of the table, in the order in which they are written.
    pub columns: Vec<Column<T>>,
    /// The rows of the table, in memory or computed when written.
    pub rows: Rows<'a, T>,
    /// Whether NPY files of the table are a plain array of floats, whatever the types of the
    /// columns.
    as_floats: bool,
    /// The name of the last column of CSV files, which numbers the rows from 0, if there is one.
    numbered: Option<&'static str>,
    /// The lengths of the axes of NPY files in place of one axis of rows, if there are any.
    axes: Option<Vec<usize>>,
}

impl<'a, T> Table<'a, T> {
    /// Returns a table of columns and rows in memory.
    pub fn new(columns: &[Column<T>], rows: &'a [T]) -> Self {
        Table {
            columns: columns.to_vec(),
            rows: Rows::Kept(rows),
            as_floats: false,
            numbered: None,
            axes: None,
        }
    }

    /// Returns a table of columns and `count` rows, which `make` computes by index when written.
    pub fn made(columns: &[Column<T>], count: usize, make: &'a dyn Fn(usize) -> T) -> Self {
        Table {
            columns: columns.to_vec(),
            rows: Rows::Made(count, make),
            as_floats: false,
            numbered: None,
            axes: None,
        }
    }

    /// Returns the table without the columns of these names.
    pub fn without(mut self, names: &[&str]) -> Self {
        self.columns.retain(|column| !names.contains(&column.name));
        self
    }

    /// Returns the table with the setting that its NPY files are a plain array of `float64`.
    pub fn as_floats(mut self) -> Self {
        self.as_floats = true;
        self
    }

    /// Returns the table with a last column in CSV files that numbers the rows from 0: of answers
    /// along a motion the pose. Other formats have the rows of an array, which have numbers anyway.
    pub fn numbered(mut self, name: Option<&'static str>) -> Self {
        self.numbered = name;
        self
    }

    /// Returns the table with the setting that the rows in its NPY files have several axes, in C
    /// order: those of a grid of points. Their lengths multiply to the number of rows.
    pub fn shaped(mut self, axes: Option<Vec<usize>>) -> Self {
        self.axes = axes;
        self
    }

    fn in_output(&self, output: Outputs) -> impl Iterator<Item = &Column<T>> {
        (self.columns.iter()).filter(move |column| column.outputs.has(output))
    }

    /// Returns a JSON object for each row; numbers that are not finite are null.
    pub fn json(&self) -> Vec<Value> {
        (0..self.rows.len())
            .map(|i| self.rows.with(i, |row| json::object(&self.columns, row)))
            .collect()
    }

    /// Writes the table as CSV: a line of names, then a line for each row.
    ///
    /// # Errors
    /// When the sink fails.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let columns: Vec<_> = self.in_output(Outputs::CSV).copied().collect();
        csv::write(out, &columns, &self.rows, self.numbered)
    }

    /// Returns the columns that appear in CSV as a matrix of floats, with their names.
    pub fn matrix(&self) -> tangere_io::Table {
        let columns: Vec<_> = self.in_output(Outputs::CSV).copied().collect();
        let mut values = Vec::new();
        self.rows.each(|row| {
            for column in &columns {
                data::floats(column, row, &mut values);
            }
        });
        let names: Vec<String> = csv::heads(&columns).map(str::to_owned).collect();
        tangere_io::Table {
            columns: names.len(),
            values,
            names: Some(names),
        }
    }

    /// Returns the columns that appear in an output as arrays: the name, the number of values in a
    /// row, and the values.
    pub fn data(&self, output: Outputs) -> Vec<(&'static str, usize, Data)> {
        (self.in_output(output))
            .flat_map(|column| data::of(column, &self.rows))
            .collect()
    }

    /// Returns the columns as fields of points or cells of a VTK file.
    pub fn fields(&self) -> Vec<Field> {
        let data = self.data(Outputs::VTK).into_iter();
        data.map(|(name, width, data)| data.field(name, width))
            .collect()
    }

    /// Writes an NPY file: a plain array if all columns have one type or [`Table::as_floats`] was
    /// called, else a structured one.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_npy(&self, path: &Path) -> tangere_io::Result<()> {
        let columns: Vec<_> = self.in_output(Outputs::NUMPY).copied().collect();
        let axes = self.axes.clone();
        let axes = axes.unwrap_or_else(|| vec![self.rows.len()]);
        npy::write(path, &columns, &self.rows, axes, self.as_floats)
    }

    /// Returns the rows in memory as a structured array of NumPy.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn packed(&self) -> tangere::Result<Packed> {
        let columns: Vec<_> = self.in_output(Outputs::NUMPY).copied().collect();
        npy::packed(&columns, &self.rows)
    }

    /// Returns the lines of text for row `i`: the label and the formatted value of each column that
    /// appears in text.
    pub fn lines(&self, i: usize) -> Vec<(&'static str, String)> {
        let line = |column: &Column<T>, row: &T| (column.label_text(), shown(column, row));
        (self.in_output(Outputs::TEXT))
            .map(|column| self.rows.with(i, |row| line(column, row)))
            .collect()
    }
}

/// Formats the value of a column in a row as text for people.
fn shown<T>(column: &Column<T>, row: &T) -> String {
    use super::Get;
    match column.get {
        Get::Float(get) => number(get(row)),
        Get::Vector(width, get) => {
            let numbers: Vec<f64> = (0..width).map(|k| get(row, k)).collect();
            match numbers.iter().any(|x| x.is_nan()) {
                true => "none".into(),
                false => joined(numbers.into_iter().map(number)),
            }
        }
        Get::Count(get) => count(get(row)),
        Get::Counts(width, get) => joined((0..width).map(|k| count(get(row, k)))),
        Get::Index(get) => get(row).to_string(),
        Get::Indices(width, get) => joined((0..width).map(|k| get(row, k).to_string())),
        Get::Integers(width, get) => joined((0..width).map(|k| get(row, k).to_string())),
        Get::Side(get) => get(row).to_string(),
        Get::Code(_, word) => word(row).into(),
        Get::Flag(get) => if get(row) { "yes" } else { "no" }.into(),
        Get::Feature(get) => get(row).to_string(),
        Get::Text(get) => get(row).into(),
        Get::Value(_, get) => match get(row) {
            Value::Null => "undefined".into(),
            Value::String(word) => word,
            Value::Number(n) => match (n.as_u64(), n.as_i64(), n.as_f64()) {
                (Some(n), ..) => count(n),
                (_, Some(n), _) => n.to_string(),
                (.., Some(x)) => number(x),
                _ => n.to_string(),
            },
            other => other.to_string(),
        },
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}
