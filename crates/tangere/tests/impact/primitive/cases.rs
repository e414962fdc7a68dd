//! Hand-made cases of primitives: degenerate shapes and motions, ends of the step, sizes, invalid
//! input.

use super::oracle::{Pair, contacts};
use super::{check, found};
use tangere::impact::primitive::{
    ContactStatus, FirstContact, PrimitiveSettings, edge_edge, vertex_face,
};

type Four = [[f64; 3]; 4];

const FACE: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

fn over(p: [f64; 3]) -> Four {
    [p, FACE[0], FACE[1], FACE[2]]
}

/// The result of the library, checked against the oracle.
fn checked(pair: Pair, start: Four, end: Four) -> FirstContact {
    let found = found(pair, &start, &end);
    check(&found, &contacts(pair, &start, &end), || {
        format!("{pair:?} {start:?} {end:?}")
    });
    found
}

fn times(pair: Pair, start: Four, end: Four) -> (f64, f64) {
    let found = checked(pair, start, end);
    (found.early, found.late)
}

const NEVER: (f64, f64) = (f64::INFINITY, f64::INFINITY);

#[test]
fn a_vertex_and_a_face() {
    let time = |from, to| times(Pair::VertexFace, over(from), over(to));
    // At the beginning: on the face, on its rim, on a corner, going away.
    for from in [[1.0, 1.0, 0.0], [2.0, 2.0, 0.0], [4.0, 0.0, 0.0]] {
        assert_eq!(time(from, [1.0, 1.0, 5.0]), (0.0, 0.0));
        assert_eq!(time([1.0, 1.0, 5.0], from), (1.0, 1.0));
        assert_eq!(time(from, from), (0.0, 0.0));
    }
    // In its plane: through an edge, past a corner, on it, along an edge.
    assert_eq!(time([-2.0, 1.0, 0.0], [2.0, 1.0, 0.0]), (0.5, 0.5));
    assert_eq!(time([-1.0, 2.0, 0.0], [1.0, -2.0, 0.0]), (0.5, 0.5));
    assert_eq!(
        time([-1.0, 2.0, 0.0], [1.0_f64.next_down(), -2.0, 0.0]),
        NEVER
    );
    assert_eq!(time([8.0, 0.0, 0.0], [0.0, 0.0, 0.0]), (0.5, 0.5));
    assert_eq!(time([8.0, -1e-300, 0.0], [0.0, -1e-300, 0.0]), NEVER);
    // Down to the face and up again is not a straight motion; to it and no further is.
    assert_eq!(time([1.0, 1.0, 3.0], [1.0, 1.0, 5e-324]), NEVER);
}

#[test]
fn faces_without_area() {
    let segment = |p| [p, [0.0; 3], [2.0, 0.0, 0.0], [4.0, 0.0, 0.0]];
    let point = |p| [p, [1.0; 3], [1.0; 3], [1.0; 3]];
    let time = |start, end| times(Pair::VertexFace, start, end);
    assert_eq!(
        time(segment([3.0, 1.0, 1.0]), segment([3.0, -1.0, -1.0])),
        (0.5, 0.5)
    );
    assert_eq!(
        time(segment([5.0, 1.0, 1.0]), segment([5.0, -1.0, -1.0])),
        NEVER
    );
    assert_eq!(
        time(segment([8.0, 0.0, 0.0]), segment([0.0, 0.0, 0.0])),
        (0.5, 0.5)
    );
    assert_eq!(time(point([0.0; 3]), point([2.0; 3])), (0.5, 0.5));
    assert_eq!(time(point([0.0; 3]), point([2.0, 2.0, 3.0])), NEVER);
    // Without area at the moment of contact only, and turned over.
    let folded = [[1.0, 0.0, 0.0], [0.0; 3], [4.0, 0.0, 0.0], [0.0, -1.0, 1.0]];
    let unfolded = [[1.0, 0.0, 0.0], [0.0; 3], [4.0, 0.0, 0.0], [0.0, 1.0, -1.0]];
    assert_eq!(time(folded, unfolded), (0.0, 0.0));
    let below = [[1.0, 1.0, 0.0], [0.0; 3], [4.0, 0.0, 0.0], [0.0, -1.0, 1.0]];
    checked(Pair::VertexFace, below, unfolded);
    checked(Pair::VertexFace, below, folded);
}

