//! From the centre of a cell up to the largest sphere near it.
//!
//! All climbs of a pass go up together, a step each, so that the room is asked about many
//! points at once. A step leads to the top of what is known: the spheres nearby, and what was
//! seen of the surface so far, a plane for each look at it. Where the surface turns out to be nearer,
//! this look adds a plane, and the next step is better for it. Near a place that
//! four distances determine, this is Newton's method: about five looks are enough.

use super::container::{Container, Wall};
use super::max_min_step::{LinearDistance, step_up};
use super::sphere_index::{Sphere, SphereIndex, nearer};
use crate::error::Result;
use crate::geometry::flushed;
use crate::geometry::vector::{dot, minus};
use rayon::prelude::*;

/// Steps after which a climb ends where it is.
const STEPS: usize = 20;

/// Looks at the surface that a climb remembers.
const LOOKS: usize = 10;

/// Climbs that seem to lead to less than this share of what is wanted wait.
const LOW: f64 = 0.97;

/// Climbs that one thread does in a row.
const CHUNK: usize = 32;

/// A way up.
#[derive(Clone, Debug)]
pub(super) struct LocalSearch {
    start: [f64; 3],
    /// It gets no farther from the start than this.
    reach: f64,
    /// Climbs that lead to less are not worth their looks yet.
    least: f64,
    /// Steps that promise less, as a share of the radius, are not gone.
    gain: f64,
    /// All that can matter within reach.
    spheres: Vec<Sphere>,
    /// Planes seen: a point, and the unit vector from there to where it was seen from.
    looks: [([f64; 3], [f64; 3]); LOOKS],
    seen: usize,
    /// Where the surface is known to be no nearer than this.
    known: ([f64; 3], f64),
    /// The best place so far, and its distance from all there is.
    pub place: [f64; 3],
    pub radius: f64,
    /// No more than its distance from the surface.
    pub clearance: f64,
    /// About the radius to which the rest of the way would lead; that of the place at the top.
    pub height: f64,
    trial: [f64; 3],
    /// The distance of the trial from spheres.
    free: f64,
    /// The radius that the step to the trial promised.
    promise: f64,
    /// Steps are no longer than this.
    longest: f64,
    steps: usize,
}

impl LocalSearch {
    /// A climb from a place of which the distance from all there is is at most `radius`, and that
    /// from the surface at least `clearance`. It ends where a step promises less than a share `gain`,
    /// and early when it seems to lead to less than `least`.
    pub fn new(
        start: [f64; 3],
        radius: f64,
        clearance: f64,
        reach: f64,
        least: f64,
        gain: f64,
        index: &SphereIndex,
    ) -> Self {
        let mut spheres = Vec::with_capacity(64);
        // At a place within reach, nothing farther than `radius + reach` is the nearest.
        let around = radius + 2.0 * reach;
        index.near(start, around, |sphere| {
            if nearer(around, sphere, start) < around {
                spheres.push(*sphere);
            }
        });
        LocalSearch {
            start,
            reach,
            least,
            gain,
            looks: [([0.0; 3], [0.0; 3]); LOOKS],
            seen: 0,
            known: (start, clearance),
            place: start,
            radius: f64::NEG_INFINITY,
            clearance: f64::NEG_INFINITY,
            height: f64::NEG_INFINITY,
            trial: start,
            free: spheres
                .iter()
                .fold(f64::INFINITY, |free, sphere| nearer(free, sphere, start)),
            spheres,
            promise: f64::INFINITY,
            longest: reach,
            steps: 0,
        }
    }

    /// Goes on until it has to know the surface at a trial; whether it has to.
    fn needs_wall(&mut self, wall: Option<&Wall>, sites: &mut Vec<LinearDistance>) -> bool {
        if let Some(wall) = wall {
            self.look(wall);
            self.known = (self.trial, wall.clearance);
            if self.is_over(wall.clearance, sites) {
                return false;
            }
        }
        loop {
            let way = minus(self.trial, self.known.0);
            let clearance = self.known.1 - dot(way, way).sqrt();
            // Among spheres the surface does not matter.
            if self.free > clearance {
                return true;
            }
            if self.is_over(clearance, sites) {
                return false;
            }
        }
    }

