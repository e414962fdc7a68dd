//! Motion of a sphere of a gas between events, and the times at which it leaves its bounding sphere
//! or meets a wall.
//!
//! A sphere is moved only at its own events: each has a clock, the time of its stored position.
//! Along an axis with walls a sphere may accelerate. Along other axes gravity is replaced by a
//! falling frame, in which all spheres move linearly.

use super::Gas;
use super::domain::Axis;
use crate::geometry::vector::dot;
use crate::impact::trajectory::MovingBall;

/// A moving sphere of a gas, with centre and velocity at the time of its clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sphere {
    pub center: [f64; 3],
    pub velocity: [f64; 3],
    /// The time at which the sphere has this `center` and `velocity`, counted from the last setup
    /// of the gas.
    pub clock: f64,
    pub radius: f64,
}

impl Sphere {
    /// Centre and velocity of a sphere of the gas at a time, if no event changes its motion before;
    /// `half` is half the acceleration.
    #[inline]
    pub fn at(&self, time: f64, half: &[f64; 3]) -> ([f64; 3], [f64; 3]) {
        let t = time - self.clock;
        let (mut x, mut v) = (self.center, self.velocity);
        for k in 0..3 {
            let h = t * half[k];
            x[k] += t * (v[k] + h);
            v[k] += 2.0 * h;
        }
        (x, v)
    }

    /// Moves a sphere of the gas along its motion to a time; `half` is half the acceleration.
    #[inline]
    pub fn move_to(&mut self, time: f64, half: &[f64; 3]) {
        (self.center, self.velocity) = self.at(time, half);
        self.clock = time;
    }
}

/// How long a sphere of the gas in uniform motion, whose centre is at `w` with velocity `v`, keeps
/// its centre inside the ball of radius `s` around the origin; infinite if forever.
#[inline]
fn exit_time(w: [f64; 3], v: [f64; 3], s: f64) -> f64 {
    // In units of the radius, so that squares neither overflow nor underflow for moderate times.
    let scale = 1.0 / s;
    let (w, v) = (w.map(|x| x * scale), v.map(|x| x * scale));
    let (vv, along) = (dot(v, v), dot(w, v));
    let inside = (1.0 - dot(w, w)).max(0.0);
    if vv == 0.0 {
        return f64::INFINITY;
    }
    let root = (along * along + vv * inside).sqrt();
    match along > 0.0 {
        true => inside / (along + root),
        false => (root - along) / vv,
    }
}

/// Lower bound of how long the motion of a sphere of the gas keeps it inside its bounding sphere,
/// whose centre is the origin. The centre of the sphere, at `w` with velocity `v`, may move up to
/// the distance `skin` from the origin. `half` is half the acceleration.
#[inline]
pub(super) fn exit_time_bound(w: [f64; 3], v: [f64; 3], half: &[f64; 3], skin: f64) -> f64 {
    // Rounding is much less than this margin.
    let s = skin * (1.0 - 1e-9);
    if s == f64::INFINITY {
        return s;
    }
    let straight = exit_time(w, v, s);
    if half == &[0.0; 3] {
        return straight;
    }
    // The path deviates from a line by `bend t²`.
    let (bend, away) = (dot(*half, *half).sqrt(), dot(w, w).sqrt());
    let off = bend * straight * straight;
    if off <= 0.5 * (s - away) {
        return exit_time(w, v, s - off);
    }
    let inside = 0.5 * (s - away).max(0.0);
    exit_time(w, v, away + inside).min((inside / bend).sqrt())
}

/// How long a sphere of the gas, in its motion, takes to reach a wall. The gap between both is `y`;
/// speed `u` and acceleration `a` are toward the wall. Infinite if the sphere never reaches it.
#[inline]
fn time_to_wall(y: f64, u: f64, a: f64) -> f64 {
    let y = y.max(0.0);
    let square = u * u + 2.0 * a * y;
    if u > 0.0 && square >= 0.0 {
        // In this form nothing cancels.
        return 2.0 * y / (u + square.sqrt());
    }
    match a > 0.0 {
        true => (square.sqrt() - u) / a,
        false => f64::INFINITY,
    }
}

/// How long a sphere of the gas, in its motion, takes to reach the lower and the upper wall of an
/// axis; infinite if it never reaches that wall or there is none. Along this axis `x` is its
/// centre, `v` its velocity and `half` half its acceleration.
#[inline]
pub(super) fn wall_times(axis: &Axis, x: f64, v: f64, half: f64, radius: f64) -> [f64; 2] {
    let Axis::Walls { lower, upper } = *axis else {
        return [f64::INFINITY; 2];
    };
    let a = 2.0 * half;
    let time = |wall: f64, y: f64, u: f64, a: f64| match wall.is_finite() {
        true => time_to_wall(y, u, a),
        false => f64::INFINITY,
    };
    [
        time(lower, x - (lower + radius), -v, -a),
        time(upper, (upper - radius) - x, v, a),
    ]
}

