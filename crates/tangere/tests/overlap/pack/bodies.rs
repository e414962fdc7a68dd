//! Bodies for the tests of sphere packing, and the check of a packing.

use num_bigint::BigInt;
use tangere::closest::MeshSurface;
use tangere::geometry::{Pose, Similarity};
use tangere::pairs::{Auto, PairFinder, PairSettings};
use tangere::shape::{ConvexPolyhedron, Packing, TriMesh};

/// A box from the origin to a corner.
pub fn block(corner: [f64; 3]) -> TriMesh {
    let vertices: Vec<[f64; 3]> = (0..8)
        .map(|i| std::array::from_fn(|k| corner[k] * f64::from(i >> k & 1)))
        .collect();
    let hull = ConvexPolyhedron::hull(&vertices).expect("a box");
    hull.to_mesh().expect("a box")
}

pub fn moved(mesh: &TriMesh, scale: f64, by: [f64; 3]) -> TriMesh {
    let pose = Pose::from_translation(by).expect("a pose");
    let motion = Similarity::new(scale, pose).expect("a motion");
    mesh.transformed(&motion).expect("a moved surface")
}

/// Checks that spheres are disjoint and inside the surface, by parts of the library that packing
/// does not use, and by exact arithmetic.
pub fn check(mesh: &TriMesh, packing: &Packing) {
    let (centers, radii) = (packing.centers(), packing.radii());
    assert!(radii.is_sorted_by(|a, b| a >= b));
    let surface = MeshSurface::new(mesh);
    for (i, (&center, &radius)) in centers.iter().zip(radii).enumerate() {
        let nearest = surface.closest(center).expect("a point");
        assert!(radius > 0.0 && nearest.distance >= radius, "sphere {i}");
        if surface.is_signed() {
            assert!(nearest.gap <= -radius, "sphere {i} of gap {}", nearest.gap);
        }
    }
    let mut finder = Auto::new(PairSettings::default()).expect("settings");
    let mut pairs: Vec<[u32; 2]> = Vec::new();
    finder.update((centers, radii).into()).expect("spheres");
    finder.pairs(&mut pairs).expect("pairs");
    assert_eq!(pairs, [] as [[u32; 2]; 0]);
    // Candidates from slightly enlarged spheres; these are tested exactly.
    let larger: Vec<f64> = radii.iter().map(|r| r * 1.01).collect();
    finder
        .update((centers, &larger[..]).into())
        .expect("spheres");
    finder.pairs(&mut pairs).expect("pairs");
    for [i, j] in pairs.into_iter().map(|pair| pair.map(|i| i as usize)) {
        assert!(
            are_apart(centers[i], radii[i], centers[j], radii[j]),
            "spheres {i} and {j}"
        );
    }
}

/// Whether `|p - q|^2 >= (r + s)^2`, exactly.
pub fn are_apart(p: [f64; 3], r: f64, q: [f64; 3], s: f64) -> bool {
    let all = [p[0], p[1], p[2], q[0], q[1], q[2], r, s];
    let exponent = |x: f64| (x.to_bits() >> 52 & 0x7ff).max(1) as i32 - 1075;
    let least = all.iter().map(|&x| exponent(x)).min().unwrap_or(0);
    let whole = |x: f64| {
        let bits = x.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let hidden = u64::from(bits >> 52 & 0x7ff != 0) << 52;
        let shifted = BigInt::from(fraction | hidden) << (exponent(x) - least) as usize;
        if x < 0.0 { -shifted } else { shifted }
    };
    let square = |x: BigInt| &x * &x;
    let apart: BigInt = (0..3).map(|k| square(whole(p[k]) - whole(q[k]))).sum();
    apart >= square(whole(r) + whole(s))
}
