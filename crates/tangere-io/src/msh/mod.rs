//! Reader of Gmsh's MSH format: versions 2 to 2.2 and 4.1, text or binary.
//!
//! Reads nodes and elements of first and second order. Other sections (entities,
//! physical names, data, periodicity) are skipped. Node numbers may have gaps.
//! Cost: one pass, and a sort of the node numbers if they are not consecutive.
//!
//! Gmsh orders the nodes of some quadratic elements differently from VTK: see
//! [`kind`]. Versions 1, 3 and 4.0, which Gmsh writes only on request, are
//! errors that name the version.

mod cursor;
mod kind;
mod v2;
mod v4;

use crate::elements::Elements;
use crate::error::Fault;
use crate::node_numbers::Tags;
use crate::text::quoted;
use cursor::Cursor;
use kind::GmshKind;

/// What has been read from an MSH file so far.
#[derive(Default)]
struct Reading {
    elements: Elements,
    tags: Tags,
    has_nodes: bool,
}

/// Returns the nodes and elements of an MSH file.
pub(crate) fn parse(bytes: &[u8]) -> Result<Elements, Fault> {
    let mut cursor = Cursor::new(bytes);
    let version = header(&mut cursor)?;
    let mut reading = Reading::default();
    while let Some(word) = cursor.section()? {
        let name = String::from_utf8_lossy(&word[1..]).into_owned();
        match word {
            b"$Nodes" if reading.has_nodes => {
                return Err(cursor.fault("$Nodes again", "nodes once"));
            }
            b"$Nodes" => {
                match version {
                    Version::Two => v2::nodes(&mut cursor, &mut reading)?,
                    Version::Four => v4::nodes(&mut cursor, &mut reading)?,
                }
                reading.has_nodes = true;
                if let Some(tag) = reading.tags.finish() {
                    return Err(cursor.fault(format!("node {tag} twice"), "a number for each node"));
                }
                cursor.end("Nodes")?;
            }
            b"$Elements" if !reading.has_nodes => {
                return Err(cursor.fault("$Elements", "$Nodes before the elements"));
            }
            b"$Elements" => {
                match version {
                    Version::Two => v2::elements(&mut cursor, &mut reading)?,
                    Version::Four => v4::elements(&mut cursor, &mut reading)?,
                }
                cursor.end("Elements")?;
            }
            _ => {
                cursor.skip(&name)?;
                let kept_silently = ["Entities", "PhysicalNames", "PartitionedEntities"];
                if !kept_silently.contains(&name.as_str()) {
                    reading.elements.unkept.push(name);
                }
            }
        }
    }
    if !reading.has_nodes {
        return Err(cursor.fault("the end of the file", "$Nodes"));
    }
    Ok(reading.elements)
}

#[derive(Clone, Copy)]
enum Version {
    Two,
    Four,
}

/// Reads the first section, `$MeshFormat`: the version, and whether numbers are text or binary.
fn header(cursor: &mut Cursor) -> Result<Version, Fault> {
    const SECTION: &str = "$MeshFormat";
    let word = cursor.expected_word(SECTION)?;
    if word != SECTION.as_bytes() {
        return Err(cursor.fault(quoted(word), SECTION));
    }
    let word = cursor.expected_word("the version of the format")?;
    let version = match word {
        b"2" | b"2.0" | b"2.1" | b"2.2" => Version::Two,
        b"4.1" => Version::Four,
        _ => {
            return Err(cursor.fault(
                format!("version {}", quoted(word)),
                "version 2.2 or 4.1 of the format",
            ));
        }
    };
    let word = cursor.expected_word("0 for text or 1 for binary")?;
    let binary = match word {
        b"0" => false,
        b"1" => true,
        _ => return Err(cursor.fault(quoted(word), "0 for text or 1 for binary")),
    };
    let word = cursor.expected_word("8, the size of a number")?;
    if word != b"8" {
        return Err(cursor.fault(quoted(word), "8, the size of a number"));
    }
    if binary {
        cursor.begin_binary()?;
    }
    cursor.end("MeshFormat")?;
    Ok(version)
}

impl Reading {
    /// Returns the element type that Gmsh gives the number `code`.
    fn kind(cursor: &Cursor, code: i64) -> Result<GmshKind, Fault> {
        GmshKind::of_code(code).ok_or_else(|| {
            cursor.fault(
                format!("the Gmsh element type {code}"),
                "an element of first or second order: types 1 to 19",
            )
        })
    }

    fn add_node(&mut self, cursor: &Cursor, tag: u64, point: [f64; 3]) -> Result<(), Fault> {
        if let Some(x) = point.iter().find(|x| !x.is_finite()) {
            return Err(cursor.fault(
                format!("the coordinate {x} of node {tag}"),
                "finite coordinates",
            ));
        }
        self.tags.push(tag);
        self.elements.nodes.push(point);
        Ok(())
    }

    /// Appends an element of the given type. `tag` reads the number of each of its nodes from the
    /// cursor.
    fn add_element(
        &mut self,
        cursor: &mut Cursor,
        kind: GmshKind,
        mut tag: impl FnMut(&mut Cursor) -> Result<u64, Fault>,
    ) -> Result<(), Fault> {
        let mut nodes = [0; 27];
        for node in &mut nodes[..kind.nodes()] {
            let number = tag(cursor)?;
            *node = self.tags.place(number).ok_or_else(|| {
                let count = self.tags.len();
                cursor.fault(
                    format!("node {number}"),
                    format!("the number of one of the {count} nodes"),
                )
            })?;
        }
        let order = kind.order();
        self.elements
            .push(kind.kind(), (0..kind.nodes()).map(|k| nodes[order(k)]));
        Ok(())
    }
}
