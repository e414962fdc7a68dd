//! Example: times, heights and volumes of bounding volume hierarchies, for every construction.
//!
//! `cargo run --release -p tangere-io --example hierarchy -- [FILE ...]`; without files it uses
//! generated bodies.

use std::time::Instant;
use tangere::generate;
use tangere::impact::hierarchy::{Construction, Hierarchy, HierarchySettings, Volume};
use tangere::shape::TriMesh;

/// Runs `work` several times; returns the minimum time in milliseconds and the last answer.
fn timed<T>(work: impl Fn() -> tangere::Result<T>) -> tangere::Result<(f64, T)> {
    let mut least = f64::INFINITY;
    let mut runs = 3;
    loop {
        let begin = Instant::now();
        let found = work()?;
        least = least.min(begin.elapsed().as_secs_f64() * 1e3);
        runs -= 1;
        if runs == 0 {
            return Ok((least, found));
        }
    }
}

fn table(name: &str, mesh: &TriMesh) -> tangere::Result<()> {
    println!("\n{name}, {} faces", mesh.faces().len());
    println!("construction volume  K       ms   heights          balls        boxes");
    for construction in Construction::ALL {
        for volume in Volume::ALL {
            for branching in [2, 4, 8] {
                let settings = HierarchySettings {
                    construction,
                    volume,
                    branching,
                };
                let (time, hierarchy) = timed(|| Hierarchy::of_mesh(mesh, &settings))?;
                let report = hierarchy.report();
                println!(
                    "{:<13}{:<6}{branching:>3}{time:>9.1}{:>5}{:>6.1}{:>4}{:>13.4}{:>13.4}",
                    construction.name(),
                    volume.name(),
                    report.height_min,
                    report.height_mean,
                    report.height_max,
                    report.ball_volume,
                    report.box_volume,
                );
            }
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        table(file, &tangere_io::read_mesh(file)?.mesh)?;
    }
    if files.is_empty() {
        table("knot", &generate::knot(18_000)?)?;
        table("foam", &generate::foam(18_000, 1)?)?;
    }
    Ok(())
}
