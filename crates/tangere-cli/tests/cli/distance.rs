//! `tangere distance`: signed distances of points and grids.

use super::*;

/// Two cubes of edge 2 that cross, in one file, the second turned inward.
fn crossing() -> String {
    let moved = |line: &str| match line.strip_prefix("v ") {
        Some(rest) => {
            let numbers: Vec<f64> = rest.split(' ').map(|x| x.parse().unwrap()).collect();
            format!(
                "v {} {} {}\n",
                numbers[0] + 1.0,
                numbers[1] + 0.5,
                numbers[2]
            )
        }
        None => {
            let corners = line.trim_start_matches("f ").split(' ');
            let corners: Vec<String> = corners
                .map(|v| (v.parse::<u32>().unwrap() + 8).to_string())
                .collect();
            format!("f {}\n", corners.join(" "))
        }
    };
    let second: String = inward_cube().lines().map(moved).collect();
    format!("{CUBE}{second}")
}

fn floats(folder: &Path, name: &str) -> Vec<f64> {
    tangere_io::read_table(folder.join(name)).unwrap().values
}

#[test]
fn points_of_a_file() {
    let folder = folder_with(&[
        ("cube.obj", CUBE),
        ("points.csv", "x,y,z\n0,0,3\n0,0,0.75\n1,0,0\n4,5,1\n"),
    ]);
    let folder = folder.path();
    let arguments = ["distance", "cube.obj", "--points", "points.csv"];
    let answer = json(
        folder,
        &[&arguments[..], &["--json", "-o", "out.csv"]].concat(),
    );
    let text = std::fs::read_to_string(folder.join("out.csv")).unwrap();
    assert_eq!(text, "distance\n2\n-0.25\n0\n5\n");
    assert_eq!(answer["signed"], true);
    let counts = ["points", "inside", "surface", "outside"].map(|name| answer[name].as_u64());
    assert_eq!(counts, [Some(4), Some(1), Some(1), Some(2)]);
    assert_eq!(answer["mesh"]["closed"], true);
    // The points may be the second argument, as of `inside`.
    let plain = ["distance", "cube.obj", "points.csv", "-o", "out.npy"];
    done(folder, &plain);
    assert_eq!(floats(folder, "out.npy"), [2.0, -0.25, 0.0, 5.0]);
    done(folder, &[&arguments[..], &["-o", "out.vtu"]].concat());
    let cloud = tangere_io::vtk::read_points(folder.join("out.vtu")).unwrap();
    assert_eq!(cloud.scalars("distance").unwrap(), [2.0, -0.25, 0.0, 5.0]);
}

/// Distances and signs agree with brute force, of shells that cross and of open surfaces too.
#[test]
fn verified_by_every_triangle() {
    let open = CUBE.replace("f 4 1 5 8\n", "");
    let folder = folder_with(&[("crossing.obj", &crossing()), ("open.obj", &open)]);
    for file in ["crossing.obj", "open.obj"] {
        let arguments = ["distance", file, "--grid", "9", "--verify", "--json"];
        let answer = json(folder.path(), &arguments);
        assert_eq!(answer["verified"], true);
        assert_eq!(answer["verified_points"], 729);
    }
}

/// The sign is that of `inside`, point for point of the same grid, where shells cross too.
#[test]
fn grids_are_those_of_inside() {
    let folder = folder_with(&[("two.obj", &crossing())]);
    let folder = folder.path();
    for grid in ["9", "7,4,5"] {
        done(
            folder,
            &["inside", "two.obj", "--grid", grid, "-o", "sides.csv"],
        );
        done(
            folder,
            &["distance", "two.obj", "--grid", grid, "-o", "distances.csv"],
        );
        let sides = floats(folder, "sides.csv");
        let distances = floats(folder, "distances.csv");
        assert_eq!(sides.len(), distances.len());
        let sign = |x: &f64| if *x == 0.0 { 0.0 } else { -x.signum() };
        assert!(
            distances.iter().map(sign).eq(sides.iter().copied()),
            "{grid}"
        );
    }
    // The images have the same cells.
    let image = |command: &str| {
        done(
            folder,
            &[command, "two.obj", "--grid", "7,4,5", "-o", "out.vti"],
        );
        let file = std::fs::read(folder.join("out.vti")).unwrap();
        let text = String::from_utf8_lossy(&file);
        let line = text.lines().find(|line| line.contains("WholeExtent"));
        line.unwrap().to_owned()
    };
    assert_eq!(image("inside"), image("distance"));
}

