//! Bodies for the packing benchmark: generated ones, and mesh files of other projects if they are
//! there.

use std::path::{Path, PathBuf};
use tangere::generate;
use tangere::shape::TriMesh;
use test_support::surfaces::cube;

/// A body of the packing benchmark: a closed surface.
pub struct Body {
    pub name: &'static str,
    pub mesh: TriMesh,
    /// The target of the filling (filled share of the volume) with 4,000 and with 60,000 spheres,
    /// if there is one.
    pub target: Option<[f64; 2]>,
}

/// The mesh files of other projects: name of the body, file name, and whether it has a target of
/// the filling.
const FILES: [(&str, &str, bool); 4] = [
    ("armadillo", "armadillo.obj", true),
    ("bunny", "bunny.mesh", true),
    ("rocker-arm", "rocker-arm.obj", true),
    ("fandisk", "fandisk.obj", false),
];

/// Returns all bodies of the packing benchmark; only the first if `quick`.
pub fn all(quick: bool) -> Result<Vec<Body>, Box<dyn std::error::Error>> {
    let target = Some([0.85, 0.91]);
    let mut bodies = vec![Body {
        name: "knot",
        mesh: generate::knot(20_000)?,
        target,
    }];
    if quick {
        return Ok(bodies);
    }
    bodies.push(Body {
        name: "cube",
        mesh: cube([0.5; 3], 1.0),
        target,
    });
    for (name, file, has_target) in FILES {
        match find(file) {
            Some(path) => bodies.push(Body {
                name,
                mesh: tangere_io::read_mesh(path)?.mesh,
                target: target.filter(|_| has_target),
            }),
            None => println!("{name}: skipped, {file} is not here"),
        }
    }
    bodies.push(Body {
        name: "foam",
        mesh: generate::foam(50_000, 1)?,
        target: None,
    });
    Ok(bodies)
}

fn find(file: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/meshes");
    Some(folder.join(file)).filter(|path| path.is_file())
}
