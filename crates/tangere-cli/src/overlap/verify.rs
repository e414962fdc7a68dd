//! Comparison of penetration volumes with brute force over every pair of spheres.
//!
//! Every sphere of A is tested against every sphere of B, and volumes of pairs are computed by an
//! independent formula from radii `r`, `s` and the distance `d` of the centres:
//!
//! ```text
//! V = π/12 (r + s - d)² (d² + 2 d (r + s) - 3 (r - s)²) / d
//! ```
//!
//! for two spheres of which neither lies in the other. Rounding changes centres by at most `δ`,
//! some rounding units of the largest coordinate. This changes the common volume of two spheres by
//! at most `π min(r, s)² δ`. If a budget ended the search, the sum of the volumes of all pairs must
//! lie between the lower and the upper bound that the search returned.

use super::Bodies;
use crate::failure::Failure;
use crate::sample::Sample;
use std::f64::consts::PI;
use tangere::geometry::Pose;
use tangere::overlap::{Method, Overlap, OverlapQuery, OverlapSettings};

/// Maximum number of pairs of spheres that brute force tests. At least one pose is compared,
/// whatever its number of pairs.
const PAIR_TESTS: usize = 1_000_000_000;

/// Compares the answers at all poses with brute force, or those at evenly spaced poses if there are
/// too many. Returns the number of compared poses.
pub fn all(bodies: &Bodies, query: &mut OverlapQuery, found: &[Overlap]) -> Result<usize, Failure> {
    let each = bodies.a.len().saturating_mul(bodies.b.len());
    let sample = Sample::within(found.len(), each, PAIR_TESTS);
    let mut brute = OverlapQuery::new(OverlapSettings {
        method: Method::Brute,
        ..OverlapSettings::default()
    })?;
    let (mut pairs, mut expected) = (Vec::new(), Vec::new());
    for i in sample.items() {
        let (pose_b, answer) = (&bodies.poses_b[i], &found[i]);
        let (a, b) = (&bodies.a, &bodies.b);
        query.pairs(a, &bodies.pose_a, b, pose_b, &mut pairs);
        brute.pairs(a, &bodies.pose_a, b, pose_b, &mut expected);
        same(bodies, pose_b, answer, [&pairs, &expected])
            .map_err(|difference| Failure::internal(format_args!("pose {i}: {difference}")))?;
    }
    Ok(sample.len())
}

/// Compares the answer at one pose with brute force. `pairs` are the pairs of overlapping spheres
/// that the query found, `expected` those that brute force found. Both must be the same, and their
/// total volume must agree with the volume in `answer`. The error names what differs.
fn same(
    bodies: &Bodies,
    pose_b: &Pose,
    answer: &Overlap,
    [pairs, expected]: [&[[u32; 2]]; 2],
) -> Result<(), String> {
    if pairs != expected {
        let only = |one: &[[u32; 2]], other: &[[u32; 2]]| {
            let first = one.iter().find(|pair| !other.contains(pair));
            first.map_or("none".to_owned(), |pair| format!("{pair:?}"))
        };
        return Err(format!(
            "{} pairs, expected {}; first missing: {}, first extra: {}",
            pairs.len(),
            expected.len(),
            only(expected, pairs),
            only(pairs, expected)
        ));
    }
    let counted = match answer.complete {
        true => answer.pairs == pairs.len(),
        false => answer.pairs <= pairs.len(),
    };
    if !counted {
        return Err(format!(
            "{} pairs counted, expected {}",
            answer.pairs,
            pairs.len()
        ));
    }
    let (mut volume, mut error) = (0.0, 0.0);
    for &[i, j] in pairs {
        let (i, j) = (i as usize, j as usize);
        let p = bodies.pose_a.apply(bodies.a.centers()[i]);
        let q = pose_b.apply(bodies.b.centers()[j]);
        let (r, s) = (bodies.a.radii()[i], bodies.b.radii()[j]);
        let distance = (0..3).map(|k| (p[k] - q[k]) * (p[k] - q[k])).sum::<f64>();
        volume += lens_volume(distance.sqrt(), r, s);
        let given = bodies.a.centers()[i].iter().chain(&bodies.b.centers()[j]);
        let size = given.chain(&p).chain(&q).fold(r + s, |m, x| m.max(x.abs()));
        error += PI * r.min(s) * r.min(s) * 64.0 * f64::EPSILON * size;
    }
    // The sum itself is rounded as well.
    let allowed = error + 1e-12 * volume;
    let least = match answer.complete {
        true => answer.lower,
        false => answer.upper,
    };
    let holds = answer.lower <= volume + allowed && least >= volume - allowed;
    if !holds {
        return Err(format!(
            "spheres share the volume {:?}, at most {:?}; expected {volume:?} within {allowed:e}",
            answer.lower, answer.upper
        ));
    }
    if answer.lower.is_nan() || answer.lower > answer.volume || answer.volume > answer.upper {
        return Err(format!(
            "the volume {:?}, expected it between {:?} and {:?}",
            answer.volume, answer.lower, answer.upper
        ));
    }
    Ok(())
}

fn lens_volume(d: f64, r: f64, s: f64) -> f64 {
    let small = r.min(s);
    if d <= (r - s).abs() {
        return 4.0 / 3.0 * PI * small * small * small;
    }
    let reach = (r + s - d).max(0.0);
    let rest = d * d + 2.0 * d * (r + s) - 3.0 * (r - s) * (r - s);
    PI / 12.0 * reach * reach * rest / d
}

#[cfg(test)]
mod tests {
    use super::*;
    use tangere::overlap::lens;
    use tangere::shape::Packing;

    #[test]
    fn lenses_are_those_of_the_library() {
        for (d, r, s) in [
            (1.0, 1.0, 1.0),
            (0.2, 2.0, 0.5),
            (2.2, 2.0, 0.5),
            (0.0, 1.0, 1.0),
        ] {
            let expected = lens(d, [r, s]).volume;
            assert!(
                (lens_volume(d, r, s) - expected).abs() < 1e-14,
                "{d} {r} {s}"
            );
        }
    }

    #[test]
    fn differences_are_named() {
        let ball = || Packing::new(vec![[0.0; 3]], vec![1.0]).unwrap();
        let pose_b = Pose::from_translation([1.0, 0.0, 0.0]).unwrap();
        let bodies = Bodies {
            a: ball(),
            b: ball(),
            pose_a: Pose::identity(),
            poses_b: vec![pose_b],
        };
        let mut query = OverlapQuery::new(OverlapSettings::default()).unwrap();
        let answer = query.overlap(&bodies.a, &bodies.pose_a, &bodies.b, &pose_b);
        assert!(matches!(all(&bodies, &mut query, &[answer]), Ok(1)));
        let difference = |answer: &Overlap, pairs: &[[u32; 2]]| {
            same(&bodies, &pose_b, answer, [pairs, &[[0, 0]]]).unwrap_err()
        };
        assert!(difference(&answer, &[]).contains("first missing: [0, 0], first extra: none"));
        let more = Overlap { pairs: 2, ..answer };
        assert!(difference(&more, &[[0, 0]]).contains("2 pairs counted, expected 1"));
        let lower = answer.lower + 1e-9;
        let wrong = Overlap { lower, ..answer };
        assert!(difference(&wrong, &[[0, 0]]).contains("spheres share the volume"));
        let wrong = Overlap {
            volume: 2.0 * answer.upper,
            ..answer
        };
        assert!(difference(&wrong, &[[0, 0]]).contains("expected it between"));
    }
}
