//! First meeting of two balls by Sturm chains in exact integers: certain for any input.
//!
//! All given numbers are multiples of a power of two. So `p`, the squared distance of the centres
//! minus the squared sum of the radii, is a quartic with integer coefficients in a unit of time
//! that is a power of two as well. Whether `p` has a root up to a given time follows from its value
//! there if that is not positive, otherwise from its Sturm chain, whose members are `p`, its
//! derivative and negated remainders. Between two times at which `p` is not 0 the number of
//! distinct roots is the number of sign changes that the chain loses. The answer is monotone in
//! time, so the last float before the meeting and the first one after are found by bisection.
//!
//! Coefficients of `p` of `B` bits make remainders of `3B`, `7B` and `17B` bits. Cost: 5 to 100 µs
//! for numbers of usual sizes, on the stack. Numbers whose sizes differ by more than 2^100 are on
//! the heap and cost more: a tenth of a second where they fill the entire range of floats.

use super::{Meeting, MovingBall};
use crate::geometry::Sign;
use crate::impact::integer::{Integer, Limbs, Overlong, parts, power_of_two};

/// The bits of the infinite float, as a time after all others.
const INFINITE: u64 = f64::INFINITY.to_bits();

/// A polynomial of a Sturm chain, of degree 4 or less: integer coefficients `c`, the constant one
/// first, and the degree.
#[derive(Clone)]
struct Polynomial<L: Limbs> {
    c: [Integer<L>; 5],
    degree: usize,
}

impl<L: Limbs> Polynomial<L> {
    /// The polynomial of a Sturm chain with coefficients `c`; `None` if all are 0.
    fn of(c: [Integer<L>; 5]) -> Option<Self> {
        let degree = c.iter().rposition(|x| !x.is_zero())?;
        Some(Polynomial { c, degree })
    }

    /// The leading coefficient of a polynomial of the Sturm chain.
    fn leading(&self) -> &Integer<L> {
        &self.c[self.degree]
    }

    /// The derivative of a polynomial, the second member of its Sturm chain; `None` if it is 0.
    fn derivative(&self) -> Option<Self> {
        let mut c = [const { Integer::ZERO }; 5];
        for k in 1..=self.degree {
            c[k - 1] = self.c[k].scaled(k as i64);
        }
        Self::of(c)
    }

    /// The next member of a Sturm chain: the negated remainder of the division of this polynomial
    /// by `by`, up to a positive factor. `None` if the remainder is 0; an error if an integer
    /// outgrows its storage.
    fn remainder(&self, by: &Self) -> Result<Option<Self>, Overlong> {
        let mut rest = self.c.clone();
        let factor = by.leading();
        for top in (by.degree..=self.degree).rev() {
            // |l| rest - sign(l) rest_top x^(top - degree) by
            let head = rest[top].clone();
            if !head.fits_longer_by(factor.bits() + 2) {
                return Err(Overlong);
            }
            let is_negative = factor.sign() == Sign::Negative;
            for k in 0..=top {
                let kept = rest[k].times(factor);
                let taken = match (k + by.degree).checked_sub(top) {
                    Some(i) => head.times(&by.c[i]),
                    None => Integer::ZERO,
                };
                let difference = kept.minus(&taken);
                if !difference.fits_longer_by(2) {
                    return Err(Overlong);
                }
                rest[k] = if is_negative {
                    difference.negated()
                } else {
                    difference
                };
            }
        }
        Ok(Self::of(rest.map(|x| x.negated())))
    }

    /// The exact sign of a polynomial of the Sturm chain at the time `mantissa * 2^exponent`.
    fn sign(&self, mantissa: i64, exponent: i32) -> Result<Sign, Overlong> {
        let step = 53 + exponent.unsigned_abs();
        let most = self.c.iter().map(Integer::bits).max().unwrap_or(0);
        let need = most + self.degree as u32 * step + 8;
        if need as usize > L::MOST.saturating_mul(64) {
            return Err(Overlong);
        }
        // Either the time is an integer, or coefficients are multiplied by powers of its
        // denominator.
        let time = Integer::of(i128::from(mantissa), exponent.max(0) as u32);
        let down = (-exponent).max(0) as u32;
        let mut value = self.leading().clone();
        for k in (0..self.degree).rev() {
            let term = self.c[k].shifted(down * (self.degree - k) as u32);
            value = value.times(&time).plus(&term);
        }
        Ok(value.sign())
    }
}

