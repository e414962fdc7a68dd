//! Event-driven molecular dynamics: the collisions of hard spheres, one after the other.
//!
//! A [`Gas`] has spheres of any radii and masses that move freely between collisions, in open or
//! periodic space or between hard walls, with or without gravity. It advances from event to event;
//! there is no time step, and no sphere passes through another or through a wall. A two-dimensional
//! gas is one in which all `z` are equal and all `vz` are 0; collisions keep this exactly.
//!
//! A collision costs 2 to 5 µs for spheres of similar sizes at packing fractions of 10% to 50%,
//! nearly independent of their number: a heap holds the next event of each sphere (`event_queue`),
//! which depends only on neighbours (`neighbor_lists`) found in a hierarchical grid
//! (`hierarchical_grid`), and a sphere is moved only at its own events (`motion`). Each sphere has
//! a bounding sphere (`bounding_spheres`), larger by a skin (`skin`); its neighbours are the
//! spheres whose bounding spheres overlap its own. Leaving the bounding sphere is an event, after
//! which neighbours are searched again. Sizes that differ by a factor of 100 cost the same, but for
//! the many neighbours of large spheres.
//!
//! Pairs are decided by [`trajectory`](super::trajectory): times of impact are lower bounds, and
//! touching spheres collide if they approach and not if they separate, exactly. So no collision is
//! missed, and spheres overlap only by the rounding of their positions: a few rounding units of the
//! largest coordinate.
//!
//! | | |
//! |---|---|
//! | energy, momentum | kept up to rounding: 1e-13 after a million collisions of 10,000 spheres |
//! | overlap | 1e-14 of a diameter in that run |
//! | deterministic | on any number of threads, for a clone, in one run or in many; and for a gas made from its centres and velocities after [`Gas::synchronize`] |
//!
//! *Deviates:* `aragon2013` treats balls as the simplest bodies of its broad phase and has no
//! algorithm for many of them. This algorithm is that of `alder1959`, with the single event per
//! sphere of `lubachevsky1991`, the neighbour lists of `donev2005`, and the treatment of lasting
//! contacts of `luding1998` (TC model).

mod bounding_spheres;
mod collision_record;
mod collision_rule;
mod domain;
mod event;
mod event_queue;
mod given_spheres;
mod grid_level;
mod hierarchical_grid;
mod motion;
mod neighbor_lists;
mod observables;
mod run;
mod settings;
mod setup;
mod skin;
mod termination;
mod thermal_velocities;

pub use collision_record::{Collision, Partner, Wall};
pub use domain::{Axis, Domain};
pub use observables::Counts;
pub use run::{End, Run};
pub use settings::GasSettings;
pub use thermal_velocities::thermal_velocities;

use crate::error::Result;
use event::Event;
use event_queue::EventQueue;
use given_spheres::GivenSpheres;
use hierarchical_grid::HierarchicalGrid;
use motion::Sphere;
use neighbor_lists::NeighborLists;
use observables::Tally;
use setup::Check;

/// Hard spheres that move freely between collisions.
///
/// A gas iterates over its collisions; [`Gas::run`] runs up to a time or a number of them. A clone
/// continues with the same collisions, bit for bit.
///
/// ```
/// use tangere::impact::gas::{Gas, GasSettings, Partner};
///
/// // The first of three spheres in a row hits the second, which hits the third.
/// let centers = [[0.0; 3], [3.0, 0.0, 0.0], [7.0, 0.0, 0.0]];
/// let velocities = [[1.0, 0.0, 0.0], [0.0; 3], [0.0; 3]];
/// let settings = GasSettings::default();
/// let mut gas = Gas::new(&centers, &velocities, &[1.0; 3], None, &settings)?;
/// let first = gas.next().expect("a collision");
/// assert_eq!((first.a, first.partner), (0, Partner::Sphere(1)));
/// assert!((first.time - 1.0).abs() < 1e-12 && (first.impulse - 1.0).abs() < 1e-12);
/// assert!((gas.next().expect("another one").time - 3.0).abs() < 1e-12);
/// assert_eq!(gas.next(), None);
/// assert!((gas.energy() - 0.5).abs() < 1e-15);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gas {
    settings: GasSettings,
    contact_time: f64,
    /// Velocity components below this are set to 0 in collisions, so that spheres that lose energy
    /// come to rest.
    least_speed: f64,
    /// Half the acceleration of gravity along axes with walls; 0 along the others.
    half: [f64; 3],
    /// The acceleration of gravity along axes without walls; 0 along the others. Positions and
    /// velocities of spheres are stored in a frame that falls with this acceleration.
    fall: [f64; 3],
    /// The potential energy of the gas at its start, from the acceleration `fall` alone.
    fallen: f64,
    spheres: Vec<Sphere>,
    masses: Vec<f64>,
    /// The version of each sphere: how often, since the last setup, its velocity has changed or it
    /// was moved to another period. An event that was predicted for another version is stale.
    versions: Vec<u32>,
    /// For each sphere, its version (see `versions`) when its bounding sphere was last set. If the
    /// version is still the same, the sphere has not collided since.
    settled: Vec<u32>,
    /// Time of the last collision of each sphere since the last setup; negative infinity if there
    /// was none.
    last: Vec<f64>,
    cells: HierarchicalGrid,
    neighbors: NeighborLists,
    events: Vec<Event>,
    queue: EventQueue,
    /// Time from the start of the gas to its last setup, as a compensated sum of the times between
    /// setups: the rounded sum, and its rounding error.
    base: [f64; 2],
    /// Time since the last setup of the gas, at which all spheres were moved to one time and all
    /// events found anew.
    now: f64,
    /// Number of events of any kind since the last setup of the gas.
    happened: usize,
    counts: Counts,
    tally: Tally,
    /// Scratch memory for setups: the skin of each sphere, which is how far it may move before it
    /// leaves its bounding sphere.
    skins: Vec<f64>,
    near: Vec<(u32, [i8; 3])>,
}

