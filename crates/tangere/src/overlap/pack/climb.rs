//! From the centre of a cell up to the largest sphere near it.
//!
//! All climbs of a pass go up together, a step each, so that the room is asked about many
//! points at once. A step leads to the top of what is known: the spheres nearby, and what was
//! seen of the surface so far, a plane for each look at it. Where the surface turns out to be nearer,
//! this look adds a plane, and the next step is better for it. Near a place that
//! four distances determine, this is Newton's method: about five looks are enough.

use super::ascent::{Site, step_up};
use super::index::{Index, Sphere, nearer};
use super::room::{Room, Wall};
use crate::error::Result;
use crate::geometry::flushed;
use crate::geometry::vector::{dot, minus};
use rayon::prelude::*;

/// Steps after which a climb ends where it is.
const STEPS: usize = 20;

/// Looks at the surface that a climb remembers.
const LOOKS: usize = 10;

/// Gains below this share of the radius end a climb: they are worth 0.03% of the volume.
const GAIN: f64 = 1e-4;

/// Climbs that one thread does in a row.
const CHUNK: usize = 32;

/// A way up.
#[derive(Clone, Debug)]
pub(super) struct Climb {
    start: [f64; 3],
    /// It gets no farther from the start than this.
    reach: f64,
    /// All that can matter within reach.
    spheres: Vec<Sphere>,
    /// Planes seen: a point, and the unit vector from there to where it was seen from.
    looks: [([f64; 3], [f64; 3]); LOOKS],
    seen: usize,
    /// The best place so far, and its distance from all there is.
    pub place: [f64; 3],
    pub radius: f64,
    /// Its distance from the surface.
    clearance: f64,
    trial: [f64; 3],
    /// The radius that the step to the trial promised.
    promise: f64,
    /// Steps are no longer than this.
    longest: f64,
    is_done: bool,
}

impl Climb {
    /// A climb from a place of which the distance from all there is is at most `radius`.
    pub fn new(start: [f64; 3], radius: f64, reach: f64, index: &Index) -> Self {
        let mut spheres = Vec::with_capacity(64);
        // At a place within reach, nothing farther than `radius + reach` is the nearest.
        let around = radius + 2.0 * reach;
        index.near(start, around, |sphere| {
            if nearer(around, sphere, start) < around {
                spheres.push(*sphere);
            }
        });
        Climb {
            start,
            reach,
            spheres,
            looks: [([0.0; 3], [0.0; 3]); LOOKS],
            seen: 0,
            place: start,
            radius: f64::NEG_INFINITY,
            clearance: 0.0,
            trial: start,
            promise: f64::INFINITY,
            longest: 0.5 * reach,
            is_done: false,
        }
    }

    /// Takes in what the surface is at the trial, and chooses the next one.
    fn advance(&mut self, wall: &Wall, sites: &mut Vec<Site>) {
        let trial = self.trial;
        let between = minus(trial, wall.point);
        let distance = dot(between, between).sqrt();
        if wall.clearance > 0.0 && distance > 0.0 {
            let normal = between.map(|x| x / distance);
            self.looks[self.seen % LOOKS] = (wall.point, normal);
            self.seen += 1;
        }
        let free = self
            .spheres
            .iter()
            .fold(wall.clearance, |free, sphere| nearer(free, sphere, trial));
        if free > self.radius {
            let is_kept = free - self.radius > 0.5 * (self.promise - self.radius);
            self.longest *= if is_kept { 2.0 } else { 0.7 };
            self.place = trial;
            self.radius = free;
            self.clearance = wall.clearance;
        } else {
            let step = minus(trial, self.place);
            self.longest = 0.5 * dot(step, step).sqrt();
        }
        let away = minus(self.place, self.start);
        let longest = self.longest.min(self.reach - dot(away, away).sqrt());
        self.survey(longest, sites);
        let (step, height) = step_up(sites, longest.max(0.0));
        self.promise = height;
        self.trial = flushed(std::array::from_fn(|k| self.place[k] + step[k]));
        let gain = height - self.radius;
        self.is_done = sites.is_empty() || gain <= GAIN * self.radius.abs();
    }

    /// All that is known near the place.
    fn survey(&self, longest: f64, sites: &mut Vec<Site>) {
        sites.clear();
        let place = self.place;
        let far = self.radius + 2.0 * longest;
        for &(point, normal) in &self.looks[..self.seen.min(LOOKS)] {
            // Where the plane is nearer than the surface, the surface does not follow it.
            let value = dot(minus(place, point), normal).max(self.clearance);
            if value <= far {
                sites.push(Site { value, normal });
            }
        }
        for sphere in &self.spheres {
            let way = minus(place, [sphere[0], sphere[1], sphere[2]]);
            let square = dot(way, way);
            let limit = far + sphere[3];
            if square <= limit * limit && square > 0.0 {
                let length = square.sqrt();
                sites.push(Site {
                    value: length - sphere[3],
                    normal: way.map(|x| x / length),
                });
            }
        }
    }
}

/// Lets climbs go as far as they get.
pub(super) fn climb_all(climbs: &mut [Climb], room: &mut impl Room) -> Result<()> {
    let (mut points, mut walls) = (Vec::new(), Vec::new());
    let mut going: Vec<&mut Climb> = climbs.iter_mut().collect();
    for _ in 0..STEPS {
        points.clear();
        points.extend(going.iter().map(|climb| climb.trial));
        room.walls(&points, &mut walls)?;
        going
            .par_chunks_mut(CHUNK)
            .zip(walls.par_chunks(CHUNK))
            .for_each(|(climbs, walls)| {
                let mut sites = Vec::new();
                for (climb, wall) in climbs.iter_mut().zip(walls) {
                    climb.advance(wall, &mut sites);
                }
            });
        going.retain(|climb| !climb.is_done);
        if going.is_empty() {
            break;
        }
    }
    Ok(())
}
