//! Test pairs of moving balls, most of them hard cases.

use tangere::impact::trajectory::MovingBall;
use test_support::Random;
use test_support::vectors::{plus, times};

pub fn ball(
    center: [f64; 3],
    velocity: [f64; 3],
    acceleration: [f64; 3],
    radius: f64,
) -> MovingBall {
    MovingBall::new(center, velocity, acceleration, radius).expect("finite numbers")
}

/// A point of a lattice about the origin.
fn lattice(n: &mut Random, size: usize) -> [f64; 3] {
    n.lattice(2 * size + 1).map(|x| x - size as f64)
}

/// Three orthogonal integer vectors of equal length.
const FRAMES: [([[f64; 3]; 3], f64); 4] = [
    ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], 1.0),
    ([[3.0, 4.0, 0.0], [-4.0, 3.0, 0.0], [0.0, 0.0, 5.0]], 5.0),
    ([[1.0, 2.0, 2.0], [2.0, 1.0, -2.0], [2.0, -2.0, 1.0]], 3.0),
    ([[2.0, 3.0, 6.0], [3.0, -6.0, 2.0], [6.0, 2.0, -3.0]], 7.0),
];

/// A pair of balls that grazes, exactly or nearly: `p` has a double root alone, two double roots,
/// or one double root among four.
fn grazing(n: &mut Random) -> [MovingBall; 2] {
    let (frame, length) = n.pick(&FRAMES);
    let radius = (1 + n.below(9)) as f64;
    let when = (1 + n.below(40)) as f64 / 8.0;
    let speed = (1 + n.below(12)) as f64 / 4.0;
    let side = times(frame[0], radius);
    let along = frame[1];
    let (d, v, half) = match n.below(3) {
        // Straight past each other.
        0 => (
            plus(side, times(along, -speed * when)),
            times(along, speed),
            [0.0; 3],
        ),
        // x = speed (t² - when²)
        1 => (
            plus(side, times(along, -speed * when * when)),
            [0.0; 3],
            times(along, speed),
        ),
        // A parabola whose vertex touches: side + speed (t - when) along + bend (t - when)²
        // outward.
        _ => {
            let bend = n.below(8) as f64 / 8.0;
            let bent = times(frame[0], bend);
            (
                plus(
                    plus(side, times(along, -speed * when)),
                    times(bent, when * when),
                ),
                plus(times(along, speed), times(bent, -2.0 * when)),
                bent,
            )
        }
    };
    let mut numbers = [d, v, times(half, 2.0)];
    let mut radii = [radius * length - 0.5, 0.5];
    match n.below(6) {
        0 => radii[0] = radii[0].next_up(),
        1 => radii[0] = radii[0].next_down(),
        2 | 3 => {
            let (i, k) = (n.below(3), n.below(3));
            let x = numbers[i][k];
            let relative = n.pick(&[1e-16, 1e-15, 1e-13, 1e-9]) * n.signed();
            numbers[i][k] = n.pick(&[x.next_up(), x.next_down(), x + x * relative]);
        }
        _ => {}
    }
    [
        ball([0.0; 3], [0.0; 3], [0.0; 3], radii[1]),
        ball(numbers[0], numbers[1], numbers[2], radii[0]),
    ]
}

pub fn random(n: &mut Random) -> [MovingBall; 2] {
    [(); 2].map(|()| {
        let radius = 0.3 * n.signed().abs();
        ball(n.vector(1.0), n.vector(1.0), n.vector(1.0), radius)
    })
}

