//! Demo of mesh validation: topology, orientation and defects of surfaces.

use super::scene::{World, front};
use super::section::{Figure, Section};
use serde_json::{Map, Value, json};
use std::time::Instant;
use tangere_front::answer::extend_object;
use tangere_front::report::{problems, report_json};
use tangere_front::text::{self, Table};
use tangere_render::picture::{Picture, Scene};

/// Returns the section of mesh validation: a report on each surface of the scene, with its picture.
pub fn section(world: &World, width: usize) -> Section {
    let mut rows = Vec::new();
    let mut objects = Map::new();
    for body in &world.bodies {
        let start = Instant::now();
        let report = body.mesh.report();
        let seconds = start.elapsed().as_secs_f64();
        let yes = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
        let wrong: u64 = problems(&report).iter().map(|(_, count)| count).sum();
        rows.push(vec![
            body.name.to_owned(),
            text::count(report.triangles as u64),
            yes(report.closed),
            yes(report.oriented),
            yes(report.manifold),
            report.genus.map_or("-".into(), text::count),
            report.volume.map_or("-".into(), text::number),
            text::count(wrong),
            text::seconds(seconds),
        ]);
        let mut object = report_json(&report);
        extend_object(&mut object, json!({ "seconds": seconds }));
        objects.insert(body.name.to_owned(), object);
    }
    let mut figures: Vec<Figure> = world
        .bodies
        .iter()
        .map(|body| {
            let mut scene = Scene::default();
            scene.add_mesh(&body.mesh, |p| p, |_| body.color);
            figure(&scene, width, body.caption)
        })
        .collect();
    let mut scene = Scene::default();
    world.add_particles(&mut scene);
    figures.push(figure(
        &scene,
        width,
        "Particles with equal volume in each octave of size",
    ));
    Section {
        name: "report",
        title: "Mesh validation",
        explanation: "Every triangle, edge and vertex of a surface is checked: whether the surface \
            is closed, consistently oriented and manifold, its genus, its volume, and the number of \
            defects."
            .into(),
        figures,
        table: Table {
            head: vec![
                "surface",
                "triangles",
                "closed",
                "oriented",
                "manifold",
                "genus",
                "volume",
                "problems",
                "time",
            ],
            rows,
        },
        json: Value::Object(objects),
        cell_data: Vec::new(),
    }
}

fn figure(scene: &Scene, width: usize, caption: &str) -> Figure {
    let view = front([width * 2 / 5, width / 3], 0.12, true);
    Figure {
        picture: Picture::of(scene, &view),
        caption: caption.to_owned(),
    }
}
