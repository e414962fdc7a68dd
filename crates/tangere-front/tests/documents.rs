//! Test: the tables of docs/answers.md agree with the lists of columns.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::path::Path;
use tangere_front::answers;

const HEAD: &str = "\
# Answers

What each answer has, by the columns that are written, printed and returned. In CSV a column has the names in
parentheses, one for each component. In NPY files and in structured arrays of NumPy, features are two columns, `kind`
(0 vertex, 1 edge, 2 face) and `index` (of scenes one column of both), and names are numbers in the order of the documents. VTK are the fields of the
files that a command draws: VTP, VTU or VTI. CSV files of a motion (`--poses`) have one row for each pose, and end with a
column `pose` that numbers them from 0. In JSON, what is not
finite is `null`. Python returns one row as a frozen record with the attributes named here, many rows as a structured
array; `tangere.ContactStatus`, `ContactEvent`, `SurfaceStatus`, `ProjectionStatus`, `Certificate`, `FeatureKind` and
`ccd.Status` turn numbers into words and back. The tables are made from the lists in `crates/tangere-front/src/answers`; `TANGERE_BLESS=1 cargo test -p
tangere-front` writes this file.
";

#[test]
fn tables_are_those_of_the_lists() {
    let mut text = HEAD.to_owned();
    for answer in answers::all() {
        let record = match answer.name {
            "" => String::new(),
            name => format!("Record in Python: `{name}`.\n\n"),
        };
        text += &format!("\n## {}\n\n{record}{}", answer.title, answer.markdown);
        for column in &answer.attributes {
            assert!(
                !column.doc.is_empty(),
                "{}.{} has no documentation",
                answer.name,
                column.name
            );
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/answers.md");
    if std::env::var_os("TANGERE_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap();
    let lines = written.lines().zip(text.lines());
    let differ = lines.into_iter().find(|(written, made)| written != made);
    assert!(
        written == text,
        "docs/answers.md differs, first in {differ:?}; TANGERE_BLESS=1 writes it anew"
    );
}
