//! Multipole coefficients of triangles, eq. (22) of `muth2006`, exactly or by quadrature, as the text
//! after eq. (21) has both.
//!
//! Exactly, they are integrals along the edges of triangles ([`super::moments`]): an edge takes `p / 2`
//! points for degree `p`. By quadrature, they are integrals over the triangles by a Gauss rule with
//! `g` points along each of two directions: the normal derivative of a harmonic of degree `n` is a
//! polynomial of degree `n - 1`, which a rule with `2 g - 2 >= n - 1` integrates exactly. Either way a
//! point costs all harmonics up to degree `p - 1`, `O(p^2)`.
//!
//! The multipole method itself uses the exact ones, with the edges that triangles of a cluster share
//! left out; this is for comparison.

use super::gauss_rule::GaussRule;
use super::harmonics::{Complex, IRREGULAR, MOST, REGULAR, count};
use super::moments::{Rims, assemble};
use crate::error::{Argument, Error, Result};
use crate::geometry::vector::{dot, minus};
use crate::simd::{LANES, RealKernel, Reals, Wide, load_all, run_reals, scaled_all};

/// How multipole coefficients are integrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoefficientRule {
    /// Exactly, along the edges of triangles.
    Exact,
    /// By a Gauss rule with so many points along each of two directions of a triangle, from 1 to 15.
    Gauss(usize),
}

impl CoefficientRule {
    /// The number of points of each triangle at which all harmonics are evaluated, for expansions of a
    /// degree.
    pub fn evaluations(self, degree: usize) -> usize {
        match self {
            CoefficientRule::Exact => 3 * degree.div_ceil(2).max(1),
            CoefficientRule::Gauss(points) => points * points,
        }
    }
}

/// The multipole coefficients of triangles about a centre.
///
/// ```
/// use tangere::generate;
/// use tangere::inside::{CoefficientRule, MultipoleCoefficients};
///
/// let octant = [[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]];
/// let center = [0.3; 3];
/// let exact = MultipoleCoefficients::new(&octant, center, 8, CoefficientRule::Exact)?;
/// let gauss = MultipoleCoefficients::new(&octant, center, 8, CoefficientRule::Gauss(5))?;
/// let far = [-3.0, 1.0, 2.0];
/// assert!((exact.winding(far) - gauss.winding(far)).abs() < 1e-14);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MultipoleCoefficients {
    degree: usize,
    center: [f64; 3],
    radius: f64,
    /// Coefficients in units of the radius, with the factor `-1 / (4 pi)` of the potential (6).
    values: Vec<Complex>,
}

impl MultipoleCoefficients {
    /// Computes the multipole coefficients of triangles about a centre, up to a degree.
    ///
    /// # Errors
    /// When there is no triangle, the degree is not from 1 to 30, or the number of points of the
    /// Gauss rule is not from 1 to 15.
    pub fn new(
        triangles: &[[[f64; 3]; 3]],
        center: [f64; 3],
        degree: usize,
        rule: CoefficientRule,
    ) -> Result<Self> {
        if triangles.is_empty() {
            return Err(Error::argument(Argument::Mesh, "no triangle", "at least 1"));
        }
        if !(1..=MOST).contains(&degree) {
            let expected = format!("1 to {MOST}");
            return Err(Error::argument(Argument::ExpansionDegree, degree, expected));
        }
        let mut gauss = GaussRule::default();
        match rule {
            CoefficientRule::Exact => gauss.set(degree.div_ceil(2).max(1)),
            CoefficientRule::Gauss(points) if (1..=gauss.points.len()).contains(&points) => {
                gauss.set(points)
            }
            CoefficientRule::Gauss(points) => {
                let expected = format!("1 to {} points", gauss.points.len());
                return Err(Error::argument(
                    Argument::QuadraturePoints,
                    points,
                    expected,
                ));
            }
        }
        let corners = triangles.as_flattened().iter();
        let square = corners.fold(0.0, |most: f64, &p| {
            let away = minus(p, center);
            most.max(dot(away, away))
        });
        let radius = square.sqrt().max(1e-150);
        let mut coefficients = MultipoleCoefficients {
            degree,
            center,
            radius,
            values: vec![[0.0; 2]; count(degree)],
        };
        let mut scratch = Scratch::default();
        for eight in triangles.chunks(LANES) {
            coefficients.add(eight, rule, &gauss.points[..gauss.len], &mut scratch);
        }
        Ok(coefficients)
    }

