//! A column of an answer: its name, unit, meaning and outputs, and its value in a row.

use serde_json::Value;
use tangere::contact::Feature;

/// Where a column appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs(u8);

impl Outputs {
    /// JSON objects.
    pub const JSON: Outputs = Outputs(1);
    /// CSV files.
    pub const CSV: Outputs = Outputs(2);
    /// Structured arrays: NPY files and NumPy.
    pub const NUMPY: Outputs = Outputs(4);
    /// Fields of VTK files.
    pub const VTK: Outputs = Outputs(8);
    /// Attributes of Python's records.
    pub const PYTHON: Outputs = Outputs(16);
    /// Lines for people.
    pub const TEXT: Outputs = Outputs(32);
    /// Files of rows: CSV, NPY (and structured arrays of NumPy) and VTK.
    pub const ROWS: Outputs = Outputs(14);
    /// All of them.
    pub const ALL: Outputs = Outputs(63);

    /// These and others.
    pub const fn and(self, others: Outputs) -> Outputs {
        Outputs(self.0 | others.0)
    }

    /// These without others.
    pub const fn without(self, others: Outputs) -> Outputs {
        Outputs(self.0 & !others.0)
    }

    /// Whether these have all of some.
    pub const fn has(self, some: Outputs) -> bool {
        self.0 & some.0 == some.0
    }
}

/// Accessor of a value in a row; vectors have a width and are read by component.
pub enum Get<T> {
    /// A float.
    Float(fn(&T) -> f64),
    /// So many floats.
    Vector(usize, fn(&T, usize) -> f64),
    /// A count.
    Count(fn(&T) -> u64),
    /// So many counts.
    Counts(usize, fn(&T, usize) -> u64),
    /// An index.
    Index(fn(&T) -> u32),
    /// So many indices.
    Indices(usize, fn(&T, usize) -> u32),
    /// So many signed integers.
    Integers(usize, fn(&T, usize) -> i32),
    /// A small signed number: the side of a surface.
    Side(fn(&T) -> i8),
    /// One of some names: its number in arrays, itself in text.
    Code(fn(&T) -> u8, fn(&T) -> &'static str),
    /// Yes or no: 1 or 0 in arrays and CSV.
    Flag(fn(&T) -> bool),
    /// A vertex, an edge or a face: the columns `kind` and `index` in arrays. Without heads it is one text, such as
    /// `face 3`, and arrays do not have it.
    Feature(fn(&T) -> Feature),
    /// A text; arrays do not have it.
    Text(fn(&T) -> &str),
    /// Anything else that JSON has, with the name of its type; arrays do not have it.
    Value(&'static str, fn(&T) -> Value),
}

// A derived `Clone` or `Copy` would require it of `T`, too.
impl<T> Clone for Get<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Get<T> {}

/// A column of an answer whose rows are `T`.
pub struct Column<T> {
    /// Its name in JSON, NumPy, VTK and Python.
    pub name: &'static str,
    /// Its names in CSV, one for each component; none if that is the name.
    pub heads: &'static [&'static str],
    /// Its name for people; none if that is the name.
    pub label: &'static str,
    /// What it is measured in; none for pure numbers.
    pub unit: &'static str,
    /// What it means, in one line.
    pub doc: &'static str,
    /// Its value in a row.
    pub get: Get<T>,
    /// Where it appears.
    pub outputs: Outputs,
    /// Whether it is compared where answers are; the cost of a search is not.
    pub compared: bool,
}

impl<T> Clone for Column<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Column<T> {}

impl<T> Column<T> {
    /// A column that appears everywhere.
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

    /// With names of components in CSV.
    pub const fn heads(mut self, heads: &'static [&'static str]) -> Self {
        self.heads = heads;
        self
    }

    /// With another name for people.
    pub const fn label(mut self, label: &'static str) -> Self {
        self.label = label;
        self
    }

    /// Measured in a unit: `length`, `time`.
    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// With its meaning.
    pub const fn doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    /// In these outputs only.
    pub const fn only(mut self, outputs: Outputs) -> Self {
        self.outputs = outputs;
        self
    }

    /// In all outputs but these.
    pub const fn not(mut self, outputs: Outputs) -> Self {
        self.outputs = self.outputs.without(outputs);
        self
    }

    /// Not compared where answers are.
    pub const fn uncompared(mut self) -> Self {
        self.compared = false;
        self
    }

    /// How many values a row has.
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

    /// Its name for people.
    pub fn label_text(&self) -> &'static str {
        match self.label {
            "" => self.name,
            label => label,
        }
    }
}

/// A float.
pub const fn float<T>(name: &'static str, get: fn(&T) -> f64) -> Column<T> {
    Column::new(name, Get::Float(get))
}

/// So many floats.
pub const fn vector<T>(
    name: &'static str,
    heads: &'static [&'static str],
    get: fn(&T, usize) -> f64,
) -> Column<T> {
    Column::new(name, Get::Vector(heads.len(), get)).heads(heads)
}

/// A count.
pub const fn count<T>(name: &'static str, get: fn(&T) -> u64) -> Column<T> {
    Column::new(name, Get::Count(get))
}

/// So many counts.
pub const fn counts<T>(
    name: &'static str,
    heads: &'static [&'static str],
    get: fn(&T, usize) -> u64,
) -> Column<T> {
    Column::new(name, Get::Counts(heads.len(), get)).heads(heads)
}

/// An index.
pub const fn index<T>(name: &'static str, get: fn(&T) -> u32) -> Column<T> {
    Column::new(name, Get::Index(get))
}

/// So many indices.
pub const fn indices<T>(
    name: &'static str,
    heads: &'static [&'static str],
    get: fn(&T, usize) -> u32,
) -> Column<T> {
    Column::new(name, Get::Indices(heads.len(), get)).heads(heads)
}

/// So many signed integers.
pub const fn integers<T>(
    name: &'static str,
    heads: &'static [&'static str],
    get: fn(&T, usize) -> i32,
) -> Column<T> {
    Column::new(name, Get::Integers(heads.len(), get)).heads(heads)
}

/// A small signed number.
pub const fn side<T>(name: &'static str, get: fn(&T) -> i8) -> Column<T> {
    Column::new(name, Get::Side(get))
}

/// One of some names, by its number and itself.
pub const fn code<T>(
    name: &'static str,
    number: fn(&T) -> u8,
    word: fn(&T) -> &'static str,
) -> Column<T> {
    Column::new(name, Get::Code(number, word))
}

/// Yes or no.
pub const fn flag<T>(name: &'static str, get: fn(&T) -> bool) -> Column<T> {
    Column::new(name, Get::Flag(get))
}

/// A vertex, an edge or a face; `heads` are its two columns in arrays and CSV.
pub const fn feature<T>(
    name: &'static str,
    heads: &'static [&'static str; 2],
    get: fn(&T) -> Feature,
) -> Column<T> {
    Column::new(name, Get::Feature(get)).heads(heads)
}

/// Anything else that JSON has, such as a number or nothing, with the name of its type.
pub const fn value<T>(name: &'static str, kind: &'static str, get: fn(&T) -> Value) -> Column<T> {
    Column::new(name, Get::Value(kind, get)).not(Outputs::ROWS)
}

/// A text.
pub const fn text<T>(name: &'static str, get: fn(&T) -> &str) -> Column<T> {
    Column::new(name, Get::Text(get)).not(Outputs::NUMPY.and(Outputs::VTK))
}
