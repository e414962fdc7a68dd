//! Demo of pair filters: groups and masks, all images of a periodic cell, and a Verlet list
//! that is reused for many steps.

use super::section::{Figure, Section};
use crate::Error;
use serde_json::{Map, Value, json};
use tangere::generate::{self, ParticleBox};
use tangere::pairs::{Auto, Candidates, Image, Mask, PairFinder, PairSettings, Periodic};
use tangere_front::text::{self, Table};
use tangere_render::picture::{Background, Color, Picture, Scene, View};

const FIRST: Color = Color([58, 108, 164]);
const SECOND: Color = Color([214, 120, 48]);
const PALE: Color = Color([226, 229, 232]);
const EDGES: Color = Color([96, 102, 110]);
const TOUCHING: Color = Color([196, 60, 44]);
const NEAR: Color = Color([168, 178, 188]);

/// The direction from the particles to the viewer, who is above them.
const ABOVE: [f64; 3] = [0.1, -0.62, 1.0];

/// Returns the section of pair filters: pairs with groups and masks, with periodic images, and with
/// a Verlet list.
pub fn section(width: usize) -> Result<Section, Error> {
    let mut answers = Answers::default();
    let view = |margin: f32| View {
        toward: ABOVE,
        size: [width / 2, width * 2 / 5],
        margin,
        ground: true,
        background: Background::Transparent,
    };
    let clumps = clumps(&mut answers)?;
    let images = images(&mut answers)?;
    let candidates = candidates(&mut answers)?;
    let figure = |scene: &Scene, margin: f32, caption: &str| Figure {
        picture: Picture::of(scene, &view(margin)),
        caption: caption.into(),
    };
    Ok(Section {
        name: "rules",
        title: "Filters, periodic cells and Verlet lists",
        explanation:
            "Groups exclude pairs within a clump, masks select which kinds interact. In a \
            periodic cell particles may be larger than the cell, so every image counts. A Verlet \
            list with a skin keeps its candidates while particles move little."
                .into(),
        figures: vec![
            figure(
                &clumps,
                0.05,
                "Clumps of two kinds, bright if they touch a clump of the other kind",
            ),
            figure(
                &images,
                0.05,
                "A periodic cell (blue), and the images that touch its particles (orange)",
            ),
            figure(
                &candidates,
                0.05,
                "Candidate pairs of the Verlet list (grey), and those that touch (red)",
            ),
        ],
        table: Table {
            head: vec!["query", "particles", "pairs", "details"],
            rows: answers.rows,
        },
        json: Value::Object(answers.objects),
        cell_data: Vec::new(),
    })
}

/// Results of the section: the rows of its table, and a map from the name of each result to a JSON
/// object.
#[derive(Default)]
struct Answers {
    rows: Vec<Vec<String>>,
    objects: Map<String, Value>,
}

impl Answers {
    fn add(&mut self, (name, query): (&str, &str), counts: [usize; 2], details: &str, more: Value) {
        let [particles, pairs] = counts;
        self.rows.push(vec![
            query.to_owned(),
            text::count(particles as u64),
            text::count(pairs as u64),
            details.to_owned(),
        ]);
        let mut object = json!({ "particles": particles, "pairs": pairs });
        tangere_front::answer::extend_object(&mut object, more);
        self.objects.insert(name.to_owned(), object);
    }
}

/// Returns `count` random points in a box with a corner at the origin and the edge lengths `size`.
/// The same arguments give the same points.
fn layer(count: usize, seed: u64, size: [f64; 3]) -> Result<Vec<[f64; 3]>, Error> {
    let settings = ParticleBox {
        // The box has an edge of 1.
        density: count as f64,
        ..ParticleBox::test_a(3, count, seed)
    };
    let (mut places, _) = generate::particles::<3>(&settings)?.into_parts();
    for p in &mut places {
        *p = std::array::from_fn(|k| p[k] * size[k]);
    }
    Ok(places)
}

