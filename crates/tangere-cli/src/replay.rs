//! `tangere replay`: the query of one pair of bodies of a scene, answered by every method.

use crate::console::Console;
use crate::failure::Failure;
use crate::output;
use crate::times::Times;
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use tangere::scene::{PairAnswer, PairMethod, Scene};
use tangere_front::answer::{Summary, object};
use tangere_front::answers::scene::PAIR_ANSWER;
use tangere_front::text;

const EXAMPLES: &str = "\
Examples:
  tangere contacts scene.toml --pair 3,17 --replay pair.bin
  tangere replay pair.bin
  tangere replay pair.bin --json | jq .answers

FILE has two bodies with their shapes and poses, margin and periodic cell, as `tangere contacts \
--replay`, Scene::replay of the Rust library and Scene.replay of the Python package write it.

Methods are scene (the narrow phase that scenes run), mirrored (the same with the bodies exchanged), \
brute-force (every image and every triangle) and, for two convex solids, exhaustive (all pairs of \
features) and lin (Lin's walk as published; trapped: it ended at features that are not the closest, as \
where bodies penetrate, and all pairs of features decide). scene, mirrored and brute-force find contacts \
within the margin and must have the same bits; the bounds of the gap of exhaustive and lin must have a \
number in common with theirs. An answer that differs is marked, and the exit code is 0 all the same. \
A pose is its translation, then its quaternion w, x, y, z.";

/// One pair of bodies of a scene, answered by every method
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Replay {
    /// The query of a pair of bodies, written by `tangere contacts --replay`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Reads the query of a pair, answers it by every method and prints the answers.
pub fn run(options: &Replay, console: &Console) -> Result<(), Failure> {
    let mut times = Times::default();
    let file = &options.file;
    let bytes = times.read(file, console, || tangere_io::read_bytes(file))?;
    let refused = |error: tangere::Error| Failure::of_file(&file.display().to_string(), &error);
    let scene = Scene::restore(&bytes).map_err(|error| match error {
        tangere::Error::Argument { found, .. } => Failure::Input(format!(
            "{}: found {found}, expected a file of `tangere contacts --replay`",
            file.display()
        )),
        other => refused(other),
    })?;
    let [a, b] = scene.ids()[..] else {
        return Err(Failure::Input(format!(
            "{}: found {}, expected the query of a pair of bodies",
            file.display(),
            text::counted(scene.len(), "body", "bodies"),
        )));
    };
    let query = || times.query(|| scene.pair_answers([a, b]));
    let answers = console.timed("querying", query).0.map_err(refused)?;
    let mut summary = Summary::default();
    let margin = scene.settings().margin;
    summary.both("margin", margin, "margin", text::number(margin));
    let mut bodies = Vec::new();
    for id in [a, b] {
        let (shape, pose) = (scene.shape(id)?, scene.pose(id)?.to_numbers());
        let words = format!("{} at {}", shape.name(), pose.map(text::number).join(", "));
        summary.line(&format!("body {id}"), words);
        bodies.push(json!({ "id": id, "shape": shape.name(), "pose": pose }));
    }
    summary.member("bodies", bodies);
    let rows = answers.iter().map(|answer| object(PAIR_ANSWER, answer));
    summary.member("answers", rows.collect::<Vec<Value>>());
    let agree = answers.iter().all(|answer| answer.agrees);
    summary.flag("agree", agree);
    times.add_to(&mut summary);
    summary.below(&listed(&answers));
    output::report(
        &summary,
        &file.display().to_string(),
        options.json,
        None,
        console,
    )
}

/// Returns the text that lists the answers, method by method.
fn listed(answers: &[PairAnswer]) -> String {
    let mut text = String::new();
    if !answers
        .iter()
        .any(|answer| answer.method == PairMethod::Scene)
    {
        text += "\nscene, mirrored and brute-force find no contact within the margin.";
    }
    for answer in answers {
        let found = &answer.contact;
        let [x, y, z] = found.normal.map(text::number);
        text += &format!(
            "\n{:<12} gap {} ({}), normal {x}, {y}, {z}, {} and {}",
            answer.method.name(),
            text::number(found.gap),
            found.status.name(),
            found.feature_a,
            found.feature_b,
        );
        if answer.image != [0; 3] {
            text += &format!(", image {:?}", answer.image);
        }
        if answers.iter().any(|answer| answer.parts != [0; 2]) {
            text += &format!(", parts {} and {}", answer.parts[0], answer.parts[1]);
        }
        if !answer.remark.is_empty() {
            text += &format!("; {}", answer.remark);
        }
        if !answer.agrees {
            text += "; DIFFERS from scene";
        }
    }
    text + "\n"
}
