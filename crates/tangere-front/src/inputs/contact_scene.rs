//! Construction of the scene of a scene file, for contacts.

use tangere::scene::{Body, Motion, Scene, SceneSettings};
use tangere_io::scene::SceneFile;
use tangere_io::{Place, Result};

/// Creates the scene that a file describes: shapes are generated and read, each once, and bodies are
/// at their poses at time 0.
///
/// # Errors
/// When a file cannot be read, a shape is not valid for contacts, or two bodies could touch whose
/// contacts are not supported; the error names the place in the scene.
pub fn scene(file: &SceneFile) -> Result<Scene> {
    let settings = SceneSettings {
        margin: file.margin,
        periodic: file.periodic,
        history: 0,
    };
    let scene = Scene::new(settings);
    let mut scene = scene.map_err(|error| file.error_at(Place::Part("scene"), error))?;
    let shapes = file.make_contact_shapes()?;
    for body in &file.bodies {
        let added = scene.add(Body {
            shape: shapes[body.shape].clone(),
            pose: body.pose,
            id: Some(body.id),
            motion: match body.fixed {
                true => Motion::Fixed,
                false => Motion::Free,
            },
            group: body.group,
            mask: body.mask,
        });
        added.map_err(|error| file.error_at(body.place, error))?;
    }
    Ok(scene)
}
