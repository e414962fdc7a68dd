//! Panel clustering: the double layer potential from Taylor expansions of the kernel about the centres
//! of clusters. `muth2006`, section 2.1.2, after Hackbusch and Nowak (1989).
//!
//! With `z` the centre of a cluster and `nu` a multi-index, a Taylor expansion in `y` separates the
//! variables of the kernel (10):
//!
//! ```text
//! 1 / |x - y| = sum over nu of b[nu] (y - z)^nu,    b[nu] = D^nu (1 / |x - y|) / nu!  at y = z
//! ```
//!
//! Far clusters contribute the sum of `b[nu] m[nu]` for `|nu| <= p`, where the moment `m[nu]` is
//! `-1 / (4 pi)` times the integral of the normal derivative of `(y - z)^nu` over the cluster. Near
//! clusters are divided, and leaves summed triangle by triangle. A cluster is far if eq. (16) has it
//! in the far field of a cell that is the point alone.
//!
//! *Taylor coefficients.* From `|x - y|^2 grad (1 / |x - y|) = (x - y) / |x - y|`, with `a = x - z`,
//! `R = |a|`, `n = |nu|` and unit multi-indices `e[i]`:
//!
//! ```text
//! n R^2 b[nu] = (2n - 1) sum over i of a[i] b[nu - e[i]] - (n - 1) sum over i of b[nu - 2 e[i]]
//! ```
//!
//! *Moments.* The derivative of `(y - z)^nu` along the normal `N` is the sum of `N[i] nu[i] (y -
//! z)^(nu - e[i])`. Integrals of monomials over a triangle come from a Gauss rule that is exact up to
//! their degree. A parent has the moments of its children about its own centre, by the binomial
//! theorem, one axis after the other.
//!
//! *Error.* The terms of degree `n` are together those of the expansion in spherical harmonics of
//! degree `n`: both are the part of the kernel that is homogeneous of degree `n` in `y - z`. So the
//! bound on the truncated degrees is the same ([`super::error_bound`]); but there are
//! `(p + 1)(p + 2)(p + 3) / 6` terms instead of `(p + 1)^2`. Terms of one degree may cancel: the series
//! of their magnitudes is at most `1 / sqrt(R^2 - 2 R |y - z| - |y - z|^2)`, whose terms grow as
//! `(1 + sqrt(2))^n`. It bounds rounding errors.
//!
//! Cost: `O(N p^5)` for the set-up of `N` triangles, `O(p^3 log N)` for a point.
//!
//! *Deviates:* the paper names the method and does not use it. Triangles are clustered as for the
//! fast multipole method, by an octree. The error bound of each point counts: where it leaves the side
//! open, or exceeds the accuracy, the point is evaluated again.

use super::clusters::{Cluster, Clusters};
use super::direct_sums::Mark;
use super::error_bound::{Source, rest};
use super::gauss_rule::GaussRule;
use super::winding_value::Value;
use crate::geometry::point_on_triangle;
use crate::geometry::vector::{dot, minus};
use crate::inside::PublishedPanels;
use crate::inside::solid_angle::solid_angle;
use crate::stop::Current;
use rayon::prelude::*;

/// The largest degree of Taylor expansions.
pub(super) const MOST: usize = PublishedPanels::DEGREE_MAX;

/// The number of multi-indices of degrees up to [`MOST`], and one more place, which is 0.
const PLACES: usize = terms(MOST) + 1;

/// The maximum number of clusters to be visited: at most eight on each of 21 levels, and two on each
/// level of a division by numbers.
const OPEN: usize = 256;

/// The number of points that a thread evaluates at a time.
const CHUNK: usize = 16;

/// The distance from the body, in units of its size, beyond which winding numbers are 0: squares of
/// smaller distances do not overflow. Beyond it triangles cover less than [`FAR_ERROR`] of all
/// directions.
const FAR: f64 = (1u128 << 100) as f64;
const FAR_ERROR: f64 = 1.0 / (1u64 << 48) as f64;

/// The growth of the magnitudes of Taylor terms from degree to degree: `1 + sqrt(2)`, rounded up.
const GROWTH: f64 = 2.415;

/// The number of multi-indices of degrees up to `p`: terms of a Taylor expansion.
pub(super) const fn terms(p: usize) -> usize {
    (p + 1) * (p + 2) * (p + 3) / 6
}

