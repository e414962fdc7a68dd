//! `tangere pairs` of moving items: a periodic cell for each step.

use super::pairs::put_npy;
use super::*;
use tangere::pairs::Method;

/// Two discs at the same positions for three steps, in cells that shrink and shear: across the
/// border they touch at the second step, but not once the cell is tilted.
const STEPS: [f64; 18] = [
    0.5, 1.0, 0.5, 9.0, 1.0, 0.5, 0.5, 1.0, 0.5, 9.0, 1.0, 0.5, 0.5, 1.0, 0.5, 9.0, 1.0, 0.5,
];

#[test]
fn each_step_has_its_cell() {
    let folder = folder();
    let folder = folder.path();
    put_npy(folder, "two.npy", "3, 2, 3", &STEPS);
    for (cells, each) in [
        ("lx,ly\n10,4\n9.5,4\n10,4\n", 1.0 / 3.0),
        ("9.5,4,0\n9.5,4,1\n9,4,0.5\n", 1.0),
        ("9.5,4,0,-3,-3\n9.5,4,0,100,7\n12,4,0,0,0\n", 2.0 / 3.0),
    ] {
        put(folder, "cells.csv", cells);
        for method in Method::ALL {
            for skin in [&[][..], &["--skin", "0.4"]] {
                let arguments = ["pairs", "two.npy", "--cells", "cells.csv", "--verify"];
                let more = ["--json", "--method", method.name()];
                let object = json(folder, &[&arguments[..], &more, skin].concat());
                let found = object["steps"]["pairs"].as_f64().unwrap();
                assert!((found - each).abs() < 1e-15, "{cells}: {found}");
            }
        }
    }
    // The cell may be smaller than the discs.
    put(folder, "cells.csv", "9.5,4\n0.25,4\n9.5,0.4\n");
    let narrow = ["pairs", "two.npy", "--cells", "cells.csv", "--verify"];
    refuses(folder, &narrow, "two.npy: step 1: ");
    done(
        folder,
        &[&narrow[..], &["--every-image", "--skin", "0.1"]].concat(),
    );
}

#[test]
fn bad_cells_are_named() {
    let folder = folder();
    let folder = folder.path();
    put_npy(folder, "two.npy", "3, 2, 3", &STEPS);
    for (cells, expected) in [
        ("10,4\n10,4\n", "cells.csv: rows: found 2, expected 3"),
        ("10\n10\n10\n", "cells.csv: shape: found [3"),
        (
            "1,2,3,4\n1,2,3,4\n1,2,3,4\n",
            "cells.csv: shape: found [3, 4]",
        ),
        (
            "10,4\n10,-4\n10,4\n",
            "cells.csv: cell 1: found [10.0, -4.0]",
        ),
    ] {
        put(folder, "cells.csv", cells);
        refuses(
            folder,
            &["pairs", "two.npy", "--cells", "cells.csv"],
            expected,
        );
    }
    let both = ["pairs", "two.npy", "--cells", "c.csv", "--periodic", "1,1"];
    assert_eq!(run(folder, &both).status.code(), Some(2));
    refuses(
        folder,
        &["pairs", "two.npy", "--periodic", "dump"],
        "expected a dump of LAMMPS",
    );
}

