//! Closest points on finite element faces and surfaces: warm calls allocate nothing.

use std::hint::black_box;
use tangere::closest::FaceSurface;
use tangere::generate::{face_circle, face_sphere};
use tangere::parallel::Rows;
use tangere::shape::FaceKind;
use test_support::allocations::{least_of_process, of_process};
use test_support::alone;

#[test]
fn warm_questions_allocate_nothing() {
    alone!();
    assert!(of_process(|| drop(black_box(vec![1]))) > 0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    pool.unwrap().install(|| {
        for kind in FaceKind::ALL {
            let mesh = match kind.dimension() {
                1 => face_circle(kind, 20).unwrap(),
                _ => face_sphere(kind, 1).unwrap(),
            };
            let surface = FaceSurface::new(&mesh);
            let points: Vec<[f64; 3]> = (0..600)
                .map(|i| [0.7, 1.1, 1.3].map(|f: f64| 1.5 * (f * f64::from(i)).sin()))
                .chain([[0.0; 3]])
                .collect();
            let (mut projections, mut closest, mut rows) =
                (Vec::new(), Vec::new(), Rows::default());
            let mut query = || {
                surface.project_all(&points, &mut projections).unwrap();
                surface.closest_all(&points, &mut closest).unwrap();
                surface.within_all(&points, 0.5, &mut rows).unwrap();
                black_box(surface.project(points[7]).unwrap());
            };
            query();
            // Threads that prepared the surface may still be going to sleep.
            let count = least_of_process(&mut query);
            assert_eq!(count, 0, "{kind}");
        }
    });
}
