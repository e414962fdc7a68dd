//! Round trips of VTK files: what is written reads back bit for bit.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use tangere::shape::{Spheres, TriMesh};
use tangere_io::vtk::{self, CellKind, Cells, Field, FieldValues, PolyData, UnstructuredGrid, xml};
use tangere_io::{Table, read_mesh, write_mesh, write_table};

fn vtp(data: &PolyData) -> Vec<u8> {
    let mut bytes = Vec::new();
    xml::write_vtp(data, &mut bytes).unwrap();
    bytes
}

fn vtu(data: &UnstructuredGrid) -> Vec<u8> {
    let mut bytes = Vec::new();
    xml::write_vtu(data, &mut bytes).unwrap();
    bytes
}

fn tetrahedron() -> TriMesh {
    TriMesh::new(
        vec![
            [0.1, 0.0, 0.0],
            [1.0, 0.0, -1e-80],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0 / 3.0],
        ],
        vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    )
    .unwrap()
}

#[test]
fn meshes() {
    let mesh = tetrahedron();
    for bytes in [
        vtp(&PolyData::from(&mesh)),
        vtu(&UnstructuredGrid::from(&mesh)),
    ] {
        let surface = xml::polygons(&bytes).unwrap();
        assert_eq!(surface.vertices, mesh.vertices());
        assert_eq!(surface.indices, mesh.faces().as_flattened());
        assert_eq!(surface.ends, [3, 6, 9, 12]);
    }
}

#[test]
fn particles() {
    let spheres = Spheres::new(vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], vec![0.5, 0.1]).unwrap();
    for bytes in [
        vtp(&PolyData::from(&spheres)),
        vtu(&UnstructuredGrid::from(&spheres)),
    ] {
        let cloud = xml::points(&bytes).unwrap();
        assert_eq!(cloud.points, spheres.centers());
        assert_eq!(cloud.scalars("radius").unwrap(), spheres.radii());
        let surface = xml::polygons(&bytes).unwrap();
        assert!(surface.ends.is_empty());
    }
}

#[test]
fn fields_of_all_types() {
    let values: Vec<FieldValues> = vec![
        vec![f64::MIN_POSITIVE, -1.0].into(),
        vec![1.5_f32, f32::MAX].into(),
        vec![i64::MIN, i64::MAX].into(),
        vec![i32::MIN, i32::MAX].into(),
        vec![i16::MIN, i16::MAX].into(),
        vec![i8::MIN, i8::MAX].into(),
        vec![0, u64::MAX].into(),
        vec![0, u32::MAX].into(),
        vec![0, u16::MAX].into(),
        vec![0, u8::MAX].into(),
    ];
    let fields: Vec<_> = values
        .into_iter()
        .enumerate()
        .map(|(i, v)| Field::scalar(format!("<{i}> \"&'\n ü"), v))
        .chain([Field::vector(
            "normal",
            vec![[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
        )])
        .collect();
    let mut data = PolyData::from_points(vec![[0.0; 3], [1.0; 3]]);
    data.point_data = fields.clone();
    data.cell_data = fields.clone();
    assert_eq!(xml::points(&vtp(&data)).unwrap().fields, fields);
}

#[test]
fn empty_data() {
    for bytes in [vtp(&PolyData::default()), vtu(&UnstructuredGrid::default())] {
        assert_eq!(xml::points(&bytes).unwrap().points.len(), 0);
        assert_eq!(xml::polygons(&bytes).unwrap().ends.len(), 0);
    }
}

#[test]
fn polygons_of_many_sizes_beside_lines() {
    let data = PolyData {
        points: (0..5)
            .map(|i| [f64::from(i), f64::from(i * i), 0.0])
            .collect(),
        verts: Cells::uniform(&[[4]]),
        lines: Cells::uniform(&[[0, 1], [1, 2]]),
        polys: Cells {
            indices: vec![0, 1, 2, 0, 1, 2, 3, 4],
            ends: vec![3, 8],
        },
        ..PolyData::default()
    }
    .with_cell_data(Field::scalar("gap", vec![1.0, 2.0, 3.0, 4.0, 5.0]));
    let surface = xml::polygons(&vtp(&data)).unwrap();
    assert_eq!(surface.indices, data.polys.indices);
    assert_eq!(surface.ends, data.polys.ends);
}

#[test]
fn a_volume_reads_back_as_its_boundary() {
    let points = tetrahedron().vertices().to_vec();
    let grid = UnstructuredGrid::uniform(points, &[[0, 1, 2, 3]], CellKind::Tetra);
    let surface = xml::polygons(&vtu(&grid)).unwrap();
    assert_eq!(surface.vertices, tetrahedron().vertices());
    assert_eq!(surface.indices, [0, 1, 3, 1, 2, 3, 2, 0, 3, 0, 2, 1]);
}

#[test]
fn invalid_data_writes_nothing() {
    let mut data = PolyData::from(&tetrahedron());
    data.polys.indices[5] = 4;
    let mut bytes = Vec::new();
    let error = xml::write_vtp(&data, &mut bytes).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
    assert!(error.to_string().contains("polygon 1"), "{error}");
    assert!(bytes.is_empty());
}

#[test]
fn files_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mesh = tetrahedron();
    for name in ["a.vtp", "a.VTU"] {
        write_mesh(path(name), &mesh).unwrap();
        let loaded = read_mesh(path(name)).unwrap();
        assert_eq!(loaded.mesh, mesh);
        assert_eq!((loaded.polygons, loaded.welded), (4, 0));
    }
    let text = write_mesh(path("a.vtk"), &mesh).unwrap_err().to_string();
    assert!(text.contains("vtp or vtu"), "{text}");

    let data = PolyData::from_points(vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        .with_point_data(Field::scalar("Radius", vec![7_u8, 8]))
        .with_point_data(Field::vector("v", vec![[0.5, 0.25], [1.5, 1.25]]));
    vtk::write_vtp(path("p.vtp"), &data).unwrap();
    let cloud = vtk::read_points(path("p.vtp")).unwrap();
    assert_eq!(
        (cloud.points, cloud.fields),
        (data.points.clone(), data.point_data.clone())
    );

    let names = ["x", "y", "z", "m", "m"].map(str::to_owned);
    let table = Table {
        columns: 5,
        values: vec![1.0; 10],
        names: Some(names.into()),
    };
    let text = write_table(path("t.vtp"), &table).unwrap_err().to_string();
    assert!(
        text.contains("point field 1: found the name \"m\" again"),
        "{text}"
    );
    assert!(!path("t.vtp").exists());

    vtk::write_pvd(path("s.pvd"), &[(0.0, "p.vtp")]).unwrap();
    assert!(vtk::write_pvd(path("bad.pvd"), &[(f64::NAN, "p.vtp")]).is_err());
    let mut wrong = data;
    wrong.point_data[0].components = 2;
    let text = vtk::write_vtp(path("bad.vtp"), &wrong).unwrap_err();
    assert!(
        text.to_string().contains("bad.vtp: point field 0"),
        "{text}"
    );
    assert!(!path("bad.pvd").exists() && !path("bad.vtp").exists());
}

/// meshio finds the arrays of raw files only if no earlier array has an element that could be
/// mistaken for that of a later one by its offset.
#[test]
fn arrays_lie_in_reverse_order() {
    let bytes = vtu(&UnstructuredGrid::from(&tetrahedron()));
    let text = String::from_utf8_lossy(&bytes);
    let offsets: Vec<u64> = text
        .split("offset=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
        .collect();
    assert!(offsets.len() == 4 && offsets.is_sorted_by(|a, b| a > b));
    assert_eq!(offsets[3], 0);
}
