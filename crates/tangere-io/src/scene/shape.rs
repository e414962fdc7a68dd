//! Shapes of a scene: solids, generated surfaces, files and compounds, with a scale factor.

use super::body::pose;
use super::fields::{Field, Fields, SIZE_MAX, SIZE_MIN};
use super::value::{Table, Value};
use crate::error::{Fault, Place};
use std::collections::HashMap;
use std::path::PathBuf;
use tangere::geometry::Pose;
use tangere::shape::FaceKind;

/// Maximum number of triangles of all generated shapes of a scene together. Their vertices and
/// faces take some 800 MB, not counting the search structures built over them.
pub(super) const TRIANGLES_MAX: u64 = 1 << 25;

/// A shape of a scene, which bodies may share.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneShape {
    /// The position in the scene at which the shape is first used, for errors.
    pub place: Place,
    /// The source of the shape: a generator, a file or the calling program.
    pub source: ShapeSource,
    /// The factor by which the shape is scaled about the origin of its coordinates.
    pub scale: f64,
    /// Whether a surface is a wall, touched from both sides, even where it is closed.
    pub wall: bool,
}

/// A part of a compound: a shape that is no compound, with its pose in the frame of the body.
#[derive(Clone, Debug, PartialEq)]
pub struct CompoundPart {
    /// The shape of the part.
    pub shape: SceneShape,
    /// The pose of the part in the frame of the body, before the compound is scaled.
    pub pose: Pose,
}

/// The source of a shape: a ball, a generator, a file or the calling program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ShapeSource {
    /// An exact ball around the origin, which has no faces.
    Ball {
        /// The radius of the ball.
        radius: f64,
    },
    /// A sphere of triangles ([`tangere::generate::sphere`]), or of finite element faces
    /// ([`tangere::generate::face_sphere`]).
    Sphere {
        /// The number of refinements of the sphere.
        level: u32,
        /// The radius of the sphere: the distance of its vertices from the origin.
        radius: f64,
        /// The kind of the sphere's finite element faces; `None` for a triangle mesh.
        kind: Option<FaceKind>,
    },
    /// A box ([`tangere::generate::box_mesh`]).
    Box {
        /// The lengths of the edges of the box.
        size: [f64; 3],
        /// The number of parts into which each edge of the box is divided.
        divisions: [u32; 3],
    },
    /// A plate, a flat rectangle ([`tangere::generate::plate`]).
    Plate {
        /// The lengths of the edges of the plate.
        size: [f64; 2],
        /// The number of parts into which each edge of the plate is divided.
        divisions: [u32; 2],
    },
    /// A tube along a trefoil knot ([`tangere::generate::knot`]).
    Knot {
        /// The number of triangles of the knot.
        triangles: usize,
    },
    /// An open-cell foam ([`tangere::generate::foam`]).
    Foam {
        /// The approximate number of triangles of the foam.
        triangles: usize,
        /// The seed of the random numbers of the foam.
        seed: u64,
    },
    /// A Menger sponge ([`tangere::generate::sponge`]).
    Sponge {
        /// The number of refinements of the sponge, each of which cuts holes.
        level: u32,
    },
    /// The convex hull of random points on an ellipsoid ([`tangere::generate::hull`]).
    Hull {
        /// The number of triangles of the hull.
        faces: usize,
        /// The seed of the random numbers of the hull.
        seed: u64,
    },
    /// Chazelle's polyhedron ([`tangere::generate::chazelle`]).
    Chazelle {
        /// The number of notches that are cut from above; as many are cut from below.
        size: u32,
    },
    /// A mesh file that [`read_mesh`](crate::read_mesh) reads.
    File {
        /// The path of the mesh file, relative to the folder of the scene.
        path: PathBuf,
        /// The name of a surface in the mesh file; `None` for the surface of the whole mesh.
        surface: Option<String>,
    },
    /// An exact capsule: all points within a radius of a segment along z around the origin.
    Capsule {
        /// The radius of the capsule.
        radius: f64,
        /// The length of its segment.
        length: f64,
    },
    /// A half-space: a plane through the origin and all that lies behind it.
    HalfSpace {
        /// The outward normal, of any length.
        normal: [f64; 3],
    },
    /// The convex hull of the vertices or points of a file.
    Convex {
        /// The path of the file, relative to the folder of the scene.
        path: PathBuf,
    },
    /// Several shapes as one body; there is at least one.
    Compound(Vec<CompoundPart>),
    /// A shape that the calling program provides, by its index ([`Value::Given`]).
    Given(usize),
}