#[test]
fn a_dump_brings_its_cells() {
    let folder = folder();
    let folder = folder.path();
    let step = |bounds: &str| {
        format!(
            "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS {bounds}\n\
             ITEM: ATOMS id x y z radius\n1 0.5 1 1 0.5\n2 9 1 1 0.5\n"
        )
    };
    let shrinking = [
        step("pp pp pp\n0 10\n0 4\n0 4"),
        step("pp ff fs\n0.2 9.7\n0 4\n0 4"),
        step("ff ff ff\n0 9.5\n0 4\n0 4"),
        // A cell of 9.5, 4 and 4, tilted by xy = 1: its bounds reach to 10.5.
        step("xy xz yz pp pp pp\n0 10.5 1\n0 4 0\n0 4 0"),
    ];
    put(folder, "run.dump", &shrinking.concat());
    for skin in [&[][..], &["--skin", "0.4"]] {
        let arguments = ["pairs", "run.dump", "--periodic", "dump", "--verify"];
        let object = json(folder, &[&arguments[..], skin, &["--json"]].concat());
        assert_eq!(object["steps"]["pairs"], 0.5);
        assert_eq!(object["pairs"], 1);
    }
    refuses(
        folder,
        &[
            "pairs",
            "run.dump",
            "--periodic",
            "dump",
            "--origin",
            "0,0,0",
        ],
        "--origin",
    );
    // A box given by vectors is the same box, unless it is turned.
    let general = step("abc origin pp pp pp\n9.5 0 0 0\n1 4 0 0\n0 0 4 0");
    put(folder, "abc.dump", &general);
    for periodic in [&["--periodic", "dump"][..], &[]] {
        let pairs = [&["pairs", "abc.dump", "--json"][..], periodic].concat();
        assert_eq!(json(folder, &pairs)["pairs"], 1);
    }
    let turned = general.replace("9.5 0 0 0", "0 9.5 0 0");
    put(folder, "turned.dump", &turned);
    refuses(
        folder,
        &["pairs", "turned.dump"],
        "turned.dump: line 5: found a periodic box with the edges [[0.0, 9.5, 0.0]",
    );
    let open = ["pairs", "turned.dump", "--periodic", "none"];
    done(folder, &open);
    // In open space --origin is the reference point of a method.
    let origin = ["--origin", "1,1,1"];
    let shells = ["--method", "shells-published", "--verify"];
    done(folder, &[&open[..], &shells, &origin].concat());
    refuses(
        folder,
        &[&open[..], &origin].concat(),
        "--origin: found --periodic none, expected a periodic cell or --method shells-published",
    );
    refuses(
        folder,
        &[&open[..], &shells, &origin, &["--tilt", "1"]].concat(),
        "--periodic none: found with --tilt, expected without",
    );
    refuses(
        folder,
        &[
            "pairs",
            "turned.dump",
            "--periodic",
            "none",
            "--tilt",
            "1,0,0",
        ],
        "--periodic none: found with --tilt",
    );
}

/// A step of a dump in a cell of 10, 4 and `height`, periodic along all edges.
fn dumped(step: i64, height: f64, atoms: &[&str]) -> String {
    format!(
        "ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n{}\nITEM: BOX BOUNDS pp pp pp\n\
         0 10\n0 4\n0 {height}\nITEM: ATOMS id type x y z radius\n{}\n",
        atoms.len(),
        atoms.join("\n")
    )
}

#[test]
fn the_box_of_a_dump_is_periodic_by_default() {
    let folder = folder();
    let folder = folder.path();
    let atoms = ["7 1 9.5 1 1 0.5", "3 1 0.5 1 1 0.5"];
    put(
        folder,
        "run.dump",
        &dumped(0, 4.0, &[&atoms[..], &["9 1 5 2 2 0.5"]].concat()),
    );
    let output = run(folder, &["pairs", "run.dump", "--json"]);
    let note = String::from_utf8_lossy(&output.stderr).into_owned();
    let expected =
        "run.dump: periodic along x, y, z, as its box is; --periodic none for open space\n";
    assert_eq!(note, expected);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&object["pairs"], &object["numbered_by"]),
        (&1.into(), &"id".into())
    );
    let open = ["pairs", "run.dump", "--periodic", "none", "--json"];
    let output = run(folder, &open);
    assert!(output.stderr.is_empty());
    assert_eq!(json(folder, &open)["pairs"], 0);
    // LAMMPS simulates the plane in a thin periodic box.
    put(folder, "flat.dump", &dumped(0, 0.1, &atoms));
    let output = run(folder, &["pairs", "flat.dump"]);
    let note = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        note.contains("periodic along x, y, as its box is; open along z, as all"),
        "{note}"
    );
    assert_eq!(json(folder, &["pairs", "flat.dump", "--json"])["pairs"], 1);
    refuses(
        folder,
        &["pairs", "flat.dump", "--periodic", "dump"],
        "(--every-image)",
    );
    done(folder, &["pairs", "flat.dump", "--every-image", "--verify"]);
    refuses(
        folder,
        &["pairs", "flat.dump", "--periodic", "none", "--every-image"],
        "--every-image: found open space",
    );
}

