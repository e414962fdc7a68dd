//! `FaceSurface` against brute force over all faces, against finely subdivided surfaces, and
//! against spheres.

mod surfaces;

use std::f64::consts::PI;
use surfaces::{bumpy, coarse, cut, mixed, points, smooth};
use tangere::Error;
use tangere::closest::{
    FacePoint, FaceStatus, FaceSurface, PreparedFace, Projection, ProjectionStatus,
};
use tangere::generate;
use tangere::geometry::point_on_triangle;
use tangere::geometry::triangle::solid_angle;
use tangere::parallel::Rows;
use tangere::shape::{Face, FaceKind, FaceMesh, TriMesh};
use tangere::stop::Stop;
use test_support::Random;
use test_support::vectors::distance;

/// All faces of a mesh, prepared for queries.
fn prepared(mesh: &FaceMesh) -> Vec<PreparedFace> {
    let faces = (0..mesh.len()).map(|f| PreparedFace::new(&mesh.face(f)));
    faces.collect()
}

/// The projections of points onto a surface.
fn projected(surface: &FaceSurface, points: &[[f64; 3]]) -> Vec<Projection> {
    let mut found = Vec::new();
    let all = surface.project_all(points, &mut found);
    all.expect("valid points");
    found
}

#[test]
fn nearest_faces_match_brute_force() {
    let mut random = Random::new(5);
    let (mut shared, mut proven, mut queried) = (0, 0, 0);
    for (name, mesh) in surfaces::all() {
        let surface = FaceSurface::new(&mesh);
        assert!(surface.is_closed(), "{name}");
        let faces = prepared(&mesh);
        let points = points(&mesh, &mut random);
        let answers = projected(&surface, &points);
        // All faces from all points would take long.
        for (&y, found) in points.iter().zip(answers).step_by(3) {
            let each: Vec<FacePoint> = faces.iter().map(|f| f.nearest(y).unwrap()).collect();
            let least = each
                .iter()
                .map(|p| p.distance)
                .fold(f64::INFINITY, f64::min);
            let label = format!("{name} {y:?} {found:?}");
            // The result is that of its face, and no other face is nearer by more than rounding.
            let own = each[found.face as usize];
            assert_eq!((found.xi, found.point), (own.xi, own.point), "{label}");
            assert_eq!(found.distance, own.distance, "{label}");
            assert_eq!(found.iterations, own.iterations, "{label}");
            assert!(found.distance <= least + 1e-13, "{label}");
            // Equally near faces have more active sides, or greater indices.
            let rank = |f: usize| (each[f].active.count_ones(), f);
            for f in (0..each.len()).filter(|&f| each[f].distance <= least * (1.0 + 1e-15)) {
                assert!(rank(found.face as usize) <= rank(f), "{label} {f}");
            }
            let lower = each.iter().map(|p| p.lower).fold(f64::INFINITY, f64::min);
            assert!(
                found.lower >= lower && found.lower <= found.distance,
                "{label}"
            );
            assert_eq!(found, surface.project(y).unwrap(), "{label}");
            queried += 1;
            shared += usize::from(found.active != 0);
            proven += usize::from(found.status == ProjectionStatus::Proven);
        }
    }
    assert!(shared > queried / 4, "{shared} of {queried}");
    assert!(proven > queried * 99 / 100, "{proven} of {queried}");
}

#[test]
fn gaps_have_the_sign_of_the_side() {
    let mut random = Random::new(6);
    let mut shared = [0; 3];
    let kinds = [
        FaceKind::Tri3,
        FaceKind::Tri6,
        FaceKind::Quad4,
        FaceKind::Quad8,
        FaceKind::Quad9,
    ];
    let meshes = kinds.map(bumpy).into_iter().chain([mixed()]);
    for mesh in meshes {
        let surface = FaceSurface::new(&mesh);
        let fine = cut(&mesh, 12);
        // The error of the subdivision.
        let coarse = 0.02;
        let points = points(&mesh, &mut random);
        for (&y, found) in points.iter().zip(projected(&surface, &points)) {
            assert_eq!(found.gap.abs(), found.distance, "{y:?} {found:?}");
            if found.distance < coarse {
                continue;
            }
            let all = fine.faces().len();
            let whole: f64 = (0..all).map(|f| solid_angle(y, fine.triangle(f))).sum();
            assert_eq!(found.gap < 0.0, whole.abs() > 2.0 * PI, "{y:?} {found:?}");
            shared[found.active.count_ones() as usize] += 1;
        }
    }
    assert!(shared.into_iter().all(|n| n > 50), "{shared:?}");
}

