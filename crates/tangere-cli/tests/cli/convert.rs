//! `tangere convert`: formats, transformations and repairs.

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
    let folder = folder_with(&[("cube.obj", CUBE)]);
    let folder = folder.path();
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
    // The corners of the cube are moved to a box from the origin to (1, 2, 3).
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
    // A mirrored surface still has outward normals.
    near(convert(&["--scale", "-1"]), [-1.0, -2.0, -3.0], [0.0; 3]);
    let report = json(folder, &["info", "out.ply", "--json"]);
    assert_eq!(report["volume"], 6.0);
}

#[test]
fn repairs_on_request() {
    let folder = folder();
    let folder = folder.path();
    // One corner occurs twice, a little apart, and one side is turned inward.
    let broken = CUBE
        .replace("f 4 1 5 8", "f 8 5 9 4")
        .replace("f 1 4 3 2", "v -1 -1 -1.000001\nf 1 4 3 2");
    put(folder, "broken.obj", &broken);
    let report = json(folder, &["info", "broken.obj", "--json"]);
    assert_eq!(report["closed"], false);

    let plain = json(folder, &["convert", "broken.obj", "same.ply", "--json"]);
    assert_eq!(
        plain["output"]["vertices"], 9,
        "nothing is repaired by default"
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
    assert!(
        notes.contains("weld: 1 vertex merged, 0 triangles collapsed\n"),
        "{notes}"
    );
    let output = run(
        folder,
        &["-q", "convert", "broken.obj", "a.ply", "--orient"],
    );
    assert!(output.stderr.is_empty() && output.stdout.is_empty());
}

#[test]
fn refusals_write_nothing() {
    let folder = folder_with(&[("cube.obj", CUBE), ("bad.obj", "v 0 0\n")]);
    let folder = folder.path();
    std::fs::create_dir(folder.join("folder")).unwrap();
    let cases: [(&[&str], &str); 20] = [
        (
            &["cube.obj", "out.vtk"],
            "out.vtk: vtk can be read but not written; use vtp or vtu",
        ),
        (
            &["cube.obj", "out.npy"],
            "out.npy: npy holds particles, not a surface",
        ),
        (&["folder", "out.stl"], "folder: is a folder"),
        (&["cube.obj", "-"], "--format"),
        (&["-", "out.stl"], "--format"),
        (&["cube.obj", "out.stl", "--format", "ply"], "--format"),
        (
            &["cube.obj", "-", "--format", "ply", "--json"],
            "standard output",
        ),
        (
            &["cube.obj", "out.stl", "--rotate", "q:90"],
            "x, y, z or three numbers, then :degrees, or a quaternion \
             w,x,y,z",
        ),
        (
            &["cube.obj", "out.stl", "--translate", "1,2"],
            "--translate",
        ),
        (
            &["cube.obj", "out.stl", "--weld", "100"],
            "cube.obj: weld tolerance: found 100, which collapses all 12 triangles",
        ),
        (
            &["cube.obj", "out.stl", "--translate", "1e9,0,0"],
            "out.stl: vertex 1: found [1000000001.0, -1.0, -1.0], which f32 puts at",
        ),
        (&["bad.obj", "out.stl"], "bad.obj: line 1"),
        (&["none.obj", "out.stl"], "none.obj"),
        (&["cube.obj", "out.xyz"], "xyz"),
        // The file extension is refused before the file is opened.
        (&["none.obj", "out.xyz"], "xyz"),
        (&["cube.obj", "out.stl", "--scale", "0"], "scale"),
        (&["cube.obj", "out.stl", "--scale", "1e50"], "binary STL"),
        (&["cube.obj", "out.stl", "--rotate", "x"], "--rotate"),
        (&["cube.obj", "out.stl", "--rotate", "2,0,0,0"], "2"),
        (&["cube.obj", "out.stl", "--weld", "-1"], "tolerance"),
    ];
    for (arguments, named) in cases {
        let error = refused(folder, &[&["convert"], arguments].concat(), 2);
        assert!(error.contains(named), "{arguments:?}: {error}");
        assert_eq!(files(folder), ["bad.obj", "cube.obj", "folder"]);
    }
}

#[test]
fn an_old_file_survives_a_failure() {
    let folder = folder_with(&[
        ("cube.obj", CUBE),
        ("bad.obj", "f 1 2 3\n"),
        ("out.stl", "precious"),
    ]);
    let folder = folder.path();
    refused(folder, &["convert", "bad.obj", "out.stl"], 2);
    let kept = std::fs::read_to_string(folder.join("out.stl")).unwrap();
    assert_eq!(kept, "precious");
    // Input and output may be the same file, which is replaced after it is read.
    done(folder, &["convert", "cube.obj", "cube.obj", "--scale", "3"]);
    assert_eq!(bounds(folder, "cube.obj").1, [3.0; 3]);
}

#[test]
fn what_reading_changed_and_dropped_is_noted() {
    let folder = folder_with(&[("cube.obj", &format!("vn 0 0 1\n{CUBE}v 1 1 1\n"))]);
    let folder = folder.path();
    let notes = |arguments: &[&str]| {
        let output = run(folder, arguments);
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stderr).unwrap()
    };
    let noted = notes(&["convert", "cube.obj", "cube.stl"]);
    for line in [
        "reading: 1 vertex merged into others at the same place\n",
        "reading: 6 polygons cut into 12 triangles\n",
        "not kept: normals\n",
    ] {
        assert!(noted.contains(line), "{noted}");
    }
    assert!(!noted.contains("rounded"), "{noted}");
    let object = json(folder, &["convert", "cube.obj", "a.stl", "--json"]);
    assert_eq!(object["input"]["not_kept"], serde_json::json!(["normals"]));
    assert_eq!(object["rounding"], 0.0);

    let moved = ["convert", "cube.obj", "a.stl", "--translate", "0.1,0,0"];
    let noted = notes(&moved);
    assert!(
        noted.contains("a.stl: coordinates rounded by up to "),
        "{noted}"
    );
    let object = json(folder, &[&moved[..], &["--json"]].concat());
    let rounding = object["rounding"].as_f64().unwrap();
    assert!(rounding > 1e-10 && rounding < 1e-7, "{rounding}");
    let noted = notes(&["convert", "cube.obj", "a.ply", "--translate", "0.1,0,0"]);
    assert!(!noted.contains("rounded"), "{noted}");
    // Steps that do nothing are not listed and have no time.
    let noted = notes(&["-v", "convert", "cube.obj", "a.ply"]);
    assert!(noted.contains("reading cube.obj: "), "{noted}");
    assert!(
        !noted.contains("repairing") && !noted.contains(" 0.000"),
        "{noted}"
    );
}

