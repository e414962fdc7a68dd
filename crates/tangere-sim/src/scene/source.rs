//! Where a simulation comes from: a scene in TOML, a bundled scene, or a LAMMPS deck.

use super::bundled::{BUNDLED, Bundled};
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};
use tangere_io::read_bytes;
use tangere_io::scene::{SceneFile, read_scene};

/// Where a simulation comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A LAMMPS deck.
    Deck(PathBuf),
    /// A scene and its text.
    Scene(Box<SceneFile>, Vec<u8>),
}

impl Source {
    /// Finds what a path or a name stands for: a file whose name ends in `.toml`, or that has bodies as a
    /// scene has, is a scene, any other file a deck; where there is no such file, it is the name of a bundled
    /// scene.
    ///
    /// # Errors
    /// When there is none of these, or the scene is wrong.
    pub fn find(path: &Path) -> Result<Self> {
        let is_toml = path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("toml"));
        let has_bodies = |path: &Path| {
            let bytes = std::fs::read(path).unwrap_or_default();
            Self::is_scene(&String::from_utf8_lossy(&bytes))
        };
        let is_scene = is_toml || path.is_file() && has_bodies(path);
        // A folder of results may have the name of its scene.
        let is_file = path.exists() && !path.is_dir();
        match path.to_str().and_then(Bundled::named) {
            Some(scene) if !is_file => Self::of_text(scene.text, Path::new(""), Some(scene.name)),
            _ if is_scene => {
                let file = read_scene(path)?;
                Ok(Self::Scene(Box::new(file), read_bytes(path)?))
            }
            _ if !is_file => {
                let names = BUNDLED.map(|scene| scene.name).join(", ");
                let expected = format!("a scene (.toml), a deck, or one of {names}");
                let found = match path.is_dir() {
                    true => "a folder",
                    false => "no such file",
                };
                Err(Error::invalid(path.display().to_string(), found, expected))
            }
            _ => Ok(Self::Deck(path.to_owned())),
        }
    }

    /// A scene from its text; files that it names are in `folder`.
    ///
    /// # Errors
    /// When the scene is wrong.
    pub fn of_text(text: &str, folder: &Path, name: Option<&str>) -> Result<Self> {
        let file = SceneFile::parse(text.as_bytes(), folder).map_err(|fault| Error::Scene {
            path: name.map(PathBuf::from),
            fault,
        })?;
        Ok(Self::Scene(Box::new(file), text.as_bytes().to_vec()))
    }

    /// Whether a text of several lines is that of a scene: it has a line that begins with `[[body]]`, as
    /// every scene has and no deck.
    pub fn is_scene(text: &str) -> bool {
        text.lines()
            .any(|line| line.trim_start().starts_with("[[body]]"))
    }
}
