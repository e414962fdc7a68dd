//! Demo: every query of the library on a small mixed scene, as a page with pictures.
//!
//! [`run`] returns a [`Tour`]: text, JSON, or a page with its files. `tangere demo` is its
//! command line.
//!
//! Each query is a `Section`: to add one, write a file that creates it and call it in [`run`].

mod closest;
mod contacts;
mod impact;
mod inside;
mod mesh_report;
mod overlap;
mod page;
mod pair_filters;
mod pairs;
mod scene;
mod section;
mod simulation;
mod surfaces;
mod tree;

use scene::World;
use section::Section;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Instant;
use tangere_io::vtk::xml;
use tangere_render::picture::{Background, Color, Picture, Scene, View};

/// Error of the demo.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An error of the library.
    #[error(transparent)]
    Library(#[from] tangere::Error),
    /// A result of the demo is wrong.
    #[error("{0}")]
    Failed(String),
    /// A picture cannot be encoded.
    #[error(transparent)]
    Picture(#[from] tangere_render::Error),
    /// A file of the scene cannot be encoded.
    #[error("{name}: {error}")]
    Scene {
        /// Name of the file of the scene that cannot be encoded.
        name: String,
        /// Error of the encoder of VTK files.
        error: std::io::Error,
    },
}

/// A finished demo: its scene, and the results and pictures of all queries.
pub struct Tour {
    world: World,
    sections: Vec<Section>,
    title: Picture,
    seconds: f64,
}

/// Number of steps of [`run`] that are reported as progress.
pub const STEPS: usize = 13;

/// Generates the scene and runs all queries. Large pictures are `width` pixels wide. `progress` is
/// called before each step with the number of steps done and the name of the step that begins.
pub fn run(width: usize, progress: &dyn Fn(usize, &'static str)) -> Result<Tour, Error> {
    let start = Instant::now();
    progress(0, "generating the scene");
    let world = World::new()?;
    progress(1, "checking surfaces");
    let report = mesh_report::section(&world, width);
    progress(2, "building trees");
    let tree = tree::section(&world, width)?;
    progress(3, "broad phase");
    let pairs = pairs::section(&world, width)?;
    progress(4, "filtering pairs");
    let rules = pair_filters::section(width)?;
    progress(5, "point containment");
    let inside = inside::section(&world, width)?;
    progress(6, "distance and penetration depth");
    let closest = closest::section(width)?;
    progress(7, "projecting points");
    let surfaces = surfaces::section(width)?;
    progress(8, "packing spheres");
    let overlap = overlap::section(width)?;
    progress(9, "time of impact");
    let impact = impact::section(width)?;
    progress(10, "contacts of a scene");
    let contacts = contacts::section(width)?;
    progress(11, "simulating grains");
    let simulation = simulation::section(width)?;
    progress(12, "drawing");
    let title = title_picture(&world, width);
    Ok(Tour {
        world,
        sections: vec![
            report, tree, pairs, rules, inside, closest, surfaces, overlap, impact, contacts,
            simulation,
        ],
        title,
        seconds: start.elapsed().as_secs_f64(),
    })
}

impl Tour {
    /// Returns the summary as text: a sentence about the scene, then a table for each query.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.world.description());
        for section in &self.sections {
            text += &format!("\n{}\n{}", section.title, section.table.text());
        }
        text
    }

    /// Returns all results as JSON. `folder` is the folder of the demo's files, and only named
    /// there.
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

    /// Returns names and contents of the files of the demo. The scene for ParaView comes first:
    /// each body with the fields of the sections, then all surfaces together. Then come a picture
    /// of the scene, all results as JSON, and the page. `folder` is only named in the JSON.
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

/// Draws all bodies of the scene, viewed from the front.
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
