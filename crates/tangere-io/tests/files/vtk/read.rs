//! Files written by VTK 9 and meshio 5 in all their variants contain the same mesh: a
//! pyramid on a square.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::path::PathBuf;
use tangere_io::Polygons;
use tangere_io::vtk::{FieldValues, legacy, xml};

fn data() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "data", "vtk"]
        .iter()
        .collect()
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(data().join(name)).unwrap()
}

/// Returns the sorted names of all fixtures with an extension.
fn names(extension: &str) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(data())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(extension))
        .collect();
    names.sort();
    names
}

const POINTS: [[f64; 3]; 5] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.5, 0.5, 0.75],
];
const RADII: [f64; 5] = [0.125, 0.25, 0.375, 0.5, 0.625];

fn pyramid() -> Polygons {
    Polygons {
        vertices: POINTS.to_vec(),
        indices: vec![0, 3, 2, 1, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4],
        ends: vec![4, 7, 10, 13, 16],
        ..Polygons::default()
    }
}

/// Returns the pyramid as read from strips, whose triangles begin at other corners.
fn pyramid_of_strips() -> Polygons {
    Polygons {
        indices: vec![0, 3, 2, 1, 0, 1, 4, 1, 2, 4, 4, 2, 3, 4, 3, 0],
        ..pyramid()
    }
}

fn expected(name: &str) -> Polygons {
    if name.starts_with("strips") {
        pyramid_of_strips()
    } else {
        pyramid()
    }
}

fn without_names(surface: Polygons) -> Polygons {
    Polygons {
        unkept: vec![],
        ..surface
    }
}

#[test]
fn all_variants_of_xml() {
    let readable = [names(".vtp"), names(".vtu")].concat();
    let readable = readable.iter().filter(|name| !name.starts_with("lz"));
    let mut count = 0;
    for name in readable {
        match xml::polygons(&bytes(name)) {
            Ok(surface) => assert_eq!(without_names(surface), expected(name), "{name}"),
            Err(fault) => panic!("{name}: {fault}"),
        }
        count += 1;
    }
    assert!(count >= 22, "{count} files");
}

#[test]
fn all_variants_of_legacy() {
    let names = names(".vtk");
    for name in &names {
        match legacy::polygons(&bytes(name)) {
            Ok(surface) => assert_eq!(without_names(surface), expected(name), "{name}"),
            Err(fault) => panic!("{name}: {fault}"),
        }
    }
    assert!(names.len() >= 15, "{names:?}");
}

#[test]
fn points_carry_their_fields() {
    for name in names(".vtp").iter().filter(|name| !name.starts_with("lz")) {
        let cloud = xml::points(&bytes(name)).unwrap();
        assert_eq!(cloud.points, POINTS, "{name}");
        assert_eq!(cloud.scalars("radius").unwrap(), RADII, "{name}");
    }
    let cloud = xml::points(&bytes("meshio_zlib.vtu")).unwrap();
    assert_eq!(cloud.fields[0].values, FieldValues::F64(RADII.to_vec()));
    let text = cloud.scalars("mass").unwrap_err().to_string();
    assert!(text.contains("radius") && text.contains("mass"), "{text}");
}

#[test]
fn other_compressors_are_named() {
    for (name, compressor) in [("lz4.vtp", "LZ4"), ("lzma.vtp", "LZMA")] {
        let text = xml::polygons(&bytes(name)).unwrap_err().to_string();
        let full = format!("found the compressor \"vtk{compressor}DataCompressor\"");
        assert!(text.contains(&full), "{text}");
    }
}

#[test]
fn pieces_are_joined() {
    let piece = "<Piece NumberOfPoints=\"3\" NumberOfPolys=\"1\">
        <PointData><DataArray type=\"UInt8\" Name=\"id\" format=\"ascii\">7 8 9</DataArray></PointData>
        <Points><DataArray type=\"Int16\" NumberOfComponents=\"3\" format=\"ascii\">
            0 0 0 <!-- a comment --> 1 0 0 0 1 0</DataArray></Points>
        <Polys><DataArray type=\"UInt8\" Name=\"offsets\">3</DataArray>
            <DataArray type=\"Int8\" Name=\"connectivity\">0 1 2</DataArray></Polys>
        </Piece>";
    let empty = "<Piece NumberOfPoints=\"0\"/>";
    let file = format!(
        "<!-- <AppendedData> --><VTKFile type=\"PolyData\"><PolyData>{piece}{empty}{piece}</PolyData></VTKFile>"
    );
    let surface = xml::polygons(file.as_bytes()).unwrap();
    assert_eq!(surface.vertices.len(), 6);
    assert_eq!(surface.indices, [0, 1, 2, 3, 4, 5]);
    assert_eq!(surface.ends, [3, 6]);
    assert_eq!(surface.unkept, ["id"]);
    let cloud = xml::points(file.as_bytes()).unwrap();
    assert_eq!(
        cloud.fields[0].values,
        FieldValues::U8(vec![7, 8, 9, 7, 8, 9])
    );
}

#[test]
fn a_triangle_strip_and_a_pixel_in_a_grid() {
    let file = "# vtk DataFile Version 2.0\r\ntitle\r\nascii\r\ndataset unstructured_grid\r\n\
        points 4 double\r\n0 0 0 1 0 0 0 1 0 1 1 0\r\nmetadata\r\ninformation 0\r\n\r\n\
        cells 3 13\r\n4 0 1 2 3\r\n4 0 1 2 3\r\n2 0 1\r\ncell_types 3\r\n6 8 3\r\n";
    let surface = legacy::polygons(file.as_bytes()).unwrap();
    assert_eq!(surface.indices, [0, 1, 2, 2, 1, 3, 0, 1, 3, 2]);
    assert_eq!(surface.ends, [3, 6, 10]);
}

/// Files cut within or before their last tag are not complete.
#[test]
fn files_without_their_end_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let spheres = tangere::shape::Spheres::new(vec![[1.0, 2.0, 3.0]], vec![0.5]).unwrap();
    for name in ["a.vtp", "a.vtu"] {
        let path = folder.path().join(name);
        tangere_io::write_particles(&path, &spheres).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let end = whole.trim_ascii_end().len();
        assert!(whole[..end].ends_with(b"</VTKFile>"));
        for cut in end - 40..end {
            std::fs::write(&path, &whole[..cut]).unwrap();
            assert!(
                tangere_io::read_particles(&path).is_err(),
                "{name}: {cut} of {end}"
            );
        }
        std::fs::write(&path, &whole[..end]).unwrap();
        tangere_io::read_particles(&path).unwrap();
    }
}
