//! Continuous collision detection allocates only its results, also where it uses exact integers.

use tangere::generate;
use tangere::geometry::Pose;
use tangere::impact::hierarchy::{Hierarchy, HierarchySettings};
use tangere::impact::primitive::{PrimitiveSettings, edge_edges, vertex_faces};
use tangere::impact::trajectory::{MovingBall, first_meetings};
use tangere::impact::{Body, BodyShape, EngineSettings, ImpactEngine, RigidMotion};
use test_support::allocations::of_thread;
use test_support::{Random, alone};

#[test]
fn warm_batches_allocate_nothing() {
    alone!();
    // A lattice: many pairs are degenerate.
    let mut random = Random::new(1);
    let mut pairs = || -> Vec<[[f64; 3]; 4]> {
        (0..2000)
            .map(|_| [(); 4].map(|()| random.lattice(5)))
            .collect()
    };
    let (start, end) = (pairs(), pairs());
    // The count is that of one thread, so the work must stay on it.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.unwrap().install(|| {
        for separation in [0.0, 0.1] {
            let settings = PrimitiveSettings::new(separation).unwrap();
            let mut found = Vec::new();
            let mut query = || {
                vertex_faces(&start, &end, &settings, &mut found).unwrap();
                edge_edges(&start, &end, &settings, &mut found).unwrap();
            };
            query();
            assert_eq!(of_thread(&mut query), 0);
            assert!(found.iter().filter(|f| f.is_contact()).count() > 100);
        }
    });
}

#[test]
fn warm_meetings_allocate_nothing() {
    alone!();
    let mut random = Random::new(1);
    let mut vector = || random.lattice(9).map(|x| x - 4.0);
    let still = MovingBall::new([0.0; 3], [0.0; 3], [0.0; 3], 1.0).unwrap();
    // The first ones graze the ball at rest, which integer arithmetic decides.
    let falling = |i| {
        let height = f64::from(i * i);
        MovingBall::new([2.0, 0.0, height], [0.0; 3], [0.0, 0.0, -2.0], 1.0).unwrap()
    };
    let mut balls: Vec<MovingBall> = (1..100).map(falling).collect();
    balls.insert(0, still);
    balls.extend((0..2000).map(|_| MovingBall::new(vector(), vector(), vector(), 1.0).unwrap()));
    let count = balls.len() as u32;
    let pairs: Vec<[u32; 2]> = (1..count)
        .map(|i| if i < 100 { [0, i] } else { [i - 1, i] })
        .collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.unwrap().install(|| {
        let mut found = Vec::new();
        let mut query = || first_meetings(&balls, &pairs, &mut found).unwrap();
        query();
        assert_eq!(of_thread(&mut query), 0);
        let exact = |i: usize| found[i - 1].early == i as f64 && found[i - 1].late == i as f64;
        assert!((1..100).all(exact));
        assert!(found[100..].iter().filter(|m| m.is_contact()).count() > 100);
    });
}

#[test]
fn warm_refits_allocate_nothing() {
    alone!();
    let mesh = generate::sphere(4).unwrap();
    for branching in [2, 8] {
        let settings = HierarchySettings {
            branching,
            ..HierarchySettings::default()
        };
        let mut hierarchy = Hierarchy::of_mesh(&mesh, &settings).unwrap();
        let mut refit = || {
            hierarchy.refit(|face| mesh.triangle(face)).unwrap();
        };
        refit();
        assert_eq!(of_thread(&mut refit), 0);
    }
}

/// Bodies that pass each other closely, repeatedly: after the first times the queue has its capacity,
/// and solids of revolution are made.
#[test]
fn a_warm_engine_that_finds_nothing_allocates_nothing() {
    alone!();
    let sphere = BodyShape::of_mesh(generate::sphere(3).unwrap()).unwrap();
    let still = RigidMotion::at_rest(Pose::identity());
    for spin in [[0.0; 3], [0.3, 0.2, 1.0]] {
        let pose = Pose::from_translation([-20.0, 1.4153, 1.4153]).unwrap();
        let passing = RigidMotion::new(pose, [10.0, 0.0, 0.0], spin, [0.0; 3]).unwrap();
        let bodies = vec![
            Body::new(sphere.clone(), still),
            Body::new(sphere.clone(), passing),
        ];
        let mut engine = ImpactEngine::with_bodies(bodies, &EngineSettings::default()).unwrap();
        let mut pass = || {
            let from = engine.time();
            engine.set_motion(1, passing).unwrap();
            for step in 1..=40 {
                let time = from + 0.1 * f64::from(step);
                assert_eq!(engine.next_contact(time).unwrap(), None);
                engine.advance(time).unwrap();
            }
        };
        for _ in 0..3 {
            pass();
        }
        assert_eq!(of_thread(&mut pass), 0);
        let counts = engine.counts();
        assert!(counts.volume > 100 && counts.primitive > 0, "{counts:?}");
    }
}
