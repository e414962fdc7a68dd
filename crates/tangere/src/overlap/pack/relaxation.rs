//! Collective relaxation of packed spheres: spheres move, grow and shrink together until they fill
//! more volume (primal-dual method).
//!
//! The relaxation maximises the sum of all volumes under the constraints that spheres are disjoint
//! and inside the body: `|c_a - c_b| >= r_a + r_b` for two spheres with centres `c` and radii `r`,
//! and `n . (c - p) >= r` for a tangent plane of the surface at `p` with normal `n`. Each
//! constraint has a multiplier `l >= 0`, its force. The sum of all forces `l n` moves a sphere. The
//! gradient of its volume, `3 r^2` up to a constant factor, less the sum of all `l` changes its
//! radius. A force grows while its constraint is violated. These are the steps of Chambolle and
//! Pock's primal-dual method (chambolle2011, algorithm 1), linearised anew at each step. Steps are
//! scaled for each sphere and each constraint as in pock2011, lemma 2: a sphere moves in units of
//! its radius, and a constraint pushes in units of the lesser squared radius.
//!
//! At the end radii are reduced to the free distance, largest sphere first, so that spheres are
//! disjoint in exact arithmetic.
//!
//! Cost: `STEPS` times about seven constraints for each sphere, on one thread; one query of the
//! surface for each sphere every `PACE` steps.

use super::container::{Container, Wall};
use super::greedy::sort;
use super::sphere_index::{Sphere, SphereIndex};
use crate::error::Result;
use crate::geometry::flushed;
use crate::geometry::vector::{dot, minus};
use crate::stop::Current;

/// The number of steps of a relaxation.
const STEPS: usize = 1200;

/// The number of steps of the relaxation between two updates of neighbours and tangent planes.
const PACE: usize = 20;

/// The ratio of the sizes of primal steps (which move spheres) and dual steps (which change
/// forces). The larger it is, the more spheres overlap during the relaxation.
const STRIDE: f64 = 0.05;

/// The largest change of a sphere in one step of the relaxation, in each coordinate of its centre
/// and in its radius, as a fraction of its radius.
const LONGEST: f64 = 0.02;

/// Two spheres are neighbours if the gap between them is below this fraction of the smaller radius.
const NEAR: f64 = 0.3;

/// Neighbours push each other from the start of the relaxation if the gap between them is below
/// this fraction of the smaller radius.
const TOUCHING: f64 = 3e-3;

/// The maximum number of tangent planes of the surface that are kept for a sphere.
const PLANES: usize = 12;

/// At the start the surface is queried at six points for each sphere, which lie beside its centre
/// in both directions of each axis. This is their distance from the centre, as a fraction of the
/// sphere's radius.
const BESIDE: f64 = 0.3;

/// The smallest radius to which a sphere may shrink, as a fraction of the smallest radius of the
/// given spheres.
const SMALLEST: f64 = 0.3;

/// A pair of neighbouring spheres, the smaller one first, and the force with which they push each
/// other.
#[derive(Clone, Copy, Debug)]
struct Link {
    pair: (u32, u32),
    force: f64,
}

/// A tangent plane of the surface, behind which a sphere must stay, and the force with which it
/// pushes the sphere.
#[derive(Clone, Copy, Debug)]
struct Plane {
    point: [f64; 3],
    normal: [f64; 3],
    force: f64,
}

/// The state of a relaxation: the spheres, and the constraints between them and the surface.
struct Relaxation {
    spheres: Vec<Sphere>,
    /// The spheres before the last step of the relaxation.
    before: Vec<Sphere>,
    /// The pairs of neighbouring spheres, sorted by the indices of the spheres.
    links: Vec<Link>,
    planes: Vec<Vec<Plane>>,
    /// The smallest radius to which a sphere may shrink during the relaxation.
    least: f64,
}

/// Relaxes packed spheres together. Returns spheres that are disjoint and inside the container,
/// about as many as given, largest first. They usually fill more than the given ones, but need not.
///
/// `index` returns an empty index of spheres for the cube of the container; `slack` is an upper
/// bound of the rounding error of a distance.
pub(super) fn relaxed(
    container: &mut impl Container,
    spheres: &[Sphere],
    index: impl Fn() -> SphereIndex,
    slack: f64,
) -> Result<Vec<Sphere>> {
    let stop = Current::new();
    let smallest = spheres.iter().fold(f64::INFINITY, |m, s| m.min(s[3]));
    let mut relaxation = Relaxation {
        spheres: spheres.to_vec(),
        before: spheres.to_vec(),
        links: Vec::new(),
        planes: vec![Vec::new(); spheres.len()],
        least: SMALLEST * smallest,
    };
    let mut walls = Vec::new();
    for side in 0..6 {
        let beside = |sphere: &Sphere| {
            let mut p = center(sphere);
            p[side / 2] += if side % 2 == 0 { BESIDE } else { -BESIDE } * sphere[3];
            flushed(p)
        };
        let points: Vec<_> = spheres.iter().map(beside).collect();
        container.walls(&points, &mut walls)?;
        relaxation.add_planes(&points, &walls);
    }
    for step in 0..STEPS {
        if step % PACE == 0 {
            stop.checked()?;
            let points: Vec<_> = relaxation.spheres.iter().map(center).collect();
            container.walls(&points, &mut walls)?;
            relaxation.add_planes(&points, &walls);
            relaxation.drop_planes(&points, &walls);
            relaxation.link(index());
        }
        if step == 0 {
            relaxation.press();
        }
        relaxation.step();
    }
    relaxation.cut(container, index(), slack)
}

