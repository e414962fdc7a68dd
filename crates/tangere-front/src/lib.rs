//! The front end: what the program and the Python package share between the library and their users.
//!
//! [`report`] describes surfaces and trees.
//! [`text`] writes numbers and tables for people.

pub mod report;
pub mod text;