#[test]
fn gaps_in_the_plane_have_the_sign_of_the_side() {
    let mut random = Random::new(7);
    for kind in [FaceKind::Seg2, FaceKind::Seg3] {
        let mesh = bumpy(kind);
        let surface = FaceSurface::new(&mesh);
        let mut ends = 0;
        let points = points(&mesh, &mut random);
        for (&y, found) in points.iter().zip(projected(&surface, &points)) {
            if found.distance < 0.01 {
                continue;
            }
            // The winding angle of the subdivided curve.
            let mut turns = 0.0;
            for f in 0..mesh.len() {
                for i in 0..64 {
                    let [a, b] = [i, i + 1].map(|i| {
                        let p = mesh.face(f).point([f64::from(i) / 32.0 - 1.0, 0.0]);
                        [p[0] - y[0], p[1] - y[1]]
                    });
                    turns += (a[0] * b[1] - a[1] * b[0]).atan2(a[0] * b[0] + a[1] * b[1]);
                }
            }
            assert_eq!(found.gap < 0.0, turns > PI, "{kind} {y:?} {found:?}");
            assert_eq!((found.normal[2], found.xi[1]), (0.0, 0.0));
            ends += usize::from(found.active != 0);
        }
        assert!(ends > 20, "{ends}");
    }
}

#[test]
fn distances_to_spheres_are_analytic() {
    let mut random = Random::new(8);
    for kind in FaceKind::ALL {
        let (mesh, off, turned) = match kind {
            FaceKind::Seg2 => (generate::face_circle(kind, 400), 1e-4, 1e-2),
            FaceKind::Seg3 => (generate::face_circle(kind, 100), 1e-6, 1e-3),
            FaceKind::Tri3 | FaceKind::Quad4 => (generate::face_sphere(kind, 4), 6e-3, 0.1),
            _ => (generate::face_sphere(kind, 3), 3e-4, 0.01),
        };
        let mesh = mesh.unwrap();
        let surface = FaceSurface::new(&mesh);
        for _ in 0..300 {
            let mut y: [f64; 3] = std::array::from_fn(|_| 2.0 * coarse(&mut random));
            if mesh.is_planar() {
                y[2] = 0.0;
            }
            let radius = distance(y, [0.0; 3]);
            if radius < 0.3 {
                continue;
            }
            let found = surface.project(y).unwrap();
            assert!((found.gap - (radius - 1.0)).abs() < off, "{kind} {found:?}");
            let way = y.map(|x| x / radius);
            assert!(
                distance(found.normal, way) < turned,
                "{kind} {y:?} {found:?}"
            );
            assert!((distance(found.normal, [0.0; 3]) - 1.0).abs() < 1e-12);
            assert!((distance(y, found.point) - found.distance).abs() < 1e-14);
            assert!(found.residual < 1e-12, "{kind} {found:?}");
        }
    }
}

/// Whether a point is exactly on a flat triangle.
fn is_on(face: &Face, y: [f64; 3]) -> bool {
    match (face.kind(), face.nodes()) {
        (FaceKind::Tri3, &[a, b, c]) => point_on_triangle(y, [a, b, c]).is_some(),
        _ => false,
    }
}

