//! Oracle of a gas: collisions found by testing all pairs at every event.

use super::cases::{Spheres, crystal, mixed, walls};
use tangere::impact::gas::{Axis, Domain, GasSettings, Partner, Wall};

/// A gas that moves all spheres from event to event.
struct Plain {
    x: Vec<[f64; 3]>,
    v: Vec<[f64; 3]>,
    radii: Vec<f64>,
    masses: Vec<f64>,
    settings: GasSettings,
    time: f64,
}

impl Plain {
    fn of(spheres: &Spheres) -> Self {
        let spheres = spheres.clone();
        Plain {
            x: spheres.centers,
            v: spheres.velocities,
            radii: spheres.radii,
            masses: spheres.masses,
            settings: spheres.settings,
            time: spheres.settings.time,
        }
    }

    fn gravity(&self, k: usize) -> f64 {
        // Without walls all fall together.
        match self.settings.domain.axes()[k] {
            Axis::Walls { .. } => self.settings.gravity[k],
            _ => 0.0,
        }
    }

    /// The time until the next collision of two spheres, and the periodic image of the second.
    fn pair(&self, i: usize, j: usize) -> Option<(f64, [f64; 3])> {
        let images = |k: usize| -> &[f64] {
            match self.settings.domain.axes()[k] {
                Axis::Periodic { .. } => &[-2.0, -1.0, 0.0, 1.0, 2.0],
                _ => &[0.0],
            }
        };
        let lengths = self.settings.domain.axes().map(|axis| match axis {
            Axis::Periodic { length, .. } => length,
            _ => 0.0,
        });
        let mut first: Option<(f64, [f64; 3])> = None;
        let v = [0, 1, 2].map(|k| self.v[j][k] - self.v[i][k]);
        for &x in images(0) {
            for &y in images(1) {
                for &z in images(2) {
                    let d =
                        [0, 1, 2].map(|k| self.x[j][k] - self.x[i][k] + [x, y, z][k] * lengths[k]);
                    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
                    let (b, vv) = (dot(d, v), dot(v, v));
                    let c = dot(d, d) - (self.radii[i] + self.radii[j]).powi(2);
                    let square = b * b - vv * c;
                    if b < 0.0 && square >= 0.0 {
                        let time = (c / (square.sqrt() - b)).max(0.0);
                        if first.is_none_or(|f| time < f.0) {
                            first = Some((time, d));
                        }
                    }
                }
            }
        }
        first
    }

    /// The time until a sphere meets a wall.
    fn wall(&self, i: usize, k: usize, is_upper: bool) -> Option<f64> {
        let Axis::Walls { lower, upper } = self.settings.domain.axes()[k] else {
            return None;
        };
        let (wall, sign) = if is_upper {
            (upper, -1.0)
        } else {
            (lower, 1.0)
        };
        let y = (sign * (self.x[i][k] - wall) - self.radii[i]).max(0.0);
        let (v, g) = (sign * self.v[i][k], sign * self.gravity(k));
        // y + v t + g t² / 2, which must become negative.
        let mut roots = Vec::new();
        if g == 0.0 {
            roots.push(-y / v);
        } else {
            let square = v * v - 2.0 * g * y;
            roots.extend([(-v - square.sqrt()) / g, (-v + square.sqrt()) / g]);
        }
        let falls = roots
            .into_iter()
            .filter(|t| *t >= -1e-12 && v + g * t < 0.0);
        falls.reduce(f64::min).filter(|t| t.is_finite())
    }

    fn next(&mut self) -> Option<(f64, u32, Partner)> {
        let mut first: Option<(f64, usize, Partner, [f64; 3])> = None;
        let mut consider = |time: f64, i: usize, partner: Partner, d: [f64; 3]| {
            if first.is_none_or(|f| time < f.0) {
                first = Some((time, i, partner, d));
            }
        };
        for i in 0..self.x.len() {
            for j in i + 1..self.x.len() {
                if let Some((time, d)) = self.pair(i, j) {
                    consider(time, i, Partner::Sphere(j as u32), d);
                }
            }
            for axis in 0..3u8 {
                for is_upper in [false, true] {
                    if let Some(time) = self.wall(i, axis as usize, is_upper) {
                        let wall = Wall { axis, is_upper };
                        consider(time.max(0.0), i, Partner::Wall(wall), [0.0; 3]);
                    }
                }
            }
        }
        let (time, i, partner, mut d) = first?;
        self.time += time;
        for n in 0..self.x.len() {
            for k in 0..3 {
                let g = self.gravity(k);
                self.x[n][k] += time * (self.v[n][k] + 0.5 * time * g);
                if let Axis::Periodic { lower, length } = self.settings.domain.axes()[k] {
                    self.x[n][k] -= length * ((self.x[n][k] - lower) / length).floor();
                }
                self.v[n][k] += time * g;
            }
        }
        match partner {
            Partner::Wall(wall) => self.v[i][wall.axis as usize] *= -1.0,
            Partner::Sphere(j) => {
                let j = j as usize;
                let v = [0, 1, 2].map(|k| self.v[j][k] - self.v[i][k]);
                for k in 0..3 {
                    d[k] += time * v[k];
                }
                let (m, n) = (self.masses[i], self.masses[j]);
                let share: f64 = (0..3).map(|k| d[k] * v[k]).sum::<f64>();
                let square: f64 = d.iter().map(|x| x * x).sum();
                for k in 0..3 {
                    let change = (1.0 + self.settings.restitution) * share / square * d[k];
                    self.v[i][k] += n / (m + n) * change;
                    self.v[j][k] -= m / (m + n) * change;
                }
            }
        }
        Some((self.time, i as u32, partner))
    }
}

