//! Input and output files of `tangere inside`.

use super::inside::{POINTS, SIDES, npy, text};
use super::*;
use tangere::inside::Method;

/// The confidence of each side is written beside the side or alone.
#[test]
fn confidences() {
    let folder = folder();
    let folder = folder.path();
    let open: Vec<&str> = CUBE.lines().filter(|line| *line != "f 5 6 7 8").collect();
    put(folder, "open.obj", &open.join("\n"));
    put(folder, "cube.obj", CUBE);
    put(folder, "points.csv", "0,0,-0.5\n0,0,0.99\n3,3,3\n");
    let answer_of = |surface: &str, more: &[&str]| {
        let arguments = ["inside", surface, "points.csv", "--confidence", "--json"];
        json(folder, &[&arguments[..], more].concat())
    };
    let numbers = |name: &str| -> Vec<f64> {
        let (_, bytes) = npy(folder, name);
        let (words, _) = bytes.as_chunks::<8>();
        words.iter().map(|&word| f64::from_le_bytes(word)).collect()
    };
    for method in ["auto", "layer", "multipole"] {
        let object = answer_of("open.obj", &["--method", method, "-o", "sure.csv"]);
        let rows = text(folder, "sure.csv");
        let mut lines = rows.lines();
        assert_eq!(lines.next(), Some("side,confidence"), "{method}");
        let sure: Vec<f64> = lines
            .map(|line| line.split_once(',').unwrap().1.parse().unwrap())
            .collect();
        // The points lie deep in the box, just below the hole, and far away.
        assert!(sure[0] > 0.3 && sure[1] < 0.1 && sure[2] > 0.9, "{sure:?}");
        let least = sure.iter().copied().fold(1.0, f64::min);
        assert_eq!(object["confidence"].as_f64(), Some(least), "{method}");
        answer_of("open.obj", &["--method", method, "-o", "sure.npy"]);
        assert_eq!(numbers("sure.npy"), sure, "{method}");
        answer_of(
            "open.obj",
            &["--method", method, "--winding", "-o", "both.npy"],
        );
        let (header, _) = npy(folder, "both.npy");
        assert!(header.contains("(3, 2)"), "{header}");
        let both = numbers("both.npy");
        assert_eq!([both[1], both[3], both[5]], sure[..], "{method}");
        assert!(both[0] > 0.5 && both[4] < 0.5, "{both:?}");
    }
    answer_of("cube.obj", &["--winding", "-o", "all.csv"]);
    let all = text(folder, "all.csv");
    assert_eq!(all, "side,winding,confidence\n1,1,1\n1,1,1\n-1,0,1\n");
    for name in ["points.vtp", "points.vtu"] {
        answer_of("open.obj", &["-o", name]);
        let file = std::fs::read(folder.join(name)).unwrap();
        let file = String::from_utf8_lossy(&file);
        assert!(file.contains("Name=\"side\"") && file.contains("Name=\"confidence\""));
    }
}

/// Cells of a box along each axis are written as an image.
#[test]
fn grids_of_a_box() {
    let folder = folder();
    let folder = folder.path();
    // The box is twice as long along z.
    put(folder, "long.obj", &CUBE.replace(" 1\n", " 3\n"));
    for method in Method::ALL {
        let object = json(
            folder,
            &[
                "inside",
                "long.obj",
                "--grid",
                "2,3,8",
                "--method",
                method.name(),
                "-o",
                "cells.vti",
                "--confidence",
                "--verify",
                "--json",
            ],
        );
        assert_eq!(
            (&object["points"], &object["inside"]),
            (&48.into(), &48.into())
        );
    }
    let file = std::fs::read(folder.join("cells.vti")).unwrap();
    let file = String::from_utf8_lossy(&file);
    for part in [
        "WholeExtent=\"0 2 0 3 0 8\" Origin=\"-1.0 -1.0 -1.0\" Spacing=\"1.0 0.6666666666666666 0.5\"",
        "Name=\"side\"",
        "Name=\"confidence\"",
    ] {
        assert!(file.contains(part), "{part}: {file}");
    }
    // The cube around the body is larger than the body.
    let object = json(
        folder,
        &[
            "inside", "long.obj", "--grid", "8", "-o", "cube.vti", "--json",
        ],
    );
    assert_eq!(
        (&object["points"], &object["inside"]),
        (&512.into(), &128.into())
    );
    let file = std::fs::read(folder.join("cube.vti")).unwrap();
    let file = String::from_utf8_lossy(&file);
    assert!(
        file.contains("Origin=\"-2.0 -2.0 -1.0\" Spacing=\"0.5 0.5 0.5\""),
        "{file}"
    );
    let text = done(folder, &["inside", "long.obj", "--grid", "2,3,8"]);
    assert!(text.contains("grids need no further set-up"), "{text}");
}

/// Points come from standard input, and sides go to standard output.
#[test]
fn points_and_sides_through_pipes() {
    let folder = folder_with(&[("cube.obj", CUBE), ("points.csv", POINTS)]);
    let folder = folder.path();
    let piped = |arguments: &[&str], input: &str| {
        let output = tangere(folder, arguments)
            .stdin(std::fs::File::open(folder.join(input)).unwrap())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let summary = String::from_utf8(output.stderr).unwrap();
        (String::from_utf8(output.stdout).unwrap(), summary)
    };
    let (sides, summary) = piped(&["inside", "cube.obj", "-", "-o", "-"], "points.csv");
    assert_eq!(sides, SIDES);
    assert!(summary.contains("on the surface  3"), "{summary}");
    let quiet = ["inside", "cube.obj", "-", "-o", "-", "--quiet"];
    assert_eq!(piped(&quiet, "points.csv"), (SIDES.into(), String::new()));
    // `--format` selects another format of standard input.
    let vertices = [
        "inside", "cube.obj", "-", "--format", "obj", "-o", "-", "-q",
    ];
    let (sides, _) = piped(&vertices, "cube.obj");
    assert_eq!(sides, "side\n".to_owned() + &"0\n".repeat(8));
}

/// Particles and point clouds are read as points.
#[test]
fn points_of_particles_and_clouds() {
    let folder = folder_with(&[("cube.obj", CUBE)]);
    let folder = folder.path();
    let count = [
        "generate",
        "particles",
        "--count",
        "50",
        "-o",
        "particles.npy",
    ];
    done(folder, &count);
    let object = json(folder, &["inside", "cube.obj", "particles.npy", "--json"]);
    assert_eq!(object["points"], 50);
    put(
        folder,
        "cloud.ply",
        "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n\
         property float z\nend_header\n0 0 0\n0 0 9\n",
    );
    put(
        folder,
        "cloud.vtk",
        "# vtk DataFile Version 3.0\na cloud\nASCII\nDATASET POLYDATA\nPOINTS 2 float\n\
         0 0 0 0 0 9\n",
    );
    for cloud in ["cloud.ply", "cloud.vtk"] {
        done(folder, &["inside", "cube.obj", cloud, "-o", "sides.csv"]);
        assert_eq!(text(folder, "sides.csv"), "side\n1\n-1\n", "{cloud}");
        refuses(folder, &["inside", cloud, cloud], "found no triangles");
    }
}
