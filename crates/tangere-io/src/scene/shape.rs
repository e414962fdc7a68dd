//! Shapes of a scene: balls, generated surfaces and files, with a scale factor.

use super::fields::{Field, Fields, SIZE_MAX, SIZE_MIN};
use super::value::{Table, Value};
use crate::error::{Fault, Place};
use std::path::PathBuf;
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
    /// A shape that the calling program provides, by its index ([`Value::Given`]).
    Given(usize),
}

/// The keys of a scene that select the source of a shape: a ball, a generator or a file.
const KINDS: [&str; 10] = [
    "ball", "sphere", "box", "plate", "knot", "foam", "sponge", "hull", "chazelle", "file",
];

/// All keys that the table of a shape may have: one of `KINDS`, and the keys allowed beside it.
const KEYS: [&str; 12] = [
    "ball", "sphere", "box", "plate", "knot", "foam", "sponge", "hull", "chazelle", "file",
    "scale", "surface",
];

const EXAMPLE: &str = "what the body is, such as shape = { sphere = { level = 4 } }";

/// Returns the shape that the table of a body describes.
pub(super) fn shape(body: &Fields<'_>) -> Result<SceneShape, Fault> {
    let field = body.required("shape", EXAMPLE)?;
    let place = field.place();
    let table = match field.raw() {
        Value::Table(table) => table,
        &Value::Given(number) => {
            return Ok(SceneShape {
                place,
                source: ShapeSource::Given(number),
                scale: 1.0,
            });
        }
        _ => return Err(field.fault(EXAMPLE)),
    };
    let fields = Fields::new(table, "a shape", "", &KEYS, place)?;
    let mut kinds = KINDS
        .into_iter()
        .filter(|kind| fields.field(kind).is_some());
    let expected = format!("one of {}", KINDS.join(", "));
    let Some(kind) = kinds.next() else {
        return Err(field.fault(expected));
    };
    if let Some(other) = kinds.next() {
        let found = format!("a shape of both `{kind}` and `{other}`");
        return Err(Fault::new(place, found, expected));
    }
    let scale = fields.value("scale", Field::size)?.unwrap_or(1.0);
    let own = fields.required(kind, EXAMPLE)?;
    let source = match kind {
        "file" => ShapeSource::File {
            path: own.path()?,
            surface: fields.value("surface", Field::text)?.map(str::to_owned),
        },
        _ => {
            if let Some(surface) = fields.field("surface") {
                return Err(surface.fault("no `surface` of a shape that is no file"));
            }
            let Value::Table(table) = own.raw() else {
                return Err(own.fault("its settings in braces"));
            };
            generated(kind, table, own.place())?
        }
    };
    if let ShapeSource::Ball { radius } = source
        && !(SIZE_MIN..=SIZE_MAX).contains(&(radius * scale))
    {
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
    })
}

/// Returns the source of a shape of the given kind, with the settings in `table`. The kind is
/// `ball` or a generator.
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
            ShapeSource::Sphere {
                level: level(&fields, if kind.is_some() { 10 } else { 12 })?,
                radius: fields.value("radius", Field::size)?.unwrap_or(1.0),
                kind,
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
    /// Returns the approximate number of faces of the shape. It is 0 for balls, for files, and for
    /// shapes that the calling program provides.
    pub fn faces(&self) -> u64 {
        let power = |base: u64, level: u32| base.saturating_pow(level);
        let product = |a: u32, b: u32| u64::from(a) * u64::from(b);
        match *self {
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
            ShapeSource::Ball { .. } | ShapeSource::File { .. } | ShapeSource::Given(_) => 0,
        }
    }
}