#[test]
fn particles_of_every_format_and_back() {
    let folder = folder();
    let folder = folder.path();
    for dim in ["2", "3"] {
        let make = ["generate", "particles", "--dim", dim, "--count", "20", "-o"];
        done(folder, &[&make[..], &["first.csv"]].concat());
        let first = std::fs::read(folder.join("first.csv")).unwrap();
        let mut from = "first.csv".to_owned();
        for ending in ["npy", "vtp", "vtu", "csv"] {
            let to = format!("next.{ending}");
            let object = json(folder, &["convert", &from, &to, "--json"]);
            assert_eq!(object["kind"], "particles");
            assert_eq!(object["dimension"], dim.parse::<u64>().unwrap());
            assert_eq!(object["particles"], 20);
            assert_eq!(object["output"]["format"], ending);
            from = to;
        }
        assert_eq!(std::fs::read(folder.join(from)).unwrap(), first);
    }
}

#[test]
fn particles_are_moved_and_scaled() {
    let folder = folder_with(&[
        ("discs.csv", "x,y,diameter,mass\n1,2,1,9\n"),
        ("spheres.csv", "1 2 3 0.5\n"),
    ]);
    let folder = folder.path();
    let text = |arguments: &[&str]| {
        let all = [&["convert"], arguments, &["-", "--format", "csv"]].concat();
        done(folder, &all)
    };
    let moved = ["--scale", "-2", "--translate", "1,0"];
    assert_eq!(
        text(&[&["discs.csv"], &moved[..]].concat()),
        "x,y,radius\n-1,-4,1\n"
    );
    let turned = ["--rotate", "-z:90", "--translate", "0,0,-1"];
    assert_eq!(
        text(&[&["spheres.csv"], &turned[..]].concat()),
        "x,y,z,radius\n2,-1,2,0.5\n"
    );
    let notes = run(folder, &["convert", "discs.csv", "discs.npy"]).stderr;
    assert!(
        String::from_utf8(notes)
            .unwrap()
            .contains("not kept: mass\n")
    );
    let cases: [(&[&str], &str); 7] = [
        (
            &["discs.csv", "a.stl"],
            "stl holds a surface, not particles",
        ),
        (
            &["discs.csv", "a.npy", "--rotate", "z:90"],
            "--rotate: found discs",
        ),
        (
            &["discs.csv", "a.npy", "--translate", "1,2,3"],
            "--translate",
        ),
        (
            &["spheres.csv", "a.npy", "--translate", "1,2"],
            "--translate",
        ),
        (&["spheres.csv", "a.npy", "--weld", "1"], "--weld"),
        (&["spheres.csv", "a.npy", "--orient"], "--orient"),
        (&["spheres.csv", "-", "--format", "npy"], "csv"),
    ];
    refuse_all(folder, &["convert"], &cases);
}

