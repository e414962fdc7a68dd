//! `cargo xtask licences`: checks that every dependency may be used under a permissive licence.
//!
//! Reads the licences of the packages in the lock file from `cargo tree`; needs no network once the
//! packages are downloaded.

use crate::Stop;
use crate::step::Invocation;

/// Permissive licences, by their SPDX identifiers.
const ALLOWED: [&str; 10] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Checks the licences of all packages with which the workspace is built and tested on this
/// machine.
pub fn run(arguments: &[String]) -> Result<(), Stop> {
    if let Some(other) = arguments.first() {
        return Err(Stop::Usage(format!(
            "found {other:?}, expected no arguments"
        )));
    }
    let tree = "tree --locked --workspace --edges normal,build,dev --prefix none --format";
    let list = Invocation::cargo(tree).argument("{p}|{l}");
    let output = list
        .command()
        .output()
        .map_err(|error| Stop::Failure(error.to_string()))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(Stop::Failure(format!("cargo tree: {errors}")));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let mut packages: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.trim_end_matches("(*)").trim().split_once('|'))
        .collect();
    packages.sort_unstable();
    packages.dedup();
    let refused: Vec<String> = packages
        .iter()
        .filter(|(_, licence)| !is_allowed(licence))
        .map(|(package, licence)| format!("  {package}: {licence:?}"))
        .collect();
    if refused.is_empty() && !packages.is_empty() {
        println!("licences of {} packages are permissive", packages.len());
        return Ok(());
    }
    Err(Stop::Failure(format!(
        "expected one of {} for each package, found\n{}",
        ALLOWED.join(", "),
        refused.join("\n")
    )))
}

/// Returns whether an SPDX licence expression can be satisfied with allowed licences alone. `A/B`
/// is the old way to write `A OR B`; exceptions (`WITH`) only add permissions.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    any_of(&mut rest) == Some(true) && rest.is_empty()
}

/// Parses `all_of (OR all_of)*` of a licence expression: returns whether one of the alternatives is
/// allowed; none if the expression is malformed.
fn any_of(words: &mut &[&str]) -> Option<bool> {
    let mut allowed = all_of(words)?;
    while words.first() == Some(&"OR") {
        *words = &words[1..];
        allowed |= all_of(words)?;
    }
    Some(allowed)
}

/// Parses `licence (AND licence)*` of a licence expression: returns whether all are allowed; none
/// if the expression is malformed.
fn all_of(words: &mut &[&str]) -> Option<bool> {
    let mut allowed = licence(words)?;
    while words.first() == Some(&"AND") {
        *words = &words[1..];
        allowed &= licence(words)?;
    }
    Some(allowed)
}

/// Parses `( any_of )`, `ID` or `ID WITH EXCEPTION` of a licence expression: returns whether it is
/// allowed; none if the expression is malformed.
fn licence(words: &mut &[&str]) -> Option<bool> {
    let (first, rest) = words.split_first()?;
    *words = rest;
    if *first == "(" {
        let allowed = any_of(words)?;
        let (close, rest) = words.split_first()?;
        *words = rest;
        return (*close == ")").then_some(allowed);
    }
    if words.first() == Some(&"WITH") {
        *words = words.get(2..)?;
    }
    Some(ALLOWED.contains(first))
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn expressions() {
        for allowed in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0-only OR MIT",
            "(MIT OR GPL-2.0-only) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert!(is_allowed(allowed), "{allowed}");
        }
        for refused in [
            "",
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "(MIT",
            "MIT Apache-2.0",
            "MIT OR",
        ] {
            assert!(!is_allowed(refused), "{refused}");
        }
    }
}
