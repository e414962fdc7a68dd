//! Line numbers and XML escapes of VTK files.

/// The line, counted from 1, on which a byte lies.
pub(crate) fn line_of(bytes: &[u8], position: usize) -> usize {
    let before = &bytes[..position.min(bytes.len())];
    1 + before.iter().filter(|&&b| b == b'\n').count()
}

/// Where `part`, a piece of `whole`, begins in it.
pub(super) fn offset_in(whole: &[u8], part: &[u8]) -> usize {
    (part.as_ptr() as usize)
        .saturating_sub(whole.as_ptr() as usize)
        .min(whole.len())
}

/// Text as the value of an XML attribute.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // A parser would normalise these to spaces.
            '\t' | '\n' | '\r' => out.push_str(&format!("&#{};", c as u32)),
            _ => out.push(c),
        }
    }
    out
}
