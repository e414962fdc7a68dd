//! Setup of a gas: moves all spheres to one time, and finds their neighbours and next events.
//!
//! It is repeated after a number of events per sphere, because times are counted from the last
//! setup and small times have more digits. A setup depends only on positions and velocities, so
//! that a gas made from these numbers continues in the same way.

use super::Gas;
use super::event::Event;
use super::event_queue::EventQueue;
use super::given_spheres::{GivenSpheres, tolerance};
use super::hierarchical_grid::HierarchicalGrid;
use super::motion::Sphere;
use super::neighbor_lists::NeighborLists;
use super::observables::{Counts, Tally};
use super::settings::GasSettings;
use crate::error::{Argument, Error, Result, number};
use crate::geometry::vector::dot;
use crate::memory::refill;

/// If collisions lose energy, a velocity component below this fraction of the largest component of
/// any sphere is set to 0. Otherwise ever more frequent collisions would reduce it to the smallest
/// floats.
const REST: f64 = 1e-40;

impl Gas {
    /// Sets up a new gas from given spheres that have been checked, except for overlaps.
    ///
    /// # Errors
    /// When spheres overlap, if `check` includes overlaps.
    pub(super) fn of_valid(
        given: GivenSpheres<'_>,
        settings: &GasSettings,
        check: Check,
    ) -> Result<Self> {
        let count = given.centers.len();
        let (mut half, mut fall) = ([0.0; 3], [0.0; 3]);
        for k in 0..3 {
            match settings.falls_on_walls(k) {
                true => half[k] = 0.5 * settings.gravity[k],
                false => fall[k] = settings.gravity[k],
            }
        }
        let sphere = |i: usize| Sphere {
            center: settings.domain.wrapped(given.centers[i]),
            velocity: given.velocities[i],
            clock: 0.0,
            radius: given.radii[i],
        };
        let masses: Vec<f64> = (0..count).map(|i| given.mass(i)).collect();
        let fallen = (0..count).map(|i| -masses[i] * dot(fall, given.centers[i]));
        let contact_time = settings.contact_time(given.velocities, given.radii);
        let mut gas = Gas {
            settings: GasSettings {
                contact_time: Some(contact_time),
                ..*settings
            },
            contact_time,
            least_speed: 0.0,
            half,
            fall,
            fallen: fallen.sum(),
            spheres: (0..count).map(sphere).collect(),
            masses,
            versions: Vec::new(),
            settled: Vec::new(),
            last: Vec::new(),
            cells: HierarchicalGrid::default(),
            neighbors: NeighborLists::default(),
            events: Vec::new(),
            queue: EventQueue::default(),
            base: [0.0; 2],
            now: 0.0,
            happened: 0,
            counts: Counts::default(),
            tally: Tally::of(given),
            skins: Vec::new(),
            near: Vec::new(),
        };
        gas.set_up(check)?;
        Ok(gas)
    }

    /// Sets up the gas anew from its current positions and velocities.
    ///
    /// From here on it has the same collisions, bit for bit, as a gas made from its centres,
    /// velocities, radii, masses and settings. Without synchronization such a gas differs by
    /// rounding, which grows with each collision until trajectories diverge. Counts, energy and
    /// pressure continue.
    pub fn synchronize(&mut self) {
        let (mut centers, mut velocities) = (Vec::new(), Vec::new());
        self.centers(&mut centers);
        self.velocities(&mut velocities);
        let radii: Vec<f64> = self.radii().collect();
        let given = GivenSpheres {
            centers: &centers,
            velocities: &velocities,
            radii: &radii,
            masses: Some(&self.masses),
        };
        let settings = GasSettings {
            time: self.time(),
            ..self.settings
        };
        // The only possible error is an overlap, which is not checked here.
        let Ok(mut gas) = Self::of_valid(given, &settings, Check::Nothing) else {
            return;
        };
        gas.counts = self.counts;
        gas.counts.set_ups += 1;
        gas.tally.continue_from(&self.tally, self.now);
        // Wrapping into the first period does not change the energy.
        gas.fallen += self.energy() - gas.energy();
        *self = gas;
    }

    /// Sets up the gas at the current time: moves all spheres to it, and finds their neighbours and
    /// next events.
    pub(super) fn set_up(&mut self, check: Check) -> Result<()> {
        let count = self.spheres.len();
        self.tally.integrate_to(self.now);
        self.tally.start_from_zero();
        let since = [self.base[1] + self.now, self.base[0]];
        self.base[0] = since[0] + since[1];
        // The rounding error, exactly (Knuth's two-sum).
        let back = self.base[0] - since[1];
        self.base[1] = (since[1] - (self.base[0] - back)) + (since[0] - back);
        for sphere in &mut self.spheres {
            sphere.move_to(self.now, &self.half);
            sphere.clock = 0.0;
            sphere.center = self.settings.domain.wrapped(sphere.center);
        }
        (self.now, self.happened) = (0.0, 0);
        let speeds = self.spheres.iter().flat_map(|sphere| sphere.velocity);
        self.least_speed = REST * speeds.fold(0.0, |most: f64, v| most.max(v.abs()));
        self.tally.measure(&self.spheres, &self.masses);
        refill(&mut self.versions, count, 0);
        refill(&mut self.settled, count, 0);
        refill(&mut self.last, count, f64::NEG_INFINITY);
        self.assign_balls();
        self.find_neighbors(check)?;
        self.events.clear();
        if self.is_over(check) {
            self.events.resize(count, Event::NEVER);
        } else {
            let events = (0..count as u32).map(|i| self.next_event(i)).collect();
            self.events = events;
        }
        self.queue.fill(self.events.iter().map(|event| event.time));
        self.counts.set_ups += 1;
        Ok(())
    }

    /// An error at the setup of a gas if sphere `a` overlaps a neighbour; it names the neighbour of
    /// least index.
    pub(super) fn check_overlap(&self, a: u32) -> Result<()> {
        let sphere = &self.spheres[a as usize];
        let depth = |b: u32, image: [i8; 3]| {
            let (other, shift) = (&self.spheres[b as usize], self.settings.domain.shift(image));
            let d = [0, 1, 2].map(|k| (other.center[k] - sphere.center[k]) + shift[k]);
            let touching = sphere.radius + other.radius;
            let coordinates = [sphere.center, other.center, shift];
            let allowed = tolerance(touching, coordinates.as_flattened());
            let depth = touching - dot(d, d).sqrt();
            (depth > allowed).then_some((b, depth))
        };
        let overlaps = self.near.iter().filter_map(|&(b, image)| depth(b, image));
        match overlaps.min_by_key(|&(b, _)| b) {
            None => Ok(()),
            Some((b, depth)) => {
                let found = format!("an overlap of {} with sphere {b}", number(depth));
                Err(Error::item(
                    Argument::Sphere,
                    a as usize,
                    found,
                    "spheres that touch at most",
                ))
            }
        }
    }
}

/// What a setup of a gas checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    Nothing,
    /// The setup returns an error if spheres overlap.
    Overlaps,
    /// There was no collision since the last setup. So the setup tests whether more collisions can
    /// follow for gases of up to 5000 spheres, instead of up to 200.
    Silence,
}
