//! Pages of the documentation with Rust programs are compiled as doctests.

use std::path::Path;

#[test]
fn every_page_with_a_program_is_a_doctest() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = std::fs::read_to_string(root.join("crates/tangere-io/src/pages.rs")).unwrap();
    let mut paths = vec![root.join("README.md")];
    let docs = std::fs::read_dir(root.join("docs")).unwrap();
    paths.extend(docs.map(|entry| entry.unwrap().path()));
    let mut found = 0;
    for path in paths {
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        if !text.contains("\n```rust") {
            continue;
        }
        found += 1;
        let name = path.file_name().unwrap().to_string_lossy();
        assert!(
            pages.contains(&format!("/{name}\")")),
            "{name} is no doctest"
        );
        // Set-up that readers do not see would hide what a program needs.
        let programs = text.split("\n```rust").skip(1);
        for program in programs.filter_map(|rest| rest.split("\n```").next()) {
            let is_hidden = |line: &str| line.starts_with("# ");
            assert!(!program.lines().any(is_hidden), "{name}: {program}");
            let is_ours = !program.starts_with(",ignore");
            assert!(
                !is_ours || program.contains("fn main()"),
                "{name}: {program}"
            );
        }
    }
    assert!(found >= 6, "{found} pages");
}
