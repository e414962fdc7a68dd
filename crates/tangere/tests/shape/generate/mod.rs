//! Generators of surfaces: topology, numbers of triangles, the same bits on every machine.

mod boxes;
mod particles;
mod surface;

use surface::{genus, hash_on_any_threads, intersections, self_intersections, volume};
use tangere::generate::{chazelle, foam, hull, knot, sphere, sponge};

#[test]
fn sphere_is_a_sphere() {
    for level in 0..=6 {
        let mesh = sphere(level).unwrap();
        assert_eq!(mesh.faces().len(), 8 * 4usize.pow(level));
        assert_eq!(mesh.vertices().len(), 4 * 4usize.pow(level) + 2);
        assert_eq!(genus(&mesh), 0);
        for p in mesh.vertices() {
            let radius = p.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((radius - 1.0).abs() < 2f64.powi(-24) * 1.8, "{radius}");
        }
    }
    assert_eq!(self_intersections(&sphere(4).unwrap()), 0);
    // A polyhedron with edges of length h has a volume smaller by O(h^2).
    let mesh = sphere(6).unwrap();
    let ball = 4.0 / 3.0 * std::f64::consts::PI;
    assert!((volume(&mesh) / ball - 1.0).abs() < 1e-3);
}

#[test]
fn sphere_has_the_symmetry_of_the_octahedron() {
    let mesh = sphere(5).unwrap();
    let places = |map: fn([f64; 3]) -> [f64; 3]| {
        let mut bits: Vec<_> = mesh
            .vertices()
            .iter()
            .map(|&p| map(p).map(|x| (x + 0.0).to_bits()))
            .collect();
        bits.sort_unstable();
        bits
    };
    let original = places(|p| p);
    assert_eq!(original, places(|[x, y, z]| [-x, y, z]));
    assert_eq!(original, places(|[x, y, z]| [y, x, z]));
    assert_eq!(original, places(|[x, y, z]| [y, z, x]));
}

#[test]
fn sphere_has_triangles_of_similar_size() {
    let mesh = sphere(6).unwrap();
    let areas = (0..mesh.faces().len()).map(|f| area(mesh.triangle(f)));
    let (lo, hi) = areas.fold((f64::MAX, 0.0), |(lo, hi): (f64, f64), a| {
        (lo.min(a), hi.max(a))
    });
    assert!(hi / lo < 2.2, "{}", hi / lo);
}

