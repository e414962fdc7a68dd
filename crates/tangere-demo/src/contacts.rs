//! Demo of scenes: bodies of every shape that have settled into a heap, and the contacts between them.

use super::section::{Figure, Section};
use crate::Error;
use serde_json::{Map, Value, json};
use std::time::Instant;
use tangere::generate::{self, Random};
use tangere::geometry::Pose;
use tangere::scene::{Body, BodyId, Patches, Scene, SceneSettings, Shape};
use tangere::shape::{ConvexPolyhedron, TriMesh};
use tangere_front::text::{self, Table};
use tangere_render::picture::{self, Background, Color, Picture, View};

const SPHERES: Color = Color([58, 108, 164]);
const BOXES: Color = Color([214, 120, 48]);
const CAPSULES: Color = Color([98, 148, 92]);
const GRAINS: Color = Color([172, 160, 128]);
const CLUMPS: Color = Color([132, 104, 156]);
const MESH: Color = Color([150, 158, 166]);
const CONTACT: Color = Color([196, 40, 30]);
const FLOOR: Color = Color([214, 214, 208]);

/// The direction from the heap to the viewer.
const FRONT: [f64; 3] = [0.35, -1.0, 0.55];
/// The number of bodies that move.
const BODIES: usize = 90;
/// The number of updates in which the heap settles.
const UPDATES: usize = 900;
/// How far bodies sink in an update, at first: it shrinks to nothing, so that they end hardly
/// penetrating.
const SINK: f64 = 0.014;
/// The length of the lines that show normals.
const NORMAL: f64 = 0.16;

/// A shape of the heap, and how it is drawn.
struct Kind {
    name: &'static str,
    color: Color,
    shape: Shape,
    /// Balls around places in the frame of the body, if it consists of them.
    balls: Vec<([f64; 3], f64)>,
    mesh: Option<TriMesh>,
}

fn kinds() -> Result<Vec<Kind>, Error> {
    let hull = generate::hull(20, 3)?;
    let vertices = hull.vertices().iter();
    let vertices: Vec<[f64; 3]> = vertices.map(|v| v.map(|x| 0.3 * x)).collect();
    let grain = TriMesh::new(vertices.clone(), hull.faces().to_vec())?;
    let cuboid = generate::box_mesh([0.5, 0.4, 0.3], [1; 3])?;
    let along = |z: f64| ([0.0, 0.0, z], 0.15);
    let ball = Shape::sphere(0.2)?;
    let ends = [[-0.14, 0.0, 0.0], [0.14, 0.0, 0.0]];
    let parts = ends.map(|end| Pose::from_translation(end).map(|pose| (ball.clone(), pose)));
    let parts = parts.into_iter().collect::<tangere::Result<Vec<_>>>()?;
    Ok(vec![
        Kind {
            name: "spheres",
            color: SPHERES,
            shape: Shape::sphere(0.24)?,
            balls: vec![([0.0; 3], 0.24)],
            mesh: None,
        },
        Kind {
            name: "boxes",
            color: BOXES,
            shape: Shape::cuboid([0.5, 0.4, 0.3])?,
            balls: Vec::new(),
            mesh: Some(cuboid),
        },
        Kind {
            name: "capsules",
            color: CAPSULES,
            shape: Shape::capsule(0.15, 0.4)?,
            balls: (0..41).map(|k| along(0.01 * f64::from(k - 20))).collect(),
            mesh: None,
        },
        Kind {
            name: "convex polyhedra",
            color: GRAINS,
            shape: Shape::convex(ConvexPolyhedron::hull(&vertices)?),
            balls: Vec::new(),
            mesh: Some(grain),
        },
        Kind {
            name: "compounds",
            color: CLUMPS,
            shape: Shape::compound(&parts)?,
            balls: ends.map(|end| (end, 0.2)).to_vec(),
            mesh: None,
        },
    ])
}

/// The heap: its scene, the knot that lies in it, and the id and kind of each body that moves.
struct Heap {
    scene: Scene,
    knot: TriMesh,
    bodies: Vec<(BodyId, usize)>,
}

