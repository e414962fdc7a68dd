//! Oracle of curved faces: random faces against nearest points at many times, and against fine
//! triangles.
//!
//! The distance of two faces is found from the nearest of many sample points by alternating
//! projection (`closest`). It is positive while nothing touches; intersecting faces have common
//! points, to which the projections converge.

use super::shapes::{KINDS, body, first, placed, random_face, single, triangulated};
use tangere::closest::PreparedFace;
use tangere::geometry::Pose;
use tangere::impact::{Body, BodyShape, Impact, RigidMotion};
use tangere::shape::{Face, FaceKind, FaceMesh};
use test_support::Random;

/// Upper bound of the distance of two faces.
fn distance(a: &Face, b: &Face) -> f64 {
    let [to_a, to_b] = [a, b].map(PreparedFace::new);
    let mut starts = Vec::new();
    for (face, other, swap) in [(a, &to_b, false), (b, &to_a, true)] {
        let triangle = face.kind().corners() == 3;
        for i in 0..=8 {
            for j in 0..=8 {
                let [u, v] = [i, j].map(|k| f64::from(k) / 8.0);
                if triangle && u + v > 1.0 {
                    continue;
                }
                let xi = match triangle {
                    true => [u, v],
                    false => [2.0 * u - 1.0, 2.0 * v - 1.0],
                };
                let p = face.point(xi);
                let near = other.nearest(p).unwrap();
                starts.push((near.distance, near.point, swap));
            }
        }
    }
    starts.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut least = starts[0].0;
    for &(_, start, swap) in starts.iter().take(4) {
        let mut p = start;
        let mut last = f64::INFINITY;
        for turn in 0..400 {
            let face = if (turn % 2 == 0) != swap {
                &to_a
            } else {
                &to_b
            };
            let near = face.nearest(p).unwrap();
            p = near.point;
            least = least.min(near.distance);
            if near.distance >= last * (1.0 - 1e-9) && turn % 2 == 1 {
                break;
            }
            last = near.distance;
        }
    }
    least
}

struct Pair {
    meshes: [FaceMesh; 2],
    motions: [RigidMotion; 2],
    horizon: f64,
}

/// A number below `n` and a pose, drawn in the sequence of the first campaign: another sequence
/// would give other pairs.
fn one_of(random: &mut Random, n: usize) -> usize {
    (random.unit() * n as f64) as usize
}

fn turned(random: &mut Random, [x, y, z]: [f64; 3]) -> Pose {
    let q: [f64; 4] = std::array::from_fn(|_| random.between(-1.0, 1.0));
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [w, i, j, k] = q.map(|x| x / length);
    Pose::from_numbers(&[x, y, z, w, i, j, k]).unwrap()
}

/// Faces of any two kinds fly at each other, rotating or not, on lines or parabolas.
fn random_pair(random: &mut Random) -> Pair {
    let bends = [0.0, 0.1, 0.4];
    let meshes = [0, 1].map(|_| {
        let (kind, bend) = (KINDS[one_of(random, 5)], bends[one_of(random, 3)]);
        random_face(random, kind, bend)
    });
    let turns = one_of(random, 2) == 0;
    let falls = one_of(random, 2) == 0;
    let motions = [0, 1].map(|i| {
        let off = random.vector(0.8);
        let far = if i == 0 { -2.0 } else { 2.0 };
        let pose = turned(random, [off[0], off[1], far + off[2]]);
        let drift = random.vector(0.4);
        let velocity = [
            drift[0],
            drift[1],
            -far * random.between(0.3, 1.0) + drift[2],
        ];
        let spin = if turns { random.vector(2.0) } else { [0.0; 3] };
        let pull = if falls { random.vector(0.5) } else { [0.0; 3] };
        RigidMotion::new(pose, velocity, spin, pull).unwrap()
    });
    Pair {
        meshes,
        motions,
        horizon: 4.0,
    }
}

impl Pair {
    fn impact(&self) -> Option<Impact> {
        let bodies = (0..2).map(|i| body(&self.meshes[i], self.motions[i]));
        first(bodies.collect(), self.horizon)
    }

    fn distance_at(&self, time: f64) -> f64 {
        let [a, b] = [0, 1].map(|i| placed(&self.meshes[i].face(0), &self.motions[i], time));
        distance(&a, &b)
    }