/// Points without radii of VTK files stay points, or become particles by an option.
#[test]
fn points_without_radii() {
    let folder = folder_with(&[(
        "a.csv",
        "x,y,z,radius,id\n1,2,3,0.5,7\n4,5,6,0.25,9007199254740993\n",
    )]);
    let folder = folder.path();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    // A file of points, as other programs write it.
    done(folder, &["convert", "a.csv", "a.vtp"]);
    let spheres = tangere_io::vtk::read_points(folder.join("a.vtp")).unwrap();
    let cloud = tangere_io::vtk::PointCloud {
        fields: (spheres.fields.iter())
            .filter(|f| f.name != "radius")
            .cloned()
            .collect(),
        ..spheres
    };
    for from in ["p.vtp", "p.vtu"] {
        tangere_io::write_cloud(folder.join(from), &cloud).unwrap();
        let object = json(folder, &["info", from, "--json"]);
        assert_eq!(
            (&object["kind"], &object["points"]),
            (&"points".into(), &2.into())
        );
        assert_eq!(object["fields"], serde_json::json!(["id"]));
        assert_eq!(object["bounds"]["max"], serde_json::json!([4.0, 5.0, 6.0]));
        assert!(done(folder, &["info", from]).contains("without radii"));
        done(folder, &["convert", from, "p.csv"]);
        assert_eq!(read("p.csv"), "x,y,z,id\n1,2,3,7\n4,5,6,9007199254740993\n");
        assert_eq!(
            done(folder, &["convert", from, "-", "--format", "csv"]),
            read("p.csv")
        );
        let object = json(
            folder,
            &["convert", from, "p.npy", "--translate", "1,0,0", "--json"],
        );
        assert_eq!(object["input"]["not_kept"], serde_json::json!(["id"]));
        let points = tangere_io::read_array(folder.join("p.npy")).unwrap();
        assert_eq!((points.shape, points.values[0]), (vec![2, 3], 2.0));
        done(folder, &["convert", from, "q.csv", "--radius", "0.5"]);
        assert!(read("q.csv").starts_with("x,y,z,radius,id\n1,2,3,0.5,7\n"));
        refuses(
            folder,
            &["convert", from, "p.stl"],
            "holds a surface, not particles",
        );
    }
    for (from, found) in [
        ("a.csv", "particles with radii"),
        ("a.vtp", "particles with radii"),
    ] {
        let words = format!("--radius: found {found} in {from}, expected a LAMMPS dump");
        refuses(folder, &["convert", from, "b.csv", "--radius", "1"], &words);
    }
}

