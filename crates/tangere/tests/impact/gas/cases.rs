//! Test cases of a gas: lattices and random spheres, and a check of overlaps.

use tangere::impact::gas::{Axis, Domain, Gas, GasSettings};
use tangere::pairs::{Auto, PairFinder, PairSettings, Periodic};
use test_support::Random;

/// Input of a gas.
#[derive(Clone, Debug)]
pub struct Spheres {
    pub centers: Vec<[f64; 3]>,
    pub velocities: Vec<[f64; 3]>,
    pub radii: Vec<f64>,
    pub masses: Vec<f64>,
    pub settings: GasSettings,
}

impl Spheres {
    pub fn gas(&self) -> Gas {
        self.try_gas().expect("a gas")
    }

    pub fn try_gas(&self) -> tangere::Result<Gas> {
        let Spheres {
            centers,
            velocities,
            radii,
            masses,
            settings,
        } = self;
        Gas::new(centers, velocities, radii, Some(masses), settings)
    }

    /// The current state of a gas, as the input of another.
    pub fn of(gas: &Gas) -> Self {
        let (mut centers, mut velocities) = (Vec::new(), Vec::new());
        gas.centers(&mut centers);
        gas.velocities(&mut velocities);
        Spheres {
            centers,
            velocities,
            radii: gas.radii().collect(),
            masses: gas.masses().to_vec(),
            settings: GasSettings {
                time: gas.time(),
                ..*gas.settings()
            },
        }
    }
}

/// `4 cells³` spheres of diameter 1 on an fcc lattice, with random velocities and no momentum, in a
/// periodic box of a given packing fraction; returns the edge of the box as well.
pub fn crystal(cells: usize, share: f64, seed: u64) -> (Spheres, f64) {
    let count = 4 * cells * cells * cells;
    let edge = (count as f64 * std::f64::consts::PI / (6.0 * share)).cbrt();
    let step = edge / cells as f64;
    let corners = [
        [0.0, 0.0, 0.0],
        [0.5, 0.5, 0.0],
        [0.5, 0.0, 0.5],
        [0.0, 0.5, 0.5],
    ];
    let centers = (0..count).map(|i| {
        let (cell, corner) = (i / 4, corners[i % 4]);
        let cell = [cell % cells, cell / cells % cells, cell / cells / cells];
        [0, 1, 2].map(|k| (cell[k] as f64 + corner[k] + 0.25) * step)
    });
    let mut n = Random::new(seed);
    let mut velocities: Vec<[f64; 3]> = (0..count).map(|_| n.vector(1.0)).collect();
    for k in 0..3 {
        let mean = velocities.iter().map(|v| v[k]).sum::<f64>() / count as f64;
        velocities.iter_mut().for_each(|v| v[k] -= mean);
    }
    let spheres = Spheres {
        centers: centers.collect(),
        velocities,
        radii: vec![0.5; count],
        masses: vec![1.0; count],
        settings: GasSettings {
            domain: Domain::periodic([edge; 3]).expect("a period"),
            ..GasSettings::default()
        },
    };
    (spheres, edge)
}

/// A box with walls from 0 to an edge.
pub fn walls(edge: f64) -> Domain {
    let axis = Axis::Walls {
        lower: 0.0,
        upper: edge,
    };
    Domain::new([axis; 3]).expect("walls")
}

/// Spheres at random positions, the larger ones first, whose radii differ by a factor. They fill at
/// most a tenth of the unit box. Masses are proportional to volumes.
pub fn mixed(count: usize, factor: f64, domain: Domain, seed: u64) -> Spheres {
    let mut n = Random::new(seed);
    let mut radii: Vec<f64> = (0..count).map(|_| factor.powf(-n.unit())).collect();
    radii.sort_by(|a, b| b.total_cmp(a));
    let volume: f64 = radii.iter().map(|r| 4.2 * r * r * r).sum();
    let unit = (0.1 / volume).cbrt();
    radii.iter_mut().for_each(|r| *r *= unit);
    let mut centers: Vec<[f64; 3]> = Vec::new();
    while centers.len() < count {
        let radius = radii[centers.len()];
        let place = [(); 3].map(|()| radius + (1.0 - 2.0 * radius) * n.unit());
        let is_free = |other: (&[f64; 3], &f64)| {
            let square: f64 = (0..3).map(|k| (place[k] - other.0[k]).powi(2)).sum();
            square.sqrt() > 1.001 * (radius + other.1)
        };
        if centers.iter().zip(&radii).all(is_free) {
            centers.push(place);
        }
    }
    Spheres {
        velocities: (0..count).map(|_| n.vector(1.0)).collect(),
        masses: radii.iter().map(|r| r * r * r).collect(),
        centers,
        radii,
        settings: GasSettings {
            domain,
            ..GasSettings::default()
        },
    }
}

/// Finds overlaps by the methods of `pairs`, which share nothing with those of a gas.
pub struct Overlaps {
    finder: Auto<3>,
    radii: Vec<f64>,
    centers: Vec<[f64; 3]>,
}

impl Overlaps {
    pub fn of(gas: &Gas) -> Self {
        let mut settings = PairSettings::default();
        let lengths = gas.settings().domain.axes().map(|axis| match axis {
            Axis::Periodic { length, .. } => length,
            _ => 0.0,
        });
        if lengths != [0.0; 3] {
            settings.periodic = Some(Periodic::new(lengths).expect("a cell"));
        }
        Overlaps {
            finder: Auto::new(settings).expect("a finder"),
            radii: gas.radii().collect(),
            centers: Vec::new(),
        }
    }

    /// The deepest overlap with a sphere or a wall, in diameters of the smaller sphere.
    pub fn deepest(&mut self, gas: &Gas) -> f64 {
        let Overlaps {
            finder,
            radii,
            centers,
        } = self;
        gas.centers(centers);
        let spheres = (&centers[..], &radii[..]).into();
        finder.update(spheres).expect("spheres");
        let mut contacts = Vec::new();
        finder.contacts(&mut contacts).expect("contacts");
        let depths = contacts.iter().map(|contact| {
            let [a, b] = contact.pair.map(|i| radii[i as usize]);
            -contact.gap / (2.0 * a.min(b))
        });
        let mut deepest = depths.fold(0.0, f64::max);
        for (center, &radius) in centers.iter().zip(&*radii) {
            for (k, axis) in gas.settings().domain.axes().iter().enumerate() {
                if let Axis::Walls { lower, upper } = *axis {
                    let out = (lower + radius - center[k]).max(center[k] - (upper - radius));
                    deepest = deepest.max(out / (2.0 * radius));
                }
            }
        }
        deepest
    }
}
