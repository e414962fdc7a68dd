//! Simulations from scenes in TOML (`docs/scenes.md`).
//!
//! | file | what |
//! |---|---|
//! | `materials` | contact laws from materials by name |
//! | `walls` | walls and their motion |
//! | `bundled` | the scenes that come with the program |
//! | `frames` | output frame by frame |
//! | `run` | a scene in a folder: frames, totals, checkpoints, and how it goes on from them |

mod bundled;
mod frames;
mod materials;
mod run;
mod source;
mod walls;

pub use bundled::{BUNDLED, Bundled};
pub use run::{End, SceneOptions, run_scene};
pub use source::Source;

use crate::clump::Clump;
use crate::critical_step::critical_step;
use crate::error::{Error, Result};
use crate::laws::Law;
use crate::mass_properties::{MassProperties, mass_properties};
use crate::region::Region;
use crate::setup::{Action, Border, Cell, Effect, PairLaws, Setup, Spheres};
use crate::simulation::Simulation;
use crate::vector::{Vector, cross, minus, plus};
use materials::law_of;
use std::collections::HashSet;
use std::f64::consts::PI;
use tangere_io::scene::{CompoundPart, SceneBody, SceneFile, SceneShape, ShapeSource};
use tangere_io::{Fault, Place};

/// Groups of the spheres of a scene: bits of [`Spheres::groups`].
const ALL: u32 = 1;
const FREE: u32 = 2;
const FIXED: u32 = 4;

/// The group of free spheres of a kind.
fn group_of(kind: u32) -> u32 {
    8 << kind
}

/// The largest number of materials, as each has a group.
const MATERIALS: usize = 29;

/// The overlap of pairs, relative to the smaller radius, that stops a simulation.
const DEEPEST: f64 = 0.5;

impl Simulation {
    /// The simulation that a scene describes, at time 0.
    ///
    /// # Errors
    /// When the scene lacks what a simulation needs, has bodies that cannot be simulated, or its step is
    /// larger than the critical one; the error names the place in the scene.
    pub fn from_scene(file: &SceneFile) -> Result<Self> {
        let of_fault = |fault: Fault| Error::Scene {
            path: file.path.clone(),
            fault,
        };
        let scene = Parts::new(file).map_err(of_fault)?;
        let (setup, spheres) = (scene.setup, scene.spheres);
        if let Some(limit) = critical_step(&setup, &spheres)
            && setup.step > limit.step()
        {
            let found = format!("`step = {:e}`", setup.step);
            return Err(of_fault(Fault::new(
                Place::Part("scene"),
                found,
                format!("at most {limit}; a tenth of it is usual"),
            )));
        }
        let mut made = Self::with_clumps(setup, &spheres, scene.clumps)?;
        made.set_synchronized(file.simulation.is_synchronized);
        made.set_deepest(DEEPEST);
        Ok(made)
    }
}

/// What a simulation is made from.
struct Parts {
    setup: Setup,
    spheres: Spheres,
    clumps: Vec<Clump>,
}

