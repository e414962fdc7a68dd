//! Demo of `closest`: distance and penetration depth of two rotating convex bodies.

use super::scene::front;
use super::section::{Figure, Section};
use crate::Error;
use serde_json::{Map, Value, json};
use std::time::Instant;
use tangere::closest::{Counts, Tracker, certificate};
use tangere::contact::{Contact, Feature, FeatureKind};
use tangere::generate;
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;
use tangere_front::text::{self, Table};
use tangere_render::picture::{Background, Color, Picture, Scene, View};

/// Numbers of faces of the convex bodies: one motion is computed for each number.
const FACES: [usize; 4] = [20, 100, 920, 10_000];
/// Number of faces of the convex bodies that are shown in pictures.
const SHOWN: usize = 100;
/// Number of steps of the motion of the two bodies, and the rotation angle of a step in radians.
const STEPS: usize = 4000;
const ANGLE: f64 = 0.002;
/// Number of repetitions of each motion; the minimum time is reported.
const REPEATS: usize = 3;
/// Interval of the verification, in steps of the motion: at every step whose index is a multiple of
/// it, the distance or depth is proven by its certificate.
const PROVEN: usize = 40;

const FIRST: Color = Color([94, 120, 168]);
const SECOND: Color = Color([196, 96, 54]);
const NEAREST: Color = Color([240, 188, 64]);
const ZERO: Color = Color([150, 156, 163]);
/// Colours of the curve that shows the gap of the two bodies over time. The curve changes to the
/// next colour whenever the closest features change.
const TURNS: [Color; 3] = [
    Color([47, 102, 144]),
    Color([214, 164, 72]),
    Color([86, 140, 134]),
];

/// A motion of two bodies of the same shape, with the contact at each step.
struct Motion {
    shape: ConvexPolyhedron,
    poses: Vec<[Pose; 2]>,
    contacts: Vec<Contact>,
    counts: Counts,
    seconds: f64,
}

impl Motion {
    /// Moves two bodies of `faces` faces each and computes their contact at all steps.
    fn new(faces: usize) -> Result<Self, Error> {
        let shape = ConvexPolyhedron::from_mesh(&generate::hull(faces, 1)?)?;
        let step = |k: usize| {
            let angle = ANGLE * k as f64;
            // The body moves to the right and toward the viewer, approaches twice and penetrates
            // once.
            let apart = 1.75 + 0.6 * (1.5 * angle).cos();
            let there = [0.8 * apart, -0.6 * apart, 0.0];
            let [half, other] = [0.5 * angle, -0.35 * angle];
            let here = [0.0, 0.0, 0.0, half.cos(), 0.0, 0.0, half.sin()];
            let [tx, ty, tz] = there;
            let there = [tx, ty, tz, other.cos(), 0.0, other.sin(), 0.0];
            Ok([Pose::from_numbers(&here)?, Pose::from_numbers(&there)?])
        };
        let poses: Vec<[Pose; 2]> = (0..STEPS).map(step).collect::<Result<_, Error>>()?;
        let (mut tracker, mut contacts) = (Tracker::new(), Vec::new());
        let mut seconds = f64::INFINITY;
        for _ in 0..REPEATS {
            tracker = Tracker::new();
            contacts.clear();
            let start = Instant::now();
            contacts.extend(
                poses
                    .iter()
                    .map(|[here, there]| tracker.contact(&shape, here, &shape, there)),
            );
            seconds = seconds.min(start.elapsed().as_secs_f64());
        }
        let motion = Motion {
            counts: tracker.counts(),
            shape,
            poses,
            contacts,
            seconds,
        };
        motion.prove()?;
        Ok(motion)
    }

    fn prove(&self) -> Result<(), Error> {
        let shape = &self.shape;
        let steps = self.poses.iter().zip(&self.contacts);
        for ([here, there], contact) in steps.step_by(PROVEN) {
            certificate(shape, here, shape, there, contact)
                .map_err(|violation| Error::Failed(format!("closest: {violation}")))?;
        }
        Ok(())
    }

    fn gaps(&self) -> impl Iterator<Item = f64> + Clone + '_ {
        self.contacts.iter().map(|contact| contact.gap)
    }

    /// Returns the number of steps at which the pair of closest features differs from that of the
    /// previous step.
    fn changes(&self) -> usize {
        let features = |c: &Contact| [c.feature_a, c.feature_b];
        let steps = self.contacts.windows(2);
        steps.filter(|c| features(&c[0]) != features(&c[1])).count()
    }
}

