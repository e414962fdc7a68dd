//! `tangere overlap`: penetration volume of sphere packings.

use super::*;
use std::f64::consts::PI;
use tangere::shape::{Packing, TriMesh};
use tangere_io::{NpyData, write_npy, write_packing};

/// Returns the numbers of a JSON array.
fn numbers(value: &Value) -> Vec<f64> {
    serde_json::from_value(value.clone()).unwrap()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

/// Writes two packings: a ball, and a row of three balls in a box of about twice their volume.
fn put_packings(folder: &Path) {
    put(folder, "ball.csv", "x,y,z,r\n0,0,0,1\n");
    let corner = |i: u32| {
        let at = |bit: u32, low: f64, high: f64| if i >> bit & 1 == 0 { low } else { high };
        [at(0, -1.1, 5.1), at(1, -1.0, 1.0), at(2, -1.0, 1.0)]
    };
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let halves = quads.map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let mesh = TriMesh::new((0..8).map(corner).collect(), halves.concat()).unwrap();
    let centers = vec![[0.0; 3], [2.0, 0.0, 0.0], [4.0, 0.0, 0.0]];
    let row = Packing::in_mesh(&mesh, centers, vec![1.0; 3]).unwrap();
    write_packing(folder.join("row.npy"), &row).unwrap();
    write_packing(folder.join("row.vtp"), &row).unwrap();
}

#[test]
fn two_balls() {
    let folder = folder();
    let folder = folder.path();
    put_packings(folder);
    let answer_of = |more: &[&str]| {
        let arguments = ["overlap", "ball.csv", "ball.csv", "--verify", "--json"];
        json(folder, &[&arguments[..], more].concat())
    };
    let found = answer_of(&["--pose-b", "1,0,0"]);
    let names = [
        "volume", "lower", "upper", "force", "torque", "centroid", "normal", "pairs", "method",
        "seconds", "verified",
    ];
    let mut names = names.map(String::from);
    names.sort();
    let mut keys: Vec<&String> = found.as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(keys, names.iter().collect::<Vec<_>>());
    let lens = 5.0 / 12.0 * PI;
    for name in ["volume", "lower", "upper"] {
        assert!(near(found[name].as_f64().unwrap(), lens), "{found}");
    }
    let force = numbers(&found["force"]);
    assert!(near(force[0], lens) && force[1..] == [0.0, 0.0], "{found}");
    assert_eq!(numbers(&found["normal"]), [1.0, 0.0, 0.0]);
    assert_eq!(numbers(&found["centroid"]), [0.5, 0.0, 0.0]);
    assert_eq!(found["pairs"], 1);
    for part in ["read", "setup", "query"] {
        assert!(found["seconds"][part].as_f64() >= Some(0.0), "{part}");
    }
    // The torque is zero about the origin of B's frame, but not about a point beside it.
    assert_eq!(numbers(&found["torque"]), [0.0; 3]);
    let beside = answer_of(&["--pose-b", "1,0,0", "--about", "0,-2,0"]);
    assert!(near(numbers(&beside["torque"])[2], -2.0 * lens), "{beside}");
    // Either body may be moved, with the same result.
    let moved = answer_of(&["--pose-a", "-1,0,0"]);
    assert_eq!(moved["volume"], found["volume"]);
    assert_eq!(moved["force"], found["force"]);
    // The bodies do not overlap.
    let apart = answer_of(&["--pose-b", "2,0,0"]);
    assert_eq!(apart["volume"], 0.0);
    assert_eq!(apart["pairs"], 0);
    assert!(apart["normal"].is_null() && apart["centroid"].is_null());
    assert_eq!(numbers(&apart["force"]), [0.0; 3]);
}

#[test]
fn words_for_people() {
    let folder = folder();
    let folder = folder.path();
    put_packings(folder);
    let arguments = [
        "overlap", "row.npy", "ball.csv", "--pose-b", "1,0,0", "--verify",
    ];
    let text = done(folder, &arguments);
    for words in [
        "row.npy and ball.csv",
        "3 spheres, 50.7% of the body, a rough estimate: pack more",
        "b            1 sphere\n",
        "pairs        2\n",
        "equal to every pair of spheres",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let apart = done(
        folder,
        &["overlap", "row.vtp", "ball.csv", "--pose-b", "9,0,0"],
    );
    assert!(apart.contains("normal       none"), "{apart}");
}

/// Methods differ only by rounding; formats and numbers of threads do not matter.
#[test]
fn methods_formats_and_threads_agree() {
    let folder = folder();
    let folder = folder.path();
    put_packings(folder);
    let answer_of = |a: &str, more: &[&str]| {
        let arguments = [
            "overlap",
            a,
            "row.npy",
            "--json",
            "--pose-b",
            "0.3,0.4,0,0.8,0,0,0.6",
        ];
        let mut object = json(folder, &[&arguments[..], more].concat());
        object["seconds"].take();
        object
    };
    let first = answer_of("row.npy", &[]);
    assert_eq!(answer_of("row.vtp", &[]), first);
    assert_eq!(answer_of("row.npy", &["--threads", "3"]), first);
    assert_eq!(answer_of("row.npy", &["--repeat", "3"]), first);
    for method in tangere::overlap::Method::ALL {
        let by = answer_of("row.npy", &["--method", method.name(), "--verify"]);
        assert_eq!(by["pairs"], first["pairs"], "{method}");
        let difference = by["lower"].as_f64().unwrap() - first["lower"].as_f64().unwrap();
        assert!(difference.abs() < 1e-12, "{method}");
    }
}

/// The bounds are valid whenever a budget ends the search, and equal if it does not.
#[test]
fn budgets_end_early() {
    let folder = folder();
    let folder = folder.path();
    let side = 9;
    let lattice = (0..side * side * side).map(|i| {
        let [x, y, z] = [i % side, i / side % side, i / side / side];
        let radius = [0.5, 0.25, 0.125][(x + y + z) % 3];
        format!("{x},{y},{z},{radius}\n")
    });
    put(folder, "block.csv", &lattice.collect::<String>());
    let answer_of = |more: &[&str]| {
        let arguments = ["overlap", "block.csv", "block.csv", "--verify", "--json"];
        let pose = ["--pose-b", "0.7,0.4,0.2,0.8,0,0,0.6"];
        let mut object = json(folder, &[&arguments[..], &pose, more].concat());
        object["seconds"].take();
        object
    };
    let whole = answer_of(&[]);
    assert!(whole.get("complete").is_none(), "{whole}");
    let number = |object: &Value, name: &str| object[name].as_f64().unwrap();
    let mut ended = 0;
    for budget in ["1", "10", "100", "1e3", "1e4", "1e9"] {
        let found = answer_of(&["--budget-work", budget]);
        assert_eq!(
            answer_of(&["--budget-work", budget, "--threads", "2"]),
            found
        );
        assert!(
            number(&found, "lower") <= number(&whole, "lower"),
            "{found}"
        );
        assert!(
            number(&found, "upper") >= number(&whole, "lower"),
            "{found}"
        );
        ended += usize::from(found["complete"] == false);
        if budget == "1e9" {
            assert_eq!(found["complete"], true);
            assert_eq!(found["lower"], whole["lower"]);
            assert_eq!(found["spheres"][0], 729);
            assert!(found["work"].as_u64() > Some(0));
        }
    }
    assert!(ended > 0);
    let timed = answer_of(&["--budget-us", "1e9"]);
    assert_eq!(timed["complete"], true);
    let text = done(
        folder,
        &["overlap", "block.csv", "block.csv", "--budget-work", "1"],
    );
    assert!(text.contains("spheres searched"), "{text}");
}

#[test]
fn answers_to_files() {
    let folder = folder();
    let folder = folder.path();
    put_packings(folder);
    let answer_of = |out: &str| {
        let arguments = [
            "overlap", "row.npy", "ball.csv", "--pose-b", "1,0,0", "--json",
        ];
        json(folder, &[&arguments[..], &["-o", out]].concat())
    };
    let text = |name: &str| {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let answer = answer_of("a.json");
    assert_eq!(
        serde_json::from_str::<Value>(&text("a.json")).unwrap(),
        answer
    );
    answer_of("a.csv");
    assert_eq!(text("a.csv").lines().count(), 2);
    answer_of("a.npy");
    assert!(text("a.npy").contains("('pairs', '<u8')"));
    answer_of("a.vtp");
    let drawing = text("a.vtp");
    // The drawing has two spheres of the row, the ball, and a line from each to the ball.
    for words in [
        "NumberOfPoints=\"3\"",
        "NumberOfLines=\"2\"",
        "Name=\"radius\"",
        "Name=\"volume\"",
        "Name=\"body\"",
        "Name=\"index\"",
        "Name=\"what\"",
    ] {
        assert!(drawing.contains(words), "{words}");
    }
    // The drawing is no packing, because spheres of two bodies overlap.
    refuses(
        folder,
        &["overlap", "a.vtp", "ball.csv"],
        "expected spheres that do not overlap",
    );
}

#[test]
fn a_path_is_asked_row_by_row() {
    let folder = folder();
    let folder = folder.path();
    put_packings(folder);
    let rows: Vec<[f64; 3]> = (0..50)
        .map(|k| [3.0 - 0.05 * f64::from(k), 0.1, 0.0])
        .collect();
    let path = folder.join("way.npy");
    write_npy(&path, &[50, 3], NpyData::F64(rows.as_flattened())).unwrap();
    let with = |more: &[&'static str]| {
        let path = ["overlap", "ball.csv", "ball.csv", "--path", "way.npy"];
        [&path[..], more].concat()
    };
    let object = json(folder, &with(&["--json", "--verify", "-o", "all.csv"]));
    assert_eq!(object["poses"], 50);
    assert_eq!(object["overlapping"], object["pairs"]);
    assert_eq!(object["verified_poses"], 50);
    assert_eq!(object["volume"]["least"], 0.0);
    let table = std::fs::read_to_string(folder.join("all.csv")).unwrap();
    assert_eq!(table.lines().count(), 51);
    assert!(
        table.lines().nth(1).unwrap().contains(",nan,nan,nan,"),
        "{table}"
    );
    for step in [0, 30, 49] {
        let [x, y, z] = rows[step];
        let pose = format!("{x},{y},{z}");
        let answer = done(
            folder,
            &[
                "overlap", "ball.csv", "ball.csv", "--json", "--pose-b", &pose,
            ],
        );
        let volume = table.lines().nth(step + 1).unwrap().split(',').next();
        let volume: f64 = volume.unwrap().parse().unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer["volume"], volume, "{step}");
    }
    done(folder, &with(&["-o", "all.npy"]));
    done(folder, &with(&["-o", "all.vtp"]));
    let drawing = std::fs::read(folder.join("all.vtp")).unwrap();
    let drawing = String::from_utf8_lossy(&drawing);
    assert!(drawing.contains("NumberOfPoints=\"50\"") && drawing.contains("Name=\"torque\""));
    done(folder, &with(&["-o", "all.json"]));
    let written = std::fs::read_to_string(folder.join("all.json")).unwrap();
    let written: Value = serde_json::from_str(&written).unwrap();
    assert_eq!(written["overlaps"].as_array().unwrap().len(), 50);
    assert!(written["overlaps"][0]["normal"].is_null());
    assert!(done(folder, &with(&[])).contains("query, each"));
}

/// Columns of poses may be named, in any order, and rows may go to standard output.
#[test]
fn poses_by_names_and_rows_to_standard_output() {
    let folder = folder();
    let folder = folder.path();
    put_packings(folder);
    put(folder, "plain.csv", "1,0,0,0.8,0.6,0,0\n0.5,0,0,1,0,0,0\n");
    let named = "t,qx,qy,qz,qw,tx,ty,tz\n0,0.6,0,0,0.8,1,0,0\n1,0,0,0,1,0.5,0,0\n";
    put(folder, "named.csv", named);
    let rows = |path: &str| {
        let arguments = ["overlap", "row.npy", "ball.csv", "--path", path, "-o", "-"];
        done(folder, &arguments)
    };
    let table = rows("plain.csv");
    assert!(table.starts_with("volume,lower,upper,fx,"), "{table}");
    assert_eq!(table.lines().count(), 3);
    assert_eq!(table, rows("named.csv"));
    let one = [
        "overlap", "row.npy", "ball.csv", "--pose-b", "0.5,0,0", "-o", "-",
    ];
    // The number of the pose follows.
    let row = format!("{},1", done(folder, &one).lines().nth(1).unwrap());
    assert_eq!(table.lines().nth(2), Some(row.as_str()));
}

#[test]
fn bad_input_is_refused() {
    let folder = folder();
    let folder = folder.path();
    put_packings(folder);
    put(folder, "none.csv", "x,y,z,r\n");
    put(folder, "deep.csv", "0,0,0,1\n5,0,0,1\n6,0,0,1\n");
    put(folder, "discs.csv", "x,y,r\n0,0,1\n");
    put(folder, "zero.csv", "0,0,0,0\n");
    put(folder, "way.csv", "0,0,0\n0,1e99,0\n");
    put(folder, "nan.csv", "0,0,0\n0,nan,0\n");
    let nan = [0.0, 0.0, 0.0, 1.0, f64::NAN, 0.0];
    write_npy(folder.join("nan.npy"), &[2, 3], NpyData::F64(&nan)).unwrap();
    let cases: [(&[&str], &str); 19] = [
        (
            &["none.csv"],
            "none.csv: spheres: found 0, expected at least one",
        ),
        (
            &["deep.csv"],
            "sphere 2: found a centre 1 from that of sphere 1",
        ),
        (&["discs.csv"], "expected spheres: x, y, z and radius"),
        (&["zero.csv"], "radius 0: found 0, expected more than 0"),
        (&["missing.npy"], "missing.npy"),
        (&["ball.xyz"], "unknown format \"xyz\""),
        (&["ball.csv", "--pose-b", "0,inf,0"], "inf"),
        (&["ball.csv", "--pose-b", "0,0,0,1,0,0,1"], "of length 1"),
        (&["ball.csv", "--pose-a", "0,0"], "2 numbers"),
        (
            &["ball.csv", "--about", "0,nan,0"],
            "expected 3 finite numbers",
        ),
        (
            &["ball.csv", "--budget-us", "0"],
            "expected microseconds, more than 0 and at most 1e12",
        ),
        (
            &["ball.csv", "--budget-work", "-1"],
            "expected a whole number",
        ),
        (
            &["ball.csv", "--budget-work", "9", "--method", "brute"],
            "found brute with a budget, expected auto or grid",
        ),
        (&["ball.csv", "--method", "magic"], "magic"),
        (
            &["ball.csv", "--path", "way.csv"],
            "way.csv: line 2: found pose ty 1e99",
        ),
        (&["ball.csv", "--path", "nan.csv"], "nan.csv: line 2"),
        (
            &["ball.csv", "--path", "nan.npy"],
            "nan.npy: row 1: found pose ty NaN",
        ),
        (
            &["ball.csv", "-o", "x.stl"],
            "expected one of npy, csv, json or vtp",
        ),
        (
            &["ball.csv", "-o", "ball.csv"],
            "found the file that is read",
        ),
    ];
    refuse_all(folder, &["overlap", "ball.csv"], &cases);
}

/// Packings can be read wherever particles are read.
#[test]
fn packings_are_particles() {
    let folder = folder();
    let folder = folder.path();
    put_packings(folder);
    for name in ["row.npy", "row.vtp"] {
        assert_eq!(json(folder, &["pairs", name, "--json"])["pairs"], 2);
        done(folder, &["info", name]);
    }
}

#[test]
fn exact_volumes_of_surfaces() {
    let folder = folder();
    let folder = folder.path();
    run(
        folder,
        &["generate", "sponge", "--level", "0", "-o", "cube.stl"],
    );
    put(folder, "way.csv", "0.5,0,0\n0.75,0.5,0\n2,0,0\n");
    let exact = ["overlap", "cube.stl", "cube.stl", "--exact", "--json"];
    let one = json(folder, &[&exact[..], &["--pose-b", "0.5,0.5,0"]].concat());
    assert!(near(one["volume"].as_f64().unwrap(), 0.25), "{one}");
    let out = ["--poses", "way.csv", "-o", "volumes.csv"];
    let many = json(folder, &[&exact[..], &out].concat());
    assert_eq!(many["poses"], 3, "{many}");
    let rows = std::fs::read_to_string(folder.join("volumes.csv")).unwrap();
    let mut rows = rows.lines();
    assert_eq!(rows.next(), Some("volume,pose"));
    for (i, expected) in [0.5, 0.125, 0.0].into_iter().enumerate() {
        let (volume, pose) = rows.next().and_then(|row| row.split_once(',')).unwrap();
        assert_eq!(pose, i.to_string());
        assert!(near(volume.parse().unwrap(), expected), "{volume}");
    }
    put(
        folder,
        "open.off",
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
    );
    refuse_all(
        folder,
        &["overlap", "cube.stl"],
        &[
            (
                &["open.off", "--exact"],
                "open.off: not closed: 3 boundary edges",
            ),
            (&["cube.stl", "--exact", "--verify"], "--verify"),
        ],
    );
}