/// The keys of a scene that select the source of a shape.
const KINDS: [&str; 14] = [
    "ball",
    "sphere",
    "box",
    "plate",
    "knot",
    "foam",
    "sponge",
    "hull",
    "chazelle",
    "file",
    "capsule",
    "half_space",
    "convex",
    "compound",
];

/// The keys that a shape may have beside one of `KINDS`.
const BESIDE: [&str; 3] = ["scale", "surface", "wall"];

const EXAMPLE: &str = "what the body is, such as shape = { sphere = { level = 4 } }";

/// Shapes of a scene that have a name.
#[derive(Default)]
pub(super) struct NamedShapes<'a> {
    /// The shapes that were read so far.
    known: HashMap<&'a str, SceneShape>,
    /// The names of all tables `[[shape]]`, also of those that were not read yet.
    names: Vec<&'a str>,
}

/// Returns the shapes of the tables `[[shape]]`, by name.
pub(super) fn named_shapes<'a>(scene: &Fields<'a>) -> Result<NamedShapes<'a>, Fault> {
    const SHAPES: &str = "shapes, each after a line [[shape]]";
    let mut named = NamedShapes::default();
    let Some(field) = scene.field("shape") else {
        return Ok(named);
    };
    let Value::List(list) = field.raw() else {
        return Err(field.fault(SHAPES));
    };
    let name_of = |value: &'a Value| match value {
        Value::Table(table) => match table.value("name") {
            Some(Value::Text(name)) => Some(name.as_str()),
            _ => None,
        },
        _ => None,
    };
    named.names = list.iter().filter_map(name_of).collect();
    for (i, value) in list.iter().enumerate() {
        let Value::Table(table) = value else {
            let found = format!("shape {i} = {value}");
            return Err(Fault::new(field.place(), found, "a table of its keys"));
        };
        let keys = known_keys(true);
        let fields = Fields::new(table, "a shape", "", &keys, Place::Item("shape", i))?;
        let name = fields.required("name", "the name by which bodies share it")?;
        let shape = described(&fields, &named)?;
        if named.known.insert(name.text()?, shape).is_some() {
            return Err(name.fault("a name that no other shape has"));
        }
    }
    Ok(named)
}

fn known_keys(has_name: bool) -> Vec<&'static str> {
    let name = has_name.then_some("name");
    name.into_iter().chain(KINDS).chain(BESIDE).collect()
}

/// Returns the shape that the table of a body, or of a part of a compound, describes or names.
pub(super) fn shape(body: &Fields<'_>, named: &NamedShapes<'_>) -> Result<SceneShape, Fault> {
    let field = body.required("shape", EXAMPLE)?;
    let place = field.place();
    let table = match field.raw() {
        Value::Table(table) => table,
        &Value::Given(number) => {
            return Ok(SceneShape {
                place,
                source: ShapeSource::Given(number),
                scale: 1.0,
                wall: false,
            });
        }
        Value::Text(name) if !named.names.is_empty() => {
            return named.known.get(name.as_str()).cloned().ok_or_else(|| {
                // Parts of a shape come before it, so that none contains itself.
                if named.names.contains(&name.as_str()) {
                    return field.fault("the name of a [[shape]] before this one");
                }
                let names = super::fields::nearest_of(name, named.known.keys().copied());
                field.fault(match names {
                    Some(name) => format!("the name of a [[shape]]: did you mean {name:?}?"),
                    None => "the name of a [[shape]], or its keys in braces".to_owned(),
                })
            });
        }
        _ => return Err(field.fault(EXAMPLE)),
    };
    let fields = Fields::new(table, "a shape", "", &known_keys(false), place)?;
    if !KINDS.iter().any(|kind| fields.field(kind).is_some()) {
        return Err(field.fault(format!("one of {}", KINDS.join(", "))));
    }
    let mut shape = described(&fields, named)?;
    shape.place = place;
    Ok(shape)
}

