//! First meetings of balls against the truth: Sturm's chains of long whole numbers.

use num_bigint::{BigInt, Sign};
use tangere::Error;
use tangere::impact::trajectory::{
    ContactStatus, Meeting, MovingBall, first_meeting, first_meeting_within, first_meetings,
    next_collision,
};

/// `x 2^LOW`, whole for any float.
const LOW: u32 = 1076;

fn whole(x: f64) -> BigInt {
    let bits = x.to_bits();
    let (biased, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    let (mantissa, exponent) = match biased {
        0 => (fraction, 1),
        _ => (fraction | (1 << 52), biased),
    };
    let magnitude = BigInt::from(mantissa) << (exponent - 1 + u64::from(LOW) - 1074);
    if x < 0.0 { -magnitude } else { magnitude }
}

type Polynomial = Vec<BigInt>;

fn trimmed(mut f: Polynomial) -> Polynomial {
    while f.last().is_some_and(|x| x.sign() == Sign::NoSign) {
        f.pop();
    }
    // Common powers of two make numbers long.
    let zeros = f.iter().filter_map(BigInt::trailing_zeros).min();
    f.iter().map(|x| x >> zeros.unwrap_or(0)).collect()
}

struct Oracle {
    chain: Vec<Polynomial>,
}

impl Oracle {
    fn of(a: &MovingBall, b: &MovingBall) -> Self {
        let minus = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|k| whole(b[k]) - whole(a[k]));
        let dot =
            |a: &[BigInt; 3], b: &[BigInt; 3]| -> BigInt { (0..3).map(|k| &a[k] * &b[k]).sum() };
        let (d, v) = (
            minus(a.center(), b.center()),
            minus(a.velocity(), b.velocity()),
        );
        let twice = minus(a.acceleration(), b.acceleration());
        let radius: BigInt = whole(a.radius()) + whole(b.radius());
        // 4 p: the factor of the acceleration is a half.
        let p = trimmed(vec![
            (dot(&d, &d) - &radius * &radius) << 2,
            dot(&d, &v) << 3,
            (dot(&v, &v) + dot(&d, &twice)) << 2,
            dot(&v, &twice) << 2,
            dot(&twice, &twice),
        ]);
        let derivative = (1..p.len()).map(|k| &p[k] * k).collect();
        let mut chain = vec![p, trimmed(derivative)];
        while chain[chain.len() - 1].len() > 1 {
            let (f, g) = (&chain[chain.len() - 2], &chain[chain.len() - 1]);
            let lead = g[g.len() - 1].clone();
            let mut rest = f.clone();
            while rest.len() >= g.len() {
                let (top, shift) = (rest[rest.len() - 1].clone(), rest.len() - g.len());
                // A positive factor: the leading coefficient squared.
                rest = rest.iter().map(|x| x * &lead * &lead).collect();
                for (k, x) in g.iter().enumerate() {
                    rest[k + shift] -= x * &top * &lead;
                }
                rest.pop();
                while rest.last().is_some_and(|x| x.sign() == Sign::NoSign) {
                    rest.pop();
                }
            }
            chain.push(trimmed(rest.iter().map(|x| -x).collect()));
        }
        chain.retain(|f| !f.is_empty());
        Oracle { chain }
    }

    fn value(f: &Polynomial, t: f64) -> BigInt {
        // t = x / 2^LOW
        let x = whole(t);
        let n = f.len() - 1;
        let zeros = x.trailing_zeros().unwrap_or(0).min(u64::from(LOW));
        let (x, power) = (x >> zeros, u64::from(LOW) - zeros);
        let mut value = f[n].clone();
        for k in (0..n).rev() {
            value = value * &x + (&f[k] << (power * (n - k) as u64));
        }
        value
    }

    fn sign(&self, t: f64) -> Sign {
        self.chain
            .first()
            .map_or(Sign::NoSign, |p| Self::value(p, t).sign())
    }

    fn changes(&self, t: f64) -> usize {
        let signs: Vec<Sign> = self
            .chain
            .iter()
            .map(|f| match t.is_finite() {
                true => Self::value(f, t).sign(),
                false => f[f.len() - 1].sign(),
            })
            .filter(|&sign| sign != Sign::NoSign)
            .collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// Distinct zeros after 0 and up to t; p is 0 at neither.
    fn zeros(&self, t: f64) -> usize {
        self.changes(0.0) - self.changes(t)
    }

    fn check(&self, found: Meeting, what: &dyn std::fmt::Debug) {
        let what = || format!("{found:?} {what:?}");
        if self.sign(0.0) != Sign::Plus {
            assert_eq!(found, Meeting::NOW, "missed now: {}", what());
            return;
        }
        if self.zeros(f64::INFINITY) == 0 {
            assert_eq!(found, Meeting::NEVER, "invented: {}", what());
            return;
        }
        assert_eq!(found.status, ContactStatus::Contact, "missed: {}", what());
        let Meeting { early, late, .. } = found;
        assert!(0.0 <= early && early <= late, "{}", what());
        match self.sign(early) {
            Sign::Plus => assert_eq!(self.zeros(early), 0, "late: {}", what()),
            Sign::NoSign => {
                // A float: no other zero up to the next one.
                assert_eq!(
                    (early, self.zeros(early.next_up())),
                    (late, 1),
                    "{}",
                    what()
                );
            }
            Sign::Minus => panic!("late: {}", what()),
        }
        let is_after = late == f64::INFINITY || self.sign(late) != Sign::Plus;
        assert!(is_after || self.zeros(late) > 0, "early: {}", what());
        let is_tight = late - early <= 1e-12 * early || late <= early.next_up();
        assert!(is_tight, "wide: {}", what());
    }
}

struct Numbers(u64);

impl Numbers {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    /// In [-1, 1).
    fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, size: f64) -> [f64; 3] {
        [(); 3].map(|()| size * self.signed())
    }

    fn lattice(&mut self, size: u64) -> [f64; 3] {
        [(); 3].map(|()| self.below(2 * size + 1) as f64 - size as f64)
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

fn ball(center: [f64; 3], velocity: [f64; 3], acceleration: [f64; 3], radius: f64) -> MovingBall {
    MovingBall::new(center, velocity, acceleration, radius).expect("finite numbers")
}

fn times(v: [f64; 3], by: f64) -> [f64; 3] {
    v.map(|x| x * by)
}

fn plus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] + b[k])
}

