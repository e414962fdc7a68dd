//! Test data of curved faces: faces, bodies and motions.

use tangere::geometry::Pose;
use tangere::impact::{Body, BodyShape, EngineSettings, Impact, ImpactEngine, RigidMotion};
use tangere::shape::{Face, FaceKind, FaceMesh, TriMesh};
use test_support::Random;

/// The kinds of faces of surfaces.
pub const KINDS: [FaceKind; 5] = [
    FaceKind::Tri3,
    FaceKind::Tri6,
    FaceKind::Quad4,
    FaceKind::Quad8,
    FaceKind::Quad9,
];

/// The nodes of one face: its nodes in the reference domain, a square of side 2 about 0, mapped by
/// a function.
pub fn nodes(kind: FaceKind, map: impl Fn([f64; 2]) -> [f64; 3]) -> Vec<[f64; 3]> {
    let square = |[u, v]: [f64; 2]| match kind.corners() {
        3 => [2.0 * u - 0.7, 2.0 * v - 0.7],
        _ => [u, v],
    };
    let places = kind.node_coordinates().iter();
    places.map(|&xi| map(square(xi))).collect()
}

/// A body of one face.
pub fn single(kind: FaceKind, nodes: Vec<[f64; 3]>) -> FaceMesh {
    let indices = (0..nodes.len() as u32).collect();
    FaceMesh::uniform(nodes, kind, indices).unwrap()
}

/// A face of random nodes near a plane, bent by up to a height.
pub fn random_face(random: &mut Random, kind: FaceKind, bend: f64) -> FaceMesh {
    let mut off: Vec<[f64; 3]> = Vec::new();
    for _ in 0..9 {
        let [x, y, z] = random.vector(1.0);
        off.push([0.3 * bend * x, 0.3 * bend * y, bend * z]);
    }
    let mut i = 0;
    let plane = nodes(kind, |[x, y]| [x, y, 0.0]);
    let moved = plane.into_iter().map(|p| {
        i += 1;
        std::array::from_fn(|k| p[k] + off[i - 1][k])
    });
    single(kind, moved.collect())
}

/// A surface of `n` by `n` faces over the square of side 2, whose nodes are mapped by a function.
pub fn sheet(kind: FaceKind, n: u32, map: impl Fn([f64; 2]) -> [f64; 3]) -> FaceMesh {
    let fine = 2 * n + 1;
    let mut used = vec![u32::MAX; (fine * fine) as usize];
    let mut points = Vec::new();
    let mut indices = Vec::new();
    let mut node = |i: u32, j: u32| {
        let at = (j * fine + i) as usize;
        if used[at] == u32::MAX {
            used[at] = points.len() as u32;
            let place = [i, j].map(|k| f64::from(k) / f64::from(n) - 1.0);
            points.push(map(place));
        }
        used[at]
    };
    let mut kinds = Vec::new();
    for j in 0..n {
        for i in 0..n {
            let faces: Vec<Vec<[u32; 2]>> = match kind.corners() {
                3 => vec![
                    vec![[0, 0], [2, 0], [2, 2], [1, 0], [2, 1], [1, 1]],
                    vec![[0, 0], [2, 2], [0, 2], [1, 1], [1, 2], [0, 1]],
                ],
                _ => vec![vec![
                    [0, 0],
                    [2, 0],
                    [2, 2],
                    [0, 2],
                    [1, 0],
                    [2, 1],
                    [1, 2],
                    [0, 1],
                    [1, 1],
                ]],
            };
            for face in faces {
                kinds.push(kind);
                let of = face[..kind.nodes()].iter();
                indices.extend(of.map(|[a, b]| node(2 * i + a, 2 * j + b)));
            }
        }
    }
    FaceMesh::new(points, kinds, indices).unwrap()
}

/// The triangles of a fine triangulation of the faces of a mesh, with `n` to a side.
pub fn triangulated(mesh: &FaceMesh, n: usize) -> TriMesh {
    let (mut points, mut faces) = (Vec::new(), Vec::new());
    for f in 0..mesh.len() {
        let face = mesh.face(f);
        let first = points.len() as u32;
        let side = |k: usize| k as f64 / n as f64;
        let is_triangle = mesh.kind(f).corners() == 3;
        let mut names = vec![vec![u32::MAX; n + 1]; n + 1];
        let mut next = first;
        for j in 0..=n {
            for i in 0..=n {
                if is_triangle && i + j > n {
                    continue;
                }
                let xi = match is_triangle {
                    true => [side(i), side(j)],
                    false => [2.0 * side(i) - 1.0, 2.0 * side(j) - 1.0],
                };
                points.push(face.point(xi));
                names[j][i] = next;
                next += 1;
            }
        }
        for j in 0..n {
            for i in 0..n {
                let at = |a: usize, b: usize| names[j + b][i + a];
                let both = [
                    [at(0, 0), at(1, 0), at(0, 1)],
                    [at(1, 0), at(1, 1), at(0, 1)],
                ];
                let is_there = |t: &&[u32; 3]| !t.contains(&u32::MAX);
                faces.extend(both.iter().filter(is_there).copied());
            }
        }
    }
    TriMesh::new(points, faces).unwrap()
}

/// A motion without rotation.
pub fn moving(at: [f64; 3], velocity: [f64; 3], acceleration: [f64; 3]) -> RigidMotion {
    let pose = Pose::from_translation(at).unwrap();
    RigidMotion::new(pose, velocity, [0.0; 3], acceleration).unwrap()
}

pub fn at_rest() -> RigidMotion {
    RigidMotion::at_rest(Pose::identity())
}

/// A body of faces.
pub fn body(mesh: &FaceMesh, motion: RigidMotion) -> Body {
    Body::new(BodyShape::of_faces(mesh.clone()).unwrap(), motion)
}

/// The first contact of bodies.
pub fn first(bodies: Vec<Body>, horizon: f64) -> Option<Impact> {
    first_with(bodies, horizon, &EngineSettings::default())
}

pub fn first_with(bodies: Vec<Body>, horizon: f64, settings: &EngineSettings) -> Option<Impact> {
    let mut engine = ImpactEngine::with_bodies(bodies, settings).unwrap();
    engine.next_contact(horizon).unwrap()
}

/// A face at its position in a moving body at a time.
pub fn placed(face: &Face, motion: &RigidMotion, time: f64) -> Face {
    let pose = motion.after(time).unwrap().pose();
    let moved: Vec<[f64; 3]> = face.nodes().iter().map(|&p| pose.apply(p)).collect();
    Face::new(face.kind(), &moved).unwrap()
}