/// A dump without radii needs one.
#[test]
fn dumps_without_radii() {
    let text = RUN.replace(" diameter", " mass");
    let folder = folder_with(&[("run.dump", &text)]);
    let folder = folder.path();
    let one = ["convert", "run.dump", "a.csv", "--step", "50"];
    refuses(
        folder,
        &one,
        "expected radius (or diameter); --radius R gives all the same one",
    );
    done(folder, &[&one[..], &["--radius", "0.125"]].concat());
    let rows = std::fs::read_to_string(folder.join("a.csv")).unwrap();
    assert_eq!(
        rows,
        "x,y,z,radius,id,type,mass,vx\n1,4,0,0.125,3,2,0.5,3\n"
    );
    done(
        folder,
        &["convert", "run.dump", "-o", "run.pvd", "--radius", "0.5"],
    );
    let points = tangere_io::vtk::read_points(folder.join("run.0.vtp")).unwrap();
    assert_eq!(&*points.scalars("radius").unwrap(), &[0.5, 0.5]);
    // Ids and types are integers.
    for name in ["id", "type"] {
        let field = points.field(name).unwrap();
        assert!(
            matches!(field.values, tangere_io::vtk::FieldValues::I64(_)),
            "{name}"
        );
    }
    let one = ["convert", "run.dump", "-", "--step", "50", "--radius", "2"];
    assert_eq!(done(folder, &one), "x,y,z,radius\n1,4,0,2\n");
}

#[test]
fn particles_keep_their_columns() {
    let table = "x,y,z,radius,id,vx\n1,2,3,0.5,7,-1\n4,5,6,0.25,9,0.1\n";
    let folder = folder_with(&[("a.csv", table)]);
    let folder = folder.path();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    // Through fields of VTK files and back.
    for (from, to) in [("a.csv", "b.vtp"), ("b.vtp", "c.vtu"), ("c.vtu", "d.csv")] {
        let object = json(folder, &["convert", from, to, "--json"]);
        assert_eq!(object["input"]["not_kept"], serde_json::json!([]), "{to}");
    }
    assert_eq!(read("d.csv"), table);
    let printed = done(folder, &["convert", "a.csv", "-", "--format", "csv"]);
    assert_eq!(printed, table);
    // Velocities do not turn with the particles; arrays have no names.
    let turned = ["convert", "a.csv", "e.csv", "--rotate", "z:180", "--json"];
    let object = json(folder, &turned);
    assert_eq!(object["input"]["not_kept"], serde_json::json!(["vx"]));
    assert!(read("e.csv").starts_with("x,y,z,radius,id\n-1,-2,3,0.5,7\n"));
    let object = json(folder, &["convert", "a.csv", "e.npy", "--json"]);
    assert_eq!(object["input"]["not_kept"], serde_json::json!(["id", "vx"]));
}

#[test]
fn standard_input_and_output() {
    let folder = folder_with(&[("cube.obj", CUBE)]);
    let folder = folder.path();
    done(folder, &["convert", "cube.obj", "cube.stl"]);
    let file = std::fs::read(folder.join("cube.stl")).unwrap();
    let stl = ["--format", "stl"];
    let printed = run(folder, &[&["convert", "cube.obj", "-"], &stl[..]].concat());
    assert_eq!(printed.stdout, file);
    let through = |arguments: &[&str]| {
        let all = [arguments, &stl].concat();
        let input = std::fs::File::open(folder.join("cube.stl")).unwrap();
        let output = tangere(folder, &all).stdin(input).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{errors}");
        output.stdout
    };
    assert_eq!(through(&["convert", "-", "-"]), file);
    let report: Value = serde_json::from_slice(&through(&["info", "-", "--json"])).unwrap();
    assert_eq!(report["file"], "standard input");
    assert_eq!(report["volume"], 8.0);
    let output = tangere(folder, &["info", "-", "--format", "ply"])
        .stdin(std::fs::File::open(folder.join("cube.stl")).unwrap())
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    let named = "tangere: error: standard input: line 1: ";
    assert!(error.starts_with(named), "{error}");
    assert_eq!(output.status.code(), Some(2));
}