    /// Adds the coefficients of up to eight triangles.
    fn add(
        &mut self,
        triangles: &[[[f64; 3]; 3]],
        rule: CoefficientRule,
        gauss: &[[f64; 2]],
        scratch: &mut Scratch,
    ) {
        let inverse = 1.0 / self.radius;
        // Unused lanes have a triangle without area.
        let mut corners = [[[0.0; LANES]; 3]; 3];
        for (lane, triangle) in triangles.iter().enumerate() {
            for (corner, &p) in corners.iter_mut().zip(triangle) {
                let away = minus(p, self.center);
                for k in 0..3 {
                    corner[k][lane] = away[k] * inverse;
                }
            }
        }
        scratch.out.resize(count(self.degree), Wide::default());
        match rule {
            CoefficientRule::Exact => {
                let [a, b, c] = corners;
                let edge = |p: [[f64; LANES]; 3], q: [[f64; LANES]; 3]| {
                    [p[0], p[1], p[2], q[0], q[1], q[2]]
                };
                run_reals(Rims {
                    degree: self.degree,
                    edges: &[edge(a, b), edge(b, c), edge(c, a)],
                    rule: gauss,
                    out: &mut scratch.out,
                    workspace: &mut scratch.workspace,
                    areas: &mut scratch.areas,
                });
            }
            CoefficientRule::Gauss(_) => run_reals(Areas {
                degree: self.degree,
                corners: &corners,
                rule: gauss,
                scratch,
            }),
        }
        for (value, sum) in self.values.iter_mut().zip(&scratch.out) {
            for k in 0..2 {
                value[k] += sum.0[k][..triangles.len()].iter().sum::<f64>();
            }
        }
    }

    /// The degree of the expansion.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The largest distance of a corner from the centre.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The winding number of the triangles about a point, by the truncated expansion; its error is
    /// small if the point is far from the centre in units of the radius.
    pub fn winding(&self, point: [f64; 3]) -> f64 {
        let away = minus(point, self.center).map(|x| x / self.radius);
        run_reals(At(self.degree, &self.values, away))
    }
}

/// Scratch memory of the kernels.
#[derive(Default)]
struct Scratch {
    out: Vec<Wide>,
    workspace: [Vec<Wide>; 2],
    areas: Vec<[Wide; 3]>,
}

/// Kernel that integrates over eight triangles by a Gauss rule.
struct Areas<'a> {
    degree: usize,
    /// The corners of the triangles, indexed by corner, axis and lane.
    corners: &'a [[[f64; LANES]; 3]; 3],
    rule: &'a [[f64; 2]],
    scratch: &'a mut Scratch,
}

