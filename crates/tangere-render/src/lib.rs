//! Rendering of reports: pictures of shapes, plots, and HTML pages.
//!
//! [`picture`] renders scenes, [`plot`] draws curves over logarithmic axes, [`html`] creates
//! self-contained pages. No terminal and no files: everything is returned as text or bytes.

pub mod html;
pub mod picture;
pub mod plot;

/// Why a picture could not be encoded.
#[derive(Debug, thiserror::Error)]
#[error("a picture: {0}")]
pub struct Error(#[from] png::EncodingError);
