//! Invalid legacy VTK files: the fault names the position and the reason, and memory stays in
//! proportion to the file.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use super::check;
use tangere_io::vtk::legacy;

fn replaced(file: &str, from: &str, to: &str) -> Vec<u8> {
    assert!(file.contains(from), "{from}");
    file.replacen(from, to, 1).into_bytes()
}

/// Returns a valid legacy file in which a piece of text is replaced.
fn legacy_text(from: &str, to: &str) -> Vec<u8> {
    let file = "# vtk DataFile Version 3.0
a triangle
ASCII
DATASET POLYDATA
POINTS 3 float
0 0 0
1 0 0
0 1 0
POLYGONS 1 4
3 0 1 2
";
    replaced(file, from, to)
}

fn legacy_new(from: &str, to: &str) -> Vec<u8> {
    let file = "# vtk DataFile Version 5.1
a triangle
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 3 float
0 0 0 1 0 0 0 1 0
CELLS 2 3
OFFSETS vtktypeint64
0 3
CONNECTIVITY vtktypeint64
0 1 2
CELL_TYPES 1
5
";
    replaced(file, from, to)
}

fn legacy_binary(points: &str, numbers: usize, rest: &[u8]) -> Vec<u8> {
    let head = "# vtk DataFile Version 4.2\n\nBINARY\nDATASET POLYDATA\n";
    let mut file = format!("{head}POINTS {points} float\n").into_bytes();
    file.extend((0..numbers).flat_map(|i| (i as f32).to_be_bytes()));
    file.extend_from_slice(rest);
    file
}

