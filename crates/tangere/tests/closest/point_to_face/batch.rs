//! Batches of queries to finite element faces (`PreparedFaces`) have the results of single queries
//! (`PreparedFace`).

use super::faces::{bent, point_about};
use super::subdivided;
use tangere::closest::{FacePoint, FaceStatus, PreparedFace, PreparedFaces};
use tangere::shape::{Face, FaceKind, FaceMesh};
use test_support::Random;

/// All numbers of a face point as bits.
fn bits(p: &FacePoint) -> [u64; 15] {
    [
        p.xi[0].to_bits(),
        p.xi[1].to_bits(),
        p.point[0].to_bits(),
        p.point[1].to_bits(),
        p.point[2].to_bits(),
        p.distance.to_bits(),
        p.lower.to_bits(),
        p.multipliers[0].to_bits(),
        p.multipliers[1].to_bits(),
        p.multipliers[2].to_bits(),
        p.multipliers[3].to_bits(),
        u64::from(p.active),
        p.residual.to_bits(),
        p.status as u64,
        u64::from(p.iterations),
    ]
}

/// Faces of all kinds in random order, with a query point for each. They are flat, bent, folded or
/// without area, of sizes from 1e-40 to 1e40, near the origin and far from it.
fn cases(count: usize) -> (Vec<Face>, Vec<[f64; 3]>) {
    let mut random = Random::new(11);
    let mut faces = Vec::new();
    let mut points = Vec::new();
    for n in 0..count {
        let kind = FaceKind::ALL[(random.signed() * 3.49 + 3.5) as usize];
        let bend = [0.0, 0.05, 0.2, 0.6][n % 4];
        let face = bent(kind, bend, &mut random);
        let reach = [0.01, 0.4, 1.5, 30.0][n / 4 % 4];
        let y = point_about(&face, reach, &mut random);
        let mut nodes = face.nodes().to_vec();
        match n % 11 {
            0 => nodes.swap(0, 1),
            1 => nodes.iter_mut().for_each(|p| (p[1], p[2]) = (0.0, 0.0)),
            2 => nodes[1] = nodes[0],
            3 => {
                let first = nodes[0];
                nodes.fill(first);
            }
            _ => {}
        }
        let scale = [1.0, 1.0, 1.0, 1e-40, 1e40, 1e-9, 1e6][n % 7];
        let offset = [0.0, 0.0, 1e9, -3e5][n % 4];
        let move_to = |p: [f64; 3]| p.map(|x| scale * x + offset);
        let nodes: Vec<[f64; 3]> = nodes.into_iter().map(move_to).collect();
        faces.push(Face::new(kind, &nodes).expect("valid nodes"));
        points.push(move_to(y));
    }
    (faces, points)
}

#[test]
fn batches_and_single_queries_have_the_same_bits() {
    let (faces, points) = cases(1500);
    let many = PreparedFaces::from_faces(&faces);
    assert_eq!((many.len(), many.is_empty()), (faces.len(), false));
    let numbers: Vec<u32> = (0..faces.len() as u32).collect();
    let mut found = Vec::new();
    many.nearest_all(&numbers, &points, &mut found).unwrap();
    let alone: Vec<FacePoint> = faces
        .iter()
        .zip(&points)
        .map(|(face, &y)| PreparedFace::new(face).nearest(y).unwrap())
        .collect();
    for (n, (a, b)) in alone.iter().zip(&found).enumerate() {
        assert_eq!(bits(a), bits(b), "{n}: {a:?} {b:?}");
        assert_eq!(many.kind(n), faces[n].kind());
    }
    assert!(
        alone
            .iter()
            .filter(|p| p.status == FaceStatus::Proven)
            .count()
            > 1000
    );

    // In any order, in groups of any size, on any number of threads.
    let mut random = Random::new(3);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("threads");
        for size in [1, 3, 8, 700, 1500] {
            let queried: Vec<u32> = (0..size)
                .map(|_| ((random.signed() * 0.5 + 0.5) * 1499.0) as u32)
                .collect();
            let at: Vec<[f64; 3]> = queried.iter().map(|&n| points[n as usize]).collect();
            pool.install(|| many.nearest_all(&queried, &at, &mut found))
                .unwrap();
            assert_eq!(found.len(), size);
            for (&n, b) in queried.iter().zip(&found) {
                assert_eq!(bits(&alone[n as usize]), bits(b), "{n} of {size}");
            }
        }
    }
}

/// Faces of one kind give the same results as mixed ones; they take another code path.
#[test]
fn faces_of_one_kind() {
    let mut random = Random::new(23);
    let mut found = Vec::new();
    let mut many = PreparedFaces::default();
    for kind in FaceKind::ALL {
        let faces: Vec<Face> = (0..45).map(|_| bent(kind, 0.3, &mut random)).collect();
        let nodes: Vec<[f64; 3]> = faces.iter().flat_map(|f| f.nodes().to_vec()).collect();
        let indices = (0..nodes.len() as u32).collect();
        let mesh = FaceMesh::uniform(nodes, kind, indices).unwrap();
        many.update(&mesh);
        let y = point_about(&faces[7], 1.0, &mut random);
        let queried: Vec<u32> = (0..45).rev().chain([3, 3, 3]).collect();
        many.nearest_of_each(&queried, y, &mut found).unwrap();
        for (&n, b) in queried.iter().zip(&found) {
            let a = PreparedFace::new(&faces[n as usize]).nearest(y).unwrap();
            assert_eq!(bits(&a), bits(b), "{kind} {n}");
        }
    }
}

