//! `tangere pairs --against` and `--as`: two sets of items, and rows of files.

use super::pairs::{put_npy, text};
use super::*;
use tangere::pairs::Method;

const ITEMS: &str = "x,y,radius\n0,0,0.5\n1,0,0.5\n9.5,0,0.25\n";

#[test]
fn others_are_held_against_particles() {
    let folder = folder_with(&[
        ("items.csv", ITEMS),
        ("others.csv", "x,y,radius\n0.5,0,0.1\n10.5,0,0.5\n"),
    ]);
    let folder = folder.path();
    let arguments = ["pairs", "items.csv", "--against", "others.csv"];
    for method in Method::ALL {
        for skin in [&[][..], &["--skin", "0.5"]] {
            let more = ["--verify", "--json", "-o", "p.csv", "--method"];
            let object = json(
                folder,
                &[&arguments[..], &more, &[method.name()], skin].concat(),
            );
            assert_eq!(object["particles"], 3);
            assert_eq!(object["others"], 2);
            assert_eq!(object["pairs"], 2);
            assert_eq!(object["verified"], true);
            // Pairs within PARTICLES are not part of this query.
            assert_eq!(text(folder, "p.csv"), "a,b\n0,0\n1,0\n");
        }
    }
    let margin = [&arguments[..], &["--margin", "0.25", "--json"]].concat();
    assert_eq!(json(folder, &margin)["pairs"], 3);
    let periodic = ["--periodic", "10,0", "--verify", "-o", "p.npy", "--json"];
    assert_eq!(
        json(folder, &[&arguments[..], &periodic].concat())["pairs"],
        4
    );
    let bytes = std::fs::read(folder.join("p.npy")).unwrap();
    assert!(bytes.ends_with(&[1, 0, 0, 0, 1, 0, 0, 0]), "{bytes:?}");
    let written = [&arguments[..], &["-o", "p.vtp"]].concat();
    assert!(done(folder, &written).contains("others     2\n"));
    let lines = std::fs::read(folder.join("p.vtp")).unwrap();
    let lines = String::from_utf8_lossy(&lines);
    assert!(lines.contains("NumberOfPoints=\"5\"") && lines.contains("NumberOfLines=\"2\""));
    assert!(lines.contains("Name=\"set\"") && lines.contains("Name=\"radius\""));
    // Groups apply to the particles; the others have none.
    put(folder, "groups.csv", "group\n7\n7\n7\n");
    let grouped = [&arguments[..], &["--groups", "groups.csv", "--json"]].concat();
    assert_eq!(json(folder, &grouped)["pairs"], 2);
    put(folder, "none.csv", "");
    let none = ["pairs", "items.csv", "--against", "none.csv", "--json"];
    assert_eq!(json(folder, &none)["pairs"], 0);
}

#[test]
fn others_may_move_and_be_boxes() {
    let folder = folder();
    let folder = folder.path();
    let squares =
        |xs: &[f64]| -> Vec<f64> { xs.iter().flat_map(|&x| [x, 0.0, x + 1.0, 1.0]).collect() };
    put_npy(folder, "moving.npy", "3, 1, 4", &squares(&[0.0, 1.0, 2.0]));
    put_npy(folder, "still.npy", "2, 4", &squares(&[3.0, 1.5]));
    put_npy(folder, "follow.npy", "3, 1, 4", &squares(&[1.0, 2.0, 3.5]));
    let arguments = ["pairs", "moving.npy", "--boxes", "--verify", "--json"];
    let against = |file| [&arguments[..], &["--against", file]].concat();
    let object = json(folder, &against("still.npy"));
    assert_eq!(
        (&object["pairs"], &object["steps"]["pairs"]),
        (&2.into(), &1.0.into())
    );
    let object = json(folder, &against("follow.npy"));
    assert_eq!(object["pairs"], 0);
    assert!((object["steps"]["pairs"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-15);
    put_npy(folder, "short.npy", "2, 1, 4", &squares(&[1.0, 2.0]));
    refuses(
        folder,
        &against("short.npy"),
        "short.npy: steps: found 2, expected 3",
    );
}

#[test]
fn bad_others_are_named() {
    let folder = folder_with(&[("items.csv", ITEMS), ("space.csv", "0,0,0,1\n")]);
    let folder = folder.path();
    put_npy(folder, "bad.npy", "2, 3", &[0.0, 0.0, 1.0, 0.0, 0.0, -1.0]);
    put(folder, "far.csv", "1e9,0,0.5\n");
    for (file, more, expected) in [
        (
            "space.csv",
            &[][..],
            "space.csv: dimensions: found 3, expected 2",
        ),
        ("bad.npy", &[], "bad.npy: radius 1: found -1"),
        (
            "far.csv",
            &["--periodic", "10,0"],
            "far.csv: centre 0: found [1000000000.0, 0.0]",
        ),
    ] {
        let arguments = [&["pairs", "items.csv", "--against", file][..], more].concat();
        refuses(folder, &arguments, expected);
    }
    let arguments = ["pairs", "items.csv", "--against", "far.csv", "--as"];
    let status = run(folder, &[&arguments[..], &["contacts"]].concat()).status;
    assert_eq!(status.code(), Some(2));
}

#[test]
fn files_have_contacts_or_neighbors() {
    let folder = folder_with(&[("items.csv", ITEMS)]);
    let folder = folder.path();
    let arguments = ["pairs", "items.csv", "--periodic", "10,0", "--as"];
    let written = |rows: &str, file: &str| {
        done(folder, &[&arguments[..], &[rows, "-o", file]].concat());
    };
    written("contacts", "c.csv");
    assert_eq!(
        text(folder, "c.csv"),
        "a,b,ix,iy,gap,nx,ny\n0,1,0,0,0,1,0\n0,2,-1,0,-0.25,-1,0\n"
    );
    written("contacts", "c.npy");
    let bytes = std::fs::read(folder.join("c.npy")).unwrap();
    assert!(String::from_utf8_lossy(&bytes[..128]).contains("(2, 7)"));
    let row: Vec<u8> = [0.0, 2.0, -1.0, 0.0, -0.25, -1.0, 0.0_f64]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    assert!(bytes.ends_with(&row));
    // Without steps the columns are still those of the plane.
    put_npy(folder, "never.npy", "0, 5, 3", &[]);
    done(
        folder,
        &["pairs", "never.npy", "--as", "contacts", "-o", "never.csv"],
    );
    assert_eq!(text(folder, "never.csv"), "a,b,ix,iy,gap,nx,ny\n");
    written("neighbors", "n.csv");
    assert_eq!(
        text(folder, "n.csv"),
        "particle,neighbor\n0,1\n0,2\n1,0\n2,0\n"
    );
    written("neighbors", "n.npy");
    let bytes = std::fs::read(folder.join("n.npy")).unwrap();
    assert!(String::from_utf8_lossy(&bytes[..128]).contains("(4, 2)"));
    written("pairs", "p.csv");
    assert_eq!(text(folder, "p.csv"), "a,b\n0,1\n0,2\n");
    written("pairs", "p.vtp");
    let lines = std::fs::read(folder.join("p.vtp")).unwrap();
    let lines = String::from_utf8_lossy(&lines);
    for name in ["radius", "neighbors", "gap", "normal", "image"] {
        assert!(lines.contains(&format!("Name=\"{name}\"")), "{name}");
    }
}
