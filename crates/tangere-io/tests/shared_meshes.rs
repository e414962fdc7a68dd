//! Meshes made by others, where they lie beside the project.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::path::Path;
use tangere_io::read_mesh;

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
    ] {
        let loaded = read_mesh(folder.join(name)).unwrap();
        let faces = loaded.mesh.faces().len();
        assert_eq!((loaded.polygons, faces), (polygons, triangles), "{name}");
    }
}
