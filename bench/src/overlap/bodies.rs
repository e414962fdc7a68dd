//! Bodies to pack: generated ones, and meshes of other projects where available.

use std::path::{Path, PathBuf};
use tangere::generate;
use tangere::shape::TriMesh;
use test_support::surfaces::cube;

/// A closed surface.
pub struct Body {
    pub name: &'static str,
    pub mesh: TriMesh,
    /// Target filling with 4,000 and with 60,000 spheres, if any.
    pub target: Option<[f64; 2]>,
}

/// Real meshes and their names.
const FILES: [(&str, &str, bool); 4] = [
    ("armadillo", "armadillo.obj", true),
    ("bunny", "bunny.mesh", true),
    ("rocker-arm", "rocker-arm.obj", true),
    ("fandisk", "fandisk.obj", false),
];

/// All bodies; one if time is short.
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
