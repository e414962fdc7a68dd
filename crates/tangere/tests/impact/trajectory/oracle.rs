//! Exact oracle of first meetings: Sturm chains of long integers.

use num_bigint::{BigInt, Sign};
use tangere::impact::trajectory::{ContactStatus, Meeting, MovingBall};
use test_support::exact;

/// `x 2^LOW` is an integer for any float.
const LOW: u32 = 1076;

pub fn whole(x: f64) -> BigInt {
    exact::whole(x, -i64::from(LOW))
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

/// The polynomial `p` of two balls and its Sturm chain.
pub struct Oracle {
    chain: Vec<Polynomial>,
}

impl Oracle {
    pub fn of(a: &MovingBall, b: &MovingBall) -> Self {
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
            // A positive factor.
            let factor = BigInt::from(lead.magnitude().clone());
            let mut rest = f.clone();
            while rest.len() >= g.len() {
                let (top, shift) = (rest[rest.len() - 1].clone(), rest.len() - g.len());
                let top = if lead.sign() == Sign::Minus {
                    -top
                } else {
                    top
                };
                rest = rest.iter().map(|x| x * &factor).collect();
                for (k, x) in g.iter().enumerate() {
                    rest[k + shift] -= x * &top;
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

    /// The sign of `p` at a time.
    pub fn sign(&self, t: f64) -> Sign {
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

    /// The number of distinct roots of `p` above 0 and up to `t`; `p` is 0 at neither.
    pub fn zeros(&self, t: f64) -> usize {
        self.changes(0.0) - self.changes(t)
    }

    /// Checks a result of the library against the oracle.
    pub fn check(&self, found: Meeting, what: &dyn std::fmt::Debug) {
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
                // A float: no other root up to the next one.
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