/// In another unit, a power of two, every digit is the same.
#[test]
fn units_do_not_matter() {
    let mut random = Random::new(31);
    for kind in FaceKind::ALL {
        for n in 0..60 {
            let face = bent(kind, [0.05, 0.3, 0.8][n % 3], &mut random);
            let y = point_about(&face, [0.2, 3.0][n % 2], &mut random);
            let here = PreparedFace::new(&face).nearest(y).unwrap();
            for exponent in [-180, -60, 40, 150] {
                let unit = 2f64.powi(exponent);
                let nodes: Vec<[f64; 3]> =
                    face.nodes().iter().map(|p| p.map(|x| x * unit)).collect();
                let there = PreparedFace::new(&Face::new(kind, &nodes).unwrap())
                    .nearest(y.map(|x| x * unit))
                    .unwrap();
                let scaled = FacePoint {
                    point: here.point.map(|x| x * unit),
                    distance: here.distance * unit,
                    lower: here.lower * unit,
                    multipliers: here.multipliers.map(|x| x * unit * unit),
                    residual: here.residual * unit,
                    ..here
                };
                assert_eq!(bits(&scaled), bits(&there), "{kind} {n} {exponent}");
            }
        }
    }
}

/// The query point is at the limit of the range, and the face is tiny compared to its distance.
#[test]
fn the_farthest_points() {
    let mut random = Random::new(41);
    for kind in FaceKind::ALL {
        let face = bent(kind, 0.2, &mut random);
        for far in [1e12, 1e30, 1.5e60] {
            let mut y = [far, -0.7 * far, 0.3 * far];
            let mut nodes = face.nodes().to_vec();
            if kind.dimension() == 1 {
                y[2] = 0.0;
            }
            for unit in [1.0, 1e-80] {
                nodes.iter_mut().for_each(|p| *p = p.map(|x| x * unit));
                let face = Face::new(kind, &nodes).unwrap();
                let nearest = PreparedFace::new(&face).nearest(y).unwrap();
                let length = (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]).sqrt();
                assert!(
                    (nearest.distance / length - 1.0).abs() < 1e-11,
                    "{nearest:?}"
                );
                assert!(nearest.lower <= nearest.distance, "{nearest:?}");
                assert!(nearest.lower >= (1.0 - 1e-11) * length, "{nearest:?}");
                assert!(kind.contains(nearest.xi), "{nearest:?}");
            }
        }
    }
}

/// Flat triangles, slivers too, are solved in closed form.
#[test]
fn flat_triangles() {
    let mut random = Random::new(51);
    for n in 0..2000 {
        let thin = [1.0, 1e-3, 1e-7, 1e-12, 0.0][n % 5];
        let mut point = || {
            [
                random.signed(),
                thin * random.signed(),
                thin * random.signed(),
            ]
        };
        let nodes = [point(), point(), point()];
        let face = Face::new(FaceKind::Tri3, &nodes).unwrap();
        let y = [0.8, 0.6, 0.5].map(|x| x * random.signed());
        let nearest = PreparedFace::new(&face).nearest(y).unwrap();
        assert_eq!(nearest.status, FaceStatus::Proven);
        assert!(FaceKind::Tri3.contains(nearest.xi), "{nearest:?}");
        let exact = tangere::geometry::triangle::closest_on_triangle(y, nodes);
        let way: [f64; 3] = std::array::from_fn(|k| y[k] - exact.point[k]);
        let distance = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!(
            (nearest.distance - distance).abs() < 1e-14,
            "{n} {nearest:?} {exact:?}"
        );
        if n % 50 == 0 {
            assert!(
                nearest.distance <= subdivided(&face, y) + 1e-12,
                "{nearest:?}"
            );
        }
    }
}

#[test]
fn invalid_queries() {
    let face = bent(FaceKind::Quad8, 0.1, &mut Random::new(1));
    let many = PreparedFaces::from_faces(&[face; 3]);
    let mut found = Vec::new();
    many.nearest_all(&[2], &[[0.0; 3]], &mut found).unwrap();
    let before = found.clone();
    let mut error = |faces: &[u32], points: &[[f64; 3]]| {
        let error = many.nearest_all(faces, points, &mut found).unwrap_err();
        assert_eq!(found, before);
        error.to_string()
    };
    let text = error(&[0, 1], &[[0.0; 3]]);
    assert!(text.contains("1 points"), "{text}");
    let text = error(&[0, 3], &[[0.0; 3]; 2]);
    assert!(text.contains("face number 1: found 3"), "{text}");
    let text = error(&[0, 1], &[[0.0; 3], [0.0, f64::NAN, 0.0]]);
    assert!(text.contains("point 1"), "{text}");
    let nothing = many.nearest_of_each(&[], [0.0; 3], &mut found);
    assert!(nothing.is_ok() && found.is_empty());
    let text = many
        .nearest_of_each(&[0], [f64::INFINITY; 3], &mut found)
        .unwrap_err()
        .to_string();
    assert!(text.contains("point 0"), "{text}");
}
