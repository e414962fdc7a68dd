//! Packed spheres are disjoint and inside the body, at any position and size.

use super::bodies::{are_apart, block, check, moved};
use rayon::ThreadPoolBuilder;
use tangere::generate;
use tangere::overlap::pack::{PackSettings, pack_mesh};
use tangere::shape::TriMesh;
use test_support::surfaces::{inverted, together};

fn scenes() -> Vec<(&'static str, TriMesh, f64)> {
    let hollow = together([
        &generate::sphere(3).expect("a sphere"),
        &inverted(&moved(
            &generate::sphere(2).expect("a sphere"),
            0.6,
            [0.1, 0.0, 0.0],
        )),
    ]);
    vec![
        ("cube", block([1.0; 3]), 0.75),
        ("plate", block([1.0, 1.0, 0.02]), 0.08),
        ("needle", block([1e-3, 2e-3, 1.0]), 0.1),
        ("knot", generate::knot(2000).expect("a knot"), 0.68),
        ("foam", generate::foam(2000, 1).expect("a foam"), 0.4),
        ("sponge", generate::sponge(2).expect("a sponge"), 0.4),
        (
            "chazelle",
            generate::chazelle(6).expect("a polyhedron"),
            0.3,
        ),
        ("hollow", hollow, 0.55),
    ]
}

#[test]
fn spheres_stay_apart_and_within() {
    for (name, mesh, filling) in scenes() {
        let packing = pack_mesh(&mesh, &PackSettings::spheres(400)).unwrap();
        check(&mesh, &packing);
        assert_eq!(packing.len(), 400, "{name}");
        let found = packing.filling();
        assert!(found > filling && found < 1.0, "{name}: {found}");
        let volume = mesh.report().volume.unwrap();
        assert!((packing.body_volume() - volume).abs() < 1e-9 * volume);
    }
}

#[test]
fn place_and_size_do_not_matter() {
    let knot = generate::knot(1000).unwrap();
    let settings = PackSettings::spheres(150);
    let here = pack_mesh(&knot, &settings).unwrap();
    for (scale, by) in [
        (1e-6, [0.0; 3]),
        (1e6, [0.0; 3]),
        (1e-70, [0.0; 3]),
        (1e50, [0.0; 3]),
        (1.0, [1e9, -1e9, 1e9]),
        (1e-3, [1e6, 0.0, 0.0]),
    ] {
        let mesh = moved(&knot, scale, by);
        let packing = pack_mesh(&mesh, &settings).unwrap();
        check(&mesh, &packing);
        let difference = packing.filling() - here.filling();
        assert!(difference.abs() < 0.02, "{scale} {by:?}: {difference}");
    }
}

#[test]
fn bodies_a_million_times_smaller_than_their_distance_are_found() {
    let cube = moved(&block([1.0; 3]), 1e-6, [3.0, 0.5, 0.1]);
    let mesh = together([&block([1e-6; 3]), &cube]);
    let packing = pack_mesh(&mesh, &PackSettings::spheres(18)).unwrap();
    check(&mesh, &packing);
    let (large, corners) = packing.radii().split_at(2);
    assert!(large.iter().all(|r| (r / 5e-7 - 1.0).abs() < 1e-6));
    assert!(corners.iter().all(|r| (r / 1.34e-7 - 1.0).abs() < 1e-2));
}

#[test]
fn threads_do_not_matter() {
    // The spheres of the knot are relaxed, all of them more than once.
    let meshes = [
        (generate::foam(3000, 5).unwrap(), 500),
        (block([1.0; 3]), 500),
        (generate::knot(2000).unwrap(), 600),
    ];
    for (mesh, count) in meshes {
        let packed = [1, 2, 3, 8].map(|threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            let settings = PackSettings::spheres(count);
            pool.unwrap()
                .install(|| pack_mesh(&mesh, &settings))
                .unwrap()
        });
        for packing in &packed[1..] {
            assert_eq!(packing.centers(), packed[0].centers());
            assert_eq!(packing.radii(), packed[0].radii());
        }
    }
}

#[test]
fn the_checker_sees_a_last_bit() {
    let (p, q) = ([1e9, 0.0, -3.0], [1e9 + 4.0, 3.0, -3.0]);
    assert!(are_apart(p, 2.0, q, 3.0));
    assert!(!are_apart(p, 2.0_f64.next_up(), q, 3.0));
    assert!(!are_apart(p, 2.0, q, 3.0_f64.next_up()));
    assert!(are_apart(p, 2.0_f64.next_down(), q, 3.0));
}
