//! Benchmarks of the impact engine: examples of aragon2013, hierarchies, many bodies, and costs of
//! operations.

mod costs;
mod examples;
mod hierarchies;
mod many;

use crate::{Options, Outcome};
use parry3d_f64::shape::TriMesh as ParryMesh;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::impact::hierarchy::{Construction, HierarchySettings, Volume};
use tangere::impact::{Body, BodyShape, EngineSettings, ImpactEngine, RigidMotion};
use tangere::shape::TriMesh;

pub fn run(options: &Options) -> Outcome {
    hierarchies::run(options)?;
    examples::run(options)?;
    many::run(options)?;
    costs::run(options)
}

/// The number of faces of the body of example 5.2. The paper's body has 17,955, but the number of
/// triangles of a closed surface is even.
const FACES: usize = 17_956;

/// The speed of the body of example 5.2 in m/s: 120 km/h.
const SPEED: f64 = 100.0 / 3.0;

/// The pose of the wall, as numbers: 100 m in front of the foremost vertex of the knot, (3.5, 0,
/// 0), which hits the interior of a face of the wall.
const WALL: [f64; 7] = [
    103.5,
    0.25,
    1.5,
    std::f64::consts::FRAC_1_SQRT_2,
    0.0,
    std::f64::consts::FRAC_1_SQRT_2,
    0.0,
];

/// The angular velocity of the rotating knot in rad/s.
const SPIN: [f64; 3] = [0.7, 2.0, -1.1];

fn wall() -> tangere::Result<TriMesh> {
    generate::plate([6.0, 12.0], [6, 12])
}

/// A scene of two moving bodies with prebuilt hierarchies, and the end time of its query
/// (`horizon`).
struct Pair {
    shapes: [BodyShape; 2],
    motions: [RigidMotion; 2],
    settings: EngineSettings,
    horizon: f64,
}

impl Pair {
    /// Returns the scene of example 5.2: a body that moves against the wall.
    fn against_wall(mesh: TriMesh, spin: [f64; 3], volume: Volume) -> tangere::Result<Self> {
        let moving = RigidMotion::new(Pose::identity(), [SPEED, 0.0, 0.0], spin, [0.0; 3])?;
        let wall_motion = RigidMotion::at_rest(Pose::from_numbers(&WALL)?);
        Self::new([mesh, wall()?], [moving, wall_motion], volume, 4.0)
    }

    /// Returns the scene of example 5.1: two spheres in flight.
    fn projectiles(level: u32, volume: Volume) -> tangere::Result<Self> {
        let motion = |x: f64, v: f64| {
            let velocity = [v, 0.0, 50.0 * 3.0_f64.sqrt()];
            let pose = Pose::from_translation([x, 0.0, 0.0])?;
            RigidMotion::new(pose, velocity, [0.0; 3], [0.0, 0.0, -9.81])
        };
        let motions = [motion(0.0, 50.0)?, motion(1500.0, -50.0)?];
        let meshes = [generate::sphere(level)?, generate::sphere(level)?];
        Self::new(meshes, motions, volume, 20.0)
    }

    fn new(
        meshes: [TriMesh; 2],
        motions: [RigidMotion; 2],
        volume: Volume,
        horizon: f64,
    ) -> tangere::Result<Self> {
        // Boxes with default settings; spheres as in the paper.
        let hierarchy = HierarchySettings {
            construction: Construction::BottomUp,
            volume,
            branching: 2,
        };
        let [a, b] = meshes.map(|mesh| match volume {
            Volume::Box => BodyShape::of_mesh(mesh),
            Volume::Ball => BodyShape::with_hierarchy(mesh, &hierarchy),
        });
        Ok(Self {
            shapes: [a?, b?],
            motions,
            settings: EngineSettings {
                volume,
                ..EngineSettings::default()
            },
            horizon,
        })
    }

    /// Returns a new engine for the scene, without cached results.
    fn engine(&self) -> tangere::Result<ImpactEngine> {
        let body = |i: usize| Body::new(self.shapes[i].clone(), self.motions[i]);
        ImpactEngine::with_bodies(vec![body(0), body(1)], &self.settings)
    }

    /// Returns the time of the first contact of the scene.
    fn first_contact(&self, engine: &mut ImpactEngine) -> tangere::Result<f64> {
        let found = engine.next_contact(self.horizon)?;
        Ok(found.map_or(f64::INFINITY, |impact| impact.early))
    }
}

fn parry_of(mesh: &TriMesh) -> Result<ParryMesh, Box<dyn std::error::Error>> {
    let vertices = mesh.vertices().iter().map(|&v| v.into()).collect();
    ParryMesh::new(vertices, mesh.faces().to_vec()).map_err(|error| format!("{error:?}").into())
}
