//! `tangere intersect`: intersecting triangles of meshes.

use super::*;

const TURNED: &str = "0.1,0.2,0.3,0.8,0,0,0.6";

/// Generates a knot in the folder.
fn knot(folder: &Path) {
    done(
        folder,
        &["generate", "knot", "--triangles", "600", "-o", "knot.ply"],
    );
}

#[test]
fn pairs_of_a_turned_copy() {
    let folder = folder();
    let folder = folder.path();
    knot(folder);
    let arguments = [
        "intersect",
        "knot.ply",
        "knot.ply",
        "--pose-b",
        TURNED,
        "--verify",
        "--json",
    ];
    let object = json(folder, &arguments);
    let names: Vec<&String> = object.as_object().unwrap().keys().collect();
    assert_eq!(
        names[..7],
        [
            "pairs",
            "crossing",
            "touching",
            "coplanar",
            "intersecting",
            "status",
            "seconds"
        ]
    );
    assert_eq!(object["status"], "intersecting");
    let count = |name: &str| object[name].as_u64().unwrap();
    assert!(count("pairs") > 50);
    assert_eq!(count("pairs"), count("crossing"));
    assert!(object["seconds"].as_f64() >= Some(0.0));
    assert_eq!(object["verified"], true);
    for threads in ["1", "3"] {
        let other = json(folder, &[&arguments[..], &["--threads", threads]].concat());
        assert_eq!(other["pairs"], object["pairs"]);
    }
    let text = done(
        folder,
        &["intersect", "knot.ply", "knot.ply", "--pose-b", TURNED],
    );
    assert!(text.starts_with("knot.ply and knot.ply\n"), "{text}");
    assert!(text.contains("crossing"), "{text}");
}

/// A motion: rows of pairs with their pose, or of the status; the same as pose by pose.
#[test]
fn motions() {
    let poses = "x,y,z\n9,0,0\n0.1,0.2,0.3\n";
    let folder = folder_with(&[("cube.obj", CUBE), ("motion.csv", poses)]);
    let folder = folder.path();
    let arguments = ["intersect", "cube.obj", "cube.obj", "--poses", "motion.csv"];
    let object = json(
        folder,
        &[&arguments[..], &["--json", "-o", "all.csv"]].concat(),
    );
    let one = [
        "intersect",
        "cube.obj",
        "cube.obj",
        "--pose-b",
        "0.1,0.2,0.3",
    ];
    let alone = json(folder, &[&one[..], &["--json", "-o", "one.csv"]].concat());
    assert_eq!(object["poses"], 2);
    assert_eq!(object["pairs"], alone["pairs"]);
    assert_eq!(object["status"]["separated"], 1);
    assert_eq!(object["status"]["intersecting"], 1);
    let each = serde_json::json!(["separated", "intersecting"]);
    assert_eq!(object["statuses"], each);
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let rows: String = (read("one.csv").lines().enumerate())
        .map(|(i, row)| match i {
            0 => format!("pose,{row}\n"),
            _ => format!("1,{row}\n"),
        })
        .collect();
    assert_eq!(read("all.csv"), rows);
    let any = [&arguments[..], &["--any", "-o", "status.csv"]].concat();
    done(folder, &any);
    let expected = "intersecting,status,pose\n0,separated,0\n1,intersecting,1\n";
    assert_eq!(read("status.csv"), expected);
    done(folder, &[&arguments[..], &["-o", "all.npy"]].concat());
    let pose = ["--pose-b", "1,0,0", "--any", "-o", "x.csv"];
    refuses(folder, &[&arguments[..3], &pose].concat(), "--any");
    let verified = json(folder, &[&arguments[..], &["--verify", "--json"]].concat());
    assert_eq!(verified["verified"], true);
    assert_eq!(verified["verified_faces"], 12);
    refuses(folder, &[&arguments[..], &["-o", "x.vtp"]].concat(), "vtp");
}

