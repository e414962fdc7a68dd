//! First contacts ask for no memory but that of the answers, where whole numbers decide as well.

mod counting;

use counting::allocations_of_thread;
use tangere::impact::primitive::{PrimitiveSettings, edge_edges, vertex_faces};
use tangere::impact::trajectory::{MovingBall, first_meetings};

#[test]
fn batches_allocate_nothing_once_there_is_room() {
    // A lattice: many pairs are degenerate.
    let mut state = 1u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 40) % 5
    };
    let mut pairs = || -> Vec<[[f64; 3]; 4]> {
        (0..2000)
            .map(|_| [(); 4].map(|()| [(); 3].map(|()| next() as f64)))
            .collect()
    };
    let (start, end) = (pairs(), pairs());
    // The count is that of one thread, so the work must stay on it.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.unwrap().install(|| {
        for separation in [0.0, 0.1] {
            let settings = PrimitiveSettings::new(separation).unwrap();
            let mut found = Vec::new();
            let mut ask = || {
                vertex_faces(&start, &end, &settings, &mut found).unwrap();
                edge_edges(&start, &end, &settings, &mut found).unwrap();
            };
            ask();
            assert_eq!(allocations_of_thread(&mut ask), 0);
            assert!(found.iter().filter(|f| f.is_contact()).count() > 100);
        }
    });
}

#[test]
fn meetings_allocate_nothing_once_there_is_room() {
    // On a lattice many pairs graze.
    let mut state = 1u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((state >> 40) % 9) as f64 - 4.0
    };
    let mut vector = || [(); 3].map(|()| next());
    let balls: Vec<MovingBall> = (0..2000)
        .map(|_| MovingBall::new(vector(), vector(), vector(), 1.0).unwrap())
        .collect();
    let pairs: Vec<[u32; 2]> = (0..1999).map(|i| [i, i + 1]).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.unwrap().install(|| {
        let mut found = Vec::new();
        let mut ask = || first_meetings(&balls, &pairs, &mut found).unwrap();
        ask();
        assert_eq!(allocations_of_thread(&mut ask), 0);
        // Floats never give a bracket without width: those were told by whole numbers.
        let exact = found.iter().filter(|m| m.early > 0.0 && m.early == m.late);
        assert!(exact.filter(|m| m.is_contact()).count() > 5);
    });
}
