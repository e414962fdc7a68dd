//! `tangere pairs`: broad phase.

use super::*;
use tangere::pairs::Method;

/// Four spheres: two that touch, a third beside them and one far away.
const SPHERES: &str = "x,y,z,radius\n0,0,0,0.5\n1,0,0,0.5\n2.5,0,0,0.5\n9.5,0,0,0.25\n";

/// Writes an array of float64 as NumPy does.
pub fn put_npy(folder: &Path, name: &str, shape: &str, values: &[f64]) {
    let mut header =
        format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({shape}), }}").into_bytes();
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(b' ');
    }
    header.push(b'\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header);
    bytes.extend(values.iter().flat_map(|x| x.to_le_bytes()));
    std::fs::write(folder.join(name), bytes).unwrap();
}

pub fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn spheres_in_all_methods_and_formats() {
    let folder = folder_with(&[("four.csv", SPHERES)]);
    let folder = folder.path();
    for method in Method::ALL {
        let object = json(
            folder,
            &[
                "pairs",
                "four.csv",
                "--method",
                method.name(),
                "--repeat",
                "3",
                "--verify",
                "-o",
                "pairs.csv",
                "--json",
            ],
        );
        assert_eq!(object["particles"], 4);
        assert_eq!(object["dimension"], 3);
        assert_eq!(object["pairs"], 1);
        assert_eq!(object["verified"], true);
        assert!(object["method"].is_string());
        assert!(!object["reason"].as_str().unwrap().is_empty());
        assert!(object.get("steps").is_none());
        for part in ["read", "update", "query"] {
            assert!(object["seconds"][part].as_f64() >= Some(0.0), "{part}");
        }
        assert_eq!(text(folder, "pairs.csv"), "a,b\n0,1\n");
    }
    done(folder, &["pairs", "four.csv", "-o", "pairs.npy"]);
    let bytes = std::fs::read(folder.join("pairs.npy")).unwrap();
    let header = String::from_utf8_lossy(&bytes[..128]).into_owned();
    assert!(
        header.contains("'<u4'") && header.contains("(1, 2)"),
        "{header}"
    );
    assert!(bytes.ends_with(&[0, 0, 0, 0, 1, 0, 0, 0]));
    done(folder, &["pairs", "four.csv", "-o", "pairs.vtp"]);
    let lines = std::fs::read(folder.join("pairs.vtp")).unwrap();
    assert!(String::from_utf8_lossy(&lines).contains("NumberOfLines=\"1\""));
    // The points of the drawing are read as particles.
    let object = json(folder, &["pairs", "pairs.vtp", "--json"]);
    assert_eq!(
        (&object["particles"], &object["pairs"]),
        (&4.into(), &1.into())
    );
    let summary = done(folder, &["pairs", "four.csv"]);
    assert!(summary.contains("pairs      1\n"), "{summary}");
}

#[test]
fn the_same_pairs_by_every_method_and_number_of_threads() {
    let folder = folder();
    let folder = folder.path();
    for dim in ["2", "3"] {
        let file = format!("p{dim}.npy");
        done(
            folder,
            &[
                "-q",
                "generate",
                "particles",
                "--dim",
                dim,
                "--count",
                "3000",
                "-o",
                &file,
            ],
        );
        let periodic = if dim == "2" { "6,7" } else { "1.5,1.25,2" };
        for options in [&[][..], &["--margin", "0.02"], &["--periodic", periodic]] {
            let mut first: Option<String> = None;
            for method in Method::ALL {
                for threads in ["1", "2"] {
                    let mut arguments = vec!["pairs", &file, "--method", method.name()];
                    arguments.extend(["--threads", threads, "-o", "out.csv"]);
                    arguments.extend(options);
                    done(folder, &arguments);
                    let pairs = text(folder, "out.csv");
                    assert!(pairs.lines().count() > 1000, "{arguments:?}");
                    assert_eq!(&pairs, first.get_or_insert(pairs.clone()), "{arguments:?}");
                }
            }
        }
    }
}

