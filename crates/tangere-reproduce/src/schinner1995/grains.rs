//! Convex grains in motion in one scene: the system of `schinner1995`.
//!
//! Grains lie at the points of a lattice in a periodic cell or in open space, displaced and turned at random, are pushed apart until they
//! hardly penetrate, and then move and turn a little at random in every step. Whatever their number of faces, they are scaled to the same excluded volume,
//! so that about as many of them touch.

use crate::timing::cpu_seconds;
use tangere::generate::{self, Random};
use tangere::geometry::Pose;
use tangere::nalgebra::Vector3;
use tangere::pairs::Periodic;
use tangere::scene::{Body, BodyId, Scene, SceneSettings, Shape};
use tangere::shape::ConvexPolyhedron;

/// The distance of neighbouring points of the lattice.
const SPACING: f64 = 0.66;

/// The excluded volume of grains, with which each touches about three others.
const EXCLUDED: f64 = 1.2;

/// The number of rounds in which grains are pushed apart.
const ROUNDS: usize = 60;

/// The largest change of a number of a pose in a step.
const STEP: f64 = 5e-4;

/// Convex grains of one shape, in motion.
pub struct MovingGrains {
    scene: Scene,
    ids: Vec<BodyId>,
    numbers: Vec<[f64; 7]>,
    poses: Vec<Pose>,
    random: Random,
}

impl MovingGrains {
    /// Makes `count` grains of `faces` faces in a periodic cell, so that each touches as many others,
    /// whatever their number.
    ///
    /// # Errors
    /// When the library refuses a shape or a pose.
    pub fn new(count: usize, faces: usize) -> tangere::Result<Self> {
        let edges = lattice(count).map(|n| SPACING * n as f64);
        let cell = Periodic::new(edges)?;
        Self::in_space(count, faces, SceneSettings::default().with_periodic(cell))
    }

    /// Makes `count` grains of `faces` faces in open space. Of few of them, many are at the border and
    /// touch fewer others.
    ///
    /// # Errors
    /// When the library refuses a shape or a pose.
    pub fn open(count: usize, faces: usize) -> tangere::Result<Self> {
        Self::in_space(count, faces, SceneSettings::default())
    }

    fn in_space(count: usize, faces: usize, settings: SceneSettings) -> tangere::Result<Self> {
        let mesh = generate::hull(faces, 1)?;
        let unscaled = ConvexPolyhedron::hull(mesh.vertices())?;
        let factor = (EXCLUDED / excluded_volume(&unscaled)).cbrt();
        let vertices = unscaled.vertices().iter();
        let vertices: Vec<[f64; 3]> = vertices.map(|v| v.map(|x| factor * x)).collect();
        let shape = Shape::convex(ConvexPolyhedron::hull(&vertices)?);
        let mut random = Random::new(5);
        let [wide, deep, _] = lattice(count);
        let mut scene = Scene::new(settings)?;
        let (mut ids, mut numbers, mut poses) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..count {
            let cell = [i % wide, i / wide % deep, i / (wide * deep)];
            let [x, y, z] = cell.map(|k| SPACING * k as f64 + 0.05 * signed(&mut random));
            let turn: [f64; 4] = std::array::from_fn(|_| signed(&mut random));
            let [w, a, b, c] = normalised(turn);
            let own = [x, y, z, w, a, b, c];
            let pose = Pose::from_numbers(&own)?;
            ids.push(scene.add(Body::new(shape.clone()).at(pose))?);
            numbers.push(own);
            poses.push(pose);
        }
        let mut grains = Self {
            scene,
            ids,
            numbers,
            poses,
            random,
        };
        for _ in 0..ROUNDS {
            grains.push_apart()?;
        }
        Ok(grains)
    }

