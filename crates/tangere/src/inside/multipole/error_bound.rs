//! Error bounds of truncated multipole expansions, and the degree that a given error needs.
//!
//! Let a cluster of radius `r` be seen from a distance `R`, and let `q = r / R`. Its moments of
//! degree `n` contribute at most `E[n] q^(n+1)`, where `E[n]` is a norm of these moments (Cauchy
//! and Schwarz; harmonics of a degree, in the right scale, have a sum of squares of 1). For degrees
//! `n` beyond the degree `P` of the last moment, let `y` be a point of the cluster relative to its
//! centre, `N` the unit normal there, and `L` the Legendre polynomial of degree `n` in the cosine
//! of the angle between `y` and the direction to the distant point. The integrand `N . grad(|y|^n
//! L)` is at most `n |y|^(n-1)` (Bernstein and Szego). With `I` the integral of `|y|^2` over the
//! cluster, these degrees contribute at most
//!
//! ```text
//! I / (4 pi r^4) * sum over n > P of n q^(n+1)
//!     = I / (4 pi r^4) * q^(P+2) (P + 1 - P q) / (1 - q)^2
//! ```
//!
//! In a local expansion of a cell of radius `a` whose centre is at the distance `R`, the terms of
//! degree `l` that come from moments of degree `n` are at most `E[n] q^(n+1) binom(n+l, n) (a /
//! R)^l`: along the line of centres the conversion keeps orders apart, its entries are `(n+l)! /
//! sqrt((n-m)! (n+m)! (l-m)! (l+m)!)`, and order 0 has the largest. From one degree `l > p` to the
//! next, with `p` the degree of the expansion, this bound falls at least by the factor `(a / R)
//! (n+p+2) / (p+2)`: a geometric series.
//!
//! *Deviates:* (27) of `muth2006` takes the worst distance and the area of the whole surface, and
//! includes only the truncation of local expansions. Here both truncations are included, for each
//! pair of a cluster and a cell at their actual distance.

use super::clusters::Cluster;
use super::harmonics::MOST;

/// The largest ratio of a cluster's radius to its distance for which an expansion is used: for a
/// larger ratio it would need too high a degree.
const NEAREST: f64 = 0.9;

/// The binomial coefficients `BINOMIAL[n][k]`, `n` over `k`, for `n` up to `2 MOST + 1` and `k` up
/// to `MOST`.
static BINOMIAL: [[f64; MOST + 1]; 2 * MOST + 2] = {
    let mut table = [[0.0; MOST + 1]; 2 * MOST + 2];
    let mut n = 0;
    while n < 2 * MOST + 2 {
        table[n][0] = 1.0;
        let mut k = 1;
        while k <= MOST && k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The factor `I / (4 pi r^4)` of the error bound for the truncated degrees of a cluster, those
/// above `degree`. Here `r` is the radius of the cluster, and `I` the integral of the squared
/// distance from its centre over its triangles. If `degree` is below 2, then `I` is replaced by its
/// upper bound, the area times `r^2`. The factor does not depend on the distance of the point.
pub(super) fn rest(cluster: &Cluster, degree: usize) -> f64 {
    let square = cluster.radius * cluster.radius;
    // |y|^2 can be taken out of |y|^(n-1) if n > P > 1.
    let integral = match degree {
        ..2 => cluster.area * square,
        _ => cluster.inertia.min(cluster.area * square),
    };
    0.25 * std::f64::consts::FRAC_1_PI * integral / (square * square)
}

/// The degree up to which an expansion must be summed to stay within an error budget, and the bound
/// on its truncation error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Degree {
    pub(super) degree: usize,
    pub(super) error: f64,
}

/// The properties of a cluster on which the error bounds of its expansions depend: its radius, the
/// norms of its moments, and a factor for the truncated degrees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) radius: f64,
    /// The norms `E[n]` of the cluster's moments of degree `n`: seen from a distance `R`, they
    /// contribute at most `E[n] (radius / R)^(n+1)`.
    pub(super) norms: &'a [f64],
    /// The factor of the error bound for the truncated degrees of the cluster, computed by
    /// [`rest`].
    pub(super) rest: f64,
}