#[test]
fn margins_and_periodic_space() {
    let folder = folder_with(&[("four.csv", SPHERES)]);
    let folder = folder.path();
    let count = |options: &[&str]| {
        let mut arguments = vec!["pairs", "four.csv", "--json", "--verify"];
        arguments.extend(options);
        json(folder, &arguments)["pairs"].as_u64()
    };
    assert_eq!(count(&["--margin", "0.5"]), Some(2));
    // Spheres touch across the periodic border from 9.5 to 10.
    assert_eq!(count(&["--periodic", "10,0,0"]), Some(2));
    assert_eq!(
        count(&["--periodic", "10,0,0", "--origin", "-3,0,0"]),
        Some(2)
    );
    assert_eq!(count(&["--periodic", "20,0,0"]), Some(1));
    // The second disc touches the image of the first at (1.5, 3).
    put(folder, "tilted.csv", "0,0,0.5\n1.5,2.5,0.5\n");
    let tilted = |tilt: &str| {
        let arguments = [
            "pairs",
            "tilted.csv",
            "--periodic",
            "6,3",
            "--tilt",
            tilt,
            "--json",
        ];
        json(folder, &arguments)["pairs"].as_u64()
    };
    assert_eq!(tilted("1.5"), Some(1));
    assert_eq!(tilted("0"), Some(0));
}

#[test]
fn boxes_in_the_plane_and_in_space() {
    let folder = folder();
    let folder = folder.path();
    // The first two boxes share a corner.
    put(folder, "plane.csv", "0,0,1,1\n1,1,2,2\n2.5,0,3,3\n");
    let arguments = [
        "pairs",
        "plane.csv",
        "--boxes",
        "--verify",
        "-o",
        "p.csv",
        "--json",
    ];
    let object = json(folder, &arguments);
    assert_eq!(
        (&object["dimension"], &object["pairs"]),
        (&2.into(), &1.into())
    );
    assert_eq!(text(folder, "p.csv"), "a,b\n0,1\n");
    put_npy(
        folder,
        "space.npy",
        "2, 6",
        &[0., 0., 0., 1., 1., 1., 1., 1., 1., 2., 2., 2.],
    );
    done(folder, &["pairs", "space.npy", "--boxes", "-o", "p.vtp"]);
    let object = json(folder, &["pairs", "space.npy", "--boxes", "--json"]);
    assert_eq!(
        (&object["dimension"], &object["pairs"]),
        (&3.into(), &1.into())
    );
    refuses(
        folder,
        &["pairs", "space.npy"],
        "columns: found 6, expected 3",
    );
}

#[test]
fn a_moving_scene() {
    let folder = folder();
    let folder = folder.path();
    // The second disc leaves the first one and meets the third.
    let mut values = Vec::new();
    for x in [1.0, 1.5, 2.0, 3.0] {
        values.extend([0.0, 0.0, 0.5, x, 0.0, 0.5, 4.0, 0.0, 0.5]);
    }
    put_npy(folder, "moving.npy", "4, 3, 3", &values);
    for method in Method::ALL {
        let arguments = [
            "pairs",
            "moving.npy",
            "--method",
            method.name(),
            "--repeat",
            "2",
        ];
        let object = json(
            folder,
            &[&arguments[..], &["--verify", "--json", "-o", "p.csv"]].concat(),
        );
        assert_eq!(object["particles"], 3);
        assert_eq!(object["pairs"], 1);
        let steps = &object["steps"];
        assert_eq!(steps["count"], 4);
        assert_eq!(steps["pairs"], 0.5);
        let all = object["seconds"]["update"].as_f64().unwrap();
        assert!((steps["update"].as_f64().unwrap() - all / 4.0).abs() < 1e-12);
        assert!(steps["query"].as_f64() >= Some(0.0));
        assert_eq!(text(folder, "p.csv"), "a,b\n1,2\n");
    }
    // Candidates within 1.1 are valid for the first three steps.
    let skin = ["pairs", "moving.npy", "--skin", "1.1", "--verify"];
    let object = json(folder, &[&skin[..], &["--repeat", "2", "--json"]].concat());
    assert_eq!(object["steps"]["pairs"], 0.5);
    let candidates = &object["candidates"];
    assert_eq!(
        (&candidates["builds"], &candidates["reuses"]),
        (&2.into(), &2.into())
    );
    assert!(done(folder, &skin).contains("searched 2, reused 2 times"));
    refuses(
        folder,
        &["pairs", "moving.npy", "--skin", "-1"],
        "skin: found -1",
    );
    // Without steps nothing is verified.
    put_npy(folder, "still.npy", "0, 3, 3", &[]);
    let none = ["pairs", "still.npy", "--verify"];
    let object = json(folder, &[&none[..], &["--json"]].concat());
    assert_eq!(object["steps"]["count"], 0);
    assert_eq!(object["verified"], serde_json::Value::Null);
    assert_eq!(object["reason"], "there are no items");
    assert!(done(folder, &none).contains("nothing, as there are no steps"));
    values[9 + 2] = -1.0;
    put_npy(folder, "bad.npy", "4, 3, 3", &values);
    refuses(
        folder,
        &["pairs", "bad.npy"],
        "bad.npy: step 1: radius 0: found -1",
    );
}