/// Returns the shape that the keys of a table describe.
fn described(fields: &Fields<'_>, named: &NamedShapes<'_>) -> Result<SceneShape, Fault> {
    let place = fields.place();
    let mut kinds = KINDS
        .into_iter()
        .filter(|kind| fields.field(kind).is_some());
    let expected = || format!("one of {}", KINDS.join(", "));
    let Some(kind) = kinds.next() else {
        return Err(Fault::new(place, "no shape", expected()));
    };
    if let Some(other) = kinds.next() {
        let found = format!("a shape of both `{kind}` and `{other}`");
        return Err(Fault::new(place, found, expected()));
    }
    let scale = fields.value("scale", Field::size)?.unwrap_or(1.0);
    let own = fields.required(kind, EXAMPLE)?;
    if kind != "file"
        && let Some(surface) = fields.field("surface")
    {
        return Err(surface.fault("no `surface` of a shape that is no file"));
    }
    let source = match kind {
        "file" => ShapeSource::File {
            path: own.path()?,
            surface: fields.value("surface", Field::text)?.map(str::to_owned),
        },
        "convex" => ShapeSource::Convex { path: own.path()? },
        "compound" => compound(own, named)?,
        _ => {
            let Value::Table(table) = own.raw() else {
                return Err(own.fault("its settings in braces"));
            };
            generated(kind, table, own.place())?
        }
    };
    let wall = fields.value("wall", Field::flag)?.unwrap_or(false);
    if let Some(field) = fields.field("wall")
        && wall
        && !source.is_surface()
    {
        return Err(field.fault("no wall: the shape is not a surface of triangles"));
    }
    let lengths = match source {
        ShapeSource::Ball { radius } => [radius; 2],
        ShapeSource::Capsule { radius, length } => [radius, length],
        _ => [1.0; 2],
    };
    let is_valid = |length: &f64| (SIZE_MIN..=SIZE_MAX).contains(&(length * scale));
    if !lengths.iter().all(is_valid) {
        let expected = format!("a radius from {SIZE_MIN:e} to {SIZE_MAX:e} when scaled");
        return Err(own.fault(expected));
    }
    if source.faces() > TRIANGLES_MAX {
        return Err(own.fault(format!("at most {TRIANGLES_MAX} triangles")));
    }
    Ok(SceneShape {
        place,
        source,
        scale,
        wall,
    })
}

/// Returns a compound from the list of its parts: tables with the keys `shape`, `position` and
/// `rotation`.
fn compound(field: Field<'_>, named: &NamedShapes<'_>) -> Result<ShapeSource, Fault> {
    const EXPECTED: &str = "its parts in brackets, such as [{ shape = { ball = { radius = 1 } }, \
        position = [0, 0, 1] }]";
    let Value::List(list) = field.raw() else {
        return Err(field.fault(EXPECTED));
    };
    if list.is_empty() {
        return Err(field.fault("at least one part"));
    }
    let mut parts = Vec::with_capacity(list.len());
    for value in list {
        let Value::Table(table) = value else {
            return Err(field.fault(EXPECTED));
        };
        let keys = ["shape", "position", "rotation"];
        let fields = Fields::new(table, "a part", "compound.", &keys, field.place())?;
        let shape = shape(&fields, named)?;
        if matches!(shape.source, ShapeSource::Compound(_)) {
            let found = "a compound in a compound";
            return Err(Fault::new(fields.place(), found, "parts of other shapes"));
        }
        let pose = pose(&fields)?;
        parts.push(CompoundPart { shape, pose });
    }
    Ok(ShapeSource::Compound(parts))
}

