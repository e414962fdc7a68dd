//! Generators of boxes and plates.

use super::surface::{genus, hash_on_any_threads, self_intersections, volume};
use tangere::generate::{box_mesh, plate};

#[test]
fn boxes_are_boxes() {
    for divisions in [
        [1, 1, 1],
        [2, 1, 1],
        [1, 2, 1],
        [1, 1, 2],
        [3, 2, 4],
        [1, 8, 2],
        [4, 1, 5],
    ] {
        let mesh = box_mesh([4.0, 2.0, 0.5], divisions).unwrap();
        let [a, b, c] = divisions.map(|n| n as usize);
        let pieces = a * b + b * c + c * a;
        assert_eq!(mesh.faces().len(), 4 * pieces);
        assert_eq!(mesh.vertices().len(), 2 * pieces + 2);
        if divisions != [3, 2, 4] && divisions != [4, 1, 5] {
            assert_eq!(genus(&mesh), 0, "{divisions:?}");
        }
        let report = mesh.report();
        assert!(report.closed && report.oriented && report.manifold);
        assert_eq!((report.genus, report.inverted_shells), (Some(0), 0));
        assert!((volume(&mesh) - 4.0).abs() < 1e-14);
        assert_eq!(mesh.bounds().min, [-2.0, -1.0, -0.25]);
        assert_eq!(mesh.bounds().max, [2.0, 1.0, 0.25]);
        assert_eq!(self_intersections(&mesh), 0, "{divisions:?}");
    }
}

/// Sizes that no float divides evenly keep their corners, and the middle its place.
#[test]
fn corners_are_exact() {
    for size in [0.1, 1.0 / 3.0, 1e-60, 1e60, 123.456] {
        for n in [1, 2, 3, 7, 10, 49] {
            let half = 0.5 * size;
            let mesh = box_mesh([size; 3], [n, 1, n]).unwrap();
            assert_eq!(mesh.bounds().min, [-half; 3]);
            assert_eq!(mesh.bounds().max, [half; 3]);
            assert!(mesh.report().closed && mesh.report().manifold);
            let mesh = plate([size, 1.0], [n, 1]).unwrap();
            let row: Vec<f64> = mesh.vertices()[..=n as usize]
                .iter()
                .map(|p| p[0])
                .collect();
            assert_eq!((row[0], row[n as usize]), (-half, half));
            assert!(row.windows(2).all(|w| w[0] < w[1]), "{row:?}");
            for (&x, &y) in row.iter().zip(row.iter().rev()) {
                assert_eq!(x, -y);
            }
            assert!(row.iter().all(|x| x.to_bits() != (-0.0_f64).to_bits()));
        }
    }
}

#[test]
fn plates_are_flat_and_look_up() {
    let wall = plate([12.0, 6.0], [12, 6]).unwrap();
    assert_eq!((wall.faces().len(), wall.vertices().len()), (144, 91));
    for face in 0..wall.faces().len() {
        let [a, b, c] = wall.triangle(face);
        let twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        assert_eq!(twice, 1.0);
        assert_eq!([a[2], b[2], c[2]], [0.0; 3]);
    }
    let report = wall.report();
    assert!(!report.closed && report.oriented && report.components == 1);
    assert_eq!(report.unused_vertices + report.duplicate_triangles, 0);
    assert_eq!(wall.bounds().min, [-6.0, -3.0, 0.0]);
    assert_eq!(wall.bounds().max, [6.0, 3.0, 0.0]);
}

#[test]
fn the_same_bits_everywhere() {
    let hashes = [
        hash_on_any_threads(|| box_mesh([1.0, 0.3, 2.0], [3, 5, 7]).unwrap()),
        hash_on_any_threads(|| plate([0.1, 0.7], [6, 11]).unwrap()),
    ];
    let expected = [0x7526_f40d_fb81_4fb5, 0xf98c_1f89_429e_bf29];
    assert_eq!(hashes, expected, "{hashes:#x?}");
}

#[test]
fn sizes_and_divisions_out_of_range() {
    for size in [0.0, -1.0, 1e-61, 1e61, f64::NAN, f64::INFINITY] {
        let error = box_mesh([1.0, size, 1.0], [1; 3]).unwrap_err().to_string();
        assert!(
            error.starts_with("size of the box: found [1.0, "),
            "{error}"
        );
        assert!(error.contains("1e-60 to 1e60"), "{error}");
        let error = plate([1.0, size], [1; 2]).unwrap_err().to_string();
        assert!(error.starts_with("size of the plate: found "), "{error}");
    }
    for n in [0, 1 << 14, u32::MAX] {
        let error = box_mesh([1.0; 3], [n, 1 << 13, 1]).unwrap_err().to_string();
        assert!(
            error.starts_with("divisions of the box: found ["),
            "{error}"
        );
        assert!(error.contains("134217728 triangles"), "{error}");
        let error = plate([1.0; 2], [n, 1 << 14]).unwrap_err().to_string();
        assert!(
            error.starts_with("divisions of the plate: found ["),
            "{error}"
        );
    }
}
