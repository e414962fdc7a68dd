//! Demo of `inside`: point containment on grids, in open surfaces and in moving bodies.

mod broken;
mod moving;

use super::scene::{Body, World, front};
use super::section::{Figure, Section};
use crate::Error;
use serde_json::{Map, Value, json};
use std::time::Instant;
use tangere::inside::{Auto, Grid, InsideSettings, InsideTest, Side};
use tangere::shape::TriMesh;
use tangere_front::text::{self, Table};
use tangere_render::picture::{Color, Picture, Scene, View};

/// Number of points along each axis of the grid around each body. All points of the grid are
/// classified as inside, on the surface or outside.
const GRID: usize = 80;
/// Number of points along each axis of the grid that the picture shows.
const SHOWN: usize = 24;

const DEEP: Color = Color([70, 104, 150]);
const HIGH: Color = Color([232, 150, 84]);

/// Returns the mesh of the triangles that satisfy `stays`.
fn part(mesh: &TriMesh, stays: impl Fn([[f64; 3]; 3]) -> bool) -> tangere::Result<TriMesh> {
    let faces = (0..mesh.faces().len()).filter(|&face| stays(mesh.triangle(face)));
    let faces = faces.map(|face| mesh.faces()[face]).collect();
    TriMesh::new(mesh.vertices().to_vec(), faces)
}

fn view(size: [usize; 2]) -> View {
    front(size, 0.06, true)
}

/// Returns the section of `inside`: classifies the points of a grid around each surface as inside,
/// on the surface or outside.
pub fn section(world: &World, width: usize) -> Result<Section, Error> {
    let mut rows = Vec::new();
    let mut objects = Map::new();
    let mut scene = Scene::default();
    let mut sides = Vec::new();
    for body in &world.bodies {
        let mut test = Auto::new(InsideSettings::default())?;
        let start = Instant::now();
        test.update(&body.mesh)?;
        let setup = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let grid = Grid::around(&body.mesh.bounds(), GRID)?;
        test.classify_grid(&grid, &mut sides)?;
        let query = start.elapsed().as_secs_f64();
        let count = |side: Side| sides.iter().filter(|&&s| s == side).count();
        let [inside, surface] = [Side::Inside, Side::OnSurface].map(count);
        // The share of points inside, times the volume of the cube, estimates the volume of the
        // body.
        let edge = body.mesh.bounds().extent().into_iter().fold(0.0, f64::max);
        let volume = edge.powi(3) * inside as f64 / sides.len() as f64;
        rows.push(vec![
            body.name.to_owned(),
            text::count(body.mesh.faces().len() as u64),
            text::count(sides.len() as u64),
            text::count(inside as u64),
            text::number((volume * 1e3).round() / 1e3),
            text::seconds(setup),
            text::seconds(query),
        ]);
        objects.insert(
            body.name.to_owned(),
            json!({
                "points": sides.len(),
                "inside": inside,
                "surface": surface,
                "method": test.method(),
                "reason": test.reason(),
                "volume": volume,
                "seconds": { "setup": setup, "query": query },
            }),
        );
        let shown = Grid::around(&body.mesh.bounds(), SHOWN)?;
        test.classify_grid(&shown, &mut sides)?;
        let radius = 0.4 * edge / SHOWN as f64;
        let [low, high] = [body.mesh.bounds().min[2], body.mesh.bounds().max[2]];
        for (i, _) in sides
            .iter()
            .enumerate()
            .filter(|(_, side)| **side == Side::Inside)
        {
            let point = shown.point(i);
            let height = (point[2] - low) / (high - low);
            scene.add_ball(point, radius, DEEP.mix(HIGH, height as f32));
        }
    }
    let mut figures = vec![Figure {
        picture: Picture::of(&scene, &view([width, width * 9 / 20])),
        caption: "Points of a coarse grid that are inside the bodies".into(),
    }];
    let named = |name: &str| world.bodies.iter().find(|body: &&Body| body.name == name);
    if let (Some(sphere), Some(sponge)) = (named("sphere"), named("sponge")) {
        let (figure, object) = broken::figure(sphere, width)?;
        figures.push(figure);
        objects.insert("broken".into(), object);
        let (figure, object) = moving::figure(sponge, sphere, width)?;
        figures.push(figure);
        objects.insert("moving".into(), object);
    }
    Ok(Section {
        name: "inside",
        title: "Point containment",
        explanation: "The points of a grid around every body are classified exactly as inside, on \
            the surface or outside; the share inside estimates the volume. For a surface with holes \
            the winding number decides. Moving bodies are set up only once."
            .into(),
        figures,
        table: Table {
            head: vec![
                "surface",
                "triangles",
                "points",
                "inside",
                "volume",
                "set-up",
                "query",
            ],
            rows,
        },
        json: Value::Object(objects),
        cell_data: Vec::new(),
    })
}
