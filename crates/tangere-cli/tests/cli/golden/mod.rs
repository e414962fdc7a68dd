//! Golden files: the output of the program, stored in `tests/golden`.
//!
//! Every case runs as JSON and as text. Only times are masked, which differ from run to run. All
//! other numbers are stored in full, as they are identical on every x86-64 machine. With
//! `TANGERE_BLESS=1` in the environment the files are rewritten; `git diff` shows what has changed.

mod answers;
mod describe;
mod errors;
mod inputs;
mod mask;
mod shapes;

use super::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

/// The width that help is wrapped to.
const WIDTH: &str = "100";

/// Commands whose help is compared; their words form the name of the golden file.
const HELP: [&str; 31] = [
    "",
    "info",
    "generate",
    "generate sphere",
    "generate foam",
    "generate sponge",
    "generate chazelle",
    "generate knot",
    "generate hull",
    "generate box",
    "generate plate",
    "generate particles",
    "generate crystal",
    "convert",
    "pairs",
    "inside",
    "closest",
    "distance",
    "intersect",
    "pack",
    "overlap",
    "contacts",
    "replay",
    "impact",
    "ccd",
    "meetings",
    "gas",
    "simulate",
    "reproduce",
    "demo",
    "completions",
];

/// Golden cases of one subcommand, which share a folder.
struct Group<'a> {
    /// The subcommand; the names of its golden files begin with it.
    name: &'a str,
    /// Commands that create more input than [`inputs::put_all`].
    prepare: &'a [&'a str],
    /// Name and arguments of the cases with a JSON object; `< FILE` at the end is standard input.
    cases: &'a [(&'a str, &'a str)],
    /// Name and arguments of the cases with text only.
    texts: &'a [(&'a str, &'a str)],
}

/// Comparison of texts with golden files, or their replacement.
struct Golden {
    root: PathBuf,
    bless: bool,
    /// The golden files that were compared.
    seen: BTreeSet<PathBuf>,
    complaints: Vec<String>,
}

impl Golden {
    fn new() -> Self {
        Golden {
            root: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"),
            bless: std::env::var_os("TANGERE_BLESS").is_some_and(|value| value == "1"),
            seen: BTreeSet::new(),
            complaints: Vec::new(),
        }
    }

    /// Compares a text with a golden file in a folder.
    fn compare(&mut self, folder: &str, name: &str, found: &str) {
        let path = self.root.join(folder).join(name);
        self.seen.insert(path.clone());
        let expected = fs::read_to_string(&path).unwrap_or_default();
        if expected == found {
            return;
        }
        if self.bless {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, found).unwrap();
            return;
        }
        let mut lines = (expected.lines().map(Some).chain([None]))
            .zip(found.lines().map(Some).chain([None]))
            .enumerate();
        let (line, expected, found) = match lines.find(|(_, (e, f))| e != f) {
            Some((line, (e, f))) => (line + 1, shown(e), shown(f)),
            None => (0, "another end".into(), "this end".into()),
        };
        let file = path.strip_prefix(&self.root).unwrap().display();
        self.complaints.push(format!(
            "tests/golden/{file}, line {line}\n  expected {expected}\n  found    {found}"
        ));
    }

    /// Reports golden files of a subcommand that no case produced; with `TANGERE_BLESS=1` removes
    /// them.
    fn refuse_others(&mut self, folder: &str, prefix: &str) {
        let Ok(entries) = fs::read_dir(self.root.join(folder)) else {
            return;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if !name.starts_with(prefix) || self.seen.contains(&path) {
                continue;
            }
            match self.bless {
                true => fs::remove_file(&path).unwrap(),
                false => self.complaints.push(format!(
                    "tests/golden/{folder}/{name}: of no case, expected none"
                )),
            }
        }
    }

    /// Panics if there was a difference.
    fn done(self) {
        assert!(
            self.complaints.is_empty(),
            "{} golden files differ:\n{}\nIf this is as it should be: \
             TANGERE_BLESS=1 cargo test -p tangere-cli --test cli golden",
            self.complaints.len(),
            self.complaints.join("\n")
        );
    }
}

fn shown(line: Option<&str>) -> String {
    line.map_or("the end of the file".into(), |line| format!("{line:?}"))
}

