//! Benchmark of building bounding volume hierarchies over as many faces as in aragon2013.

use super::FACES;
use crate::timing::timed;
use crate::{Options, Outcome};
use std::hint::black_box;
use tangere::generate;
use tangere::impact::hierarchy::{Construction, Hierarchy, HierarchySettings, Volume};
use tangere::shape::TriMesh;

const TURNS: usize = 5;

pub fn run(options: &Options) -> Outcome {
    let bodies: [(&str, TriMesh); 3] = [
        ("knot", generate::knot(FACES)?),
        ("foam", generate::foam(18_000, 1)?),
        ("hull", generate::hull(FACES, 1)?),
    ];
    for (name, mesh) in &bodies {
        let title = format!("hierarchies of a {name} of {} faces", mesh.faces().len());
        if options.selects(&title) {
            println!("\n{title}");
            of(mesh)?;
        }
    }
    Ok(())
}

fn of(mesh: &TriMesh) -> Outcome {
    println!(
        "  {:<10} {:<5} {:>9} {:>9} {:>16} {:>12} {:>12}",
        "made", "of", "children", "ms", "heights", "balls", "boxes"
    );
    let mut ways = Vec::new();
    for construction in Construction::ALL {
        for volume in Volume::ALL {
            for branching in [2, 8] {
                ways.push(HierarchySettings {
                    construction,
                    volume,
                    branching,
                });
            }
        }
    }
    let mut least = vec![f64::INFINITY; ways.len()];
    for _ in 0..TURNS {
        for (way, least) in ways.iter().zip(&mut least) {
            let seconds = timed(|| {
                black_box(Hierarchy::of_mesh(mesh, way)).ok();
            });
            *least = least.min(seconds);
        }
    }
    for (way, seconds) in ways.iter().zip(least) {
        let report = Hierarchy::of_mesh(mesh, way)?.report();
        let heights = format!(
            "{} {:.1} {}",
            report.height_min, report.height_mean, report.height_max
        );
        println!(
            "  {:<10} {:<5} {:>9} {:>9.2} {heights:>16} {:>12.4} {:>12.4}",
            way.construction.name(),
            way.volume.name(),
            way.branching,
            1e3 * seconds,
            report.ball_volume,
            report.box_volume,
        );
    }
    let mut hierarchy = Hierarchy::of_mesh(mesh, &HierarchySettings::default())?;
    let mut seconds = f64::INFINITY;
    for _ in 0..TURNS {
        let refit = timed(|| {
            black_box(hierarchy.refit(|face| mesh.triangle(face))).ok();
        });
        seconds = seconds.min(refit);
    }
    println!("  refitted in {:.2} ms", 1e3 * seconds);
    Ok(())
}
