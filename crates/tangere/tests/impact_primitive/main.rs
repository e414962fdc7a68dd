//! First contact of vertices, edges and faces in straight motion, against the truth.

mod oracle;
mod queries;

use oracle::{Pair, Time, contacts};
use queries::{Numbers, Points, shared};
use tangere::impact::primitive::{
    ContactStatus, FirstContact, PrimitiveSettings, edge_edge, edge_edges, edge_vertex,
    vertex_face, vertex_faces, vertex_vertex,
};

fn found<const K: usize>(pair: Pair, start: &Points<K>, end: &Points<K>) -> FirstContact {
    let touching = PrimitiveSettings::default();
    let corner = |points: &Points<K>, i: usize| points[i];
    let four = |p: &Points<K>| [0, 1, 2, 3].map(|i| corner(p, i));
    let three = |p: &Points<K>| [0, 1, 2].map(|i| corner(p, i));
    let two = |p: &Points<K>| [0, 1].map(|i| corner(p, i));
    match pair {
        Pair::VertexFace => vertex_face(&four(start), &four(end), &touching),
        Pair::EdgeEdge => edge_edge(&four(start), &four(end), &touching),
        Pair::EdgeVertex => edge_vertex(&three(start), &three(end), &touching),
        Pair::VertexVertex => vertex_vertex(&two(start), &two(end), &touching),
    }
}

/// An answer against the times of contact.
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

/// Asks about many pairs and counts contacts.
fn campaign<const K: usize>(pair: Pair, seed: u64, count: u64) -> usize {
    let mut numbers = Numbers(seed);
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