const RUN: &str = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp ff\n\
    0 10\n0 4\n0 4\nITEM: ATOMS id type xs ys zs diameter vx element\n\
    7 1 0.5 0.25 1 1 -1.5 Si\n3 2 0 0 0 0.5 2 O\n\
    ITEM: TIMESTEP\n50\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS xy xz yz pp pp ff\n\
    0 11 1\n0 4 0\n0 4 0\nITEM: ATOMS id type xs ys zs diameter vx element\n3 2 0 1 0 0.5 3 O\n";

#[test]
fn frames_of_a_dump() {
    let folder = folder_with(&[("run.dump", RUN)]);
    let folder = folder.path();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let object = json(
        folder,
        &[
            "convert", "run.dump", "-o", "a.csv", "--step", "50", "--json",
        ],
    );
    assert_eq!(object["input"]["not_kept"], serde_json::json!(["element"]));
    assert_eq!(read("a.csv"), "x,y,z,radius,id,type,vx\n1,4,0,0.25,3,2,3\n");
    done(folder, &["convert", "run.dump", "b.{step}.csv"]);
    let first = "x,y,z,radius,id,type,vx\n0,0,0,0.25,3,2,2\n5,1,4,0.5,7,1,-1.5\n";
    assert_eq!(
        (read("b.0.csv"), read("b.50.csv")),
        (first.into(), read("a.csv"))
    );
    // Velocities do not turn with the particles.
    let moved = [
        "convert",
        "run.dump",
        "c.csv",
        "--frame",
        "1",
        "--translate",
        "1,0,0",
    ];
    done(folder, &moved);
    assert_eq!(read("c.csv"), "x,y,z,radius,id,type\n2,4,0,0.25,3,2\n");
    done(folder, &["convert", "run.dump", "d.npy", "--frame", "0"]);
    let spheres = tangere_io::read_array(folder.join("d.npy")).unwrap();
    assert_eq!((spheres.shape, spheres.values[3]), (vec![2, 4], 0.25));
    done(folder, &["convert", "run.dump", "-o", "run.pvd"]);
    assert!(read("run.pvd").contains("timestep=\"50.0\""));
    let points = tangere_io::vtk::read_points(folder.join("run.0.vtp")).unwrap();
    assert_eq!(&*points.scalars("id").unwrap(), &[3.0, 7.0]);
    let printed = run(folder, &["convert", "run.dump", "-", "--frame", "1"]);
    assert_eq!(printed.stdout, b"x,y,z,radius\n1,4,0,0.25\n");
    for (arguments, part) in [
        (
            &["a.csv"][..],
            "run.dump: found 2 frames, expected --frame or --step",
        ),
        (
            &["a.csv", "--frame", "2"],
            "--frame: found 2, expected less than 2",
        ),
        (
            &["a.csv", "--step", "7"],
            "--step: found 7, expected the step of one",
        ),
        (&["a.stl", "--frame", "0"], "npy, csv, vtp or vtu"),
        (&["a.csv", "--orient"], "--orient: found particles"),
    ] {
        refuses(
            folder,
            &[&["convert", "run.dump"], arguments].concat(),
            part,
        );
    }
    put(folder, "one.csv", "x,y,radius\n0,0,1\n");
    let chosen = ["convert", "one.csv", "two.csv", "--frame", "0"];
    refuses(
        folder,
        &chosen,
        "--frame: found one.csv, expected a LAMMPS dump",
    );
    let object = json(folder, &["info", "run.dump", "--json"]);
    assert_eq!(object["frames"], 2);
    assert_eq!(
        object["particles"],
        serde_json::json!({ "min": 1, "max": 2 })
    );
    assert_eq!(
        object["box"]["vectors"][1],
        serde_json::json!([1.0, 4.0, 0.0])
    );
    assert_eq!(
        object["box"]["periodic"],
        serde_json::json!([true, true, false])
    );
    assert_eq!(object["columns"][2], "xs");
    assert_eq!(object["radius"]["max"], 0.5);
}

