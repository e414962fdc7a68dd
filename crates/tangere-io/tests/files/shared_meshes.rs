//! Meshes of other projects, tested if they are available beside this one.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::path::Path;
use tangere_io::{read_faces, read_mesh};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/meshes");

#[test]
fn every_surface_loads_with_all_its_triangles() {
    let folder = Path::new(FOLDER);
    if !folder.exists() {
        println!("skipped: no shared meshes beside the project");
        return;
    }
    for (name, polygons, triangles) in [
        ("spot.obj", 5856, 5856),
        ("stanford-bunny.obj", 69451, 69451),
        ("armadillo.obj", 86482, 86482),
        ("fandisk.obj", 12946, 12946),
        ("rocker-arm.obj", 20088, 20088),
        ("cow.obj", 5804, 5804),
        ("teapot.obj", 6320, 6320),
        ("suzanne.obj", 500, 968),
        ("decimated-knight.off", 1000, 1000),
        // The surface is the boundary of the tetrahedra.
        ("hand.msh", 9556, 9556),
        // The surface lies inside the tetrahedra, which fill the convex hull of the bunny.
        ("bunny.mesh", 6966, 6966),
    ] {
        let loaded = read_mesh(folder.join(name)).unwrap();
        let faces = loaded.mesh.faces().len();
        assert_eq!((loaded.polygons, faces), (polygons, triangles), "{name}");
    }
}

#[test]
fn tetrahedra_have_closed_surfaces() {
    let folder = Path::new(FOLDER);
    if !folder.exists() {
        println!("skipped: no shared meshes beside the project");
        return;
    }
    for (name, volumes) in [("hand.msh", 29998), ("bunny.mesh", 0)] {
        let loaded = read_faces(folder.join(name)).unwrap();
        let report = loaded.mesh.report();
        assert!(report.closed && report.oriented, "{name}\n{report}");
        assert_eq!((report.folded_faces, report.unused_nodes), (0, 0));
        assert!(report.volume.unwrap() > 0.0, "{name}\n{report}");
        assert_eq!((loaded.volumes, loaded.inverted), (volumes, 0), "{name}");
    }
}
