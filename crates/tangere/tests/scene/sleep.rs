//! Until when bodies that are apart cannot touch.

use super::at;
use tangere::geometry::Pose;
use tangere::pairs::Periodic;
use tangere::scene::{Accelerations, Body, Scene, SceneSettings, Shape};
use test_support::Random;

#[test]
fn spheres_on_a_line_wake_at_the_time_of_impact() {
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    let ball = Shape::sphere(0.5).unwrap();
    let ids: Vec<u64> = [0.0, 3.0, 9.0]
        .into_iter()
        .map(|x| scene.add(Body::new(ball.clone()).at(at(x, 0.0, 0.0))))
        .collect::<tangere::Result<_>>()
        .unwrap();
    let none = [[0.0; 3]; 3];
    let velocities = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0; 3]];
    scene.set_velocities(&ids, &velocities, &none).unwrap();
    let found = scene.sleep_until(3.0, Accelerations::default()).unwrap();
    assert_eq!((found.len(), found[0].a, found[0].b), (1, 0, 1));
    assert!((found[0].until - 1.0).abs() < 1e-9, "{found:?}");
    // With accelerations: 2 - 2 t - t^2 = 0 for bodies at 1 each.
    let bounds = Accelerations {
        linear: 1.0,
        angular: 0.0,
    };
    let found = scene.sleep_until(1.0, bounds).unwrap();
    assert!((found[0].until - (3f64.sqrt() - 1.0)).abs() < 1e-9);
    // Bodies that move apart sleep.
    let apart = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    scene.set_velocities(&ids, &apart, &none).unwrap();
    let found = scene.sleep_until(50.0, Accelerations::default()).unwrap();
    assert!(found.is_empty(), "{found:?}");
    // Bodies that move apart and are slowly turned back: 2 v / a, without cancellation.
    let mut two = Scene::new(SceneSettings::default()).unwrap();
    two.add(Body::new(ball.clone()).fixed()).unwrap();
    two.add(Body::new(ball).at(at(1.0 + 1e-9, 0.0, 0.0)))
        .unwrap();
    let away = [[10.0, 0.0, 0.0]];
    two.set_velocities(&[1], &away, &[[0.0; 3]]).unwrap();
    let slow = Accelerations {
        linear: 1e-3,
        angular: 0.0,
    };
    let found = two.sleep_until(3e4, slow).unwrap();
    assert!((found[0].until - 2e4).abs() < 1e-3, "{found:?}");
    assert!(scene.set_velocities(&[7], &none[..1], &none[..1]).is_err());
    assert!(scene.sleep_until(f64::NAN, bounds).is_err());
    let nan = [[f64::NAN; 3]; 3];
    assert!(scene.set_velocities(&ids, &nan, &none).is_err());
    assert_eq!(scene.velocities(0).unwrap()[0], apart[0]);
}

/// The spin of a sphere about its centre moves nothing, and that of any body no farther than its
/// diameter.
#[test]
fn spin_moves_a_point_by_no_more_than_its_diameter() {
    let ball = Shape::sphere(0.5).unwrap();
    let none = Accelerations::default();
    let mut grid = Scene::new(SceneSettings::default()).unwrap();
    for i in 0..1000 {
        let [x, y, z] = [i / 100, i / 10 % 10, i % 10].map(|k| 3.0 * f64::from(k));
        let id = grid.add(Body::new(ball.clone()).at(at(x, y, z))).unwrap();
        grid.set_velocities(&[id], &[[0.0; 3]], &[[0.0, 6.0, 8.0]])
            .unwrap();
    }
    assert_eq!(grid.sleep_until(1.0, none).unwrap(), []);
    for spin in [0.0, 1.0, 10.0, 100.0] {
        let mut scene = Scene::new(SceneSettings::default()).unwrap();
        for (x, v) in [(0.0, 1.0), (3.0, -1.0)] {
            let id = scene
                .add(Body::new(ball.clone()).at(at(x, 0.0, 0.0)))
                .unwrap();
            scene
                .set_velocities(&[id], &[[v, 0.0, 0.0]], &[[0.0, spin, 0.0]])
                .unwrap();
        }
        let found = scene.sleep_until(2.0, none).unwrap();
        super::assert_close(found[0].until, 1.0, 1e-9);
    }
    let cell = Periodic::new([20.0; 3]).unwrap();
    let mut scene = Scene::new(SceneSettings::default().with_periodic(cell)).unwrap();
    for x in [1.0, 4.0] {
        let id = scene
            .add(Body::new(ball.clone()).at(at(x, 0.0, 0.0)))
            .unwrap();
        scene
            .set_velocities(&[id], &[[0.0; 3]], &[[0.0, 0.0, 3.0]])
            .unwrap();
    }
    assert_eq!(scene.sleep_until(1.0, none).unwrap(), []);
    // Rods of half a length 1 about their centres, 3 apart: within reach of none, however fast.
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    for x in [0.0, 3.0] {
        let rod = Body::new(Shape::capsule(0.1, 1.8).unwrap()).at(at(x, 0.0, 0.0));
        let id = scene.add(rod).unwrap();
        scene
            .set_velocities(&[id], &[[0.0; 3]], &[[0.0, 1e6, 0.0]])
            .unwrap();
    }
    assert_eq!(scene.sleep_until(1.0, none).unwrap(), []);
    // By angular acceleration alone a half-space turns at once, also where bodies recede.
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    scene
        .add(Body::new(Shape::half_space([0.0, 0.0, 1.0]).unwrap()))
        .unwrap();
    let id = scene.add(Body::new(ball).at(at(0.0, 0.0, 2.0))).unwrap();
    scene
        .set_velocities(&[id], &[[0.0, 0.0, 1.0]], &[[0.0; 3]])
        .unwrap();
    let turned = Accelerations {
        linear: 0.0,
        angular: 1.0,
    };
    let found = scene.sleep_until(1.0, turned).unwrap();
    assert_eq!((found.len(), found[0].until), (1, 0.0));
}

