//! Reader of the elements of a text PLY file.

use super::header::{Body, Element, Header, Kind, Role};
use super::strip::Strip;
use crate::error::Fault;
use crate::polygons::Polygons;
use crate::text::{Line, integer, number, quoted};

/// The number of bytes of the shortest vertex, `0 0 0`, and of the shortest triangle, `3 0 1 2`,
/// each with its line end. Memory is reserved for at most as many as fit the file.
const SHORTEST_VERTEX: usize = 6;
const SHORTEST_FACE: usize = 8;

pub(super) fn parse(header: &Header, body: Body) -> Result<Polygons, Fault> {
    let mut lines = body.lines;
    let mut polygons = Polygons::default();
    let room = lines.rest().len();
    for element in &header.elements {
        match element.name.as_str() {
            "vertex" => {
                let most = room / SHORTEST_VERTEX;
                polygons.vertices.reserve(element.count.min(most));
            }
            "face" => {
                let most = element.count.min(room / SHORTEST_FACE);
                polygons.ends.reserve(most);
                polygons.indices.reserve(3 * most);
            }
            _ => {}
        }
        // Items without properties occupy no line.
        if element.properties.is_empty() {
            continue;
        }
        for i in 0..element.count {
            let Some(line) = lines.next_filled() else {
                let (name, count) = (&element.name, element.count);
                return Err(lines.end_fault(format!("{name} {i} of the {count} announced")));
            };
            item(line, element, header.vertex_count, &mut polygons)?;
        }
    }
    match lines.next_filled() {
        None => Ok(polygons),
        Some(line) => Err(line.fault(
            quoted(line.bytes),
            "the end of the file after all that the header announces",
        )),
    }
}

fn item(
    line: Line,
    element: &Element,
    vertex_count: usize,
    polygons: &mut Polygons,
) -> Result<(), Fault> {
    let mut words = line.words();
    let mut point = [0.0; 3];
    for property in &element.properties {
        let mut next = |what: &str| {
            words.next().ok_or_else(|| {
                line.fault(
                    "the end of the line",
                    format!("{what} {:?} of a {}", property.name, element.name),
                )
            })
        };
        if let Kind::Scalar(_) = property.kind {
            let word = next("property")?;
            if let Role::Coordinate(k) = property.role {
                point[k] = number(word, line.number)?;
            }
            continue;
        }
        let word = next("the count of list")?;
        let corners = property.role == Role::Corners;
        let least = if corners { 3 } else { 0 };
        let count = match integer::<u32>(word) {
            Some(count) if count >= least => count,
            _ => {
                let expected = format!("a count of at least {least} for {:?}", property.name);
                return Err(line.fault(quoted(word), expected));
            }
        };
        let mut strip = Strip::default();
        for _ in 0..count {
            let word = next("an item of list")?;
            match (property.role, integer::<u32>(word)) {
                (Role::Corners, Some(vertex)) if (vertex as usize) < vertex_count => {
                    polygons.indices.push(vertex);
                }
                (Role::Strips, Some(vertex)) if (vertex as usize) < vertex_count => {
                    strip.add(vertex, polygons);
                }
                (Role::Strips, None) if word == b"-1" => strip.end(),
                (Role::Corners | Role::Strips, _) => {
                    let end = if corners { "" } else { ", or -1 after a strip" };
                    return Err(line.fault(
                        quoted(word),
                        format!("a vertex below {vertex_count}, the number of vertices{end}"),
                    ));
                }
                _ => {}
            }
        }
    }
    let more = words.count();
    if more > 0 {
        return Err(line.fault(
            format!("{more} more words"),
            format!(
                "the end of the line after the properties of a {}",
                element.name
            ),
        ));
    }
    match element.name.as_str() {
        "vertex" => polygons.vertices.push(point),
        "face" => polygons.ends.push(polygons.indices.len()),
        _ => {}
    }
    Ok(())
}
