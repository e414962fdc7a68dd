//! Description of files in golden files: short texts in full, other files by header and hash.

use super::mask;

/// Limit of the length of a text that is kept in full; longer texts are described by their hash.
const SHORT: usize = 20_000;

/// Describes a file according to its extension.
pub fn file(name: &str, content: &[u8]) -> String {
    let ending = name.rsplit('.').next().unwrap_or_default();
    match ending {
        "json" => mask::json(&String::from_utf8_lossy(content)),
        "csv" => String::from_utf8_lossy(content).into_owned(),
        "obj" | "off" if content.len() < SHORT => String::from_utf8_lossy(content).into_owned(),
        "npy" => headers(content) + &bytes(content),
        "vtp" | "vtu" | "vti" => until(content, "<AppendedData") + &bytes(content),
        "ply" => until(content, "end_header") + &bytes(content),
        _ => bytes(content),
    }
}

/// Describes bytes by their length and hash.
pub fn bytes(content: &[u8]) -> String {
    format!("{} bytes, FNV-1a {:016x}\n", content.len(), hash(content))
}

/// Returns the 64-bit FNV-1a hash.
fn hash(content: &[u8]) -> u64 {
    content.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Returns the lines before the first one that contains a word.
fn until(content: &[u8], word: &str) -> String {
    let text = String::from_utf8_lossy(content);
    let lines = text.lines().take_while(|line| !line.contains(word));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Returns the headers of all arrays of an NPY file.
fn headers(content: &[u8]) -> String {
    const MAGIC: &[u8] = b"\x93NUMPY";
    let starts = (0..content.len()).filter(|&i| content[i..].starts_with(MAGIC));
    starts
        .map(|start| {
            let header = &content[start + 10..];
            let end = header.iter().position(|&byte| byte == b'\n');
            let text = String::from_utf8_lossy(&header[..end.unwrap_or(0)]);
            format!("{}\n", text.trim_end())
        })
        .collect()
}
