//! The generators keep what they promise: topology, counts, the same bits.

mod surface;

use surface::{genus, hash_on_any_threads, intersections, self_intersections, volume};
use tangere::generate::{chazelle, knot, sphere, sponge};

/// The message of an error about an argument.
fn message<T>(result: tangere::Result<T>) -> String {
    match result {
        Ok(_) => panic!("an error was expected"),
        Err(error) => error.to_string(),
    }
}

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
        println!("level {level}: genus {}", genus(&mesh));
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

/// Two of them, one lifted into the other, meet in a number of triangle pairs
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
    println!("{p8} {p16} {p32}");
    assert!(p32 > 4 * 32 * 32 && p32 > 7 * p16 / 2 && p16 > 3 * p8);
}

#[test]
fn knot_has_any_even_number() {
    for triangles in (100..2000).step_by(2).chain([9_998, 10_000, 10_002]) {
        let mesh = knot(triangles).unwrap();
        assert_eq!(mesh.faces().len(), triangles);
        assert_eq!(genus(&mesh), 1, "{triangles}");
        assert_eq!(self_intersections(&mesh), 0, "{triangles}");
    }
}
