//! Crowded cells: bodies of long thin triangles, whose cells are cut into slices.

use super::*;

/// Thin plates side by side, with two triangles for each face.
fn plates(count: u32) -> TriMesh {
    let cube = generate::sponge(0).expect("a cube");
    let pitch = 1.0 / f64::from(count);
    let plate = |n: u32| {
        let start = pitch * f64::from(n);
        moved(&cube, |v| [start + 0.4 * pitch * v[0], v[1], v[2]])
    };
    together((0..count).map(plate))
}

/// Points on the surface, beside it, and at random positions.
fn points_of(mesh: &TriMesh, distances: &[f64]) -> Vec<[f64; 3]> {
    let step = mesh.faces().len().div_ceil(12);
    let mut points = critical_points(mesh, step, distances);
    points.extend(random_points(mesh, 300, 31));
    points
}

#[test]
fn plates_however_they_are_turned() {
    let (straight, turn) = (plates(200), turn());
    let turned = moved(&straight, |v| turn.apply(v));
    let offset = (1u64 << 20) as f64;
    let far = moved(&turned, |v| v.map(|x| x + offset));
    for (what, mesh) in [
        ("straight", &straight),
        ("turned", &turned),
        ("far away", &far),
    ] {
        let points = points_of(mesh, &[1e-4, 1e-9, 1e-15]);
        check_more(what, mesh, &points, [1, 60, 60]);
    }
}

#[test]
fn plates_that_cross() {
    let (plates, turn) = (plates(100), turn());
    let other = inverted(&moved(&plates, |v| turn.apply(v).map(|x| x - 0.25)));
    let mesh = together([plates, other]);
    let [_, inside, outside] = check("crossed plates", &mesh, &points_of(&mesh, &[1e-6]));
    assert!(inside > 60 && outside > 60, "{inside} {outside}");
}

#[test]
fn notches_from_both_sides() {
    let mesh = generate::chazelle(60).unwrap();
    check_more(
        "chazelle",
        &mesh,
        &points_of(&mesh, &[1e-3, 1e-12]),
        [10, 60, 60],
    );
    // The memory of slices is bounded.
    let bytes = cells(&mesh, InsideRule::Nonzero).unwrap().bytes();
    assert!(bytes < 32 << 20, "{bytes}");
}

/// All triangles of a fan meet in one cell, and very many in the cells around it.
#[test]
fn the_middle_of_a_fan() {
    let mesh = needle(1500, 1.0);
    let mut random = Random::new(8);
    let mut points = critical_points(&mesh, 251, &[1e-9]);
    for middle in [mesh.vertices()[0], mesh.vertices()[1]] {
        for reach in [0.2, 0.03, 1e-3] {
            points.extend((0..60).map(|_| {
                let mut p = middle.map(|x| x + reach * (2.0 * random.unit() - 1.0));
                p[2] = middle[2] + 0.2 * (p[2] - middle[2]);
                flushed(p)
            }));
        }
        points.push(middle);
    }
    check_more("fan", &mesh, &points, [3, 20, 20]);
}

#[test]
fn slices_are_the_same_on_any_number_of_threads() {
    let mesh = plates(200);
    let points = random_points(&mesh, 20_000, 77);
    assert_same_on_threads(&[1, 2, 5], || {
        let mut test = cells(&mesh, InsideRule::Nonzero).unwrap();
        let mut sides = Vec::new();
        test.classify(&points, &mut sides).unwrap();
        (sides, test.bytes(), test.reason())
    });
}