impl Parts {
    fn new(file: &SceneFile) -> std::result::Result<Self, Fault> {
        let keys = &file.simulation;
        let scene = |found: &str, expected: &str| Fault::new(Place::Part("scene"), found, expected);
        let Some(step) = file.step else {
            return Err(scene("no `step`", "the time step of the simulation"));
        };
        if keys.materials.is_empty() {
            let expected = "at least one: [[material]] with name, density, young or stiffness";
            return Err(scene("no material", expected));
        }
        if keys.materials.len() > MATERIALS {
            let found = format!("{} materials", keys.materials.len());
            return Err(scene(&found, &format!("at most {MATERIALS}")));
        }
        let mut spheres = Spheres::default();
        let mut actions = Vec::new();
        let mut clumps = Vec::new();
        let mut compounds = Compounds::default();
        // Spheres of clumps but the first have ids beyond those of all bodies.
        let mut next_id = file.bodies.iter().map(|body| body.id).max().unwrap_or(0);
        for body in &file.bodies {
            let shape = &file.shapes[body.shape];
            let material = material_of(file, body)?;
            check_motion(file, body)?;
            match &shape.source {
                ShapeSource::Ball { radius } => {
                    let density = density_of(file, body, material)?;
                    let ball = (body.id, body.pose.translation(), radius * shape.scale);
                    add_sphere(&mut spheres, body, material, density, ball);
                }
                ShapeSource::Compound(parts) => {
                    let density = density_of(file, body, material)?;
                    let balls = balls_of(parts, shape, body, &mut next_id)?;
                    for &ball in &balls {
                        add_sphere(&mut spheres, body, material, density, ball);
                    }
                    if !body.fixed {
                        if keys.is_flat {
                            check_flat(body, &balls)?;
                        }
                        let made = compounds.of(parts, shape);
                        let mut clump = clump_of(body, &balls, density, &made, &mut spheres);
                        if keys.is_flat {
                            clump.flatten();
                        }
                        clumps.push(clump);
                    }
                }
                ShapeSource::HalfSpace { normal } => {
                    if !body.fixed {
                        let found = "a half-space that moves";
                        return Err(Fault::new(body.place, found, "`fixed = true`"));
                    }
                    let laws = wall_laws(file, material)?;
                    let normal = body.pose.rotate(*normal);
                    let surface = walls::plane(body.pose.translation(), normal);
                    actions.push((body.name.clone(), surface, None, laws));
                }
                _ => return Err(unsupported(shape, body)),
            }
        }
        for wall in &keys.walls {
            let material = match (wall.material, keys.materials.len()) {
                (Some(material), _) => material,
                (None, 1) => 0,
                (None, _) => {
                    let found = format!("wall {:?} without `material`", wall.name);
                    return Err(Fault::new(wall.place, found, "the name of a [[material]]"));
                }
            };
            let laws = wall_laws(file, material)?;
            let surface = walls::surface(wall);
            actions.push((wall.name.clone(), surface, walls::motion(wall), laws));
        }
        if spheres.ids.is_empty() {
            return Err(scene("no ball among the bodies", "at least one"));
        }
        for body in file.bodies.iter().filter(|body| !body.fixed) {
            for (center, _) in file.shapes[body.shape].balls() {
                let center = body.pose.apply(center);
                let behind =
                    |wall: &&(String, Region, _, _)| !wall.1.is_open() && !wall.1.contains(center);
                if let Some((wall, ..)) = actions.iter().find(behind) {
                    let found = format!("body {:?} beyond wall {wall:?}", body.name);
                    let expected = "its centre on the side of the wall where bodies are";
                    return Err(Fault::new(body.place, found, expected));
                }
            }
        }
        let smallest = spheres.radii.iter().copied().fold(f64::INFINITY, f64::min);
        let mut setup = Setup {
            cell: cell_of(file, &spheres),
            is_flat: keys.is_flat,
            step,
            skin: 0.2 * smallest,
            laws: pair_laws(file)?,
            excluded: Vec::new(),
            actions: Vec::new(),
        };
        let mut act = |name: &str, group: u32, effect: Effect| {
            setup.actions.push(Action {
                name: name.to_owned(),
                group,
                since: 0.0,
                effect,
            });
        };
        act("integrate", FREE, Effect::Integrate { inertia: 0.4 });
        if file.gravity != [0.0; 3] {
            act("gravity", FREE, Effect::Gravity(file.gravity));
        }
        for (name, surface, motion, laws) in actions {
            walls::add(&mut act, &name, &surface, motion, &laws);
        }
        if keys.viscous > 0.0 {
            let coefficients = vec![keys.viscous; keys.materials.len()];
            act("viscous", FREE, Effect::Viscous(coefficients));
        }
        if let Some(drag) = keys.drag {
            let effect = Effect::Drag {
                density: drag.density,
                viscosity: drag.viscosity,
                velocity: drag.velocity,
            };
            act("drag", FREE, effect);
        }
        act("freeze", FIXED, Effect::Freeze);
        if keys.is_flat {
            act("flat", ALL, Effect::Flat);
        }
        let mut names = HashSet::new();
        if let Some(name) = setup
            .wall_names()
            .into_iter()
            .find(|name| !names.insert(*name))
        {
            let found = format!("two walls of the name {name:?}");
            return Err(scene(
                &found,
                "names of walls, and of fixed half-spaces, that differ",
            ));
        }
        Ok(Self {
            setup,
            spheres,
            clumps,
        })
    }
}

/// The number of the material of a body.
fn material_of(file: &SceneFile, body: &SceneBody) -> std::result::Result<usize, Fault> {
    let materials = &file.simulation.materials;
    match &body.material {
        Some(name) => {
            let number = materials.iter().position(|material| material.name == *name);
            number.ok_or_else(|| {
                let found = format!("`material = {name:?}`");
                Fault::new(body.place, found, "the name of a [[material]]")
            })
        }
        None if materials.len() == 1 => Ok(0),
        None => {
            let found = format!("body {:?} without `material`", body.name);
            Err(Fault::new(body.place, found, "the name of a [[material]]"))
        }
    }
}

