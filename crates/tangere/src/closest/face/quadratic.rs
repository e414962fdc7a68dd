//! The least value of a quadratic function on a segment, a triangle or a square, exactly up to
//! rounding: where its gradient vanishes, or on a side.

use super::polynomial::Domain;

/// `g . p + p . H p / 2` about a place of the domain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quadratic {
    pub gradient: [f64; 2],
    /// `H_uu, H_uv, H_vv`, positive definite.
    pub hessian: [f64; 3],
}

impl Quadratic {
    #[inline]
    fn value(&self, [p, q]: [f64; 2]) -> f64 {
        let [h, k, l] = self.hessian;
        self.gradient[0] * p
            + self.gradient[1] * q
            + 0.5 * (h * p * p + 2.0 * k * p * q + l * q * q)
    }

    /// The place where it is least.
    #[inline]
    pub fn least(&self, domain: Domain, from: [f64; 2]) -> [f64; 2] {
        let [g, f] = self.gradient;
        let [h, k, l] = self.hessian;
        if domain == Domain::Segment {
            return [(from[0] - g / h).clamp(-1.0, 1.0), 0.0];
        }
        let determinant = h * l - k * k;
        let free = [
            from[0] - (g * l - f * k) / determinant,
            from[1] - (f * h - g * k) / determinant,
        ];
        if contains(domain, free) {
            return free;
        }
        let mut best = (f64::INFINITY, from);
        let corners = domain.corners();
        for (n, &a) in corners.iter().enumerate() {
            let b = corners[(n + 1) % corners.len()];
            let d = [b[0] - a[0], b[1] - a[1]];
            let p = [a[0] - from[0], a[1] - from[1]];
            // Along the side: slope at its start, and how it changes.
            let slope = d[0] * (g + h * p[0] + k * p[1]) + d[1] * (f + k * p[0] + l * p[1]);
            let change = h * d[0] * d[0] + 2.0 * k * d[0] * d[1] + l * d[1] * d[1];
            let t = (0.0 - slope / change).clamp(0.0, 1.0);
            let place = if t == 1.0 {
                b
            } else {
                [a[0] + t * d[0], a[1] + t * d[1]]
            };
            let value = self.value([place[0] - from[0], place[1] - from[1]]);
            if value < best.0 {
                best = (value, place);
            }
        }
        best.1
    }
}

#[inline]
pub(super) fn contains(domain: Domain, [u, v]: [f64; 2]) -> bool {
    match domain {
        Domain::Segment => (-1.0..=1.0).contains(&u),
        Domain::Triangle => u >= 0.0 && v >= 0.0 && u + v <= 1.0,
        Domain::Square => u.abs() <= 1.0 && v.abs() <= 1.0,
    }
}