#[test]
fn a_dump_of_lammps() {
    let folder = folder();
    let folder = folder.path();
    let step = |n: usize, atoms: &str| {
        format!(
            "ITEM: TIMESTEP\n{n}\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n\
             0 10\n0 10\n0 10\nITEM: ATOMS id x y z radius\n{atoms}"
        )
    };
    let first = step(0, "1 1 5 5 0.5\n2 9.5 5 5 0.5\n");
    put(folder, "dump.0", &first);
    let object = json(folder, &["pairs", "dump.0", "--json"]);
    assert_eq!(
        (&object["particles"], &object["pairs"]),
        (&2.into(), &0.into())
    );
    assert!(object.get("steps").is_none());
    put(
        folder,
        "run.dump",
        &(first + &step(10, "2 9.75 5 5 0.5\n1 0.25 5 5 0.5\n")),
    );
    let arguments = [
        "pairs",
        "run.dump",
        "--periodic",
        "10,10,10",
        "--verify",
        "--json",
    ];
    let object = json(folder, &arguments);
    assert_eq!(
        (&object["steps"]["count"], &object["pairs"]),
        (&2.into(), &1.into())
    );
    put(folder, "bad.dump", "ITEM: TIMESTEP\nsoon\n");
    refuses(
        folder,
        &["pairs", "bad.dump"],
        "bad.dump: line 2: found \"soon\"",
    );
}

#[test]
fn nothing_is_no_error() {
    let folder = folder_with(&[("none.csv", "x,y,radius\n"), ("empty.csv", "")]);
    let folder = folder.path();
    put_npy(folder, "none.npy", "0, 4", &[]);
    put_npy(folder, "list.npy", "0,", &[]);
    put_npy(folder, "still.npy", "5, 0, 4", &[]);
    put_npy(folder, "never.npy", "0, 5, 4", &[]);
    for file in [
        "none.csv",
        "empty.csv",
        "none.npy",
        "list.npy",
        "still.npy",
        "never.npy",
    ] {
        for method in Method::ALL {
            let arguments = [
                "pairs",
                file,
                "--method",
                method.name(),
                "--verify",
                "--json",
                "-o",
                "p.csv",
            ];
            let object = json(folder, &arguments);
            assert_eq!(object["particles"], 0, "{file}");
            assert_eq!(object["pairs"], 0, "{file}");
            assert_eq!(text(folder, "p.csv"), "a,b\n", "{file}");
        }
    }
    done(folder, &["pairs", "none.npy", "-o", "p.vtp"]);
    done(folder, &["pairs", "none.npy", "-o", "p.npy"]);
    let again = std::fs::read(folder.join("p.npy")).unwrap();
    assert!(String::from_utf8_lossy(&again).contains("(0, 2)"));
}

#[test]
fn too_many_pairs_are_refused_and_not_written() {
    let folder = folder();
    let folder = folder.path();
    put_npy(folder, "one.npy", "300, 3", &[0.0, 0.0, 1.0].repeat(300));
    for method in Method::ALL {
        let arguments = ["pairs", "one.npy", "--method", method.name()];
        let object = json(
            folder,
            &[&arguments[..], &["--max-pairs", "44850", "--json"]].concat(),
        );
        assert_eq!(object["pairs"], 44850);
        let limited = [&arguments[..], &["--max-pairs", "44849", "-o", "p.npy"]].concat();
        refuses(
            folder,
            &limited,
            "found at least 44850, expected at most 44849",
        );
    }
    assert_eq!(files(folder), ["one.npy"]);
}

