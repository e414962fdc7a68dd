//! Mass properties of convex polyhedra agree with closed forms.

use std::f64::consts::PI;

use tangere::generate;

use super::{assert_close, cube, hull};

#[test]
fn masses_of_boxes_and_tetrahedra() {
    for offset in [0.0, 1e9, -1e12] {
        let [x, y, z] = [1.0, 2.0, 4.0];
        let points: Vec<[f64; 3]> = cube()
            .iter()
            .map(|p| [p[0] * x + offset, p[1] * y + offset, p[2] * z + offset])
            .collect();
        let mass = hull(&points).mass_properties();
        assert_eq!(mass.volume, 8.0);
        assert_eq!(mass.centroid, [0.5, 1.0, 2.0].map(|c| c + offset));
        let expected = [y * y + z * z, x * x + z * z, x * x + y * y];
        for i in 0..3 {
            for j in 0..3 {
                let expected = if i == j {
                    8.0 / 12.0 * expected[i]
                } else {
                    0.0
                };
                assert_close(mass.inertia[i][j], expected, 1e-14);
            }
        }
    }
    // The corner tetrahedron: V = 1/6, moments about its centroid in closed form.
    let tetrahedron = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mass = hull(&tetrahedron).mass_properties();
    assert_close(mass.volume, 1.0 / 6.0, 1e-16);
    for i in 0..3 {
        assert_close(mass.centroid[i], 0.25, 1e-16);
        for j in 0..3 {
            // int x^2 = 1/60, int x y = 1/120; less volume / 16 each.
            let (square, mixed) = (1.0 / 60.0 - 1.0 / 96.0, 1.0 / 120.0 - 1.0 / 96.0);
            let expected = if i == j { 2.0 * square } else { -mixed };
            assert_close(mass.inertia[i][j], expected, 1e-16);
        }
    }
}

#[test]
fn masses_tend_to_those_of_an_ellipsoid() {
    let [a, b, c] = [1.0, 2.0, 3.0];
    let mut before = f64::INFINITY;
    for level in 2..6 {
        let sphere = generate::sphere(level).unwrap();
        let points: Vec<[f64; 3]> = sphere
            .vertices()
            .iter()
            .map(|p| [a * p[0] + 7.0, b * p[1], c * p[2]])
            .collect();
        let mass = hull(&points).mass_properties();
        let volume = 4.0 / 3.0 * PI * a * b * c;
        let moment = volume / 5.0 * (a * a + b * b);
        let error = (mass.volume / volume - 1.0).abs() + (mass.inertia[2][2] / moment - 1.0).abs();
        assert!(error < before / 3.0, "{error} at level {level}");
        before = error;
        assert_close(mass.centroid[0], 7.0, 1e-14);
    }
    assert!(before < 0.01);
}
