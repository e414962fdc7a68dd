//! What is known of a deck before anything runs: that commands and their styles exist, and that arguments
//! without variables are in order. Files that are included are checked too.

use super::args::{Args, count, number};
use super::error::{Error, Problem};
use super::lines::{Line, Word, lines, words};
use super::{
    computes, dumps, files, fixes, group, lattice, models, pairs, regions, thermo, variables,
    velocity,
};
use std::path::Path;

/// Commands and the least number of their arguments.
pub(super) const COMMANDS: [(&str, usize); 52] = [
    ("atom_modify", 2),
    ("atom_style", 1),
    ("boundary", 3),
    ("change_box", 2),
    ("clear", 0),
    ("comm_modify", 2),
    ("comm_style", 1),
    ("compute", 3),
    ("create_atoms", 2),
    ("create_box", 2),
    ("delete_atoms", 2),
    ("dimension", 1),
    ("dump", 5),
    ("dump_modify", 2),
    ("echo", 1),
    ("fix", 3),
    ("group", 2),
    ("if", 3),
    ("include", 1),
    ("jump", 1),
    ("label", 1),
    ("lattice", 2),
    ("log", 1),
    ("mass", 2),
    ("neigh_modify", 1),
    ("neighbor", 2),
    ("newton", 1),
    ("next", 1),
    ("pair_coeff", 2),
    ("pair_style", 1),
    ("print", 1),
    ("processors", 3),
    ("quit", 0),
    ("read_data", 1),
    ("region", 2),
    ("replicate", 3),
    ("reset_timestep", 1),
    ("run", 1),
    ("run_style", 1),
    ("set", 3),
    ("thermo", 1),
    ("thermo_modify", 1),
    ("thermo_style", 1),
    ("timestep", 1),
    ("uncompute", 1),
    ("undump", 1),
    ("unfix", 1),
    ("units", 1),
    ("variable", 2),
    ("velocity", 2),
    ("write_data", 1),
    ("write_dump", 3),
];

/// How deep files may include each other.
const DEEPEST: usize = 16;

/// Commands that are left out on request, and where files are.
pub(super) struct Rules<'a> {
    pub ignored: &'a [String],
    pub inputs: &'a Path,
}

/// Checks all commands of a text and of the files that it includes.
pub(super) fn check_text(rules: &Rules, name: &str, text: &str, depth: usize) -> Result<(), Error> {
    for line in lines(text) {
        check_line(rules, &line.text, depth).map_err(|found| match found {
            Found::Here(problem) => located(name, &line, problem),
            Found::Elsewhere(error) => error,
        })?;
    }
    Ok(())
}

/// An error at a line.
pub(super) fn located(name: &str, line: &Line, problem: Problem) -> Error {
    Error {
        file: name.to_string(),
        line: line.number,
        command: line.text.clone(),
        problem,
    }
}

enum Found {
    Here(Problem),
    Elsewhere(Error),
}

impl From<Problem> for Found {
    fn from(problem: Problem) -> Self {
        Self::Here(problem)
    }
}

