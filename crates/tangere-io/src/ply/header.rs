//! Reader of the header of a PLY file.

use crate::error::{Fault, Place};
use crate::text::{Line, Lines, integer, quoted};

/// Encoding of the elements of a PLY file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// Type of a number in a PLY file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Type {
    /// Returns the type of a number by its PLY name: the original one, such as `float`, or the one
    /// with its size in bits, such as `float32`.
    fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Type::I8,
            b"uchar" | b"uint8" => Type::U8,
            b"short" | b"int16" => Type::I16,
            b"ushort" | b"uint16" => Type::U16,
            b"int" | b"int32" => Type::I32,
            b"uint" | b"uint32" => Type::U32,
            b"int64" => Type::I64,
            b"uint64" => Type::U64,
            b"float" | b"float32" => Type::F32,
            b"double" | b"float64" => Type::F64,
            _ => return None,
        })
    }

    /// Returns the size of a number of this type in bytes.
    pub fn size(self) -> usize {
        match self {
            Type::I8 | Type::U8 => 1,
            Type::I16 | Type::U16 => 2,
            Type::I32 | Type::U32 | Type::F32 => 4,
            Type::I64 | Type::U64 | Type::F64 => 8,
        }
    }

    pub fn is_integer(self) -> bool {
        !matches!(self, Type::F32 | Type::F64)
    }
}

/// Kind of a property of a PLY element: one number, or a list of numbers that begins with their
/// count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Scalar(Type),
    List { count: Type, item: Type },
}

/// What a property of a PLY element is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A coordinate of a vertex: 0, 1 or 2 for x, y or z.
    Coordinate(usize),
    /// The list of the vertex indices of a face.
    Corners,
    /// The list of the vertex indices of triangle strips, with -1 after each.
    Strips,
    Skipped,
}

#[derive(Debug)]
pub(super) struct Property {
    pub name: String,
    pub kind: Kind,
    pub role: Role,
}

#[derive(Debug)]
pub(super) struct Element {
    pub name: String,
    pub count: usize,
    pub properties: Vec<Property>,
    line: usize,
}

impl Element {
    /// Whether items of the element are read, rather than skipped.
    pub fn is_read(&self) -> bool {
        self.properties.iter().any(|p| p.role != Role::Skipped)
    }

    /// Returns the minimum size in bytes of an item of the element in a binary file, and whether
    /// all items have this size. A list of the vertices of a face has at least 3 entries, any other
    /// list may be empty.
    pub fn size(&self) -> (usize, bool) {
        let mut size = 0_usize;
        let mut fixed = true;
        for property in &self.properties {
            size = size.saturating_add(match property.kind {
                Kind::Scalar(kind) => kind.size(),
                Kind::List { count, item } => {
                    fixed = false;
                    let least = if property.role == Role::Corners { 3 } else { 0 };
                    count.size() + least * item.size()
                }
            });
        }
        (size, fixed)
    }
}

/// The checked header of a PLY file. It has one element `vertex` with coordinates. If it has an
/// element `face` or `tristrips`, which point clouds lack, that has a list of vertices.
#[derive(Debug)]
pub(super) struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// The number of vertices that the header announces.
    pub vertex_count: usize,
}

/// The part of a PLY file after the header.
pub(super) struct Body<'a> {
    /// The index in the file of the first byte after the header.
    pub start: usize,
    /// The lines after the header; only used if the file is a text.
    pub lines: Lines<'a>,
}

impl Header {
    pub fn parse(bytes: &[u8]) -> Result<(Header, Body<'_>), Fault> {
        let mut lines = Lines::new(bytes);
        let first = lines.next();
        if !bytes.starts_with(b"ply") || first.is_none_or(|line| line.words().ne([b"ply"])) {
            return Err(Fault::new(
                Place::Line(1),
                quoted(first.map_or(b"", |line| line.bytes)),
                "\"ply\"",
            ));
        }
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        loop {
            let Some(line) = lines.next() else {
                return Err(lines.end_fault("\"end_header\""));
            };
            let words: Vec<_> = line.words().collect();
            match words[..] {
                [b"end_header"] => break,
                [b"format", name, version] if encoding.is_none() => {
                    encoding = Some(encoding_named(line, name, version)?);
                }
                [b"comment" | b"obj_info", ..] | [] => {}
                [b"element", name, count] => elements.push(element(line, &elements, name, count)?),
                [b"property", ..] => {
                    let Some(element) = elements.last_mut() else {
                        return Err(line.fault("a property", "an element before it"));
                    };
                    let property = property(line, element, &words[1..])?;
                    element.properties.push(property);
                }
                _ => {
                    return Err(line.fault(
                        quoted(line.bytes),
                        "one format, \"element NAME COUNT\", \"property TYPE NAME\", \"property list TYPE TYPE NAME\", \"comment\" or \"end_header\"",
                    ));
                }
            }
        }
        let Some(encoding) = encoding else {
            return Err(Fault::new(
                Place::Part("header"),
                "no format",
                "\"format ascii 1.0\" or one of the binary formats",
            ));
        };
        let vertex_count = check(&elements)?;
        let mut start = bytes.len() - lines.rest().len();
        // A header whose lines end with CR alone can be followed by a binary
        // body that begins with the byte of LF.
        if encoding != Encoding::Text
            && bytes.get(3) == Some(&b'\r')
            && bytes.get(4) != Some(&b'\n')
            && bytes[..start].ends_with(b"\r\n")
        {
            start -= 1;
        }
        let header = Header {
            encoding,
            elements,
            vertex_count,
        };
        Ok((header, Body { start, lines }))
    }
}

