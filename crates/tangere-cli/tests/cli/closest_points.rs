//! `tangere closest MESH --points POINTS`: nearest points of a surface.

use super::*;

const POINTS: &str = "x,y,z\n0,0,4\n0.5,0,0\n3,3,3\n0,1,0.25\n";

/// A quadratic square plate of eight nodes from -1 to 1, whose middle is lifted along two sides, in
/// Gmsh's order of nodes; and a flat triangle beside it.
const PLATE: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n9\n\
    1 -1 -1 0\n2 1 -1 0\n3 1 1 0\n4 -1 1 0\n5 0 -1 0.5\n6 1 0 0\n7 0 1 0.5\n8 -1 0 0\n9 3 0 0\n\
    $EndNodes\n$Elements\n2\n1 16 2 0 1 1 2 3 4 5 6 7 8\n2 2 2 0 1 2 9 3\n$EndElements\n";

#[test]
fn points_and_triangles() {
    let folder = folder_with(&[("cube.obj", CUBE), ("points.csv", POINTS)]);
    let folder = folder.path();
    let arguments = ["closest", "cube.obj", "--points", "points.csv", "--verify"];
    let answer = json(
        folder,
        &[&arguments[..], &["--json", "-o", "closest.csv"]].concat(),
    );
    assert_eq!(answer["points"], 4);
    assert_eq!(
        (&answer["faces"], &answer["method"]),
        (&12.into(), &"triangles".into())
    );
    assert_eq!(answer["closed"], true);
    assert_eq!(answer["inside"], 1);
    assert_eq!(
        (&answer["distance"]["least"], &answer["gap"]["least"]),
        (&0.0.into(), &(-0.5).into())
    );
    assert_eq!(answer["distance"]["most"].as_f64(), Some(12f64.sqrt()));
    assert_eq!(
        (&answer["verified"], &answer["verified_points"]),
        (&true.into(), &4.into())
    );
    let text = std::fs::read_to_string(folder.join("closest.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "face,x,y,z,distance,gap");
    assert!(lines[1].ends_with(",0,0,1,3,3"), "{text}");
    assert!(lines[2].ends_with(",1,0,0,0.5,-0.5"), "{text}");
    assert_eq!(lines.len(), 5);

    // Rows go to standard output, the table to standard error.
    let output = run(folder, &[&arguments[..], &["-o", "-"]].concat());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(
        notes.contains("inside") && notes.contains("4 points against every face"),
        "{notes}"
    );

    let table = done(folder, &arguments);
    assert!(table.starts_with("cube.obj and points.csv\n"), "{table}");

    // An open surface has no inside.
    let open = CUBE.replace("f 4 1 5 8\n", "");
    put(folder, "open.obj", &open);
    let answer = json(
        folder,
        &["closest", "open.obj", "--points", "points.csv", "--json"],
    );
    assert_eq!(answer["closed"], false);
    assert!(
        answer["inside"].is_null() && answer["gap"].is_null(),
        "{answer}"
    );
    assert!(answer["sign"].is_null(), "{answer}");
    // The summary says that gaps have no sign, and why.
    let turned = CUBE.replace("f 4 1 5 8\n", "f 8 5 1 4\n");
    put(folder, "turned.obj", &turned);
    for (mesh, reason) in [
        ("open.obj", Some("no sign: the surface is open")),
        (
            "turned.obj",
            Some("no sign: its triangles are not consistently oriented"),
        ),
        ("cube.obj", None),
    ] {
        let table = done(folder, &["closest", mesh, "--points", "points.csv"]);
        assert_eq!(table.matches("\n  gap ").count(), 1, "{table}");
        let is_printed = reason.map(|reason| table.contains(reason));
        assert_eq!(is_printed, reason.map(|_| true), "{table}");
        assert_eq!(table.contains("no sign"), reason.is_some(), "{table}");
    }
}

/// Gaps have the sign of `inside`: of a surface turned inward too.
#[test]
fn gaps_of_surfaces_turned_inward_have_the_sign_of_inside() {
    let folder = folder_with(&[
        ("inward.obj", &inward_cube()),
        ("two.csv", "x,y,z\n9,9,9\n0,0,0.5\n"),
    ]);
    let folder = folder.path();
    let arguments = ["closest", "inward.obj", "--points", "two.csv"];
    let answer = json(folder, &[&arguments[..], &["--json"]].concat());
    assert_eq!(answer["sign"], "inside");
    assert_eq!(
        (&answer["inside"], &answer["behind"]),
        (&1.into(), &1.into())
    );
    assert_eq!(answer["gap"]["least"], -0.5);
}

/// A VTU file has the points with every column of the answer, of triangles and of curved faces.
#[test]
fn points_and_all_columns_in_a_vtu_file() {
    let folder = folder_with(&[
        ("cube.obj", CUBE),
        ("plate.msh", PLATE),
        ("points.csv", "x,y,z\n0.5,-0.5,2\n0,0,0.25\n"),
    ]);
    let folder = folder.path();
    for (mesh, names) in [
        ("cube.obj", &["face", "distance", "gap", "point"][..]),
        (
            "plate.msh",
            &[
                "face", "xi", "distance", "gap", "normal", "residual", "status", "point",
            ],
        ),
    ] {
        done(
            folder,
            &["closest", mesh, "--points", "points.csv", "-o", "out.vtu"],
        );
        let cloud = tangere_io::vtk::read_points(folder.join("out.vtu")).unwrap();
        assert_eq!(cloud.points, [[0.5, -0.5, 2.0], [0.0, 0.0, 0.25]]);
        let found: Vec<&str> = cloud.fields.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(found, names, "{mesh}");
        done(
            folder,
            &["closest", mesh, "--points", "points.csv", "-o", "out.csv"],
        );
        let table = tangere_io::read_table(folder.join("out.csv"));
        // The status of finite element faces is a word in CSV.
        let Ok(table) = table else { continue };
        let names = table.names.unwrap();
        let x = names.iter().position(|name| name == "x").unwrap();
        let feet: Vec<f64> = table
            .values
            .chunks(table.columns)
            .flat_map(|row| row[x..x + 3].to_vec())
            .collect();
        assert_eq!(
            cloud.field("point").unwrap().values.to_f64()[..],
            feet,
            "{mesh}"
        );
    }
}

/// Flat and curved finite elements have answers with the same columns.
#[test]
fn flat_elements_have_the_columns_of_curved_ones() {
    let folder = folder();
    let folder = folder.path();
    let flat = PLATE.replace("1 16 2 0 1 1 2 3 4 5 6 7 8\n", "1 2 2 0 1 1 2 3\n");
    put(folder, "flat.msh", &flat);
    put(folder, "points.csv", "x,y,z\n0.5,-0.5,2\n0.5,-0.5,-2\n");
    let arguments = ["closest", "flat.msh", "--points", "points.csv", "--verify"];
    let answer = json(
        folder,
        &[&arguments[..], &["--json", "-o", "flat.csv"]].concat(),
    );
    assert_eq!(answer["kinds"], serde_json::json!({ "tri3": 2 }));
    assert_eq!(
        (&answer["sign"], &answer["behind"]),
        (&"normal".into(), &1.into())
    );
    let text = std::fs::read_to_string(folder.join("flat.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "face,xi,eta,x,y,z,distance,gap,nx,ny,nz,residual,status",
            "0,0.5,0.25,0.5,-0.5,0,2,2,0,0,1,0,proven",
            "0,0.5,0.25,0.5,-0.5,0,2,-2,0,0,1,0,proven",
        ]
    );
}

/// Both ends of a line have its fields, so that points can be coloured by them.
#[test]
fn drawn_points_have_gaps() {
    let folder = folder_with(&[
        ("cube.obj", CUBE),
        ("plate.msh", PLATE),
        ("points.csv", POINTS),
    ]);
    let folder = folder.path();
    for (mesh, names) in [
        ("cube.obj", &["face", "distance", "gap"][..]),
        (
            "plate.msh",
            &[
                "face", "xi", "distance", "gap", "normal", "residual", "status",
            ],
        ),
    ] {
        done(
            folder,
            &["closest", mesh, "--points", "points.csv", "-o", "drawn.vtp"],
        );
        let bytes = std::fs::read(folder.join("drawn.vtp")).unwrap();
        let drawn = String::from_utf8_lossy(&bytes).into_owned();
        let part = |name: &str| {
            let inner = drawn.split(&format!("<{name}")).nth(1).unwrap();
            inner
                .split(&format!("</{name}>"))
                .next()
                .unwrap()
                .to_owned()
        };
        for name in names {
            for part in [part("PointData"), part("CellData")] {
                assert!(
                    part.contains(&format!("Name=\"{name}\"")),
                    "{mesh} {name}: {part}"
                );
            }
        }
    }
}

/// For a surface of segments two coordinates are enough; for others they are refused.
#[test]
fn points_of_the_plane() {
    let folder = folder();
    let folder = folder.path();
    let line = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 2 0 0\n\
                $EndNodes\n$Elements\n2\n1 1 2 1 1 1 2\n2 1 2 1 1 2 3\n$EndElements\n";
    put(folder, "line.msh", line);
    put(folder, "plate.msh", PLATE);
    put(folder, "cube.obj", CUBE);
    put(folder, "two.csv", "0.5,2\n1.5,-3\n");
    put(folder, "named.csv", "y,x\n2,0.5\n-3,1.5\n");
    put(folder, "three.csv", "0.5,2,0\n1.5,-3,0\n");
    let mut written = Vec::new();
    for points in ["two.csv", "named.csv", "three.csv"] {
        let arguments = [
            "closest", "line.msh", "--points", points, "--verify", "-o", "out.csv",
        ];
        done(folder, &arguments);
        written.push(std::fs::read_to_string(folder.join("out.csv")).unwrap());
    }
    assert!(
        written[0].contains("\n0,0,0,0.5,0,0,2,-2,0,-1,0,0,proven\n"),
        "{}",
        written[0]
    );
    assert!(written[0] == written[1] && written[0] == written[2]);
    for mesh in ["plate.msh", "cube.obj"] {
        let error = refused(folder, &["closest", mesh, "--points", "two.csv"], 2);
        let expected = "two.csv: columns: found 2, expected 3 (x, y, z), or columns with these \
                        names; x and y alone are a place in a plane";
        assert!(error.contains(expected), "{error}");
    }
}

/// An empty list of points is no error, but is noted.
#[test]
fn an_empty_point_file_is_noted() {
    let folder = folder_with(&[("cube.obj", CUBE), ("none.csv", "")]);
    let folder = folder.path();
    for arguments in [
        &["closest", "cube.obj", "--points"][..],
        &["inside", "cube.obj"],
    ] {
        for (points, name) in [("-", "standard input"), ("none.csv", "none.csv")] {
            // Standard input is empty in tests.
            let output = run(folder, &[arguments, &[points]].concat());
            assert!(output.status.success(), "{output:?}");
            let notes = String::from_utf8(output.stderr).unwrap();
            assert_eq!(notes, format!("{name}: found no points\n"));
            let output = run(folder, &[arguments, &[points, "-q"]].concat());
            assert!(output.status.success() && output.stderr.is_empty());
        }
    }
}

#[test]
fn points_and_curved_faces() {
    let folder = folder_with(&[
        ("plate.msh", PLATE),
        ("points.csv", "x,y,z\n0,0,3.5\n2,0.1,-1\n0,-5,0.5\n"),
    ]);
    let folder = folder.path();
    let arguments = ["closest", "plate.msh", "--points", "points.csv", "--verify"];
    let answer = json(
        folder,
        &[&arguments[..], &["--json", "-o", "closest.csv"]].concat(),
    );
    assert_eq!(
        (&answer["method"], &answer["closed"]),
        (&"faces".into(), &false.into())
    );
    assert_eq!(
        answer["kinds"],
        serde_json::json!({ "quad8": 1, "tri3": 1 })
    );
    assert_eq!(answer["status"]["proven"], 3);
    assert_eq!(
        (&answer["behind"], &answer["inside"]),
        (&1.into(), &Value::Null)
    );
    assert!(answer["iterations"]["most"].as_f64() >= Some(1.0));
    let text = std::fs::read_to_string(folder.join("closest.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "face,xi,eta,x,y,z,distance,gap,nx,ny,nz,residual,status"
    );
    // Along its middle the plate is lifted by one half.
    assert!(lines[1].starts_with("0,0,0,0,0,0.5,3,3,0,0,1,"), "{text}");
    assert!(
        lines[2].starts_with("1,") && lines[2].ends_with(",proven"),
        "{text}"
    );
    assert!(lines[3].starts_with("0,0,-1,0,-1,0.5,4,4,"), "{text}");

    // The structured array has NumPy's header.
    done(folder, &[&arguments[..], &["-o", "closest.npy"]].concat());
    let bytes = std::fs::read(folder.join("closest.npy")).unwrap();
    let head = String::from_utf8_lossy(&bytes[..256]);
    let fields = "[('face', '<u4'), ('', '|V4'), ('xi', '<f8', (2,)), ('point', '<f8', (3,)), \
                  ('distance', '<f8'), ('gap', '<f8'), ('normal', '<f8', (3,)), \
                  ('residual', '<f8'), ('status', '|u1'), ('', '|V7')]";
    assert!(head.contains(fields), "{head}");
    assert_eq!(bytes.len() % 64, 3 * 104 % 64);

    // The drawing has the query points, their nearest points and lines between them.
    done(folder, &[&arguments[..], &["-o", "closest.vtp"]].concat());
    let drawn =
        String::from_utf8_lossy(&std::fs::read(folder.join("closest.vtp")).unwrap()).into_owned();
    assert!(drawn.contains("NumberOfPoints=\"6\"") && drawn.contains("NumberOfLines=\"3\""));
    for name in ["foot", "face", "xi", "gap", "normal", "residual", "status"] {
        assert!(drawn.contains(&format!("Name=\"{name}\"")), "{name}");
    }
}

#[test]
fn threads_do_not_matter() {
    let folder = folder_with(&[("plate.msh", PLATE)]);
    let folder = folder.path();
    let rows: String = (0..2000)
        .map(|i| {
            let [x, y, z] = [0.7, 1.1, 1.3].map(|f: f64| 2.0 * (f * f64::from(i)).sin());
            format!("{x},{y},{z}\n")
        })
        .collect();
    put(folder, "points.csv", &rows);
    let mut written = Vec::new();
    for threads in ["1", "2", "7"] {
        let out = format!("{threads}.csv");
        let arguments = ["closest", "plate.msh", "--points", "points.csv", "-o", &out];
        done(
            folder,
            &[&arguments[..], &["--threads", threads, "-q"]].concat(),
        );
        written.push(std::fs::read(folder.join(out)).unwrap());
    }
    assert!(written[0] == written[1] && written[0] == written[2]);
}

#[test]
fn faces_within_a_distance() {
    let folder = folder_with(&[
        ("cube.obj", CUBE),
        ("plate.msh", PLATE),
        ("points.csv", POINTS),
    ]);
    let folder = folder.path();
    let within = |mesh: &str, more: &[&str]| {
        let arguments = [
            "closest",
            mesh,
            "--points",
            "points.csv",
            "--within",
            "3",
            "--json",
        ];
        json(folder, &[&arguments[..], more].concat())
    };
    let answer = within("cube.obj", &["--verify", "-o", "near.csv"]);
    assert_eq!(
        (&answer["within"], &answer["near"]),
        (&3.0.into(), &3.into())
    );
    assert_eq!(answer["verified"], true);
    let text = std::fs::read_to_string(folder.join("near.csv")).unwrap();
    assert_eq!(text.lines().next(), Some("point,face"));
    assert_eq!(
        Some(text.lines().count() as u64 - 1),
        answer["pairs"].as_u64()
    );
    // More pairs than --max-pairs are refused before anything is written.
    let pairs = answer["pairs"].as_u64().unwrap();
    let limit = |most: u64| most.to_string();
    assert_eq!(
        within("cube.obj", &["--max-pairs", &limit(pairs)])["pairs"],
        pairs
    );
    let most = limit(pairs - 1);
    let arguments = [
        "closest",
        "cube.obj",
        "--points",
        "points.csv",
        "--within",
        "3",
    ];
    let error = refused(
        folder,
        &[&arguments[..], &["--max-pairs", &most, "-o", "few.csv"]].concat(),
        2,
    );
    let expected = format!("pairs: found at least {pairs}, expected at most {most}");
    assert!(error.contains(&expected), "{error}");
    assert!(!folder.join("few.csv").exists());
    refuses(
        folder,
        &[&arguments[..4], &["--max-pairs", "5"]].concat(),
        "--within",
    );
    let answer = within("plate.msh", &["--verify", "-o", "near.npy"]);
    assert_eq!(answer["near"], 2);
    assert!(folder.join("near.npy").exists());
    refuses(
        folder,
        &[
            "closest",
            "cube.obj",
            "--points",
            "points.csv",
            "--within",
            "3",
            "-o",
            "near.vtp",
        ],
        "expected one of npy or csv",
    );
}

#[test]
fn named_surfaces() {
    let folder = folder();
    let folder = folder.path();
    let part = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n\
                *ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n*SURFACE, NAME=base\n1, S1\n";
    put(folder, "part.inp", part);
    put(folder, "points.csv", "0.25,0.25,0.5\n");
    let arguments = ["closest", "part.inp", "--points", "points.csv", "--json"];
    let base = json(folder, &[&arguments[..], &["--surface", "BASE"]].concat());
    assert_eq!(
        (&base["faces"], &base["distance"]["most"]),
        (&1.into(), &0.5.into())
    );
    let whole = json(folder, &arguments);
    assert_eq!(
        (&whole["faces"], &whole["closed"]),
        (&4.into(), &true.into())
    );
    refuses(
        folder,
        &[&arguments[..], &["--surface", "top"]].concat(),
        "expected one of base",
    );
}

#[test]
fn folded_faces_are_reported() {
    let folder = folder();
    let folder = folder.path();
    // The corners 2 and 3 are exchanged.
    let folded = PLATE.replace("1 16 2 0 1 1 2 3 4 5 6 7 8\n", "1 3 2 0 1 1 3 2 4\n");
    put(folder, "folded.msh", &folded);
    put(folder, "points.csv", "-0.5,0,1\n");
    let answer = json(
        folder,
        &["closest", "folded.msh", "--points", "points.csv", "--json"],
    );
    assert_eq!(answer["status"]["folded"], 1, "{answer}");
}

#[test]
fn bad_input() {
    let folder = folder_with(&[
        ("cube.obj", CUBE),
        ("points.csv", POINTS),
        ("none.csv", ""),
        ("nan.csv", "0,0,0\n1,nan,2\n"),
        ("huge.csv", "0,0,0\n1,1e300,2\n"),
    ]);
    let folder = folder.path();
    let answer = json(
        folder,
        &["closest", "cube.obj", "--points", "none.csv", "--json"],
    );
    assert_eq!(
        (&answer["points"], &answer["distance"]),
        (&0.into(), &Value::Null)
    );
    for (arguments, expected) in [
        (&["cube.obj", "--points", "nan.csv"][..], "line 2"),
        (
            &["cube.obj", "--points", "huge.csv"],
            "huge.csv: point 1: found [1.0, 1e300, 2.0]",
        ),
        (
            &["points.csv", "--points", "points.csv"],
            "points.csv: found points, expected the surface",
        ),
        (
            &["-", "--points", "points.csv"],
            "found standard input, expected the surface",
        ),
        (&["none.msh", "--points", "points.csv"], "none.msh"),
        (
            &["cube.obj", "--points", "points.csv", "--within", "-1"],
            "0 or more",
        ),
        (
            &["cube.obj", "--points", "points.csv", "--within", "nan"],
            "0 or more",
        ),
        (&["cube.obj", "--within", "1"], "--points"),
        (&["cube.obj"], "<B>"),
        (
            &["cube.obj", "cube.obj", "--points", "points.csv"],
            "cannot be used with",
        ),
        (
            &["cube.obj", "--points", "points.csv", "--convex"],
            "cannot be used with",
        ),
        (
            &["cube.obj", "--points", "points.csv", "-o", "a.stl"],
            "expected one of npy, csv, vtp or vtu",
        ),
        (
            &["cube.obj", "--points", "points.csv", "-o", "points.csv"],
            "the file that is read",
        ),
        (
            &["cube.obj", "--points", "points.csv", "-o", "-", "--json"],
            "standard output",
        ),
    ] {
        let error = refused(folder, &[&["closest"], arguments].concat(), 2);
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    let error = refused(
        folder,
        &[
            "closest",
            "cube.obj",
            "--points",
            "points.csv",
            "-o",
            "no/a.csv",
        ],
        1,
    );
    assert!(error.contains("the folder no does not exist"), "{error}");
    let mut names = files(folder);
    names.retain(|name| name.starts_with('a') || name.starts_with('.'));
    assert!(names.is_empty(), "{names:?}");
}
