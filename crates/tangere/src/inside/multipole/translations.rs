//! Translations of expansions, `muth2006`: moments to those of a parent cluster (23), moments to a
//! local expansion (24), a local expansion to a child cell (25). O(p^4) each for degree `p`, eight
//! at once.
//!
//! Lengths in moments are in units of the radius of their cluster, lengths in local expansions in
//! units of the radius of their cell, so that nothing overflows: a moment of degree `n` is measured
//! in `radius^(n+1)`, a local coefficient in `radius^-n`. A conversion over a distance `R` needs
//! `(radius / R)^(n+1)` and `(radius / R)^n`, all below 1.
//!
//! Local coefficients are kept conjugated, so that both kinds of expansion are
//! evaluated alike.
//!
//! *Deviates:* the sum in (24) ends at the degree of the moments. Rotating the axis into the
//! line of centres would make translations O(p^3), but they are not the bottleneck: 2% for
//! 512,000 points in a closed surface of 131,072 triangles (degrees up to 6), 14% if it has
//! holes and 1e-6 is required (degrees up to 14).

use super::adaptive_tree::WalkInput;
use super::harmonics::{Complex, IRREGULAR, MOST, REGULAR, count, count_all, index, spread};
use crate::geometry::vector::minus;
use crate::simd::{LANES, RealKernel, Reals, Wide, load_all, run_reals, scaled_all, splat_all};

/// Scratch memory for translations of expansions, kept from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct Workspace {
    half: Vec<Wide>,
    harmonics: Vec<Wide>,
    expansions: Vec<Wide>,
}

impl Workspace {
    /// Allocates memory for translations of expansions up to a degree.
    pub(super) fn reserve(&mut self, degree: usize) {
        self.half.resize(count(2 * degree), Wide::default());
        self.harmonics
            .resize(count_all(2 * degree), Wide::default());
        self.expansions.resize(count_all(degree), Wide::default());
    }

    /// Stores moments for a translation. Those of degree `n` are multiplied by `ratio^(n+1)`.
    #[inline(always)]
    fn take<V: Reals>(&mut self, degree: usize, ratio: V, moments: impl Fn(usize) -> [V; 2]) {
        let mut power = ratio;
        for n in 0..=degree {
            for k in index(n, 0)..=index(n, n) {
                self.half[k].store(scaled_all(moments(k), power));
            }
            power = power * ratio;
        }
        spread::<V>(degree, &self.half, &mut self.expansions);
    }

    /// Computes the regular harmonics, up to `degree`, of the vectors `shifts` by which expansions
    /// are translated.
    #[inline(always)]
    fn regular<V: Reals>(&mut self, degree: usize, shifts: &[[f64; LANES]; 3]) {
        let at = load_all::<V, 3>(shifts);
        REGULAR.all(degree, at, square(at), V::splat(1.0), &mut self.half);
        spread::<V>(degree, &self.half, &mut self.harmonics);
    }
}

/// Kernel that translates the multipole moments of eight clusters to moments about the centres of
/// their parents.
pub(super) struct Upward<'a> {
    pub(super) degree: usize,
    /// The radius of each cluster over the radius of its parent.
    pub(super) ratios: &'a [f64; LANES],
    /// The vector from the centre of each cluster's parent to the centre of the cluster, in units
    /// of the parent's radius; indexed by axis and lane.
    pub(super) shifts: &'a [[f64; LANES]; 3],
    pub(super) moments: &'a mut [Wide],
    pub(super) workspace: &'a mut Workspace,
}

