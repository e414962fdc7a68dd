//! Reads whole files.

use crate::error::{Error, Result};
use std::fs;
use std::path::Path;
use tangere::memory::fallibly;

/// Returns the content of a file. A file that does not fit in memory is an error.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    fallibly(|| fs::read(path)).map_err(|source| Error::file(path, source))
}
