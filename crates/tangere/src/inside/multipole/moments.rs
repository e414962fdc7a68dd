//! Multipole moments of clusters, eqs. (22) and (23) of `muth2006`.
//!
//! The moment of degree `n` and order `m` is the integral of the normal derivative of the regular
//! harmonic `R[n,m]` over the cluster. It is computed without truncation: a homogeneous harmonic
//! polynomial `f` of degree `n` has `grad f = -curl(x cross grad f) / (n + 1)`, with `x` the
//! position, so by Stokes
//!
//! ```text
//! integral of N . grad f = 1 / (n + 1) * sum over boundary edges from a to b of
//!     (a x b) . integral of grad f(a + t (b - a)) over t from 0 to 1
//! ```
//!
//! where `N` is the unit normal. Along an edge `grad f` is a polynomial of degree `n - 1` in `t`,
//! which a Gauss rule with `n / 2` points, rounded up, integrates exactly. Edges that two triangles
//! of a cluster traverse in opposite directions cancel. Derivatives are harmonics again: `d/dz
//! R[n,m] = R[n-1,m]`, `(d/dx - i d/dy) R[n,m] = R[n-1,m-1]`, `(d/dx + i d/dy) R[n,m] =
//! -R[n-1,m+1]`.
//!
//! With `p` the largest degree, an edge costs O(p^2) for each point of the rule. Eight clusters are
//! computed at once. Lengths are in units of the cluster's radius, and the factor `-1 / (4 pi)` of
//! the potential (6) is included.
//!
//! *Deviates:* integrals over edges instead of areas, which need about `p / 2` points where a rule
//! for triangles needs about `p^2`.

use super::clusters::{Cluster, Clusters};
use super::error_bound::{Source, rest};
use super::gauss_rule::GaussRule;
use super::harmonics::{Complex, REGULAR, count, index, weight};
use super::translations::{Upward, Workspace};
use crate::error::{Argument, Result};
use crate::geometry::vector::minus;
use crate::memory;
use crate::simd::{LANES, RealKernel, Reals, Wide, load_all, run_reals};
use rayon::prelude::*;

/// The number of clusters whose moments one thread computes at a time.
const CHUNK: usize = 64;

/// The multipole moments of all clusters.
#[derive(Clone, Debug, Default)]
pub(super) struct Moments {
    pub(super) degree: usize,
    /// The moments of all clusters, one cluster after the other; those of a cluster are sorted by
    /// degree.
    coefficients: Vec<Complex>,
    /// For each cluster and each degree, the norm of its moments of that degree: a bound on what
    /// they contribute to the winding number at a distance of one radius of the cluster.
    norms: Vec<f64>,
    rests: Vec<f64>,
    rule: GaussRule,
}

impl Moments {
    /// Computes the multipole moments of all clusters up to a degree.
    ///
    /// # Errors
    /// When there is not enough memory for the moments.
    pub(super) fn build(&mut self, clusters: &Clusters, degree: usize) -> Result<()> {
        self.degree = degree;
        self.rule.set(degree.div_ceil(2).max(1));
        let (per, nodes) = (count(degree), clusters.nodes.len());
        self.coefficients.clear();
        let what = Argument::ExpansionCoefficients;
        memory::reserve(&mut self.coefficients, per.saturating_mul(nodes), what)?;
        self.coefficients.resize(per * nodes, [0.0; 2]);
        self.norms.clear();
        self.norms.resize((degree + 1) * nodes, 0.0);
        self.rests.clear();
        self.rests
            .extend(clusters.nodes.iter().map(|node| rest(node, degree)));
        let weights: Vec<f64> = (0..=degree)
            .flat_map(|n| (0..=n).map(move |m| if m == 0 { 1.0 } else { 2.0 } * weight(n, m)))
            .collect();
        let rule = &self.rule;
        let levels = clusters.levels.windows(2).rev();
        for range in levels.map(|pair| pair[0]..pair[1]) {
            let (upper, below) = self.coefficients.split_at_mut(per * range.end);
            let level = &mut upper[per * range.start..];
            let norms = &mut self.norms[(degree + 1) * range.start..(degree + 1) * range.end];
            level
                .par_chunks_mut(per * CHUNK)
                .zip(norms.par_chunks_mut((degree + 1) * CHUNK))
                .enumerate()
                .for_each_init(Scratch::default, |scratch, (chunk, (own, norms))| {
                    let first = range.start + chunk * CHUNK;
                    let nodes = &clusters.nodes[first..first + own.len() / per];
                    of_leaves(clusters, nodes, rule, degree, own, scratch);
                    let children = Children {
                        nodes: &clusters.nodes,
                        moments: below,
                        first: range.end,
                    };
                    of_parents(first, nodes, &children, degree, own, scratch);
                    for (own, norms) in own.chunks(per).zip(norms.chunks_mut(degree + 1)) {
                        for n in 0..=degree {
                            let degree = index(n, 0)..=index(n, n);
                            let square: f64 = own[degree.clone()]
                                .iter()
                                .zip(&weights[degree])
                                .map(|([re, im], weight)| weight * (re * re + im * im))
                                .sum();
                            norms[n] = square.sqrt();
                        }
                    }
                });
        }
        Ok(())
    }

