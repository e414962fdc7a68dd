//! Separates the XML of a file from its appended data. Raw appended data makes the
//! file neither XML nor UTF-8, so it is removed before parsing.

use super::super::text::line_of;
use crate::error::{Fault, Place};
use crate::text::{check_utf8_mark, quoted};
use roxmltree::{Document, Node};
use std::borrow::Cow;

/// A VTK XML file, separated into XML and appended data.
pub(super) struct Source<'a> {
    /// The XML without the appended data, well-formed; line numbers are those of the file.
    pub head: Cow<'a, str>,
    /// The byte range of the appended data in the file: from after the `_` that marks its beginning
    /// to the closing tag. `None` if the file has no appended data.
    pub appended: Option<(usize, usize)>,
}

const OPENING: &[u8] = b"<AppendedData";
const CLOSING: &[u8] = b"</AppendedData";

impl<'a> Source<'a> {
    /// Separates the XML of a file from its appended data.
    pub fn new(bytes: &'a [u8]) -> Result<Self, Fault> {
        let Some(tag) = appended_tag(bytes) else {
            return Ok(Source {
                head: Cow::Borrowed(text(bytes)?),
                appended: None,
            });
        };
        let Some(tag_end) = end_of_tag(bytes, tag) else {
            return Err(Fault::new(
                Place::Line(line_of(bytes, tag)),
                "a truncated AppendedData element",
                "its closing '>'",
            ));
        };
        if bytes[tag_end - 1] == b'/' {
            return Ok(Source {
                head: Cow::Borrowed(text(bytes)?),
                appended: None,
            });
        }
        let blanks = bytes[tag_end + 1..]
            .iter()
            .take_while(|b| b.is_ascii_whitespace())
            .count();
        let mark = tag_end + 1 + blanks;
        if bytes.get(mark) != Some(&b'_') {
            return Err(Fault::new(
                Place::Byte(mark),
                quoted(&bytes[mark..bytes.len().min(mark + 8)]),
                "'_' before the appended numbers",
            ));
        }
        let Some(end) = bytes[mark..]
            .windows(CLOSING.len())
            .rposition(|window| window == CLOSING)
        else {
            return Err(Fault::new(
                Place::Byte(bytes.len()),
                "the end of the file",
                "</AppendedData>; the file seems to be truncated",
            ));
        };
        if !is_closed(&bytes[mark + end + CLOSING.len()..]) {
            return Err(Fault::new(
                Place::Byte(bytes.len()),
                "the end of the file",
                "</AppendedData> and </VTKFile>; the file seems to be truncated",
            ));
        }
        let mut head = text(&bytes[..tag_end])?.to_owned();
        head.push_str("/></VTKFile>");
        Ok(Source {
            head: Cow::Owned(head),
            appended: Some((mark + 1, mark + end)),
        })
    }

    /// Parses the XML.
    pub fn document(&self) -> Result<Document<'_>, Fault> {
        check_tags(self.head.as_bytes())?;
        Document::parse(&self.head).map_err(|error| {
            Fault::new(
                Place::Line(error.pos().row as usize),
                format!("no well-formed XML ({})", error.to_string().escape_debug()),
                "the XML of a VTK file",
            )
        })
    }
}

/// Maximum number of attributes of an XML element; the parser takes quadratic time in their number.
const ATTRIBUTES: usize = 1000;

/// Refuses an element with more than [`ATTRIBUTES`] attributes, counted by their quoted values.
fn check_tags(bytes: &[u8]) -> Result<(), Fault> {
    let mut at = 0;
    while let Some(step) = bytes[at..].iter().position(|&b| b == b'<') {
        at += step;
        let rest = &bytes[at..];
        let closing: &[u8] = match rest {
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'!', b'[', ..] => b"]]>",
            [b'<', b'?', ..] => b"?>",
            _ => {
                let (mut quote, mut values) = (None, 0);
                let is_end = |&b: &u8| {
                    match quote {
                        None if b == b'"' || b == b'\'' => {
                            quote = Some(b);
                            values += 1;
                        }
                        Some(q) if b == q => quote = None,
                        _ => {}
                    }
                    quote.is_none() && b == b'>' || values > ATTRIBUTES
                };
                let end = rest.iter().position(is_end);
                if values > ATTRIBUTES {
                    return Err(Fault::new(
                        Place::Line(line_of(bytes, at)),
                        format!("an element of more than {ATTRIBUTES} attributes"),
                        format!("at most {ATTRIBUTES}"),
                    ));
                }
                match end {
                    Some(end) => at += end,
                    None => return Ok(()),
                }
                continue;
            }
        };
        let opening = if closing == b"-->" { 4 } else { 2 };
        let inner = rest.get(opening..).unwrap_or_default();
        match inner.windows(closing.len()).position(|w| w == closing) {
            Some(end) => at += opening + end,
            None => return Ok(()),
        }
    }
    Ok(())
}

