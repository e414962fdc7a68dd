//! OFF reader and writer (text only): vertices and polygons after a line of counts.
//!
//! A vertex and a face take one line each. What follows the coordinates of a
//! vertex (normals, colours, texture coordinates of the kinds NOFF, COFF, STOFF
//! and their combinations) and the vertices of a face (its colour) is ignored.
//! The keyword may be missing, the counts may follow it in the same line, and
//! the number of edges may be left out.
//!
//! *Deviates* from Geomview's description: it lets lines break anywhere; here a
//! line that is too short is an error, because a number that is missing would
//! otherwise shift all that follow.

use crate::error::Fault;
use crate::polygons::Polygons;
use crate::text::{Line, Lines, any_number, integer, quoted, write_number};
use std::io::{self, Write};
use tangere::shape::TriMesh;

/// The number of bytes of the shortest vertex, `0 0 0`, and of the shortest triangle, `3 0 1 2`,
/// each with its line end. Memory is reserved for at most as many as fit the file.
const SHORTEST_VERTEX: usize = 6;
const SHORTEST_FACE: usize = 8;

/// Returns the vertices and polygons of an OFF file.
pub(crate) fn parse(bytes: &[u8]) -> Result<Polygons, Fault> {
    let mut lines = Lines::new(bytes);
    let (vertex_count, face_count) = counts(&mut lines)?;
    let mut polygons = Polygons::default();
    let room = lines.rest().len();
    polygons
        .vertices
        .reserve(vertex_count.min(room / SHORTEST_VERTEX));
    polygons.ends.reserve(face_count.min(room / SHORTEST_FACE));
    polygons
        .indices
        .reserve(3 * face_count.min(room / SHORTEST_FACE));
    for i in 0..vertex_count {
        let line = lines.next_without_comment().ok_or_else(|| {
            lines.end_fault(format!("vertex {i} of the {vertex_count} announced"))
        })?;
        polygons.vertices.push(line.point(&mut line.words())?);
    }
    for i in 0..face_count {
        let line = lines
            .next_without_comment()
            .ok_or_else(|| lines.end_fault(format!("face {i} of the {face_count} announced")))?;
        face(line, &mut polygons)?;
    }
    match lines.next_without_comment() {
        None => Ok(polygons),
        Some(line) => Err(line.fault(
            quoted(line.bytes),
            format!(
                "the end of the file after the {vertex_count} vertices and {face_count} faces announced"
            ),
        )),
    }
}

/// Reads the number of vertices and the number of faces, after the keyword `OFF` if there is one.
fn counts(lines: &mut Lines) -> Result<(usize, usize), Fault> {
    const KEYWORD: &str = "the keyword OFF, possibly after ST, C or N";
    let mut line = lines
        .next_without_comment()
        .ok_or_else(|| lines.end_fault(KEYWORD))?;
    let mut words: Vec<_> = line.words().collect();
    if any_number(words[0]).is_none() {
        let kind = std::str::from_utf8(words[0]).ok();
        let kind = kind.and_then(|word| word.strip_suffix("OFF"));
        match kind {
            Some("" | "ST" | "C" | "N" | "STC" | "STN" | "CN" | "STCN") => {}
            _ => return Err(line.fault(quoted(words[0]), KEYWORD)),
        }
        words.remove(0);
        if words.is_empty() {
            line = lines
                .next_without_comment()
                .ok_or_else(|| lines.end_fault("the numbers of vertices, faces and edges"))?;
            words = line.words().collect();
        }
    }
    let [vertices, faces] = [0, 1].map(|i| {
        let word = words.get(i).copied().unwrap_or_default();
        // Indices are u32, so larger counts could not be used.
        match integer::<u32>(word) {
            Some(count) => Ok(count as usize),
            None => Err(line.fault(
                quoted(word),
                ["the number of vertices", "the number of faces"][i],
            )),
        }
    });
    if words.len() > 3 {
        return Err(line.fault(
            format!("{} words", words.len()),
            "the numbers of vertices, faces and edges",
        ));
    }
    Ok((vertices?, faces?))
}

fn face(line: Line, polygons: &mut Polygons) -> Result<(), Fault> {
    let mut words = line.words();
    let word = words.next().unwrap_or_default();
    let corners = match integer::<u32>(word) {
        Some(corners) if corners >= 3 => corners,
        _ => {
            return Err(line.fault(quoted(word), "the number of vertices of a face, at least 3"));
        }
    };
    let count = polygons.vertices.len();
    for i in 0..corners {
        let Some(word) = words.next() else {
            return Err(line.fault(
                format!("a face of {i} vertices"),
                format!("{corners} as the line announces"),
            ));
        };
        match integer::<u32>(word) {
            Some(vertex) if (vertex as usize) < count => polygons.indices.push(vertex),
            _ => {
                return Err(line.fault(
                    quoted(word),
                    format!("a vertex below {count}, the number of vertices"),
                ));
            }
        }
    }
    polygons.ends.push(polygons.indices.len());
    Ok(())
}

/// Writes a triangle mesh as OFF. Coordinates read back bit for bit.
pub(crate) fn write(out: &mut impl Write, mesh: &TriMesh) -> io::Result<()> {
    let (vertices, faces) = (mesh.vertices().len(), mesh.faces().len());
    writeln!(out, "OFF\n{vertices} {faces} 0")?;
    for vertex in mesh.vertices() {
        for (k, &x) in vertex.iter().enumerate() {
            out.write_all(if k == 0 { b"" } else { b" " })?;
            write_number(out, x)?;
        }
        out.write_all(b"\n")?;
    }
    for [a, b, c] in mesh.faces() {
        writeln!(out, "3 {a} {b} {c}")?;
    }
    Ok(())
}
