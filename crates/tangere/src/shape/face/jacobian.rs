//! Jacobian of a finite element face: tests whether it is positive everywhere. If not, the face is
//! folded.
//!
//! The Jacobian of a face is `J(xi) = (x_u × x_v) . n`, with `x_u` and `x_v` the tangents
//! (derivatives of the point `x` along the reference coordinates `xi = (u, v)`) and `n` the
//! direction of the mean of `x_u × x_v` over the reference domain. It is the Jacobian of the face
//! projected along its mean normal. Where it is not positive, the face is reversed, has no tangent
//! plane, or bends by a right angle or more; a signed gap to such a face is not defined. For a
//! segment `x` with ends `v_0` and `v_1` it is `x' . (v_1 - v_0)`.
//!
//! `J` is a polynomial. Its Bernstein coefficients bound it from below; where they do not decide,
//! the domain is subdivided. Only signs and ratios of `J` matter, so constant factors are left out.
//! `J` has degree 1 by 1 for `Quad4`, 3 by 3 for `Quad8` and `Quad9`, 2 for `Tri6`; it is constant
//! for `Tri3`. Cost: a few hundred operations for a valid face.
//!
//! A face that rounding leaves undecided is taken as folded: if its nodes are collinear up to
//! rounding, cross products of tangents are only rounding error, and there is no normal.

use super::{Face, FaceKind, FaceMesh};
use crate::error::{Argument, Error, Result, number};
use crate::geometry::vector::{cross, direction, dot, largest, minus};
use rayon::prelude::*;

/// An upper bound of the rounding error of a Bernstein coefficient of the Jacobian of a face. The
/// coefficient is a sum of some dozens of products of differences of control points, which are
/// scaled so that their largest coordinate has magnitude 1; each product has an error of some
/// rounding units.
const ROUNDING: f64 = 256.0 * f64::EPSILON;

/// Maximum depth of the subdivision of the reference domain in the test of a Jacobian. A part at
/// this depth has `4^-20` of the area of the domain. If it is still undecided, the Jacobian there
/// is close to 0, and the face counts as folded.
const DEPTH: u32 = 20;

/// Maximum number of parts of the reference domain in which the Jacobian of a face is tested. If it
/// is reached, the face counts as folded. A Jacobian that is nearly 0 along a curve would need very
/// many parts.
const PIECES: usize = 4096;

/// A fold of a face: a point where its Jacobian is not positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fold {
    /// The reference coordinates of a point where the Jacobian is not positive.
    pub xi: [f64; 2],
    /// The Jacobian at `xi`, divided by an upper bound of its magnitude over the face, its largest
    /// Bernstein coefficient. It is negative, 0, or so close to 0 that its sign is undecided.
    pub jacobian: f64,
}

impl Face {
    /// Returns a fold of the face; none if its Jacobian is positive everywhere. A face whose area
    /// is 0 up to rounding is folded at its centre.
    pub fn fold(&self) -> Option<Fold> {
        let kind = self.kind();
        let nodes = self.nodes();
        let nowhere = Fold {
            xi: kind.center(),
            jacobian: 0.0,
        };
        if kind == FaceKind::Seg2 {
            return (nodes[0] == nodes[1]).then_some(nowhere);
        }
        let Some(p) = self.scaled_control_points() else {
            return Some(nowhere);
        };
        match kind {
            FaceKind::Tri3 => (!has_any(&[triangle_normal(&p)], &p)).then_some(nowhere),
            FaceKind::Seg2 | FaceKind::Seg3 => {
                let chord = minus(p[1], p[0]);
                let slopes = [minus(p[2], p[0]), minus(p[1], p[2])].map(|d| dot(d, chord));
                let largest = slopes[0].abs().max(slopes[1].abs());
                (0..2)
                    .find(|&i| slopes[i] <= ROUNDING * largest)
                    .map(|i| Fold {
                        xi: kind.on_edge(i, 0.0),
                        jacobian: relative(slopes[i], largest),
                    })
            }
            FaceKind::Tri6 => JacobianNet::of(triangle_normals(&p), &p)
                .map_or(Some(nowhere), |net| net.fold_of_triangle()),
            FaceKind::Quad4 => {
                JacobianNet::of(bilinear_normals(&p), &p).map_or(Some(nowhere), |net| {
                    // Bilinear functions have their extremes at corners.
                    let corner = (0..4).find(|&i| net.values[i] <= net.least)?;
                    Some(Fold {
                        xi: kind.on_edge(corner, 0.0),
                        jacobian: relative(net.values[corner], net.largest),
                    })
                })
            }
            FaceKind::Quad8 | FaceKind::Quad9 => JacobianNet::of(biquadratic_normals(&p), &p)
                .map_or(Some(nowhere), |net| net.fold_of_quadrilateral()),
        }
    }