/// A pair of balls of a random hard kind.
pub fn case(n: &mut Random) -> [MovingBall; 2] {
    let mut pair = match n.below(9) {
        0 => random(n),
        1 => [(); 2].map(|()| {
            let radius = n.pick(&[0.0, 0.5, 1.0, 1.5]);
            ball(lattice(n, 4), lattice(n, 2), lattice(n, 2), radius)
        }),
        2 | 3 => grazing(n),
        // Equal accelerations, equal velocities, no motion.
        4 => {
            let [a, b] = random(n);
            let velocity = n.pick(&[a.velocity(), b.velocity(), b.velocity()]);
            [a, ball(b.center(), velocity, a.acceleration(), b.radius())]
        }
        // Near each other now.
        5 => {
            let [a, b] = random(n);
            let direction = n.vector(1.0);
            let norm = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
            let apart =
                (a.radius() + b.radius()) * (1.0 + n.pick(&[0.0, 1e-16, 1e-14, 1e-10, 1e-6]));
            let center = plus(a.center(), times(direction, apart / norm));
            let acceleration = n.pick(&[a.acceleration(), b.acceleration()]);
            // Across the line of centres, up to rounding: neither approaching nor separating.
            let [x, y, z] = direction;
            let across = times([y, -x, 0.0], n.signed());
            let across = plus(across, times([0.0, z, -y], n.signed()));
            let velocity = n.pick(&[b.velocity(), plus(a.velocity(), across)]);
            [a, ball(center, velocity, acceleration, b.radius())]
        }
        // On a line, in and out again up to four times.
        6 => {
            let (frame, length) = n.pick(&FRAMES);
            let radius = (1 + n.below(8)) as f64 / 8.0;
            let [x, speed] = [n.below(65) as f64 / 8.0, n.below(65) as f64 / 8.0 - 8.0];
            let pull = n.below(64) as f64 / 16.0;
            let [x, v, a] = [x, speed, pull].map(|size| times(frame[2], size));
            [
                ball([0.0; 3], [0.0; 3], [0.0; 3], 0.0),
                ball(x, v, a, radius * length),
            ]
        }
        // Random of very different sizes.
        7 => {
            let range = n.pick(&[3.0, 9.0, 30.0]);
            [(); 2].map(|()| {
                let mut number = || n.signed() * 10f64.powf(range * n.signed());
                let numbers = [(); 3].map(|()| [(); 3].map(|()| number()));
                let radius = number().abs();
                ball(numbers[0], numbers[1], numbers[2], radius)
            })
        }
        // Four roots, two by two near each other or complex.
        _ => {
            let (when, speed) = (0.5 + n.signed().abs(), 1.0 + n.signed().abs());
            let side = 0.25 * (1.0 + n.pick(&[0.0, 1e-15, 1e-12, 1e-8]) * n.signed());
            let pull = -2.0 * speed / when;
            [
                ball([0.0; 3], [0.0; 3], [0.0; 3], 0.125),
                ball(
                    [side, 0.25 * speed * when * 0.75, 0.0],
                    [0.0, -speed, 0.0],
                    [0.0, -pull, 0.0],
                    0.125,
                ),
            ]
        }
    };
    if n.below(4) == 0 {
        // Far from the origin, and fast, both.
        let (offset, drift) = (lattice(n, 3), n.vector(1e3));
        pair = pair.map(|x| {
            let center = plus(x.center(), times(offset, 1e9));
            let velocity = plus(x.velocity(), times(drift, n.pick(&[0.0, 1.0])));
            ball(center, velocity, x.acceleration(), x.radius())
        });
    }
    if n.below(4) == 0 {
        // Other units of length and time, exact.
        let mut power = || 2f64.powi((330.0 * n.signed()) as i32);
        let (length, rate) = (power(), power());
        pair = pair.map(|x| {
            let velocity = times(times(x.velocity(), length), rate);
            let acceleration = times(times(times(x.acceleration(), length), rate), rate);
            let finite = |v: [f64; 3]| v.map(|x| if x.is_finite() { x } else { 0.0 });
            ball(
                times(x.center(), length),
                finite(velocity),
                finite(acceleration),
                x.radius() * length,
            )
        });
    }
    if n.below(2) == 0 {
        pair.swap(0, 1);
    }
    pair
}