/// The index of a multi-index in a list that is sorted by degree.
const fn index([i, j, k]: [usize; 3]) -> usize {
    let n = i + j + k;
    n * (n + 1) * (n + 2) / 6 + (n - i) * (n - i + 1) / 2 + k
}

/// A multi-index and the places of those from which it follows by recurrence.
#[derive(Clone, Copy, Debug)]
struct Term {
    nu: [usize; 3],
    /// The indices of `nu - e[i]`, and of `nu - 2 e[i]`; the place after all terms if there is none.
    one_less: [usize; 3],
    two_less: [usize; 3],
}

/// All multi-indices up to a degree, sorted by degree.
fn multi_indices(degree: usize) -> Vec<Term> {
    let none = terms(degree);
    let mut list = Vec::with_capacity(none);
    for n in 0..=degree {
        for i in (0..=n).rev() {
            for k in 0..=n - i {
                let nu = [i, n - i - k, k];
                let less = |axis: usize, by: usize| match nu[axis] >= by {
                    true => {
                        let mut nu = nu;
                        nu[axis] -= by;
                        index(nu)
                    }
                    false => none,
                };
                list.push(Term {
                    nu,
                    one_less: std::array::from_fn(|axis| less(axis, 1)),
                    two_less: std::array::from_fn(|axis| less(axis, 2)),
                });
            }
        }
    }
    list
}

/// A surface prepared for panel clustering: the Taylor moments of all clusters.
#[derive(Clone, Debug)]
pub(super) struct Panels {
    pub(super) degree: usize,
    /// The number `d` of eq. (16).
    separation: f64,
    list: Vec<Term>,
    /// The moments of all clusters, one after the other, in units of the radius of the cluster.
    moments: Vec<f64>,
}

impl Panels {
    /// Computes the Taylor moments of all clusters up to a degree.
    pub(super) fn new(clusters: &Clusters, degree: usize, separation: f64) -> Self {
        let list = multi_indices(degree);
        let per = list.len();
        let mut moments = vec![0.0; per * clusters.nodes.len()];
        let mut rule = GaussRule::default();
        rule.set(degree / 2 + 1);
        let rule = &rule.points[..rule.len];
        for range in clusters.levels.windows(2).rev() {
            let (upper, below) = moments.split_at_mut(per * range[1]);
            let level = &mut upper[per * range[0]..];
            let nodes = &clusters.nodes[range[0]..range[1]];
            level
                .par_chunks_mut(per)
                .zip(nodes)
                .for_each(|(own, node)| match node.is_leaf() {
                    true => of_leaf(clusters, node, &list, rule, own),
                    false => {
                        for c in node.children() {
                            let from = per * (c - range[1]);
                            let child = &below[from..from + per];
                            add_child(node, &clusters.nodes[c], &list, child, own);
                        }
                    }
                });
        }
        Panels {
            degree,
            separation,
            list,
            moments,
        }
    }

    /// The number of terms of an expansion.
    pub(super) fn terms(&self) -> usize {
        self.list.len()
    }

    /// Writes the winding numbers of points, with error bounds, to `out`.
    pub(super) fn answer(&self, clusters: &Clusters, points: &[[f64; 3]], out: &mut [Value]) {
        let stop = Current::new();
        let points = points.par_chunks(CHUNK);
        points
            .zip(out.par_chunks_mut(CHUNK))
            .for_each(|(points, out)| {
                if stop.is_requested() {
                    return;
                }
                for (&p, out) in points.iter().zip(out) {
                    *out = self.value(clusters, p).or_unknown();
                }
            });
    }

    /// The winding number of a point, which is in the mesh's coordinates.
    fn value(&self, clusters: &Clusters, p: [f64; 3]) -> Value {
        let at = p.map(|x| x * clusters.unit);
        let root = &clusters.nodes[0];
        let mut value = Value::default();
        if (0..3).any(|k| (at[k] - root.center[k]).abs() >= FAR) {
            value.error = FAR_ERROR;
            return value;
        }
        let reach = self.separation + 1.0;
        let (mut open, mut len) = ([0u32; OPEN], 1);
        let (mut size, mut count) = (0.0, 0.0);
        while len > 0 {
            len -= 1;
            let c = open[len] as usize;
            let node = &clusters.nodes[c];
            let away = minus(at, node.center);
            let distance = dot(away, away).sqrt();
            if distance > reach * node.radius {
                let far = self.far(node, c, away, distance);
                value.winding += far.winding;
                value.error += far.error;
                size += far.winding.abs();
                count += 1.0;
            } else if !node.is_leaf() {
                for child in node.children() {
                    open[len] = child as u32;
                    len += 1;
                }
            } else {
                for face in node.faces() {
                    let triangle = clusters.triangle(c, face);
                    let angle = solid_angle(p, triangle);
                    value.winding += angle.value;
                    value.error += angle.error;
                    size += angle.value.abs();
                    count += 1.0;
                    // In the plane of a triangle its solid angle is exactly 0.
                    if angle.value == 0.0 && point_on_triangle(p, triangle).is_some() {
                        value.mark = Mark::On;
                    }
                }
            }
        }
        value.error += size * count * f64::EPSILON;
        value
    }

