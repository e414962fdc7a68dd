//! What only simulations read of a scene: materials and what two of them do in contact, walls, drag,
//! output.

use super::body::place_in_space;
use super::fields::{Field, Fields, nearest_of};
use super::value::{Table, Value};
use crate::error::{Fault, Place};

/// What only simulations read of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimulationKeys {
    /// Materials, in the order of the file.
    pub materials: Vec<SceneMaterial>,
    /// Pairs of materials with constants of their own.
    pub interactions: Vec<SceneInteraction>,
    /// Walls.
    pub walls: Vec<SceneWall>,
    /// What is written, and when.
    pub output: SceneOutput,
    /// Drag of a fluid around the bodies.
    pub drag: Option<SceneDrag>,
    /// The coefficient of a force against the velocity of every body.
    pub viscous: f64,
    /// Whether energy is accounted for term by term.
    pub ledger: bool,
    /// Whether bodies stay in the plane of x and y.
    pub is_flat: bool,
    /// Whether springs of friction advance in the tangent plane of half a step ago.
    pub is_synchronized: bool,
}

/// A material.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneMaterial {
    /// Its name.
    pub name: String,
    /// Where it is in the scene, for errors.
    pub place: Place,
    /// Mass per volume.
    pub density: Option<f64>,
    /// Contact with itself.
    pub contact: ContactKeys,
}

/// Two materials in contact.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneInteraction {
    /// The numbers of both materials.
    pub materials: [usize; 2],
    /// Where it is in the scene, for errors.
    pub place: Place,
    /// What differs from what follows from both.
    pub contact: ContactKeys,
}

/// Constants of contact; those that are not given follow from the others or from both materials.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactKeys {
    /// The normal force: one of [`NORMALS`].
    pub normal: Option<String>,
    /// Young's modulus.
    pub young: Option<f64>,
    /// Poisson's ratio.
    pub poisson: Option<f64>,
    /// Force per overlap of a linear spring.
    pub stiffness: Option<f64>,
    /// The surface energy of adhesion.
    pub surface_energy: Option<f64>,
    /// The damping model: one of [`DAMPINGS`].
    pub damping: Option<String>,
    /// The coefficient of restitution.
    pub restitution: Option<f64>,
    /// The constant of a damping model that takes none from the restitution.
    pub damping_constant: Option<f64>,
    /// The friction model: one of [`TANGENTIALS`].
    pub tangential: Option<String>,
    /// The stiffness of the spring of friction.
    pub tangential_stiffness: Option<f64>,
    /// The damping of the slip, relative to that of the normal motion.
    pub tangential_damping: Option<f64>,
    /// The coefficient of friction.
    pub friction: Option<f64>,
    /// Resistance to rolling.
    pub rolling: Option<ResistanceKeys>,
    /// Resistance to twisting.
    pub twisting: Option<ResistanceKeys>,
}

/// Resistance to rolling or twisting.
#[derive(Clone, Debug, PartialEq)]
pub struct ResistanceKeys {
    /// One of [`ROLLINGS`] or [`TWISTINGS`].
    pub model: String,
    /// Force or torque per displacement.
    pub stiffness: f64,
    /// Force or torque per velocity; of `epsd` the damping ratio.
    pub damping: f64,
    /// The coefficient of friction.
    pub friction: f64,
}

/// Names of normal forces.
pub const NORMALS: [&str; 4] = ["hooke", "hertz", "dmt", "jkr"];
/// Names of damping models.
pub const DAMPINGS: [&str; 6] = [
    "none",
    "velocity",
    "mass_velocity",
    "viscoelastic",
    "tsuji",
    "coeff_restitution",
];
/// Names of friction models.
pub const TANGENTIALS: [&str; 7] = [
    "none",
    "linear_nohistory",
    "linear_history",
    "mindlin",
    "mindlin/force",
    "mindlin_rescale",
    "mindlin_rescale/force",
];
/// Names of models of rolling.
pub const ROLLINGS: [&str; 4] = ["none", "sds", "cdt", "epsd"];
/// Names of models of twisting.
pub const TWISTINGS: [&str; 3] = ["none", "sds", "marshall"];