/// Returns the centre of a relaxed sphere.
fn center(sphere: &Sphere) -> [f64; 3] {
    [sphere[0], sphere[1], sphere[2]]
}

/// Returns the unit vector from relaxed sphere `a` toward `b`, and the gap between the two spheres,
/// negative if they overlap.
fn gap(a: &Sphere, b: &Sphere) -> ([f64; 3], f64) {
    let way = minus(center(b), center(a));
    let length = dot(way, way).sqrt();
    // Concentric spheres separate along an axis.
    match length > 0.0 {
        true => (way.map(|x| x / length), length - a[3] - b[3]),
        false => ([1.0, 0.0, 0.0], -a[3] - b[3]),
    }
}

impl Plane {
    /// Returns the gap between the tangent plane and a relaxed sphere, negative if the sphere
    /// crosses the plane.
    fn gap(&self, sphere: &Sphere) -> f64 {
        dot(minus(center(sphere), self.point), self.normal) - sphere[3]
    }
}

impl Relaxation {
    /// Adds a tangent plane of the surface to each sphere of the relaxation. `points` has one point
    /// for each sphere, `walls` the place on the surface that is nearest to that point. A plane
    /// replaces an earlier one that is almost the same. Points outside the body are skipped.
    fn add_planes(&mut self, points: &[[f64; 3]], walls: &[Wall]) {
        let seen = self.planes.iter_mut().zip(&self.spheres);
        for ((planes, sphere), (&p, wall)) in seen.zip(points.iter().zip(walls)) {
            let way = minus(p, wall.point);
            let length = dot(way, way).sqrt();
            if !(wall.clearance > 0.0 && length > 0.0) {
                continue;
            }
            let (point, normal) = (wall.point, way.map(|x| x / length));
            let is_same = |plane: &Plane| {
                let between = minus(plane.point, point);
                dot(plane.normal, normal) > 0.97
                    && dot(between, between) < 0.09 * sphere[3] * sphere[3]
            };
            match planes.iter_mut().find(|plane| is_same(plane)) {
                Some(plane) => (plane.point, plane.normal) = (point, normal),
                None => {
                    if planes.len() == PLANES {
                        planes.remove(0);
                    }
                    let force = 0.0;
                    planes.push(Plane {
                        point,
                        normal,
                        force,
                    });
                }
            }
        }
    }

    /// Drops those tangent planes of the relaxation that are nearer to the centre of their sphere
    /// than the surface is, because they do not describe the surface there. `points` are the
    /// centres, `walls` the places on the surface that are nearest to them.
    fn drop_planes(&mut self, points: &[[f64; 3]], walls: &[Wall]) {
        for (planes, (&p, wall)) in self.planes.iter_mut().zip(points.iter().zip(walls)) {
            let known = 0.999 * wall.clearance;
            planes.retain(|plane| dot(minus(p, plane.point), plane.normal) >= known);
        }
    }

    /// Finds the pairs of neighbouring spheres of the relaxation, with `index`, which must be
    /// empty. Pairs that were neighbours before keep their force.
    fn link(&mut self, mut index: SphereIndex) {
        let spheres = &self.spheres;
        spheres.iter().for_each(|&sphere| index.insert(sphere));
        let mut links: Vec<Link> = Vec::with_capacity(self.links.len());
        for (a, sphere) in spheres.iter().enumerate() {
            let near = NEAR * sphere[3];
            let first = links.len();
            index.numbers_near(center(sphere), sphere[3] + near, |number| {
                let b = number as usize;
                let is_smaller = (sphere[3], a) < (spheres[b][3], b);
                if is_smaller && gap(sphere, &spheres[b]).1 < near {
                    let (pair, force) = ((a as u32, number), 0.0);
                    links.push(Link { pair, force });
                }
            });
            links[first..].sort_unstable_by_key(|link| link.pair);
        }
        for link in &mut links {
            let known = self.links.binary_search_by_key(&link.pair, |old| old.pair);
            link.force = known.map_or(0.0, |k| self.links[k].force);
        }
        self.links = links;
    }

