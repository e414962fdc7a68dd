//! Tests of VTK files, XML and legacy.

mod bad_legacy;
mod bad_xml;
mod mutations;
mod read;
mod write;

/// The defect of a file, its content, and parts of the expected message.
type Row<'a> = (&'a str, Vec<u8>, &'a [&'a str]);

/// Checks that every file is refused with a short message that contains the expected parts.
fn check(table: &[Row], read: impl Fn(&[u8]) -> Result<(), tangere_io::Fault>) {
    let mut wrong = Vec::new();
    for (what, bytes, parts) in table {
        let text = match read(bytes) {
            Ok(()) => "was read".to_owned(),
            Err(fault) => fault.to_string(),
        };
        if let Some(part) = parts.iter().find(|part| !text.contains(**part)) {
            wrong.push(format!("{what}: {text:?} lacks {part:?}"));
        }
        if text.len() > 600 {
            wrong.push(format!("{what}: {} characters", text.len()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