/// Each collision is compared from the state after the one before, since errors grow fast.
fn check(spheres: &Spheres, events: usize) {
    let mut gas = spheres.gas();
    for n in 0..events {
        let expected = Plain::of(&Spheres::of(&gas)).next();
        let Some(found) = gas.next() else {
            assert_eq!(expected, None, "{n}");
            return;
        };
        match expected {
            Some((time, a, partner)) if found.time >= time - 1e-10 * (1.0 + time) => {
                assert!(
                    found.time - time <= 1e-10 * (1.0 + time),
                    "{n}: {found:?} {time}"
                );
                assert_eq!((found.a, found.partner), (a, partner), "{n}: {found:?}");
            }
            // One with a far image, which the oracle does not test: it touches.
            _ => {
                assert!(spheres.settings.domain != Domain::OPEN);
                let Partner::Sphere(b) = found.partner else {
                    panic!("{found:?}")
                };
                let now = Spheres::of(&gas);
                let [a, b] = [found.a, b].map(|i| i as usize);
                let touching = now.radii[a] + now.radii[b];
                let square = (0..3).map(|k| {
                    let mut d = now.centers[b][k] - now.centers[a][k];
                    if let Axis::Periodic { length, .. } = spheres.settings.domain.axes()[k] {
                        d -= length * (d / length).round();
                    }
                    d * d
                });
                assert!(
                    (square.sum::<f64>().sqrt() - touching).abs() < 1e-10,
                    "{n}: {found:?}"
                );
            }
        }
    }
}

#[test]
fn collisions_are_those_of_brute_force() {
    let side = Axis::Periodic {
        lower: -0.3,
        length: 1.0,
    };
    let tube = Axis::Walls {
        lower: 0.0,
        upper: 1.0,
    };
    let domains = [
        Domain::OPEN,
        Domain::periodic([1.0; 3]).unwrap(),
        Domain::periodic([1.0, 0.0, 1.0]).unwrap(),
        walls(1.0),
        Domain::new([side, tube, Axis::Open]).unwrap(),
    ];
    for (seed, domain) in domains.into_iter().cycle().take(10).enumerate() {
        let factor = [1.0, 10.0][seed % 2];
        let mut spheres = mixed(20, factor, domain, seed as u64);
        check(&spheres, 60);
        if domain == walls(1.0) {
            spheres.settings.gravity = [0.0, 0.3, -2.0];
            check(&spheres, 60);
        }
        spheres.settings.restitution = 0.8;
        spheres.settings.contact_time = Some(0.0);
        check(&spheres, 60);
    }
}

/// Two spheres that touch several images of each other, and four that nearly fill the box.
#[test]
fn images_are_met_in_small_boxes() {
    for seed in 0..10 {
        let (mut spheres, edge) = crystal(1, 0.4, seed);
        check(&spheres, 100);
        // Larger than half the box.
        spheres.centers = vec![[0.0; 3], [0.5 * edge; 3]];
        spheres.velocities.truncate(2);
        spheres.masses = vec![1.0, 2.0];
        spheres.radii = vec![0.45 * edge, 0.4 * edge];
        check(&spheres, 100);
    }
}

#[test]
fn a_plane_is_kept() {
    let mut spheres = mixed(30, 3.0, Domain::periodic([1.0, 1.0, 0.0]).unwrap(), 3);
    for (x, v) in spheres.centers.iter_mut().zip(&mut spheres.velocities) {
        (x[2], v[2]) = (0.25, 0.0);
    }
    spheres.radii.iter_mut().for_each(|r| *r *= 0.05);
    check(&spheres, 100);
    let mut gas = spheres.gas();
    gas.run(5000, f64::INFINITY, |_| ()).unwrap();
    let spheres = Spheres::of(&gas);
    assert!(spheres.centers.iter().all(|x| x[2] == 0.25));
    assert!(spheres.velocities.iter().all(|v| v[2] == 0.0));
    assert!(gas.pressure().is_some());
}
