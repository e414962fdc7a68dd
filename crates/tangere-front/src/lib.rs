//! The front end: what the program and the Python package share between the library and their users.
//!
//! [`text`] writes numbers and tables for people.

pub mod text;
