//! Lin's walk as schinner1995 publishes it: the same gaps as brute force over all features, from any
//! start, and few iterations in slow motion.

use super::scenes::{self, Placing};
use tangere::closest::{LinContact, LinWalk, Method, Tracker, certificate, exhaustive};
use tangere::contact::{ContactStatus, Feature};
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;
use test_support::Random;

type Body<'a> = (&'a ConvexPolyhedron, &'a Pose);

/// Compares a contact with brute force and with its certificate.
fn check(found: &LinContact, (a, pose_a): Body, (b, pose_b): Body, what: &str) {
    let expected = exhaustive(a, pose_a, b, pose_b);
    let contact = &found.contact;
    assert_eq!(contact.steps, found.iterations, "{what}");
    if found.trapped {
        assert_eq!(contact.gap, expected.gap, "{what}");
        assert_eq!(contact.status, expected.status, "{what}");
        return;
    }
    assert_eq!(contact.status, ContactStatus::Separated, "{what}");
    let (lower, upper) = (contact.lower, contact.upper);
    assert!(
        lower <= expected.gap && expected.gap <= upper,
        "{what}: {} from {lower} to {upper}, not {}",
        contact.gap,
        expected.gap
    );
    assert_eq!(found.compare(a, pose_a, b, pose_b), Ok(()), "{what}");
    // The vector between points that are very close is not an accurate normal.
    let size = a.radius() + b.radius();
    if contact.gap < 1e-3 * size {
        return;
    }
    if let Err(violation) = certificate(a, pose_a, b, pose_b, contact) {
        panic!("{what}: {violation}");
    }
}

/// Checks all pairs of bodies with a few poses of each placing. Returns how many walks ended, and how
/// many of them were trapped.
fn check_all(placings: &[Placing], scale: f64, at: [f64; 3], seed: u64) -> [usize; 2] {
    let mut random = Random::new(seed);
    let bodies: Vec<_> = scenes::bodies()
        .into_iter()
        .map(|(name, shape)| (name, scenes::resized(&shape, scale, [0.0; 3])))
        .collect();
    let mut counts = [0, 0];
    for (name_a, a) in &bodies {
        for (name_b, b) in &bodies {
            let mut walk = LinWalk::new();
            for &placing in placings {
                let [pose_a, pose_b] = scenes::poses(&mut random, placing, scale, at);
                let found = walk.contact(a, &pose_a, b, &pose_b);
                let what = format!("{name_a}, {name_b}, {placing:?}, {pose_a} and {pose_b}");
                check(&found, (a, &pose_a), (b, &pose_b), &what);
                counts[0] += 1;
                counts[1] += usize::from(found.trapped);
            }
        }
    }
    counts
}

#[test]
fn agrees_in_any_pose() {
    let [all, trapped] = check_all(&[Placing::Anyhow(1.5); 2], 1.0, [0.0; 3], 1);
    // The bodies penetrate in some of the poses.
    assert!(trapped * 2 < all, "{trapped} of {all}");
}

#[test]
fn agrees_on_a_lattice_and_near_it() {
    let [all, trapped] = check_all(&[Placing::Lattice; 2], 1.0, [0.0; 3], 2);
    assert!(trapped < all, "{trapped} of {all}");
    check_all(&[1e-6, 1e-12].map(Placing::Nearly), 1.0, [0.0; 3], 3);
}

#[test]
fn agrees_whatever_the_size_and_the_place() {
    for (scale, at) in [
        (1e-9, [0.0; 3]),
        (1e9, [0.0; 3]),
        (1e-60, [0.0; 3]),
        (1e50, [0.0; 3]),
        (1.0, [1e9, -2e9, 3e9]),
    ] {
        let placing = match scale < 1.0 {
            true => Placing::Lattice,
            false => Placing::Anyhow(1.5),
        };
        check_all(&[placing], scale, at, 5);
    }
}

/// All features of a body.
fn features(shape: &ConvexPolyhedron) -> Vec<Feature> {
    let vertices = (0..shape.vertex_count() as u32).map(Feature::vertex);
    let edges = (0..shape.edge_count() as u32).map(Feature::edge);
    let faces = (0..shape.face_count() as u32).map(Feature::face);
    vertices.chain(edges).chain(faces).collect()
}

/// From any two features the walk ends at the same gap, after fewer iterations than there are pairs of
/// features.
#[test]
fn from_any_start() {
    let cube = scenes::cuboid([1.0, 0.8, 0.6]);
    let round = scenes::round(20, 3);
    let plate = scenes::polygon(5, &[0.0]);
    let here = Pose::identity();
    for (a, b) in [
        (&cube, &round),
        (&cube, &cube),
        (&plate, &round),
        (&plate, &cube),
    ] {
        for there in [
            "1.5,0.2,-0.3",
            "0.9,1.1,0.4,0.8,0.6,0,0",
            "-0.7,0.1,1.2,0.6,0,0,0.8",
        ] {
            let there: Pose = there.parse().unwrap();
            let expected = exhaustive(a, &here, b, &there).gap;
            let (of_a, of_b) = (features(a), features(b));
            let most = (of_a.len() * of_b.len()) as u32;
            for &f in &of_a {
                for &g in &of_b {
                    let found = LinWalk::new().contact_from([f, g], a, &here, b, &there);
                    let error = (found.contact.gap - expected).abs();
                    assert!(error < 1e-12, "{f} and {g}: {found:?}");
                    assert!(found.iterations <= most, "{f} and {g}: {found:?}");
                    assert!(!found.trapped, "{f} and {g}: {found:?}");
                }
            }
            // A feature that does not exist is the first vertex.
            let strange = [Feature::face(1000), Feature::vertex(1000)];
            let found = LinWalk::new().contact_from(strange, a, &here, b, &there);
            assert!((found.contact.gap - expected).abs() < 1e-12);
        }
    }
}

