//! Scenes: bodies with shape, pose and motion, from TOML or from a program.
//!
//! The format is described in `docs/scenes.md`. Reading has two steps. [`read_scene`],
//! [`SceneFile::parse`] and [`SceneFile::from_table`] return a checked description and
//! open no other file. [`SceneFile::make_shapes`] then generates and reads the shapes.
//! Shapes with equal descriptions are shared. Cost: linear in the text, about 10 µs a body.
//!
//! ```
//! use tangere_io::scene::{MadeShape, SceneFile};
//!
//! let text = r#"
//! gravity = [0, 0, -9.81]
//! [[body]]
//! name = "left"
//! shape = { sphere = { level = 4 } }
//! velocity = [50, 0, 86.6]
//! [[body]]
//! name = "right"
//! shape = { sphere = { level = 4 } }
//! position = [1500, 0, 0]
//! velocity = [-50, 0, 86.6]
//! "#;
//! let scene = SceneFile::parse(text.as_bytes(), ".").unwrap();
//! assert_eq!((scene.bodies.len(), scene.shapes.len()), (2, 1));
//! assert_eq!(scene.bodies[1].acceleration, [0.0, 0.0, -9.81]);
//! let shapes = scene.make_shapes()?;
//! assert!(matches!(&shapes[0], MadeShape::Mesh(mesh) if mesh.faces().len() == 2048));
//!
//! let fault = SceneFile::parse(b"[[body]]\nvelocty = [1, 0, 0]\n", ".").unwrap_err();
//! assert_eq!(
//!     fault.to_string(),
//!     "line 2: found unknown key `velocty`, expected a key of a body: did you mean `velocity`?"
//! );
//! # Ok::<(), tangere_io::Error>(())
//! ```

mod body;
mod contact_shapes;
mod copies;
mod fields;
mod make_shapes;
mod room;
mod shape;
mod simulation;
mod toml;
#[cfg(test)]
mod toml_oracle;
mod value;

pub use body::{SceneBody, VelocitySource};
pub use make_shapes::MadeShape;
pub use shape::{CompoundPart, SceneShape, ShapeSource};
pub use simulation::{
    ContactKeys, DAMPINGS, NORMALS, ROLLINGS, ResistanceKeys, SceneDrag, SceneInteraction,
    SceneMaterial, SceneOutput, SceneWall, SimulationKeys, TANGENTIALS, TWISTINGS, WallMotion,
    WallSurface,
};
pub use value::{Table, Value};

use crate::error::{Error, Fault, Place, Result};
use crate::read_bytes::read_bytes;
use body::BodyTable;
use copies::BODIES_MAX;
use fields::{Field, Fields, nearest_of};
use room::Room;
use shape::{TRIANGLES_MAX, named_shapes};
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use tangere::geometry::Pose;
use tangere::pairs::Periodic;

/// Description of a scene. It was validated without opening the files that it names.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SceneFile {
    /// The path of the scene file; `None` if a program provides the scene.
    pub path: Option<PathBuf>,
    /// The folder that the paths in the scene are relative to.
    pub folder: PathBuf,
    /// Whether symbolic links may lead out of the folder of a scene file. Without it such a file is
    /// an error, so that a scene from elsewhere reads nothing but what came with it.
    pub follow_links: bool,
    /// The end time of the scene, which begins at time 0; `None` if the scene gives none.
    pub until: Option<f64>,
    /// The time step of a simulation that steps through the scene; `None` if the scene gives none.
    pub step: Option<f64>,
    /// The acceleration of bodies that move rigidly and specify none. [`SceneBody::acceleration`]
    /// of these bodies is already set to it.
    pub gravity: [f64; 3],
    /// The largest gap of a contact; 0 if the scene gives none.
    pub margin: f64,
    /// The periodic cell in which bodies repeat; `None` for open space.
    pub periodic: Option<Periodic<3>>,
    /// The distinct shapes of the bodies, in the order of their first use.
    pub shapes: Vec<SceneShape>,
    /// The bodies of the scene, in file order; there is at least one.
    pub bodies: Vec<SceneBody>,
    /// What only simulations read.
    pub simulation: SimulationKeys,
}

const KEYS: [&str; 7] = [
    "until", "step", "gravity", "margin", "periodic", "shape", "body",
];

const BODIES: &str = "bodies, each after a line [[body]]";

