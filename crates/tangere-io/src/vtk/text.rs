//! Text of VTK files: line numbers, XML characters and their escapes.

/// Returns the line, counted from 1, on which a byte lies.
pub(crate) fn line_of(bytes: &[u8], position: usize) -> usize {
    let before = &bytes[..position.min(bytes.len())];
    1 + before.iter().filter(|&&b| b == b'\n').count()
}

/// Returns the offset of `part` in `whole`, of which it is a slice.
pub(super) fn offset_in(whole: &[u8], part: &[u8]) -> usize {
    (part.as_ptr() as usize)
        .saturating_sub(whole.as_ptr() as usize)
        .min(whole.len())
}

/// Escapes a text as the value of an XML attribute.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // An XML parser would normalise these characters to spaces.
            '\t' | '\n' | '\r' => out.push_str(&format!("&#{};", c as u32)),
            _ => out.push(c),
        }
    }
    out
}

/// Whether XML 1.0 can contain a character, as itself or escaped.
pub(super) fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}
