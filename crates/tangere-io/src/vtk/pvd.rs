//! Writer of time series of files (`.pvd`), which ParaView opens as an animation.

use super::text::{escaped, is_xml};
use std::io::{Error, ErrorKind, Result, Write};
use tangere::Argument;

/// Writes a time series. A step is a time and the path of a file, relative to the folder of the
/// series and with `/` between folders. Invalid steps (see [`check`]) are
/// [`InvalidInput`](ErrorKind::InvalidInput), before anything is written.
pub fn write<S: AsRef<str>>(steps: &[(f64, S)], sink: &mut dyn Write) -> Result<()> {
    check(steps).map_err(|error| Error::new(ErrorKind::InvalidInput, error))?;
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

/// Checks that the times of all steps are finite and that XML can contain the paths of their files.
pub fn check<S: AsRef<str>>(steps: &[(f64, S)]) -> tangere::Result<()> {
    for (i, (time, file)) in steps.iter().enumerate() {
        let bad = |found, expected| {
            Err(tangere::Error::item(
                Argument::Other("step"),
                i,
                found,
                expected,
            ))
        };
        if !time.is_finite() {
            return bad(format!("the time {time}"), "a finite number");
        }
        let file = file.as_ref();
        if file.is_empty() || !file.chars().all(is_xml) {
            return bad(
                format!("the file {file:?}"),
                "a name of at least one character, without control characters",
            );
        }
    }
    Ok(())
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
