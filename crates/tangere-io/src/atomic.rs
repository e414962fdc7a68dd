//! Writing a file so that nobody ever sees half of it.
//!
//! The content goes into a temporary file beside the target, which takes the
//! target's name once it is complete. When writing fails, by error or by panic,
//! the temporary file is removed and the old content stays.
//!
//! The content is not forced to the disk (`fsync`): a series of a thousand time
//! steps would spend most of its time there. After a loss of power the file may
//! therefore be the old one or an empty one, after a crash of the program never.

use crate::error::{Error, Result};
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Enough to make the system calls cheap beside the formatting.
const BUFFER: usize = 1 << 18;

/// Writes a file through `content`, completely or not at all.
///
/// A symbolic link stays one: what it points to is replaced. A target that is no
/// regular file, such as `/dev/stdout` or a pipe, has no content to protect and
/// is written directly. An existing file keeps its permissions, a new one gets
/// those of any new file.
pub fn write_atomically(
    path: impl AsRef<Path>,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<()> {
    let path = path.as_ref();
    replace(path, content).map_err(|source| Error::file(path, source))
}

/// Writes a text, such as JSON, completely or not at all.
pub fn write_text(path: impl AsRef<Path>, text: &str) -> Result<()> {
    write_atomically(path, |file| file.write_all(text.as_bytes()))
}

fn replace(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let old = match fs::metadata(path) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if let Some(old) = &old {
        if old.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !old.is_file() {
            return fill(File::options().write(true).open(path)?, content).map(drop);
        }
        // A rename needs no right to write the file it replaces; to write a
        // file that its owner protected would be a surprise all the same.
        if old.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
    }
    let target = real_path(path, old.is_some())?;
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tangere-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The default of the crate is private; this is what `File::create` does.
        builder.permissions(Permissions::from_mode(0o666));
    }
    let (file, part) = builder.tempfile_in(folder)?.into_parts();
    let file = fill(file, content)?;
    if let Some(old) = old {
        file.set_permissions(old.permissions())?;
    }
    // Closed before the rename, which some systems refuse for an open file.
    drop(file);
    part.persist(&target).map_err(|failure| failure.error)
}

/// The file behind a link, also behind one whose file does not exist yet.
fn real_path(path: &Path, exists: bool) -> io::Result<PathBuf> {
    match fs::read_link(path) {
        Err(_) => Ok(path.to_owned()),
        Ok(_) if exists => fs::canonicalize(path),
        Ok(link) => Ok(path.parent().unwrap_or(Path::new("")).join(link)),
    }
}

fn fill(
    file: File,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<File> {
    let mut writer = BufWriter::with_capacity(BUFFER, file);
    content(&mut writer)?;
    writer.into_inner().map_err(|failure| failure.into_error())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_complete_file_replaces_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_text(&path, "old").unwrap();
        write_text(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn an_error_or_a_panic_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_text(&path, "old").unwrap();
        let error = write_atomically(&path, |file| {
            file.write_all(&vec![b'x'; 2 * BUFFER])?;
            Err(io::Error::other("the disk is full"))
        })
        .unwrap_err()
        .to_string();
        assert!(error.contains("a.txt") && error.contains("the disk is full"));
        let panicked = std::panic::catch_unwind(|| {
            write_atomically(&path, |file| {
                file.write_all(&vec![b'x'; 2 * BUFFER])?;
                panic!("on purpose")
            })
        });
        assert!(panicked.is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn a_folder_that_is_missing_or_a_target_that_is_a_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write_text(folder.path(), "x").is_err());
        let error = write_text(folder.path().join("no/a.txt"), "x").unwrap_err();
        assert!(error.to_string().contains("a.txt"));
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_links_and_devices_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let plain = folder.path().join("plain.txt");
        File::create(&plain).unwrap();
        write_text(&path, "old").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&plain));
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        let link = folder.path().join("link.txt");
        symlink("a.txt", &link).unwrap();
        write_text(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(mode(&path) & 0o777, 0o640);

        let dangling = folder.path().join("dangling.txt");
        symlink("later.txt", &dangling).unwrap();
        write_text(&dangling, "late").unwrap();
        assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink());
        let later = folder.path().join("later.txt");
        assert_eq!(fs::read_to_string(later).unwrap(), "late");

        fs::set_permissions(&path, Permissions::from_mode(0o440)).unwrap();
        assert!(write_text(&path, "x").is_err());

        write_text("/dev/null", "x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
