//! `tangere closest`: distance and penetration depth of two bodies.

use super::*;

/// Returns the numbers of a JSON array.
fn numbers(value: &Value) -> Vec<f64> {
    serde_json::from_value(value.clone()).unwrap()
}

fn cubes(folder: &Path, pose_b: &str, more: &[&str]) -> Value {
    put(folder, "cube.obj", CUBE);
    let arguments = [
        "closest", "cube.obj", "cube.obj", "--convex", "--pose-b", pose_b, "--verify", "--json",
    ];
    json(folder, &[&arguments[..], more].concat())
}

#[test]
fn cubes_apart_touching_and_deep() {
    let folder = folder();
    let folder = folder.path();
    let apart = cubes(folder, "3.5,0.25,0", &[]);
    let names = [
        "feature_a",
        "feature_b",
        "gap",
        "lower",
        "normal",
        "patch",
        "point_a",
        "point_b",
        "seconds",
        "status",
        "steps",
        "upper",
        "verified",
    ];
    let mut found: Vec<&String> = apart.as_object().unwrap().keys().collect();
    found.sort();
    assert_eq!(found, names);
    assert_eq!(apart["gap"], 1.5);
    assert_eq!(apart["status"], "separated");
    assert_eq!(apart["verified"], true);
    assert_eq!(numbers(&apart["normal"]), [1.0, 0.0, 0.0]);
    assert_eq!(apart["feature_a"]["kind"], "face");
    assert!(apart["feature_b"]["index"].as_u64() < Some(6));
    for part in ["read", "setup", "query"] {
        assert!(apart["seconds"][part].as_f64() >= Some(0.0), "{part}");
    }
    let [a, b] = ["point_a", "point_b"].map(|name| numbers(&apart[name]));
    assert_eq!((a[0], b[0]), (1.0, 2.5));
    assert_eq!((a[1], a[2]), (b[1], b[2]));
    let (lower, upper) = (apart["lower"].as_f64(), apart["upper"].as_f64());
    assert!(lower <= Some(1.5) && upper >= Some(1.5));

    let touching = cubes(folder, "2,1,-0.5", &[]);
    assert_eq!(touching["gap"], 0.0);
    assert_eq!(touching["status"], "touching");
    let patch = touching["patch"].as_array().unwrap();
    assert_eq!(patch.len(), 4);
    for corner in patch {
        let point = numbers(&corner["point_a"]);
        assert_eq!(point, numbers(&corner["point_b"]));
        assert!(point[0] == 1.0 && (0.0..=1.0).contains(&point[1]));
        assert_eq!(corner["gap"], 0.0);
        assert!(corner["feature_a"]["kind"].is_string() && corner["feature_b"]["index"].is_u64());
    }

    let deep = cubes(folder, "0.25,1.5,0", &["--faces", "--repeat", "2"]);
    assert_eq!(deep["gap"], -0.5);
    assert_eq!(deep["status"], "penetrating");
    assert_eq!(numbers(&deep["normal"]), [0.0, 1.0, 0.0]);
}

#[test]
fn poses_move_either_body() {
    let folder = folder_with(&[("cube.obj", CUBE)]);
    let folder = folder.path();
    let quarter = std::f64::consts::FRAC_1_SQRT_2;
    // A quarter turn maps a cube to itself.
    let pose_a = format!("-4,0,0,{quarter},0,0,{quarter}");
    let arguments = ["closest", "cube.obj", "cube.obj", "--convex", "--json"];
    let moved = |more: &[&str]| json(folder, &[&arguments[..], more].concat());
    let turned = moved(&["--pose-a", &pose_a, "--verify"]);
    assert!((turned["gap"].as_f64().unwrap() - 2.0).abs() < 1e-15);
    assert_eq!(numbers(&turned["normal"])[0], 1.0);
    let mirrored = moved(&["--pose-b", &pose_a]);
    assert_eq!(mirrored["gap"], turned["gap"]);
    assert_eq!(mirrored["point_a"], turned["point_b"]);
    assert_eq!(numbers(&mirrored["normal"])[0], -1.0);
}