/// The number of sign changes in a Sturm chain whose members have these signs; zeros are skipped.
fn changes(signs: impl Iterator<Item = Sign>) -> u32 {
    let (mut count, mut last) = (0, Sign::Zero);
    for sign in signs {
        if sign != Sign::Zero {
            count += u32::from(last != Sign::Zero && last != sign);
            last = sign;
        }
    }
    count
}

/// The Sturm chain of `p`, the squared distance of two balls minus the squared sum of their radii,
/// as a polynomial in time.
struct Chain<L: Limbs> {
    members: [Option<Polynomial<L>>; 5],
    /// The unit of time of the polynomials of the chain is `2^unit`.
    unit: i32,
    /// The number of sign changes between successive members of the chain at time 0.
    now: u32,
}

impl<L: Limbs> Chain<L> {
    /// The members of the Sturm chain, `p` first.
    fn members(&self) -> impl Iterator<Item = &Polynomial<L>> {
        self.members.iter().map_while(Option::as_ref)
    }

    /// Builds the Sturm chain of the polynomial `p`, whose unit of time is `2^unit`.
    fn of(p: Polynomial<L>, unit: i32) -> Result<Self, Overlong> {
        let mut members = [const { None }; 5];
        members[1] = p.derivative();
        members[0] = Some(p);
        for k in 2..5 {
            if let (Some(a), Some(b)) = (&members[k - 2], &members[k - 1]) {
                members[k] = match b.degree {
                    0 => None,
                    _ => a.remainder(b)?,
                };
            }
        }
        let mut chain = Chain {
            members,
            unit,
            now: 0,
        };
        chain.now = changes(chain.members().map(|f| f.c[0].sign()));
        Ok(chain)
    }

    /// The sign of `p`, the squared distance of two balls minus the squared sum of their radii, at
    /// a time, and the number of its roots from time 0 up to that time, by its Sturm chain. The
    /// time is given by the bits of its float, and `p` must be positive at time 0. If `p` is 0 at
    /// that time the number is unknown, and 1 is returned.
    fn until(&self, bits: u64) -> Result<(Sign, u32), Overlong> {
        if bits == INFINITE {
            let signs = self.members().map(|f| f.leading().sign());
            return Ok((Sign::Positive, self.now.saturating_sub(changes(signs))));
        }
        let (mantissa, exponent) = parts(f64::from_bits(bits));
        let exponent = exponent - self.unit;
        let mut signs = [Sign::Zero; 5];
        for (k, f) in self.members().enumerate() {
            signs[k] = f.sign(mantissa, exponent)?;
            if signs[0] == Sign::Zero {
                return Ok((Sign::Zero, 1));
            }
        }
        let count = self.now.saturating_sub(changes(signs.into_iter()));
        Ok((signs[0], count))
    }

    /// The first root after time 0 of `p`, the squared distance of two balls minus the squared sum
    /// of their radii, by its Sturm chain: the last float before the root and the first float after
    /// it, or the root twice if it is a float. `None` if there is no root. Only the cost depends on
    /// `guess`.
    fn first(&self, guess: f64) -> Result<Option<(f64, f64)>, Overlong> {
        if self.until(INFINITE)?.1 == 0 {
            return Ok(None);
        }
        let (mut low, mut high) = (0, INFINITE);
        let (mut sign, mut count) = (Sign::Positive, 2);
        let (mut step, mut at) = (1u64, guess.to_bits());
        while high - low > 1 {
            // Growing steps away from the guess, then bisection.
            if at <= low || at >= high {
                at = low + (high - low) / 2;
            }
            // There is a single root before a negative value, so the sign of `p` alone decides.
            let (found, zeros) = match (sign, count) {
                (Sign::Negative, 1) => self.simple(at)?,
                _ => self.until(at)?,
            };
            if found != Sign::Positive || zeros > 0 {
                (high, sign, count) = (at, found, zeros);
                at = match low {
                    0 => high.saturating_sub(step),
                    _ => low,
                };
            } else {
                low = at;
                at = match high {
                    INFINITE => low.saturating_add(step),
                    _ => low,
                };
            }
            step = step.saturating_mul(8);
        }
        // The root is a float, unless there is another between the two.
        let is_float =
            sign == Sign::Zero && matches!(self.until(high + 1)?, (s, 1) if s != Sign::Zero);
        let early = if is_float { high } else { low };
        Ok(Some((f64::from_bits(early), f64::from_bits(high))))
    }

