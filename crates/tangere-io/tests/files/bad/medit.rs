//! Invalid MEDIT files.

use super::{Bad, text};

pub fn files() -> Vec<Bad> {
    let head = "MeshVersionFormatted 1\nDimension 3\n";
    let top = |rest: &str| text(&format!("{head}{rest}"));
    let body = |rest: &str| {
        text(&format!(
            "{head}Vertices 3\n0 0 0 0\n1 0 0 0\n0 1 0 0\n{rest}"
        ))
    };
    vec![
        (
            "empty.mesh",
            vec![],
            &["line 1", "end of the file", "MeshVersionFormatted"],
        ),
        (
            "other.mesh",
            text("\nVertices 3\n"),
            &["line 2", "\"Vertices\"", "MeshVersion"],
        ),
        (
            "binary.mesh",
            vec![1, 0, 0, 0, 3, 0, 0, 0],
            &["line 1", "MeshVersionFormatted"],
        ),
        (
            "version.mesh",
            text("MeshVersionFormatted x"),
            &["line 1", "\"x\"", "1 to 4"],
        ),
        (
            "version-9.mesh",
            text("MeshVersionFormatted 9"),
            &["line 1", "found 9", "1 to 4"],
        ),
        (
            "flat.mesh",
            text("MeshVersionFormatted 1\nVertices 1\n"),
            &["line 2", "Dimension"],
        ),
        (
            "four.mesh",
            text("MeshVersionFormatted 1\nDimension 4\n"),
            &["line 2", "found 4"],
        ),
        (
            "none.mesh",
            top(""),
            &["line 2", "end of the mesh", "Vertices"],
        ),
        (
            "end.mesh",
            top("End\n"),
            &["line 3", "end of the mesh", "Vertices"],
        ),
        (
            "count.mesh",
            top("Vertices -3\n"),
            &["line 3", "\"-3\"", "number of vertices"],
        ),
        (
            "lying.mesh",
            top("Vertices 4000000000\n0 0 0 0\n"),
            &["line 4", "vertex 1 of"],
        ),
        (
            "nan.mesh",
            top("Vertices 1\n0 nan 0 0\n"),
            &["line 4", "\"nan\"", "finite"],
        ),
        (
            "reference.mesh",
            top("Vertices 1\n0 0 0 1.5\n"),
            &["line 4", "\"1.5\"", "reference"],
        ),
        (
            "again.mesh",
            body("Vertices 1\n0 0 0 0\n"),
            &["line 7", "Vertices again"],
        ),
        (
            "order.mesh",
            top("Triangles 1\n1 2 3 0\n"),
            &["line 3", "Vertices before"],
        ),
        (
            "keyword.mesh",
            body("HexahedraQ2 1\n"),
            &["line 7", "\"HexahedraQ2\"", "TetrahedraP2"],
        ),
        (
            "zero.mesh",
            body("Triangles 1\n0 1 2 0\n"),
            &["line 8", "\"0\"", "1 to 3"],
        ),
        (
            "above.mesh",
            body("Triangles 1\n1 2 4 0\n"),
            &["line 8", "\"4\"", "1 to 3"],
        ),
        (
            "short.mesh",
            body("Triangles 2\n1 2 3 0\n"),
            &["line 8", "triangle 1 of the 2"],
        ),
        (
            "missing.mesh",
            body("Triangles 1\n1 2 3\n"),
            &["line 8", "end of the file", "reference"],
        ),
        (
            "repeat.mesh",
            body("Triangles 1\n1 2 2 0\n"),
            &["face 0", "differ"],
        ),
        (
            "corner.mesh",
            body("Corners 2\n1 x\n"),
            &["line 8", "\"x\"", "number"],
        ),
        (
            "corners.mesh",
            body("Corners 4000000000\n1\n"),
            &["line 8", "end of the file"],
        ),
        ("nothing.mesh", body("End"), &["no triangles"]),
        (
            "tet.mesh",
            body("Tetrahedra 1\n1 2 3 1 0\n"),
            &["element 0", "differ"],
        ),
    ]
}
