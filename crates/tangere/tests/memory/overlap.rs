//! Overlap: warm queries and updates of packings allocate nothing, on any thread of the pool.

use tangere::geometry::Pose;
use tangere::overlap::{Budget, Method, OverlapQuery, OverlapSettings};
use tangere::shape::Packing;
use test_support::allocations::of_process;
use test_support::alone;

/// Spheres of three sizes on lattices within each other.
fn spheres(step: usize) -> (Vec<[f64; 3]>, Vec<f64>) {
    let (mut centers, mut radii) = (Vec::new(), Vec::new());
    let size = 1.0 - 1e-3 * (step % 7) as f64;
    for i in 0..13_usize.pow(3) {
        let cell = [i % 13, i / 13 % 13, i / 169].map(|x| x as f64);
        centers.push(cell.map(|x| x - 6.0));
        radii.push(0.5 * size);
        centers.push(cell.map(|x| x - 5.5));
        radii.push(0.25 * size);
        centers.push([cell[0] - 5.5, cell[1] - 5.5, cell[2] - 6.0]);
        radii.push(0.125 * size);
    }
    (centers, radii)
}

#[test]
fn warm_calls_allocate_nothing() {
    alone!();
    assert!(of_process(|| drop(std::hint::black_box(vec![1]))) > 0);
    let (centers, radii) = spheres(0);
    let mut body = Packing::new(centers, radii).unwrap();
    let other = body.clone();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            for method in Method::ALL.into_iter().filter(|m| *m != Method::Brute) {
                let mut query = OverlapQuery::new(OverlapSettings {
                    method,
                    ..OverlapSettings::default()
                })
                .unwrap();
                // The least of several: threads that begin or end may allocate meanwhile.
                let (mut allocated, mut within) = (usize::MAX, usize::MAX);
                for step in 0..12 {
                    let angle = 0.1 * step as f64;
                    let (sine, cosine) = (0.5 * angle).sin_cos();
                    let numbers = [3.0, angle, 0.0, cosine, 0.6 * sine, 0.8 * sine, 0.0];
                    let (here, there) = (Pose::identity(), Pose::from_numbers(&numbers).unwrap());
                    let mut found = 0;
                    let count = of_process(|| {
                        found = query.overlap(&body, &here, &other, &there).pairs;
                    });
                    assert!(found > 1000);
                    allocated = allocated.min(count);
                    let budget = Budget::Work(1000);
                    within = within.min(of_process(|| {
                        query.overlap_within(&body, &here, &other, &there, budget);
                    }));
                }
                assert_eq!((allocated, within), (0, 0), "{method} on {threads} threads");
            }
            let mut least = usize::MAX;
            for step in 0..20 {
                let (centers, radii) = spheres(step);
                least = least.min(of_process(|| body.update(&centers, &radii).expect("valid")));
            }
            assert_eq!(least, 0, "an update on {threads} threads");
        });
    }
}
