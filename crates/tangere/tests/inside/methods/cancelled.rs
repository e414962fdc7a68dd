//! Cancellation of point containment queries.

use super::{InsideRule, settings};
use std::time::Duration;
use tangere::inside::{Bodies, InsideTest, Layer, Method, Multipole, Ray, RayTree};
use tangere::shape::TriMesh;
use tangere::stop::Stop;
use tangere::{Error, generate};

fn tests() -> Vec<Box<dyn InsideTest>> {
    let settings = settings(InsideRule::Nonzero);
    vec![
        Box::new(Ray::new(settings).expect("sound")),
        Box::new(RayTree::new(settings).expect("sound")),
        Box::new(Layer::new(settings).expect("sound")),
        Box::new(Multipole::new(settings).expect("sound")),
    ]
}

/// A cancelled call returns no answer, and the next one the usual answer.
#[test]
fn cancelled_calls_have_no_answer() {
    let mesh = generate::sphere(3).unwrap();
    let points: Vec<[f64; 3]> = (0..5000)
        .map(|i| [f64::from(i) * 3e-4 - 0.7, 0.1, 0.2])
        .collect();
    for mut test in tests() {
        test.update(&mesh).unwrap();
        let (mut sides, mut windings) = (Vec::new(), Vec::new());
        test.classify(&points, &mut sides).unwrap();
        let expected = sides.clone();
        let stop = Stop::new();
        let result = stop.during(|| test.classify(&points, &mut sides));
        assert_eq!((result, &sides), (Ok(()), &expected), "{}", test.method());
        stop.request();
        stop.during(|| {
            let result = test.classify(&points, &mut sides);
            assert_eq!((result, sides.len()), (Err(Error::Stopped), 0));
            let result = test.winding(&points, &mut windings);
            assert_eq!((result, windings.len()), (Err(Error::Stopped), 0));
        });
        test.classify(&points, &mut sides).unwrap();
        assert_eq!(sides, expected, "{}", test.method());
    }
}

/// Another thread cancels a call that would take minutes, also on a surface with leaks.
#[test]
fn another_thread_stops() {
    let sphere = generate::sphere(7).unwrap();
    let faces = sphere.faces()[9..].to_vec();
    let open = TriMesh::new(sphere.vertices().to_vec(), faces).unwrap();
    let points = vec![[0.1, 0.2, 0.3]; 2_000_000];
    let mut test = Layer::new(settings(InsideRule::Nonzero)).unwrap();
    test.update(&open).unwrap();
    let stop = Stop::new();
    let own = stop.clone();
    let other = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        own.request();
    });
    let mut sides = Vec::new();
    let result = stop.during(|| test.classify(&points, &mut sides));
    assert_eq!((result, sides.len()), (Err(Error::Stopped), 0));
    other.join().unwrap();
}

/// Moving bodies can be cancelled, too.
#[test]
fn moving_bodies_stop() {
    let sphere = generate::sphere(2).unwrap();
    let mut bodies = Bodies::new(settings(InsideRule::Nonzero).with_method(Method::Ray)).unwrap();
    bodies.add(&sphere).unwrap();
    bodies.add(&sphere).unwrap();
    let poses = [Default::default(); 2];
    let mut found = Vec::new();
    let stop = Stop::new();
    stop.request();
    let result = stop.during(|| bodies.intrusions(&poses, &mut found));
    assert_eq!((result, found.len()), (Err(Error::Stopped), 0));
    bodies.intrusions(&poses, &mut found).unwrap();
    assert_eq!(found.len(), 2 * sphere.vertices().len());
}
