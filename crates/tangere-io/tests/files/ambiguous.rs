//! Ambiguous files are refused: duplicate names, UTF-16.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::fs;
use tangere_io::{MeshFormat, parse_mesh, read_table};

fn table_fault(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    read_table(&path).unwrap_err().to_string()
}

#[test]
fn two_columns_of_one_name_are_named() {
    for header in ["x,x,y,radius", "X,x,y,radius"] {
        let fault = table_fault("a.csv", format!("{header}\n1,2,3,4\n"));
        let parts = ["line 1", "column 1", "column 2"];
        assert!(parts.iter().all(|part| fault.contains(part)), "{fault}");
    }
}

#[test]
fn two_arrays_of_one_name_are_named() {
    let array = "<DataArray type=\"Float64\" Name=\"radius\" format=\"ascii\">1</DataArray>";
    let text = format!(
        "<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"1\">
        <Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">1 2 3\
        </DataArray></Points><PointData>\n{array}\n{array}\n</PointData></Piece></PolyData></VTKFile>"
    );
    let fault = table_fault("a.vtp", text);
    let parts = ["line 4", "\"radius\"", "line 3"];
    assert!(parts.iter().all(|part| fault.contains(part)), "{fault}");
}

#[test]
fn utf_16_is_refused() {
    for mark in [[0xff, 0xfe], [0xfe, 0xff]] {
        for size in [0, 500] {
            let mut bytes = mark.to_vec();
            bytes.extend(std::iter::repeat_n(b'o', size));
            for format in [
                MeshFormat::Stl,
                MeshFormat::Obj,
                MeshFormat::Ply,
                MeshFormat::Off,
                MeshFormat::Vtk,
                MeshFormat::Vtp,
                MeshFormat::Vtu,
            ] {
                let fault = parse_mesh(&bytes, format).unwrap_err().to_string();
                assert!(
                    fault.contains("UTF-16 text, expected UTF-8"),
                    "{format}: {fault}"
                );
            }
            for name in ["a.csv", "a.vtp"] {
                let fault = table_fault(name, &bytes);
                assert!(
                    fault.contains("UTF-16 text, expected UTF-8"),
                    "{name}: {fault}"
                );
            }
        }
    }
}