#[test]
fn points_segments_and_clouds() {
    let folder = folder_with(&[
        ("cube.obj", CUBE),
        ("point.csv", "x,y,z\n0,0,3\n0,0,3\n0,0,3\n"),
        ("segment.csv", "2,-1,0\n2,0,0\n2,5,0\n"),
    ]);
    let folder = folder.path();
    let to = |name: &str| {
        json(
            folder,
            &[
                "closest", "cube.obj", name, "--convex", "--verify", "--json",
            ],
        )
    };
    let point = to("point.csv");
    assert_eq!(point["gap"], 2.0);
    assert_eq!(point["feature_b"]["kind"], "vertex");
    let segment = to("segment.csv");
    assert_eq!(segment["gap"], 1.0);
    assert_eq!(segment["feature_b"]["kind"], "edge");
    assert_eq!(segment["patch"].as_array().unwrap().len(), 2);
    let text = done(
        folder,
        &["closest", "cube.obj", "segment.csv", "--convex", "--verify"],
    );
    for words in [
        "a segment: 2 vertices",
        "separated",
        "prove the gap",
        "set-up",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn contacts_to_files() {
    let folder = folder();
    let folder = folder.path();
    let mut printed = cubes(folder, "0.5,0.25,2", &["-o", "contact.json"]);
    let written = std::fs::read_to_string(folder.join("contact.json")).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&written).unwrap(),
        printed.take()
    );
    cubes(folder, "0.5,0.25,2", &["-o", "contact.vtp"]);
    let drawing = std::fs::read(folder.join("contact.vtp")).unwrap();
    let drawing = String::from_utf8_lossy(&drawing);
    for name in ["body", "kind", "index", "gap", "normal", "what"] {
        assert!(drawing.contains(&format!("Name=\"{name}\"")), "{name}");
    }
    // The drawing has the two contact points, four corners on each body, and the patch on both
    // bodies.
    assert!(drawing.contains("NumberOfPoints=\"10\""), "{drawing}");
    assert!(drawing.contains("NumberOfPolys=\"2\""));
    assert!(drawing.contains("NumberOfLines=\"1\""));
}

/// Returns the arguments of a motion, followed by `more`.
fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let grains = ["closest", "grain.stl", "grain.stl", "--convex"];
    [&grains[..], &["--poses", "motion.csv"], more].concat()
}

#[test]
fn a_motion_is_followed() {
    let folder = folder();
    let folder = folder.path();
    done(
        folder,
        &["generate", "hull", "--faces", "100", "-o", "grain.stl"],
    );
    let rows: Vec<String> = (0..500)
        .map(|k| {
            let angle = 0.004 * f64::from(k);
            let apart = 2.0 + 0.6 * (3.0 * angle).cos();
            format!(
                "{apart},0,0,{},0,0,{}\n",
                (0.5 * angle).cos(),
                (0.5 * angle).sin()
            )
        })
        .collect();
    put(folder, "motion.csv", &rows.concat());
    let object = json(folder, &with(&["--verify", "--json", "-o", "gaps.csv"]));
    assert_eq!(object["poses"], 500);
    assert_eq!(object["verified"], true);
    let steps = numbers(&object["steps"]);
    assert_eq!(steps.iter().sum::<f64>(), 500.0);
    assert!(steps[0] > 400.0, "{steps:?}");
    assert!(object["status"]["penetrating"].as_u64() > Some(0));
    assert!(object["gap"]["most"].as_f64() > Some(0.0));

    // The answer of each step equals that of a separate query.
    let table = std::fs::read_to_string(folder.join("gaps.csv")).unwrap();
    assert_eq!(table.lines().count(), 501);
    assert!(table.lines().next().unwrap().ends_with(",steps,pose"));
    let is_numbered = |(k, line): (usize, &str)| line.ends_with(&format!(",{k}"));
    assert!(table.lines().skip(1).enumerate().all(is_numbered));
    let gap = |step: usize| {
        table
            .lines()
            .nth(step + 1)
            .unwrap()
            .split(',')
            .next()
            .unwrap()
    };
    for step in [0, 250, 499] {
        let pose = rows[step].trim();
        let alone = [
            "closest",
            "grain.stl",
            "grain.stl",
            "--convex",
            "--json",
            "--pose-b",
            pose,
        ];
        // The texts are compared, because reading the numbers would round them.
        let printed = done(folder, &alone);
        let gap = format!("\"gap\": {},", gap(step));
        assert!(printed.contains(&gap), "{step}: {gap} {printed}");
    }
    // The old spelling of the option gives identical answers, and standard output identical rows.
    let old = with(&["-o", "-"]);
    let old: Vec<&str> = (old.iter())
        .map(|word| {
            if *word == "--poses" {
                "--poses-b"
            } else {
                *word
            }
        })
        .collect();
    assert_eq!(done(folder, &old), table);
    done(folder, &with(&["-o", "gaps.npy"]));
    let array = std::fs::read(folder.join("gaps.npy")).unwrap();
    assert!(String::from_utf8_lossy(&array).contains("'kind_a', '|u1'"));
    done(folder, &with(&["-o", "gaps.vtp"]));
    done(folder, &with(&["-o", "gaps.json"]));
    let written = std::fs::read_to_string(folder.join("gaps.json")).unwrap();
    let written: Value = serde_json::from_str(&written).unwrap();
    assert_eq!(written["contacts"].as_array().unwrap().len(), 500);
    assert!(done(folder, &with(&[])).contains("in 1 step"));
}

