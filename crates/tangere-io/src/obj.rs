//! OBJ reader and writer: vertices and polygons. Everything else (normals, texture
//! coordinates, groups, materials, lines, points, curves) is skipped; skipped
//! normals, texture coordinates and materials are reported.
//!
//! Indices count from 1, or backward from the vertex read last if negative.
//! They may refer to vertices that come later in the file. What follows the
//! three coordinates of a vertex (a weight, a colour) is ignored; weights matter
//! to curves only. A line goes on after a backslash at its end.

use crate::error::Fault;
use crate::polygons::Polygons;
use crate::text::{Line, Lines, integer, is_space, quoted, write_number};
use std::io::{self, Write};
use tangere::shape::TriMesh;

/// Returns the vertices and polygons of an OBJ file.
pub(crate) fn parse(bytes: &[u8]) -> Result<Polygons, Fault> {
    let mut reader = Reader::default();
    let mut lines = Lines::new(bytes);
    let mut joined = Vec::new();
    while let Some(line) = lines.next() {
        let line = line.without_comment();
        let Some(start) = continued(line) else {
            reader.line(line)?;
            continue;
        };
        joined.clear();
        joined.extend_from_slice(start);
        for next in lines.by_ref() {
            joined.push(b' ');
            let next = next.without_comment();
            if let Some(start) = continued(next) {
                joined.extend_from_slice(start);
            } else {
                joined.extend_from_slice(next.bytes);
                break;
            }
        }
        reader.line(Line {
            number: line.number,
            bytes: &joined,
        })?;
    }
    reader.finish()
}

/// Returns the line without the backslash at its end, which means that it continues on the next
/// line. `None` if there is no backslash.
fn continued(line: Line<'_>) -> Option<&[u8]> {
    line.bytes.strip_suffix(b"\\")
}

#[derive(Default)]
struct Reader {
    polygons: Polygons,
    /// The largest vertex index, counted from 1, that a face used before that vertex was read, and
    /// the line of the face.
    ahead: Option<(u64, usize)>,
}

impl Reader {
    fn line(&mut self, line: Line) -> Result<(), Fault> {
        // Hot path: the keyword is tested before the line is split.
        let start = line.bytes.iter().position(|&byte| !is_space(byte));
        let text = &line.bytes[start.unwrap_or(line.bytes.len())..];
        match text {
            [b'v', space, ..] if is_space(*space) => {
                let mut words = line.words().skip(1);
                self.polygons.vertices.push(line.point(&mut words)?);
                Ok(())
            }
            [b'f', space, ..] if is_space(*space) => self.face(line),
            b"v" => Err(line.fault("\"v\" alone", "three coordinates")),
            b"f" => Err(line.fault("\"f\" alone", "at least 3 vertices")),
            [b'v', b'n', ..] => self.skip("normals"),
            [b'v', b't', ..] => self.skip("texture coordinates"),
            text if text.starts_with(b"usemtl") => self.skip("materials"),
            _ => Ok(()),
        }
    }

    fn skip(&mut self, what: &str) -> Result<(), Fault> {
        if !self.polygons.unkept.iter().any(|other| other == what) {
            self.polygons.unkept.push(what.to_owned());
        }
        Ok(())
    }

    fn face(&mut self, line: Line) -> Result<(), Fault> {
        let polygons = &mut self.polygons;
        let start = polygons.indices.len();
        for word in line.words().skip(1) {
            let count = polygons.vertices.len() as u64;
            let from_one = vertex_of(word, line, count)?;
            if from_one > count && self.ahead.is_none_or(|(largest, _)| from_one > largest) {
                self.ahead = Some((from_one, line.number));
            }
            polygons.indices.push((from_one - 1) as u32);
        }
        let corners = polygons.indices.len() - start;
        if corners < 3 {
            return Err(line.fault(
                format!("a face of {corners} vertices"),
                "at least 3 vertices",
            ));
        }
        polygons.ends.push(polygons.indices.len());
        Ok(())
    }

    fn finish(self) -> Result<Polygons, Fault> {
        let count = self.polygons.vertices.len();
        match self.ahead {
            Some((index, number)) if index > count as u64 => {
                let line = Line { number, bytes: b"" };
                Err(line.fault(
                    format!("vertex {index}"),
                    format!("at most {count}, the number of vertices in the file"),
                ))
            }
            _ => Ok(self.polygons),
        }
    }
}

/// Parses a vertex of a face in the form `v`, `v/vt`, `v//vn` or `v/vt/vn`, and returns its index,
/// counted from 1. A negative number counts backward from the last of the `count` vertices read so
/// far.
fn vertex_of(word: &[u8], line: Line, count: u64) -> Result<u64, Fault> {
    let mut parts = word.split(|&byte| byte == b'/');
    let vertex = parts.next().and_then(integer::<i64>);
    let texture = parts.next();
    let normal = parts.next();
    let well_formed = [texture, normal]
        .into_iter()
        .flatten()
        .all(|part| part.is_empty() || integer::<i64>(part).is_some());
    let vertex = match vertex {
        Some(vertex) if well_formed && parts.next().is_none() => vertex,
        _ => {
            return Err(line.fault(
                quoted(word),
                "a vertex as v, v/vt, v//vn or v/vt/vn with integers",
            ));
        }
    };
    if vertex == 0 {
        return Err(line.fault("vertex 0", "a vertex counted from 1, or from -1 backward"));
    }
    if vertex < 0 {
        return match vertex.unsigned_abs() <= count {
            true => Ok(count + 1 - vertex.unsigned_abs()),
            false => Err(line.fault(
                format!("vertex {vertex}"),
                format!("at least -{count}, the first of the {count} vertices above"),
            )),
        };
    }
    match vertex <= i64::from(u32::MAX) {
        true => Ok(vertex as u64),
        false => Err(line.fault(format!("vertex {vertex}"), format!("at most {}", u32::MAX))),
    }
}

/// Writes a triangle mesh as OBJ. Coordinates read back bit for bit.
pub(crate) fn write(out: &mut impl Write, mesh: &TriMesh) -> io::Result<()> {
    for vertex in mesh.vertices() {
        out.write_all(b"v")?;
        for &x in vertex {
            out.write_all(b" ")?;
            write_number(out, x)?;
        }
        out.write_all(b"\n")?;
    }
    for face in mesh.faces() {
        let [a, b, c] = face.map(|v| u64::from(v) + 1);
        writeln!(out, "f {a} {b} {c}")?;
    }
    Ok(())
}
