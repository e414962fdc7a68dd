//! A tour: a small mixed scene, and every question asked of it.
//!
//! [`run`] asks and gives a [`Tour`]: text, JSON, or a page with its files. `tangere demo` is its
//! command line.
//!
//! A question is a `Section`: to add one, write a file that makes it and name
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

use scene::World;
use section::Section;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Instant;
use tangere_io::vtk::xml;
use tangere_render::picture::{Background, Color, Picture, Scene, View};

/// Why there is no tour.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The library refuses what is asked.
    #[error(transparent)]
    Library(#[from] tangere::Error),
    /// An answer is not what it must be.
    #[error("{0}")]
    Failed(String),
    /// A picture cannot be encoded.
    #[error(transparent)]
    Picture(#[from] tangere_render::Error),
    /// The scene cannot be encoded.
    #[error("{name}: {error}")]
    Scene {
        /// The file.
        name: String,
        /// Why.
        error: std::io::Error,
    },
}

/// The scene, with all that was asked of it.
pub struct Tour {
    world: World,
    sections: Vec<Section>,
    title: Picture,
    seconds: f64,
}

/// How many steps [`run`] has.
pub const STEPS: usize = 11;

/// Makes the scene and asks; large pictures are so many pixels wide. `progress` is given how many
/// steps are done and what comes next, for people who wait.
pub fn run(width: usize, progress: &dyn Fn(usize, &'static str)) -> Result<Tour, Error> {
    let start = Instant::now();
    progress(0, "making the scene");
    let world = World::new()?;
    progress(1, "looking at surfaces");
    let report = report::section(&world, width);
    progress(2, "building trees");
    let tree = tree::section(&world, width)?;
    progress(3, "finding pairs");
    let pairs = pairs::section(&world, width)?;
    progress(4, "leaving pairs out");
    let rules = rules::section(width)?;
    progress(5, "filling bodies");
    let inside = inside::section(&world, width)?;
    progress(6, "following bodies");
    let closest = closest::section(width)?;
    progress(7, "projecting points");
    let surfaces = surfaces::section(width)?;
    progress(8, "packing spheres");
    let overlap = overlap::section(width)?;
    progress(9, "throwing bodies");
    let impact = impact::section(width)?;
    progress(10, "drawing");
    let title = title_picture(&world, width);
    Ok(Tour {
        world,
        sections: vec![
            report, tree, pairs, rules, inside, closest, surfaces, overlap, impact,
        ],
        title,
        seconds: start.elapsed().as_secs_f64(),
    })
}

impl Tour {
    /// The scene in a sentence, then a table for each question.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.world.description());
        for section in &self.sections {
            text += &format!("\n{}\n{}", section.title, section.table.text());
        }
        text
    }

    /// All numbers, of a tour that is written to a folder.
    pub fn json(&self, folder: &Path) -> Value {
        let questions: Map<String, Value> = (self.sections.iter())
            .map(|section| (section.name.to_owned(), section.json.clone()))
            .collect();
        let bodies = self.world.files().map(|(name, _)| format!("{name}.vtp"));
        let others = ["scene.vtu", "demo.json", "index.html", "picture.png"];
        let files: Vec<String> = bodies.chain(others.map(String::from)).collect();
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "threads": rayon::current_num_threads(),
            "folder": folder.to_string_lossy(),
            "files": files,
            "scene": self.world.json(),
            "questions": questions,
            "seconds": self.seconds,
        })
    }

    /// Files by name with their content, to be written to a folder: the scene for ParaView (each
    /// body, with what sections found on it, and all surfaces as one), a picture of it, all
    /// numbers, and last the page.
    pub fn files(&self, folder: &Path) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let mut files = Vec::new();
        for (body, mut data) in self.world.files() {
            for section in &self.sections {
                let fields = section.cell_data.iter().filter(|(on, _)| *on == body);
                data.cell_data
                    .extend(fields.map(|(_, field)| field.clone()));
            }
            files.push(encoded(format!("{body}.vtp"), |out| {
                xml::write_vtp(&data, out)
            })?);
        }
        let grid = self.world.grid();
        files.push(encoded("scene.vtu".into(), |out| {
            xml::write_vtu(&grid, out)
        })?);
        let page = page::html(&self.world, &self.title, &self.sections, self.seconds)?;
        let numbers = format!("{:#}\n", self.json(folder));
        files.extend([
            ("picture.png".into(), self.title.png()?),
            ("demo.json".into(), numbers.into_bytes()),
            ("index.html".into(), page.into_bytes()),
        ]);
        Ok(files)
    }
}

fn encoded(
    name: String,
    content: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>,
) -> Result<(String, Vec<u8>), Error> {
    let mut bytes = Vec::new();
    match content(&mut bytes) {
        Ok(()) => Ok((name, bytes)),
        Err(error) => Err(Error::Scene { name, error }),
    }
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
