//! Collision rule of hard spheres: the velocities after a collision.
//!
//! Let `d` be the vector from the first centre to the second, `v` the velocity of the second sphere
//! relative to the first, `m` the reduced mass and `e` the coefficient of restitution. The first
//! sphere gets the impulse `(1 + e) m (d·v / d·d) d` and the second the opposite one, so momentum
//! is kept up to rounding. For `e = 1` energy is kept whatever the length of `d`, so rounding of
//! positions costs no energy. The formula needs no square root.
//!
//! After a collision spheres never approach: where rounding leaves a tiny approaching velocity,
//! impulses are added, the first of a few rounding units and each twice the last, until the spheres
//! no longer approach.

use super::domain::Axis;
use super::motion::relative_balls;
use super::{Gas, Wall};
use crate::geometry::vector::dot;
use crate::impact::trajectory::is_approaching;

/// The impulse of a collision of two spheres.
pub(super) struct Impulse {
    /// The vector from the centre of the first sphere to the centre of the second.
    pub d: [f64; 3],
    /// The impulse that the second sphere gets is this factor times `d`.
    pub factor: f64,
}

/// If rounding leaves two spheres approaching after a collision, impulses are added. The first one
/// changes their relative velocity by this fraction of the sum of their speeds: a few rounding
/// units.
const LAST_BITS: f64 = 16.0 * f64::EPSILON;

impl Gas {
    /// Applies the collision rule to sphere `a` and periodic image `image` of sphere `b`: changes
    /// their velocities and returns the impulse; `None` if they do not approach. Both must have
    /// been moved to the current time.
    pub(super) fn collide(&mut self, a: u32, b: u32, image: [i8; 3]) -> Option<Impulse> {
        let (i, j) = (a as usize, b as usize);
        let shift = self.settings.domain.shift(image);
        let (x, y) = (self.spheres[i].center, self.spheres[j].center);
        let d = [0, 1, 2].map(|k| (y[k] - x[k]) + shift[k]);
        let (v, w) = (self.spheres[i].velocity, self.spheres[j].velocity);
        let mut u = [0, 1, 2].map(|k| w[k] - v[k]);
        if !are_approaching(&d, u) {
            return None;
        }
        let restitution = self.restitution(self.settings.restitution, &[i, j]);
        let (m, n) = (self.masses[i], self.masses[j]);
        let shares = [n / (m + n), m / (m + n)];
        let dd = dot(d, d);
        let mut factor = (1.0 + restitution) * (-dot(d, u) / dd);
        let (mut v, mut w) = (v, w);
        let mut bits = LAST_BITS * (dot(v, v).sqrt() + dot(w, w).sqrt()) / dd.sqrt();
        let mut total = 0.0;
        loop {
            for k in 0..3 {
                v[k] -= shares[0] * factor * d[k];
                w[k] += shares[1] * factor * d[k];
            }
            total += factor;
            if restitution < 1.0 {
                (v, w) = (self.flushed(v), self.flushed(w));
            }
            u = [0, 1, 2].map(|k| w[k] - v[k]);
            if !are_approaching(&d, u) || bits == f64::INFINITY {
                break;
            }
            factor = bits;
            bits *= 2.0;
        }
        (self.spheres[i].velocity, self.spheres[j].velocity) = (v, w);
        Some(Impulse {
            d,
            factor: total * (m * shares[0]),
        })
    }

    /// Applies the collision rule to a sphere and a wall: reflects the velocity of the sphere and
    /// returns the magnitude of the impulse. The sphere must have been moved to the current time.
    pub(super) fn bounce(&mut self, sphere: u32, wall: Wall) -> f64 {
        let (i, k) = (sphere as usize, wall.axis as usize);
        let restitution = self.restitution(self.settings.wall_restitution, &[i]);
        let Axis::Walls { lower, upper } = self.settings.domain.axes()[k] else {
            return 0.0;
        };
        let Self {
            spheres,
            half,
            contact_time,
            least_speed,
            ..
        } = self;
        let sphere = &mut spheres[i];
        let toward = if wall.is_upper { 1.0 } else { -1.0 };
        // Exactly on the wall, so that rounding takes no sphere through it.
        sphere.center[k] = match wall.is_upper {
            true => upper - sphere.radius,
            false => lower + sphere.radius,
        };
        let speed = (toward * sphere.velocity[k]).max(0.0);
        // A hop takes twice the speed over the acceleration.
        let pressed = (2.0 * toward * half[k]).max(0.0);
        let away = (restitution * speed).max(0.5 * pressed * *contact_time);
        // Rounding of the time may have reversed the velocity already.
        let away = away.max(-toward * sphere.velocity[k]);
        let change = away + toward * sphere.velocity[k];
        let away = if away < *least_speed { 0.0 } else { away };
        sphere.velocity[k] = -toward * away;
        self.masses[i] * change
    }

    /// Sets those components of a velocity to 0 that are below the threshold `least_speed` of the
    /// gas in magnitude. By this the collision rule brings slow spheres to rest.
    fn flushed(&self, v: [f64; 3]) -> [f64; 3] {
        v.map(|x| if x.abs() < self.least_speed { 0.0 } else { x })
    }

    /// The coefficient of restitution that the collision rule applies: 1 if one of the spheres
    /// collided less than the contact time ago (TC model), otherwise `usual`.
    fn restitution(&mut self, usual: f64, spheres: &[usize]) -> f64 {
        let now = self.now;
        let since = |i: &usize| now - self.last[*i];
        let is_lasting = spheres.iter().any(|i| since(i) < self.contact_time);
        for &i in spheres {
            self.last[i] = now;
        }
        match is_lasting {
            true => 1.0,
            false => usual,
        }
    }
}

impl Impulse {
    /// The virial of an impulse of the collision rule, along each axis: the component of the
    /// impulse times the distance of the centres along the axis.
    pub fn virial(&self) -> [f64; 3] {
        self.d.map(|x| self.factor * x * x)
    }
}

/// Whether the collision rule applies: two spheres whose centres differ by `d` and velocities by
/// `u` approach.
fn are_approaching(d: &[f64; 3], u: [f64; 3]) -> bool {
    let [a, b] = relative_balls(*d, u, 0.0);
    is_approaching(&a, &b)
}
