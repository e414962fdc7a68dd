//! Questions that are asked to end.

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

/// No answer is given, and the next question gets that of a method that was not stopped.
#[test]
fn what_is_stopped_has_no_answer() {
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
        let asked = stop.during(|| test.classify(&points, &mut sides));
        assert_eq!((asked, &sides), (Ok(()), &expected), "{}", test.method());
        stop.ask();
        stop.during(|| {
            let asked = test.classify(&points, &mut sides);
            assert_eq!((asked, sides.len()), (Err(Error::Stopped), 0));
            let asked = test.winding(&points, &mut windings);
            assert_eq!((asked, windings.len()), (Err(Error::Stopped), 0));
        });
        test.classify(&points, &mut sides).unwrap();
        assert_eq!(sides, expected, "{}", test.method());
    }
}

/// Another thread ends what would take minutes, of a surface that leaks as well.
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
        own.ask();
    });
    let mut sides = Vec::new();
    let asked = stop.during(|| test.classify(&points, &mut sides));
    assert_eq!((asked, sides.len()), (Err(Error::Stopped), 0));
    other.join().unwrap();
}

/// Bodies that move stop as each of them does.
#[test]
fn moving_bodies_stop() {
    let sphere = generate::sphere(2).unwrap();
    let mut bodies = Bodies::new(Method::Ray, settings(InsideRule::Nonzero)).unwrap();
    bodies.add(&sphere).unwrap();
    bodies.add(&sphere).unwrap();
    let poses = [Default::default(); 2];
    let mut found = Vec::new();
    let stop = Stop::new();
    stop.ask();
    let asked = stop.during(|| bodies.intrusions(&poses, &mut found));
    assert_eq!((asked, found.len()), (Err(Error::Stopped), 0));
    bodies.intrusions(&poses, &mut found).unwrap();
    assert_eq!(found.len(), 2 * sphere.vertices().len());
}
