//! Invalid OBJ files.

use super::{Bad, text};

pub fn files() -> Vec<Bad> {
    let with_face = |face: &str| text(&format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nf {face}\n"));
    const FORMS: &str = "v, v/vt, v//vn or v/vt/vn";
    vec![
        ("empty.obj", vec![], &["no triangles"]),
        ("vertices-only.obj", text("v 0 0 0\n"), &["no triangles"]),
        (
            "index-zero.obj",
            with_face("0 1 2"),
            &["line 4", "vertex 0", "from 1"],
        ),
        (
            "beyond.obj",
            with_face("1 2 4"),
            &["line 4", "vertex 4", "at most 3"],
        ),
        (
            "before.obj",
            with_face("1 2 -4"),
            &["line 4", "vertex -4", "at least -3"],
        ),
        (
            "ahead.obj",
            text("f 1 2 3\nf 3 4 5\nf 5 6 9\nf 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"),
            &["line 3", "vertex 9", "at most 3"],
        ),
        (
            "index-huge.obj",
            with_face("1 2 4294967296"),
            &["line 4", "vertex 4294967296"],
        ),
        (
            "index-endless.obj",
            with_face("1 2 99999999999999999999"),
            &["line 4", "\"99999999999999999999\"", FORMS],
        ),
        (
            "index-float.obj",
            with_face("1 2 3.0"),
            &["line 4", "\"3.0\"", FORMS],
        ),
        (
            "index-word.obj",
            with_face("1 2/x 3"),
            &["line 4", "\"2/x\"", FORMS],
        ),
        (
            "index-empty.obj",
            with_face("1 2 /3"),
            &["line 4", "\"/3\"", FORMS],
        ),
        (
            "index-parts.obj",
            with_face("1 2 3/1/1/1"),
            &["line 4", "\"3/1/1/1\"", FORMS],
        ),
        (
            "edge.obj",
            with_face("1 2"),
            &["line 4", "a face of 2 vertices", "at least 3"],
        ),
        (
            "face-alone.obj",
            text("v 0 0 0\nf\n"),
            &["line 2", "\"f\" alone"],
        ),
        (
            "vertex-alone.obj",
            text("\nv\n"),
            &["line 2", "\"v\" alone"],
        ),
        (
            "two-coordinates.obj",
            text("v 0 0\n"),
            &["line 1", "end of the line", "coordinate z"],
        ),
        (
            "word.obj",
            text("# a\nv 0 0 z\n"),
            &["line 2", "\"z\"", "finite number"],
        ),
        (
            "nan.obj",
            text("v 0 nan 0\n"),
            &["line 1", "\"nan\"", "finite number"],
        ),
        (
            "overflow.obj",
            text("v 0 1e999 0\n"),
            &["line 1", "\"1e999\"", "finite number"],
        ),
        (
            "continued.obj",
            text("v 0 0 0\nv 1 0 0\nf 1 \\\n 2 \\\n 7\n"),
            &["line 3", "vertex 7", "at most 2"],
        ),
        (
            "tiny.obj",
            text("v 0 0 0\nv 1e-300 0 0\nv 0 1 0\nf 1 2 3\n"),
            &["vertex 1", "1e-300", "4.9e-91"],
        ),
    ]
}