/// Returns the position of the tag `<AppendedData` outside of comments; `None` if there is none.
fn appended_tag(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(step) = bytes[at..].iter().position(|&b| b == b'<') {
        at += step;
        let rest = &bytes[at..];
        if rest.starts_with(OPENING) {
            return Some(at);
        }
        at += if rest.starts_with(b"<!--") {
            rest.windows(3).skip(4).position(|w| w == b"-->")? + 4
        } else {
            1
        };
    }
    None
}

/// Whether the bytes after `</AppendedData` end that tag, and then the element `VTKFile`.
fn is_closed(rest: &[u8]) -> bool {
    const LAST: &[u8] = b"</VTKFile";
    let ends = |rest: &[u8]| rest.trim_ascii_start().starts_with(b">");
    let last = rest.windows(LAST.len()).position(|window| window == LAST);
    ends(rest) && last.is_some_and(|last| ends(&rest[last + LAST.len()..]))
}

/// Returns the position of the `>` that ends the tag at `tag`; a `>` in quotes does not end it.
fn end_of_tag(bytes: &[u8], tag: usize) -> Option<usize> {
    let mut quote = None;
    for (i, &b) in bytes[tag..].iter().enumerate() {
        match quote {
            None if b == b'>' => return Some(tag + i),
            None if b == b'"' || b == b'\'' => quote = Some(b),
            Some(q) if b == q => quote = None,
            _ => {}
        }
    }
    None
}

fn text(bytes: &[u8]) -> Result<&str, Fault> {
    check_utf8_mark(bytes)?;
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Fault::new(
            Place::Byte(at),
            format!("the byte {:#04x}", bytes[at]),
            "UTF-8 text",
        )
    })
}

/// Returns the line of the file on which an XML node begins.
pub(super) fn place_of(node: Node) -> Place {
    let position = node.document().text_pos_at(node.range().start);
    Place::Line(position.row as usize)
}

/// Returns the first child element with this name.
pub(super) fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

/// Returns all child elements with this name.
pub(super) fn children<'a, 'i, 'n>(
    node: Node<'a, 'i>,
    name: &'n str,
) -> impl Iterator<Item = Node<'a, 'i>> + use<'a, 'i, 'n> {
    node.children()
        .filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// Returns the value of an attribute as a whole number; `None` if the attribute is missing.
pub(super) fn count(node: Node, attribute: &str) -> Result<Option<usize>, Fault> {
    let Some(value) = node.attribute(attribute) else {
        return Ok(None);
    };
    value.trim().parse().map(Some).map_err(|_| {
        Fault::new(
            place_of(node),
            format!("{attribute} = {}", quoted(value.as_bytes())),
            "a whole number that is not negative",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn very_many_attributes_are_refused_at_once() {
        let attributes: String = (0..300_000).map(|i| format!(" a{i}='{i}'")).collect();
        for end in ["/></VTKFile>", ""] {
            let text = format!("<?x ' ?>\n<!-- \" -->\n<VTKFile><a{attributes}{end}");
            let fault = check_tags(text.as_bytes()).unwrap_err().to_string();
            assert!(
                fault.contains("line 3") && fault.contains("1000"),
                "{fault}"
            );
        }
    }

    #[test]
    fn quotes_elsewhere_are_no_attributes() {
        let quotes = "'\"".repeat(2000);
        let text = format!("<a><!--{quotes}--><![CDATA[{quotes}]]>{quotes}<?p {quotes}?></a>");
        assert!(check_tags(text.as_bytes()).is_ok());
        let value = format!("<a b='{}'>", "\">".repeat(2000));
        assert!(check_tags(value.as_bytes()).is_ok());
        for cut in ["<", "<!--", "<!-->", "<![", "<?", "<a b='"] {
            assert!(check_tags(cut.as_bytes()).is_ok());
        }
    }
}
