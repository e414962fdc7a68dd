//! Bodies of scenes for continuous collision detection.

use tangere::geometry::Pose;
use tangere::impact::hierarchy::{Construction, HierarchySettings, Volume};
use tangere::impact::{Body, BodyShape, RigidMotion};
use tangere::shape::{FaceMesh, TriMesh};
use tangere_io::Result;
use tangere_io::scene::{MadeShape, SceneBody, SceneFile, VelocitySource};

/// The default settings of the bounding volume hierarchy: those of [`BodyShape::of_mesh`].
pub const HIERARCHY: HierarchySettings = HierarchySettings {
    construction: Construction::TopDown,
    volume: Volume::Box,
    branching: 8,
};

/// Returns the shape of a body with its bounding volume hierarchy; a ball has none.
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

/// Returns a shape of a scene with its bounding volume hierarchy.
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

/// Reads the velocities of the vertices of a body; `None` unless the scene names a file for them.
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

/// Returns a rigid body of a scene.
///
/// # Errors
/// When its motion is not valid.
pub fn rigid(body: &SceneBody, shape: BodyShape) -> tangere::Result<Body> {
    let motion = RigidMotion::new(body.pose, body.velocity, body.spin, body.acceleration)?;
    Ok(Body::new(shape, motion.about(body.center)?))
}

/// Returns the shape transformed by a pose, with a hierarchy of the same settings; a ball is
/// returned unchanged.
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