impl RealKernel for Upward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let p = self.degree;
        let ratio = V::load(self.ratios);
        let work = self.workspace;
        work.take(p, ratio, |k| self.moments[k].load::<V>());
        work.regular::<V>(p, self.shifts);
        let (harmonics, expansions) = (&work.harmonics, &work.expansions);
        for n in 0..=p {
            for m in 0..=n {
                let mut sum = [V::splat(0.0); 2];
                for s in 0..=n {
                    let rest = n - s;
                    // |t| <= s and |m - t| <= n - s
                    let low = (m as isize - rest as isize).max(-(s as isize));
                    let high = (m + rest).min(s) as isize;
                    let from = (s * s + s) as isize;
                    let to = (rest * rest + rest + m) as isize;
                    for t in low..=high {
                        let a = harmonics[(from + t) as usize].load::<V>();
                        let b = expansions[(to - t) as usize].load::<V>();
                        sum[0] = a[1].neg_mul_add(b[1], a[0].mul_add(b[0], sum[0]));
                        sum[1] = a[1].mul_add(b[0], a[0].mul_add(b[1], sum[1]));
                    }
                }
                self.moments[index(n, m)].store(sum);
            }
        }
    }
}

/// Kernel that converts the moments of eight clusters to local expansions about the centre of one
/// cell, and adds them to the expansion of the cell.
pub(super) struct Across<'a> {
    pub(super) degree: usize,
    /// The vector from the centre of each cluster to the centre of the cell, indexed by axis and
    /// lane; in unused lanes any vector but 0.
    pub(super) shifts: &'a [[f64; LANES]; 3],
    /// The radii of the eight clusters whose moments are converted.
    pub(super) radii: &'a [f64; LANES],
    /// The radius of the cell whose local expansion is the target.
    pub(super) radius: f64,
    /// The moments of the eight clusters; all 0 in unused lanes.
    pub(super) moments: [&'a [Complex]; LANES],
    pub(super) local: &'a mut [Complex],
    pub(super) workspace: &'a mut Workspace,
}

impl RealKernel for Across<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let p = self.degree;
        let work = self.workspace;
        let (zero, one) = (V::splat(0.0), V::splat(1.0));
        let shifts = load_all::<V, 3>(self.shifts);
        let inverse = square(shifts).inverse_sqrt();
        // On the unit sphere, so inversion changes nothing.
        let (at, half) = (scaled_all(shifts, inverse), &mut work.half);
        IRREGULAR.all(2 * p, at, one, one, half);
        spread::<V>(2 * p, half, &mut work.harmonics);

        work.take(p, V::load(self.radii) * inverse, |k| {
            let mut moments = Wide::default();
            for lane in 0..LANES {
                let [re, im] = self.moments[lane][k];
                moments.0[0][lane] = re;
                moments.0[1][lane] = im;
            }
            moments.load::<V>()
        });
        let (harmonics, expansions) = (&work.harmonics, &work.expansions);

        let ratio = V::splat(self.radius) * inverse;
        let mut power = one;
        for n in 0..=p {
            let sign = if n % 2 == 0 { power } else { zero - power };
            for m in 0..=n {
                // The sum of S[n+s,m+t] conj(M[s,t]).
                let mut sum = [zero; 2];
                for s in 1..=p {
                    let (to, terms) = (n + s, 2 * s + 1);
                    let harmonics = &harmonics[to * to + to + m - s..][..terms];
                    let moments = &expansions[s * s..][..terms];
                    add_products(&mut sum, harmonics, moments);
                }
                let out = &mut self.local[index(n, m)];
                out[0] += (sum[0] * sign).sum();
                out[1] += (sum[1] * sign).sum();
            }
            power = power * ratio;
        }
    }
}

/// Kernel that translates a local expansion about the centre of a cell to local expansions about
/// the centres of eight smaller cells within it.
pub(super) struct Downward<'a> {
    pub(super) degree: usize,
    pub(super) local: &'a [Complex],
    /// The vectors from the centre of the cell to the centres of the smaller cells, in units of the
    /// cell's radius; indexed by axis and lane.
    pub(super) shifts: &'a [[f64; LANES]; 3],
    /// The radius of each smaller cell over the radius of the cell.
    pub(super) ratios: &'a [f64; LANES],
    pub(super) out: &'a mut [Wide],
    pub(super) workspace: &'a mut Workspace,
}