    /// The Taylor expansion of a cluster at a point, which is off its centre by `away`.
    fn far(&self, node: &Cluster, cluster: usize, away: [f64; 3], distance: f64) -> Value {
        let p = self.degree;
        let inverse = 1.0 / node.radius;
        let a = away.map(|x| x * inverse);
        let square = dot(a, a);
        let mut b = [0.0; PLACES];
        b[0] = 1.0 / square.sqrt();
        let moments = &self.moments[cluster * self.list.len()..][..self.list.len()];
        let mut sum = 0.0;
        let mut from = 1;
        for n in 1..=p {
            let degree = n as f64;
            let scale = 1.0 / (degree * square);
            let (once, twice) = ((2.0 * degree - 1.0) * scale, (degree - 1.0) * scale);
            let to = terms(n);
            for t in from..to {
                let Term {
                    one_less: [i, j, k],
                    two_less: [ii, jj, kk],
                    ..
                } = self.list[t];
                let first = a[0] * b[i] + a[1] * b[j] + a[2] * b[k];
                let second = b[ii] + b[jj] + b[kk];
                b[t] = once * first - twice * second;
                sum += b[t] * moments[t];
            }
            from = to;
        }
        let none = [0.0; MOST + 1];
        let source = Source {
            radius: node.radius,
            norms: &none[..=p],
            rest: rest(node, p),
        };
        Value {
            winding: sum,
            error: source.direct_error(distance, p) + rounding(node, distance, p),
            mark: Mark::Off,
        }
    }
}

/// Bound on the rounding error of a Taylor expansion at a distance from the centre of its cluster.
/// The normal derivative of the terms of degree `n` has magnitudes of at most
/// `n (1 + sqrt(2))^n q^(n + 1)` times the area, in squared radii, over `4 pi`; `q` is the radius over
/// the distance. Each term has a relative error of a few units of 2^-53 for each degree below it.
fn rounding(node: &Cluster, distance: f64, degree: usize) -> f64 {
    let q = node.radius / distance;
    let mut power = 1.0;
    for _ in 0..degree {
        power *= (GROWTH * q).max(1.0);
    }
    let cube = (degree * degree * degree) as f64;
    let area = node.area / (node.radius * node.radius);
    8.0 * f64::EPSILON * cube * power * q * area
}

/// Computes the Taylor moments of a leaf cluster from its triangles.
fn of_leaf(clusters: &Clusters, node: &Cluster, list: &[Term], rule: &[[f64; 2]], out: &mut [f64]) {
    let inverse = 1.0 / node.radius;
    let corners = &clusters.corners[node.corners()];
    let factor = -0.25 * std::f64::consts::FRAC_1_PI;
    // Monomials at a point, and their integrals over a triangle; the last place stays 0.
    let (mut monomials, mut integrals) = ([0.0; PLACES], [0.0; PLACES]);
    for face in &clusters.faces[node.faces()] {
        let [a, b, c] = face
            .corners
            .map(|c| minus(corners[c as usize], node.center).map(|x| x * inverse));
        let (u, v) = (minus(b, a), minus(c, a));
        integrals[..list.len()].fill(0.0);
        for &[s, weight_s] in rule {
            for &[t, weight_t] in rule {
                // The triangle as a square with one side shrunk to a corner.
                let y: [f64; 3] = std::array::from_fn(|k| a[k] + s * (u[k] * (1.0 - t) + v[k] * t));
                let weight = weight_s * weight_t * s;
                monomials[0] = 1.0;
                integrals[0] += weight;
                for (place, term) in list.iter().enumerate().skip(1) {
                    let axis = (0..3).find(|&k| term.nu[k] > 0).unwrap_or(0);
                    monomials[place] = y[axis] * monomials[term.one_less[axis]];
                    integrals[place] += weight * monomials[place];
                }
            }
        }
        // The normal has the length of twice the area, and so has the square.
        let normal = face.normal.map(|x| x * (inverse * inverse * factor));
        for (out, term) in out.iter_mut().zip(list) {
            for axis in 0..3 {
                *out += normal[axis] * term.nu[axis] as f64 * integrals[term.one_less[axis]];
            }
        }
    }
}

