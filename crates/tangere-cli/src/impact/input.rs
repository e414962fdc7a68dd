//! A scene as the engine has it.

use super::ImpactOptions;
use crate::console::Console;
use crate::failure::Failure;
use crate::question::Times;
use tangere::geometry::Similarity;
use tangere::impact::{Body, BodyShape, ImpactEngine, RigidMotion};
use tangere_io::scene::{MadeShape, SceneBody, SceneFile, read_scene};

/// More steps are not counted: 2^53.
const STEPS: f64 = 9_007_199_254_740_992.0;

/// Bodies, and until when they are looked at.
pub struct Scene {
    pub engine: ImpactEngine,
    pub names: Vec<String>,
    pub until: f64,
    pub step: Option<f64>,
}

pub fn read(
    options: &ImpactOptions,
    times: &mut Times,
    console: &Console,
) -> Result<Scene, Failure> {
    let what = format!("reading {}", options.scene.display());
    let (read, seconds) = console.timed(&what, || {
        let file = read_scene(&options.scene)?;
        let shapes = file.make_shapes()?;
        Ok((file, shapes))
    });
    times.read = seconds;
    let (file, shapes) = read.map_err(Failure::reading)?;
    let Some(until) = options.until.or(file.until) else {
        return Err(Failure::Input(format!(
            "{}: found no time, expected `until = T` in the scene or --until T",
            options.scene.display()
        )));
    };
    if let Some(step) = file.step.filter(|step| until / step > STEPS) {
        return Err(Failure::Input(format!(
            "{}: found step = {step:?} with until = {until:?}, expected at most 2^53 steps until then",
            options.scene.display()
        )));
    }
    let (engine, seconds) = console.timed("preparing", || engine(options, &file, &shapes, until));
    times.setup = seconds;
    Ok(Scene {
        engine: engine?,
        names: file.bodies.iter().map(|body| body.name.clone()).collect(),
        until,
        step: file.step,
    })
}

fn engine(
    options: &ImpactOptions,
    file: &SceneFile,
    shapes: &[MadeShape],
    until: f64,
) -> Result<ImpactEngine, Failure> {
    let hierarchy = options.hierarchy();
    let made = |shape: &MadeShape| match shape {
        MadeShape::Mesh(mesh) => BodyShape::with_hierarchy(mesh.clone(), &hierarchy),
        MadeShape::Faces(mesh) => BodyShape::of_faces_with_hierarchy(mesh.clone(), &hierarchy),
        MadeShape::Ball(radius) => BodyShape::ball(*radius),
    };
    let prepared: Vec<BodyShape> = shapes.iter().map(made).collect::<Result<_, _>>()?;
    let mut bodies = Vec::with_capacity(file.bodies.len());
    for body in &file.bodies {
        let made = match body.vertex_velocities {
            None => rigid(body, &prepared[body.shape]).map_err(|e| file.error_at(body.place, e)),
            Some(_) => deforming(options, file, body, &shapes[body.shape], until),
        };
        bodies.push(made.map_err(Failure::reading)?);
    }
    Ok(ImpactEngine::new(bodies, &options.settings())?)
}

fn rigid(body: &SceneBody, shape: &BodyShape) -> tangere::Result<Body> {
    let motion = RigidMotion::new(body.pose, body.velocity, body.spin, body.acceleration)?;
    Ok(Body::new(shape.clone(), motion.about(body.center)?))
}

/// Nodes that go straight until the end of the scene.
fn deforming(
    options: &ImpactOptions,
    file: &SceneFile,
    body: &SceneBody,
    shape: &MadeShape,
    until: f64,
) -> tangere_io::Result<Body> {
    let velocities = file.read_velocities(body, shape.vertex_count())?;
    let at = |error: tangere::Error| file.error_at(body.place, error);
    let motion = Similarity::new(1.0, body.pose).map_err(at)?;
    let hierarchy = options.hierarchy();
    let placed = match shape {
        MadeShape::Mesh(mesh) => mesh
            .transformed(&motion)
            .and_then(|mesh| BodyShape::with_hierarchy(mesh, &hierarchy)),
        MadeShape::Faces(mesh) => mesh
            .transformed(&motion)
            .and_then(|mesh| BodyShape::of_faces_with_hierarchy(mesh, &hierarchy)),
        MadeShape::Ball(radius) => BodyShape::ball(*radius),
    };
    let placed = placed.map_err(at)?;
    Body::with_velocities(placed, &velocities, until).map_err(at)
}
