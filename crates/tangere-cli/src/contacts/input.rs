//! Reader of a scene and of the poses of its bodies.

use super::ContactOptions;
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::times::Times;
use std::collections::HashMap;
use tangere::scene::{Accelerations, Scene};
use tangere_front::inputs::contact_scene;
use tangere_io::scene::{SceneFile, SceneShape, ShapeSource, read_scene};
use tangere_io::{PoseStep, read_body_poses};

/// The names of bodies by id.
pub type Names = HashMap<u64, String>;

/// A scene, the names of its bodies, and the poses of each step.
pub struct Input {
    pub scene: Scene,
    pub names: Names,
    /// At least one step.
    pub steps: Vec<PoseStep>,
    /// Bounds of the accelerations of all bodies.
    pub accelerations: Accelerations,
}

pub fn read(
    options: &ContactOptions,
    times: &mut Times,
    console: &Console,
) -> Result<Input, Failure> {
    let file = times.read(&options.scene, console, || {
        let mut file = read_scene(&options.scene)?;
        file.follow_links = options.follow_links;
        Ok(file)
    })?;
    check_output(options, &file)?;
    let steps = match &options.poses {
        None => vec![PoseStep::default()],
        Some(path) => times.read(path, console, || read_body_poses(path))?,
    };
    let names: Names = file
        .bodies
        .iter()
        .map(|body| (body.id, body.name.clone()))
        .collect();
    if let Some(path) = &options.poses {
        let ids = steps.iter().flat_map(|step| &step.ids);
        if let Some(id) = ids.into_iter().find(|id| !names.contains_key(id)) {
            return Err(Failure::Input(format!(
                "{}: found id {id}, expected the id of a body of the scene",
                path.display()
            )));
        }
    }
    let prepare = || times.set_up(|| contact_scene::scene(&file));
    let (scene, _) = console.timed("preparing", prepare);
    Ok(Input {
        scene: scene.map_err(Failure::reading)?,
        names,
        steps,
        accelerations: contact_scene::accelerations(&file),
    })
}

/// Returns an error if the answer would replace a file that the scene reads.
fn check_output(options: &ContactOptions, file: &SceneFile) -> Result<(), Failure> {
    let Some(out) = &options.out else {
        return Ok(());
    };
    let check = |shape: &SceneShape| match &shape.source {
        ShapeSource::File { path, .. } | ShapeSource::Convex { path } => {
            files::check_other(out, &file.folder.join(path))
        }
        _ => Ok(()),
    };
    for shape in &file.shapes {
        check(shape)?;
        if let ShapeSource::Compound(parts) = &shape.source {
            parts.iter().try_for_each(|part| check(&part.shape))?;
        }
    }
    Ok(())
}
