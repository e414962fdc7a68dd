//! Sphere packings: round trips and invalid files.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::fs;
use std::path::Path;
use tangere::shape::{Packing, TriMesh};
use tangere_io::{
    NpyData, Particles, Solid, TableFormat, packing_from_bytes, read_array, read_packing,
    read_particles, read_solid, write_mesh, write_npy, write_packing,
};
use test_support::Random;
use test_support::surfaces::cube;

/// Returns a packing of three spheres in a cube.
fn packing() -> Packing {
    let centers = vec![[0.0, -1.0, 1e-3], [0.1, 1.0 / 3.0, 0.0], [1.0, 1.0, 1.0]];
    Packing::in_mesh(&cube([0.0; 3], 4.0), centers, vec![1.0, 0.25, 0.5]).unwrap()
}

fn assert_same(read: &Packing, packing: &Packing) {
    assert_eq!(read.centers(), packing.centers());
    assert_eq!(read.radii(), packing.radii());
    assert_eq!(read.record(), packing.record());
    assert_eq!(read.filling().to_bits(), packing.filling().to_bits());
}

fn refusal(path: &Path) -> String {
    let error = read_packing(path).unwrap_err().to_string();
    let name = path.display().to_string();
    assert!(error.starts_with(&name), "{error}");
    error[name.len() + 2..].to_owned()
}

#[test]
fn what_is_written_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    for packing in [packing(), Packing::new(vec![[1.0; 3]], vec![0.25]).unwrap()] {
        for extension in ["npy", "NPY", "vtp"] {
            let path = folder.path().join(format!("packing.{extension}"));
            write_packing(&path, &packing).unwrap();
            assert_same(&read_packing(&path).unwrap(), &packing);
            let Solid::Packing(read) = read_solid(&path).unwrap() else {
                panic!("{extension} is a packing")
            };
            assert_same(&read, &packing);
            // The packing file can be read as particles.
            let particles = read_particles(&path).unwrap();
            assert_eq!(particles, Particles::Spheres(packing.spheres().clone()));
        }
    }
}

#[test]
fn surfaces_are_distinguished_from_packings() {
    let folder = tempfile::tempdir().unwrap();
    let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mesh = TriMesh::new(vertices, vec![[0, 1, 2]]).unwrap();
    for extension in ["stl", "vtp", "vtu"] {
        let path = folder.path().join(format!("surface.{extension}"));
        write_mesh(&path, &mesh).unwrap();
        assert!(matches!(read_solid(&path).unwrap(), Solid::Surface(_)));
    }
    let stl = refusal(&folder.path().join("surface.stl"));
    assert_eq!(stl, "stl holds a surface, not a packing");
}

#[test]
fn texts_and_arrays_of_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    fs::write(&path, "r,x,y,z\n1,0,0,0\n2,3,0,0\n").unwrap();
    let read = read_packing(&path).unwrap();
    assert_eq!(read.radii(), [1.0, 2.0]);
    assert_eq!(read.filling(), 1.0);
    // The file has only the array of spheres, as small floats.
    let path = folder.path().join("a.npy");
    let rows = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 2.5, 0.0, 1.5];
    write_npy(&path, &[2, 4], NpyData::F32(&rows)).unwrap();
    assert_eq!(read_packing(&path).unwrap().centers()[1], [0.0, 2.5, 0.0]);
}

