//! `tangere inside`: point containment.

use super::*;
use tangere::inside::Method;

/// Points in the middle of the cube, on a face, on an edge, at a corner, and two outside.
pub(super) const POINTS: &str = "x,y,z\n0,0,0\n1,0.5,0\n1,1,0\n1,1,1\n1.5,0,0\n0,0,-9\n";
pub(super) const SIDES: &str = "side\n1\n0\n0\n0\n-1\n-1\n";

pub(super) fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// Returns the header of an NPY file, and the bytes after it.
pub(super) fn npy(folder: &Path, name: &str) -> (String, Vec<u8>) {
    let bytes = std::fs::read(folder.join(name)).unwrap();
    let end = bytes.iter().position(|&b| b == b'\n').unwrap() + 1;
    let header = String::from_utf8_lossy(&bytes[..end]).into_owned();
    (header, bytes[end..].to_vec())
}

#[test]
fn a_cube_in_all_methods_and_formats() {
    let folder = folder_with(&[("cube.obj", CUBE), ("points.csv", POINTS)]);
    let folder = folder.path();
    for method in Method::ALL {
        for rule in ["nonzero", "parity"] {
            let object = json(
                folder,
                &[
                    "inside",
                    "cube.obj",
                    "points.csv",
                    "--method",
                    method.name(),
                    "--rule",
                    rule,
                    "--repeat",
                    "2",
                    "--verify",
                    "-o",
                    "sides.csv",
                    "--json",
                ],
            );
            assert_eq!(object["points"], 6);
            assert_eq!(object["inside"], 1);
            assert_eq!(object["surface"], 3);
            assert_eq!(object["outside"], 2);
            assert_eq!(object["rule"], rule);
            assert_eq!(object["confidence"], 1.0);
            assert_eq!(object["verified"], true);
            assert_eq!(object["mesh"]["closed"], true);
            assert_eq!(object["mesh"]["oriented"], true);
            assert!(object["bound"].as_f64() < Some(1e-6));
            assert!(object["method"].is_string());
            assert!(!object["reason"].as_str().unwrap().is_empty());
            for part in ["read", "setup", "query"] {
                assert!(object["seconds"][part].as_f64() >= Some(0.0), "{part}");
            }
            assert_eq!(text(folder, "sides.csv"), SIDES, "{method}");
        }
    }
    done(
        folder,
        &["inside", "cube.obj", "points.csv", "-o", "sides.npy"],
    );
    let (header, sides) = npy(folder, "sides.npy");
    assert!(
        header.contains("'|i1'") && header.contains("(6,)"),
        "{header}"
    );
    assert_eq!(sides, [1, 0, 0, 0, 255, 255]);
    let table = done(
        folder,
        &["inside", "cube.obj", "points.csv", "-o", "points.vtp"],
    );
    assert!(table.contains("on the surface"), "{table}");
    let written = std::fs::read(folder.join("points.vtp")).unwrap();
    assert!(String::from_utf8_lossy(&written).contains("Name=\"side\""));
}

#[test]
fn winding_numbers() {
    let folder = folder_with(&[("cube.obj", CUBE), ("points.csv", POINTS)]);
    let folder = folder.path();
    for method in Method::ALL {
        let arguments = [
            "inside",
            "cube.obj",
            "points.csv",
            "--winding",
            "-o",
            "w.npy",
            "--json",
        ];
        let object = json(
            folder,
            &[&arguments[..], &["--method", method.name()]].concat(),
        );
        assert_eq!(object["inside"], 1);
        assert_eq!(object["confidence"], 1.0, "{method}");
        let (header, bytes) = npy(folder, "w.npy");
        assert!(header.contains("'<f8'"), "{header}");
        let bound = object["bound"].as_f64().unwrap();
        let (windings, _) = bytes.as_chunks::<8>();
        let expected = [1.0, 0.5, 0.25, 0.125, 0.0, 0.0];
        for (w, expected) in windings
            .iter()
            .map(|&w| f64::from_le_bytes(w))
            .zip(expected)
        {
            assert!((w - expected).abs() <= bound, "{method}: {w}");
        }
    }
    done(
        folder,
        &[
            "inside",
            "cube.obj",
            "points.csv",
            "--winding",
            "-o",
            "w.csv",
        ],
    );
    assert!(text(folder, "w.csv").starts_with("side,winding\n1,1\n0,0."));
}

