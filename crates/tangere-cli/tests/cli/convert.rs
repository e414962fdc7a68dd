use super::*;

fn bounds(folder: &Path, file: &str) -> (Vec<f64>, Vec<f64>) {
    let report = json(folder, &["info", file, "--json"]);
    let corner = |name: &str| {
        let corner = report["bounds"][name].as_array().unwrap();
        corner.iter().map(|x| x.as_f64().unwrap()).collect()
    };
    (corner("min"), corner("max"))
}

#[test]
fn every_format_and_back() {
    let folder = folder();
    let folder = folder.path();
    put(folder, "cube.obj", CUBE);
    let mut from = "cube.obj".to_owned();
    for ending in ["stl", "ply", "off", "vtp", "vtu", "obj"] {
        let to = format!("next.{ending}");
        let object = json(folder, &["convert", &from, &to, "--json"]);
        assert_eq!(object["output"]["format"], ending);
        assert_eq!(object["output"]["triangles"], 12);
        assert!(object["merged_vertices"].is_null());
        assert!(object["collapsed_triangles"].is_null());
        assert!(object["flipped_triangles"].is_null());
        from = to;
    }
    let report = json(folder, &["info", &from, "--json"]);
    assert_eq!(report["volume"], 8.0);
    assert_eq!(report["vertices"], 8);
}

#[test]
fn scaled_then_rotated_then_translated() {
    let folder = folder();
    let folder = folder.path();
    // The box from the origin to (1, 2, 3), the cube's corners in other places.
    let corners = "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nv 0 0 3\nv 1 0 3\nv 1 2 3\nv 0 2 3\n";
    let sides = CUBE.find('f').unwrap();
    put(folder, "box.obj", &format!("{corners}{}", &CUBE[sides..]));
    let convert = |rest: &[&str]| {
        done(folder, &[&["convert", "box.obj", "out.ply"], rest].concat());
        bounds(folder, "out.ply")
    };
    let near = |(min, max): (Vec<f64>, Vec<f64>), low: [f64; 3], high: [f64; 3]| {
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(close(&min, &low) && close(&max, &high), "{min:?} {max:?}");
    };
    near(convert(&[]), [0.0; 3], [1.0, 2.0, 3.0]);
    near(
        convert(&["--translate", "-1,0,0.5"]),
        [-1.0, 0.0, 0.5],
        [0.0, 2.0, 3.5],
    );
    near(convert(&["--scale", "2"]), [0.0; 3], [2.0, 4.0, 6.0]);
    near(
        convert(&["--rotate", "x:90"]),
        [0.0, -3.0, 0.0],
        [1.0, 0.0, 2.0],
    );
    near(
        convert(&["--rotate", "0,0,2:-90"]),
        [0.0, -1.0, 0.0],
        [2.0, 0.0, 3.0],
    );
    near(
        convert(&["--rotate", "0,1,0,0"]),
        [0.0, -2.0, -3.0],
        [1.0, 0.0, 0.0],
    );
    near(
        convert(&["--translate=-10,0,0", "--rotate", "z:90", "--scale", "2"]),
        [-14.0, 0.0, 0.0],
        [-10.0, 2.0, 6.0],
    );
    // A mirrored surface is still turned outward.
    near(convert(&["--scale", "-1"]), [-1.0, -2.0, -3.0], [0.0; 3]);
    let report = json(folder, &["info", "out.ply", "--json"]);
    assert_eq!(report["volume"], 6.0);
}

#[test]
fn repairs_when_asked_for() {
    let folder = folder();
    let folder = folder.path();
    // One corner twice, a little apart; one side turned around.
    let broken = CUBE
        .replace("f 4 1 5 8", "f 8 5 9 4")
        .replace("f 1 4 3 2", "v -1 -1 -1.000001\nf 1 4 3 2");
    put(folder, "broken.obj", &broken);
    let report = json(folder, &["info", "broken.obj", "--json"]);
    assert_eq!(report["closed"], false);

    let plain = json(folder, &["convert", "broken.obj", "same.ply", "--json"]);
    assert_eq!(
        plain["output"]["vertices"], 9,
        "nothing is repaired unasked"
    );
    let mended = json(
        folder,
        &[
            "convert",
            "broken.obj",
            "fixed.ply",
            "--weld",
            "1e-4",
            "--orient",
            "--json",
        ],
    );
    assert_eq!(mended["merged_vertices"], 1);
    assert_eq!(mended["collapsed_triangles"], 0);
    assert_eq!(mended["flipped_triangles"], 2);
    assert_eq!(mended["input"]["vertices"], 9);
    assert_eq!(mended["input"]["polygons"], 6);
    let report = json(folder, &["info", "fixed.ply", "--json"]);
    assert_eq!(report["closed"], true);
    assert_eq!(report["oriented"], true);
    assert!((report["volume"].as_f64().unwrap() - 8.0).abs() < 1e-5);

    let output = run(
        folder,
        &["convert", "broken.obj", "a.ply", "--weld", "1e-4"],
    );
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("1 vertices merged"), "{notes}");
    let output = run(
        folder,
        &["-q", "convert", "broken.obj", "a.ply", "--orient"],
    );
    assert!(output.stderr.is_empty() && output.stdout.is_empty());
}

#[test]
fn refusals_write_nothing() {
    let folder = folder();
    let folder = folder.path();
    put(folder, "cube.obj", CUBE);
    put(folder, "bad.obj", "v 0 0\n");
    let cases: [(&[&str], &str); 9] = [
        (&["bad.obj", "out.stl"], "bad.obj: line 1"),
        (&["none.obj", "out.stl"], "none.obj"),
        (&["cube.obj", "out.xyz"], "xyz"),
        // The ending is refused before the file is looked for.
        (&["none.obj", "out.xyz"], "xyz"),
        (&["cube.obj", "out.stl", "--scale", "0"], "scale"),
        (&["cube.obj", "out.stl", "--scale", "1e50"], "binary STL"),
        (&["cube.obj", "out.stl", "--rotate", "x"], "rotation"),
        (&["cube.obj", "out.stl", "--rotate", "2,0,0,0"], "2"),
        (&["cube.obj", "out.stl", "--weld", "-1"], "tolerance"),
    ];
    for (arguments, named) in cases {
        let error = refused(folder, &[&["convert"], arguments].concat(), 2);
        assert!(error.contains(named), "{arguments:?}: {error}");
        assert_eq!(files(folder), ["bad.obj", "cube.obj"]);
    }
}

#[test]
fn an_old_file_survives_a_failure() {
    let folder = folder();
    let folder = folder.path();
    put(folder, "cube.obj", CUBE);
    put(folder, "bad.obj", "f 1 2 3\n");
    put(folder, "out.stl", "precious");
    refused(folder, &["convert", "bad.obj", "out.stl"], 2);
    let kept = std::fs::read_to_string(folder.join("out.stl")).unwrap();
    assert_eq!(kept, "precious");
    // In place: the file is replaced once it is read.
    done(folder, &["convert", "cube.obj", "cube.obj", "--scale", "3"]);
    assert_eq!(bounds(folder, "cube.obj").1, [3.0; 3]);
}