#[test]
fn kinds_of_cubes() {
    let folder = folder_with(&[("cube.obj", CUBE)]);
    let folder = folder.path();
    let of = |pose: &str| {
        json(
            folder,
            &[
                "intersect",
                "cube.obj",
                "cube.obj",
                "--pose-b",
                pose,
                "--json",
                "--verify",
            ],
        )
    };
    let apart = of("2.5,0,0");
    assert_eq!(
        (&apart["pairs"], &apart["coplanar"]),
        (&Value::from(0), &Value::from(0))
    );
    // The cubes touch face to face.
    let on = of("2,0.5,0.25");
    assert!(on["coplanar"].as_u64() >= Some(4), "{on}");
    assert_eq!(on["crossing"], 0);
    let corner = of("2,2,2");
    assert_eq!(corner["touching"], corner["pairs"]);
    assert!(corner["pairs"].as_u64() > Some(0));
    let through = of("1.1,0.9,0.7");
    assert!(through["crossing"].as_u64() > Some(0));
    // Both cubes are moved by the same pose.
    let both = json(
        folder,
        &[
            "intersect",
            "cube.obj",
            "cube.obj",
            "--pose-a",
            "4,0,0",
            "--pose-b",
            "6,0.5,0.25",
            "--json",
        ],
    );
    assert_eq!(both["coplanar"], on["coplanar"]);
    for (pose, yes) in [("2,2,2", true), ("3,0,0", false)] {
        let any = json(
            folder,
            &[
                "intersect",
                "cube.obj",
                "cube.obj",
                "--pose-b",
                pose,
                "--any",
                "--json",
            ],
        );
        assert_eq!(any["intersecting"], yes);
    }
}

#[test]
fn pairs_in_files() {
    let folder = folder();
    let folder = folder.path();
    knot(folder);
    let write = |name: &str| {
        json(
            folder,
            &[
                "intersect",
                "knot.ply",
                "knot.ply",
                "--pose-b",
                TURNED,
                "-o",
                name,
                "--json",
            ],
        )
    };
    let pairs = write("pairs.npy")["pairs"].as_u64().unwrap() as usize;
    let bytes = std::fs::read(folder.join("pairs.npy")).unwrap();
    let head = String::from_utf8_lossy(&bytes[..128]).into_owned();
    assert!(
        head.contains("'<u4'") && head.contains(&format!("({pairs}, 2)")),
        "{head}"
    );
    assert_eq!(bytes.len() % 64, (pairs * 8) % 64);
    write("pairs.csv");
    let text = std::fs::read_to_string(folder.join("pairs.csv")).unwrap();
    assert_eq!(text.lines().count(), pairs + 1);
    assert!(
        text.starts_with("a,b,kind\n") && text.contains(",crossing\n"),
        "{text}"
    );
    write("where.vtp");
    let info = json(folder, &["info", "where.vtp", "--json"]);
    assert!(info["triangles"].as_u64() > Some(50), "{info}");
    let drawn = std::fs::read(folder.join("where.vtp")).unwrap();
    let drawn = String::from_utf8_lossy(&drawn).into_owned();
    for name in ["surface", "face", "partner", "partners", "kind"] {
        assert!(drawn.contains(&format!("Name=\"{name}\"")), "{name}");
    }
}

#[test]
fn a_surface_through_itself() {
    let folder = folder();
    let folder = folder.path();
    knot(folder);
    put(folder, "cube.obj", CUBE);
    // The file has two cubes, one of which is moved into the other.
    let second = CUBE
        .lines()
        .filter(|line| line.starts_with('v'))
        .map(|line| {
            let numbers = line[2..].split(' ').map(|x| x.parse::<f64>().unwrap());
            let moved: Vec<String> = numbers.map(|x| (x + 0.9).to_string()).collect();
            format!("v {}\n", moved.join(" "))
        })
        .collect::<String>();
    let faces = CUBE.lines().filter(|line| line.starts_with('f'));
    let faces: String = faces
        .map(|line| {
            let numbers = line[2..].split(' ').map(|x| x.parse::<u32>().unwrap() + 8);
            let moved: Vec<String> = numbers.map(|x| x.to_string()).collect();
            format!("f {}\n", moved.join(" "))
        })
        .collect();
    put(folder, "two.obj", &format!("{CUBE}{second}{faces}"));
    let two = json(
        folder,
        &["intersect", "two.obj", "--self", "--json", "--verify"],
    );
    assert!(two["crossing"].as_u64() > Some(0), "{two}");
    let one = json(
        folder,
        &["intersect", "knot.ply", "--self", "--json", "--verify"],
    );
    assert_eq!(one["pairs"], 0);
    // `info --self-intersections` reports the same pairs.
    let info = json(
        folder,
        &["info", "two.obj", "--self-intersections", "--json"],
    );
    assert_eq!(info["self_intersections"], two["pairs"]);
    assert!(json(folder, &["info", "two.obj", "--json"])["self_intersections"].is_null());
    let text = done(folder, &["info", "two.obj", "--self-intersections"]);
    assert!(text.contains("self-intersections"), "{text}");
    let text = done(folder, &["info", "knot.ply", "--self-intersections"]);
    assert!(text.contains("\nno defects found\n"), "{text}");
}