#[test]
fn faces_within_a_distance_match_brute_force() {
    let mut random = Random::new(9);
    for (name, mesh) in surfaces::all() {
        let surface = FaceSurface::new(&mesh);
        let faces = prepared(&mesh);
        let points = points(&mesh, &mut random);
        for h in [0.0, 0.02, 0.2, 0.75] {
            let mut rows = Rows::default();
            surface.within_all(&points, h, &mut rows).unwrap();
            assert_eq!(rows.len(), points.len());
            for (i, &y) in points.iter().enumerate().step_by(17) {
                let is_near = |p: FacePoint| match p.status {
                    FaceStatus::Proven => p.distance <= h,
                    FaceStatus::Bracketed => p.lower <= h,
                };
                let expected: Vec<u32> = (0..mesh.len() as u32)
                    .filter(|&f| {
                        let face = &faces[f as usize];
                        is_near(face.nearest(y).unwrap()) || is_on(face.face(), y)
                    })
                    .collect();
                assert_eq!(rows.row(i), expected, "{name} {y:?} {h}");
                // A face is found within exactly its reported distance.
                let nearest = surface.project(y).unwrap();
                let found = surface.within(y, nearest.distance).unwrap();
                assert!(found.contains(&nearest.face), "{name} {y:?}");
            }
        }
    }
}

/// The nodes of each face are all on a line that is along no axis, and the face is folded on it.
#[test]
fn degenerate_faces_have_the_distance_of_their_line() {
    let mut random = Random::new(21);
    for kind in [
        FaceKind::Quad4,
        FaceKind::Tri6,
        FaceKind::Quad8,
        FaceKind::Quad9,
    ] {
        for turn in 0..150 {
            let along = [[1.0, 0.0, 0.0], [0.5, 1.0, -0.5], [0.3, -0.7, 1.1]][turn % 3];
            let nodes: Vec<[f64; 3]> = (0..kind.nodes())
                .map(|_| {
                    let s = (4.0 * coarse(&mut random)).round() / 4.0;
                    along.map(|x| s * x)
                })
                .collect();
            let indices = (0..kind.nodes() as u32).collect();
            let Ok(mesh) = FaceMesh::new(nodes, vec![kind], indices) else {
                continue;
            };
            let surface = FaceSurface::new(&mesh);
            let y = [(); 3].map(|()| 0.5 * coarse(&mut random));
            let d = surface.project(y).unwrap().distance;
            assert_eq!(surface.within(y, d).unwrap(), [0], "{kind} {turn}");
            let nearer = surface.within(y, (1.0 - 1e-5) * d).unwrap();
            assert!(nearer.is_empty(), "{kind} {turn} {d} {mesh:?} {y:?}");
        }
    }
}

#[test]
fn points_on_flat_faces_are_within_distance_0() {
    let nodes = vec![[1.0, -1.0, 2.0], [-1.0, 2.0, 0.0], [2.0, 0.0, -2.0]];
    let mesh = FaceMesh::new(nodes, vec![FaceKind::Tri3], vec![0, 1, 2]).unwrap();
    let surface = FaceSurface::new(&mesh);
    assert_eq!(surface.within([1.0, 0.0, 0.0], 0.0).unwrap(), [0]);
    assert!(surface.within([1.0, 0.0, 1e-15], 0.0).unwrap().is_empty());
}

#[test]
fn threads_order_and_earlier_queries_do_not_matter() {
    for mesh in [mixed(), smooth(FaceKind::Quad9), bumpy(FaceKind::Seg3)] {
        let surface = FaceSurface::new(&mesh);
        let mut points = points(&mesh, &mut Random::new(10));
        let copies = points.clone();
        points.extend_from_slice(&copies);
        let answers = |points: &[[f64; 3]], threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            pool.install(|| projected(&surface, points))
        };
        let one = answers(&points, 1);
        for threads in [2, 3, 16] {
            assert_eq!(one, answers(&points, threads), "{threads} threads");
        }
        points.reverse();
        let mut turned = answers(&points, 2);
        turned.reverse();
        assert_eq!(one, turned);
        // Prepared on other threads.
        let again = rayon::ThreadPoolBuilder::new().num_threads(5).build();
        let again = again.unwrap().install(|| FaceSurface::new(&mesh));
        points.reverse();
        assert_eq!(one, projected(&again, &points));
    }
}

