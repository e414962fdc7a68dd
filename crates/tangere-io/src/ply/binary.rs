//! Reader of the elements of a binary PLY file.

use super::header::{Element, Header, Kind, Role, Type};
use super::strip::Strip;
use crate::error::{Fault, Place};
use crate::polygons::Polygons;

/// Reads the elements of a binary PLY file from byte `start` on. `BIG` is whether numbers are
/// big-endian.
pub(super) fn parse<const BIG: bool>(
    header: &Header,
    bytes: &[u8],
    start: usize,
) -> Result<Polygons, Fault> {
    let mut reader = Reader::<BIG> {
        bytes,
        at: start,
        vertex_count: header.vertex_count,
        polygons: Polygons::default(),
    };
    for element in &header.elements {
        reader.element(element)?;
    }
    match bytes.len() - reader.at {
        0 => Ok(reader.polygons),
        more => Err(Fault::new(
            Place::Byte(reader.at),
            format!("{more} more bytes"),
            "the end of the file after all that the header announces",
        )),
    }
}

struct Reader<'a, const BIG: bool> {
    bytes: &'a [u8],
    at: usize,
    vertex_count: usize,
    polygons: Polygons,
}

impl<'a, const BIG: bool> Reader<'a, BIG> {
    fn element(&mut self, element: &Element) -> Result<(), Fault> {
        let (size, fixed) = element.size();
        let room = self.bytes.len() - self.at;
        // Each item takes at least `size` bytes, so memory for a count that passes
        // here is of the order of the file size.
        let needed = element.count.checked_mul(size);
        let Some(needed) = needed.filter(|&needed| needed <= room) else {
            return Err(Fault::new(
                Place::Byte(self.at),
                format!("{room} bytes"),
                format!(
                    "at least {size} for each of the {} items of element {:?}",
                    element.count, element.name
                ),
            ));
        };
        match element.name.as_str() {
            "vertex" => {
                self.polygons.vertices.reserve(element.count);
                for i in 0..element.count {
                    let vertex = self.vertex(element, i)?;
                    self.polygons.vertices.push(vertex);
                }
            }
            "face" => {
                self.polygons.ends.reserve(element.count);
                self.polygons.indices.reserve(3 * element.count);
                for i in 0..element.count {
                    self.face(element, i)?;
                    self.polygons.ends.push(self.polygons.indices.len());
                }
            }
            "tristrips" => {
                for i in 0..element.count {
                    self.strips(element, i)?;
                }
            }
            _ if fixed => self.at += needed,
            _ => {
                for i in 0..element.count {
                    for property in &element.properties {
                        self.values(element, i, property.kind)?;
                    }
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn vertex(&mut self, element: &Element, item: usize) -> Result<[f64; 3], Fault> {
        let mut vertex = [0.0; 3];
        for property in &element.properties {
            let (kind, values) = self.values(element, item, property.kind)?;
            let Role::Coordinate(k) = property.role else {
                continue;
            };
            vertex[k] = float::<BIG>(kind, values);
            if !vertex[k].is_finite() {
                return Err(Fault::new(
                    Place::Byte(self.at - values.len()),
                    format!("{} in vertex {item}", vertex[k]),
                    "a finite coordinate",
                ));
            }
        }
        Ok(vertex)
    }

    #[inline]
    fn face(&mut self, element: &Element, item: usize) -> Result<(), Fault> {
        for property in &element.properties {
            let (kind, values) = self.values(element, item, property.kind)?;
            if property.role != Role::Corners {
                continue;
            }
            let corners = values.len() / kind.size();
            if corners < 3 {
                return Err(Fault::new(
                    Place::Byte(self.at - values.len()),
                    format!("{corners} vertices in face {item}"),
                    "at least 3",
                ));
            }
            for (i, value) in values.chunks_exact(kind.size()).enumerate() {
                let vertex = integer::<BIG>(kind, value);
                if vertex < 0 || vertex as u64 >= self.vertex_count as u64 {
                    return Err(Fault::new(
                        Place::Byte(self.at - values.len() + i * kind.size()),
                        format!("vertex {vertex} in face {item}"),
                        format!(
                            "a vertex below {}, the number of vertices",
                            self.vertex_count
                        ),
                    ));
                }
                self.polygons.indices.push(vertex as u32);
            }
        }
        Ok(())
    }

    fn strips(&mut self, element: &Element, item: usize) -> Result<(), Fault> {
        for property in &element.properties {
            let (kind, values) = self.values(element, item, property.kind)?;
            if property.role != Role::Strips {
                continue;
            }
            let mut strip = Strip::default();
            for (i, value) in values.chunks_exact(kind.size()).enumerate() {
                let vertex = integer::<BIG>(kind, value);
                match vertex {
                    -1 => strip.end(),
                    _ if vertex >= 0 && (vertex as u64) < self.vertex_count as u64 => {
                        strip.add(vertex as u32, &mut self.polygons);
                    }
                    _ => {
                        return Err(Fault::new(
                            Place::Byte(self.at - values.len() + i * kind.size()),
                            format!("vertex {vertex} in the strips {item}"),
                            format!(
                                "a vertex below {}, the number of vertices, or -1 after a strip",
                                self.vertex_count
                            ),
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads the value or the list of values of one property of an item. Returns their type and
    /// their bytes.
    #[inline]
    fn values(
        &mut self,
        element: &Element,
        item: usize,
        kind: Kind,
    ) -> Result<(Type, &'a [u8]), Fault> {
        match kind {
            Kind::Scalar(kind) => Ok((kind, self.take(element, item, kind.size() as u64)?)),
            Kind::List { count, item: kind } => {
                let at = self.at;
                let count = integer::<BIG>(count, self.take(element, item, count.size() as u64)?);
                let Ok(count) = u64::try_from(count) else {
                    return Err(Fault::new(
                        Place::Byte(at),
                        format!("a list of {count} values in {} {item}", element.name),
                        "a count that is not negative",
                    ));
                };
                let size = count.saturating_mul(kind.size() as u64);
                Ok((kind, self.take(element, item, size)?))
            }
        }
    }

    #[inline]
    fn take(&mut self, element: &Element, item: usize, size: u64) -> Result<&'a [u8], Fault> {
        let rest = &self.bytes[self.at..];
        if size > rest.len() as u64 {
            return Err(Fault::new(
                Place::Byte(self.at),
                format!("{} bytes up to the end of the file", rest.len()),
                format!("{size} bytes of {} {item}", element.name),
            ));
        }
        self.at += size as usize;
        Ok(&rest[..size as usize])
    }
}

/// Returns the first `N` bytes in little-endian order. `bytes` has at least `N`.
#[inline]
fn ordered<const BIG: bool, const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[..N]);
    if BIG {
        array.reverse();
    }
    array
}

#[inline]
fn float<const BIG: bool>(kind: Type, bytes: &[u8]) -> f64 {
    match kind {
        Type::F32 => f32::from_le_bytes(ordered::<BIG, 4>(bytes)).into(),
        Type::F64 => f64::from_le_bytes(ordered::<BIG, 8>(bytes)),
        _ => integer::<BIG>(kind, bytes) as f64,
    }
}

/// Converts bytes of the type `kind` to an integer. A value beyond i64 becomes the largest i64,
/// which no index or count accepts.
#[inline]
fn integer<const BIG: bool>(kind: Type, bytes: &[u8]) -> i64 {
    match kind {
        Type::I8 => i8::from_le_bytes(ordered::<BIG, 1>(bytes)).into(),
        Type::U8 => bytes[0].into(),
        Type::I16 => i16::from_le_bytes(ordered::<BIG, 2>(bytes)).into(),
        Type::U16 => u16::from_le_bytes(ordered::<BIG, 2>(bytes)).into(),
        Type::I32 => i32::from_le_bytes(ordered::<BIG, 4>(bytes)).into(),
        Type::U32 => u32::from_le_bytes(ordered::<BIG, 4>(bytes)).into(),
        Type::I64 => i64::from_le_bytes(ordered::<BIG, 8>(bytes)),
        Type::U64 => {
            let value = u64::from_le_bytes(ordered::<BIG, 8>(bytes));
            i64::try_from(value).unwrap_or(i64::MAX)
        }
        // The check of the header refuses floats as counts and indices.
        Type::F32 | Type::F64 => -1,
    }
}
