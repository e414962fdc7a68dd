//! Paths of inputs and outputs: standard input, file extensions, equality of files.

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;
use tangere_io::{Error, Result};

/// The name of standard input in messages.
pub(super) const STANDARD_INPUT: &str = "standard input";

/// Whether a path is `-`: standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Returns the name of an input file for messages: its path, or `standard input` for `-`.
pub fn input_name(path: &Path) -> Cow<'_, str> {
    match is_standard(path) {
        true => STANDARD_INPUT.into(),
        false => path.to_string_lossy(),
    }
}

/// Reads all bytes of standard input.
///
/// # Errors
/// When standard input cannot be read.
pub fn standard_input() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match std::io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(source) => Err(Error::File {
            path: STANDARD_INPUT.into(),
            source,
        }),
    }
}

/// Whether two paths lead to the same file: by links, too, symbolic or hard.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b || is_hard_link(&a, &b),
        _ => false,
    }
}

/// Whether two paths are names of one file.
#[cfg(unix)]
fn is_hard_link(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let file = |path: &Path| path.metadata().map(|file| (file.dev(), file.ino())).ok();
    file(a).is_some_and(|a| file(b) == Some(a))
}

/// Only Unix has stable numbers of files.
#[cfg(not(unix))]
fn is_hard_link(_: &Path, _: &Path) -> bool {
    false
}

/// Whether two paths to write to lead to the same file, which need not exist yet.
pub fn is_same_target(a: &Path, b: &Path) -> bool {
    let target = |path: &Path| {
        let missing = || {
            let folder = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some(folder.join(path.file_name()?))
        };
        path.canonicalize().ok().or_else(missing)
    };
    a == b || target(a).is_some_and(|a| target(b) == Some(a))
}

/// Returns the file extension in lower case, without the dot.
pub(super) fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}

/// Whether a file extension is that of a text table: csv, tsv, txt or dat.
pub(super) fn is_text(extension: &str) -> bool {
    matches!(extension, "csv" | "tsv" | "txt" | "dat")
}

/// Whether a file is an empty text table: without any rows or column names.
pub(super) fn is_empty_text(path: &Path) -> bool {
    is_text(&extension(path))
        && std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == 0)
}
