//! Checkpoints: states in files that appear whole or not at all.
//!
//! A file is eight bytes of a name, four of a version, eight of a length, the state (postcard), and eight
//! bytes of a checksum over all before. It is written under a temporary name, flushed to the disk and
//! renamed.

use crate::error::{Error, Result};
use crate::state::State;
use crate::state_hash::mixed;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

const NAME: &[u8; 8] = b"TANGSIMU";
const VERSION: u32 = 2;
const HEAD: usize = 20;

/// A state with what a program wants to find again beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The state.
    pub state: State,
    /// What the program has noted: of decks, which of their runs it is.
    pub note: String,
}

impl Checkpoint {
    /// The bytes of a file.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let failed =
            |error: postcard::Error| Error::invalid("state", error, "one that fits memory");
        let body = postcard::to_stdvec(self).map_err(failed)?;
        let mut bytes = Vec::with_capacity(HEAD + body.len() + 8);
        bytes.extend_from_slice(NAME);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&body);
        bytes.extend_from_slice(&checksum(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// A checkpoint from the bytes of a file.
    ///
    /// # Errors
    /// When they are none, of another version, truncated or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let bad =
            |found: String, expected: &str| Err(Error::invalid("checkpoint", found, expected));
        if bytes.len() < HEAD + 8 || !bytes.starts_with(NAME) {
            return bad(format!("{} bytes", bytes.len()), "a checkpoint of tangere");
        }
        let number = |from: usize, length: usize| {
            let mut word = [0; 8];
            word[..length].copy_from_slice(&bytes[from..from + length]);
            u64::from_le_bytes(word)
        };
        let version = number(8, 4);
        if version != u64::from(VERSION) {
            return bad(format!("version {version}"), "version 2");
        }
        let (length, all) = (number(12, 8), bytes.len());
        if length != (all - HEAD - 8) as u64 {
            let found = format!("{all} bytes where {length} and a head of 28 are announced");
            return bad(found, "a whole file");
        }
        if number(all - 8, 8) != checksum(&bytes[..all - 8]) {
            return bad("a wrong checksum".into(), "a file that is not damaged");
        }
        match postcard::from_bytes::<Self>(&bytes[HEAD..all - 8]) {
            Ok(made) => {
                made.state.check()?;
                Ok(made)
            }
            Err(error) => bad(error.to_string(), "a state"),
        }
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written; a file that was there stays as it was.
    pub fn write(&self, path: &Path) -> Result<()> {
        let bytes = self.to_bytes()?;
        if path.exists() && !path.is_file() {
            return Err(Error::File {
                path: path.display().to_string(),
                message: "not a regular file".into(),
            });
        }
        let temporary = temporary_name(path);
        let written = write_whole(&temporary, path, &bytes);
        written.map_err(|error| {
            let _ = std::fs::remove_file(&temporary);
            Error::File {
                path: path.display().to_string(),
                message: error.to_string(),
            }
        })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is no checkpoint.
    pub fn read(path: &Path) -> Result<Self> {
        let name = || path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| Error::File {
            path: name(),
            message: error.to_string(),
        })?;
        Self::from_bytes(&bytes).map_err(|error| Error::Damaged {
            path: name(),
            message: error.to_string(),
        })
    }
}

fn write_whole(temporary: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = File::create(temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(temporary, path)
}

fn temporary_name(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words
        .iter()
        .fold(0, |sum, word| mixed(&[sum, u64::from_le_bytes(*word)]));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mixed(&[sum, u64::from_le_bytes(last), bytes.len() as u64])
}
