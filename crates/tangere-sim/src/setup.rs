//! What a simulation is made from: spheres, the cell, laws by kinds, and actions on groups.
//!
//! Decks and scenes fill these tables; the simulation checks and runs them.

use crate::error::{Error, Result};
use crate::laws::Law;
use crate::region::Region;
use crate::vector::Vector;
use serde::{Deserialize, Serialize};

/// Spheres, one entry of each column for each of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spheres {
    /// Ids; all different.
    pub ids: Vec<u64>,
    /// Kinds (LAMMPS' atom types), from 0 up.
    pub kinds: Vec<u32>,
    /// Groups: bit `g` is set if the sphere is in group `g`. Bit 0 is set for all.
    pub groups: Vec<u32>,
    /// Centres, within the cell along periodic edges.
    pub positions: Vec<Vector>,
    /// The number of cells by which each sphere has left the cell, along each edge.
    pub images: Vec<[i32; 3]>,
    /// Velocities of centres.
    pub velocities: Vec<Vector>,
    /// Angular velocities.
    pub spins: Vec<Vector>,
    /// Radii.
    pub radii: Vec<f64>,
    /// Masses.
    pub masses: Vec<f64>,
    /// Forces of the last step.
    pub forces: Vec<Vector>,
    /// Torques of the last step.
    pub torques: Vec<Vector>,
}

/// The cell: a box or a parallelepiped, periodic along some of its edges.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The lower corner.
    pub origin: Vector,
    /// The edges, as LAMMPS has them: `[lx, 0, 0]`, `[xy, ly, 0]`, `[xz, yz, lz]`.
    pub edges: [Vector; 3],
    /// Along which edges it repeats.
    pub periodic: [bool; 3],
    /// What becomes of a sphere that leaves along an edge that is not periodic.
    pub border: [Border; 3],
}

/// What becomes of a sphere that leaves the cell along an edge that is not periodic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Border {
    /// It is lost, which is an error (LAMMPS' `f`).
    #[default]
    Fixed,
    /// The cell grows and shrinks to contain all (LAMMPS' `s` and `m`): nothing is lost.
    Open,
    /// It is removed (LAMMPS' `thermo_modify lost ignore`).
    Sink,
}

/// The law of each pair of kinds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairLaws {
    /// The number of kinds.
    pub kinds: usize,
    /// The different laws.
    pub laws: Vec<Law>,
    /// For kinds `i` and `j`, at `i * kinds + j`, the number of their law; none if they do not touch.
    pub table: Vec<Option<u32>>,
    /// Whether torques of friction act at the full radii, as in LAMMPS' gran/* styles.
    pub is_classic: bool,
}

/// Pairs of spheres that do not touch each other, whatever their laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exclusion {
    /// One is in the first group, the other in the second (bits of [`Spheres::groups`]).
    Groups(u32, u32),
    /// One is of the first kind, the other of the second.
    Kinds(u32, u32),
}

/// What acts on spheres in each step. Groups are bits of [`Spheres::groups`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Action {
    /// The name, for messages and for what refers to it.
    pub name: String,
    /// The group on which it acts: spheres that share a bit with it.
    pub group: u32,
    /// The time since which it acts, from which motions are counted.
    pub since: f64,
    /// What it does.
    pub effect: Effect,
}

/// The effects of actions, in LAMMPS' order within a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Effect {
    /// Moves spheres by the forces on them (velocity Verlet: `nve/sphere`).
    Integrate {
        /// The moment of inertia over `m r^2`: 0.4 for spheres, 0.5 for discs.
        inertia: f64,
    },
    /// Moves spheres as prescribed, whatever the forces on them.
    Move(Motion),
    /// A force `m g`.
    Gravity(Vector),
    /// A force.
    AddForce(Vector),
    /// Sets components of the force.
    SetForce([Option<f64>; 3]),
    /// A force `-c v`, with `c` by kind.
    Viscous(Vec<f64>),
    /// Drag of a sphere in a fluid (Schiller and Naumann 1933).
    Drag {
        /// The density of the fluid.
        density: f64,
        /// Its dynamic viscosity.
        viscosity: f64,
        /// Its velocity.
        velocity: Vector,
    },
    /// A wall.
    Wall(Box<Wall>),
    /// No force, no torque, no motion: `freeze`. Beside such a sphere the effective mass is that of the
    /// other.
    Freeze,
    /// No motion along z and no rotation but about z: `enforce2d`.
    Flat,
    /// The cell changes with time.
    Deform(Box<Deform>),
}

