//! A column of an answer: its name, unit, meaning and outputs, and its value in a row.

use serde_json::Value;
use tangere::contact::Feature;

/// Set of the outputs in which a column of an answer appears: JSON, CSV, NumPy, VTK, Python, text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs(u8);

impl Outputs {
    /// The set with JSON objects only.
    pub const JSON: Outputs = Outputs(1);
    /// The set with CSV files only.
    pub const CSV: Outputs = Outputs(2);
    /// The set with structured arrays only: NPY files and NumPy.
    pub const NUMPY: Outputs = Outputs(4);
    /// The set with fields of VTK files only.
    pub const VTK: Outputs = Outputs(8);
    /// The set with attributes of Python's records only.
    pub const PYTHON: Outputs = Outputs(16);
    /// The set with lines of text for people only.
    pub const TEXT: Outputs = Outputs(32);
    /// The set of outputs with a row for each item: CSV, NPY files and structured arrays of NumPy,
    /// and VTK.
    pub const ROWS: Outputs = Outputs(14);
    /// The set of all outputs.
    pub const ALL: Outputs = Outputs(63);

    /// Returns the union of two sets of outputs.
    pub const fn and(self, others: Outputs) -> Outputs {
        Outputs(self.0 | others.0)
    }

    /// Returns the set without the outputs of `others`.
    pub const fn without(self, others: Outputs) -> Outputs {
        Outputs(self.0 & !others.0)
    }

    /// Whether the set contains all outputs of `some`.
    pub const fn has(self, some: Outputs) -> bool {
        self.0 & some.0 == some.0
    }
}

/// Accessor of the value of a column in a row `T`, by the type of the value. A vector has a width,
/// the number of its components, which are read one by one.
pub enum Get<T> {
    /// The value is one float.
    Float(fn(&T) -> f64),
    /// The value is a vector of floats, of the given width.
    Vector(usize, fn(&T, usize) -> f64),
    /// The value is one count.
    Count(fn(&T) -> u64),
    /// The value is a vector of counts, of the given width.
    Counts(usize, fn(&T, usize) -> u64),
    /// The value is one index.
    Index(fn(&T) -> u32),
    /// The value is a vector of indices, of the given width.
    Indices(usize, fn(&T, usize) -> u32),
    /// The value is a vector of signed integers, of the given width.
    Integers(usize, fn(&T, usize) -> i32),
    /// The value is a small signed integer: the side of a surface on which a point lies (1 inside,
    /// 0 on the surface, -1 outside).
    Side(fn(&T) -> i8),
    /// The value is one of several names. The first function returns its number, for arrays; the
    /// second returns the name, for text.
    Code(fn(&T) -> u8, fn(&T) -> &'static str),
    /// The value is a truth value: 1 or 0 in arrays and CSV.
    Flag(fn(&T) -> bool),
    /// The value is a feature: a vertex, an edge or a face. Arrays have two columns for it, its
    /// kind and its index, named by `heads`. Without `heads` the column is one text, such as
    /// `face 3`, and arrays leave it out.
    Feature(fn(&T) -> Feature),
    /// The value is a text; arrays leave it out.
    Text(fn(&T) -> &str),
    /// The value is any other JSON value, with the name of its type; arrays leave it out.
    Value(&'static str, fn(&T) -> Value),
}

// A derived `Clone` or `Copy` would require `T` to be `Clone` or `Copy`.
impl<T> Clone for Get<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Get<T> {}

/// A column of an answer whose rows are `T`.
pub struct Column<T> {
    /// The name of the column in JSON, NumPy, VTK and Python, and in CSV if it has no `heads`.
    pub name: &'static str,
    /// The names of the column's components in CSV. For a feature they are the names of its kind
    /// and of its index, in CSV and in arrays. Empty if the column is one column in CSV, called
    /// `name`.
    pub heads: &'static [&'static str],
    /// The name of the column in text for people. If it is empty, `name` is used.
    pub label: &'static str,
    /// The unit of the column's values, such as `length`; empty for dimensionless numbers.
    pub unit: &'static str,
    /// The meaning of the column's values, in one line.
    pub doc: &'static str,
    /// Accessor of the column's value in a row.
    pub get: Get<T>,
    /// The outputs in which the column appears.
    pub outputs: Outputs,
    /// Whether this column counts when Python compares two records of an answer for equality. False
    /// for the cost of a search, for example.
    pub compared: bool,
}

impl<T> Clone for Column<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Column<T> {}

impl<T> Column<T> {
    /// Returns a column that appears in all outputs.
    pub const fn new(name: &'static str, get: Get<T>) -> Self {
        Column {
            name,
            heads: &[],
            label: "",
            unit: "",
            doc: "",
            get,
            outputs: Outputs::ALL,
            compared: true,
        }
    }

