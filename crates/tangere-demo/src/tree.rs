//! Demo of the bounding volume hierarchy: triangles that overlap a box.

use super::scene::{World, front};
use super::section::{Figure, Section};
use crate::Error;
use serde_json::{Map, Value, json};
use std::time::Instant;
use tangere::geometry::Aabb;
use tangere::shape::TriMesh;
use tangere::tree::Tree;
use tangere_front::answer::object;
use tangere_front::report::{TREE, TreeReport};
use tangere_front::text::{self, Table};
use tangere_io::vtk::Field;
use tangere_render::picture::{Color, Picture, Scene};

const FOUND: Color = Color([222, 110, 52]);
const EDGES: Color = Color([120, 124, 130]);

/// Names of the bodies that the picture shows.
const SHOWN: [&str; 2] = ["foam", "knot"];

/// Returns the section of the hierarchy: builds a BVH over each surface and queries the triangles
/// whose bounding boxes overlap a box.
pub fn section(world: &World, width: usize) -> Result<Section, Error> {
    let mut rows = Vec::new();
    let mut objects = Map::new();
    let mut cell_data = Vec::new();
    let mut scene = Scene::default();
    for body in &world.bodies {
        let start = Instant::now();
        let tree = Tree::of_mesh(&body.mesh);
        let built = start.elapsed().as_secs_f64();
        let report = TreeReport::new(&tree, built);
        let query = corner_box(&body.mesh);
        let start = Instant::now();
        let mut near = vec![false; body.mesh.faces().len()];
        tree.overlapping(&query, |face| near[face as usize] = true);
        let found = near.iter().filter(|&&near| near).count();
        let seconds = start.elapsed().as_secs_f64();
        rows.push(vec![
            body.name.to_owned(),
            text::count(body.mesh.faces().len() as u64),
            text::count(report.nodes as u64),
            report.height.to_string(),
            text::number(report.cost),
            text::seconds(built),
            text::count(found as u64),
            text::seconds(seconds),
        ]);
        objects.insert(
            body.name.to_owned(),
            json!({
                "triangles": body.mesh.faces().len(),
                "tree": object(TREE, &report),
                "query": { "min": query.min, "max": query.max },
                "found": found,
                "seconds": seconds,
            }),
        );
        if SHOWN.contains(&body.name) {
            let color = |face: usize| if near[face] { FOUND } else { body.color };
            scene.add_mesh(&body.mesh, |p| p, color);
            scene.add_box(query.min, query.max, EDGES);
        }
        let flags: Vec<u8> = near.into_iter().map(u8::from).collect();
        cell_data.push((body.name, Field::scalar("near_box", flags)));
    }
    let view = front([width, width * 9 / 20], 0.06, true);
    Ok(Section {
        name: "tree",
        title: "Bounding volume hierarchy",
        explanation: "One bounding volume hierarchy (BVH) serves all proximity queries. Here it \
            finds the triangles whose bounding boxes overlap a given box."
            .into(),
        figures: vec![Figure {
            picture: Picture::of(&scene, &view),
            caption: "The triangles found (orange)".into(),
        }],
        table: Table {
            head: vec![
                "surface",
                "triangles",
                "nodes",
                "height",
                "cost",
                "build",
                "found",
                "query",
            ],
            rows,
        },
        json: Value::Object(objects),
        cell_data,
    })
}

/// Returns the query box. It contains one corner of the bounding box of the surface: the upper
/// corner that is nearest to the viewer.
fn corner_box(mesh: &TriMesh) -> Aabb<3> {
    let bounds = mesh.bounds();
    let extent = bounds.extent();
    let at = |k: usize, part: f64| bounds.min[k] + part * extent[k];
    Aabb {
        min: [at(0, 0.45), at(1, -0.02), at(2, 0.5)],
        max: [at(0, 1.02), at(1, 0.5), at(2, 1.02)],
    }
}