    /// The multipole moments of one cluster, sorted by degree.
    #[inline]
    pub(super) fn of(&self, cluster: usize) -> &[Complex] {
        let per = count(self.degree);
        &self.coefficients[cluster * per..(cluster + 1) * per]
    }

    /// The radius of a cluster, the norms of its moments and the factor of its truncation error, as
    /// error bounds need them.
    #[inline]
    pub(super) fn source(&self, nodes: &[Cluster], cluster: usize) -> Source<'_> {
        let per = self.degree + 1;
        Source {
            radius: nodes[cluster].radius,
            norms: &self.norms[cluster * per..(cluster + 1) * per],
            rest: self.rests[cluster],
        }
    }
}

/// Scratch memory of one thread that computes moments.
#[derive(Default)]
struct Scratch {
    /// The boundary edges of eight clusters, one cluster in each lane. An entry has the three
    /// coordinates of the start of an edge, then those of its end.
    edges: Vec<[[f64; LANES]; 6]>,
    /// For each ordered pair of corners of the triangles of a cluster, the number of times that
    /// triangles traverse the edge from the first to the second.
    runs: Vec<i16>,
    sums: Vec<Wide>,
    rims: [Vec<Wide>; 2],
    /// For each harmonic, the sum over boundary edges `ab` of its integral along the edge times the
    /// three components of `a x b`.
    areas: Vec<[Wide; 3]>,
    workspace: Workspace,
}

/// Clusters on the levels below those clusters whose moments [`of_parents`] computes, with their
/// moments. All children of the latter are among them.
struct Children<'a> {
    nodes: &'a [Cluster],
    moments: &'a [Complex],
    /// The index of that cluster whose moments come first in `moments`.
    first: usize,
}

/// Computes the multipole moments of those clusters in `nodes` that are leaves; `out` has the
/// moments of all of `nodes`.
fn of_leaves(
    clusters: &Clusters,
    nodes: &[Cluster],
    rule: &GaussRule,
    degree: usize,
    out: &mut [Complex],
    scratch: &mut Scratch,
) {
    let per = count(degree);
    let mut leaves = (0..nodes.len()).filter(|&i| nodes[i].is_leaf());
    loop {
        scratch.edges.clear();
        let mut block = [0; LANES];
        let mut len = 0;
        for i in leaves.by_ref().take(LANES) {
            block[len] = i;
            boundary_edges(clusters, &nodes[i], len, scratch);
            len += 1;
        }
        if len == 0 {
            return;
        }
        scratch.sums.clear();
        scratch.sums.resize(per, Wide::default());
        run_reals(Rims {
            degree,
            edges: &scratch.edges,
            rule: &rule.points[..rule.len],
            out: &mut scratch.sums,
            workspace: &mut scratch.rims,
            areas: &mut scratch.areas,
        });
        for (lane, &i) in block[..len].iter().enumerate() {
            for (out, sum) in out[i * per..(i + 1) * per].iter_mut().zip(&scratch.sums) {
                *out = [sum.0[0][lane], sum.0[1][lane]];
            }
        }
    }
}