    /// Returns whether the face has an area: some Bernstein coefficient of the cross product of its
    /// tangents exceeds the rounding error. False if all nodes are collinear up to rounding; always
    /// true for segments.
    pub fn has_area(&self) -> bool {
        let kind = self.kind();
        kind.dimension() == 1
            || self.scaled_control_points().is_some_and(|p| match kind {
                FaceKind::Tri3 => has_any(&[triangle_normal(&p)], &p),
                FaceKind::Tri6 => has_any(&triangle_normals(&p), &p),
                FaceKind::Quad4 => has_any(&bilinear_normals(&p), &p),
                _ => has_any(&biquadratic_normals(&p), &p),
            })
    }

    /// Returns the Bernstein control points of the face for the test of its Jacobian: relative to
    /// the first node and scaled so that the largest magnitude of a coordinate is 1 and nothing
    /// overflows. None if all control points coincide.
    fn scaled_control_points(&self) -> Option<Points> {
        // Subtraction comes first, because coordinates may be far from the origin.
        let nodes = self.nodes();
        let mut moved = [[0.0; 3]; FaceKind::NODES_MAX];
        for (place, &node) in moved.iter_mut().zip(nodes) {
            *place = minus(node, nodes[0]);
        }
        let face = Face::from_valid(self.kind(), &moved[..nodes.len()]);
        let mut points = face.control_points().points;
        let size = points.iter().fold(0.0, |m: f64, &p| m.max(largest(p)));
        if size == 0.0 {
            return None;
        }
        points.iter_mut().for_each(|p| *p = p.map(|x| x / size));
        Some(points)
    }
}

/// The Bernstein control points of a face, for the test of its Jacobian. If the face has fewer
/// control points than the array has entries, the other entries are zero.
type Points = [[f64; 3]; FaceKind::NODES_MAX];

/// Returns upper bounds of the rounding errors of the three coordinates of a Bernstein coefficient
/// of `x_u × x_v`, the cross product of the tangents in the Jacobian. Each is [`ROUNDING`] times
/// the product of the largest magnitudes of the other two coordinates among the control points.
fn errors(points: &Points) -> [f64; 3] {
    let [x, y, z]: [f64; 3] =
        std::array::from_fn(|k| points.iter().fold(0.0, |m: f64, p| m.max(p[k].abs())));
    [y * z, z * x, x * y].map(|product| ROUNDING * product)
}

/// Returns whether any of `normals` exceeds its rounding error in some coordinate. They are the
/// Bernstein coefficients of `x_u × x_v`, the cross product of the tangents in the Jacobian.
fn has_any(normals: &[[f64; 3]], points: &Points) -> bool {
    let errors = errors(points);
    let is_sure = |n: &[f64; 3]| (0..3).any(|k| n[k].abs() > errors[k]);
    normals.iter().any(is_sure)
}

impl FaceMesh {
    /// Returns the indices of the faces that are folded: their Jacobian is not positive everywhere,
    /// see [`Face::fold`].
    pub fn folded(&self) -> Vec<u32> {
        let faces = (0..self.len() as u32).into_par_iter();
        faces
            .filter(|&f| self.face(f as usize).fold().is_some())
            .collect()
    }

    /// Rejects a mesh with a folded face, whose Jacobian is not positive everywhere; the error
    /// names the face.
    pub fn check_folds(&self) -> Result<()> {
        let first = crate::parallel::first(self.len(), |f| self.face(f).fold().is_some());
        match first.and_then(|f| Some((f, self.face(f).fold()?))) {
            None => Ok(()),
            Some((f, fold)) => Err(Error::item(
                Argument::Face,
                f,
                format!(
                    "a folded {}: its Jacobian is {} of its largest at xi = {:?}",
                    self.kind(f),
                    number(fold.jacobian),
                    &fold.xi[..self.kind(f).dimension()],
                ),
                "a positive Jacobian everywhere",
            )),
        }
    }
}

/// Returns a value of the Jacobian divided by `largest`, its largest Bernstein coefficient; 0 if
/// that is 0.
fn relative(value: f64, largest: f64) -> f64 {
    if largest == 0.0 { 0.0 } else { value / largest }
}

