//! Scene of the demo: five surfaces and a box of particles on the ground.

use crate::Error;
use serde_json::{Value, json};
use std::time::Instant;
use tangere::generate::{self, ParticleBox, Sizes};
use tangere::geometry::{Aabb, Pose, rotation_from_str};
use tangere::shape::{Spheres, TriMesh};
use tangere_front::text;
use tangere_io::vtk::{CellKind, Field, PolyData, UnstructuredGrid};
use tangere_render::picture::{Background, Color, Scene, View};

/// The direction from the scene to the viewer.
pub const FRONT: [f64; 3] = [0.28, -1.0, 0.52];

/// Returns a view from the front, on a transparent background. `size` is the width and height in
/// pixels, `margin` the margin at each side as a fraction of the picture. With `ground`, shadows
/// fall on a ground under the shapes.
pub fn front(size: [usize; 2], margin: f32, ground: bool) -> View {
    View {
        toward: FRONT,
        size,
        margin,
        ground,
        background: Background::Transparent,
    }
}

/// A surface of the scene, placed on the ground.
pub struct Body {
    pub name: &'static str,
    pub caption: &'static str,
    pub color: Color,
    pub mesh: TriMesh,
    /// Seconds that the generation of the surface took.
    pub seconds: f64,
}

/// The scene: surfaces and particles.
pub struct World {
    pub bodies: Vec<Body>,
    pub particles: Spheres<3>,
    particle_seconds: f64,
}

/// The two colours of which the colours of particles are mixed: the larger a particle, the more it
/// has of `LARGE`. The largest has `LARGE` alone.
const SMALL: Color = Color([233, 180, 76]);
const LARGE: Color = Color([196, 96, 54]);