    /// Moves both grains of each contact by half its depth.
    fn push_apart(&mut self) -> tangere::Result<()> {
        self.scene.update()?;
        // Ids are counted from 0.
        for found in self.scene.contacts() {
            let half = 0.5 * (0.0 - found.contact.gap).max(0.0);
            for (id, sign) in [(found.a, -1.0), (found.b, 1.0)] {
                let numbers = &mut self.numbers[id as usize];
                for k in 0..3 {
                    numbers[k] += sign * half * found.contact.normal[k];
                }
            }
        }
        self.place()
    }

    /// Sets the poses of all grains from their numbers.
    fn place(&mut self) -> tangere::Result<()> {
        for (numbers, pose) in self.numbers.iter().zip(&mut self.poses) {
            *pose = Pose::from_numbers(numbers)?;
        }
        self.scene.set_poses(&self.ids, &self.poses)
    }

    /// Moves all grains and finds their contacts. Returns the CPU seconds of this thread that the scene
    /// takes for it.
    ///
    /// # Errors
    /// When the library refuses a pose.
    pub fn advance(&mut self) -> tangere::Result<f64> {
        for (numbers, pose) in self.numbers.iter_mut().zip(&mut self.poses) {
            for x in &mut *numbers {
                *x += STEP * signed(&mut self.random);
            }
            let [x, y, z, turn @ ..] = *numbers;
            let [w, a, b, c] = normalised(turn);
            *numbers = [x, y, z, w, a, b, c];
            *pose = Pose::from_numbers(numbers)?;
        }
        let start = cpu_seconds();
        self.scene.set_poses(&self.ids, &self.poses)?;
        self.scene.update()?;
        Ok(cpu_seconds() - start)
    }

    /// The number of grains.
    pub fn count(&self) -> usize {
        self.ids.len()
    }

    /// The number of contacts of the last step.
    pub fn contacts(&self) -> usize {
        self.scene.contacts().len()
    }
}

/// The edges of a lattice of exactly `count` points that is nearly a cube.
fn lattice(count: usize) -> [usize; 3] {
    let divisor = |n: usize, most: f64| {
        let most = (most + 1e-9).floor() as usize;
        (1..=most.max(1))
            .rev()
            .find(|d| n.is_multiple_of(*d))
            .unwrap_or(1)
    };
    let wide = divisor(count, (count as f64).cbrt());
    let rest = count / wide;
    let deep = divisor(rest, (rest as f64).sqrt());
    [wide, deep, rest / deep]
}

fn signed(random: &mut Random) -> f64 {
    2.0 * random.unit() - 1.0
}

fn normalised(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    match length > 0.1 {
        true => q.map(|x| x / length),
        false => [1.0, 0.0, 0.0, 0.0],
    }
}

/// The volume in which the centre of a second grain lies that touches a first one, both turned at
/// random: `2 V + S M / (2 pi)` with volume `V`, surface `S` and integral mean curvature `M`, half the
/// sum of the lengths of all edges times their exterior angles (Blaschke).
fn excluded_volume(hull: &ConvexPolyhedron) -> f64 {
    let vertex = |v: u32| Vector3::from(hull.vertex(v));
    let mut surface = 0.0;
    for face in 0..hull.face_count() as u32 {
        let corners: Vec<Vector3<f64>> = hull.face_vertices(face).map(vertex).collect();
        for k in 1..corners.len() - 1 {
            let [p, q, r] = [corners[0], corners[k], corners[k + 1]];
            surface += 0.5 * (q - p).cross(&(r - p)).norm();
        }
    }
    let mut curvature = 0.0;
    for edge in 0..hull.edge_count() as u32 {
        let [p, q] = hull.edge_vertices(edge).map(vertex);
        let normals = hull.edge_faces(edge).map(|face| hull.normal(face));
        let [m, n] = normals.map(Vector3::from);
        let angle = m.cross(&n).norm().atan2(m.dot(&n));
        curvature += 0.5 * angle * (q - p).norm();
    }
    2.0 * hull.mass_properties().volume + surface * curvature / std::f64::consts::TAU
}