#[test]
fn bad_input_is_named() {
    let folder = folder_with(&[
        ("four.csv", SPHERES),
        ("negative.csv", "0,0,0,1\n0,0,0,-2\n"),
        ("ragged.csv", "0,0,0,1\n0,0,0\n"),
        ("narrow.csv", "0,0\n"),
        ("turned.csv", "0,0,1,1\n0,0,1,-1\n"),
    ]);
    let folder = folder.path();
    put_npy(folder, "nan.npy", "1, 3", &[0.0, f64::NAN, 1.0]);
    put_npy(folder, "axes.npy", "1, 1, 1, 3", &[0.0, 0.0, 1.0]);
    put(folder, "named.csv", "a,b,c,d\n0,0,1,1\n\n0,0,1,1e99\n");
    put(folder, "away.csv", "0,0,1,1\n1e30,0,1e30,1\n");
    put_npy(folder, "two.npy", "2, 3", &[0.0; 6]);
    put_npy(folder, "ones.npy", "2", &[1.0; 2]);
    let cases: [(&[&str], &str); 25] = [
        (&["negative.csv"], "-2"),
        (&["ragged.csv"], "line 2"),
        (&["narrow.csv"], "columns: found 2"),
        (&["nan.npy"], "found NaN"),
        (&["axes.npy"], "shape: found [1, 1, 1, 3]"),
        (
            &["turned.csv", "--boxes"],
            "line 2: found the box [0.0, 0.0] to [1.0, -1.0]",
        ),
        (
            &["named.csv", "--boxes"],
            "line 4: found the upper corner [1.0, 1e99]",
        ),
        (
            &["away.csv", "--boxes", "--periodic", "9,9"],
            "middle of box 1: found [1e30, 0.5]",
        ),
        (&["four.csv", "--margin", "1e300"], "margin: found 1e300,"),
        (&["four.csv", "-o", "four.csv"], "the file that is read"),
        (
            &["two.npy", "--groups", "ones.npy", "-o", "./ones.npy"],
            "the file that is read",
        ),
        (&["four.vtp", "--boxes"], "boxes"),
        (&["none.csv"], "none.csv"),
        (&["four.csv", "-o", "pairs.stl"], "npy, csv or vtp"),
        (&["four.csv", "--margin", "-1"], "margin: found -1"),
        (
            &["four.csv", "--periodic", "1,2"],
            "--periodic: found 2 numbers, expected 3",
        ),
        (
            &["four.csv", "--periodic", "-1,2,3"],
            "periodic length 0: found -1",
        ),
        (
            &["four.csv", "--periodic", "1,0,0"],
            "periodic cell: found a width of 1",
        ),
        (
            &["four.csv", "--periodic", "9,9,9", "--tilt", "1"],
            "tilts: found 1 numbers",
        ),
        (
            &["four.csv", "--occupancy", "5"],
            "--occupancy: found 5, expected none for method auto; only linked has one",
        ),
        (
            &["four.csv", "--method", "linked", "--occupancy", "0.1"],
            "--occupancy: found 0.1, expected a finite number from 0.125 up",
        ),
        (
            &["four.csv", "--origin", "1,2,3"],
            "--origin: found no --periodic, expected --periodic or --method shells-published",
        ),
        (
            &["four.csv", "--method", "shells-published", "--origin", "1"],
            "--origin: found 1 numbers",
        ),
        (
            &[
                "four.csv",
                "--method",
                "shells-published",
                "--origin",
                "1e99,0,0",
            ],
            "--origin: found [1e99, 0.0, 0.0], expected finite coordinates",
        ),
        (
            &["four.csv", "--periodic", "9,9,9", "--origin", "1"],
            "--origin: found 1 numbers",
        ),
    ];
    let before = files(folder);
    for (options, part) in cases {
        let arguments = [&["pairs"], options].concat();
        let error = refused(folder, &arguments, 2);
        assert!(error.contains(part), "{arguments:?}: {error}");
    }
    let usage: [&[&str]; 8] = [
        &["pairs"],
        &["pairs", "four.csv", "--method", "fastest"],
        &["pairs", "four.csv", "--periodic", "a,b,c"],
        &["pairs", "four.csv", "--tilt", "1,2,3"],
        &["pairs", "four.csv", "--origin", "1,2,3"],
        &["pairs", "four.csv", "--repeat", "0"],
        &["pairs", "four.csv", "--max-pairs", "-1"],
        &["pairs", "four.csv", "--margin", "nan"],
    ];
    for arguments in usage {
        assert_eq!(
            run(folder, arguments).status.code(),
            Some(2),
            "{arguments:?}"
        );
    }
    assert_eq!(files(folder), before);
}