fn check_line(rules: &Rules, text: &str, depth: usize) -> Result<(), Found> {
    let words = words(text)?;
    let Some((first, rest)) = words.split_first() else {
        return Ok(());
    };
    let command = first.text.as_str();
    if command.contains('$') || rules.ignored.iter().any(|own| own == command) {
        return Ok(());
    }
    check_command(command, rest)?;
    match command {
        "if" | "run" => {
            for inner in commands_within(command, rest) {
                check_line(rules, inner, depth)?;
            }
        }
        "include" | "jump" => {
            let name = rest.first().map_or("", |word| word.text.as_str());
            if name == "SELF" || name.contains('$') {
                return Ok(());
            }
            if depth >= DEEPEST {
                let found = format!("{DEEPEST} files that include each other");
                return Err(Problem::new(found, "no circular include").into());
            }
            let text = files::read(&rules.inputs.join(name))?;
            // A file that is jumped to may jump back: what is there is checked once.
            let depth = if command == "jump" {
                DEEPEST
            } else {
                depth + 1
            };
            if depth < DEEPEST || command == "jump" {
                check_included(rules, name, &text, depth)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn check_included(rules: &Rules, name: &str, text: &str, depth: usize) -> Result<(), Found> {
    if depth < DEEPEST {
        return check_text(rules, name, text, depth).map_err(Found::Elsewhere);
    }
    for line in lines(text) {
        let found = words(&line.text).and_then(|words| match words.split_first() {
            Some((first, _)) if rules.ignored.contains(&first.text) => Ok(()),
            Some((first, rest)) if !first.text.contains('$') => check_command(&first.text, rest),
            _ => Ok(()),
        });
        found.map_err(|problem| Found::Elsewhere(located(name, &line, problem)))?;
    }
    Ok(())
}

/// The commands within `if` and `run every`.
fn commands_within<'w>(command: &str, words: &'w [Word]) -> Vec<&'w str> {
    let mut found = Vec::new();
    let mut is_inside = false;
    let mut skips = 0;
    for word in words {
        if skips > 0 {
            skips -= 1;
            continue;
        }
        match (command, word.text.as_str()) {
            ("if", "then" | "else") if !word.is_quoted => is_inside = true,
            ("if", "elif") if !word.is_quoted => skips = 1,
            ("run", "every") => (is_inside, skips) = (true, 1),
            ("run", "NULL") => {}
            (_, text) if is_inside => found.push(text),
            _ => {}
        }
    }
    found
}

/// Checks a command: that it is known, that it has arguments, and styles and numbers without variables.
pub(super) fn check_command(command: &str, words: &[Word]) -> Result<(), Problem> {
    if command == "shell" {
        return Err(Problem::new(
            "shell",
            "a command that is read: shell commands are never run, --ignore shell skips them",
        ));
    }
    let known = COMMANDS.iter().find(|(name, _)| *name == command);
    let Some((_, least)) = known else {
        let known = COMMANDS.map(|(name, _)| name);
        let mut problem = Problem::unknown(command, "a command that is read", &known);
        if !problem.expected.contains("did you mean") {
            problem.expected += &format!("; --ignore {command} skips it");
        }
        return Err(problem);
    };
    if words.len() < *least {
        let expected = format!("{least} arguments or more");
        return Err(Problem::new(
            format!("{command} with {} arguments", words.len()),
            expected,
        ));
    }
    let style = |at: usize, what: &str, known: &[&str]| match words.get(at) {
        Some(word) if !word.text.contains('$') && !known.contains(&word.text.as_str()) => {
            Err(Problem::unknown(&word.text, what, known))
        }
        _ => Ok(()),
    };
    let is_plain = !words.iter().any(|word| word.text.contains('$'));
    let texts = || -> Vec<String> { words.iter().map(|word| word.text.clone()).collect() };
    match command {
        "units" => style(0, "a system of units", &["lj", "si", "cgs", "micro"]),
        "atom_style" => style(0, "an atom style that is read", &["sphere"]),
        "fix" => {
            style(2, "a fix", &fixes::STYLES)?;
            let is_wall = |word: &Word| word.text.starts_with("wall/gran");
            match is_plain && words.get(2).is_some_and(is_wall) {
                true => fixes::check_wall(&mut Args::new(&texts()[3..])),
                false => Ok(()),
            }
        }
        "compute" => style(2, "a compute", &computes::STYLES),
        "region" => style(1, "a style of regions", &regions::STYLES),
        "dump" => style(2, "a style of dumps", &dumps::STYLES),
        "write_dump" => style(1, "a style of dumps", &dumps::STYLES),
        "group" => style(1, "a style of group", &group::STYLES),
        "lattice" => style(0, "a style of lattices", &lattice::STYLES),
        "variable" => style(1, "a style of variables", &variables::STYLES),
        "run_style" => style(0, "a style of integration", &["verlet"]),
        "pair_style" if is_plain => pairs::Pairs::parse(&mut Args::new(&texts())).map(|_| ()),
        "pair_style" => style(0, "a pair style", &pairs::STYLES),
        "pair_coeff" if is_plain && words.len() > 2 => {
            models::Model::parse(&mut Args::new(&texts()[2..]), &[]).map(|_| ())
        }
        "timestep" if is_plain => number(&words[0].text, "a time step").map(|_| ()),
        "run" if is_plain => count(&words[0].text, "a number of steps").map(|_| ()),
        "thermo" if is_plain => count(&words[0].text, "a number of steps").map(|_| ()),
        "dimension" => style(0, "the number of dimensions", &["2", "3"]),
        "neighbor" if is_plain => number(&words[0].text, "the skin").map(|_| ()),
        "set" => style(0, "which atoms", &["type", "group", "atom", "region"]),
        "velocity" => style(1, "a style of velocity", &velocity::STYLES),
        "thermo_style" => {
            style(0, "a style of thermo", &["one", "multi", "custom"])?;
            let fields = words.iter().skip(1).map(|word| word.text.as_str());
            fields
                .filter(|field| !field.contains('$'))
                .try_for_each(thermo::check_field)
        }
        _ => Ok(()),
    }
}
