//! PLY reader and writer, text and binary of both byte orders: elements with
//! properties that the header describes.
//!
//! Reads the properties `x`, `y`, `z` of the element `vertex` and the list
//! `vertex_indices` (or `vertex_index`) of the elements `face` and `tristrips`, of any
//! type and in any order; all other properties and elements are skipped and named. In a text each
//! element takes one line. Content after the last element is refused, because the
//! counts of the header must be wrong then.
//!
//! Counts of the header are not trusted: memory is reserved for at most what the
//! rest of the file can hold.

mod binary;
mod header;
mod strip;
mod text;

use crate::error::Fault;
use crate::polygons::Polygons;
use crate::text::write_number;
use header::{Encoding, Header, Role};
use std::io::{self, Write};
use tangere::shape::TriMesh;

/// Returns the vertices and polygons of a PLY file.
pub(crate) fn parse(bytes: &[u8]) -> Result<Polygons, Fault> {
    let (header, body) = Header::parse(bytes)?;
    let mut polygons = match header.encoding {
        Encoding::Text => text::parse(&header, body),
        Encoding::LittleEndian => binary::parse::<false>(&header, bytes, body.start),
        Encoding::BigEndian => binary::parse::<true>(&header, bytes, body.start),
    }?;
    let (read, unread): (Vec<_>, Vec<_>) = (header.elements.iter())
        .filter(|element| element.count > 0 && !element.properties.is_empty())
        .partition(|element| element.is_read());
    polygons.unread = unread.iter().map(|element| element.name.clone()).collect();
    let properties = read.iter().flat_map(|element| &element.properties);
    polygons.unkept = properties
        .filter(|property| property.role == Role::Skipped)
        .map(|property| property.name.clone())
        .collect();
    Ok(polygons)
}

fn write_header(out: &mut impl Write, format: &str, mesh: &TriMesh) -> io::Result<()> {
    // Many readers support only signed indices.
    let signed = mesh.vertices().len() <= i32::MAX as usize;
    let index = if signed { "int" } else { "uint" };
    write!(
        out,
        "ply\nformat {format} 1.0\nelement vertex {}\nproperty double x\nproperty double y\n\
         property double z\nelement face {}\nproperty list uchar {index} vertex_indices\n\
         end_header\n",
        mesh.vertices().len(),
        mesh.faces().len()
    )
}

/// Writes a triangle mesh as binary PLY, little-endian, with coordinates as f64.
pub(crate) fn write_binary(out: &mut impl Write, mesh: &TriMesh) -> io::Result<()> {
    write_header(out, "binary_little_endian", mesh)?;
    for x in mesh.vertices().as_flattened() {
        out.write_all(&x.to_le_bytes())?;
    }
    for face in mesh.faces() {
        let mut record = [3; 13];
        let (values, _) = record[1..].as_chunks_mut::<4>();
        for (bytes, vertex) in values.iter_mut().zip(face) {
            *bytes = vertex.to_le_bytes();
        }
        out.write_all(&record)?;
    }
    Ok(())
}

/// Writes a triangle mesh as text PLY. Coordinates read back bit for bit.
pub(crate) fn write_text(out: &mut impl Write, mesh: &TriMesh) -> io::Result<()> {
    write_header(out, "ascii", mesh)?;
    for [x, y, z] in mesh.vertices() {
        write_number(out, *x)?;
        out.write_all(b" ")?;
        write_number(out, *y)?;
        out.write_all(b" ")?;
        write_number(out, *z)?;
        out.write_all(b"\n")?;
    }
    for [a, b, c] in mesh.faces() {
        writeln!(out, "3 {a} {b} {c}")?;
    }
    Ok(())
}
