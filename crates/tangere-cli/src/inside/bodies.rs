//! Nodes of moving bodies inside others.

use super::Inside;
use super::input;
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::output::{self, Target};
use crate::question::Times;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;
use tangere::inside::{Bodies, InsideSettings, Side};
use tangere_front::answer::{Format, Summary, Table};
use tangere_front::answers::inside::{NODE_INSIDE, NodeInside};

/// Formats of answers.
const FORMATS: &[Format] = &[Format::Npy, Format::Csv, Format::Standard];

/// How bodies are asked, and how sure that is.
#[derive(Default)]
struct Trust {
    /// File, method and why, for each body.
    reasons: Vec<[String; 3]>,
    /// The least of all steps.
    confidence: f64,
}

impl Trust {
    fn of(bodies: &Bodies, paths: &[&PathBuf]) -> Self {
        let asked = (0u32..).zip(paths).filter_map(|(body, path)| {
            let test = bodies.test(body)?;
            let name = files::input_name(path).into_owned();
            Some([name, test.method().into(), test.reason()])
        });
        Trust {
            reasons: asked.collect(),
            confidence: 1.0,
        }
    }
}

/// Reads bodies and poses, asks step by step, and writes.
pub fn run(options: &Inside, settings: InsideSettings, console: &Console) -> Result<(), Failure> {
    let paths: Vec<&PathBuf> = std::iter::once(&options.mesh)
        .chain(&options.bodies)
        .collect();
    let inputs = paths.iter().copied().chain(&options.poses);
    let target = Target::new(options.out.as_deref(), FORMATS, options.manner.json, inputs)?;
    let mut times = Times::default();
    let mut meshes = Vec::new();
    for path in &paths {
        let (mesh, seconds) = input::surface(path, options.format, console)?;
        meshes.push(mesh);
        times.read += seconds;
    }
    // Without poses all bodies are where their files put them.
    let steps = match &options.poses {
        Some(path) => input::poses(path, meshes.len())?,
        None => vec![Default::default(); meshes.len()],
    };
    (times.setup, times.query) = (f64::INFINITY, f64::INFINITY);
    let mut hits: Vec<NodeInside> = Vec::new();
    let mut trust = Trust::default();
    for _ in 0..options.manner.repeat {
        let start = Instant::now();
        let mut bodies = Bodies::new(options.method, settings)?;
        for (mesh, path) in meshes.iter().zip(&paths) {
            bodies
                .add(mesh)
                .map_err(|error| Failure::Input(format!("{}: {error}", files::input_name(path))))?;
        }
        times.setup = times.setup.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let mut found = Vec::new();
        hits.clear();
        trust = Trust::of(&bodies, &paths);
        for (step, poses) in (0u32..).zip(steps.chunks(meshes.len())) {
            bodies
                .intrusions(poses, &mut found)
                .map_err(|error| Failure::Input(format!("step {step}: {error}")))?;
            hits.extend(found.iter().map(|&found| NodeInside { step, found }));
            trust.confidence = trust.confidence.min(bodies.confidence());
        }
        times.query = times.query.min(start.elapsed().as_secs_f64());
    }
    if let Some(target) = &target {
        target.write_rows(&Table::new(NODE_INSIDE, &hits), console)?;
    }
    let surface = hits.iter().filter(|hit| hit.found.side == Side::OnSurface);
    let surface = surface.count();
    // Hits are sorted by step, body and other.
    let pair = |hit: &NodeInside| {
        let (body, other) = (hit.found.body, hit.found.other);
        [hit.step, body.min(other), body.max(other)]
    };
    let mut pairs: Vec<[u32; 3]> = hits.iter().map(pair).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut summary = Summary::default();
    summary
        .count("bodies", meshes.len())
        .count("steps", steps.len() / meshes.len())
        .member("nodes", hits.len())
        .labelled_count("inside", "nodes inside", hits.len() - surface)
        .labelled_count("surface", "on the surface", surface)
        .labelled_count("pairs", "pairs of bodies", pairs.len())
        .member("method", options.method.name())
        .word("rule", options.rule.name())
        .number("confidence", trust.confidence);
    times.add_to(&mut summary);
    let mut reasons = Vec::new();
    for [body, method, reason] in &trust.reasons {
        reasons.push(json!({ "body": body, "method": method, "reason": reason }));
        summary.line("asked", format!("{body} by {method}: {reason}"));
    }
    summary.member("reasons", Value::Array(reasons));
    let head = "nodes of bodies inside others";
    output::report(
        &summary,
        head,
        options.manner.json,
        target.as_ref(),
        console,
    )
}
