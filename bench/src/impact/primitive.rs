//! Benchmark of vertex-face and edge-edge queries: random ones, and ones from files with the known
//! answer.

use super::TURNS;
use crate::timing::{contestant, race};
use crate::{Options, Outcome};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tangere::impact::primitive::{
    FirstContact, PrimitiveSettings, edge_edge, edge_edges, vertex_face, vertex_faces,
};
use tangere_io::{ContactQueries, read_queries};
use test_support::Random;

type Corners = [[f64; 3]; 4];
type Single = fn(&Corners, &Corners, &PrimitiveSettings) -> FirstContact;

/// The number of repetitions of each query; the minimum time counts.
const REPEATS: usize = 7;

pub fn run(options: &Options) -> Outcome {
    let count = if options.quick { 40_000 } else { 200_000 };
    let mut random = Random::new(1);
    let mut pairs = || -> Vec<Corners> {
        let point = |random: &mut Random| [0.0; 3].map(|_| random.unit());
        (0..count)
            .map(|_| [0; 4].map(|_| point(&mut random)))
            .collect()
    };
    let (start, end) = (pairs(), pairs());
    for (what, separation) in [("touching", 0.0), ("within 0.01", 0.01)] {
        let title = format!("first contact of {count} pairs at random, {what}");
        if !options.selects(&title) {
            continue;
        }
        let settings = PrimitiveSettings::new(separation)?;
        let mut found = [Vec::new(), Vec::new()];
        let [faces, edges] = &mut found;
        let hits = |found: &[FirstContact]| found.iter().filter(|f| f.is_contact()).count();
        race(
            &title,
            TURNS,
            count,
            &mut [
                contestant("a vertex and a face", || {
                    let result = vertex_faces(&start, &end, &settings, faces);
                    result.map_or(0, |()| hits(faces))
                }),
                contestant("two edges", || {
                    let result = edge_edges(&start, &end, &settings, edges);
                    result.map_or(0, |()| hits(edges))
                }),
            ],
        );
    }
    let title = "difficult queries of wang2021";
    match options.selects(title) {
        true => known(title),
        false => Ok(()),
    }
}

/// Runs queries with the known answer, from files beside the project; prints false negatives, false
/// positives and times.
fn known(title: &str) -> Outcome {
    println!("\n{title}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/ccd");
    let Ok(files) = std::fs::read_dir(folder) else {
        println!("  skipped: no shared queries");
        return Ok(());
    };
    let mut files: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "csv"));
    files.sort();
    let settings = PrimitiveSettings::default();
    let (mut missed, mut invented, mut seconds) = (0, 0, Vec::new());
    for path in &files {
        let answer: Single = match path.to_string_lossy().contains("edge-edge") {
            true => edge_edge,
            false => vertex_face,
        };
        let queries: ContactQueries<4> = read_queries(path)?;
        let truth = queries.truth.unwrap_or_default();
        let corners = queries.start.iter().zip(&queries.end);
        for ((start, end), truth) in corners.zip(truth) {
            let is_contact = answer(start, end, &settings).is_contact();
            missed += usize::from(truth && !is_contact);
            invented += usize::from(is_contact && !truth);
            let one = || {
                let from = Instant::now();
                black_box(answer(black_box(start), black_box(end), &settings));
                from.elapsed().as_secs_f64()
            };
            seconds.push((0..REPEATS).map(|_| one()).fold(f64::MAX, f64::min));
        }
    }
    let count = seconds.len();
    let mean = seconds.iter().sum::<f64>() / count.max(1) as f64;
    let worst = seconds.into_iter().fold(0.0, f64::max);
    println!(
        "  {count} queries: {missed} false negatives, {invented} false positives, mean {:.2} us, worst {:.0} us",
        mean * 1e6,
        worst * 1e6
    );
    Ok(())
}
