//! Demo of `impact`: continuous collision detection of moving bodies.

use super::scene::front;
use super::section::{Figure, Section};
use crate::Error;
use serde_json::{Value, json};
use std::time::Instant;
use tangere::generate;
use tangere::geometry::{Pose, Similarity};
use tangere::impact::{
    Body, BodyShape, Certificate, EngineSettings, ImpactContact, ImpactEngine, RigidMotion,
};
use tangere::shape::TriMesh;
use tangere_front::text::{self, Table};
use tangere_render::picture::{Color, Picture, Scene, View};

/// End time of the search for contacts, in seconds.
const UNTIL: f64 = 4.0;
const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];
/// Number of intervals between the dots that show the trajectory of a body.
const DOTS: usize = 16;

const FLOOR: Color = Color([196, 190, 178]);
const PALE: Color = Color([226, 229, 233]);
const PATH: Color = Color([150, 156, 163]);
const TOUCH: Color = Color([206, 48, 36]);

/// A body that is thrown: its name, surface, initial motion and colour.
struct Thrown {
    name: &'static str,
    mesh: TriMesh,
    motion: RigidMotion,
    color: Color,
    /// The radius of the thrown body if it is a ball, which the engine treats as an exact sphere.
    /// `None` for a body given by its mesh.
    radius: Option<f64>,
}

impl Thrown {
    fn new(
        name: &'static str,
        mesh: TriMesh,
        color: [u8; 3],
        place: [f64; 3],
        velocity: [f64; 3],
        spin: [f64; 3],
    ) -> tangere::Result<Self> {
        let pose = Pose::from_translation(place)?;
        Ok(Self {
            name,
            mesh,
            motion: RigidMotion::new(pose, velocity, spin, GRAVITY)?,
            color: Color(color),
            radius: None,
        })
    }

    fn body(&self) -> tangere::Result<Body> {
        let shape = match self.radius {
            Some(radius) => BodyShape::ball(radius)?,
            None => BodyShape::of_mesh(self.mesh.clone())?,
        };
        Ok(Body::new(shape, self.motion))
    }

    fn add_at(&self, scene: &mut Scene, time: f64, color: Color) -> tangere::Result<()> {
        let pose = self.motion.after(time)?.pose();
        match self.radius {
            Some(radius) => scene.add_ball(pose.translation(), radius, color),
            None => scene.add_mesh(&self.mesh, |p| pose.apply(p), |_| color),
        }
        Ok(())
    }
}

/// Returns a mesh scaled by `scale` and moved so that the centre of its bounding box is the origin.
fn scaled(mesh: TriMesh, scale: f64) -> tangere::Result<TriMesh> {
    let middle = mesh.bounds().center().map(|x| -scale * x);
    mesh.transformed(&Similarity::new(scale, Pose::from_translation(middle)?)?)
}

fn bodies() -> tangere::Result<Vec<Thrown>> {
    let mut floor = Thrown::new(
        "floor",
        generate::box_mesh([13.0, 7.0, 0.2], [1; 3])?,
        FLOOR.0,
        [0.0; 3],
        [0.0; 3],
        [0.0; 3],
    )?;
    floor.motion = RigidMotion::at_rest(Pose::from_translation([0.0, 0.0, -0.1])?);
    let mut ball = Thrown::new(
        "ball",
        generate::sphere(3)?,
        [86, 140, 134],
        [4.4, -1.6, 2.4],
        [-1.6, 0.2, 3.0],
        [0.0; 3],
    )?;
    ball.radius = Some(0.45);
    Ok(vec![
        floor,
        Thrown::new(
            "brick",
            generate::box_mesh([1.4, 0.7, 0.45], [1; 3])?,
            [186, 84, 78],
            [-5.0, 0.0, 1.2],
            [4.0, 0.0, 6.0],
            [3.0, -1.0, 0.5],
        )?,
        Thrown::new(
            "hull",
            scaled(generate::hull(920, 1)?, 0.8)?,
            [94, 120, 168],
            [2.6, 0.3, 1.6],
            [-2.4, 0.0, 6.2],
            [0.0, 4.0, 2.0],
        )?,
        Thrown::new(
            "knot",
            scaled(generate::knot(20_000)?, 0.28)?,
            [214, 164, 72],
            [0.4, 2.2, 3.2],
            [1.2, -0.6, 1.0],
            [1.0, 2.0, 3.0],
        )?,
        Thrown::new(
            "sponge",
            scaled(generate::sponge(2)?, 0.13)?,
            [132, 110, 156],
            [-3.6, -1.9, 2.2],
            [0.8, 0.2, 2.0],
            [-2.0, 0.0, 4.0],
        )?,
        ball,
    ])
}

/// Finds the first contact of each pair of bodies. Contacts do not change the motion: bodies
/// continue through each other.
fn contacts(engine: &mut ImpactEngine) -> tangere::Result<Vec<ImpactContact>> {
    let mut contacts = Vec::new();
    while let Some(impact) = engine.next_contact(UNTIL)? {
        if impact.certificate == Certificate::Unresolved {
            break;
        }
        for contact in &impact.contacts {
            engine.ignore(contact.a as usize, contact.b as usize)?;
        }
        contacts.extend(impact.contacts);
    }
    Ok(contacts)
}