impl Source<'_> {
    /// Bound on the truncation error from the degrees above `P`, the degree of the last moment,
    /// multiplied by `(1 - q)^2`. `q` is the radius of the cluster over its distance, `power` is
    /// `q^(P+2)`.
    #[inline]
    fn tail(&self, q: f64, power: f64) -> f64 {
        let p = (self.norms.len() - 1) as f64;
        self.rest * power * (p + 1.0 - p * q)
    }

    /// The least degree up to which the moments of the cluster must be summed so that the error
    /// bound, at a point with the given distance from the cluster's centre, is at most `budget`.
    /// `None` if no degree is sufficient.
    #[inline]
    pub(super) fn direct(&self, distance: f64, budget: f64) -> Option<Degree> {
        let q = self.radius / distance;
        if q.is_nan() || q > NEAREST {
            return None;
        }
        let last = self.norms.len() - 1;
        let mut powers = [0.0; MOST + 1];
        let mut power = q;
        for n in 0..=last {
            powers[n] = power;
            power *= q;
        }
        // Now q^(P+2).
        let tail = self.tail(q, power);
        let away = 1.0 - q;
        if tail > budget * (away * away) {
            return None;
        }
        let mut error = tail / (away * away);
        let mut degree = last;
        while degree > 0 {
            let more = error + self.norms[degree] * powers[degree];
            if more > budget {
                break;
            }
            error = more;
            degree -= 1;
        }
        Some(Degree { degree, error })
    }

    /// Bound on the truncation error of the sum of the cluster's moments up to `degree`, at a point
    /// with the given distance from the cluster's centre.
    pub(super) fn direct_error(&self, distance: f64, degree: usize) -> f64 {
        let q = self.radius / distance;
        if q.is_nan() || q >= 1.0 {
            return f64::INFINITY;
        }
        let mut power = q;
        let mut error = 0.0;
        for (n, norm) in self.norms.iter().enumerate() {
            if n > degree {
                error += norm * power;
            }
            power *= q;
        }
        error + self.tail(q, power) / ((1.0 - q) * (1.0 - q))
    }

    /// Bound on the second truncation error of a conversion from moments to a local expansion: that
    /// of the terms above `degree` in the local expansion, which moments up to `degree` would add.
    /// `cell` is the radius of the cell of the local expansion, `distance` the distance between the
    /// centres of cluster and cell.
    pub(super) fn local_error(&self, distance: f64, cell: f64, degree: usize) -> f64 {
        let (q, x) = (self.radius / distance, cell / distance);
        let mut first = 1.0;
        for _ in 0..=degree {
            first *= x;
        }
        let (mut error, mut power) = (0.0, q);
        let step = x / (degree + 2) as f64;
        for n in 0..=degree {
            let term = self.norms[n] * power * BINOMIAL[n + degree + 1][n];
            let ratio = step * (n + degree + 2) as f64;
            if ratio >= 1.0 {
                return f64::INFINITY;
            }
            error += term / (1.0 - ratio);
            power *= q;
        }
        error * first
    }

    /// Bound on both truncation errors of a conversion from moments to a local expansion, anywhere
    /// in a cell of radius `cell`: from the moments above `degree` ([`Source::direct_error`]) and
    /// from the terms above `degree` of the local expansion ([`Source::local_error`]). `distance`
    /// is the distance between the centres of cluster and cell. The bound is infinite if their
    /// balls overlap.
    pub(super) fn converted_error(&self, distance: f64, cell: f64, degree: usize) -> f64 {
        if distance > self.radius + cell {
            self.direct_error(distance - cell, degree) + self.local_error(distance, cell, degree)
        } else {
            f64::INFINITY
        }
    }

    /// The least degree with which the moments of the cluster can be converted to a local expansion
    /// so that the error bound is at most `budget` anywhere in a cell of radius `cell`. `distance`
    /// is the distance between the centres of cluster and cell. `None` if no degree is sufficient.
    #[inline]
    pub(super) fn converted(&self, distance: f64, cell: f64, budget: f64) -> Option<Degree> {
        let last = self.norms.len() - 1;
        let direct = self.direct(distance - cell, 0.5 * budget)?;
        let mut degree = direct.degree;
        while degree <= last {
            let local = self.local_error(distance, cell, degree);
            if local <= 0.5 * budget {
                let error = match degree == direct.degree {
                    true => direct.error,
                    false => self.direct_error(distance - cell, degree),
                } + local;
                return Some(Degree { degree, error });
            }
            degree += 1;
        }
        None
    }
}