#[test]
fn groups_and_masks_leave_pairs_out() {
    let folder = folder_with(&[("row.csv", "0,0,0.5\n1,0,0.5\n2,0,0.5\n3,0,0.5\n")]);
    let folder = folder.path();
    put(
        folder,
        "clumps.csv",
        "group\n7\n7\n4294967295\n4294967295\n",
    );
    put_npy(folder, "clumps.npy", "4,", &[7.0, 7.0, 9.0, 9.0]);
    // The kinds are a grain, two walls and a grain.
    put(folder, "kinds.csv", "member,meets\n1,3\n2,1\n2,1\n1,3\n");
    for method in Method::ALL {
        let found = |options: &[&str]| {
            let arguments = ["pairs", "row.csv", "--verify", "--repeat", "2"];
            let named = ["--method", method.name(), "-o", "out.csv"];
            done(folder, &[&arguments[..], &named, options].concat());
            text(folder, "out.csv")
        };
        assert_eq!(found(&[]), "a,b\n0,1\n1,2\n2,3\n");
        assert_eq!(found(&["--groups", "clumps.csv"]), "a,b\n1,2\n");
        assert_eq!(found(&["--groups", "clumps.npy"]), "a,b\n1,2\n");
        assert_eq!(found(&["--masks", "kinds.csv"]), "a,b\n0,1\n2,3\n");
        let both = ["--groups", "clumps.csv", "--masks", "kinds.csv"];
        assert_eq!(found(&both), "a,b\n");
        let limited = ["--groups", "clumps.csv", "--max-pairs", "1"];
        assert_eq!(found(&limited), "a,b\n1,2\n");
    }
    done(
        folder,
        &[
            "pairs",
            "row.csv",
            "--groups",
            "clumps.csv",
            "-o",
            "out.vtp",
        ],
    );

    put(folder, "short.csv", "1\n2\n");
    put(folder, "empty.csv", "");
    put(folder, "half.csv", "1\n2\n2.5\n3\n");
    put(folder, "below.csv", "1\n-2\n3\n4\n");
    put(folder, "large.csv", "1\n2\n3\n4294967296\n");
    let cases: [(&[&str], &str); 8] = [
        (
            &["--groups", "short.csv"],
            "short.csv: rows: found 2, expected 4, one for each item",
        ),
        (
            &["--groups", "empty.csv"],
            "empty.csv: rows: found 0, expected 4",
        ),
        (
            &["--groups", "half.csv"],
            "half.csv: row 2: found 2.5, expected an integer from 0",
        ),
        (&["--groups", "below.csv"], "row 1: found -2"),
        (&["--groups", "large.csv"], "row 3: found 4294967296"),
        (&["--groups", "kinds.csv"], "shape: found [4, 2]"),
        (&["--masks", "clumps.npy"], "shape: found [4]"),
        (&["--masks", "none.csv"], "none.csv"),
    ];
    refuse_all(folder, &["pairs", "row.csv"], &cases);
    // A file without particles has no groups.
    done(folder, &["pairs", "empty.csv", "--groups", "empty.csv"]);
}

#[test]
fn groups_are_those_of_every_step() {
    let folder = folder();
    let folder = folder.path();
    let steps = [
        [0.0, 0.0, 0.5, 1.0, 0.0, 0.5, 2.0, 0.0, 0.5],
        [0.0, 0.0, 0.5, 9.0, 0.0, 0.5, 1.0, 0.0, 0.5],
    ];
    put_npy(folder, "moving.npy", "2, 3, 3", steps.as_flattened());
    put(folder, "groups.csv", "1\n1\n2\n");
    let arguments = [
        "pairs",
        "moving.npy",
        "--groups",
        "groups.csv",
        "--verify",
        "--json",
    ];
    let object = json(folder, &arguments);
    assert_eq!(object["pairs"], 1);
    assert_eq!(object["steps"]["pairs"], 1.0);
}

#[test]
fn every_image_of_large_particles() {
    let folder = folder_with(&[("two.csv", "0.2,0.7,0.7\n0.5,5,0.1\n")]);
    let folder = folder.path();
    let narrow = ["pairs", "two.csv", "--periodic", "1,1"];
    refuses(folder, &narrow, "--every-image");
    for method in Method::ALL {
        let options = [
            "--every-image",
            "--verify",
            "--json",
            "--method",
            method.name(),
        ];
        let object = json(folder, &[&narrow[..], &options].concat());
        assert_eq!(object["pairs"], 1, "{method}");
        let kept = json(
            folder,
            &[&narrow[..], &options, &["--skin", "0.2"]].concat(),
        );
        assert_eq!(kept["pairs"], 1, "{method}");
    }
    let written = ["--every-image", "-o", "contacts.vtp"];
    done(folder, &[&narrow[..], &written].concat());
    // The particle touches two images of itself and three of the other.
    let lines = std::fs::read(folder.join("contacts.vtp")).unwrap();
    let lines = String::from_utf8_lossy(&lines);
    assert!(lines.contains("NumberOfLines=\"5\""), "{lines}");
    put(folder, "huge.csv", "0,0,1e9\n");
    refuses(
        folder,
        &["pairs", "huge.csv", "--periodic", "1,1", "--every-image"],
        "images",
    );
    let status = run(folder, &["pairs", "two.csv", "--every-image"]).status;
    assert_eq!(status.code(), Some(2));
}
