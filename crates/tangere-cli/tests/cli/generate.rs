//! `tangere generate`: surfaces and particles.

use super::*;

#[test]
fn surfaces_of_every_kind() {
    let cases: [(&[&str], u64, u64); 7] = [
        (&["sphere", "--level", "3"], 8 * 64, 0),
        (&["sponge", "--level", "1"], 4 * 20 + 8 * 8, 5),
        (&["chazelle", "--size", "4"], 24 * 4 + 12, 0),
        (&["knot", "--triangles", "1234"], 1234, 1),
        (&["hull", "--faces", "400", "--seed", "3"], 400, 0),
        (&["foam", "--triangles", "2000", "--seed", "5"], 0, 0),
        (
            &["box", "--size", "3,2,1", "--divisions", "4,2,1"],
            4 * (8 + 2 + 4),
            0,
        ),
    ];
    let folder = folder();
    for (arguments, triangles, genus) in cases {
        for ending in ["stl", "ply", "obj", "off", "vtp", "vtu"] {
            let file = format!("{}.{ending}", arguments[0]);
            let all = [&["generate"], arguments, &["-o", &file, "--json"]].concat();
            let made = json(folder.path(), &all);
            assert_eq!(made["kind"], arguments[0]);
            assert_eq!(made["file"], file.as_str());
            assert_eq!(made["format"], ending);
            let report = json(folder.path(), &["info", &file, "--json"]);
            assert_eq!(made["triangles"], report["triangles"]);
            assert_eq!(made["vertices"], report["vertices"], "{file}");
            for fact in ["closed", "oriented", "manifold"] {
                assert_eq!(report[fact], true, "{file}: {fact}");
            }
            if arguments[0] == "foam" {
                let count = report["triangles"].as_u64().unwrap();
                assert!((1800..=2200).contains(&count), "{count}");
            } else {
                assert_eq!(report["triangles"], triangles, "{file}");
                assert_eq!(report["genus"], genus, "{file}");
            }
        }
    }
}

#[test]
fn plates_and_boxes_have_the_requested_sizes() {
    let folder = folder();
    let wall = ["generate", "plate", "--size", "12,6", "--divisions", "12,6"];
    let made = json(
        folder.path(),
        &[&wall[..], &["-o", "wall.ply", "--json"]].concat(),
    );
    assert_eq!(made["triangles"], 144);
    assert_eq!(made["size"], serde_json::json!([12.0, 6.0]));
    let report = json(folder.path(), &["info", "wall.ply", "--json"]);
    assert_eq!(
        (&report["closed"], &report["oriented"]),
        (&false.into(), &true.into())
    );
    assert_eq!(report["bounds"]["max"], serde_json::json!([6.0, 3.0, 0.0]));
    let cube = [
        "generate",
        "box",
        "--divisions",
        "3",
        "-o",
        "cube.obj",
        "--json",
    ];
    let made = json(folder.path(), &cube);
    assert_eq!(
        (&made["triangles"], &made["vertices"]),
        (&108.into(), &56.into())
    );
    assert_eq!(made["divisions"], serde_json::json!([3, 3, 3]));
}