/// Reads a scene from a TOML file. The files that the scene names are not opened.
///
/// # Errors
/// When the file cannot be read, is not TOML or not a valid scene; the error names the line.
pub fn read_scene(path: impl AsRef<Path>) -> Result<SceneFile> {
    let path = path.as_ref();
    if path.is_dir() {
        return Err(Error::file(path, io::ErrorKind::IsADirectory.into()));
    }
    let bytes = read_bytes(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut scene =
        SceneFile::parse(&bytes, folder).map_err(|fault| Error::content(path, fault))?;
    scene.path = Some(path.to_owned());
    Ok(scene)
}

impl SceneFile {
    /// Parses the TOML text of a scene. The files that it names must be in `folder` or below it.
    ///
    /// # Errors
    /// When the text is not TOML, or a key or value is invalid.
    pub fn parse(bytes: &[u8], folder: impl Into<PathBuf>) -> std::result::Result<Self, Fault> {
        Self::from_table(&toml::parse(bytes)?, folder)
    }

    /// Returns a scene from keys and values that a program provides. Errors name the number of the
    /// body instead of a line. The paths of files may lead out of `folder`.
    ///
    /// # Errors
    /// When a key or value is invalid.
    pub fn from_table(
        table: &Table,
        folder: impl Into<PathBuf>,
    ) -> std::result::Result<Self, Fault> {
        let known: Vec<&str> = KEYS.into_iter().chain(simulation::KEYS).collect();
        let fields = Fields::new(table, "a scene", "", &known, Place::Part("scene"))?;
        let gravity = fields.value("gravity", Field::vector)?.unwrap_or([0.0; 3]);
        let mut scene = SceneFile {
            path: None,
            folder: folder.into(),
            follow_links: false,
            until: fields.value("until", Field::positive)?,
            step: fields.value("step", Field::positive)?,
            gravity,
            margin: fields.value("margin", margin)?.unwrap_or(0.0),
            periodic: fields.value("periodic", periodic)?,
            shapes: Vec::new(),
            bodies: Vec::new(),
            simulation: simulation::simulation(&fields)?,
        };
        let named = named_shapes(&fields)?;
        let Some(field) = fields.field("body") else {
            return Err(Fault::new(fields.place(), "no body", BODIES));
        };
        let Value::List(list) = field.raw() else {
            return Err(field.fault(BODIES));
        };
        if list.is_empty() {
            return Err(field.fault("at least one body"));
        }
        let mut builder = Builder {
            numbers: HashMap::new(),
            triangles: 0,
            next_id: 0,
            ids: HashSet::new(),
            room: Room::default(),
            in_room: 0,
        };
        for (i, value) in list.iter().enumerate() {
            let Value::Table(table) = value else {
                let found = format!("body {i} = {value}");
                return Err(Fault::new(field.place(), found, "a table of its keys"));
            };
            let table = body::body(table, i, gravity, &named)?;
            builder.add(table, &mut scene)?;
        }
        scene.check_names()?;
        Ok(scene)
    }

    fn check_names(&self) -> std::result::Result<(), Fault> {
        let mut names = HashSet::with_capacity(self.bodies.len());
        for body in &self.bodies {
            if !names.insert(body.name.as_str()) {
                let found = format!("a second body of the name {:?}", body.name);
                let expected = "names that differ; a body without one is \"body N\" by its number";
                return Err(Fault::new(body.place, found, expected));
            }
        }
        Ok(())
    }
}

/// What is known of the bodies and shapes so far.
struct Builder {
    /// The number of each shape, by its description.
    numbers: HashMap<String, usize>,
    triangles: u64,
    next_id: u64,
    ids: HashSet<u64>,
    /// Balls that others are kept apart from, of the first `in_room` bodies.
    room: Room,
    in_room: usize,
}

impl Builder {
    /// Adds a body and its copies.
    fn add(
        &mut self,
        table: BodyTable<'_>,
        scene: &mut SceneFile,
    ) -> std::result::Result<(), Fault> {
        let BodyTable {
            body,
            shape,
            copies,
            id,
        } = table;
        let materials = &scene.simulation.materials;
        if let (Some(name), false) = (&body.material, materials.is_empty())
            && !materials.iter().any(|material| material.name == *name)
        {
            let names = materials.iter().map(|material| material.name.as_str());
            let expected = match nearest_of(name, names) {
                Some(near) => format!("the name of a [[material]]: did you mean {near:?}?"),
                None => "the name of a [[material]]".to_owned(),
            };
            let found = format!("`material = {name:?}`");
            return Err(Fault::new(body.place, found, expected));
        }
        let balls = shape.balls();
        if balls.is_empty() && (copies.apart || copies.has_sizes()) {
            let key = if copies.apart { "apart" } else { "scale" };
            let found = format!("`{key}` of a shape that is no ball and no compound of balls");
            return Err(Fault::new(
                body.place,
                found,
                "shape = { ball = { radius = R } }, or a compound of balls",
            ));
        }
        let count = scene.bodies.len() as u64 + copies.count();
        if count > BODIES_MAX {
            let found = format!("{count} bodies up to here");
            let expected = format!("at most {BODIES_MAX}");
            return Err(Fault::new(body.place, found, expected));
        }
        let shared = match copies.has_sizes() {
            true => None,
            false => Some(self.shape(shape.clone(), scene)?),
        };
        for k in 0..copies.count() {
            if copies.apart {
                self.fill_room(scene);
            }
            let is_free = |pose: &Pose, scale: f64| {
                balls.iter().all(|(center, radius)| {
                    let center = pose.apply(center.map(|x| scale * x));
                    self.room
                        .is_free(center, scale * radius, scene.periodic.as_ref())
                })
            };
            let made = copies.copy(&body.pose, k, is_free);
            let made = made.map_err(|e| Fault::new(body.place, e, "a valid pose"))?;
            let Some(made) = made else {
                let found = format!(
                    "room for {k} of {} bodies that do not overlap",
                    copies.count()
                );
                let expected = "a larger box, fewer bodies or smaller ones";
                return Err(Fault::new(body.place, found, expected));
            };
            let mut copy = body.clone();
            copy.pose = made.pose;
            for axis in 0..3 {
                copy.velocity[axis] += made.velocity[axis];
            }
            copy.shape = match shared {
                Some(number) => number,
                None => {
                    let scale = shape.scale * made.scale;
                    let own = SceneShape {
                        scale,
                        ..shape.clone()
                    };
                    self.shape(own, scene)?
                }
            };
            copy.name = match (body.name.as_str(), copies.is_one()) {
                ("", _) => format!("body {}", scene.bodies.len()),
                (_, true) => copy.name,
                (name, false) => format!("{name} {k}"),
            };
            copy.id = match id {
                Some(_) => body.id.saturating_add(k),
                None => self.next_id,
            };
            if copy.id == u64::MAX || !self.ids.insert(copy.id) {
                let expected = "ids below 2^64 - 1 that no other body has";
                return Err(match id {
                    Some(field) => field.fault(expected),
                    None => Fault::new(body.place, format!("id {}", copy.id), expected),
                });
            }
            self.next_id = self.next_id.max(copy.id + 1);
            scene.bodies.push(copy);
        }
        Ok(())
    }

    /// Adds the balls that are not in the room yet.
    fn fill_room(&mut self, scene: &SceneFile) {
        for body in &scene.bodies[self.in_room..] {
            for (center, radius) in scene.shapes[body.shape].balls() {
                self.room.add(body.pose.apply(center), radius);
            }
        }
        self.in_room = scene.bodies.len();
    }

    /// Returns the number of a shape, which is added if no shape before has the same description.
    fn shape(
        &mut self,
        shape: SceneShape,
        scene: &mut SceneFile,
    ) -> std::result::Result<usize, Fault> {
        let next = scene.shapes.len();
        let number = *self.numbers.entry(shape.key()).or_insert(next);
        if number == next {
            self.triangles += shape.source.faces();
            if self.triangles > TRIANGLES_MAX {
                let found = format!("shapes of {} triangles up to here", self.triangles);
                let expected = format!("at most {TRIANGLES_MAX} in a scene");
                return Err(Fault::new(shape.place, found, expected));
            }
            scene.shapes.push(shape);
        }
        Ok(number)
    }
}

/// Parses the largest gap of a contact.
fn margin(field: Field<'_>) -> std::result::Result<f64, Fault> {
    match field.number()? {
        x if x >= 0.0 => Ok(x),
        _ => Err(field.fault("a number not below 0")),
    }
}

/// Parses a periodic cell: its lengths, or a table with the keys `lengths`, `tilt` and `origin`.
fn periodic(field: Field<'_>) -> std::result::Result<Periodic<3>, Fault> {
    let (lengths, tilt, origin) = match field.raw() {
        Value::Table(table) => {
            let keys = ["lengths", "tilt", "origin"];
            let fields = Fields::new(table, "`periodic`", "periodic.", &keys, field.place())?;
            let lengths = fields.required("lengths", "the lengths of its edges")?;
            let tilt = fields.value("tilt", Field::vector::<3>)?;
            let origin = fields.value("origin", Field::vector::<3>)?;
            (lengths.vector()?, tilt, origin)
        }
        _ => (field.vector::<3>()?, None, None),
    };
    let cell = Periodic::tilted(lengths, tilt.as_ref().map_or(&[], |tilt| &tilt[..]));
    let cell = cell.and_then(|cell| match origin {
        Some(origin) => cell.at(origin),
        None => Ok(cell),
    });
    cell.map_err(|error| match error {
        tangere::Error::Item {
            what,
            index,
            found,
            expected,
        } => Fault::new(field.place(), format!("{what} {index} = {found}"), expected),
        tangere::Error::Argument { expected, .. } => field.fault(expected),
        other => field.fault(other.to_string()),
    })
}
