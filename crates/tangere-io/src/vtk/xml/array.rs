//! Decoder of a VTK `DataArray`: text, base64 or appended data.

use super::super::field::{ByteOrder, FieldValues, NumberType, WordFault};
use super::super::text::{line_of, offset_in};
use super::blocks::{Encoded, Layout};
use super::source::{child, place_of};
use crate::error::{Fault, Place};
use crate::text::quoted;
use roxmltree::Node;

/// Maximum number of appended bytes that all arrays together may decode, as a multiple of the
/// appended bytes in the file. Writers do not let arrays share bytes, but a malicious file could do
/// so to exhaust memory.
const GREATEST_SHARING: usize = 8;

/// How a file stores its arrays: byte order, compression and appended data.
pub(super) struct Storage<'a> {
    layout: Layout,
    compressor: Option<String>,
    appended: Option<Encoded<'a>>,
    /// The number of appended bytes that arrays may still decode.
    allowance: usize,
}

impl<'a> Storage<'a> {
    /// Reads how a file stores its arrays, from the attributes of the root element and of
    /// `AppendedData`. `appended` is the byte range of the appended data in the file.
    pub fn new(
        file: &'a [u8],
        root: Node,
        appended: Option<(usize, usize)>,
    ) -> Result<Self, Fault> {
        let order = choice(root, "byte_order", ["LittleEndian", "BigEndian"])?;
        let header = choice(root, "header_type", ["UInt32", "UInt64"])?;
        let appended = match (child(root, "AppendedData"), appended) {
            (Some(node), Some((start, end))) => Some(Encoded {
                base64: choice(node, "encoding", ["base64", "raw"])? == 0,
                bytes: &file[start..end],
                start,
            }),
            _ => None,
        };
        Ok(Storage {
            layout: Layout {
                order: [ByteOrder::Little, ByteOrder::Big][order],
                header: [4, 8][header],
            },
            compressor: root
                .attribute("compressor")
                .filter(|name| !name.is_empty())
                .map(str::to_owned),
            allowance: appended.map_or(0, |a| a.bytes.len().saturating_mul(GREATEST_SHARING)),
            appended,
        })
    }

    /// Reads the numbers of an array, which must have `count` of them. `input` is the XML.
    pub fn values(&mut self, input: &str, array: Node, count: usize) -> Result<FieldValues, Fault> {
        let type_name = array.attribute("type").unwrap_or_default();
        let Some(kind) = NumberType::named(type_name) else {
            return Err(Fault::new(
                place_of(array),
                format!("{} of type {}", shown(array), quoted(type_name.as_bytes())),
                "Float32, Float64, or Int or UInt with 8, 16, 32 or 64 bits",
            ));
        };
        if count == 0 {
            // Writers differ in how they write an empty array.
            return Ok(FieldValues::from_bytes(kind, &[], self.layout.order));
        }
        let offset = array.attribute("offset");
        let format = array.attribute("format").unwrap_or(match offset {
            Some(_) => "appended",
            None => "ascii",
        });
        let encoded = match format {
            "ascii" => return words(input, array, kind, count),
            "binary" => inline(input, array)?,
            "appended" => self.at_offset(array)?,
            other => {
                return Err(Fault::new(
                    place_of(array),
                    format!(
                        "{} in the format {}",
                        shown(array),
                        quoted(other.as_bytes())
                    ),
                    "ascii, binary or appended",
                ));
            }
        };
        let Some(size) = count.checked_mul(kind.size()) else {
            return Err(Fault::new(
                place_of(array),
                format!("{} with {count} numbers", shown(array)),
                "fewer",
            ));
        };
        let (bytes, used) = match self.compressor.as_deref() {
            None => encoded.whole(self.layout, &shown(array), size)?,
            Some("vtkZLibDataCompressor") => encoded.inflated(self.layout, &shown(array), size)?,
            Some(other) => {
                return Err(Fault::new(
                    place_of(array),
                    format!("the compressor {}", quoted(other.as_bytes())),
                    "vtkZLibDataCompressor, or none (LZ4 and LZMA cannot be read)",
                ));
            }
        };
        if format == "appended" {
            let Some(rest) = self.allowance.checked_sub(used) else {
                return Err(Fault::new(
                    place_of(array),
                    format!("{} sharing bytes with many others", shown(array)),
                    "arrays that lie one after another",
                ));
            };
            self.allowance = rest;
        }
        Ok(FieldValues::from_bytes(kind, &bytes, self.layout.order))
    }

