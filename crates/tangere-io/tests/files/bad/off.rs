//! Invalid OFF files.

use super::{Bad, text};

pub fn files() -> Vec<Bad> {
    let body = |rest: &str| text(&format!("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n{rest}"));
    vec![
        ("empty.off", vec![], &["line 1", "end of the file", "OFF"]),
        (
            "comment.off",
            text("# OFF\n"),
            &["line 1", "end of the file", "OFF"],
        ),
        (
            "keyword.off",
            text("OOF\n3 1 0\n"),
            &["line 1", "\"OOF\"", "OFF"],
        ),
        (
            "four.off",
            text("4OFF\n3 1 0\n"),
            &["line 1", "\"4OFF\"", "OFF"],
        ),
        (
            "binary.off",
            text("OFF BINARY\n\0\0"),
            &["line 1", "\"BINARY\"", "number of vertices"],
        ),
        (
            "no-counts.off",
            text("OFF\n"),
            &["line 1", "end of the file", "numbers of vertices"],
        ),
        (
            "one-count.off",
            text("OFF\n3\n"),
            &["line 2", "\"\"", "number of faces"],
        ),
        (
            "negative-count.off",
            text("OFF\n3 -1 0\n"),
            &["line 2", "\"-1\"", "number of faces"],
        ),
        (
            "many-counts.off",
            text("OFF\n3 1 0 0\n"),
            &["line 2", "4 words"],
        ),
        (
            "lying-count.off",
            text("OFF\n4000000000 4000000000 0\n0 0 0\n"),
            &[
                "line 3",
                "end of the file",
                "vertex 1 of the 4000000000 announced",
            ],
        ),
        (
            "face-missing.off",
            body(""),
            &["line 5", "face 0 of the 1 announced"],
        ),
        (
            "short-vertex.off",
            text("OFF\n3 1 0\n0 0\n"),
            &["line 3", "coordinate z"],
        ),
        (
            "word.off",
            text("OFF\n3 1 0\n0 0 z\n"),
            &["line 3", "\"z\"", "finite number"],
        ),
        (
            "infinite.off",
            text("OFF\n3 1 0\n0 0 -inf\n"),
            &["line 3", "\"-inf\"", "finite"],
        ),
        (
            "index.off",
            body("3 0 1 3\n"),
            &["line 6", "\"3\"", "below 3"],
        ),
        (
            "negative.off",
            body("3 0 1 -1\n"),
            &["line 6", "\"-1\"", "below 3"],
        ),
        (
            "edge.off",
            body("2 0 1\n"),
            &["line 6", "\"2\"", "at least 3"],
        ),
        (
            "short-face.off",
            body("4 0 1 2\n"),
            &["line 6", "a face of 3 vertices", "4"],
        ),
        (
            "lying-face.off",
            body("4000000000 0 1 2\n"),
            &["line 6", "4000000000"],
        ),
        (
            "more.off",
            body("3 0 1 2\n3 0 1 2\n"),
            &["line 7", "end of the file", "1 faces"],
        ),
    ]
}