/// # Errors
/// When a body moves in a way that forces do not decide.
fn check_motion(file: &SceneFile, body: &SceneBody) -> std::result::Result<(), Fault> {
    let fault = |found: &str, expected: &str| {
        let found = format!("{found} of body {:?}", body.name);
        Err(Fault::new(body.place, found, expected))
    };
    if body.vertex_velocities.is_some() {
        return fault(
            "`vertex_velocities`",
            "a rigid body, as simulations have no others yet",
        );
    }
    if !body.fixed && body.acceleration != file.gravity {
        let expected = "the `gravity` of the scene, as forces decide how bodies move";
        return fault("an `acceleration`", expected);
    }
    if body.center != [0.0; 3] {
        return fault(
            "a `center`",
            "none, as bodies turn about their centre of mass",
        );
    }
    if body.group != 0 || body.mask != Default::default() {
        return fault(
            "a `group` or `mask`",
            "none, as simulations do not know them yet",
        );
    }
    Ok(())
}

fn unsupported(shape: &SceneShape, body: &SceneBody) -> Fault {
    let found = match &shape.source {
        ShapeSource::Compound(_) => "a compound",
        ShapeSource::Capsule { .. } => "a capsule",
        ShapeSource::Box { .. } => "a box",
        ShapeSource::Convex { .. } | ShapeSource::Hull { .. } => "a convex polyhedron",
        _ => "a mesh",
    };
    let found = format!("{found} as the shape of body {:?}", body.name);
    let expected = "a ball, a compound of balls, or a fixed half-space: \
        simulations of other shapes are not supported yet";
    Fault::new(shape.place, found, expected)
}

/// The density of a body.
fn density_of(
    file: &SceneFile,
    body: &SceneBody,
    material: usize,
) -> std::result::Result<f64, Fault> {
    let material = &file.simulation.materials[material];
    body.density.or(material.density).ok_or_else(|| {
        let found = format!("material {:?} without `density`", material.name);
        Fault::new(material.place, found, "mass per volume")
    })
}

/// A ball: the id of its sphere, its centre and its radius.
type Ball = (u64, Vector, f64);

fn add_sphere(
    spheres: &mut Spheres,
    body: &SceneBody,
    material: usize,
    density: f64,
    (id, center, radius): Ball,
) {
    spheres.ids.push(id);
    spheres.kinds.push(material as u32);
    let moves = FREE | group_of(material as u32);
    spheres
        .groups
        .push(ALL | if body.fixed { FIXED } else { moves });
    spheres.positions.push(center);
    spheres.images.push([0; 3]);
    spheres.velocities.push(body.velocity);
    spheres.spins.push(body.spin);
    spheres.radii.push(radius);
    let volume = 4.0 / 3.0 * PI * radius * radius * radius;
    spheres.masses.push(density * volume);
    spheres.forces.push([0.0; 3]);
    spheres.torques.push([0.0; 3]);
}

/// The balls of a compound in space.
fn balls_of(
    parts: &[CompoundPart],
    shape: &SceneShape,
    body: &SceneBody,
    next_id: &mut u64,
) -> std::result::Result<Vec<Ball>, Fault> {
    let is_ball = |part: &&CompoundPart| matches!(part.shape.source, ShapeSource::Ball { .. });
    if let Some(part) = parts.iter().find(|part| !is_ball(part)) {
        return Err(unsupported(&part.shape, body));
    }
    let balls = shape.balls().into_iter().enumerate();
    let balls = balls.map(|(number, (center, radius))| {
        let id = match number {
            0 => body.id,
            _ => {
                // 2^64 - 1 is no id.
                if *next_id >= u64::MAX - 1 {
                    let found = format!(
                        "no id left after {next_id} for the balls of body {:?}",
                        body.name
                    );
                    let expected = "lower ids of bodies: balls of compounds have those beyond";
                    return Err(Fault::new(body.place, found, expected));
                }
                *next_id += 1;
                *next_id
            }
        };
        Ok((id, body.pose.apply(center), radius))
    });
    balls.collect()
}

/// # Errors
/// When balls of a body in a system of two dimensions have different heights.
fn check_flat(body: &SceneBody, balls: &[Ball]) -> std::result::Result<(), Fault> {
    let heights = || balls.iter().map(|(_, [_, _, z], _)| *z);
    let low = heights().fold(f64::INFINITY, f64::min);
    let high = heights().fold(f64::NEG_INFINITY, f64::max);
    let largest = balls
        .iter()
        .fold(0.0, |a: f64, (.., radius)| a.max(*radius));
    match high - low <= 1e-9 * largest {
        true => Ok(()),
        false => Err(Fault::new(
            body.place,
            format!("balls of a compound from z = {low:e} to {high:e}"),
            "one height, as `dimension = 2` says",
        )),
    }
}

/// Mass properties of compounds of balls, each found once for all sizes.
#[derive(Default)]
struct Compounds<'a>(Vec<(&'a [CompoundPart], MassProperties)>);