/// Three orthogonal vectors of whole numbers, of one length.
const FRAMES: [([[f64; 3]; 3], f64); 4] = [
    ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], 1.0),
    ([[3.0, 4.0, 0.0], [-4.0, 3.0, 0.0], [0.0, 0.0, 5.0]], 5.0),
    ([[1.0, 2.0, 2.0], [2.0, 1.0, -2.0], [2.0, -2.0, 1.0]], 3.0),
    ([[2.0, 3.0, 6.0], [3.0, -6.0, 2.0], [6.0, 2.0, -3.0]], 7.0),
];

/// A motion that grazes exactly: a double zero, or two, or one of four.
fn grazing(n: &mut Numbers) -> [MovingBall; 2] {
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
        // A parabola whose vertex touches: side + speed (t - when) along + bend (t - when)² outward.
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
            let (i, k) = (n.below(3) as usize, n.below(3) as usize);
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

fn random(n: &mut Numbers) -> [MovingBall; 2] {
    [(); 2].map(|()| {
        let radius = 0.3 * n.signed().abs();
        ball(n.vector(1.0), n.vector(1.0), n.vector(1.0), radius)
    })
}

/// A pair of balls of some hard kind.
fn case(n: &mut Numbers) -> [MovingBall; 2] {
    let mut pair = match n.below(9) {
        0 => random(n),
        1 => [(); 2].map(|()| {
            let radius = n.pick(&[0.0, 0.5, 1.0, 1.5]);
            ball(n.lattice(4), n.lattice(2), n.lattice(2), radius)
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
            [a, ball(center, b.velocity(), acceleration, b.radius())]
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
        // Numbers of very different sizes.
        7 => {
            let range = n.pick(&[3.0, 9.0, 30.0]);
            [(); 2].map(|()| {
                let mut number = || n.signed() * 10f64.powf(range * n.signed());
                let numbers = [(); 3].map(|()| [(); 3].map(|()| number()));
                let radius = number().abs();
                ball(numbers[0], numbers[1], numbers[2], radius)
            })
        }
        // Four zeros, two by two near each other or complex.
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
        let (offset, drift) = (n.lattice(3), n.vector(1e3));
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

#[test]
fn meetings_are_the_truth() {
    let mut n = Numbers(1);
    let mut counts = [0; 3];
    for i in 0..6000 {
        let pair = case(&mut n);
        let found = first_meeting(&pair[0], &pair[1]);
        Oracle::of(&pair[0], &pair[1]).check(found, &(i, pair));
        counts[if found == Meeting::NOW {
            2
        } else {
            found.status as usize
        }] += 1;
    }
    assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
}

/// The sign of d·v.
fn rate(a: &MovingBall, b: &MovingBall) -> Sign {
    let (c, v) = ((a.center(), b.center()), (a.velocity(), b.velocity()));
    let term = |k: usize| (whole(c.1[k]) - whole(c.0[k])) * (whole(v.1[k]) - whole(v.0[k]));
    (term(0) + term(1) + term(2)).sign()
}

#[test]
fn hard_spheres_collide_only_if_they_approach() {
    let mut n = Numbers(2);
    let mut touching = [0; 2];
    for i in 0..12000 {
        let [a, b] = case(&mut n);
        if a.acceleration() != b.acceleration() {
            let Err(Error::Argument { what, .. }) = next_collision(&a, &b) else {
                panic!("accelerations differ: {a:?} {b:?}");
            };
            assert_eq!(what, "acceleration");
            continue;
        }
        let found = next_collision(&a, &b).unwrap();
        let is_approaching = rate(&a, &b) == Sign::Minus;
        match is_approaching {
            true => Oracle::of(&a, &b).check(found, &(i, a, b)),
            false => assert_eq!(found, Meeting::NEVER, "{a:?} {b:?}"),
        }
        touching[usize::from(is_approaching)] += usize::from(first_meeting(&a, &b).early == 0.0);
    }
    assert!(touching.iter().all(|&count| count > 50), "{touching:?}");
}

#[test]
fn a_horizon_ends_where_it_says() {
    let mut n = Numbers(3);
    let mut counts = [0; 2];
    for _ in 0..4000 {
        let [a, b] = case(&mut n);
        let found = first_meeting(&a, &b);
        let whole = first_meeting_within(&a, &b, f64::INFINITY).unwrap();
        assert_eq!(whole, found);
        if !found.is_contact() || found.late == f64::INFINITY {
            continue;
        }
        let oracle = Oracle::of(&a, &b);
        let middle = found.early + 0.5 * (found.late - found.early);
        for horizon in [found.early, middle, found.late, 2.0 * found.late, 0.0] {
            let within = first_meeting_within(&a, &b, horizon).unwrap();
            let has_met = oracle.sign(0.0) != Sign::Plus
                || horizon > 0.0
                    && (oracle.sign(horizon) != Sign::Plus || oracle.zeros(horizon) > 0);
            assert_eq!(within.is_contact(), has_met, "{horizon} {a:?} {b:?}");
            if has_met {
                assert_eq!(
                    (within.early, within.late),
                    (found.early, found.late.min(horizon))
                );
            } else {
                assert_eq!(within, Meeting::NEVER);
            }
            counts[usize::from(has_met)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
    let [a, b] = random(&mut n);
    for bad in [f64::NAN, -1.0, f64::NEG_INFINITY] {
        let error = first_meeting_within(&a, &b, bad).unwrap_err().to_string();
        assert!(
            error.contains("horizon") && error.contains(&bad.to_string()),
            "{error}"
        );
    }
}

#[test]
fn known_times() {
    let still = |center, radius| ball(center, [0.0; 3], [0.0; 3], radius);
    // Dropped from 5 above the point of contact at 10: one second.
    let falling = ball([0.0, 0.0, 7.0], [0.0; 3], [0.0, 0.0, -10.0], 1.0);
    let found = first_meeting(&falling, &still([0.0; 3], 1.0));
    assert!(found.early <= 1.0 && 1.0 <= found.late && found.late - found.early < 1e-14);
    // Thrown up past a ceiling of balls, and back: away first, then it meets what was behind.
    let thrown = ball([0.0, 0.0, 2.0], [0.0, 0.0, 30.0], [0.0, 0.0, -10.0], 0.5);
    let found = first_meeting(&thrown, &still([0.0; 3], 1.5));
    assert_eq!(found, Meeting::NOW);
    let found = first_meeting(&thrown, &still([0.0, 0.0, -0.25], 1.5));
    let expected = 3.0 + (9.0 + 0.05f64).sqrt();
    assert!(
        (found.early - expected).abs() < 1e-14 * expected,
        "{found:?}"
    );
    // Points meet only if they hit.
    let point = |x, v| ball([x, 0.0, 0.0], [v, 0.0, 0.0], [0.0; 3], 0.0);
    let found = first_meeting(&point(0.0, 1.0), &point(3.0, 0.0));
    assert_eq!((found.early, found.late), (3.0, 3.0));
    let aside = ball([3.0, 5e-324, 0.0], [0.0; 3], [0.0; 3], 0.0);
    assert_eq!(first_meeting(&point(0.0, 1.0), &aside), Meeting::NEVER);
    // No motion; the same motion; times beyond the range of floats.
    assert_eq!(
        first_meeting(&still([0.0; 3], 1.0), &still([3.0, 0.0, 0.0], 1.0)),
        Meeting::NEVER
    );
    assert_eq!(
        first_meeting(&point(0.0, 1.0), &point(3.0, 1.0)),
        Meeting::NEVER
    );
    let found = first_meeting(&point(-1e300, 1e-300), &point(1e300, 0.0));
    assert_eq!((found.early, found.late), (f64::MAX, f64::INFINITY));
    assert!(found.is_contact());
    let found = first_meeting(&point(-1e-300, 1e300), &point(1e-300, 0.0));
    assert_eq!((found.early, found.late), (0.0, 5e-324));
}

#[test]
fn numbers_of_all_sizes() {
    let mut n = Numbers(4);
    for i in 0..20 {
        let pair = [(); 2].map(|()| {
            let mut number = || {
                let x = n.signed() * 10f64.powf(307.0 * n.signed());
                if n.below(3) == 0 { 0.0 } else { x }
            };
            let numbers = [(); 3].map(|()| [(); 3].map(|()| number()));
            let radius = number().abs();
            ball(numbers[0], numbers[1], numbers[2], radius)
        });
        let found = first_meeting(&pair[0], &pair[1]);
        Oracle::of(&pair[0], &pair[1]).check(found, &(i, pair));
    }
}

#[test]
fn batches_are_the_same_on_any_number_of_threads() {
    let mut n = Numbers(5);
    let balls: Vec<MovingBall> = (0..3000).flat_map(|_| case(&mut n)).collect();
    let count = balls.len() as u64;
    let pairs: Vec<[u32; 2]> = (0..6000)
        .map(|i| match i < 3000 {
            true => [2 * i, 2 * i + 1],
            false => [(); 2].map(|()| n.below(count.min(200)) as u32),
        })
        .collect();
    let bits = |found: &[Meeting]| -> Vec<(u64, u64, ContactStatus)> {
        let one = |m: &Meeting| (m.early.to_bits(), m.late.to_bits(), m.status);
        found.iter().map(one).collect()
    };
    let expected: Vec<Meeting> = pairs
        .iter()
        .map(|&[a, b]| first_meeting(&balls[a as usize], &balls[b as usize]))
        .collect();
    let mut found = vec![Meeting::NOW; 7];
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let answer = || first_meetings(&balls, &pairs, &mut found);
        pool.unwrap().install(answer).unwrap();
        assert_eq!(bits(&found), bits(&expected));
    }
    let error = first_meetings(&balls, &[[0, 1], [2, 6000]], &mut found).unwrap_err();
    assert_eq!(
        error.to_string(),
        "pair 1: found [2, 6000], expected indices below the number of balls, 6000"
    );
    assert!(found.is_empty());
}

#[test]
fn the_order_of_balls_does_not_matter() {
    let mut n = Numbers(6);
    for _ in 0..3000 {
        let [a, b] = case(&mut n);
        let (one, other) = (first_meeting(&a, &b), first_meeting(&b, &a));
        assert_eq!(
            (one.early, one.late),
            (other.early, other.late),
            "{a:?} {b:?}"
        );
    }
}

#[test]
fn what_is_not_finite_is_refused() {
    let zero = [0.0; 3];
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let vector = [0.0, bad, 1.0];
        let results = [
            ("center", MovingBall::new(vector, zero, zero, 1.0)),
            ("velocity", MovingBall::new(zero, vector, zero, 1.0)),
            ("acceleration", MovingBall::new(zero, zero, vector, 1.0)),
            ("radius", MovingBall::new(zero, zero, zero, bad)),
        ];
        for (name, result) in results {
            let error = result.unwrap_err().to_string();
            assert!(
                error.starts_with(name) && error.contains(&bad.to_string()),
                "{error}"
            );
        }
    }
    let error = MovingBall::new(zero, zero, zero, -2.0).unwrap_err();
    let text = "radius: found -2, expected a finite number, 0 or more";
    assert_eq!(error.to_string(), text);
}

#[test]
#[ignore = "an hour of one core in release; TANGERE_PAIRS says how many pairs"]
fn many_meetings_are_the_truth() {
    use rayon::prelude::*;
    let pairs = std::env::var("TANGERE_PAIRS").ok();
    let pairs = pairs.map_or(10_000_000, |text| text.parse().unwrap());
    (0..pairs / 1000).into_par_iter().for_each(|seed: u64| {
        let mut n = Numbers(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 77);
        for i in 0..1000 {
            let pair = case(&mut n);
            let found = first_meeting(&pair[0], &pair[1]);
            Oracle::of(&pair[0], &pair[1]).check(found, &(seed, i, pair));
        }
    });
}