    fn at_offset(&self, array: Node) -> Result<Encoded<'a>, Fault> {
        let Some(appended) = self.appended else {
            return Err(Fault::new(
                place_of(array),
                format!("{}, appended", shown(array)),
                "an AppendedData element in the file",
            ));
        };
        let text = array.attribute("offset").unwrap_or_default();
        let offset = text.trim().parse().ok();
        offset
            .and_then(|offset: usize| {
                Some(Encoded {
                    bytes: appended.bytes.get(offset..)?,
                    start: appended.start + offset,
                    ..appended
                })
            })
            .ok_or_else(|| {
                Fault::new(
                    place_of(array),
                    format!("{} at offset {}", shown(array), quoted(text.as_bytes())),
                    format!(
                        "an offset up to {}, the number of appended bytes",
                        appended.bytes.len()
                    ),
                )
            })
    }
}

/// Returns the name of an array for a message.
fn shown(array: Node) -> String {
    let name = array.attribute("Name").unwrap_or_default();
    format!("the array {}", quoted(name.as_bytes()))
}

/// Returns the index in `values`, 0 or 1, of the value of the attribute `name`; 0 if the attribute
/// is missing. Any other value is a fault.
fn choice(node: Node, name: &str, values: [&str; 2]) -> Result<usize, Fault> {
    let value = node.attribute(name).unwrap_or(values[0]);
    values.iter().position(|&v| v == value).ok_or_else(|| {
        Fault::new(
            place_of(node),
            format!("{name} = {}", quoted(value.as_bytes())),
            values.join(" or "),
        )
    })
}

/// Returns the text nodes of an element, as slices of the input. Comments, and the elements in
/// which VTK stores the range of the values, separate them.
fn texts<'i>(input: &'i str, array: Node) -> impl Iterator<Item = &'i str> {
    array
        .children()
        .filter(|node| node.is_text())
        .filter_map(|node| input.get(node.range()))
}

fn words(input: &str, array: Node, kind: NumberType, count: usize) -> Result<FieldValues, Fault> {
    let length: usize = texts(input, array).map(str::len).sum();
    let mut words = texts(input, array).flat_map(str::split_ascii_whitespace);
    // A number takes at least one character, and a blank before the next.
    let values = FieldValues::from_words(kind, words.by_ref(), count, length / 2 + 1);
    let place = |word: &str| {
        let at = offset_in(input.as_bytes(), word.as_bytes());
        Place::Line(line_of(input.as_bytes(), at))
    };
    match values {
        Err(WordFault::Word(word)) => Err(Fault::new(
            place(word),
            quoted(word.as_bytes()),
            format!("a number of type {}", kind.name()),
        )),
        Err(WordFault::Few(found)) => Err(Fault::new(
            place_of(array),
            format!("{} with {found} numbers", shown(array)),
            format!("{count}"),
        )),
        Ok(values) => match words.next() {
            None => Ok(values),
            Some(word) => Err(Fault::new(
                place(word),
                format!(
                    "{} after {count} numbers of {}",
                    quoted(word.as_bytes()),
                    shown(array)
                ),
                "the end of the array",
            )),
        },
    }
}

fn inline<'i>(input: &'i str, array: Node) -> Result<Encoded<'i>, Fault> {
    let mut filled = texts(input, array).filter(|text| !text.trim().is_empty());
    match (filled.next(), filled.next()) {
        (Some(text), None) => Ok(Encoded {
            base64: true,
            bytes: text.as_bytes(),
            start: offset_in(input.as_bytes(), text.as_bytes()),
        }),
        (None, _) => Err(Fault::new(
            place_of(array),
            format!("{} without content", shown(array)),
            "base64",
        )),
        (Some(_), Some(_)) => Err(Fault::new(
            place_of(array),
            format!("{} in parts", shown(array)),
            "base64 in one part",
        )),
    }
}
