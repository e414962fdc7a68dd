//! Reads whole files.

use crate::error::{Error, Result};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use tangere::memory::try_reserve_exact;

/// Returns the content of a file.
///
/// # Errors
/// When the file cannot be read or does not fit in memory.
pub fn read_bytes(path: impl AsRef<Path>) -> Result<Vec<u8>> {
    let path = path.as_ref();
    content(path).map_err(|source| Error::file(path, source))
}

fn content(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    // Pipes and devices have no size; what they give is reserved as it is read.
    let size = file.metadata().map_or(0, |file| file.len());
    let mut bytes = Vec::new();
    let reserved = try_reserve_exact(&mut bytes, usize::try_from(size).unwrap_or(usize::MAX));
    reserved.map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