#[test]
fn two_edges() {
    let time = |start, end| times(Pair::EdgeEdge, start, end);
    let cross = |z: f64| {
        [
            [-1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, -1.0, z],
            [0.0, 1.0, z],
        ]
    };
    assert!(time(cross(1.0), cross(-1.0)).0 < 0.500_001);
    assert_eq!(time(cross(0.0), cross(-1.0)), (0.0, 0.0));
    assert_eq!(time(cross(1.0), cross(0.0)), (1.0, 1.0));
    assert_eq!(time(cross(1.0), cross(5e-324)), NEVER);
    // Parallel: side by side onto each other, past each other, end to end.
    let beside = |x: f64, y: f64| [[0.0; 3], [1.0, 0.0, 0.0], [x, y, 0.0], [x + 1.0, y, 0.0]];
    assert_eq!(time(beside(0.5, 1.0), beside(0.5, -1.0)), (0.5, 0.5));
    assert_eq!(time(beside(1.5, 1.0), beside(1.5, -1.0)), NEVER);
    assert_eq!(time(beside(1.0, 1.0), beside(1.0, -1.0)), (0.5, 0.5));
    assert_eq!(time(beside(3.0, 0.0), beside(-1.0, 0.0)), (0.5, 0.5));
    // One or both without length.
    let point = |p: [f64; 3]| [[0.0; 3], [1.0, 0.0, 0.0], p, p];
    assert_eq!(
        time(point([0.5, 1.0, 1.0]), point([0.5, -1.0, -1.0])),
        (0.5, 0.5)
    );
    assert_eq!(
        time(point([1.5, 1.0, 1.0]), point([1.5, -1.0, -1.0])),
        NEVER
    );
    let points = |x: f64| [[0.0; 3], [0.0; 3], [x, 0.0, 0.0], [x, 0.0, 0.0]];
    assert_eq!(time(points(1.0), points(-1.0)), (0.5, 0.5));
    assert_eq!(time(points(1.0), points(0.5)), NEVER);
    // Ends in common always.
    let hinge = |y: f64| [[0.0; 3], [1.0, 0.0, 0.0], [0.0; 3], [1.0, y, 1.0]];
    assert_eq!(time(hinge(1.0), hinge(-1.0)), (0.0, 0.0));
}

/// The cubic grazes 0, or nearly: a vertex rises and falls relative to a rotating face.
#[test]
fn roots_next_to_each_other() {
    // The height over the face is 1 - 4 t + 4 t² + c: corners of the face move, too.
    for c in [
        0.0,
        1e-15,
        -1e-15,
        2f64.powi(-52),
        -2f64.powi(-52),
        2f64.powi(-80),
        -2f64.powi(-80),
        -2f64.powi(-300),
    ] {
        let start = [[1.0, 1.0, 1.0], [0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, -c]];
        let end = [[1.0, 1.0, -1.0], [0.0; 3], [4.0, 0.0, -8.0], [0.0, 4.0, -c]];
        checked(Pair::VertexFace, start, end);
        let start = [
            [2.0, 0.0, 1.0],
            [0.0, 0.0, c],
            [4.0, 0.0, c],
            [-2.0, 1.0, 0.0],
        ];
        let end = [
            [-2.0, 2.0, 1.0],
            [0.0, 1.0, 3.0],
            [4.0, -1.0, -c],
            [-2.0, 1.0, 1.0],
        ];
        checked(Pair::VertexFace, start, end);
        checked(Pair::EdgeEdge, start, end);
    }
}