impl RealKernel for Downward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let p = self.degree;
        let work = self.workspace;
        for k in 0..count(p) {
            work.half[k].store(splat_all::<V, 2>(self.local[k]));
        }
        spread::<V>(p, &work.half, &mut work.expansions);
        work.regular::<V>(p, self.shifts);
        let (harmonics, expansions) = (&work.harmonics, &work.expansions);
        let ratio = V::load(self.ratios);
        let mut power = V::splat(1.0);
        for n in 0..=p {
            for m in 0..=n {
                // The sum of conj(R[s-n,t-m]) L[s,t], both conjugated.
                let mut sum = [V::splat(0.0); 2];
                for s in n..=p {
                    let rest = s - n;
                    let terms = 2 * rest + 1;
                    let harmonics = &harmonics[rest * rest..][..terms];
                    let local = &expansions[s * s + s + m - rest..][..terms];
                    add_products(&mut sum, local, harmonics);
                }
                self.out[index(n, m)].store(scaled_all(sum, power));
            }
            power = power * ratio;
        }
    }
}

/// Converts the moments of up to eight clusters, with indices `list`, to a local expansion with the
/// given centre and radius, and adds it to `local`.
pub(super) fn convert(
    scene: &WalkInput<'_>,
    list: &[u32],
    degree: usize,
    (center, radius): ([f64; 3], f64),
    local: &mut [Complex],
    workspace: &mut Workspace,
) {
    const NONE: [Complex; count(MOST)] = [[0.0; 2]; count(MOST)];
    let mut shifts = [[1.0; LANES], [0.0; LANES], [0.0; LANES]];
    let mut radii = [0.0; LANES];
    let mut moments = [&NONE[..]; LANES];
    for (lane, &c) in list.iter().enumerate() {
        let node = &scene.clusters.nodes[c as usize];
        let away = minus(center, node.center);
        for k in 0..3 {
            shifts[k][lane] = away[k];
        }
        radii[lane] = node.radius;
        moments[lane] = scene.moments.of(c as usize);
    }
    run_reals(Across {
        degree,
        shifts: &shifts,
        radii: &radii,
        radius,
        moments,
        local,
        workspace,
    });
}

/// Translates the local expansion `local` with the given centre and radius to up to eight
/// `targets`, each given by its centre and radius. Lane `i` of `out` is the local expansion of
/// target `i`.
pub(super) fn hand_down(
    degree: usize,
    local: &[Complex],
    (center, radius): ([f64; 3], f64),
    targets: impl Iterator<Item = ([f64; 3], f64)>,
    (out, workspace): (&mut [Wide], &mut Workspace),
) {
    let mut shifts = [[0.0; LANES]; 3];
    let mut ratios = [0.0; LANES];
    let inverse = 1.0 / radius;
    for (lane, (to, radius)) in targets.enumerate() {
        ratios[lane] = radius * inverse;
        let away = minus(to, center);
        for k in 0..3 {
            shifts[k][lane] = away[k] * inverse;
        }
    }
    run_reals(Downward {
        degree,
        local,
        shifts: &shifts,
        ratios: &ratios,
        out,
        workspace,
    });
}

/// Adds the sum over `i` of `a[i]` times the conjugate of `b[i]` to `sum`, a coefficient of a
/// translated expansion.
#[inline(always)]
fn add_products<V: Reals>(sum: &mut [V; 2], a: &[Wide], b: &[Wide]) {
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (a.load::<V>(), b.load::<V>());
        sum[0] = a[1].mul_add(b[1], a[0].mul_add(b[0], sum[0]));
        sum[1] = a[0].neg_mul_add(b[1], a[1].mul_add(b[0], sum[1]));
    }
}

/// The squared length of the vector `x` by which an expansion is translated.
#[inline(always)]
fn square<V: Reals>(x: [V; 3]) -> V {
    x[0].mul_add(x[0], x[1].mul_add(x[1], x[2] * x[2]))
}