#[test]
fn every_step_is_written() {
    let folder = folder();
    let folder = folder.path();
    let first = dumped(
        100,
        4.0,
        &["7 1 9.5 1 1 0.5", "3 1 0.5 1 1 0.5", "5 2 1.25 1 1 0.5"],
    );
    let second = dumped(
        200,
        4.0,
        &["3 1 2 1 1 0.5", "7 1 3 1 1 0.5", "5 2 7 1 1 0.5"],
    );
    put(folder, "run.dump", &(first.clone() + &second));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let contacts = ["pairs", "run.dump", "--as", "contacts", "-o"];
    done(
        folder,
        &[&contacts[..], &["c.{step}.csv", "--repeat", "2"]].concat(),
    );
    let expected = "a,b,ix,iy,iz,gap,nx,ny,nz\n3,5,0,0,0,-0.25,1,0,0\n3,7,-1,0,0,0,-1,0,0\n";
    assert_eq!(read("c.100.csv"), expected);
    assert_eq!(
        read("c.200.csv"),
        "a,b,ix,iy,iz,gap,nx,ny,nz\n3,7,0,0,0,0,1,0,0\n"
    );
    let more = ["-o", "n.{frame}.csv", "--as", "neighbors", "--skin", "0.1"];
    done(folder, &[&["pairs", "run.dump"][..], &more].concat());
    assert_eq!(read("n.1.csv"), "particle,neighbor\n3,7\n7,3\n");
    done(folder, &["pairs", "run.dump", "-o", "last.csv"]);
    assert_eq!(read("last.csv"), "a,b\n3,7\n");
    let object = json(folder, &["pairs", "run.dump", "-o", "c.pvd", "--json"]);
    assert_eq!(object["files"], 2);
    let series = read("c.pvd");
    assert!(series.contains("timestep=\"100.0\" group=\"\" part=\"0\" file=\"c.100.vtp\""));
    assert!(series.contains("file=\"c.200.vtp\""), "{series}");
    // Each line is as long as the gap and both radii: none crosses the cell.
    let drawn = tangere_io::vtk::read_points(folder.join("c.100.vtp")).unwrap();
    assert_eq!(drawn.points[3], [-0.5, 1.0, 1.0]);
    assert_eq!(&*drawn.scalars("id").unwrap(), &[3.0, 5.0, 7.0, 7.0]);
    assert_eq!(&*drawn.scalars("is_image").unwrap(), &[0.0, 0.0, 0.0, 1.0]);
    assert_eq!(&*drawn.scalars("neighbors").unwrap(), &[2.0, 1.0, 1.0, 1.0]);
    // Two frames of one step need other names.
    put(folder, "twice.dump", &(first.clone() + &first));
    let twice = ["pairs", "twice.dump", "-o"];
    let refused = "found the frames 0 and 1, both at step 100";
    refuses(folder, &[&twice[..], &["c.{step}.csv"]].concat(), refused);
    done(folder, &[&twice[..], &["twice.pvd"]].concat());
    assert!(folder.join("twice.1.vtp").exists());
    // Arrays of three axes are numbered from 0, and have rows.
    put_npy(folder, "two.npy", "3, 2, 3", &STEPS);
    let rows = ["two.npy", "--periodic", "9.5,0", "-o", "r.{step}.csv"];
    done(folder, &[&["pairs"][..], &rows].concat());
    assert_eq!(read("r.2.csv"), "a,b\n0,1\n");
    // An id twice.
    let bad = second.replace("\n5 2", "\n7 2");
    put(folder, "bad.dump", &(first + &bad));
    let expected = "bad.dump: frame 1: found two atoms with the id 7 (step 200)";
    refuses(folder, &["pairs", "bad.dump"], expected);
}

