//! What a deck has defined: units, groups, regions, fixes, computes, variables and output.
//!
//! The state of the simulation itself (setup, spheres, clock) is apart from it, so that an engine can
//! change the one while output reads the other.

use super::computes::Compute;
use super::dumps::Dump;
use super::engine::Clock;
use super::error::Problem;
use super::files::Outputs;
use super::fixes::Fix;
use super::lattice::Lattice;
use super::pairs::Pairs;
use super::regions::RegionEntry;
use super::thermo::Thermo;
use super::variables::Variables;
use crate::setup::{Border, Cell, PairLaws, Setup, Spheres};
use crate::vector::Vector;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Setup, spheres and clock.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub setup: Setup,
    pub spheres: Spheres,
    pub clock: Clock,
}

/// A system of units, as far as granular decks need it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Units {
    pub name: &'static str,
    /// Boltzmann's constant.
    pub boltzmann: f64,
    /// The default of `timestep`.
    pub step: f64,
    /// The default of `neighbor`.
    pub skin: f64,
}

/// The units that are read.
pub(super) const UNITS: [Units; 4] = [
    Units {
        name: "lj",
        boltzmann: 1.0,
        step: 0.005,
        skin: 0.3,
    },
    Units {
        name: "si",
        boltzmann: 1.3806504e-23,
        step: 1e-8,
        skin: 0.001,
    },
    Units {
        name: "cgs",
        boltzmann: 1.3806504e-16,
        step: 1e-8,
        skin: 0.1,
    },
    Units {
        name: "micro",
        boltzmann: 1.3806504e-8,
        step: 2.0,
        skin: 0.1,
    },
];

/// What the end of the cell along an axis does: LAMMPS' letters of `boundary`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Periodic,
    Fixed,
    Shrinks,
    ShrinksToMinimum,
}

impl End {
    pub fn letter(self) -> char {
        match self {
            Self::Periodic => 'p',
            Self::Fixed => 'f',
            Self::Shrinks => 's',
            Self::ShrinksToMinimum => 'm',
        }
    }
}

/// What becomes of spheres that leave the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    Error,
    Warn,
    Ignore,
}

/// What a deck has defined.
#[derive(Debug)]
pub(super) struct Book {
    pub units: Units,
    pub is_flat: bool,
    pub boundary: [[End; 2]; 3],
    /// The cell as it was created; none before.
    pub first_cell: Option<Cell>,
    pub is_triclinic: bool,
    pub kinds: usize,
    pub lattice: Lattice,
    /// Names of groups by their bits.
    pub groups: Vec<Option<String>>,
    pub regions: BTreeMap<String, RegionEntry>,
    /// Regions of style prism: ends, and tilts xy, xz, yz.
    pub prisms: BTreeMap<String, ([[f64; 2]; 3], Vector)>,
    pub fixes: Vec<Fix>,
    pub computes: Vec<Compute>,
    pub dumps: Vec<Dump>,
    pub thermo: Thermo,
    pub variables: Variables,
    pub pairs: Pairs,
    pub lost: Lost,
    /// The folder of output files.
    pub folder: PathBuf,
    /// All output files.
    pub outputs: Arc<Outputs>,
    /// The folder of input files.
    pub inputs: PathBuf,
    /// First and last step of the run under way, or of the last one.
    pub span: [u64; 2],
}

impl Book {
    pub fn new(inputs: PathBuf, folder: PathBuf, outputs: Arc<Outputs>) -> Self {
        Self {
            units: UNITS[0],
            is_flat: false,
            boundary: [[End::Periodic; 2]; 3],
            first_cell: None,
            is_triclinic: false,
            kinds: 0,
            lattice: Lattice::default(),
            groups: vec![Some("all".to_string())],
            regions: BTreeMap::new(),
            prisms: BTreeMap::new(),
            fixes: Vec::new(),
            computes: Vec::new(),
            dumps: Vec::new(),
            thermo: Thermo::default(),
            variables: Variables::default(),
            pairs: Pairs::default(),
            lost: Lost::Error,
            folder,
            outputs,
            inputs,
            span: [0; 2],
        }
    }

    /// The number of dimensions.
    pub fn dimension(&self) -> f64 {
        if self.is_flat { 2.0 } else { 3.0 }
    }

    /// An error before there is a cell.
    pub fn needs_cell(&self) -> Result<(), Problem> {
        match self.first_cell {
            Some(_) => Ok(()),
            None => Err(Problem::new(
                "no simulation box",
                "create_box or read_data before this command",
            )),
        }
    }

    /// The bit of a group.
    pub fn group(&self, name: &str) -> Result<u32, Problem> {
        let own = self.groups.iter().position(|g| g.as_deref() == Some(name));
        own.map(|bit| 1 << bit).ok_or_else(|| {
            let known: Vec<&str> = self.groups.iter().flatten().map(String::as_str).collect();
            Problem::unknown(name, "the name of a group", &known)
        })
    }

    /// The bit of a group, which is made if there is none.
    pub fn make_group(&mut self, name: &str) -> Result<u32, Problem> {
        if let Ok(bit) = self.group(name) {
            return Ok(bit);
        }
        let free = match self.groups.iter().position(Option::is_none) {
            Some(free) => free,
            None if self.groups.len() < 32 => {
                self.groups.push(None);
                self.groups.len() - 1
            }
            None => return Err(Problem::new("a 33rd group", "at most 32 groups")),
        };
        self.groups[free] = Some(name.to_string());
        Ok(1 << free)
    }

