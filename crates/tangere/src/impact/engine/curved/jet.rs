//! Jet of a Bézier patch: its value and derivatives at a point.

use super::bezier_patch::{Form, Net, ROWS, control};

/// Jet of a patch: its value and derivatives at a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jet {
    pub(super) x: [f64; 3],
    /// First derivatives of the patch with respect to `u` and to `v`.
    pub(super) first: [[f64; 3]; 2],
    /// Second derivatives of the patch: twice with respect to `u`, with respect to `u` and `v`, and
    /// twice with respect to `v`.
    pub(super) second: [[f64; 3]; 3],
    /// Higher derivatives of the patch with respect to `uuv`, `uvv` and `uuvv`; all others are 0.
    pub(super) higher: [[f64; 3]; 3],
}

impl Jet {
    /// The jet of a Bézier patch at the point with parameters `(u, v)`.
    pub(super) fn new(form: Form, net: &Net, [u, v]: [f64; 2]) -> Self {
        let mut jet = Jet {
            x: control(net, 0),
            first: [[0.0; 3]; 2],
            second: [[0.0; 3]; 3],
            higher: [[0.0; 3]; 3],
        };
        match form {
            Form::Point => {}
            Form::Triangle => {
                let t = 1.0 - u - v;
                for k in 0..3 {
                    let [c0, c1, c2, m0, m1, m2, ..] = net[k];
                    // Rows of the first derivative at the corners.
                    let (du, dv) = ([m0 - c0, c1 - m0, m1 - m2], [m2 - c0, m1 - m0, c2 - m2]);
                    let [d, e] = [du, dv].map(|d| d[0] * t + d[1] * u + d[2] * v);
                    let along = t * (m0 * u + m2 * v) + m1 * (u * v);
                    jet.x[k] = c0 * (t * t) + c1 * (u * u) + c2 * (v * v) + 2.0 * along;
                    jet.first[0][k] = 2.0 * d;
                    jet.first[1][k] = 2.0 * e;
                    jet.second[0][k] = 2.0 * (du[1] - du[0]);
                    jet.second[1][k] = 2.0 * (du[2] - du[0]);
                    jet.second[2][k] = 2.0 * (dv[2] - dv[0]);
                }
            }
            Form::Quadrilateral => {
                // Value, first and second derivative of a parabola.
                let of = |[a, b, c]: [f64; 3], t: f64| {
                    let (ab, bc) = (b - a, c - b);
                    let slope = ab + t * (bc - ab);
                    [
                        a + t * (2.0 * ab + t * (bc - ab)),
                        2.0 * slope,
                        2.0 * (bc - ab),
                    ]
                };
                for k in 0..3 {
                    let rows = ROWS.map(|row| of(row.map(|i| net[k][i]), u));
                    let [x, du, duu] = [0, 1, 2].map(|d| of([0, 1, 2].map(|i| rows[i][d]), v));
                    jet.x[k] = x[0];
                    jet.first[0][k] = du[0];
                    jet.first[1][k] = x[1];
                    jet.second[0][k] = duu[0];
                    jet.second[1][k] = du[1];
                    jet.second[2][k] = x[2];
                    jet.higher[0][k] = duu[1];
                    jet.higher[1][k] = du[2];
                    jet.higher[2][k] = duu[2];
                }
            }
        }
        jet
    }

    /// The point of the patch whose parameters differ from those of the jet by `(u, v)`, from the
    /// Taylor polynomial of the jet, which is exact up to rounding.
    pub(super) fn value(&self, [u, v]: [f64; 2]) -> [f64; 3] {
        std::array::from_fn(|k| {
            let [f, g] = [self.first[0][k], self.first[1][k]];
            let [p, q, r] = [0, 1, 2].map(|i| self.second[i][k]);
            let [a, b, c] = [0, 1, 2].map(|i| self.higher[i][k]);
            let square = 0.5 * (p * u * u + r * v * v) + q * u * v;
            let cube = 0.5 * (u * v) * (a * u + b * v + 0.5 * c * (u * v));
            self.x[k] + ((f * u + g * v) + (square + cube))
        })
    }
}
