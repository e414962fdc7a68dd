//! Random systems of spheres with laws of every kind, for tests of the engine.

use super::reference::Vector;
use tangere_sim::laws::{Damping, Kept, Law, Normal, Rolling, Spring, Tangential, Twisting};
use tangere_sim::region::Region;
use tangere_sim::setup::{Action, Border, Cell, Effect, PairLaws, Setup, Spheres, Wall};

/// Random numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// A number from `low` to `high`.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn vector(&mut self, size: f64) -> Vector {
        std::array::from_fn(|_| self.within(-size, size))
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.word() % end
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

/// Springs of friction: stiffness per radius or not, what is kept, whether they rescale.
const SPRINGS: [(f64, bool, Kept, bool); 7] = [
    (4e4, false, Kept::Displacement, false),
    (6e4, true, Kept::Displacement, false),
    (6e4, true, Kept::Force, false),
    (6e4, true, Kept::Displacement, true),
    (6e4, true, Kept::Force, true),
    (4e4, false, Kept::ProjectedDisplacement, false),
    (6e4, true, Kept::ProjectedDisplacement, false),
];

/// A law, one of each kind in turn: every law of every part occurs among the first nine.
pub fn law(number: usize) -> Law {
    let normals = [
        Normal::Hooke { stiffness: 1e5 },
        Normal::Hertz { stiffness: 4e5 },
        Normal::hertz_material(2e5, 0.3),
        Normal::dmt(2e5, 0.3, 30.0),
        Normal::jkr(2e5, 0.3, 30.0),
    ];
    let normal = normals[number % normals.len()];
    let restitution = match normal {
        Normal::Hooke { .. } => Damping::restitution_of_hooke(0.7),
        _ => Damping::restitution_of_hertz(0.7),
    };
    let dampings = [
        Damping::None,
        Damping::Velocity(4.0),
        Damping::MassVelocity(20.0),
        Damping::Viscoelastic(50.0),
        Damping::tsuji(0.6),
        restitution,
    ];
    let tangential = match number % (SPRINGS.len() + 2) {
        0 => Tangential::None,
        1 => Tangential::Slip {
            damping: 1.0,
            friction: 0.4,
        },
        other => {
            let (stiffness, scales, kept, rescales) = SPRINGS[other - 2];
            Tangential::Spring(Spring {
                stiffness,
                damping: 0.5,
                friction: 0.4,
                scales,
                kept,
                rescales,
            })
        }
    };
    let rolling = match number % 4 {
        0 => Rolling::None,
        1 => Rolling::Sds {
            stiffness: 2e3,
            damping: 1.0,
            friction: 0.1,
        },
        2 => Rolling::Cdt { friction: 0.1 },
        _ => Rolling::Epsd {
            damping: 0.3,
            friction: 0.1,
        },
    };
    let twisting = match (number % 3, &tangential) {
        (1, _) => Twisting::Sds {
            stiffness: 200.0,
            damping: 0.1,
            friction: 0.05,
        },
        (2, Tangential::Spring(_)) => Twisting::Marshall,
        _ => Twisting::None,
    };
    Law {
        normal,
        damping: dampings[number % dampings.len()],
        tangential,
        rolling,
        twisting,
        limits_damping: number % 5 == 1,
    }
}

/// Two kinds of spheres, with laws of their own and one between them.
pub fn two_kinds(first: usize) -> PairLaws {
    PairLaws {
        kinds: 2,
        laws: (first..first + 3).map(law).collect(),
        table: vec![Some(0), Some(1), Some(1), Some(2)],
        is_classic: first % 2 == 1,
    }
}

/// One law for all.
pub fn one_kind(law: Law) -> PairLaws {
    PairLaws {
        kinds: 1,
        laws: vec![law],
        table: vec![Some(0)],
        is_classic: false,
    }
}

/// A cell from 0 to `sizes`.
pub fn cell(sizes: Vector, periodic: [bool; 3]) -> Cell {
    let mut cell = Cell::open([0.0; 3], sizes);
    cell.periodic = periodic;
    cell.border = [Border::Open; 3];
    cell
}

/// An action on all spheres.
pub fn on_all(name: &str, effect: Effect) -> Action {
    on_group(name, 1, effect)
}

/// An action on a group.
pub fn on_group(name: &str, group: u32, effect: Effect) -> Action {
    Action {
        name: name.to_string(),
        group,
        since: 0.0,
        effect,
    }
}

pub fn wall(surface: Region, law: Law) -> Effect {
    Effect::Wall(Box::new(Wall {
        surface,
        law,
        motion: None,
    }))
}

/// Spheres that move by the forces on them, in a cell.
pub fn setup(cell: Cell, laws: PairLaws) -> Setup {
    Setup {
        cell,
        is_flat: false,
        step: 1e-4,
        skin: 0.1,
        laws,
        excluded: Vec::new(),
        actions: vec![on_all("move", Effect::Integrate { inertia: 0.4 })],
    }
}

/// Spheres at given places.
pub fn spheres_at(positions: &[Vector], radius: f64) -> Spheres {
    let count = positions.len();
    Spheres {
        ids: (1..=count as u64).collect(),
        kinds: vec![0; count],
        groups: vec![1; count],
        positions: positions.to_vec(),
        images: vec![[0; 3]; count],
        velocities: vec![[0.0; 3]; count],
        spins: vec![[0.0; 3]; count],
        radii: vec![radius; count],
        masses: vec![4.0 / 3.0 * std::f64::consts::PI * radius.powi(3); count],
        forces: vec![[0.0; 3]; count],
        torques: vec![[0.0; 3]; count],
    }
}

/// Spheres of different radii near the points of a lattice, of both kinds in turn, with ids that are
/// neither sorted nor without gaps. Group 2 has every seventh sphere.
pub fn random_spheres(random: &mut Random, counts: [usize; 3], spacing: f64) -> Spheres {
    let [nx, ny, nz] = counts;
    let mut positions = Vec::new();
    for place in 0..nx * ny * nz {
        let lattice = [place % nx, place / nx % ny, place / nx / ny];
        let jitter = random.vector(0.05 * spacing);
        positions.push(std::array::from_fn(|k| {
            spacing * (lattice[k] as f64 + 0.5) + jitter[k]
        }));
    }
    let mut spheres = spheres_at(&positions, 0.5 * spacing);
    random.shuffle(&mut spheres.ids);
    for i in 0..positions.len() {
        spheres.ids[i] = 3 * spheres.ids[i] + 5;
        spheres.kinds[i] = (i % 2) as u32;
        spheres.groups[i] = if i % 7 == 3 { 3 } else { 1 };
        spheres.velocities[i] = random.vector(3.0);
        spheres.spins[i] = random.vector(6.0);
        spheres.radii[i] = spacing * random.within(0.40, 0.52);
        spheres.masses[i] = 4.0 * spheres.radii[i].powi(3);
    }
    spheres
}
