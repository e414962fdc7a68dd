//! Invalid PLY files.

use super::{Bad, text};

const PLY_TRIANGLE: &str = "element vertex 3\nproperty float x\nproperty float y\n\
    property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";

fn ply(format: &str, header: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("ply\nformat {format} 1.0\n{header}").into_bytes();
    bytes.extend(body);
    bytes
}

fn ply_text(body: &str) -> Vec<u8> {
    ply("ascii", PLY_TRIANGLE, body.as_bytes())
}

fn ply_header(header: &str) -> Vec<u8> {
    ply("ascii", header, b"")
}

/// Returns a binary file of three vertices and one face with the given indices.
fn ply_binary(coordinate: f32, count: u8, indices: &[i32]) -> Vec<u8> {
    let mut body = Vec::new();
    for x in [coordinate, 0., 0., 1., 0., 0., 0., 1., 0.] {
        body.extend(x.to_le_bytes());
    }
    body.push(count);
    for i in indices {
        body.extend(i.to_le_bytes());
    }
    ply("binary_little_endian", PLY_TRIANGLE, &body)
}

pub fn files() -> Vec<Bad> {
    const VERTICES: &str = "0 0 0\n1 0 0\n0 1 0\n";
    let after_vertices = |face: &str| ply_text(&format!("{VERTICES}{face}"));
    let big = PLY_TRIANGLE.replace("vertex 3", "vertex 4000000000");
    let many = PLY_TRIANGLE.replace("face 1", "face 4000000000");
    vec![
        ("empty.ply", vec![], &["line 1", "\"\"", "\"ply\""]),
        (
            "magic.ply",
            text("plz\n"),
            &["line 1", "\"plz\"", "\"ply\""],
        ),
        (
            "header-cut.ply",
            text("ply\nformat ascii 1.0\n"),
            &["line 2", "end_header"],
        ),
        (
            "format.ply",
            text("ply\nformat cuneiform 1.0\n"),
            &["line 2", "\"cuneiform\"", "ascii"],
        ),
        (
            "version.ply",
            text("ply\nformat ascii 2.0\n"),
            &["line 2", "\"2.0\"", "1.0"],
        ),
        (
            "no-format.ply",
            text(&format!("ply\n{PLY_TRIANGLE}")),
            &["header", "no format"],
        ),
        (
            "two-formats.ply",
            text("ply\nformat ascii 1.0\nformat ascii 1.0\n"),
            &["line 3", "one format"],
        ),
        (
            "keyword.ply",
            ply_header("elements vertex 3\n"),
            &["line 3", "elements vertex"],
        ),
        (
            "count-word.ply",
            ply_header("element vertex three\n"),
            &["line 3", "\"three\"", "count"],
        ),
        (
            "count-negative.ply",
            ply_header("element vertex -3\n"),
            &["line 3", "\"-3\""],
        ),
        (
            "count-huge.ply",
            ply_header("element vertex 4294967296\n"),
            &["line 3", "4294967296"],
        ),
        (
            "lone-property.ply",
            ply_header("property float x\n"),
            &["line 3", "element"],
        ),
        (
            "type.ply",
            ply_header("element vertex 3\nproperty real x\n"),
            &["line 4", "\"real\""],
        ),
        (
            "second-vertex.ply",
            ply_header("element vertex 3\nelement vertex 4\n"),
            &["line 4", "a second element \"vertex\""],
        ),
        (
            "second-x.ply",
            ply_header("element vertex 3\nproperty float x\nproperty float x\n"),
            &["line 5", "a second property \"x\""],
        ),
        (
            "float-count.ply",
            ply_header("element face 1\nproperty list float int vertex_indices\n"),
            &["line 4", "float", "integer"],
        ),
        (
            "float-index.ply",
            ply_header("element face 1\nproperty list uchar float vertex_indices\n"),
            &["line 4", "list of integers"],
        ),
        (
            "scalar-index.ply",
            ply_header("element face 1\nproperty int vertex_indices\n"),
            &["line 4", "list of integers"],
        ),
        (
            "no-z.ply",
            ply(
                "ascii",
                &PLY_TRIANGLE.replace("property float z\n", ""),
                b"",
            ),
            &["line 3", "\"vertex\"", "x, y and z"],
        ),
        (
            "no-face.ply",
            ply_header(
                "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n\
                 end_header\n1 2 3\n",
            ),
            &["no triangles"],
        ),
        (
            "text-cut.ply",
            ply_text("0 0 0\n"),
            &["line 10", "end of the file", "vertex 1 of the 3"],
        ),
        (
            "text-short.ply",
            ply_text("0 0\n"),
            &["line 10", "end of the line", "\"z\""],
        ),
        (
            "text-long.ply",
            ply_text("0 0 0 0\n"),
            &["line 10", "1 more words"],
        ),
        (
            "text-word.ply",
            ply_text("0 y 0\n"),
            &["line 10", "\"y\"", "finite number"],
        ),
        (
            "text-nan.ply",
            ply_text("0 nan 0\n"),
            &["line 10", "\"nan\"", "finite number"],
        ),
        (
            "text-index.ply",
            after_vertices("3 0 1 3\n"),
            &["line 13", "\"3\"", "below 3"],
        ),
        (
            "text-negative.ply",
            after_vertices("3 0 1 -1\n"),
            &["line 13", "\"-1\"", "below 3"],
        ),
        (
            "text-edge.ply",
            after_vertices("2 0 1\n"),
            &["line 13", "\"2\"", "at least 3"],
        ),
        (
            "text-list.ply",
            after_vertices("4294967295 0 1\n"),
            &["line 13", "end of the line"],
        ),
        (
            "text-more.ply",
            after_vertices("3 0 1 2\n3 0 1 2\n"),
            &["line 14", "end of the file"],
        ),
        (
            "lying-text.ply",
            ply("ascii", &big, b"0 0 0\n"),
            &["line 10", "vertex 1 of the 4000000000 announced"],
        ),
        (
            "lying-vertices.ply",
            ply("binary_big_endian", &big, &[0; 40]),
            &[
                "40 bytes",
                "12 for each of the 4000000000 items of element \"vertex\"",
            ],
        ),
        (
            "lying-faces.ply",
            ply("binary_little_endian", &many, &[0; 49]),
            &[
                "13 bytes",
                "13 for each of the 4000000000 items of element \"face\"",
            ],
        ),
        (
            "lying-other.ply",
            ply(
                "binary_little_endian",
                &format!("element cell 18446744073709551615\nproperty short a\n{PLY_TRIANGLE}"),
                &[0; 49],
            ),
            &[
                "49 bytes",
                "2 for each of the 18446744073709551615 items of element \"cell\"",
            ],
        ),
        (
            "lying-list.ply",
            ply(
                "binary_little_endian",
                &PLY_TRIANGLE.replace("uchar int", "uint64 int"),
                &[&[0; 36][..], &[0xff; 8], &[0; 12]].concat(),
            ),
            &["12 bytes up to the end", "of face 0"],
        ),
        (
            "negative-list.ply",
            ply(
                "binary_little_endian",
                &PLY_TRIANGLE.replace("uchar int", "char int"),
                &[&[0; 36][..], &[0xff; 13]].concat(),
            ),
            &["a list of -1 values in face 0", "not negative"],
        ),
        (
            "binary-cut.ply",
            ply_binary(0., 4, &[0, 1, 2]),
            &["12 bytes", "16 bytes of face 0"],
        ),
        (
            "binary-index.ply",
            ply_binary(0., 3, &[0, 1, 3]),
            &["vertex 3 in face 0", "below 3"],
        ),
        (
            "binary-negative.ply",
            ply_binary(0., 3, &[0, -1, 2]),
            &["vertex -1 in face 0"],
        ),
        (
            "binary-edge.ply",
            ply_binary(0., 2, &[0, 1, 2]),
            &["2 vertices in face 0", "at least 3"],
        ),
        (
            "binary-more.ply",
            ply_binary(0., 3, &[0, 1, 2, 0]),
            &["4 more bytes"],
        ),
        (
            "binary-nan.ply",
            ply_binary(f32::NAN, 3, &[0, 1, 2]),
            &["NaN in vertex 0", "finite"],
        ),
    ]
}
