//! Demo of point containment: one body moves through another, and the nodes (mesh vertices) of each
//! that are inside the other are found.

use super::{Figure, HIGH, part, view};
use crate::Error;
use crate::scene::Body;
use serde_json::{Value, json};
use std::time::Instant;
use tangere::geometry::Pose;
use tangere::inside::{Bodies, InsideSettings};
use tangere_front::text;
use tangere_render::picture::{Picture, Scene};

/// Number of steps of the motion of one body through the other.
const STEPS: usize = 40;

/// Moves the body `moved` through the body `still` and finds the nodes (mesh vertices) of each that
/// are inside the other. The picture shows the step with the most such nodes, and `still` without
/// its front half.
pub fn figure(still: &Body, moved: &Body, width: usize) -> Result<(Figure, Value), Error> {
    let mut bodies = Bodies::new(InsideSettings::default())?;
    bodies.add(&still.mesh)?;
    bodies.add(&moved.mesh)?;
    let (from, to) = (moved.mesh.bounds(), still.mesh.bounds());
    let start = to.min[0] - from.max[0];
    let way = to.extent()[0] + from.extent()[0];
    let pose = |step: usize| {
        let x = start + way * step as f64 / (STEPS - 1) as f64;
        let [y, z] = [1, 2].map(|k| to.center()[k] - from.center()[k]);
        Pose::from_translation([x, y, z])
    };
    let (mut found, mut deepest, mut total) = (Vec::new(), (0, Vec::new()), 0);
    let begin = Instant::now();
    for step in 0..STEPS {
        bodies.intrusions(&[Pose::identity(), pose(step)?], &mut found)?;
        total += found.len();
        if found.len() > deepest.1.len() {
            deepest = (step, found.clone());
        }
    }
    let seconds = begin.elapsed().as_secs_f64();

    let (step, hits) = deepest;
    let pose = pose(step)?;
    let mut scene = Scene::default();
    let middle = to.center()[1];
    let half = part(&still.mesh, |triangle| {
        triangle.iter().all(|p| p[1] > middle)
    })?;
    scene.add_mesh(&half, |p| p, |_| still.color);
    let mut is_inside = vec![false; moved.mesh.vertices().len()];
    for hit in hits.iter().filter(|hit| hit.body == 0) {
        is_inside[hit.node as usize] = true;
    }
    let color = |face: usize| match moved.mesh.faces()[face].map(|v| is_inside[v as usize]) {
        [true, true, true] => HIGH,
        _ => moved.color,
    };
    scene.add_mesh(&moved.mesh, |p| pose.apply(p), color);
    let figure = Figure {
        picture: Picture::of(&scene, &view([width / 2, width * 9 / 20])),
        caption: format!(
            "The {} passes through the {} in {STEPS} steps, {} per step without a new set-up. Here {} \
             nodes of one are inside the other: the bright part",
            moved.name,
            still.name,
            text::seconds(seconds / STEPS as f64),
            text::count(hits.len() as u64),
        ),
    };
    let object = json!({
        "steps": STEPS,
        "nodes": total,
        "most": hits.len(),
        "confidence": bodies.confidence(),
        "seconds": seconds,
    });
    Ok((figure, object))
}