/// Random bodies that move and spin do not touch before the time that is reported, by small steps.
#[test]
fn nothing_touches_before() {
    let mut random = Random::new(71);
    for round in 0..12 {
        let mut scene = Scene::new(SceneSettings::default()).unwrap();
        let shapes = [
            Shape::sphere(0.4).unwrap(),
            Shape::cuboid([0.9, 0.5, 0.4]).unwrap(),
            Shape::capsule(0.2, 0.8).unwrap(),
            Shape::compound(&[
                (Shape::sphere(0.15).unwrap(), at(0.4, 0.0, 0.0)),
                (Shape::sphere(0.2).unwrap(), at(-0.3, 0.1, 0.0)),
            ])
            .unwrap(),
        ];
        scene
            .add(Body::new(Shape::half_space([0.0, 0.0, 1.0]).unwrap()).fixed())
            .unwrap();
        let mut bodies = Vec::new();
        for i in 0..24 {
            let place = [5.0, 5.0, 4.0].map(|edge| edge * random.unit());
            let pose = random.pose([place[0], place[1], 0.7 + place[2]]);
            let id = scene
                .add(Body::new(shapes[i % 4].clone()).at(pose))
                .unwrap();
            let velocity: [f64; 3] = std::array::from_fn(|_| random.signed());
            // Slow, so that the angle bounds the way, and fast, so that the diameter does.
            let fast = [1.0, 1.0, 6.0][round % 3];
            let spin: [f64; 3] = std::array::from_fn(|_| fast * random.signed());
            scene.set_velocities(&[id], &[velocity], &[spin]).unwrap();
            bodies.push((id, pose, velocity, spin));
        }
        scene.update().unwrap();
        let pairs_now: Vec<(u64, u64)> = scene.contacts().iter().map(|c| (c.a, c.b)).collect();
        let horizon = 1.0;
        let found = scene
            .sleep_until(horizon, Accelerations::default())
            .unwrap();
        for step in 1..=40 {
            let t = horizon * f64::from(step) / 40.0;
            for &(id, pose, velocity, spin) in &bodies {
                let angle = t * spin.iter().map(|x| x * x).sum::<f64>().sqrt();
                let half = 0.5 * angle;
                let axis = spin.map(|x| x * t / angle.max(1e-300));
                let [i, j, k] = axis.map(|x| x * half.sin());
                let turn = Pose::from_numbers(&[0.0, 0.0, 0.0, half.cos(), i, j, k]).unwrap();
                let from = pose.translation();
                let moved: [f64; 3] = std::array::from_fn(|k| from[k] + t * velocity[k]);
                let turned = turn.compose(&unmoved(&pose)).to_numbers();
                let [x, y, z] = moved;
                let [.., w, a, b, c] = turned;
                let next = Pose::from_numbers(&[x, y, z, w, a, b, c]).unwrap();
                scene.set_poses(&[id], &[next]).unwrap();
            }
            scene.update().unwrap();
            for contact in scene.contacts() {
                let pair = (contact.a, contact.b);
                if pairs_now.contains(&pair) {
                    continue;
                }
                let known = found.iter().find(|sleep| (sleep.a, sleep.b) == pair);
                let until = known.map_or(horizon, |sleep| sleep.until);
                assert!(t >= until, "round {round}: {pair:?} at {t}, {known:?}");
            }
        }
    }
}

/// The rotation of a pose alone.
fn unmoved(pose: &Pose) -> Pose {
    let [.., w, x, y, z] = pose.to_numbers();
    Pose::from_numbers(&[0.0, 0.0, 0.0, w, x, y, z]).unwrap()
}

#[test]
fn velocities_out_of_range_are_named() {
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    let ball = Shape::sphere(0.5).unwrap();
    for x in [0.0, 3.0] {
        scene
            .add(Body::new(ball.clone()).at(at(x, 0.0, 0.0)))
            .unwrap();
    }
    let fast = [0.0 - 1e61, 0.0, 0.0];
    scene.set_velocities(&[1], &[fast], &[[0.0; 3]]).unwrap();
    let error = scene
        .sleep_until(1.0, Accelerations::default())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "velocities: found velocity (-1e61, 0, 0) and spin (0, 0, 0) of body 1, expected a body that \
         stays within 1.6e60 of the origin until the horizon, 1"
    );
    assert!(scene.sleep_until(0.0, Accelerations::default()).is_ok());
    // Whatever the spin, the body stays in the ball of its reach.
    let spin = [f64::MAX; 3];
    scene.set_velocities(&[1], &[[0.0; 3]], &[spin]).unwrap();
    assert!(scene.sleep_until(1.0, Accelerations::default()).is_ok());
}