/// Returns the source of a shape of the given kind, with the settings in `table`. The kind is
/// a solid or a generator.
fn generated(kind: &str, table: &Table, place: Place) -> Result<ShapeSource, Fault> {
    let what = format!("`{kind}`");
    let known = |prefix, keys: &[&str]| Fields::new(table, &what, prefix, keys, place);
    let level = |fields: &Fields<'_>, most| {
        let field = fields.required("level", "how often it is refined")?;
        field.whole(0..=most)
    };
    let seed = |fields: &Fields<'_>| {
        let seed = fields.value("seed", |field| field.whole(0..=u64::MAX))?;
        Ok(seed.unwrap_or(0))
    };
    let count = |fields: &Fields<'_>, key, least| {
        let field = fields.required(key, "how many there are")?;
        field.whole(least..=TRIANGLES_MAX)
    };
    let even = |fields: &Fields<'_>, key, least| {
        let number: usize = count(fields, key, least)?;
        let field = fields.required(key, "how many there are")?;
        match number % 2 {
            0 => Ok(number),
            _ => Err(field.fault("an even number, as of all closed surfaces")),
        }
    };
    const SIZE: &str = "the lengths of its edges";
    let divided = 1..=TRIANGLES_MAX;
    Ok(match kind {
        "ball" => {
            let fields = known("ball.", &["radius"])?;
            let radius = fields.required("radius", "its radius")?.size()?;
            ShapeSource::Ball { radius }
        }
        "sphere" => {
            let fields = known("sphere.", &["level", "radius", "kind"])?;
            let kind = fields.value("kind", face_kind)?;
            let radius = fields.value("radius", Field::size)?;
            match (fields.field("level"), radius, kind) {
                // Without a level it is not cut into faces.
                (None, Some(radius), None) => ShapeSource::Ball { radius },
                _ => ShapeSource::Sphere {
                    level: level(&fields, if kind.is_some() { 10 } else { 12 })?,
                    radius: radius.unwrap_or(1.0),
                    kind,
                },
            }
        }
        "box" => {
            let fields = known("box.", &["size", "divisions"])?;
            let divisions = fields.value("divisions", |field| field.wholes(divided))?;
            ShapeSource::Box {
                size: fields.required("size", SIZE)?.sizes()?,
                divisions: divisions.unwrap_or([1; 3]),
            }
        }
        "capsule" => {
            let fields = known("capsule.", &["radius", "length"])?;
            ShapeSource::Capsule {
                radius: fields.required("radius", "its radius")?.size()?,
                length: fields
                    .required("length", "that of its segment along z")?
                    .size()?,
            }
        }
        "half_space" => {
            let fields = known("half_space.", &["normal"])?;
            let field = fields.required("normal", "its outward normal")?;
            let normal = field.vector()?;
            if normal == [0.0; 3] {
                return Err(field.fault("a vector other than 0"));
            }
            ShapeSource::HalfSpace { normal }
        }
        "plate" => {
            let fields = known("plate.", &["size", "divisions"])?;
            let divisions = fields.value("divisions", |field| field.wholes(divided))?;
            ShapeSource::Plate {
                size: fields.required("size", SIZE)?.sizes()?,
                divisions: divisions.unwrap_or([1; 2]),
            }
        }
        "knot" => {
            let fields = known("knot.", &["triangles"])?;
            ShapeSource::Knot {
                triangles: even(&fields, "triangles", 100)?,
            }
        }
        "foam" => {
            let fields = known("foam.", &["triangles", "seed"])?;
            ShapeSource::Foam {
                triangles: count(&fields, "triangles", 500)?,
                seed: seed(&fields)?,
            }
        }
        "sponge" => {
            let fields = known("sponge.", &["level"])?;
            ShapeSource::Sponge {
                level: level(&fields, 5)?,
            }
        }
        "hull" => {
            let fields = known("hull.", &["faces", "seed"])?;
            let faces = even(&fields, "faces", 4)?;
            if faces > 1 << 20 {
                let field = fields.required("faces", "how many there are")?;
                return Err(field.fault("an even number from 4 to 1048576"));
            }
            ShapeSource::Hull {
                faces,
                seed: seed(&fields)?,
            }
        }
        _ => {
            let fields = known("chazelle.", &["size"])?;
            let size = fields.required("size", "the number of notches on each side")?;
            ShapeSource::Chazelle {
                size: size.whole(1..=1_048_574)?,
            }
        }
    })
}

