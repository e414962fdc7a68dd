//! Point containment of moving bodies: finds the nodes (mesh vertices) of each body that are inside
//! another body or on its surface.

use super::Inside;
use super::input;
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::output::{self, Target};
use crate::times::Times;
use serde_json::{Value, json};
use std::path::PathBuf;
use tangere::inside::{Bodies, InsideSettings, Side};
use tangere::shape::TriMesh;
use tangere_front::answer::{Format, Summary, Table};
use tangere_front::answers::inside::{NODE_INSIDE, NodeInside};

/// File formats in which the nodes (mesh vertices) of a body that are inside another body are
/// written.
const FORMATS: &[Format] = &[Format::Npy, Format::Csv];

/// The method of point containment chosen for each body, and the minimum confidence of all answers.
#[derive(Default)]
struct BodyMethods {
    /// For each body the name of its file, its method of point containment, and why that method was
    /// chosen.
    reasons: Vec<[String; 3]>,
    /// The minimum confidence of the answers of all steps.
    confidence: f64,
}

impl BodyMethods {
    fn of(bodies: &Bodies, paths: &[&PathBuf]) -> Self {
        let methods = (0u32..).zip(paths).filter_map(|(body, path)| {
            let test = bodies.test(body)?;
            let name = files::input_name(path).into_owned();
            Some([name, test.method().into(), test.reason()])
        });
        BodyMethods {
            reasons: methods.collect(),
            confidence: 1.0,
        }
    }
}

/// Reads bodies and poses, finds at each step the nodes (mesh vertices) of a body that are inside
/// another body, and writes them.
pub fn run(options: &Inside, settings: InsideSettings, console: &Console) -> Result<(), Failure> {
    let paths: Vec<&PathBuf> = std::iter::once(&options.mesh)
        .chain(&options.bodies)
        .collect();
    let inputs = paths.iter().copied().chain(&options.poses);
    let target = Target::new(options.out.as_deref(), FORMATS, options.common.json, inputs)?;
    let mut times = Times::default();
    let mut read = |path: &&PathBuf| input::surface(path, options.format, &mut times, console);
    let meshes: Vec<TriMesh> = paths.iter().map(&mut read).collect::<Result<_, _>>()?;
    // Without poses the bodies stay in the positions of their files.
    let steps = match &options.poses {
        Some(path) => input::poses(path, meshes.len())?,
        None => vec![Default::default(); meshes.len()],
    };
    let mut hits: Vec<NodeInside> = Vec::new();
    let mut methods = BodyMethods::default();
    for _ in 0..options.common.repeat {
        let mut bodies = times.set_up(|| -> Result<_, Failure> {
            let mut bodies =
                Bodies::new(settings.with_method(options.method)).map_err(Failure::option)?;
            for (mesh, path) in meshes.iter().zip(&paths) {
                let refused = |error| Failure::of_file(&files::input_name(path), &error);
                bodies.add(mesh).map_err(refused)?;
            }
            Ok(bodies)
        })?;
        methods = BodyMethods::of(&bodies, &paths);
        hits.clear();
        times.query(|| -> Result<_, Failure> {
            let mut found = Vec::new();
            for (step, poses) in (0u32..).zip(steps.chunks(meshes.len())) {
                let refused = |error| Failure::of_file(&format!("step {step}"), &error);
                bodies.intrusions(poses, &mut found).map_err(refused)?;
                hits.extend(found.iter().map(|&found| NodeInside { step, found }));
                methods.confidence = methods.confidence.min(bodies.confidence());
            }
            Ok(())
        })?;
    }
    if let Some(target) = &target {
        target.write_rows(&Table::new(NODE_INSIDE, &hits), console)?;
    }
    let surface = hits.iter().filter(|hit| hit.found.side == Side::OnSurface);
    let surface = surface.count();
    // Hits are sorted by step, body and other body.
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
        .number("confidence", methods.confidence);
    times.add_to(&mut summary);
    let mut reasons = Vec::new();
    for [body, method, reason] in &methods.reasons {
        reasons.push(json!({ "body": body, "method": method, "reason": reason }));
        summary.line("method", format!("{body} by {method}: {reason}"));
    }
    summary.member("reasons", Value::Array(reasons));
    let (head, json) = ("nodes of bodies inside others", options.common.json);
    output::report(&summary, head, json, target.as_ref(), console)
}