    pub fn compute(&self, id: &str) -> Result<&Compute, Problem> {
        let own = self.computes.iter().find(|compute| compute.id == id);
        own.ok_or_else(|| {
            let known: Vec<&str> = self.computes.iter().map(|c| c.id.as_str()).collect();
            Problem::unknown(id, "the ID of a compute", &known)
        })
    }

    pub fn fix(&self, id: &str) -> Result<&Fix, Problem> {
        let own = self.fixes.iter().find(|fix| fix.id == id);
        own.ok_or_else(|| {
            let known: Vec<&str> = self.fixes.iter().map(|f| f.id.as_str()).collect();
            Problem::unknown(id, "the ID of a fix", &known)
        })
    }

    /// The kind of a type of LAMMPS, which counts from 1.
    pub fn kind(&self, kind: i64, word: &str) -> Result<u32, Problem> {
        if kind < 1 || kind as usize > self.kinds {
            let expected = format!("an atom type from 1 to {}", self.kinds);
            return Err(Problem::new(word, expected));
        }
        Ok(kind as u32 - 1)
    }

    /// What the ends of the cell do, for the setup.
    pub fn borders(&self) -> ([bool; 3], [Border; 3]) {
        let periodic = self.boundary.map(|ends| ends[0] == End::Periodic);
        let border = self.boundary.map(|ends| {
            let is_open = |end: &End| matches!(end, End::Shrinks | End::ShrinksToMinimum);
            match (ends.iter().any(is_open), self.lost) {
                (true, _) => Border::Open,
                (false, Lost::Error) => Border::Fixed,
                (false, _) => Border::Sink,
            }
        });
        (periodic, border)
    }

    /// Lower and upper ends of the box. Ends that shrink are where the spheres end, with a margin of
    /// 1e-4 of the first box, as in LAMMPS.
    pub fn bounds(&self, cell: &Cell, spheres: &Spheres) -> [[f64; 2]; 3] {
        std::array::from_fn(|k| {
            let low = cell.origin[k];
            let mut ends = [low, low + cell.edges[k][k]];
            let Some(first) = self.first_cell else {
                return ends;
            };
            let margin = 1e-4 * first.edges[k][k];
            let own = spheres.positions.iter().map(|x| x[k]);
            let first = [first.origin[k], first.origin[k] + first.edges[k][k]];
            for (side, sign) in [(0, 1.0), (1, -1.0)] {
                let kind = self.boundary[k][side];
                if matches!(kind, End::Periodic | End::Fixed) || spheres.ids.is_empty() {
                    continue;
                }
                let least = own.clone().fold(f64::INFINITY, |m, x| m.min(sign * x)) - margin;
                let least = match kind {
                    End::ShrinksToMinimum => least.min(sign * first[side]),
                    _ => least,
                };
                ends[side] = sign * least;
            }
            ends
        })
    }

    /// The volume of the box, in 2D its area.
    pub fn volume(&self, cell: &Cell, spheres: &Spheres) -> f64 {
        let bounds = self.bounds(cell, spheres);
        let sizes = bounds.map(|[low, high]| high - low);
        match self.is_flat {
            true => sizes[0] * sizes[1],
            false => sizes[0] * sizes[1] * sizes[2],
        }
    }
}

/// The position of a sphere if it had not been taken back into the cell.
pub(super) fn unwrapped(cell: &Cell, position: Vector, image: [i32; 3]) -> Vector {
    let mut at = position;
    for k in 0..3 {
        for j in 0..3 {
            at[j] += f64::from(image[k]) * cell.edges[k][j];
        }
    }
    at
}

/// Position within the cell from 0 to 1 along each edge.
pub(super) fn fractions(cell: &Cell, position: Vector) -> Vector {
    let [a, b, c] = cell.edges;
    let mut left: Vector = std::array::from_fn(|k| position[k] - cell.origin[k]);
    let z = left[2] / c[2];
    left[0] -= z * c[0];
    left[1] -= z * c[1];
    let y = left[1] / b[1];
    left[0] -= y * b[0];
    [left[0] / a[0], y, z]
}

/// Takes a position back into the cell along periodic edges and counts its images.
pub(super) fn wrap(cell: &Cell, position: &mut Vector, image: &mut [i32; 3]) {
    for k in [2, 1, 0] {
        if !cell.periodic[k] {
            continue;
        }
        let cells = fractions(cell, *position)[k].floor();
        if cells != 0.0 && cells.abs() < 1e9 {
            for j in 0..3 {
                position[j] -= cells * cell.edges[k][j];
            }
            image[k] = image[k].saturating_add(cells as i32);
        }
    }
}

/// A setup before anything is defined.
pub(super) fn empty_setup() -> Setup {
    Setup {
        cell: Cell {
            origin: [0.0; 3],
            edges: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            periodic: [true; 3],
            border: [Border::Fixed; 3],
        },
        is_flat: false,
        step: UNITS[0].step,
        skin: UNITS[0].skin,
        laws: PairLaws::default(),
        excluded: Vec::new(),
        actions: Vec::new(),
    }
}