/// Slowly turning bodies take one or two iterations, whatever their number of faces, and the answer
/// does not depend on the queries before.
#[test]
fn slow_motion_takes_an_iteration_or_two() {
    for faces in [4, 20, 100, 400] {
        let (a, b) = (scenes::round(faces, 1), scenes::round(faces, 2));
        let mut walk = LinWalk::new();
        let here = Pose::identity();
        let queries: u32 = 400;
        for k in 0..queries {
            let (sin, cos) = (0.5e-3 * f64::from(k)).sin_cos();
            let there = scenes::pose([1.2, 0.1, 0.2], [cos, 0.6 * sin, 0.8 * sin, 0.0]);
            let found = walk.contact(&a, &here, &b, &there);
            assert!(!found.trapped);
            if k % 80 == 0 && faces <= 100 {
                let alone = LinWalk::new().contact(&a, &here, &b, &there);
                assert!((alone.contact.gap - found.contact.gap).abs() < 1e-12);
                check(
                    &found,
                    (&a, &here),
                    (&b, &there),
                    &format!("{faces} faces, step {k}"),
                );
            }
        }
        let counts = walk.counts();
        let sum: u64 = counts.iterations.iter().sum();
        assert_eq!(
            (counts.queries, sum, counts.trapped),
            (queries.into(), queries.into(), 0)
        );
        assert!(counts.iterations[0] > 340, "{faces} faces: {counts:?}");
        walk.reset_counts();
        assert_eq!(walk.counts().queries, 0);
    }
}

/// Bodies that touch or penetrate are a trap, and the contact is that of all features.
#[test]
fn penetration_is_a_trap() {
    let cube = scenes::cuboid([1.0; 3]);
    let here = Pose::identity();
    let mut walk = LinWalk::new();
    for (there, gap) in [("0.75,0.1,0", -0.25), ("1,0,0", 0.0), ("0,0,0", -1.0)] {
        let there: Pose = there.parse().unwrap();
        let found = walk.contact(&cube, &here, &cube, &there);
        assert_eq!((found.contact.gap, found.trapped), (gap, true));
    }
    assert_eq!(walk.counts().trapped, 3);
    // Then apart again.
    let found = walk.contact(&cube, &here, &cube, &"3,0,0".parse().unwrap());
    assert_eq!((found.contact.gap, found.trapped), (2.0, false));
}

/// The bounds of a penetration depth enclose the true depth: that of the tracker, up to its own
/// rounding.
#[test]
fn bounds_of_a_depth_enclose_it() {
    let mut random = Random::new(7);
    let mut trapped = 0;
    for seed in 0..300 {
        let (a, b) = (scenes::round(12, seed), scenes::round(40, seed + 1000));
        let [here, there] = scenes::poses(&mut random, Placing::Anyhow(0.6), 1.0, [0.0; 3]);
        let found = LinWalk::new().contact(&a, &here, &b, &there);
        let tracked = Tracker::new().contact(&a, &here, &b, &there);
        let truth = 0.5 * (tracked.lower + tracked.upper);
        let what = format!("{seed}: {found:?}, not {tracked:?}");
        trapped += usize::from(found.trapped && tracked.status == ContactStatus::Penetrating);
        for contact in [found.contact, exhaustive(&a, &here, &b, &there)] {
            let (lower, upper) = (contact.lower, contact.upper);
            assert!(lower <= truth && truth <= upper, "{what}");
            let width = upper - lower;
            let size = a.radius() + b.radius();
            assert!(0.0 < width && width < 1e-12 * size, "{what}");
        }
    }
    assert!(trapped > 200, "{trapped}");
}

/// The walk is for comparison: the tracker, which is what `auto` means, has its own counts.
#[test]
fn by_name() {
    assert_eq!(Method::default(), Method::Auto);
    assert_eq!(Method::PUBLISHED.map(Method::name), ["lin", "bfgs-sqp"]);
    assert_eq!("lin".parse(), Ok(Method::Lin));
    let cube = scenes::cuboid([1.0; 3]);
    let (here, there) = (Pose::identity(), "3,0.2,0.1".parse().unwrap());
    let lin = LinWalk::new().contact(&cube, &here, &cube, &there).contact;
    let tracked = Tracker::new().contact(&cube, &here, &cube, &there);
    assert_eq!((lin.gap, lin.normal), (tracked.gap, tracked.normal));
}