/// Runs the program with arguments separated by spaces; a file after `<` is its standard input.
fn run_words(folder: &Path, words: &str, more: &[&str]) -> Output {
    let (words, input) = match words.split_once(" < ") {
        Some((words, input)) => (words, Some(input)),
        None => (words, None),
    };
    let arguments: Vec<&str> = words.split(' ').chain(more.iter().copied()).collect();
    let mut command = tangere(folder, &arguments);
    command.env("COLUMNS", WIDTH).stdin(match input {
        Some(name) => Stdio::from(fs::File::open(folder.join(name)).unwrap()),
        None => Stdio::null(),
    });
    command.output().unwrap()
}

/// Returns standard output and standard error of a run that must succeed.
fn succeed(folder: &Path, words: &str, more: &[&str]) -> [String; 2] {
    let output = run_words(folder, words, more);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{words}: {errors}");
    // Binary output is described by its length and hash.
    let out =
        String::from_utf8(output.stdout).unwrap_or_else(|error| describe::bytes(error.as_bytes()));
    [out, errors]
}

impl Group<'_> {
    fn check(&self) {
        let folder = folder();
        let folder = folder.path();
        inputs::put_all(folder);
        for words in self.prepare {
            succeed(folder, words, &["-q"]);
        }
        let mut golden = Golden::new();
        let inputs = files(folder);
        for (name, words) in self.cases {
            let name = format!("{}-{name}", self.name);
            let [object, notes] = succeed(folder, words, &["--json"]);
            golden.compare("json", &format!("{name}.json"), &mask::json(&object));
            self.check_files(folder, &inputs, &name, &mut golden);
            let [text, same_notes] = succeed(folder, words, &[]);
            assert_eq!(mask::text(&notes), mask::text(&same_notes), "{words}");
            let text = transcript(words, &text, &notes);
            golden.compare("text", &format!("{name}.txt"), &text);
            remove_others(folder, &inputs);
        }
        for (name, words) in self.texts {
            let name = format!("{}-{name}", self.name);
            let [text, notes] = succeed(folder, words, &[]);
            golden.compare(
                "text",
                &format!("{name}.txt"),
                &transcript(words, &text, &notes),
            );
            self.check_files(folder, &inputs, &name, &mut golden);
            remove_others(folder, &inputs);
        }
        for folder in ["json", "text", "files"] {
            golden.refuse_others(folder, &format!("{}-", self.name));
        }
        golden.done();
    }

    /// Compares every file that a case has written.
    fn check_files(&self, folder: &Path, inputs: &[String], case: &str, golden: &mut Golden) {
        for name in files(folder).iter().filter(|name| !inputs.contains(name)) {
            let bytes = fs::read(folder.join(name)).unwrap();
            let described = describe::file(name, &bytes);
            golden.compare("files", &format!("{case}.{name}.txt"), &described);
        }
    }
}

/// Returns the command, its standard output and, as notes, its standard error.
fn transcript(words: &str, text: &str, notes: &str) -> String {
    let mut all = format!("$ tangere {words}\n{}", mask::text(text));
    if !notes.is_empty() {
        all += &format!("notes:\n{}", mask::text(notes));
    }
    all
}

fn remove_others(folder: &Path, inputs: &[String]) {
    for name in files(folder).iter().filter(|name| !inputs.contains(name)) {
        fs::remove_file(folder.join(name)).unwrap();
    }
}

#[test]
fn help() {
    let folder = folder();
    let mut golden = Golden::new();
    for words in HELP {
        let line = [words, "--help"].join(" ");
        let [text, _] = succeed(folder.path(), line.trim_start(), &[]);
        let name = match words {
            "" => "tangere.txt".into(),
            _ => format!("{}.txt", words.replace(' ', "-")),
        };
        golden.compare("help", &name, &text);
    }
    golden.refuse_others("help", "");
    golden.done();
}

/// Everything of the demo is compared except its page, which shows times.
#[test]
#[ignore = "takes some ten seconds: cargo xtask test --long"]
fn demo() {
    let folder = folder();
    let folder = folder.path();
    let line = "demo --width 60 --threads 1 -q -o demo --json";
    let [object, _] = succeed(folder, line, &[]);
    let mut golden = Golden::new();
    golden.compare("json", "demo.json", &mask::json(&object));
    let mut listed = String::new();
    for name in files(&folder.join("demo")) {
        let bytes = fs::read(folder.join("demo").join(&name)).unwrap();
        listed += &match name.as_str() {
            "demo.json" | "index.html" => format!("{name}\n"),
            _ => format!("{name}: {}", describe::bytes(&bytes)),
        };
    }
    golden.compare("files", "demo.txt", &listed);
    golden.done();
}
