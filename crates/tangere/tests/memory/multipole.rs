//! Warm winding number queries of the multipole method allocate nothing, on any thread of the pool.

use tangere::generate;
use tangere::inside::{Grid, InsideSettings, InsideTest, Multipole};
use tangere::shape::TriMesh;
use test_support::allocations::of_process;
use test_support::alone;

#[test]
fn warm_calls_allocate_nothing() {
    alone!();
    let sphere = generate::sphere(4).unwrap();
    let (vertices, mut faces) = sphere.clone().into_parts();
    faces.truncate(2000);
    let open = TriMesh::new(vertices, faces).unwrap();
    let mut points = Grid::around(&sphere.bounds(), 24).unwrap().points();
    // On the surface, and just beside it.
    points.extend((0..50).map(|f| sphere.triangle(f)[0]));
    points.extend((0..50).map(|f| sphere.triangle(f)[0].map(|x| x * (1.0 + 1e-13))));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
    let pool = pool.unwrap();
    for mesh in [&sphere, &open] {
        let settings = InsideSettings {
            accuracy: 1e-2,
            ..InsideSettings::default()
        };
        let mut test = Multipole::new(settings).unwrap();
        let (mut winding, mut sides) = (Vec::new(), Vec::new());
        pool.install(|| {
            test.update(mesh).unwrap();
            for turn in 0..3 {
                let count = of_process(|| {
                    test.winding(&points, &mut winding).unwrap();
                    test.classify(&points, &mut sides).unwrap();
                });
                assert!(turn == 0 || count == 0, "{count} allocations");
            }
        });
    }
}
