//! Shapes and velocities that scenes read from files.

use tangere::shape::FaceKind;
use tangere_io::scene::MadeShape;
use tangere_io::{read_scene, write_faces, write_mesh};

/// Writes a scene into a folder and creates its shapes; returns them or the error.
fn made(folder: &std::path::Path, scene: &str) -> Result<Vec<MadeShape>, String> {
    let path = folder.join("scene.toml");
    std::fs::write(&path, scene).unwrap();
    let shapes = read_scene(&path).and_then(|scene| scene.make_shapes());
    shapes.map_err(|error| error.to_string())
}

#[test]
fn files_are_read_beside_the_scene_and_scaled() {
    let folder = tempfile::tempdir().unwrap();
    let sphere = tangere::generate::sphere(2).unwrap();
    std::fs::create_dir(folder.path().join("parts")).unwrap();
    write_mesh(folder.path().join("parts/a.stl"), &sphere).unwrap();
    let shapes = made(
        folder.path(),
        "[[body]]\nshape = { file = \"parts/a.stl\", scale = 0.5 }\n\
         [[body]]\nshape = { file = \"./parts/../parts/a.stl\" }\n",
    );
    let [MadeShape::Mesh(half), MadeShape::Mesh(whole)] = &shapes.unwrap()[..] else {
        panic!("two meshes")
    };
    assert_eq!(half.bounds().max, [0.5; 3]);
    assert_eq!(whole.bounds().max, [1.0; 3]);
    assert_eq!(half.faces(), whole.faces());
}

#[test]
fn faces_of_second_order_stay_curved() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, is_curved) in [
        (FaceKind::Tri3, false),
        (FaceKind::Quad4, false),
        (FaceKind::Tri6, true),
        (FaceKind::Quad8, true),
    ] {
        let sphere = tangere::generate::face_sphere(kind, 1).unwrap();
        write_faces(folder.path().join("a.vtu"), &sphere).unwrap();
        let shapes = made(
            folder.path(),
            "[[body]]\nshape = { file = \"a.vtu\", scale = 2 }\n",
        );
        match &shapes.unwrap()[0] {
            MadeShape::Faces(faces) if is_curved => {
                assert_eq!((faces.len(), faces.kind(0)), (sphere.len(), kind));
                assert_eq!(faces.nodes()[0], sphere.nodes()[0].map(|x| 2.0 * x));
            }
            MadeShape::Mesh(mesh) if !is_curved => {
                assert_eq!(mesh.faces().len(), sphere.len() * (kind.corners() - 2));
            }
            other => panic!("{kind}: {other:?}"),
        }
    }
}

const TETRAHEDRA: &str = "*NODE
1, 0, 0, 0
2, 1, 0, 0
3, 0, 1, 0
4, 0, 0, 1
*ELEMENT, TYPE=C3D4, ELSET=ALL
1, 1, 2, 3, 4
*SURFACE, NAME=Under, TYPE=ELEMENT
1, S1
";

#[test]
fn surfaces_have_names() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.inp"), TETRAHEDRA).unwrap();
    let scene = |rest: &str| format!("[[body]]\nshape = {{ file = \"a.inp\"{rest} }}\n");
    let count = |scene: &str| match &made(folder.path(), scene).unwrap()[0] {
        MadeShape::Mesh(mesh) => mesh.faces().len(),
        other => panic!("{other:?}"),
    };
    assert_eq!(count(&scene("")), 4);
    assert_eq!(count(&scene(", surface = \"UNDER\"")), 1);
    let error = made(folder.path(), &scene(", surface = \"over\"")).unwrap_err();
    assert!(error.contains("scene.toml: line 2: "), "{error}");
    assert!(error.contains("over") && error.contains("Under"), "{error}");
}

#[test]
fn errors_of_shapes_name_their_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.stl"), "solid\nfacet normal 0 0 x\n").unwrap();
    std::fs::write(
        folder.path().join("flat.off"),
        "OFF\n3 1 0\n0 0 0\n0 0 0\n0 0 0\n3 0 1 2\n",
    )
    .unwrap();
    for (file, words) in [
        ("none.stl", "none.stl: "),
        ("bad.stl", "bad.stl: line 2: found "),
        ("flat.off", "flat.off: mesh: found all corners"),
        ("a.xyz", "unknown format \"xyz\""),
        ("a.csv", "holds particles, not a surface"),
        (".", ": is a folder"),
    ] {
        let scene = format!("\n[[body]]\nshape = {{ file = \"{file}\" }}\n");
        let error = made(folder.path(), &scene).unwrap_err();
        assert!(error.contains("scene.toml: line 3: "), "{error}");
        assert!(error.contains(words), "{error}");
    }
    let tiny = "[[body]]\nshape = { sphere = { level = 1, radius = 1e-60 }, scale = 1e-60 }\n";
    let error = made(folder.path(), tiny).unwrap_err();
    assert!(error.contains("line 2: mesh: found"), "{error}");
}

#[test]
fn velocities_are_one_row_a_vertex() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    let scene = "[[body]]\nshape = { box = { size = 1 } }\nvertex_velocities = \"v.csv\"\n";
    std::fs::write(&path, scene).unwrap();
    let scene = read_scene(&path).unwrap();
    let count = scene.make_shapes().unwrap()[0].vertex_count();
    assert_eq!(count, 8);
    let rows = |row: &str| row.repeat(8);
    for (text, words) in [
        (rows("1,2,3\n"), ""),
        (format!("vx vy vz\n{}", rows("1 2 3\n")), ""),
        (format!("id,vz,vy,vx\n{}", rows("9,3,2,1\n")), ""),
        (rows("1,2\n"), "columns: found 2, expected 3, or vx, vy, vz"),
        (
            format!("a,b,c,d\n{}", rows("1,2,3,4\n")),
            "columns: found a, b, c, d",
        ),
        (
            "1,2,3\n".into(),
            "rows: found 1, expected 8, one for each vertex",
        ),
        (rows("1,2,x\n"), "line 1: found \"x\""),
        (rows("1,2,nan\n"), "found"),
    ] {
        std::fs::write(folder.path().join("v.csv"), &text).unwrap();
        let read = scene.read_velocities(&scene.bodies[0], count);
        match read {
            Ok(read) => {
                assert_eq!(words, "", "{text}");
                assert_eq!(read, [[1.0, 2.0, 3.0]; 8]);
            }
            Err(error) => {
                let error = error.to_string();
                assert!(!words.is_empty() && error.contains(words), "{error}");
                assert!(error.contains("scene.toml: line 1: "), "{error}");
            }
        }
    }
    let nan: Vec<f64> = (0..24)
        .map(|i| if i == 7 { f64::NAN } else { 1.0 })
        .collect();
    let array = folder.path().join("v.csv");
    tangere_io::write_npy(&array, &[8, 3], tangere_io::NpyData::F64(&nan)).unwrap();
    std::fs::rename(&array, folder.path().join("v.npy")).unwrap();
    let mut scene = scene;
    let source = tangere_io::scene::VelocitySource::File("v.npy".into());
    scene.bodies[0].vertex_velocities = Some(source);
    let error = scene
        .read_velocities(&scene.bodies[0], 8)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("v.npy: ") && error.contains("NaN"),
        "{error}"
    );
    scene.bodies[0].vertex_velocities = None;
    let error = scene
        .read_velocities(&scene.bodies[0], 8)
        .unwrap_err()
        .to_string();
    assert!(error.contains("expected velocities from a file"), "{error}");
}