/// A wall.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneWall {
    /// Its name, unique among walls.
    pub name: String,
    /// Where it is in the scene, for errors.
    pub place: Place,
    /// The number of its material; none if the scene has one material only and the wall names none.
    pub material: Option<usize>,
    /// Its surface.
    pub surface: WallSurface,
    /// Whether bodies are outside of the surface, not inside.
    pub is_outside: bool,
    /// Which faces are left out: of a box low and high along x, y, z, of a cylinder or cone the low end,
    /// the high end and the mantle.
    pub open: [bool; 6],
    /// Its motion.
    pub motion: Option<WallMotion>,
}

/// The surface of a wall.
#[derive(Clone, Debug, PartialEq)]
pub enum WallSurface {
    /// A plane; bodies are where its normal points.
    Plane {
        /// A point of the plane.
        point: [f64; 3],
        /// Its normal, of any length but 0.
        normal: [f64; 3],
    },
    /// A box along the axes.
    Box {
        /// The lower corner.
        low: [f64; 3],
        /// The upper corner.
        high: [f64; 3],
    },
    /// A cylinder or a cone along an axis, open or closed at its ends.
    Cone {
        /// The axis: 0, 1 or 2.
        axis: usize,
        /// The centre along the other two axes.
        center: [f64; 2],
        /// The radii at the lower and the upper end; equal for a cylinder.
        radii: [f64; 2],
        /// The lower and the upper end along the axis.
        ends: [f64; 2],
    },
    /// A ball.
    Sphere {
        /// The centre.
        center: [f64; 3],
        /// The radius.
        radius: f64,
    },
}

/// The motion of a wall, from time 0 on.
#[derive(Clone, Debug, PartialEq)]
pub enum WallMotion {
    /// A constant velocity.
    Velocity([f64; 3]),
    /// The wall stays, its surface moves along itself.
    Shear([f64; 3]),
    /// A displacement `amplitude (1 - cos(2 pi t / period))`.
    Vibrate {
        /// The amplitude.
        amplitude: [f64; 3],
        /// The period.
        period: f64,
    },
    /// A rotation.
    Rotate {
        /// A point of the axis.
        point: [f64; 3],
        /// The direction of the axis.
        axis: [f64; 3],
        /// The period of a revolution.
        period: f64,
    },
}

/// A fluid around the bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneDrag {
    /// Its density.
    pub density: f64,
    /// Its dynamic viscosity.
    pub viscosity: f64,
    /// Its velocity.
    pub velocity: [f64; 3],
}

/// What a simulation writes, and when.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneOutput {
    /// The time between frames; none for the first and the last only.
    pub every: Option<f64>,
    /// Whether frames are LAMMPS dumps, too.
    pub dump: bool,
    /// Whether frames have contacts, too.
    pub contacts: bool,
}

/// The keys of a scene that only simulations read.
pub(super) const KEYS: [&str; 9] = [
    "material",
    "interaction",
    "wall",
    "output",
    "drag",
    "viscous",
    "ledger",
    "dimension",
    "synchronized",
];

const CONTACT: [&str; 14] = [
    "normal",
    "young",
    "poisson",
    "stiffness",
    "surface_energy",
    "damping",
    "restitution",
    "damping_constant",
    "tangential",
    "tangential_stiffness",
    "tangential_damping",
    "friction",
    "rolling",
    "twisting",
];

/// Parses what only simulations read.
pub(super) fn simulation(scene: &Fields<'_>) -> Result<SimulationKeys, Fault> {
    let mut keys = SimulationKeys {
        is_synchronized: scene.value("synchronized", Field::flag)?.unwrap_or(true),
        ledger: scene.value("ledger", Field::flag)?.unwrap_or(false),
        viscous: scene.value("viscous", not_negative)?.unwrap_or(0.0),
        drag: scene.value("drag", drag)?,
        is_flat: match scene.field("dimension") {
            Some(field) => field.whole::<u32>(2..=3)? == 2,
            None => false,
        },
        output: scene.value("output", output)?.unwrap_or_default(),
        ..SimulationKeys::default()
    };
    for_each(scene, "material", |table, place| {
        keys.materials
            .push(material(table, place, &keys.materials)?);
        Ok(())
    })?;
    for_each(scene, "interaction", |table, place| {
        let made = interaction(table, place, &keys)?;
        keys.interactions.push(made);
        Ok(())
    })?;
    for_each(scene, "wall", |table, place| {
        let made = wall(table, place, &keys)?;
        keys.walls.push(made);
        Ok(())
    })?;
    Ok(keys)
}

