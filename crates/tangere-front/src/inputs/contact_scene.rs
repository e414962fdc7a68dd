//! Construction of the scene of a scene file, for contacts.

use tangere::scene::{Accelerations, Body, Motion, Scene, SceneSettings};
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
        let id = added.map_err(|error| file.error_at(body.place, error))?;
        // Of the origin of the body's frame, from that of its centre.
        let [x, y, z] = body.pose.rotate(body.center);
        let [p, q, r] = body.spin;
        let turning = [q * z - r * y, r * x - p * z, p * y - q * x];
        let velocity = std::array::from_fn(|k| body.velocity[k] - turning[k]);
        let set = scene.set_velocities(&[id], &[velocity], &[body.spin]);
        set.map_err(|error| file.error_at(body.place, error))?;
    }
    Ok(scene)
}

/// Returns bounds of the accelerations of all bodies of a scene file: the largest one that it gives.
/// The origin of a frame that turns about another point is accelerated towards it.
pub fn accelerations(file: &SceneFile) -> Accelerations {
    let length = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let linear = file.bodies.iter().map(|body| {
        let spin = length(body.spin);
        length(body.acceleration) + spin * spin * length(body.center)
    });
    Accelerations {
        linear: linear.fold(0.0, f64::max),
        angular: 0.0,
    }
}
