//! Determinism of point containment: the same bits on any number of threads, and after any other
//! calls.

use super::methods;
use rayon::ThreadPoolBuilder;
use tangere::generate;
use tangere::inside::{Grid, InsideSettings};

#[test]
fn bits_do_not_depend_on_threads_or_order() {
    let mesh = generate::sponge(1).unwrap();
    let grid = Grid::around(&mesh.bounds(), 12).unwrap();
    let mut points = grid.points();
    points.extend_from_slice(mesh.vertices());
    for method in 0..methods(InsideSettings::default()).len() {
        let answers = [1, 2, 3, 8].map(|threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| {
                let mut test = methods(InsideSettings::default()).swap_remove(method);
                let (mut sides, mut windings) = (Vec::new(), Vec::new());
                // Another surface before, and the first again.
                test.update(&generate::sphere(1).unwrap()).unwrap();
                test.classify(&points[..threads], &mut sides).unwrap();
                test.update(&mesh).unwrap();
                test.classify(&points, &mut sides).unwrap();
                test.winding(&points, &mut windings).unwrap();
                let bits: Vec<u64> = windings.iter().map(|w| w.to_bits()).collect();
                let mut of_grid = Vec::new();
                test.classify_grid(&grid, &mut of_grid).unwrap();
                assert!(of_grid == sides[..grid.len()], "{}", test.method());
                (sides, bits, test.bound().to_bits())
            })
        });
        assert!(
            answers.iter().all(|answer| *answer == answers[0]),
            "method {method}"
        );
    }
}

/// The answer for a point does not depend on the other points of the call.
#[test]
fn points_are_answered_one_by_one() {
    let mesh = generate::sphere(2).unwrap();
    let points = Grid::around(&mesh.bounds(), 5).unwrap().points();
    for mut test in methods(InsideSettings::default()) {
        test.update(&mesh).unwrap();
        let (mut all, mut one) = (Vec::new(), Vec::new());
        test.classify(&points, &mut all).unwrap();
        for (p, side) in points.iter().zip(&all) {
            test.classify(&[*p], &mut one).unwrap();
            assert_eq!(one, [*side], "{} {p:?}", test.method());
        }
        test.classify(&[], &mut all).unwrap();
        assert!(all.is_empty());
    }
}