#[test]
fn the_distance_of_surfaces() {
    let folder = folder_with(&[("cube.obj", CUBE)]);
    let folder = folder.path();
    knot(folder);
    let of = |pose: &str| {
        json(
            folder,
            &[
                "closest", "cube.obj", "cube.obj", "--pose-b", pose, "--verify", "--json",
            ],
        )
    };
    let apart = of("5,0.5,0.25");
    assert_eq!(apart["distance"], 3.0);
    assert_eq!(
        (&apart["verified"], &apart["verified_faces"]),
        (&true.into(), &12.into())
    );
    assert_eq!(apart["intersecting"], false);
    assert_eq!(apart["point_a"][0], 1.0);
    assert_eq!(apart["point_b"][0], 4.0);
    assert!(apart["face_a"].is_u64() && apart["face_b"].is_u64());
    for part in ["read", "setup", "query"] {
        assert!(apart["seconds"][part].as_f64() >= Some(0.0), "{part}");
    }
    let through = of("1,0.5,0.25");
    assert_eq!(through["distance"], 0.0);
    assert_eq!(through["intersecting"], true);
    assert_eq!(through["point_a"], through["point_b"]);
    let knots = json(
        folder,
        &[
            "closest", "knot.ply", "knot.ply", "--pose-a", "0,0,-4", "--pose-b", TURNED, "--json",
            "-o", "near.vtp",
        ],
    );
    assert!(knots["distance"].as_f64() > Some(0.5), "{knots}");
    let text = done(
        folder,
        &["closest", "cube.obj", "knot.ply", "--pose-b", "0,0,7"],
    );
    assert!(text.contains("distance"), "{text}");
    assert!(files(folder).contains(&"near.vtp".to_owned()));
}

#[test]
fn bad_questions_about_surfaces() {
    let folder = folder_with(&[("cube.obj", CUBE), ("spheres.csv", "x,y,z,r\n0,0,0,1\n")]);
    let folder = folder.path();
    for arguments in [
        &["intersect", "cube.obj"][..],
        &["intersect", "cube.obj", "cube.obj", "--self"],
        &["intersect", "cube.obj", "--self", "--pose-b", "1,0,0"],
        &["intersect", "cube.obj", "cube.obj", "--pose-b", "1,0"],
        &["intersect", "cube.obj", "cube.obj", "--pose-b", "1,0,nan"],
        &["intersect", "cube.obj", "cube.obj", "-o", "pairs.xyz"],
        &["intersect", "cube.obj", "cube.obj", "-o", "cube.obj"],
        &["intersect", "cube.obj", "missing.obj"],
        &["intersect", "cube.obj", "spheres.csv"],
        &[
            "intersect",
            "cube.obj",
            "cube.obj",
            "--any",
            "-o",
            "pairs.npy",
        ],
        &["closest", "cube.obj", "spheres.csv"],
        &["closest", "cube.obj", "cube.obj", "--poses-b", "motion.csv"],
        &["info", "spheres.csv", "--self-intersections"],
    ] {
        refused(folder, arguments, 2);
    }
    // Errors about points name the file and the remedy.
    for (arguments, expected) in [
        (
            &["intersect", "spheres.csv", "cube.obj"][..],
            "spheres.csv: found points, expected a surface: STL, OBJ",
        ),
        (
            &["closest", "cube.obj", "spheres.csv"],
            "spheres.csv: found points, expected a surface; `tangere closest cube.obj --points",
        ),
        (
            &["inside", "spheres.csv", "cube.obj"],
            "spheres.csv: found points, expected the surface of a body: MESH comes first",
        ),
    ] {
        refuses(folder, arguments, expected);
    }
    assert_eq!(files(folder), ["cube.obj", "spheres.csv"]);
}
