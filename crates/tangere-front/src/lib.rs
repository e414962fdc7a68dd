//! The front end: what the program and the Python package share between the library and their users.
//!
//! [`answer`] has answers as columns: one list of fields for files, JSON, text, NumPy and documents.
//! [`answers`] has these lists, one file a question. [`inputs`] reads what is asked about. [`report`] describes surfaces and trees.
//! [`text`] writes numbers and tables for people.

pub mod answer;
pub mod answers;
pub mod inputs;
pub mod report;
pub mod text;