/// Returns the section of `impact`: thrown bodies and their first contacts.
pub fn section(width: usize) -> Result<Section, Error> {
    let thrown = bodies()?;
    let made = thrown.iter().map(Thrown::body);
    let mut engine = ImpactEngine::with_bodies(
        made.collect::<tangere::Result<_>>()?,
        &EngineSettings::default(),
    )?;
    let start = Instant::now();
    let contacts = contacts(&mut engine)?;
    let seconds = start.elapsed().as_secs_f64();
    let name = |body: u32| thrown[body as usize].name;
    let row = |c: &ImpactContact| {
        let place = c.point_a.map(|x| format!("{x:.3}")).join(", ");
        vec![
            format!("{} and {}", name(c.a), name(c.b)),
            format!("{:.12} s", c.early),
            format!("{:.0e} s", c.late - c.early),
            c.certificate.name().to_owned(),
            format!("{} and {}", c.feature_a, c.feature_b),
            place,
        ]
    };
    let event = |c: &ImpactContact| {
        json!({
            "a": name(c.a),
            "b": name(c.b),
            "early": c.early,
            "late": Some(c.late).filter(|x| x.is_finite()),
            "certificate": c.certificate.name(),
            "point": c.point_a,
            "normal": c.normal,
        })
    };
    let counts = engine.counts();
    Ok(Section {
        name: "impact",
        title: "Time of impact",
        explanation: format!(
            "Continuous collision detection: bodies fly, fall and spin. The engine reports the first \
             contact of each pair, its place, and lower and upper bounds of the time of impact that differ \
             only by rounding. There are no time steps, so no contact is missed between them. All {} \
             contacts until {UNTIL} s took {}: {} pairs of bodies predicted, {} pairs of bounding volumes \
             and {} pairs of faces tested.",
            contacts.len(),
            text::seconds(seconds),
            text::count(counts.trajectory),
            text::count(counts.volume),
            text::count(counts.primitive),
        ),
        figures: vec![
            flights(&thrown, &contacts, width)?,
            touching(&thrown, &contacts, width)?,
        ],
        table: Table {
            head: vec!["bodies", "time", "bounds", "certificate", "features", "at"],
            rows: contacts.iter().map(row).collect(),
        },
        json: json!({
            "bodies": thrown.iter().map(|t| t.name).collect::<Vec<_>>(),
            "until": UNTIL,
            "events": contacts.iter().map(event).collect::<Vec<Value>>(),
            "counts": {
                "trajectory": counts.trajectory,
                "update": counts.update,
                "volume": counts.volume,
                "primitive": counts.primitive,
            },
            "seconds": seconds,
        }),
        cell_data: Vec::new(),
    })
}

/// Draws each body at its start and at its first contact, with its trajectory between the two.
fn flights(thrown: &[Thrown], contacts: &[ImpactContact], width: usize) -> Result<Figure, Error> {
    let mut scene = Scene::default();
    for (i, body) in thrown.iter().enumerate() {
        let of_body = |c: &&ImpactContact| [c.a as usize, c.b as usize].contains(&i);
        // The floor is fixed.
        if i == 0 {
            body.add_at(&mut scene, 0.0, body.color)?;
            continue;
        }
        let Some(contact) = contacts.iter().find(of_body) else {
            body.add_at(&mut scene, 0.0, body.color)?;
            continue;
        };
        body.add_at(&mut scene, 0.0, body.color.mix(PALE, 0.75))?;
        body.add_at(&mut scene, contact.early, body.color)?;
        for dot in 0..=DOTS {
            let time = contact.early * dot as f64 / DOTS as f64;
            let place = body.motion.after(time)?.pose().translation();
            scene.add_ball(place, 0.04, PATH);
        }
        scene.add_ball(contact.point_a, 0.1, TOUCH);
    }
    Ok(Figure {
        picture: Picture::of(&scene, &view([width, width * 9 / 20])),
        caption: "Bodies at their start (pale) and at their first contact (red)".into(),
    })
}

/// Draws a close-up of the first contact of two bodies of which neither is the floor.
fn touching(thrown: &[Thrown], contacts: &[ImpactContact], width: usize) -> Result<Figure, Error> {
    let mut scene = Scene::default();
    let mut caption = "No bodies touch in the air".to_owned();
    if let Some(contact) = contacts.iter().find(|c| c.a > 0) {
        let pair = [contact.a, contact.b].map(|i| &thrown[i as usize]);
        for body in pair {
            body.add_at(&mut scene, contact.early, body.color)?;
        }
        scene.add_ball(contact.point_a, 0.05, TOUCH);
        caption = format!(
            "{} and {} at {:.12} s: {} touches {}",
            pair[0].name, pair[1].name, contact.early, contact.feature_a, contact.feature_b,
        );
    }
    Ok(Figure {
        picture: Picture::of(&scene, &view([width / 2, width * 2 / 5])),
        caption,
    })
}

fn view(size: [usize; 2]) -> View {
    front(size, 0.05, false)
}