impl Gas {
    /// A gas of spheres with these centres, velocities and radii. If no masses are given, the mass
    /// of a sphere is the cube of its radius.
    ///
    /// Centres outside of the first period are wrapped into it. Touching spheres are valid. Numbers
    /// are 0 or of magnitude 4.9e-91 to 1.6e60; events later than 1.6e60 never happen.
    ///
    /// # Errors
    /// When a number is out of this range, a radius is negative or a mass not positive; when two
    /// spheres overlap by more than rounding (1e-12 of the sum of their radii and 4 rounding units
    /// of their coordinates); or when a sphere sticks out of a wall or overlaps its own periodic
    /// image.
    pub fn new(
        centers: &[[f64; 3]],
        velocities: &[[f64; 3]],
        radii: &[f64],
        masses: Option<&[f64]>,
        settings: &GasSettings,
    ) -> Result<Self> {
        settings.check()?;
        let given = GivenSpheres {
            centers,
            velocities,
            radii,
            masses,
        };
        given.check(&settings.domain)?;
        Self::of_valid(given, settings, Check::Overlaps)
    }

    /// The number of spheres of the gas.
    pub fn len(&self) -> usize {
        self.spheres.len()
    }

    /// Whether the gas has no spheres.
    pub fn is_empty(&self) -> bool {
        self.spheres.is_empty()
    }

    /// The settings of the gas. They contain the contact time in use and, as start time, the time
    /// of the last synchronization.
    pub fn settings(&self) -> &GasSettings {
        &self.settings
    }

    /// The current time of the gas: the time of its last collision, or the end of its last run.
    pub fn time(&self) -> f64 {
        self.time_of(self.now)
    }

    /// The current centres of the spheres of the gas, in the first period; `out` is replaced.
    pub fn centers(&self, out: &mut Vec<[f64; 3]>) {
        out.clear();
        let position = |sphere: &Sphere| self.to_world(sphere.at(self.now, &self.half).0);
        out.extend(self.spheres.iter().map(position));
    }

    /// The current velocities of the spheres of the gas; `out` is replaced.
    pub fn velocities(&self, out: &mut Vec<[f64; 3]>) {
        out.clear();
        let elapsed = self.elapsed();
        let gained = self.fall.map(|g| g * elapsed);
        out.extend(self.spheres.iter().map(|sphere| {
            let v = sphere.at(self.now, &self.half).1;
            [0, 1, 2].map(|k| v[k] + gained[k])
        }));
    }

    /// The radii of the spheres of the gas.
    pub fn radii(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.spheres.iter().map(|sphere| sphere.radius)
    }

    /// The masses of the spheres of the gas.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// The time that has passed since the start of the gas.
    fn elapsed(&self) -> f64 {
        self.base[0] + (self.base[1] + self.now)
    }

    /// The time of the gas when a time `now` has passed since the last setup.
    fn time_of(&self, now: f64) -> f64 {
        self.settings.time + (self.base[0] + (self.base[1] + now))
    }
}