/// Calls a function with each table after a line `[[key]]`.
fn for_each(
    scene: &Fields<'_>,
    key: &'static str,
    mut f: impl FnMut(&Table, Place) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let Some(field) = scene.field(key) else {
        return Ok(());
    };
    let expected = || format!("tables, each after a line [[{key}]]");
    let Value::List(list) = field.raw() else {
        return Err(field.fault(expected()));
    };
    for (i, value) in list.iter().enumerate() {
        let Value::Table(table) = value else {
            return Err(Fault::new(
                field.place(),
                format!("{key} {i} = {value}"),
                expected(),
            ));
        };
        f(table, Place::Item(key, i))?;
    }
    Ok(())
}

/// Returns the number of the material that a key names.
pub(super) fn material_number(
    field: Field<'_>,
    materials: &[SceneMaterial],
) -> Result<usize, Fault> {
    number_of_name(field, field.text()?, materials)
}

fn number_of_name(
    field: Field<'_>,
    name: &str,
    materials: &[SceneMaterial],
) -> Result<usize, Fault> {
    let number = materials.iter().position(|material| material.name == name);
    number.ok_or_else(|| {
        let names = materials.iter().map(|material| material.name.as_str());
        field.fault(match nearest_of(name, names) {
            Some(near) => format!("the name of a [[material]]: did you mean {near:?}?"),
            None => "the name of a [[material]] before it".to_owned(),
        })
    })
}

fn material(table: &Table, place: Place, before: &[SceneMaterial]) -> Result<SceneMaterial, Fault> {
    let known: Vec<&str> = ["name", "density"].into_iter().chain(CONTACT).collect();
    let fields = Fields::new(table, "a material", "", &known, place)?;
    let name = fields.required("name", "the name by which bodies refer to it")?;
    if before
        .iter()
        .any(|other| Ok(other.name.as_str()) == name.text())
    {
        return Err(name.fault("a name that no other material has"));
    }
    Ok(SceneMaterial {
        name: name.text()?.to_owned(),
        place: fields.place(),
        density: fields.value("density", Field::positive)?,
        contact: contact(&fields)?,
    })
}

fn interaction(
    table: &Table,
    place: Place,
    keys: &SimulationKeys,
) -> Result<SceneInteraction, Fault> {
    let known: Vec<&str> = ["materials"].into_iter().chain(CONTACT).collect();
    let fields = Fields::new(table, "an interaction", "", &known, place)?;
    const EXPECTED: &str = "the names of two materials in brackets";
    let field = fields.required("materials", EXPECTED)?;
    let Value::List(list) = field.raw() else {
        return Err(field.fault(EXPECTED));
    };
    let [Value::Text(a), Value::Text(b)] = list.as_slice() else {
        return Err(field.fault(EXPECTED));
    };
    let mut materials = [
        number_of_name(field, a, &keys.materials)?,
        number_of_name(field, b, &keys.materials)?,
    ];
    materials.sort_unstable();
    if keys
        .interactions
        .iter()
        .any(|other| other.materials == materials)
    {
        return Err(field.fault("two materials that no interaction before it has"));
    }
    Ok(SceneInteraction {
        materials,
        place: fields.place(),
        contact: contact(&fields)?,
    })
}