/// The relative motion of two spheres of a gas as two balls of
/// [`trajectory`](crate::impact::trajectory): a point at rest in the origin, and a ball at `d` with
/// velocity `v` whose radius is the sum of both radii.
#[inline]
pub(super) fn relative_balls(d: [f64; 3], v: [f64; 3], radius: f64) -> [MovingBall; 2] {
    let still = MovingBall::of_valid([0.0; 3], [0.0; 3], 0.0);
    [still, MovingBall::of_valid(d, v, radius)]
}

impl Gas {
    /// Converts a point of the falling frame of the gas, in which motion is linear, to world
    /// coordinates in the first period.
    pub(super) fn to_world(&self, mut x: [f64; 3]) -> [f64; 3] {
        if self.fall != [0.0; 3] {
            let elapsed = self.elapsed();
            for k in 0..3 {
                let mut fallen = 0.5 * self.fall[k] * elapsed * elapsed;
                // Multiples of the period are dropped: they would cost digits.
                if let Some((_, length)) = self.settings.domain.axes()[k].period() {
                    fallen %= length;
                }
                x[k] += fallen;
            }
        }
        self.settings.domain.wrapped(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::Random;

    fn numbers() -> impl FnMut() -> f64 {
        let mut random = Random::new(11);
        move || random.signed()
    }

    #[test]
    fn a_point_stays_in_its_ball() {
        let mut next = numbers();
        for n in 0..20_000 {
            let skin = 10f64.powf(6.0 * next());
            let w = [(); 3].map(|()| 0.57 * skin * next());
            let v = [(); 3].map(|()| next());
            let size = [0.0, 1e-6, 1.0, 1e6][n % 4];
            let half = [0.0, 0.0, size * next()];
            let time = exit_time_bound(w, v, &half, skin);
            assert!(time > 0.0);
            for part in [0.1, 0.5, 0.9, 1.0] {
                let t = part * time;
                let x = [0, 1, 2].map(|k| w[k] + t * (v[k] + t * half[k]));
                assert!(dot(x, x).sqrt() <= skin, "{w:?} {v:?} {half:?} {skin}");
            }
            // The bound is tight.
            if size == 0.0 {
                let x = [0, 1, 2].map(|k| w[k] + time * v[k]);
                assert!(dot(x, x).sqrt() > skin * (1.0 - 1e-8));
            }
        }
        assert_eq!(
            exit_time_bound([0.0; 3], [0.0; 3], &[0.0; 3], 1.0),
            f64::INFINITY
        );
        assert!(exit_time_bound([0.0; 3], [0.0; 3], &[0.0, 0.0, -1.0], 1.0) > 0.7);
        assert_eq!(
            exit_time_bound([1.0; 3], [1.0; 3], &[0.0; 3], f64::INFINITY),
            f64::INFINITY
        );
    }

    #[test]
    fn walls_are_met_where_they_are() {
        let mut next = numbers();
        let axis = Axis::Walls {
            lower: -1.0,
            upper: 2.0,
        };
        let mut met = [0; 2];
        for n in 0..20_000 {
            let (x, v) = (0.5 + 1.4 * next(), next());
            let half = [0.0, 1.0, 1e-9][n % 3] * next();
            let times = wall_times(&axis, x, v, half, 0.1);
            let first = times[0].min(times[1]);
            for (k, wall) in [-0.9, 1.9].into_iter().enumerate() {
                if times[k] == first && first.is_finite() {
                    let there = x + first * (v + first * half);
                    assert!((there - wall).abs() <= 1e-12 * (1.0 + first * v.abs()));
                    let speed = v + 2.0 * first * half;
                    assert!(if k == 0 {
                        speed <= 1e-6
                    } else {
                        speed >= -1e-6
                    });
                    met[k] += 1;
                }
            }
            // No wall is met before these times.
            let until = first.min(10.0);
            for part in 0..20 {
                let t = until * f64::from(part) / 20.0;
                let there = x + t * (v + t * half);
                assert!((-0.9 - 1e-12..=1.9 + 1e-12).contains(&there));
            }
        }
        assert!(met[0] > 5000 && met[1] > 5000);
        let on = |v, half| wall_times(&axis, -0.9, v, half, 0.1)[0];
        assert_eq!(on(0.0, -1.0), 0.0);
        assert_eq!(on(3.0, -1.0), 3.0);
        assert_eq!(on(-1.0, 0.0), 0.0);
        assert_eq!(on(0.0, 0.0), f64::INFINITY);
    }
}