impl RealKernel for Areas<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let p = self.degree - 1;
        let [a, b, c] = [0, 1, 2].map(|i| load_all::<V, 3>(&self.corners[i]));
        let u: [V; 3] = std::array::from_fn(|k| b[k] - a[k]);
        let v: [V; 3] = std::array::from_fn(|k| c[k] - a[k]);
        let normal = [
            u[2].neg_mul_add(v[1], u[1] * v[2]),
            u[0].neg_mul_add(v[2], u[2] * v[0]),
            u[1].neg_mul_add(v[0], u[0] * v[1]),
        ];
        let Scratch {
            out,
            workspace: [sums, harmonics],
            areas,
        } = self.scratch;
        sums.clear();
        sums.resize(count(p), Wide::default());
        harmonics.resize(count(p), Wide::default());
        for &[s, weight_s] in self.rule {
            for &[t, weight_t] in self.rule {
                // The triangle as a square with one side shrunk to a corner.
                let at: [V; 3] = std::array::from_fn(|k| {
                    u[k].mul_add(V::splat(s * (1.0 - t)), v[k].mul_add(V::splat(s * t), a[k]))
                });
                let square = at[0].mul_add(at[0], at[1].mul_add(at[1], at[2] * at[2]));
                REGULAR.all(p, at, square, V::splat(1.0), harmonics);
                let weight = V::splat(weight_s * weight_t * s);
                for k in 0..count(p) {
                    let (term, sum) = (harmonics[k].load::<V>(), sums[k].load::<V>());
                    sums[k].store([
                        term[0].mul_add(weight, sum[0]),
                        term[1].mul_add(weight, sum[1]),
                    ]);
                }
            }
        }
        areas.clear();
        areas.resize(count(p), [Wide::default(); 3]);
        for (area, sum) in areas.iter_mut().zip(sums.iter()) {
            for (area, normal) in area.iter_mut().zip(normal) {
                area.store(scaled_all(sum.load::<V>(), normal));
            }
        }
        assemble::<V>(self.degree, areas, |_| 1.0, out);
    }
}

/// Kernel that evaluates an expansion of some degree at a point, relative to the centre.
struct At<'a>(usize, &'a [Complex], [f64; 3]);

impl RealKernel for At<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<V: Reals>(self) -> f64 {
        let At(degree, values, away) = self;
        let square = V::splat(dot(away, away));
        let root = square.inverse_sqrt();
        let inverted = root * root;
        let at = scaled_all(away.map(V::splat), inverted);
        let mut out = [0.0; LANES];
        IRREGULAR
            .sum(degree, values, at, inverted, root)
            .store(&mut out);
        out[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::inside::solid_angle::total_angle;

    /// Rules that are exact up to the degree agree, and the expansion has the solid angles.
    #[test]
    fn rules_agree_and_converge() {
        let mesh = generate::knot(200).unwrap();
        let some: Vec<_> = (0..19).map(|face| mesh.triangle(face)).collect();
        let center = some[9][0];
        let by = |degree, rule| MultipoleCoefficients::new(&some, center, degree, rule).unwrap();
        for degree in [1, 2, 5, 10, 17] {
            let exact = by(degree, CoefficientRule::Exact);
            let far: [f64; 3] =
                std::array::from_fn(|k| center[k] + [0.36, 0.48, -0.8][k] * 4.0 * exact.radius());
            let gauss = by(degree, CoefficientRule::Gauss(degree.div_ceil(2) + 1));
            let (exact, gauss) = (exact.winding(far), gauss.winding(far));
            assert!((exact - gauss).abs() < 1e-15, "{degree}: {exact} {gauss}");
            let error = (exact - total_angle(far, &some).value).abs();
            let bound = 0.25f64.powi(degree as i32 + 1) * (degree + 1) as f64;
            assert!(error <= bound, "{degree}: {error:e} {bound:e}");
            // One point is a midpoint rule, which is wrong beyond degree 2.
            let rough = by(degree, CoefficientRule::Gauss(1)).winding(far);
            assert!((rough - exact).abs() < 1e-3 && (degree < 5 || rough != exact));
        }
    }

    #[test]
    fn bad_settings() {
        let one = [[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]];
        let new = |some: &[[[f64; 3]; 3]], degree, rule| {
            let made = MultipoleCoefficients::new(some, [0.0; 3], degree, rule);
            made.unwrap_err().to_string()
        };
        let gauss = CoefficientRule::Gauss;
        assert!(new(&[], 3, gauss(1)).starts_with("mesh: found no triangle"));
        assert!(new(&one, 31, gauss(1)).starts_with("degree of expansions: found 31"));
        assert!(new(&one, 3, gauss(16)).starts_with("points of the quadrature: found 16"));
        assert_eq!(gauss(3).evaluations(7), 9);
        assert_eq!(CoefficientRule::Exact.evaluations(7), 12);
    }
}
