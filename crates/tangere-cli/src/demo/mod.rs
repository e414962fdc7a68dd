//! `tangere demo`: a tour. A small mixed scene, and every question asked of it.
//!
//! A question is a [`Section`]: to add one, write a file that makes it and name
//! it in [`run`].

mod closest;
mod impact;
mod inside;
mod overlap;
mod page;
mod pairs;
mod report;
mod rules;
mod scene;
mod section;
mod surfaces;
mod tree;

use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use clap::Args;
use scene::World;
use section::Section;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tangere_front::text;
use tangere_io::vtk::xml;
use tangere_render::picture::{Background, Color, Picture, Scene, View};

const EXAMPLES: &str = "\
Examples:
  tangere demo                      then open tangere-demo/index.html
  tangere demo -o /tmp/tour --json";

/// Answer every question on a small scene and show it on a page
///
/// Writes a page with pictures (index.html), all numbers (demo.json), the scene for ParaView
/// (.vtp, .vtu) and one picture of it (picture.png).
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Demo {
    /// The folder to write; made if it is not there
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

/// Makes the scene, asks, and writes the folder.
pub fn run(options: &Demo, console: &Console) -> Result<(), Failure> {
    let start = Instant::now();
    let width = usize::from(options.width);
    let bar = console.bar(12);
    let advance = |message: &'static str| {
        bar.inc(1);
        bar.set_message(message);
    };
    bar.set_message("making the scene");
    let world = World::new()?;
    advance("looking at surfaces");
    let report = report::section(&world, width);
    advance("building trees");
    let tree = tree::section(&world, width)?;
    advance("finding pairs");
    let pairs = pairs::section(&world, width)?;
    advance("leaving pairs out");
    let rules = rules::section(width)?;
    advance("filling bodies");
    let inside = inside::section(&world, width)?;
    advance("following bodies");
    let closest = closest::section(width)?;
    advance("projecting points");
    let surfaces = surfaces::section(width)?;
    advance("packing spheres");
    let overlap = overlap::section(width)?;
    advance("throwing bodies");
    let impact = impact::section(width)?;
    advance("drawing");
    let sections = [
        report, tree, pairs, rules, inside, closest, surfaces, overlap, impact,
    ];
    let title = title_picture(&world, width);
    advance("writing");

    let seconds = start.elapsed().as_secs_f64();
    let folder = &options.out;
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::Work(format!("{}: {error}", folder.display())))?;
    let mut names = write_scene(&world, &sections, folder)?;
    names.extend(["demo.json", "index.html", "picture.png"].map(String::from));
    let object = summary(&world, &sections, seconds, folder, &names);
    let page = page::html(&world, &title, &sections, seconds)?;
    let pictured = title.png()?;
    write(&folder.join("picture.png"), &pictured)?;
    write(
        &folder.join("demo.json"),
        format!("{object:#}\n").as_bytes(),
    )?;
    write(&folder.join("index.html"), page.as_bytes())?;
    bar.finish_and_clear();

    if options.json {
        return console.print_json(&object);
    }
    let mut text = format!("{}\n", world.description());
    for section in &sections {
        text += &format!("\n{}\n{}", section.title, section.table.text());
    }
    let took = text::seconds(start.elapsed().as_secs_f64());
    let page = folder.join("index.html");
    text += &format!("\nDone in {took}; open {} to see it.\n", page.display());
    console.print(text)
}

/// All bodies, seen from the front.
fn title_picture(world: &World, width: usize) -> Picture {
    let mut scene = Scene::default();
    for body in &world.bodies {
        scene.add_mesh(&body.mesh, |p| p, |_| body.color);
    }
    world.add_particles(&mut scene);
    let view = View {
        toward: scene::FRONT,
        size: [width, width * 9 / 20],
        margin: 0.045,
        ground: true,
        background: Background::Gradient(Color([252, 252, 251]), Color([226, 229, 233])),
    };
    Picture::of(&scene, &view)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    use std::io::Write;
    tangere_io::write_atomically(path, |out| out.write_all(bytes)).map_err(Failure::writing)
}

/// The scene for ParaView: each body, with what sections found on it, and all surfaces as one.
fn write_scene(world: &World, sections: &[Section], folder: &Path) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for (name, data) in world.files() {
        let mut data = data;
        for section in sections {
            let fields = section.cell_data.iter().filter(|(body, _)| *body == name);
            data.cell_data
                .extend(fields.map(|(_, field)| field.clone()));
        }
        let file = format!("{name}.vtp");
        files::write_vtp(&folder.join(&file), &data).map_err(Failure::writing)?;
        names.push(file);
    }
    let grid = world.grid();
    tangere_io::write_atomically(folder.join("scene.vtu"), |out| xml::write_vtu(&grid, out))
        .map_err(Failure::writing)?;
    names.push("scene.vtu".into());
    Ok(names)
}

fn summary(
    world: &World,
    sections: &[Section],
    seconds: f64,
    folder: &Path,
    files: &[String],
) -> Value {
    let questions: Map<String, Value> = sections
        .iter()
        .map(|section| (section.name.to_owned(), section.json.clone()))
        .collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "threads": rayon::current_num_threads(),
        "folder": folder.to_string_lossy(),
        "files": files,
        "scene": world.json(),
        "questions": questions,
        "seconds": seconds,
    })
}