#[test]
fn sizes_do_not_matter() {
    let mut numbers = test_support::Random::new(77);
    for n in 0..300 {
        let (start, end) = super::queries::pair::<4>(n % 4, &mut numbers);
        for pair in [Pair::VertexFace, Pair::EdgeEdge] {
            let expected = found(pair, &start, &end);
            for power in [-1000, -350, 300, 900] {
                let scale = 2f64.powi(power);
                let scaled = |p: Four| p.map(|p| p.map(|x| x * scale));
                // Random numbers have bits that scaling down would lose.
                if n % 4 == 0 && power < -900 {
                    continue;
                }
                let answer = found(pair, &scaled(start), &scaled(end));
                assert_eq!(
                    answer.status, expected.status,
                    "{start:?} {end:?} 2^{power}"
                );
                assert!(answer.early <= expected.late && expected.early <= answer.late);
            }
        }
    }
    let tiny = |x: f64| over([1.0, 1.0, x]);
    assert_eq!(
        times(Pair::VertexFace, tiny(5e-324), tiny(-5e-324)),
        (0.5, 0.5)
    );
    assert_eq!(times(Pair::VertexFace, tiny(1e-100), tiny(1.0)), NEVER);
    let (early, late) = times(Pair::VertexFace, tiny(1e-100), tiny(-1.0));
    assert!(early == 0.0 && late < 1e-30);
    // Huge beside tiny: the longest whole numbers.
    let huge = |z: f64| {
        [
            [1e300, 1e300, z],
            [0.0; 3],
            [4e300, 0.0, 0.0],
            [0.0, 4e300, 0.0],
        ]
    };
    assert_eq!(
        times(Pair::VertexFace, huge(5e-324), huge(-5e-324)),
        (0.5, 0.5)
    );
    assert_eq!(times(Pair::VertexFace, huge(1.5e-323), huge(5e-324)), NEVER);
    let sizes = [f64::MAX, 1.0, 0.0, 5e-324, -1e-300, -3e200];
    for n in 0..24 {
        let mut points = || [(); 4].map(|()| [(); 3].map(|()| sizes[numbers.below(6)]));
        let (start, end) = (points(), points());
        checked([Pair::VertexFace, Pair::EdgeEdge][n % 2], start, end);
    }
}

#[test]
fn bad_numbers_get_a_status() {
    let touching = PrimitiveSettings::default();
    let apart = PrimitiveSettings::new(0.1).unwrap();
    let good = over([1.0, 1.0, 1.0]);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for i in 0..24 {
            let (mut start, mut end) = (good, good);
            match i < 12 {
                true => start[i / 3][i % 3] = bad,
                false => end[i / 3 - 4][i % 3] = bad,
            }
            for settings in [touching, apart] {
                for found in [
                    vertex_face(&start, &end, &settings),
                    edge_edge(&start, &end, &settings),
                ] {
                    assert_eq!(found.status, ContactStatus::NotFinite);
                    assert!(found.early.is_nan() && found.late.is_nan());
                }
            }
        }
    }
    // Extremes never panic.
    let extremes = [f64::MAX, f64::MIN, 5e-324, -5e-324, 1.0, 0.0, 1e-160, 1e160];
    let mut numbers = test_support::Random::new(5);
    for _ in 0..40 {
        let mut points = || [(); 4].map(|()| [(); 3].map(|()| extremes[numbers.below(8)]));
        let (start, end) = (points(), points());
        for settings in [touching, apart] {
            vertex_face(&start, &end, &settings);
            edge_edge(&start, &end, &settings);
        }
    }
    for bad in [f64::NAN, -1.0, f64::INFINITY] {
        let error = PrimitiveSettings::new(bad).unwrap_err().to_string();
        assert!(error.starts_with("separation: found"), "{error}");
    }
}