    /// The sign of `p`, the first member of the Sturm chain, at a time, and the number of its roots
    /// up to that time, as by [`Self::until`]. It must be known that `p` has at most one root up to
    /// that time, a simple one. Then the sign gives the number, and the other members of the chain
    /// are not evaluated.
    fn simple(&self, bits: u64) -> Result<(Sign, u32), Overlong> {
        let (mantissa, exponent) = parts(f64::from_bits(bits));
        let Some(p) = &self.members[0] else {
            return Ok((Sign::Zero, 1));
        };
        let sign = p.sign(mantissa, exponent - self.unit)?;
        Ok((sign, u32::from(sign != Sign::Positive)))
    }
}

/// The exact dot product of two vectors of integers, for the Sturm chain of `p`.
fn dot<L: Limbs>(a: &[Integer<L>; 3], b: &[Integer<L>; 3]) -> Integer<L> {
    let [x, y, z] = [0, 1, 2].map(|k| a[k].times(&b[k]));
    x.plus(&y).plus(&z)
}

/// Mantissa and exponent of a float: its value is `mantissa * 2^exponent`.
type Parts = (i64, i32);

/// The motions and radii of two balls in a unit of time of `2^unit`. All these numbers are integer
/// multiples of `2^lowest`. `balls` is indexed by the ball, the vector (centre, velocity, half the
/// acceleration) and the coordinate.
struct ScaledNumbers {
    balls: [[[Parts; 3]; 3]; 2],
    radii: [Parts; 2],
    unit: i32,
    lowest: i32,
    /// Upper bound of the number of bits of a difference of two of these numbers of the balls, as
    /// integers in units of `2^lowest`.
    bits: u32,
}

impl ScaledNumbers {
    /// Scales the motions and radii of two balls exactly to common units, for the Sturm chain.
    fn of(a: &MovingBall, b: &MovingBall) -> Self {
        let vectors = |x: &MovingBall| [x.center, x.velocity, x.acceleration].map(|v| v.map(parts));
        let mut balls = [vectors(a), vectors(b)];
        // Half the acceleration.
        for part in balls.iter_mut().flat_map(|ball| &mut ball[2]) {
            part.1 -= 1;
        }
        let radii = [parts(a.radius), parts(b.radius)];
        let length = |x: &Parts| 64 - x.0.unsigned_abs().leading_zeros() as i32;
        let top = |k: usize| {
            let all = balls.iter().flat_map(|ball| &ball[k]);
            all.filter(|x| x.0 != 0).map(|x| x.1 + length(x)).max()
        };
        // The unit of time is such that speed or acceleration takes the balls about as far as they
        // are apart.
        let far = top(0).unwrap_or(0);
        let times = [top(1).map(|v| far - v), top(2).map(|h| (far - h) / 2)];
        let unit = times.into_iter().flatten().min().unwrap_or(0);
        for ball in &mut balls {
            for k in 0..3 {
                for part in &mut ball[k] {
                    part.1 += unit * k as i32;
                }
            }
        }
        let all = || balls.as_flattened().as_flattened().iter().chain(&radii);
        let set = || all().filter(|x| x.0 != 0);
        let lowest = set().map(|x| x.1).min().unwrap_or(0);
        let highest = set().map(|x| x.1 + length(x)).max().unwrap_or(0);
        ScaledNumbers {
            balls,
            radii,
            unit,
            lowest,
            bits: (highest - lowest) as u32 + 1,
        }
    }

    /// A scaled number of a ball, given by its mantissa and exponent, as an exact integer in units
    /// of `2^lowest`, for the Sturm chain.
    fn whole<L: Limbs>(&self, x: Parts) -> Integer<L> {
        match x {
            (0, _) => Integer::ZERO,
            (mantissa, exponent) => {
                Integer::of(i128::from(mantissa), (exponent - self.lowest) as u32)
            }
        }
    }

    /// The exact difference of centres (`k` = 0), velocities (1) or half the accelerations (2) of
    /// two balls, for the Sturm chain.
    fn difference<L: Limbs>(&self, k: usize) -> [Integer<L>; 3] {
        [0, 1, 2].map(|i| {
            let (x, y) = (self.balls[0][k][i], self.balls[1][k][i]);
            match x == y {
                true => Integer::ZERO,
                false => self.whole::<L>(y).minus(&self.whole(x)),
            }
        })
    }

    /// The exact coefficients of the quartic `p`, the squared distance of two balls minus the
    /// squared sum of their radii: the first member of the Sturm chain.
    fn quartic<L: Limbs>(&self) -> [Integer<L>; 5] {
        let [d, v, h] = [0, 1, 2].map(|k| self.difference::<L>(k));
        let radius = self
            .whole::<L>(self.radii[0])
            .plus(&self.whole(self.radii[1]));
        [
            dot(&d, &d).minus(&radius.times(&radius)),
            dot(&d, &v).shifted(1),
            dot(&v, &v).plus(&dot(&d, &h).shifted(1)),
            dot(&v, &h).shifted(1),
            dot(&h, &h),
        ]
    }

