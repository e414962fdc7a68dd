//! Files of output, below the folder of the deck's output, and files of input.

use super::book::Book;
use super::error::Problem;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// All files that a deck writes: how long they are, and whether they are written at all.
#[derive(Debug, Default)]
pub struct Outputs {
    /// Whether nothing is written: while a deck that is resumed catches up.
    is_silent: AtomicBool,
    /// The lengths of files so far.
    lengths: Mutex<BTreeMap<PathBuf, u64>>,
    /// The lengths at a checkpoint of files that were not opened since.
    cut: Mutex<BTreeMap<PathBuf, u64>>,
}

impl Outputs {
    /// Files as they were at a checkpoint. Nothing is written before [`speak`](Self::speak).
    pub fn resumed(lengths: BTreeMap<PathBuf, u64>) -> Self {
        Self {
            is_silent: AtomicBool::new(true),
            lengths: Mutex::new(lengths.clone()),
            cut: Mutex::new(lengths),
        }
    }

    /// From here on files are written.
    pub fn speak(&self) {
        self.is_silent.store(false, Ordering::Relaxed);
    }

    /// Whether nothing is written.
    pub fn is_silent(&self) -> bool {
        self.is_silent.load(Ordering::Relaxed)
    }

    /// The lengths of all files so far.
    pub fn lengths(&self) -> BTreeMap<PathBuf, u64> {
        self.lengths
            .lock()
            .map(|lengths| lengths.clone())
            .unwrap_or_default()
    }

    /// The length to which a file is cut when it is opened for the first time after a checkpoint.
    pub(super) fn take_cut(&self, path: &Path) -> Option<u64> {
        self.cut.lock().ok()?.remove(path)
    }

    fn set_length(&self, path: &Path, length: u64) {
        if let Ok(mut lengths) = self.lengths.lock() {
            lengths.insert(path.to_path_buf(), length);
        }
    }
}

/// A file that is written text by text. It is created by the first one.
#[derive(Debug)]
pub(super) struct Output {
    path: PathBuf,
    appends: bool,
    /// Whether it goes on with what the file had at a checkpoint: it was there then, or appends.
    resumes: bool,
    file: Option<File>,
    length: u64,
    outputs: Arc<Outputs>,
}

impl Output {
    /// A file by its name in the deck.
    pub fn new(book: &Book, name: &str, appends: bool) -> Result<Self, Problem> {
        Ok(Self::at(path_of(book, name)?, appends, &book.outputs))
    }

    /// A file at a path.
    pub fn at(path: PathBuf, appends: bool, outputs: &Arc<Outputs>) -> Self {
        Self {
            path,
            appends,
            resumes: appends || outputs.is_silent(),
            file: None,
            length: 0,
            outputs: Arc::clone(outputs),
        }
    }

    /// Writes text.
    pub fn write(&mut self, text: &str) -> Result<(), Problem> {
        if self.outputs.is_silent() {
            return Ok(());
        }
        let written = self.write_bytes(text.as_bytes());
        written.map_err(|error| {
            let found = format!("{}: {error}", self.path.display());
            Problem::new(found, "a file to write to")
        })
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        if self.file.is_none() {
            self.file = Some(self.open()?);
        }
        if let Some(file) = &mut self.file {
            file.write_all(bytes)?;
            self.length += bytes.len() as u64;
            self.outputs.set_length(&self.path, self.length);
        }
        Ok(())
    }

    fn open(&mut self) -> std::io::Result<File> {
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        // What was written after a checkpoint is written again.
        let cut = self.outputs.take_cut(&self.path);
        if let Some(length) = cut.filter(|_| self.resumes) {
            let mut file = OpenOptions::new().write(true).open(&self.path)?;
            file.set_len(length)?;
            self.length = file.seek(SeekFrom::End(0))?;
            return Ok(file);
        }
        match self.appends {
            true => {
                let file = OpenOptions::new()
                    .append(true)
                    .create(true)
                    .open(&self.path)?;
                self.length = file.metadata()?.len();
                Ok(file)
            }
            false => File::create(&self.path),
        }
    }

    /// Writes what is in memory to the file: nothing is kept there.
    pub fn flush(&mut self) -> Result<(), Problem> {
        Ok(())
    }
}

/// The path of an output file: below the folder of output unless it is absolute.
pub(super) fn path_of(book: &Book, name: &str) -> Result<PathBuf, Problem> {
    let is_packed = [".gz", ".zst", ".bz2", ".xz", ".bin", ".lz4"]
        .iter()
        .any(|end| name.ends_with(end));
    if is_packed || name.contains('%') || name.is_empty() {
        return Err(Problem::new(
            name,
            "the name of a text file: without compression, binary form or %",
        ));
    }
    let is_below = |part: std::path::Component<'_>| {
        matches!(
            part,
            std::path::Component::Normal(_) | std::path::Component::CurDir
        )
    };
    // Without a folder of output, files are where the deck says.
    if !book.folder.as_os_str().is_empty() && !Path::new(name).components().all(is_below) {
        return Err(Problem::new(name, "a name below the folder of output"));
    }
    Ok(book.folder.join(name))
}

/// The text of an input file: beside the deck, or absolute, or one that the deck has written.
pub(super) fn text_of(book: &Book, name: &str) -> Result<String, Problem> {
    let (beside, written) = (book.inputs.join(name), book.folder.join(name));
    match !beside.exists() && written.exists() {
        true => read(&written),
        false => read(&beside),
    }
}

/// The text of a file.
pub(super) fn read(path: &Path) -> Result<String, Problem> {
    std::fs::read_to_string(path).map_err(|error| {
        let found = format!("{}: {error}", path.display());
        Problem::new(found, "a file of text")
    })
}
