//! Invalid STL files.

use super::{Bad, text};

/// Returns a binary STL file whose count may be wrong.
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

pub fn files() -> Vec<Bad> {
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
            &["all corners of triangles at [0.0, 0.0, 0.0]"],
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