    /// Sets the initial forces of the relaxation. Of all that touches a sphere, tangent planes and
    /// spheres that are not smaller push it equally, so that its radius stays constant.
    fn press(&mut self) {
        let spheres = &self.spheres;
        let is_tight = |link: &Link| {
            let (a, b) = (
                &spheres[link.pair.0 as usize],
                &spheres[link.pair.1 as usize],
            );
            gap(a, b).1 < TOUCHING * a[3]
        };
        let mut counts = vec![0_u32; spheres.len()];
        for link in self.links.iter().filter(|link| is_tight(link)) {
            counts[link.pair.0 as usize] += 1;
        }
        for ((planes, sphere), count) in self.planes.iter_mut().zip(spheres).zip(&mut counts) {
            let is_tight = |plane: &&mut Plane| plane.gap(sphere) < TOUCHING * sphere[3];
            *count += planes.iter_mut().filter(is_tight).count() as u32;
            let force = 3.0 * sphere[3] * sphere[3] / f64::from((*count).max(1));
            for plane in planes.iter_mut().filter(is_tight) {
                plane.force = force;
            }
        }
        for link in self.links.iter_mut().filter(|link| is_tight(link)) {
            let a = link.pair.0 as usize;
            link.force = 3.0 * spheres[a][3] * spheres[a][3] / f64::from(counts[a].max(1));
        }
    }

    /// Makes one step of the relaxation: first all forces change, then all spheres.
    fn step(&mut self) {
        let spheres = &self.spheres;
        // Forces use extrapolated positions.
        let ahead: Vec<Sphere> = spheres
            .iter()
            .zip(&self.before)
            .map(|(now, before)| std::array::from_fn(|k| 2.0 * now[k] - before[k]))
            .collect();
        // Sums of forces, of multipliers (which reduce radii), and of units (which scale steps).
        let mut pushes = vec![[0.0; 5]; spheres.len()];
        for link in &mut self.links {
            let (a, b) = (link.pair.0 as usize, link.pair.1 as usize);
            let least = spheres[a][3].min(spheres[b][3]);
            let unit = least * least;
            let (way, gap) = gap(&ahead[a], &ahead[b]);
            let stiffness = unit / (2.0 * STRIDE * (spheres[a][3] + spheres[b][3]));
            link.force = (link.force - stiffness * gap).max(0.0);
            for k in 0..3 {
                pushes[a][k] -= link.force * way[k];
                pushes[b][k] += link.force * way[k];
            }
            for i in [a, b] {
                pushes[i][3] += link.force;
                pushes[i][4] += unit;
            }
        }
        for (i, planes) in self.planes.iter_mut().enumerate() {
            let radius = spheres[i][3];
            for plane in planes {
                let stiffness = radius / (2.0 * STRIDE);
                plane.force = (plane.force - stiffness * plane.gap(&ahead[i])).max(0.0);
                for k in 0..3 {
                    pushes[i][k] += plane.force * plane.normal[k];
                }
                pushes[i][3] += plane.force;
                pushes[i][4] += radius * radius;
            }
        }
        self.before.copy_from_slice(&self.spheres);
        for (sphere, push) in self.spheres.iter_mut().zip(&pushes) {
            let radius = sphere[3];
            let gain = 3.0 * radius * radius;
            let along = STRIDE * radius / push[4].max(gain);
            let mut step = [push[0], push[1], push[2], gain - push[3]].map(|x| along * x);
            let length = step.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            if length > LONGEST * radius {
                step = step.map(|x| x * (LONGEST * radius / length));
            }
            for k in 0..4 {
                sphere[k] += step[k];
            }
            sphere[3] = sphere[3].max(self.least);
        }
    }

    /// Returns the relaxed spheres, largest first, with radii reduced until they are disjoint and
    /// inside the container.
    fn cut(
        mut self,
        container: &mut impl Container,
        mut index: SphereIndex,
        slack: f64,
    ) -> Result<Vec<Sphere>> {
        let finite = |sphere: &Sphere| sphere.iter().all(|x| x.is_finite());
        self.spheres.retain(finite);
        sort(&mut self.spheres);
        let points: Vec<_> = self.spheres.iter().map(|s| flushed(center(s))).collect();
        let mut clearances = Vec::new();
        container.clearances(&points, &mut clearances)?;
        for ((&p, &clearance), sphere) in points.iter().zip(&clearances).zip(&self.spheres) {
            let radius = index.nearest(p, clearance.min(sphere[3])) - slack;
            if radius > 8.0 * slack {
                index.insert([p[0], p[1], p[2], radius]);
            }
        }
        let mut cut = index.spheres().to_vec();
        sort(&mut cut);
        Ok(cut)
    }
}