fn contact(fields: &Fields<'_>) -> Result<ContactKeys, Fault> {
    let name = |key: &str, known: &[&str]| fields.value(key, |field| one_of(field, known));
    let at_least_0 = |key: &str| fields.value(key, not_negative);
    if let (Some(field), Some(_)) = (fields.field("young"), fields.field("stiffness")) {
        return Err(field.fault("`young` or `stiffness`, not both"));
    }
    Ok(ContactKeys {
        normal: name("normal", &NORMALS)?,
        young: fields.value("young", Field::positive)?,
        poisson: fields.value("poisson", |field| between(field, -1.0, 0.5))?,
        stiffness: fields.value("stiffness", Field::positive)?,
        surface_energy: at_least_0("surface_energy")?,
        damping: name("damping", &DAMPINGS)?,
        restitution: fields.value("restitution", |field| between(field, 0.0, 1.0))?,
        damping_constant: at_least_0("damping_constant")?,
        tangential: name("tangential", &TANGENTIALS)?,
        tangential_stiffness: fields.value("tangential_stiffness", Field::positive)?,
        tangential_damping: at_least_0("tangential_damping")?,
        friction: at_least_0("friction")?,
        rolling: fields.value("rolling", |field| resistance(field, "rolling.", &ROLLINGS))?,
        twisting: fields.value("twisting", |field| {
            resistance(field, "twisting.", &TWISTINGS)
        })?,
    })
}

fn resistance(
    field: Field<'_>,
    prefix: &'static str,
    models: &[&str],
) -> Result<ResistanceKeys, Fault> {
    let Value::Table(table) = field.raw() else {
        return Err(field.fault(format!(
            "its settings in braces, such as {{ model = {:?} }}",
            models[1]
        )));
    };
    let keys = ["model", "stiffness", "damping", "friction"];
    let what = format!("`{}`", prefix.trim_end_matches('.'));
    let fields = Fields::new(table, &what, prefix, &keys, field.place())?;
    let model = fields.required("model", &format!("one of {}", models.join(", ")))?;
    let model = one_of(model, models)?;
    // What each model needs; what it does not know is refused.
    let needs: &[&str] = match model.as_str() {
        "sds" => &["stiffness", "damping", "friction"],
        "cdt" => &["friction"],
        "epsd" => &["damping", "friction"],
        _ => &[],
    };
    let constant = |key: &'static str| match (needs.contains(&key), fields.field(key)) {
        (true, Some(field)) => not_negative(field),
        (true, None) => Err(Fault::new(
            fields.place(),
            format!("no `{prefix}{key}`"),
            format!("a number of at least 0, as model {model:?} needs it"),
        )),
        (false, Some(field)) => Err(field.fault(format!("no such key of model {model:?}"))),
        (false, None) => Ok(0.0),
    };
    let (stiffness, damping) = (constant("stiffness")?, constant("damping")?);
    let friction = constant("friction")?;
    Ok(ResistanceKeys {
        model,
        stiffness,
        damping,
        friction,
    })
}

const SURFACES: [&str; 5] = ["plane", "box", "cylinder", "cone", "sphere"];
const MOTIONS: [&str; 4] = ["velocity", "shear", "vibrate", "rotate"];

