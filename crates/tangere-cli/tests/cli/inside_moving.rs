//! `tangere inside` with poses and moving bodies.

use super::*;

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn poses_of_body_and_points() {
    let folder = folder_with(&[
        ("cube.obj", CUBE),
        ("points.csv", "x,y,z\n0,0,0\n1,0.5,0\n1.5,0,0\n"),
    ]);
    let folder = folder.path();
    // Half a turn about z changes the signs of x and y.
    for (poses, sides) in [
        (vec!["--pose", "0,0,0"], "side\n1\n0\n-1\n"),
        (vec!["--pose", "-1,0,0"], "side\n0\n-1\n-1\n"),
        (vec!["--pose", "2,0,0,0,0,0,1"], "side\n-1\n0\n1\n"),
        (vec!["--points-pose", "2,0,0,0,0,0,1"], "side\n-1\n0\n1\n"),
        (
            vec!["--pose", "9,9,9", "--points-pose", "9,9,9"],
            "side\n1\n0\n-1\n",
        ),
    ] {
        let mut arguments = vec!["inside", "cube.obj", "points.csv", "-o", "sides.csv"];
        arguments.extend(poses.iter().copied());
        arguments.push("--verify");
        done(folder, &arguments);
        assert_eq!(text(folder, "sides.csv"), sides, "{poses:?}");
    }
    // Points are written in world coordinates, not in the frame of the body.
    let arguments = ["inside", "cube.obj", "points.csv", "--pose", "5,0,0"];
    done(folder, &[&arguments[..], &["-o", "points.vtp"]].concat());
    let moved = [&arguments[..3], &["-o", "still.vtp", "--pose", "-7,0,0"]].concat();
    done(folder, &moved);
    let [a, b] = ["points.vtp", "still.vtp"].map(|name| std::fs::read(folder.join(name)).unwrap());
    assert!(a == b);
}

#[test]
fn nodes_of_moving_bodies() {
    let folder = folder_with(&[("a.obj", CUBE), ("b.obj", CUBE)]);
    let folder = folder.path();
    let line = ["inside", "a.obj", "--bodies", "b.obj"];
    // Without poses both bodies coincide, so that every corner is on the other surface.
    let object = json(folder, &[&line[..], &["--json"]].concat());
    assert_eq!(
        (&object["nodes"], &object["surface"]),
        (&16.into(), &16.into())
    );
    assert_eq!(
        (&object["bodies"], &object["steps"]),
        (&2.into(), &1.into())
    );
    // The bodies overlap at a corner, are apart, and coincide.
    put(
        folder,
        "poses.csv",
        "0,0,0\n1.5,1.5,1.5\n0,0,0\n3,0,0\n0,0,0\n0,0,2\n",
    );
    let arguments = [&line[..], &["--poses", "poses.csv", "-o", "nodes.csv"]].concat();
    let object = json(folder, &[&arguments[..], &["--json"]].concat());
    assert_eq!((&object["steps"], &object["pairs"]), (&3.into(), &2.into()));
    assert_eq!(
        (&object["inside"], &object["surface"]),
        (&2.into(), &8.into())
    );
    let nodes = text(folder, "nodes.csv");
    let rows: Vec<&str> = nodes.lines().collect();
    assert_eq!(
        rows[..3],
        ["step,body,other,node,side", "0,0,1,0,1", "0,1,0,6,1"]
    );
    assert_eq!(rows[3], "2,0,1,0,0");
    assert_eq!(rows.len(), 11);
    let arguments = [&line[..], &["--poses", "poses.csv", "-o", "nodes.npy"]].concat();
    let table = done(folder, &arguments);
    assert!(table.contains("pairs of bodies"), "{table}");
    let written = std::fs::read(folder.join("nodes.npy")).unwrap();
    assert!(String::from_utf8_lossy(&written).contains("(10, 5)"));
}

#[test]
fn wrong_poses_and_bodies() {
    let folder = folder_with(&[
        ("a.obj", CUBE),
        ("open.obj", &CUBE.replace("f 1 4 3 2\n", "")),
        ("points.csv", "0,0,0\n"),
        ("three.csv", "0,0,0\n1,0,0\n2,0,0\n"),
        ("four.csv", "0,0,0,1\n1,0,0,1\n"),
        ("long.csv", "0,0,0,1,0,0,0\n1,0,0,2,0,0,0\n"),
    ]);
    let folder = folder.path();
    for (arguments, parts) in [
        (
            &[
                "inside",
                "a.obj",
                "--bodies",
                "a.obj",
                "--poses",
                "three.csv",
            ][..],
            &["three.csv", "3", "2 for each step"][..],
        ),
        (
            &[
                "inside", "a.obj", "--bodies", "a.obj", "--poses", "four.csv",
            ],
            &["four.csv", "or 7"],
        ),
        (
            &[
                "inside", "a.obj", "--bodies", "a.obj", "--poses", "long.csv",
            ],
            &["long.csv: line 2: "],
        ),
        (
            &["inside", "a.obj", "--bodies", "open.obj", "--method", "ray"],
            &["open.obj", "4 boundary edges"],
        ),
        (
            &["inside", "a.obj", "--bodies", "points.csv"],
            &["points.csv"],
        ),
        (
            &["inside", "a.obj", "--bodies", "a.obj", "-o", "nodes.vtp"],
            &["nodes.vtp", "npy or csv"],
        ),
    ] {
        let error = refused(folder, arguments, 2);
        for part in parts {
            assert!(error.contains(part), "{arguments:?}: {error}");
        }
    }
    for arguments in [
        &["inside", "a.obj", "points.csv", "--pose", "1,2"][..],
        &["inside", "a.obj", "points.csv", "--pose", "0,0,0,1,1,0,0"],
        &["inside", "a.obj", "--grid", "3", "--pose", "0,0,0"],
        &["inside", "a.obj", "points.csv", "--bodies", "a.obj"],
        &["inside", "a.obj", "points.csv", "--poses", "three.csv"],
    ] {
        let output = run(folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
}
