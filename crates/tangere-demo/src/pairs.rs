//! Demo of `pairs`: broad phase among particles, by every method.

use super::scene::{World, front};
use super::section::{Figure, Section};
use crate::Error;
use serde_json::{Map, Value, json};
use std::time::Instant;
use tangere::pairs::{BroadPhase, Method, PairFinder, PairSettings, neighbors};
use tangere_front::text::{self, Table};
use tangere_render::picture::{Color, Picture, Scene};

const ALONE: Color = Color([206, 210, 214]);
const FEW: Color = Color([240, 196, 92]);
const MANY: Color = Color([190, 62, 48]);

/// Number of neighbours at which a particle gets the colour `MANY`. More neighbours do not change
/// its colour.
const MOST: f32 = 8.0;

/// Number of repetitions of each search method; the minimum time is reported.
const REPEATS: usize = 5;

/// Returns the section of `pairs`: finds the pairs of touching particles with every search method.
pub fn section(world: &World, width: usize) -> Result<Section, Error> {
    let particles = &world.particles;
    let mut rows = Vec::new();
    let mut objects = Map::new();
    let mut pairs = Vec::new();
    let others = |method: &Method| !Method::PUBLISHED.contains(method);
    for method in Method::ALL.into_iter().filter(others) {
        let mut finder = BroadPhase::new(PairSettings::default().with_method(method))?;
        let mut seconds = f64::INFINITY;
        for _ in 0..REPEATS {
            // An update without items clears the state of the last search.
            finder.update((&[][..], &[][..]).into())?;
            let start = Instant::now();
            finder.update(particles.into())?;
            finder.pairs(&mut pairs)?;
            seconds = seconds.min(start.elapsed().as_secs_f64());
        }
        rows.push(vec![
            method.name().to_owned(),
            text::count(particles.len() as u64),
            text::count(pairs.len() as u64),
            text::seconds(seconds),
        ]);
        objects.insert(
            method.name().to_owned(),
            json!({
                "particles": particles.len(),
                "pairs": pairs.len(),
                "reason": finder.reason(),
                "seconds": seconds,
            }),
        );
    }
    let (offsets, _) = neighbors(particles.len(), &pairs);
    let mut scene = Scene::default();
    let balls = particles.centers().iter().zip(particles.radii());
    for ((&center, &radius), ends) in balls.zip(offsets.windows(2)) {
        let color = match ends[1] - ends[0] {
            0 => ALONE,
            touching => FEW.mix(MANY, (touching - 1) as f32 / (MOST - 1.0)),
        };
        scene.add_ball(center, radius, color);
    }
    let view = front([width, width * 9 / 20], 0.06, true);
    Ok(Section {
        name: "pairs",
        title: "Broad phase: pairs of particles",
        explanation:
            "All pairs of touching particles. Every method finds the same pairs; which is \
            fastest depends on the number of particles and on their sizes."
                .into(),
        figures: vec![Figure {
            picture: Picture::of(&scene, &view),
            caption: "Particles by their number of contacts, from yellow (one) to red (many); \
                grey particles have none"
                .into(),
        }],
        table: Table {
            head: vec!["method", "particles", "pairs", "time"],
            rows,
        },
        json: Value::Object(objects),
        cell_data: Vec::new(),
    })
}