#[test]
fn wrong_content_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let npy = folder.path().join("a.npy");
    let array = |shape: &[usize], values: &[f64]| {
        write_npy(&npy, shape, NpyData::F64(values)).unwrap();
        fs::read(&npy).unwrap()
    };
    let spheres = array(&[2, 4], &[0.0, 0.0, 0.0, 1.0, 3.0, 0.0, 0.0, 1.0]);
    // The body is a smaller cube, or a cube with a sphere larger than the cube.
    let own = packing();
    let rows: Vec<f64> = (0..own.len())
        .flat_map(|i| own.centers()[i].into_iter().chain([own.radii()[i]]))
        .collect();
    let own_spheres = array(&[own.len(), 4], &rows);
    let mut record = own.record();
    let known = array(&[record.len()], &record);
    record[0] *= 0.5;
    let shrunk = array(&[record.len()], &record);
    let large = array(&[1, 4], &[0.0, 0.0, 0.0, 3.0]);
    let cases: [(&[Vec<u8>], &str); 14] = [
        (
            &[array(&[2, 3], &[1.0; 6])],
            "first array: found the shape [2, 3], expected N rows of 4 columns: x, y, z, radius",
        ),
        (
            &[array(&[4], &[1.0; 4])],
            "first array: found the shape [4]",
        ),
        (
            &[array(&[0, 4], &[])],
            "spheres: found 0, expected at least one",
        ),
        (
            &[array(&[1, 4], &[0.0, f64::NAN, 0.0, 1.0])],
            "found NaN as value 1, expected a finite number",
        ),
        (
            &[array(&[1, 4], &[0.0, 0.0, 0.0, -1.0])],
            "row 0: found the radius -1, expected more than 0",
        ),
        (
            &[array(&[1, 4], &[0.0, 0.0, 0.0, 0.0])],
            "radius 0: found 0, expected more than 0",
        ),
        (
            &[array(&[2, 4], &[0.0, 0.0, 0.0, 1.0, 1.5, 0.0, 0.0, 1.0])],
            "sphere 1: found a centre 1.5 from that of sphere 0, their radii add up to 2",
        ),
        (
            &[spheres.clone(), array(&[1], &[1.0])],
            "record of the body: found 1 numbers, expected at least 9",
        ),
        (&[own_spheres, shrunk], "checksum of the body: found "),
        (
            &[large, known.clone()],
            "volume of the body: found 64, expected at least that of the spheres, 113.",
        ),
        (
            &[spheres.clone(), known],
            "cells of the body: found from -2 to 3 along axis 0, expected around all spheres, from -1",
        ),
        (
            &[spheres.clone(), array(&[1, 1], &[9.0])],
            "second array: found the shape [1, 1], expected one axis",
        ),
        (
            &[spheres.clone(), array(&[1], &[f64::INFINITY])],
            "found inf as value 0, expected a finite number (in the second array",
        ),
        (
            &[spheres.clone(), array(&[1], &[9.0]), vec![0]],
            "found 9 bytes of data, expected 8 for the shape [1] (in the second array",
        ),
    ];
    for (parts, words) in cases {
        fs::write(&npy, parts.concat()).unwrap();
        let error = refusal(&npy);
        assert!(error.contains(words), "{words}: {error}");
    }
    // Positions are counted from the beginning of the file.
    fs::write(&npy, [&spheres[..], b"more"].concat()).unwrap();
    let error = refusal(&npy);
    assert!(
        error.starts_with(&format!("byte {}: ", spheres.len())),
        "{error}"
    );
    let csv = folder.path().join("a.csv");
    for (text, words) in [
        (
            "x,y,r\n0,0,1\n",
            "columns: found discs: x, y and radius, expected spheres",
        ),
        ("x,y,z\n0,0,1\n", "columns: found x, y, z"),
        ("x,y,z,r\n0,0,0,1\n0,0,nan,1\n", "line 3: found \"nan\""),
        (
            "0,0,0,1\n0,9,0,1\n0,8,0,1\n",
            "sphere 2: found a centre 1 from that of sphere 1",
        ),
    ] {
        fs::write(&csv, text).unwrap();
        let error = refusal(&csv);
        assert!(error.contains(words), "{words}: {error}");
    }
}

/// Returns all positions at the beginning of a file, and some of the others.
fn ends(length: usize) -> impl Iterator<Item = usize> {
    let few = length.min(500);
    (0..few)
        .chain((few..length).step_by(length / 100 + 1))
        .chain([length - 1])
}

