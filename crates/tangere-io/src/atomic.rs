//! Atomic file writing: a file appears complete or not at all.
//!
//! The content goes into a temporary file beside the target, which takes the
//! target's name once it is complete. When writing fails, by error or by panic,
//! the temporary file is removed and the old content stays. A signal ends a
//! program without error or panic: a signal handler must call
//! [`remove_unfinished_then`] to remove temporary files.
//!
//! The content is not forced to the disk (`fsync`): a series of a thousand time
//! steps would spend most of its time there. After a loss of power the file may
//! therefore be the old one or an empty one, after a crash of the program never.

use crate::error::{Error, Result};
use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use tempfile::TempPath;

/// Size of the write buffer in bytes, large enough that system calls are cheap compared to the
/// formatting of the content.
const BUFFER: usize = 1 << 18;

/// Writes a file completely or not at all. `content` writes its bytes.
///
/// If `path` is a symbolic link, the file that it points to is replaced, not the link. A target
/// that is no regular file, such as `/dev/stdout` or a pipe, has no content to protect and is
/// written directly. An existing file keeps its permissions, a new one gets the default
/// permissions.
pub fn write_atomically(
    path: impl AsRef<Path>,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<()> {
    let path = path.as_ref();
    check_target(path)?;
    replace(path, content).map_err(|source| Error::file(path, source))
}

thread_local! {
    /// Complete files that wait for others ([`write_together`]): the temporary file, the file that
    /// it replaces, and the path that the caller named.
    static HELD: RefCell<Option<Vec<(Part, PathBuf, PathBuf)>>> = const { RefCell::new(None) };
}

/// Runs `work`, which writes files on this thread: all of them appear when it has succeeded. When
/// it fails, by error or by panic, none does. `failed` converts the error of a file that cannot take
/// its name at the end; files before it have theirs then.
///
/// Within `work` no written file can be read yet. Targets that are no regular files are written at
/// once.
pub fn write_together<T, E>(
    work: impl FnOnce() -> std::result::Result<T, E>,
    failed: impl FnOnce(Error) -> E,
) -> std::result::Result<T, E> {
    /// Ends the wait, also if the work panics.
    struct Held;
    impl Drop for Held {
        fn drop(&mut self) {
            drop(HELD.take());
        }
    }
    let held = Held;
    HELD.set(Some(Vec::new()));
    let result = work()?;
    let files = HELD.take().unwrap_or_default();
    drop(held);
    match persist_all(files) {
        Ok(()) => Ok(result),
        Err(error) => Err(failed(error)),
    }
}

/// Renames temporary files to their targets. The lock is held until all have their names, so that
/// a signal does not separate them.
fn persist_all(files: Vec<(Part, PathBuf, PathBuf)>) -> Result<()> {
    let mut unfinished = unfinished();
    let mut renamed = HashSet::new();
    let mut result = Ok(());
    let mut rest = files.into_iter();
    for (mut part, target, path) in rest.by_ref() {
        let Some(temporary) = part.0.take() else {
            continue;
        };
        renamed.insert(temporary.to_path_buf());
        if let Err(failure) = temporary.persist(target) {
            result = Err(Error::file(&path, failure.error));
            break;
        }
    }
    unfinished.retain(|file| !renamed.contains(file));
    // The temporary files that are left are removed by `Part`, which needs the lock.
    drop(unfinished);
    drop(rest);
    result
}

/// Checks whether a file can be written, before the work for its content is done. Its folder must
/// exist, and it must be neither a folder itself nor write-protected.
pub fn check_target(path: impl AsRef<Path>) -> Result<()> {
    let path = path.as_ref();
    let refuse = |kind: io::ErrorKind| Err(Error::file(path, kind.into()));
    match fs::metadata(path) {
        Ok(old) if old.is_dir() => refuse(io::ErrorKind::IsADirectory),
        // A rename needs no permission to write the file it replaces, but
        // replacing a write-protected file would surprise its owner.
        Ok(old) if old.is_file() && old.permissions().readonly() => {
            refuse(io::ErrorKind::PermissionDenied)
        }
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let target = real_path(path, false).map_err(|source| Error::file(path, source))?;
            let folder = folder_of(&target);
            match fs::metadata(folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Error::Folder {
                    path: path.to_owned(),
                    folder: folder.to_owned(),
                }),
                _ => Ok(()),
            }
        }
        Err(error) => Err(Error::file(path, error)),
    }
}

/// The temporary files of all writers that are active. A temporary file is created, renamed and
/// removed only while this lock is held.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    // The list is valid even after a panic while the lock was held.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all active writers, then calls `end`, which should exit the
/// program. Until `end` returns, no writer can finish a file or begin another.
///
/// Meant for a signal handler that runs on its own thread. If `end` returns, writers whose files
/// were removed report an error.
pub fn remove_unfinished_then<T>(end: impl FnOnce() -> T) -> T {
    let mut files = unfinished();
    remove(&mut files);
    end()
}

