//! Bodies to pack: generated ones, and those of others where they are at hand.

use std::path::{Path, PathBuf};
use tangere::generate;
use tangere::shape::TriMesh;
use test_support::surfaces::cube;

/// A closed surface.
pub struct Body {
    pub name: &'static str,
    pub mesh: TriMesh,
    /// The share that is to be filled with 4,000 and with 60,000 spheres, if any is asked for.
    pub wanted: Option<[f64; 2]>,
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
    let wanted = Some([0.85, 0.91]);
    let mut bodies = vec![Body {
        name: "knot",
        mesh: generate::knot(20_000)?,
        wanted,
    }];
    if quick {
        return Ok(bodies);
    }
    bodies.push(Body {
        name: "cube",
        mesh: cube([0.5; 3], 1.0),
        wanted,
    });
    for (name, file, is_wanted) in FILES {
        match find(file) {
            Some(path) => bodies.push(Body {
                name,
                mesh: tangere_io::read_mesh(path)?.mesh,
                wanted: wanted.filter(|_| is_wanted),
            }),
            None => println!("{name}: skipped, {file} is not here"),
        }
    }
    bodies.push(Body {
        name: "foam",
        mesh: generate::foam(50_000, 1)?,
        wanted: None,
    });
    Ok(bodies)
}

fn find(file: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/meshes");
    Some(folder.join(file)).filter(|path| path.is_file())
}