/// Collects the boundary edges of a cluster, which determine its moments, in lane `lane` of
/// `scratch.edges`: those that triangles do not traverse equally often in both directions. For a
/// cluster with many corners or triangles, all edges are collected, which gives the same moments.
/// Their ends are relative to the cluster's centre and in units of its radius.
fn boundary_edges(clusters: &Clusters, node: &Cluster, lane: usize, scratch: &mut Scratch) {
    let corners = &clusters.corners[node.corners()];
    let faces = &clusters.faces[node.faces()];
    let inverse = 1.0 / node.radius;
    let mut used = 0;
    let mut push = |from: usize, to: usize| {
        if used == scratch.edges.len() {
            scratch.edges.push([[0.0; LANES]; 6]);
        }
        let [a, b] = [from, to].map(|c| minus(corners[c], node.center).map(|x| x * inverse));
        let edge = &mut scratch.edges[used];
        for k in 0..3 {
            edge[k][lane] = a[k];
            edge[3 + k][lane] = b[k];
        }
        used += 1;
    };
    // The square of the corners must not need more memory than the triangles.
    let is_small = corners.len() <= 256 && faces.len() < i16::MAX as usize / 4;
    if !is_small {
        for face in faces {
            let [a, b, c] = face.corners.map(usize::from);
            for (from, to) in [(a, b), (b, c), (c, a)] {
                push(from, to);
            }
        }
        return;
    }
    let size = corners.len();
    if scratch.runs.len() < size * size {
        scratch.runs.resize(size * size, 0);
    }
    let runs = &mut scratch.runs[..size * size];
    let sides = |corners: [u16; 3]| {
        let [a, b, c] = corners.map(usize::from);
        [(a, b), (b, c), (c, a)]
    };
    for face in faces {
        for (from, to) in sides(face.corners) {
            runs[from * size + to] += 1;
        }
    }
    for face in faces {
        for (from, to) in sides(face.corners) {
            let net = runs[from * size + to] - runs[to * size + from];
            for _ in 0..net {
                push(from, to);
            }
            // Counted once, and cleared for the next cluster.
            if net >= 0 {
                runs[from * size + to] = 0;
                runs[to * size + from] = 0;
            }
        }
    }
}

/// Kernel that computes the moments of eight clusters from their boundary edges.
pub(super) struct Rims<'a> {
    pub(super) degree: usize,
    pub(super) edges: &'a [[[f64; LANES]; 6]],
    pub(super) rule: &'a [[f64; 2]],
    pub(super) out: &'a mut [Wide],
    pub(super) workspace: &'a mut [Vec<Wide>; 2],
    pub(super) areas: &'a mut Vec<[Wide; 3]>,
}

impl RealKernel for Rims<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let p = self.degree - 1;
        let zero = [V::splat(0.0); 2];
        let [along, harmonics] = self.workspace;
        along.resize(count(p), Wide::default());
        harmonics.resize(count(p), Wide::default());
        // Sums of harmonics times the three components of a x b.
        let sums = self.areas;
        sums.clear();
        sums.resize(count(p), [Wide::default(); 3]);
        for edge in self.edges {
            let [ax, ay, az, bx, by, bz] = load_all::<V, 6>(edge);
            let area = [
                az.neg_mul_add(by, ay * bz),
                ax.neg_mul_add(bz, az * bx),
                ay.neg_mul_add(bx, ax * by),
            ];
            let d = [bx - ax, by - ay, bz - az];
            for (i, &[node, weight]) in self.rule.iter().enumerate() {
                let t = V::splat(node);
                let at = [
                    d[0].mul_add(t, ax),
                    d[1].mul_add(t, ay),
                    d[2].mul_add(t, az),
                ];
                let square = at[0].mul_add(at[0], at[1].mul_add(at[1], at[2] * at[2]));
                REGULAR.all(p, at, square, V::splat(1.0), harmonics);
                let weight = V::splat(weight);
                for k in 0..count(p) {
                    let term = harmonics[k].load::<V>();
                    let sum = if i == 0 { zero } else { along[k].load::<V>() };
                    along[k].store([
                        term[0].mul_add(weight, sum[0]),
                        term[1].mul_add(weight, sum[1]),
                    ]);
                }
            }
            for k in 0..count(p) {
                let term = along[k].load::<V>();
                for axis in 0..3 {
                    let sum = sums[k][axis].load::<V>();
                    sums[k][axis].store([
                        term[0].mul_add(area[axis], sum[0]),
                        term[1].mul_add(area[axis], sum[1]),
                    ]);
                }
            }
        }
        assemble::<V>(self.degree, sums, |n| (n + 1) as f64, self.out);
    }
}