    /// Answers a question about two balls exactly, by a Sturm chain. The limbs of integers are in
    /// arrays or, if these are too short, in vectors. `None` if even vectors are too short, which
    /// cannot happen.
    fn answered<T>(&self, of: impl Question<T>) -> Option<T> {
        let short = match self.bits {
            // 17 (2 bits + 6) + 53 in 64 limbs.
            ..=115 => of.answer::<[u64; 64]>(self),
            _ => Err(Overlong),
        };
        short.or_else(|Overlong| of.answer::<Vec<u64>>(self)).ok()
    }
}

/// A question about two balls that is answered in exact integers, whose limbs are in arrays or in
/// vectors.
trait Question<T> {
    /// Answers the question exactly, by a Sturm chain where one is needed, with integers stored in
    /// `L`.
    fn answer<L: Limbs>(&self, numbers: &ScaledNumbers) -> Result<T, Overlong>;
}

/// The question when two balls first meet. The number is a guess of the time, finite and above 0.
struct First(f64);

impl Question<Meeting> for First {
    /// Answers the question of the first meeting by the Sturm chain of `p`, unless signs alone
    /// decide.
    #[inline(never)]
    fn answer<L: Limbs>(&self, numbers: &ScaledNumbers) -> Result<Meeting, Overlong> {
        let c = numbers.quartic::<L>();
        let p = match Polynomial::of(c) {
            Some(p) if p.c[0].sign() == Sign::Positive => p,
            _ => return Ok(Meeting::NOW),
        };
        if p.c.iter().all(|x| x.sign() != Sign::Negative) {
            return Ok(Meeting::NEVER);
        }
        let found = Chain::of(p, numbers.unit)?.first(self.0)?;
        Ok(found.map_or(Meeting::NEVER, |(early, late)| Meeting::at(early, late)))
    }
}

/// The question whether two balls meet up to this time, which is above 0.
struct MeetBy(f64);

impl Question<bool> for MeetBy {
    /// Answers whether two balls meet up to a time by the Sturm chain of `p`, unless signs alone
    /// decide.
    #[inline(never)]
    fn answer<L: Limbs>(&self, numbers: &ScaledNumbers) -> Result<bool, Overlong> {
        let c = numbers.quartic::<L>();
        let p = match Polynomial::of(c) {
            Some(p) if p.c[0].sign() == Sign::Positive => p,
            _ => return Ok(true),
        };
        let (sign, count) = Chain::of(p, numbers.unit)?.until(self.0.to_bits())?;
        Ok(sign != Sign::Positive || count > 0)
    }
}

/// The question whether two balls approach each other now. The answer is the sign of the rate at
/// which their squared distance changes.
struct Rate;

impl Question<Sign> for Rate {
    /// The exact sign of the rate at which the squared distance of two balls changes at time 0; it
    /// needs no Sturm chain.
    #[inline(never)]
    fn answer<L: Limbs>(&self, numbers: &ScaledNumbers) -> Result<Sign, Overlong> {
        let [d, v] = [0, 1].map(|k| numbers.difference::<L>(k));
        Ok(dot(&d, &v).sign())
    }
}

/// The first meeting of two balls by a Sturm chain, exactly; only the cost depends on the guess of
/// its time.
#[cold]
pub(super) fn first_meeting(a: &MovingBall, b: &MovingBall, guess: f64) -> Meeting {
    let numbers = ScaledNumbers::of(a, b);
    let guess = match guess > 0.0 && guess.is_finite() {
        true => guess,
        false => power_of_two(numbers.unit),
    };
    // Vectors of limbs are never too short.
    numbers.answered(First(guess)).unwrap_or(Meeting::UNKNOWN)
}

/// Whether two balls meet up to a time above 0, exactly, by a Sturm chain.
#[cold]
pub(super) fn meet_by(a: &MovingBall, b: &MovingBall, time: f64) -> bool {
    ScaledNumbers::of(a, b)
        .answered(MeetBy(time))
        .unwrap_or(true)
}

/// Whether two balls approach each other now, exactly, in the integers of the Sturm chain.
#[cold]
pub(super) fn is_approaching(a: &MovingBall, b: &MovingBall) -> bool {
    ScaledNumbers::of(a, b).answered(Rate) == Some(Sign::Negative)
}
