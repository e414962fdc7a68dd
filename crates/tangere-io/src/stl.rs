//! STL reader and writer, binary and text. A file has three corners per triangle, so every vertex
//! appears once for each triangle it belongs to. The reader ignores normals.
//!
//! The size decides whether a file is binary: a file of exactly `84 + 50 n` bytes whose header
//! counts `n` triangles is binary, whatever its first word (many programs begin binary files with
//! `solid`). Of the others, files that begin with `solid` and have no zero byte near the start are
//! text.
//!
//! A binary file that is longer or shorter than its count of triangles requires is refused: either
//! the size or the count is wrong, and trusting the count could silently drop triangles. For the
//! same reason a text must end with `endsolid`.
//!
//! Text is read into f64; the coordinates of a binary file are f32 by format.

use crate::error::{Fault, Place};
use crate::polygons::Polygons;
use crate::text::{Lines, check_utf8_mark, is_space, number, quoted, words, write_number};
use rayon::prelude::*;
use std::io::{self, Write};
use tangere::shape::TriMesh;

const HEADER: usize = 84;
const RECORD: usize = 50;

/// Number of triangles of a binary file that one parallel task reads: small enough to balance the
/// load, large enough to hide the overhead of a task.
const CHUNK: usize = 1 << 13;

/// Returns the triangles of an STL file as polygons without shared vertices.
pub(crate) fn parse(bytes: &[u8]) -> Result<Polygons, Fault> {
    let announced = bytes
        .first_chunk::<HEADER>()
        .and_then(|header| header.last_chunk::<4>())
        .map(|count| u32::from_le_bytes(*count) as usize);
    let Some(count) = announced else {
        check_utf8_mark(bytes)?;
        return match begins_with_solid(bytes) {
            true => parse_text(bytes),
            false => Err(Fault::new(
                Place::Byte(0),
                format!("a file of {} bytes", bytes.len()),
                "a text that begins with \"solid\", or a binary header of 84 bytes",
            )),
        };
    };
    let expected = HEADER as u64 + RECORD as u64 * count as u64;
    let size = bytes.len() as u64;
    if size == expected {
        return parse_binary(&bytes[HEADER..]);
    }
    check_utf8_mark(bytes)?;
    if begins_with_solid(bytes) && !bytes[..bytes.len().min(1024)].contains(&0) {
        return parse_text(bytes);
    }
    if size < expected {
        Err(Fault::new(
            Place::Byte(80),
            format!("a count of {count} triangles"),
            format!(
                "at most {}, for which the {size} bytes of the file have room",
                (bytes.len() - HEADER) / RECORD
            ),
        ))
    } else {
        Err(Fault::new(
            Place::Byte(expected as usize),
            format!("{} more bytes", size - expected),
            format!("the end of the file after the {count} triangles that byte 80 announces"),
        ))
    }
}

fn begins_with_solid(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let start = bytes.iter().position(|&byte| !is_space(byte)).unwrap_or(0);
    let word = &bytes[start..];
    word.len() >= 5 && word[..5].eq_ignore_ascii_case(b"solid")
}

fn parse_binary(records: &[u8]) -> Result<Polygons, Fault> {
    let count = records.len() / RECORD;
    if count as u64 * 3 > u64::from(u32::MAX) {
        return Err(Fault::new(
            Place::Byte(80),
            format!("a count of {count} triangles"),
            format!("at most {}", u32::MAX / 3),
        ));
    }
    let mut vertices = vec![[0.0; 3]; 3 * count];
    let first_bad = vertices
        .par_chunks_mut(3 * CHUNK)
        .zip(records.par_chunks(RECORD * CHUNK))
        .enumerate()
        .filter_map(|(chunk, (vertices, records))| {
            let (corners, _) = vertices.as_chunks_mut::<3>();
            let (records, _) = records.as_chunks::<RECORD>();
            let mut finite = true;
            for (corners, record) in corners.iter_mut().zip(records) {
                // A record is a normal, three corners and two unused bytes.
                let (values, _) = record[12..48].as_chunks::<4>();
                for (x, bytes) in corners.as_flattened_mut().iter_mut().zip(values) {
                    *x = f64::from(f32::from_le_bytes(*bytes));
                    finite &= x.is_finite();
                }
            }
            if finite {
                return None;
            }
            let values = vertices.as_flattened();
            let bad = values.iter().position(|x| !x.is_finite())?;
            Some((chunk * 9 * CHUNK + bad, values[bad]))
        })
        .min_by_key(|&(value, _)| value);
    if let Some((value, x)) = first_bad {
        let (triangle, within) = (value / 9, value % 9);
        return Err(Fault::new(
            Place::Byte(HEADER + RECORD * triangle + 12 + 4 * within),
            format!("{x} in triangle {triangle}"),
            "a finite coordinate",
        ));
    }
    Ok(soup(vertices))
}

/// Returns a list of triangles as polygons: every three consecutive vertices are one triangle.
fn soup(vertices: Vec<[f64; 3]>) -> Polygons {
    let count = vertices.len() / 3;
    Polygons {
        // This runs in parallel because the system provides new memory more slowly than one thread
        // fills it.
        indices: (0..vertices.len() as u32).into_par_iter().collect(),
        ends: (1..count + 1).into_par_iter().map(|i| 3 * i).collect(),
        vertices,
        ..Polygons::default()
    }
}

/// Iterator over the words of a text, with the current line number.
struct Words<'a> {
    lines: Lines<'a>,
    line: &'a [u8],
    number: usize,
}

