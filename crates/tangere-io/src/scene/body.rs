//! Bodies of a scene: shape, pose and motion.

use super::copies::{Copies, copies};
use super::fields::{Field, Fields};
use super::shape::{NamedShapes, SceneShape, ShapeSource, shape};
use super::value::{Table, Value};
use crate::error::{Fault, Place};
use std::path::PathBuf;
use tangere::geometry::{COORDINATE_MAX, Pose, rotation_from_str};
use tangere::pairs::Mask;

/// A body of a scene: its shape, its pose and its motion.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneBody {
    /// The name of the body, which is unique in the scene.
    pub name: String,
    /// The id of the body, which is unique in the scene: that of the scene, or one more than the
    /// largest before it.
    pub id: u64,
    /// The position of the body in the scene file, for errors.
    pub place: Place,
    /// The index of the body's shape in [`SceneFile::shapes`](super::SceneFile::shapes).
    pub shape: usize,
    /// The pose of the body at time 0.
    pub pose: Pose,
    /// The velocity at time 0 of the point `center` of the body.
    pub velocity: [f64; 3],
    /// The angular velocity of the body about `center`, in radians per unit of time, in world
    /// coordinates.
    pub spin: [f64; 3],
    /// The constant acceleration of the point `center` of the body. If the scene gives the body
    /// none, it is the gravity of the scene, or 0 for fixed and deforming bodies.
    pub acceleration: [f64; 3],
    /// The point of the body about which it rotates, in the coordinates of its shape.
    pub center: [f64; 3],
    /// Whether the body never moves.
    pub fixed: bool,
    /// The group of the body: bodies of the same group, other than 0, do not touch each other.
    pub group: u32,
    /// The kinds that the body belongs to and those that it meets.
    pub mask: Mask,
    /// The name of the material of the body; `None` if the scene gives none.
    pub material: Option<String>,
    /// The mass per volume of the body; `None` for that of its material.
    pub density: Option<f64>,
    /// The source of the velocity of each vertex, if the body deforms. A deforming body has no
    /// other velocity, no spin and no acceleration.
    pub vertex_velocities: Option<VelocitySource>,
}

/// Source of vertex velocities: a row of three numbers for each vertex, in world
/// coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VelocitySource {
    /// A table, by its path relative to the folder of the scene.
    File(PathBuf),
    /// An array that the calling program provides, by its index ([`Value::Given`]).
    Given(usize),
}

const KEYS: [&str; 17] = [
    "name",
    "shape",
    "position",
    "rotation",
    "velocity",
    "spin",
    "acceleration",
    "center",
    "fixed",
    "vertex_velocities",
    "id",
    "group",
    "mask",
    "material",
    "density",
    "repeat",
    "fill",
];

/// A table `[[body]]`: a body, and copies of it.
pub(super) struct BodyTable<'a> {
    /// The body; its shape is 0, its name is empty if the table has none, and its id is that of
    /// the table or 0 until the caller sets them.
    pub body: SceneBody,
    pub shape: SceneShape,
    pub copies: Copies,
    /// The key `id`, if the table has it.
    pub id: Option<Field<'a>>,
}