#[test]
fn far_away_and_at_any_size_answers_are_the_same() {
    for mesh in [mixed(), bumpy(FaceKind::Tri3), bumpy(FaceKind::Quad9)] {
        let points: Vec<[f64; 3]> = points(&mesh, &mut Random::new(11))
            .into_iter()
            .map(|p| p.map(|x| (x * 1048576.0).round() / 1048576.0))
            .collect();
        let plain = projected(&FaceSurface::new(&mesh), &points);
        let billion = 1e9f64;
        // 2^40 and 2^-40 are about 1e12 and 1e-12.
        for (scale, offset) in [
            (1.0, billion),
            (40f64.exp2(), 0.0),
            ((-40f64).exp2(), 0.0),
            ((-200f64).exp2(), 0.0),
            (150f64.exp2(), 0.0),
        ] {
            let moved =
                |p: &[f64; 3]| [0, 1, 2].map(|k| p[k] * scale + offset * [1.0, -1.0, 0.5][k]);
            let (nodes, kinds, indices) = mesh.clone().into_parts();
            let nodes = nodes.iter().map(moved).collect();
            let other = FaceSurface::new(&FaceMesh::new(nodes, kinds, indices).unwrap());
            let other_points: Vec<[f64; 3]> = points.iter().map(moved).collect();
            let found = projected(&other, &other_points);
            let mut same = 0;
            for (a, b) in plain.iter().zip(&found) {
                let label = format!("{scale} {offset} {a:?} {b:?}");
                assert!((a.distance - b.distance / scale).abs() < 1e-12, "{label}");
                if a.distance > 1e-9 {
                    assert_eq!(a.gap < 0.0, b.gap < 0.0, "{label}");
                }
                assert_eq!(a.status, b.status, "{label}");
                same += usize::from(a.face == b.face);
            }
            // Where several faces share the nearest point rounding may choose.
            assert!(same * 100 >= 95 * plain.len(), "{same} of {}", plain.len());
        }
    }
}

/// A cube from -1 to 1 whose sides have `n` by `n` squares each.
fn cube(n: usize) -> FaceMesh {
    let (mut nodes, mut indices): (Vec<[f64; 3]>, Vec<u32>) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            for i in 0..n {
                for j in 0..n {
                    let mut ring = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
                    if side < 0.0 {
                        ring.reverse();
                    }
                    for (i, j) in ring {
                        let place = |i: usize| 2.0 * i as f64 / n as f64 - 1.0;
                        let mut p = [side; 3];
                        p[(axis + 1) % 3] = place(i);
                        p[(axis + 2) % 3] = place(j);
                        let known = nodes.iter().position(|&q| q == p);
                        indices.push(known.unwrap_or(nodes.len()) as u32);
                        if known.is_none() {
                            nodes.push(p);
                        }
                    }
                }
            }
        }
    }
    FaceMesh::uniform(nodes, FaceKind::Quad4, indices).expect("a cube")
}

#[test]
fn ties_go_to_the_first_face() {
    // The middle of a side is inside a face for odd n, and at the corner of four for even n.
    for (n, expected) in [(1, 0), (2, 0), (3, 4), (4, 5)] {
        let mesh = cube(n);
        let surface = FaceSurface::new(&mesh);
        assert!(surface.is_closed());
        let found = surface.project([0.0; 3]).unwrap();
        assert_eq!((found.face, found.gap), (expected, -1.0), "{n}");
        let corner = surface.project([3.0, 3.0, 3.0]).unwrap();
        assert_eq!(corner.point, [1.0; 3]);
        assert_eq!(corner.active.count_ones(), 2);
        let third = 1.0 / 3f64.sqrt();
        assert!(distance(corner.normal, [third; 3]) < 1e-15);
        assert!(corner.gap > 0.0);
    }
}

