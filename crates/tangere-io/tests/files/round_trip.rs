//! Round trips: written files read back bit for bit.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use proptest::prelude::*;
use std::fs;
use tangere::shape::TriMesh;
use tangere_io::{
    Encoding, NpyData, Table, read_array, read_mesh, read_table, write_mesh, write_mesh_as,
    write_npy, write_table,
};

/// Returns a strip of triangles on distinct points whose coordinates use all digits.
fn strip(values: &[f64]) -> TriMesh {
    let count = values.len() as u32;
    let vertices = values
        .iter()
        .enumerate()
        .map(|(i, &x)| [x, i as f64, -x / 3.0])
        .collect();
    let faces = (0..count - 2).map(|i| [i, i + 1, i + 2]).collect();
    TriMesh::new(vertices, faces).unwrap()
}

fn rounded(mesh: &TriMesh) -> TriMesh {
    let round = |p: &[f64; 3]| p.map(|x| f64::from(x as f32));
    let vertices = mesh.vertices().iter().map(round).collect();
    TriMesh::new(vertices, mesh.faces().to_vec()).unwrap()
}

fn bits(mesh: &TriMesh) -> (Vec<u64>, &[[u32; 3]]) {
    let coordinates = mesh.vertices().as_flattened();
    (
        coordinates.iter().map(|x| x.to_bits()).collect(),
        mesh.faces(),
    )
}

fn assert_round_trip(name: &str, mesh: &TriMesh, encoding: Encoding) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    write_mesh_as(&path, mesh, encoding).unwrap();
    let loaded = read_mesh(&path).unwrap();
    assert_eq!(bits(&loaded.mesh), bits(mesh), "{name} {encoding:?}");
    assert_eq!(loaded.polygons, mesh.faces().len());
    assert!(name.ends_with(&loaded.format.to_string()));
    let corners = 3 * mesh.faces().len();
    let stl = name.ends_with("stl");
    let welded = if stl {
        corners - mesh.vertices().len()
    } else {
        0
    };
    assert_eq!(loaded.welded, welded, "{name} {encoding:?}");
}

fn assert_all_round_trips(mesh: &TriMesh) {
    for name in ["a.obj", "a.off", "a.ply", "a.vtp", "a.vtu"] {
        assert_round_trip(name, mesh, Encoding::Binary);
    }
    assert_round_trip("a.ply", mesh, Encoding::Text);
    assert_round_trip("a.stl", mesh, Encoding::Text);
    assert_round_trip("a.stl", &rounded(mesh), Encoding::Binary);
}

#[test]
fn meshes() {
    assert_all_round_trips(&strip(&[
        0.1,
        1e-17,
        -12345.678901234567,
        1e30,
        7.0,
        1.0 / 3.0,
    ]));
    let extremes = strip(&[1.5e60, -1.5e60, 6e-90, 0.0, 3.0]);
    for name in ["a.obj", "a.off", "a.ply", "a.vtp", "a.vtu"] {
        assert_round_trip(name, &extremes, Encoding::Binary);
    }
    assert_round_trip("a.stl", &extremes, Encoding::Text);
}

#[test]
fn binary_stl_refuses_what_it_cannot_hold_and_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.stl");
    fs::write(&path, "old").unwrap();
    let error = write_mesh(&path, &strip(&[0.0, 1e39, 2.0])).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("a.stl") && error.contains("vertex 1"),
        "{error}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert!(write_mesh(folder.path().join("a.xyz"), &strip(&[0.0, 1.0, 2.0])).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn names_of_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    let names = [
        "x",
        "with space",
        "1.5",
        "",
        "a,b;c\td",
        "say \"#\"",
        "größe",
        "inf",
    ];
    let mut table = Table {
        columns: names.len(),
        values: (0..16).map(f64::from).collect(),
        names: Some(names.map(String::from).to_vec()),
    };
    write_table(&path, &table).unwrap();
    assert_eq!(read_table(&path).unwrap(), table);
    for name in ["my name", "1", "plain", "\""] {
        let single = Table {
            columns: 1,
            values: vec![1.0, 2.0],
            names: Some(vec![name.to_owned()]),
        };
        write_table(&path, &single).unwrap();
        assert_eq!(read_table(&path).unwrap(), single);
    }
    table.names = Some(vec!["one".to_owned()]);
    let error = write_table(&path, &table).unwrap_err().to_string();
    assert!(
        error.contains("names") && error.contains("8, one for each column"),
        "{error}"
    );
    table.names = None;
    table.columns = 7;
    let error = write_table(&path, &table).unwrap_err().to_string();
    assert!(error.contains("16 values"), "{error}");
}