#[test]
fn grids_and_nodes_of_other_bodies() {
    let folder = folder_with(&[("cube.obj", CUBE)]);
    let folder = folder.path();
    done(
        folder,
        &["generate", "sphere", "--level", "3", "-o", "sphere.stl"],
    );
    for method in Method::ALL {
        let arguments = ["inside", "sphere.stl", "--grid", "10", "--verify", "--json"];
        let object = json(
            folder,
            &[&arguments[..], &["--method", method.name()]].concat(),
        );
        assert_eq!(object["points"], 1000);
        let inside = object["inside"].as_u64().unwrap();
        assert!((450..600).contains(&inside), "{inside}");
    }
    // All centres of a grid in the cube are inside. The array has the axes z, y and x.
    let object = json(folder, &["inside", "cube.obj", "--grid", "4", "--json"]);
    assert_eq!(object["inside"], 64);
    let grid = serde_json::json!({
        "cells": [4, 4, 4], "origin": [-1.0, -1.0, -1.0], "spacing": [0.5, 0.5, 0.5],
    });
    assert_eq!(object["grid"], grid);
    let place = ["--grid", "4,2,1", "-o", "sides.npy"];
    let printed = done(folder, &[&["inside", "cube.obj"], &place[..]].concat());
    for line in ["4 x 2 x 1", "-1, -1, -1", "0.5, 1, 2"] {
        assert!(printed.contains(line), "{printed}");
    }
    let sides = tangere_io::read_array(folder.join("sides.npy")).unwrap();
    assert_eq!((sides.shape, sides.values), (vec![8], vec![1.0; 8]));
    let both = [
        &["inside", "cube.obj", "--winding", "--confidence"],
        &place[..],
    ]
    .concat();
    done(folder, &both);
    let both = tangere_io::read_array(folder.join("sides.npy")).unwrap();
    assert_eq!(both.shape, [8, 2]);
    let object = json(folder, &["inside", "cube.obj", "sphere.stl", "--json"]);
    assert_eq!(object["surface"], 6);
    assert_eq!(object["outside"], 0);
    // x runs fastest: of a flat body the layers below and above the middle are outside.
    put(
        folder,
        "flat.obj",
        &CUBE.replace(" -1\n", " -0.1\n").replace(" 1\n", " 0.1\n"),
    );
    done(
        folder,
        &["inside", "flat.obj", "--grid", "3", "-o", "flat.csv"],
    );
    let sides = text(folder, "flat.csv");
    let layers: Vec<&str> = sides.lines().skip(1).collect();
    assert!(
        layers[..9]
            .iter()
            .chain(&layers[18..])
            .all(|side| *side == "-1")
    );
    assert!(layers[9..18].iter().all(|side| *side == "1"));
}

/// Grids that exceed memory are refused before any work.
#[cfg(target_os = "linux")]
#[test]
fn grids_larger_than_memory() {
    let folder = folder_with(&[("cube.obj", CUBE)]);
    let folder = folder.path();
    for arguments in [
        &["--method", "cells"][..],
        &["--method", "multipole"],
        &["--winding", "-o", "w.npy"],
        &["-o", "grid.vtp"],
    ] {
        let output = Command::new("sh")
            .args(["-c", "ulimit -v 900000 && exec \"$0\" \"$@\""])
            .arg(env!("CARGO_BIN_EXE_tangere"))
            .args(["inside", "cube.obj", "--grid", "1000", "--threads", "1"])
            .args(arguments)
            .current_dir(folder)
            .output()
            .unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        let expected = "tangere: error: cube.obj: out of memory: 1e9 points need ";
        assert!(errors.starts_with(expected), "{errors}");
        assert_eq!(files(folder), ["cube.obj"]);
    }
}

/// A grid that is computed in several parts has the answers of its points.
#[test]
fn grids_in_parts() {
    let folder = folder_with(&[("cube.obj", CUBE)]);
    let folder = folder.path();
    let grid = ["inside", "cube.obj", "--grid", "130", "--json"];
    for more in [
        &["--method", "multipole"][..],
        &["--method", "ray", "--winding", "-o", "w.npy"],
    ] {
        let object = json(folder, &[&grid[..], more].concat());
        assert_eq!(object["inside"], 130 * 130 * 130);
        assert_eq!(object["confidence"], 1.0);
    }
    let (_, bytes) = npy(folder, "w.npy");
    let (windings, _) = bytes.as_chunks::<8>();
    assert_eq!(windings.len(), 130 * 130 * 130);
    assert!(windings.iter().all(|&w| f64::from_le_bytes(w) == 1.0));
}

