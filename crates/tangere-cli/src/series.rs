//! Output of a moving scene: a file for each frame. All appear at the end, or none
//! ([`tangere_io::write_together`]).

use crate::failure::Failure;
use crate::files;
use crate::output::Target;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tangere_front::answer::Format;
use tangere_io::Error;
use tangere_io::vtk::write_pvd;

/// In the name of a file: the number of the time step of a frame in a LAMMPS dump, otherwise its
/// index.
const STEP: &str = "{step}";
/// In the name of a file: the index of a frame, from 0.
const FRAME: &str = "{frame}";

/// Output files of a moving scene: one for each frame. They are named by a path with `{step}` or
/// `{frame}` in its file name, or by a time series (`.pvd`) that lists them.
#[derive(Debug)]
pub struct Series {
    /// The time series; `None` if only the files of the frames are written.
    pvd: Option<PathBuf>,
    /// The path of the files, with `{step}` or `{frame}` in the file name.
    pattern: String,
    /// The format of the files of the frames.
    pub format: Format,
}

impl Series {
    /// Returns the series that a path names; `None` if it names a single file. Returns an error
    /// before any work if the file extension is not one of `accepted`, the folder does not exist, or
    /// a time series cannot contain the name.
    pub fn new(path: &Path, accepted: &[Format]) -> Result<Option<Self>, Failure> {
        let is_pvd = path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("pvd"));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_pattern = name.contains(STEP) || name.contains(FRAME);
        if is_pvd && is_pattern {
            return Err(Failure::Input(format!(
                "{}: found {STEP} or {FRAME} in the name of a series, expected a plain name, as \
                 the files of the frames are named after it",
                path.display()
            )));
        }
        let is_series = is_pattern || is_pvd && accepted.contains(&Format::Vtp);
        let is_plain = path.to_str().is_some_and(|path| !path.contains(is_refused));
        if is_series && !is_plain {
            return Err(Failure::Input(format!(
                "{:?}: expected the name of a series in UTF-8, without control characters",
                path.as_os_str()
            )));
        }
        if is_pvd && accepted.contains(&Format::Vtp) {
            tangere_io::check_target(path).map_err(Failure::writing)?;
            return Ok(Some(Series {
                pvd: Some(path.to_owned()),
                pattern: pattern(path, STEP),
                format: Format::Vtp,
            }));
        }
        if !is_pattern {
            return match Format::of_target(path, accepted) {
                Err(Error::Format {
                    path,
                    found,
                    expected,
                }) if accepted.contains(&Format::Vtp) => Err(Failure::writing(Error::Format {
                    path,
                    found,
                    expected: format!("{expected}, or pvd for a series of vtp files"),
                })),
                _ => Ok(None),
            };
        }
        Ok(Some(Series {
            pvd: None,
            pattern: path.to_string_lossy().into(),
            format: Format::of_target(path, accepted).map_err(Failure::writing)?,
        }))
    }

    /// Returns the output file of one frame, from its index and the number of its time step. Returns
    /// an error if it is an input file.
    pub fn target<'a>(
        &self,
        frame: usize,
        step: i64,
        inputs: impl IntoIterator<Item = &'a PathBuf>,
    ) -> Result<Target, Failure> {
        let path = named(&self.pattern, frame, step);
        for input in inputs {
            files::check_other(&path, input)?;
        }
        let format = self.format;
        Ok(Target { path, format })
    }

    /// Returns the output file of each frame, from the numbers of their time steps. Returns an error
    /// if two frames have the same, or one is an input file.
    pub fn targets<'a>(
        &mut self,
        steps: &[i64],
        inputs: impl IntoIterator<Item = &'a PathBuf> + Clone,
    ) -> Result<Vec<Target>, Failure> {
        let numbered = || steps.iter().enumerate();
        let paths: Vec<PathBuf> = numbered()
            .map(|(i, &step)| named(&self.pattern, i, step))
            .collect();
        match (repeated(&paths), &self.pvd) {
            (None, _) => {}
            (Some((first, second)), None) => {
                return Err(Failure::Input(format!(
                    "{}: found the frames {first} and {second}, both at step {}, expected {FRAME} \
                     in the name, which differs",
                    self.pattern, steps[first]
                )));
            }
            // The names of the files of a series do not matter.
            (Some(_), Some(pvd)) => self.pattern = pattern(pvd, FRAME),
        }
        numbered()
            .map(|(i, &step)| self.target(i, step, inputs.clone()))
            .collect()
    }

    /// Writes the time series that lists the files of the frames, if there is one.
    pub fn finish(&self, targets: &[Target], times: &[f64]) -> Result<(), Failure> {
        let Some(pvd) = &self.pvd else {
            return Ok(());
        };
        let names = (targets.iter()).map(|target| target.path.file_name().unwrap_or_default());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        let steps: Vec<(f64, String)> = times.iter().copied().zip(names).collect();
        write_pvd(pvd, &steps).map_err(Failure::writing)
    }

    /// Returns the path of the series for messages: the time series, or the pattern of its files.
    pub fn name(&self) -> String {
        match &self.pvd {
            Some(pvd) => pvd.display().to_string(),
            None => self.pattern.clone(),
        }
    }
}