impl Heap {
    fn new(kinds: &[Kind]) -> Result<Self, Error> {
        let mut scene = Scene::new(SceneSettings::default().with_margin(0.002))?;
        scene.add(Body::new(Shape::half_space([0.0, 0.0, 1.0])?).fixed())?;
        let knot = generate::knot(3000)?;
        let lowest = knot.bounds().min[2];
        let vertices = knot.vertices().iter();
        let vertices: Vec<[f64; 3]> = vertices
            .map(|&[x, y, z]| [0.42 * x, 0.42 * y, 0.42 * (z - lowest)])
            .collect();
        let knot = TriMesh::new(vertices, knot.faces().to_vec())?;
        scene.add(Body::new(Shape::solid(&knot)?).fixed())?;
        let mut random = Random::new(11);
        let mut bodies = Vec::new();
        for i in 0..BODIES {
            let kind = i % kinds.len();
            let mut signed = || 2.0 * random.unit() - 1.0;
            let place = [signed(), signed(), 1.6 + 0.05 * i as f64];
            let turn: [f64; 4] = std::array::from_fn(|_| signed());
            let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
            let ([x, y, z], [w, a, b, c]) = (place, turn.map(|q| q / length));
            let pose = Pose::from_numbers(&[x, y, z, w, a, b, c])?;
            bodies.push((
                scene.add(Body::new(kinds[kind].shape.clone()).at(pose))?,
                kind,
            ));
        }
        Ok(Self {
            scene,
            knot,
            bodies,
        })
    }

    /// Lets all bodies sink, and pushes those that penetrate apart.
    fn settle(&mut self) -> Result<(), Error> {
        let first = self.bodies[0].0;
        let ids: Vec<BodyId> = self.bodies.iter().map(|body| body.0).collect();
        let poses = ids.iter().map(|&id| self.scene.pose(id));
        let mut poses = poses.collect::<tangere::Result<Vec<Pose>>>()?;
        for update in 0..UPDATES {
            let rest = 1.0 - update as f64 / UPDATES as f64;
            let mut moves = vec![[0.0, 0.0, -SINK * rest * rest]; ids.len()];
            for found in self.scene.contacts() {
                let depth = (0.0 - found.contact.gap).max(0.0);
                let is_free = [found.a, found.b].map(|id| id >= first);
                let share = if is_free == [true; 2] { 0.5 } else { 1.0 };
                for (id, sign) in [(found.a, -share), (found.b, share)] {
                    if id >= first {
                        let own = &mut moves[(id - first) as usize];
                        *own = std::array::from_fn(|k| {
                            own[k] + sign * depth * found.contact.normal[k]
                        });
                    }
                }
            }
            for (pose, way) in poses.iter_mut().zip(&moves) {
                let [x, y, z, turn @ ..] = pose.to_numbers();
                let [w, a, b, c] = turn;
                let moved = [x + way[0], y + way[1], z + way[2], w, a, b, c];
                *pose = Pose::from_numbers(&moved)?;
            }
            self.scene.set_poses(&ids, &poses)?;
            self.scene.update()?;
        }
        Ok(())
    }

    /// The floor and the knot, in front of which contacts are drawn.
    fn ground(&self, white: f32) -> Result<picture::Scene, Error> {
        let shade = |color: Color| color.mix(Color([250, 250, 250]), white);
        let mut drawn = picture::Scene::default();
        let floor = generate::box_mesh([5.0, 5.0, 0.02], [1; 3])?;
        drawn.add_mesh(&floor, |[x, y, z]| [x, y, z - 0.011], |_| shade(FLOOR));
        drawn.add_mesh(&self.knot, |p| p, |_| shade(MESH));
        Ok(drawn)
    }

    fn drawn(&self, kinds: &[Kind]) -> Result<picture::Scene, Error> {
        let mut drawn = self.ground(0.0)?;
        for &(id, kind) in &self.bodies {
            let (kind, pose) = (&kinds[kind], self.scene.pose(id)?);
            for &(center, radius) in &kind.balls {
                drawn.add_ball(pose.apply(center), radius, kind.color);
            }
            if let Some(mesh) = &kind.mesh {
                drawn.add_mesh(mesh, |p| pose.apply(p), |_| kind.color);
            }
        }
        Ok(drawn)
    }
}

