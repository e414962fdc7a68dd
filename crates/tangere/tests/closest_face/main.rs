//! The nearest point of a finite element face against subdivision.

mod faces;

use faces::{Random, bent, point_about};
use tangere::closest::{FaceStatus, PreparedFace};
use tangere::shape::{Face, FaceKind};

/// The least distance by looking at ever finer grids about the best places: an upper bound that
/// only points of the face itself can reach.
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
            let xi = if kind.dimension() == 1 { [xi[0], 0.0] } else { xi };
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

fn check(face: &Face, y: [f64; 3], size: f64, what: &str) -> u32 {
    let prepared = PreparedFace::new(face);
    let nearest = prepared.nearest(y).unwrap();
    let kind = face.kind();
    assert!(kind.contains(nearest.xi), "{what}: {nearest:?}");
    let x = face.point(nearest.xi);
    let far = |a: [f64; 3], b: [f64; 3]| {
        (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
    };
    assert!(far(x, nearest.point) <= 1e-13 * size, "{what}: {nearest:?}");
    assert!((far(x, y) - nearest.distance).abs() <= 1e-13 * size, "{what}: {nearest:?}");
    assert!(nearest.lower <= nearest.distance, "{what}: {nearest:?}");
    let oracle = subdivided(face, y);
    assert!(
        nearest.distance <= oracle + 1e-12 * size,
        "{what}: {oracle} is nearer than {nearest:?}, nodes {:?}, y {y:?}",
        face.nodes()
    );
    assert!(nearest.lower <= oracle + 1e-12 * size, "{what}: {nearest:?}");
    if nearest.status == FaceStatus::Proven {
        assert!(nearest.distance - nearest.lower <= 1e-12 * size, "{what}: {nearest:?}");
        assert!(nearest.residual <= 1e-11 * size, "{what}: {nearest:?}");
    }
    u32::from(nearest.status == FaceStatus::Bracketed)
}

#[test]
fn nearest_points_are_the_nearest() {
    let mut random = Random(7);
    for kind in FaceKind::ALL {
        let mut bracketed = 0;
        for n in 0..300 {
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
