//! Node and element sections of MSH versions 2 to 2.2.

use super::cursor::Cursor;
use super::{GmshKind, Reading};
use crate::error::Fault;

/// The number of bytes of the shortest node as text: `1 0 0 0` and the line end. Memory is reserved
/// for at most as many nodes as fit the file.
const SHORTEST_NODE: usize = 8;

/// Reads an integer that must not be negative, such as the number (tag) of a node or element.
fn tag(cursor: &mut Cursor, expected: &str) -> Result<u64, Fault> {
    let number = cursor.int(expected)?;
    u64::try_from(number).map_err(|_| cursor.fault(number, expected))
}

fn count(cursor: &mut Cursor, what: &str) -> Result<u64, Fault> {
    let count = cursor.text_count(what)?;
    match u32::try_from(count) {
        Ok(_) => Ok(count),
        Err(_) => Err(cursor.fault(count, format!("{what}, at most {}", u32::MAX))),
    }
}

pub(super) fn nodes(cursor: &mut Cursor, reading: &mut Reading) -> Result<(), Fault> {
    let count = count(cursor, "the number of nodes")?;
    let room = cursor.left() / SHORTEST_NODE;
    reading.elements.nodes.reserve(room.min(count as usize));
    for _ in 0..count {
        let tag = tag(cursor, "the number of a node")?;
        let point = cursor.point()?;
        reading.add_node(cursor, tag, point)?;
    }
    Ok(())
}

pub(super) fn elements(cursor: &mut Cursor, reading: &mut Reading) -> Result<(), Fault> {
    let count = count(cursor, "the number of elements")?;
    let mut seen = 0;
    while seen < count {
        let (kind, together, tags) = if cursor.is_binary() {
            // Elements of one type form a block with one header.
            let kind = kind(cursor)?;
            let together = tag(cursor, "the number of elements of one type")?;
            if together == 0 || together > count - seen {
                return Err(cursor.fault(
                    format!("{together} elements of one type"),
                    format!("1 to {}, which are left of {count}", count - seen),
                ));
            }
            (kind, together, tag(cursor, "the number of tags")?)
        } else {
            tag(cursor, "the number of an element")?;
            (kind(cursor)?, 1, tag(cursor, "the number of tags")?)
        };
        for _ in 0..together {
            if cursor.is_binary() {
                cursor.int("the number of an element")?;
            }
            for _ in 0..tags {
                cursor.int("a tag")?;
            }
            let number = |cursor: &mut Cursor| tag(cursor, "the number of a node");
            reading.add_element(cursor, kind, number)?;
        }
        seen += together;
    }
    Ok(())
}

fn kind(cursor: &mut Cursor) -> Result<GmshKind, Fault> {
    let code = cursor.int("the type of an element")?;
    Reading::kind(cursor, code)
}
