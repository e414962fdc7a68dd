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
    put(
        folder,
        "abc.dump",
        &step("abc origin pp pp pp\n1 0 0 0\n0 1 0 0\n0 0 1 0"),
    );
    refuses(
        folder,
        &["pairs", "abc.dump", "--periodic", "dump"],
        "abc.dump: --periodic: found no box",
    );
}