#[test]
fn files_that_end_early_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    write_packing(&path, &packing()).unwrap();
    let bytes = fs::read(&path).unwrap();
    let first = 128 + 3 * 4 * 8;
    for end in ends(bytes.len()) {
        let read = packing_from_bytes("it", &bytes[..end], TableFormat::Npy);
        assert_eq!(read.is_ok(), end == first, "{end} bytes");
    }
    // `read_array` returns the first array, but refuses other content after it.
    assert_eq!(read_array(&path).unwrap().shape, [3, 4]);
    fs::write(&path, [&bytes[..first], b"more"].concat()).unwrap();
    assert!(read_array(&path).is_err());
    let path = folder.path().join("a.vtp");
    write_packing(&path, &packing()).unwrap();
    let bytes = fs::read(&path).unwrap();
    for end in ends(bytes.len() - "</AppendedData>\n</VTKFile>\n".len()) {
        let read = packing_from_bytes("it", &bytes[..end], TableFormat::Vtp);
        assert!(read.is_err(), "{end} bytes");
    }
}

#[test]
fn records_of_vtk_are_checked() {
    let file = |record: &str| {
        format!(
            "<VTKFile type=\"PolyData\"><PolyData>{record}<Piece NumberOfPoints=\"1\">\
             <PointData><DataArray type=\"Float64\" Name=\"radius\">1</DataArray></PointData>\
             <Points><DataArray type=\"Float64\" NumberOfComponents=\"3\">0 0 0</DataArray></Points>\
             </Piece></PolyData></VTKFile>"
        )
    };
    let read = |record: &str| {
        let packing = packing_from_bytes("it", file(record).as_bytes(), TableFormat::Vtp);
        packing.map(|p| p.record()).map_err(|e| e.to_string())
    };
    let array = |attributes: &str, numbers: &str| {
        format!(
            "<FieldData><DataArray type=\"Float64\" Name=\"packing\"{attributes}>{numbers}\
             </DataArray></FieldData>"
        )
    };
    assert_eq!(read(""), Ok(vec![]));
    for (attributes, numbers, words) in [
        (" NumberOfTuples=\"2\"", "8.5", "with 1 numbers"),
        (" NumberOfTuples=\"1\"", "8.5 9", "the end of the array"),
        ("", "8.5", "no attribute NumberOfTuples"),
        (" NumberOfTuples=\"1\"", "inf", "value 0: found inf"),
        (
            " NumberOfTuples=\"1\"",
            "2",
            "record of the body: found 1 numbers",
        ),
    ] {
        let error = read(&array(attributes, numbers)).unwrap_err();
        assert!(error.contains(words), "{words}: {error}");
    }
}

#[test]
fn only_formats_that_keep_all_are_written() {
    let folder = tempfile::tempdir().unwrap();
    for (name, words) in [
        ("a.csv", "use npy or vtp"),
        ("a.vtu", "use npy or vtp"),
        ("a.stl", "stl holds a surface, not a packing"),
        ("a.xyz", "unknown format \"xyz\""),
        ("no/a.npy", "does not exist"),
    ] {
        let path = folder.path().join(name);
        let error = write_packing(&path, &packing()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Files with some bytes exchanged are packings or errors, never a panic.
#[test]
fn mutated_files_never_panic() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(1);
    for (name, format) in [("a.npy", TableFormat::Npy), ("a.vtp", TableFormat::Vtp)] {
        let path = folder.path().join(name);
        write_packing(&path, &packing()).unwrap();
        let bytes = fs::read(&path).unwrap();
        let mut refused = 0;
        for _ in 0..1500 {
            let mut mutated = bytes.clone();
            for _ in 0..=random.below(4) {
                // Headers are at the beginning, so changes there are more frequent.
                let far = if random.below(2) == 0 {
                    bytes.len()
                } else {
                    700
                };
                let at = random.below(far.min(bytes.len()));
                mutated[at] = [random.below(256) as u8, b'9', b'-', 0xff][random.below(4)];
            }
            match packing_from_bytes("it", &mutated, format) {
                Ok(read) => assert!(read.radii().iter().all(|&r| r > 0.0)),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 300, "{name}: {refused}");
    }
}
