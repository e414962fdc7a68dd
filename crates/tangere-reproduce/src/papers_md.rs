//! Test of docs/papers.md: its list of claims is that of the code, and the files that it names exist.

use super::PAPERS;
use std::path::Path;

const START: &str = "<!-- claims: ";
const END: &str = "<!-- end of claims -->";

/// Returns the table of all claims as Markdown.
fn table() -> String {
    let mut text =
        String::from("| paper | place | claim | verdict | id |\n|---|---|---|---|---|\n");
    for paper in PAPERS {
        let claims = paper.experiments.iter().flat_map(|e| e.claims);
        for claim in claims {
            text += &format!(
                "| `{}` | {} | {} | {} | `{}` |\n",
                paper.key,
                claim.place,
                claim.sentence,
                claim.documented.name(),
                claim.id(paper.key)
            );
        }
    }
    text
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn papers_md_lists_the_claims_of_the_code() {
    let path = root().join("docs/papers.md");
    let document = std::fs::read_to_string(&path).unwrap();
    let start = document.find(START).unwrap();
    let start = start + document[start..].find('\n').unwrap() + 1;
    let end = document.find(END).unwrap();
    let expected = format!("\n{}\n", table());
    if std::env::var_os("TANGERE_BLESS").is_some() {
        let whole = document[..start].to_owned() + &expected + &document[end..];
        std::fs::write(path, whole).unwrap();
        return;
    }
    let listed = &document[start..end];
    for (found, expected) in listed.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(listed.lines().count(), expected.lines().count());
}

#[test]
fn papers_md_names_files_that_exist() {
    let document = std::fs::read_to_string(root().join("docs/papers.md")).unwrap();
    let names = document.split('`').skip(1).step_by(2);
    let names: Vec<&str> = names
        .filter(|name| name.ends_with(".rs") && name.contains('/'))
        .collect();
    assert!(names.len() > 80, "{}", names.len());
    for name in names {
        let path = match name.strip_prefix("reproduce/") {
            Some(rest) => format!("crates/tangere-reproduce/src/{rest}"),
            None => format!("crates/tangere/src/{name}"),
        };
        assert!(root().join(&path).is_file(), "{path}");
    }
}

#[test]
fn ids_of_claims_are_unique() {
    let mut ids: Vec<String> = Vec::new();
    for paper in PAPERS {
        for claim in paper.experiments.iter().flat_map(|e| e.claims) {
            let id = claim.id(paper.key);
            assert!(!ids.contains(&id), "{id}");
            ids.push(id);
        }
    }
    assert!(ids.len() > 50);
}