impl<'a> Compounds<'a> {
    /// Mass properties in the frame of the shape.
    fn of(&mut self, parts: &'a [CompoundPart], shape: &SceneShape) -> MassProperties {
        let known = self.0.iter().find(|(others, _)| *others == parts);
        let unscaled = known.map(|(_, properties)| *properties);
        let unscaled = unscaled.unwrap_or_else(|| {
            let unit = SceneShape {
                scale: 1.0,
                ..shape.clone()
            };
            let found = mass_properties(&unit.balls());
            self.0.push((parts, found));
            found
        });
        unscaled.scaled(shape.scale)
    }
}

/// The clump of balls that were added last to the spheres, whose velocities and shares of the mass are
/// set.
fn clump_of(
    body: &SceneBody,
    balls: &[Ball],
    density: f64,
    properties: &MassProperties,
    spheres: &mut Spheres,
) -> Clump {
    let [x, y, z, rotation @ ..] = body.pose.to_numbers();
    let properties = properties.posed(rotation, [x, y, z]);
    let mut clump = Clump::of(body.id, balls, density, &properties);
    // The velocity is that of the origin of the shape.
    let arm = minus(clump.position, body.pose.translation());
    clump.velocity = plus(body.velocity, cross(body.spin, arm));
    clump.set_spin(body.spin);
    let first = spheres.ids.len() - balls.len();
    let volumes: f64 = spheres.masses[first..].iter().sum();
    for row in first..spheres.ids.len() {
        let arm = minus(spheres.positions[row], clump.position);
        spheres.velocities[row] = plus(clump.velocity, cross(body.spin, arm));
        spheres.masses[row] *= clump.mass / volumes;
    }
    clump
}

/// The law of each pair of materials.
fn pair_laws(file: &SceneFile) -> std::result::Result<PairLaws, Fault> {
    let keys = &file.simulation;
    let kinds = keys.materials.len();
    let mut laws: Vec<Law> = Vec::new();
    let mut table = vec![None; kinds * kinds];
    // Materials of fixed bodies and walls only never touch each other.
    let is_free = |kind: usize| {
        let mut bodies = file.bodies.iter().filter(|body| !body.fixed);
        bodies.any(|body| material_of(file, body) == Ok(kind))
    };
    let free: Vec<bool> = (0..kinds).map(is_free).collect();
    for i in 0..kinds {
        for j in i..kinds {
            if !free[i] && !free[j] {
                continue;
            }
            let law = law_of(keys, i, j)?;
            let number = laws.iter().position(|other| *other == law);
            let number = number.unwrap_or_else(|| {
                laws.push(law);
                laws.len() - 1
            });
            table[i * kinds + j] = Some(number as u32);
            table[j * kinds + i] = Some(number as u32);
        }
    }
    Ok(PairLaws {
        kinds,
        laws,
        table,
        is_classic: false,
    })
}

/// The law of a wall with each kind of free spheres.
fn wall_laws(file: &SceneFile, material: usize) -> std::result::Result<Vec<(u32, Law)>, Fault> {
    let mut kinds = Vec::new();
    for body in file.bodies.iter().filter(|body| !body.fixed) {
        let kind = material_of(file, body)?;
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds.sort_unstable();
    let laws = kinds.into_iter();
    laws.map(|kind| Ok((kind as u32, law_of(&file.simulation, kind, material)?)))
        .collect()
}

/// The cell of a scene: periodic edges, and along others as far as the spheres reach.
fn cell_of(file: &SceneFile, spheres: &Spheres) -> Cell {
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for (position, radius) in spheres.positions.iter().zip(&spheres.radii) {
        for k in 0..3 {
            low[k] = low[k].min(position[k] - radius);
            high[k] = high[k].max(position[k] + radius);
        }
    }
    let mut cell = Cell::open(low, high);
    if let Some(periodic) = &file.periodic {
        let (lengths, origin) = (periodic.lengths(), periodic.origin());
        let tilts = periodic.tilts();
        for k in 0..3 {
            if periodic.repeats(k) {
                cell.periodic[k] = true;
                cell.border[k] = Border::Fixed;
                cell.origin[k] = origin[k];
                cell.edges[k][k] = lengths[k];
            }
        }
        for ((edge, axis), tilt) in [(1, 0), (2, 0), (2, 1)].into_iter().zip(tilts) {
            cell.edges[edge][axis] = tilt;
        }
    }
    cell
}

/// The unit vector along a vector that is not 0.
fn unit(v: Vector) -> Vector {
    // Scaled first, so that no square overflows or vanishes.
    let largest = v.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    let v = v.map(|x| x / largest);
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    plus(v.map(|x| x / length), [0.0; 3])
}
