//! Reader of a scene for continuous collision detection, and construction of its impact engine.

use super::ImpactOptions;
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::times::Times;
use tangere::impact::{Body, ImpactEngine};
use tangere_front::inputs::bodies;
use tangere_io::scene::{MadeShape, SceneFile, ShapeSource, VelocitySource, read_scene};

/// Maximum number of time steps of a scene: 2^53. Up to it, f64 represents every number of steps
/// exactly; a scene with more steps is an error.
const STEPS: f64 = 9_007_199_254_740_992.0;

/// The impact engine of a scene, the names of the bodies, the end time of the search and the time
/// step.
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
    let (file, shapes) = times.read(&options.scene, console, || {
        let mut file = read_scene(&options.scene)?;
        file.follow_links = options.follow_links;
        let shapes = file.make_shapes()?;
        Ok((file, shapes))
    })?;
    // The answer must not replace a file that the scene reads.
    for shape in &file.shapes {
        if let (Some(out), ShapeSource::File { path, .. } | ShapeSource::Convex { path }) =
            (&options.out, &shape.source)
        {
            files::check_other(out, &file.folder.join(path))?;
        }
    }
    for body in &file.bodies {
        if let (Some(out), Some(VelocitySource::File(path))) =
            (&options.out, &body.vertex_velocities)
        {
            files::check_other(out, &file.folder.join(path))?;
        }
    }
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
    let prepare = || times.set_up(|| engine(options, &file, shapes, until));
    let (engine, _) = console.timed("preparing", prepare);
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
    shapes: Vec<MadeShape>,
    until: f64,
) -> Result<ImpactEngine, Failure> {
    let made = made(options, file, shapes, until).map_err(Failure::reading)?;
    Ok(ImpactEngine::with_bodies(made, &options.settings())?)
}

/// Returns the bodies of a scene. The nodes (mesh vertices) of deforming bodies move at constant
/// velocity until the time `until`.
fn made(
    options: &ImpactOptions,
    file: &SceneFile,
    shapes: Vec<MadeShape>,
    until: f64,
) -> tangere_io::Result<Vec<Body>> {
    let hierarchy = options.hierarchy();
    let shapes = shapes.into_iter().enumerate();
    let shapes = shapes.map(|(i, made)| bodies::scene_shape(file, i, made, &hierarchy));
    let shapes: Vec<_> = shapes.collect::<Result<_, _>>()?;
    let mut all = Vec::with_capacity(file.bodies.len());
    for body in &file.bodies {
        let shape = &shapes[body.shape];
        let made = match bodies::velocities(file, body, shape)? {
            None => bodies::rigid(body, shape.clone()),
            Some(velocities) => bodies::placed(shape.clone(), &body.pose)
                .and_then(|placed| Body::with_velocities(placed, &velocities, until)),
        };
        all.push(made.map_err(|error| file.error_at(body.place, error))?);
    }
    Ok(all)
}
