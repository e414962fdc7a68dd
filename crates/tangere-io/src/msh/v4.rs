//! Node and element sections of MSH version 4.1.

use super::Reading;
use super::cursor::Cursor;
use crate::error::Fault;

/// The number of bytes of the shortest node as text: `1` and `0 0 0`, with the line ends. Memory is
/// reserved for at most as many nodes as fit the file.
const SHORTEST_NODE: usize = 8;

/// Reads the header of a section of nodes or elements: the number of blocks, the number of items,
/// the lowest and the highest item number. Returns the numbers of blocks and items.
fn header(cursor: &mut Cursor, what: &str) -> Result<(u64, u64), Fault> {
    cursor.begin_numbers();
    let blocks = cursor.size("the number of blocks")?;
    let count = cursor.size(what)?;
    if count > u32::MAX.into() {
        return Err(cursor.fault(count, format!("{what}, at most {}", u32::MAX)));
    }
    cursor.size("the lowest number")?;
    cursor.size("the highest number")?;
    Ok((blocks, count))
}

/// Reads the dimension and the number of the geometric entity that a block belongs to. Returns the
/// dimension.
fn entity(cursor: &mut Cursor) -> Result<usize, Fault> {
    const EXPECTED: &str = "the dimension of an entity, 0 to 3";
    let dimension = cursor.int(EXPECTED)?;
    if !(0..=3).contains(&dimension) {
        return Err(cursor.fault(dimension, EXPECTED));
    }
    cursor.int("the number of an entity")?;
    Ok(dimension as usize)
}

/// Reads the number of nodes or elements in a block. It is a fault if it exceeds `left`, the number
/// that the section still has to contain.
fn in_block(cursor: &mut Cursor, left: u64, what: &str) -> Result<u64, Fault> {
    let count = cursor.size(what)?;
    match count <= left {
        true => Ok(count),
        false => Err(cursor.fault(count, format!("{what}, at most {left} that are left"))),
    }
}

fn all_seen(cursor: &Cursor, left: u64, count: u64, what: &str) -> Result<(), Fault> {
    match left {
        0 => Ok(()),
        _ => Err(cursor.fault(
            format!("{} {what} in all blocks", count - left),
            format!("{count}, as the section announces"),
        )),
    }
}

pub(super) fn nodes(cursor: &mut Cursor, reading: &mut Reading) -> Result<(), Fault> {
    let (blocks, count) = header(cursor, "the number of nodes")?;
    let room = cursor.left() / SHORTEST_NODE;
    reading.elements.nodes.reserve(room.min(count as usize));
    let mut left = count;
    let mut tags = Vec::new();
    for _ in 0..blocks {
        let dimension = entity(cursor)?;
        const PARAMETRIC: &str = "0, or 1 if nodes have parameters";
        let parameters = match cursor.int(PARAMETRIC)? {
            0 => 0,
            1 => dimension,
            other => return Err(cursor.fault(other, PARAMETRIC)),
        };
        let here = in_block(cursor, left, "the number of nodes of a block")?;
        tags.clear();
        for _ in 0..here {
            tags.push(cursor.size("the number of a node")?);
        }
        for &tag in &tags {
            let point = cursor.point()?;
            for _ in 0..parameters {
                cursor.real("a parameter of a node")?;
            }
            reading.add_node(cursor, tag, point)?;
        }
        left -= here;
    }
    all_seen(cursor, left, count, "nodes")
}

pub(super) fn elements(cursor: &mut Cursor, reading: &mut Reading) -> Result<(), Fault> {
    let (blocks, count) = header(cursor, "the number of elements")?;
    let mut left = count;
    for _ in 0..blocks {
        entity(cursor)?;
        let code = cursor.int("the type of an element")?;
        let kind = Reading::kind(cursor, code)?;
        let here = in_block(cursor, left, "the number of elements of a block")?;
        for _ in 0..here {
            cursor.size("the number of an element")?;
            let number = |cursor: &mut Cursor| cursor.size("the number of a node");
            reading.add_element(cursor, kind, number)?;
        }
        left -= here;
    }
    all_seen(cursor, left, count, "elements")
}