#[test]
fn open_surfaces_are_signed_by_their_normals() {
    let nodes = vec![[0.0; 3], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0]];
    let mesh = FaceMesh::uniform(nodes, FaceKind::Quad4, vec![0, 1, 2, 3]).unwrap();
    let surface = FaceSurface::new(&mesh);
    assert!(!surface.is_closed());
    for (y, gap) in [
        ([1.0, 1.0, 3.0], 3.0),
        ([1.0, 1.0, -3.0], -3.0),
        ([1.0, 6.0, 3.0], 5.0),
        ([1.0, 6.0, -3.0], -5.0),
        // Beyond the boundary, in the plane.
        ([1.0, 7.0, 0.0], 5.0),
        ([1.0, 1.0, 0.0], 0.0),
    ] {
        let found = surface.project(y).unwrap();
        assert_eq!((found.gap, found.normal), (gap, [0.0, 0.0, 1.0]), "{y:?}");
        let closest = surface.closest(y).unwrap();
        assert_eq!(closest.distance, gap.abs());
        assert!(closest.gap.is_nan());
    }
    let mut all = Vec::new();
    let closed = FaceSurface::new(&cube(2));
    closed
        .closest_all(&[[0.0; 3], [0.0, 0.0, 3.0]], &mut all)
        .unwrap();
    assert_eq!([all[0].gap, all[1].gap], [-1.0, 2.0]);
}

/// A face on a line, up to rounding, has nearest points but no normal and no sign. Its neighbours
/// have none on the edge and at the corners that they share with it.
#[test]
fn faces_on_a_line_have_no_side() {
    for kind in FaceKind::ALL
        .into_iter()
        .filter(|kind| kind.dimension() == 2)
    {
        let line = [0.7, 0.1, 1.3].map(|x| x / 3.0);
        let on_line = |t: f64| line.map(|x| t * x);
        let mut nodes: Vec<[f64; 3]> = (kind.node_coordinates().iter())
            .map(|xi| on_line(xi[0] + 0.3 * xi[1]))
            .collect();
        let alone = FaceMesh::uniform(nodes.clone(), kind, (0..nodes.len() as u32).collect());
        // A triangle on its first edge.
        let apex = nodes.len() as u32;
        let [a, b] = [nodes[0], nodes[1]];
        nodes.push([0.0, 2.0, 0.0]);
        let all: Vec<u32> = (0..apex).chain([1, 0, apex]).collect();
        let both = FaceMesh::new(nodes, vec![kind, FaceKind::Tri3], all).unwrap();
        for mesh in [alone.unwrap(), both] {
            assert!(mesh.folded().contains(&0), "{kind}");
            let surface = FaceSurface::new(&mesh);
            for i in 0..60 {
                let y = [0.7, 1.1, 1.3].map(|f: f64| (f * f64::from(i)).sin());
                let found = surface.project([y[0], y[1] - 2.0, y[2]]).unwrap();
                let is_beside = found.face == 0 || found.active != 0;
                assert!(found.distance.is_finite() && is_beside, "{kind} {i}");
                assert!(
                    found.gap.is_nan() && found.normal == [0.0; 3],
                    "{kind} {found:?}"
                );
                if found.face == 0 {
                    assert_eq!(found.status, ProjectionStatus::Folded, "{kind}");
                }
            }
            if mesh.len() == 2 {
                // Inside the triangle normal and sign are defined.
                let middle = std::array::from_fn(|k| (a[k] + b[k] + [0.0, 2.0, 0.0][k]) / 3.0);
                let found = surface.project(middle).unwrap();
                assert_eq!((found.face, found.status), (1, ProjectionStatus::Proven));
                assert!(
                    found.gap.abs() < 1e-12 && found.normal != [0.0; 3],
                    "{found:?}"
                );
            }
        }
    }
}

#[test]
fn folded_faces_have_their_status() {
    let nodes = vec![
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [5.0, 0.0, 0.0],
        [6.0, 0.0, 0.0],
        [6.0, 1.0, 0.0],
        [5.0, 1.0, 0.0],
    ];
    let indices = vec![0, 1, 2, 3, 4, 6, 5, 7];
    let mesh = FaceMesh::uniform(nodes, FaceKind::Quad4, indices).unwrap();
    assert_eq!(mesh.folded(), [1]);
    let surface = FaceSurface::new(&mesh);
    let found = surface.project([5.5, 0.25, 1.0]).unwrap();
    assert_eq!((found.face, found.status), (1, ProjectionStatus::Folded));
    let found = surface.project([0.5, 0.5, 1.0]).unwrap();
    assert_eq!((found.face, found.status), (0, ProjectionStatus::Proven));
    // A face without area has a nearest point, but no sign.
    let nodes = vec![[0.0; 3], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]];
    let flat = FaceMesh::uniform(nodes, FaceKind::Tri3, vec![0, 1, 2]).unwrap();
    let found = FaceSurface::new(&flat).project([1.0, 1.0, 2.0]).unwrap();
    assert_eq!(found.status, ProjectionStatus::Folded);
    assert!((found.distance - (2.0f64 / 3.0).sqrt()).abs() < 1e-12);
    assert!(found.gap.is_nan() && found.normal == [0.0; 3]);
}

