//! Tests of the multipole method: moments against quadrature, translations against expansions
//! computed anew, errors against bounds.

use super::clusters::Clusters;
use super::error_bound::rest;
use super::harmonics::{Complex, REGULAR, count, index};
use super::moments::Moments;
use super::translations::{Across, Downward, Workspace};
use super::*;
use crate::generate;
use crate::geometry::vector::{cross, dot, minus};
use crate::inside::solid_angle::total_angle;
use crate::simd::{LANES, RealKernel, Reals, Wide, run_reals};

/// Kernel that computes the regular harmonics of one point. Its fields are the highest degree and
/// the point.
struct Regular(usize, [f64; 3]);

impl RealKernel for Regular {
    type Output = Vec<Complex>;
    #[inline(always)]
    fn run<V: Reals>(self) -> Vec<Complex> {
        let Regular(p, x) = self;
        let mut out = vec![Wide::default(); count(p)];
        let at = [V::splat(x[0]), V::splat(x[1]), V::splat(x[2])];
        REGULAR.all(p, at, V::splat(dot(x, x)), V::splat(1.0), &mut out);
        out.iter().map(|x| [x.0[0][0], x.0[1][0]]).collect()
    }
}

fn built(mesh: &TriMesh, leaf: usize, degree: usize) -> (Clusters, Moments) {
    let (mut clusters, mut moments) = (Clusters::default(), Moments::default());
    clusters.build(mesh, leaf, LEVELS);
    moments.build(&clusters, degree).unwrap();
    (clusters, moments)
}

/// A knot far from the origin.
fn knot() -> TriMesh {
    let knot = generate::knot(600).expect("a knot");
    let (vertices, faces) = knot.into_parts();
    let moved = vertices.iter().map(|p| [p[0] + 7.0, p[1] - 3.0, p[2]]);
    TriMesh::new(moved.collect(), faces).expect("a mesh")
}

/// The integral of `n . grad R` over a triangle with unit normal `n`, for all regular harmonics `R`
/// up to degree `p`, by the midpoint rule on a fine division, with gradients by finite differences.
fn quadrature(p: usize, [a, b, c]: [[f64; 3]; 3]) -> Vec<Complex> {
    const PARTS: usize = 24;
    const STEP: f64 = 1e-4;
    let normal = cross(minus(b, a), minus(c, a));
    let mut sum = vec![[0.0; 2]; count(p)];
    let at = |i: f64, j: f64| -> [f64; 3] {
        std::array::from_fn(|k| {
            a[k] + (b[k] - a[k]) * i / PARTS as f64 + (c[k] - a[k]) * j / PARTS as f64
        })
    };
    for i in 0..PARTS {
        for j in 0..PARTS - i {
            let halves = [(1.0 / 3.0, true), (2.0 / 3.0, i + j + 1 < PARTS)];
            for (offset, _) in halves.into_iter().filter(|half| half.1) {
                let x = at(i as f64 + offset, j as f64 + offset);
                let shifted = |sign: f64| std::array::from_fn(|k| x[k] + sign * STEP * normal[k]);
                let ahead = run_reals(Regular(p, shifted(1.0)));
                let behind = run_reals(Regular(p, shifted(-1.0)));
                let weight = 0.5 / (PARTS * PARTS) as f64 / (2.0 * STEP);
                for (sum, (x, y)) in sum.iter_mut().zip(ahead.iter().zip(&behind)) {
                    sum[0] += weight * (x[0] - y[0]);
                    sum[1] += weight * (x[1] - y[1]);
                }
            }
        }
    }
    sum
}

