//! Near field of the multipole method: solid angles of triangles, seen from eight points at
//! once.
//!
//! With `a`, `b`, `c` the corners relative to the point and `n = (b - a) x (c - a)` (van Oosterom
//! and Strackee 1983), half the solid angle is the argument of the complex number
//!
//! ```text
//! w = |a||b||c| + (a . b)|c| + (b . c)|a| + (c . a)|b| + i (n . a)
//! ```
//!
//! So half the sum of solid angles is the argument of a product, plus `2 pi` for every full turn of
//! the product: a triangle costs only a multiplication and two comparisons, and a point one arc
//! tangent. Distances are computed once for each corner of a cluster.
//!
//! If `w` is too near to the negative real axis, the branch cut, for its rounding error, then the
//! point is close to the triangle, and the pair is left to the caller.
//!
//! With `s = |a| + |b| + |c|`, rounding moves `w` by at most `4e-15 s^3`: products of three lengths
//! are at most that cube, each has a relative error of some ten units of 2^-53, and there are five.
//! So rounding turns `w` by at most `pi / 3 * 4e-15 s^3 / |w|`, which is summed up if results must
//! be accurate. The multiplications turn the product by less than the slack of this bound, since
//! `s^3 > 6 |w|`.

use super::clusters::Clusters;
use crate::simd::{LANES, RealKernel, Reals, load_all, scaled_all, splat_all};

/// The limit of closeness of a point and a triangle. Let `w` be the complex number of the triangle
/// whose argument is half its solid angle, and `s` the sum of the distances of its corners from the
/// point. If the real part and the magnitude of the imaginary part of `w` are both below this
/// fraction of `s^3`, then the triangle is left to the caller. Rounding errors of `w` are below
/// `4e-15 s^3` (see the head), so those of the other solid angles are below 4e-8 of 4 pi.
const CLOSE: f64 = 2e-8;

/// The bound on the rounding error of a sum of solid angles over 4 pi is this number times the sum
/// of `s^3 / |w|` over triangles. Here `s` is the sum of the distances of a triangle's corners from
/// the point, and `w` the complex number whose argument is half the solid angle. That sum itself is
/// accurate to 4%.
const ROUNDING: f64 = 1e-15;

/// A small number added to the limit of [`CLOSE`], so that the limit is never 0. It changes the
/// result only if all three corners of a triangle are within 1e-85 of the point, in units of the
/// body's size. With it the cubed sum of the distances of the corners is a normal number (not
/// subnormal) for all triangles that are not left to the caller.
const TINY: f64 = 1e-280;

/// The number of triangles after which the product of complex numbers is normalised, so that it
/// does not underflow. Let `s` be the sum of the distances of a triangle's corners from the point.
/// Each factor is divided by the largest power of two that is at most `s^3`. So factors are between
/// `CLOSE` and 1, whatever the sizes of triangles and distances, and this many of them have a
/// product above 1e-247.
const PRODUCTS: usize = 32;

/// The product of the complex numbers `w` of triangles, for each of eight points. The argument of
/// `w` is half the solid angle of a triangle, so the argument of the product, with full turns, is
/// half the sum of the solid angles.
#[derive(Clone, Copy, Debug)]
pub(super) struct AngleProduct {
    product: [[f64; LANES]; 2],
    /// The number of full turns of the product about 0, positive or negative, for each of the eight
    /// points.
    rounds: [f64; LANES],
    /// For each of the eight points, the sum of `s^3 / |w|` over triangles, from which [`ROUNDING`]
    /// gives the error bound; 0 if the error is not required.
    doubt: [f64; LANES],
}

impl Default for AngleProduct {
    fn default() -> Self {
        AngleProduct {
            product: [[1.0; LANES], [0.0; LANES]],
            rounds: [0.0; LANES],
            doubt: [0.0; LANES],
        }
    }
}

impl AngleProduct {
    /// The near field at point `lane` of eight: the sum of the solid angles of near triangles over
    /// 4 pi.
    pub(super) fn winding(&self, lane: usize) -> f64 {
        let [re, im] = self.product;
        let angle = libm::atan2(im[lane], re[lane]);
        angle * (0.5 * std::f64::consts::FRAC_1_PI) + self.rounds[lane]
    }

    /// Bound on the rounding error of the near field at point `lane` of eight,
    /// [`AngleProduct::winding`].
    pub(super) fn error(&self, lane: usize) -> f64 {
        // Turns and angle are added last.
        ROUNDING * self.doubt[lane] + f64::EPSILON * (1.0 + self.rounds[lane].abs())
    }
}

/// A triangle of the near field that is too close to some of eight points for floats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Close {
    pub(super) cluster: u32,
    pub(super) face: u32,
    /// The mask of those of the eight points that are too close to the triangle.
    pub(super) points: u32,
}

/// A corner relative to eight points: the three components of the vector, and its length.
pub(super) type RelativeCorner = [[f64; LANES]; 4];