fn area([a, b, c]: [[f64; 3]; 3]) -> f64 {
    let u: [f64; 3] = std::array::from_fn(|k| b[k] - a[k]);
    let v: [f64; 3] = std::array::from_fn(|k| c[k] - a[k]);
    let n: [f64; 3] =
        std::array::from_fn(|k| u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    0.5 * n.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[test]
fn sponge_counts() {
    for level in 0..=3 {
        let mesh = sponge(level).unwrap();
        assert_eq!(
            mesh.faces().len(),
            4 * 20usize.pow(level) + 8 * 8usize.pow(level)
        );
        // Euler's formula applied to the squares of the sponge gives this.
        let expected = (21 * 20usize.pow(level) + 38 * 8usize.pow(level) - 59) / 133;
        assert_eq!(genus(&mesh), expected);
        assert_eq!(volume(&mesh), 20f64.powi(level as i32));
        let edge = 3f64.powi(level as i32);
        assert_eq!(mesh.bounds().min, [0.0; 3]);
        assert_eq!(mesh.bounds().max, [edge; 3]);
        assert!(mesh.vertices().iter().flatten().all(|x| x.fract() == 0.0));
        if level < 3 {
            assert_eq!(self_intersections(&mesh), 0);
        }
    }
}

#[test]
fn chazelle_is_a_polyhedron() {
    for size in [1, 2, 3, 5, 8, 13] {
        let mesh = chazelle(size).unwrap();
        assert_eq!(mesh.faces().len(), 24 * size as usize + 12);
        assert_eq!(mesh.vertices().len(), 12 * size as usize + 8);
        assert_eq!(genus(&mesh), 0);
        assert_eq!(self_intersections(&mesh), 0, "size {size}");
    }
    assert_eq!(genus(&chazelle(3000).unwrap()), 0);
}

/// Two of them, one lifted into the other, intersect in a number of triangle pairs
/// that is quadratic in the number of notches.
#[test]
fn chazelle_meets_its_like_quadratically() {
    let pairs = |size: u32| {
        let lower = chazelle(size).unwrap();
        let (mut vertices, faces) = chazelle(size).unwrap().into_parts();
        for p in &mut vertices {
            p[0] += 0.0625;
            p[1] += 0.0625;
            p[2] += 0.5 * f64::from(size);
        }
        let upper = tangere::shape::TriMesh::new(vertices, faces).unwrap();
        intersections(&lower, &upper)
    };
    let (p8, p16, p32) = (pairs(8), pairs(16), pairs(32));
    assert!(p32 > 4 * 32 * 32 && p32 > 7 * p16 / 2 && p16 > 3 * p8);
}

#[test]
fn knot_has_any_even_number_of_triangles() {
    for triangles in (100..700).step_by(2).chain([9_998, 10_000, 10_002]) {
        let mesh = knot(triangles).unwrap();
        assert_eq!(mesh.faces().len(), triangles);
        assert_eq!(genus(&mesh), 1, "{triangles}");
        assert_eq!(self_intersections(&mesh), 0, "{triangles}");
    }
    assert_eq!(knot(1_000_002).unwrap().faces().len(), 1_000_002);
}

#[test]
fn knot_has_triangles_that_are_nearly_equilateral() {
    for triangles in [2_000, 20_006, 123_458] {
        let mesh = knot(triangles).unwrap();
        // 1 for an equilateral triangle. On the inner side of bends triangles
        // are shorter; where rings differ in sides some are right-angled.
        let qualities = (0..triangles).map(|face| {
            let t = mesh.triangle(face);
            let squares = [0, 1, 2].map(|k| {
                let (a, b) = (t[k], t[(k + 1) % 3]);
                (0..3).map(|x| (a[x] - b[x]).powi(2)).sum::<f64>()
            });
            4.0 * 3f64.sqrt() * area(t) / squares.iter().sum::<f64>()
        });
        let (sum, worst) = qualities.fold((0.0, 1.0), |(sum, worst): (f64, f64), q| {
            (sum + q, worst.min(q))
        });
        let mean = sum / triangles as f64;
        assert!(mean > 0.95 && worst > 0.65, "{triangles}: {mean} {worst}");
    }
}

#[test]
fn foam_has_about_the_wanted_number() {
    for (triangles, at_least) in [
        (500, 1),
        (777, 2),
        (1_000, 2),
        (2_500, 5),
        (8_000, 8),
        (29_000, 70),
        (121_000, 250),
    ] {
        for seed in [0, 1, u64::MAX] {
            let mesh = foam(triangles, seed).unwrap();
            let ratio = mesh.faces().len() as f64 / triangles as f64;
            assert!((ratio - 1.0).abs() < 0.05, "{triangles}: {ratio}");
            let genus = genus(&mesh);
            assert!(genus >= at_least, "{triangles}: genus {genus}");
            if triangles < 10_000 {
                assert_eq!(self_intersections(&mesh), 0);
            }
        }
    }
    assert_eq!(self_intersections(&foam(29_000, 7).unwrap()), 0);
    assert_ne!(foam(1_000, 1).unwrap(), foam(1_000, 2).unwrap());
}

#[test]
fn foam_of_half_a_million() {
    let mesh = foam(494_000, 1).unwrap();
    assert!((469_300..=518_700).contains(&mesh.faces().len()));
    assert!(genus(&mesh) > 1_000);
}

/// The library's report agrees with the check in this folder.
#[test]
fn reports_agree() {
    for mesh in [
        sphere(4).unwrap(),
        foam(6_000, 11).unwrap(),
        sponge(2).unwrap(),
        chazelle(9).unwrap(),
        knot(2_222).unwrap(),
        hull(1_000, 5).unwrap(),
    ] {
        let report = mesh.report();
        assert!(report.closed && report.oriented && report.manifold);
        assert_eq!(report.genus, Some(genus(&mesh) as u64));
        assert_eq!((report.components, report.inverted_shells), (1, 0));
        assert_eq!(report.degenerate_triangles + report.duplicate_triangles, 0);
        assert_eq!(report.unused_vertices, 0);
    }
}

#[test]
fn same_bits_everywhere() {
    let hashes = [
        ("sphere", hash_on_any_threads(|| sphere(5).unwrap())),
        ("foam", hash_on_any_threads(|| foam(5_000, 3).unwrap())),
        ("sponge", hash_on_any_threads(|| sponge(2).unwrap())),
        ("chazelle", hash_on_any_threads(|| chazelle(7).unwrap())),
        ("knot", hash_on_any_threads(|| knot(1_234).unwrap())),
        ("hull", hash_on_any_threads(|| hull(20_000, 9).unwrap())),
    ];
    let expected = [
        ("sphere", 0xb348_f1ad_8464_0af9),
        ("foam", 0x4284_bd6b_3d19_9e15),
        ("sponge", 0x9816_c9d2_d4ab_e8d9),
        ("chazelle", 0x7eaf_8ff9_4ed3_2842),
        ("knot", 0x312e_9cd1_82ae_7bd1),
        ("hull", 0xed30_94c5_9f11_0417),
    ];
    assert_eq!(hashes, expected, "{hashes:#x?}");
}

/// Sizes out of range are rejected before any allocation.
#[test]
fn sizes_out_of_range() {
    let refused = [
        (
            sphere(13),
            "level of the sphere: found 13, expected 0 to 12",
        ),
        (sphere(u32::MAX), "level of the sphere: found 4294967295"),
        (sponge(6), "level of the sponge: found 6, expected 0 to 5"),
        (sponge(u32::MAX), "level of the sponge: found 4294967295"),
        (
            chazelle(0),
            "size of Chazelle's polyhedron: found 0, expected 1 to",
        ),
        (
            chazelle(u32::MAX),
            "polyhedron: found 4294967295, expected 1 to 1048574",
        ),
        (
            knot(0),
            "triangles of the knot: found 0, expected an even number from",
        ),
        (
            knot(1_001),
            "triangles of the knot: found 1001, expected an even number",
        ),
        (
            knot(1_000_000_000_000),
            "found 1000000000000, expected an even number",
        ),
        (knot(usize::MAX - 1), "found 18446744073709551614"),
        (
            hull(2, 0),
            "faces of the hull: found 2, expected an even number from 4 to 1048576",
        ),
        (hull(21, 0), "faces of the hull: found 21, expected an even"),
        (hull(usize::MAX, 0), "found 18446744073709551615"),
        (
            foam(0, 0),
            "triangles of the foam: found 0, expected 500 to 134217728",
        ),
        (
            foam(499, 0),
            "triangles of the foam: found 499, expected 500 to",
        ),
        (
            foam(1_000_000_000_000, 0),
            "found 1000000000000, expected 500 to",
        ),
        (
            foam(usize::MAX, 0),
            "found 18446744073709551615, expected 500 to",
        ),
    ];
    for (result, expected) in refused {
        let message = result.unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
}