/// Moments of eight clusters from integrals of harmonics times the three components of an area, by the
/// derivatives of harmonics. Those of degree `n` are divided by `divisor(n)`.
#[inline(always)]
pub(super) fn assemble<V: Reals>(
    degree: usize,
    sums: &[[Wide; 3]],
    divisor: impl Fn(usize) -> f64,
    out: &mut [Wide],
) {
    let zero = [V::splat(0.0); 2];
    let half = V::splat(0.5);
    for n in 1..=degree {
        let factor = V::splat(-0.25 * std::f64::consts::FRAC_1_PI / divisor(n));
        let below = &sums[index(n - 1, 0)..=index(n - 1, n - 1)];
        for m in 0..=n {
            let mut moment = if m < n { below[m][2].load::<V>() } else { zero };
            // -1/2 (x - i y) R[n-1,m+1]
            if m + 1 < n {
                let (x, y) = (below[m + 1][0].load::<V>(), below[m + 1][1].load::<V>());
                let part = [x[0] + y[1], x[1] - y[0]];
                if m == 0 {
                    moment = [moment[0] - part[0], V::splat(0.0)];
                } else {
                    moment = [
                        part[0].neg_mul_add(half, moment[0]),
                        part[1].neg_mul_add(half, moment[1]),
                    ];
                }
            }
            // 1/2 (x + i y) R[n-1,m-1]
            if m > 0 {
                let (x, y) = (below[m - 1][0].load::<V>(), below[m - 1][1].load::<V>());
                let part = [x[0] - y[1], x[1] + y[0]];
                moment = [
                    part[0].mul_add(half, moment[0]),
                    part[1].mul_add(half, moment[1]),
                ];
            }
            out[index(n, m)].store([moment[0] * factor, moment[1] * factor]);
        }
    }
}

/// Computes the multipole moments of those clusters in `nodes` that have children, from the moments
/// of the children. `first` is the index of the first of `nodes` among all clusters.
fn of_parents(
    first: usize,
    nodes: &[Cluster],
    below: &Children<'_>,
    degree: usize,
    out: &mut [Complex],
    scratch: &mut Scratch,
) {
    let per = count(degree);
    scratch.workspace.reserve(degree);
    let mut parents = nodes.iter().filter(|node| !node.is_leaf());
    let Some(start) = parents.next().map(|node| node.children().start) else {
        return;
    };
    let end = parents.next_back().map_or_else(
        || {
            let only = nodes.iter().find(|node| !node.is_leaf());
            only.map_or(start, |node| node.children().end)
        },
        |node| node.children().end,
    );
    for from in (start..end).step_by(LANES) {
        let children = from..(from + LANES).min(end);
        scratch.sums.clear();
        scratch.sums.resize(per, Wide::default());
        // A child's radius and centre relative to its parent.
        let mut ratios = [0.0; LANES];
        let mut shifts = [[0.0; LANES]; 3];
        for (lane, c) in children.clone().enumerate() {
            let child = &below.nodes[c];
            let parent = &below.nodes[child.parent as usize];
            let inverse = 1.0 / parent.radius;
            ratios[lane] = child.radius * inverse;
            let d = minus(child.center, parent.center);
            for k in 0..3 {
                shifts[k][lane] = d[k] * inverse;
            }
            let from = (c - below.first) * per;
            for (sum, own) in scratch
                .sums
                .iter_mut()
                .zip(&below.moments[from..from + per])
            {
                sum.0[0][lane] = own[0];
                sum.0[1][lane] = own[1];
            }
        }
        run_reals(Upward {
            degree,
            ratios: &ratios,
            shifts: &shifts,
            moments: &mut scratch.sums,
            workspace: &mut scratch.workspace,
        });
        for (lane, c) in children.enumerate() {
            let i = below.nodes[c].parent as usize - first;
            for (out, sum) in out[i * per..(i + 1) * per].iter_mut().zip(&scratch.sums) {
                out[0] += sum.0[0][lane];
                out[1] += sum.0[1][lane];
            }
        }
    }
}
