//! Invalid files: each is refused with an error that names the file, the position, what was found
//! and what was expected, without a panic and without allocating memory for a false count.

mod inp;
mod medit;
mod msh;
mod obj;
mod off;
mod ply;
mod stl;
pub mod table;

use std::fs;
use table::npy_of;
use tangere_io::{MeshFormat, read_array, read_mesh, read_table};
use test_support::alone;

/// The name of a file, its content, and parts that its error must contain.
type Bad = (&'static str, Vec<u8>, &'static [&'static str]);

fn text(content: &str) -> Vec<u8> {
    content.as_bytes().to_vec()
}

/// Returns the peak virtual memory of the process, if the system reports it.
fn peak_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmPeak:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024 * kilobytes)
}

#[test]
fn every_bad_file_is_refused_with_its_place_and_reason() {
    // The peak is that of the whole process, so no other test may run.
    alone!();
    let folder = tempfile::tempdir().unwrap();
    let before = peak_bytes();
    let files = [
        stl::files(),
        obj::files(),
        ply::files(),
        off::files(),
        msh::files(),
        medit::files(),
        inp::files(),
        table::files(),
        table::arrays(),
    ];
    let mut count = 0;
    for (name, bytes, parts) in files.into_iter().flatten() {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let error = if MeshFormat::of_path(&path).is_ok() {
            read_mesh(&path).map(|loaded| format!("{loaded:?}"))
        } else {
            // The array reader refuses the same files.
            assert!(read_array(&path).is_err(), "{name}");
            read_table(&path).map(|table| format!("{table:?}"))
        };
        let message = match error {
            Ok(accepted) => panic!("{name} was accepted as {accepted}"),
            Err(error) => error.to_string(),
        };
        assert!(message.contains(name), "{name}: {message}");
        for part in parts {
            assert!(message.contains(part), "{name}: no {part:?} in {message}");
        }
        assert!(
            message.contains("found ") && message.contains(", expected "),
            "{name}: {message}"
        );
        assert!(!message.contains('\n'), "{name}: {message}");
        count += 1;
    }
    assert!(count >= 170, "{count} bad files");
    // Stacks and heaps of the threads take some memory; allocating for a false count would take at
    // least 16 gigabytes.
    if let (Some(before), Some(after)) = (before, peak_bytes()) {
        assert!(after - before < 1 << 30, "{} bytes", after - before);
    }
}

#[test]
fn an_array_of_three_axes_is_no_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moving.npy");
    fs::write(&path, npy_of("|i1", "(1, 2, 2)", &[1, 2, 3, 4])).unwrap();
    let error = read_table(&path).unwrap_err().to_string();
    assert!(
        error.contains("moving.npy") && error.contains("[1, 2, 2]"),
        "{error}"
    );
    assert_eq!(read_array(&path).unwrap().shape, [1, 2, 2]);
}

#[test]
fn files_that_are_missing_or_of_unknown_kind_are_named() {
    let error = read_mesh("no-such-file.stl").unwrap_err().to_string();
    assert!(error.contains("no-such-file.stl"), "{error}");
    for (error, expected) in [
        (read_mesh("a.xyz").unwrap_err(), "stl, obj, ply, off"),
        (read_mesh("stl").unwrap_err(), "stl, obj, ply, off"),
        (read_table("a.stl").unwrap_err(), "csv"),
        (read_array("a.stl").unwrap_err(), "npy"),
    ] {
        let error = error.to_string();
        assert!(error.contains(expected), "{error}");
    }
}
