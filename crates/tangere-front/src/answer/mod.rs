//! Answers as tables: one list of columns for everything written, printed or returned.
//!
//! An answer is a table with a row for each item. Its columns ([`Column`]) stand in one list,
//! which gives a name, a unit, a line of documentation and the accessor of the value in a row.
//! Everything else comes from that list: JSON ([`Table::json`]), CSV ([`Table::csv`]), structured
//! arrays of NPY files and NumPy ([`Table::write_npy`], [`Table::packed`]), fields of VTK files
//! ([`Table::fields`]), lines for people ([`Table::lines`]) and the tables in `docs/answers.md`
//! ([`documented`]).

mod column;
mod csv;
mod data;
mod documented;
mod format;
mod json;
mod npy;
mod summary;
mod table;

pub use column::{
    Column, Get, Outputs, code, count, counts, feature, flag, float, index, indices, integers,
    side, text, value, vector,
};
pub use csv::number as csv_number;
pub use data::Data;
pub use documented::{Described, described, documented};
pub use format::Format;
pub use json::{extend_object, finite, object, vector as json_vector};
pub use npy::{Packed, PackedField};
pub use summary::Summary;
pub use table::{Rows, Table, listed};
