//! Meshes of other projects, tested if they are available beside this one.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::path::Path;
use tangere::closest::MeshSurface;
use tangere::inside::{Inside, InsideSettings, InsideTest, Side};
use tangere_io::{read_faces, read_mesh};
use test_support::Random;

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

/// The sign of the distance is that of `inside`, on scanned meshes too, of which some cross
/// themselves.
#[test]
fn signs_of_distances_are_those_of_inside() {
    let folder = Path::new(FOLDER);
    if !folder.exists() {
        println!("skipped: no shared meshes beside the project");
        return;
    }
    let is_long = std::env::var_os("TANGERE_LONG").is_some();
    let count = if is_long { 1_000_000 } else { 100_000 };
    for name in [
        "decimated-knight.off",
        "armadillo.obj",
        "spot.obj",
        "cow.obj",
    ] {
        let mesh = read_mesh(folder.join(name)).unwrap().mesh;
        let surface = MeshSurface::new(&mesh);
        if !surface.is_signed() {
            continue;
        }
        let mut random = Random::new(3);
        let (center, extent) = (mesh.bounds().center(), mesh.bounds().extent());
        let mut point = || std::array::from_fn(|k| center[k] + 0.5 * extent[k] * random.signed());
        let points: Vec<[f64; 3]> = (0..count).map(|_| point()).collect();
        let (mut distances, mut sides) = (Vec::new(), Vec::new());
        surface.signed_distances(&points, &mut distances).unwrap();
        let mut test = Inside::new(InsideSettings::default()).unwrap();
        test.update(&mesh).unwrap();
        test.classify(&points, &mut sides).unwrap();
        let side = |distance: f64| match distance {
            x if x < 0.0 => Side::Inside,
            x if x > 0.0 => Side::Outside,
            _ => Side::OnSurface,
        };
        let wrong = (distances.iter().zip(&sides)).filter(|&(&x, &s)| side(x) != s);
        assert_eq!(wrong.count(), 0, "{name}");
        println!("{name}: {count} signs agree");
    }
}