#[test]
fn bad_legacy_files() {
    assert!(legacy::polygons(&legacy_text("3 0 1 2", "3 0 1 2")).is_ok());
    assert!(legacy::polygons(&legacy_new("0 3", "0 3")).is_ok());
    let cell = b"\nPOLYGONS 1 4\n\0\0\0\x03\0\0\0\0\0\0\0\x01\0\0\0\x02\n";
    assert!(legacy::polygons(&legacy_binary("3", 9, cell)).is_ok());

    let table: &[(&str, Vec<u8>, &[&str])] = &[
        ("empty", vec![], &["line 1", "# vtk DataFile Version"]),
        (
            "XML",
            b"<VTKFile type=\"PolyData\"/>".to_vec(),
            &["line 1", "<VTKFile", "# vtk DataFile Version"],
        ),
        ("version 6", legacy_text("3.0", "6.0"), &["line 1", "5.1"]),
        ("no version", legacy_text("3.0", ""), &["line 1"]),
        (
            "format",
            legacy_text("ASCII", "TEXT"),
            &["line 3", "\"TEXT\"", "ASCII or BINARY"],
        ),
        (
            "only a header",
            b"# vtk DataFile Version 3.0\n\nASCII\n".to_vec(),
            &["line 4", "the end of the file", "DATASET"],
        ),
        (
            "no dataset",
            legacy_text("DATASET", "DATA"),
            &["line 4", "\"DATA\""],
        ),
        (
            "image",
            legacy_text("POLYDATA", "STRUCTURED_POINTS"),
            &["line 4", "STRUCTURED_POINTS", "POLYDATA or"],
        ),
        (
            "keyword",
            legacy_text("POLYGONS", "POLYGON"),
            &["line 9", "\"POLYGON\"", "TRIANGLE_STRIPS"],
        ),
        (
            "cells in polydata",
            legacy_text("POLYGONS", "CELLS"),
            &["line 9", "\"CELLS\""],
        ),
        (
            "no count",
            legacy_text("POINTS 3", "POINTS three"),
            &["line 5", "\"three\""],
        ),
        (
            "negative count",
            legacy_text("POINTS 3", "POINTS -3"),
            &["line 5", "\"-3\""],
        ),
        (
            "too many points",
            legacy_text("POINTS 3", "POINTS 5000000000"),
            &["line 5", "5000000000"],
        ),
        (
            "4 billion points",
            legacy_text("POINTS 3", "POINTS 4000000000"),
            &["line 9", "\"POLYGONS\"", "Float32"],
        ),
        (
            "type",
            legacy_text("float", "real"),
            &["line 5", "\"real\"", "double"],
        ),
        (
            "not finite",
            legacy_text("1 0 0", "1 nan 0"),
            &["point 1", "NaN", "finite coordinates"],
        ),
        (
            "word",
            legacy_text("1 0 0", "1 zero 0"),
            &["line 7", "\"zero\""],
        ),
        (
            "few points",
            legacy_text("0 1 0\nPOLYGONS 1 4\n3 0 1 2\n", "0"),
            &["line 8", "7 numbers", "9 numbers"],
        ),
        (
            "index",
            legacy_text("3 0 1 2", "3 0 1 3"),
            &["polygon 0", "the point 3", "below 3"],
        ),
        (
            "negative index",
            legacy_text("3 0 1 2", "3 0 -1 2"),
            &["polygon 0", "the point -1"],
        ),
        (
            "long cell",
            legacy_text("3 0 1 2", "4 0 1 2"),
            &["polygon 0", "4 points", "1 cells in 4 numbers"],
        ),
        (
            "negative cell",
            legacy_text("3 0 1 2", "-3 0 1 2"),
            &["polygon 0", "-3 points"],
        ),
        (
            "short cell",
            legacy_text("3 0 1 2", "2 0 1 2"),
            &["line 9", "1 numbers left"],
        ),
        (
            "edge",
            legacy_text("1 4\n3 0 1 2", "1 3\n2 0 1"),
            &["polygon 0", "2 vertices", "at least 3"],
        ),
        (
            "more cells than numbers",
            legacy_text("1 4", "5 4"),
            &["line 9", "5 cells in 4 numbers"],
        ),
        (
            "4 billion cells",
            legacy_text("1 4", "4000000000 16000000000"),
            &["4 numbers", "16000000000"],
        ),
        (
            "no offsets",
            legacy_new("OFFSETS", "0"),
            &["line 8", "\"0\"", "OFFSETS"],
        ),
        (
            "falling offsets",
            legacy_new("0 3\n", "3 0\n"),
            &["offset 1", "0 after 3"],
        ),
        ("first offset", legacy_new("0 3\n", "1 3\n"), &["1 to 3"]),
        (
            "last offset",
            legacy_new("0 3\n", "0 2\n"),
            &["0 to 2", "0 to 3"],
        ),
        (
            "negative offset",
            legacy_new("0 3\n", "-1 3\n"),
            &["offset 0", "-1"],
        ),
        (
            "index of a grid",
            legacy_new("0 1 2\n", "0 1 7\n"),
            &["cell 0", "the point 7"],
        ),
        (
            "tetrahedron",
            legacy_new("CELL_TYPES 1\n5", "CELL_TYPES 1\n10"),
            &["cell 0", "tetrahedron"],
        ),
        (
            "negative type",
            legacy_new("CELL_TYPES 1\n5", "CELL_TYPES 1\n-5"),
            &["cell 0", "-5"],
        ),
        (
            "no types",
            legacy_new("CELL_TYPES 1\n5", ""),
            &["CELL_TYPES", "0 types", "1, one for each cell"],
        ),
        (
            "many types",
            legacy_new("CELL_TYPES 1\n5", "CELL_TYPES 2\n5 5"),
            &["2 types"],
        ),
        (
            "binary, cut",
            legacy_binary("3", 8, b""),
            &["byte 67", "32 bytes", "9 numbers of 4 bytes"],
        ),
        (
            "binary, 4 billion",
            legacy_binary("4000000000", 9, cell),
            &["12000000000 numbers"],
        ),
        ("binary, keyword", legacy_binary("2", 9, cell), &["byte 91"]),
        (
            "a field cut off",
            legacy_text("POINTS 3 float", "FIELD f 1\na 1 99 int"),
            &["line 10", "\"POLYGONS\""],
        ),
        (
            "a field of what",
            legacy_text("POINTS 3 float", "FIELD f 1\na 1 3 color"),
            &["line 6", "\"color\""],
        ),
        (
            "strings cut off",
            legacy_text("POINTS 3 float", "FIELD f 1\na 1 99 string"),
            &["string 5", "99 strings"],
        ),
        (
            "endless field",
            legacy_text("POINTS 3 float", "FIELD f 1\na 4294967296 4294967296 int"),
            &["line 6", "fewer"],
        ),
    ];
    check(table, |bytes| legacy::polygons(bytes).map(drop));
    assert!(table.len() >= 40);
}
