//! Benchmark of reading, welding and checking a large binary STL file.

use crate::timing::{contestant, race};
use tangere::generate;

pub fn run(quick: bool) -> Result<(), Box<dyn std::error::Error>> {
    let mesh = generate::knot(if quick { 100_000 } else { 1_400_000 })?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("knot.stl");
    tangere_io::write_mesh(&path, &mesh)?;
    let n = mesh.faces().len();
    race(
        &format!("binary STL, {n} triangles"),
        5,
        n,
        &mut [
            contestant("read, weld, report", || {
                let loaded = tangere_io::read_mesh(&path).expect("just written");
                loaded.mesh.report().components
            }),
            contestant("read, weld", || {
                let loaded = tangere_io::read_mesh(&path).expect("just written");
                loaded.mesh.faces().len()
            }),
            contestant("report", || mesh.report().components),
        ],
    );
    Ok(())
}
