//! Exact oracle of primitives: Sturm chains of polynomials with integer coefficients of any length.
//!
//! For polynomials `f` and `g`, the sign changes in the chain of `f` and `f'g` give the number of
//! roots of `f` in an interval at which `g > 0` minus the number at which `g < 0` (Tarski). This
//! serves to count roots (`g = 1`), to isolate them, and to find the sign of any `g` at one of
//! them, also for multiple and common roots. Nothing is shared with the library: conditions are dot
//! products of cross products, of degree 4, instead of coordinates.

use num_bigint::{BigInt, Sign as Of};
use test_support::exact::whole;

fn sign(x: &BigInt) -> i32 {
    match x.sign() {
        Of::Minus => -1,
        Of::NoSign => 0,
        Of::Plus => 1,
    }
}

/// The coefficients of a polynomial, the constant first; the last is not 0.
pub type Poly = Vec<BigInt>;

pub fn trimmed(mut f: Poly) -> Poly {
    while f.last().is_some_and(|c| c.sign() == Of::NoSign) {
        f.pop();
    }
    f
}

pub fn plus(f: &Poly, g: &Poly) -> Poly {
    let at = |f: &Poly, i: usize| f.get(i).cloned().unwrap_or_default();
    trimmed(
        (0..f.len().max(g.len()))
            .map(|i| at(f, i) + at(g, i))
            .collect(),
    )
}

pub fn times(f: &Poly, g: &Poly) -> Poly {
    let mut out = vec![BigInt::default(); (f.len() + g.len()).saturating_sub(1)];
    for (i, a) in f.iter().enumerate() {
        for (j, b) in g.iter().enumerate() {
            out[i + j] += a * b;
        }
    }
    trimmed(out)
}

pub fn negated(f: &Poly) -> Poly {
    f.iter().map(|c| -c).collect()
}

fn derivative(f: &Poly) -> Poly {
    trimmed(f.iter().enumerate().skip(1).map(|(i, c)| c * i).collect())
}

/// A positive multiple of the remainder of `f` divided by `g`.
fn remainder(f: &Poly, g: &Poly) -> Poly {
    let mut f = f.clone();
    let Some(lead) = g.last() else {
        return f;
    };
    let magnitude = BigInt::from(lead.magnitude().clone());
    while f.len() >= g.len() {
        let top = f.last().cloned().unwrap_or_default() * sign(lead);
        let shift = f.len() - g.len();
        let mut next: Poly = f.iter().map(|c| c * &magnitude).collect();
        for (i, c) in g.iter().enumerate() {
            next[i + shift] -= &top * c;
        }
        f = trimmed(next);
    }
    // Powers of two in common are left out: cheap, and numbers grow less.
    let zeros = f.iter().filter_map(BigInt::trailing_zeros).min();
    f.iter().map(|c| c >> zeros.unwrap_or(0)).collect()
}

/// The sign of a polynomial at `n / 2^k`.
fn sign_at(f: &Poly, n: &BigInt, k: u64) -> i32 {
    let mut value = BigInt::default();
    let mut scale = 0;
    for c in f.iter().rev() {
        value = value * n + (c << scale);
        scale += k;
    }
    sign(&value)
}

fn changes(chain: &[Poly], n: &BigInt, k: u64) -> i32 {
    let (mut last, mut count) = (0, 0);
    for f in chain {
        let sign = sign_at(f, n, k);
        if sign != 0 {
            count += i32::from(sign * last < 0);
            last = sign;
        }
    }
    count
}

/// The sum of the signs of `g` over the distinct roots of `f` between `a / 2^k` and `b / 2^k`, at
/// which `f` is not 0.
fn query(f: &Poly, g: &Poly, a: &BigInt, b: &BigInt, k: u64) -> i32 {
    let chain = chain(f, g);
    changes(&chain, a, k) - changes(&chain, b, k)
}

/// The Sturm chain of `f` and `f'g`.
fn chain(f: &Poly, g: &Poly) -> Vec<Poly> {
    let mut chain = vec![f.clone(), remainder(&times(&derivative(f), g), f)];
    while let [.., f, g] = &chain[..]
        && !g.is_empty()
    {
        let next = negated(&remainder(f, g));
        chain.push(next);
    }
    chain
}