fn wall(table: &Table, place: Place, keys: &SimulationKeys) -> Result<SceneWall, Fault> {
    let known: Vec<&str> = ["name", "material", "side", "open"]
        .into_iter()
        .chain(SURFACES)
        .chain(MOTIONS)
        .collect();
    let fields = Fields::new(table, "a wall", "", &known, place)?;
    let name = match fields.field("name") {
        Some(field) => {
            let name = field.text()?;
            if keys.walls.iter().any(|wall| wall.name == name) {
                return Err(field.fault("a name that no other wall has"));
            }
            name.to_owned()
        }
        None => format!("wall {}", keys.walls.len()),
    };
    let one = |known: &[&'static str], what: &str| {
        let mut found = known
            .iter()
            .filter_map(|key| Some((*key, fields.field(key)?)));
        let first = found.next();
        match found.next() {
            Some((_, other)) => Err(other.fault(format!("one {what} only"))),
            None => Ok(first),
        }
    };
    let Some((kind, field)) = one(&SURFACES, "surface of a wall")? else {
        let expected = format!("one of {}", SURFACES.join(", "));
        return Err(Fault::new(
            fields.place(),
            "a wall without a surface",
            expected,
        ));
    };
    let (surface, faces) = surface(kind, field)?;
    let mut open = [false; 6];
    if let Some(field) = fields.field("open") {
        let Value::List(list) = field.raw() else {
            return Err(field.fault("names of faces in brackets"));
        };
        for value in list {
            let Value::Text(name) = value else {
                return Err(field.fault("names of faces in brackets"));
            };
            let Some(face) = faces.iter().position(|face| face == name) else {
                return Err(field.fault(match faces.is_empty() {
                    true => format!("no open faces, as a {kind} has none"),
                    false => format!("faces of a {kind}: {}", faces.join(", ")),
                }));
            };
            open[face] = true;
        }
    }
    let motion = match one(&MOTIONS, "motion of a wall")? {
        Some((kind, field)) => Some(motion(kind, field)?),
        None => None,
    };
    let is_outside = match fields.field("side") {
        Some(field) => one_of(field, &["inside", "outside"])? == "outside",
        None => false,
    };
    if let (Some(field), true) = (fields.field("side"), kind == "plane") {
        return Err(field.fault("no side of a plane: bodies are where its normal points"));
    }
    Ok(SceneWall {
        name,
        place: fields.place(),
        material: fields.value("material", |field| material_number(field, &keys.materials))?,
        surface,
        is_outside,
        open,
        motion,
    })
}