#[test]
fn strongly_bent_faces_are_bounded_at_least() {
    // A parabola, from a point near its centre of curvature.
    let nodes = vec![[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 3.0, 0.0]];
    let mesh = FaceMesh::uniform(nodes, FaceKind::Seg3, vec![0, 1, 2]).unwrap();
    let surface = FaceSurface::new(&mesh);
    let face = mesh.face(0);
    for y in [
        [0.0, 0.5, 0.0],
        [0.0, 2.9, 0.0],
        [0.3, -1.0, 0.0],
        [0.0, 2.0, 0.0],
    ] {
        let found = surface.project(y).unwrap();
        let least = (0..=20000)
            .map(|i| distance(y, face.point([f64::from(i) / 10000.0 - 1.0, 0.0])))
            .fold(f64::INFINITY, f64::min);
        assert!((found.distance - least).abs() < 1e-6, "{found:?} {least}");
        assert!(found.lower <= found.distance);
    }
}

#[test]
fn invalid_input() {
    let surface = FaceSurface::new(&smooth(FaceKind::Tri6));
    assert_eq!(surface.len(), 128);
    let mut found = vec![Projection::default()];
    surface.project_all(&[], &mut found).unwrap();
    assert!(found.is_empty());
    let bad = [[0.0; 3], [0.0, f64::NAN, 0.0]];
    let error = surface.project_all(&bad, &mut found).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("point 1: found [0.0, NaN, 0.0]"),
        "{error}"
    );
    let error = surface.project([f64::INFINITY, 0.0, 0.0]).unwrap_err();
    assert!(error.to_string().starts_with("point 0"), "{error}");
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let error = surface.within([0.0; 3], bad).unwrap_err();
        assert!(error.to_string().starts_with("distance: found"), "{error}");
    }
    assert!(surface.within([9.0, 9.0, 9.0], 1.0).unwrap().is_empty());
}

#[test]
fn stopped_work_has_no_answer() {
    let surface = FaceSurface::new(&smooth(FaceKind::Tri6));
    let stop = Stop::new();
    stop.request();
    let mut found = vec![Projection::default()];
    let queried = stop.during(|| surface.project_all(&[[0.0; 3]], &mut found));
    assert_eq!((queried, found.len()), (Err(Error::Stopped), 0));
    let queried = stop.during(|| surface.within([0.0; 3], 2.0));
    assert_eq!(queried, Err(Error::Stopped));
    surface.project_all(&[[0.0; 3]], &mut found).unwrap();
    assert_eq!(found.len(), 1);
}

/// Flat triangles give the same results as `MeshSurface`.
#[test]
fn flat_triangles_agree_with_mesh_surfaces() {
    let mesh: TriMesh = generate::knot(600).unwrap();
    let triangles = tangere::closest::MeshSurface::new(&mesh);
    let faces = FaceSurface::new(&FaceMesh::from_triangles(&mesh).unwrap());
    let mut random = Random::new(12);
    let bounds = mesh.bounds();
    for _ in 0..500 {
        let y: [f64; 3] = std::array::from_fn(|k| {
            0.5 * (bounds.min[k] + bounds.max[k]) + 0.7 * bounds.extent()[k] * coarse(&mut random)
        });
        let (a, b) = (triangles.closest(y).unwrap(), faces.closest(y).unwrap());
        assert!((a.distance - b.distance).abs() < 1e-13, "{a:?} {b:?}");
        assert_eq!(a.gap < 0.0, b.gap < 0.0, "{a:?} {b:?}");
    }
}