/// A cell that changes with time: `deform`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deform {
    /// The cell at the start.
    pub from: Cell,
    /// The time of the start.
    pub start: f64,
    /// The number of steps from change to change.
    pub every: u64,
    /// The changes of the box along x, y and z.
    pub sizes: [Option<Change>; 3],
    /// The changes of the tilts xy, xz and yz.
    pub tilts: [Option<Change>; 3],
    /// What becomes of the spheres.
    pub remap: Remap,
}

/// How a length of the cell changes with the time `t` since the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Change {
    /// Linearly: the ends of a box have these velocities; of a tilt the second counts.
    Linear([f64; 2]),
    /// A length `l exp(rate t)` about the same centre, or a tilt.
    Exponential(f64),
    /// A length `l + amplitude sin(2 pi t / period)` about the same centre, or a tilt.
    Wiggle {
        /// The amplitude.
        amplitude: f64,
        /// The period.
        period: f64,
    },
}

/// What becomes of the spheres of a group when the cell changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Remap {
    /// Nothing.
    None,
    /// Their positions change with the cell.
    Positions,
    /// Their velocities change when they leave the cell along a periodic edge.
    Velocities,
}

impl Deform {
    /// The cell at a time.
    pub fn cell_at(&self, time: f64) -> Cell {
        use std::f64::consts::TAU;
        let t = time - self.start;
        let mut cell = self.from;
        for (k, change) in self.sizes.iter().enumerate() {
            let size = self.from.edges[k][k];
            let [low, high] = match change {
                None => continue,
                Some(Change::Linear([low, high])) => [low * t, high * t],
                Some(Change::Exponential(rate)) => {
                    let more = 0.5 * size * libm::expm1(rate * t);
                    [0.0 - more, more]
                }
                Some(Change::Wiggle { amplitude, period }) => {
                    let more = 0.5 * amplitude * libm::sin(TAU * t / period);
                    [0.0 - more, more]
                }
            };
            cell.origin[k] += low;
            cell.edges[k][k] += high - low;
        }
        for ((edge, axis), change) in [(1, 0), (2, 0), (2, 1)].into_iter().zip(&self.tilts) {
            let tilt = &mut cell.edges[edge][axis];
            match change {
                None => {}
                Some(Change::Linear([_, rate])) => *tilt += rate * t,
                Some(Change::Exponential(rate)) => *tilt *= libm::exp(rate * t),
                Some(Change::Wiggle { amplitude, period }) => {
                    *tilt += amplitude * libm::sin(TAU * t / period);
                }
            }
        }
        cell
    }
}

/// A wall that touches spheres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wall {
    /// Its surface.
    pub surface: Region,
    /// The law of contacts with it.
    pub law: Law,
    /// Its motion.
    pub motion: Option<Motion>,
}

/// Prescribed motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Motion {
    /// A constant velocity; components without one are integrated.
    Linear([Option<f64>; 3]),
    /// Of spheres `x(t) = x(0) + amplitude sin(2 pi t / period)`, of walls `x(t) = x(0) + amplitude (1 -
    /// cos(2 pi t / period))`.
    Wiggle {
        /// The amplitude along each axis; components without one are integrated.
        amplitude: [Option<f64>; 3],
        /// The period.
        period: f64,
    },
    /// A rotation about an axis through a point.
    Rotate {
        /// A point of the axis.
        point: Vector,
        /// The direction of the axis.
        axis: Vector,
        /// The period of a revolution.
        period: f64,
    },
    /// The wall stays where it is, its surface moves (LAMMPS' `shear`): a velocity.
    Shear(Vector),
}

