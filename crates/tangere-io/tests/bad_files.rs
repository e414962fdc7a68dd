//! Files that must be refused, each with an error that names the file, the place,
//! what was found and what was expected, without a panic and without the memory
//! that a lying count asks for.

use std::fs;
use tangere_io::{MeshFormat, read_array, read_mesh, read_table};

/// The name of a file, its content, and parts that its error must have.
type Bad = (&'static str, Vec<u8>, &'static [&'static str]);

fn text(content: &str) -> Vec<u8> {
    content.as_bytes().to_vec()
}

/// A binary STL file with a count that may lie.
fn stl(header: &[u8], count: u32, records: usize, more: usize) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes[..header.len()].copy_from_slice(header);
    bytes.extend(count.to_le_bytes());
    for i in 0..records {
        for k in 0..12 {
            bytes.extend(((i * 7 + k * k) as f32).to_le_bytes());
        }
        bytes.extend([0; 2]);
    }
    bytes.extend(vec![1; more]);
    bytes
}

fn with(mut bytes: Vec<u8>, at: usize, patch: &[u8]) -> Vec<u8> {
    bytes[at..at + patch.len()].copy_from_slice(patch);
    bytes
}

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

/// Three vertices and one face of the given indices.
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

fn npy(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([version, 0]);
    match version {
        1 => bytes.extend((header.len() as u16).to_le_bytes()),
        _ => bytes.extend((header.len() as u32).to_le_bytes()),
    }
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

fn npy_of(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n");
    npy(1, &header, data)
}

fn stl_files() -> Vec<Bad> {
    let facet = |middle: &str| text(&format!("solid a\nfacet normal 0 0 1\n{middle}"));
    let corners = "outer loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n";
    vec![
        ("empty.stl", vec![], &["byte 0", "0 bytes", "84 bytes"]),
        ("short.stl", vec![7; 83], &["byte 0", "83 bytes", "solid"]),
        (
            "lying-count.stl",
            stl(b"", 4_000_000_000, 0, 16),
            &["byte 80", "4000000000 triangles", "at most 0", "100 bytes"],
        ),
        (
            "cut.stl",
            stl(b"", 3, 2, 0),
            &["byte 80", "3 triangles", "at most 2"],
        ),
        (
            "cut-in-record.stl",
            stl(b"solid binary", 2, 1, 49),
            &["byte 80", "2 triangles", "at most 1"],
        ),
        (
            "more-than-announced.stl",
            stl(b"", 1, 2, 0),
            &["byte 134", "50 more bytes", "the 1 triangles"],
        ),
        (
            "trailing.stl",
            stl(b"", 2, 2, 3),
            &["byte 184", "3 more bytes", "end of the file"],
        ),
        (
            "nan.stl",
            with(stl(b"", 2, 2, 0), 84 + 50 + 16, &f32::NAN.to_le_bytes()),
            &["byte 150", "NaN in triangle 1", "finite"],
        ),
        (
            "infinite.stl",
            with(stl(b"", 2, 2, 0), 84 + 44, &f32::INFINITY.to_le_bytes()),
            &["byte 128", "inf in triangle 0", "finite"],
        ),
        ("no-triangles.stl", stl(b"", 0, 0, 0), &["no triangles"]),
        (
            "point.stl",
            {
                let mut bytes = stl(b"", 1, 0, 0);
                bytes.extend([0; 50]);
                bytes
            },
            &["all vertices at [0.0, 0.0, 0.0]"],
        ),
        (
            "no-facets.stl",
            text("solid a\nendsolid a\n"),
            &["no triangles"],
        ),
        (
            "no-end.stl",
            facet(&format!("{corners}endloop\nendfacet\n")),
            &["line 8", "end of the file", "endsolid"],
        ),
        (
            "word.stl",
            text("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero\n"),
            &["line 4", "\"zero\"", "finite number"],
        ),
        (
            "nan-text.stl",
            text("solid a\nfacet normal nan nan nan\nouter loop\nvertex 0 0 nan\n"),
            &["line 4", "\"nan\"", "finite number"],
        ),
        (
            "four-corners.stl",
            facet(&format!("{corners}vertex 1 1 0\nendloop\n")),
            &["line 7", "\"vertex\"", "\"endloop\""],
        ),
        (
            "two-corners.stl",
            facet("outer loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n"),
            &["line 6", "\"endloop\"", "\"vertex\""],
        ),
        (
            "unknown-word.stl",
            text("solid a\nfacets\n"),
            &["line 2", "\"facets\"", "\"facet\" or \"endsolid\""],
        ),
        (
            "after-end.stl",
            text("solid a\nendsolid a\nmore\n"),
            &["line 3", "\"more\"", "\"solid\""],
        ),
        (
            "huge.stl",
            facet(&format!(
                "{}endloop\nendfacet\nendsolid",
                corners.replace("vertex 1", "vertex 1e70")
            )),
            &["vertex 1", "1e70", "1.6e60"],
        ),
    ]
}

fn obj_files() -> Vec<Bad> {
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

fn ply_files() -> Vec<Bad> {
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
            ply_header("element vertex 3\nproperty float x\nend_header\n"),
            &["header", "no element \"face\"", "vertex_indices"],
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

fn off_files() -> Vec<Bad> {
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

fn table_files() -> Vec<Bad> {
    vec![
        ("empty.csv", vec![], &["line 1", "end of the file", "row"]),
        (
            "comments.csv",
            text("# x\n\n"),
            &["line 2", "end of the file", "row"],
        ),
        (
            "ragged.csv",
            text("x,y\n1,2\n3\n"),
            &["line 3", "1 fields", "2 as in line 1"],
        ),
        (
            "wide.csv",
            text("1 2\n\n# a\n3 4 5\n"),
            &["line 4", "3 fields", "2 as in line 1"],
        ),
        (
            "word.csv",
            text("1,2\n3,x\n"),
            &["line 2", "\"x\"", "finite number"],
        ),
        (
            "mixed-first-row.csv",
            text("1,two\n"),
            &["line 1", "\"two\"", "finite number"],
        ),
        (
            "empty-field.csv",
            text("1,2\n3,\n"),
            &["line 2", "\"\"", "finite number"],
        ),
        (
            "decimal-comma.csv",
            text("a;b\n1,5;2\n"),
            &["line 2", "\"1,5\"", "finite number"],
        ),
        (
            "nan.csv",
            text("1,2\n3,nan\n"),
            &["line 2", "\"nan\"", "finite number"],
        ),
        (
            "overflow.tsv",
            text("1\t2\n3\t-1e999\n"),
            &["line 2", "\"-1e999\"", "finite"],
        ),
        ("open-quote.csv", text("\"x,y\n1,2\n"), &["line 1", "quote"]),
        (
            "after-quote.csv",
            text("\"x\"y,z\n1,2\n"),
            &["line 1", "\"y\"", "separator"],
        ),
        (
            "bytes.txt",
            b"1 2\n\xff\xfe 4\n".to_vec(),
            &["line 2", "finite number"],
        ),
    ]
}

fn array_files() -> Vec<Bad> {
    let one = 1.0_f64.to_le_bytes();
    vec![
        ("empty.npy", vec![], &["byte 0", "NUMPY"]),
        ("magic.npy", text("\u{93}NUMPZ"), &["byte 0", "NUMPY"]),
        (
            "no-version.npy",
            b"\x93NUMPY".to_vec(),
            &["byte 6", "end of the file", "version"],
        ),
        (
            "version.npy",
            npy(9, "{}", b""),
            &["byte 6", "version 9", "1, 2 or 3"],
        ),
        (
            "no-size.npy",
            b"\x93NUMPY\x01\x00\x05".to_vec(),
            &["byte 9", "size of the header"],
        ),
        (
            "lying-header.npy",
            b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}".to_vec(),
            &["byte 8", "a header of 4294967295 bytes", "at most the 2"],
        ),
        (
            "no-keys.npy",
            npy(1, "{}", b""),
            &["byte 12", "descr, fortran_order and shape"],
        ),
        (
            "no-dictionary.npy",
            npy(1, "[]", b""),
            &["byte 10", "\"[]\"", "'{'"],
        ),
        (
            "key.npy",
            npy(3, "{'description': 1}", b""),
            &["byte 13", "\"description\""],
        ),
        (
            "kind.npy",
            npy_of("<c16", "(1,)", &[0; 16]),
            &["byte 20", "\"<c16\"", "f8"],
        ),
        (
            "object.npy",
            npy_of("|O", "(1,)", &[0; 8]),
            &["byte 20", "\"|O\"", "f8"],
        ),
        (
            "record.npy",
            npy(
                1,
                "{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (1,)}",
                &one,
            ),
            &["byte 20", "[('x'", "the type of one number"],
        ),
        (
            "order.npy",
            npy(
                1,
                "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}",
                &one,
            ),
            &["byte 44", "True or False"],
        ),
        (
            "negative-axis.npy",
            npy_of("<f8", "(-1,)", b""),
            &["\"-1,)", "length of an axis"],
        ),
        (
            "endless-axis.npy",
            npy_of("<f8", "(99999999999999999999,)", b""),
            &["length of an axis"],
        ),
        (
            "shape-word.npy",
            npy_of("<f8", "None", b""),
            &["\"None", "'('"],
        ),
        (
            "cut-dictionary.npy",
            npy(1, "{'descr': '<f8'", b""),
            &["end of the header", "'}'"],
        ),
        (
            "cut.npy",
            npy_of("<f8", "(2,)", &one),
            &["8 bytes of data", "16 for the shape [2]"],
        ),
        (
            "more.npy",
            npy_of("<f4", "(1,)", &one),
            &["8 bytes of data", "4 for the shape [1]"],
        ),
        (
            "lying-shape.npy",
            npy_of("<f8", "(4000000000, 3)", &one),
            &[
                "8 bytes of data",
                "96000000000 for the shape [4000000000, 3]",
            ],
        ),
        (
            "overflowing-shape.npy",
            npy_of("<f8", "(4000000000, 4000000000, 4000000000)", &one),
            &["8 bytes of data", "more than any computer has"],
        ),
        (
            "nan.npy",
            npy_of(
                ">f8",
                "(2,)",
                &[1.0_f64, f64::NAN].map(f64::to_be_bytes).concat(),
            ),
            &["NaN as value 1", "finite number"],
        ),
        (
            "half-infinite.npy",
            npy_of("<f2", "(1,)", &0x7c00_u16.to_le_bytes()),
            &["inf as value 0", "finite number"],
        ),
        (
            "inexact.npy",
            npy_of("<i8", "(1, 1)", &(-9007199254740993_i64).to_le_bytes()),
            &["-9007199254740993 as value 0", "8 bytes"],
        ),
        (
            "inexact-unsigned.npy",
            npy_of(">u8", "(1,)", &u64::MAX.to_be_bytes()),
            &["18446744073709551615 as value 0", "8 bytes"],
        ),
    ]
}

/// The most address space the process ever had, where the system tells.
fn peak_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmPeak:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024 * kilobytes)
}

#[test]
fn every_bad_file_is_refused_with_its_place_and_reason() {
    let folder = tempfile::tempdir().unwrap();
    let before = peak_bytes();
    let files = [
        stl_files(),
        obj_files(),
        ply_files(),
        off_files(),
        table_files(),
        array_files(),
    ];
    let mut count = 0;
    for (name, bytes, parts) in files.into_iter().flatten() {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let error = if MeshFormat::of_path(&path).is_ok() {
            read_mesh(&path).map(|loaded| format!("{loaded:?}"))
        } else {
            // Whoever reads an array refuses the same files.
            assert!(read_array(&path).is_err(), "{name}");
            read_table(&path).map(|table| format!("{table:?}"))
        };
        let message = match error {
            Ok(accepted) => panic!("{name} was accepted as {accepted}"),
            Err(error) => error.to_string(),
        };
        assert!(message.contains(name), "{name}: {message}");
        for part in parts {
            assert!(message.contains(part), "{name}: no {part:?} in {message}");
        }
        assert!(
            message.contains("found ") && message.contains(", expected "),
            "{name}: {message}"
        );
        assert!(!message.contains('\n'), "{name}: {message}");
        count += 1;
    }
    assert!(count >= 60, "{count} bad files");
    // Stacks and heaps of the threads take some; a count that was believed
    // would take 16 gigabytes at least.
    if let (Some(before), Some(after)) = (before, peak_bytes()) {
        assert!(after - before < 1 << 30, "{} bytes", after - before);
    }
}

#[test]
fn an_array_of_three_axes_is_no_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moving.npy");
    fs::write(&path, npy_of("|i1", "(1, 2, 2)", &[1, 2, 3, 4])).unwrap();
    let error = read_table(&path).unwrap_err().to_string();
    assert!(
        error.contains("moving.npy") && error.contains("[1, 2, 2]"),
        "{error}"
    );
    assert_eq!(read_array(&path).unwrap().shape, [1, 2, 2]);
}

#[test]
fn files_that_are_missing_or_of_unknown_kind_are_named() {
    let error = read_mesh("no-such-file.stl").unwrap_err().to_string();
    assert!(error.contains("no-such-file.stl"), "{error}");
    for (error, expected) in [
        (read_mesh("a.xyz").unwrap_err(), "stl, obj, ply, off"),
        (read_mesh("stl").unwrap_err(), "stl, obj, ply, off"),
        (read_table("a.stl").unwrap_err(), "csv"),
        (read_array("a.stl").unwrap_err(), "npy"),
    ] {
        let error = error.to_string();
        assert!(error.contains(expected), "{error}");
    }
}