impl<'a> Words<'a> {
    fn next(&mut self, expected: &str) -> Result<&'a [u8], Fault> {
        loop {
            if let Some(word) = words(self.line).next() {
                let start = word.as_ptr() as usize - self.line.as_ptr() as usize;
                self.line = &self.line[start + word.len()..];
                return Ok(word);
            }
            let Some(line) = self.lines.next() else {
                return Err(self.lines.end_fault(expected));
            };
            (self.line, self.number) = (line.bytes, line.number);
        }
    }

    fn keyword(&mut self, keyword: &str) -> Result<(), Fault> {
        let word = self.next(&format!("{keyword:?}"))?;
        match word.eq_ignore_ascii_case(keyword.as_bytes()) {
            true => Ok(()),
            false => Err(self.fault(word, format!("{keyword:?}"))),
        }
    }

    fn fault(&self, word: &[u8], expected: impl Into<String>) -> Fault {
        Fault::new(Place::Line(self.number), quoted(word), expected)
    }
}

fn parse_text(bytes: &[u8]) -> Result<Polygons, Fault> {
    let mut words = Words {
        lines: Lines::new(bytes),
        line: b"",
        number: 0,
    };
    let mut vertices = Vec::new();
    words.keyword("solid")?;
    loop {
        // The rest of the line is the name, which may be any text.
        words.line = b"";
        parse_facets(&mut words, &mut vertices)?;
        words.line = b"";
        // Several solids in one file become one surface.
        match words.next("") {
            Err(_) => break,
            Ok(word) if word.eq_ignore_ascii_case(b"solid") => {}
            Ok(word) => return Err(words.fault(word, "\"solid\" or the end of the file")),
        }
    }
    if vertices.len() as u64 > u64::from(u32::MAX) {
        return Err(words.lines.end_fault("at most 1431655765 triangles"));
    }
    Ok(soup(vertices))
}

/// Reads the facets of one solid up to and including `endsolid`.
fn parse_facets(words: &mut Words, vertices: &mut Vec<[f64; 3]>) -> Result<(), Fault> {
    const EITHER: &str = "\"facet\" or \"endsolid\"";
    loop {
        let word = words.next(EITHER)?;
        if word.eq_ignore_ascii_case(b"endsolid") {
            return Ok(());
        }
        if !word.eq_ignore_ascii_case(b"facet") {
            return Err(words.fault(word, EITHER));
        }
        words.keyword("normal")?;
        // Some programs write "nan" or other words for degenerate facets.
        for _ in 0..3 {
            words.next("the components of a normal")?;
        }
        words.keyword("outer")?;
        words.keyword("loop")?;
        for _ in 0..3 {
            words.keyword("vertex")?;
            let mut vertex = [0.0; 3];
            for x in &mut vertex {
                let word = words.next("a coordinate")?;
                *x = number(word, words.number)?;
            }
            vertices.push(vertex);
        }
        words.keyword("endloop")?;
        words.keyword("endfacet")?;
    }
}

/// Returns the unit normal of a triangle; zero if it is degenerate.
fn normal([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let [u, v]: [[f64; 3]; 2] = [b, c].map(|p| std::array::from_fn(|k| p[k] - a[k]));
    let n: [f64; 3] = std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        u[i] * v[j] - u[j] * v[i]
    });
    // The vector is scaled by its largest component, so that no square overflows.
    let scale = n.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if scale == 0.0 {
        return [0.0; 3];
    }
    let n = n.map(|x| x / scale);
    let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
    n.map(|x| x / length)
}

/// Writes a binary file. Coordinates are rounded to f32; the caller has checked the
/// mesh by [`rounding`](crate::f32_rounding::rounding).
pub(crate) fn write_binary(out: &mut impl Write, mesh: &TriMesh) -> io::Result<()> {
    // The header must not begin with `solid`, which some readers take for text.
    let mut header = [0; 80];
    let title = b"binary STL";
    header[..title.len()].copy_from_slice(title);
    out.write_all(&header)?;
    out.write_all(&(mesh.faces().len() as u32).to_le_bytes())?;
    for i in 0..mesh.faces().len() {
        let [a, b, c] = mesh.triangle(i);
        let rows = [normal([a, b, c]), a, b, c];
        let mut record = [0; RECORD];
        let (values, _) = record.as_chunks_mut::<4>();
        for (bytes, x) in values.iter_mut().zip(rows.as_flattened()) {
            *bytes = (*x as f32).to_le_bytes();
        }
        out.write_all(&record)?;
    }
    Ok(())
}

/// Writes text; coordinates read back bit for bit.
pub(crate) fn write_text(out: &mut impl Write, mesh: &TriMesh) -> io::Result<()> {
    fn row(out: &mut impl Write, head: &str, p: [f64; 3]) -> io::Result<()> {
        out.write_all(head.as_bytes())?;
        for x in p {
            out.write_all(b" ")?;
            write_number(out, x)?;
        }
        out.write_all(b"\n")
    }
    out.write_all(b"solid\n")?;
    for i in 0..mesh.faces().len() {
        let corners = mesh.triangle(i);
        row(out, "facet normal", normal(corners))?;
        out.write_all(b"  outer loop\n")?;
        for corner in corners {
            row(out, "    vertex", corner)?;
        }
        out.write_all(b"  endloop\nendfacet\n")?;
    }
    out.write_all(b"endsolid\n")
}