/// Parses the surface of a wall; also the names of its faces that may be open.
fn surface(kind: &str, field: Field<'_>) -> Result<(WallSurface, &'static [&'static str]), Fault> {
    if kind == "box" {
        let [x0, y0, z0, x1, y1, z1] = field.vector()?;
        let (low, high) = ([x0, y0, z0], [x1, y1, z1]);
        return match (0..3).all(|k| low[k] < high[k]) {
            true => Ok((
                WallSurface::Box { low, high },
                &["-x", "+x", "-y", "+y", "-z", "+z"],
            )),
            false => Err(field.fault("a lower corner, then one above it")),
        };
    }
    let Value::Table(table) = field.raw() else {
        return Err(field.fault("its settings in braces"));
    };
    let what = format!("`{kind}`");
    let place = field.place();
    match kind {
        "plane" => {
            let fields = Fields::new(table, &what, "plane.", &["point", "normal"], place)?;
            let normal = fields.required("normal", "the direction in which bodies are")?;
            let vector = normal.vector()?;
            if vector == [0.0; 3] {
                return Err(normal.fault("a vector other than 0"));
            }
            let point = fields.value("point", place_in_space)?;
            let surface = WallSurface::Plane {
                point: point.unwrap_or([0.0; 3]),
                normal: vector,
            };
            Ok((surface, &[]))
        }
        "sphere" => {
            let fields = Fields::new(table, &what, "sphere.", &["center", "radius"], place)?;
            let center = fields.value("center", place_in_space)?;
            let surface = WallSurface::Sphere {
                center: center.unwrap_or([0.0; 3]),
                radius: fields.required("radius", "its radius")?.size()?,
            };
            Ok((surface, &[]))
        }
        _ => {
            let (prefix, radius) = match kind {
                "cone" => ("cone.", "radii"),
                _ => ("cylinder.", "radius"),
            };
            let keys = ["axis", "center", radius, "ends"];
            let fields = Fields::new(table, &what, prefix, &keys, place)?;
            let axis = match fields.field("axis") {
                Some(field) => match one_of(field, &["x", "y", "z"])?.as_str() {
                    "x" => 0,
                    "y" => 1,
                    _ => 2,
                },
                None => 2,
            };
            let center = fields.value("center", Field::vector)?;
            let own = fields.required(radius, "distances of the mantle from the axis")?;
            let radii = match kind {
                "cone" => own.vector()?,
                _ => [own.size()?; 2],
            };
            if !(radii.iter().all(|&r| r >= 0.0) && radii[0] + radii[1] > 0.0) {
                return Err(own.fault("two numbers of at least 0, not both 0"));
            }
            let field = fields.required("ends", "the lower and the upper end along the axis")?;
            let ends: [f64; 2] = field.vector()?;
            if ends[0] >= ends[1] {
                return Err(field.fault("a lower end, then an upper one"));
            }
            let surface = WallSurface::Cone {
                axis,
                center: center.unwrap_or([0.0; 2]),
                radii,
                ends,
            };
            Ok((surface, &["low", "high", "mantle"]))
        }
    }
}

fn motion(kind: &str, field: Field<'_>) -> Result<WallMotion, Fault> {
    match kind {
        "velocity" => return Ok(WallMotion::Velocity(field.vector()?)),
        "shear" => return Ok(WallMotion::Shear(field.vector()?)),
        _ => {}
    }
    let Value::Table(table) = field.raw() else {
        return Err(field.fault("its settings in braces"));
    };
    let place = field.place();
    if kind == "vibrate" {
        let keys = ["amplitude", "period"];
        let fields = Fields::new(table, "`vibrate`", "vibrate.", &keys, place)?;
        return Ok(WallMotion::Vibrate {
            amplitude: fields.required("amplitude", "three lengths")?.vector()?,
            period: fields
                .required("period", "the time of one vibration")?
                .positive()?,
        });
    }
    let keys = ["point", "axis", "period"];
    let fields = Fields::new(table, "`rotate`", "rotate.", &keys, place)?;
    let axis = fields.required("axis", "the direction of the axis")?;
    let direction = axis.vector()?;
    if direction == [0.0; 3] {
        return Err(axis.fault("a vector other than 0"));
    }
    let point = fields.value("point", place_in_space)?;
    Ok(WallMotion::Rotate {
        point: point.unwrap_or([0.0; 3]),
        axis: direction,
        period: fields
            .required("period", "the time of one revolution")?
            .positive()?,
    })
}

fn drag(field: Field<'_>) -> Result<SceneDrag, Fault> {
    let Value::Table(table) = field.raw() else {
        return Err(field.fault("drag = { density = 1.2, viscosity = 1.8e-5 }"));
    };
    let keys = ["density", "viscosity", "velocity"];
    let fields = Fields::new(table, "`drag`", "drag.", &keys, field.place())?;
    Ok(SceneDrag {
        density: fields
            .required("density", "that of the fluid")?
            .positive()?,
        viscosity: fields
            .required("viscosity", "that of the fluid")?
            .positive()?,
        velocity: fields.value("velocity", Field::vector)?.unwrap_or([0.0; 3]),
    })
}

fn output(field: Field<'_>) -> Result<SceneOutput, Fault> {
    let Value::Table(table) = field.raw() else {
        return Err(field.fault("output = { every = 0.01 }"));
    };
    let keys = ["every", "dump", "contacts"];
    let fields = Fields::new(table, "`output`", "output.", &keys, field.place())?;
    Ok(SceneOutput {
        every: fields.value("every", Field::positive)?,
        dump: fields.value("dump", Field::flag)?.unwrap_or(false),
        contacts: fields.value("contacts", Field::flag)?.unwrap_or(false),
    })
}

fn one_of(field: Field<'_>, known: &[&str]) -> Result<String, Fault> {
    let text = field.text()?;
    if known.contains(&text) {
        return Ok(text.to_owned());
    }
    Err(field.fault(match nearest_of(text, known.iter().copied()) {
        Some(near) => format!("one of {}: did you mean {near:?}?", known.join(", ")),
        None => format!("one of {}", known.join(", ")),
    }))
}

fn not_negative(field: Field<'_>) -> Result<f64, Fault> {
    match field.number()? {
        x if x >= 0.0 => Ok(x),
        _ => Err(field.fault("a number of at least 0")),
    }
}

fn between(field: Field<'_>, least: f64, most: f64) -> Result<f64, Fault> {
    match field.number()? {
        x if (least..=most).contains(&x) => Ok(x),
        _ => Err(field.fault(format!("a number from {least} to {most}"))),
    }
}