#[test]
fn lines_to_others_end_at_the_nearest_image() {
    let folder = folder_with(&[("a.csv", "0.5,1,0.5\n"), ("b.csv", "30,4.5,0.5\n")]);
    let folder = folder.path();
    let options = ["--periodic", "10,4", "--tilt", "1", "-o", "p.vtp"];
    let pairs = ["pairs", "a.csv", "--against", "b.csv", "--margin", "1"];
    done(folder, &[&pairs[..], &options].concat());
    let drawn = tangere_io::vtk::read_points(folder.join("p.vtp")).unwrap();
    let [a, b] = [drawn.points[0], drawn.points[2]];
    assert_eq!(drawn.points.len(), 3);
    assert_eq!((a, b), ([0.5, 1.0, 0.0], [-1.0, 0.5, 0.0]));
}

/// Centres alone get a radius from an option: of a dump, a text, an array and its steps.
#[test]
fn one_radius_for_all() {
    let dump = "ITEM: TIMESTEP\n5\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS ff ff ff\n0 9\n0 9\n0 9\n\
                ITEM: ATOMS id x y z\n4 0 0 0\n2 1 0 0\n9 5 0 0\n";
    let folder = folder_with(&[
        ("run.dump", dump),
        (
            "sized.dump",
            &dump.replace("ATOMS id x y z", "ATOMS id x y radius"),
        ),
        ("named.csv", "y,x,radius\n0,0,9\n0,1,9\n0,5,9\n"),
        ("plain.csv", "0,0,0\n1,0,0\n5,0,0\n"),
        ("four.csv", "0,0,0,1\n1,0,0,1\n"),
        ("others.csv", "0,0.5,0\n"),
    ]);
    let folder = folder.path();
    put_npy(
        folder,
        "two.npy",
        "2, 3, 2",
        &[0.0, 0.0, 1.0, 0.0, 5.0, 0.0, 0.0, 0.0, 3.0, 0.0, 3.5, 0.0],
    );
    for file in [
        "run.dump",
        "sized.dump",
        "named.csv",
        "plain.csv",
        "two.npy",
    ] {
        let arguments = ["pairs", file, "--radius", "0.5", "--verify", "--json"];
        assert_eq!(json(folder, &arguments)["pairs"], 1, "{file}");
        let arguments = ["pairs", file, "--radius", "0.1", "--json"];
        assert_eq!(json(folder, &arguments)["pairs"], 0, "{file}");
    }
    done(
        folder,
        &["pairs", "run.dump", "--radius", "0.5", "-o", "out.csv"],
    );
    let text = std::fs::read_to_string(folder.join("out.csv")).unwrap();
    assert_eq!(text, "a,b\n2,4\n");
    let against = [
        "pairs",
        "plain.csv",
        "--radius",
        "0.3",
        "--against",
        "others.csv",
        "--json",
    ];
    assert_eq!(json(folder, &against)["pairs"], 1);
    refuse_all(
        folder,
        &["pairs"],
        &[
            (
                &["run.dump"],
                "radius (or diameter); --radius R gives all the same one",
            ),
            (
                &["others.csv", "--against", "two.npy"],
                "--radius R gives all the same one",
            ),
            (
                &["four.csv", "--radius", "1"],
                "columns: found 4, expected 2 (x, y) or 3 (x, y, z)",
            ),
            (&["plain.csv", "--radius", "-1"], "0 or more"),
            (
                &["plain.csv", "--radius", "1", "--boxes"],
                "cannot be used with",
            ),
        ],
    );
}