/// Demo of groups and masks: clumps of three balls. Pairs within a clump are excluded by groups,
/// pairs of clumps of the same kind by masks.
fn clumps(answers: &mut Answers) -> Result<Scene, Error> {
    const CLUMPS: usize = 84;
    const RADIUS: f64 = 0.2;
    let places = layer(CLUMPS, 4, [7.0, 4.6, 0.5])?;
    let turns = layer(CLUMPS, 5, [std::f64::consts::TAU, 0.0, 0.0])?;
    let (mut centers, mut groups, mut masks) = (Vec::new(), Vec::new(), Vec::new());
    for (clump, (place, turn)) in places.iter().zip(&turns).enumerate() {
        // Each kind interacts only with the other.
        let mask = match clump % 2 {
            0 => Mask {
                member: 0b01,
                meets: 0b10,
            },
            _ => Mask {
                member: 0b10,
                meets: 0b01,
            },
        };
        for ball in 0..3 {
            let angle = turn[0] + f64::from(ball) * std::f64::consts::TAU / 3.0;
            let arm = 0.85 * RADIUS;
            let (x, y) = (place[0] + arm * angle.cos(), place[1] + arm * angle.sin());
            centers.push([x, y, place[2] + RADIUS]);
            groups.push(clump as u32);
            masks.push(mask);
        }
    }
    let radii = vec![RADIUS; centers.len()];
    let mut finder = Auto::new(PairSettings::default())?;
    let mut pairs = Vec::new();
    for (name, query, groups, masks) in [
        ("balls", "single balls", &[][..], &[][..]),
        ("groups", "clumps of three", &groups, &[]),
        ("masks", "clumps of the other kind", &groups, &masks),
    ] {
        finder.leave_out(groups, masks);
        finder.update((&centers[..], &radii[..]).into())?;
        finder.pairs(&mut pairs)?;
        let counts = [centers.len(), pairs.len()];
        let details = match groups.is_empty() {
            true => String::new(),
            false => text::counted(CLUMPS, "clump", "clumps"),
        };
        answers.add((name, query), counts, &details, json!({}));
    }
    let mut touching = [false; CLUMPS];
    for &i in pairs.as_flattened() {
        touching[groups[i as usize] as usize] = true;
    }
    let mut scene = Scene::default();
    for (ball, &center) in centers.iter().enumerate() {
        let clump = groups[ball] as usize;
        let kind = if clump.is_multiple_of(2) {
            FIRST
        } else {
            SECOND
        };
        let color = if touching[clump] {
            kind
        } else {
            kind.mix(PALE, 0.72)
        };
        scene.add_ball(center, RADIUS, color);
    }
    Ok(scene)
}

/// Demo of periodic images: a periodic cell that is narrower than a particle in it.
fn images(answers: &mut Answers) -> Result<Scene, Error> {
    const HEIGHT: f64 = 0.86;
    let lengths = [1.0, 0.8, 0.0];
    let cell = Periodic::tilted(lengths, &[0.25, 0.0, 0.0])?;
    let centers = [
        [0.62, 0.42, 0.43],
        [0.08, 0.2, 0.16],
        [0.16, 0.02, 0.09],
        [0.7, 0.02, 0.1],
        [1.16, 0.74, 0.08],
    ];
    let radii = [0.43, 0.16, 0.09, 0.1, 0.08];
    let mut finder = Auto::new(PairSettings {
        periodic: Some(cell),
        every_image: true,
        ..PairSettings::default()
    })?;
    let (mut pairs, mut contacts) = (Vec::new(), Vec::new());
    finder.update((&centers[..], &radii[..]).into())?;
    finder.pairs(&mut pairs)?;
    finder.contacts(&mut contacts)?;
    let own = contacts.iter().filter(|c| c.pair[0] == c.pair[1]).count();
    let details = format!(
        "{} with images, {own} with an image of the same particle",
        text::counted(contacts.len(), "contact", "contacts")
    );
    let more = json!({ "contacts": contacts.len(), "own": own });
    let counts = [centers.len(), pairs.len()];
    answers.add(("images", "every image"), counts, &details, more);

    // If an image of `b` touches `a`, then the opposite image of `a` touches `b`.
    let mut touching: Vec<(usize, Image<3>)> = Vec::new();
    for contact in &contacts {
        let [a, b] = contact.pair.map(|i| i as usize);
        touching.push((b, contact.image));
        touching.push((a, contact.image.map(|n| -n)));
    }
    let mut scene = Scene::default();
    for i in -1..=1 {
        for j in -1..=1 {
            let shift = cell.shift([i, j, 0]);
            for (ball, (center, &radius)) in centers.iter().zip(&radii).enumerate() {
                let color = match [i, j, 0] {
                    [0, 0, 0] => FIRST,
                    image if touching.contains(&(ball, image)) => SECOND,
                    _ => PALE,
                };
                let place = std::array::from_fn(|k| center[k] + shift[k]);
                scene.add_ball(place, radius, color);
            }
        }
    }
    let corner = |x: i32, y: i32, z: f64| {
        let [x, y, _] = cell.shift([x, y, 0]);
        [x, y, z]
    };
    let around = [[0, 0], [1, 0], [1, 1], [0, 1]];
    for (n, &[x, y]) in around.iter().enumerate() {
        let [to_x, to_y] = around[(n + 1) % 4];
        for z in [0.0, HEIGHT] {
            scene.add_line([corner(x, y, z), corner(to_x, to_y, z)], EDGES);
        }
        scene.add_line([corner(x, y, 0.0), corner(x, y, HEIGHT)], EDGES);
    }
    Ok(scene)
}

