//! When do hard spheres collide, one collision after the other?
//!
//! A [`Gas`] has spheres of any radii and masses that move freely between collisions, in open or periodic
//! space or between hard walls, with or without gravity. It goes from event to event; no step of time is
//! chosen, and nothing passes through anything. Two dimensions are three in which all `z` are equal and all
//! `vz` are 0, which collisions keep exactly.
//!
//! A collision costs 2 to 5 µs for spheres of similar sizes at 10% to 50% of space filled, hardly more for many than
//! for few: a heap has the next event of each sphere (`queue`), which looks only at neighbours (`neighbors`) found in cells
//! (`cells`) and is moved only at its own events (`motion`). Neighbours are those whose balls meet: a sphere has a
//! ball to move in (`spacing`) and looks for neighbours again when it leaves it, which is an event as well.
//! Sizes that differ by a factor of 100 are no different, but for the many neighbours that large spheres have.
//!
//! Pairs are decided by [`trajectory`](super::trajectory): a collision is never late, and spheres that touch
//! collide if they approach each other and not if they part, exactly. So nothing is missed, and what spheres overlap is
//! what rounding makes of their places: some last bits of the largest coordinate.
//!
//! | | |
//! |---|---|
//! | energy, momentum | kept up to rounding: 1e-13 after a million collisions of 10,000 spheres |
//! | overlap | 1e-14 of a diameter there |
//! | the same bits | on any number of threads, for a clone, in one run or in many; and for a gas made from its centres and velocities after [`Gas::synchronize`] |
//!
//! *Deviates:* `aragon2013` names particles that are balls as the simplest bodies of its high level, and no algorithm for
//! many of them. This one is that of `alder1959` with the single event a sphere of `lubachevsky1991` and the neighbour lists of
//! `donev2005`; contacts that last are those of `luding1998`.

mod collision_rule;
mod domain;
mod event;
mod event_queue;
mod grid_level;
mod hierarchical_grid;
mod motion;
mod neighbors;
mod observables;
mod run;
mod settings;
mod setup;
mod skin;
mod thermal;

pub use domain::{Axis, Domain};
pub use observables::Counts;
pub use run::{End, Run};
pub use settings::GasSettings;
pub use thermal::thermal_velocities;

use crate::error::Result;
use event::Event;
use event_queue::EventQueue;
use hierarchical_grid::HierarchicalGrid;
use motion::Sphere;
use neighbors::NeighborLists;
use observables::Tally;
use settings::GivenSpheres;
use setup::Check;

/// A wall of a [`Domain`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wall {
    /// The axis that it is perpendicular to.
    pub axis: u8,
    /// Whether it is the upper one along the axis.
    pub is_upper: bool,
}

/// What a sphere collides with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// A sphere with a higher number.
    Sphere(u32),
    /// A wall.
    Wall(Wall),
}

/// A collision of two spheres, or of a sphere and a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// When.
    pub time: f64,
    /// The sphere, of two that with the lower number.
    pub a: u32,
    /// What it collides with.
    pub partner: Partner,
    /// Where they touch, in the first period.
    pub point: [f64; 3],
    /// The unit normal from the sphere to its partner.
    pub normal: [f64; 3],
    /// The impulse that the partner gets along the normal; the sphere gets the opposite one.
    pub impulse: f64,
}

/// Hard spheres that move freely between collisions.
///
/// A gas is the iterator of its collisions; [`Gas::run`] goes up to a time or a number of them. A clone goes on to
/// the same collisions, bit for bit.
///
/// ```
/// use tangere::impact::gas::{Gas, GasSettings, Partner};
///
/// // The first of three in a row hits the second, and that the third.
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
    /// Spheres that lose energy come to rest below this speed.
    least_speed: f64,
    /// Half the acceleration along axes with walls.
    half: [f64; 3],
    /// The acceleration of the frame in which all else is told.
    fall: [f64; 3],
    /// The potential energy at the start along axes along which the frame falls.
    fallen: f64,
    spheres: Vec<Sphere>,
    masses: Vec<f64>,
    /// How often spheres have changed their motion.
    versions: Vec<u32>,
    /// The same when they got their balls.
    settled: Vec<u32>,
    /// When spheres have last collided.
    last: Vec<f64>,
    cells: HierarchicalGrid,
    neighbors: NeighborLists,
    events: Vec<Event>,
    queue: EventQueue,
    /// Time passed from the start until all was last set up, and what is rounded of it.
    base: [f64; 2],
    /// Time from then on.
    now: f64,
    /// Events of any kind from then on.
    happened: usize,
    counts: Counts,
    tally: Tally,
    /// Memory for searches.
    skins: Vec<f64>,
    near: Vec<(u32, [i8; 3])>,
}

impl Gas {
    /// A gas of spheres with these centres, velocities and radii; a mass is the cube of the radius if none are given.
    ///
    /// Centres outside of the first period are wrapped into it. Touching spheres are fine. Numbers are 0 or of magnitude
    /// 4.9e-91 to 1.6e60, and what would happen later than 1.6e60 does not.
    ///
    /// # Errors
    /// When a number is out of this range, a radius negative, a mass not above 0; when two spheres overlap (by more than
    /// rounding: 1e-12 of the sum of their radii and 4 last bits of their coordinates), or a sphere sticks
    /// out of the walls or overlaps its own image.
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

    /// How many spheres there are.
    pub fn len(&self) -> usize {
        self.spheres.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.spheres.is_empty()
    }

    /// What it was made with, and when it was last synchronized; the contact time is the one that it has.
    pub fn settings(&self) -> &GasSettings {
        &self.settings
    }

    /// The time now: that of the last collision, or up to which it was run.
    pub fn time(&self) -> f64 {
        self.time_of(self.now)
    }

    /// Where the centres are now, in the first period; `out` is replaced.
    pub fn centers(&self, out: &mut Vec<[f64; 3]>) {
        out.clear();
        let place = |sphere: &Sphere| self.in_place(sphere.at(self.now, &self.half).0);
        out.extend(self.spheres.iter().map(place));
    }

    /// The velocities now; `out` is replaced.
    pub fn velocities(&self, out: &mut Vec<[f64; 3]>) {
        out.clear();
        let elapsed = self.elapsed();
        let gained = self.fall.map(|g| g * elapsed);
        out.extend(self.spheres.iter().map(|sphere| {
            let v = sphere.at(self.now, &self.half).1;
            [0, 1, 2].map(|k| v[k] + gained[k])
        }));
    }

    /// The radii.
    pub fn radii(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.spheres.iter().map(|sphere| sphere.radius)
    }

    /// The masses.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// Time passed from the start.
    fn elapsed(&self) -> f64 {
        self.base[0] + (self.base[1] + self.now)
    }

    fn time_of(&self, now: f64) -> f64 {
        self.settings.time + (self.base[0] + (self.base[1] + now))
    }

    /// A point of the falling frame in space, in the first period.
    fn in_place(&self, mut x: [f64; 3]) -> [f64; 3] {
        if self.fall != [0.0; 3] {
            let elapsed = self.elapsed();
            for k in 0..3 {
                let mut fallen = 0.5 * self.fall[k] * elapsed * elapsed;
                // What whole periods are is of no interest, but would cost digits.
                if let Some((_, length)) = self.settings.domain.axes()[k].period() {
                    fallen %= length;
                }
                x[k] += fallen;
            }
        }
        self.settings.domain.wrapped(x)
    }
}
