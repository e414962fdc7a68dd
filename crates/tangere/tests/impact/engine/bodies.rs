//! Random moving bodies for tests, and their positions at a time, by code independent of the
//! engine.

use nalgebra::{UnitQuaternion, Vector3};
use std::collections::BTreeSet;
use std::f64::consts::TAU;
use tangere::contact::{Feature, FeatureKind};
use tangere::generate;
use tangere::geometry::Pose;
use tangere::impact::hierarchy::HierarchySettings;
use tangere::impact::{Body, BodyShape, RigidMotion};
use tangere::shape::TriMesh;
use test_support::Random;

/// Random vectors and rotations.
pub trait Spatial {
    /// A vector in a cube.
    fn offset(&mut self, size: f64) -> Vector3<f64>;

    /// A unit vector.
    fn axis(&mut self) -> Vector3<f64>;

    /// A rotation by up to a little more than half a turn.
    fn rotation(&mut self) -> UnitQuaternion<f64>;
}

impl Spatial for Random {
    fn offset(&mut self, size: f64) -> Vector3<f64> {
        self.vector(size).into()
    }

    fn axis(&mut self) -> Vector3<f64> {
        self.direction().into()
    }

    fn rotation(&mut self) -> UnitQuaternion<f64> {
        let turn = self.axis() * self.between(0.0, 3.2);
        UnitQuaternion::from_scaled_axis(turn)
    }
}

/// A body: its surface, and its motion from time 0 on.
#[derive(Clone, Debug)]
pub struct Thing {
    pub points: Vec<[f64; 3]>,
    pub faces: Vec<[u32; 3]>,
    pub radius: f64,
    pub rotation: UnitQuaternion<f64>,
    pub place: Vector3<f64>,
    pub velocity: Vector3<f64>,
    pub spin: Vector3<f64>,
    pub acceleration: Vector3<f64>,
    pub center: Vector3<f64>,
}

impl Thing {
    pub fn new(points: Vec<[f64; 3]>, faces: Vec<[u32; 3]>) -> Self {
        Thing {
            points,
            faces,
            radius: 0.0,
            rotation: UnitQuaternion::identity(),
            place: Vector3::zeros(),
            velocity: Vector3::zeros(),
            spin: Vector3::zeros(),
            acceleration: Vector3::zeros(),
            center: Vector3::zeros(),
        }
    }

    pub fn of_mesh(mesh: &TriMesh) -> Self {
        Self::new(mesh.vertices().to_vec(), mesh.faces().to_vec())
    }

    pub fn ball(radius: f64) -> Self {
        Thing {
            radius,
            ..Self::new(vec![[0.0; 3]], vec![[0; 3]])
        }
    }

    pub fn scaled(mut self, by: f64) -> Self {
        for p in &mut self.points {
            *p = p.map(|x| x * by);
        }
        self.radius *= by;
        self
    }

    /// The mean of the points of the body, and their largest distance from it.
    pub fn extent(&self) -> (Vector3<f64>, f64) {
        let points = || self.points.iter().map(|&p| Vector3::from(p));
        let middle = points().sum::<Vector3<f64>>() / self.points.len() as f64;
        let far = points().map(|p| (p - middle).norm()).fold(0.0, f64::max);
        (middle, far + self.radius)
    }

    /// The vertices of the body at a time.
    pub fn at(&self, time: f64) -> Vec<Vector3<f64>> {
        let turn = UnitQuaternion::from_scaled_axis(self.spin * time) * self.rotation;
        let center = self.rotation * self.center + self.place;
        let center = center + self.velocity * time + self.acceleration * (0.5 * time * time);
        let moved = |&p: &[f64; 3]| center + turn * (Vector3::from(p) - self.center);
        self.points.iter().map(moved).collect()
    }

    /// Upper bound of the speed of any point up to a time.
    pub fn speed(&self, until: f64) -> f64 {
        let arm = |&p: &[f64; 3]| (Vector3::from(p) - self.center).norm();
        let arm = self.points.iter().map(arm).fold(0.0, f64::max);
        let linear = self.velocity.norm() + self.acceleration.norm() * until;
        linear + self.spin.norm() * arm
    }

    pub fn motion(&self) -> RigidMotion {
        let pose = Pose::new(self.rotation, self.place.into()).expect("finite");
        let (v, w, a) = (self.velocity, self.spin, self.acceleration);
        let motion = RigidMotion::new(pose, v.into(), w.into(), a.into()).expect("finite");
        motion.about(self.center.into()).expect("finite")
    }