#[test]
fn particles_in_every_format() {
    let folder = folder();
    let particles = ["generate", "particles", "--count", "50", "--seed", "7"];
    for dim in ["2", "3"] {
        let with = |rest: &[&'static str]| [&particles[..], &["--dim", dim], rest].concat();
        let csv = done(folder.path(), &with(&[]));
        let head = if dim == "2" {
            "x,y,radius"
        } else {
            "x,y,z,radius"
        };
        assert_eq!(csv.lines().next(), Some(head));
        assert_eq!(csv.lines().count(), 51);
        for row in csv.lines().skip(1) {
            let row: Vec<f64> = row.split(',').map(|x| x.parse().unwrap()).collect();
            let radius = row.last().unwrap();
            assert!(
                (0.025..=0.05).contains(radius),
                "test A by default: {radius}"
            );
        }
        for file in ["a.csv", "a.npy", "a.vtp", "a.vtu"] {
            let made = json(folder.path(), &with(&["--json", "-o", file]));
            assert_eq!(made["particles"], 50);
            assert_eq!(made["density"], if dim == "2" { 100.0 } else { 1000.0 });
        }
        let written = std::fs::read_to_string(folder.path().join("a.csv")).unwrap();
        assert_eq!(written, csv, "the file and standard output agree");
        let npy = std::fs::read(folder.path().join("a.npy")).unwrap();
        let columns = dim.parse::<usize>().unwrap() + 1;
        assert_eq!(&npy[npy.len() - 8..], last_radius(&csv).to_le_bytes());
        assert!(npy.len() >= 50 * columns * 8 + 64 && npy.starts_with(b"\x93NUMPY"));
    }
}

fn last_radius(csv: &str) -> f64 {
    let row = csv.lines().last().unwrap();
    row.rsplit(',').next().unwrap().parse().unwrap()
}

#[test]
fn settings_of_particles() {
    let folder = folder();
    let arguments = [
        "generate",
        "particles",
        "--count",
        "9",
        "--diameters",
        "0.001,1",
    ];
    let with = |rest: &[&'static str]| done(folder.path(), &[&arguments[..], rest].concat());
    let uniform = with(&[]);
    assert_eq!(uniform, with(&["--sizes", "uniform", "--seed", "0"]));
    assert_ne!(uniform, with(&["--seed", "1"]));
    assert_ne!(uniform, with(&["--sizes", "log"]));
    assert_ne!(with(&["--sizes", "volume"]), with(&["--sizes", "log"]));
    assert_eq!(last_radius(&with(&["--huge", "3"])), 1.5);
    assert_ne!(uniform, with(&["--density", "2.5"]));
    assert_ne!(uniform, with(&["--contacts", "2"]));
}

#[test]
fn refusals_write_nothing() {
    let folder = folder();
    let cases: [(&[&str], &str); 16] = [
        (&["sphere", "--level", "40", "-o", "a.stl"], "level"),
        (&["sponge", "--level", "6", "-o", "a.stl"], "level"),
        (&["chazelle", "--size", "0", "-o", "a.stl"], "size"),
        (&["knot", "--triangles", "7", "-o", "a.stl"], "triangles"),
        (&["foam", "--triangles", "3", "-o", "a.stl"], "triangles"),
        (&["hull", "--faces", "2", "-o", "a.stl"], "faces"),
        (&["box", "--size", "1,2,0", "-o", "a.stl"], "size"),
        (&["box", "--divisions", "1,2", "-o", "a.stl"], "divisions"),
        (&["plate", "--size", "1,2,3", "-o", "a.stl"], "size"),
        (&["plate", "--divisions", "1e5", "-o", "a.stl"], "divisions"),
        (&["sphere", "-o", "a.vtk"], "vtk"),
        (&["sphere", "-o", "a"], "stl"),
        (&["particles", "--density", "-3", "-o", "a.npy"], "density"),
        (&["particles", "--contacts", "0", "-o", "a.npy"], "contacts"),
        (
            &["particles", "--diameters", "2,1", "-o", "a.npy"],
            "diameters",
        ),
        (&["particles", "-o", "a.stl"], "npy"),
    ];
    for (arguments, named) in cases {
        refuses(folder.path(), &[&["generate"], arguments].concat(), named);
        assert_eq!(files(folder.path()), [""; 0], "{arguments:?} left a file");
    }
}

#[test]
fn a_folder_that_is_not_there() {
    let folder = folder();
    // The folder is checked before the work, which would take minutes here.
    let foam = ["generate", "foam", "--triangles", "1e8", "-o", "no/a.stl"];
    let sphere = ["generate", "sphere", "-o", "no/a.stl"];
    let particles = ["generate", "particles", "-o", "no/a.npy"];
    for arguments in [&foam[..], &sphere, &particles] {
        let error = refused(folder.path(), arguments, 1);
        assert!(error.ends_with(": the folder no does not exist"), "{error}");
        assert!(error.contains("error: no/a."), "{error}");
    }
}

#[test]
fn counts_have_limits() {
    let folder = folder();
    let cases: [(&[&str], &str); 9] = [
        (
            &["foam", "--triangles", "-5", "-o", "a.stl"],
            "'-5' for '--triangles <TRIANGLES>': expected a whole number from 500 to 134217728",
        ),
        (&["sphere", "--level", "-1", "-o", "a.stl"], "from 0 to 12"),
        (&["sponge", "--level", "6", "-o", "a.stl"], "from 0 to 5"),
        (
            &["foam", "--seed", "-1", "-o", "a.stl"],
            "from 0 to 18446744073709551615",
        ),
        (
            &["knot", "--triangles", "101", "-o", "a.stl"],
            "an even number",
        ),
        (&["hull", "--faces", "21", "-o", "a.stl"], "an even number"),
        (&["particles", "--count", "-1"], "from 0 to 4294967295"),
        (&["particles", "--dim", "4"], "from 2 to 3"),
        (
            &["particles", "--threads", "-1"],
            "'-1' for '--threads <N>': expected a whole number from 0 to 1024",
        ),
    ];
    for (arguments, named) in cases {
        refuses(folder.path(), &[&["generate"], arguments].concat(), named);
    }
    let made = json(
        folder.path(),
        &[
            "generate",
            "knot",
            "--triangles",
            "1e3",
            "-o",
            "a.stl",
            "--json",
        ],
    );
    assert_eq!(made["triangles"], 1000);
    assert_eq!(made["rounding"], 0.0);
    let help = |kind: &str| done(folder.path(), &["generate", kind, "--help"]);
    assert!(help("sphere").contains("at most 12"));
    assert!(help("sponge").contains("at most 5"));
    assert!(help("foam").contains("500 to 134217728"));
    assert!(help("knot").contains("even, 100 to"));
    assert!(help("hull").contains("even, 4 to 1048576"));
    let particles = help("particles");
    assert!(particles.contains("may overlap"), "{particles}");
    assert!(particles.contains("uniform in a box"), "{particles}");
}

#[test]
fn surfaces_to_standard_output() {
    let folder = folder();
    done(folder.path(), &["generate", "sphere", "-o", "a.ply"]);
    let file = std::fs::read(folder.path().join("a.ply")).unwrap();
    let to_output = ["generate", "sphere", "-o", "-"];
    let printed = run(
        folder.path(),
        &[&to_output[..], &["--format", "ply"]].concat(),
    );
    assert_eq!(printed.stdout, file);
    refuses(folder.path(), &to_output, "--format");
}
