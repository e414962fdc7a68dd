//! Invalid Abaqus files.

use super::{Bad, text};

pub fn files() -> Vec<Bad> {
    let nodes = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n";
    let body = |rest: &str| text(&format!("{nodes}{rest}"));
    let solid = |rest: &str| {
        text(&format!(
            "{nodes}*ELEMENT, TYPE=C3D4\n7, 1, 2, 3, 4\n{rest}"
        ))
    };
    vec![
        ("empty.inp", vec![], &["line 1", "end of the file", "*NODE"]),
        (
            "other.inp",
            text("hello\n"),
            &["line 1", "\"hello\"", "keyword"],
        ),
        ("star.inp", text("*\n"), &["line 1", "\"*\"", "keyword"]),
        ("latin.inp", b"*NODE\xe4\n".to_vec(), &["line 1", "UTF-8"]),
        (
            "include.inp",
            body("*INCLUDE, INPUT=a.inp\n"),
            &["line 6", "*INCLUDE", "written out"],
        ),
        (
            "ngen.inp",
            body("*NGEN\n1, 9\n"),
            &["line 6", "*NGEN", "written out"],
        ),
        (
            "system.inp",
            text("*NODE, SYSTEM=C\n"),
            &["line 1", "\"C\"", "rectangular"],
        ),
        (
            "number.inp",
            text("*NODE\nx, 0, 0, 0\n"),
            &["line 2", "\"x\"", "number of a node"],
        ),
        (
            "nan.inp",
            text("*NODE\n1, 0, nan, 0\n"),
            &["line 2", "\"nan\"", "finite"],
        ),
        (
            "bare.inp",
            text("*NODE\n1\n"),
            &["line 2", "without coordinates"],
        ),
        (
            "twice.inp",
            text("*NODE\n1, 0, 0\n1, 1, 0\n"),
            &["*NODE", "node 1 twice"],
        ),
        (
            "no-type.inp",
            body("*ELEMENT\n1, 1, 2, 3\n"),
            &["line 6", "without TYPE"],
        ),
        (
            "type.inp",
            body("*ELEMENT, TYPE=CONN3D2\n1, 1, 2\n"),
            &["line 6", "\"CONN3D2\"", "solid, shell"],
        ),
        (
            "beam.inp",
            body("*ELEMENT, TYPE=B32\n1, 1, 2, 3\n"),
            &["line 6", "\"B32\"", "straight"],
        ),
        (
            "element.inp",
            body("*ELEMENT, TYPE=S3\ny, 1, 2, 3\n"),
            &["line 7", "\"y\"", "element"],
        ),
        (
            "word.inp",
            body("*ELEMENT, TYPE=S3\n1, 1, two, 3\n"),
            &["line 7", "\"two\"", "a node"],
        ),
        (
            "few.inp",
            body("*ELEMENT, TYPE=S3\n1, 1, 2\n"),
            &["line 7", "2 nodes", "3"],
        ),
        (
            "many.inp",
            body("*ELEMENT, TYPE=S3\n1, 1, 2, 3, 4\n"),
            &["line 7", "4 nodes", "3"],
        ),
        (
            "node.inp",
            body("*ELEMENT, TYPE=S3\n1, 1, 2, 9\n"),
            &["line 7", "node 9", "4 nodes"],
        ),
        (
            "apart.inp",
            body("*ELEMENT, TYPE=S4\n1, 1, 2\n3, 4\n"),
            &["line 7", "2 nodes", "4"],
        ),
        (
            "same.inp",
            body("*ELEMENT, TYPE=S3\n1, 1, 2, 3\n1, 1, 2, 4\n"),
            &["*ELEMENT", "element 1 twice"],
        ),
        (
            "repeat.inp",
            body("*ELEMENT, TYPE=S3\n1, 1, 2, 2\n"),
            &["face 0", "differ"],
        ),
        ("nothing.inp", body("*STEP\n"), &["no triangles"]),
        (
            "part.inp",
            body("*PART, NAME=b\n"),
            &["line 6", "another *PART"],
        ),
        (
            "moved.inp",
            body("*INSTANCE, NAME=i, PART=p\n1., 0., 0.\n"),
            &["line 7", "\"1., 0., 0.\"", "not moved"],
        ),
        (
            "instances.inp",
            body("*INSTANCE, NAME=i\n*END INSTANCE\n*INSTANCE, NAME=j\n"),
            &["line 8", "another *INSTANCE"],
        ),
        (
            "elset.inp",
            solid("*ELSET\n7\n"),
            &["line 8", "without ELSET"],
        ),
        ("nset.inp", solid("*NSET\n7\n"), &["line 8", "without NSET"]),
        (
            "generate.inp",
            solid("*ELSET, ELSET=a, GENERATE\n9, 3\n"),
            &["line 9", "\"9, 3\"", "step"],
        ),
        (
            "step.inp",
            solid("*ELSET, ELSET=a, GENERATE\n1, 3, 0\n"),
            &["line 9", "step"],
        ),
        (
            "surface.inp",
            solid("*SURFACE\n7, S1\n"),
            &["line 8", "without NAME"],
        ),
        (
            "face.inp",
            solid("*SURFACE, NAME=s\n7, S9\n"),
            &["line 9", "\"S9\"", "S1 to S6"],
        ),
        (
            "face-5.inp",
            solid("*SURFACE, NAME=s\n7, S5\n"),
            &["line 9", "S5 of a tet4"],
        ),
        (
            "side.inp",
            solid("*SURFACE, NAME=s\n7, SPOS\n"),
            &["line 9", "shell", "S1 to S6"],
        ),
        (
            "edge.inp",
            body("*ELEMENT, TYPE=S3\n1, 1, 2, 3\n*SURFACE, NAME=s\n1, S4\n"),
            &["line 9", "edge 4 of a tri3"],
        ),
        (
            "truss.inp",
            body("*ELEMENT, TYPE=T3D2\n1, 1, 2\n*SURFACE, NAME=s\n1, E1\n"),
            &["line 9", "truss", "SPOS"],
        ),
        (
            "unknown.inp",
            solid("*SURFACE, NAME=s\n8, S1\n"),
            &["line 9", "element 8", "1 elements"],
        ),
        (
            "set.inp",
            solid("*SURFACE, NAME=s\nb, S1\n"),
            &["line 9", "\"B\"", "set of elements"],
        ),
        (
            "blank.inp",
            solid("*SURFACE, NAME=s\n, S1\n"),
            &["line 9", "set of elements"],
        ),
        (
            "range.inp",
            solid("*ELSET, ELSET=a, GENERATE\n1, 9999999999999, 1\n*SURFACE, NAME=s\na, S1\n"),
            &["line 11", "1 to 9999999999999", "\"A\""],
        ),
        (
            "circle.inp",
            solid("*ELSET, ELSET=a\nb\n*ELSET, ELSET=b\na, c\n*SURFACE, NAME=s\na, S1\n"),
            &["line 13", "\"C\"", "set of elements"],
        ),
    ]
}
