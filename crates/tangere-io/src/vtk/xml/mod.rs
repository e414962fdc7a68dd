//! VTK XML files: polygonal data (`.vtp`), unstructured grids (`.vtu`) and, written only,
//! image data (`.vti`).
//!
//! Reads numbers as text, as base64, and appended (raw or base64), in both byte
//! orders, uncompressed or compressed by zlib; several pieces are joined. Cost:
//! a copy of the numbers (and a scan of the text), blocks inflated in parallel.

mod array;
mod base64;
mod blocks;
mod read;
mod source;
mod write;

pub(crate) use read::{field_data, grid};
pub use read::{points, polygons};
pub use write::{write_vti, write_vtp, write_vtu};