/// Converts the value of `kind` to a kind of finite element face, which must be a surface element.
fn face_kind(field: Field<'_>) -> Result<FaceKind, Fault> {
    let kind = field.text()?.parse::<FaceKind>().ok();
    let kind = kind.filter(|kind| kind.dimension() == 2);
    kind.ok_or_else(|| field.fault("\"tri3\", \"tri6\", \"quad4\", \"quad8\" or \"quad9\""))
}

impl ShapeSource {
    /// Whether the shape is a surface of triangles, for `contacts` too.
    pub(super) fn is_surface(&self) -> bool {
        matches!(
            self,
            ShapeSource::Sphere { .. }
                | ShapeSource::Plate { .. }
                | ShapeSource::Knot { .. }
                | ShapeSource::Foam { .. }
                | ShapeSource::Sponge { .. }
                | ShapeSource::Chazelle { .. }
                | ShapeSource::File { .. }
        )
    }

    /// Returns the approximate number of faces of the shape. It is 0 for solids without
    /// faces, for files, and for shapes that the calling program provides.
    pub fn faces(&self) -> u64 {
        let power = |base: u64, level: u32| base.saturating_pow(level);
        let product = |a: u32, b: u32| u64::from(a) * u64::from(b);
        match *self {
            ShapeSource::Compound(ref parts) => {
                let faces = parts.iter().map(|part| part.shape.source.faces());
                faces.fold(0, u64::saturating_add)
            }
            ShapeSource::Sphere { level, kind, .. } => {
                let corners = kind.map_or(3, |kind| kind.corners());
                let first = if corners == 4 { 6 } else { 8 };
                power(4, level).saturating_mul(first)
            }
            ShapeSource::Box {
                divisions: [a, b, c],
                ..
            } => [product(a, b), product(b, c), product(c, a)]
                .into_iter()
                .fold(0, u64::saturating_add)
                .saturating_mul(4),
            ShapeSource::Plate {
                divisions: [a, b], ..
            } => product(a, b).saturating_mul(2),
            ShapeSource::Knot { triangles } | ShapeSource::Foam { triangles, .. } => {
                triangles as u64
            }
            ShapeSource::Sponge { level } => 4 * power(20, level) + 8 * power(8, level),
            ShapeSource::Hull { faces, .. } => faces as u64,
            ShapeSource::Chazelle { size } => 24 * u64::from(size) + 12,
            ShapeSource::Ball { .. }
            | ShapeSource::Capsule { .. }
            | ShapeSource::HalfSpace { .. }
            | ShapeSource::Convex { .. }
            | ShapeSource::File { .. }
            | ShapeSource::Given(_) => 0,
        }
    }
}

impl SceneShape {
    /// The centres and radii of its balls: of a ball, or of a compound of balls; none of other shapes.
    pub fn balls(&self) -> Vec<([f64; 3], f64)> {
        match &self.source {
            ShapeSource::Ball { radius } => vec![([0.0; 3], radius * self.scale)],
            ShapeSource::Compound(parts) => {
                let balls = parts.iter().map(|part| match part.shape.source {
                    ShapeSource::Ball { radius } => {
                        let center = part.pose.translation().map(|x| self.scale * x);
                        Some((center, radius * part.shape.scale * self.scale))
                    }
                    _ => None,
                });
                balls.collect::<Option<_>>().unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    /// Returns a text that is equal for shapes with equal descriptions. Numbers are formatted so
    /// that they read back exactly.
    pub(super) fn key(&self) -> String {
        let rest = format!("{:?} {:?}", self.scale, self.wall);
        match &self.source {
            ShapeSource::Compound(parts) => {
                let parts = parts.iter().map(|part| {
                    let pose = part.pose.to_numbers();
                    format!("({} {pose:?})", part.shape.key())
                });
                format!("compound {} {rest}", parts.collect::<String>())
            }
            source => format!("{source:?} {rest}"),
        }
    }
}