    pub fn shape(&self, settings: &HierarchySettings) -> BodyShape {
        if self.radius > 0.0 {
            return BodyShape::ball(self.radius).expect("positive");
        }
        let mesh = TriMesh::new(self.points.clone(), self.faces.clone()).expect("valid");
        BodyShape::with_hierarchy(mesh, settings).expect("few faces")
    }

    pub fn body(&self) -> Body {
        // Two children a node: the most steps of a search.
        let binary = HierarchySettings::default().with_branching(2);
        Body::new(self.shape(&binary), self.motion())
    }
}

/// The corners of a feature.
pub fn corners(thing: &Thing, feature: Feature) -> Vec<u32> {
    let index = feature.index as usize;
    match feature.kind {
        FeatureKind::Vertex => vec![feature.index],
        FeatureKind::Face => thing.faces[index].to_vec(),
        FeatureKind::Edge => {
            let sides = thing
                .faces
                .iter()
                .flat_map(|f| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]]);
            let edges: BTreeSet<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
            edges.into_iter().nth(index).expect("sound").to_vec()
        }
    }
}

/// A flat rectangle about the origin, of `2 nx ny` faces.
pub fn plate(divisions: [u32; 2], half: [f64; 2]) -> Thing {
    let size = half.map(|x| 2.0 * x);
    Thing::of_mesh(&generate::plate(size, divisions).expect("small"))
}

/// A cube about the origin, of twelve faces.
pub fn cube(half: f64) -> Thing {
    Thing::of_mesh(&generate::box_mesh([2.0; 3], [1; 3]).expect("small")).scaled(half)
}

/// A shape of about size 1.
pub fn shape(n: &mut Random) -> Thing {
    match n.below(9) {
        0 => Thing::of_mesh(&generate::knot(100 + 2 * n.below(40)).expect("many")).scaled(0.3),
        1 => Thing::of_mesh(&generate::sphere(n.below(3) as u32).expect("small")),
        2 => Thing::of_mesh(&generate::sponge(1).expect("small")).scaled(0.4),
        3 => plate([1 + n.below(5) as u32, 1 + n.below(5) as u32], [1.5, 1.2]),
        4 => {
            let corners = [(); 3].map(|()| n.offset(1.0).into());
            Thing::new(corners.to_vec(), vec![[0, 1, 2]])
        }
        5 => Thing::ball(n.between(0.2, 1.0)),
        6 => cube(0.7),
        _ => Thing::of_mesh(&generate::hull(4 + 2 * n.below(29), n.bits()).expect("even")),
    }
}

/// Bodies thrown at each other, rotating in flight; contact is likely within time 1.
pub fn scene(n: &mut Random, count: usize) -> Vec<Thing> {
    let scale = match n.below(4) {
        0 => 10.0_f64.powf(n.between(-3.0, 3.0)),
        _ => 1.0,
    };
    let gravity = n.offset(4.0);
    let mut things: Vec<Thing> = Vec::new();
    for _ in 0..count {
        let mut thing = shape(n);
        let (middle, far) = thing.extent();
        thing.rotation = n.rotation();
        // To a point near the origin, which it reaches at about time 0.7.
        let from = n.axis() * n.between(1.0, 8.0);
        thing.place = from - thing.rotation * middle;
        thing.velocity = match n.below(6) {
            0 => Vector3::zeros(),
            _ => (n.offset(0.8) - from) / 0.7,
        };
        if !n.chance(1, 4) {
            let turns = match n.below(4) {
                0 => n.between(4.0, 30.0),
                _ => n.between(0.0, 3.0),
            };
            thing.spin = n.axis() * (TAU * turns);
            thing.center = match n.below(4) {
                0 => middle + n.axis() * n.between(0.0, 3.0 * far),
                1 => Vector3::zeros(),
                _ => middle,
            };
        }
        thing.acceleration = match n.below(4) {
            0 => n.offset(6.0),
            1 => gravity,
            _ => Vector3::zeros(),
        };
        thing = thing.scaled(scale);
        for v in [
            &mut thing.place,
            &mut thing.velocity,
            &mut thing.acceleration,
        ] {
            *v *= scale;
        }
        thing.center *= scale;
        things.push(thing);
    }
    things
}
