//! Tests of contact at a separation: never late, never missed, and certain unless the least
//! distance is the separation.

use super::oracle::Pair;
use super::queries::{self, Points};
use super::{found_within, separation_oracle};
use tangere::geometry::triangle::closest_on_triangle;
use tangere::impact::primitive::{
    ContactStatus, PrimitiveSettings, edge_edge, edge_vertex, vertex_face, vertex_vertex,
};
use test_support::Random;

/// Checks a contact at a separation: never late, never missed; nearly always certain, and then as
/// near as rounding allows.
fn separated_campaign<const K: usize>(
    pair: Pair,
    ways: &[u64],
    seed: u64,
    count: usize,
) -> [usize; 4] {
    let mut numbers = Random::new(seed);
    let mut counts = [0; 4];
    for n in 0..count {
        let (start, end) = queries::pair::<K>(ways[n % ways.len()], &mut numbers);
        let h = [0.01, 0.1, 0.3, 1e-6][n / ways.len() % 4];
        let settings = PrimitiveSettings::new(h).expect("a separation");
        let found = found_within(pair, &start, &end, &settings);
        let truth = separation_oracle::contacts(pair, &start, &end, h);
        let what = || format!("{pair:?} {n} within {h}: {start:?} {end:?} {found:?}");
        counts[found.status as usize] += 1;
        assert!(
            truth.iter().all(|t| t.minus(found.early) >= 0),
            "late: {}",
            what()
        );
        match found.status {
            ContactStatus::Free => assert!(truth.is_empty(), "missed: {}", what()),
            ContactStatus::Contact => {
                assert!(
                    truth.iter().any(|t| t.minus(found.late) <= 0),
                    "early: {}",
                    what()
                );
                counts[3] += usize::from(found.late - found.early > 1e-9 * found.late + 1e-13);
            }
            _ => assert_eq!(found.late, f64::INFINITY),
        }
    }
    counts
}

#[test]
fn separations_are_never_missed() {
    let counts = [
        separated_campaign::<4>(Pair::VertexFace, &[0, 6], 11, 120),
        separated_campaign::<4>(Pair::EdgeEdge, &[0, 6], 12, 120),
        separated_campaign::<3>(Pair::EdgeVertex, &[0, 1, 6, 7], 13, 400),
        separated_campaign::<2>(Pair::VertexVertex, &[0, 1, 2, 6, 7], 14, 800),
    ];
    // Free, contact, unresolved, wide.
    for [free, contact, unresolved, wide] in counts {
        assert!(free > 50 && contact > 30, "{counts:?}");
        assert_eq!((unresolved, wide), (0, 0), "{counts:?}");
    }
}

/// The distance of a pair at a time.
fn distance<const K: usize>(pair: Pair, start: &Points<K>, end: &Points<K>, t: f64) -> f64 {
    let from = |b: usize, a: usize| {
        let at = |p: &Points<K>, k: usize| p[b][k] - p[a][k];
        [0, 1, 2].map(|k| (1.0 - t) * at(start, k) + t * at(end, k))
    };
    let triangles = match pair {
        Pair::VertexFace => [[(1, 0), (2, 0), (3, 0)]; 2],
        Pair::EdgeEdge => [[(2, 0), (2, 1), (3, 0)], [(2, 1), (3, 0), (3, 1)]],
        Pair::EdgeVertex => [[(0, 2), (1, 2), (1, 2)]; 2],
        Pair::VertexVertex => [[(1, 0); 3]; 2],
    };
    let distance = |corners: [(usize, usize); 3]| {
        let triangle = corners.map(|(b, a)| from(b, a));
        closest_on_triangle([0.0; 3], triangle)
            .distance_squared
            .sqrt()
    };
    triangles.map(distance).into_iter().fold(f64::MAX, f64::min)
}

/// The least distance of a pair in the step: sampled, then refined.
fn least_distance<const K: usize>(pair: Pair, start: &Points<K>, end: &Points<K>) -> f64 {
    let at = |t: f64| (distance(pair, start, end, t), t);
    let nearer = |a: (f64, f64), b: (f64, f64)| if b.0 < a.0 { b } else { a };
    let mut least = (0..=3000)
        .map(|i| at(f64::from(i) / 3000.0))
        .fold(at(0.0), nearer);
    let mut width = 1.0 / 3000.0;
    while width > 1e-16 {
        let t = least.1;
        least = nearer(least, at((t - width).max(0.0)));
        least = nearer(least, at((t + width).min(1.0)));
        width *= 0.75;
    }
    least.0
}

/// Of random pairs none is unresolved and no bracket is wide. With a fixed axis, whose steps are as
/// short as its fastest corner makes them, some were.
#[test]
fn corners_at_random_are_resolved() {
    fn campaign<const K: usize>(pair: Pair, count: usize) {
        let mut numbers = Random::new(21);
        for n in 0..count {
            let (start, end) = queries::random::<K>(&mut numbers);
            let settings = PrimitiveSettings::new([0.1, 0.01, 1e-3, 1e-6][n % 4]).unwrap();
            let found = found_within(pair, &start, &end, &settings);
            let what = || format!("{pair:?} {n} {settings:?}: {start:?} {end:?} {found:?}");
            assert_ne!(found.status, ContactStatus::Unresolved, "{}", what());
            if found.is_contact() {
                let width = found.late - found.early;
                assert!(width <= 1e-9 * found.late + 1e-12, "{}", what());
            }
        }
    }
    campaign::<4>(Pair::VertexFace, 40_000);
    campaign::<4>(Pair::EdgeEdge, 40_000);
    campaign::<3>(Pair::EdgeVertex, 10_000);
    campaign::<2>(Pair::VertexVertex, 10_000);
}

