//! Warm updates of a scene allocate nothing, also where lists are made anew.

use tangere::generate;
use tangere::geometry::Pose;
use tangere::scene::{Body, Scene, SceneSettings, Shape};
use tangere::shape::ConvexPolyhedron;
use test_support::allocations::of_thread;
use test_support::{Random, alone};

#[test]
fn warm_updates_allocate_nothing() {
    alone!();
    // The count is that of one thread, so the work must stay on it.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.unwrap().install(|| {
        let mut random = Random::new(5);
        let mut scene = Scene::new(SceneSettings::default()).unwrap();
        let floor = Shape::half_space([0.0, 0.0, 1.0]).unwrap();
        scene.add(Body::new(floor).fixed()).unwrap();
        let knot = Shape::solid(&generate::knot(400).unwrap()).unwrap();
        let place = Pose::from_translation([4.0; 3]).unwrap();
        scene.add(Body::new(knot).at(place).fixed()).unwrap();
        let hull = ConvexPolyhedron::hull(generate::hull(20, 1).unwrap().vertices()).unwrap();
        let shapes = [
            Shape::sphere(0.4).unwrap(),
            Shape::cuboid([0.6; 3]).unwrap(),
            Shape::convex(hull),
        ];
        let mut start = Vec::new();
        let mut ids = Vec::new();
        for i in 0..600 {
            let place = random.point().map(|x| 8.0 * x);
            let pose = random.pose(place);
            start.push(pose.to_numbers());
            ids.push(
                scene
                    .add(Body::new(shapes[i % 3].clone()).at(pose))
                    .unwrap(),
            );
        }
        // Bodies swing about their places, so that new pairs meet and others part all the time.
        let mut lists = 0;
        let mut allocated = 0;
        for step in 0..240 {
            let swung = |(i, numbers): (usize, &[f64; 7])| {
                let mut moved = *numbers;
                moved[i % 3] += 0.2 * (0.08 * f64::from(step) + i as f64).sin();
                Pose::from_numbers(&moved).unwrap()
            };
            let poses: Vec<Pose> = start.iter().enumerate().map(swung).collect();
            let count = of_thread(|| {
                scene.set_poses(&ids, &poses).unwrap();
                scene.update().unwrap();
            });
            if step >= 160 {
                allocated += count;
                lists += usize::from(scene.list_age() == 0);
            }
        }
        assert!(scene.contacts().len() > 100 && lists > 3, "{lists}");
        assert_eq!(allocated, 0);
    });
}