/// Returns the table number `number` of bodies of a scene. `gravity` is the acceleration of a body
/// that moves rigidly and specifies none.
pub(super) fn body<'a>(
    table: &'a Table,
    number: usize,
    gravity: [f64; 3],
    named: &NamedShapes<'_>,
) -> Result<BodyTable<'a>, Fault> {
    let here = Place::Item("body", number);
    let fields = Fields::new(table, "a body", "", &KEYS, here)?;
    let name = fields.value("name", Field::text)?;
    let shape = shape(&fields, named)?;
    let copies = copies(&fields)?;
    let id = fields.field("id");
    let own_id = id.map(|field| field.whole(0..=u64::MAX - 1)).transpose()?;
    let fixed = fields.value("fixed", Field::flag)?.unwrap_or(false);
    let vertex_velocities = fields.value("vertex_velocities", velocities)?;
    if let (Some(field), ShapeSource::Ball { .. }) =
        (fields.field("vertex_velocities"), &shape.source)
    {
        return Err(field.fault("no vertex velocities, as a ball has no vertices"));
    }
    let mask = fields.value("mask", |field| field.wholes::<2>(0..=u64::from(u32::MAX)))?;
    let mask = mask.map(|[member, meets]| Mask { member, meets });
    let group = fields.value("group", |field| field.whole(0..=u64::from(u32::MAX)))?;
    let material = fields.value("material", Field::text)?.map(str::to_owned);
    let refuse = |others: &[&str], reason: &str| {
        let other = others.iter().find_map(|key| fields.field(key));
        other.map_or(Ok(()), |field| Err(field.fault(reason)))
    };
    if fixed {
        let others = ["velocity", "spin", "acceleration", "vertex_velocities"];
        refuse(&others, "no motion, as the body is fixed")?;
    }
    if vertex_velocities.is_some() {
        let others = ["velocity", "spin", "acceleration", "center"];
        refuse(&others, "no other motion beside `vertex_velocities`")?;
    }
    let vector = |key| fields.value(key, Field::vector::<3>);
    let falls = !fixed && vertex_velocities.is_none();
    let body = SceneBody {
        name: name.unwrap_or_default().to_owned(),
        id: own_id.unwrap_or(0),
        place: fields.place(),
        shape: 0,
        pose: pose(&fields)?,
        velocity: vector("velocity")?.unwrap_or([0.0; 3]),
        spin: vector("spin")?.unwrap_or([0.0; 3]),
        acceleration: vector("acceleration")?.unwrap_or(if falls { gravity } else { [0.0; 3] }),
        center: fields.value("center", place_in_space)?.unwrap_or([0.0; 3]),
        fixed,
        group: group.unwrap_or(0),
        mask: mask.unwrap_or_default(),
        material,
        density: fields.value("density", Field::positive)?,
        vertex_velocities,
    };
    Ok(BodyTable {
        body,
        shape,
        copies,
        id,
    })
}

fn velocities(field: Field<'_>) -> Result<VelocitySource, Fault> {
    match field.raw() {
        &Value::Given(number) => Ok(VelocitySource::Given(number)),
        _ => field.path().map(VelocitySource::File),
    }
}

/// Parses a point within the range of coordinates that shapes may have.
pub(super) fn place_in_space(field: Field<'_>) -> Result<[f64; 3], Fault> {
    let point = field.vector()?;
    match point.iter().all(|x| x.abs() <= COORDINATE_MAX) {
        true => Ok(point),
        false => Err(field.fault("numbers of magnitude at most 1.6e60")),
    }
}

/// Parses a rotation, given as a quaternion or as an axis and degrees. Returns the quaternion w, x,
/// y, z.
fn rotation(field: Field<'_>) -> Result<[f64; 4], Fault> {
    if let Value::Text(text) = field.raw() {
        let rotation = rotation_from_str(text);
        let rotation = rotation.map_err(|_| field.fault(ROTATION))?;
        return Ok([rotation.w, rotation.i, rotation.j, rotation.k]);
    }
    let [w, x, y, z] = field.vector()?;
    match Pose::from_numbers(&[0.0, 0.0, 0.0, w, x, y, z]) {
        Ok(_) => Ok([w, x, y, z]),
        Err(_) => Err(field.fault(ROTATION)),
    }
}

const ROTATION: &str = "a quaternion [w, x, y, z] of length 1 within 1e-6, or an axis and degrees \
such as \"x:90\" or \"1,1,0:30\"";

/// Parses the keys `position` and `rotation` of a table.
pub(super) fn pose(fields: &Fields<'_>) -> Result<Pose, Fault> {
    let [x, y, z] = fields
        .value("position", place_in_space)?
        .unwrap_or([0.0; 3]);
    let [w, i, j, k] = fields
        .value("rotation", rotation)?
        .unwrap_or([1.0, 0.0, 0.0, 0.0]);
    Pose::from_numbers(&[x, y, z, w, i, j, k])
        .map_err(|error| Fault::new(fields.place(), error, "a position and a rotation"))
}
