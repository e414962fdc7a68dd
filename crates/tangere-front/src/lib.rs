//! Front end: the code that the program and the Python package share.
//!
//! - [`answer`]: columns, tables and summaries, written as JSON, CSV, NPY, VTK, text and documents.
//! - [`answers`]: the list of columns of every answer, one file for each query.
//! - [`inputs`]: input files, read and checked.
//! - [`finder`]: the broad phase in 2D or 3D, selected by the dimension of the items.
//! - [`report`]: reports on surfaces and bounding volume hierarchies.
//! - [`text`]: numbers and tables as text.
//! - [`threads`]: the number of threads of a pool.

pub mod answer;
pub mod answers;
pub mod finder;
pub mod inputs;
pub mod report;
pub mod text;
mod threads;

pub use threads::{THREADS_VARIABLE, threads};