/// Demo of a Verlet list: candidate pairs of slowly moving particles are reused for many steps.
fn candidates(answers: &mut Answers) -> Result<Scene, Error> {
    const COUNT: usize = 130;
    const STEPS: usize = 60;
    const RADIUS: f64 = 0.2;
    const SKIN: f64 = 0.25;
    let mut centers = layer(COUNT, 8, [7.0, 4.6, 0.3])?;
    let velocities = layer(COUNT, 9, [0.02, 0.02, 0.0])?;
    let radii = vec![RADIUS; COUNT];
    let mut finder = Candidates::new(PairSettings::default().with_skin(SKIN))?;
    let mut pairs = Vec::new();
    for _ in 0..STEPS {
        for (p, v) in centers.iter_mut().zip(&velocities) {
            *p = [p[0] + v[0] - 0.01, p[1] + v[1] - 0.01, p[2]];
        }
        finder.update((&centers[..], &radii[..]).into())?;
        finder.pairs(&mut pairs)?;
    }
    let (builds, reuses) = (finder.builds(), finder.reuses());
    let details = format!("built {builds}, reused {reuses} times");
    let more = json!({
        "steps": STEPS,
        "candidates": finder.candidates().len(),
        "builds": builds,
        "reuses": reuses,
    });
    let counts = [COUNT, pairs.len()];
    let query = format!("Verlet list, {STEPS} steps");
    answers.add(("candidates", &query), counts, &details, more);

    let mut scene = Scene::default();
    // Particles are drawn smaller, so that the lines between them are visible.
    for &center in &centers {
        scene.add_ball(center, 0.5 * RADIUS, FIRST);
    }
    for pair in finder.candidates() {
        let touch = pairs.binary_search(pair).is_ok();
        let ends = pair.map(|i| centers[i as usize]);
        let (radius, color) = if touch {
            (0.036, TOUCHING)
        } else {
            (0.02, NEAR)
        };
        add_rod(&mut scene, ends, radius, color);
    }
    Ok(scene)
}

/// Adds a thick line, drawn as a row of balls.
fn add_rod(scene: &mut Scene, [from, to]: [[f64; 3]; 2], radius: f64, color: Color) {
    let length = (0..3)
        .map(|k| (to[k] - from[k]).powi(2))
        .sum::<f64>()
        .sqrt();
    let count = (length / (0.5 * radius)).ceil().max(1.0);
    for i in 0..=count as usize {
        let t = i as f64 / count;
        let place = std::array::from_fn(|k| from[k] + t * (to[k] - from[k]));
        scene.add_ball(place, radius, color);
    }
}