/// Returns the section of `closest`: the motion of two convex bodies, for increasing numbers of
/// faces.
pub fn section(width: usize) -> Result<Section, Error> {
    let mut rows = Vec::new();
    let mut objects = Map::new();
    let mut figures = Vec::new();
    for faces in FACES {
        let motion = Motion::new(faces)?;
        let least = motion.gaps().fold(f64::INFINITY, f64::min);
        let most = motion.gaps().fold(f64::NEG_INFINITY, f64::max);
        let Counts { queries, steps, .. } = motion.counts;
        let share = 100.0 * steps[0] as f64 / queries as f64;
        rows.push(vec![
            text::count(faces as u64),
            text::count(queries),
            text::number((1e4 * least).round() / 1e4),
            text::number((1e4 * most).round() / 1e4),
            text::count(motion.changes() as u64),
            format!("{share:.1}%"),
            format!("{:.0} ns", 1e9 * motion.seconds / queries as f64),
        ]);
        objects.insert(
            faces.to_string(),
            json!({
                "queries": queries,
                "gap": { "least": least, "most": most },
                "changes": motion.changes(),
                "steps": steps,
                "restarts": motion.counts.restarts,
                "seconds": motion.seconds,
            }),
        );
        if faces == SHOWN {
            figures = pictures(&motion, width)?;
        }
    }
    Ok(Section {
        name: "closest",
        title: "Distance and penetration depth",
        explanation: "Two convex bodies of the same shape rotate about different axes, approach, \
            penetrate and separate again. Tracker updates the closest features from step to step: \
            while they stay the same, a query takes the same time for any number of faces. Every \
            fortieth answer is verified by its certificate, independently of the search."
            .into(),
        figures,
        table: Table {
            head: vec![
                "faces",
                "queries",
                "least gap",
                "largest gap",
                "feature changes",
                "in one step",
                "time per query",
            ],
            rows,
        },
        json: Value::Object(objects),
        cell_data: Vec::new(),
    })
}

/// Draws the bodies at three steps (separated, touching, penetrating), and the gap over time.
fn pictures(motion: &Motion, width: usize) -> Result<Vec<Figure>, Error> {
    let nearest_to = |wanted: f64| {
        let off = |i: &usize| (motion.contacts[*i].gap - wanted).abs();
        let steps = 0..motion.contacts.len();
        steps.min_by(|i, j| off(i).total_cmp(&off(j))).unwrap_or(0)
    };
    let moments = [
        (0.4, "Separated: the line between the closest points"),
        (0.0, "Almost touching"),
        (
            -0.15,
            "Penetrating: the penetration depth along the contact normal",
        ),
    ];
    let mut figures = Vec::new();
    for (gap, caption) in moments {
        figures.push(Figure {
            picture: moment(motion, nearest_to(gap), width)?,
            caption: caption.into(),
        });
    }
    figures.push(Figure {
        picture: curve(motion, width),
        caption: "The gap over time, negative in penetration (below the line); the colour changes \
            with the closest features"
            .into(),
    });
    Ok(figures)
}

/// Draws the two bodies at a step, one solid and one as wireframe, with their closest points and
/// features.
fn moment(motion: &Motion, step: usize, width: usize) -> Result<Picture, Error> {
    let shape = &motion.shape;
    let [here, there] = &motion.poses[step];
    let contact = &motion.contacts[step];
    let mut scene = Scene::default();
    scene.add_mesh(&shape.to_mesh()?, |p| here.apply(p), |_| FIRST);
    let edge = |e: u32, pose: &Pose| shape.edge_vertices(e).map(|v| pose.apply(shape.vertex(v)));
    for e in 0..shape.edge_count() as u32 {
        scene.add_line(edge(e, there), SECOND);
    }
    let mark = |scene: &mut Scene, feature: Feature, pose: &Pose| {
        let edges: Vec<u32> = match feature.kind {
            FeatureKind::Vertex => Vec::new(),
            FeatureKind::Edge => vec![feature.index],
            FeatureKind::Face => {
                let half_edges = shape.face(feature.index);
                half_edges.map(|h| shape.half_edge(h).edge).collect()
            }
        };
        for e in edges {
            scene.add_line(edge(e, pose), NEAREST);
        }
    };
    mark(&mut scene, contact.feature_a, here);
    mark(&mut scene, contact.feature_b, there);
    for point in [contact.point_a, contact.point_b] {
        scene.add_ball(point, 0.045, NEAREST);
    }
    scene.add_line([contact.point_a, contact.point_b], NEAREST);
    let view = front([width * 2 / 5, width / 3], 0.08, false);
    Ok(Picture::of(&scene, &view))
}

/// Draws the gap of the two bodies over time.
fn curve(motion: &Motion, width: usize) -> Picture {
    const LENGTH: f64 = 2.4;
    const EVERY: usize = 8;
    let mut scene = Scene::default();
    let place = |step: usize, gap: f64| {
        let right = LENGTH * step as f64 / motion.contacts.len() as f64;
        [right, 0.0, 1.4 * gap]
    };
    let (mut features, mut turn) = (None, 0);
    for (i, contact) in motion.contacts.iter().enumerate() {
        let now = Some([contact.feature_a, contact.feature_b]);
        if now != features {
            (features, turn) = (now, (turn + 1) % TURNS.len());
        }
        if i % EVERY == 0 {
            scene.add_ball(place(i, contact.gap), 0.012, TURNS[turn]);
        }
    }
    scene.add_line([place(0, 0.0), place(motion.contacts.len(), 0.0)], ZERO);
    let view = View {
        toward: [0.0, -1.0, 0.0],
        size: [width * 2 / 5, width / 3],
        margin: 0.08,
        ground: false,
        background: Background::Transparent,
    };
    Picture::of(&scene, &view)
}
