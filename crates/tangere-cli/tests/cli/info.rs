//! `tangere info`: reports on surfaces and particles.

use super::*;

#[test]
fn a_cube() {
    let folder = folder();
    put(folder.path(), "cube.obj", CUBE);
    let mut object = json(folder.path(), &["info", "cube.obj", "--json"]);
    let seconds = object["seconds"].take();
    assert!(seconds["read"].is_f64() && seconds["report"].is_f64());
    let expected = serde_json::json!({
        "file": "cube.obj",
        "format": "obj",
        "kind": "surface",
        "vertices": 8,
        "triangles": 12,
        "edges": 18,
        "closed": true,
        "oriented": true,
        "manifold": true,
        "components": 1,
        "euler_characteristic": 2,
        "genus": 0,
        "boundary_edges": 0,
        "nonmanifold_edges": 0,
        "misoriented_edges": 0,
        "nonmanifold_vertices": 0,
        "unused_vertices": 0,
        "degenerate_triangles": 0,
        "duplicate_triangles": 0,
        "shells": 1,
        "inverted_shells": 0,
        "volume": 8.0,
        "area": 24.0,
        "bounds": { "min": [-1.0, -1.0, -1.0], "max": [1.0, 1.0, 1.0] },
        "centroid": [0.0, 0.0, 0.0],
        "inertia": [[16.0 / 3.0, 0.0, 0.0], [0.0, 16.0 / 3.0, 0.0], [0.0, 0.0, 16.0 / 3.0]],
        "welded_vertices": 0,
        "polygons": 6,
        "curved_faces": 0,
        "seconds": null,
    });
    assert_eq!(object, expected);
    let names =
        |object: &Value| -> Vec<String> { object.as_object().unwrap().keys().cloned().collect() };
    assert_eq!(names(&object), names(&expected), "the order is a contract");
}

#[test]
fn what_is_undefined_is_null() {
    let folder = folder();
    put(
        folder.path(),
        "one.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\n",
    );
    let object = json(folder.path(), &["info", "one.obj", "--json"]);
    assert_eq!(object["closed"], false);
    assert_eq!(object["boundary_edges"], 3);
    assert_eq!(object["unused_vertices"], 1);
    assert_eq!(object["area"], 0.5);
    assert!(object["volume"].is_null() && object["genus"].is_null());
    assert!(object["centroid"].is_null() && object["inertia"].is_null());

    let text = done(folder.path(), &["info", "one.obj"]);
    assert!(text.contains("defects:\n"), "{text}");
    assert!(text.contains("boundary edges"), "{text}");
    assert!(text.contains("undefined"), "{text}");
}

#[test]
fn text_for_people() {
    let folder = folder();
    put(folder.path(), "cube.obj", CUBE);
    let text = done(folder.path(), &["info", "cube.obj"]);
    assert!(text.starts_with("cube.obj (obj)\n"), "{text}");
    let verdict = "\nno defects found (self-intersections are not looked for)\n";
    assert!(text.contains(verdict), "{text}");
    assert!(text.contains("  volume                8\n"), "{text}");
}

#[test]
fn a_tree_on_request() {
    let folder = folder();
    put(folder.path(), "cube.obj", CUBE);
    let object = json(folder.path(), &["info", "cube.obj", "--json", "--tree"]);
    let tree = object["tree"].as_object().unwrap();
    let names: Vec<_> = tree.keys().collect();
    assert_eq!(names, ["nodes", "height", "cost", "seconds"]);
    assert!(
        tree["nodes"].as_u64() >= Some(2),
        "12 triangles do not fit into one node"
    );
    assert!(tree["cost"].as_f64() > Some(0.0));
    assert!(done(folder.path(), &["info", "cube.obj", "--tree"]).contains("tree over"));
}

#[test]
fn bad_files_are_named() {
    let folder = folder();
    put(
        folder.path(),
        "bad.obj",
        "v 0 0 0\nv 1 0 0\nv 0 one 0\nf 1 2 3\n",
    );
    let error = refused(folder.path(), &["info", "bad.obj", "--json"], 2);
    assert!(
        error.starts_with("tangere: error: bad.obj: line 3: found "),
        "{error}"
    );
    assert!(error.contains("expected "), "{error}");

    let error = refused(folder.path(), &["info", "missing.stl"], 2);
    assert!(
        error.starts_with("tangere: error: missing.stl: "),
        "{error}"
    );

    std::fs::create_dir(folder.path().join("folder.stl")).unwrap();
    let error = refused(folder.path(), &["info", "folder.stl"], 2);
    assert_eq!(error, "tangere: error: folder.stl: is a folder");

    put(folder.path(), "cube.step", "");
    refuses(folder.path(), &["info", "cube.step"], "\"step\"");

    put(folder.path(), "empty.stl", "");
    refused(folder.path(), &["info", "empty.stl"], 2);
}

#[test]
fn particles() {
    let folder = folder_with(&[("discs.csv", "r,Y,X\n0.5,2,1\n1.5,-4,3\n")]);
    let folder = folder.path();
    let mut object = json(folder, &["info", "discs.csv", "--json"]);
    assert!(object["seconds"].take()["read"].is_f64());
    let expected = serde_json::json!({
        "file": "discs.csv",
        "format": "csv",
        "kind": "particles",
        "dimension": 2,
        "particles": 2,
        "radius": { "min": 0.5, "max": 1.5, "mean": 1.0 },
        "bounds_of_centers": { "min": [1.0, -4.0], "max": [3.0, 2.0] },
        "seconds": null,
    });
    assert_eq!(object, expected);
    for ending in ["npy", "vtp", "vtu"] {
        let file = format!("discs.{ending}");
        done(folder, &["convert", "discs.csv", &file]);
        let mut again = json(folder, &["info", &file, "--json"]);
        again["seconds"].take();
        for (name, value) in expected.as_object().unwrap() {
            if !matches!(name.as_str(), "file" | "format") {
                assert_eq!(&again[name], value, "{file}: {name}");
            }
        }
    }
    let text = done(folder, &["info", "discs.csv"]);
    assert!(
        text.starts_with("discs.csv (csv), particles in 2D\n"),
        "{text}"
    );
    assert!(text.contains("  radius, mean  1\n"), "{text}");

    put(folder, "none.csv", "x,y,z,radius\n");
    let object = json(folder, &["info", "none.csv", "--json"]);
    assert_eq!(object["particles"], 0);
    assert!(object["radius"]["mean"].is_null() && object["bounds_of_centers"]["min"].is_null());
    assert!(done(folder, &["info", "none.csv"]).contains("undefined"));

    refused(folder, &["info", "discs.csv", "--tree"], 2);
    put(folder, "bad.csv", "x,y,r\n1,2,3\n1,2,-3\n");
    refuses(
        folder,
        &["info", "bad.csv"],
        "bad.csv: line 3: found the radius -3",
    );
}
