//! Tests of primitives in linear motion (vertex-face, edge-edge and others) against exact oracles.

mod cases;
mod oracle;
mod queries;
mod separation_oracle;
mod separations;

use oracle::{Pair, Time, contacts};
use queries::{Points, shared};
use tangere::impact::primitive::{
    ContactStatus, FirstContact, PrimitiveSettings, edge_edge, edge_edges, edge_vertex,
    edge_vertices, vertex_face, vertex_faces, vertex_vertex, vertex_vertices,
};
use test_support::Random;

fn found<const K: usize>(pair: Pair, start: &Points<K>, end: &Points<K>) -> FirstContact {
    found_within(pair, start, end, &PrimitiveSettings::default())
}

fn found_within<const K: usize>(
    pair: Pair,
    start: &Points<K>,
    end: &Points<K>,
    settings: &PrimitiveSettings,
) -> FirstContact {
    let corner = |points: &Points<K>, i: usize| points[i];
    let four = |p: &Points<K>| [0, 1, 2, 3].map(|i| corner(p, i));
    let three = |p: &Points<K>| [0, 1, 2].map(|i| corner(p, i));
    let two = |p: &Points<K>| [0, 1].map(|i| corner(p, i));
    match pair {
        Pair::VertexFace => vertex_face(&four(start), &four(end), settings),
        Pair::EdgeEdge => edge_edge(&four(start), &four(end), settings),
        Pair::EdgeVertex => edge_vertex(&three(start), &three(end), settings),
        Pair::VertexVertex => vertex_vertex(&two(start), &two(end), settings),
    }
}

/// Checks a result against the exact times of contact.
fn check(found: &FirstContact, truth: &[Time], what: impl Fn() -> String) {
    let expected = match truth.is_empty() {
        true => ContactStatus::Free,
        false => ContactStatus::Contact,
    };
    assert_eq!(found.status, expected, "{}", what());
    if truth.is_empty() {
        assert_eq!((found.early, found.late), (f64::INFINITY, f64::INFINITY));
        return;
    }
    assert!(
        truth.iter().all(|t| t.minus(found.early) >= 0),
        "late: {found:?} {}",
        what()
    );
    assert!(
        truth.iter().any(|t| t.minus(found.late) <= 0),
        "early: {found:?} {}",
        what()
    );
    let width = found.late - found.early;
    assert!(
        width <= 1e-12 * found.early || found.late < 1e-30,
        "wide: {found:?} {}",
        what()
    );
}

/// Checks many pairs; returns the number of contacts.
fn campaign<const K: usize>(pair: Pair, seed: u64, count: u64) -> usize {
    let mut numbers = Random::new(seed);
    let mut hits = 0;
    for n in 0..count {
        let (start, end) = queries::pair::<K>(n, &mut numbers);
        let truth = contacts(pair, &start, &end);
        check(&found(pair, &start, &end), &truth, || {
            format!("{pair:?} {n}: {start:?} {end:?}")
        });
        hits += usize::from(!truth.is_empty());
    }
    hits
}

#[test]
fn faces_and_edges_agree_with_the_truth() {
    let hits = campaign::<4>(Pair::VertexFace, 1, 4000);
    assert!((400..2000).contains(&hits), "{hits}");
    let hits = campaign::<4>(Pair::EdgeEdge, 2, 4000);
    assert!((400..3000).contains(&hits), "{hits}");
}

#[test]
fn vertices_agree_with_the_truth() {
    let hits = campaign::<3>(Pair::EdgeVertex, 3, 4000);
    assert!((100..2000).contains(&hits), "{hits}");
    let hits = campaign::<2>(Pair::VertexVertex, 4, 4000);
    assert!((50..1000).contains(&hits), "{hits}");
}

#[test]
#[ignore = "a million pairs against long arithmetic"]
fn a_million_pairs_agree_with_the_truth() {
    for seed in 0..4 {
        campaign::<4>(Pair::VertexFace, 100 + seed, 100_000);
        campaign::<4>(Pair::EdgeEdge, 200 + seed, 100_000);
        campaign::<3>(Pair::EdgeVertex, 300 + seed, 30_000);
        campaign::<2>(Pair::VertexVertex, 400 + seed, 20_000);
    }
}

#[test]
fn queries_with_known_truth() {
    let Some(queries) = shared() else {
        println!("skipped: no shared queries");
        return;
    };
    let mut wrong = [0; 2];
    for (n, (pair, start, end, truth)) in queries.iter().enumerate() {
        let found = found(*pair, start, end);
        wrong[usize::from(*truth)] += usize::from(found.is_contact() != *truth);
        assert_ne!(found.status, ContactStatus::Unresolved);
        if n % 7 == 0 {
            check(&found, &contacts(*pair, start, end), || {
                format!("query {n}")
            });
        }
    }
    assert_eq!((queries.len() >= 1824, wrong), (true, [0, 0]));
}

/// Batches are deterministic for any number of threads, and equal to single queries.
#[test]
fn batches_do_not_depend_on_threads() {
    let mut numbers = Random::new(9);
    let (start, end): (Vec<_>, Vec<_>) = (0..3000)
        .map(|n| queries::pair::<4>(n, &mut numbers))
        .unzip();
    for separation in [0.0, 0.1] {
        let settings = PrimitiveSettings::new(separation).unwrap();
        let bits = |found: &[FirstContact]| -> Vec<_> {
            found
                .iter()
                .map(|f| (f.early.to_bits(), f.late.to_bits(), f.status))
                .collect()
        };
        let expected: Vec<FirstContact> = start
            .iter()
            .zip(&end)
            .map(|(a, b)| edge_edge(a, b, &settings))
            .collect();
        for threads in [1, 2, 3, 8, 16] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let mut found = vec![FirstContact::FREE; 7];
            pool.install(|| edge_edges(&start, &end, &settings, &mut found))
                .unwrap();
            assert_eq!(bits(&found), bits(&expected));
        }
        let mut found = Vec::new();
        vertex_faces(&start, &end, &settings, &mut found).unwrap();
        assert!(
            found
                .iter()
                .zip(&start)
                .zip(&end)
                .all(|((f, a), b)| *f == vertex_face(a, b, &settings))
        );
    }
}

#[test]
fn batches_of_all_pairs() {
    let settings = PrimitiveSettings::default();
    let mut found = Vec::new();
    let edge = |y: f64| [[0.0, y, 0.0], [1.0, y, 0.0], [0.5, 0.0, 0.0]];
    edge_vertices(
        &[edge(1.0), edge(1.0)],
        &[edge(-1.0), edge(0.5)],
        &settings,
        &mut found,
    )
    .unwrap();
    assert_eq!(
        found,
        [
            edge_vertex(&edge(1.0), &edge(-1.0), &settings),
            FirstContact::FREE
        ]
    );
    assert_eq!(found[0].early, 0.5);
    let points = |x: f64| [[0.0; 3], [x, 0.0, 0.0]];
    vertex_vertices(&[points(1.0)], &[points(-1.0)], &settings, &mut found).unwrap();
    assert_eq!((found.len(), found[0].early), (1, 0.5));
    let error = vertex_vertices(&[points(1.0)], &[], &settings, &mut found).unwrap_err();
    assert_eq!(
        error.to_string(),
        "pairs at the end: found 0, expected as many as at the start, 1"
    );
    assert!(found.is_empty());
    let stop = tangere::stop::Stop::new();
    stop.request();
    let stopped =
        stop.during(|| vertex_vertices(&[points(1.0)], &[points(0.0)], &settings, &mut found));
    assert_eq!((stopped, found.len()), (Err(tangere::Error::Stopped), 0));
}