/// Kernel of the near field: for each of eight points, multiplies the product `turn` by the complex
/// numbers `w` of all triangles of the clusters in `list`. With `MEASURED`, it also computes the
/// sum that bounds the rounding error.
pub(super) struct NearField<'a, const MEASURED: bool> {
    pub(super) clusters: &'a Clusters,
    pub(super) list: &'a [u32],
    pub(super) points: &'a [[f64; LANES]; 3],
    pub(super) turn: &'a mut AngleProduct,
    pub(super) close: &'a mut Vec<Close>,
    pub(super) seen: &'a mut Vec<RelativeCorner>,
}

impl<const MEASURED: bool> RealKernel for NearField<'_, MEASURED> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let [x, y, z] = load_all::<V, 3>(self.points);
        let (zero, one) = (V::splat(0.0), V::splat(1.0));
        let (close, tiny) = (V::splat(CLOSE), V::splat(TINY));
        let mut product = load_all::<V, 2>(&self.turn.product);
        let mut rounds = V::load(&self.turn.rounds);
        let mut doubt = V::load(&self.turn.doubt);
        let mut is_below = product[1].below(zero);
        for &cluster in self.list {
            let node = &self.clusters.nodes[cluster as usize];
            let corners = &self.clusters.corners[node.corners()];
            if self.seen.len() < corners.len() {
                self.seen.resize(corners.len(), [[0.0; LANES]; 4]);
            }
            let seen = &mut self.seen[..corners.len()];
            for (seen, corner) in seen.iter_mut().zip(corners) {
                let [dx, dy, dz] = [
                    V::splat(corner[0]) - x,
                    V::splat(corner[1]) - y,
                    V::splat(corner[2]) - z,
                ];
                let length = dx.mul_add(dx, dy.mul_add(dy, dz * dz)).sqrt();
                let [to_x, to_y, to_z, to_length] = seen;
                dx.store(to_x);
                dy.store(to_y);
                dz.store(to_z);
                length.store(to_length);
            }
            let faces = node.faces();
            for (i, face) in self.clusters.faces[faces.clone()].iter().enumerate() {
                let [a, b, c] = face.corners;
                let a = load_all::<V, 4>(&seen[a as usize]);
                let b = load_all::<V, 4>(&seen[b as usize]);
                let c = load_all::<V, 4>(&seen[c as usize]);
                let normal = splat_all::<V, 3>(face.normal);
                let mut im = a[0].mul_add(normal[0], a[1].mul_add(normal[1], a[2] * normal[2]));
                let [ab, bc, ca] = [product_of(a, b), product_of(b, c), product_of(c, a)];
                let [la, lb, lc] = [a[3], b[3], c[3]];
                let mut re = la.mul_add(lb, ab).mul_add(lc, bc.mul_add(la, ca * lb));
                let sum = la + lb + lc;
                let cube = sum * sum * sum;
                let limit = cube.mul_add(close, tiny);
                let doubtful = V::and(im.abs().below(limit), re.below(limit));
                let bits = V::bits(doubtful);
                let scale = cube.inverse_power();
                (re, im) = (re * scale, im * scale);
                if bits != 0 {
                    self.close.push(Close {
                        cluster,
                        face: (faces.start + i) as u32,
                        points: bits,
                    });
                    // Multiply these lanes by 1.
                    im = im - im.only(doubtful);
                    re = re - (re - one).only(doubtful);
                }
                if MEASURED {
                    let term = (cube * scale) * re.mul_add(re, im * im).rough_inverse_sqrt();
                    doubt = doubt + (term - term.only(doubtful));
                }
                let next = [
                    product[1].neg_mul_add(im, product[0] * re),
                    product[0].mul_add(im, product[1] * re),
                ];
                // Two angles of the same sign whose sum has the other sign: a full turn.
                let (was, turns, is) = (is_below, im.below(zero), next[1].below(zero));
                let up = V::and_not(V::and_not(is, was), turns);
                let down = V::and_not(V::and(was, turns), is);
                rounds = rounds + one.only(up) - one.only(down);
                (product, is_below) = (next, is);
                if i % PRODUCTS == PRODUCTS - 1 {
                    product = of_unit_size(product);
                }
            }
            product = of_unit_size(product);
        }
        product[0].store(&mut self.turn.product[0]);
        product[1].store(&mut self.turn.product[1]);
        rounds.store(&mut self.turn.rounds);
        doubt.store(&mut self.turn.doubt);
    }
}

/// The complex product of the near field, divided by the sum of the magnitudes of its real and
/// imaginary parts, so that it neither overflows nor underflows.
#[inline(always)]
fn of_unit_size<V: Reals>(product: [V; 2]) -> [V; 2] {
    let factor = V::splat(1.0).div(product[0].abs() + product[1].abs());
    scaled_all(product, factor)
}

/// The dot product of two corners of near triangles, both relative to the same point, for eight
/// points.
#[inline(always)]
fn product_of<V: Reals>(p: [V; 4], q: [V; 4]) -> V {
    p[0].mul_add(q[0], p[1].mul_add(q[1], p[2] * q[2]))
}