#[test]
fn particles() {
    let folder = tempfile::tempdir().unwrap();
    let named = |names: &[&str], values: &[f64]| Table {
        columns: names.len(),
        values: values.to_vec(),
        names: Some(names.iter().map(|&name| name.to_owned()).collect()),
    };
    let values = [0.1, 0.2, 0.3, 1e-9, -1.0, 2.0, 1.0 / 3.0, 0.5];
    let spheres = named(&["x", "y", "z", "radius"], &values);
    let discs = named(&["radius", "X", "Y", "mass"], &values);
    let read_discs = [0.2, 0.3, 0.1, 2.0, 1.0 / 3.0, -1.0];
    for name in ["a.vtp", "a.vtu"] {
        let path = folder.path().join(name);
        write_table(&path, &spheres).unwrap();
        assert_eq!(read_table(&path).unwrap(), spheres);
        let array = read_array(&path).unwrap();
        assert_eq!(
            (&array.shape[..], &array.values[..]),
            (&[2, 4][..], &values[..])
        );
        let unnamed = Table {
            names: None,
            ..spheres.clone()
        };
        write_table(&path, &unnamed).unwrap();
        assert_eq!(read_table(&path).unwrap(), spheres);
        write_table(&path, &discs).unwrap();
        let expected = named(&["x", "y", "radius"], &read_discs);
        assert_eq!(read_table(&path).unwrap(), expected);
        // Spheres whose centres happen to lie in the plane stay spheres.
        let flat = named(&["x", "y", "z", "radius"], &[1.0, 2.0, 0.0, 0.5]);
        write_table(&path, &flat).unwrap();
        assert_eq!(read_table(&path).unwrap(), flat);
        // A file with dimension 2 but z other than 0 is not planar.
        let mut bytes = std::fs::read(&path).unwrap();
        let place = bytes
            .windows(7)
            .position(|part| part == b"<Piece ")
            .unwrap();
        let says =
            b"<FieldData><DataArray type=\"Int32\" Name=\"dimension\">2</DataArray></FieldData>";
        bytes.splice(place..place, *says);
        std::fs::write(&path, &bytes).unwrap();
        let discs = named(&["x", "y", "radius"], &[1.0, 2.0, 0.5]);
        assert_eq!(read_table(&path).unwrap(), discs);
        let high = (0..bytes.len() - 8).find(|&i| bytes[i..i + 8] == 2.0_f64.to_le_bytes());
        let high = high.unwrap() + 8;
        bytes[high..high + 8].copy_from_slice(&3.0_f64.to_le_bytes());
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(read_table(&path).unwrap().columns, 4);
        let points = named(&["x", "y", "z"], &values[..6]);
        write_table(&path, &points).unwrap();
        assert_eq!(read_table(&path).unwrap(), points);
        for bad in [
            named(&["a", "b"], &values),
            Table {
                columns: 2,
                ..unnamed
            },
        ] {
            let error = write_table(&path, &bad).unwrap_err().to_string();
            assert!(
                error.contains(name) && error.contains("columns named x and y"),
                "{error}"
            );
        }
        assert_eq!(read_table(&path).unwrap(), points);
    }
}

#[test]
fn arrays_of_every_type() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let check = |shape: &[usize], data: NpyData, expected: &[f64]| {
        write_npy(&path, shape, data).unwrap();
        assert_eq!(fs::read(&path).unwrap().len() % 64, data_size(data) % 64);
        let array = read_array(&path).unwrap();
        assert_eq!((&array.shape[..], &array.values[..]), (shape, expected));
    };
    fn data_size(data: NpyData) -> usize {
        let size = match data {
            NpyData::I8(_) | NpyData::U8(_) => 1,
            NpyData::F32(_) | NpyData::I32(_) | NpyData::U32(_) => 4,
            _ => 8,
        };
        data.len() * size
    }
    check(&[2], NpyData::F64(&[0.1, -2.0]), &[0.1, -2.0]);
    check(&[2, 1], NpyData::F32(&[0.5, -2.0]), &[0.5, -2.0]);
    check(&[1, 2, 1], NpyData::I8(&[-1, 1]), &[-1.0, 1.0]);
    check(&[2], NpyData::U8(&[255, 1]), &[255.0, 1.0]);
    check(&[2], NpyData::I32(&[-7, 1]), &[-7.0, 1.0]);
    check(&[2], NpyData::U32(&[u32::MAX, 1]), &[4294967295.0, 1.0]);
    check(&[2], NpyData::I64(&[-7, 1]), &[-7.0, 1.0]);
    check(&[2], NpyData::U64(&[7, 1]), &[7.0, 1.0]);
    check(&[0, 3], NpyData::F64(&[]), &[]);
    check(&[], NpyData::F64(&[3.0]), &[3.0]);
    let error = write_npy(&path, &[2, 2], NpyData::F64(&[1.0])).unwrap_err();
    assert!(error.to_string().contains("[2, 2] for 1 values"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_mesh(values in prop::collection::vec(-1e20..1e20_f64, 3..20)) {
        assert_all_round_trips(&strip(&values));
    }

    #[test]
    fn any_table(
        columns in 1..5_usize,
        values in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO, 5..40),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let rows = values.len() / columns;
        let table = Table { columns, values: values[..rows * columns].to_vec(), names: None };
        for name in ["a.csv", "a.npy"] {
            let path = folder.path().join(name);
            write_table(&path, &table).unwrap();
            let read = read_table(&path).unwrap();
            let bits = |table: &Table| table.values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&read), bits(&table));
            assert_eq!(read, table);
        }
    }
}