/// Returns the section of scenes: a heap of bodies of every shape, with contacts and normals.
pub fn section(width: usize) -> Result<Section, Error> {
    let kinds = kinds()?;
    let mut heap = Heap::new(&kinds)?;
    let start = Instant::now();
    heap.settle()?;
    let seconds = start.elapsed().as_secs_f64() / UPDATES as f64;
    if let Some(difference) = heap.scene.verify()?.first() {
        return Err(Error::Failed(format!("scene: {difference}")));
    }
    let mut patches = Patches::default();
    heap.scene.patches(&mut patches);
    let contacts = heap.scene.contacts();
    let first = heap.bodies[0].0;
    let mut rows = Vec::new();
    let mut objects = Map::new();
    for (index, kind) in kinds.iter().enumerate() {
        let is_own = |id: BodyId| {
            let body = id.checked_sub(first).map(|i| heap.bodies[i as usize].1);
            body == Some(index)
        };
        let own = heap.bodies.iter().filter(|body| body.1 == index).count();
        let touched = contacts.iter().filter(|c| is_own(c.a) || is_own(c.b));
        let touched = touched.count();
        rows.push(vec![
            kind.name.into(),
            text::count(own as u64),
            text::count(touched as u64),
        ]);
        objects.insert(
            kind.name.into(),
            json!({ "bodies": own, "contacts": touched }),
        );
    }
    let deepest = contacts.iter().map(|c| c.contact.gap).reduce(f64::min);
    let deepest_text = deepest.map_or("none".into(), text::number);
    let [all, corners] = [contacts.len(), patches.points().len()].map(|n| text::count(n as u64));
    rows.push(vec![
        "all, with floor and knot".into(),
        text::count(heap.scene.len() as u64),
        all,
    ]);
    objects.insert("contacts".into(), contacts.len().into());
    objects.insert("corners".into(), patches.points().len().into());
    objects.insert("deepest_gap".into(), json!(deepest));
    let hash = format!("{:016x}", heap.scene.state_hash());
    objects.insert("state_hash".into(), hash.into());
    objects.insert("seconds".into(), seconds.into());
    let view = View {
        toward: FRONT,
        size: [width, width * 11 / 20],
        margin: 0.05,
        ground: true,
        background: Background::Transparent,
    };
    let heap_picture = Picture::of(&heap.drawn(&kinds)?, &view);
    let mut shown = heap.ground(0.6)?;
    for corner in patches.points() {
        shown.add_ball(corner.point_b, 0.03, CONTACT);
    }
    for found in contacts {
        let (at, n) = (found.contact.point_b, found.contact.normal);
        let end = |sign: f64| std::array::from_fn(|k| at[k] + sign * NORMAL * n[k]);
        shown.add_line([end(-1.0), end(1.0)], CONTACT);
    }
    Ok(Section {
        name: "scene",
        title: "Scene: bodies of every shape, one contact record",
        explanation: format!(
            "Spheres, boxes, capsules, polyhedra and compounds sank onto a floor and a knot, a solid mesh, without turning, pushed \
             apart by their contacts in {UPDATES} updates; the deepest gap is {deepest_text}. In the table a contact counts for both of \
             its bodies. Every contact has an identity that lasts, a normal, a gap with its bounds, \
             features and a patch; brute force over all pairs and triangles finds the same ones ({corners} corners)."
        ),
        figures: vec![
            Figure {
                picture: heap_picture,
                caption: "The heap".into(),
            },
            Figure {
                picture: Picture::of(&shown, &view),
                caption:
                    "Its contacts without the bodies: corners of patches, and lines along normals"
                        .into(),
            },
        ],
        table: Table {
            head: vec!["bodies", "count", "contacts"],
            rows,
        },
        json: Value::Object(objects),
        cell_data: Vec::new(),
    })
}
