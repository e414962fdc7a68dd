//! Nearest points of finite element faces (`PreparedFace`) against subdivision.

mod batch;
mod bfgs_sqp;
mod faces;

use faces::{bent, point_about};
use tangere::closest::{FaceStatus, PreparedFace};
use tangere::shape::{Face, FaceKind};
use test_support::Random;

/// The least distance on ever finer grids about the best points: an upper bound of the distance,
/// since grid points are on the face.
fn subdivided(face: &Face, y: [f64; 3]) -> f64 {
    let kind = face.kind();
    let distance = |xi: [f64; 2]| {
        let x = face.point(xi);
        (0..3).map(|k| (y[k] - x[k]).powi(2)).sum::<f64>().sqrt()
    };
    let (low, high) = if kind.corners() == 3 {
        (0.0, 1.0)
    } else {
        (-1.0, 1.0)
    };
    const N: usize = 40;
    let mut found: Vec<(f64, [f64; 2])> = Vec::new();
    let step = (high - low) / N as f64;
    for i in 0..=N {
        for j in 0..=N {
            let xi = [low + i as f64 * step, low + j as f64 * step];
            let xi = if kind.dimension() == 1 {
                [xi[0], 0.0]
            } else {
                xi
            };
            if kind.contains(xi) {
                found.push((distance(xi), xi));
            }
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.truncate(12);
    let mut best = found[0].0;
    for (mut least, mut at) in found {
        let mut step = step;
        while step > 1e-10 {
            let mut moved = false;
            for i in -2..=2 {
                for j in -2..=2 {
                    let mut xi = [at[0] + f64::from(i) * step, at[1] + f64::from(j) * step];
                    if kind.dimension() == 1 {
                        xi[1] = 0.0;
                    }
                    for x in &mut xi {
                        *x = x.clamp(low, high);
                    }
                    if kind.contains(xi) && distance(xi) < least {
                        (least, at, moved) = (distance(xi), xi, true);
                    }
                }
            }
            if !moved {
                step *= 0.5;
            }
        }
        best = best.min(least);
    }
    best
}

/// Checks the nearest point of a face against subdivision and its own claims; returns 1 if it is
/// only bracketed, otherwise 0.
fn check(face: &Face, y: [f64; 3], size: f64, what: &str) -> u32 {
    let prepared = PreparedFace::new(face);
    let nearest = prepared.nearest(y).expect("a valid point");
    let kind = face.kind();
    assert!(kind.contains(nearest.xi), "{what}: {nearest:?}");
    let x = face.point(nearest.xi);
    let far = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
    assert!(far(x, nearest.point) <= 1e-13 * size, "{what}: {nearest:?}");
    assert!(
        (far(x, y) - nearest.distance).abs() <= 1e-13 * size,
        "{what}: {nearest:?}"
    );
    assert!(nearest.lower <= nearest.distance, "{what}: {nearest:?}");
    let oracle = subdivided(face, y);
    assert!(
        nearest.distance <= oracle + 1e-12 * size,
        "{what}: {oracle} is nearer than {nearest:?}, nodes {:?}, y {y:?}",
        face.nodes()
    );
    assert!(
        nearest.lower <= oracle + 1e-12 * size,
        "{what}: {nearest:?}"
    );
    if nearest.status == FaceStatus::Proven {
        assert!(
            nearest.distance - nearest.lower <= 1e-12 * size,
            "{what}: {nearest:?}"
        );
        assert!(nearest.residual <= 1e-11 * size, "{what}: {nearest:?}");
    }
    u32::from(nearest.status == FaceStatus::Bracketed)
}

/// The number of faces of each kind; the environment variable `TANGERE_FACES` overrides it.
fn cases() -> usize {
    let setting = std::env::var("TANGERE_FACES").ok();
    setting.and_then(|n| n.parse().ok()).unwrap_or(300)
}

#[test]
fn nearest_points_match_subdivision() {
    let mut random = Random::new(7);
    for kind in FaceKind::ALL {
        let mut bracketed = 0;
        for n in 0..cases() {
            let bend = [0.0, 0.05, 0.2, 0.5, 1.0][n % 5];
            let face = bent(kind, bend, &mut random);
            let reach = [0.01, 0.3, 1.0, 5.0][n / 5 % 4];
            let y = point_about(&face, reach, &mut random);
            let what = format!("{kind}, bent by {bend}, {n}");
            bracketed += check(&face, y, 2.0 + reach, &what);
        }
        assert_eq!(bracketed, 0, "{kind}");
    }
}

/// Faces without area, or folded; the query points are on them and far away.
#[test]
fn degenerate_faces() {
    let mut random = Random::new(3);
    for kind in FaceKind::ALL {
        for n in 0..60 {
            let face = bent(kind, 0.3, &mut random);
            let mut nodes = face.nodes().to_vec();
            match n % 6 {
                // On a line, all nodes but one at a point, folded over.
                0 => nodes.iter_mut().for_each(|p| (p[1], p[2]) = (0.0, 0.0)),
                1 => {
                    let first = nodes[0];
                    nodes[1..].fill(first);
                    nodes[1][0] += 1.0;
                }
                2 => nodes.swap(0, 1),
                3 => nodes[1] = nodes[0],
                // Sharp corners between sides that are tangent.
                4 => {
                    let n = kind.nodes();
                    nodes[n - 1] = nodes[0];
                }
                _ => {}
            }
            let face = Face::new(kind, &nodes).unwrap();
            let flat = |mut y: [f64; 3]| {
                if kind.dimension() == 1 {
                    y[2] = 0.0;
                }
                y
            };
            let what = format!("{kind}, {n}");
            let near = point_about(&face, 0.5, &mut random);
            let places = [
                near,
                flat(nodes[0]),
                flat([0.0; 3]),
                flat([30.0, -20.0, 7.0]),
            ];
            for y in places {
                check_bound(&face, y, 40.0, &what);
            }
        }
    }
}

/// As [`check`], but the gradient may vanish where there is no tangent.
fn check_bound(face: &Face, y: [f64; 3], size: f64, what: &str) {
    let nearest = PreparedFace::new(face).nearest(y).expect("a valid point");
    assert!(face.kind().contains(nearest.xi), "{what}: {nearest:?}");
    let oracle = subdivided(face, y);
    assert!(
        nearest.distance <= oracle + 1e-9 * size,
        "{what}: {oracle}, {nearest:?}"
    );
    assert!(
        nearest.lower <= oracle + 1e-9 * size,
        "{what}: {oracle}, {nearest:?}"
    );
}

/// Where all points of a face are equally far, the bounds must still be close.
#[test]
fn the_centre_of_a_ball() {
    let h = 0.5f64.sqrt();
    let third = (1.0f64 / 3.0).sqrt();
    let nodes = [
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [h, h, 0.0],
        [0.0, h, h],
        [h, 0.0, h],
    ];
    let face = Face::new(FaceKind::Tri6, &nodes).unwrap();
    let nearest = PreparedFace::new(&face).nearest([0.0; 3]).unwrap();
    assert!(nearest.distance <= subdivided(&face, [0.0; 3]) + 1e-12);
    let above = [3.0 * third; 3];
    let nearest = PreparedFace::new(&face).nearest(above).unwrap();
    assert_eq!(nearest.status, FaceStatus::Proven);
    assert!((nearest.xi[0] - 1.0 / 3.0).abs() < 1e-12, "{nearest:?}");
}

/// A face far from the origin has the results of one near it.
#[test]
fn far_from_the_origin() {
    let mut random = Random::new(5);
    for kind in FaceKind::ALL {
        let face = bent(kind, 0.1, &mut random);
        // Multiples of a power of 2, so that moving the face is exact.
        let round = |p: [f64; 3], by: f64| p.map(|x| (x * 1e4).round() / 16384.0 + by);
        let y = point_about(&face, 0.5, &mut random);
        let moved = |by: f64| {
            let nodes: Vec<[f64; 3]> = face.nodes().iter().map(|&p| round(p, by)).collect();
            let face = Face::new(kind, &nodes).unwrap();
            PreparedFace::new(&face).nearest(round(y, by)).unwrap()
        };
        let (here, there) = (moved(0.0), moved(1073741824.0));
        assert!(
            (here.distance - there.distance).abs() < 1e-6,
            "{here:?} {there:?}"
        );
    }
}

#[test]
fn invalid_points() {
    let face = bent(FaceKind::Quad8, 0.1, &mut Random::new(1));
    let prepared = PreparedFace::new(&face);
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        let error = prepared.nearest([0.0, bad, 0.0]).unwrap_err();
        assert!(error.to_string().contains("point 0"), "{error}");
    }
}
