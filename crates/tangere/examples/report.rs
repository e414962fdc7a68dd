//! Mesh report and repair.
//!
//! `cargo run --release --example report`

use tangere::generate;
use tangere::shape::TriMesh;

fn main() -> Result<(), tangere::Error> {
    let (vertices, mut faces) = generate::foam(20_000, 1)?.into_parts();
    // Damages it: flips every fifth triangle and drops one.
    faces.iter_mut().step_by(5).for_each(|face| face.swap(1, 2));
    faces.pop();
    let broken = TriMesh::new(vertices, faces)?;

    let report = broken.report();
    println!(
        "{} triangles: closed {}, {} boundary edges, oriented {}, {} misoriented edges",
        report.triangles,
        report.closed,
        report.boundary_edges,
        report.oriented,
        report.misoriented_edges
    );
    assert_eq!(report.boundary_edges, 3);
    assert_eq!(report.volume, None);

    let repaired = broken.reoriented()?;
    println!(
        "{} triangles turned back, oriented {}",
        repaired.flipped,
        repaired.mesh.report().oriented
    );
    assert!(repaired.mesh.report().oriented);
    Ok(())
}