#[test]
fn open_surfaces() {
    let folder = folder();
    let folder = folder.path();
    let open: Vec<&str> = CUBE.lines().filter(|line| *line != "f 5 6 7 8").collect();
    put(folder, "open.obj", &open.join("\n"));
    put(folder, "cube.obj", CUBE);
    put(folder, "points.csv", "0,0,-0.5\n0,0,0.99\n3,3,3\n");
    for method in ["ray", "cells"] {
        let arguments = ["inside", "open.obj", "points.csv", "--method", method];
        let error = refused(folder, &arguments, 2);
        for part in [
            "open.obj: mesh: found 4 boundary edges (4-5, ",
            "winding number",
        ] {
            assert!(error.contains(part), "{error}");
        }
        let object = json(folder, &[&arguments[..], &["--insist", "--json"]].concat());
        assert_eq!(object["confidence"], 0.0);
        // Without a guarantee there is no bound.
        let insisted = ["--insist", "--winding", "--json"];
        let object = json(folder, &[&arguments[..], &insisted].concat());
        assert_eq!(object["bound"], serde_json::Value::Null);
        assert_eq!(object["confidence"], 0.0);
    }
    let object = json(
        folder,
        &["inside", "open.obj", "points.csv", "--insist", "--json"],
    );
    let reason = object["reason"].as_str().unwrap();
    assert!(
        reason.contains("insisted on") && !reason.contains("no leaks"),
        "{reason}"
    );
    let object = json(
        folder,
        &["inside", "open.obj", "points.csv", "--verify", "--json"],
    );
    for (surface, standard) in [
        ("open.obj", "solid angles"),
        ("cube.obj", "exact crossings"),
    ] {
        let summary = done(folder, &["inside", surface, "points.csv", "--verify"]);
        assert!(summary.contains(standard), "{summary}");
    }
    assert_eq!(
        (&object["inside"], &object["mesh"]["closed"]),
        (&2.into(), &false.into())
    );
    assert!(object["confidence"].as_f64() < Some(0.5));
    assert!(
        object["reason"]
            .as_str()
            .unwrap()
            .contains("the surface has 4 boundary edges, so winding numbers decide")
    );
}

/// With `--insist` rays may disagree with `--verify`; the error names the points.
#[test]
fn insisting_is_found_out() {
    let folder = folder();
    let folder = folder.path();
    let open: Vec<&str> = CUBE.lines().filter(|line| *line != "f 5 6 7 8").collect();
    put(folder, "open.obj", &open.join("\n"));
    // The shortest ray goes down and leaves the box; the ray of the comparison goes up, through the
    // hole.
    put(folder, "points.csv", "0.1,0.2,-0.9\n0.1,0.2,0.9\n");
    let arguments = ["inside", "open.obj", "points.csv", "--method", "ray"];
    let error = refused(
        folder,
        &[&arguments[..], &["--insist", "--verify"]].concat(),
        1,
    );
    assert!(
        error.contains("points differ from exact crossings of every triangle"),
        "{error}"
    );
    assert!(
        error.contains("(0.1, 0.2, ") && error.contains("is outside, not inside"),
        "{error}"
    );
}

#[test]
fn bad_input() {
    let folder = folder_with(&[
        ("cube.obj", CUBE),
        ("points.csv", POINTS),
        ("four.csv", "1,2,3,4\n"),
        ("named.csv", "a,b,c\n1,2,3\n"),
        ("none.obj", "v 0 0 0\n"),
        ("empty.csv", ""),
    ]);
    let folder = folder.path();
    for (arguments, parts) in [
        (
            &["inside", "cube.obj"][..],
            &["found no query points, expected POINTS", "--grid"][..],
        ),
        (
            &["inside", "cube.obj", "--grid", "3,4"],
            &["--grid", "or three"],
        ),
        (
            &["inside", "cube.obj", "points.csv", "-o", "cells.vti"],
            &["cells.vti: vti holds the cells of --grid"],
        ),
        (
            &["inside", "-", "-", "--format", "obj"],
            &["-: found it twice"],
        ),
        (
            &["inside", "cube.obj", "points.csv", "-o", "-", "--json"],
            &["--json: found - as the file to write"],
        ),
        (
            &["inside", "cube.obj", "points.csv", "--confidence"],
            &["--out"],
        ),
        (
            &["inside", "cube.obj", "points.csv", "--grid", "3"],
            &["--grid"],
        ),
        (
            &["inside", "cube.obj", "--grid", "0"],
            &["--grid", "1 to 1000"],
        ),
        (
            &["inside", "cube.obj", "--grid", "-3"],
            &["--grid", "1 to 1000"],
        ),
        (
            &["inside", "cube.obj", "points.csv", "-o", "points.csv"],
            &["points.csv: found the file that is read"],
        ),
        (&["inside", "-", "points.csv"], &["-: --format: found none"]),
        (
            &["inside", "cube.obj", "points.csv", "--format", "obj"],
            &["--format: found a file"],
        ),
        (
            &["inside", "cube.obj", "points.csv", "--accuracy", "0"],
            &["accuracy: found 0"],
        ),
        (
            &["inside", "cube.obj", "points.csv", "--accuracy", "-1"],
            &["accuracy: found -1"],
        ),
        (
            &["inside", "cube.obj", "points.csv", "--accuracy", "1"],
            &["accuracy: found 1"],
        ),
        (
            &["inside", "cube.obj", "points.csv", "--method", "magic"],
            &["magic", "multipole"],
        ),
        (
            &["inside", "cube.obj", "points.csv", "--rule", "odd"],
            &["odd", "parity"],
        ),
        (
            &["inside", "cube.obj", "four.csv"],
            &["four.csv", "3 (x, y, z)"],
        ),
        (
            &["inside", "cube.obj", "named.csv"],
            &["named.csv: columns: found a, b, c, expected 3"],
        ),
        (&["inside", "cube.obj", "nowhere.csv"], &["nowhere.csv"]),
        (
            &["inside", "points.csv", "cube.obj"],
            &["points.csv: found points, expected the surface of a body: MESH comes first"],
        ),
        (
            &["inside", "none.obj", "points.csv"],
            &["none.obj: mesh: found no triangles"],
        ),
        (
            &["inside", "cube.obj", "points.csv", "-o", "sides.stl"],
            &["sides.stl", "npy, csv, vtp, vtu or vti"],
        ),
    ] {
        let error = refused(folder, arguments, 2);
        for part in parts {
            assert!(error.contains(part), "{arguments:?}: {error}");
        }
    }
    assert_eq!(text(folder, "points.csv"), POINTS);
    let object = json(folder, &["inside", "cube.obj", "empty.csv", "--json"]);
    assert_eq!(object["points"], 0);
}