/// Separations next to the least distance, on both sides of it.
#[test]
fn grazes_are_decided() {
    fn campaign<const K: usize>(pair: Pair) -> usize {
        let mut numbers = Random::new(22);
        let mut checked = 0;
        for n in 0..120 {
            let way = [0, 0, 6, 9][n % 4];
            let (start, end) = queries::pair::<K>(way, &mut numbers);
            let least = least_distance(pair, &start, &end);
            if least < 1e-2 {
                continue;
            }
            for power in [-3, -5, -7, -9, -10, -11] {
                for (sign, expected) in [(-1.0, ContactStatus::Free), (1.0, ContactStatus::Contact)]
                {
                    // The least distance is found to all digits but two.
                    let h = least * (1.0 + sign * 10f64.powi(power));
                    let settings = PrimitiveSettings::new(h).unwrap();
                    let found = found_within(pair, &start, &end, &settings);
                    let what = || format!("{pair:?} {n} {power} {h}: {start:?} {end:?} {found:?}");
                    assert_eq!(found.status, expected, "{}", what());
                    checked += 1;
                }
            }
        }
        checked
    }
    let checked = [
        campaign::<4>(Pair::VertexFace),
        campaign::<4>(Pair::EdgeEdge),
        campaign::<3>(Pair::EdgeVertex),
        campaign::<2>(Pair::VertexVertex),
    ];
    assert!(checked.iter().all(|&count| count > 400), "{checked:?}");
}

/// A pair that is at the separation at the start, moves away and comes near later: contact is
/// found, but its time is not certain.
#[test]
fn a_graze_does_not_hide_what_follows() {
    // Two corners of the face come one after the other; the first to the separation exactly.
    let from = [[0.0; 3], [1.0, 0.0, 0.0], [4.0, 2.0, 0.0], [4.0, -2.0, 1.0]];
    let to = [[0.0; 3], [3.0, 0.0, 0.0], [0.5, 0.0, 0.0], [4.0, -2.0, 1.0]];
    let settings = PrimitiveSettings::new(1.0).unwrap();
    let found = vertex_face(&from, &to, &settings);
    assert_eq!((found.status, found.early), (ContactStatus::Contact, 0.0));
    assert!(found.late < 1.0, "{found:?}");
    // At the separation for a while from the end of an edge, and nearer as soon as its interior is:
    // where the edge takes over from its end, the distance does not determine the feature.
    let from = [
        [0.11, -0.19, 0.01],
        [-0.09, -0.09, -0.09],
        [-0.19, -0.09, -0.09],
    ];
    let to = [
        [-0.19, -0.19, 0.21],
        [0.11, -0.19, -0.09],
        [0.01, -0.19, -0.09],
    ];
    let near = PrimitiveSettings::new(0.1).unwrap();
    let found = edge_vertex(&from, &to, &near);
    assert_eq!((found.status, found.early), (ContactStatus::Contact, 0.0));
    assert!(0.39 < found.late && found.late < 0.41, "{found:?}");
    // Where nothing follows it is unresolved.
    let away = |p: [f64; 3]| [[0.0; 3], p];
    let found = vertex_vertex(&away([0.6, 0.8, 0.0]), &away([3.0, 4.0, 0.0]), &settings);
    let expected = (ContactStatus::Unresolved, 0.0, f64::INFINITY);
    assert_eq!((found.status, found.early, found.late), expected);
}

#[test]
fn sizes_do_not_matter_to_separations() {
    let mut numbers = Random::new(23);
    for n in 0..200 {
        let (start, end) = queries::pair::<4>(n % 4, &mut numbers);
        let settings = PrimitiveSettings::new(0.125).unwrap();
        let expected = edge_edge(&start, &end, &settings);
        for power in [-900, -350, 300, 900] {
            let scale = 2f64.powi(power);
            let scaled = |p: Points<4>| p.map(|p| p.map(|x| x * scale));
            let settings = PrimitiveSettings::new(0.125 * scale).unwrap();
            let found = edge_edge(&scaled(start), &scaled(end), &settings);
            assert_eq!(found.status, expected.status, "{start:?} {end:?} {power}");
            assert!(found.early <= expected.late && expected.early <= found.late);
        }
    }
    // Near each other beside one large coordinate: squares of distances are less than any float.
    let apart = |y: f64| [[1.0, 0.0, 0.0], [1.0, y, 0.0]];
    let status = |y: f64, h: f64| {
        let settings = PrimitiveSettings::new(h).unwrap();
        vertex_vertex(&apart(y), &apart(2.0 * y), &settings).status
    };
    assert_eq!(status(1e-170, 1e-180), ContactStatus::Free);
    assert_eq!(status(1e-170, 1.5e-170), ContactStatus::Contact);
    assert_eq!(status(5e-324, 1.0), ContactStatus::Contact);
    let far = [f64::MAX, -f64::MAX, 0.0];
    let settings = PrimitiveSettings::new(f64::MAX).unwrap();
    let found = vertex_vertex(&[far, far.map(|x| -x)], &[far, [0.0; 3]], &settings);
    assert_eq!(found.status, ContactStatus::Free);
}