/// The grid of the body's box has no point outside a cube; a margin adds cells of the same size,
/// bounds and a spacing place others. Both subcommands have the same ones.
#[test]
fn margins_bounds_and_spacings() {
    let folder = folder_with(&[("cube.obj", CUBE)]);
    let folder = folder.path();
    let grids: [(&[&str], usize, usize); 5] = [
        (&["--grid", "4"], 64, 0),
        (&["--grid", "4", "--margin", "2"], 512, 448),
        (&["--grid", "4,2,1", "--margin", "1"], 72, 64),
        (&["--spacing", "0.5"], 64, 0),
        (
            &[
                "--spacing",
                "0.5",
                "--bounds=-1,-1,-1,2,1,1",
                "--margin",
                "1",
            ],
            288,
            224,
        ),
    ];
    for (options, points, outside) in grids {
        for command in ["inside", "distance"] {
            let options = [&[command, "cube.obj", "--json"][..], options].concat();
            let answer = json(folder, &options);
            let counts = ["points", "outside"].map(|name| answer[name].as_u64());
            let expected = [points, outside].map(|count| Some(count as u64));
            assert_eq!(counts, expected, "{options:?}");
        }
    }
    done(
        folder,
        &[
            "distance", "cube.obj", "--grid", "4", "--margin", "1", "-o", "out.vti",
        ],
    );
    let file = std::fs::read(folder.join("out.vti")).unwrap();
    let text = String::from_utf8_lossy(&file);
    assert!(
        text.contains(r#"WholeExtent="0 6 0 6 0 6" Origin="-1.5 -1.5 -1.5" Spacing="0.5 0.5 0.5""#),
        "{text}"
    );
}

#[test]
fn open_surfaces_have_no_sign() {
    let open = CUBE.replace("f 4 1 5 8\n", "");
    let turned = CUBE.replace("f 4 1 5 8\n", "f 8 5 1 4\n");
    let folder = folder_with(&[("open.obj", &open), ("turned.obj", &turned)]);
    let folder = folder.path();
    for (mesh, reason) in [
        ("open.obj", "no: the surface is open"),
        (
            "turned.obj",
            "no: its triangles are not consistently oriented",
        ),
    ] {
        let answer = json(folder, &["distance", mesh, "--grid", "3", "--json"]);
        assert_eq!(answer["signed"], false);
        assert!(answer["inside"].is_null() && answer["distance"]["least"].as_f64() >= Some(0.0));
        let table = done(folder, &["distance", mesh, "--grid", "3"]);
        assert!(table.contains(reason), "{table}");
    }
}

#[test]
fn wrong_input_is_refused() {
    let folder = folder_with(&[
        ("cube.obj", CUBE),
        ("points.csv", "x,y,z\n0,0,3\n"),
        ("nan.csv", "0,0,0\n1,nan,2\n"),
    ]);
    refuse_all(
        folder.path(),
        &["distance"],
        &[
            (&["cube.obj"], "--grid"),
            (&["cube.obj", "--points", "nan.csv"], "line 2"),
            (
                &["cube.obj", "--points", "points.csv", "-o", "x.vti"],
                "holds the cells of --grid",
            ),
            (
                &["cube.obj", "--points", "points.csv", "-o", "x.stl"],
                "npy, csv, vtp, vtu or vti",
            ),
            (
                &["cube.obj", "--points", "points.csv", "--grid", "4"],
                "cannot be used with",
            ),
            (
                &["cube.obj", "points.csv", "--points", "points.csv"],
                "cannot be used with",
            ),
            (&["points.csv", "--grid", "4"], "surface"),
            (&["cube.obj", "--margin", "1"], "--grid <N>|--spacing <H>"),
            (
                &["cube.obj", "--grid", "4", "--spacing", "1"],
                "cannot be used with",
            ),
            (&["cube.obj", "--spacing", "0"], "above 0"),
            (&["cube.obj", "--spacing", "1e-9"], "2e9 cells"),
            (
                &["cube.obj", "--spacing", "1e-300"],
                "expected a length from 4.9e-91 to 1.6e60",
            ),
            (
                &["cube.obj", "--spacing", "1e300"],
                "expected a length from 4.9e-91 to 1.6e60",
            ),
            (&["cube.obj", "--grid", "1,,1"], "number 2 of 3 is \"\""),
            (
                &["cube.obj", "--grid", "4", "--bounds", "0,0,0,1,nan,1"],
                "number 5 of 6 is \"nan\"",
            ),
            (
                &["cube.obj", "--grid", "4", "--bounds", "0,0,0,1,-1,1"],
                "min <= max",
            ),
            (
                &["cube.obj", "--grid", "4", "--bounds", "0,0,0,0,0,0"],
                "a single point",
            ),
            (
                &["cube.obj", "--grid", "4", "--margin", "-1"],
                "from 0 to 1000",
            ),
            (
                &["cube.obj", "--points", "points.csv", "--spacing", "1"],
                "cannot be used with",
            ),
            (
                &["-", "--format", "obj", "--points", "-"],
                "standard input once",
            ),
        ],
    );
}
