//! Containment of nodes in moving bodies.

use super::methods;
use tangere::generate;
use tangere::geometry::{Pose, Similarity};
use tangere::inside::{Bodies, Grid, InsideSettings, InsideTest, Intrusion, RayTree, Side};
use tangere::shape::TriMesh;

/// Quarter turns and integers are exact, so the moved body has the same answers as the body at rest
/// with the points moved.
#[test]
fn poses_move_the_points() {
    let mesh = generate::sponge(1).unwrap();
    let pose: Pose = format!("8,-16,32,{0},0,0,{0}", 0.5f64.sqrt())
        .parse()
        .unwrap();
    let moved = mesh.transformed(&Similarity::from(pose)).unwrap();
    let points = Grid::around(&moved.bounds(), 9).unwrap().points();
    for mut test in methods(InsideSettings::default()) {
        let (mut posed, mut frame, mut expected) = (Vec::new(), Vec::new(), Vec::new());
        test.update(&mesh).unwrap();
        test.classify_posed(&pose, &points, &mut frame, &mut posed)
            .unwrap();
        test.update(&moved).unwrap();
        test.classify(&points, &mut expected).unwrap();
        assert!(posed == expected, "{}", test.method());
        assert!(expected.contains(&Side::Inside) && expected.contains(&Side::Outside));
    }
}

/// Tests every node of every moved body against every other body.
fn expected(bodies: &[TriMesh], poses: &[Pose]) -> Vec<Intrusion> {
    let mut found = Vec::new();
    for (a, body) in (0u32..).zip(bodies) {
        let mut test = RayTree::new(InsideSettings::default()).expect("sound");
        test.update(body).expect("closed");
        for (b, other) in (0u32..).zip(bodies).filter(|(b, _)| *b != a) {
            for (node, &v) in (0u32..).zip(other.vertices()) {
                let world = poses[b as usize].apply(v);
                let point = poses[a as usize].inverse().apply(world);
                let mut side = Vec::new();
                test.classify(&[point], &mut side).expect("valid");
                if side[0] != Side::Outside {
                    found.push(Intrusion {
                        body: a,
                        other: b,
                        node,
                        side: side[0],
                    });
                }
            }
        }
    }
    found
}

#[test]
fn nodes_within_other_bodies() {
    let meshes = [
        generate::sphere(2).unwrap(),
        generate::sponge(1)
            .unwrap()
            .transformed(&Similarity::new(0.25, Pose::identity()).unwrap())
            .unwrap(),
        generate::knot(2000).unwrap(),
    ];
    let mut bodies = Bodies::new(InsideSettings::default()).unwrap();
    for mesh in &meshes {
        bodies.add(mesh).unwrap();
    }
    let mut found = vec![Intrusion {
        body: 9,
        other: 9,
        node: 9,
        side: Side::Inside,
    }];
    let mut total = 0;
    for step in 0..8 {
        let x = 0.3 * f64::from(step);
        let poses = [
            Pose::identity(),
            Pose::from_translation([1.5 - x, 0.1, 0.0]).unwrap(),
            format!("{},0.2,0,0.6,0,0.8,0", 2.0 * x - 2.0)
                .parse()
                .unwrap(),
        ];
        bodies.intrusions(&poses, &mut found).unwrap();
        assert_eq!(found, expected(&meshes, &poses));
        total += found.len();
    }
    assert!(total > 100, "{total}");
    let error = bodies
        .intrusions(&[Pose::identity()], &mut found)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "poses: found 1, expected 3, one for each body"
    );
    assert!(found.is_empty());
}

/// Bodies report their method and the confidence of the last answer.
#[test]
fn bodies_report_their_confidence() {
    let sphere = generate::sphere(2).unwrap();
    let faces = sphere.faces()[9..].to_vec();
    let open = TriMesh::new(sphere.vertices().to_vec(), faces).unwrap();
    let mut bodies = Bodies::new(InsideSettings::default()).unwrap();
    bodies.add(&sphere).unwrap();
    bodies.add(&open).unwrap();
    assert_eq!(bodies.test(0).map(|test| test.method()), Some("cells"));
    let reason = bodies.test(1).map(|test| test.reason()).unwrap();
    assert!(reason.contains("boundary edges"), "{reason}");
    assert!(bodies.test(2).is_none());
    let at = |x: f64| Pose::from_translation([x, 0.0, 0.0]).unwrap();
    let mut found = Vec::new();
    assert_eq!(bodies.confidence(), 1.0);
    bodies.intrusions(&[at(0.0), at(0.3)], &mut found).unwrap();
    assert!(bodies.confidence() < 1.0 && !found.is_empty());
    bodies.intrusions(&[at(0.0), at(9.0)], &mut found).unwrap();
    assert_eq!((bodies.confidence(), found.len()), (1.0, 0));
}
