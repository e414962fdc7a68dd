//! Finite element files as input of several subcommands.

use super::*;

/// A quadratic tetrahedron with straight edges, in Gmsh's order of nodes.
const TETRAHEDRON: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n\
    1 0 0 0\n2 2 0 0\n3 0 2 0\n4 0 0 2\n5 1 0 0\n6 1 1 0\n7 0 1 0\n8 0 0 1\n9 0 1 1\n10 1 0 1\n\
    $EndNodes\n$Elements\n1\n1 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";

const INPUT: &str = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n\
    *ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n";

#[test]
fn boundaries_are_surfaces() {
    let folder = folder_with(&[("curved.msh", TETRAHEDRON)]);
    let folder = folder.path();
    let report = json(folder, &["info", "curved.msh", "--json"]);
    assert_eq!(report["format"], "msh");
    assert_eq!(
        (&report["triangles"], &report["curved_faces"]),
        (&16.into(), &4.into())
    );
    assert_eq!(
        (&report["closed"], &report["vertices"]),
        (&true.into(), &10.into())
    );
    let volume = report["volume"].as_f64().unwrap();
    assert!((volume - 8.0 / 6.0).abs() < 1e-14, "{volume}");

    let output = run(folder, &["convert", "curved.msh", "flat.stl"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("4 curved faces cut at the nodes"),
        "{errors}"
    );
    assert_eq!(
        json(folder, &["info", "flat.stl", "--json"])["volume"],
        report["volume"]
    );

    put(folder, "part.inp", INPUT);
    let report = json(folder, &["info", "part.inp", "--json"]);
    assert_eq!(
        (&report["triangles"], &report["oriented"]),
        (&4.into(), &true.into())
    );
    assert_eq!(report["curved_faces"], 0);
    put(folder, "points.csv", "0.1,0.1,0.1\n1,1,1\n");
    let sides = json(folder, &["inside", "part.inp", "points.csv", "--json"]);
    assert_eq!(
        (&sides["inside"], &sides["outside"]),
        (&1.into(), &1.into()),
        "{sides}"
    );
}

#[test]
fn unknown_elements_and_targets_are_named() {
    let folder = folder_with(&[
        ("part.inp", &INPUT.replace("C3D4", "SPRINGA")),
        ("curved.msh", TETRAHEDRON),
    ]);
    let folder = folder.path();
    for (arguments, expected) in [
        (
            &["info", "part.inp"][..],
            "part.inp: line 6: found the element type \"SPRINGA\"",
        ),
        (
            &["convert", "curved.msh", "out.msh"],
            "msh can be read but not written; use vtp or vtu",
        ),
    ] {
        let output = run(folder, arguments);
        assert_eq!(output.status.code(), Some(2));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(expected), "{errors}");
    }
}