/// A time from 0 to 1.
#[derive(Clone, Debug)]
pub enum Time {
    Whole(i32),
    /// The only root of f between a / 2^k and b / 2^k.
    Root(Poly, BigInt, BigInt, u64),
}

impl Time {
    pub fn sign(&self, g: &Poly) -> i32 {
        match self {
            Time::Whole(n) => sign_at(g, &BigInt::from(*n), 0),
            Time::Root(f, a, b, k) => match sign_in(g, a, b, *k) {
                0 => query(f, g, a, b, *k),
                sign => sign,
            },
        }
    }

    /// The sign of the time minus x.
    pub fn minus(&self, x: f64) -> i32 {
        if x == f64::INFINITY {
            return -1;
        }
        let scale = BigInt::from(1) << 1074;
        self.sign(&trimmed(vec![-whole(x, -1074), scale]))
    }
}

/// The sign throughout an interval within 0 and 1, 0 if it is not known: the value at an end is
/// farther from 0 than the polynomial can go, the derivative being at most the sum of its
/// coefficients' magnitudes.
fn sign_in(g: &Poly, a: &BigInt, b: &BigInt, k: u64) -> i32 {
    let mut value = BigInt::default();
    let mut scale = 0;
    for c in g.iter().rev() {
        value = value * a + (c << scale);
        scale += k;
    }
    let slope: num_bigint::BigUint = derivative(g).iter().map(|c| c.magnitude()).sum();
    let degree = g.len().saturating_sub(1) as u64;
    let reach = (slope * (b - a).magnitude()) << (k * degree.saturating_sub(1));
    match *value.magnitude() > reach {
        true => sign(&value),
        false => 0,
    }
}

/// All roots from 0 to 1 of a polynomial other than 0.
pub fn roots(f: &Poly) -> Vec<Time> {
    let mut f = f.clone();
    let mut found = Vec::new();
    for end in [0, 1] {
        let factor = trimmed(vec![BigInt::from(-end), BigInt::from(1)]);
        let factor = if end == 0 {
            vec![BigInt::default(), BigInt::from(1)]
        } else {
            factor
        };
        let mut is_root = false;
        while sign_at(&f, &BigInt::from(end), 0) == 0 && f.len() > 1 {
            is_root = true;
            // f = (t - end) g, g from the top.
            let mut g = vec![BigInt::default(); f.len() - 1];
            let mut carry = BigInt::default();
            for i in (0..g.len()).rev() {
                carry = &f[i + 1] + carry * end;
                g[i] = carry.clone();
            }
            assert_eq!(times(&g, &factor), f);
            f = g;
        }
        if is_root {
            found.push(Time::Whole(end));
        }
    }
    if f.len() < 2 {
        return found;
    }
    let chain = chain(&f, &vec![BigInt::from(1)]);
    let mut intervals = vec![(BigInt::from(0), BigInt::from(1), 0u64)];
    while let Some((a, b, k)) = intervals.pop() {
        match changes(&chain, &a, k) - changes(&chain, &b, k) {
            0 => {}
            // Short intervals make most signs plain.
            1 if k >= 60 => found.push(Time::Root(f.clone(), a, b, k)),
            _ => {
                // A place in between that is no root itself: one of five is not.
                let (a, b, k) = (a << 4, b << 4, k + 4);
                let middle = [7, 8, 9, 6, 5]
                    .map(|i| (&a * (16 - i) + &b * i) >> 4)
                    .into_iter()
                    .find(|m| sign_at(&f, m, k) != 0)
                    .expect("a quartic has four roots");
                intervals.push((a, middle.clone(), k));
                intervals.push((middle, b, k));
            }
        }
    }
    found
}

/// The lowest bit of all numbers.
pub fn lowest(points: impl Iterator<Item = [f64; 3]>) -> i64 {
    let bit = |x: f64| {
        let bits = x.to_bits();
        let biased = ((bits >> 52) & 0x7ff) as i64;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, power) = if biased == 0 {
            (fraction, -1074)
        } else {
            (fraction | (1 << 52), biased - 1075)
        };
        power + i64::from(mantissa.trailing_zeros())
    };
    points
        .flatten()
        .filter(|&x| x != 0.0)
        .map(bit)
        .min()
        .unwrap_or(0)
}

pub type Vector = [Poly; 3];