    /// Checks that nothing touches before the contact, and that something does at its time.
    fn check(&self, steps: u32, what: &str) -> bool {
        let impact = self.impact();
        let until = impact.as_ref().map_or(self.horizon, |i| i.early);
        for step in 0..steps {
            let t = until * f64::from(step) / f64::from(steps);
            let d = self.distance_at(t);
            assert!(
                d > 1e-9,
                "{what}: {d:e} apart at {t}, before {until}; {impact:?}"
            );
        }
        let Some(impact) = impact else {
            return false;
        };
        for share in [1e-2, 1e-4, 1e-6] {
            let t = until * (1.0 - share);
            let d = self.distance_at(t);
            assert!(
                d > 1e-12,
                "{what}: {d:e} apart at {t}, before {until}; {impact:?}"
            );
        }
        let contact = impact.contacts[0];
        assert!(contact.gap.abs() < 1e-11, "{what} {impact:?}");
        let size = |v: [f64; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        assert!((size(contact.normal) - 1.0).abs() < 1e-12, "{what}");
        let [a, b] =
            [0, 1].map(|i| placed(&self.meshes[i].face(0), &self.motions[i], impact.early));
        for (face, xi, point) in [
            (a, contact.xi_a, contact.point_a),
            (b, contact.xi_b, contact.point_b),
        ] {
            let p = face.point(xi);
            let off = size(std::array::from_fn(|k| p[k] - point[k]));
            assert!(off < 1e-11, "{what}: {off:e} {impact:?}");
        }
        true
    }
}

fn random_pairs(seed: u64, count: u32, steps: u32) {
    let mut random = Random::new(seed);
    let mut touched = 0;
    for round in 0..count {
        let pair = random_pair(&mut random);
        let what = format!(
            "pair {round} of seed {seed}: {} {}",
            pair.meshes[0].kind(0),
            pair.meshes[1].kind(0)
        );
        touched += u32::from(pair.check(steps, &what));
    }
    assert!(touched > count / 4, "{touched} of {count}");
}

#[test]
fn random_pairs_are_never_late_and_never_missed() {
    random_pairs(1, 60, 24);
}

#[test]
#[ignore = "minutes"]
fn thousands_of_random_pairs() {
    random_pairs(2, 4000, 64);
}

/// The times of ever finer triangles converge to those of the faces with the square of their size.
#[test]
fn triangles_converge() {
    let mut random = Random::new(5);
    let mut orders = Vec::new();
    for round in 0..96 {
        let pair = random_pair(&mut random);
        let time = |n: usize| {
            let bodies = (0..2).map(|i| {
                let mesh = triangulated(&pair.meshes[i], n);
                Body::new(BodyShape::of_mesh(mesh).unwrap(), pair.motions[i])
            });
            first(bodies.collect(), pair.horizon).map(|i| i.early)
        };
        let (coarse, fine) = (time(8), time(24));
        let Some(impact) = pair.impact() else {
            assert!(fine.is_none(), "{round}: {fine:?}");
            continue;
        };
        let (Some(coarse), Some(fine)) = (coarse, fine) else {
            // A graze that triangles miss.
            continue;
        };
        let errors = [coarse, fine].map(|t| (t - impact.early).abs());
        assert!(errors[1] < 2e-2, "{round}: {errors:?}");
        if errors[0] > 1e-6 {
            orders.push((errors[0] / errors[1].max(1e-15)).ln() / 3.0_f64.ln());
        }
    }
    orders.sort_by(f64::total_cmp);
    let median = orders[orders.len() / 2];
    // Of so many that the median does not depend on the seed.
    assert!(orders.len() > 40 && median > 1.7, "{orders:?}");
}

/// Faces whose nodes move linearly, each at its own velocity, against the oracle.
#[test]
fn deforming_sheets() {
    let mut random = Random::new(11);
    let mut touched = 0;
    for round in 0..60 {
        let kinds = [0, 1].map(|_| {
            [
                FaceKind::Tri6,
                FaceKind::Quad8,
                FaceKind::Quad9,
                FaceKind::Quad4,
            ][random.below(4)]
        });
        let mut ends = Vec::new();
        let meshes = [0, 1].map(|i| {
            let side = if i == 0 { -1.0 } else { 1.0 };
            let shifted = |mesh: FaceMesh, by: [f64; 3]| {
                let moved = mesh
                    .nodes()
                    .iter()
                    .map(|p| std::array::from_fn(|k| p[k] + by[k]));
                single(mesh.kind(0), moved.collect())
            };
            let off = random.vector(0.5);
            let start = random_face(&mut random, kinds[i], 0.3);
            let end = random_face(&mut random, kinds[i], 0.3);
            ends.push(
                shifted(end, [off[1], off[0], -0.5 * side + 0.4 * off[2]])
                    .nodes()
                    .to_vec(),
            );
            shifted(start, [off[0], off[1], side])
        });
        let duration = 2.0;
        let bodies = (0..2).map(|i| {
            let shape = BodyShape::of_faces(meshes[i].clone()).unwrap();
            Body::deforming(shape, &ends[i], duration).unwrap()
        });
        let impact = first(bodies.collect(), duration);
        let until = impact.as_ref().map_or(duration, |i| i.early);
        let at = |t: f64| {
            let [a, b] = [0, 1].map(|i| {
                let share = t / duration;
                let nodes = meshes[i].nodes().iter().zip(&ends[i]);
                let nodes =
                    nodes.map(|(p, e)| std::array::from_fn(|k| p[k] + (e[k] - p[k]) * share));
                Face::new(kinds[i], &nodes.collect::<Vec<_>>()).unwrap()
            });
            distance(&a, &b)
        };
        let steps = 24;
        for step in 0..steps {
            let t = until * f64::from(step) / f64::from(steps);
            let d = at(t);
            assert!(
                d > 1e-9,
                "{round}: {d:e} apart at {t}, before {until}; {impact:?}"
            );
        }
        if let Some(impact) = impact {
            assert!(at(until * (1.0 - 1e-6)) > 1e-12, "{round} {impact:?}");
            assert!(impact.contacts[0].gap.abs() < 1e-11, "{round} {impact:?}");
            touched += 1;
        }
    }
    assert!(touched > 20, "{touched}");
}