/// The Bernstein coefficients of the Jacobian of a face.
struct JacobianNet<const N: usize> {
    values: [f64; N],
    largest: f64,
    /// The upper bound of the rounding error of the Jacobian: only values above it are known to be
    /// positive.
    least: f64,
}

impl<const N: usize> JacobianNet<N> {
    /// Returns the Bernstein coefficients of the Jacobian of a face: the dot products of `normals`
    /// and the direction of their mean. `normals` has the Bernstein coefficients of the cross
    /// product of the tangents; their mean is the mean over the reference domain. None if the mean
    /// is 0 up to rounding.
    fn of(normals: [[f64; 3]; N], points: &Points) -> Option<Self> {
        let mut mean = [0.0; 3];
        for normal in &normals {
            for k in 0..3 {
                mean[k] += normal[k] / N as f64;
            }
        }
        if !has_any(&[mean], points) {
            return None;
        }
        let mean = direction(mean)?;
        let values = normals.map(|normal| dot(normal, mean));
        let largest = values.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        Some(JacobianNet {
            values,
            largest,
            least: dot(errors(points), mean.map(f64::abs)) + ROUNDING * largest,
        })
    }
}

impl JacobianNet<6> {
    /// Returns the polar form (blossom) of the Jacobian of a quadratic triangle at two points,
    /// given in barycentric coordinates. For two corners of a part of the domain, it is a Bernstein
    /// coefficient of the Jacobian on that part.
    fn polar(&self, a: [f64; 3], b: [f64; 3]) -> f64 {
        const PAIR: [[usize; 3]; 3] = [[0, 3, 5], [3, 1, 4], [5, 4, 2]];
        let mut sum = 0.0;
        for i in 0..3 {
            for j in 0..3 {
                sum += a[i] * b[j] * self.values[PAIR[i][j]];
            }
        }
        sum
    }

    /// Returns a fold of a quadratic triangle, found by subdivision of the reference domain of its
    /// Jacobian; none if the Jacobian is positive everywhere.
    fn fold_of_triangle(&self) -> Option<Fold> {
        if self.values.iter().all(|&x| x > self.least) {
            return None;
        }
        let mut stack = vec![([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], 0)];
        let mut seen = 0;
        while let Some((corners, depth)) = stack.pop() {
            seen += 1;
            let at = |i: usize, j: usize| self.polar(corners[i], corners[j]);
            let [a, b, c]: [[f64; 3]; 3] = corners;
            for (i, corner) in corners.iter().enumerate() {
                let value = at(i, i);
                if value <= self.least || depth == DEPTH || seen == PIECES {
                    return Some(Fold {
                        xi: [corner[1], corner[2]],
                        jacobian: relative(value, self.largest),
                    });
                }
            }
            if [at(0, 1), at(1, 2), at(2, 0)]
                .iter()
                .all(|&x| x > self.least)
            {
                continue;
            }
            let half = |p: [f64; 3], q: [f64; 3]| std::array::from_fn(|k| 0.5 * (p[k] + q[k]));
            let (ab, bc, ca) = (half(a, b), half(b, c), half(c, a));
            for part in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
                stack.push((part, depth + 1));
            }
        }
        None
    }
}

impl JacobianNet<16> {
    /// Returns a fold of a biquadratic quadrilateral, found by subdivision of the reference domain
    /// of its Jacobian; none if the Jacobian is positive everywhere.
    fn fold_of_quadrilateral(&self) -> Option<Fold> {
        if self.values.iter().all(|&x| x > self.least) {
            return None;
        }
        // An entry has the coefficients, the middle and the half width of a part, and its depth.
        let mut stack = vec![(self.values, [0.0, 0.0], 1.0, 0)];
        let mut seen = 0;
        while let Some((net, middle, half, depth)) = stack.pop() {
            seen += 1;
            for (i, x) in [(0, -1.0), (3, 1.0)] {
                for (j, y) in [(0, -1.0), (3, 1.0)] {
                    let value = net[4 * j + i];
                    if value <= self.least || depth == DEPTH || seen == PIECES {
                        return Some(Fold {
                            xi: [middle[0] + half * x, middle[1] + half * y],
                            jacobian: relative(value, self.largest),
                        });
                    }
                }
            }
            if net.iter().all(|&x| x > self.least) {
                continue;
            }
            let quarter = 0.5 * half;
            for (j, lower) in halves(&net, 4, 1).into_iter().enumerate() {
                for (i, part) in halves(&lower, 1, 4).into_iter().enumerate() {
                    let shift = |k: usize| if k == 0 { -quarter } else { quarter };
                    let middle = [middle[0] + shift(i), middle[1] + shift(j)];
                    stack.push((part, middle, quarter, depth + 1));
                }
            }
        }
        None
    }
}