pub fn cross(u: &Vector, v: &Vector) -> Vector {
    [0, 1, 2].map(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        plus(&times(&u[i], &v[j]), &negated(&times(&u[j], &v[i])))
    })
}

pub fn dot(u: &Vector, v: &Vector) -> Poly {
    let [x, y, z] = [0, 1, 2].map(|k| times(&u[k], &v[k]));
    plus(&plus(&x, &y), &z)
}

/// The kind of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pair {
    VertexFace,
    EdgeEdge,
    EdgeVertex,
    VertexVertex,
}

/// The vector from one point to another while they move, in whole units.
pub fn way(points: [&[[f64; 3]]; 2], from: usize, to: usize, unit: i64) -> Vector {
    [0, 1, 2].map(|k| {
        let [a, b] = points.map(|points| whole(points[to][k], unit) - whole(points[from][k], unit));
        trimmed(vec![a.clone(), b - a])
    })
}

/// All times of contact at which something begins or ends: the first of them is the first contact,
/// none if there is none.
pub fn contacts(pair: Pair, start: &[[f64; 3]], end: &[[f64; 3]]) -> Vec<Time> {
    let unit = lowest(start.iter().chain(end).copied());
    let from = |from: usize, to: usize| way([start, end], from, to, unit);
    match pair {
        Pair::VertexFace => {
            let [u, v, w] = [1, 2, 3].map(|i| from(0, i));
            let (x, y, z) = (cross(&v, &w), cross(&w, &u), cross(&u, &v));
            let size = plus(&plus(&dot(&x, &x), &dot(&y, &y)), &dot(&z, &z));
            let with = [dot(&x, &y), dot(&y, &z), dot(&z, &x)];
            let between = [dot(&u, &v), dot(&v, &w), dot(&w, &u)];
            let touches = |t: &Time| match t.sign(&size) {
                0 => between.iter().any(|g| t.sign(g) <= 0),
                _ => with.iter().all(|g| t.sign(g) >= 0),
            };
            let all: Vec<Poly> = [std::slice::from_ref(&size), &with[..], &between[..]].concat();
            times_of(&dot(&u, &x), &all, touches)
        }
        Pair::EdgeEdge => {
            let (ab, cd) = (from(0, 1), from(2, 3));
            let (ac, ad, ca, cb, bc, bd) = (
                from(0, 2),
                from(0, 3),
                from(2, 0),
                from(2, 1),
                from(1, 2),
                from(1, 3),
            );
            let (c, d) = (cross(&ab, &ac), cross(&ab, &ad));
            let (a, b) = (cross(&cd, &ca), cross(&cd, &cb));
            let size = [&a, &b, &c, &d]
                .into_iter()
                .fold(Poly::new(), |sum, v| plus(&sum, &dot(v, v)));
            let against = [dot(&c, &d), dot(&a, &b)];
            let (da, db) = (from(3, 0), from(3, 1));
            let between = [dot(&ca, &cb), dot(&da, &db), dot(&ac, &ad), dot(&bc, &bd)];
            let touches = |t: &Time| match t.sign(&size) {
                0 => between.iter().any(|g| t.sign(g) <= 0),
                _ => against.iter().all(|g| t.sign(g) <= 0),
            };
            let all: Vec<Poly> = [std::slice::from_ref(&size), &against[..], &between[..]].concat();
            times_of(&dot(&ad, &c), &all, touches)
        }
        Pair::EdgeVertex => {
            let (u, v) = (from(2, 0), from(2, 1));
            let x = cross(&u, &v);
            let between = dot(&u, &v);
            times_of(&dot(&x, &x), std::slice::from_ref(&between), |t| {
                t.sign(&between) <= 0
            })
        }
        Pair::VertexVertex => {
            let u = from(0, 1);
            times_of(&dot(&u, &u), &[], |_| true)
        }
    }
}

/// Times at which a necessary polynomial is 0 and the rest holds; if it always is 0, those at which
/// another is.
fn times_of(necessary: &Poly, others: &[Poly], touches: impl Fn(&Time) -> bool) -> Vec<Time> {
    let mut candidates = Vec::new();
    if necessary.is_empty() {
        candidates.push(Time::Whole(0));
        for f in others.iter().filter(|f| !f.is_empty()) {
            candidates.extend(roots(f));
        }
    } else {
        candidates = roots(necessary);
    }
    candidates.retain(touches);
    candidates
}
