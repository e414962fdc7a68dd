//! Nodes of moving bodies inside others.

use super::Inside;
use super::input;
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tangere::inside::{Bodies, InsideSettings, Intrusion, Side};
use tangere_front::text;
use tangere_io::{Error, NpyData, check_target, write_atomically, write_npy};

/// Columns of what is written, a row for each node that is inside another body.
const HEAD: &str = "step,body,other,node,side";

/// An intrusion and the step it belongs to.
type Hit = (u32, Intrusion);

#[derive(Clone, Copy)]
enum HitFormat {
    Npy,
    Csv,
    /// CSV to standard output.
    Standard,
}

impl HitFormat {
    fn of_path(path: &Path) -> Result<Self, Failure> {
        if files::is_standard(path) {
            return Ok(HitFormat::Standard);
        }
        let ending = path.extension().unwrap_or_default();
        let ending = ending.to_string_lossy().to_ascii_lowercase();
        let format = match ending.as_str() {
            "npy" => HitFormat::Npy,
            "csv" => HitFormat::Csv,
            _ => {
                return Err(Failure::writing(Error::Format {
                    path: path.to_owned(),
                    found: ending,
                    expected: "npy or csv".into(),
                }));
            }
        };
        check_target(path).map_err(Failure::writing)?;
        Ok(format)
    }
}

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
    let format = options.out.as_deref().map(HitFormat::of_path).transpose()?;
    if let Some(path) = &options.out {
        files::check_json(path, options.manner.json)?;
    }
    let paths: Vec<&PathBuf> = std::iter::once(&options.mesh)
        .chain(&options.bodies)
        .collect();
    let mut meshes = Vec::new();
    let mut read = 0.0;
    for path in &paths {
        let (mesh, seconds) = input::surface(path, options.format, console)?;
        meshes.push(mesh);
        read += seconds;
    }
    // Without poses all bodies are where their files put them.
    let steps = match &options.poses {
        Some(path) => input::poses(path, meshes.len())?,
        None => vec![Default::default(); meshes.len()],
    };
    let (mut setup, mut query) = (f64::INFINITY, f64::INFINITY);
    let mut hits: Vec<Hit> = Vec::new();
    let mut trust = Trust::default();
    for _ in 0..options.manner.repeat {
        let start = Instant::now();
        let mut bodies = Bodies::new(options.method, settings)?;
        for (mesh, path) in meshes.iter().zip(&paths) {
            bodies
                .add(mesh)
                .map_err(|error| Failure::Input(format!("{}: {error}", files::input_name(path))))?;
        }
        setup = setup.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let mut found = Vec::new();
        hits.clear();
        trust = Trust::of(&bodies, &paths);
        for (step, poses) in (0u32..).zip(steps.chunks(meshes.len())) {
            bodies
                .intrusions(poses, &mut found)
                .map_err(|error| Failure::Input(format!("step {step}: {error}")))?;
            hits.extend(found.iter().map(|&hit| (step, hit)));
            trust.confidence = trust.confidence.min(bodies.confidence());
        }
        query = query.min(start.elapsed().as_secs_f64());
    }
    if let (Some(path), Some(format)) = (&options.out, format) {
        match format {
            HitFormat::Standard => console.print_through(|out| write_csv(out, &hits))?,
            _ => write(path, format, &hits).map_err(Failure::writing)?,
        }
    }
    tell(
        options,
        console,
        (&hits, &trust),
        [meshes.len(), steps.len()],
        [read, setup, query],
    )
}

fn numbers((step, hit): &Hit) -> [i32; 5] {
    let [step, body, other, node] = [*step, hit.body, hit.other, hit.node].map(|n| n as i32);
    [step, body, other, node, hit.side as i32]
}

fn write(path: &Path, format: HitFormat, hits: &[Hit]) -> Result<(), Error> {
    match format {
        HitFormat::Npy => {
            let rows: Vec<[i32; 5]> = hits.iter().map(numbers).collect();
            write_npy(path, &[rows.len(), 5], NpyData::I32(rows.as_flattened()))
        }
        _ => write_atomically(path, |out| write_csv(out, hits)),
    }
}

fn write_csv(out: &mut dyn Write, hits: &[Hit]) -> io::Result<()> {
    writeln!(out, "{HEAD}")?;
    hits.iter().try_for_each(|hit| {
        let [step, body, other, node, side] = numbers(hit);
        writeln!(out, "{step},{body},{other},{node},{side}")
    })
}

fn tell(
    options: &Inside,
    console: &Console,
    (hits, trust): (&[Hit], &Trust),
    [bodies, poses]: [usize; 2],
    [read, setup, query]: [f64; 3],
) -> Result<(), Failure> {
    let steps = poses / bodies;
    let surface = hits
        .iter()
        .filter(|(_, hit)| hit.side == Side::OnSurface)
        .count();
    // Hits are sorted by step, body and other.
    let mut pairs: Vec<[u32; 3]> = hits
        .iter()
        .map(|(step, hit)| [*step, hit.body.min(hit.other), hit.body.max(hit.other)])
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    if options.manner.json {
        return console.print_json(&json!({
            "bodies": bodies,
            "steps": steps,
            "nodes": hits.len(),
            "inside": hits.len() - surface,
            "surface": surface,
            "pairs": pairs.len(),
            "method": options.method.name(),
            "rule": options.rule.name(),
            "confidence": trust.confidence,
            "reasons": (trust.reasons.iter())
                .map(|[body, method, reason]| {
                    json!({ "body": body, "method": method, "reason": reason })
                })
                .collect::<Vec<_>>(),
            "seconds": { "read": read, "setup": setup, "query": query },
        }));
    }
    let count = |n: usize| text::count(n as u64);
    let mut rows = vec![
        ("bodies", count(bodies)),
        ("steps", count(steps)),
        ("nodes inside", count(hits.len() - surface)),
        ("on the surface", count(surface)),
        ("pairs of bodies", count(pairs.len())),
        ("rule", options.rule.name().into()),
        ("confidence", text::number(trust.confidence)),
        ("read", text::seconds(read)),
        ("set-up", text::seconds(setup)),
        ("query", text::seconds(query)),
    ];
    let reasons = (trust.reasons.iter())
        .map(|[body, method, reason]| ("asked", format!("{body} by {method}: {reason}")));
    rows.extend(reasons);
    let text = text::two_columns(&rows);
    if options.out.as_deref().is_some_and(files::is_standard) {
        console.note(text.trim_end());
        return Ok(());
    }
    console.print(text)
}