#[test]
fn holes_are_filled_on_request() {
    let folder = folder();
    let folder = folder.path();
    done(
        folder,
        &["generate", "sphere", "--level", "3", "-o", "sphere.off"],
    );
    let text = std::fs::read_to_string(folder.join("sphere.off")).unwrap();
    // Without the last triangles of the file.
    let counts = text.lines().nth(1).unwrap();
    let triangles: usize = counts.split(' ').nth(1).unwrap().parse().unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let fewer = lines[..lines.len() - 5].join("\n") + "\n";
    let fewer = fewer.replacen(
        &format!(" {triangles} "),
        &format!(" {} ", triangles - 5),
        1,
    );
    put(folder, "open.off", &fewer);
    let edges = json(folder, &["info", "open.off", "--json"])["boundary_edges"]
        .as_u64()
        .unwrap();
    let expected = format!(
        "open.off: not closed: {edges} boundary edges; see `tangere info open.off`; `tangere \
         convert open.off OUT --close` fills holes"
    );
    refuses(folder, &["pack", "open.off", "-o", "p.npy"], &expected);
    let object = json(
        folder,
        &["convert", "open.off", "closed.ply", "--close", "--json"],
    );
    assert_eq!(object["added_triangles"], 5);
    assert_eq!(object["boundary_edges_left"], 0);
    assert_eq!(object["encloses_volume"], true);
    let report = json(folder, &["info", "closed.ply", "--json"]);
    assert_eq!(
        (&report["closed"], &report["oriented"]),
        (&true.into(), &true.into())
    );
    let output = run(
        folder,
        &[
            "convert",
            "open.off",
            "-o",
            "still.ply",
            "--close",
            "--max-hole",
            "3",
        ],
    );
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        notes.contains("close: 1 hole filled, 1 triangle added; still open: 6"),
        "{notes}"
    );
    refuses(
        folder,
        &["convert", "open.off", "a.ply", "--max-hole", "9"],
        "--close",
    );
    refuses(
        folder,
        &["convert", "open.off", "a.ply", "--close", "--max-hole", "2"],
        "from 3 to 1000",
    );
}

/// The boundary of a flat sheet is a hole like any other: what closes it encloses nothing.
#[test]
fn a_flat_sheet_encloses_no_volume() {
    let folder = folder_with(&[(
        "sheet.obj",
        "v 0 0 0.1\nv 1 0.3 0.7\nv 1.1 1.3 1.2\nv 0.1 1 0.6\nf 1 2 3\nf 1 3 4\n",
    )]);
    let folder = folder.path();
    let flat = ["convert", "sheet.obj", "closed.ply", "--close"];
    let notes = run(folder, &flat).stderr;
    let notes = String::from_utf8(notes).unwrap();
    assert!(
        notes.contains("closed, but flat: it encloses no volume"),
        "{notes}"
    );
    let object = json(folder, &[&flat[..], &["--json"]].concat());
    assert_eq!(object["boundary_edges_left"], 0);
    assert_eq!(object["encloses_volume"], false);
    let object = json(folder, &["convert", "sheet.obj", "same.ply", "--json"]);
    assert!(object["encloses_volume"].is_null());
}