/// Whether a character cannot be in the name of a series: XML has none of these.
fn is_refused(character: char) -> bool {
    character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}')
}

/// Returns the path of the files of the frames of a time series: they lie beside it.
fn pattern(pvd: &Path, name: &str) -> String {
    let pattern = pvd.with_extension(format!("{name}.vtp"));
    pattern.to_string_lossy().into_owned()
}

/// Returns the path of the file of a frame.
fn named(pattern: &str, frame: usize, step: i64) -> PathBuf {
    let path = Path::new(pattern);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.replace(STEP, &step.to_string());
    path.with_file_name(name.replace(FRAME, &frame.to_string()))
}

/// Returns the indices of the first two paths that are equal.
fn repeated(paths: &[PathBuf]) -> Option<(usize, usize)> {
    let mut seen = HashMap::new();
    let mut numbered = paths.iter().enumerate();
    numbered.find_map(|(i, path)| seen.insert(path, i).map(|first| (first, i)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &str, steps: &[i64]) -> Result<Vec<String>, Failure> {
        let series = Series::new(Path::new(path), &[Format::Csv, Format::Vtp])?;
        let mut series = series.unwrap();
        let targets = series.targets(steps, &[])?;
        Ok(targets
            .iter()
            .map(|t| t.path.display().to_string())
            .collect())
    }

    #[test]
    fn files_are_named_by_step_or_frame() {
        let steps = [0, 500, -1];
        let named = |path| names(path, &steps).unwrap();
        assert_eq!(named("a.{step}.csv"), ["a.0.csv", "a.500.csv", "a.-1.csv"]);
        assert_eq!(
            named("{frame}-{step}.vtp"),
            ["0-0.vtp", "1-500.vtp", "2--1.vtp"]
        );
        assert_eq!(named("a.PVD"), ["a.0.vtp", "a.500.vtp", "a.-1.vtp"]);
        assert!(
            Series::new(Path::new("a.csv"), &[Format::Csv])
                .unwrap()
                .is_none()
        );
        // A dump that a restarted run continued has a step twice.
        assert_eq!(names("a.pvd", &[7, 7]).unwrap(), ["a.0.vtp", "a.1.vtp"]);
        let Err(Failure::Input(message)) = names("a.{step}.csv", &[3, 7, 7]) else {
            panic!("one file for two frames")
        };
        assert!(
            message.contains("found the frames 1 and 2, both at step 7"),
            "{message}"
        );
        assert!(names("a.{step}.pvd", &steps).is_err());
        let error = Series::new(Path::new("a.xyz"), &[Format::Csv, Format::Vtp]).unwrap_err();
        let Failure::Input(message) = error else {
            panic!("{error:?}")
        };
        assert!(
            message.contains("csv or vtp, or pvd for a series"),
            "{message}"
        );
        assert!(names("a.{step}.stl", &steps).is_err());
        for bad in ["a\u{1}.pvd", "a\n{step}.csv", "a\u{7f}.{frame}.vtp"] {
            assert!(names(bad, &steps).is_err(), "{bad:?}");
        }
    }
}
