//! Traversals of a BVH, parallel rows and point containment: warm calls allocate nothing.

use tangere::generate;
use tangere::geometry::{Aabb, Pose};
use tangere::parallel::Rows;
use tangere::tree::{Ray, Tree};
use test_support::allocations::of_thread;
use test_support::alone;

#[test]
fn the_count_works() {
    alone!();
    assert!(of_thread(|| drop(std::hint::black_box(vec![1]))) > 0);
}

#[test]
fn traversals_allocate_nothing() {
    alone!();
    let mesh = generate::sphere(5).unwrap();
    let tree = Tree::of_mesh(&mesh);
    let query = Aabb {
        min: [0.5; 3],
        max: [0.6; 3],
    };
    let ray = Ray {
        origin: [3.0, 0.1, 0.2],
        direction: [-1.0, 0.0, 0.0],
        t_max: f64::INFINITY,
    };
    let pose: Pose = "1.5,0,0".parse().unwrap();
    let mut visits = [0; 5];
    let count = of_thread(|| {
        tree.overlapping(&query, |_| visits[0] += 1);
        tree.along_ray(&ray, |_, _| visits[1] += 1);
        tree.approaching([2.0; 3], 9.0, |_, _| visits[2] += 1);
        tree.self_pairs(|_, _| visits[3] += 1);
        tree.overlapping_pairs(&tree, &pose, |_, _| visits[4] += 1);
    });
    assert_eq!(count, 0);
    assert!(visits.iter().all(|&n| n > 0), "{visits:?}");
}

#[test]
fn filled_rows_are_filled_again_in_the_same_memory() {
    alone!();
    // The count is that of one thread, so the work must stay on it.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.unwrap().install(|| {
        let mut rows = Rows::default();
        let mut fill = || rows.fill(10_000, |i, row| (0..i % 50).for_each(|k| row.push(k)));
        assert!(of_thread(&mut fill) > 0);
        assert_eq!(of_thread(&mut fill), 0);
    });
}

/// Of every method of `inside`, on a surface with leaks and on one without.
#[test]
fn warm_questions_of_inside_allocate_nothing() {
    alone!();
    use tangere::inside::{Bodies, Grid, Inside, InsideSettings, InsideTest, Method};
    use tangere::shape::TriMesh;
    let sphere = generate::sphere(3).unwrap();
    let holey = TriMesh::new(sphere.vertices().to_vec(), sphere.faces()[1..].to_vec()).unwrap();
    let grid = Grid::around(&sphere.bounds(), 7).unwrap();
    let mut points = grid.points();
    points.extend_from_slice(sphere.vertices());
    let pose: Pose = "0.1,0.2,0.3".parse().unwrap();
    // On one thread, so that all of it is counted here.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build()
        .unwrap();
    pool.install(|| {
        for method in Method::ALL {
            for mesh in [&sphere, &holey] {
                let mut test = Inside::new(InsideSettings::default().with_method(method)).unwrap();
                if test.update(mesh).is_err() {
                    continue;
                }
                let (mut sides, mut windings, mut frame) = (Vec::new(), Vec::new(), Vec::new());
                let mut query = || {
                    test.classify(&points, &mut sides).unwrap();
                    test.winding(&points, &mut windings).unwrap();
                    test.confidences(&points, &mut windings).unwrap();
                    test.classify_posed(&pose, &points, &mut frame, &mut sides)
                        .unwrap();
                };
                query();
                assert_eq!(of_thread(query), 0, "{method}");
            }
        }
        let mut bodies = Bodies::new(InsideSettings::default()).unwrap();
        bodies.add(&sphere).unwrap();
        bodies.add(&sphere).unwrap();
        let mut found = Vec::new();
        let mut query = || {
            bodies
                .intrusions(&[Pose::identity(), pose], &mut found)
                .unwrap()
        };
        query();
        assert_eq!(of_thread(query), 0, "bodies");
    });
}
