//! Tests of the program `tangere`, run as a process.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod ccd;
mod closest;
mod closest_points;
mod contacts;
mod conventions;
mod convert;
mod demo;
mod distance;
mod documents;
mod elements;
mod gas;
mod generate;
// Golden files contain numbers in full, which have the same bits only on this architecture.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod golden;
mod hostile;
mod impact;
mod info;
mod inside;
mod inside_files;
mod inside_moving;
mod intersect;
mod meetings;
mod out_of_memory;
mod overlap;
mod pack;
mod pairs;
mod pairs_against;
mod pairs_steps;
mod reproduce;
mod simulate;

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// Returns the command of the program with arguments, run in a folder.
fn tangere(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tangere"));
    command.args(arguments).current_dir(folder);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    tangere(folder, arguments).output().unwrap()
}

/// Returns the standard output of a run that must succeed.
fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the JSON object of a run that must succeed.
fn json(folder: &Path, arguments: &[&str]) -> Value {
    let text = done(folder, arguments);
    let object: Value = serde_json::from_str(&text).unwrap();
    assert!(object.is_object(), "{text}");
    object
}

/// Checks the notes of a run in stages on standard error, which is no terminal: a line when each
/// stage begins and one when it ends, with its seconds. Returns the names of the stages.
fn stages(notes: &[u8]) -> Vec<String> {
    let notes = std::str::from_utf8(notes).unwrap();
    let mut lines = notes.lines();
    let mut names = Vec::new();
    while let Some(begins) = lines.next() {
        let name = begins
            .strip_suffix(" ...")
            .unwrap_or_else(|| panic!("{notes}"));
        let ends = lines.next().and_then(|line| line.strip_prefix(name));
        let time = ends
            .and_then(|line| line.strip_prefix(": "))
            .unwrap_or_else(|| panic!("{notes}"));
        assert!(
            time.starts_with(|c: char| c.is_ascii_digit()) && time.ends_with('s'),
            "{notes}"
        );
        names.push(name.to_owned());
    }
    names
}

/// Returns the error of a run that must fail with an exit code: one line, or several about its
/// arguments; no result. White space is one blank each.
fn refused(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = run(folder, arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
    assert!(output.stdout.is_empty(), "{arguments:?} printed a result");
    assert!(errors.starts_with("tangere: error: "), "{errors}");
    let is_usage = errors.ends_with("\n  see --help\n");
    assert!(is_usage || errors.lines().count() == 1, "{errors}");
    errors.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks that a run fails with an error that contains the given words.
fn refuses(folder: &Path, arguments: &[&str], words: &str) {
    let error = refused(folder, arguments, 2);
    assert!(error.contains(words), "{arguments:?}: {error}");
}

/// Checks that runs of a subcommand fail, each with words of its error, and write no file.
fn refuse_all(folder: &Path, command: &[&str], cases: &[(&[&str], &str)]) {
    let before = files(folder);
    for (arguments, words) in cases {
        refuses(folder, &[command, arguments].concat(), words);
    }
    assert_eq!(files(folder), before);
}

/// Returns the sorted names of the files in a folder.
fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Creates a folder with files, given by name and content.
fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = folder();
    for (name, content) in files {
        put(folder.path(), name, content);
    }
    folder
}

/// A cube of 12 triangles with an edge of 2 around the origin; its corners are shared vertices.
const CUBE: &str = "\
v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n\
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

/// Returns the cube with all faces turned inward.
fn inward_cube() -> String {
    let turned = |line: &str| match line.strip_prefix("f ") {
        Some(corners) => {
            let corners: Vec<&str> = corners.split(' ').rev().collect();
            format!("f {}\n", corners.join(" "))
        }
        None => format!("{line}\n"),
    };
    CUBE.lines().map(turned).collect()
}

/// Writes a file into the folder.
fn put(folder: &Path, name: &str, content: &str) {
    std::fs::write(folder.join(name), content).unwrap();
}