#[test]
fn bad_input_is_refused() {
    let folder = folder_with(&[
        ("cube.obj", CUBE),
        ("none.csv", ""),
        ("nan.csv", "0,0,0\n0,nan,0\n"),
        ("plane.csv", "0,0\n1,1\n"),
    ]);
    let folder = folder.path();
    put(
        folder,
        "turn.csv",
        "0,0,0,1,0,0,0\n0,0,0,1,0,0,1e-5\n1,2,3,1,1,0,0\n",
    );
    put(folder, "five.csv", "0,0,0,1,0\n");
    // The upper face has a pit.
    let pit = CUBE.replace(
        "f 5 6 7 8\n",
        "v 0 0 0.5\nf 5 6 9\nf 6 7 9\nf 7 8 9\nf 8 5 9\n",
    );
    put(folder, "pit.obj", &pit);
    let before = files(folder);
    let cases: [(&[&str], &str); 13] = [
        (
            &["cube.obj", "cube.obj", "--poses-b", "turn.csv"],
            "turn.csv: line 3",
        ),
        (
            &["none.csv", "cube.obj", "--convex"],
            "none.csv: points of a hull: found 0 points",
        ),
        (&["cube.obj", "nan.csv", "--convex"], "nan.csv: line 2"),
        (
            &["plane.csv", "cube.obj", "--convex"],
            "expected 3 (x, y, z)",
        ),
        (&["cube.obj", "missing.stl", "--convex"], "missing.stl"),
        (
            &["cube.obj", "pit.obj", "--convex", "--faces"],
            "where the surface is reflex",
        ),
        (
            &[
                "cube.obj",
                "cube.obj",
                "--convex",
                "--pose-b",
                "0,0,0,1,0,0,1",
            ],
            "of length 1",
        ),
        (
            &["cube.obj", "cube.obj", "--convex", "--pose-a", "0,inf,0"],
            "inf",
        ),
        (
            &["cube.obj", "cube.obj", "--convex", "--pose-a", "0,0"],
            "2 numbers",
        ),
        (
            &["cube.obj", "cube.obj", "--convex", "--poses-b", "turn.csv"],
            "turn.csv: line 3",
        ),
        (
            &["cube.obj", "cube.obj", "--convex", "--poses-b", "five.csv"],
            "columns",
        ),
        (
            &["cube.obj", "cube.obj", "--convex", "-o", "x.stl"],
            "npy, csv, vtp or json",
        ),
        (
            &["cube.obj", "cube.obj", "--convex", "-o", "no/x.vtp"],
            "no/x.vtp",
        ),
    ];
    for (arguments, words) in cases {
        let code = if words == "no/x.vtp" { 1 } else { 2 };
        let error = refused(folder, &[&["closest"], arguments].concat(), code);
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
    assert_eq!(files(folder), before);
    // The hull has no pit.
    let hull = [
        "closest", "pit.obj", "cube.obj", "--convex", "--json", "--pose-b", "0,0,3",
    ];
    assert_eq!(json(folder, &hull)["gap"], 1.0);
}

/// The number of the pose is the last column of a motion's rows of text, and of no others.
#[test]
fn rows_of_a_motion_have_the_pose() {
    let folder = folder_with(&[
        ("cube.obj", CUBE),
        ("motion.csv", "pose,x,y,z\n7,9,0,0\n8,4,0,0\n"),
    ]);
    let folder = folder.path();
    for (command, last) in [("closest", ",solids"), ("overlap", "complete")] {
        let bodies = [command, "cube.obj", "cube.obj"];
        done(folder, &[&bodies[..], &["-o", "one.csv"]].concat());
        done(
            folder,
            &[&bodies[..], &["--poses", "motion.csv", "-o", "all.csv"]].concat(),
        );
        let lines = |name: &str| -> Vec<String> {
            let text = std::fs::read_to_string(folder.join(name)).unwrap();
            text.lines().map(str::to_owned).collect()
        };
        let (one, all) = (lines("one.csv"), lines("all.csv"));
        assert!(one[0].contains(last), "{one:?}");
        assert_eq!(all[0], format!("{},pose", one[0]));
        assert!(all[1].ends_with(",0") && all[2].ends_with(",1"), "{all:?}");
    }
}

#[test]
fn points_in_place_of_a_surface() {
    let folder = folder_with(&[("cube.obj", CUBE), ("points.csv", "x,y,z\n0,0,3\n")]);
    refuses(
        folder.path(),
        &["closest", "cube.obj", "points.csv"],
        "points.csv: found points, expected a surface; `tangere closest cube.obj --points points.csv`",
    );
}
