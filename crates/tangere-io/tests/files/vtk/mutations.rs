//! Thousands of slightly damaged VTK files: readers never panic, and indices they
//! return are in range.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::path::PathBuf;
use tangere_io::Polygons;
use tangere_io::vtk::{legacy, xml};
use test_support::Random;

fn mutated(original: &[u8], numbers: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..=numbers.below(3) {
        let at = numbers.below(bytes.len());
        match numbers.below(7) {
            0 => bytes[at] ^= 1 << numbers.below(8),
            1 => bytes[at] = numbers.below(256) as u8,
            2 => bytes[at] = b"0123456789-+. <>\"=/_\n"[numbers.below(21)],
            3 => {
                bytes.remove(at);
            }
            4 => bytes.insert(at, b"9"[0]),
            5 => bytes.truncate(at.max(1)),
            // Prefer digits: counts and offsets are the critical values.
            _ => {
                let digit = |b: &u8| b.is_ascii_digit();
                if let Some(step) = bytes[at..].iter().position(digit) {
                    bytes[at + step] = b'0' + numbers.below(10) as u8;
                }
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

fn check(name: &str, surface: &Polygons) {
    let count = surface.vertices.len();
    assert!(
        surface.indices.iter().all(|&i| (i as usize) < count),
        "{name}"
    );
    assert!(surface.ends.is_sorted(), "{name}");
    assert_eq!(
        surface.ends.last().copied().unwrap_or(0),
        surface.indices.len(),
        "{name}"
    );
}

#[test]
fn slightly_damaged_files() {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "data", "vtk"]
        .iter()
        .collect();
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let mut numbers = Random::new(20_040_229);
    let (mut read, mut refused) = (0, 0);
    for path in &paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let original = std::fs::read(path).unwrap();
        for _ in 0..250 {
            let bytes = mutated(&original, &mut numbers);
            let result = if name.ends_with(".vtk") {
                legacy::polygons(&bytes)
            } else {
                if let Ok(cloud) = xml::points(&bytes) {
                    for field in &cloud.fields {
                        assert_eq!(field.values.len(), field.components * cloud.points.len());
                    }
                }
                xml::polygons(&bytes)
            };
            match result {
                Ok(surface) => {
                    check(&name, &surface);
                    read += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    // Both outcomes are frequent, otherwise the mutations would test nothing.
    assert!(read > 1000 && refused > 1000, "{read} {refused}");
}
