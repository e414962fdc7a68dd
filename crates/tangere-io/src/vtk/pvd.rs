//! Series of files over time (`.pvd`): what a viewer opens to show a motion.

use super::data::is_xml;
use super::text::escaped;
use std::io::{Error, ErrorKind, Result, Write};

/// Writes a series: for each step its time and its file, named relative to the
/// folder of the series and with `/` between folders. A time that is not finite
/// or a name that XML cannot hold is [`InvalidInput`](ErrorKind::InvalidInput),
/// before anything is written.
pub fn write<S: AsRef<str>>(steps: &[(f64, S)], sink: &mut dyn Write) -> Result<()> {
    for (i, (time, file)) in steps.iter().enumerate() {
        let file = file.as_ref();
        let error = if !time.is_finite() {
            tangere::Error::item("step", i, format!("the time {time}"), "a finite number")
        } else if file.is_empty() || !file.chars().all(is_xml) {
            tangere::Error::item(
                "step",
                i,
                format!("the file {file:?}"),
                "a name of at least one character, without control characters",
            )
        } else {
            continue;
        };
        return Err(Error::new(ErrorKind::InvalidInput, error));
    }
    writeln!(
        sink,
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  <Collection>"
    )?;
    for (time, file) in steps {
        writeln!(
            sink,
            "    <DataSet timestep=\"{time:?}\" group=\"\" part=\"0\" file=\"{}\"/>",
            escaped(file.as_ref())
        )?;
    }
    writeln!(sink, "  </Collection>\n</VTKFile>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_lists_its_steps() {
        let mut out = Vec::new();
        write(&[(0.0, "a&b.vtp"), (1e-300, "sub/c.vtp")], &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        let steps: Vec<_> = document
            .descendants()
            .filter(|node| node.has_tag_name("DataSet"))
            .map(|node| {
                (
                    node.attribute("timestep").unwrap(),
                    node.attribute("file").unwrap(),
                )
            })
            .collect();
        assert_eq!(steps, [("0.0", "a&b.vtp"), ("1e-300", "sub/c.vtp")]);
    }

    #[test]
    fn wrong_steps_are_refused_before_writing() {
        for steps in [
            [(f64::NAN, "a")],
            [(f64::INFINITY, "a")],
            [(0.0, "")],
            [(0.0, "a\u{1}")],
        ] {
            let mut out = Vec::new();
            let error = write(&steps, &mut out).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput);
            assert!(error.to_string().contains("step 0"));
            assert!(out.is_empty());
        }
    }
}
