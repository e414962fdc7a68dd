//! Construction of the bodies of scenes for continuous collision detection: shapes with their
//! bounding volume hierarchies, motions and vertex velocities.

use tangere::geometry::Pose;
use tangere::impact::hierarchy::{Construction, HierarchySettings, Volume};
use tangere::impact::{Body, BodyShape, RigidMotion};
use tangere::shape::{FaceMesh, TriMesh};
use tangere_io::Result;
use tangere_io::scene::{MadeShape, SceneBody, SceneFile, VelocitySource};

/// Default settings of the bounding volume hierarchy of a body, the same as in
/// [`BodyShape::of_mesh`].
pub const HIERARCHY: HierarchySettings = HierarchySettings {
    construction: Construction::TopDown,
    volume: Volume::Box,
    branching: 8,
};

/// Returns the shape of a body, with a bounding volume hierarchy over its faces; a ball has none.
///
/// # Errors
/// When the shape or the settings are not valid.
pub fn shape(made: MadeShape, settings: &HierarchySettings) -> tangere::Result<BodyShape> {
    match made {
        MadeShape::Mesh(mesh) => BodyShape::with_hierarchy(mesh, settings),
        MadeShape::Faces(mesh) => BodyShape::of_faces_with_hierarchy(mesh, settings),
        MadeShape::Ball(radius) => BodyShape::ball(radius),
    }
}

/// Returns the shape of number `index` in a scene, with its bounding volume hierarchy.
///
/// # Errors
/// As [`shape`]; the error names the place in the scene.
pub fn scene_shape(
    scene: &SceneFile,
    index: usize,
    made: MadeShape,
    settings: &HierarchySettings,
) -> Result<BodyShape> {
    shape(made, settings).map_err(|error| scene.error_at(scene.shapes[index].place, error))
}

/// Reads the velocities of the vertices of a body from the file that the scene names. `None` if it
/// names no file.
///
/// # Errors
/// As [`SceneFile::read_velocities`].
pub fn velocities(
    scene: &SceneFile,
    body: &SceneBody,
    shape: &BodyShape,
) -> Result<Option<Vec<[f64; 3]>>> {
    match body.vertex_velocities {
        Some(VelocitySource::File(_)) => {
            let read = scene.read_velocities(body, shape.points().len());
            read.map(Some)
        }
        _ => Ok(None),
    }
}

/// Returns a rigid body of a scene, with the motion that the scene gives it.
///
/// # Errors
/// When its motion is not valid.
pub fn rigid(body: &SceneBody, shape: BodyShape) -> tangere::Result<Body> {
    let motion = RigidMotion::new(body.pose, body.velocity, body.spin, body.acceleration)?;
    Ok(Body::new(shape, motion.about(body.center)?))
}

/// Returns the shape with its points transformed by a pose. Its bounding volume hierarchy is built
/// anew with the same settings. A ball is returned unchanged.
///
/// # Errors
/// When coordinates become too large.
pub fn placed(shape: BodyShape, pose: &Pose) -> tangere::Result<BodyShape> {
    if *pose == Pose::identity() || shape.radius() > 0.0 {
        return Ok(shape);
    }
    let points = shape.points().iter().map(|&p| pose.apply(p)).collect();
    let settings = shape.hierarchy().settings();
    match shape.face_mesh() {
        Some(mesh) => {
            let (_, kinds, indices) = mesh.into_parts();
            let mesh = FaceMesh::new(points, kinds, indices)?;
            BodyShape::of_faces_with_hierarchy(mesh, settings)
        }
        None => {
            let mesh = TriMesh::new(points, shape.faces().to_vec())?;
            BodyShape::with_hierarchy(mesh, settings)
        }
    }
}