/// What a simulation is made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// The cell.
    pub cell: Cell,
    /// Whether the simulation is in 2D: spheres stay in their plane.
    pub is_flat: bool,
    /// The time step.
    pub step: f64,
    /// The distance beyond contact up to which candidate pairs are kept.
    pub skin: f64,
    /// The laws of pairs.
    pub laws: PairLaws,
    /// The pairs that are left out.
    pub excluded: Vec<Exclusion>,
    /// What acts on spheres, in order.
    pub actions: Vec<Action>,
}

impl Setup {
    /// Checks the tables and spheres.
    ///
    /// # Errors
    /// When a value is invalid; the error names the sphere, the value and what was expected.
    pub fn check(&self, spheres: &Spheres) -> Result<()> {
        self.cell.check()?;
        if !(self.step > 0.0 && self.step.is_finite()) {
            return Err(Error::invalid("time step", self.step, "a number above 0"));
        }
        if !(self.skin >= 0.0 && self.skin.is_finite()) {
            return Err(Error::invalid("skin", self.skin, "a number of at least 0"));
        }
        let laws = &self.laws;
        if laws.table.len() != laws.kinds * laws.kinds {
            let expected = format!("{} entries", laws.kinds * laws.kinds);
            return Err(Error::invalid("table of laws", laws.table.len(), expected));
        }
        if let Some(&law) = laws
            .table
            .iter()
            .flatten()
            .find(|&&l| l as usize >= laws.laws.len())
        {
            let expected = format!("a number below {}", laws.laws.len());
            return Err(Error::invalid("law of a pair of kinds", law, expected));
        }
        for law in &laws.laws {
            law.check()?;
        }
        for action in &self.actions {
            if let Effect::Wall(wall) = &action.effect {
                wall.law.check()?;
            }
            if let Effect::Deform(deform) = &action.effect
                && deform.remap == Remap::Velocities
            {
                let expected = "a remap of positions, or none: \
                    velocities of images are not simulated yet";
                return Err(Error::invalid("action", &action.name, expected));
            }
        }
        spheres.check(laws.kinds)
    }
}

impl Spheres {
    fn check(&self, kinds: usize) -> Result<()> {
        let count = self.ids.len();
        let lengths = [
            self.kinds.len(),
            self.groups.len(),
            self.positions.len(),
            self.images.len(),
            self.velocities.len(),
            self.spins.len(),
            self.radii.len(),
            self.masses.len(),
            self.forces.len(),
            self.torques.len(),
        ];
        if let Some(length) = lengths.iter().find(|&&length| length != count) {
            let expected = format!("{count}, as of ids");
            return Err(Error::invalid(
                "length of a column of spheres",
                length,
                expected,
            ));
        }
        let is_finite = |v: &Vector| v.iter().all(|x| x.abs() <= 1e60);
        for i in 0..count {
            let id = self.ids[i];
            let bad = |what: &str, found: String, expected: &str| {
                Err(Error::invalid(
                    format!("{what} of sphere {id}"),
                    found,
                    expected,
                ))
            };
            if !(self.radii[i] > 0.0 && self.radii[i] <= 1e60) {
                return bad("radius", self.radii[i].to_string(), "a number above 0");
            }
            if !(self.masses[i] > 0.0 && self.masses[i].is_finite()) {
                return bad("mass", self.masses[i].to_string(), "a number above 0");
            }
            for (what, vector) in [
                ("position", &self.positions[i]),
                ("velocity", &self.velocities[i]),
                ("angular velocity", &self.spins[i]),
            ] {
                if !is_finite(vector) {
                    return bad(what, format!("{vector:?}"), "numbers of at most 1e60");
                }
            }
            if kinds > 0 && self.kinds[i] as usize >= kinds {
                let expected = format!("a number below {kinds}");
                return bad("kind", self.kinds[i].to_string(), &expected);
            }
        }
        let mut ids = self.ids.clone();
        ids.sort_unstable();
        match ids.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Error::invalid("id of a sphere", pair[0], "ids that differ")),
            None => Ok(()),
        }
    }
}