#[test]
fn moments_are_integrals() {
    const P: usize = 7;
    let mesh = generate::knot(100).unwrap();
    let (clusters, moments) = built(&mesh, 7, P);
    let inner = clusters.nodes.iter().rposition(|node| !node.is_leaf());
    let leaf = clusters.nodes.iter().position(|node| node.is_leaf());
    for c in [leaf.unwrap(), inner.unwrap()] {
        let node = &clusters.nodes[c];
        let mut expected = vec![[0.0; 2]; count(P)];
        let mut open = vec![c];
        while let Some(c) = open.pop() {
            let cluster = &clusters.nodes[c];
            open.extend(cluster.children());
            for face in cluster.faces().filter(|_| cluster.is_leaf()) {
                let corners = clusters.triangle(c, face).map(|v| {
                    let scaled = v.map(|x| x * clusters.unit);
                    minus(scaled, node.center).map(|x| x / node.radius)
                });
                for (sum, x) in expected.iter_mut().zip(quadrature(P, corners)) {
                    sum[0] += x[0];
                    sum[1] += x[1];
                }
            }
        }
        let factor = -0.25 * std::f64::consts::FRAC_1_PI;
        for n in 0..=P {
            for m in 0..=n {
                let (found, expected) = (moments.of(c)[index(n, m)], expected[index(n, m)]);
                for k in 0..2 {
                    let error = (found[k] - factor * expected[k]).abs();
                    assert!(error < 2e-4 / (n + m + 1) as f64, "{n} {m}: {error:e}");
                }
            }
        }
    }
}

#[test]
fn clusters_have_the_moments_of_their_triangles() {
    let mesh = knot();
    let (clusters, moments) = built(&mesh, 5, 9);
    // One cluster of all triangles, with the same centre.
    let (whole, direct) = built(&mesh, mesh.faces().len(), 9);
    assert_eq!(whole.nodes.len(), 1);
    assert_eq!(whole.nodes[0].center, clusters.nodes[0].center);
    // A closed surface has no moments at all; so take one triangle away.
    let open = TriMesh::new(mesh.vertices().to_vec(), mesh.faces()[1..].to_vec()).unwrap();
    for (mesh, least) in [(&mesh, 0.0), (&open, 1e-6)] {
        let (clusters, moments) = built(mesh, 5, 9);
        let (whole, direct) = built(mesh, mesh.faces().len(), 9);
        let ratio = clusters.nodes[0].radius / whole.nodes[0].radius;
        assert!(ratio >= 1.0 - 1e-12);
        let largest = direct.of(0).iter().fold(0.0, |m: f64, x| m.max(x[0].abs()));
        assert!(largest >= least);
        for n in 0..=9 {
            let scale = ratio.powi(n as i32 + 1);
            for m in 0..=n {
                let (a, b) = (moments.of(0)[index(n, m)], direct.of(0)[index(n, m)]);
                for k in 0..2 {
                    assert!((a[k] * scale - b[k]).abs() < 1e-14, "{n} {m}");
                }
            }
        }
    }
    drop((moments, direct));
}

/// The value at the point `x` of a local expansion of degree `p`.
fn local_value(local: &[Complex], p: usize, x: [f64; 3]) -> f64 {
    struct At<'a>(&'a [Complex], usize, [f64; 3]);
    impl RealKernel for At<'_> {
        type Output = f64;
        #[inline(always)]
        fn run<V: Reals>(self) -> f64 {
            let x = self.2;
            let at = [V::splat(x[0]), V::splat(x[1]), V::splat(x[2])];
            let sum = REGULAR.sum(self.1, self.0, at, V::splat(dot(x, x)), V::splat(1.0));
            sum.sum() / LANES as f64
        }
    }
    run_reals(At(local, p, x))
}