/// Does as [`remove_unfinished_then`], without waiting for a writer that creates or renames a file:
/// returns `None` then, with nothing removed. For a program that has run out of memory, in which
/// that writer may be the thread that calls. Allocates nothing unless a path has hundreds of bytes.
pub fn try_remove_unfinished_then<T>(end: impl FnOnce() -> T) -> Option<T> {
    let mut files = match UNFINISHED.try_lock() {
        Ok(files) => files,
        Err(TryLockError::Poisoned(files)) => files.into_inner(),
        Err(TryLockError::WouldBlock) => return None,
    };
    remove(&mut files);
    Some(end())
}

fn remove(files: &mut Vec<PathBuf>) {
    for file in files.drain(..) {
        // A file that cannot be removed must not prevent the removal of the others.
        let _ = fs::remove_file(file);
    }
}

/// A temporary file whose content is not complete; it is removed when dropped.
struct Part(Option<TempPath>);

impl Part {
    fn new(folder: &Path) -> io::Result<(File, Self)> {
        let mut files = unfinished();
        // Before the file exists, so that nothing can fail between its creation and its entry.
        files.reserve(1);
        // Opened as `File::create` does, with the permissions of any new file
        // (tempfile's default is private). Errors must not name the temporary path.
        let made = tempfile::Builder::new()
            .prefix(".tangere-")
            .suffix(".part")
            .make_in(folder, |path| {
                File::options().write(true).create_new(true).open(path)
            })?;
        let (file, path) = made.into_parts();
        files.push(path.to_path_buf());
        Ok((file, Part(Some(path))))
    }

    /// Renames the temporary file to its target, which completes the file.
    fn persist(mut self, target: &Path) -> io::Result<()> {
        let mut files = unfinished();
        let Some(path) = self.0.take() else {
            return Ok(());
        };
        files.retain(|file| *file != *path);
        path.persist(target).map_err(|failure| failure.error)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            let mut files = unfinished();
            files.retain(|file| *file != *path);
            // `path` is removed before the lock is released.
            drop(path);
        }
    }
}

/// Writes a text, such as JSON, completely or not at all.
pub fn write_text(path: impl AsRef<Path>, text: &str) -> Result<()> {
    write_bytes(path, text.as_bytes())
}

/// Writes bytes to a file, whole or not at all.
///
/// # Errors
/// When the file cannot be written.
pub fn write_bytes(path: impl AsRef<Path>, bytes: &[u8]) -> Result<()> {
    write_atomically(path, |file| file.write_all(bytes))
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
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return fill(File::options().write(true).open(path)?, content).map(drop);
    }
    let target = real_path(path, old.is_some())?;
    let (file, part) = Part::new(folder_of(&target))?;
    let file = fill(file, content)?;
    if let Some(old) = old {
        file.set_permissions(old.permissions())?;
    }
    // The file is closed before it is renamed, because some systems refuse to rename an open file.
    drop(file);
    let held = HELD.with_borrow_mut(|held| match held {
        Some(files) => {
            files.push((part, target.clone(), path.to_owned()));
            None
        }
        None => Some(part),
    });
    held.map_or(Ok(()), |part| part.persist(&target))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Returns the file that a symbolic link points to, even if that file does not exist yet. Any other
/// path is returned unchanged.
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
    fn several_files_appear_together_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        write_text(path("a"), "old").unwrap();
        let both = |second: &str| {
            write_together(
                || {
                    write_text(path("a"), "new")?;
                    assert_eq!(fs::read_to_string(path("a")).unwrap(), "old");
                    write_text(path(second), "new")
                },
                |error| error,
            )
        };
        assert!(both("missing/b").is_err());
        assert_eq!(names(folder.path()), ["a"]);
        assert_eq!(fs::read_to_string(path("a")).unwrap(), "old");
        both("b").unwrap();
        assert_eq!(names(folder.path()), ["a", "b"]);
        assert_eq!(fs::read_to_string(path("a")).unwrap(), "new");
        let panicked = std::panic::catch_unwind(|| {
            let work = || -> Result<()> {
                write_text(path("c"), "new")?;
                panic!("on purpose")
            };
            write_together(work, |error| error)
        });
        assert!(panicked.is_err());
        assert_eq!(names(folder.path()), ["a", "b"]);
        // Later files do not wait.
        write_text(path("c"), "new").unwrap();
        assert_eq!(names(folder.path()), ["a", "b", "c"]);
    }

    #[test]
    fn a_folder_that_is_missing_or_a_target_that_is_a_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = write_text(folder.path(), "x").unwrap_err().to_string();
        assert!(error.ends_with(": is a folder"), "{error}");
        let error = write_text(folder.path().join("no/a.txt"), "x").unwrap_err();
        let missing = folder.path().join("no");
        let expected = format!("a.txt: the folder {} does not exist", missing.display());
        assert!(error.to_string().ends_with(&expected), "{error}");
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn errors_do_not_name_the_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        write_text(&file, "").unwrap();
        let Err(error) = Part::new(&file) else {
            panic!("a file is no folder")
        };
        assert!(!error.to_string().contains(".part"), "{error}");
        assert!(error.raw_os_error().is_some());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_links_and_devices_stay() {
        use std::fs::Permissions;
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
