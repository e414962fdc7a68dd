//! What reports are drawn with: pictures of shapes, plots, and pages that hold both.
//!
//! [`picture`] renders scenes, [`plot`] draws curves over logarithmic axes, [`html`] makes pages
//! of one file that fetch nothing. No terminal and no files: everything comes back as text or bytes.

pub mod html;
pub mod picture;
pub mod plot;

/// Why a picture could not be encoded.
#[derive(Debug, thiserror::Error)]
#[error("a picture: {0}")]
pub struct Error(#[from] png::EncodingError);