#[test]
fn conversions_agree_with_triangles_within_their_bound() {
    let mesh = generate::sphere(3).unwrap();
    let triangles: Vec<_> = (0..mesh.faces().len()).map(|f| mesh.triangle(f)).collect();
    for degree in [2, 5, 9, 14, 20] {
        let (clusters, moments) = built(&mesh, 20, degree);
        let mut workspace = Workspace::default();
        workspace.reserve(degree);
        let mut tried = 0;
        for (c, node) in clusters.nodes.iter().enumerate() {
            if node.faces().len() > 100 || c % 3 != 0 {
                continue;
            }
            // A cell beside the cluster, in units of the clusters.
            let radius = 0.7 * node.radius;
            let direction = [0.6, -0.64, 0.48];
            let center: [f64; 3] =
                std::array::from_fn(|k| node.center[k] + direction[k] * 3.5 * node.radius);
            let mut shifts = [[1.0; LANES]; 3];
            let mut radii = [0.0; LANES];
            let none = vec![[0.0; 2]; count(degree)];
            let mut all = [&none[..]; LANES];
            for k in 0..3 {
                shifts[k][2] = center[k] - node.center[k];
            }
            radii[2] = node.radius;
            all[2] = moments.of(c);
            let mut local = vec![[0.0; 2]; count(degree)];
            run_reals(Across {
                degree,
                shifts: &shifts,
                radii: &radii,
                radius,
                moments: all,
                local: &mut local,
                workspace: &mut workspace,
            });
            let source = moments.source(&clusters.nodes, c);
            let bound = source.converted_error(3.5 * node.radius, radius, degree);
            // To a smaller cell within, which changes nothing but the centre.
            let within: [f64; 3] = [0.3, 0.2, -0.4];
            let mut lanes = vec![Wide::default(); count(degree)];
            let mut inner = [[0.0; LANES]; 3];
            for k in 0..3 {
                inner[k][5] = within[k];
            }
            run_reals(Downward {
                degree,
                local: &local,
                shifts: &inner,
                ratios: &[0.5; LANES],
                out: &mut lanes,
                workspace: &mut workspace,
            });
            let handed: Vec<Complex> = lanes.iter().map(|x| [x.0[0][5], x.0[1][5]]).collect();
            let own: Vec<_> = leaf_triangles(&clusters, c);
            for x in [[0.0, 0.0, 0.0], [0.5, 0.1, -0.2], [-0.5, 0.5, 0.6]] {
                let p: [f64; 3] =
                    std::array::from_fn(|k| (center[k] + radius * x[k]) / clusters.unit);
                let expected = total_angle(p, &own).value;
                let value = local_value(&local, degree, x);
                let error = (value - expected).abs();
                assert!(error <= bound + 1e-13, "{degree}: {error:e} {bound:e}");
                let y = std::array::from_fn(|k| (x[k] - within[k]) / 0.5);
                let same = local_value(&handed, degree, y);
                assert!((same - value).abs() < 1e-12, "{degree}: {same} {value}");
            }
            tried += 1;
        }
        assert!(tried > 5);
    }
    assert_eq!(triangles.len(), 512);
}

/// The triangles of the leaf cluster with index `c`.
fn leaf_triangles(clusters: &Clusters, c: usize) -> Vec<[[f64; 3]; 3]> {
    let mut open = vec![c];
    let mut triangles = Vec::new();
    while let Some(c) = open.pop() {
        let node = &clusters.nodes[c];
        open.extend(node.children());
        if node.is_leaf() {
            triangles.extend(node.faces().map(|face| clusters.triangle(c, face)));
        }
    }
    triangles
}

#[test]
fn sums_of_moments_agree_with_triangles_within_their_bound() {
    let mesh = knot();
    for degree in [1, 2, 4, 7, 12, 30] {
        let (clusters, moments) = built(&mesh, 10, degree);
        for (c, node) in clusters.nodes.iter().enumerate().step_by(5) {
            assert!(rest(node, degree) >= 0.0);
            let own = leaf_triangles(&clusters, c);
            let source = moments.source(&clusters.nodes, c);
            for distance in [1.3, 2.0, 5.0] {
                let p: [f64; 3] = std::array::from_fn(|k| {
                    node.center[k] + [0.36, 0.48, -0.8][k] * distance * node.radius
                });
                let points: [[f64; LANES]; 3] = p.map(|x| [x; LANES]);
                let mut sums = [0.0; LANES];
                run_reals(expansion_values::Far {
                    nodes: &clusters.nodes,
                    moments: &moments,
                    list: &[(c as u32, degree as u32)],
                    points: &points,
                    sums: &mut sums,
                });
                let expected = total_angle(p.map(|x| x / clusters.unit), &own).value;
                let error = (sums[6] - expected).abs();
                let bound = source.direct_error(distance * node.radius, degree);
                assert!(error <= bound + 1e-13, "{degree}: {error:e} {bound:e}");
                // What is chosen for a budget keeps it.
                if let Some(found) = source.direct(distance * node.radius, 1e-3) {
                    assert!(found.error <= 1e-3 && found.degree <= degree);
                }
            }
        }
    }
}
