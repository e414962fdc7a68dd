//! `tangere demo`: a tour of every query on a small mixed scene.

use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use clap::Args;
use std::cell::RefCell;
use std::path::PathBuf;
use std::time::Instant;
use tangere_front::text;

const EXAMPLES: &str = "\
Examples:
  tangere demo                      then open tangere-demo/index.html
  tangere demo -o /tmp/tour --json";

/// Run every query on a small scene and show the answers on a page
///
/// Writes a page with pictures (index.html), all numbers (demo.json), the scene for ParaView
/// (.vtp, .vtu) and one picture of it (picture.png). Takes about half a minute in a release build, a
/// debug build many times as long. Where standard error is not a terminal, a line reports the beginning and
/// the end of each section.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Demo {
    /// The folder to write; created if missing
    #[arg(short, long, value_name = "DIR", default_value = "tangere-demo")]
    out: PathBuf,
    /// Print one JSON object instead of a summary
    #[arg(long)]
    json: bool,
    /// The width of the large pictures in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 920,
          value_parser = clap::value_parser!(u16).range(60..=4000))]
    width: u16,
}

/// Makes the scene, runs all queries, and writes the folder.
pub fn run(options: &Demo, console: &Console) -> Result<(), Failure> {
    let start = Instant::now();
    // Checked before the work, so that none is lost for a folder that cannot be written.
    let folder = &options.out;
    files::prepare_folder(folder)?;
    let stages = RefCell::new(console.stages(tangere_demo::STEPS + 1));
    let progress = |done: usize, next: &'static str| stages.borrow_mut().begin(done, next);
    let tour = tangere_demo::run(options.width.into(), &progress)?;
    progress(tangere_demo::STEPS, "writing");
    files::write_all(folder, tour.files(folder)?)?;
    stages.borrow_mut().end();
    drop(stages);

    if options.json {
        return console.print_json(&tour.json(folder));
    }
    let took = text::seconds(start.elapsed().as_secs_f64());
    let page = folder.join("index.html");
    let end = format!("\nDone in {took}; open {} to see it.\n", page.display());
    console.print(tour.text() + &end)
}