impl World {
    /// Generates the scene, the same every time.
    pub fn new() -> Result<Self, Error> {
        let bodies = vec![
            body(
                "foam",
                "An open-cell foam, one surface of high genus",
                [86, 140, 134],
                || generate::foam(29_000, 3),
                "z:-14",
                2.0,
                [-3.0, 1.7],
            )?,
            body(
                "sponge",
                "A Menger sponge of level 3",
                [94, 120, 168],
                || generate::sponge(3),
                "z:24",
                1.8,
                [-0.5, 1.9],
            )?,
            body(
                "sphere",
                "A refined octahedron of level 5",
                [186, 84, 78],
                || generate::sphere(5),
                "z:0",
                1.5,
                [-0.95, -1.0],
            )?,
            body(
                "knot",
                "A tube along a trefoil knot",
                [214, 164, 72],
                || generate::knot(20_000),
                "x:62",
                2.3,
                [1.6, -1.2],
            )?,
            body(
                "chazelle",
                "Chazelle's polyhedron: notches that almost touch",
                [132, 110, 156],
                || generate::chazelle(7),
                "z:30",
                1.6,
                [4.0, -0.7],
            )?,
        ];
        let start = Instant::now();
        let particles = generate::particles::<3>(&ParticleBox {
            count: 1500,
            diameters: [0.07, 0.5],
            density: 187.5,
            seed: 1,
            sizes: Sizes::Volume,
            huge: None,
        })?;
        let (mut centers, radii) = particles.into_parts();
        let bounds = Aabb::of_points(
            centers
                .iter()
                .zip(&radii)
                .flat_map(|(c, &r)| [c.map(|x| x - r), c.map(|x| x + r)]),
        );
        for c in &mut centers {
            *c = on_ground(*c, &bounds, [2.0, 1.9]);
        }
        let particles = Spheres::new(centers, radii)?;
        Ok(World {
            bodies,
            particles,
            particle_seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// Adds the particles to the drawn `scene`, coloured by size.
    pub fn add_particles(&self, scene: &mut Scene) {
        let largest = self.particles.radii().iter().copied().fold(0.0, f64::max);
        let balls = self.particles.centers().iter().zip(self.particles.radii());
        for (&center, &radius) in balls {
            let color = SMALL.mix(LARGE, (radius / largest) as f32);
            scene.add_ball(center, radius, color);
        }
    }

    fn triangles(&self) -> usize {
        self.bodies.iter().map(|body| body.mesh.faces().len()).sum()
    }

    /// Returns a sentence that describes the scene: its surfaces and particles, and the number of
    /// threads.
    pub fn description(&self) -> String {
        format!(
            "Tangere {}: {} surfaces of {} triangles and {} particles, on {}",
            env!("CARGO_PKG_VERSION"),
            self.bodies.len(),
            text::count(self.triangles() as u64),
            text::count(self.particles.len() as u64),
            text::counted(rayon::current_num_threads(), "thread", "threads"),
        )
    }

    /// Returns the numbers of vertices, triangles and particles of the scene, and the seconds that
    /// their generation took, as a JSON object.
    pub fn json(&self) -> Value {
        let bodies = self.bodies.iter().map(|body| {
            json!({
                "name": body.name,
                "vertices": body.mesh.vertices().len(),
                "triangles": body.mesh.faces().len(),
                "seconds": body.seconds,
            })
        });
        json!({
            "bodies": bodies.collect::<Value>(),
            "particles": {
                "count": self.particles.len(),
                "seconds": self.particle_seconds,
            },
        })
    }

    /// Returns all bodies and the particles as named VTK datasets.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, PolyData)> + '_ {
        let bodies = self
            .bodies
            .iter()
            .map(|b| (b.name, PolyData::from(&b.mesh)));
        bodies.chain([("particles", PolyData::from(&self.particles))])
    }

    /// Returns all surfaces in one unstructured grid. Each triangle has the index of its body as a
    /// field.
    pub fn grid(&self) -> UnstructuredGrid {
        let mut points = Vec::new();
        let mut cells: Vec<[u32; 3]> = Vec::new();
        let mut numbers: Vec<i32> = Vec::new();
        for (number, body) in self.bodies.iter().enumerate() {
            let base = points.len() as u32;
            points.extend_from_slice(body.mesh.vertices());
            cells.extend(body.mesh.faces().iter().map(|f| f.map(|v| v + base)));
            numbers.resize(cells.len(), number as i32);
        }
        UnstructuredGrid::uniform(points, &cells, CellKind::Triangle)
            .with_cell_data(Field::scalar("body", numbers))
    }
}

/// Generates a surface with `make`, scales it so that its longest extent is `size`, and rotates it
/// by `turned`, such as `x:90`. Then places it on the ground, with the centre of its bounding box
/// at the x and y of `place`.
fn body(
    name: &'static str,
    caption: &'static str,
    color: [u8; 3],
    make: impl Fn() -> tangere::Result<TriMesh>,
    turned: &str,
    size: f64,
    place: [f64; 2],
) -> Result<Body, Error> {
    let start = Instant::now();
    let made = make()?;
    let seconds = start.elapsed().as_secs_f64();
    let scale = size / made.bounds().extent().into_iter().fold(0.0, f64::max);
    let pose = Pose::new(rotation_from_str(turned)?, [0.0; 3])?;
    let (mut vertices, faces) = made.into_parts();
    for p in &mut vertices {
        *p = pose.apply(p.map(|x| scale * x));
    }
    let bounds = Aabb::of_points(vertices.iter().copied());
    for p in &mut vertices {
        *p = on_ground(*p, &bounds, place);
    }
    Ok(Body {
        name,
        caption,
        color: Color(color),
        mesh: TriMesh::new(vertices, faces)?,
        seconds,
    })
}

/// Returns the point `p` after the translation that places the box `bounds` on the plane z = 0,
/// with its centre at the x and y of `place`.
fn on_ground(p: [f64; 3], bounds: &Aabb<3>, place: [f64; 2]) -> [f64; 3] {
    let center = bounds.center();
    [
        p[0] - center[0] + place[0],
        p[1] - center[1] + place[1],
        p[2] - bounds.min[2],
    ]
}