    /// Sets the names of the column's components in CSV.
    pub const fn heads(mut self, heads: &'static [&'static str]) -> Self {
        self.heads = heads;
        self
    }

    /// Sets the name of the column in text for people, if it differs from `name`.
    pub const fn label(mut self, label: &'static str) -> Self {
        self.label = label;
        self
    }

    /// Sets the unit of the column's values, such as `length` or `time`.
    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// Sets the documentation of the column: the meaning of its values in one line.
    pub const fn doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    /// Restricts the column to the given outputs.
    pub const fn only(mut self, outputs: Outputs) -> Self {
        self.outputs = outputs;
        self
    }

    /// Removes the column from the given outputs.
    pub const fn not(mut self, outputs: Outputs) -> Self {
        self.outputs = self.outputs.without(outputs);
        self
    }

    /// Excludes the column from the comparison of two records of an answer for equality in Python.
    pub const fn uncompared(mut self) -> Self {
        self.compared = false;
        self
    }

    /// Returns the number of values of the column in a row.
    pub const fn width(&self) -> usize {
        match self.get {
            Get::Vector(width, _)
            | Get::Counts(width, _)
            | Get::Indices(width, _)
            | Get::Integers(width, _) => width,
            Get::Feature(_) => 2,
            _ => 1,
        }
    }

    /// Returns the name of the column in text for people.
    pub fn label_text(&self) -> &'static str {
        match self.label {
            "" => self.name,
            label => label,
        }
    }
}

/// Returns a column of floats.
pub const fn float<T>(name: &'static str, get: fn(&T) -> f64) -> Column<T> {
    Column::new(name, Get::Float(get))
}

/// Returns a column whose entries are vectors of floats; the width is the number of components.
pub const fn vector<T>(
    name: &'static str,
    heads: &'static [&'static str],
    get: fn(&T, usize) -> f64,
) -> Column<T> {
    Column::new(name, Get::Vector(heads.len(), get)).heads(heads)
}

/// Returns a column of counts.
pub const fn count<T>(name: &'static str, get: fn(&T) -> u64) -> Column<T> {
    Column::new(name, Get::Count(get))
}

/// Returns a column of vectors of counts, of the given width.
pub const fn counts<T>(
    name: &'static str,
    heads: &'static [&'static str],
    get: fn(&T, usize) -> u64,
) -> Column<T> {
    Column::new(name, Get::Counts(heads.len(), get)).heads(heads)
}

/// Returns a column of indices.
pub const fn index<T>(name: &'static str, get: fn(&T) -> u32) -> Column<T> {
    Column::new(name, Get::Index(get))
}

/// Returns a column of vectors of indices, of the given width.
pub const fn indices<T>(
    name: &'static str,
    heads: &'static [&'static str],
    get: fn(&T, usize) -> u32,
) -> Column<T> {
    Column::new(name, Get::Indices(heads.len(), get)).heads(heads)
}

/// Returns a column of vectors of signed integers, of the given width.
pub const fn integers<T>(
    name: &'static str,
    heads: &'static [&'static str],
    get: fn(&T, usize) -> i32,
) -> Column<T> {
    Column::new(name, Get::Integers(heads.len(), get)).heads(heads)
}

/// Returns a column of small signed numbers, such as the side of a surface.
pub const fn side<T>(name: &'static str, get: fn(&T) -> i8) -> Column<T> {
    Column::new(name, Get::Side(get))
}

/// Returns a column whose value is one of several names. `number` returns its number, for arrays,
/// and `word` the name, for text.
pub const fn code<T>(
    name: &'static str,
    number: fn(&T) -> u8,
    word: fn(&T) -> &'static str,
) -> Column<T> {
    Column::new(name, Get::Code(number, word))
}

/// Returns a column of truth values.
pub const fn flag<T>(name: &'static str, get: fn(&T) -> bool) -> Column<T> {
    Column::new(name, Get::Flag(get))
}

/// Returns a column of features: a vertex, an edge or a face. `heads` are the names of its kind and
/// its index in arrays and CSV.
pub const fn feature<T>(
    name: &'static str,
    heads: &'static [&'static str; 2],
    get: fn(&T) -> Feature,
) -> Column<T> {
    Column::new(name, Get::Feature(get)).heads(heads)
}

/// Returns a column of other JSON values, such as a number or null. `kind` is the name of their
/// type in the documentation.
pub const fn value<T>(name: &'static str, kind: &'static str, get: fn(&T) -> Value) -> Column<T> {
    Column::new(name, Get::Value(kind, get)).not(Outputs::ROWS)
}

/// Returns a column of texts.
pub const fn text<T>(name: &'static str, get: fn(&T) -> &str) -> Column<T> {
    Column::new(name, Get::Text(get)).not(Outputs::NUMPY.and(Outputs::VTK))
}