/// Adds the Taylor moments of a child cluster to those of its parent.
fn add_child(parent: &Cluster, child: &Cluster, list: &[Term], moments: &[f64], out: &mut [f64]) {
    let inverse = 1.0 / parent.radius;
    let ratio = child.radius * inverse;
    let shift = minus(child.center, parent.center).map(|x| x * inverse);
    let mut moved = [0.0; PLACES];
    for ((moved, term), moment) in moved.iter_mut().zip(list).zip(moments) {
        let degree: usize = term.nu.iter().sum();
        let power = (0..=degree).fold(1.0, |power, _| power * ratio);
        *moved = moment * power;
    }
    for axis in 0..3 {
        // From the highest degree down: lower ones are still about the child's centre.
        for place in (0..list.len()).rev() {
            let nu = list[place].nu[axis];
            let mut sum = moved[place];
            let (mut below, mut factor) = (place, 1.0);
            for k in 1..=nu {
                below = list[below].one_less[axis];
                // binom(nu, k) shift^k
                factor *= shift[axis] * (nu + 1 - k) as f64 / k as f64;
                sum += factor * moved[below];
            }
            moved[place] = sum;
        }
    }
    for (out, moved) in out.iter_mut().zip(moved) {
        *out += moved;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::inside::multipole::expansion_values::Far;
    use crate::inside::multipole::moments::Moments;
    use crate::inside::solid_angle::total_angle;
    use crate::simd::{LANES, run_reals};

    #[test]
    fn multi_indices_have_their_places() {
        let list = multi_indices(7);
        assert_eq!(list.len(), terms(7));
        for (place, term) in list.iter().enumerate() {
            assert_eq!(index(term.nu), place);
        }
        assert_eq!(list[index([2, 1, 0])].one_less[0], index([1, 1, 0]));
        assert_eq!(list[index([2, 1, 0])].two_less[1], terms(7));
    }

    /// Of every cluster the Taylor expansion has the value of the expansion in spherical harmonics of
    /// the same degree, and both differ from the solid angles by less than the bound.
    #[test]
    fn both_expansions_have_the_same_value() {
        let mesh = generate::knot(300).unwrap();
        let mut clusters = Clusters::default();
        clusters.build(&mesh, 8, 21);
        for degree in [1, 2, 5, 9, 14] {
            let mut moments = Moments::default();
            moments.build(&clusters, degree).unwrap();
            let panels = Panels::new(&clusters, degree, 1.5);
            assert_eq!(panels.terms(), terms(degree));
            for (c, node) in clusters.nodes.iter().enumerate().step_by(3) {
                for distance in [2.5, 4.0] {
                    let way = [0.36, 0.48, -0.8].map(|x| x * distance * node.radius);
                    let at: [f64; 3] = std::array::from_fn(|k| node.center[k] + way[k]);
                    let mut sums = [0.0; LANES];
                    run_reals(Far {
                        nodes: &clusters.nodes,
                        moments: &moments,
                        list: &[(c as u32, degree as u32)],
                        points: &at.map(|x| [x; LANES]),
                        sums: &mut sums,
                    });
                    let found = panels.far(node, c, way, distance * node.radius);
                    let off = (found.winding - sums[0]).abs();
                    assert!(off < 1e-13, "{degree}: {off:e}");
                    let mut own = Vec::new();
                    let mut open = vec![c];
                    while let Some(c) = open.pop() {
                        let node = &clusters.nodes[c];
                        open.extend(node.children());
                        if node.is_leaf() {
                            own.extend(node.faces().map(|face| clusters.triangle(c, face)));
                        }
                    }
                    let expected = total_angle(at.map(|x| x / clusters.unit), &own).value;
                    let error = (found.winding - expected).abs();
                    assert!(
                        error <= found.error + 1e-14,
                        "{degree}: {error:e} {:e}",
                        found.error
                    );
                }
            }
        }
    }
}