/// Splits the domain of a Jacobian with 4 by 4 Bernstein coefficients in two halves along one
/// coordinate, by de Casteljau's algorithm. Returns the coefficients of the Jacobian on each half.
/// Neighbours along that coordinate are `step` apart in `net`, neighbours along the other
/// coordinate `across`.
fn halves(net: &[f64; 16], step: usize, across: usize) -> [[f64; 16]; 2] {
    let (mut low, mut high) = (*net, *net);
    for row in 0..4 {
        let at = |k: usize| row * across + k * step;
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| net[at(k)]);
        let (ab, bc, cd) = (0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + d));
        let (abc, bcd) = (0.5 * (ab + bc), 0.5 * (bc + cd));
        let middle = 0.5 * (abc + bcd);
        for (k, (x, y)) in [(a, middle), (ab, bcd), (abc, cd), (middle, d)]
            .into_iter()
            .enumerate()
        {
            low[at(k)] = x;
            high[at(k)] = y;
        }
    }
    [low, high]
}

/// Returns the cross product `x_u × x_v` of the tangents of a flat triangle, for its Jacobian.
fn triangle_normal(p: &Points) -> [f64; 3] {
    cross(minus(p[1], p[0]), minus(p[2], p[0]))
}

/// Returns the Bernstein coefficients of a fourth of `x_u × x_v`, the cross product of the tangents
/// in the Jacobian of a quadratic triangle, in the order of its nodes. Both tangents are linear;
/// their coefficients are twice the differences of neighbouring control points. The two factors 2
/// are left out.
fn triangle_normals(p: &Points) -> [[f64; 3]; 6] {
    let u = [minus(p[3], p[0]), minus(p[1], p[3]), minus(p[4], p[5])];
    let v = [minus(p[5], p[0]), minus(p[4], p[3]), minus(p[2], p[5])];
    let product = |i: usize, j: usize| {
        let (a, b) = (cross(u[i], v[j]), cross(u[j], v[i]));
        std::array::from_fn(|k| 0.5 * (a[k] + b[k]))
    };
    [
        product(0, 0),
        product(1, 1),
        product(2, 2),
        product(0, 1),
        product(1, 2),
        product(2, 0),
    ]
}

/// Returns the Bernstein coefficients of `x_u × x_v`, the cross product of the tangents in the
/// Jacobian of a bilinear quadrilateral, up to a constant factor: one for each corner.
fn bilinear_normals(p: &Points) -> [[f64; 3]; 4] {
    std::array::from_fn(|i| {
        let along = minus(p[(i + 1) % 4], p[i]);
        let back = minus(p[(i + 3) % 4], p[i]);
        cross(along, back)
    })
}

/// Returns the Bernstein coefficients of `x_u × x_v`, the cross product of the tangents in the
/// Jacobian of a biquadratic quadrilateral, up to a constant factor: 4 by 4, row by row.
///
/// `x_u` has degree 1 by 2 with coefficients `U_ij`, and `x_v` degree 2 by 1 with coefficients
/// `V_i'j'`. Their product has the coefficients `sum b(i, i', 3) b(j', j, 3) U_ij × V_i'j'` over
/// `i + i' = k`, `j + j' = l`, with `b(i, i', 3) = C(1, i) C(2, i') / C(3, i + i')` and `C` the
/// binomial coefficients.
fn biquadratic_normals(p: &Points) -> [[f64; 3]; 16] {
    const NET: [[usize; 3]; 3] = [[0, 4, 1], [7, 8, 5], [3, 6, 2]];
    // The binomial coefficients are `C(1, i) = 1`, `C(2, i')` and `C(3, k)`.
    const TWO: [f64; 3] = [1.0, 2.0, 1.0];
    const THREE: [f64; 4] = [1.0, 3.0, 3.0, 1.0];
    let mut normals = [[0.0; 3]; 16];
    for j in 0..3 {
        for i in 0..2 {
            let u = minus(p[NET[j][i + 1]], p[NET[j][i]]);
            for jj in 0..2 {
                for ii in 0..3 {
                    let v = minus(p[NET[jj + 1][ii]], p[NET[jj][ii]]);
                    let (k, l) = (i + ii, j + jj);
                    let weight = TWO[ii] * TWO[j] / (THREE[k] * THREE[l]);
                    let product = cross(u, v);
                    for axis in 0..3 {
                        normals[4 * l + k][axis] += weight * product[axis];
                    }
                }
            }
        }
    }
    normals
}