fn encoding_named(line: Line, name: &[u8], version: &[u8]) -> Result<Encoding, Fault> {
    if version != b"1.0" {
        return Err(line.fault(quoted(version), "version 1.0"));
    }
    match name {
        b"ascii" => Ok(Encoding::Text),
        b"binary_little_endian" => Ok(Encoding::LittleEndian),
        b"binary_big_endian" => Ok(Encoding::BigEndian),
        _ => Err(line.fault(
            quoted(name),
            "ascii, binary_little_endian or binary_big_endian",
        )),
    }
}

fn element(line: Line, before: &[Element], name: &[u8], count: &[u8]) -> Result<Element, Fault> {
    let name = String::from_utf8_lossy(name).into_owned();
    let known = matches!(name.as_str(), "vertex" | "face" | "tristrips");
    if known && before.iter().any(|element| element.name == name) {
        return Err(line.fault(
            format!("a second element {name:?}"),
            "one with all its items",
        ));
    }
    // Indices are u32, so more vertices or faces could not be used.
    let most = if known { u64::from(u32::MAX) } else { u64::MAX };
    let number = integer::<u64>(count).filter(|&count| count <= most);
    match number.and_then(|count| usize::try_from(count).ok()) {
        Some(count) => Ok(Element {
            name,
            count,
            properties: Vec::new(),
            line: line.number,
        }),
        None => Err(line.fault(quoted(count), format!("a count from 0 to {most}"))),
    }
}

fn property(line: Line, element: &Element, words: &[&[u8]]) -> Result<Property, Fault> {
    let kind_named = |name: &[u8]| {
        Type::named(name).ok_or_else(|| {
            line.fault(
                quoted(name),
                "a type: char, uchar, short, ushort, int, uint, float, double, or int8 to float64",
            )
        })
    };
    let (kind, name) = match *words {
        [b"list", count, item, name] => {
            let kind = Kind::List {
                count: kind_named(count)?,
                item: kind_named(item)?,
            };
            (kind, name)
        }
        [kind, name] => (Kind::Scalar(kind_named(kind)?), name),
        _ => {
            return Err(line.fault(
                quoted(line.bytes),
                "\"property TYPE NAME\" or \"property list TYPE TYPE NAME\"",
            ));
        }
    };
    if let Kind::List { count, .. } = kind
        && !count.is_integer()
    {
        return Err(line.fault("a count of a float type", "an integer type"));
    }
    let role = match (element.name.as_str(), name) {
        ("vertex", b"x") => Role::Coordinate(0),
        ("vertex", b"y") => Role::Coordinate(1),
        ("vertex", b"z") => Role::Coordinate(2),
        ("face", b"vertex_indices" | b"vertex_index") => Role::Corners,
        ("tristrips", b"vertex_indices" | b"vertex_index") => Role::Strips,
        _ => Role::Skipped,
    };
    let fits = match (role, kind) {
        (Role::Skipped, _) | (Role::Coordinate(_), Kind::Scalar(_)) => true,
        (Role::Corners | Role::Strips, Kind::List { item, .. }) => item.is_integer(),
        _ => false,
    };
    if !fits {
        return Err(line.fault(
            quoted(line.bytes),
            "a number for a coordinate, a list of integers for the vertices of a face",
        ));
    }
    let twice = |other: &Property| role != Role::Skipped && other.role == role;
    if element.properties.iter().any(twice) {
        return Err(line.fault(format!("a second property {}", quoted(name)), "one of them"));
    }
    Ok(Property {
        name: String::from_utf8_lossy(name).into_owned(),
        kind,
        role,
    })
}

/// Checks that there is an element `vertex` with coordinates, and that the elements `face` and
/// `tristrips`, if any, have a list of vertices. Returns the number of vertices.
fn check(elements: &[Element]) -> Result<usize, Fault> {
    let find = |name: &str, roles: &[Role], properties: &str| {
        let element = elements.iter().find(|element| element.name == name);
        let Some(element) = element else {
            return Err(Fault::new(
                Place::Part("header"),
                format!("no element {name:?}"),
                format!("one with the properties {properties}"),
            ));
        };
        let has = |role| element.properties.iter().any(|p| p.role == role);
        match roles.iter().all(|&role| has(role)) {
            true => Ok(element.count),
            false => Err(Fault::new(
                Place::Line(element.line),
                format!("an element {name:?} with missing properties"),
                format!("the properties {properties}"),
            )),
        }
    };
    if elements.iter().any(|element| element.name == "face") {
        find("face", &[Role::Corners], "vertex_indices (a list)")?;
    }
    if elements.iter().any(|element| element.name == "tristrips") {
        find("tristrips", &[Role::Strips], "vertex_indices (a list)")?;
    }
    find("vertex", &[0, 1, 2].map(Role::Coordinate), "x, y and z")
}
