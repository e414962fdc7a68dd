//! Local search of sphere packing: from the centre of a cell to the largest sphere near it.
//!
//! All searches of a pass advance together, one step at a time, so that the container is queried
//! for many points at once. A step goes to the maximum of a linear model, which has the spheres
//! nearby and one tangent plane of the surface for each query so far. Where the surface is nearer
//! than the model predicts, the query adds a tangent plane, and the next step is better. Near a
//! maximum that four distances determine, this is Newton's method: about five queries are enough.

use super::container::{Container, Wall};
use super::max_min_step::{LinearDistance, step_up};
use super::sphere_index::{Sphere, SphereIndex, nearer};
use crate::error::Result;
use crate::geometry::flushed;
use crate::geometry::vector::{dot, minus};
use rayon::prelude::*;

/// The largest number of steps of a search.
const STEPS: usize = 20;

/// The largest number of tangent planes that a search keeps.
const PLANES: usize = 10;

/// A local search ends early if the radius predicted at its maximum is below this share of the
/// target radius; its cell waits for a later round.
const LOW: f64 = 0.97;

/// The number of searches in a chunk of parallel work.
const CHUNK: usize = 32;

/// A local search for the largest sphere.
#[derive(Clone, Debug)]
pub(super) struct LocalSearch {
    start: [f64; 3],
    /// The largest distance of a trial point from the start.
    reach: f64,
    /// The target radius: a search that predicts a smaller one ends early.
    least: f64,
    /// The least predicted gain of a step, as a share of the radius.
    gain: f64,
    /// The packed spheres that can be nearest to a point within reach.
    spheres: Vec<Sphere>,
    /// Tangent planes of the surface: a point of each, and the unit vector from it to the query
    /// point.
    planes: [([f64; 3], [f64; 3]); PLANES],
    plane_count: usize,
    /// The start or the last queried point, with a lower bound of its distance from the surface,
    /// which bounds the distance of trial points nearby without another query.
    known: ([f64; 3], f64),
    /// The best centre so far; `radius` is its distance from the surface and the spheres.
    pub place: [f64; 3],
    pub radius: f64,
    /// A lower bound of the distance of the best centre from the surface.
    pub clearance: f64,
    /// The predicted radius at the maximum; the radius itself once the search has arrived there.
    pub height: f64,
    trial: [f64; 3],
    /// The distance of the trial point from the spheres.
    free: f64,
    /// The radius predicted for the trial point.
    promise: f64,
    /// The longest step allowed next; it grows after good steps and shrinks after poor ones.
    longest: f64,
    steps: usize,
}

impl LocalSearch {
    /// Returns a local search from a point whose distance from the surface and the packed spheres
    /// is at most `radius`, and from the surface at least `clearance`. The search ends where a step
    /// predicts a gain below the share `gain` of the radius, and early if it predicts less than
    /// `least` at the maximum.
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
        // For a point within reach, nothing farther than `radius + reach` is nearest.
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
            planes: [([0.0; 3], [0.0; 3]); PLANES],
            plane_count: 0,
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

    /// Advances the local search until it needs the surface near a trial point: returns `true`
    /// then, `false` if the search has ended. `wall` is the surface near the last trial point, if
    /// it was queried.
    fn needs_wall(&mut self, wall: Option<&Wall>, sites: &mut Vec<LinearDistance>) -> bool {
        if let Some(wall) = wall {
            self.add_plane(wall);
            self.known = (self.trial, wall.clearance);
            if self.is_over(wall.clearance, sites) {
                return false;
            }
        }
        loop {
            let way = minus(self.trial, self.known.0);
            let clearance = self.known.1 - dot(way, way).sqrt();
            // Unless the spheres are nearer than the surface for certain, the surface matters here.
            if self.free > clearance {
                return true;
            }
            if self.is_over(clearance, sites) {
                return false;
            }
        }
    }

    /// Adds a tangent plane of the surface to the model of the local search.
    fn add_plane(&mut self, wall: &Wall) {
        let between = minus(self.trial, wall.point);
        let distance = dot(between, between).sqrt();
        if wall.clearance > 0.0 && distance > 0.0 {
            let normal = between.map(|x| x / distance);
            self.planes[self.plane_count % PLANES] = (wall.point, normal);
            self.plane_count += 1;
        }
    }

    /// Accepts the trial point of the local search if it is better, and chooses the next one;
    /// returns `true` if there is none, so that the search ends.
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
        // Spheres curve away: over a step of length `s`, at a distance `d` from their centre, by
        // `s^2 / 2d`. Here `d` is at least twice the radius, as all spheres are larger.
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

    /// Sets up the linear model of the local search near its current centre: the distances of
    /// spheres and tangent planes.
    fn survey(&self, longest: f64, sites: &mut Vec<LinearDistance>) {
        sites.clear();
        let place = self.place;
        let far = self.radius + 2.0 * longest;
        for &(point, normal) in &self.planes[..self.plane_count.min(PLANES)] {
            // A plane that is nearer than the surface does not describe the surface here.
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

/// Runs all local searches to their end.
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