/// Points whose coordinates are too large are refused, and the error names their number.
#[test]
fn points_out_of_range() {
    let folder = folder_with(&[("cube.obj", CUBE), ("far.csv", "0,0,0\n1,1e70,1\n")]);
    let folder = folder.path();
    for method in Method::ALL {
        let arguments = ["inside", "cube.obj", "far.csv", "--method", method.name()];
        refuses(
            folder,
            &arguments,
            "far.csv: point 1: found [1.0, 1e70, 1.0]",
        );
    }
    for bad in ["nan", "inf"] {
        put(folder, "bad.csv", &format!("0,0,0\n0,{bad},0\n"));
        refuses(folder, &["inside", "cube.obj", "bad.csv"], "bad.csv");
    }
}

/// Options of the published multipole method are for that method alone.
#[test]
fn options_of_the_published_multipoles() {
    let folder = folder_with(&[("cube.obj", CUBE), ("points.csv", POINTS)]);
    let folder = folder.path();
    let with = |options: &[&'static str]| [&["inside", "cube.obj", "points.csv"], options].concat();
    for (options, message) in [
        (
            &["--degree", "8"][..],
            "--degree: found 8, expected none for method auto; only multipole and panel-clustering have one",
        ),
        (
            &["--method", "layer", "--separation", "2"],
            "--separation: found 2, expected none for method layer; only multipole and panel-clustering have one",
        ),
        (
            &["--method", "ray-plain", "--depth", "practical"],
            "--depth: found pre-chosen, expected none for method ray-plain; only multipole has one",
        ),
        (
            &["--method", "panel-clustering", "--depth", "3"],
            "--depth: found 3, expected none for method panel-clustering; only multipole has one",
        ),
        (
            &["--method", "panel-clustering", "--degree", "21"],
            "--degree: found 21, expected 1 to 20, above which Taylor terms cancel",
        ),
        (
            &["--method", "multipole", "--separation", "1"],
            "--separation: found 1, expected a number above 1",
        ),
        (
            &["--method", "multipole", "--depth", "22"],
            "--depth: found 22, expected at most 21",
        ),
        // Trees that would take hours and all memory are refused before any work.
        (
            &["--method", "multipole", "--depth", "16"],
            "--depth: found 16 with degree 3, expected a smaller depth or degree",
        ),
        (
            &["--method", "multipole", "--depth", "10", "--degree", "30"],
            "--depth: found 10 with degree 30, expected a smaller depth or degree",
        ),
    ] {
        refuses(folder, &with(options), message);
    }
    for depth in ["well-chosen", "pre-chosen", "worst", "practical", "2"] {
        let options = [
            "--method",
            "multipole",
            "--depth",
            depth,
            "--verify",
            "--json",
        ];
        let object = json(folder, &[&with(&[])[..], &options].concat());
        let reason = object["reason"].as_str().unwrap();
        assert!(reason.starts_with("fast multipoles of degree"), "{reason}");
    }
}

/// The surface may be read from standard input.
#[test]
fn a_surface_from_standard_input() {
    let folder = folder_with(&[("cube.obj", CUBE), ("points.csv", POINTS)]);
    let folder = folder.path();
    let arguments = [
        "inside",
        "-",
        "points.csv",
        "--format",
        "obj",
        "-o",
        "s.csv",
    ];
    let output = tangere(folder, &arguments)
        .stdin(std::fs::File::open(folder.join("cube.obj")).unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(text(folder, "s.csv"), SIDES);
}