    /// Remembers the surface as a plane.
    fn look(&mut self, wall: &Wall) {
        let between = minus(self.trial, wall.point);
        let distance = dot(between, between).sqrt();
        if wall.clearance > 0.0 && distance > 0.0 {
            let normal = between.map(|x| x / distance);
            self.looks[self.seen % LOOKS] = (wall.point, normal);
            self.seen += 1;
        }
    }

    /// Takes the trial if it is better, and chooses the next one; whether there is none.
    fn is_over(&mut self, clearance: f64, sites: &mut Vec<LinearDistance>) -> bool {
        let free = self.free.min(clearance);
        if free > self.radius {
            let is_kept = free - self.radius > 0.5 * (self.promise - self.radius);
            self.longest *= if is_kept { 2.0 } else { 0.7 };
            self.place = self.trial;
            self.radius = free;
            self.clearance = clearance;
        } else {
            let step = minus(self.trial, self.place);
            self.longest = 0.5 * dot(step, step).sqrt();
        }
        self.height = self.radius;
        self.steps += 1;
        let away = minus(self.place, self.start);
        let longest = self.longest.min(self.reach - dot(away, away).sqrt());
        self.survey(longest, sites);
        if sites.is_empty() || self.steps == STEPS || self.radius <= 0.0 {
            return true;
        }
        let (step, height) = step_up(sites, longest.max(0.0));
        if height - self.radius <= self.gain * self.radius {
            return true;
        }
        // Spheres bend away: over a step `s` from a distance `d` of their centre by `s^2 / 2d`,
        // where `d` is twice the radius or more, as all spheres are larger.
        let square = dot(step, step);
        let ahead = height + square / (4.0 * self.radius);
        if ahead < LOW * self.least && square < 0.99 * longest * longest {
            self.height = ahead;
            return true;
        }
        self.promise = height;
        let trial = flushed(std::array::from_fn(|k| self.place[k] + step[k]));
        self.trial = trial;
        self.free = self
            .spheres
            .iter()
            .fold(f64::INFINITY, |free, sphere| nearer(free, sphere, trial));
        false
    }

    /// All that is known near the place.
    fn survey(&self, longest: f64, sites: &mut Vec<LinearDistance>) {
        sites.clear();
        let place = self.place;
        let far = self.radius + 2.0 * longest;
        for &(point, normal) in &self.looks[..self.seen.min(LOOKS)] {
            // Where the plane is nearer than the surface, the surface does not follow it.
            let value = dot(minus(place, point), normal).max(self.clearance);
            if value <= far {
                sites.push(LinearDistance { value, normal });
            }
        }
        for sphere in &self.spheres {
            let way = minus(place, [sphere[0], sphere[1], sphere[2]]);
            let square = dot(way, way);
            let limit = far + sphere[3];
            if square <= limit * limit && square > 0.0 {
                let length = square.sqrt();
                sites.push(LinearDistance {
                    value: length - sphere[3],
                    normal: way.map(|x| x / length),
                });
            }
        }
    }
}

/// Lets climbs go as far as they get.
pub(super) fn search_all(
    searches: &mut [LocalSearch],
    container: &mut impl Container,
) -> Result<()> {
    let (mut points, mut walls) = (Vec::new(), Vec::<Wall>::new());
    let mut going: Vec<(&mut LocalSearch, bool)> = searches.iter_mut().map(|c| (c, true)).collect();
    while !going.is_empty() {
        let looked = walls.len();
        going
            .par_iter_mut()
            .enumerate()
            .with_min_len(CHUNK)
            .for_each_init(Vec::new, |sites, (i, (search, needs_wall))| {
                let wall = (looked > 0).then(|| &walls[i]);
                *needs_wall = search.needs_wall(wall, sites);
            });
        going.retain(|&(_, needs_wall)| needs_wall);
        points.clear();
        points.extend(going.iter().map(|(search, _)| search.trial));
        container.walls(&points, &mut walls)?;
    }
    Ok(())
}
