//! Demo of simulations: spheres and clumps fall into a box, and what becomes of their energy.

use super::section::{Figure, Section};
use crate::Error;
use serde_json::{Map, Value, json};
use std::time::Instant;
use tangere::generate;
use tangere_front::text::{self, Table};
use tangere_io::scene::SceneFile;
use tangere_render::picture::{self, Background, Color, Picture, View};
use tangere_sim::Simulation;

/// The scene: in metres, kilograms and seconds.
const SCENE: &str = r#"
step = 4e-5
gravity = [0, 0, -9.81]
[[material]]
name = "glass"
density = 2500
young = 5e6
poisson = 0.25
restitution = 0.5
friction = 0.4
[[wall]]
name = "box"
box = [0, 0, 0, 0.06, 0.03, 0.5]
open = ["+z"]
[[shape]]
name = "stone"
compound = [
    { shape = { ball = { radius = 0.003 } } },
    { shape = { ball = { radius = 0.0024 } }, position = [0.0032, 0, 0] },
    { shape = { ball = { radius = 0.002 } }, position = [-0.001, 0.003, 0.001] },
]
[[body]]
name = "stone"
shape = "stone"
fill = { box = [0.007, 0.007, 0.01, 0.053, 0.023, 0.1], count = 80, seed = 4, apart = true, scale = [0.8, 1.1] }
[[body]]
name = "bead"
shape = { ball = { radius = 0.0025 } }
fill = { box = [0.003, 0.003, 0.004, 0.057, 0.027, 0.1], count = 260, seed = 2, apart = true, scale = [0.6, 1.1] }
"#;

const SLOW: Color = Color([58, 108, 164]);
const FAST: Color = Color([226, 120, 40]);
const STONE: Color = Color([132, 104, 156]);
const FLOOR: Color = Color([214, 214, 208]);
/// The steps at which pictures are made: while all falls, and at rest.
const FRAMES: [u64; 2] = [2500, 11_000];
/// The direction from the box to the viewer.
const FRONT: [f64; 3] = [0.3, -1.0, 0.35];
/// Above it nothing is drawn.
const HEIGHT: f64 = 0.08;

/// Draws the spheres of a simulation: beads by their speed, those of clumps in one colour.
fn drawn(simulation: &Simulation) -> Result<picture::Scene, Error> {
    let (spheres, bodies) = (simulation.spheres(), simulation.bodies());
    let mut drawn = picture::Scene::default();
    let floor = generate::box_mesh([0.06, 0.03, 0.001], [1; 3])?;
    let shift = |[x, y, z]: [f64; 3]| [x + 0.03, y + 0.015, z - 0.0006];
    drawn.add_mesh(&floor, shift, |_| FLOOR);
    let clumps = simulation.clumps();
    for i in 0..spheres.ids.len() {
        let is_member = clumps.binary_search_by_key(&bodies[i], |clump| clump.id);
        let speed = spheres.velocities[i]
            .iter()
            .map(|v| v * v)
            .sum::<f64>()
            .sqrt();
        let color = match is_member {
            Ok(_) => STONE,
            Err(_) => SLOW.mix(FAST, (speed / 1.0).min(1.0) as f32),
        };
        if spheres.positions[i][2] < HEIGHT {
            drawn.add_ball(spheres.positions[i], spheres.radii[i], color);
        }
    }
    Ok(drawn)
}

/// Returns the section of simulations.
pub fn section(width: usize) -> Result<Section, Error> {
    let failed = |error: &dyn std::fmt::Display| Error::Failed(format!("simulation: {error}"));
    let file = SceneFile::parse(SCENE.as_bytes(), "").map_err(|fault| failed(&fault))?;
    let mut simulation = Simulation::from_scene(&file).map_err(|error| failed(&error))?;
    let start = Instant::now();
    simulation.open_ledger().map_err(|error| failed(&error))?;
    let view = View {
        toward: FRONT,
        size: [width, width * 11 / 20],
        margin: 0.05,
        ground: true,
        background: Background::Transparent,
    };
    let mut figures = Vec::new();
    for step in FRAMES {
        let steps = step - simulation.step_number();
        simulation.advance(steps).map_err(|error| failed(&error))?;
        let caption = format!("After {} s", text::number(simulation.time()));
        let picture = Picture::of(&drawn(&simulation)?, &view);
        figures.push(Figure { picture, caption });
    }
    let seconds = start.elapsed().as_secs_f64();
    let energy = simulation.energy().unwrap_or_default();
    let lost = energy.dissipated.total();
    // The step is a fifth of the critical one or less.
    if energy.residual.abs() > 1e-2 * lost {
        return Err(failed(&format!("energy is not accounted for: {energy:?}")));
    }
    let mut objects = Map::new();
    let mut rows = Vec::new();
    for (name, value) in energy.terms() {
        objects.insert(name.into(), json!(value));
        if value != 0.0 {
            rows.push(vec![name.replace('_', ", "), format!("{:.4}", 1e3 * value)]);
        }
    }
    let hash = format!("{:016x}", simulation.hash());
    objects.insert("hash".into(), hash.clone().into());
    objects.insert("spheres".into(), simulation.len().into());
    objects.insert("clumps".into(), simulation.clumps().len().into());
    objects.insert("contacts".into(), simulation.contact_count().into());
    objects.insert("steps".into(), simulation.step_number().into());
    objects.insert("seconds".into(), seconds.into());
    let [spheres, contacts, steps] = [
        simulation.len() as u64,
        simulation.contact_count() as u64,
        simulation.step_number(),
    ]
    .map(text::count);
    Ok(Section {
        name: "simulation",
        title: "Simulation: grains that fall and come to rest",
        explanation: format!(
            "Glass beads (blue at rest, orange where they are fast) and clumps of three spheres (purple) fall into a box of 6 by 3 cm: \
             {spheres} spheres, {steps} steps, {contacts} contacts at the end. What became of their energy is accounted for \
             term by term; the residual is the error of the integration. The hash of the last state, {hash}, is the same on \
             any number of threads and after any number of restarts. `tangere simulate --list` names the scenes that come \
             with the program."
        ),
        figures,
        table: Table {
            head: vec!["energy", "mJ"],
            rows,
        },
        json: Value::Object(objects),
        cell_data: Vec::new(),
    })
}
