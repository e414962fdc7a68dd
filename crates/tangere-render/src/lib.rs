//! Rendering of reports: pictures of shapes, plots, and HTML pages.
//!
//! [`picture`] renders scenes, [`plot`] draws curves over logarithmic axes, [`html`] creates
//! self-contained pages. Everything is returned as text or bytes; nothing is printed or written.

pub mod html;
pub mod picture;
pub mod plot;

/// Error of the encoding of a picture.
#[derive(Debug, thiserror::Error)]
#[error("a picture: {0}")]
pub struct Error(#[from] png::EncodingError);
